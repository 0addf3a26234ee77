#include "service/message_int.h"

#include "base/clock.h"
#include "engine/about.h"
#include "levels/level.h"
#include "notation/json_value.h"
#include "service/game_json_int.h"
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

static Status set_players(Service *service, json_t *data, Message *why)
{
    StorePlayer p;
    json_t *players = json_array();
    StoreRows rows = store_players(service->store);
    while (store_next(&rows, &p))
        json_array_append_new(players, json_player(&p));
    json_object_set_new(data, "players", players);
    return store_rows_end(&rows, why);
}

static Status set_running(Service *service, int64_t player, json_t *data, Message *why)
{
    StoreGame g;
    json_t *running = json_array();
    StoreFilter f = {.player = player,
                     .kind = STORE_PLAY,
                     .color = -1,
                     .reviewed = -1,
                     .outcome = STORE_OUTCOME_RUNNING,
                     .limit = RUNNING_SHOWN};
    StoreRows rows = store_games(service->store, &f);
    while (store_next(&rows, &g))
        json_array_append_new(running, game_summary(&g));
    json_object_set_new(data, "running", running);
    return store_rows_end(&rows, why);
}

/* -- Choosing -- */

/* There is always a player: the first start creates one. */
static Status find_someone(Service *service, int64_t *id, Message *why)
{
    StorePlayer p;
    StoreRows players = store_players(service->store);
    bool found = store_next(&players, &p);
    Status s = store_rows_end(&players, why);
    if (s == STATUS_OK && !found) {
        p = rating_new_player(span_of("Player"), clock_wall_ms());
        s = store_player_add(service->store, &p, why);
    }
    *id = s == STATUS_OK ? p.id : 0;
    return s;
}

static Status choose(Service *service, Client *c, int64_t id, StorePlayer *p, Message *why)
{
    Status s = store_player_load(service->store, id, p, why);
    if (s != STATUS_OK)
        return s;
    p->seen = clock_wall_ms();
    c->player = id;
    s = store_player_save(service->store, p, why);
    return service->read_only ? STATUS_OK : s;
}

static Status hello(Service *service, Request *r, json_t *data, Message *why)
{
    int64_t id = 0;
    StorePlayer p = {0};
    StoreQueue queue = {0};
    Status s = request_maybe_int(r, "player", 1, INT64_MAX, &id, why);
    if (s != STATUS_OK)
        return s;
    if (!id || store_player_load(service->store, id, &p, why) != STATUS_OK)
        s = find_someone(service, &id, why);
    if (s == STATUS_OK)
        s = choose(service, r->client, id, &p, why);
    if (s == STATUS_OK)
        s = store_queue(service->store, id, clock_wall_ms(), &queue, why);
    if (s != STATUS_OK && !service->read_only)
        return s;
    json_object_update_new(
        data,
        json_pack("{s:s, s:I, s:o, s:I, s:b, s:{s:i, s:i, s:i, s:i, s:i}}", "program",
                  ABOUT_NAME " " ABOUT_VERSION, "now", (json_int_t)clock_wall_ms(), "player",
                  json_player(&p), "due", (json_int_t)queue.due, "tablebases", service->tb != NULL,
                  "limits", "message", SERVICE_MAX_MESSAGE, "lines", SERVICE_MAX_LINES, "boards",
                  SERVICE_MAX_BOARDS, "threads", thread_cpu_count(), "hash", SERVICE_MAX_HASH_MB));
    if (service->tb)
        json_object_set_new(data, "tables", value_text(service_tables(service)));
    if (service->read_only)
        json_object_set_new(data, "warning", value_text(service->warning.text));
    s = set_players(service, data, why);
    if (s == STATUS_OK || service->read_only)
        s = set_running(service, id, data, why);
    return service->read_only ? STATUS_OK : s; /* of a damaged file, what can be read */
}

static Status ping(Service *service, Request *r, json_t *data, Message *why)
{
    (void)service, (void)r, (void)why;
    json_object_set_new(data, "now", json_integer(clock_wall_ms()));
    return STATUS_OK;
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

static Status opponents(Service *service, Request *r, json_t *data, Message *why)
{
    StorePlayer p;
    Status s = store_player_load(service->store, r->player, &p, why);
    if (s != STATUS_OK)
        return s;
    json_object_update_new(
        data, json_pack("{s:o, s:o, s:{s:i, s:i, s:i, s:o}, s:{s:I}}", "opponents",
                        opponent_choice_list(), "files", opponent_choice_files(service), "levels",
                        "min", LEVEL_MIN_ELO, "max", LEVEL_MAX_ELO, "step", LEVEL_STEP, "like",
                        json_likes(), "adaptive", "elo", (json_int_t)rating_adaptive_elo(&p)));
    return STATUS_OK;
}

/* -- The table of players -- */

static Status players_list(Service *service, Request *r, json_t *data, Message *why)
{
    (void)r;
    return set_players(service, data, why);
}

static Status players_create(Service *service, Request *r, json_t *data, Message *why)
{
    Span name;
    StorePlayer p;
    int count = 0;
    Status s = request_name(r, &name, why);
    if (s != STATUS_OK)
        return s;
    StoreRows players = store_players(service->store);
    while (store_next(&players, &p))
        count++;
    s = store_rows_end(&players, why);
    if (s == STATUS_OK && count >= MAX_PLAYERS)
        s = status_fail(why, STATUS_REFUSED, "%d players already exist", MAX_PLAYERS);
    if (s != STATUS_OK)
        return s;
    p = rating_new_player(name, clock_wall_ms());
    s = store_player_add(service->store, &p, why);
    if (s != STATUS_OK)
        return s;
    r->client->player = p.id;
    json_object_set_new(data, "player", json_player(&p));
    return STATUS_OK;
}

static Status players_choose(Service *service, Request *r, json_t *data, Message *why)
{
    int64_t id;
    StorePlayer p;
    Status s = request_int(r, "player", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = choose(service, r->client, id, &p, why);
    if (s == STATUS_OK)
        json_object_set_new(data, "player", json_player(&p));
    return s;
}

static Status players_rename(Service *service, Request *r, json_t *data, Message *why)
{
    int64_t id;
    Span name;
    StorePlayer p;
    Status s = request_int(r, "player", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = request_name(r, &name, why);
    if (s == STATUS_OK)
        s = store_player_load(service->store, id, &p, why);
    if (s != STATUS_OK)
        return s;
    snprintf(p.name, sizeof p.name, "%.*s", (int)name.len, name.at);
    s = store_player_save(service->store, &p, why);
    if (s == STATUS_OK)
        json_object_set_new(data, "player", json_player(&p));
    return s;
}

static json_t *json_point(const StoreRating *point)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "at", (json_int_t)point->at, "rating",
                     (json_int_t)llround(point->rating), "deviation",
                     (json_int_t)llround(point->deviation), "game", (json_int_t)point->game);
}

static Status players_ratings(Service *service, Request *r, json_t *data, Message *why)
{
    int64_t id = r->player;
    StoreRating point;
    Status s = request_maybe_int(r, "player", 1, INT64_MAX, &id, why);
    if (s != STATUS_OK)
        return s;
    json_t *points = json_array();
    StoreRows rows = store_ratings(service->store, id);
    while (store_next(&rows, &point))
        json_array_append_new(points, json_point(&point));
    json_object_set_new(data, "points", points);
    return store_rows_end(&rows, why);
}

const HandlerRow player_handlers[] = {
    {.name = "hello", .run = hello},
    {.name = "ping", .run = ping},
    {.name = "opponents", .run = opponents},
    {.name = "players.list", .run = players_list},
    {.name = "players.create", .run = players_create},
    {.name = "players.choose", .run = players_choose},
    {.name = "players.rename", .run = players_rename},
    {.name = "players.ratings", .run = players_ratings},
    {0},
};
