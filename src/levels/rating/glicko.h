/* Glicko-2 (Mark Glickman, "Example of the Glicko-2 system"): a rating, how unsure it is, and how
 * much the player's strength wavers. */
#ifndef LEVELS_GLICKO_H
#define LEVELS_GLICKO_H

typedef struct Glicko {
    double rating;
    double deviation;  /* the strength lies within two of these, 95 times of 100 */
    double volatility; /* about 0.06 */
} Glicko;

/* One result against somebody. */
typedef struct GlickoGame {
    double rating, deviation; /* the opponent's */
    double score;             /* 1, 0.5, 0 */
} GlickoGame;

/* No rating falls below it. */
enum { GLICKO_FLOOR = 100 };

/* Nothing is known but a first guess. */
Glicko glicko_start(double guess);

/* The rating after a period with these games; with none, it only becomes less sure. */
Glicko glicko_update(Glicko g, const GlickoGame *games, int count);

#endif
