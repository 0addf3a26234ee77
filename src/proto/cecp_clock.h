/* Time as CECP tells it: level, st, sd, time, otim. */
#ifndef PROTO_CECP_CLOCK_H
#define PROTO_CECP_CLOCK_H

#include "base/text.h"
#include "engine/engine.h"

typedef struct CecpClock {
    int session_moves; /* 0: the whole game */
    int64_t base_ms, increment_ms;
    int64_t exact_ms;         /* st: per move; 0: by the clock */
    int depth;                /* sd; 0: none */
    int64_t node_rate;        /* nps: time is counted in nodes, so many a second; 0: it is not */
    bool rate_is_new;         /* no time control came since */
    int64_t own_ms, other_ms; /* what is left */
} CecpClock;

/* Forty moves in five minutes, xboard's own default. */
void cecp_clock_init(CecpClock *c);

/* A new game: full clocks, no depth limit. */
void cecp_clock_reset(CecpClock *c);

/* "40 5 0", "0 2:30 12", "0 1 0.1"; false when it makes no sense. */
bool cecp_clock_level(CecpClock *c, Span text);

/* st: so long for each move. */
void cecp_clock_exact(CecpClock *c, int64_t ms);

/* The engine has moved: takes the time off its clock until the GUI tells better. `plies` is how
 * many moves the game has now. */
void cecp_clock_spend(CecpClock *c, int64_t ms, int plies);

/* The limits for a move of `side`, `plies` moves into the game. */
void cecp_clock_limits(const CecpClock *c, Color side, int plies, SearchLimits *out);

#endif
