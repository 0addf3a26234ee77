/* How winnable an advantage is (by the pawns left), and the endgame scale factor. */
#include "eval/classical/classical_int.h"
#include "eval/endgame.h"

int classical_winnable(const EvalInfo *s, int eg)
{
    const Position *p = s->p;
    Bitboard pawns = p->by_type[PAWN];
    Bitboard queen_wing = FILE_A_BB | FILE_A_BB << 1 | FILE_A_BB << 2 | FILE_A_BB << 3;
    Bitboard pieces = pos_occupied(p) & ~pawns & ~p->by_type[KING];

    int sum = w->winnable_base + w->winnable_pawn * bb_count(pawns);
    sum += w->winnable_passed * bb_count(s->pawns->passed[WHITE] | s->pawns->passed[BLACK]);
    if (pawns & queen_wing && pawns & ~queen_wing)
        sum += w->winnable_both_wings;
    if (pieces == 0)
        sum += w->winnable_pawn_ending;
    if (eg > 0)
        return eg + (sum > -eg ? sum : -eg);
    if (eg < 0)
        return eg - (sum > eg ? sum : eg);
    return 0;
}

int classical_scale(const EvalInfo *s, Color strong)
{
    const Position *p = s->p;
    int known;
    if (endgame_scale_factor(p, strong, &known))
        return known;

    int scale = w->scale_base + w->scale_pawn * bb_count(pos_pieces(p, strong, PAWN));
    if (endgame_opposite_bishops(p)) {
        Bitboard others = pos_occupied(p) & ~p->by_type[PAWN] & ~p->by_type[KING];
        int limit = w->scale_bishops_more;
        if (bb_count(others) == 2)
            limit = w->scale_bishops_alone +
                    w->scale_bishops_passed * bb_count(s->pawns->passed[strong]);
        scale = scale < limit ? scale : limit;
    }
    return scale < SCALE_NORMAL ? scale : SCALE_NORMAL;
}
