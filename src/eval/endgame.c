#include "eval/endgame.h"

#include <stdlib.h>

enum {
    MINOR_POINTS = 3,
    ROOK_POINTS = 5,
    QUEEN_POINTS = 9,
    MOP_UP_BARE = 150,  /* a bare king against mating material: lost whatever else is said */
    MOP_UP_EDGE = 12,   /* per step of the loser's king from the centre */
    MOP_UP_NEAR = 10,   /* per step the kings are closer */
    MOP_UP_CORNER = 30, /* per step towards the corner a bishop and knight need */
    BISHOPS_ALONE = 28, /* opposite bishops and pawns: what a lead is worth */
    MOST_PIECES = 4     /* with more, nothing here is said */
};

/* The pieces' weight in the coarse points that endgame rules are told in. */
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

/* Without pawns more than a minor piece ahead is needed. */
static int part_pawnless(const Position *p, Color strong)
{
    int mine = points(p, strong), theirs = points(p, color_other(strong));
    if (mine < ROOK_POINTS || (only_knights(p, strong) && mine <= 2 * MINOR_POINTS))
        return 0;
    if (mine - theirs > MINOR_POINTS)
        return ENDGAME_FULL;
    return theirs <= MINOR_POINTS ? 4 : 10;
}

/* Only rook pawns on one file, a bishop that does not hold the corner they run to, and the enemy
 * king there first. */
static bool wrong_corner(const Position *p, Color strong)
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

/* King and pawn against king: the strong king on a key square wins; a king that stands before the
 * pawn mostly draws. A race is told by the rule of the square in the passed-pawn terms. */
static int part_lone_pawn(const Position *p, Color strong)
{
    Square pawn = bb_first(pos_pieces(p, strong, PAWN));
    int file = square_file(pawn), rank = square_relative_rank(strong, pawn);
    Square king = pos_king(p, strong), enemy = pos_king(p, color_other(strong));
    Square goal = square_relative(strong, square_make(file, 7));
    int steps = 7 - (rank == 1 ? 2 : rank) + (p->side != strong);

    if (square_distance(enemy, goal) > steps)
        return ENDGAME_FULL;
    if (file == 0 || file == 7)
        return square_distance(enemy, goal) <= square_distance(king, goal) ? 4 : 20;
    int ahead = square_relative_rank(strong, king) - rank;
    bool key = abs(square_file(king) - file) <= 1 && (ahead == 2 || (ahead == 1 && rank >= 4));
    if (key)
        return ENDGAME_FULL;
    bool before = abs(square_file(enemy) - file) <= 1 && square_relative_rank(strong, enemy) > rank;
    return before ? 8 : 24;
}

bool endgame_opposite_bishops(const Position *p)
{
    Bitboard all = p->by_type[BISHOP];
    Bitboard white = all & p->by_color[WHITE], black = all & p->by_color[BLACK];
    return white && black && !bb_many(white) && !bb_many(black) &&
           ((white & DARK_SQUARES_BB) == 0) != ((black & DARK_SQUARES_BB) == 0);
}

/* Steps from the four central squares, files and ranks together: 0 .. 6. */
static int off_centre(Square s)
{
    int file = square_file(s), rank = square_rank(s);
    return (file < 4 ? 3 - file : file - 4) + (rank < 4 ? 3 - rank : rank - 4);
}

/* 7 in the two corners of the bishop's colour, 0 on the diagonal that leads to the other two. */
static int to_bishops_corner(Bitboard bishop, Square s)
{
    int file = square_file(s), rank = square_rank(s);
    return bishop & DARK_SQUARES_BB ? abs(7 - file - rank) : abs(file - rank);
}

static bool can_mate_bare_king(const Position *p, Color c)
{
    Bitboard bishops = pos_pieces(p, c, BISHOP), knights = pos_pieces(p, c, KNIGHT);
    if (p->by_color[c] & (p->by_type[ROOK] | p->by_type[QUEEN]))
        return true;
    if (bishops & DARK_SQUARES_BB && bishops & ~DARK_SQUARES_BB)
        return true;
    return (bishops && knights) || bb_count(knights) > 2;
}

static Score drive(const Position *p, Color strong)
{
    Color weak = color_other(strong);
    if (pos_pieces(p, weak, PAWN) || points(p, strong) - points(p, weak) <= MINOR_POINTS ||
        !can_mate_bare_king(p, strong))
        return 0;
    Square king = pos_king(p, weak);
    Bitboard knights = pos_pieces(p, strong, KNIGHT), bishops = pos_pieces(p, strong, BISHOP);
    Score v = MOP_UP_EDGE * off_centre(king) +
              MOP_UP_NEAR * (7 - square_distance(king, pos_king(p, strong)));
    if (!pos_has_pieces(p, weak))
        v += MOP_UP_BARE;
    if (p->by_color[strong] == (knights | bishops | pos_pieces(p, strong, KING)) &&
        bb_count(knights) == 1 && bb_count(bishops) == 1)
        v += MOP_UP_CORNER * to_bishops_corner(bishops, king);
    return v;
}

Score endgame_mop_up(const Position *p)
{
    return drive(p, WHITE) - drive(p, BLACK);
}

/* -- Both -- */

bool endgame_rule(const Position *p, Color strong, int *part)
{
    if (pos_pieces(p, strong, PAWN) == 0)
        *part = part_pawnless(p, strong);
    else if (!pos_has_pieces(p, color_other(strong)) && wrong_corner(p, strong))
        *part = 0;
    else if (bb_count(pos_occupied(p)) == 3)
        *part = part_lone_pawn(p, strong);
    else
        return false;
    return true;
}

Score endgame_temper(const Position *p, Score value)
{
    Bitboard pieces = pos_occupied(p) & ~p->by_type[PAWN] & ~p->by_type[KING];
    Color strong = value > 0 ? p->side : color_other(p->side);
    int part = ENDGAME_FULL;
    if (bb_count(pieces) > MOST_PIECES)
        return value;
    if (!endgame_rule(p, strong, &part) && bb_count(pieces) == 2 && endgame_opposite_bishops(p))
        part = BISHOPS_ALONE;
    Score drive = endgame_mop_up(p);
    Score v = value * part / ENDGAME_FULL + (p->side == WHITE ? drive : -drive);
    return v > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : v < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : v;
}
