#include "levels/level_int.h"

#include <math.h>

/* Without a clock a usual move takes this long, and none longer than the most. */
static const double USUAL_MS = 1800, MOST_MS = 7000, LEAST_MS = 250;

/* Of the usual time: what forced and obvious moves take, and opening moves. */
static const double FORCED = 0.2, RECAPTURED = 0.35, OPENING = 0.45;

/* Everybody spends about the same time in all. The stronger the player, the more of it goes to the
 * positions where several moves look good: what a move takes where there is no rival to the best
 * one, and what each rival adds, at the lowest level and from EXPERT_ELO up. */
static const double ALONE[] = {0.84, 0.48}, EACH_RIVAL[] = {0.10, 0.28};

static const double SPREAD = 0.9; /* of the logarithm, from game to game and move to move */
enum { EXPERT_ELO = 2000, OPENING_PLIES = 14, MOST_RIVALS = 6, MOVES_AHEAD = 38, CLOCK_SHARE = 8 };

/* 0 at the lowest level, 1 for experts. */
static double experience(int elo)
{
    double e = (double)(elo - LEVEL_MIN_ELO) / (EXPERT_ELO - LEVEL_MIN_ELO);
    return e < 0 ? 0 : e > 1 ? 1 : e;
}

/* How much harder than usual this move is. */
static double weight(const LevelThought *t)
{
    if (t->legal <= 1)
        return FORCED;
    if (t->last_to != SQ_NONE && move_to(t->line.pv[0]) == t->last_to)
        return RECAPTURED;
    double e = experience(t->level->elo);
    int rivals = t->close - 1 < MOST_RIVALS ? t->close - 1 : MOST_RIVALS;
    double w = ALONE[0] + e * (ALONE[1] - ALONE[0]);
    w += (EACH_RIVAL[0] + e * (EACH_RIVAL[1] - EACH_RIVAL[0])) * (rivals > 0 ? rivals : 0);
    return t->task->position->game_ply < OPENING_PLIES ? w * OPENING : w;
}

int64_t level_think_ms(const LevelThought *t)
{
    double bell = level_chance(t->seed, 1) + level_chance(t->seed, 2) - 1; /* -1 .. 1 */
    double usual = USUAL_MS, most = MOST_MS;
    const SearchLimits *l = t->task->limits;
    Color side = t->task->position->side;
    if (l->has_clock[side]) {
        int64_t clock = l->clock_ms[side] > 0 ? l->clock_ms[side] : 0;
        int ahead =
            l->moves_to_go > 0 && l->moves_to_go < MOVES_AHEAD ? l->moves_to_go + 1 : MOVES_AHEAD;
        usual = (double)clock / ahead + 0.7 * (double)l->increment_ms[side];
        most = (double)clock / CLOCK_SHARE;
    }
    if (l->move_time_ms && (double)l->move_time_ms < most)
        most = (double)l->move_time_ms;
    double ms = usual * weight(t) * exp(bell * SPREAD);
    ms = ms < LEAST_MS ? LEAST_MS : ms;
    return (int64_t)(ms < most ? ms : most);
}
