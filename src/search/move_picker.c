#include "search/move_picker.h"

#include "chess/movegen.h"
#include "chess/see.h"

static void init_common(MovePicker *p, SearchWorker *w, const SearchNode *n)
{
    p->w = w;
    p->n = n;
    p->stage = PICK_TT_MOVE;
    p->tt_move = n->tt.move;
    p->killer = MOVE_NONE;
    p->skip_quiets = p->noisy_only = false;
    p->see_threshold = 0;
    p->at = p->end = p->bad_end = 0;
}

void move_picker_init(MovePicker *p, SearchWorker *w, const SearchNode *n)
{
    init_common(p, w, n);
    p->killer = n->ss->killer;
}

void move_picker_init_qsearch(MovePicker *p, SearchWorker *w, const SearchNode *n)
{
    init_common(p, w, n);
    p->noisy_only = !n->in_check;
    p->see_threshold = -param(w, qs_see);
    if (p->noisy_only && p->tt_move && !move_is_noisy(&w->pos, p->tt_move))
        p->tt_move = MOVE_NONE;
}

void move_picker_init_probcut(MovePicker *p, SearchWorker *w, const SearchNode *n, int threshold)
{
    init_common(p, w, n);
    p->noisy_only = true;
    p->see_threshold = threshold;
    if (p->tt_move &&
        (!move_is_noisy(&w->pos, p->tt_move) || !see_at_least(&w->pos, p->tt_move, threshold)))
        p->tt_move = MOVE_NONE;
}

static void score_noisy(MovePicker *p)
{
    const Position *pos = &p->w->pos;
    for (int i = p->at; i < p->end; i++) {
        Move m = p->moves[i];
        int victim = see_value[pos_captured_type(pos, m)];
        if (move_is_promotion(m)) /* underpromotions come last */
            victim += move_promotion(m) == QUEEN ? see_value[QUEEN] : -see_value[QUEEN];
        p->scores[i] = 16 * victim + *capture_history(p->w->history, pos, m);
    }
}

/* Squares where a piece of each type is attacked by a less valuable one: leaving them gets a bonus,
 * moving there a malus. */
static void threats_by_lesser(const Position *pos, Bitboard threats[PIECE_TYPE_COUNT])
{
    Color them = color_other(pos->side);
    Bitboard by_pawn = pos_attacks_by(pos, them, PAWN);
    Bitboard by_minor =
        by_pawn | pos_attacks_by(pos, them, KNIGHT) | pos_attacks_by(pos, them, BISHOP);
    threats[PAWN] = threats[KING] = 0;
    threats[KNIGHT] = threats[BISHOP] = by_pawn;
    threats[ROOK] = by_minor;
    threats[QUEEN] = by_minor | pos_attacks_by(pos, them, ROOK);
}

static void score_quiets(MovePicker *p)
{
    static const int escape_bonus[PIECE_TYPE_COUNT] = {
        [KNIGHT] = 8000, [BISHOP] = 8000, [ROOK] = 13000, [QUEEN] = 18000};
    const Position *pos = &p->w->pos;
    Bitboard threats[PIECE_TYPE_COUNT];
    threats_by_lesser(pos, threats);
    for (int i = p->at; i < p->end; i++) {
        Move m = p->moves[i];
        PieceType t = piece_type(pos->board[move_from(m)]);
        int score = quiet_history(p->w, p->n, m);
        if (threats[t] & bb_of(move_from(m)))
            score += escape_bonus[t];
        if (threats[t] & bb_of(move_to(m)))
            score -= escape_bonus[t];
        p->scores[i] = score;
    }
}

/* One step of a selection sort: most lists are left before all moves are picked. */
static Move pick_best(MovePicker *p)
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

/* The next capture above the SEE threshold; the others become bad captures. */
static Move pick_good_noisy(MovePicker *p)
{
    while (p->at < p->end) {
        Move m = pick_best(p);
        if (m == p->tt_move)
            continue;
        int threshold = p->noisy_only ? p->see_threshold : -p->scores[p->at - 1] / 32;
        if (see_at_least(&p->w->pos, m, threshold))
            return m;
        p->moves[p->bad_end++] = m;
    }
    return MOVE_NONE;
}

static Move pick_quiet(MovePicker *p)
{
    while (!p->skip_quiets && p->at < p->end) {
        Move m = pick_best(p);
        if (m != p->tt_move && m != p->killer)
            return m;
    }
    return MOVE_NONE;
}

static bool killer_is_playable(const MovePicker *p)
{
    return p->killer && p->killer != p->tt_move && !p->skip_quiets &&
           !move_is_noisy(&p->w->pos, p->killer) && pos_is_legal(&p->w->pos, p->killer);
}

static void gen_noisy(MovePicker *p)
{
    p->end = movegen(&p->w->pos, GEN_NOISY, p->moves);
    score_noisy(p);
}

/* Quiet moves are stored after the bad captures. */
static void gen_quiets(MovePicker *p)
{
    p->at = p->bad_end;
    p->end = p->at;
    if (p->skip_quiets)
        return;
    p->end += movegen(&p->w->pos, GEN_QUIET, p->moves + p->at);
    score_quiets(p);
}

static Move pick_at_stage(MovePicker *p)
{
    switch (p->stage) {
    case PICK_TT_MOVE:
        return p->tt_move;
    case PICK_GEN_NOISY:
        gen_noisy(p);
        return MOVE_NONE;
    case PICK_GOOD_NOISY:
        return pick_good_noisy(p);
    case PICK_KILLER:
        if (!killer_is_playable(p))
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

/* Stages with at most one move; the others repeat until they have no move left. */
static bool stage_is_single(PickStage s)
{
    return s == PICK_TT_MOVE || s == PICK_GEN_NOISY || s == PICK_KILLER || s == PICK_GEN_QUIET;
}

static void next_stage(MovePicker *p)
{
    p->stage++;
    if (p->stage == PICK_KILLER && p->noisy_only)
        p->stage = PICK_END;
    if (p->stage == PICK_BAD_NOISY)
        p->at = 0;
}

Move move_picker_next(MovePicker *p)
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
