/* Material, piece-square tables, mobility and terms by piece type. It also fills the
 * attack maps of both sides. */
#include "eval/classical/classical_int.h"

#define CENTRE_FILES_BB (FILE_A_BB << 2 | FILE_A_BB << 3 | FILE_A_BB << 4 | FILE_A_BB << 5)
#define CENTRE_BB 0x0000001818000000ULL

static inline void note_attacks(EvalInfo *s, Color us, PieceType t, Bitboard attacks)
{
    s->attacked_twice[us] |= s->attacked[us] & attacks;
    s->attacked[us] |= attacks;
    s->by[us][t] |= attacks;
}

/* The king ring: nine squares, moved off the edge of the board, without those two own pawns defend.
 * */
static void begin_side(EvalInfo *s, Color us)
{
    const Position *p = s->p;
    Square king = pos_king(p, us);
    Bitboard pawns = pos_pieces(p, us, PAWN);
    Bitboard ahead = bb_forward(us, pawns);
    Bitboard both = bb_east(ahead) & bb_west(ahead);
    int file = square_file(king), rank = square_rank(king);
    file = file < 1 ? 1 : file > 6 ? 6 : file;
    rank = rank < 1 ? 1 : rank > 6 ? 6 : rank;

    s->king[us] = king;
    s->ring[us] = bb_grow(bb_of(square_make(file, rank))) & ~both;
    s->by[us][PAWN] = bb_east(ahead) | bb_west(ahead);
    s->by[us][KING] = attacks_king(king);
    s->attacked_twice[us] = both | (s->by[us][PAWN] & s->by[us][KING]);
    s->attacked[us] = s->by[us][PAWN] | s->by[us][KING];

    s->term[TERM_PAWNS][us] = s->pawns->score[us];
    s->term[TERM_MATERIAL][us] = bb_count(pawns) * w->material[PAWN];
    s->term[TERM_SQUARES][us] = w->king_square[classical_square(us, king)];
}

/* Excluded from mobility: squares attacked by enemy pawns, the own king and queen, and own pawns
 * that are blocked or on their first two ranks. */
static void mark_mobility(EvalInfo *s, Color us)
{
    const Position *p = s->p;
    Bitboard pawns = pos_pieces(p, us, PAWN);
    Bitboard home = bb_relative_rank(us, 1) | bb_relative_rank(us, 2);
    Bitboard stuck = pawns & (home | bb_forward(color_other(us), s->occupied));
    Bitboard royal = p->by_color[us] & (p->by_type[KING] | p->by_type[QUEEN]);
    s->mobility_area[us] = ~(stuck | royal | s->by[color_other(us)][PAWN]);
}

/* X-ray attacks: bishops through queens, rooks through queens and own rooks. */
static inline Bitboard piece_attacks(const EvalInfo *s, Color us, PieceType t, Square sq)
{
    const Position *p = s->p;
    Bitboard queens = p->by_type[QUEEN];
    switch (t) {
    case BISHOP:
        return attacks_bishop(sq, s->occupied ^ queens);
    case ROOK:
        return attacks_rook(sq, s->occupied ^ queens ^ pos_pieces(p, us, ROOK));
    default:
        return attacks_of(t, sq, s->occupied);
    }
}

/* Adds the attacks of one piece to the attack maps and to the king danger. */
static inline Bitboard take_piece(EvalInfo *s, Color us, PieceType t, Square sq)
{
    Color them = color_other(us);
    Bitboard attacks = piece_attacks(s, us, t, sq);
    if (s->p->st.pinned[us] & bb_of(sq))
        attacks &= bb_line(s->king[us], sq);
    note_attacks(s, us, t, attacks);
    Bitboard hits = attacks & s->ring[them];
    if (hits) {
        s->ring_attackers[them]++;
        s->ring_weight[them] += w->danger_attacker[t];
        s->ring_hits[them] += bb_count(attacks & s->by[them][KING]);
    }
    return attacks;
}

/* An outpost: in the enemy half, and no enemy pawn can ever attack it. */
static inline bool on_outpost(const EvalInfo *s, Color us, Square sq)
{
    int rank = square_relative_rank(us, sq);
    return rank >= 3 && rank <= 5 && (s->pawns->reach[color_other(us)] & bb_of(sq)) == 0;
}

static inline Packed minor_place(const EvalInfo *s, Color us, Square sq, const Packed *outpost)
{
    Bitboard here = bb_of(sq);
    Packed v = w->minor_king_distance * square_distance(sq, s->king[us]);
    if (on_outpost(s, us, sq))
        v += outpost[(s->by[us][PAWN] & here) != 0];
    if (bb_forward(us, here) & s->p->by_type[PAWN])
        v += w->minor_behind_pawn;
    return v;
}

/* Bad bishop: own pawns on its colour, more when the centre is blocked. */
static inline Packed bishop_pawns(const EvalInfo *s, Color us, Square sq)
{
    Bitboard shade = bb_of(sq) & DARK_SQUARES_BB ? DARK_SQUARES_BB : ~DARK_SQUARES_BB;
    Bitboard pawns = pos_pieces(s->p, us, PAWN);
    int same = bb_count(pawns & shade);
    Bitboard locked = pawns & CENTRE_FILES_BB & bb_forward(color_other(us), s->occupied);
    return same * (w->bishop_own_pawns + bb_count(locked) * w->bishop_blocked_centre);
}

static inline Packed bishop_place(const EvalInfo *s, Color us, Square sq)
{
    Packed v = minor_place(s, us, sq, w->bishop_outpost) + bishop_pawns(s, us, sq);
    Bitboard view = attacks_bishop(sq, s->p->by_type[PAWN]) | bb_of(sq);
    return bb_many(view & CENTRE_BB) ? v + w->bishop_long_diagonal : v;
}

/* A trapped rook: enclosed by its own king, which has no castling rights. */
static inline bool rook_trapped(const EvalInfo *s, Color us, Square sq, int mobility)
{
    int rights = castling_right(us, KING_SIDE) | castling_right(us, QUEEN_SIDE);
    if (s->p->st.castling & rights)
        return false;
    int king = square_file(s->king[us]), file = square_file(sq);
    return mobility <= 3 && (king < 4) == (file < king);
}

static inline Packed rook_place(const EvalInfo *s, Color us, Square sq, int mobility)
{
    Color them = color_other(us);
    int file = 1 << square_file(sq);
    Packed v = 0;
    if ((s->pawns->files[us] & file) == 0)
        v += s->pawns->files[them] & file ? w->rook_half_open : w->rook_open;
    else if (rook_trapped(s, us, sq, mobility))
        v += w->rook_trapped;
    if (square_relative_rank(us, sq) == 6 &&
        (square_relative_rank(us, s->king[them]) == 7 ||
         pos_pieces(s->p, them, PAWN) & bb_relative_rank(us, 6)))
        v += w->rook_seventh;
    return v;
}

/* What a piece is worth where it stands, besides its square and its mobility. */
static inline Packed place_of(const EvalInfo *s, Color us, PieceType t, Square sq, int mobility)
{
    switch (t) {
    case KNIGHT:
        return minor_place(s, us, sq, w->knight_outpost);
    case BISHOP:
        return bishop_place(s, us, sq);
    case ROOK:
        return rook_place(s, us, sq, mobility);
    default:
        return 0;
    }
}

/* All pieces of one type. It is a constant at every use, so that each has its own loop. */
static inline __attribute__((always_inline)) void pieces(EvalInfo *s, Color us, PieceType t,
                                                         const Packed *on_square,
                                                         const Packed *by_mobility,
                                                         ClassicalTerm term)
{
    Bitboard all = pos_pieces(s->p, us, t);
    Packed squares = 0, mobility = 0, place = 0;
    for (Bitboard b = all; b;) {
        Square sq = bb_pop(&b);
        int moves = bb_count(take_piece(s, us, t, sq) & s->mobility_area[us]);
        squares += on_square[classical_square(us, sq)];
        mobility += by_mobility[moves];
        place += place_of(s, us, t, sq, moves);
    }
    s->term[TERM_MATERIAL][us] += bb_count(all) * w->material[t];
    s->term[TERM_SQUARES][us] += squares;
    s->term[TERM_MOBILITY][us] += mobility;
    s->term[term][us] += place;
}

static inline void side(EvalInfo *s, Color us)
{
    Bitboard bishops = pos_pieces(s->p, us, BISHOP);
    pieces(s, us, KNIGHT, w->knight_square, w->knight_mobility, TERM_MINORS);
    pieces(s, us, BISHOP, w->bishop_square, w->bishop_mobility, TERM_MINORS);
    pieces(s, us, ROOK, w->rook_square, w->rook_mobility, TERM_ROOKS);
    pieces(s, us, QUEEN, w->queen_square, w->queen_mobility, TERM_ROOKS);
    if (bishops & DARK_SQUARES_BB && bishops & ~DARK_SQUARES_BB)
        s->term[TERM_MINORS][us] += w->bishop_pair;
}

void classical_pieces(EvalInfo *s)
{
    s->occupied = pos_occupied(s->p);
    begin_side(s, WHITE);
    begin_side(s, BLACK);
    mark_mobility(s, WHITE);
    mark_mobility(s, BLACK);
    side(s, WHITE);
    side(s, BLACK);
}
