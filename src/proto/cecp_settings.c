/* CECP, the commands that change how the engine plays: time, options, pondering, posting. */
#include "proto/cecp_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What an engine needs besides its table, out of the memory a GUI allows. */
enum { MEMORY_BESIDES_MB = 24 };

static void report_remark(Cecp *c, const Message *why)
{
    if (why->text[0])
        output_line(c->port.out, "# %s", why->text);
}

bool cecp_set_option(Cecp *c, const char *name, Span value)
{
    Message why;
    Status s = engine_set_option(c->engine, span_of(name), value, &why);
    report_remark(c, &why);
    return s == STATUS_OK;
}

bool cecp_read_number(const Cecp *c, int64_t min, int64_t max, int64_t *out)
{
    Span rest = c->rest, word;
    return span_next_word(&rest, &word) && span_to_int64(word, min, max, out);
}

static bool do_protover(Cecp *c)
{
    int64_t version;
    if (!cecp_read_number(c, 1, 1000, &version))
        return false;
    if (version >= 2)
        cecp_report_features(c->port.out);
    return true;
}

/* -- Time -- */

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

void cecp_full_clocks(Cecp *c, TimeControl control)
{
    for (Color side = WHITE; side <= BLACK; side++)
        play_set_control(&c->play, side, control);
    c->has_time[0] = c->has_time[1] = false;
}

/* A rate belongs to one time control: xboard sends it after each, others just before. */
static void forget_rate(Cecp *c)
{
    if (!c->rate_is_new)
        c->node_rate = 0;
    c->rate_is_new = false;
}

bool cecp_read_level(Span text, TimeControl *out)
{
    Span moves, base, increment;
    int64_t count, base_ms, increment_ms;
    if (!span_next_word(&text, &moves) || !span_next_word(&text, &base) ||
        !span_next_word(&text, &increment))
        return false;
    if (!span_to_int64(moves, 0, 10000, &count) || !read_base(base, &base_ms) ||
        !read_ms(increment, 1000, &increment_ms))
        return false;
    /* Clients round the base down to whole seconds; without one there would be no clock. */
    *out = (TimeControl){base_ms > 0 ? base_ms : 1, increment_ms, (int)count};
    return true;
}

static bool do_level(Cecp *c)
{
    TimeControl control;
    if (!cecp_read_level(c->rest, &control))
        return false;
    cecp_full_clocks(c, control);
    c->move_time_ms = 0;
    forget_rate(c);
    return true;
}

static bool do_st(Cecp *c)
{
    double seconds;
    if (!span_to_double(c->rest, &seconds) || seconds <= 0 || seconds > 1e8)
        return false;
    c->move_time_ms = seconds < 0.001 ? 1 : (int64_t)(seconds * 1000);
    forget_rate(c);
    return true;
}

/* Time is then counted in nodes, so many a second; a negative rate means by the clock. */
static bool do_nps(Cecp *c)
{
    int64_t rate;
    if (!cecp_read_number(c, -1, INT32_MAX, &rate))
        return false;
    c->node_rate = rate > 0 ? rate : 0;
    c->rate_is_new = true;
    return true;
}

static bool do_sd(Cecp *c)
{
    int64_t depth;
    if (!cecp_read_number(c, 1, INT32_MAX, &depth))
        return false;
    c->depth = (int)depth;
    return true;
}

/* Ours or the opponent's; which colour that is, is known when the engine moves. */
static bool do_time(Cecp *c)
{
    int whose = c->command->value;
    int64_t centiseconds;
    if (!cecp_read_number(c, -INT32_MAX, INT32_MAX, &centiseconds))
        return false;
    c->has_time[whose] = true;
    c->time_ms[whose] = centiseconds * 10;
    return true;
}

static bool do_hard(Cecp *c)
{
    c->hard = c->command->value;
    if (!c->hard && c->activity == ACTIVITY_PONDERING)
        cecp_abort(c);
    return cecp_set_option(c, "Ponder", span_of(c->hard ? "true" : "false"));
}

static bool do_post(Cecp *c)
{
    c->post = c->command->value;
    mutex_lock(&c->box.lock);
    c->box.show = cecp_posts(c, c->activity);
    mutex_unlock(&c->box.lock);
    return true;
}

static bool do_memory(Cecp *c)
{
    int64_t megabytes;
    char text[32];
    if (!cecp_read_number(c, 1, INT32_MAX, &megabytes))
        return false;
    megabytes -= megabytes > 2 * MEMORY_BESIDES_MB ? MEMORY_BESIDES_MB : megabytes / 2;
    snprintf(text, sizeof text, "%" PRId64, megabytes);
    return cecp_set_option(c, "Hash", span_of(text));
}

static bool do_cores(Cecp *c)
{
    return cecp_set_option(c, "Threads", c->rest);
}

static bool do_egtpath(Cecp *c)
{
    Span rest = c->rest, kind;
    if (!span_next_word(&rest, &kind))
        return false;
    if (span_is_ignoring_case(kind, "syzygy"))
        cecp_set_option(c, "SyzygyPath", span_trim(rest));
    return true;
}

/* "NAME=VALUE", or "NAME" for a button. */
static bool do_option(Cecp *c)
{
    Span rest = c->rest, name = {rest.at, 0}, value = {rest.at, 0};
    while (name.len < rest.len && rest.at[name.len] != '=')
        name.len++;
    if (name.len < rest.len)
        value = (Span){rest.at + name.len + 1, rest.len - name.len - 1};
    Message why;
    Key before = engine_position(c->engine)->st.key;
    Status s = engine_set_option(c->engine, span_trim(name), span_trim(value), &why);
    report_remark(c, &why);
    /* An opponent's setting may say where games begin. */
    if (engine_position(c->engine)->st.key != before) {
        play_restart(&c->play, engine_position(c->engine), c->arrived_ms);
        cecp_position_changed(c);
    }
    return s != STATUS_MISSING;
}

const CecpCommand cecp_settings[] = {
    {"protover", do_protover, 0},
    {"level", do_level, 0},
    {"st", do_st, 0},
    {"sd", do_sd, 0},
    {"time", do_time, 0},
    {"otim", do_time, 1},
    {"nps", do_nps, 0},
    {"hard", do_hard, true},
    {"easy", do_hard, false},
    {"post", do_post, true},
    {"nopost", do_post, false},
    {"memory", do_memory, 0},
    {"cores", do_cores, 0},
    {"egtpath", do_egtpath, 0},
    {"option", do_option, 0},
    {0},
};
