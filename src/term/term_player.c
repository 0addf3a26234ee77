/* The only file of the terminal that talks to programs. */
#include "term/term_player.h"

#include "base/clock.h"
#include "base/thread.h"
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

struct TermPlayer {
    Engine *engine;
    TermPlayerSpec spec;
    void (*wake)(void *user);
    void *user;
    Mutex lock; /* of what the search thread hands over */
    bool has_answer;
    TermPlayerAnswer answer;
    bool asked;
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
    TermPlayer *s = user;
    mutex_lock(&s->lock);
    s->has_answer = true;
    s->answer = (TermPlayerAnswer){.move = r->best,
                                   .score = r->score,
                                   .depth = r->depth,
                                   .resigns = r->resigns,
                                   .offers_draw = r->offers_draw};
    snprintf(s->answer.talk, sizeof s->answer.talk, "%s", r->talk);
    mutex_unlock(&s->lock);
    s->wake(s->user);
}

static Status set(TermPlayer *s, const char *name, const char *value, Message *why)
{
    return engine_set_option(s->engine, span_of(name), span_of(value), why);
}

/* Castellan itself needs no option, so that a plain game asks nothing of the engine. */
static Status set_strength(TermPlayer *s, Message *why)
{
    char number[16];
    Status status = STATUS_OK;
    if (!span_is(span_of(s->spec.name), opponents_at(0)->name))
        status = set(s, "Opponent", s->spec.name, why);
    if (status == STATUS_OK && s->spec.elo) {
        snprintf(number, sizeof number, "%d", s->spec.elo);
        status = set(s, "UCI_Elo", number, why);
        if (status == STATUS_OK)
            status = set(s, "UCI_LimitStrength", "true", why);
    }
    if (status == STATUS_OK && s->spec.seed) {
        snprintf(number, sizeof number, "%d", s->spec.seed);
        status = set(s, "Opponent Seed", number, why);
    }
    if (status == STATUS_OK && s->spec.at_once)
        status = set(s, "Think Time", "false", why);
    return status;
}

Status term_player_open(TermPlayer **out, const TermPlayerSpec *spec, void (*wake)(void *user),
                        void *user, Message *why)
{
    TermPlayer *s = calloc(1, sizeof *s);
    if (!s)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a player");
    *s = (TermPlayer){.spec = *spec, .wake = wake, .user = user};
    mutex_init(&s->lock);
    EngineEvents events = {.user = s, .done = on_done};
    Status status = engine_create(&s->engine, &events, why);
    if (status == STATUS_OK)
        status = set_strength(s, why);
    return GIVE_OR_CLOSE(status, out, s, term_player_close);
}

void term_player_close(TermPlayer *s)
{
    if (!s)
        return;
    if (s->engine)
        engine_destroy(s->engine);
    mutex_free(&s->lock);
    free(s);
}

Status term_player_set_option(TermPlayer *s, Span name, Span value, Message *why)
{
    return engine_set_option(s->engine, name, value, why);
}

void term_player_new_game(TermPlayer *s)
{
    term_player_cancel(s);
    engine_new_game(s->engine);
}

void term_player_position_changed(TermPlayer *s)
{
    engine_forget_scores(s->engine);
}

/* -- Thinking -- */

/* Castellan itself would think for ever without a clock; everyone else knows how long. */
void term_player_think(TermPlayer *s, const Play *play, int level)
{
    SearchLimits limits = {0};
    Color us = play->now.side;
    term_player_cancel(s);
    play_limits(play, us, clock_now_ms(), &limits);
    if (!limits.has_clock[us] && !engine_opponent(s->engine)->ops) {
        limits.nodes = think_levels[level - 1].nodes;
        limits.move_time_ms = think_levels[level - 1].move_time_ms;
    }
    s->asked = true;
    engine_go(s->engine, &play->now, &limits);
}

bool term_player_is_thinking(const TermPlayer *s)
{
    return s->asked;
}

bool term_player_take(TermPlayer *s, TermPlayerAnswer *out)
{
    mutex_lock(&s->lock);
    bool has = s->has_answer;
    *out = s->answer;
    s->has_answer = false;
    mutex_unlock(&s->lock);
    if (has) {
        engine_wait(s->engine);
        s->asked = false;
    }
    return has;
}

void term_player_hurry(TermPlayer *s)
{
    engine_stop(s->engine);
}

void term_player_cancel(TermPlayer *s)
{
    TermPlayerAnswer nothing;
    engine_end(s->engine);
    term_player_take(s, &nothing);
    s->asked = false;
}

void term_player_wait(TermPlayer *s)
{
    engine_wait(s->engine);
}

bool term_player_accepts_draw(TermPlayer *s, const Position *p)
{
    return engine_accepts_draw(s->engine, p);
}
