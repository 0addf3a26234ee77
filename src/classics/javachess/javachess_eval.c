#include "classics/javachess/javachess_eval.h"

#include <stdlib.h>

#define TERMS(X)                                 \
    X(MATERIAL, "material")                      \
    X(BAD_BISHOP, "bad bishops")                 \
    X(ROOK_FILES, "rooks on open files")         \
    X(ROOK_SEVENTH, "rooks on the 7th")          \
    X(ROOK_BEHIND_PASSED, "rooks behind passed") \
    X(CENTRE_PAWNS, "d/e pawns")                 \
    X(BACK_RANK, "back-rank minors")             \
    X(EARLY_QUEEN, "early queen")                \
    X(CASTLING, "castling")                      \
    X(DOUBLED, "doubled files")                  \
    X(RAMS, "rams")                              \
    X(ISOLATED, "isolated files")                \
    X(EIGHT_PAWNS, "eight pawns")                \
    X(PASSED, "passed pawns")                    \
    X(TROPISM, "king tropism")                   \
    X(GRAIN, "rounding")

#define WEIGHTS(X)                                         \
    CLASSIC_EVAL_PIECES(X, 100, 300, 350, 500, 900)        \
    X(W_BAD_BISHOP, "bad-bishop", -8, -40, 10)             \
    X(W_OPEN_FILE, "rook-open-file", 10, -10, 80)          \
    X(W_HALF_OPEN_FILE, "rook-half-open-file", 4, -10, 60) \
    X(W_SEVENTH, "rook-seventh", 22, -20, 100)             \
    X(W_BEHIND_PASSED, "rook-behind-passed", 25, -20, 100) \
    X(W_CENTRE_PAWN, "centre-pawn-unmoved", -15, -80, 20)  \
    X(W_BACK_RANK, "minor-back-rank", -10, -60, 20)        \
    X(W_EARLY_QUEEN, "early-queen", -8, -50, 20)           \
    X(W_CASTLED, "castled", 10, -20, 100)                  \
    X(W_BOTH_RIGHTS, "both-rights", -24, -100, 50)         \
    X(W_KING_SIDE_ONLY, "king-side-only", -40, -150, 50)   \
    X(W_QUEEN_SIDE_ONLY, "queen-side-only", -80, -200, 50) \
    X(W_NO_RIGHTS, "no-rights", -120, -300, 50)            \
    X(W_DOUBLED, "doubled", -8, -60, 20)                   \
    X(W_RAM, "ram", -8, -40, 20)                           \
    X(W_ISOLATED, "isolated", -15, -60, 20)                \
    X(W_EIGHT_PAWNS, "eight-pawns", -10, -60, 30)          \
    X(W_PASSED, "passed-percent", 100, 0, 400)             \
    X(W_TROPISM_ROOK, "rook-distance", -2, -15, 5)         \
    X(W_TROPISM_QUEEN, "queen-distance", -1, -15, 5)       \
    X(W_TROPISM_KNIGHT, "knight-distance", -1, -15, 5)     \
    X(W_KNIGHT_NEAR, "knight-near", 5, -20, 50)

CLASSIC_EVAL_TABLES(TERMS, WEIGHTS)

enum { KING_VALUE = 2000, LEAD_MAX = 2400, FULL_BOARD = 12000, SWAP_SCALE = 6400, GRAIN_SIZE = 8 };

/* What the terms of one side look at. */
typedef struct Side {
    const Position *p;
    const int *w;
    Color color;
    Bitboard own, enemy;   /* pawns */
    Bitboard passed;       /* the foremost passed pawn of each file */
    int (*v)[COLOR_COUNT]; /* rows of the values */
} Side;

static void add(Side *s, Term term, int value)
{
    s->v[term][s->color] += value;
}

static Bitboard pieces_of(const Side *s, PieceType t)
{
    return pos_pieces(s->p, s->color, t);
}

/* -- Material -- */

static int worth(const Position *p, Color c, const int *w)
{
    int sum = KING_VALUE;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += w[W_PAWN + t] * bb_count(pos_pieces(p, c, t));
    return sum;
}

/* White's lead. The second part makes the leader wish for exchanges of pieces, but not of his
 * pawns. */
static int material(const Position *p, const int *w)
{
    int white = worth(p, WHITE, w), black = worth(p, BLACK, w);
    if (white == black)
        return 0;
    Color leader = white > black ? WHITE : BLACK;
    int lead = abs(white - black), pawns = bb_count(pos_pieces(p, leader, PAWN));
    int swaps = lead * (FULL_BOARD - white - black) * pawns / (SWAP_SCALE * (pawns + 1));
    int value = (lead < LEAD_MAX ? lead : LEAD_MAX) + swaps;
    return leader == WHITE ? value : -value;
}

static int round_down(int value)
{
    int rest = value % GRAIN_SIZE;
    return value - (rest < 0 ? rest + GRAIN_SIZE : rest);
}

/* -- Pawns -- */

static Bitboard find_passed(Color c, Bitboard own, Bitboard enemy)
{
    /* Enemy pawns on the same rank do not stop a pawn any more; those ahead, on its file or beside
     * it, do. */
    Bitboard stopped = bb_front_fill(color_other(c), enemy);
    stopped |= bb_east(stopped) | bb_west(stopped);
    Bitboard behind_own = bb_front_fill(color_other(c), own);
    return own & ~stopped & ~behind_own;
}

static void eval_pawns(Side *s)
{
    for (int file = 0; file < 8; file++) {
        Bitboard on = s->own & bb_file(file);
        if (bb_many(on))
            add(s, DOUBLED, s->w[W_DOUBLED]);
        if (on && !(s->own & (bb_east(bb_file(file)) | bb_west(bb_file(file)))))
            add(s, ISOLATED, s->w[W_ISOLATED]);
    }
    if (bb_count(s->own) == 8)
        add(s, EIGHT_PAWNS, s->w[W_EIGHT_PAWNS]);
    add(s, RAMS, s->w[W_RAM] * bb_count(bb_forward(s->color, s->own) & s->enemy));
    for (Bitboard left = s->passed; left;) {
        int rank = square_relative_rank(s->color, bb_pop(&left)) + 1;
        add(s, PASSED, rank * rank * s->w[W_PASSED] / 100);
    }
}

/* -- Pieces -- */

static void eval_bishops(Side *s)
{
    for (Bitboard left = pieces_of(s, BISHOP); left;) {
        bool dark = (bb_of(bb_pop(&left)) & DARK_SQUARES_BB) != 0;
        Bitboard same = dark ? DARK_SQUARES_BB : ~DARK_SQUARES_BB;
        add(s, BAD_BISHOP, s->w[W_BAD_BISHOP] * bb_count(s->own & same));
    }
}

static void eval_rooks(Side *s)
{
    for (Bitboard left = pieces_of(s, ROOK); left;) {
        Square at = bb_pop(&left);
        Bitboard file = bb_file(square_file(at));
        if (!(s->own & file))
            add(s, ROOK_FILES, s->w[s->enemy & file ? W_HALF_OPEN_FILE : W_OPEN_FILE]);
        if (square_relative_rank(s->color, at) == 6)
            add(s, ROOK_SEVENTH, s->w[W_SEVENTH]);
        if (bb_front_fill(s->color, bb_of(at)) & s->passed)
            add(s, ROOK_BEHIND_PASSED, s->w[W_BEHIND_PASSED]);
    }
}

static void eval_tropism(Side *s)
{
    Square king = pos_king(s->p, color_other(s->color));
    for (Bitboard left = pieces_of(s, KNIGHT) | pieces_of(s, ROOK) | pieces_of(s, QUEEN); left;) {
        Square at = bb_pop(&left);
        int dr = abs(square_rank(at) - square_rank(king));
        int df = abs(square_file(at) - square_file(king));
        PieceType t = piece_type(pos_piece_on(s->p, at));
        if (t == KNIGHT)
            add(s, TROPISM, s->w[W_KNIGHT_NEAR] + s->w[W_TROPISM_KNIGHT] * (dr + df));
        else
            add(s, TROPISM,
                s->w[t == ROOK ? W_TROPISM_ROOK : W_TROPISM_QUEEN] * (dr < df ? dr : df));
    }
}

/* -- Development -- */

static int castling_weight(const Position *p, Color c)
{
    bool king_side = (p->st.castling & castling_right(c, KING_SIDE)) != 0;
    bool queen_side = (p->st.castling & castling_right(c, QUEEN_SIDE)) != 0;
    if (classic_eval_has_castled(p, c))
        return W_CASTLED;
    if (king_side && queen_side)
        return W_BOTH_RIGHTS;
    if (king_side)
        return W_KING_SIDE_ONLY;
    return queen_side ? W_QUEEN_SIDE_ONLY : W_NO_RIGHTS;
}

static void eval_development(Side *s)
{
    Bitboard first = bb_relative_rank(s->color, 0), second = bb_relative_rank(s->color, 1);
    Bitboard centre = bb_file(3) | bb_file(4);
    Bitboard minors = pieces_of(s, KNIGHT) | pieces_of(s, BISHOP), queens = pieces_of(s, QUEEN);
    Bitboard knights = pieces_of(s, KNIGHT) & first & (bb_file(1) | bb_file(6));
    Bitboard bishops = pieces_of(s, BISHOP) & first & (bb_file(2) | bb_file(5));
    Bitboard rooks = pieces_of(s, ROOK) & first & (bb_file(0) | bb_file(7));
    add(s, CENTRE_PAWNS, s->w[W_CENTRE_PAWN] * bb_count(s->own & second & centre));
    add(s, BACK_RANK, s->w[W_BACK_RANK] * bb_count(minors & first));
    if (queens && !(queens & first & bb_file(3)))
        add(s, EARLY_QUEEN, s->w[W_EARLY_QUEEN] * bb_count(knights | bishops | rooks));
    if (pos_pieces(s->p, color_other(s->color), QUEEN))
        add(s, CASTLING, s->w[castling_weight(s->p, s->color)]);
}

/* -- Together -- */

static void eval_side(const Position *p, const int *w, Color c, ClassicEvalValues v)
{
    Side s = {.p = p, .w = w, .color = c, .v = v};
    s.own = pos_pieces(p, c, PAWN);
    s.enemy = pos_pieces(p, color_other(c), PAWN);
    s.passed = find_passed(c, s.own, s.enemy);
    eval_pawns(&s);
    eval_bishops(&s);
    eval_rooks(&s);
    eval_tropism(&s);
    eval_development(&s);
}

/* The last row is what rounding takes from the side to move. */
static void evaluate(Position *p, const int *w, int level, ClassicEvalValues v)
{
    (void)level;
    int lead = material(p, w);
    v[MATERIAL][lead > 0 ? WHITE : BLACK] = abs(lead);
    eval_side(p, w, WHITE, v);
    eval_side(p, w, BLACK, v);
    int sum = classic_eval_sum(v, GRAIN, p->side);
    v[GRAIN][p->side] = round_down(sum) - sum;
}

Score javachess_quick(const Position *p, const int *weights)
{
    int lead = material(p, weights);
    return round_down(p->side == WHITE ? lead : -lead);
}

const ClassicEval javachess_evaluator =
    CLASSIC_EVAL("javachess", "JavaChess, 2001", WEIGHT_COUNT, TERM_COUNT);
