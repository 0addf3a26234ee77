#include "match/player_int.h"

#include <stdlib.h>

Status player_open(Player **p, const PlayerSpec *spec, int hash_mb, const atomic_bool *stop,
                   Message *why)
{
    static const PlayerMethods *const kinds[] = {
        [PLAYER_OWN] = &player_own, [PLAYER_UCI] = &player_uci, [PLAYER_XBOARD] = &player_xboard};
    const PlayerMethods *methods = kinds[spec->kind];
    Player *player = calloc(1, methods->size);
    if (!player)
        return status_fail(why, STATUS_MEMORY, "%s: not enough memory for a player", spec->name);
    *player = (Player){.methods = methods, .stop = stop};
    Status s = methods->open(player, spec, hash_mb, why);
    if (s != STATUS_OK)
        message_prefix(why, "%s: ", spec->name);
    return GIVE_OR_CLOSE(s, p, player, player_close);
}

void player_close(Player *p)
{
    if (!p)
        return;
    p->methods->close(p);
    free(p);
}

Status player_set_option(Player *p, Span name, Span value, Message *why)
{
    return p->methods->set_option(p, name, value, why);
}

Status player_new_game(Player *p, const Position *start, const PlayerLimits *limits, Message *why)
{
    return p->methods->new_game(p, start, limits, why);
}

PlayerEnd player_move(Player *p, const Play *game, const PlayerTurn *turn, PlayerMove *out)
{
    *out = (PlayerMove){.move = MOVE_NONE};
    return p->methods->move(p, game, turn, out);
}

bool player_accepts_draw(Player *p, const Play *game)
{
    return p->methods->accepts_draw && p->methods->accepts_draw(p, game);
}
