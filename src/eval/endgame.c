#include "eval/endgame.h"

#include <stdlib.h>

enum {
    MINOR_POINTS = 3,
    ROOK_POINTS = 5,
    QUEEN_POINTS = 9,
    MOP_UP_BARE = 150,  /* a lone king against mating material */
    MOP_UP_EDGE = 12,   /* per step of the weak king from the centre */
    MOP_UP_NEAR = 10,   /* per step the kings are closer */
    MOP_UP_CORNER = 30, /* per step towards the corner a bishop and knight need */
    BISHOPS_ALONE = 28, /* scale of opposite-coloured bishops and pawns only */
    MAX_PIECES = 4      /* with more pieces nothing is scaled */
};

/* Material without pawns, in points. */
static int points(const Position *p, Color c)
{
    Bitboard own = p->by_color[c];
    return MINOR_POINTS * bb_count(own & (p->by_type[KNIGHT] | p->by_type[BISHOP])) +
           ROOK_POINTS * bb_count(own & p->by_type[ROOK]) +
           QUEEN_POINTS * bb_count(own & p->by_type[QUEEN]);
}

static bool only_knights(const Position *p, Color c)
{
    return (p->by_color[c] & ~p->by_type[KING] & ~p->by_type[KNIGHT]) == 0;
}

/* Without pawns, winning needs more than a minor piece of advantage. */
static int scale_pawnless(const Position *p, Color strong)
{
    int mine = points(p, strong), theirs = points(p, color_other(strong));
    if (mine < ROOK_POINTS || (only_knights(p, strong) && mine <= 2 * MINOR_POINTS))
        return 0;
    if (mine - theirs > MINOR_POINTS)
        return SCALE_NORMAL;
    return theirs <= MINOR_POINTS ? 4 : 10;
}

/* Wrong rook pawn: only pawns on one rook file, no bishop that controls the promotion square, and
 * the defending king near it. */
static bool wrong_rook_pawn(const Position *p, Color strong)
{
    Bitboard pawns = pos_pieces(p, strong, PAWN);
    Bitboard bishops = pos_pieces(p, strong, BISHOP);
    Bitboard rest = p->by_color[strong] & ~pawns & ~bishops & ~p->by_type[KING];
    if (rest || ((pawns & ~FILE_A_BB) && (pawns & ~FILE_H_BB)))
        return false;
    Square goal = square_relative(strong, square_make(square_file(bb_first(pawns)), 7));
    Bitboard shade = bb_of(goal) & DARK_SQUARES_BB ? DARK_SQUARES_BB : ~DARK_SQUARES_BB;
    return (bishops & shade) == 0 && square_distance(pos_king(p, color_other(strong)), goal) <= 1;
}

/* KPK: the strong king on a key square wins; a defending king in front of the pawn mostly draws;
 * outside the square of the pawn it loses. */
static int scale_kpk(const Position *p, Color strong)
{
    Square pawn = bb_first(pos_pieces(p, strong, PAWN));
    int file = square_file(pawn), rank = square_relative_rank(strong, pawn);
    Square king = pos_king(p, strong), enemy = pos_king(p, color_other(strong));
    Square goal = square_relative(strong, square_make(file, 7));
    int steps = 7 - (rank == 1 ? 2 : rank) + (p->side != strong);

    if (square_distance(enemy, goal) > steps)
        return SCALE_NORMAL;
    if (file == 0 || file == 7)
        return square_distance(enemy, goal) <= square_distance(king, goal) ? 4 : 20;
    int ahead = square_relative_rank(strong, king) - rank;
    bool key = abs(square_file(king) - file) <= 1 && (ahead == 2 || (ahead == 1 && rank >= 4));
    if (key)
        return SCALE_NORMAL;
    bool in_front =
        abs(square_file(enemy) - file) <= 1 && square_relative_rank(strong, enemy) > rank;
    return in_front ? 8 : 24;
}

bool endgame_opposite_bishops(const Position *p)
{
    Bitboard all = p->by_type[BISHOP];
    Bitboard white = all & p->by_color[WHITE], black = all & p->by_color[BLACK];
    return white && black && !bb_many(white) && !bb_many(black) &&
           ((white & DARK_SQUARES_BB) == 0) != ((black & DARK_SQUARES_BB) == 0);
}

/* File and rank steps from the four central squares: 0 to 6. */
static int centre_distance(Square s)
{
    int file = square_file(s), rank = square_rank(s);
    return (file < 4 ? 3 - file : file - 4) + (rank < 4 ? 3 - rank : rank - 4);
}

/* KBNK: 7 in the two corners of the bishop's colour, 0 on the long diagonal between the other two.
 * */
static int corner_closeness(Bitboard bishop, Square s)
{
    int file = square_file(s), rank = square_rank(s);
    return bishop & DARK_SQUARES_BB ? abs(7 - file - rank) : abs(file - rank);
}

static bool has_mating_material(const Position *p, Color c)
{
    Bitboard bishops = pos_pieces(p, c, BISHOP), knights = pos_pieces(p, c, KNIGHT);
    if (p->by_color[c] & (p->by_type[ROOK] | p->by_type[QUEEN]))
        return true;
    if (bishops & DARK_SQUARES_BB && bishops & ~DARK_SQUARES_BB)
        return true;
    return (bishops && knights) || bb_count(knights) > 2;
}

static Score mop_up(const Position *p, Color strong)
{
    Color weak = color_other(strong);
    if (pos_pieces(p, weak, PAWN) || points(p, strong) - points(p, weak) <= MINOR_POINTS ||
        !has_mating_material(p, strong))
        return 0;
    Square king = pos_king(p, weak);
    Bitboard knights = pos_pieces(p, strong, KNIGHT), bishops = pos_pieces(p, strong, BISHOP);
    Score v = MOP_UP_EDGE * centre_distance(king) +
              MOP_UP_NEAR * (7 - square_distance(king, pos_king(p, strong)));
    if (!pos_has_pieces(p, weak))
        v += MOP_UP_BARE;
    if (p->by_color[strong] == (knights | bishops | pos_pieces(p, strong, KING)) &&
        bb_count(knights) == 1 && bb_count(bishops) == 1)
        v += MOP_UP_CORNER * corner_closeness(bishops, king);
    return v;
}

Score endgame_mop_up(const Position *p)
{
    return mop_up(p, WHITE) - mop_up(p, BLACK);
}

bool endgame_scale_factor(const Position *p, Color strong, int *scale)
{
    if (pos_pieces(p, strong, PAWN) == 0)
        *scale = scale_pawnless(p, strong);
    else if (!pos_has_pieces(p, color_other(strong)) && wrong_rook_pawn(p, strong))
        *scale = 0;
    else if (bb_count(pos_occupied(p)) == 3)
        *scale = scale_kpk(p, strong);
    else
        return false;
    return true;
}

Score endgame_scale(const Position *p, Score value)
{
    Bitboard pieces = pos_occupied(p) & ~p->by_type[PAWN] & ~p->by_type[KING];
    Color strong = value > 0 ? p->side : color_other(p->side);
    int scale = SCALE_NORMAL;
    if (bb_count(pieces) > MAX_PIECES)
        return value;
    if (!endgame_scale_factor(p, strong, &scale) && bb_count(pieces) == 2 &&
        endgame_opposite_bishops(p))
        scale = BISHOPS_ALONE;
    Score bonus = endgame_mop_up(p);
    Score v = value * scale / SCALE_NORMAL + (p->side == WHITE ? bonus : -bonus);
    return score_clip(v);
}
