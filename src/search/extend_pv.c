/* PVs of tablebase wins end where the search ended. They are continued with the best moves of both
 * sides by the tablebases until the mate. */
#include "search/search_int.h"

#include "chess/draw.h"
#include "chess/movegen.h"

enum {
    LIMIT_MS = 30,        /* for one PV */
    LIMIT_STOPPED_MS = 5, /* after a stop request */
    TIME_SHARE = 16       /* at most 1/16 of the search time before the final report */
};

/* `end` is the position at the end of the PV. */
typedef struct PvExtension {
    Tablebases *tb;
    bool rule50;
    Position end;
    Move *pv;
    int length;
} PvExtension;

static void append(PvExtension *e, Move m)
{
    Undo undo;
    pos_make(&e->end, m, &undo);
    e->pv[e->length++] = m;
}

static bool is_over(const PvExtension *e)
{
    return e->end.st.rule50 >= 100 || draw_by_repetition(&e->end, e->length) ||
           draw_by_material(&e->end);
}

static int best_rank(const TbRootMove *moves, int count)
{
    int best = moves[0].rank;
    for (int i = 1; i < count; i++)
        best = max_int(best, moves[i].rank);
    return best;
}

/* Searched without tablebases, a PV may contain moves that give the result away. */
static bool keeps_result(const PvExtension *e, Move m)
{
    TbRootMove moves[MAX_MOVES];
    int count;
    if (!tb_rank_moves(e->tb, &e->end, e->rule50, moves, &count))
        return false;
    int best = best_rank(moves, count);
    for (int i = 0; i < count; i++)
        if (moves[i].move == m)
            return moves[i].rank == best;
    return false;
}

/* The replies left to the opponent; -1 after mate. */
static int replies_after(const Position *p, Move m)
{
    Position child = *p;
    Undo undo;
    pos_make(&child, m, &undo);
    int replies = movegen_count(&child);
    return replies == 0 && pos_in_check(&child) ? -1 : replies;
}

/* Smallest DTZ for the winner, largest for the loser, then the fewest replies. MOVE_NONE in draws
 * and at the end of the game. */
static Move best_tb_move(const PvExtension *e)
{
    TbRootMove moves[MAX_MOVES];
    int count, best = -1, fewest_replies = 0;
    if (!tb_rank_moves(e->tb, &e->end, e->rule50, moves, &count))
        return MOVE_NONE;
    int rank = best_rank(moves, count);
    for (int i = 0; i < count; i++) {
        if (moves[i].rank != rank || (best >= 0 && moves[i].dtz > moves[best].dtz))
            continue;
        int count_after = replies_after(&e->end, moves[i].move);
        if (best < 0 || moves[i].dtz < moves[best].dtz || count_after < fewest_replies) {
            best = i;
            fewest_replies = count_after;
        }
    }
    return moves[best].dtz ? moves[best].move : MOVE_NONE;
}

/* Appends the part of the PV that keeps the result. */
static void append_pv(PvExtension *e, const Move *line, int length, int64_t until_ms)
{
    for (int i = 0; i < length && clock_now_ms() < until_ms; i++) {
        if (!pos_is_legal(&e->end, line[i]) || (i && !keeps_result(e, line[i])))
            return;
        append(e, line[i]);
        if (is_over(e))
            return;
    }
}

static bool extend_to_mate(const SearchWorker *w, const RootMove *r, int64_t limit_ms,
                           ExtendedPv *out)
{
    const SearchOptions *o = &w->pool->options;
    PvExtension e = {.tb = o->tb, .rule50 = o->tb_rule50, .end = w->pos, .pv = out->moves};
    int64_t until_ms = clock_now_ms() + limit_ms;
    append_pv(&e, r->pv, r->pv_length, until_ms);
    while (e.length < MAX_PLY && !is_over(&e) && clock_now_ms() < until_ms) {
        Move m = best_tb_move(&e);
        if (m == MOVE_NONE)
            break;
        append(&e, m);
    }
    out->length = e.length;
    return pos_in_check(&e.end) && !movegen_any(&e.end);
}

/* The time for one PV; 0 when there is none, because the search needs it. */
static int64_t limit_ms(const SearchWorker *w)
{
    const TimeLimits *time = &w->pool->time;
    int64_t elapsed_ms = pool_elapsed_ms(w->pool);
    int64_t limit = pool_should_stop(w->pool) ? LIMIT_STOPPED_MS : LIMIT_MS;
    if (!w->final_report && (w->pv_extension_ns / 1000000 + limit) * TIME_SHARE > elapsed_ms)
        return 0;
    if (time->active && !pool_is_pondering(w->pool)) {
        int64_t spare_ms = (time->hard_ms - elapsed_ms) / 4;
        limit = spare_ms < limit ? spare_ms : limit;
    }
    return limit > 0 ? limit : 0;
}

bool extend_pv(SearchWorker *w, const RootMove *r, ExtendedPv *out)
{
    int64_t limit = limit_ms(w), begin = clock_now_ns();
    if (!limit)
        return false;
    bool mates = extend_to_mate(w, r, limit, out);
    w->pv_extension_ns += clock_now_ns() - begin;
    return mates;
}
