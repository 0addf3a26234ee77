#include "service/game_int.h"

#include "base/clock.h"
#include "levels/level.h"
#include "service/opponent_choice_int.h"
#include "service/player_rating_int.h"
#include "service/position_json_int.h"

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

static bool read_opponent(Request *r, const char *name, const StorePlayer *p, StoreSide *side,
                          char *start_fen)
{
    Span kind = {"", 0};
    int64_t elo;
    const json_t *node = json_object_get(r->root, name);
    member_text(node, "kind", &kind);
    if (span_is(kind, "program"))
        return request_ok(r, opponent_choice_read(r->service, node, side, start_fen, &r->why));
    if (span_is(kind, "level")) {
        if (!member_int(node, "elo", LEVEL_MIN_ELO, LEVEL_MAX_ELO, &elo))
            return request_refuse(r, "bad", "opponent: elo must be %d to %d", LEVEL_MIN_ELO,
                                  LEVEL_MAX_ELO);
        be_level(side, SIDE_LEVEL, elo);
        return true;
    }
    if (!span_is(kind, "adaptive") || !p)
        return request_refuse(r, "bad", "opponent: kind must be program, level or adaptive");
    be_level(side, SIDE_ADAPTIVE, rating_adaptive_elo(p));
    return true;
}

void new_game_seat(StoreSide *side, const StorePlayer *p)
{
    side->kind = SIDE_HUMAN;
    snprintf(side->name, sizeof side->name, "%s", p->name);
    snprintf(side->title, sizeof side->title, "%s", p->name);
    side->rating = (int64_t)(p->rating + 0.5);
}

/* -- Where it begins -- */

static bool read_clock(Request *r, StoreGame *g)
{
    const json_t *clock = request_member(r, "clock");
    if (!clock)
        return true;
    if (!member_int(clock, "initial", 1000, MAX_INITIAL_MS, &g->initial_ms) ||
        !member_int(clock, "increment", 0, MAX_INCREMENT_MS, &g->increment_ms))
        return request_refuse(r, "bad",
                              "clock: initial must be 1000 to %d ms, increment 0 to %d ms",
                              MAX_INITIAL_MS, MAX_INCREMENT_MS);
    g->has_clock = true;
    g->clock_ms[WHITE] = g->clock_ms[BLACK] = g->initial_ms;
    return true;
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
static bool read_start(Request *r, StoreGame *g)
{
    bool chess960 = false;
    int64_t number = -1;
    Span fen = {NULL, 0};
    Position p;
    Result result;
    const char *reason;
    if (!request_maybe_bool(r, "chess960", &chess960) ||
        !request_maybe_int(r, "number", 0, 959, &number) || !request_maybe_text(r, "fen", &fen))
        return false;
    bool by_opponent = g->start_fen[0] && !fen.at && !chess960;
    g->rated = !fen.at && !by_opponent;
    if (!fen.at && chess960) {
        draw_start(r->service, g, number);
        return true;
    }
    if (!fen.at)
        fen = span_of(by_opponent ? g->start_fen : FEN_START);
    if (!request_ok(r, fen_parse(&p, fen, chess960, &r->why)))
        return false;
    if (rules_end(&p, &result, &reason))
        return request_refuse(r, "bad", "%s: the game is already over in this position (%s)",
                              by_opponent ? "position" : "fen", reason);
    set_start(g, &p);
    return true;
}

/* -- Beginning -- */

bool new_game_begin(Request *r, StoreGame *g)
{
    Service *service = r->service;
    Board *b;
    g->version = 1;
    g->offer = -1;
    g->created = g->updated = clock_wall_ms();
    g->seed = random_next(&service->random) >> 1;
    if (!request_ok(r, board_new(service, g, &b, &r->why)))
        return false;
    client_watch(r->client, b->g.id);
    turn_wake(service, b);
    return game_answer(r, b);
}

bool new_game_read(Request *r, StoreGame *g)
{
    Span color;
    if (!request_text(r, "color", &color) || !read_clock(r, g) || !read_start(r, g))
        return false;
    g->you =
        span_is(color, "random") ? (int)random_below(&r->service->random, 2) : color_read(color);
    return g->you >= 0 || request_wrong(r, "color");
}

bool new_game(Request *r)
{
    StoreGame g = {.kind = STORE_PLAY, .player = r->player};
    StoreSide other = {0};
    StorePlayer p;
    if (!request_ok(r, store_player_load(r->store, g.player, &p, &r->why)) ||
        !read_opponent(r, "opponent", &p, &other, g.start_fen) || !new_game_read(r, &g))
        return false;
    g.rated &= other.rating != 0;
    new_game_seat(&g.side[g.you], &p);
    g.side[!g.you] = other;
    return new_game_begin(r, &g);
}

bool new_game_watch(Request *r)
{
    StoreGame g = {.kind = STORE_WATCH, .player = r->player, .you = -1, .pace_ms = 1000};
    if (!request_maybe_int(r, "pace", 0, MAX_PACE_MS, &g.pace_ms) ||
        !read_opponent(r, "white", NULL, &g.side[WHITE], g.start_fen) ||
        !read_opponent(r, "black", NULL, &g.side[BLACK], g.start_fen) || !read_clock(r, &g) ||
        !read_start(r, &g))
        return false;
    g.rated = false;
    return new_game_begin(r, &g);
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

static bool make_rematch(Request *r, StoreGame old)
{
    Service *service = r->service;
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
    if (!request_ok(r, swap_sides(service, &old, &g, &r->why)))
        return false;
    g.rated = (new_position || strcmp(g.start_fen, FEN_START) == 0) &&
              g.side[!g.you].kind != SIDE_HUMAN && g.side[!g.you].rating != 0;
    return new_game_begin(r, &g) &&
           request_ok(r, link_rematch(service, old.id, service->boards->g.id, &r->why));
}

bool new_game_rematch(Request *r)
{
    Board *b, *next;
    if (!game_find(r, &b))
        return false;
    if (b->g.kind != STORE_PLAY || !b->g.over)
        return request_refuse(r, "refused", "a rematch needs a finished game");
    if (board_color_of(b, r->player) < 0)
        return request_refuse(r, "refused", "you do not play in this game");
    if (!b->g.next || board_get(r->service, b->g.next, &next, &r->why) != STATUS_OK)
        return make_rematch(r, b->g);
    client_watch(r->client, next->g.id);
    turn_wake(r->service, next);
    return game_answer(r, next);
}
