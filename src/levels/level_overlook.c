#include "levels/level_int.h"

#include "chess/see.h"

#include <math.h>
#include <stdlib.h>

/* In logits: what makes a move easier (negative) or harder to find. Recaptures and captures of
 * undefended pieces are found first; quiet moves, long moves, moves back, en passant and
 * underpromotions last. */
static const double RECAPTURE = -3.6, HANGING = -3.2, FAIR_CAPTURE = -1.6, LOSING_CAPTURE = 0.2;
static const double ROOK_VICTIM = -0.7, QUEEN_VICTIM = -1.4; /* in addition */
static const double QUIET = 0.9, CHECK = -0.6, CASTLING = -1.0, NEW_QUEEN = -2.5;
static const double UNDER_PROMOTION = 2.5, EN_PASSANT = 1.5, CAPTURING_BACKWARD = 0.4;
static const double BACKWARD = 0.7, SIDEWAYS = 0.2, KNIGHT_JUMP = 0.25;
static const double EACH_SQUARE = 0.15, LONG_DIAGONAL = 0.35;
static const double EACH_PLY = 0.55, OPPONENT = 0.35;
enum { NEAR = 2, LONG = 4 };

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

double level_chance(uint64_t seed, uint64_t what)
{
    return (double)(mix(seed ^ mix(what)) >> 11) * 0x1p-53;
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* How the piece travels: short moves forward are found first. */
static double way(const Position *p, Move m, bool capture)
{
    Square from = move_from(m), to = move_to(m);
    PieceType t = piece_type(p->board[from]);
    int files = abs(square_file(to) - square_file(from));
    int up = square_relative_rank(p->side, to) - square_relative_rank(p->side, from);
    int distance = max_int(files, abs(up));
    double d = t == KNIGHT ? KNIGHT_JUMP : 0;
    if (up < 0)
        d += capture ? CAPTURING_BACKWARD : BACKWARD;
    else if (up == 0 && !capture)
        d += SIDEWAYS;
    if (distance > NEAR && t != PAWN)
        d += EACH_SQUARE * (distance - NEAR);
    if (distance >= LONG && files == abs(up))
        d += LONG_DIAGONAL;
    return d;
}

static double capture_difficulty(const Position *p, Move m, Square last_to)
{
    PieceType victim = pos_captured_type(p, m);
    double d;
    if (move_to(m) == last_to && see_at_least(p, m, 0))
        d = RECAPTURE;
    else if (see_at_least(p, m, see_value[victim]))
        d = HANGING;
    else
        d = see_at_least(p, m, 0) ? FAIR_CAPTURE : LOSING_CAPTURE;
    if (d < 0)
        d += victim == QUEEN ? QUEEN_VICTIM : victim == ROOK ? ROOK_VICTIM : 0;
    return move_kind(m) == MOVE_EN_PASSANT ? d + EN_PASSANT : d;
}

/* How hard a legal move is to find, in logits; `ply` plies after the position on the board. Around
 * -3: everybody sees it, around 3: found by masters. */
static double difficulty(const Position *p, Move m, Square last_to, int ply)
{
    double d = EACH_PLY * ply + (ply % 2 ? OPPONENT : 0);
    if (move_kind(m) == MOVE_CASTLING)
        return d + CASTLING;
    bool capture = pos_is_capture(p, m);
    d += capture ? capture_difficulty(p, m, last_to) : QUIET;
    if (move_is_promotion(m))
        d += move_promotion(m) == QUEEN ? NEW_QUEEN : UNDER_PROMOTION;
    if (pos_gives_check(p, m))
        d += CHECK;
    return d + way(p, m, capture);
}

/* The queen can be captured, ours or theirs, with the next move, and it pays. */
static bool is_queen_en_prise(const Position *p, Move m, int ply)
{
    return ply <= 1 && pos_captured_type(p, m) == QUEEN && see_at_least(p, m, see_value[KNIGHT]);
}

bool level_overlooks(const LevelTraits *traits, uint64_t seed, const Position *p, Move m,
                     Square last_to, int ply)
{
    if (is_queen_en_prise(p, m, ply))
        return false;
    uint64_t what = (uint64_t)p->board[move_from(m)] << 16 | m;
    double easy = traits->attention - difficulty(p, m, last_to, ply);
    return level_chance(seed, what) >= 1 / (1 + exp(-easy));
}
