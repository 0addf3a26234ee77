/* Passed pawns, and the rule of the square: against a bare king and pawns a passed pawn runs when
 * the king cannot reach the queening square in time. */
#include "study/review_int.h"

static const double DECIDED = 0.7; /* chances: the pawn that runs wins the game */

Bitboard pawns_passed(const Position *p, Color side)
{
    Color other = color_other(side);
    Bitboard mine = pos_pieces(p, side, PAWN);
    Bitboard theirs = bb_front_fill(other, pos_pieces(p, other, PAWN));
    Bitboard stopped = theirs | bb_east(theirs) | bb_west(theirs);
    return mine & ~stopped & ~bb_front_fill(other, mine);
}

static bool outruns_king(const Position *p, Square pawn, Color side)
{
    enum { LAST_RANK = 7, SECOND_RANK = 1 };
    int rank = square_relative_rank(side, pawn);
    int steps = LAST_RANK - rank - (rank == SECOND_RANK);
    Square goal = square_relative(side, square_make(square_file(pawn), LAST_RANK));
    bool free = !(bb_between(pawn, goal) & pos_occupied(p)) && p->board[goal] == NO_PIECE;
    Color victim = color_other(side);
    return free && square_distance(pos_king(p, victim), goal) > steps + (p->side == victim);
}

Square pawns_find_runner(const Position *p, Color side)
{
    Bitboard pawns = pawns_passed(p, side);
    if (pos_has_pieces(p, color_other(side)))
        return SQ_NONE;
    while (pawns) {
        Square s = bb_pop(&pawns);
        if (outruns_king(p, s, side))
            return s;
    }
    return SQ_NONE;
}

/* After the first move of the line there is such a pawn, and with the other choice there is none.
 */
ReviewReason pawns_find_run(const ReasonView *v)
{
    const Mistake *m = v->mistake;
    Position after = *v->from;
    Color side = after.side;
    bool decided = v->missed ? m->best_chance >= DECIDED : m->played_chance <= -DECIDED;
    ReviewReason out = reason_of(REASON_NONE, 0);
    if (!decided || !v->line->length)
        return out;
    line_play(&after, v->line, 1);
    Square pawn = pawns_find_runner(&after, side);
    if (pawn != SQ_NONE && pawns_find_runner(v->missed ? m->after : m->before, side) == SQ_NONE)
        reason_claim(&out, v->missed ? REASON_MISSES_RUN : REASON_ALLOWS_RUN, PAWN, pawn, 1);
    return out;
}
