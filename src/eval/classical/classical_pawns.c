/* Pawn structure: the terms that depend on the pawns only. */
#include "eval/classical/classical_int.h"

static Bitboard beside(Bitboard b)
{
    return bb_east(b) | bb_west(b);
}

/* All squares on the files of b. */
static Bitboard whole_files(Bitboard b)
{
    return bb_fill_north(b) | bb_fill_south(b);
}

/* Candidate: no enemy pawn in front, and at least as many supporting pawns beside or behind as
 * enemy pawns that attack its path. */
static bool is_candidate(Color us, Square s, Bitboard own, Bitboard theirs, Bitboard guards)
{
    Bitboard here = bb_of(s);
    Color them = color_other(us);
    Bitboard helpers = beside(here | bb_front_fill(them, here)) & own;
    Bitboard lane = whole_files(here) & bb_front_fill(us, here);
    return (lane & theirs) == 0 && bb_count(helpers) >= bb_count(guards & theirs);
}

static Packed isolated_or_backward(Color us, Square s, Bitboard own, Bitboard theirs)
{
    Color them = color_other(us);
    Bitboard here = bb_of(s);
    bool open = (bb_front_fill(us, here) & theirs) == 0;
    if ((beside(whole_files(here)) & own) == 0)
        return w->pawn_isolated + (open ? w->pawn_isolated_open : 0);

    /* Backward: no own pawn can support it, and an enemy pawn controls or blocks the square in
     * front. */
    Bitboard support = beside(here | bb_front_fill(them, here)) & own;
    Bitboard step = bb_forward(us, here);
    if (support == 0 && step & (bb_pawn_attacks(them, theirs) | theirs))
        return w->pawn_backward + (open ? w->pawn_backward_open : 0);
    return 0;
}

static Packed connected(Color us, Square s, Bitboard own)
{
    int rank = square_relative_rank(us, s);
    Packed v = 0;
    if (beside(bb_of(s)) & own)
        v += w->pawn_phalanx[rank];
    if (attacks_pawn(color_other(us), s) & own)
        v += w->pawn_supported[rank];
    return v;
}

static Packed one_pawn(Color us, Square s, Bitboard own, Bitboard theirs, Bitboard *passed)
{
    Bitboard ahead = bb_front_fill(us, bb_of(s));
    Bitboard guards = ahead | beside(ahead);
    int rank = square_relative_rank(us, s);
    Packed v = w->pawn_square[classical_square(us, s)];

    v += connected(us, s, own) + isolated_or_backward(us, s, own, theirs);
    if (ahead & own)
        v += w->pawn_doubled;
    /* Only the front pawn of a doubled pair can be passed. */
    if ((guards & theirs) == 0 && (ahead & own) == 0) {
        *passed |= bb_of(s);
        v += w->passed_rank[rank];
    } else if (is_candidate(us, s, own, theirs, guards)) {
        v += w->pawn_candidate[rank];
    }
    return v;
}

static void fill_side(const Position *p, Color us, PawnEntry *out)
{
    Bitboard own = pos_pieces(p, us, PAWN);
    Bitboard theirs = pos_pieces(p, color_other(us), PAWN);
    Bitboard ever = own | bb_front_fill(us, own);
    Packed v = 0;
    out->passed[us] = 0;
    for (Bitboard b = own; b;)
        v += one_pawn(us, bb_pop(&b), own, theirs, &out->passed[us]);
    out->score[us] = v;
    out->reach[us] = bb_pawn_attacks(us, ever);
    out->files[us] = (uint8_t)bb_fill_south(own);
}

void classical_pawns_fill(const Position *p, PawnEntry *out)
{
    out->key = p->st.pawn_key;
    fill_side(p, WHITE, out);
    fill_side(p, BLACK, out);
}
