/* Threats against pieces that can be won, and space. */
#include "eval/classical/classical_int.h"

#define SPACE_FILES_BB (FILE_A_BB << 2 | FILE_A_BB << 3 | FILE_A_BB << 4 | FILE_A_BB << 5)

static inline Packed by_victim(const EvalInfo *s, Bitboard victims, const Packed *weights)
{
    Packed v = 0;
    while (victims) {
        PieceType t = piece_type(s->p->board[bb_pop(&victims)]);
        if (t != KING)
            v += weights[t];
    }
    return v;
}

/* Pawn pushes to squares that are not lost to a pawn or an undefended capture. */
static inline Bitboard safe_pushes(const EvalInfo *s, Color us)
{
    Color them = color_other(us);
    Bitboard step = bb_forward(us, pos_pieces(s->p, us, PAWN)) & ~s->occupied;
    step |= bb_forward(us, step & bb_relative_rank(us, 2)) & ~s->occupied;
    return step & ~s->by[them][PAWN] & (s->attacked[us] | ~s->attacked[them]);
}

static inline Packed on_pieces(const EvalInfo *s, Color us, Bitboard strong, Bitboard weak)
{
    Color them = color_other(us);
    Bitboard pieces = s->p->by_color[them] & ~s->p->by_type[PAWN];
    Bitboard minors = s->by[us][KNIGHT] | s->by[us][BISHOP];

    Packed v = by_victim(s, ((pieces & strong) | weak) & minors, w->threat_by_minor);
    v += by_victim(s, weak & s->by[us][ROOK], w->threat_by_rook);
    if (weak & s->by[us][KING])
        v += w->threat_by_king;
    Bitboard hanging = weak & (~s->attacked[them] | (pieces & s->attacked_twice[us]));
    return v + w->threat_hanging * bb_count(hanging);
}

static inline Packed by_pawns(const EvalInfo *s, Color us)
{
    Color them = color_other(us);
    Bitboard pieces = s->p->by_color[them] & ~s->p->by_type[PAWN];
    Bitboard safe = ~s->attacked[them] | s->attacked[us];
    Bitboard pawns = pos_pieces(s->p, us, PAWN) & safe;
    Packed v = by_victim(s, bb_pawn_attacks(us, pawns) & pieces, w->threat_by_pawn);
    Bitboard next = bb_pawn_attacks(us, safe_pushes(s, us)) & pieces;
    return v + w->threat_push * bb_count(next);
}

/* Safe squares from which a minor piece or rook can attack the only enemy queen. */
static inline Packed on_queen(const EvalInfo *s, Color us, Bitboard strong)
{
    Bitboard queens = pos_pieces(s->p, color_other(us), QUEEN);
    if (queens == 0 || bb_many(queens))
        return 0;
    Square q = bb_first(queens);
    Bitboard safe = s->mobility_area[us] & ~strong;
    Bitboard knight = s->by[us][KNIGHT] & attacks_knight(q);
    Bitboard sliders = (s->by[us][BISHOP] & attacks_bishop(q, s->occupied)) |
                       (s->by[us][ROOK] & attacks_rook(q, s->occupied));
    Bitboard from = (knight | (sliders & s->attacked_twice[us])) & safe;
    return w->threat_queen_by_minor * bb_count(from);
}

static inline Packed threats(const EvalInfo *s, Color us)
{
    Color them = color_other(us);
    /* Defended by a pawn, or by two pieces against one attacker. */
    Bitboard strong = s->by[them][PAWN] | (s->attacked_twice[them] & ~s->attacked_twice[us]);
    Bitboard weak = s->p->by_color[them] & ~strong & s->attacked[us];
    Bitboard contested = s->attacked[them] & ~strong & s->attacked[us];

    Packed v = on_pieces(s, us, strong, weak) + by_pawns(s, us) + on_queen(s, us, strong);
    return v + w->threat_restricted * bb_count(contested);
}

/* Space: safe squares in the centre behind and between the own pawns, weighted by the number of
 * pieces. */
static inline Packed space(const EvalInfo *s, Color us)
{
    Color them = color_other(us);
    Bitboard own = pos_pieces(s->p, us, PAWN);
    Bitboard ranks = bb_relative_rank(us, 1) | bb_relative_rank(us, 2) | bb_relative_rank(us, 3);
    Bitboard room = SPACE_FILES_BB & ranks & ~own & ~s->by[them][PAWN];
    Bitboard behind = room & bb_front_fill(them, own) & ~s->attacked[them];
    int pieces = bb_count(s->p->by_color[us] & ~own);
    return w->space * ((bb_count(room) + bb_count(behind)) * pieces / 8);
}

void classical_threats(EvalInfo *s, Color us)
{
    s->term[TERM_THREATS][us] = threats(s, us);
    s->term[TERM_SPACE][us] = space(s, us);
}
