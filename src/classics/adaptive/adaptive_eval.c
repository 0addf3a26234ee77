#include "classics/adaptive/adaptive_eval.h"

#include <string.h>

#define WIDE_CENTRE 0x00003c3c3c3c0000ULL  /* c3 to f6 */
#define INNER_CENTRE 0x0000001818000000ULL /* d4 e4 d5 e5 */

typedef enum Term { MATERIAL, MOBILITY, DEVELOPMENT, CENTRE, TERM_COUNT } Term;

static const ClassicEvalWeight weights[TERM_COUNT] = {
    [MATERIAL] = {"material", 100, 20, 500},
    [MOBILITY] = {"mobility", 10, 0, 100},
    [DEVELOPMENT] = {"development", 5, 0, 100},
    [CENTRE] = {"centre", 1, 0, 100},
};

static const int values[PIECE_TYPE_COUNT] = {1, 3, 3, 5, 9, 0};
static const int in_centre[PIECE_TYPE_COUNT] = {1, 2, 2, 3, 4, 0};

/* The squares that White's pieces start on. */
static const Bitboard homes[PIECE_TYPE_COUNT] = {0xff00, 0x42, 0x24, 0x81, 0x08, 0x10};

/* The document divides the terms by 40, 50, 16 and 20. Times 40, to make centipawns of the first,
 * and times TENTHS, to stay with whole numbers. */
enum { TENTHS = 10 };
static const int units[TERM_COUNT] = {10, 8, 25, 20};

typedef struct Counts {
    int of[COLOR_COUNT][TERM_COUNT];
} Counts;

static int count_left_home(const Position *p, Color c)
{
    int left = 0;
    for (PieceType t = PAWN; t <= KING; t++) {
        Bitboard home = c == WHITE ? homes[t] : __builtin_bswap64(homes[t]);
        left += bb_count(home & ~pos_pieces(p, c, t));
    }
    return left;
}

static void count_side(const Position *p, Color c, int counts[TERM_COUNT])
{
    for (PieceType t = PAWN; t <= QUEEN; t++) {
        Bitboard own = pos_pieces(p, c, t);
        counts[MATERIAL] += values[t] * bb_count(own);
        counts[CENTRE] +=
            in_centre[t] * (bb_count(own & WIDE_CENTRE) + bb_count(own & INNER_CENTRE));
    }
    counts[DEVELOPMENT] = count_left_home(p, c);
}

/* -- Mobility -- */

static Bitboard piece_reach(PieceType t, Square from, Bitboard occupied)
{
    switch (t) {
    case KNIGHT:
        return attack_tables.knight[from];
    case BISHOP:
        return attacks_bishop(from, occupied);
    case ROOK:
        return attacks_rook(from, occupied);
    default:
        return attacks_queen(from, occupied);
    }
}

static int count_pawn_moves(const Position *p, Color c)
{
    Bitboard pawns = pos_pieces(p, c, PAWN), empty = ~pos_occupied(p);
    Bitboard once = bb_forward(c, pawns) & empty;
    Bitboard twice = bb_forward(c, once & bb_relative_rank(c, 2)) & empty;
    Bitboard ahead = bb_forward(c, pawns), enemy = p->by_color[color_other(c)];
    if (p->st.ep != SQ_NONE && p->side == c)
        enemy |= bb_of(p->st.ep);
    return bb_count(once) + bb_count(twice) + bb_count(bb_east(ahead) & enemy) +
           bb_count(bb_west(ahead) & enemy);
}

static bool is_safe(const Position *p, Color c, Bitboard squares, Bitboard occupied)
{
    while (squares)
        if (pos_attacked(p, bb_pop(&squares), color_other(c), occupied))
            return false;
    return true;
}

static int count_king_moves(const Position *p, Color c)
{
    Square from = pos_king(p, c);
    Bitboard occupied = pos_occupied(p), king = bb_of(from);
    int count = 0;
    for (Bitboard left = attack_tables.king[from] & ~p->by_color[c]; left;)
        count += is_safe(p, c, bb_of(bb_pop(&left)), occupied ^ king);
    for (Wing w = KING_SIDE; w < WING_COUNT; w++) {
        int i = castling_index(c, w);
        if (!(p->st.castling & castling_right(c, w)))
            continue;
        count += !(p->castling_empty[i] & occupied) &&
                 is_safe(p, c, king | p->castling_king_path[i], occupied);
    }
    return count;
}

/* As the original counted: moves that open the own king to a check are among them, but no steps of
 * the king into one. A promotion is one move. */
static int count_moves(const Position *p, Color c)
{
    Bitboard occupied = pos_occupied(p);
    int count = count_pawn_moves(p, c) + count_king_moves(p, c);
    for (PieceType t = KNIGHT; t <= QUEEN; t++)
        for (Bitboard left = pos_pieces(p, c, t); left;)
            count += bb_count(piece_reach(t, bb_pop(&left), occupied) & ~p->by_color[c]);
    return count;
}

void adaptive_count(const Position *p, Color c, int counts[ADAPTIVE_WEIGHTS])
{
    memset(counts, 0, ADAPTIVE_WEIGHTS * sizeof *counts);
    count_side(p, c, counts);
    counts[MOBILITY] = count_moves(p, c);
}

static void count_all(const Position *p, Counts *c)
{
    adaptive_count(p, WHITE, c->of[WHITE]);
    adaptive_count(p, BLACK, c->of[BLACK]);
}

/* -- The evaluator -- */

/* White's view, in tenths of a centipawn. */
static int value_of(const Counts *c, const int *w)
{
    int sum = 0;
    for (int i = 0; i < TERM_COUNT; i++)
        sum += w[i] * units[i] * (c->of[WHITE][i] - c->of[BLACK][i]);
    return sum;
}

static Score score(Position *p, const int *w)
{
    Counts c;
    count_all(p, &c);
    Score white = score_clip(value_of(&c, w) / TENTHS);
    return p->side == WHITE ? white : -white;
}

static void terms(Position *p, const int *w, ClassicEvalTerms *out)
{
    Counts c;
    count_all(p, &c);
    for (int i = 0; i < TERM_COUNT; i++) {
        double unit = (double)w[i] * units[i] / TENTHS;
        classic_eval_add_term(out, weights[i].name, unit * c.of[WHITE][i], unit * c.of[BLACK][i]);
    }
    out->total = score_clip(value_of(&c, w) / TENTHS);
}

const ClassicEval adaptive_evaluator = {
    .name = "adaptive",
    .title = "The adaptive program, 2011",
    .weights = weights,
    .weight_count = TERM_COUNT,
    .score = score,
    .terms = terms,
};
