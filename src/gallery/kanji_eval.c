#include "gallery/kanji_eval.h"

#include "chess/movegen.h"

enum { DOUBLED = -50, ISOLATED = -50, PASSED = 50, PER_MOVE = 10 };

static const int values[PIECE_TYPE_COUNT] = {100, 320, 325, 500, 975, 0};

/* As White sees the board, the eighth rank first, files a to d; e to h mirror them. Rooks and queens
 * have no table. */
static const int8_t tables[PIECE_TYPE_COUNT][8][4] = {
    [PAWN] = {{0, 0, 0, 0},
              {50, 50, 50, 50},
              {10, 10, 20, 30},
              {5, 5, 10, 27},
              {0, 0, 0, 25},
              {5, -5, -10, 0},
              {5, 10, 10, -25},
              {0, 0, 0, 0}},
    [KNIGHT] = {{-50, -40, -30, -30},
                {-40, -20, 0, 0},
                {-30, 0, 10, 15},
                {-30, 5, 15, 20},
                {-30, 0, 15, 20},
                {-30, 5, 10, 15},
                {-40, -20, 0, 5},
                {-50, -40, -20, -30}},
    [BISHOP] = {{-20, -10, -10, -10},
                {-10, 0, 0, 0},
                {-10, 0, 5, 10},
                {-10, 5, 5, 10},
                {-10, 0, 10, 10},
                {-10, 10, 10, 10},
                {-10, 5, 0, 0},
                {-20, -10, -40, -10}},
    [KING] = {{-30, -40, -40, -50},
              {-30, -40, -40, -50},
              {-30, -40, -40, -50},
              {-30, -40, -40, -50},
              {-20, -30, -30, -40},
              {-10, -20, -20, -20},
              {20, 20, 0, 0},
              {20, 30, 10, 0}},
};

const char *kanji_term_name(KanjiTerm term)
{
    static const char *const names[KANJI_TERM_COUNT] = {"material", "tables", "doubled",
                                                        "isolated", "passed", "mobility"};
    return names[term];
}

static int table_value(Color c, PieceType t, Square s)
{
    int file = square_file(s), rank = square_relative_rank(c, s);
    return tables[t][7 - rank][file < 4 ? file : 7 - file];
}

/* A pawn is doubled when another of its colour stands ahead of it, isolated when none stands on the
 * files beside it, and passed when no enemy pawn stands ahead on its own file. */
static void add_pawns(const Position *p, Color c, int sign, KanjiTerms *t)
{
    Bitboard own = pos_pieces(p, c, PAWN), enemy = pos_pieces(p, color_other(c), PAWN);
    for (Bitboard left = own; left;) {
        Square s = bb_pop(&left);
        Bitboard ahead = bb_front_fill(c, bb_of(s)), file = bb_file(square_file(s));
        if (ahead & own)
            t->of[KANJI_DOUBLED] += sign * DOUBLED;
        if (!((bb_east(file) | bb_west(file)) & own))
            t->of[KANJI_ISOLATED] += sign * ISOLATED;
        if (!(ahead & enemy))
            t->of[KANJI_PASSED] += sign * PASSED;
    }
}

static void add_side(const Position *p, Color c, int sign, KanjiTerms *t)
{
    for (Bitboard left = p->by_color[c]; left;) {
        Square s = bb_pop(&left);
        PieceType type = piece_type(pos_piece_on(p, s));
        t->of[KANJI_MATERIAL] += sign * values[type];
        t->of[KANJI_TABLES] += sign * table_value(c, type, s);
    }
    add_pawns(p, c, sign, t);
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

KanjiTerms kanji_terms(Position *p)
{
    KanjiTerms t = {0};
    add_side(p, p->side, 1, &t);
    add_side(p, color_other(p->side), -1, &t);
    t.of[KANJI_MOBILITY] = PER_MOVE * (movegen_count(p) - other_moves(p));
    return t;
}

Score kanji_eval(Position *p)
{
    KanjiTerms t = kanji_terms(p);
    Score sum = 0;
    for (int i = 0; i < KANJI_TERM_COUNT; i++)
        sum += t.of[i];
    return sum;
}

/* -- As a judge -- */

static Score judge_score(Position *p, const int *weights)
{
    (void)weights;
    return kanji_eval(p);
}

static void judge_terms(Position *p, const int *weights, JudgeTerms *out)
{
    (void)weights;
    KanjiTerms t = kanji_terms(p);
    Score sum = 0;
    for (int i = 0; i < KANJI_TERM_COUNT; i++) {
        Score white = p->side == WHITE ? t.of[i] : -t.of[i];
        judge_add_term(out, kanji_term_name((KanjiTerm)i), white > 0 ? white : 0,
                       white < 0 ? -white : 0);
        sum += white;
    }
    out->total = sum;
}

const Judge judge_kanji = {
    .name = "kanji",
    .title = "Kanji's program, 2014",
    .score = judge_score,
    .terms = judge_terms,
};
