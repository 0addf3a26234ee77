/* What a search on the card is made of: draws, transposition table, the order of moves. gpu_node.h
 * has the search itself. */
#ifndef TRAIN_GPU_SEARCH_H
#define TRAIN_GPU_SEARCH_H

#include "train/gpu/gpu_endgame.h"
#include "train/gpu/gpu_moves.h"

enum {
    G_PLIES = 32,   /* of a search; a position there is only evaluated */
    G_TT_BITS = 15, /* the labels of a game's later plies help those of the earlier ones */
    G_TT_SIZE = 1 << G_TT_BITS,
    G_GAME_PLIES = 600,
    G_KEYS_KEPT = 704, /* of a game and a search in it */
    G_MATE = 32000,
    G_DECISIVE = G_EVAL_MAX + 1,
    G_NO_SCORE = 32002,
    G_HISTORY_MAX = 16384
};

enum { G_BOUND_UPPER = 1, G_BOUND_LOWER = 2 };

typedef struct __attribute__((aligned(16))) GEntry {
    uint64_t key;
    uint16_t move;
    int16_t score;
    int16_t eval;
    uint8_t depth, bound;
} GEntry;

/* What a warp needs in slow memory. */
typedef struct GMemory {
    G4 accumulators[G_PLIES * 2 * G_ROW];
    GMoveList lists[G_PLIES];
    GEntry tt[G_TT_SIZE];
    int16_t history[2][64 * 64];
    uint64_t keys[G_KEYS_KEPT];
    GPosition game[G_GAME_PLIES]; /* before each of its moves */
} GMemory;

/* A node under way. While its child is searched it waits in fast memory; there is no recursion,
 * because a stack for each lane would hold everything 32 times. */
typedef struct __attribute__((aligned(16))) GFrame {
    int16_t alpha, beta, best, eval; /* eval: the TT score where that is a tighter bound */
    uint16_t best_move, tt_move;
    uint16_t move; /* the one being searched */
    int16_t history;
    int8_t depth, new_depth, reduced; /* of the node; of its move; of its reduced search */
    uint8_t count, searched;          /* moves in the list; legal ones among those picked */
    uint8_t stage, flags;
} GFrame;

/* What a warp needs in fast memory. */
typedef struct GShared {
    GPosition stack[G_PLIES + 1];
    GFrame frames[G_PLIES];
    uint8_t scratch[64];
} GShared;

/* One search. Every lane has it, with the same contents. */
typedef struct GSearch {
    const GTables *tables;
    const uint64_t *random_keys;
    const GNet *net;
    GMemory *memory;
    GShared *shared;
    int game_ply; /* keys of the game before the root */
    int nodes, soft_nodes, hard_nodes;
    bool stopped;
    int best; /* at the root, in this iteration */
} GSearch;

/* -- Draws -- */

DEVICE bool g_insufficient(const GPosition *p)
{
    uint64_t minors = p->by_type[G_KNIGHT] | p->by_type[G_BISHOP];
    return !(p->by_type[G_PAWN] | p->by_type[G_ROOK] | p->by_type[G_QUEEN]) &&
           bit_count(minors) <= 1;
}

/* Times the position was there before; those since the root count twice, so that two are enough for
 * a draw. Each lane looks at one earlier position. */
DEVICE int g_repetitions(const GSearch *w, const GPosition *p, int ply)
{
    int now = w->game_ply + ply, found = 0;
    ROLLED
    for (int begin = 4; begin <= p->rule50; begin += 2 * WARP_LANES) {
        int back = begin + 2 * warp_lane(), then = now - back;
        bool same = back <= p->rule50 && then >= 0 && w->memory->keys[then] == p->key;
        found += bit_count(warp_ballot(same)) + bit_count(warp_ballot(same && back <= ply));
    }
    return found;
}

DEVICE bool g_is_draw(const GSearch *w, const GPosition *p, int ply)
{
    return p->rule50 >= 100 || g_insufficient(p) || g_repetitions(w, p, ply) >= 2;
}

/* -- Transposition table, one entry a slot -- */

DEVICE int g_score_to_tt(int score, int ply)
{
    return score >= G_DECISIVE ? score + ply : score <= -G_DECISIVE ? score - ply : score;
}

DEVICE int g_score_from_tt(int score, int ply)
{
    return score == G_NO_SCORE    ? score
           : score >= G_DECISIVE  ? score - ply
           : score <= -G_DECISIVE ? score + ply
                                  : score;
}

DEVICE GEntry g_tt_probe(const GSearch *w, uint64_t key, int ply)
{
    GEntry e = w->memory->tt[key & (G_TT_SIZE - 1)];
    if (e.key != key)
        return (GEntry){0, 0, G_NO_SCORE, G_NO_SCORE, 0, 0};
    e.score = (int16_t)g_score_from_tt(e.score, ply);
    return e;
}

DEVICE void g_tt_store(GSearch *w, const GPosition *p, int ply, int depth, int score, int bound,
                       int move)
{
    GEntry *at = &w->memory->tt[p->key & (G_TT_SIZE - 1)];
    warp_sync();
    if (warp_lane() == 0) {
        GEntry old = *at;
        bool same = old.key == p->key;
        if (!same || bound == (G_BOUND_LOWER | G_BOUND_UPPER) || depth + 3 > old.depth)
            *at = (GEntry){p->key,
                           (uint16_t)(move || !same ? move : old.move),
                           (int16_t)g_score_to_tt(score, ply),
                           p->eval,
                           (uint8_t)depth,
                           (uint8_t)bound};
    }
    warp_sync();
}

DEVICE bool g_tt_cuts(const GEntry *e, int beta, int depth)
{
    return e->score != G_NO_SCORE && e->depth >= depth &&
           (e->bound & (e->score >= beta ? G_BOUND_LOWER : G_BOUND_UPPER));
}

/* -- The order of moves -- */

enum {
    G_RANK_TT = 65535,
    G_RANK_CAPTURE = 50000,
    G_RANK_KILLER = 48000,
    G_RANK_QUIET = 28000,
    G_RANK_BAD_CAPTURE = 2000, /* loses material */
    G_RANK_LOSING = 1000,      /* loses more than is worth a search */
    G_RANK_CHECKS = 1,         /* the lowest bit: gives check */
    G_RANK_CHECK_BONUS = 4000,
    G_SEE_SLOPE = 94
};

DEVICE int g_capture_rank(const GTables *t, const GPosition *p, int m, int depth)
{
    int order = 16 * (g_captured_type(p, m) + 1) % (16 * (G_TYPES + 1)) -
                (g_piece_on(p, g_from(m)) >> 1) + 16 * (m >> 12 == G_PROMOTION + 3) * G_QUEEN;
    if (g_is_promotion(m) && m >> 12 != G_PROMOTION + 3)
        return G_RANK_LOSING + 10;
    int rank = G_RANK_CAPTURE + 64, threshold = 0;
    ROLLED
    while (rank > G_RANK_LOSING && !g_see_at_least(t, p, m, threshold)) {
        rank = rank > G_RANK_QUIET ? G_RANK_BAD_CAPTURE : G_RANK_LOSING;
        threshold = -G_SEE_SLOPE * depth;
    }
    return rank + 100 + order;
}

/* Whether a move gives check itself; `lines` is what a queen on the king's square attacks. */
DEVICE bool g_gives_check(const GTables *t, const GPosition *p, int m, uint64_t lines)
{
    int to = g_to(m),
        type = g_is_promotion(m) ? (m >> 12 & 3) + G_KNIGHT : g_piece_on(p, g_from(m)) >> 1;
    int king = g_king(p, p->side ^ 1);
    bool straight = (king & 7) == (to & 7) || king >> 3 == to >> 3;
    if (type == G_PAWN)
        return g_pawn_attacks(p->side, g_bit(to)) >> king & 1;
    if (type == G_KNIGHT)
        return t->knight[to] >> king & 1;
    if (type == G_KING || g_kind(m) == G_CASTLING)
        return false;
    return (lines >> to & 1) && (type == G_QUEEN || straight == (type == G_ROOK));
}

DEVICE uint64_t g_king_lines(const GTables *t, const GPosition *p)
{
    int king = g_king(p, p->side ^ 1);
    uint64_t lines = 0;
    ROLLED
    for (int i = 0; i < G_LINES; i++)
        lines |= g_line_attacks(t->line[i][king], king, g_occupied(p));
    return lines;
}

/* To where a pawn attacks it; `unsafe` is what enemy pawns attack. */
DEVICE bool g_hangs(const GPosition *p, int m, uint64_t unsafe)
{
    return (unsafe >> g_to(m) & 1) && g_piece_on(p, g_from(m)) >> 1 != G_PAWN &&
           g_kind(m) != G_CASTLING;
}

/* Ranks the moves of a list, each lane some of them. */
DEVICE void g_rank(const GSearch *w, const GPosition *p, GMoveList *list, int count, int tt_move,
                   int depth)
{
    const int16_t *history = w->memory->history[p->side];
    uint64_t unsafe = g_pawn_attacks(p->side ^ 1, g_pieces(p, p->side ^ 1, G_PAWN));
    uint64_t lines = g_king_lines(w->tables, p);
    ROLLED
    for (int i = warp_lane(); i < count; i += WARP_LANES) {
        int m = (int)list->at[i], rank = G_RANK_TT;
        bool checks = g_gives_check(w->tables, p, m, lines);
        if (m != tt_move && g_is_noisy(p, m))
            rank = g_capture_rank(w->tables, p, m, depth);
        else if (m != tt_move) {
            rank = m == p->killer ? (int)G_RANK_KILLER : G_RANK_QUIET + history[m & 4095];
            rank += (checks ? G_RANK_CHECK_BONUS : 0) - (g_hangs(p, m, unsafe) ? 8000 : 0);
        }
        rank = g_min(rank, G_RANK_TT) & ~G_RANK_CHECKS;
        list->at[i] = (uint32_t)(rank | (checks ? G_RANK_CHECKS : 0)) << 16 | (uint32_t)m;
    }
    warp_sync();
}

/* No quiet moves any more but those that give check. They count as not searched. */
DEVICE void g_drop_quiets(const GPosition *p, GMoveList *list, int count)
{
    warp_sync();
    ROLLED
    for (int i = warp_lane(); i < count; i += WARP_LANES) {
        uint32_t entry = list->at[i];
        if (entry >> 16 && !(entry >> 16 & G_RANK_CHECKS) && !g_is_noisy(p, (int)(entry & 0xffff)))
            list->at[i] = 0;
    }
    warp_sync();
}

/* After a fail high by a quiet move: it gains, quiet moves that were searched before it lose. */
DEVICE void g_history_update(GSearch *w, GPosition *p, const GMoveList *list, int count, int best,
                             int depth)
{
    int16_t *history = w->memory->history[p->side];
    int bonus = g_min(170 * depth + 90, 1800);
    ROLLED
    for (int i = warp_lane(); i < count; i += WARP_LANES) {
        int m = (int)(list->at[i] & 0xffff);
        if (!m || list->at[i] >> 16 || g_is_noisy(p, m))
            continue;
        int change = m == best ? bonus : -bonus, old = history[m & 4095];
        history[m & 4095] = (int16_t)(old + change - old * bonus / G_HISTORY_MAX);
    }
    if (warp_lane() == 0)
        p->killer = (uint16_t)best;
    warp_sync();
}

#endif
