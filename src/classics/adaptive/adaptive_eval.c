#include "classics/adaptive/adaptive_eval.h"

#include <string.h>

typedef enum Term { MATERIAL, MOBILITY, DEVELOPMENT, CENTRE, TERM_COUNT } Term;

enum { WEIGHT_COUNT = TERM_COUNT };
static const ClassicEvalWeight weight_rows[WEIGHT_COUNT] = {
    [MATERIAL] = {"material", 100, 20, 500},
    [MOBILITY] = {"mobility", 10, 0, 100},
    [DEVELOPMENT] = {"development", 5, 0, 100},
    [CENTRE] = {"centre", 1, 0, 100},
};

static const int values[PIECE_TYPE_COUNT] = {1, 3, 3, 5, 9, 0};
static const int in_centre[PIECE_TYPE_COUNT] = {1, 2, 2, 3, 4, 0};

/* The document divides the terms by 40, 50, 16 and 20. Times 40, to make centipawns of the first,
 * and times TENTHS, to stay with whole numbers. */
enum { TENTHS = 10 };
static const int units[TERM_COUNT] = {10, 8, 25, 20};

static int count_left_home(const Position *p, Color c)
{
    int left = 0;
    for (PieceType t = PAWN; t <= KING; t++)
        left += bb_count(classic_eval_home(c, t) & ~pos_pieces(p, c, t));
    return left;
}

static void count_side(const Position *p, Color c, int counts[TERM_COUNT])
{
    for (PieceType t = PAWN; t <= QUEEN; t++) {
        Bitboard own = pos_pieces(p, c, t);
        counts[MATERIAL] += values[t] * bb_count(own);
        counts[CENTRE] += in_centre[t] * (bb_count(own & CLASSIC_WIDE_CENTRE) +
                                          bb_count(own & CLASSIC_INNER_CENTRE));
    }
    counts[DEVELOPMENT] = count_left_home(p, c);
}

/* -- Mobility -- */

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
            count += bb_count(attacks_of(t, bb_pop(&left), occupied) & ~p->by_color[c]);
    return count;
}

void adaptive_count(const Position *p, Color c, int counts[ADAPTIVE_WEIGHTS])
{
    memset(counts, 0, ADAPTIVE_WEIGHTS * sizeof *counts);
    count_side(p, c, counts);
    counts[MOBILITY] = count_moves(p, c);
}

/* -- The evaluator -- */

static void evaluate(Position *p, const int *w, int level, ClassicEvalValues v)
{
    (void)level;
    for (Color c = WHITE; c <= BLACK; c++) {
        int counts[TERM_COUNT];
        adaptive_count(p, c, counts);
        for (int i = 0; i < TERM_COUNT; i++)
            v[i][c] = w[i] * units[i] * counts[i];
    }
}

static const char *const term_names[TERM_COUNT] = {"material", "mobility", "development", "centre"};

const ClassicEval adaptive_evaluator = CLASSIC_EVAL("adaptive", "The adaptive program, 2011",
                                                    WEIGHT_COUNT, TERM_COUNT, .divisor = TENTHS);
