#include "engine/opponents.h"
#include "service/service_int.h"

#include "base/clock.h"
#include "engine/about.h"
#include "levels/level.h"
#include "notation/encoding.h"

#include <math.h>
#include <string.h>

enum { MAX_PLAYERS = 200, MAX_NAME = 40, LEVEL_STEP = 100, RUNNING_SHOWN = 20 };

/* -- Showing -- */

static void put_player(Text *out, const char *name, const StorePlayer *p)
{
    json_open(out, name, '{');
    json_put_int(out, "id", p->id);
    json_put_str(out, "name", p->name);
    json_put_int(out, "rating", llround(p->rating));
    json_put_int(out, "deviation", llround(p->deviation));
    json_put_int(out, "games", p->games);
    json_put_int(out, "created", p->created);
    json_close(out, '}');
}

static void add_player(void *user, const StorePlayer *p)
{
    put_player(user, NULL, p);
}

static Status put_players(Service *service, Text *data, Message *why)
{
    json_open(data, "players", '[');
    Status s = store_players(service->store, add_player, data, why);
    json_close(data, ']');
    return s;
}

static void add_summary(void *user, const StoreGame *g)
{
    show_summary(user, NULL, g);
}

static Status put_running(Service *service, int64_t player, Text *data, Message *why)
{
    StoreFilter f = {.player = player,
                     .kind = STORE_PLAY,
                     .color = -1,
                     .reviewed = -1,
                     .outcome = STORE_OUTCOME_RUNNING,
                     .limit = RUNNING_SHOWN};
    json_open(data, "running", '[');
    Status s = store_games(service->store, &f, add_summary, data, NULL, why);
    json_close(data, ']');
    return s;
}

/* -- Choosing -- */

static void take_first(void *user, const StorePlayer *p)
{
    int64_t *id = user;
    if (!*id)
        *id = p->id;
}

/* There is always a player: on the first day one is made. */
static Status find_someone(Service *service, int64_t *id, Message *why)
{
    *id = 0;
    Status s = store_players(service->store, take_first, id, why);
    if (s != STATUS_OK || *id)
        return s;
    StorePlayer p = standing_new_player(span_of("Player"), clock_wall_ms());
    s = store_player_add(service->store, &p, why);
    *id = p.id;
    return s;
}

static Status choose(Service *service, Client *c, int64_t id, StorePlayer *p, Message *why)
{
    Status s = store_player_load(service->store, id, p, why);
    if (s != STATUS_OK)
        return s;
    p->seen = clock_wall_ms();
    c->player = id;
    return store_player_save(service->store, p, why);
}

static Status hello(Service *service, Request *r, Text *data, Message *why)
{
    int64_t id = 0;
    StorePlayer p;
    StoreQueue queue;
    Status s = request_maybe_int(r, "player", 1, INT64_MAX, &id, why);
    if (s != STATUS_OK)
        return s;
    if (!id || store_player_load(service->store, id, &p, why) != STATUS_OK)
        s = find_someone(service, &id, why);
    if (s == STATUS_OK)
        s = choose(service, r->client, id, &p, why);
    if (s == STATUS_OK)
        s = store_queue(service->store, id, clock_wall_ms(), 0, NULL, NULL, &queue, why);
    if (s != STATUS_OK)
        return s;
    json_put_str(data, "program", ABOUT_NAME " " ABOUT_VERSION);
    json_put_int(data, "now", clock_wall_ms());
    put_player(data, "player", &p);
    s = put_players(service, data, why);
    if (s == STATUS_OK)
        s = put_running(service, id, data, why);
    json_put_int(data, "due", queue.due);
    json_put_bool(data, "tablebases", service->tb != NULL);
    json_open(data, "limits", '{');
    json_put_int(data, "message", WEB_MAX_MESSAGE);
    json_put_int(data, "lines", WEB_MAX_LINES);
    json_put_int(data, "boards", WEB_MAX_BOARDS);
    json_close(data, '}');
    return s;
}

static Status ping(Service *service, Request *r, Text *data, Message *why)
{
    (void)service, (void)r, (void)why;
    json_put_int(data, "now", clock_wall_ms());
    return STATUS_OK;
}

/* -- Opponents -- */

static void put_opponent(Text *out, const OpponentRow *row)
{
    json_open(out, NULL, '{');
    json_put_str(out, "name", row->name);
    json_put_str(out, "title", row->title);
    json_put_int(out, "year", row->year);
    if (row->rating != OPPONENT_UNRATED)
        json_put_int(out, "rating", row->rating);
    else
        json_put_null(out, "rating");
    json_put_str(out, "style", row->style);
    json_close(out, '}');
}

static Status opponents(Service *service, Request *r, Text *data, Message *why)
{
    StorePlayer p;
    Status s = store_player_load(service->store, r->client->player, &p, why);
    if (s != STATUS_OK)
        return s;
    json_open(data, "opponents", '[');
    for (int i = 0; i < opponents_count(); i++)
        put_opponent(data, opponents_at(i));
    json_close(data, ']');
    json_open(data, "levels", '{');
    json_put_int(data, "min", LEVEL_MIN_ELO);
    json_put_int(data, "max", LEVEL_MAX_ELO);
    json_put_int(data, "step", LEVEL_STEP);
    json_close(data, '}');
    json_open(data, "adaptive", '{');
    json_put_int(data, "elo", standing_adaptive_elo(&p));
    json_close(data, '}');
    return STATUS_OK;
}

/* -- The table of players -- */

static size_t characters(Span s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += ((unsigned char)s.at[i] & 0xC0) != 0x80;
    return n;
}

static Status read_name(const Request *r, Span *name, Message *why)
{
    Status s = request_text(r, "name", name, why);
    if (s != STATUS_OK)
        return s;
    *name = span_trim(*name);
    for (size_t i = 0; i < name->len; i++)
        if ((unsigned char)name->at[i] < 0x20)
            return request_wrong(r, "name", why);
    if (!name->len || characters(*name) > MAX_NAME)
        return status_fail(why, STATUS_INVALID, "name: 1 to %d characters", MAX_NAME);
    return STATUS_OK;
}

static Status players_list(Service *service, Request *r, Text *data, Message *why)
{
    (void)r;
    return put_players(service, data, why);
}

static void count_player(void *user, const StorePlayer *p)
{
    (void)p;
    ++*(int *)user;
}

static Status players_create(Service *service, Request *r, Text *data, Message *why)
{
    Span name;
    int count = 0;
    Status s = read_name(r, &name, why);
    if (s == STATUS_OK)
        s = store_players(service->store, count_player, &count, why);
    if (s == STATUS_OK && count >= MAX_PLAYERS)
        s = status_fail(why, STATUS_REFUSED, "there are %d players already", MAX_PLAYERS);
    if (s != STATUS_OK)
        return s;
    StorePlayer p = standing_new_player(name, clock_wall_ms());
    s = store_player_add(service->store, &p, why);
    if (s != STATUS_OK)
        return s;
    r->client->player = p.id;
    put_player(data, "player", &p);
    return STATUS_OK;
}

static Status players_choose(Service *service, Request *r, Text *data, Message *why)
{
    int64_t id;
    StorePlayer p;
    Status s = request_int(r, "player", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = choose(service, r->client, id, &p, why);
    if (s == STATUS_OK)
        put_player(data, "player", &p);
    return s;
}

static Status players_rename(Service *service, Request *r, Text *data, Message *why)
{
    int64_t id;
    Span name;
    StorePlayer p;
    Status s = request_int(r, "player", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = read_name(r, &name, why);
    if (s == STATUS_OK)
        s = store_player_load(service->store, id, &p, why);
    if (s != STATUS_OK)
        return s;
    snprintf(p.name, sizeof p.name, "%.*s", (int)name.len, name.at);
    s = store_player_save(service->store, &p, why);
    if (s == STATUS_OK)
        put_player(data, "player", &p);
    return s;
}

static void add_point(void *user, const StoreRating *point)
{
    Text *out = user;
    json_open(out, NULL, '{');
    json_put_int(out, "at", point->at);
    json_put_int(out, "rating", llround(point->rating));
    json_put_int(out, "deviation", llround(point->deviation));
    json_put_int(out, "game", point->game);
    json_close(out, '}');
}

static Status players_ratings(Service *service, Request *r, Text *data, Message *why)
{
    int64_t id = r->client->player;
    Status s = request_maybe_int(r, "player", 1, INT64_MAX, &id, why);
    if (s != STATUS_OK)
        return s;
    json_open(data, "points", '[');
    s = store_ratings(service->store, id, add_point, data, why);
    json_close(data, ']');
    return s;
}

const HandlerRow handlers_of_players[] = {
    {"hello", hello},
    {"ping", ping},
    {"opponents", opponents},
    {"players.list", players_list},
    {"players.create", players_create},
    {"players.choose", players_choose},
    {"players.rename", players_rename},
    {"players.ratings", players_ratings},
    {NULL, NULL},
};
