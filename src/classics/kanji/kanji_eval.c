#include "classics/kanji/kanji_eval.h"

#include "chess/movegen.h"
#include "classics/piece_tables.h"

typedef enum Weight {
    W_PAWN,
    W_KNIGHT,
    W_BISHOP,
    W_ROOK,
    W_QUEEN,
    W_TABLES, /* per cent */
    W_DOUBLED,
    W_ISOLATED,
    W_PASSED,
    W_MOBILITY,
    WEIGHT_COUNT
} Weight;

static const ClassicEvalWeight weight_rows[WEIGHT_COUNT] = {
    [W_PAWN] = {"pawn", 100, 50, 200},        [W_KNIGHT] = {"knight", 320, 100, 900},
    [W_BISHOP] = {"bishop", 325, 100, 900},   [W_ROOK] = {"rook", 500, 200, 1500},
    [W_QUEEN] = {"queen", 975, 400, 2000},    [W_TABLES] = {"tables", 100, 0, 300},
    [W_DOUBLED] = {"doubled", -50, -150, 50}, [W_ISOLATED] = {"isolated", -50, -150, 50},
    [W_PASSED] = {"passed", 50, -50, 200},    [W_MOBILITY] = {"mobility", 10, 0, 40},
};

static const int own_weights[WEIGHT_COUNT] = {100, 320, 325, 500, 975, 100, -50, -50, 50, 10};

typedef enum Term { MATERIAL, TABLES, DOUBLED, ISOLATED, PASSED, MOBILITY, TERM_COUNT } Term;

/* What each side has of each term. */
typedef struct Sides {
    Score of[COLOR_COUNT][TERM_COUNT];
} Sides;

/* A pawn is doubled when another of its colour stands ahead of it, isolated when none stands on the
 * files beside it, and passed when no enemy pawn stands ahead on its own file. */
static void add_pawns(const Position *p, Color c, const int *w, Score *terms)
{
    Bitboard own = pos_pieces(p, c, PAWN), enemy = pos_pieces(p, color_other(c), PAWN);
    for (Bitboard left = own; left;) {
        Square s = bb_pop(&left);
        Bitboard ahead = bb_front_fill(c, bb_of(s)), file = bb_file(square_file(s));
        if (ahead & own)
            terms[DOUBLED] += w[W_DOUBLED];
        if (!((bb_east(file) | bb_west(file)) & own))
            terms[ISOLATED] += w[W_ISOLATED];
        if (!(ahead & enemy))
            terms[PASSED] += w[W_PASSED];
    }
}

static void add_side(const Position *p, Color c, const int *w, Score *terms)
{
    int tables_sum = 0;
    for (Bitboard left = p->by_color[c]; left;) {
        Square s = bb_pop(&left);
        PieceType type = piece_type(pos_piece_on(p, s));
        if (type != KING)
            terms[MATERIAL] += w[W_PAWN + type];
        tables_sum += piece_table((int)type, c, s);
    }
    terms[TABLES] = tables_sum * w[W_TABLES] / 100;
    add_pawns(p, c, w, terms);
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

static Sides sides_of(Position *p, const int *w)
{
    Sides s = {0};
    add_side(p, WHITE, w, s.of[WHITE]);
    add_side(p, BLACK, w, s.of[BLACK]);
    s.of[p->side][MOBILITY] = w[W_MOBILITY] * movegen_count(p);
    s.of[color_other(p->side)][MOBILITY] = w[W_MOBILITY] * other_moves(p);
    return s;
}

static Score difference(const Sides *s, Color c)
{
    Score sum = 0;
    for (int i = 0; i < TERM_COUNT; i++)
        sum += s->of[c][i] - s->of[color_other(c)][i];
    return score_clip(sum);
}

Score kanji_eval(Position *p)
{
    Sides s = sides_of(p, own_weights);
    return difference(&s, p->side);
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

/* -- As an evaluator -- */

static Score eval_score(Position *p, const int *weights)
{
    Sides s = sides_of(p, weights);
    return difference(&s, p->side);
}

static void eval_terms(Position *p, const int *weights, ClassicEvalTerms *out)
{
    static const char *const names[TERM_COUNT] = {"material", "tables", "doubled",
                                                  "isolated", "passed", "mobility"};
    Sides s = sides_of(p, weights);
    for (int i = 0; i < TERM_COUNT; i++)
        classic_eval_add_term(out, names[i], s.of[WHITE][i], s.of[BLACK][i]);
    out->total = difference(&s, WHITE);
}

const ClassicEval kanji_evaluator = {
    .name = "kanji",
    .title = "Kanji's program, 2014",
    .weights = weight_rows,
    .weight_count = WEIGHT_COUNT,
    .score = eval_score,
    .terms = eval_terms,
};
