#include "service/game_int.h"

#include "base/clock.h"
#include "engine/about.h"
#include "levels/level.h"
#include "notation/json_value.h"
#include "service/opponent_choice_int.h"
#include "service/player_rating_int.h"

#include <math.h>

enum { MAX_PLAYERS = 200, LEVEL_STEP = 100, RUNNING_SHOWN = 20 };

/* -- As JSON -- */

static json_t *json_player(const StorePlayer *p)
{
    return json_pack("{s:I, s:o, s:I, s:I, s:I, s:I}", "id", (json_int_t)p->id, "name",
                     value_text(p->name), "rating", (json_int_t)llround(p->rating), "deviation",
                     (json_int_t)llround(p->deviation), "games", (json_int_t)p->games, "created",
                     (json_int_t)p->created);
}

static Status set_players(Request *r)
{
    StorePlayer p;
    json_t *players = json_array();
    StoreRows rows = store_players(r->store);
    while (store_next(&rows, &p))
        json_array_append_new(players, json_player(&p));
    request_answer(r, "players", players);
    return store_rows_end(&rows, &r->why);
}

static Status set_running(Request *r, int64_t player)
{
    StoreGame g;
    json_t *running = json_array();
    StoreFilter f = {.player = player,
                     .kind = STORE_PLAY,
                     .color = -1,
                     .reviewed = -1,
                     .outcome = STORE_OUTCOME_RUNNING,
                     .limit = RUNNING_SHOWN};
    StoreRows rows = store_games(r->store, &f);
    while (store_next(&rows, &g))
        json_array_append_new(running, game_summary(&g));
    request_answer(r, "running", running);
    return store_rows_end(&rows, &r->why);
}

/* -- Choosing -- */

/* There is always a player: the first start creates one. */
static Status find_someone(Store *store, int64_t *id, Message *why)
{
    StorePlayer p;
    StoreRows players = store_players(store);
    bool found = store_next(&players, &p);
    Status s = store_rows_end(&players, why);
    if (s == STATUS_OK && !found) {
        p = rating_new_player(span_of("Player"), clock_wall_ms());
        s = store_player_add(store, &p, why);
    }
    *id = s == STATUS_OK ? p.id : 0;
    return s;
}

static Status choose(Request *r, int64_t id, StorePlayer *p)
{
    Status s = store_player_load(r->store, id, p, &r->why);
    if (s != STATUS_OK)
        return s;
    p->seen = clock_wall_ms();
    r->client->player = id;
    s = store_player_save(r->store, p, &r->why);
    return r->service->read_only ? STATUS_OK : s;
}

/* Of a damaged file, what can be read. */
static bool hello(Request *r)
{
    const Service *service = r->service;
    int64_t id = 0;
    StorePlayer p = {0};
    StoreQueue queue = {0};
    Status s = STATUS_OK;
    if (!request_maybe_int(r, "player", 1, INT64_MAX, &id))
        return false;
    if (!id || store_player_load(r->store, id, &p, &r->why) != STATUS_OK)
        s = find_someone(r->store, &id, &r->why);
    if (s == STATUS_OK)
        s = choose(r, id, &p);
    if (s == STATUS_OK)
        s = store_queue(r->store, id, clock_wall_ms(), &queue, &r->why);
    if (!service->read_only && !request_ok(r, s))
        return false;
    json_object_update_new(
        r->data,
        json_pack("{s:s, s:I, s:o, s:I, s:b, s:{s:i, s:i, s:i, s:i, s:i}}", "program",
                  ABOUT_NAME " " ABOUT_VERSION, "now", (json_int_t)clock_wall_ms(), "player",
                  json_player(&p), "due", (json_int_t)queue.due, "tablebases", service->tb != NULL,
                  "limits", "message", SERVICE_MAX_MESSAGE, "lines", SERVICE_MAX_LINES, "boards",
                  SERVICE_MAX_BOARDS, "threads", thread_cpu_count(), "hash", SERVICE_MAX_HASH_MB));
    if (service->tb)
        request_answer(r, "tables", value_text(service_tables(service)));
    if (service->read_only)
        request_answer(r, "warning", value_text(service->warning.text));
    s = set_players(r);
    if (s == STATUS_OK || service->read_only)
        s = set_running(r, id);
    return service->read_only || request_ok(r, s);
}

static bool ping(Request *r)
{
    return request_answer(r, "now", json_integer(clock_wall_ms()));
}

/* What the server is busy with. Idle: this client is the only one, nothing is loaded or worked on,
 * and what was freed has been returned to the system. */
static bool status(Request *r)
{
    const Service *service = r->service;
    PoolCounts jobs = {0};
    int clients = 0;
    pool_count(service->search_pool, &jobs);
    pool_count(service->request_pool, &jobs);
    pool_count(service->background_pool, &jobs);
    for (const Client *c = service->clients; c; c = c->next)
        clients++;
    bool idle = clients == 1 && !service->board_count && !service->analyses && !jobs.waiting &&
                !jobs.running && !jobs.kept && !atomic_load(&service->freed);
    json_object_update_new(
        r->data, json_pack("{s:i, s:i, s:i, s:{s:i, s:i}, s:i, s:b}", "clients", clients, "boards",
                           service->board_count, "analyses", service->analyses, "jobs", "waiting",
                           jobs.waiting, "running", jobs.running, "kept", jobs.kept, "idle", idle));
    return true;
}

/* -- Opponents -- */

/* What each level plays like, from the lowest on. */
static json_t *json_likes(void)
{
    json_t *list = json_array();
    for (int elo = LEVEL_MIN_ELO; elo <= LEVEL_MAX_ELO; elo += LEVEL_STEP) {
        char like[LEVEL_LIKE_SIZE];
        level_plays_like(elo, like);
        json_array_append_new(list, value_text(like));
    }
    return list;
}

static bool opponents(Request *r)
{
    StorePlayer p;
    if (!request_ok(r, store_player_load(r->store, r->player, &p, &r->why)))
        return false;
    json_object_update_new(r->data, json_pack("{s:o, s:o, s:{s:i, s:i, s:i, s:o}, s:{s:I}}",
                                              "opponents", opponent_choice_list(), "files",
                                              opponent_choice_files(r->service), "levels", "min",
                                              LEVEL_MIN_ELO, "max", LEVEL_MAX_ELO, "step",
                                              LEVEL_STEP, "like", json_likes(), "adaptive", "elo",
                                              (json_int_t)rating_adaptive_elo(&p)));
    return true;
}

/* -- The table of players -- */

static bool players_list(Request *r)
{
    return request_ok(r, set_players(r));
}

static bool players_create(Request *r)
{
    Span name;
    StorePlayer p;
    int count = 0;
    if (!request_name(r, &name))
        return false;
    StoreRows players = store_players(r->store);
    while (store_next(&players, &p))
        count++;
    if (!request_ok(r, store_rows_end(&players, &r->why)))
        return false;
    if (count >= MAX_PLAYERS)
        return request_refuse(r, "refused", "%d players already exist", MAX_PLAYERS);
    p = rating_new_player(name, clock_wall_ms());
    if (!request_ok(r, store_player_add(r->store, &p, &r->why)))
        return false;
    r->client->player = p.id;
    return request_answer(r, "player", json_player(&p));
}

static bool players_choose(Request *r)
{
    int64_t id;
    StorePlayer p;
    return request_id(r, "player", &id) && request_ok(r, choose(r, id, &p)) &&
           request_answer(r, "player", json_player(&p));
}

static bool players_rename(Request *r)
{
    int64_t id;
    Span name;
    StorePlayer p;
    if (!request_id(r, "player", &id) || !request_name(r, &name) ||
        !request_ok(r, store_player_load(r->store, id, &p, &r->why)))
        return false;
    snprintf(p.name, sizeof p.name, "%.*s", (int)name.len, name.at);
    return request_ok(r, store_player_save(r->store, &p, &r->why)) &&
           request_answer(r, "player", json_player(&p));
}

static json_t *json_point(const StoreRating *point)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "at", (json_int_t)point->at, "rating",
                     (json_int_t)llround(point->rating), "deviation",
                     (json_int_t)llround(point->deviation), "game", (json_int_t)point->game);
}

static bool players_ratings(Request *r)
{
    int64_t id = r->player;
    StoreRating point;
    if (!request_maybe_int(r, "player", 1, INT64_MAX, &id))
        return false;
    json_t *points = json_array();
    StoreRows rows = store_ratings(r->store, id);
    while (store_next(&rows, &point))
        json_array_append_new(points, json_point(&point));
    request_answer(r, "points", points);
    return request_ok(r, store_rows_end(&rows, &r->why));
}

const HandlerRow player_handlers[] = {
    {.name = "hello", .run = hello},
    {.name = "ping", .run = ping},
    {.name = "status", .run = status},
    {.name = "opponents", .run = opponents},
    {.name = "players.list", .run = players_list},
    {.name = "players.create", .run = players_create},
    {.name = "players.choose", .run = players_choose},
    {.name = "players.rename", .run = players_rename},
    {.name = "players.ratings", .run = players_ratings},
    {0},
};
