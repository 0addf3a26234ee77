/* King safety: pawn shelter and storm, and attacks on the king ring. */
#include "eval/classical/classical_int.h"

/* Shelter and storm on the three files around a king on `king`. */
static inline Packed shelter_at(const EvalInfo *s, Color us, Square king)
{
    Color them = color_other(us);
    Bitboard not_behind =
        bb_front_fill(us, bb_rank(square_rank(king))) | bb_rank(square_rank(king));
    Bitboard own = pos_pieces(s->p, us, PAWN) & not_behind & ~s->by[them][PAWN];
    Bitboard theirs = pos_pieces(s->p, them, PAWN) & not_behind;
    int centre = square_file(king);
    centre = centre < 1 ? 1 : centre > 6 ? 6 : centre;

    Packed v = 0;
    for (int file = centre - 1; file <= centre + 1; file++) {
        Bitboard mine = own & bb_file(file), foes = theirs & bb_file(file);
        int edge = file < 4 ? file : 7 - file;
        int wall = 0, storm = 0;
        if (mine)
            wall = square_relative_rank(us, us == WHITE ? bb_first(mine) : bb_last(mine));
        if (foes)
            storm = square_relative_rank(us, us == WHITE ? bb_first(foes) : bb_last(foes));
        v += w->king_shelter[edge * 8 + wall];
        if (wall && storm == wall + 1)
            v += w->king_storm_blocked[storm];
        else
            v += w->king_storm[edge * 8 + storm];
    }
    return v;
}

/* The best of the shelters here and after castling. */
static inline Packed shelter(const EvalInfo *s, Color us)
{
    Packed best = shelter_at(s, us, s->king[us]);
    for (Wing wing = KING_SIDE; wing < WING_COUNT; wing++) {
        if ((s->p->st.castling & castling_right(us, wing)) == 0)
            continue;
        Packed there = shelter_at(s, us, castling_king_to(us, wing));
        if (packed_mg(there) > packed_mg(best))
            best = there;
    }
    return best;
}

/* Checks that the enemy can give: safe ones by piece type, the others together. */
static inline int check_danger(const EvalInfo *s, Color us, Bitboard safe)
{
    Color them = color_other(us);
    Square king = s->king[us];
    Bitboard through = s->occupied ^ pos_pieces(s->p, us, QUEEN);
    Bitboard rays[2] = {attacks_bishop(king, through), attacks_rook(king, through)};
    Bitboard from[PIECE_TYPE_COUNT] = {[KNIGHT] = attacks_knight(king),
                                       [BISHOP] = rays[0],
                                       [ROOK] = rays[1],
                                       [QUEEN] = rays[0] | rays[1]};
    Bitboard unsafe = 0;
    int units = 0;
    for (PieceType t = KNIGHT; t <= QUEEN; t++) {
        Bitboard checks = from[t] & s->by[them][t] & ~s->p->by_color[them];
        if (checks & safe)
            units += w->danger_check[t];
        else
            unsafe |= checks;
    }
    return units + w->danger_unsafe_check * bb_count(unsafe);
}

static inline int danger_units(const EvalInfo *s, Color us, Packed wall)
{
    Color them = color_other(us);
    Bitboard held = s->attacked[us] & ~s->by[us][KING] & ~s->by[us][QUEEN];
    Bitboard weak = s->attacked[them] & ~s->attacked_twice[us] & ~held;
    Bitboard safe = ~s->attacked[us] | (weak & s->attacked_twice[them]);
    bool queen = pos_pieces(s->p, them, QUEEN) != 0;

    int units = w->danger_base + s->ring_attackers[us] * s->ring_weight[us];
    units += w->danger_ring * s->ring_hits[us];
    units += w->danger_weak * bb_count(weak & s->ring[us]);
    units += w->danger_pinned * bb_count(s->p->st.pinned[us] & s->p->by_color[us]);
    units += check_danger(s, us, safe);
    units += w->danger_shelter * packed_mg(wall);
    return queen ? units : units + w->danger_no_queen;
}

/* The penalty grows with the square of the danger. */
static inline Packed danger(const EvalInfo *s, Color us, Packed wall)
{
    if (s->ring_attackers[us] == 0)
        return 0;
    int units = danger_units(s, us, wall);
    if (units <= 0)
        return 0;
    units = units > 2800 ? 2800 : units;
    return -PACKED(units * units / 4096, units / 16);
}

/* Distance of the king to the nearest pawn. */
static inline Packed pawn_distance(const EvalInfo *s, Color us)
{
    Bitboard pawns = s->p->by_type[PAWN];
    if (pawns == 0)
        return 0;
    int steps = 0;
    for (Bitboard reached = bb_of(s->king[us]); (reached & pawns) == 0; reached = bb_grow(reached))
        steps++;
    return w->king_pawn_distance * steps;
}

void classical_king(EvalInfo *s, Color us)
{
    Packed wall = shelter(s, us);
    s->term[TERM_KING][us] = wall + danger(s, us, wall) + pawn_distance(s, us);
}
