/* Draws and ends of games by the rules. */
#ifndef CHESS_DRAW_H
#define CHESS_DRAW_H

#include "chess/position.h"

/* The number of earlier occurrences of the position in the stored history. */
int draw_repetitions(const Position *p);

/* True when a position has repeated since the last irreversible move. */
bool draw_has_repeated(const Position *p);

/* For the search at `ply` plies from its root: true when the position repeats one inside the search
 * tree, or twice one from the game before it. */
bool draw_by_repetition(const Position *p, int ply);

/* True when the side to move has a reversible move to an earlier position (within `ply` of the
 * root, or repeated already): at least a draw. */
bool draw_upcoming(const Position *p, int ply);

/* Insufficient material for both (FIDE 5.2.2, by material only): KK, K+minor-K, and bishops that
 * are all on one square colour. */
bool draw_by_material(const Position *p);

/* Insufficient material of one side, whatever the other does: the flag-fall rule of FIDE 6.9 as
 * servers apply it. */
bool draw_side_cannot_mate(const Position *p, Color c);

typedef enum GameEnd {
    GAME_GOES_ON,
    GAME_CHECKMATE, /* the side to move has lost */
    GAME_STALEMATE,
    GAME_MATERIAL,
    GAME_FIVEFOLD, /* automatic */
    GAME_SEVENTYFIVE,
    GAME_THREEFOLD, /* on claim */
    GAME_FIFTY
} GameEnd;

/* The state of the game; the first that applies in the order above. */
GameEnd draw_game_end(const Position *p);

/* A short English reason: "checkmate", "threefold repetition" ... */
const char *draw_reason(GameEnd end);
const char *draw_code(GameEnd end); /* the same as one word */

#endif
