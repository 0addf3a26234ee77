#include "proto/cecp_clock.h"

#include <string.h>

void cecp_clock_init(CecpClock *c)
{
    *c = (CecpClock){.session_moves = 40, .base_ms = 5 * 60 * 1000};
    cecp_clock_reset(c);
}

void cecp_clock_reset(CecpClock *c)
{
    c->own_ms = c->other_ms = c->base_ms;
    c->depth = 0;
}

static bool read_ms(Span text, double unit_ms, int64_t *out)
{
    double value;
    if (!span_to_double(text, &value) || value < 0 || value > 1e9)
        return false;
    *out = (int64_t)(value * unit_ms);
    return true;
}

/* "5" is minutes, "2:30" minutes and seconds. */
static bool read_base(Span text, int64_t *out)
{
    const char *colon = memchr(text.at, ':', text.len);
    if (!colon)
        return read_ms(text, 60000, out);
    Span minutes = {text.at, (size_t)(colon - text.at)};
    Span seconds = {colon + 1, text.len - minutes.len - 1};
    int64_t m, s;
    if (!read_ms(minutes, 60000, &m) || !read_ms(seconds, 1000, &s))
        return false;
    *out = m + s;
    return true;
}

/* A rate belongs to one time control: xboard sends it after each, others just before. */
static void forget_rate(CecpClock *c)
{
    if (!c->rate_is_new)
        c->node_rate = 0;
    c->rate_is_new = false;
}

bool cecp_clock_level(CecpClock *c, Span text)
{
    Span moves, base, increment;
    int64_t count, base_ms, increment_ms;
    if (!span_next_word(&text, &moves) || !span_next_word(&text, &base) ||
        !span_next_word(&text, &increment))
        return false;
    if (!span_to_int64(moves, 0, 10000, &count) || !read_base(base, &base_ms) ||
        !read_ms(increment, 1000, &increment_ms))
        return false;
    c->session_moves = (int)count;
    c->base_ms = c->own_ms = c->other_ms = base_ms;
    c->increment_ms = increment_ms;
    c->exact_ms = 0;
    forget_rate(c);
    return true;
}

void cecp_clock_exact(CecpClock *c, int64_t ms)
{
    c->exact_ms = ms;
    forget_rate(c);
}

void cecp_clock_spend(CecpClock *c, int64_t ms, int plies)
{
    c->own_ms += c->increment_ms - ms;
    if (c->session_moves && (plies + 1) / 2 % c->session_moves == 0)
        c->own_ms += c->base_ms;
}

void cecp_clock_limits(const CecpClock *c, Color side, int plies, SearchLimits *out)
{
    out->depth = c->depth;
    if (c->node_rate) {
        int moves = c->session_moves ? c->session_moves - plies / 2 % c->session_moves : 30;
        int64_t ms = c->exact_ms ? c->exact_ms : c->own_ms / moves + c->increment_ms;
        out->nodes = ms > 0 ? (uint64_t)(ms / 1000.0 * (double)c->node_rate) : 0;
        out->nodes += out->nodes == 0;
        return;
    }
    if (c->exact_ms) {
        out->move_time_ms = c->exact_ms;
        return;
    }
    Color other = color_other(side);
    out->has_clock[side] = out->has_clock[other] = true;
    out->clock_ms[side] = c->own_ms;
    out->clock_ms[other] = c->other_ms;
    out->increment_ms[side] = out->increment_ms[other] = c->increment_ms;
    if (c->session_moves)
        out->moves_to_go = c->session_moves - plies / 2 % c->session_moves;
}
