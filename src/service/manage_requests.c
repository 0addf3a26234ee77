/* Many games at once: deleting them, figures by group, whose side a name is; and players who go. */
#include "notation/json_value.h"
#include "service/board_int.h"
#include "service/message_int.h"
#include "service/study/review_jobs_int.h"
#include "service/turn_int.h"

enum { MAX_DELETED = 500, STATS_ROWS = 20 };

/* -- Deleting -- */

static void drop_board_of(Service *service, int64_t game)
{
    for (Board *b = service->boards; b; b = b->next)
        if (b->g.id == game) {
            turn_drop(service, b);
            return;
        }
    reviews_cancel(service, game);
}

static Status delete_listed(Service *service, const json_t *games, Message *why)
{
    for (size_t i = 0; i < json_array_size(games); i++) {
        int64_t id = json_integer_value(json_array_get(games, i));
        Status s = store_game_delete(service->store, id, why);
        if (s != STATUS_OK)
            return s;
    }
    return STATUS_OK;
}

static Status games_delete(Service *service, Request *r, json_t *data, Message *why)
{
    const json_t *games = json_object_get(r->root, "games");
    size_t count = json_array_size(games);
    if (!count || count > MAX_DELETED)
        return status_fail(why, STATUS_INVALID, "games: 1 to %d numbers", MAX_DELETED);
    store_begin(service->store);
    Status s = store_end(service->store, delete_listed(service, games, why), why);
    for (size_t i = 0; i < count && s == STATUS_OK; i++)
        drop_board_of(service, json_integer_value(json_array_get(games, i)));
    json_object_set_new(data, "deleted", json_integer((json_int_t)count));
    return s;
}

static Status players_delete(Service *service, Request *r, json_t *data, Message *why)
{
    (void)data;
    int64_t id;
    StorePlayer p, other;
    Status s = request_int(r, "player", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = store_player_load(service->store, id, &p, why);
    if (s != STATUS_OK)
        return s;
    StoreRows players = store_players(service->store);
    bool more = store_next(&players, &other) && store_next(&players, &other);
    s = store_rows_end(&players, why);
    if (s == STATUS_OK && !more)
        s = status_fail(why, STATUS_REFUSED, "the last player cannot be deleted");
    for (const Client *c = service->clients; c && s == STATUS_OK; c = c->next)
        if (c != r->client && c->player == id)
            s = status_fail(why, STATUS_REFUSED, "%s is in use in another window", p.name);
    if (s == STATUS_OK)
        s = store_player_delete(service->store, id, why);
    if (s != STATUS_OK)
        return s;
    for (Board *b = service->boards, *next; b; b = next) {
        next = b->next;
        if (b->g.player == id)
            turn_drop(service, b);
        else if (b->g.guest == id)
            b->g.guest = 0;
    }
    return STATUS_OK;
}

/* -- Figures -- */

static json_t *json_group(const StoreGroup *g)
{
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I}", "name", value_text(g->name), "games",
                     (json_int_t)g->games, "won", (json_int_t)g->won, "drawn", (json_int_t)g->drawn,
                     "lost", (json_int_t)(g->games - g->won - g->drawn), "last",
                     (json_int_t)g->last);
}

static Status games_stats(Service *service, Request *r, json_t *data, Message *why)
{
    (void)service;
    static const char *const names[] = {"openings", "opponents", "colors", "clocks"};
    StoreGroup g;
    Status s = STATUS_OK;
    for (int by = STORE_BY_OPENING; by <= STORE_BY_CLOCK && s == STATUS_OK; by++) {
        json_t *groups = json_array();
        json_object_set_new(data, names[by], groups);
        StoreRows rows = store_stats(r->store, r->player, (StoreStats)by, STATS_ROWS);
        while (store_next(&rows, &g))
            json_array_append_new(groups, json_group(&g));
        s = store_rows_end(&rows, why);
    }
    return s;
}

static Status games_claim(Service *service, Request *r, json_t *data, Message *why)
{
    Span name;
    int64_t claimed;
    Status s = request_text(r, "name", &name, why);
    if (s == STATUS_OK)
        s = store_claim_name(service->store, r->player, name, &claimed, why);
    if (s != STATUS_OK)
        return s;
    /* Boards in memory are read again when they are next opened. */
    for (Board *b = service->boards, *next; b; b = next) {
        next = b->next;
        if (b->g.kind == STORE_IMPORT && b->g.player == r->player && !b->job)
            board_unload(service, b);
    }
    json_object_set_new(data, "games", json_integer(claimed));
    return STATUS_OK;
}

const HandlerRow manage_handlers[] = {
    {.name = "games.delete", .run = games_delete},
    {.name = "games.stats", .run = games_stats, .is_long = true},
    {.name = "games.claim", .run = games_claim},
    {.name = "players.delete", .run = players_delete},
    {0},
};
