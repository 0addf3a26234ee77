/* Correction history: by how much search scores differed from the static evaluation in positions
 * that share a feature (pawn structure, minor pieces, the pieces of one side, the last two moves).
 * */
#include "search/search_int.h"

static int16_t *entry(int16_t table[CORRECTION_SIZE], Key key)
{
    return &table[key % CORRECTION_SIZE];
}

/* Continuation correction history, by the last two moves; NULL when there are not two. */
static int16_t *continuation_correction_entry(SearchWorker *w, const SearchNode *n)
{
    const SearchStack *last = n->ss - 1, *before = n->ss - 2;
    if (move_is_none(last->move) || move_is_none(before->move))
        return NULL;
    Square to = move_to(last->move);
    Piece piece = w->pos.board[to];
    return piece == NO_PIECE ? NULL : &before->continuation_correction->score[piece][to];
}

static int correction_value(SearchWorker *w, const SearchNode *n)
{
    Histories *h = w->history;
    const PositionState *st = &w->pos.st;
    Color us = w->pos.side;
    int16_t *continuation = continuation_correction_entry(w, n);
    int sum = param(w, correction_pawn) * *entry(h->pawn_correction[us], st->pawn_key) +
              param(w, correction_minor) * *entry(h->minor_correction[us], st->minor_key) +
              param(w, correction_nonpawn) *
                  (*entry(h->nonpawn_correction[us][WHITE], st->nonpawn_key[WHITE]) +
                   *entry(h->nonpawn_correction[us][BLACK], st->nonpawn_key[BLACK])) +
              (continuation ? param(w, correction_continuation) * *continuation : 0);
    return sum / (CORRECTION_GRAIN * 16);
}

Score correction_history_apply(SearchWorker *w, const SearchNode *n, Score raw)
{
    int scaled =
        raw * (200 - min_int(w->pos.st.rule50, 100)) / 200; /* no progress: towards a draw */
    return clamp_int(scaled + correction_value(w, n), -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

/* Not in check, not when the best move is noisy, not from a bound on the wrong side. */
static bool result_corrects_eval(const SearchWorker *w, const SearchNode *n)
{
    if (n->in_check || n->excluded || score_is_decisive(n->best_score))
        return false;
    if (n->best_move && move_is_noisy(&w->pos, n->best_move))
        return false;
    if (n->best_score >= n->beta && n->best_score <= n->ss->static_eval)
        return false;
    return n->best_score > n->original_alpha || n->best_score < n->ss->static_eval;
}

void correction_history_update(SearchWorker *w, const SearchNode *n)
{
    if (!result_corrects_eval(w, n))
        return;
    Histories *h = w->history;
    const PositionState *st = &w->pos.st;
    Color us = w->pos.side;
    int bonus = clamp_int((n->best_score - n->ss->static_eval) * n->depth / 8, -CORRECTION_MAX / 4,
                          CORRECTION_MAX / 4);
    history_add(entry(h->pawn_correction[us], st->pawn_key), bonus, CORRECTION_MAX);
    history_add(entry(h->minor_correction[us], st->minor_key), bonus, CORRECTION_MAX);
    for (int c = 0; c < COLOR_COUNT; c++)
        history_add(entry(h->nonpawn_correction[us][c], st->nonpawn_key[c]), bonus, CORRECTION_MAX);
    int16_t *continuation = continuation_correction_entry(w, n);
    if (continuation)
        history_add(continuation, bonus, CORRECTION_MAX);
}
