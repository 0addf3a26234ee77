/* How a game ended: one type for PGN, stored games, training data and matches. */
#ifndef CHESS_RESULT_H
#define CHESS_RESULT_H

#include "base/text.h"
#include "chess/types.h"

/* The numbers are part of the store's file format. */
typedef enum Result { RESULT_NONE, RESULT_WHITE_WINS, RESULT_BLACK_WINS, RESULT_DRAW } Result;

static inline Result result_win(Color c)
{
    return c == WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
}

/* The half points of one side; no result counts as a draw. */
static inline int result_half_points(Result r, Color c)
{
    return r == RESULT_NONE || r == RESULT_DRAW ? 1 : r == result_win(c) ? 2 : 0;
}

static inline Result result_of_half_points(int white)
{
    return white == 1 ? RESULT_DRAW : white == 2 ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
}

/* "*", "1-0", "0-1", "1/2-1/2" */
const char *result_text(Result r);

/* The inverse, also for the short forms of a draw; false if the text is none of them. */
bool result_read(Span text, Result *out);

#endif
