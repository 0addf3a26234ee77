#include "term/term_player.h"

#include "base/clock.h"
#include "engine/opponents.h"
#include "levels/rating/adapt.h"

#include <stdio.h>
#include <stdlib.h>

/* How long Castellan thinks without a clock: a few positions at first, half a minute at last. */
typedef struct ThinkLevel {
    uint64_t nodes;
    int64_t move_time_ms;
    const char *words;
} ThinkLevel;

static const ThinkLevel think_levels[TERM_PLAYER_LEVELS] = {
    {100, 0, "100 nodes per move"},      {400, 0, "400 nodes per move"},
    {2000, 0, "2000 nodes per move"},    {10000, 0, "10,000 nodes per move"},
    {50000, 0, "50,000 nodes per move"}, {200000, 0, "200,000 nodes per move"},
    {0, 1000, "1 second per move"},      {0, 3000, "3 seconds per move"},
    {0, 10000, "10 seconds per move"},   {0, 30000, "30 seconds per move"},
};

/* -- Players in words -- */

TermPlayerSpec term_player_human(void)
{
    TermPlayerSpec spec = {.human = true, .level = TERM_PLAYER_LEVEL_DEFAULT};
    snprintf(spec.name, sizeof spec.name, "Player");
    return spec;
}

TermPlayerSpec term_player_castellan(void)
{
    TermPlayerSpec spec = {.level = TERM_PLAYER_LEVEL_DEFAULT};
    snprintf(spec.name, sizeof spec.name, "%s", opponents_at(0)->name);
    return spec;
}

static bool means_human(Span word)
{
    return span_is_ignoring_case(word, "human") || span_is_ignoring_case(word, "h") ||
           span_is_ignoring_case(word, "me") || span_is_ignoring_case(word, "player");
}

static Status read_strength(Span word, TermPlayerSpec *spec, Message *why)
{
    AdaptWish wish;
    Status s = adapt_parse(&wish, word, why);
    if (s == STATUS_OK) {
        spec->adapts = wish.adapts;
        spec->elo = wish.elo;
        spec->offset = wish.offset;
    }
    return s;
}

static bool begins_like_strength(Span word)
{
    return (word.len && word.at[0] >= '0' && word.at[0] <= '9') ||
           (word.len >= 5 && span_is_ignoring_case((Span){word.at, 5}, "adapt") &&
            !opponents_find(word));
}

Status term_player_read(Span words, TermPlayerSpec *out, Message *why)
{
    Span word, more;
    if (!span_next_word(&words, &word))
        return status_fail(why, STATUS_INVALID, "a player is missing");
    if (means_human(word)) {
        *out = term_player_human();
        return STATUS_OK;
    }
    TermPlayerSpec spec = term_player_castellan();
    Status s = STATUS_OK;
    if (begins_like_strength(word)) {
        s = read_strength(word, &spec, why);
    } else if (!span_is_ignoring_case(word, "computer") && !span_is_ignoring_case(word, "c")) {
        OpponentChoice choice;
        if ((s = opponents_read(word, &choice, why)) != STATUS_OK)
            return s;
        if (word.len >= sizeof spec.name)
            return status_fail(why, STATUS_INVALID, "settings longer than %d characters",
                               (int)sizeof spec.name - 1);
        snprintf(spec.name, sizeof spec.name, "%s%s%.*s", choice.row->name,
                 choice.settings.len ? "," : "", (int)choice.settings.len, choice.settings.at);
    }
    if (s == STATUS_OK && span_next_word(&words, &more)) {
        if (opponents_find(span_of(spec.name))->ops)
            return status_fail(why, STATUS_INVALID, "%s has a fixed strength and takes no rating",
                               spec.name);
        s = read_strength(more, &spec, why);
    }
    if (s == STATUS_OK)
        *out = spec;
    return s;
}

void term_player_write(const TermPlayerSpec *spec, char out[TERM_PLAYER_NAME_SIZE])
{
    if (spec->human)
        snprintf(out, TERM_PLAYER_NAME_SIZE, "human");
    else if (spec->adapts)
        snprintf(out, TERM_PLAYER_NAME_SIZE, spec->offset ? "%.200s adapt%+d" : "%.200s adapt",
                 spec->name, spec->offset);
    else if (spec->elo)
        snprintf(out, TERM_PLAYER_NAME_SIZE, "%.200s %d", spec->name, spec->elo);
    else
        snprintf(out, TERM_PLAYER_NAME_SIZE, "%s", spec->name);
}

void term_player_title(const TermPlayerSpec *spec, char out[TERM_PLAYER_NAME_SIZE])
{
    const OpponentRow *row = spec->human ? NULL : opponents_find(span_of(spec->name));
    const char *title = row ? row->title : spec->name;
    if (!spec->human && spec->elo)
        snprintf(out, TERM_PLAYER_NAME_SIZE, "%.40s (%d)", title, spec->elo);
    else
        snprintf(out, TERM_PLAYER_NAME_SIZE, "%.60s", title);
}

const char *term_player_level_words(int level)
{
    return think_levels[level - 1].words;
}

/* -- Programs -- */

static void on_done(void *user, const EngineResult *r)
{
    TermPlayer *p = user;
    mutex_lock(&p->lock);
    p->has_answer = true;
    p->answer = *r;
    mutex_unlock(&p->lock);
    p->wake(p->user);
}

/* Castellan itself needs no option, so that a plain game asks nothing of the engine. */
static Status set_strength(Engine *e, const TermPlayerSpec *spec, Message *why)
{
    char elo[16], seed[16];
    snprintf(elo, sizeof elo, "%d", spec->elo);
    snprintf(seed, sizeof seed, "%d", spec->seed);
    const struct {
        bool wanted;
        const char *name, *value;
    } options[] = {
        {!span_is(span_of(spec->name), opponents_at(0)->name), "Opponent", spec->name},
        {spec->elo != 0, "UCI_Elo", elo},
        {spec->elo != 0, "UCI_LimitStrength", "true"},
        {spec->seed != 0, "Opponent Seed", seed},
        {spec->at_once, "Think Time", "false"},
    };
    Status s = STATUS_OK;
    for (size_t i = 0; i < sizeof options / sizeof *options && s == STATUS_OK; i++)
        if (options[i].wanted)
            s = engine_set_option(e, span_of(options[i].name), span_of(options[i].value), why);
    return s;
}

Status term_player_open(TermPlayer **out, const TermPlayerSpec *spec, void (*wake)(void *user),
                        void *user, Message *why)
{
    TermPlayer *p = calloc(1, sizeof *p);
    if (!p)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a player");
    *p = (TermPlayer){.wake = wake, .user = user};
    mutex_init(&p->lock);
    EngineEvents events = {.user = p, .done = on_done};
    Status status = engine_create(&p->engine, &events, why);
    if (status == STATUS_OK)
        status = set_strength(p->engine, spec, why);
    return GIVE_OR_CLOSE(status, out, p, term_player_close);
}

void term_player_close(TermPlayer *p)
{
    if (!p)
        return;
    engine_destroy(p->engine);
    mutex_free(&p->lock);
    free(p);
}

/* -- Thinking -- */

/* Castellan itself would think for ever without a clock; everyone else knows how long. */
void term_player_think(TermPlayer *p, const Play *play, int level)
{
    SearchLimits limits = {0};
    Color us = play->now.side;
    term_player_cancel(p);
    play_limits(play, us, clock_now_ms(), &limits);
    if (!limits.has_clock[us] && !engine_opponent(p->engine)->ops) {
        limits.nodes = think_levels[level - 1].nodes;
        limits.move_time_ms = think_levels[level - 1].move_time_ms;
    }
    p->asked = true;
    engine_go(p->engine, &play->now, &limits);
}

bool term_player_take(TermPlayer *p, EngineResult *out)
{
    mutex_lock(&p->lock);
    bool has = p->has_answer;
    *out = p->answer;
    p->has_answer = false;
    mutex_unlock(&p->lock);
    if (has) {
        engine_wait(p->engine);
        p->asked = false;
    }
    return has;
}

void term_player_cancel(TermPlayer *p)
{
    EngineResult nothing;
    engine_end(p->engine);
    term_player_take(p, &nothing);
    p->asked = false;
}
