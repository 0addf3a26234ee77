/* How long to think. The soft limit ends the search between iterations and is stretched or shortened by
 * what the search has seen; the hard limit ends it anywhere and is never crossed. */
#ifndef SEARCH_TIMING_H
#define SEARCH_TIMING_H

#include "search/params.h"
#include "search/search.h"

typedef struct TimeBudget {
    bool active; /* there is a clock or a move time at all */
    int64_t soft_ms, hard_ms;
    bool fixed; /* a move time: use it whole */
} TimeBudget;

/* What the last iterations showed. */
typedef struct TimeSigns {
    double best_share;     /* of the nodes spent on the best move */
    int stable_iterations; /* since the best move changed */
    int score_drop;        /* centipawns lost against earlier iterations and the last move */
} TimeSigns;

TimeBudget timing_plan(const SearchParams *params, const SearchLimits *limits,
                       const SearchOptions *options, Color side);

/* The soft limit under these signs. */
int64_t timing_soft_ms(const SearchParams *params, const TimeBudget *budget,
                       const TimeSigns *signs);

#endif
