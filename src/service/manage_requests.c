/* Many games at once: deleting them, figures by group, whose side a name is; and players who go. */
#include "notation/json_value.h"
#include "service/board_int.h"
#include "service/message_int.h"
#include "service/study/study_int.h"

enum { MAX_DELETED = 500, STATS_ROWS = 20 };

/* -- Deleting -- */

static void drop_board_of(Service *service, int64_t game)
{
    Board *b = board_loaded(service, game);
    if (b)
        turn_drop(service, b);
    else
        reviews_cancel(service, game);
}

static Status delete_listed(Store *store, const json_t *games, Message *why)
{
    for (size_t i = 0; i < json_array_size(games); i++) {
        int64_t id = json_integer_value(json_array_get(games, i));
        Status s = store_game_delete(store, id, why);
        if (s != STATUS_OK)
            return s;
    }
    return STATUS_OK;
}

static bool games_delete(Request *r)
{
    Service *service = r->service;
    const json_t *games = json_object_get(r->root, "games");
    size_t count = json_array_size(games);
    if (!count || count > MAX_DELETED)
        return request_refuse(r, "bad", "games: 1 to %d numbers", MAX_DELETED);
    store_begin(r->store);
    if (!request_ok(r, store_end(r->store, delete_listed(r->store, games, &r->why), &r->why)))
        return false;
    for (size_t i = 0; i < count; i++)
        drop_board_of(service, json_integer_value(json_array_get(games, i)));
    return request_answer(r, "deleted", json_integer((json_int_t)count));
}

/* The player, if it may go: not the last one, and nobody else's. */
static bool may_go(Request *r, int64_t id)
{
    StorePlayer p, other;
    if (!request_ok(r, store_player_load(r->store, id, &p, &r->why)))
        return false;
    StoreRows players = store_players(r->store);
    bool more = store_next(&players, &other) && store_next(&players, &other);
    if (!request_ok(r, store_rows_end(&players, &r->why)))
        return false;
    if (!more)
        return request_refuse(r, "refused", "the last player cannot be deleted");
    for (const Client *c = r->service->clients; c; c = c->next)
        if (c != r->client && c->player == id)
            return request_refuse(r, "refused", "%s is in use in another window", p.name);
    return true;
}

static bool players_delete(Request *r)
{
    int64_t id;
    if (!request_id(r, "player", &id) || !may_go(r, id) ||
        !request_ok(r, store_player_delete(r->store, id, &r->why)))
        return false;
    for (Board *b = r->service->boards, *next; b; b = next) {
        next = b->next;
        if (b->g.player == id)
            turn_drop(r->service, b);
        else if (b->g.guest == id)
            b->g.guest = 0;
    }
    return true;
}

/* -- Figures -- */

static json_t *json_group(const StoreGroup *g)
{
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I}", "name", value_text(g->name), "games",
                     (json_int_t)g->games, "won", (json_int_t)g->won, "drawn", (json_int_t)g->drawn,
                     "lost", (json_int_t)(g->games - g->won - g->drawn), "last",
                     (json_int_t)g->last);
}

static bool games_stats(Request *r)
{
    static const char *const names[] = {"openings", "opponents", "colors", "clocks"};
    StoreGroup g;
    bool done = true;
    for (int by = STORE_BY_OPENING; by <= STORE_BY_CLOCK && done; by++) {
        json_t *groups = json_array();
        StoreRows rows = store_stats(r->store, r->player, (StoreStats)by, STATS_ROWS);
        while (store_next(&rows, &g))
            json_array_append_new(groups, json_group(&g));
        request_answer(r, names[by], groups);
        done = request_ok(r, store_rows_end(&rows, &r->why));
    }
    return done;
}

static bool games_claim(Request *r)
{
    Span name;
    int64_t claimed;
    if (!request_text(r, "name", &name) ||
        !request_ok(r, store_claim_name(r->store, r->player, name, &claimed, &r->why)))
        return false;
    /* Boards in memory are read again when they are next opened. */
    for (Board *b = r->service->boards, *next; b; b = next) {
        next = b->next;
        if (b->g.kind == STORE_IMPORT && b->g.player == r->player && !b->job)
            board_unload(r->service, b);
    }
    return request_answer(r, "games", json_integer(claimed));
}

const HandlerRow manage_handlers[] = {
    {.name = "games.delete", .run = games_delete},
    {.name = "games.stats", .run = games_stats, .is_long = true},
    {.name = "games.claim", .run = games_claim},
    {.name = "players.delete", .run = players_delete},
    {0},
};
