/* Draws and ends of games by the rules. */
#ifndef CHESS_DRAW_H
#define CHESS_DRAW_H

#include "chess/position.h"

/* How often the present position has stood before, as far as the kept history reaches. */
int draw_repetitions(const Position *p);

/* For the search at `ply` plies from its root: true when the position repeats one inside the search
 * tree, or twice one from the game before it. */
bool draw_by_repetition(const Position *p, int ply);

/* True when the side to move has a reversible move to a position that stood before (within `ply` of
 * the root, or repeated already): it can claim at least a draw. */
bool draw_upcoming(const Position *p, int ply);

/* No sequence of legal moves can mate, by FIDE 5.2.2 as far as material tells: K-K, K+minor-K, and
 * bishops all of one square colour. */
bool draw_by_material(const Position *p);

/* True when this side alone can never give mate with what it has, whatever the other does: the flag
 * rule of FIDE 6.9 as servers apply it. */
bool draw_side_cannot_mate(const Position *p, Color c);

typedef enum GameEnd {
    GAME_GOES_ON,
    GAME_CHECKMATE, /* the side to move has lost */
    GAME_STALEMATE,
    GAME_MATERIAL,
    GAME_FIVEFOLD, /* ends by itself */
    GAME_SEVENTYFIVE,
    GAME_THREEFOLD, /* may be claimed */
    GAME_FIFTY
} GameEnd;

/* The state of the game; the first that applies in the order above. */
GameEnd draw_game_end(const Position *p);

/* A short English reason: "checkmate", "threefold repetition" ... */
const char *draw_reason(GameEnd end);

#endif
