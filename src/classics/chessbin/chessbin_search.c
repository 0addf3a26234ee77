#include "classics/chessbin/chessbin_search.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "classics/chessbin/chessbin_eval.h"

#include <string.h>

enum { CASTLING_RANK = 40, UNMOVED_RANK = 10 };

typedef struct Ranked {
    Move move;
    int rank;
} Ranked;

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

/* Highest first; equals stay as they were generated. */
static void sort(Ranked *list, int count)
{
    for (int i = 1; i < count; i++) {
        Ranked r = list[i];
        int k = i;
        for (; k > 0 && list[k - 1].rank < r.rank; k--)
            list[k] = list[k - 1];
        list[k] = r;
    }
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

static int ordered_moves(ChessBinSearch *s, Ranked *out)
{
    Move moves[MAX_MOVES];
    int count = movegen(&s->position, GEN_ALL, moves);
    for (int i = 0; i < count; i++) {
        int rank =
            s->full_ordering ? full_rank(s, moves[i]) : chessbin_rank(&s->position, moves[i]);
        out[i] = (Ranked){moves[i], rank};
    }
    sort(out, count);
    return count;
}

static int ordered_captures(ChessBinSearch *s, Ranked *out)
{
    Move moves[MAX_MOVES];
    int count = movegen(&s->position, GEN_NOISY, moves), kept = 0;
    for (int i = 0; i < count; i++) {
        if (!pos_is_capture(&s->position, moves[i]))
            continue;
        int rank = s->full_ordering ? full_rank(s, moves[i])
                                    : chessbin_capture_rank(&s->position, moves[i]);
        out[kept++] = (Ranked){moves[i], rank};
    }
    sort(out, kept);
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
    Ranked moves[MAX_MOVES];
    if (!count_node(s))
        return 0;
    int value = classic_eval_score(&chessbin_evaluator, &s->position, s->weights);
    if (value >= beta)
        return beta;
    if (value > alpha)
        alpha = value;
    int count = ordered_captures(s, moves);
    for (int i = 0; i < count; i++) {
        Undo undo;
        pos_make(&s->position, moves[i].move, &undo);
        value = -quiesce(s, -beta, -alpha);
        pos_unmake(&s->position, moves[i].move, &undo);
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
    Ranked moves[MAX_MOVES];
    int count = ordered_moves(s, moves);
    if (count == 0)
        return pos_in_check(&s->position) ? -CHESSBIN_MATE - depth : 0;
    for (int i = 0; i < count; i++) {
        ChessBinLine below = {.length = 0};
        Undo undo;
        pos_make(&s->position, moves[i].move, &undo);
        int value = -chessbin_alphabeta(s, depth - 1, -beta, -alpha, extended, &below);
        pos_unmake(&s->position, moves[i].move, &undo);
        if (s->effort->over)
            return 0;
        if (value >= beta)
            return beta;
        if (value > alpha) {
            alpha = value;
            extend_line(line, moves[i].move, &below);
        }
    }
    return alpha;
}

/* A line that has used its extension is another search: its entries have a hash of their own. */
static Key table_hash(const ChessBinSearch *s, bool extended)
{
    return extended ? ~s->position.st.key : s->position.st.key;
}

static int search_moves(ChessBinSearch *s, int depth, int alpha, int beta, bool extended,
                        ChessBinLine *line)
{
    Key hash = table_hash(s, extended);
    int score;
    if (s->table && chessbin_table_find(s->table, hash, depth, alpha, beta, &score))
        return score < alpha ? alpha : score > beta ? beta : score;
    score = try_moves(s, depth, alpha, beta, extended, line);
    if (s->table && !s->effort->over)
        chessbin_table_store(s->table, hash, depth, score,
                             score >= beta    ? CHESSBIN_BETA
                             : score <= alpha ? CHESSBIN_ALPHA
                                              : CHESSBIN_EXACT);
    return score;
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

static bool may_play(const SearchLimits *l, Move m)
{
    for (int i = 0; i < l->only_count; i++)
        if (l->only[i] == m)
            return true;
    return l->only_count == 0;
}

void chessbin_list_moves(ChessBinSearch *s)
{
    Move moves[MAX_MOVES];
    Ranked seen[MAX_MOVES];
    int count = movegen(&s->position, GEN_ALL, moves), kept = 0;
    s->root_ply = s->position.ply;
    for (int i = 0; i < count; i++)
        if (may_play(s->effort->task->limits, moves[i]))
            seen[kept++] = (Ranked){moves[i], full_rank(s, moves[i])};
    sort(seen, kept);
    for (int i = 0; i < kept; i++)
        s->root[i] = (ChessBinRootMove){seen[i].move, seen[i].rank};
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
