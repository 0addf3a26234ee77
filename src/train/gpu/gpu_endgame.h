/* Endgame scaling and mop-up on the card: the same numbers as eval/endgame.c, which says why. */
#ifndef TRAIN_GPU_ENDGAME_H
#define TRAIN_GPU_ENDGAME_H

#include "train/gpu/gpu_eval.h"

#define G_DARK_SQUARES 0xaa55aa55aa55aa55ULL
#define G_FILE_A 0x0101010101010101ULL
#define G_FILE_H 0x8080808080808080ULL

enum { G_SCALE_NORMAL = 64, G_SCALED_PIECES = 4 };

DEVICE int g_abs(int v)
{
    return v < 0 ? -v : v;
}

DEVICE int g_max(int a, int b)
{
    return a > b ? a : b;
}

DEVICE int g_min(int a, int b)
{
    return a < b ? a : b;
}

DEVICE uint64_t g_pieces(const GPosition *p, int side, int type)
{
    return p->by_color[side] & p->by_type[type];
}

DEVICE int g_distance(int a, int b)
{
    return g_max(g_abs((a & 7) - (b & 7)), g_abs((a >> 3) - (b >> 3)));
}

DEVICE int g_points(const GPosition *p, int side)
{
    uint64_t minors = p->by_type[G_KNIGHT] | p->by_type[G_BISHOP];
    return 3 * bit_count(p->by_color[side] & minors) + 5 * bit_count(g_pieces(p, side, G_ROOK)) +
           9 * bit_count(g_pieces(p, side, G_QUEEN));
}

DEVICE int g_scale_pawnless(const GPosition *p, int strong)
{
    int mine = g_points(p, strong), theirs = g_points(p, strong ^ 1);
    bool only_knights =
        !(p->by_color[strong] & ~p->by_type[G_KING] & ~p->by_type[G_KNIGHT]) && mine <= 6;
    if (mine < 5 || only_knights)
        return 0;
    return mine - theirs > 3 ? G_SCALE_NORMAL : theirs <= 3 ? 4 : 10;
}

DEVICE bool g_wrong_rook_pawn(const GPosition *p, int strong)
{
    uint64_t pawns = g_pieces(p, strong, G_PAWN), bishops = g_pieces(p, strong, G_BISHOP);
    uint64_t rest = p->by_color[strong] & ~pawns & ~bishops & ~p->by_type[G_KING];
    if (rest || ((pawns & ~G_FILE_A) && (pawns & ~G_FILE_H)))
        return false;
    int goal = (56 + (bit_first(pawns) & 7)) ^ (strong * 56);
    uint64_t shade = g_bit(goal) & G_DARK_SQUARES ? G_DARK_SQUARES : ~G_DARK_SQUARES;
    return !(bishops & shade) && g_distance(g_king(p, strong ^ 1), goal) <= 1;
}

DEVICE int g_scale_kpk(const GPosition *p, int strong)
{
    int pawn = bit_first(g_pieces(p, strong, G_PAWN)), turn = strong * 56;
    int file = pawn & 7, rank = (pawn ^ turn) >> 3;
    int king = g_king(p, strong), enemy = g_king(p, strong ^ 1), goal = (56 + file) ^ turn;
    if (g_distance(enemy, goal) > 7 - (rank == 1 ? 2 : rank) + (p->side != strong))
        return G_SCALE_NORMAL;
    if (file == 0 || file == 7)
        return g_distance(enemy, goal) <= g_distance(king, goal) ? 4 : 20;
    int ahead = ((king ^ turn) >> 3) - rank;
    if (g_abs((king & 7) - file) <= 1 && (ahead == 2 || (ahead == 1 && rank >= 4)))
        return G_SCALE_NORMAL;
    return g_abs((enemy & 7) - file) <= 1 && (enemy ^ turn) >> 3 > rank ? 8 : 24;
}

DEVICE bool g_opposite_bishops(const GPosition *p)
{
    uint64_t white = g_pieces(p, 0, G_BISHOP), black = g_pieces(p, 1, G_BISHOP);
    return bit_count(white) == 1 && bit_count(black) == 1 &&
           !(white & G_DARK_SQUARES) != !(black & G_DARK_SQUARES);
}

DEVICE bool g_mating_material(const GPosition *p, int side)
{
    uint64_t bishops = g_pieces(p, side, G_BISHOP), knights = g_pieces(p, side, G_KNIGHT);
    if (p->by_color[side] & (p->by_type[G_ROOK] | p->by_type[G_QUEEN]))
        return true;
    if ((bishops & G_DARK_SQUARES) && (bishops & ~G_DARK_SQUARES))
        return true;
    return (bishops && knights) || bit_count(knights) > 2;
}

DEVICE bool g_has_pieces(const GPosition *p, int side)
{
    return (p->by_color[side] & ~p->by_type[G_PAWN] & ~p->by_type[G_KING]) != 0;
}

DEVICE int g_mop_up(const GPosition *p, int strong)
{
    int weak = strong ^ 1;
    if (g_pieces(p, weak, G_PAWN) || g_points(p, strong) - g_points(p, weak) <= 3 ||
        !g_mating_material(p, strong))
        return 0;
    int king = g_king(p, weak), file = king & 7, rank = king >> 3;
    int centre = (file < 4 ? 3 - file : file - 4) + (rank < 4 ? 3 - rank : rank - 4);
    int v = 12 * centre + 10 * (7 - g_distance(king, g_king(p, strong)));
    uint64_t knights = g_pieces(p, strong, G_KNIGHT), bishops = g_pieces(p, strong, G_BISHOP);
    if (!g_has_pieces(p, weak))
        v += 150;
    if (p->by_color[strong] == (knights | bishops | g_pieces(p, strong, G_KING)) &&
        bit_count(knights) == 1 && bit_count(bishops) == 1)
        v += 30 * (bishops & G_DARK_SQUARES ? g_abs(7 - file - rank) : g_abs(file - rank));
    return v;
}

DEVICE int g_scale_factor(const GPosition *p, int strong, int pieces)
{
    if (!g_pieces(p, strong, G_PAWN))
        return g_scale_pawnless(p, strong);
    if (!g_has_pieces(p, strong ^ 1) && g_wrong_rook_pawn(p, strong))
        return 0;
    if (bit_count(g_occupied(p)) == 3)
        return g_scale_kpk(p, strong);
    return pieces == 2 && g_opposite_bishops(p) ? 28 : G_SCALE_NORMAL;
}

/* From what g_accumulate returned. */
DEVICE_CALL int g_evaluate(const GNet *net, const GPosition *p, int total)
{
    int value = g_net_value(net, p, total);
    int pieces = bit_count(g_occupied(p) & ~p->by_type[G_PAWN] & ~p->by_type[G_KING]);
    if (pieces > G_SCALED_PIECES)
        return value;
    int scale = g_scale_factor(p, value > 0 ? p->side : p->side ^ 1, pieces);
    int bonus = g_mop_up(p, p->side) - g_mop_up(p, p->side ^ 1);
    return g_max(g_min(value * scale / G_SCALE_NORMAL + bonus, G_EVAL_MAX), -G_EVAL_MAX);
}

#endif
