/* Time management. The soft limit ends the search between iterations and is scaled by what the
 * iterations showed; the hard limit ends the search anywhere. */
#ifndef SEARCH_TIME_MANAGEMENT_H
#define SEARCH_TIME_MANAGEMENT_H

#include "search/params.h"
#include "search/search.h"

typedef struct TimeLimits {
    bool active; /* there is a clock or a move time */
    int64_t soft_ms, hard_ms;
    bool fixed;        /* a move time: all of it is used */
    int64_t latest_ms; /* the clock without the move overhead; INT64_MAX without a clock */
} TimeLimits;

/* What scales the soft limit. */
typedef struct TimeFactors {
    double best_move_share; /* part of the nodes spent on the best move */
    int stable_iterations;  /* since the best move changed */
    int score_drop;         /* centipawns below the average of earlier iterations */
} TimeFactors;

/* Time lost outside the search. Lag (GUI, network, busy machine) is estimated during a game from
 * the difference between the expected clock and the one received, and from overrun hard limits.
 * Stalls are times in which a busy machine did not run the search; they are measured between two
 * checks of the limits, the first one from the moment when the search thread was woken. */
typedef struct LagEstimate {
    bool expecting;      /* a timed move was made: the next clock can be compared */
    uint32_t game_ply;   /* of that move */
    int64_t expected_ms; /* the clock expected after it */
    int64_t lag_ms;      /* the largest recent lag, decaying by 10 % a move */
    int64_t stall_ms;    /* the longest recent stall, decaying likewise; outlives the game */
} LagEstimate;

/* The stalls of one search. */
typedef struct StallMeter {
    int64_t checked_ms; /* clock_now_ms() at the last check */
    int64_t longest_ms;
} StallMeter;

void stall_check(StallMeter *m, int64_t now_ms);

/* Called when a search starts, and when its move is chosen. */
void lag_update_from_clock(LagEstimate *lag, const SearchLimits *limits, const Position *p);
void lag_update_from_move(LagEstimate *lag, const SearchLimits *limits, const TimeLimits *time,
                          const Position *p, int64_t used_ms, int64_t stall_ms);
int64_t lag_expected_ms(const LagEstimate *lag); /* the larger of both */

/* `lag_ms` is kept back in addition to the move overhead. */
TimeLimits time_limits_for(const SearchParams *params, const SearchLimits *limits,
                           const SearchOptions *options, const Position *p, int64_t lag_ms);

/* The hard limit, lowered where another stall like the longest one of this search could exceed the
 * clock. */
int64_t time_hard_limit_ms(const TimeLimits *time, const StallMeter *stalls);

/* The scaled soft limit. */
int64_t time_soft_limit_ms(const SearchParams *params, const TimeLimits *time,
                           const TimeFactors *factors);

#endif
