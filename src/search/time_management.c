#include "search/time_management.h"

/* The param macro expects a `params` member. */
typedef struct ParamHolder {
    SearchParams params;
} ParamHolder;

enum { RESERVE_MS = 50, LAG_MAX_MS = 500, SHORT_OF_TIME_HARD_FACTOR = 200, LATE_PLY = 120 };

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* -- Lag -- */

void lag_update_from_clock(LagEstimate *lag, const SearchLimits *l, const Position *p)
{
    if (lag->expecting && l->has_clock[p->side] && p->game_ply == lag->game_ply + 2) {
        int64_t seen = lag->expected_ms - l->clock_ms[p->side];
        lag->lag_ms = max64(min64(seen, LAG_MAX_MS), lag->lag_ms * 9 / 10);
    } else if (p->game_ply != lag->game_ply + 2) {
        lag->lag_ms = 0; /* another game */
    }
    lag->expecting = false;
}

void lag_update_from_move(LagEstimate *lag, const SearchLimits *l, const TimeLimits *time,
                          const Position *p, int64_t used_ms, int64_t stall_ms)
{
    lag->stall_ms = max64(min64(stall_ms, LAG_MAX_MS), lag->stall_ms * 9 / 10);
    if (!l->has_clock[p->side] || l->ponder)
        return;
    lag->expecting = true;
    lag->game_ply = p->game_ply;
    lag->expected_ms = l->clock_ms[p->side] - used_ms + max64(l->increment_ms[p->side], 0);
    /* A hard limit that was overrun: the thread did not get processor time. */
    lag->lag_ms = max64(lag->lag_ms, min64(used_ms - time->hard_ms, LAG_MAX_MS));
}

int64_t lag_expected_ms(const LagEstimate *lag)
{
    return max64(lag->lag_ms, lag->stall_ms);
}

void stall_check(StallMeter *m, int64_t now_ms)
{
    m->longest_ms = max64(m->longest_ms, now_ms - m->checked_ms);
    m->checked_ms = now_ms;
}

/* -- Limits -- */

/* The move overhead option, at least a reserve for busy machines, and twice the estimated lag. */
static int64_t reserve_ms(int64_t overhead, int64_t lag)
{
    return max64(overhead, RESERVE_MS) + 2 * lag;
}

/* The reserve is kept back, but at most two thirds of the clock. */
static int64_t usable_ms(int64_t clock, int64_t overhead, int64_t lag)
{
    return max64(clock - min64(reserve_ms(overhead, lag), clock * 2 / 3), 1);
}

/* Permille of the clock for one move: the later in the game, the fewer moves are left. */
static int clock_fraction(const ParamHolder *h, const Position *p)
{
    return param(h, time_fraction) +
           param(h, time_fraction_ply) * (int)min64(p->game_ply, LATE_PLY) / LATE_PLY;
}

static TimeLimits limits_from_clock(const ParamHolder *h, const SearchLimits *l, int64_t overhead,
                                    int64_t lag, const Position *p)
{
    Color side = p->side;
    int64_t clock = max64(l->clock_ms[side], 1), increment = max64(l->increment_ms[side], 0);
    int64_t usable = usable_ms(clock, overhead, lag);
    int64_t latest = clock - min64(overhead, clock / 2);
    int64_t soft, hard, hard_factor = param(h, time_hard_factor);
    if (clock < 2 * reserve_ms(overhead, lag)) { /* the reserve is restored first */
        increment = max64(increment / 2 - lag / 4, 0);
        hard_factor = SHORT_OF_TIME_HARD_FACTOR;
    }
    if (l->moves_to_go > 0) {
        int64_t moves = min64(l->moves_to_go, 50);
        soft = usable / moves + increment * param(h, time_increment) / 100;
        hard = min64(soft * hard_factor / 100, usable * 8 / (moves == 1 ? 9 : 10));
    } else {
        soft = usable * clock_fraction(h, p) / 1000 + increment * param(h, time_increment) / 100;
        hard = min64(soft * hard_factor / 100, usable / 2);
    }
    hard = max64(min64(hard, usable), 1);
    return (TimeLimits){.active = true,
                        .soft_ms = max64(min64(soft, hard), 1),
                        .hard_ms = hard,
                        .latest_ms = latest};
}

TimeLimits time_limits_for(const SearchParams *params, const SearchLimits *l,
                           const SearchOptions *options, const Position *p, int64_t lag_ms)
{
    Color side = p->side;
    ParamHolder h = {.params = *params};
    TimeLimits time = {.latest_ms = INT64_MAX};
    if (l->has_clock[side])
        time = limits_from_clock(&h, l, options->move_overhead_ms, lag_ms, p);
    if (options->ponder_allowed && time.active && !l->moves_to_go)
        time.soft_ms += time.soft_ms / 4; /* part of the search runs on the opponent's time */
    if (l->move_time_ms > 0) {
        int64_t whole =
            max64(l->move_time_ms - min64(options->move_overhead_ms, l->move_time_ms / 2), 1);
        if (!time.active)
            return (TimeLimits){.active = true,
                                .fixed = true,
                                .soft_ms = whole,
                                .hard_ms = whole,
                                .latest_ms = INT64_MAX};
        time.hard_ms = min64(time.hard_ms, whole);
    }
    return time;
}

int64_t time_hard_limit_ms(const TimeLimits *time, const StallMeter *stalls)
{
    return max64(min64(time->hard_ms, time->latest_ms - 2 * stalls->longest_ms), 1);
}

int64_t time_soft_limit_ms(const SearchParams *params, const TimeLimits *time,
                           const TimeFactors *factors)
{
    if (time->fixed)
        return time->hard_ms;
    ParamHolder h = {.params = *params};
    /* The larger the best move's share of the nodes, the less time is needed. */
    double node_factor =
        (param(&h, time_node_base) - param(&h, time_node_slope) * factors->best_move_share) / 100.0;
    int stable = factors->stable_iterations < 10 ? factors->stable_iterations : 10;
    double stability_factor = 1.25 - param(&h, time_stability_slope) * stable / 100.0;
    int drop = factors->score_drop < -20  ? -20
               : factors->score_drop > 80 ? 80
                                          : factors->score_drop;
    double drop_factor = 1.0 + param(&h, time_drop_slope) * drop / 1000.0;
    return (int64_t)((double)time->soft_ms * node_factor * stability_factor * drop_factor);
}
