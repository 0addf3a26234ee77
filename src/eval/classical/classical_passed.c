/* Passed pawns: blockers, king distances, rooks behind them, and the rule of the square. */
#include "eval/classical/classical_int.h"

static inline int capped_distance(Square a, Square b)
{
    int d = square_distance(a, b);
    return d < 5 ? d : 5;
}

/* The rule of the square: no enemy piece is left and the enemy king comes too late. A pawn on its
 * initial square saves a step; an own piece in front costs one. */
static inline bool unstoppable(const EvalInfo *s, Color us, Square sq, Bitboard ahead)
{
    const Position *p = s->p;
    Color them = color_other(us);
    if (pos_has_pieces(p, them) || ahead & p->by_color[them])
        return false;
    Square goal = square_relative(us, square_make(square_file(sq), 7));
    int rank = square_relative_rank(us, sq);
    int steps = 7 - (rank == 1 ? 2 : rank);
    if (ahead & p->by_color[us])
        steps++;
    if (p->side == them)
        steps++;
    return steps < square_distance(s->king[them], goal);
}

/* Rooks behind passed pawns, own and enemy. */
static inline Packed rook_behind(const EvalInfo *s, Color us, Square sq)
{
    const Position *p = s->p;
    Color them = color_other(us);
    Bitboard behind = bb_front_fill(them, bb_of(sq)) & p->by_type[ROOK];
    if (behind == 0 || (behind &= attacks_rook(sq, s->occupied)) == 0)
        return 0;
    return behind & p->by_color[us] ? w->passed_rook_behind : w->passed_rook_against;
}

static inline Packed one_passed(const EvalInfo *s, Color us, Square sq)
{
    Color them = color_other(us);
    int rank = square_relative_rank(us, sq);
    Bitboard ahead = bb_front_fill(us, bb_of(sq));
    Bitboard step = bb_forward(us, bb_of(sq));
    Square stop = bb_first(step);

    Packed v = w->passed_own_king[rank] * capped_distance(s->king[us], stop) +
               w->passed_enemy_king[rank] * capped_distance(s->king[them], stop);
    v += rook_behind(s, us, sq);
    if (step & s->p->by_color[them])
        v += w->passed_blocked[rank];
    else if ((step & s->attacked[them]) == 0 || step & s->attacked[us])
        v += w->passed_safe_step[rank];
    if ((ahead & (s->attacked[them] | s->p->by_color[them])) == 0)
        v += w->passed_safe_path[rank];
    if (unstoppable(s, us, sq, ahead))
        v += w->passed_unstoppable;
    return v;
}

void classical_passed(EvalInfo *s, Color us)
{
    Packed v = 0;
    for (Bitboard b = s->pawns->passed[us]; b;)
        v += one_passed(s, us, bb_pop(&b));
    s->term[TERM_PASSED][us] = v;
}
