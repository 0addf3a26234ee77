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
    int score_drop;        /* centipawns lost against earlier iterations */
} TimeSigns;

/* What a move costs beyond the thinking: slow pipes, a busy machine. Learnt during a game from the difference
 * between the clock we are told and the one we expected, and from limits that were overrun. */
typedef struct LagMeter {
    bool listening;      /* a timed move was made: the next clock can be compared */
    uint32_t game_ply;   /* of that move */
    int64_t expected_ms; /* the clock it should have left us */
    int64_t lag_ms;      /* the estimate: the worst of late, slowly forgotten */
} LagMeter;

/* Before planning a move, and after it was decided. */
void timing_hear_clock(LagMeter *meter, const SearchLimits *limits, const Position *p);
void timing_hear_move(LagMeter *meter, const SearchLimits *limits, const TimeBudget *budget,
                      const Position *p, int64_t used_ms);

/* `lag_ms` more is kept back on this move. */
TimeBudget timing_plan(const SearchParams *params, const SearchLimits *limits,
                       const SearchOptions *options, Color side, int64_t lag_ms);

/* The soft limit under these signs. */
int64_t timing_soft_ms(const SearchParams *params, const TimeBudget *budget,
                       const TimeSigns *signs);

#endif
