/* What the endgame makes of an advantage: leads that cannot be won count little, won ones are steered
 * to the mate. */
#include "eval/classical/handmade_int.h"

enum {
    MINOR_POINTS = 3,
    ROOK_POINTS = 5,
    QUEEN_POINTS = 9,
    MOP_UP_BARE = 150,  /* a bare king against mating material: lost whatever else is said */
    MOP_UP_EDGE = 12,   /* per step of the loser's king from the centre */
    MOP_UP_NEAR = 10,   /* per step the kings are closer */
    MOP_UP_CORNER = 30, /* per step towards the corner a bishop and knight need */
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

/* Without pawns more than a minor piece ahead is needed. */
static int scale_pawnless(const Position *p, Color strong)
{
    int mine = points(p, strong), theirs = points(p, color_other(strong));
    if (mine < ROOK_POINTS || (only_knights(p, strong) && mine <= 2 * MINOR_POINTS))
        return 0;
    if (mine - theirs > MINOR_POINTS)
        return SCALE_FULL;
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
    return (bishops & shade) == 0 && handmade_distance(pos_king(p, color_other(strong)), goal) <= 1;
}

/* King and pawn against king: the strong king on a key square wins; a king that stands before the
 * pawn mostly draws. A race is told by the rule of the square in the passed-pawn terms. */
static int scale_lone_pawn(const Position *p, Color strong)
{
    Square pawn = bb_first(pos_pieces(p, strong, PAWN));
    int file = square_file(pawn), rank = square_relative_rank(strong, pawn);
    Square king = pos_king(p, strong), enemy = pos_king(p, color_other(strong));
    Square goal = square_relative(strong, square_make(file, 7));
    int steps = 7 - (rank == 1 ? 2 : rank) + (p->side != strong);

    if (handmade_distance(enemy, goal) > steps)
        return SCALE_FULL;
    if (file == 0 || file == 7)
        return handmade_distance(enemy, goal) <= handmade_distance(king, goal) ? 4 : 20;
    int ahead = square_relative_rank(strong, king) - rank;
    bool key = abs(square_file(king) - file) <= 1 && (ahead == 2 || (ahead == 1 && rank >= 4));
    if (key)
        return SCALE_FULL;
    bool before = abs(square_file(enemy) - file) <= 1 && square_relative_rank(strong, enemy) > rank;
    return before ? 8 : 24;
}

/* One bishop each, on squares of different colours. */
static bool opposite_bishops(const Position *p)
{
    Bitboard all = p->by_type[BISHOP];
    Bitboard white = all & p->by_color[WHITE], black = all & p->by_color[BLACK];
    return white && black && !bb_many(white) && !bb_many(black) &&
           ((white & DARK_SQUARES_BB) == 0) != ((black & DARK_SQUARES_BB) == 0);
}

int handmade_scale(const Scan *s, Color strong)
{
    const HandmadeWeights *w = s->w;
    const Position *p = s->p;
    Bitboard pawns = pos_pieces(p, strong, PAWN);
    if (pawns == 0)
        return scale_pawnless(p, strong);

    bool bare = !pos_has_pieces(p, color_other(strong));
    if (bare && wrong_corner(p, strong))
        return 0;
    if (bb_count(pos_occupied(p)) == 3)
        return scale_lone_pawn(p, strong);

    int scale = w->scale_base + w->scale_pawn * bb_count(pawns);
    if (opposite_bishops(p)) {
        Bitboard others = pos_occupied(p) & ~p->by_type[PAWN] & ~p->by_type[KING];
        int limit = w->scale_bishops_more;
        if (bb_count(others) == 2)
            limit = w->scale_bishops_alone +
                    w->scale_bishops_passed * bb_count(s->pawns->passed[strong]);
        scale = scale < limit ? scale : limit;
    }
    return scale < SCALE_FULL ? scale : SCALE_FULL;
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
              MOP_UP_NEAR * (7 - handmade_distance(king, pos_king(p, strong)));
    if (!pos_has_pieces(p, weak))
        v += MOP_UP_BARE;
    if (p->by_color[strong] == (knights | bishops | pos_pieces(p, strong, KING)) &&
        bb_count(knights) == 1 && bb_count(bishops) == 1)
        v += MOP_UP_CORNER * to_bishops_corner(bishops, king);
    return v;
}

Score handmade_mop_up(const Position *p)
{
    return drive(p, WHITE) - drive(p, BLACK);
}
