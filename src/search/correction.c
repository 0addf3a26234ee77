/* Correction histories: how far searches have found the static evaluation to be off in positions that share a
 * feature (pawn structure, minor pieces, the pieces of one side, the last two moves). */
#include "search/search_int.h"

static int16_t *slot(int16_t table[CORRECTION_SIZE], Key key)
{
    return &table[key % CORRECTION_SIZE];
}

/* The entry for the last move, seen from the one before it; NULL when there are no two. */
static int16_t *reply_slot(Worker *w, const Node *n)
{
    const Ply *last = n->at - 1, *before = n->at - 2;
    if (move_is_none(last->move) || move_is_none(before->move))
        return NULL;
    Square to = move_to(last->move);
    Piece piece = w->pos.board[to];
    return piece == NO_PIECE ? NULL : &before->correct->score[piece][to];
}

int correction_of(Worker *w, const Node *n)
{
    Histories *h = w->history;
    const PositionState *st = &w->pos.st;
    Color us = w->pos.side;
    int16_t *reply = reply_slot(w, n);
    int sum = param(w, correction_pawn) * *slot(h->correct_pawn[us], st->pawn_key) +
              param(w, correction_minor) * *slot(h->correct_minor[us], st->minor_key) +
              param(w, correction_nonpawn) *
                  (*slot(h->correct_nonpawn[us][WHITE], st->nonpawn_key[WHITE]) +
                   *slot(h->correct_nonpawn[us][BLACK], st->nonpawn_key[BLACK])) +
              (reply ? param(w, correction_continuation) * *reply : 0);
    return sum / (CORRECTION_GRAIN * 16);
}

Score correction_apply(Worker *w, const Node *n, Score raw)
{
    int scaled = raw * (200 - min_int(w->pos.st.rule50, 100)) / 200; /* shuffling wins nothing */
    return clamp_int(scaled + correction_of(w, n), -SCORE_EVAL_MAX, SCORE_EVAL_MAX);
}

/* Only quiet results that the bound really proves say something about the evaluation. */
static bool teaches(const Worker *w, const Node *n)
{
    if (n->in_check || n->excluded || score_is_decisive(n->best))
        return false;
    if (n->best_move && move_is_noisy(&w->pos, n->best_move))
        return false;
    if (n->best >= n->beta && n->best <= n->at->eval)
        return false;
    return n->best > n->alpha_at_start || n->best < n->at->eval;
}

void correction_learn(Worker *w, const Node *n)
{
    if (!teaches(w, n))
        return;
    Histories *h = w->history;
    const PositionState *st = &w->pos.st;
    Color us = w->pos.side;
    int bonus =
        clamp_int((n->best - n->at->eval) * n->depth / 8, -CORRECTION_MAX / 4, CORRECTION_MAX / 4);
    history_push(slot(h->correct_pawn[us], st->pawn_key), bonus, CORRECTION_MAX);
    history_push(slot(h->correct_minor[us], st->minor_key), bonus, CORRECTION_MAX);
    for (int c = 0; c < COLOR_COUNT; c++)
        history_push(slot(h->correct_nonpawn[us][c], st->nonpawn_key[c]), bonus, CORRECTION_MAX);
    int16_t *reply = reply_slot(w, n);
    if (reply)
        history_push(reply, bonus, CORRECTION_MAX);
}
