/* Figures of the five documents, typed in from them: every weight of every evaluation, the piece
 * tables square by square, the action values, and the sizes and limits of the searches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "classics/chessbin/chessbin_eval.h"
#include "classics/chessbin/chessbin_search.h"
#include "classics/javachess/javachess_search.h"
#include "classics/kanji/kanji_book.h"
#include "lab/lab.h"

#include <string.h>

typedef struct Fact {
    const char *evaluator, *weight;
    int value;
} Fact;

/* clang-format off */
static const Fact facts[] = {
    /* JavaChess, chapter 8.6 and the listing */
    {"javachess", "pawn", 100}, {"javachess", "knight", 300}, {"javachess", "bishop", 350},
    {"javachess", "rook", 500}, {"javachess", "queen", 900}, {"javachess", "bad-bishop", -8},
    {"javachess", "rook-open-file", 10}, {"javachess", "rook-half-open-file", 4},
    {"javachess", "rook-seventh", 22}, {"javachess", "rook-behind-passed", 25},
    {"javachess", "centre-pawn-unmoved", -15}, {"javachess", "minor-back-rank", -10},
    {"javachess", "early-queen", -8}, {"javachess", "castled", 10}, {"javachess", "both-rights", -24},
    {"javachess", "king-side-only", -40}, {"javachess", "queen-side-only", -80},
    {"javachess", "no-rights", -120}, {"javachess", "doubled", -8}, {"javachess", "ram", -8},
    {"javachess", "isolated", -15}, {"javachess", "eight-pawns", -10}, {"javachess", "rook-distance", -2},
    {"javachess", "queen-distance", -1}, {"javachess", "knight-distance", -1},
    {"javachess", "knight-near", 5},
    /* Chess Mantis, chapters 3.4 and 4.4 */
    {"mantis", "pawn", 100}, {"mantis", "knight", 300}, {"mantis", "bishop", 325}, {"mantis", "rook", 500},
    {"mantis", "queen", 900}, {"mantis", "passed", 100}, {"mantis", "two-on-file", -100},
    {"mantis", "more-on-file", -175}, {"mantis", "eight-pawns", -100}, {"mantis", "seven-pawns", -50},
    {"mantis", "crippled", -50}, {"mantis", "neighbours", 10}, {"mantis", "king-pawn", 10},
    {"mantis", "near-king", 2}, {"mantis", "far-from-king", 1}, {"mantis", "castled", 10},
    {"mantis", "centre-king", 100},
    /* ChessBin, "Chess Board Evaluation" */
    {"chessbin", "pawn", 100}, {"chessbin", "knight", 320}, {"chessbin", "bishop", 325},
    {"chessbin", "rook", 500}, {"chessbin", "queen", 975}, {"chessbin", "hanging", -10},
    {"chessbin", "edge-pawn", -15}, {"chessbin", "doubled", -16}, {"chessbin", "seventh-rank", 200},
    {"chessbin", "seventh-rank-defended", 50}, {"chessbin", "sixth-rank", 100},
    {"chessbin", "sixth-rank-defended", 25}, {"chessbin", "isolated-a-h", -12},
    {"chessbin", "isolated-b-g", -14}, {"chessbin", "isolated-c-f", -16}, {"chessbin", "isolated-d-e", -20},
    {"chessbin", "passed", 10}, {"chessbin", "knight-endgame", -10}, {"chessbin", "second-bishop", 10},
    {"chessbin", "bishop-endgame", 10}, {"chessbin", "rook-moved", -10}, {"chessbin", "queen-moved", -10},
    {"chessbin", "king-stuck", -5}, {"chessbin", "king-moved", -30}, {"chessbin", "check", 75},
    {"chessbin", "check-endgame", 10}, {"chessbin", "castled", 40}, {"chessbin", "tempo", 10},
    /* The adaptive program, Main.java */
    {"adaptive", "material", 100}, {"adaptive", "mobility", 10}, {"adaptive", "development", 5},
    {"adaptive", "centre", 1},
    /* Kanji, chapter 5.1 */
    {"kanji", "pawn", 100}, {"kanji", "knight", 320}, {"kanji", "bishop", 325}, {"kanji", "rook", 500},
    {"kanji", "queen", 975}, {"kanji", "doubled", -50}, {"kanji", "isolated", -50}, {"kanji", "passed", 50},
    {"kanji", "mobility", 10},
};

/* As ChessBin's guide and Kanji's document print them: a8 first, h1 last. */
static const int pawn_table[64] = {
      0,   0,   0,   0,   0,   0,   0,   0,   50,  50,  50,  50,  50,  50,  50,  50,
     10,  10,  20,  30,  30,  20,  10,  10,    5,   5,  10,  27,  27,  10,   5,   5,
      0,   0,   0,  25,  25,   0,   0,   0,    5,  -5, -10,   0,   0, -10,  -5,   5,
      5,  10,  10, -25, -25,  10,  10,   5,    0,   0,   0,   0,   0,   0,   0,   0};
static const int knight_table[64] = {
    -50, -40, -30, -30, -30, -30, -40, -50,  -40, -20,   0,   0,   0,   0, -20, -40,
    -30,   0,  10,  15,  15,  10,   0, -30,  -30,   5,  15,  20,  20,  15,   5, -30,
    -30,   0,  15,  20,  20,  15,   0, -30,  -30,   5,  10,  15,  15,  10,   5, -30,
    -40, -20,   0,   5,   5,   0, -20, -40,  -50, -40, -20, -30, -30, -20, -40, -50};
static const int bishop_table[64] = {
    -20, -10, -10, -10, -10, -10, -10, -20,  -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,  -10,   5,   5,  10,  10,   5,   5, -10,
    -10,   0,  10,  10,  10,  10,   0, -10,  -10,  10,  10,  10,  10,  10,  10, -10,
    -10,   5,   0,   0,   0,   0,   5, -10,  -20, -10, -40, -10, -10, -40, -10, -20};
static const int king_table[64] = {
    -30, -40, -40, -50, -50, -40, -40, -30,  -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,  -30, -40, -40, -50, -50, -40, -40, -30,
    -20, -30, -30, -40, -40, -30, -30, -20,  -10, -20, -20, -20, -20, -20, -20, -10,
     20,  20,   0,   0,   0,   0,  20,  20,   20,  30,  10,   0,   0,  10,  30,  20};
static const int king_endgame_table[64] = {
    -50, -40, -30, -20, -20, -30, -40, -50,  -30, -20, -10,   0,   0, -10, -20, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,  -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,  -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -30,   0,   0,   0,   0, -30, -30,  -50, -30, -30, -30, -30, -30, -30, -50};
/* clang-format on */

static void weights(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const ClassicEval *e = NULL;
        Message why;
        bool found = false;
        if (classic_eval_find(&e, span_of(facts[i].evaluator), &why) != STATUS_OK)
            fail_msg("%s", why.text);
        for (int k = 0; k < e->weight_count; k++)
            if (strcmp(e->weights[k].name, facts[i].weight) == 0) {
                found = true;
                if (e->weights[k].value != facts[i].value)
                    fail_msg("%s, %s: %d, not %d", e->name, facts[i].weight, e->weights[k].value,
                             facts[i].value);
            }
        if (!found)
            fail_msg("%s has no %s", e->name, facts[i].weight);
    }
}

static void check_table(int table, const int printed[64], const char *name)
{
    for (int i = 0; i < 64; i++)
        if (chessbin_square_value(table, WHITE, (Square)(i ^ 56)) != printed[i] ||
            chessbin_square_value(table, BLACK, (Square)i) != printed[i])
            fail_msg("%s, square %d", name, i);
}

static void piece_square_tables(void **state)
{
    (void)state;
    check_table(PAWN, pawn_table, "pawn");
    check_table(KNIGHT, knight_table, "knight");
    check_table(BISHOP, bishop_table, "bishop");
    check_table(KING, king_table, "king");
    check_table(CHESSBIN_KING_ENDGAME, king_endgame_table, "king in the endgame");
    for (int i = 0; i < 64; i++) {
        assert_int_equal(chessbin_square_value(ROOK, WHITE, (Square)i), 0);
        assert_int_equal(chessbin_square_value(QUEEN, WHITE, (Square)i), 0);
    }
}

static void searches(void **state)
{
    (void)state;
    static const int values[] = {100, 320, 325, 500, 975, 32767}, actions[] = {6, 3, 3, 2, 1, 1};
    for (PieceType t = PAWN; t <= KING; t++) {
        assert_int_equal(chessbin_value(t), values[t]);
        assert_int_equal(chessbin_action_value(t), actions[t]);
    }
    assert_int_equal(CHESSBIN_MATE, 32767);
    assert_int_equal(CHESSBIN_INFINITE, 400000000);
    assert_int_equal(CHESSBIN_FEW_MOVES, 15);
    assert_int_equal(JAVACHESS_TABLE_SIZE, 131072);
    assert_int_equal(JAVACHESS_MAX, 30000);
    assert_int_equal(JAVACHESS_GIVE_UP, -29995);
    assert_int_equal(JAVACHESS_LAZY_MARGIN, 200);
    assert_int_equal(KANJI_BOOK_LINES, 120);
    assert_int_equal(LAB_POSITIONS, 8);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights),
        cmocka_unit_test(piece_square_tables),
        cmocka_unit_test(searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
