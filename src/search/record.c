/* What a cutoff teaches: the move that made it is rewarded, those tried before it are punished. */
#include "search/search_int.h"

/* Plies whose move the continuation histories look back at, and their share of a bonus in 1024ths. */
static const struct {
    int plies, share;
} reply_plies[] = {{1, 1024}, {2, 700}, {4, 500}, {6, 250}};
enum { REPLY_PLIES = sizeof reply_plies / sizeof reply_plies[0] };

static int bonus_for(const Worker *w, int depth)
{
    return min_int(param(w, bonus_slope) * depth - param(w, bonus_base), param(w, bonus_max));
}

static int malus_for(const Worker *w, int depth)
{
    return min_int(param(w, malus_slope) * depth - param(w, malus_base), param(w, malus_max));
}

void record_reply(const Ply *at, Piece piece, Square to, int bonus)
{
    for (int i = 0; i < REPLY_PLIES; i++) {
        const Ply *before = at - reply_plies[i].plies;
        if (at->in_check && reply_plies[i].plies > 2)
            break; /* far moves say little about how to meet a check */
        if (!move_is_none(before->move))
            history_push(&before->reply->score[piece][to], bonus * reply_plies[i].share / 1024,
                         HISTORY_MAX);
    }
}

int quiet_history(Worker *w, const Node *n, Move m)
{
    Piece piece = w->pos.board[move_from(m)];
    Square to = move_to(m);
    const Ply *at = n->at;
    return 2 * *history_quiet(w->history, w->pos.side, n->threats, m) +
           *history_pawn(w->history, &w->pos, m) + (at - 1)->reply->score[piece][to] +
           (at - 2)->reply->score[piece][to] + (at - 4)->reply->score[piece][to] / 2 +
           (at - 6)->reply->score[piece][to] / 4;
}

static void record_quiet(Worker *w, const Node *n, Move m, int bonus)
{
    history_push(history_quiet(w->history, w->pos.side, n->threats, m), bonus, HISTORY_MAX);
    history_push(history_pawn(w->history, &w->pos, m), bonus, HISTORY_MAX);
    record_reply(n->at, w->pos.board[move_from(m)], move_to(m), bonus);
}

static void record_noisy(Worker *w, Move m, int bonus)
{
    history_push(history_noisy(w->history, &w->pos, m), bonus, HISTORY_MAX);
}

void record_cutoff(Worker *w, Node *n)
{
    int bonus = bonus_for(w, n->depth + (n->best > n->beta + 60)), malus = malus_for(w, n->depth);
    if (move_is_noisy(&w->pos, n->best_move)) {
        record_noisy(w, n->best_move, bonus);
    } else {
        n->at->killer = n->best_move;
        record_quiet(w, n, n->best_move, bonus);
        for (int i = 0; i < n->quiets.count; i++)
            record_quiet(w, n, n->quiets.moves[i], -malus);
    }
    for (int i = 0; i < n->noisies.count; i++)
        record_noisy(w, n->noisies.moves[i], -malus);
}

void record_table_cutoff(Worker *w, const Node *n)
{
    if (n->tt.move && n->tt.score >= n->beta && !n->tt_noisy)
        record_quiet(w, n, n->tt.move, bonus_for(w, n->depth));
}
