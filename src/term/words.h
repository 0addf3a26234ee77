/* Positions, moves and games in plain words, for ears and for blindfold play. Texts are sentences without
 * a line end. */
#ifndef TERM_WORDS_H
#define TERM_WORDS_H

#include "base/text.h"
#include "chess/position.h"
#include "notation/opening.h"
#include "term/table.h"

const char *words_color(Color c);        /* "White" */
const char *words_piece(PieceType type); /* "knight" */

/* "White: king g1, queen d1, rooks a1 and f1 ..." for that side. */
void words_pieces(const Position *p, Color c, Text *out);

/* "Rank 4: white pawn e4, black knight f4." 0 ... 7 each. */
void words_rank(const Position *p, int rank, Text *out);
void words_file(const Position *p, int file, Text *out);
void words_square(const Position *p, Square s, Text *out); /* "e4: white pawn." */

/* "knight g1 to f3", "pawn e5 takes d6 en passant, check". The move is not made yet. */
void words_move(const Position *p, Move m, Text *out);

/* "Black to move, in check." or how the game ended. */
void words_state(const Table *t, Text *out);

/* "Last move: 1. e4, pawn e2 to e4." */
void words_last(const Table *t, Text *out);

/* "White has 4 minutes 58 seconds, Black ..." */
void words_clock(const Table *t, Text *out);

/* "12. " or "12... " and SAN, for the move that led to that ply. */
void words_numbered(const Table *t, int ply, Text *out);

/* The same in a list of moves, where Black's need no number. */
void words_in_list(const Table *t, int ply, Text *out);

/* The clock as it is shown: "4:58", "1:02:03", and with tenths near the end: "0:09.3". */
enum { WORDS_CLOCK_SIZE = 24 };
void words_clock_face(int64_t ms, char out[WORDS_CLOCK_SIZE]);

/* "Checkmate: White wins 1-0." */
void words_result(const Table *t, Text *out);

/* The last line of all: the result, and where the game was saved or how to go on with it. */
void words_farewell(const Table *t, Text *out);

/* The name of the opening so far, "" when it has none yet. */
void words_opening(const Openings *o, const Table *t, Text *out);

#endif
