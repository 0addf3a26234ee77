/* Pawn structure: all that depends on nothing but where the pawns stand. */
#include "eval/classical/handmade_int.h"

static Bitboard beside(Bitboard b)
{
    return bb_east(b) | bb_west(b);
}

/* The files of b, whole. */
static Bitboard whole_files(Bitboard b)
{
    return bb_fill_north(b) | bb_fill_south(b);
}

/* Neighbours can escort a half-free pawn past its guards: at least as many helpers behind or beside
 * it as enemy pawns that guard its way. */
static bool is_candidate(Color us, Square s, Bitboard own, Bitboard theirs, Bitboard guards)
{
    Bitboard here = bb_of(s);
    Color them = color_other(us);
    Bitboard helpers = beside(here | bb_front_fill(them, here)) & own;
    Bitboard lane = whole_files(here) & bb_front_fill(us, here);
    return (lane & theirs) == 0 && bb_count(helpers) >= bb_count(guards & theirs);
}

static Packed isolated_or_backward(const HandmadeWeights *w, Color us, Square s, Bitboard own,
                                   Bitboard theirs)
{
    Color them = color_other(us);
    Bitboard here = bb_of(s);
    bool open = (bb_front_fill(us, here) & theirs) == 0;
    if ((beside(whole_files(here)) & own) == 0)
        return w->pawn_isolated + (open ? w->pawn_isolated_open : 0);

    /* Backward: nobody beside or behind could ever support it, and its next step is watched. */
    Bitboard support = beside(here | bb_front_fill(them, here)) & own;
    Bitboard step = bb_forward(us, here);
    if (support == 0 && step & (bb_pawn_attacks(them, theirs) | theirs))
        return w->pawn_backward + (open ? w->pawn_backward_open : 0);
    return 0;
}

static Packed connected(const HandmadeWeights *w, Color us, Square s, Bitboard own)
{
    int rank = square_relative_rank(us, s);
    Packed v = 0;
    if (beside(bb_of(s)) & own)
        v += w->pawn_phalanx[rank];
    if (attacks_pawn(color_other(us), s) & own)
        v += w->pawn_supported[rank];
    return v;
}

static Packed one_pawn(const HandmadeWeights *w, Color us, Square s, Bitboard own, Bitboard theirs,
                       Bitboard *passed)
{
    Bitboard ahead = bb_front_fill(us, bb_of(s));
    Bitboard guards = ahead | beside(ahead);
    int rank = square_relative_rank(us, s);
    Packed v = w->pawn_square[handmade_square(us, s)];

    v += connected(w, us, s, own) + isolated_or_backward(w, us, s, own, theirs);
    if (ahead & own)
        v += w->pawn_doubled;
    /* Of two pawns on a file only the front one can pass. */
    if ((guards & theirs) == 0 && (ahead & own) == 0) {
        *passed |= bb_of(s);
        v += w->passed_rank[rank];
    } else if (is_candidate(us, s, own, theirs, guards)) {
        v += w->pawn_candidate[rank];
    }
    return v;
}

static void fill_side(const HandmadeWeights *w, const Position *p, Color us, HandmadePawns *out)
{
    Bitboard own = pos_pieces(p, us, PAWN);
    Bitboard theirs = pos_pieces(p, color_other(us), PAWN);
    Bitboard ever = own | bb_front_fill(us, own);
    Packed v = 0;
    out->passed[us] = 0;
    for (Bitboard b = own; b;)
        v += one_pawn(w, us, bb_pop(&b), own, theirs, &out->passed[us]);
    out->score[us] = v;
    out->reach[us] = bb_pawn_attacks(us, ever);
    out->files[us] = (uint8_t)bb_fill_south(own);
}

void handmade_pawns_fill(const HandmadeWeights *w, const Position *p, HandmadePawns *out)
{
    out->key = p->st.pawn_key;
    fill_side(w, p, WHITE, out);
    fill_side(w, p, BLACK, out);
}
