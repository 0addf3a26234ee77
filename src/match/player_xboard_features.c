/* What an xboard program says of itself before the first game. */
#include "match/player_xboard_int.h"

#include <string.h>

enum {
    FEATURES_MS = 5000, /* a program that sends no features by then has none */
    DECLARED_MAX = 1 << 20
};

static void note_option(XboardPlayer *x, Span value)
{
    const char *end = memmem(value.at, value.len, " -", 2);
    if (x->declared.len > DECLARED_MAX)
        return;
    text_add_char(&x->declared, '\n');
    text_add(&x->declared, value.at, end ? (size_t)(end - value.at) : value.len);
    text_add_char(&x->declared, '\n');
}

bool xboard_has_option(const XboardPlayer *x, Span name)
{
    Span rest = {x->declared.at, x->declared.len}, line;
    while (span_next_line(&rest, &line))
        if (name.len && line.len == name.len && memcmp(line.at, name.at, name.len) == 0)
            return true;
    return false;
}

static void set_feature(XboardPlayer *x, Span name, Span value)
{
    XboardFeatures *f = &x->features;
    const struct {
        const char *name;
        bool *into;
    } flags[] = {{"ping", &f->ping},   {"setboard", &f->setboard}, {"usermove", &f->usermove},
                 {"san", &f->san},     {"memory", &f->memory},     {"smp", &f->smp},
                 {"reuse", &f->reuse}, {"time", &f->time},         {"done", &f->done}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (span_is(name, flags[i].name))
            *flags[i].into = span_is(value, "1");
    if (span_is(name, "done"))
        f->waits = span_is(value, "0");
    if (span_is(name, "variants"))
        f->frc = memmem(value.at, value.len, "fischerandom", 12) != NULL;
    if (span_is(name, "myname"))
        span_show(value, x->base.title, sizeof x->base.title);
    if (span_is(name, "option"))
        note_option(x, value);
    if (name.len < 40 && !span_is(name, "done"))
        process_send(&x->process, "accepted %.*s", (int)name.len, name.at);
}

/* name=value name="a value" ... */
void xboard_take_features(XboardPlayer *x, Span rest)
{
    for (;;) {
        rest = span_trim(rest);
        const char *equals = memchr(rest.at, '=', rest.len);
        if (!equals)
            return;
        Span name = {rest.at, (size_t)(equals - rest.at)};
        Span value = {equals + 1, rest.len - name.len - 1};
        bool quoted = value.len && value.at[0] == '"';
        if (quoted)
            value.at++, value.len--;
        const char *end = memchr(value.at, quoted ? '"' : ' ', value.len);
        rest = end ? (Span){end + 1, (size_t)(value.at + value.len - end) - 1} : (Span){"", 0};
        if (end)
            value.len = (size_t)(end - value.at);
        set_feature(x, name, value);
    }
}

bool xboard_is_features(Span line, Span *rest)
{
    Span word;
    *rest = line;
    return span_next_word(rest, &word) && span_is(word, "feature");
}

Status xboard_read_features(XboardPlayer *x, Message *why)
{
    x->features = (XboardFeatures){.reuse = true, .time = true};
    process_send(&x->process, "xboard");
    process_send(&x->process, "protover 2");
    int64_t until = xboard_from_now(FEATURES_MS);
    while (!x->features.done) {
        Span line, rest;
        Status s = process_line(&x->process, until, x->base.stop, &line);
        if (s == STATUS_MISSING && !x->features.waits)
            return STATUS_OK;
        if (s != STATUS_OK)
            return s == STATUS_STOPPED ? s
                   : s == STATUS_END   ? status_fail(why, STATUS_REFUSED, "ended at the start")
                                       : status_fail(why, STATUS_REFUSED, "did not become ready");
        if (!xboard_is_features(line, &rest))
            continue;
        bool waited = x->features.waits;
        xboard_take_features(x, rest);
        if (x->features.waits && !waited)
            until = xboard_from_now(PLAYER_START_MS);
    }
    return STATUS_OK;
}
