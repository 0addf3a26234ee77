/* History updates: the move that fails high gets a bonus, the moves searched before it a malus. */
#include "search/search_int.h"

#include <string.h>

/* The earlier plies that continuation history is kept for, and their share of a bonus in 1024ths.
 * */
static const struct {
    int plies, share;
} continuation_plies[] = {{1, 1024}, {2, 700}, {4, 500}, {6, 250}};
enum { CONTINUATION_PLIES = sizeof continuation_plies / sizeof continuation_plies[0] };

void history_clear(Histories *h)
{
    memset(h, 0, sizeof *h);
}

static int bonus_for(const SearchWorker *w, int depth)
{
    return min_int(param(w, bonus_slope) * depth - param(w, bonus_base), param(w, bonus_max));
}

static int malus_for(const SearchWorker *w, int depth)
{
    return min_int(param(w, malus_slope) * depth - param(w, malus_base), param(w, malus_max));
}

void continuation_history_update(const SearchStack *ss, Piece piece, Square to, int bonus)
{
    for (int i = 0; i < CONTINUATION_PLIES; i++) {
        const SearchStack *before = ss - continuation_plies[i].plies;
        if (ss->in_check && continuation_plies[i].plies > 2)
            break; /* in check, only the last moves matter for the reply */
        if (!move_is_none(before->move))
            history_add(&before->continuation_history->score[piece][to],
                        bonus * continuation_plies[i].share / 1024, HISTORY_MAX);
    }
}

int quiet_history(SearchWorker *w, const SearchNode *n, Move m)
{
    Piece piece = w->pos.board[move_from(m)];
    Square to = move_to(m);
    const SearchStack *ss = n->ss;
    return 2 * *butterfly_history(w->history, w->pos.side, n->threats, m) +
           *pawn_history(w->history, &w->pos, m) +
           (ss - 1)->continuation_history->score[piece][to] +
           (ss - 2)->continuation_history->score[piece][to] +
           (ss - 4)->continuation_history->score[piece][to] / 2 +
           (ss - 6)->continuation_history->score[piece][to] / 4;
}

static void quiet_histories_update(SearchWorker *w, const SearchNode *n, Move m, int bonus)
{
    history_add(butterfly_history(w->history, w->pos.side, n->threats, m), bonus, HISTORY_MAX);
    history_add(pawn_history(w->history, &w->pos, m), bonus, HISTORY_MAX);
    continuation_history_update(n->ss, w->pos.board[move_from(m)], move_to(m), bonus);
}

static void capture_history_update(SearchWorker *w, Move m, int bonus)
{
    history_add(capture_history(w->history, &w->pos, m), bonus, HISTORY_MAX);
}

void history_update(SearchWorker *w, SearchNode *n)
{
    int bonus = bonus_for(w, n->depth + (n->best_score > n->beta + 60));
    int malus = malus_for(w, n->depth);
    if (move_is_noisy(&w->pos, n->best_move)) {
        capture_history_update(w, n->best_move, bonus);
    } else {
        n->ss->killer = n->best_move;
        quiet_histories_update(w, n, n->best_move, bonus);
        for (int i = 0; i < n->quiets.count; i++)
            quiet_histories_update(w, n, n->quiets.moves[i], -malus);
    }
    for (int i = 0; i < n->noisies.count; i++)
        capture_history_update(w, n->noisies.moves[i], -malus);
}

void history_update_tt_cutoff(SearchWorker *w, SearchNode *n)
{
    if (!n->tt.move || n->tt.score < n->beta || n->tt_move_noisy)
        return;
    node_find_threats(w, n);
    quiet_histories_update(w, n, n->tt.move, bonus_for(w, n->depth));
}
