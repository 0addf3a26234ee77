#include "classics/chessbin/chessbin_search.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "classics/chessbin/chessbin_eval.h"

#include <string.h>

enum { CASTLING_RANK = 40, UNMOVED_RANK = 10 };

/* -- Order -- */

int chessbin_capture_rank(const Position *p, Move m)
{
    PieceType mover = piece_type(pos_piece_on(p, move_from(m)));
    PieceType victim = pos_captured_type(p, m);
    int rank = chessbin_action_value(mover);
    if (victim == NO_PIECE_TYPE)
        return rank;
    int lead = chessbin_value(victim) - chessbin_value(mover);
    return rank + chessbin_value(victim) + (lead > 0 ? lead : 0);
}

int chessbin_rank(const Position *p, Move m)
{
    PieceType mover = piece_type(pos_piece_on(p, move_from(m)));
    int rank = chessbin_capture_rank(p, m);
    if (chessbin_is_unmoved(p, move_from(m)))
        rank += UNMOVED_RANK;
    if (move_kind(m) == MOVE_CASTLING)
        rank += CASTLING_RANK;
    else if ((mover == KING || mover == ROOK) && !classic_eval_has_castled(p, p->side))
        rank -= CASTLING_RANK;
    return rank;
}

/* The whole evaluation after the move, for the side that makes it. */
static int full_rank(ChessBinSearch *s, Move m)
{
    Undo undo;
    pos_make(&s->position, m, &undo);
    int rank = -classic_eval_score(&chessbin_evaluator, &s->position, s->weights);
    pos_unmake(&s->position, m, &undo);
    return rank;
}

/* The legal moves; in the quiescence search the captures alone. */
static int ordered_moves(ChessBinSearch *s, bool captures, Move *out)
{
    int ranks[MAX_MOVES], kept = 0;
    int count = movegen(&s->position, captures ? GEN_NOISY : GEN_ALL, out);
    for (int i = 0; i < count; i++) {
        Move m = out[i];
        if (captures && !pos_is_capture(&s->position, m))
            continue;
        ranks[kept] = s->full_ordering ? full_rank(s, m)
                      : captures       ? chessbin_capture_rank(&s->position, m)
                                       : chessbin_rank(&s->position, m);
        out[kept++] = m;
    }
    movegen_sort(out, ranks, kept);
    return kept;
}

/* -- Search -- */

static void extend_line(ChessBinLine *line, Move first, const ChessBinLine *rest)
{
    int length = rest->length < CHESSBIN_LINE - 1 ? rest->length : CHESSBIN_LINE - 1;
    line->moves[0] = first;
    memcpy(line->moves + 1, rest->moves, (size_t)length * sizeof *line->moves);
    line->length = length + 1;
}

static bool count_node(ChessBinSearch *s)
{
    s->nodes++;
    return !effort_over(s->effort, s->nodes);
}

static int quiesce(ChessBinSearch *s, int alpha, int beta)
{
    Move moves[MAX_MOVES];
    if (!count_node(s))
        return 0;
    int value = classic_eval_score(&chessbin_evaluator, &s->position, s->weights);
    if (value >= beta)
        return beta;
    if (value > alpha)
        alpha = value;
    int count = ordered_moves(s, true, moves);
    for (int i = 0; i < count; i++) {
        Undo undo;
        pos_make(&s->position, moves[i], &undo);
        value = -quiesce(s, -beta, -alpha);
        pos_unmake(&s->position, moves[i], &undo);
        if (s->effort->over)
            return 0;
        if (value >= beta)
            return beta;
        if (value > alpha)
            alpha = value;
    }
    return alpha;
}

static bool is_draw(const ChessBinSearch *s)
{
    const Position *p = &s->position;
    return draw_by_repetition(p, (int)(p->ply - s->root_ply)) || draw_by_material(p) ||
           (p->st.rule50 >= 100 && (!pos_in_check(p) || movegen_any(p)));
}

static int try_moves(ChessBinSearch *s, int depth, int alpha, int beta, bool extended,
                     ChessBinLine *line)
{
    Move moves[MAX_MOVES];
    int count = ordered_moves(s, false, moves);
    if (count == 0)
        return pos_in_check(&s->position) ? -CHESSBIN_MATE - depth : 0;
    for (int i = 0; i < count; i++) {
        ChessBinLine below = {.length = 0};
        Undo undo;
        pos_make(&s->position, moves[i], &undo);
        int value = -chessbin_alphabeta(s, depth - 1, -beta, -alpha, extended, &below);
        pos_unmake(&s->position, moves[i], &undo);
        if (s->effort->over)
            return 0;
        if (value >= beta)
            return beta;
        if (value > alpha) {
            alpha = value;
            extend_line(line, moves[i], &below);
        }
    }
    return alpha;
}

/* True when the entry decides a search to that depth in that window. A mate's score counts the
 * depth that is left, so a deeper entry would give another distance. */
static bool decides(const ChessBinEntry *e, Key hash, int depth, int alpha, int beta)
{
    if (e->bound == BOUND_NONE || e->hash != hash || e->depth != depth)
        return false;
    return e->bound == BOUND_EXACT || (e->bound == BOUND_UPPER && e->score <= alpha) ||
           (e->bound == BOUND_LOWER && e->score >= beta);
}

/* A line that has used its extension is another search: its entries have a hash of their own. */
static int search_moves(ChessBinSearch *s, int depth, int alpha, int beta, bool extended,
                        ChessBinLine *line)
{
    Key hash = extended ? ~s->position.st.key : s->position.st.key;
    ChessBinEntry *e = s->table ? &s->table->at[hash % CHESSBIN_TABLE_SIZE] : NULL;
    if (e && decides(e, hash, depth, alpha, beta)) {
        e->ancient = false;
        return e->score < alpha ? alpha : e->score > beta ? beta : e->score;
    }
    int score = try_moves(s, depth, alpha, beta, extended, line);
    if (!e || s->effort->over || (e->bound != BOUND_NONE && !e->ancient))
        return score;
    *e = (ChessBinEntry){.hash = hash, .score = score, .depth = (uint8_t)depth, .ancient = true};
    e->bound = score >= beta ? BOUND_LOWER : score <= alpha ? BOUND_UPPER : BOUND_EXACT;
    return score;
}

void chessbin_end_search(ChessBinTable *t)
{
    for (int i = 0; i < CHESSBIN_TABLE_SIZE; i++)
        t->at[i].ancient = true;
}

int chessbin_alphabeta(ChessBinSearch *s, int depth, int alpha, int beta, bool extended,
                       ChessBinLine *line)
{
    line->length = 0;
    if (!count_node(s) || is_draw(s))
        return 0;
    if (depth == 0 && (extended || !pos_in_check(&s->position)))
        return quiesce(s, alpha, beta);
    if (depth == 0)
        return search_moves(s, 1, alpha, beta, true, line);
    return search_moves(s, depth, alpha, beta, extended, line);
}

/* -- The root -- */

void chessbin_list_moves(ChessBinSearch *s)
{
    Move moves[MAX_MOVES];
    int evals[MAX_MOVES], count = movegen(&s->position, GEN_ALL, moves), kept = 0;
    s->root_ply = s->position.ply;
    for (int i = 0; i < count; i++)
        if (effort_may_play(s->effort->task->limits, moves[i])) {
            evals[kept] = full_rank(s, moves[i]);
            moves[kept++] = moves[i];
        }
    movegen_sort(moves, evals, kept);
    for (int i = 0; i < kept; i++)
        s->root[i] = (ChessBinRootMove){moves[i], evals[i]};
    s->root_count = kept;
}

Move chessbin_instant_mate(ChessBinSearch *s)
{
    for (int i = 0; i < s->root_count; i++) {
        Undo undo;
        pos_make(&s->position, s->root[i].move, &undo);
        bool mate = pos_in_check(&s->position) && !movegen_any(&s->position);
        pos_unmake(&s->position, s->root[i].move, &undo);
        if (mate)
            return s->root[i].move;
    }
    return MOVE_NONE;
}

static int plies_below_root(int depth, int root_count)
{
    return depth - 1 + (root_count <= CHESSBIN_FEW_MOVES);
}

int chessbin_root(ChessBinSearch *s, int depth, ChessBinLine *line)
{
    int alpha = -CHESSBIN_INFINITE, below_root = plies_below_root(depth, s->root_count);
    line->length = 0;
    for (int i = 0; i < s->root_count; i++) {
        ChessBinLine below = {.length = 0};
        Undo undo;
        pos_make(&s->position, s->root[i].move, &undo);
        int value = -chessbin_alphabeta(s, below_root, -CHESSBIN_INFINITE, -alpha, false, &below);
        pos_unmake(&s->position, s->root[i].move, &undo);
        if (s->effort->over)
            break;
        if (value > alpha) {
            alpha = value;
            extend_line(line, s->root[i].move, &below);
        }
    }
    return alpha;
}

/* What is left of the depth gives the distance of the mate, but for the ply that a check may have
 * added: the winner mates after an odd number of plies, the loser after an even one. */
Score chessbin_score(int value, int depth, int root_count)
{
    int plies = plies_below_root(depth, root_count) + 1;
    if (value >= CHESSBIN_MATE) {
        int ply = plies - (value - CHESSBIN_MATE);
        return score_mate_in(ply | 1);
    }
    if (value <= -CHESSBIN_MATE) {
        int ply = plies - (-value - CHESSBIN_MATE);
        return score_mated_in(ply + (ply & 1));
    }
    return value;
}
