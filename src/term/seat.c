/* The one place where the terminal talks to programs that play. */
#include "term/seat.h"

#include "base/thread.h"
#include "chess/fen.h"
#include "engine/opponents.h"
#include "levels/rating/adapt.h"

#include <stdio.h>
#include <stdlib.h>

/* How long Castellan thinks without a clock: a few positions at first, half a minute at last. */
typedef struct SeatLevel {
    uint64_t nodes;
    int64_t move_time_ms;
    const char *words;
} SeatLevel;

static const SeatLevel seat_levels[SEAT_LEVELS] = {
    {100, 0, "100 positions a move"},      {400, 0, "400 positions a move"},
    {2000, 0, "2000 positions a move"},    {10000, 0, "10,000 positions a move"},
    {50000, 0, "50,000 positions a move"}, {200000, 0, "200,000 positions a move"},
    {0, 1000, "1 second a move"},          {0, 3000, "3 seconds a move"},
    {0, 10000, "10 seconds a move"},       {0, 30000, "30 seconds a move"},
};

struct Seat {
    Engine *engine;
    SeatSpec spec;
    void (*wake)(void *user);
    void *user;
    Mutex lock; /* of what the search thread hands over */
    bool has_answer;
    SeatAnswer answer;
    bool asked;
};

/* -- Players in words -- */

SeatSpec seat_human(void)
{
    SeatSpec spec = {.human = true, .level = SEAT_LEVEL_DEFAULT};
    snprintf(spec.name, sizeof spec.name, "Player");
    return spec;
}

SeatSpec seat_castellan(void)
{
    SeatSpec spec = {.level = SEAT_LEVEL_DEFAULT};
    snprintf(spec.name, sizeof spec.name, "%s", opponents_at(0)->name);
    return spec;
}

static bool means_human(Span word)
{
    return span_is_ignoring_case(word, "human") || span_is_ignoring_case(word, "h") ||
           span_is_ignoring_case(word, "me") || span_is_ignoring_case(word, "player");
}

static Status read_strength(Span word, SeatSpec *spec, Message *why)
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

Status seat_read(Span words, SeatSpec *out, Message *why)
{
    Span word, more;
    if (!span_next_word(&words, &word))
        return status_fail(why, STATUS_INVALID, "a player is missing");
    if (means_human(word)) {
        *out = seat_human();
        return STATUS_OK;
    }
    SeatSpec spec = seat_castellan();
    Status s = STATUS_OK;
    if (begins_like_strength(word)) {
        s = read_strength(word, &spec, why);
    } else if (!span_is_ignoring_case(word, "computer") && !span_is_ignoring_case(word, "c")) {
        OpponentChoice choice;
        if ((s = opponents_read(word, &choice, why)) != STATUS_OK)
            return s;
        if (word.len >= sizeof spec.name)
            return status_fail(why, STATUS_INVALID, "settings longer than %d letters",
                               (int)sizeof spec.name - 1);
        snprintf(spec.name, sizeof spec.name, "%s%s%.*s", choice.row->name,
                 choice.settings.len ? "," : "", (int)choice.settings.len, choice.settings.at);
    }
    if (s == STATUS_OK && span_next_word(&words, &more)) {
        if (opponents_find(span_of(spec.name))->ops)
            return status_fail(why, STATUS_INVALID, "%s plays as strong as it is, with no rating",
                               spec.name);
        s = read_strength(more, &spec, why);
    }
    if (s == STATUS_OK)
        *out = spec;
    return s;
}

void seat_write(const SeatSpec *spec, char out[SEAT_NAME_SIZE])
{
    if (spec->human)
        snprintf(out, SEAT_NAME_SIZE, "human");
    else if (spec->adapts)
        snprintf(out, SEAT_NAME_SIZE, spec->offset ? "%.200s adapt%+d" : "%.200s adapt", spec->name,
                 spec->offset);
    else if (spec->elo)
        snprintf(out, SEAT_NAME_SIZE, "%.200s %d", spec->name, spec->elo);
    else
        snprintf(out, SEAT_NAME_SIZE, "%s", spec->name);
}

void seat_title(const SeatSpec *spec, char out[SEAT_NAME_SIZE])
{
    const OpponentRow *row = spec->human ? NULL : opponents_find(span_of(spec->name));
    const char *title = row ? row->title : spec->name;
    if (!spec->human && spec->elo)
        snprintf(out, SEAT_NAME_SIZE, "%.40s (%d)", title, spec->elo);
    else
        snprintf(out, SEAT_NAME_SIZE, "%.60s", title);
}

const char *seat_level_words(int level)
{
    return seat_levels[level - 1].words;
}

/* -- Programs -- */

static void on_done(void *user, const EngineResult *r)
{
    Seat *s = user;
    mutex_lock(&s->lock);
    s->has_answer = true;
    s->answer = (SeatAnswer){.move = r->best,
                             .score = r->score,
                             .depth = r->depth,
                             .resigns = r->resigns,
                             .offers_draw = r->offers_draw};
    snprintf(s->answer.talk, sizeof s->answer.talk, "%s", r->talk);
    mutex_unlock(&s->lock);
    s->wake(s->user);
}

static Status set(Seat *s, const char *name, const char *value, Message *why)
{
    return engine_set_option(s->engine, span_of(name), span_of(value), why);
}

/* Castellan itself needs no option, so that a plain game asks nothing of the engine. */
static Status put_in_charge(Seat *s, Message *why)
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

Status seat_open(Seat **out, const SeatSpec *spec, void (*wake)(void *user), void *user,
                 Message *why)
{
    Seat *s = calloc(1, sizeof *s);
    if (!s)
        return status_fail(why, STATUS_MEMORY, "no memory for a player");
    *s = (Seat){.spec = *spec, .wake = wake, .user = user};
    mutex_init(&s->lock);
    EngineEvents events = {.user = s, .done = on_done};
    Status status = engine_create(&s->engine, &events, why);
    if (status == STATUS_OK)
        status = put_in_charge(s, why);
    if (status != STATUS_OK) {
        seat_close(s);
        return status;
    }
    *out = s;
    return STATUS_OK;
}

void seat_close(Seat *s)
{
    if (!s)
        return;
    if (s->engine)
        engine_destroy(s->engine);
    mutex_free(&s->lock);
    free(s);
}

Status seat_set_option(Seat *s, Span name, Span value, Message *why)
{
    return engine_set_option(s->engine, name, value, why);
}

void seat_new_game(Seat *s)
{
    seat_cancel(s);
    engine_new_game(s->engine);
}

/* -- Thinking -- */

static bool is_same_start(const Engine *e, const Position *start)
{
    const Position *first = engine_first_position(e);
    return first->st.key == start->st.key && first->game_ply == start->game_ply &&
           first->chess960 == start->chess960;
}

static void begin_anew(Seat *s, const Position *start)
{
    char fen[FEN_SIZE];
    Message why;
    fen_write(start, start->chess960 ? FEN_SHREDDER : FEN_X, fen);
    set(s, "UCI_Chess960", start->chess960 ? "true" : "false", &why);
    engine_set_fen(s->engine, span_of(fen), &why);
}

/* Brings the engine's own game to where the table's is, from where they part: what it remembers of a game
 * goes with a fresh start. */
static void follow(Seat *s, const Game *g)
{
    Engine *e = s->engine;
    if (!is_same_start(e, game_start(g)))
        begin_anew(s, game_start(g));
    const GameNode *n = game_root(g)->child;
    int same = 0;
    for (; n && same < engine_move_count(e) && engine_move_at(e, same) == n->move; n = n->child)
        same++;
    if (same < engine_move_count(e))
        engine_undo(e, engine_move_count(e) - same);
    for (; n; n = n->child)
        engine_play(e, n->move, NULL);
}

/* Castellan itself would think for ever; everyone else knows how long. */
static SearchLimits limits_for(const Seat *s, SeatClock clock, int level)
{
    SearchLimits limits = {0};
    for (Color c = WHITE; clock.has && c <= BLACK; c++) {
        limits.has_clock[c] = true;
        limits.clock_ms[c] = clock.left_ms[c];
        limits.increment_ms[c] = clock.increment_ms;
    }
    if (!clock.has && !engine_opponent(s->engine)->ops) {
        limits.nodes = seat_levels[level - 1].nodes;
        limits.move_time_ms = seat_levels[level - 1].move_time_ms;
    }
    return limits;
}

void seat_think(Seat *s, const Game *g, SeatClock clock, int level)
{
    seat_cancel(s);
    follow(s, g);
    s->asked = true;
    SearchLimits limits = limits_for(s, clock, level);
    engine_go(s->engine, NULL, &limits);
}

bool seat_is_thinking(const Seat *s)
{
    return s->asked;
}

bool seat_take(Seat *s, SeatAnswer *out)
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

void seat_hurry(Seat *s)
{
    engine_stop(s->engine);
}

void seat_cancel(Seat *s)
{
    SeatAnswer nothing;
    engine_end(s->engine);
    seat_take(s, &nothing);
    s->asked = false;
}

void seat_wait(Seat *s)
{
    engine_wait(s->engine);
}

bool seat_accepts_draw(Seat *s, const Game *g)
{
    follow(s, g);
    return engine_accepts_draw(s->engine, NULL);
}
