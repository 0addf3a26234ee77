/* What the endgame makes of an advantage in the hand-made evaluation: how winnable it is by the pawns, and how much
 * of it counts. */
#include "eval/classical/handmade_int.h"
#include "eval/endgame.h"

int handmade_winnable(const Scan *s, int eg)
{
    const HandmadeWeights *w = s->w;
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

int handmade_scale(const Scan *s, Color strong)
{
    const HandmadeWeights *w = s->w;
    const Position *p = s->p;
    int part;
    if (endgame_rule(p, strong, &part))
        return part;

    int scale = w->scale_base + w->scale_pawn * bb_count(pos_pieces(p, strong, PAWN));
    if (endgame_opposite_bishops(p)) {
        Bitboard others = pos_occupied(p) & ~p->by_type[PAWN] & ~p->by_type[KING];
        int limit = w->scale_bishops_more;
        if (bb_count(others) == 2)
            limit = w->scale_bishops_alone +
                    w->scale_bishops_passed * bb_count(s->pawns->passed[strong]);
        scale = scale < limit ? scale : limit;
    }
    return scale < ENDGAME_FULL ? scale : ENDGAME_FULL;
}
