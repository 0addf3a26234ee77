#include "search/picker.h"

#include "chess/movegen.h"
#include "chess/see.h"

static void init_common(Picker *p, Worker *w, const Node *n)
{
    p->w = w;
    p->n = n;
    p->stage = PICK_TABLE;
    p->table_move = n->tt.move;
    p->killer = MOVE_NONE;
    p->skip_quiets = p->noisy_only = false;
    p->see_threshold = 0;
    p->at = p->end = p->bad_end = 0;
}

void picker_init(Picker *p, Worker *w, const Node *n)
{
    init_common(p, w, n);
    p->killer = n->at->killer;
}

void picker_init_quiescence(Picker *p, Worker *w, const Node *n)
{
    init_common(p, w, n);
    p->noisy_only = !n->in_check;
    p->see_threshold = -param(w, qs_see);
    if (p->noisy_only && p->table_move && !move_is_noisy(&w->pos, p->table_move))
        p->table_move = MOVE_NONE;
}

void picker_init_probcut(Picker *p, Worker *w, const Node *n, int threshold)
{
    init_common(p, w, n);
    p->noisy_only = true;
    p->see_threshold = threshold;
    if (p->table_move && (!move_is_noisy(&w->pos, p->table_move) ||
                          !see_at_least(&w->pos, p->table_move, threshold)))
        p->table_move = MOVE_NONE;
}

static void score_noisy(Picker *p)
{
    const Position *pos = &p->w->pos;
    for (int i = p->at; i < p->end; i++) {
        Move m = p->moves[i];
        int victim = see_value[pos_captured_type(pos, m)];
        if (move_is_promotion(m)) /* a queen, or else as late as can be */
            victim += move_promotion(m) == QUEEN ? see_value[QUEEN] : -see_value[QUEEN];
        p->scores[i] = 16 * victim + *history_noisy(p->w->history, pos, m);
    }
}

/* A piece attacked by a cheaper one wants to leave, and should not step onto such a square. */
static void threats_by_cheaper(const Position *pos, Bitboard danger[PIECE_TYPE_COUNT])
{
    Color them = color_other(pos->side);
    Bitboard by_pawn = pos_attacks_by(pos, them, PAWN);
    Bitboard by_minor =
        by_pawn | pos_attacks_by(pos, them, KNIGHT) | pos_attacks_by(pos, them, BISHOP);
    danger[PAWN] = danger[KING] = 0;
    danger[KNIGHT] = danger[BISHOP] = by_pawn;
    danger[ROOK] = by_minor;
    danger[QUEEN] = by_minor | pos_attacks_by(pos, them, ROOK);
}

static void score_quiets(Picker *p)
{
    static const int worth[PIECE_TYPE_COUNT] = {
        [KNIGHT] = 8000, [BISHOP] = 8000, [ROOK] = 13000, [QUEEN] = 18000};
    const Position *pos = &p->w->pos;
    Bitboard danger[PIECE_TYPE_COUNT];
    threats_by_cheaper(pos, danger);
    for (int i = p->at; i < p->end; i++) {
        Move m = p->moves[i];
        PieceType t = piece_type(pos->board[move_from(m)]);
        int score = quiet_history(p->w, p->n, m);
        if (danger[t] & bb_of(move_from(m)))
            score += worth[t];
        if (danger[t] & bb_of(move_to(m)))
            score -= worth[t];
        p->scores[i] = score;
    }
}

/* Brings the best of the rest to the front: most lists are left before they would be sorted. */
static Move pick_best(Picker *p)
{
    int best = p->at;
    for (int i = p->at + 1; i < p->end; i++)
        if (p->scores[i] > p->scores[best])
            best = i;
    Move m = p->moves[best];
    int score = p->scores[best];
    p->moves[best] = p->moves[p->at];
    p->scores[best] = p->scores[p->at];
    p->moves[p->at] = m;
    p->scores[p->at++] = score;
    return m;
}

/* The next capture that the exchange evaluation likes; the others are put aside. */
static Move pick_good_noisy(Picker *p)
{
    while (p->at < p->end) {
        Move m = pick_best(p);
        if (m == p->table_move)
            continue;
        int threshold = p->noisy_only ? p->see_threshold : -p->scores[p->at - 1] / 32;
        if (see_at_least(&p->w->pos, m, threshold))
            return m;
        p->moves[p->bad_end++] = m;
    }
    return MOVE_NONE;
}

static Move pick_quiet(Picker *p)
{
    while (!p->skip_quiets && p->at < p->end) {
        Move m = pick_best(p);
        if (m != p->table_move && m != p->killer)
            return m;
    }
    return MOVE_NONE;
}

static bool killer_fits(const Picker *p)
{
    return p->killer && p->killer != p->table_move && !p->skip_quiets &&
           !move_is_noisy(&p->w->pos, p->killer) && pos_is_legal(&p->w->pos, p->killer);
}

static void gen_noisy(Picker *p)
{
    p->end = movegen(&p->w->pos, GEN_NOISY, p->moves);
    score_noisy(p);
}

/* Quiet moves go behind the bad captures that wait at the front. */
static void gen_quiets(Picker *p)
{
    p->at = p->bad_end;
    p->end = p->at;
    if (p->skip_quiets)
        return;
    p->end += movegen(&p->w->pos, GEN_QUIET, p->moves + p->at);
    score_quiets(p);
}

static Move pick_at_stage(Picker *p)
{
    switch (p->stage) {
    case PICK_TABLE:
        return p->table_move;
    case PICK_GEN_NOISY:
        gen_noisy(p);
        return MOVE_NONE;
    case PICK_GOOD_NOISY:
        return pick_good_noisy(p);
    case PICK_KILLER:
        if (!killer_fits(p))
            p->killer = MOVE_NONE;
        return p->killer;
    case PICK_GEN_QUIET:
        gen_quiets(p);
        return MOVE_NONE;
    case PICK_QUIET:
        return pick_quiet(p);
    default:
        return p->at < p->bad_end ? p->moves[p->at++] : MOVE_NONE;
    }
}

/* Stages that give one move or none; the others are asked again until they are empty. */
static bool stage_is_single(PickStage s)
{
    return s == PICK_TABLE || s == PICK_GEN_NOISY || s == PICK_KILLER || s == PICK_GEN_QUIET;
}

static void next_stage(Picker *p)
{
    p->stage++;
    if (p->stage == PICK_KILLER && p->noisy_only)
        p->stage = PICK_END;
    if (p->stage == PICK_BAD_NOISY)
        p->at = 0;
}

Move picker_next(Picker *p)
{
    while (p->stage != PICK_END) {
        bool single = stage_is_single(p->stage);
        Move m = pick_at_stage(p);
        if (single || !m)
            next_stage(p);
        if (m)
            return m;
    }
    return MOVE_NONE;
}
