/* The terms of Chess Mantis on positions worked out by hand, most of them the document's own
 * examples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "classics/mantis/mantis_eval.h"
#include "evaluating.h"

static void test_material(void **state)
{
    (void)state;
    evaluating_term(&capuchin_evaluator, FEN_START, "material", 3950, 3950);
    evaluating_term(&capuchin_evaluator, "4k3/4p3/8/8/8/8/8/R3K3 w - - 0 1", "material", 500, 100);
    evaluating_term(&capuchin_evaluator, "4kb2/8/8/8/8/8/8/1N1QK3 w - - 0 1", "material", 1200,
                    325);
}

/* Passed: b5, c4 and e5 of White, d4 of Black, as in the document's figure. At the end of the game
 * they are worth more to Mantis: 400 points on the board are a twentieth of all. */
static void test_passed(void **state)
{
    (void)state;
    const char *fen = "4k3/8/8/1P2P3/2Pp4/8/8/4K3 w - - 0 1";
    evaluating_term(&sifaka_evaluator, fen, "passed pawns", 300, 100);
    evaluating_term(&macaque_evaluator, fen, "passed pawns", 300, 100);
    evaluating_term(&mantis_evaluator, fen, "passed pawns", 585, 195);
    /* An enemy pawn ahead on the file or beside it; behind it matters no more. */
    evaluating_term(&sifaka_evaluator, "4k3/2p5/8/3P4/8/8/8/4K3 w - - 0 1", "passed pawns", 0, 0);
    evaluating_term(&sifaka_evaluator, "4k3/3p4/8/3P4/8/8/8/4K3 w - - 0 1", "passed pawns", 0, 0);
    evaluating_term(&sifaka_evaluator, "4k3/8/8/3P4/2p5/8/8/4K3 w - - 0 1", "passed pawns", 100,
                    100);
}

static void test_pawns(void **state)
{
    (void)state;
    evaluating_term(&sifaka_evaluator, "4k3/3p4/3p4/3p1P2/8/5P2/8/4K3 w - - 0 1", "crowded files",
                    -100, -175);
    evaluating_term(&sifaka_evaluator, FEN_START, "crowded files", 0, 0);
    evaluating_term(&sifaka_evaluator, FEN_START, "pawn quantity", -100, -100);
    evaluating_term(&sifaka_evaluator, "4k3/1ppppppp/8/8/8/8/2PPPPPP/4K3 w - - 0 1",
                    "pawn quantity", 0, -50);
    evaluating_term(&sifaka_evaluator, "4k3/7p/8/P3P3/8/8/7P/4K3 w - - 0 1", "crippled pawns", -100,
                    -50);
    /* Six pawns with two neighbours, two with one. */
    evaluating_term(&sifaka_evaluator, FEN_START, "neighbours", 140, 140);
    /* Islands a4, e4 and g4 with h3: only the last two are neighbours, each of the other. */
    evaluating_term(&sifaka_evaluator, "4k3/8/8/8/P3P1P1/7P/8/4K3 w - - 0 1", "neighbours", 20, 0);
    /* Two pawns on one file both have the neighbour. */
    evaluating_term(&sifaka_evaluator, "4k3/8/8/8/4P3/4PP2/8/4K3 w - - 0 1", "neighbours", 40, 0);
    evaluating_term(&sifaka_evaluator, "6k1/8/5ppp/8/8/8/5PPP/6K1 w - - 0 1", "king pawns", 30, 0);
    evaluating_term(&sifaka_evaluator, "6k1/6pp/8/8/8/8/1P6/K7 b - - 0 1", "king pawns", 10, 20);
}

/* Start: twenty moves each; into the centre c3 d3 e3 f3 c4 f4 Nc3 Nf3 outside, d4 e4 inside. */
static void test_moves(void **state)
{
    (void)state;
    evaluating_term(&macaque_evaluator, FEN_START, "freedom", 40, 40);
    evaluating_term(&macaque_evaluator, FEN_START, "centre", 24, 24);
    /* The king on d4 stands inside (8) and reaches d5 e5 e4 inside, c5 c4 c3 d3 e3 outside (22). */
    evaluating_term(&macaque_evaluator, "7k/8/8/8/3K4/8/8/8 w - - 0 1", "centre", 30, 0);
    evaluating_term(&macaque_evaluator, "7k/8/8/8/3K4/8/8/8 w - - 0 1", "freedom", 16, 6);
    /* In check: Kf2, Kf1, Kd2, Kd1. */
    evaluating_term(&macaque_evaluator, "4k3/4r3/8/8/8/8/8/4K3 w - - 0 1", "freedom", 8, 34);
}

static void test_king_attack(void **state)
{
    (void)state;
    /* The rook reaches d7, next to the king. */
    evaluating_term(&macaque_evaluator, "4k3/R7/8/8/8/8/8/4K3 w - - 0 1", "king attack", 2, 0);
    /* The knight reaches c6, two steps away; the rook behind it d7 as well as e6. */
    evaluating_term(&macaque_evaluator, "4k3/8/8/8/1N6/8/8/4K3 w - - 0 1", "king attack", 1, 0);
    evaluating_term(&macaque_evaluator, "4k3/8/8/8/1N6/8/8/3RK3 w - - 0 1", "king attack", 3, 0);
    evaluating_term(&macaque_evaluator, FEN_START, "king attack", 0, 0);
}

/* A queen and a rook each: 2800 points, (0.2 - 0.35) x 100. */
static void test_centre_king(void **state)
{
    (void)state;
    evaluating_term(&mantis_evaluator, "7k/8/8/8/3K4/8/8/8 w - - 0 1", "centre king", 20, 0);
    evaluating_term(&mantis_evaluator, "q6k/r7/8/8/3K4/8/6R1/6Q1 w - - 0 1", "centre king", -15, 0);
    evaluating_term(&mantis_evaluator, "7k/8/8/8/6K1/8/8/8 w - - 0 1", "centre king", 0, 0);
}

static void test_castled(void **state)
{
    (void)state;
    evaluating_term(&mantis_evaluator, "2kr3r/8/8/8/8/8/8/R4RK1 w - - 0 1", "castled", 10, 10);
    evaluating_term(&mantis_evaluator, "1k1r3r/8/8/8/8/8/8/R5KR w - - 0 1", "castled", 0, 10);
    evaluating_term(&mantis_evaluator, "rk5r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "castled", 0, 0);
    evaluating_term(&mantis_evaluator, "5rk1/8/8/8/8/8/8/R2K4 w - - 0 1", "castled", 0, 10);
}

static void test_each_adds_to_the_one_before(void **state)
{
    (void)state;
    assert_int_equal(capuchin_evaluator.term_count, 1);
    assert_int_equal(sifaka_evaluator.term_count, 7);
    assert_int_equal(macaque_evaluator.term_count, 10);
    assert_int_equal(mantis_evaluator.term_count, 12);
}

static void test_mirrored(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "5rk1/8/8/8/3K4/4P3/8/R7 w - - 0 1",
    };
    evaluating_check_mirror(&sifaka_evaluator, fens, 2);
    evaluating_check_mirror(&macaque_evaluator, fens, 2);
    evaluating_check_mirror(&mantis_evaluator, fens, 2);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_material),    cmocka_unit_test(test_passed),
        cmocka_unit_test(test_pawns),       cmocka_unit_test(test_moves),
        cmocka_unit_test(test_king_attack), cmocka_unit_test(test_centre_king),
        cmocka_unit_test(test_castled),     cmocka_unit_test(test_each_adds_to_the_one_before),
        cmocka_unit_test(test_mirrored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
