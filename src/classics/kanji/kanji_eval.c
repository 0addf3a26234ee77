#include "classics/kanji/kanji_eval.h"

#include "chess/movegen.h"
#include "classics/chessbin/chessbin_eval.h"

#define WEIGHTS(X)                                  \
    CLASSIC_EVAL_PIECES(X, 100, 320, 325, 500, 975) \
    X(W_TABLES, "tables", 100, 0, 300)              \
    X(W_DOUBLED, "doubled", -50, -150, 50)          \
    X(W_ISOLATED, "isolated", -50, -150, 50)        \
    X(W_PASSED, "passed", 50, -50, 200)             \
    X(W_MOBILITY, "mobility", 10, 0, 40)

#define TERMS(X)            \
    X(MATERIAL, "material") \
    X(TABLES, "tables")     \
    X(DOUBLED, "doubled")   \
    X(ISOLATED, "isolated") \
    X(PASSED, "passed")     \
    X(MOBILITY, "mobility")

CLASSIC_EVAL_TABLES(TERMS, WEIGHTS)

#define VALUE(index, name, value, ...) value,
static const int own_weights[WEIGHT_COUNT] = {WEIGHTS(VALUE)};

/* A pawn is doubled when another of its colour stands ahead of it, isolated when none stands on the
 * files beside it, and passed when no enemy pawn stands ahead on its own file. */
static void add_pawns(const Position *p, Color c, const int *w, ClassicEvalValues v)
{
    Bitboard own = pos_pieces(p, c, PAWN), enemy = pos_pieces(p, color_other(c), PAWN);
    for (Bitboard left = own; left;) {
        Square s = bb_pop(&left);
        Bitboard ahead = bb_front_fill(c, bb_of(s)), file = bb_file(square_file(s));
        if (ahead & own)
            v[DOUBLED][c] += w[W_DOUBLED];
        if (!((bb_east(file) | bb_west(file)) & own))
            v[ISOLATED][c] += w[W_ISOLATED];
        if (!(ahead & enemy))
            v[PASSED][c] += w[W_PASSED];
    }
}

static void add_side(const Position *p, Color c, const int *w, ClassicEvalValues v)
{
    int tables_sum = 0;
    for (Bitboard left = p->by_color[c]; left;) {
        Square s = bb_pop(&left);
        PieceType type = piece_type(pos_piece_on(p, s));
        if (type != KING)
            v[MATERIAL][c] += w[W_PAWN + type];
        tables_sum += chessbin_square_value((int)type, c, s);
    }
    v[TABLES][c] = tables_sum * w[W_TABLES] / 100;
    add_pawns(p, c, w, v);
}

/* The turn is passed even out of a check, as the original did; the moves are only counted. */
static int other_moves(Position *p)
{
    Undo undo;
    pos_make_null(p, &undo);
    int count = movegen_count(p);
    pos_unmake_null(p, &undo);
    return count;
}

static void evaluate(Position *p, const int *w, int level, ClassicEvalValues v)
{
    (void)level;
    add_side(p, WHITE, w, v);
    add_side(p, BLACK, w, v);
    v[MOBILITY][p->side] = w[W_MOBILITY] * movegen_count(p);
    v[MOBILITY][color_other(p->side)] = w[W_MOBILITY] * other_moves(p);
}

const ClassicEval kanji_evaluator =
    CLASSIC_EVAL("kanji", "Kanji's program, 2014", WEIGHT_COUNT, TERM_COUNT);

Score kanji_eval(Position *p)
{
    return classic_eval_score(&kanji_evaluator, p, own_weights);
}

/* -- The utilities before it -- */

static Score random_utility(Position *p)
{
    Key mixed = (p->st.key ^ (p->st.key >> 31)) * 0x9e3779b97f4a7c15ULL;
    return (Score)(mixed >> 33) % SCORE_EVAL_MAX * (mixed & 1 ? 1 : -1);
}

static Score material_utility(Position *p)
{
    static const int values[PIECE_TYPE_COUNT] = {100, 300, 325, 500, 900, 0};
    Color us = p->side, them = color_other(us);
    Score sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += values[t] * (bb_count(pos_pieces(p, us, t)) - bb_count(pos_pieces(p, them, t)));
    return sum;
}

const KanjiUtility kanji_utilities[KANJI_UTILITIES] = {
    {"random", random_utility}, {"material", material_utility}, {"late", kanji_eval}};
