/* Moves on the card: generation, static exchange evaluation, and the list from which the search
 * picks. An entry of the list has its rank in the order in the upper half and the move in the
 * lower; a rank of zero: the move was picked. */
#ifndef TRAIN_GPU_MOVES_H
#define TRAIN_GPU_MOVES_H

#include "train/gpu/gpu_position.h"

enum {
    G_MOST_MOVES = 128
}; /* further ones are dropped; such positions need several extra queens */

typedef struct GMoveList {
    uint32_t at[G_MOST_MOVES];
} GMoveList;

/* -- Generation: a lane for each piece -- */

DEVICE uint64_t g_pawn_targets(const GPosition *p, int s, bool noisy_only)
{
    int side = p->side;
    uint64_t empty = ~g_occupied(p), one = g_bit(s);
    uint64_t last = 0xff000000000000ffULL, third = side ? 0xffULL << 40 : 0xffULL << 16;
    uint64_t ep = p->ep == G_NO_SQUARE ? 0 : g_bit(p->ep);
    uint64_t step = (side ? one >> 8 : one << 8) & empty;
    uint64_t leap = (side ? (step & third) >> 8 : (step & third) << 8) & empty;
    uint64_t targets = g_pawn_attacks(side, one) & (p->by_color[side ^ 1] | ep);
    return targets | (noisy_only ? step & last : step | leap);
}

DEVICE uint64_t g_targets(const GTables *t, const GPosition *p, int s, int type, bool noisy_only)
{
    uint64_t occupied = g_occupied(p), reach = 0;
    if (type == G_PAWN)
        return g_pawn_targets(p, s, noisy_only);
    if (type == G_KNIGHT)
        reach = t->knight[s];
    if (type == G_KING)
        reach = t->king[s];
    if (type >= G_BISHOP && type <= G_QUEEN) {
        int first = type == G_BISHOP ? 2 : 0, end = type == G_ROOK ? 2 : G_LINES;
        ROLLED
        for (int i = first; i < end; i++)
            reach |= g_line_attacks(t->line[i][s], s, occupied);
    }
    return reach & (noisy_only ? p->by_color[p->side ^ 1] : ~p->by_color[p->side]);
}

/* The square of the lane's own piece, in the order of squares; -1 for lanes without one. */
DEVICE int g_lane_piece(const GPosition *p, uint8_t *scratch)
{
    uint64_t own = p->by_color[p->side];
    warp_sync();
    ROLLED
    for (int s = warp_lane(); s < 64; s += WARP_LANES)
        if (own >> s & 1)
            scratch[bit_count(own & (g_bit(s) - 1))] = (uint8_t)s;
    warp_sync();
    return warp_lane() < bit_count(own) ? scratch[warp_lane()] : -1;
}

DEVICE void g_list_put(GMoveList *list, int at, int m)
{
    if (at < G_MOST_MOVES)
        list->at[at] = (uint32_t)m;
}

DEVICE int g_list_pawn(const GPosition *p, GMoveList *list, int at, int from, int to,
                       bool noisy_only)
{
    int m = from | to << 6;
    if (to > 7 && to < 56) {
        g_list_put(list, at, to == p->ep ? m | G_EN_PASSANT << 12 : m);
        return at + 1;
    }
    ROLLED
    for (int piece = 3; piece >= (noisy_only ? 3 : 0); piece--)
        g_list_put(list, at++, m | (G_PROMOTION + piece) << 12);
    return at;
}

/* Castling, with the king's way free of attacks but for its end, which g_make looks at. */
DEVICE int g_list_castling(const GTables *t, const GPosition *p, GMoveList *list, int count)
{
    int home = p->side * 56, rights = p->castling >> 2 * p->side & 3;
    uint64_t occupied = g_occupied(p) >> home;
    if ((rights & 1) && !(occupied & 0x60) && !g_attacked(t, p, home + 5, p->side ^ 1)) {
        if (warp_lane() == 0)
            g_list_put(list, count, (home + 4) | (home + 7) << 6 | G_CASTLING << 12);
        count++;
    }
    if ((rights & 2) && !(occupied & 0x0e) && !g_attacked(t, p, home + 3, p->side ^ 1)) {
        if (warp_lane() == 0)
            g_list_put(list, count, (home + 4) | home << 6 | G_CASTLING << 12);
        count++;
    }
    return count;
}

/* Pseudo-legal moves without ranks; returns how many. */
DEVICE_CALL int g_generate(const GTables *t, const GPosition *p, bool noisy_only, GMoveList *list,
                           uint8_t *scratch)
{
    int from = g_lane_piece(p, scratch), type = from < 0 ? G_TYPES : g_piece_on(p, from) >> 1;
    uint64_t targets = from < 0 ? 0 : g_targets(t, p, from, type, noisy_only);
    uint64_t promoting = type == G_PAWN ? targets & 0xff000000000000ffULL : 0;
    int mine = bit_count(targets) + (noisy_only ? 0 : 3 * bit_count(promoting));
    int end = warp_running_sum(mine), at = end - mine;
    ROLLED
    while (targets) {
        int to = bit_first(targets);
        targets &= targets - 1;
        if (type == G_PAWN)
            at = g_list_pawn(p, list, at, from, to, noisy_only);
        else
            g_list_put(list, at++, from | to << 6);
    }
    int count = (int)warp_max((uint32_t)end);
    if (!noisy_only && p->castling && !p->in_check)
        count = g_list_castling(t, p, list, count);
    warp_sync();
    return count < G_MOST_MOVES ? count : G_MOST_MOVES;
}

/* -- Static exchange evaluation, each lane another move -- */

DEVICE int g_see_value(int type)
{
    return type == G_PAWN     ? 100
           : type == G_KNIGHT ? 300
           : type == G_BISHOP ? 315
           : type == G_ROOK   ? 500
           : type == G_QUEEN  ? 900
                              : 0;
}

/* Sliders of both sides that attack a square. */
DEVICE uint64_t g_sliders(const GTables *t, const GPosition *p, int s, uint64_t occupied)
{
    uint64_t found = 0;
    ROLLED
    for (int i = 0; i < G_LINES; i++)
        found |= g_line_attacks(t->line[i][s], s, occupied) &
                 (p->by_type[G_QUEEN] | p->by_type[i < 2 ? G_ROOK : G_BISHOP]);
    return found;
}

DEVICE uint64_t g_leapers(const GTables *t, const GPosition *p, int s)
{
    return (t->knight[s] & p->by_type[G_KNIGHT]) | (t->king[s] & p->by_type[G_KING]) |
           (((g_pawn_attacks(0, g_bit(s)) & p->by_color[1]) |
             (g_pawn_attacks(1, g_bit(s)) & p->by_color[0])) &
            p->by_type[G_PAWN]);
}

/* As see_at_least of chess/see.h, but for pins. */
DEVICE bool g_see_at_least(const GTables *t, const GPosition *p, int m, int threshold)
{
    int from = g_from(m), to = g_to(m), side = p->side, next = g_piece_on(p, from) >> 1;
    int balance = g_see_value(g_captured_type(p, m)) - threshold;
    if (g_is_promotion(m)) {
        next = (m >> 12 & 3) + G_KNIGHT;
        balance += g_see_value(next) - g_see_value(G_PAWN);
    }
    if (balance < 0)
        return false;
    balance -= g_see_value(next);
    if (balance >= 0)
        return true;
    uint64_t occupied = (g_occupied(p) & ~g_bit(from)) | g_bit(to);
    if (g_kind(m) == G_EN_PASSANT)
        occupied ^= g_bit(to ^ 8);
    uint64_t leapers = g_leapers(t, p, to);
    bool we_win = true;
    ROLLED
    for (;;) {
        side ^= 1;
        uint64_t attackers = (leapers | g_sliders(t, p, to, occupied)) & occupied;
        uint64_t ours = attackers & p->by_color[side];
        if (!ours)
            return we_win;
        int type = G_PAWN;
        ROLLED
        while (type < G_KING && !(ours & p->by_type[type]))
            type++;
        uint64_t one = ours & p->by_type[type];
        occupied ^= one & (0 - one);
        we_win = !we_win;
        if (type == G_KING)
            return (attackers & p->by_color[side ^ 1]) ? !we_win : we_win;
        balance = -balance - 1 - g_see_value(type);
        if (balance >= 0)
            return we_win;
    }
}

/* -- The list -- */

/* Picks the move with the highest rank; 0 when all were picked. *rank is what it had. */
DEVICE int g_pick(GMoveList *list, int count, int *rank)
{
    uint32_t best = 0;
    int place = -1;
    warp_sync();
    ROLLED
    for (int i = warp_lane(); i < count; i += WARP_LANES)
        if (list->at[i] > best && list->at[i] >> 16) {
            best = list->at[i];
            place = i;
        }
    uint32_t top = warp_max(best);
    if (top && top == best)
        list->at[place] = top & 0xffff;
    warp_sync();
    *rank = (int)(top >> 16);
    return (int)(top & 0xffff);
}

#endif
