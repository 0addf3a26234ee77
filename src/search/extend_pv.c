/* A line that stops in the middle of a tablebase win leaves its reader with the word of the tables.
 * Played on by both sides as the tables advise, it ends with the mate. */
#include "search/search_int.h"

#include "base/clock.h"
#include "chess/draw.h"
#include "chess/movegen.h"

enum {
    PATIENCE_MS = 30, /* for one line */
    HASTE_MS = 5,     /* when a stop was asked for */
    SHARE = 16        /* at most this part of the time goes into lines along the way */
};

/* A line on its way: `at` is the position at its end. */
typedef struct Walk {
    Tablebases *tb;
    bool rule50;
    Position at;
    Move *pv;
    int length;
} Walk;

static void walk_to(Walk *k, Move m)
{
    Undo undo;
    pos_make(&k->at, m, &undo);
    k->pv[k->length++] = m;
}

static bool is_over(const Walk *k)
{
    return k->at.st.rule50 >= 100 || draw_by_repetition(&k->at, k->length) ||
           draw_by_material(&k->at);
}

static int best_rank(const TbRootMove *moves, int count)
{
    int best = moves[0].rank;
    for (int i = 1; i < count; i++)
        best = max_int(best, moves[i].rank);
    return best;
}

/* A move that throws the result away says that the search knew less than the tables. */
static bool keeps_result(const Walk *k, Move m)
{
    TbRootMove moves[MAX_MOVES];
    int count;
    if (!tb_rank_moves(k->tb, &k->at, k->rule50, moves, &count))
        return false;
    int best = best_rank(moves, count);
    for (int i = 0; i < count; i++)
        if (moves[i].move == m)
            return moves[i].rank == best;
    return false;
}

/* Mate first; after that the fewer replies the better. */
static int freedom_after(const Position *p, Move m)
{
    Position child = *p;
    Undo undo;
    pos_make(&child, m, &undo);
    int replies = movegen_count(&child);
    return replies == 0 && pos_in_check(&child) ? -1 : replies;
}

/* The shortest way for the winner, the longest for the loser; MOVE_NONE when nobody wins, or at the
 * end. */
static Move advised(const Walk *k)
{
    TbRootMove moves[MAX_MOVES];
    int count, best = -1, best_freedom = 0;
    if (!tb_rank_moves(k->tb, &k->at, k->rule50, moves, &count))
        return MOVE_NONE;
    int rank = best_rank(moves, count);
    for (int i = 0; i < count; i++) {
        if (moves[i].rank != rank || (best >= 0 && moves[i].dtz > moves[best].dtz))
            continue;
        int freedom = freedom_after(&k->at, moves[i].move);
        if (best < 0 || moves[i].dtz < moves[best].dtz || freedom < best_freedom) {
            best = i;
            best_freedom = freedom;
        }
    }
    return moves[best].dtz ? moves[best].move : MOVE_NONE;
}

/* Takes over the part of a line that keeps the result. */
static void follow(Walk *k, const Move *line, int length, int64_t until_ms)
{
    for (int i = 0; i < length && clock_now_ms() < until_ms; i++) {
        if (!pos_is_legal(&k->at, line[i]) || (i && !keeps_result(k, line[i])))
            return;
        walk_to(k, line[i]);
        if (is_over(k))
            return;
    }
}

static bool line_to_mate(const Worker *w, const RootMove *r, int64_t patience_ms, ExtendedPv *out)
{
    const SearchOptions *o = pool_options(w->pool);
    Walk k = {.tb = o->tb, .rule50 = o->tb_rule50, .at = w->pos, .pv = out->moves};
    int64_t until_ms = clock_now_ms() + patience_ms;
    follow(&k, r->pv, r->pv_length, until_ms);
    while (k.length < MAX_PLY && !is_over(&k) && clock_now_ms() < until_ms) {
        Move m = advised(&k);
        if (m == MOVE_NONE)
            break;
        walk_to(&k, m);
    }
    out->length = k.length;
    return pos_in_check(&k.at) && !movegen_any(&k.at);
}

/* Nobody loses on time, or waits, for the sake of a longer line; 0 when there is no time at all. */
static int64_t patience_ms(const Worker *w)
{
    const TimeBudget *budget = pool_budget(w->pool);
    int64_t elapsed_ms = pool_elapsed_ms(w->pool);
    int64_t patience = pool_should_stop(w->pool) ? HASTE_MS : PATIENCE_MS;
    if (!w->last_line && (w->extending_ns / 1000000 + patience) * SHARE > elapsed_ms)
        return 0;
    if (budget->active && !pool_is_pondering(w->pool)) {
        int64_t spare_ms = (budget->hard_ms - elapsed_ms) / 4;
        patience = spare_ms < patience ? spare_ms : patience;
    }
    return patience > 0 ? patience : 0;
}

bool extend_pv(Worker *w, const RootMove *r, ExtendedPv *out)
{
    int64_t patience = patience_ms(w), begin = clock_now_ns();
    if (!patience)
        return false;
    bool mates = line_to_mate(w, r, patience, out);
    w->extending_ns += clock_now_ns() - begin;
    return mates;
}
