/* Positions, moves and games in plain words, for ears and for blindfold play. Texts are sentences
 * without a line end. */
#ifndef TERM_GAME_TEXT_H
#define TERM_GAME_TEXT_H

#include "base/text.h"
#include "chess/position.h"
#include "notation/opening.h"
#include "term/term_game.h"

const char *game_text_color(Color c); /* "White" */

/* "White: king g1, queen d1, rooks a1 and f1 ..." for that side. */
void game_text_pieces(const Position *p, Color c, Text *out);

/* "Rank 4: white pawn e4, black knight f4." 0 ... 7 each. */
void game_text_rank(const Position *p, int rank, Text *out);
void game_text_file(const Position *p, int file, Text *out);
void game_text_square(const Position *p, Square s, Text *out); /* "e4: white pawn." */

/* "knight g1 to f3", "pawn e5 takes d6 en passant, check". The move is not made yet. */
void game_text_move(const Position *p, Move m, Text *out);

/* "Black to move, in check." or how the game ended. */
void game_text_state(const TermGame *t, Text *out);

/* "Last move: 1. e4, pawn e2 to e4." */
void game_text_last(const TermGame *t, Text *out);

/* "White has 4 minutes 58 seconds, Black ..." */
void game_text_clock(const TermGame *t, Text *out);

/* "12. " or "12... " and SAN, for the move that led to that ply; in a list of moves Black's need no
 * number. */
void game_text_played(const TermGame *t, int ply, bool always_numbered, Text *out);

/* The clock as it is shown: "4:58", "1:02:03", and with tenths near the end: "0:09.3". */
enum { WORDS_CLOCK_SIZE = 24 };
void game_text_clock_face(int64_t ms, char out[WORDS_CLOCK_SIZE]);

/* "Checkmate: White wins 1-0." */
void game_text_result(const TermGame *t, Text *out);

/* The last line of all: the result, and where the game was saved or how to go on with it. */
void game_text_farewell(const TermGame *t, Text *out);

/* The name of the opening so far, "" when it has none yet. */
void game_text_opening(const Openings *o, const TermGame *t, Text *out);

#endif
