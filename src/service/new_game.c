#include "service/new_game_int.h"

#include "base/clock.h"
#include "levels/level.h"
#include "service/game_json_int.h"
#include "service/opponent_choice_int.h"
#include "service/player_rating_int.h"
#include "service/position_json_int.h"
#include "service/turn_int.h"

#include <string.h>

enum { MAX_INITIAL_MS = 24 * 3600 * 1000, MAX_INCREMENT_MS = 600 * 1000, MAX_PACE_MS = 10000 };

/* -- Who plays -- */

static void be_level(StoreSide *side, SideKind kind, int64_t elo)
{
    side->kind = kind;
    side->elo = side->rating = elo;
    snprintf(side->name, sizeof side->name, "%s", kind == SIDE_LEVEL ? "level" : "adaptive");
    snprintf(side->title, sizeof side->title, "%s %lld",
             kind == SIDE_LEVEL ? "Level" : "Adaptive level", (long long)elo);
}

static Status read_opponent(const Service *service, const Request *r, const char *name,
                            const StorePlayer *p, StoreSide *side, char *start_fen, Message *why)
{
    Span kind = {NULL, 0};
    int64_t elo;
    const json_t *node = json_object_get(r->root, name);
    member_text(node, "kind", &kind);
    if (kind.at && span_is(kind, "program"))
        return opponent_choice_read(service, node, side, start_fen, why);
    if (kind.at && span_is(kind, "level")) {
        if (!member_int(node, "elo", LEVEL_MIN_ELO, LEVEL_MAX_ELO, &elo))
            return status_fail(why, STATUS_INVALID, "opponent: elo must be %d to %d", LEVEL_MIN_ELO,
                               LEVEL_MAX_ELO);
        be_level(side, SIDE_LEVEL, elo);
        return STATUS_OK;
    }
    if (kind.at && span_is(kind, "adaptive") && p) {
        be_level(side, SIDE_ADAPTIVE, rating_adaptive_elo(p));
        return STATUS_OK;
    }
    return status_fail(why, STATUS_INVALID, "opponent: kind must be program, level or adaptive");
}

void new_game_seat(StoreSide *side, const StorePlayer *p)
{
    side->kind = SIDE_HUMAN;
    snprintf(side->name, sizeof side->name, "%s", p->name);
    snprintf(side->title, sizeof side->title, "%s", p->name);
    side->rating = (int64_t)(p->rating + 0.5);
}

/* -- Where it begins -- */

static Status read_clock(const Request *r, StoreGame *g, Message *why)
{
    const json_t *clock = request_member(r, "clock");
    if (!clock)
        return STATUS_OK;
    if (!member_int(clock, "initial", 1000, MAX_INITIAL_MS, &g->initial_ms) ||
        !member_int(clock, "increment", 0, MAX_INCREMENT_MS, &g->increment_ms))
        return status_fail(why, STATUS_INVALID,
                           "clock: initial must be 1000 to %d ms, increment 0 to %d ms",
                           MAX_INITIAL_MS, MAX_INCREMENT_MS);
    g->has_clock = true;
    g->clock_ms[WHITE] = g->clock_ms[BLACK] = g->initial_ms;
    return STATUS_OK;
}

static void set_start(StoreGame *g, const Position *p)
{
    g->chess960 = p->chess960;
    fen_write(p, FEN_X, g->start_fen);
}

static void draw_start(Service *service, StoreGame *g, int64_t number)
{
    Position p;
    if (number < 0)
        number = random_below(&service->random, 960);
    pos_set_chess960(&p, (int)number, (int)number);
    p.chess960 = true;
    set_start(g, &p);
}

/* An opponent may have said where its games begin; the request counts more. */
static Status read_start(Service *service, const Request *r, StoreGame *g, Message *why)
{
    bool chess960 = false;
    int64_t number = -1;
    Span fen = {NULL, 0};
    Position p;
    Status s = request_maybe_bool(r, "chess960", &chess960, why);
    if (s == STATUS_OK)
        s = request_maybe_int(r, "number", 0, 959, &number, why);
    if (s == STATUS_OK)
        s = request_maybe_text(r, "fen", &fen, why);
    if (s != STATUS_OK)
        return s;
    bool by_opponent = g->start_fen[0] && !fen.at && !chess960;
    g->rated = !fen.at && !by_opponent;
    if (!fen.at && chess960) {
        draw_start(service, g, number);
        return STATUS_OK;
    }
    if (!fen.at)
        fen = span_of(by_opponent ? g->start_fen : FEN_START);
    s = fen_parse(&p, fen, chess960, why);
    Result result;
    const char *reason;
    if (s == STATUS_OK && rules_end(&p, &result, &reason))
        s = status_fail(why, STATUS_INVALID, "%s: the game is already over in this position (%s)",
                        by_opponent ? "position" : "fen", reason);
    if (s == STATUS_OK)
        set_start(g, &p);
    return s;
}

/* -- Beginning -- */

Status new_game_begin(Service *service, Request *r, StoreGame *g, json_t *data, Message *why)
{
    Board *b;
    g->version = 1;
    g->offer = -1;
    g->created = g->updated = clock_wall_ms();
    g->seed = random_next(&service->random) >> 1;
    Status s = board_new(service, g, &b, why);
    if (s != STATUS_OK)
        return s;
    client_watch(r->client, b->g.id);
    turn_wake(service, b);
    json_object_set_new(data, "game", game_json(service, b, r->player));
    return STATUS_OK;
}

Status new_game_read(Service *service, const Request *r, StoreGame *g, Message *why)
{
    Span color;
    Status s = request_text(r, "color", &color, why);
    if (s == STATUS_OK)
        s = read_clock(r, g, why);
    if (s == STATUS_OK)
        s = read_start(service, r, g, why);
    if (s != STATUS_OK)
        return s;
    g->you = span_is(color, "random") ? (int)random_below(&service->random, 2) : color_read(color);
    return g->you < 0 ? request_wrong(r, "color", why) : STATUS_OK;
}

Status new_game(Service *service, Request *r, json_t *data, Message *why)
{
    StoreGame g = {.kind = STORE_PLAY, .player = r->player};
    StoreSide other = {0};
    StorePlayer p;
    Status s = store_player_load(service->store, g.player, &p, why);
    if (s == STATUS_OK)
        s = read_opponent(service, r, "opponent", &p, &other, g.start_fen, why);
    if (s == STATUS_OK)
        s = new_game_read(service, r, &g, why);
    if (s != STATUS_OK)
        return s;
    g.rated &= other.rating != 0;
    new_game_seat(&g.side[g.you], &p);
    g.side[!g.you] = other;
    return new_game_begin(service, r, &g, data, why);
}

Status new_game_watch(Service *service, Request *r, json_t *data, Message *why)
{
    StoreGame g = {.kind = STORE_WATCH, .player = r->player, .you = -1, .pace_ms = 1000};
    Status s = request_maybe_int(r, "pace", 0, MAX_PACE_MS, &g.pace_ms, why);
    if (s == STATUS_OK)
        s = read_opponent(service, r, "white", NULL, &g.side[WHITE], g.start_fen, why);
    if (s == STATUS_OK)
        s = read_opponent(service, r, "black", NULL, &g.side[BLACK], g.start_fen, why);
    if (s == STATUS_OK)
        s = read_clock(r, &g, why);
    if (s == STATUS_OK)
        s = read_start(service, r, &g, why);
    g.rated = false;
    return s == STATUS_OK ? new_game_begin(service, r, &g, data, why) : s;
}

/* -- Once more -- */

static bool is_drawn_start(const StoreGame *g)
{
    return g->chess960 && strstr(g->start_fen, " 0 1") &&
           strstr(g->start_fen, "/pppppppp/8/8/8/8/");
}

static Status swap_sides(Service *service, const StoreGame *old, StoreGame *g, Message *why)
{
    StorePlayer p;
    g->you = !old->you;
    if (old->side[!old->you].kind == SIDE_HUMAN) {
        g->guest = old->guest;
        g->side[WHITE] = old->side[BLACK];
        g->side[BLACK] = old->side[WHITE];
        return STATUS_OK;
    }
    Status s = store_player_load(service->store, old->player, &p, why);
    if (s != STATUS_OK)
        return s;
    g->side[g->you] = (StoreSide){0};
    new_game_seat(&g->side[g->you], &p);
    g->side[!g->you] = old->side[!old->you];
    if (g->side[!g->you].kind == SIDE_ADAPTIVE)
        be_level(&g->side[!g->you], SIDE_ADAPTIVE, rating_adaptive_elo(&p));
    return STATUS_OK;
}

/* The old board may have to go to make room for the new one, so it is asked for again. */
static Status link_rematch(Service *service, int64_t old_id, int64_t next, Message *why)
{
    Board *old;
    Status s = board_get(service, old_id, &old, why);
    if (s != STATUS_OK)
        return s;
    StoreGame g = old->g;
    g.next = next;
    s = board_save(service, old, &g, why);
    if (s == STATUS_OK)
        game_event(service, old, NULL);
    return s;
}

static Status make_rematch(Service *service, Request *r, StoreGame old, json_t *data, Message *why)
{
    StoreGame g = {.kind = STORE_PLAY,
                   .player = old.player,
                   .chess960 = old.chess960,
                   .has_clock = old.has_clock,
                   .initial_ms = old.initial_ms,
                   .increment_ms = old.increment_ms,
                   .clock_ms = {old.initial_ms, old.initial_ms}};
    bool new_position = is_drawn_start(&old);
    memcpy(g.start_fen, old.start_fen, sizeof g.start_fen);
    if (new_position)
        draw_start(service, &g, -1);
    Status s = swap_sides(service, &old, &g, why);
    if (s != STATUS_OK)
        return s;
    g.rated = (new_position || strcmp(g.start_fen, FEN_START) == 0) &&
              g.side[!g.you].kind != SIDE_HUMAN && g.side[!g.you].rating != 0;
    s = new_game_begin(service, r, &g, data, why);
    return s == STATUS_OK ? link_rematch(service, old.id, service->boards->g.id, why) : s;
}

Status new_game_rematch(Service *service, Request *r, json_t *data, Message *why)
{
    int64_t id;
    Board *b;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = board_get(service, id, &b, why);
    if (s == STATUS_OK && (b->g.kind != STORE_PLAY || !board_over(b)))
        s = status_fail(why, STATUS_REFUSED, "a rematch needs a finished game");
    if (s == STATUS_OK && board_color_of(b, r->player) < 0)
        s = status_fail(why, STATUS_REFUSED, "you do not play in this game");
    if (s != STATUS_OK)
        return s;
    Board *next;
    if (!b->g.next || board_get(service, b->g.next, &next, why) != STATUS_OK)
        return make_rematch(service, r, b->g, data, why);
    client_watch(r->client, next->g.id);
    turn_wake(service, next);
    json_object_set_new(data, "game", game_json(service, next, r->player));
    return STATUS_OK;
}
