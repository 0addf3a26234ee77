#include "service/game_int.h"

/* -- Beginning -- */

/* The second person at one screen needs no player of his own, only a name. */
static bool seat_neighbour(Request *r, StoreGame *g)
{
    Span name = span_of("Guest");
    if (json_object_get(r->root, "name") && !request_name(r, &name))
        return false;
    StoreSide *side = &g->side[!g->you];
    snprintf(side->name, sizeof side->name, "%.*s", (int)name.len, name.at);
    snprintf(side->title, sizeof side->title, "%.*s", (int)name.len, name.at);
    g->guest = g->player;
    return true;
}

bool people_new(Request *r)
{
    StoreGame g = {.kind = STORE_PLAY, .player = r->player};
    StorePlayer p;
    bool here = false;
    if (!request_ok(r, store_player_load(r->store, g.player, &p, &r->why)) ||
        !request_maybe_bool(r, "here", &here) || !new_game_read(r, &g) ||
        (here && !seat_neighbour(r, &g)))
        return false;
    g.rated = false;
    g.side[!g.you].kind = SIDE_HUMAN;
    new_game_seat(&g.side[g.you], &p);
    return new_game_begin(r, &g);
}

static Status take_seat(Service *service, Board *b, int64_t player, Message *why)
{
    StoreGame g = b->g;
    StorePlayer p;
    Status s = store_player_load(service->store, player, &p, why);
    if (s != STATUS_OK)
        return s;
    g.guest = player;
    new_game_seat(&g.side[!g.you], &p);
    store_begin(service->store);
    s = store_game_set_guest(service->store, g.id, g.guest, why);
    if (s == STATUS_OK)
        s = board_save(service, b, &g, why);
    return store_end(service->store, s, why);
}

bool people_join(Request *r)
{
    Board *b;
    if (!game_find(r, &b))
        return false;
    if (!board_two_people(b) || b->g.over)
        return request_refuse(r, "refused", "game %lld has no free seat", (long long)b->g.id);
    if (r->player == b->g.player)
        return request_refuse(r, "refused",
                              "this is your own game; only another player can join it");
    if (b->g.guest && b->g.guest != r->player)
        return request_refuse(r, "refused", "another player has already joined");
    if (!b->g.guest && !request_ok(r, take_seat(r->service, b, r->player, &r->why)))
        return false;
    client_watch(r->client, b->g.id);
    game_event(r->service, b, r->client);
    return game_answer(r, b);
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
    if (b->g.over)
        return status_fail(why, STATUS_REFUSED, "the game is over");
    if (b->takeback == (int)color_other(us))
        return board_take_back(service, b, color_other(us), why);
    if (!has_moved(b, us))
        return status_fail(why, STATUS_REFUSED, "you have no move to take back");
    Status s = board_save(service, b, &b->g, why); /* a change that everybody is told of */
    if (s == STATUS_OK)
        b->takeback = (int)us;
    return s;
}
