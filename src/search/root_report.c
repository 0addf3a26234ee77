/* What the search reports to its caller while it runs: PVs and the root move being searched. */
#include "search/search_int.h"

/* Failed windows and single moves are reported only after this time, to keep the output short. */
enum { DETAILS_AFTER_MS = 3000 };

bool root_report_is_due(const SearchWorker *w)
{
    return pool_elapsed_ms(w->pool) > DETAILS_AFTER_MS;
}

void root_report_move(const SearchWorker *w, Move m, int number)
{
    const SearchEvents *events = &w->pool->events;
    if (w->id == 0 && events->current_move && root_report_is_due(w))
        events->current_move(events->user, w->root_depth, m, w->pv_index + number);
}

static void report_line(SearchWorker *w, int depth, int index, bool searched)
{
    const RootMove *r = &w->root[index];
    Score score = searched ? r->shown : r->previous;
    if (w->pool->root_in_tb && !score_is_mate(score))
        score = r->tb_score;
    SearchLine line = {.depth = searched ? depth : max_int(depth - 1, 1),
                       .seldepth = max_int(r->seldepth, 1),
                       .multipv = index + 1,
                       .score = score,
                       .bound = searched ? r->bound : BOUND_EXACT,
                       .nodes = pool_nodes(w->pool),
                       .tb_hits = pool_tb_hits(w->pool),
                       .time_ms = pool_elapsed_ms(w->pool),
                       .hashfull = tt_hashfull(w->tt),
                       .pv = r->pv,
                       .pv_length = r->pv_length};
    ExtendedPv extended;
    bool tb_decides = w->pool->root_in_tb && score_is_decisive(score) && !score_is_mate(score);
    w->pv_lacks_mate = tb_decides && !extend_pv(w, r, &extended);
    if (tb_decides && !w->pv_lacks_mate) {
        line.pv = extended.moves;
        line.pv_length = extended.length;
    }
    const SearchEvents *events = &w->pool->events;
    events->line(events->user, &line);
}

void root_report(SearchWorker *w, int depth)
{
    if (!w->pool->events.line)
        return;
    int lines = min_int(w->pool->options.multi_pv, w->root_count);
    for (int i = 0; i < lines; i++) {
        bool searched = w->root[i].score != -SCORE_INFINITE;
        if (searched || (depth > 1 && w->root[i].previous != -SCORE_INFINITE))
            report_line(w, depth, i, searched);
    }
}
