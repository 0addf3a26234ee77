#include "match/player_int.h"

Status player_open(Player **p, const PlayerSpec *spec, int hash_mb, const atomic_bool *stop,
                   Message *why)
{
    Status s = spec->kind == PLAYER_OWN   ? player_own_open(p, spec, hash_mb, stop, why)
               : spec->kind == PLAYER_UCI ? player_uci_open(p, spec, hash_mb, stop, why)
                                          : player_xboard_open(p, spec, hash_mb, stop, why);
    if (s != STATUS_OK && why)
        message_prefix(why, "%s: ", spec->name);
    return s;
}

void player_close(Player *p)
{
    if (p)
        p->methods->close(p);
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
