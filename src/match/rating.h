/* Ratings from the results of many players: the Bradley-Terry model (a difference of 400 points
 * means ten to one), fitted by maximum likelihood. A draw is half a win and half a loss. Players
 * whose strength is known from elsewhere are anchors: they keep their rating and the others are
 * measured by them. */
#ifndef MATCH_RATING_H
#define MATCH_RATING_H

#include "base/status.h"
#include "base/text.h"

#include <stdint.h>

enum { RATING_NAME_SIZE = 64, RATING_MAX_PLAYERS = 256, RATING_MEAN = 1500 };

typedef struct RatingPlayer {
    char name[RATING_NAME_SIZE];
    bool anchored;
    double rating; /* given for an anchor, found by rating_fit for the others */
    double error;  /* half the width of the 95 % interval; 0 for anchors */
    uint64_t games;
    double points;
} RatingPlayer;

typedef struct RatingScore {
    uint64_t games;
    double points;
} RatingScore;

typedef struct RatingTable {
    RatingPlayer *players;
    int count;
    RatingScore *scores; /* of row against column, RATING_MAX_PLAYERS a row */
} RatingTable;

Status rating_init(RatingTable *t, Message *why);
void rating_free(RatingTable *t);

/* The index of a name, which is new or known. */
Status rating_player(RatingTable *t, Span name, int *index, Message *why);
void rating_anchor(RatingTable *t, int player, double rating);

/* One game: points of `a` in halves. A game of somebody against himself says nothing and is left
 * out. */
void rating_add(RatingTable *t, int a, int b, int half_points);

/* Finds the ratings and their errors. Without an anchor the mean of all is RATING_MEAN. Somebody
 * without a single lost or won half point has no finite rating by the results alone: each player is
 * therefore given one drawn game against a player of his own first guess, which moves nobody with
 * many games. */
Status rating_fit(RatingTable *t, Message *why);

/* The strongest first: name, rating, error, games, score. */
void rating_report(const RatingTable *t, Text *out);

/* Everyone's score against everyone, the strongest first, as a table in Markdown. */
void rating_crosstable(const RatingTable *t, Text *out);

#endif
