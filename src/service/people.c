#include "service/people_int.h"

#include "service/game_json_int.h"
#include "service/new_game_int.h"

/* -- Beginning -- */

/* The second person at one screen needs no player of his own, only a name. */
static Status seat_neighbour(const Request *r, StoreGame *g, Message *why)
{
    Span name = span_of("Guest");
    Status s = json_object_get(r->root, "name") ? request_name(r, &name, why) : STATUS_OK;
    if (s != STATUS_OK)
        return s;
    StoreSide *side = &g->side[!g->you];
    snprintf(side->name, sizeof side->name, "%.*s", (int)name.len, name.at);
    snprintf(side->title, sizeof side->title, "%.*s", (int)name.len, name.at);
    g->guest = g->player;
    return STATUS_OK;
}

Status people_new(Service *service, Request *r, json_t *data, Message *why)
{
    StoreGame g = {.kind = STORE_PLAY, .player = r->player};
    StorePlayer p;
    bool here = false;
    Status s = store_player_load(service->store, g.player, &p, why);
    if (s == STATUS_OK)
        s = request_maybe_bool(r, "here", &here, why);
    if (s == STATUS_OK)
        s = new_game_read(service, r, &g, why);
    if (s == STATUS_OK && here)
        s = seat_neighbour(r, &g, why);
    if (s != STATUS_OK)
        return s;
    g.rated = false;
    g.side[!g.you].kind = SIDE_HUMAN;
    new_game_seat(&g.side[g.you], &p);
    return new_game_begin(service, r, &g, data, why);
}

static Status take_seat(Service *service, Board *b, const StorePlayer *p, Message *why)
{
    StoreGame g = b->g;
    g.guest = p->id;
    new_game_seat(&g.side[!g.you], p);
    store_begin(service->store);
    Status s = store_game_set_guest(service->store, g.id, g.guest, why);
    if (s == STATUS_OK)
        s = board_save(service, b, &g, why);
    return store_end(service->store, s, why);
}

Status people_join(Service *service, Request *r, json_t *data, Message *why)
{
    int64_t id;
    Board *b;
    StorePlayer p;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = board_get(service, id, &b, why);
    if (s == STATUS_OK && (!board_two_people(b) || board_over(b)))
        s = status_fail(why, STATUS_REFUSED, "game %lld has no free seat", (long long)id);
    if (s == STATUS_OK && r->player == b->g.player)
        s = status_fail(why, STATUS_REFUSED,
                        "this is your own game; only another player can join it");
    if (s == STATUS_OK && b->g.guest && b->g.guest != r->player)
        s = status_fail(why, STATUS_REFUSED, "another player has already joined");
    if (s == STATUS_OK && !b->g.guest) {
        s = store_player_load(service->store, r->player, &p, why);
        if (s == STATUS_OK)
            s = take_seat(service, b, &p, why);
    }
    if (s != STATUS_OK)
        return s;
    client_watch(r->client, id);
    game_event(service, b, r->client);
    json_object_set_new(data, "game", game_json(service, b, r->player));
    return STATUS_OK;
}

/* -- By consent -- */

static bool has_moved(const Board *b, Color us)
{
    return b->play.count > (b->play.start.side == us ? 0 : 1);
}

Status people_take_back(Service *service, Board *b, Color us, Message *why)
{
    if (board_on_one_screen(b)) /* the side to move asks: the other one's move goes */
        return board_take_back(service, b, color_other(b->play.now.side), why);
    if (board_over(b))
        return status_fail(why, STATUS_REFUSED, "the game is over");
    if (b->takeback == (int)color_other(us))
        return board_take_back(service, b, color_other(us), why);
    if (!has_moved(b, us))
        return status_fail(why, STATUS_REFUSED, "you have no move to take back");
    StoreGame g = b->g;
    Status s = board_save(service, b, &g, why); /* a change that everybody is told of */
    if (s == STATUS_OK)
        b->takeback = (int)us;
    return s;
}

Status people_offer_draw(Service *service, Board *b, Color us, Message *why)
{
    StoreGame g = b->g;
    g.offer = (int)us;
    return board_save(service, b, &g, why);
}
