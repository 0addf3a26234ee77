#include "search/timing.h"

/* The params macro wants something with a `params` field. */
typedef struct Holder {
    SearchParams params;
} Holder;

enum { RESERVE_MS = 50, LAG_MAX_MS = 500 };

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* -- Lag -- */

void timing_hear_clock(LagMeter *meter, const SearchLimits *l, const Position *p)
{
    if (meter->listening && l->has_clock[p->side] && p->game_ply == meter->game_ply + 2) {
        int64_t lag = meter->expected_ms - l->clock_ms[p->side];
        meter->lag_ms = max64(min64(lag, LAG_MAX_MS), meter->lag_ms * 9 / 10);
    } else if (p->game_ply != meter->game_ply + 2) {
        meter->lag_ms = 0; /* another game */
    }
    meter->listening = false;
}

void timing_hear_move(LagMeter *meter, const SearchLimits *l, const TimeBudget *budget,
                      const Position *p, int64_t used_ms)
{
    if (!l->has_clock[p->side] || l->ponder)
        return;
    meter->listening = true;
    meter->game_ply = p->game_ply;
    meter->expected_ms = l->clock_ms[p->side] - used_ms + max64(l->increment_ms[p->side], 0);
    /* A limit overrun: the machine did not let us look at the clock in time. */
    meter->lag_ms = max64(meter->lag_ms, min64(used_ms - budget->hard_ms, LAG_MAX_MS));
}

/* -- The plan -- */

/* What is not thought about: the overhead the user asks for, at least a reserve that a busy machine may need,
 * and twice what moves have been seen to cost. Low on the clock it cannot be kept back whole. */
static int64_t usable_ms(int64_t clock, int64_t overhead, int64_t lag)
{
    int64_t kept = max64(overhead, RESERVE_MS) + 2 * lag;
    return max64(clock - min64(kept, clock * 2 / 3), 1);
}

static TimeBudget plan_clock(const Holder *h, const SearchLimits *l, int64_t overhead, int64_t lag,
                             Color side)
{
    int64_t clock = max64(l->clock_ms[side], 1), increment = max64(l->increment_ms[side], 0);
    int64_t usable = usable_ms(clock, overhead, lag);
    int64_t soft, hard;
    if (l->moves_to_go > 0) {
        int64_t moves = min64(l->moves_to_go, 50);
        soft = usable / moves + increment * param(h, time_increment) / 100;
        hard = min64(soft * param(h, time_hard_factor) / 100, usable * 8 / (moves == 1 ? 9 : 10));
    } else {
        soft = usable * param(h, time_fraction) / 1000 + increment * param(h, time_increment) / 100;
        hard = min64(soft * param(h, time_hard_factor) / 100, usable / 2);
    }
    hard = max64(min64(hard, usable), 1);
    return (TimeBudget){.active = true, .soft_ms = max64(min64(soft, hard), 1), .hard_ms = hard};
}

TimeBudget timing_plan(const SearchParams *params, const SearchLimits *l,
                       const SearchOptions *options, Color side, int64_t lag_ms)
{
    Holder h = {.params = *params};
    TimeBudget budget = {0};
    if (l->has_clock[side])
        budget = plan_clock(&h, l, options->move_overhead_ms, lag_ms, side);
    if (options->ponder_allowed && budget.active && !l->moves_to_go)
        budget.soft_ms += budget.soft_ms / 4; /* part of it is thought on the opponent's time */
    if (l->move_time_ms > 0) {
        int64_t whole =
            max64(l->move_time_ms - min64(options->move_overhead_ms, l->move_time_ms / 2), 1);
        if (!budget.active)
            return (TimeBudget){.active = true, .fixed = true, .soft_ms = whole, .hard_ms = whole};
        budget.hard_ms = min64(budget.hard_ms, whole);
    }
    return budget;
}

int64_t timing_soft_ms(const SearchParams *params, const TimeBudget *budget, const TimeSigns *signs)
{
    if (budget->fixed)
        return budget->hard_ms;
    Holder h = {.params = *params};
    /* Much effort spent on the best move: little doubt about it. */
    double nodes =
        (param(&h, time_node_base) - param(&h, time_node_slope) * signs->best_share) / 100.0;
    int stable = signs->stable_iterations < 10 ? signs->stable_iterations : 10;
    double stability = 1.25 - param(&h, time_stability_slope) * stable / 100.0;
    int drop = signs->score_drop < -20 ? -20 : signs->score_drop > 80 ? 80 : signs->score_drop;
    double trend = 1.0 + param(&h, time_drop_slope) * drop / 1000.0;
    return (int64_t)((double)budget->soft_ms * nodes * stability * trend);
}
