/* Whether all that a position keeps up to date as moves are made agrees with its board. */
#ifndef TESTS_CONSISTENT_H
#define TESTS_CONSISTENT_H

#include "chess/setup.h"

#include <string.h>

static inline bool is_consistent(const Position *p)
{
    Setup s;
    Position fresh;
    pos_describe(p, &s);
    if (pos_set(&fresh, &s, NULL) != STATUS_OK)
        return false;
    const PositionState *a = &p->st, *b = &fresh.st;
    return memcmp(p->by_type, fresh.by_type, sizeof p->by_type) == 0 &&
           memcmp(p->by_color, fresh.by_color, sizeof p->by_color) == 0 && a->key == b->key &&
           a->pawn_key == b->pawn_key && a->minor_key == b->minor_key &&
           a->nonpawn_key[WHITE] == b->nonpawn_key[WHITE] &&
           a->nonpawn_key[BLACK] == b->nonpawn_key[BLACK] && a->checkers == b->checkers &&
           a->pinned[WHITE] == b->pinned[WHITE] && a->pinned[BLACK] == b->pinned[BLACK] &&
           a->castling == b->castling && a->ep == b->ep && a->ep_beside == b->ep_beside;
}

#endif
