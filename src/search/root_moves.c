/* The moves of the root position: which are searched, their order, and what the search found. */
#include "search/search_int.h"

#include "chess/movegen.h"

#include <stdlib.h>
#include <string.h>

/* -- Before the search -- */

static bool is_search_move(const SearchLimits *l, Move m)
{
    for (int i = 0; i < l->only_count; i++)
        if (l->only[i] == m)
            return true;
    return l->only_count == 0;
}

static void list_root_moves(SearchPool *pool)
{
    Move moves[MAX_MOVES];
    int count = movegen(&pool->root, GEN_ALL, moves);
    pool->root_count = 0;
    for (int i = 0; i < count; i++) {
        if (!is_search_move(&pool->limits, moves[i]))
            continue;
        RootMove *r = &pool->root_moves[pool->root_count++];
        memset(r, 0, offsetof(RootMove, pv));
        r->move = r->pv[0] = moves[i];
        r->pv_length = 1;
        r->score = r->previous = r->average = r->shown = -SCORE_INFINITE;
        r->bound = BOUND_EXACT;
    }
}

static Score root_tb_score(const SearchPool *pool, TbWdl wdl)
{
    int edge = pool->options.tb_rule50 ? 1 : 0;
    if (wdl > edge)
        return SCORE_TB_WIN;
    if (wdl < -edge)
        return -SCORE_TB_WIN;
    return SCORE_DRAW + wdl;
}

/* With tablebases for the root position, only moves that keep its value are searched. */
static void rank_by_tablebase(SearchPool *pool)
{
    pool->root_in_tb = false;
    const SearchOptions *o = &pool->options;
    int pieces = bb_count(pos_occupied(&pool->root));
    if (!o->tb || pieces > o->tb_probe_limit || pieces > tb_max_pieces(o->tb))
        return;
    TbRootMove ranked[MAX_MOVES];
    int count = 0;
    if (!tb_rank_moves(o->tb, &pool->root, o->tb_rule50, ranked, &count))
        return;
    pool->root_in_tb = true;
    for (int i = 0; i < pool->root_count; i++)
        for (int k = 0; k < count; k++)
            if (ranked[k].move == pool->root_moves[i].move) {
                pool->root_moves[i].tb_rank = ranked[k].rank;
                pool->root_moves[i].tb_score = root_tb_score(pool, ranked[k].wdl);
            }
}

static int by_tb_rank(const void *a, const void *b)
{
    int x = ((const RootMove *)a)->tb_rank, y = ((const RootMove *)b)->tb_rank;
    return (x < y) - (x > y);
}

void root_moves_init(SearchPool *pool)
{
    list_root_moves(pool);
    rank_by_tablebase(pool);
    if (pool->root_in_tb)
        qsort(pool->root_moves, (size_t)pool->root_count, sizeof *pool->root_moves, by_tb_rank);
}

/* -- During the search -- */

RootMove *root_move_find(SearchWorker *w, Move m)
{
    for (int i = 0; i < w->root_count; i++)
        if (w->root[i].move == m)
            return &w->root[i];
    return NULL;
}

static bool comes_before(const RootMove *a, const RootMove *b)
{
    if (a->tb_rank != b->tb_rank)
        return a->tb_rank > b->tb_rank;
    return a->score != b->score ? a->score > b->score : a->previous > b->previous;
}

/* Sorts [from, end). Stable: moves without a score of their own keep their order. */
void root_moves_sort(SearchWorker *w, int from, int end)
{
    for (int i = from + 1; i < end; i++) {
        if (!comes_before(&w->root[i], &w->root[i - 1]))
            continue; /* entries are large: copied only when they move */
        RootMove r = w->root[i];
        int k = i;
        for (; k > from && comes_before(&r, &w->root[k - 1]); k--)
            w->root[k] = w->root[k - 1];
        w->root[k] = r;
    }
}

/* Only the first move and those that raise alpha have a score and a PV. */
void root_move_update(SearchWorker *w, const SearchNode *n, const MoveContext *mc)
{
    RootMove *r = root_move_find(w, mc->move);
    if (!r)
        return;
    r->nodes += worker_nodes(w) - mc->nodes_before;
    r->average = r->average == -SCORE_INFINITE ? mc->score : (r->average + mc->score) / 2;
    if (mc->number > 1 && mc->score <= n->alpha) {
        r->score = -SCORE_INFINITE; /* an upper bound is no reason to reorder */
        return;
    }
    r->score = r->shown = mc->score;
    r->bound = mc->score >= n->beta             ? BOUND_LOWER
               : mc->score <= n->original_alpha ? BOUND_UPPER
                                                : BOUND_EXACT;
    r->seldepth = w->seldepth;
    r->pv[0] = mc->move;
    const SearchStack *child = n->ss + 1;
    for (int i = 0; i < child->pv_length; i++)
        r->pv[i + 1] = child->pv[i];
    r->pv_length = child->pv_length + 1;
}
