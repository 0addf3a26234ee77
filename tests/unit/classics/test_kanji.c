/* Kanji's program at the board: the moves that its document tells, every technique in play, and the
 * book. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../engine/playing.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "classics/kanji/kanji.h"
#include "classics/kanji/kanji_book.h"
#include "classics/kanji/kanji_eval.h"
#include "evaluating.h"
#include "lab/lab.h"

#include <string.h>

static const char *const programs[] = {"kanji",           "kanji-minimax", "kanji-ab",
                                       "kanji-tt",        "kanji-order",   "kanji-null",
                                       "kanji-quiescence"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* Mates of the document that every technique finds, the null move included. */
static void test_mates(void **state)
{
    (void)state;
    for (int i = 0; i < PROGRAMS; i++) {
        playing_expect_once(programs[i], "8/Q7/8/2p2p2/1k1n4/1P2K3/2q2P2/5B2 b - - 3 2", 3, "Qc1+");
        playing_expect_once(programs[i], "8/Q7/8/2p2p2/1k1n4/1P1K4/5P2/2q2B2 b - - 5 3", 0, "Qc3#");
        playing_expect_once(programs[i], "4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", 3, "Ra2");
    }
    playing_expect_once("kanji-ab", "8/Q7/8/2p2p2/1k1nq3/1P6/3K1P2/5B2 b - - 1 1", 0, "Qc2+");
}

static void test_moves_of_the_document(void **state)
{
    (void)state;
    for (int i = 2; i < 5; i++) {
        playing_expect_once(programs[i],
                            "r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P2/N1P2N1q/PP1P1PPP/R1BQK2R b KQ - 0 10",
                            4, "Qxg2");
        playing_expect_once(programs[i],
                            "r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P1N/N1P5/PP1P1PqP/R1BQK2R b KQ - 1 11", 4,
                            "Qxh1+");
    }
}

/* The pawn on d5 is covered: one ply sees a pawn won, the captures after it a queen lost. */
static void test_quiescence(void **state)
{
    (void)state;
    const char *fen = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1";
    SearchLimits limits = {.depth = 1};
    playing_expect_once("kanji-null", fen, 1, "Qxd5");
    Position p = evaluating_position(fen);
    OpponentAnswer a = playing_once("kanji-quiescence", fen, &limits, 1);
    assert_false(pos_is_capture(&p, a.move));
}

/* A queen down, White can give check for ever on e8 and h5; Kg8 h7 Kg8 has been twice before. What
 * the laboratory would call lost is a draw to a player. */
static void test_repetition(void **state)
{
    (void)state;
    static const char *const dance[] = {"Qe8+", "Kh7", "Qh5+", "Kg8"};
    Position p = evaluating_position("6k1/6p1/8/7Q/8/8/qq4PP/7K w - - 0 1");
    Undo undo;
    for (int i = 0; i < 7; i++) {
        Move m;
        Message why;
        if (san_read(&p, span_of(dance[i % 4]), &m, &why) != STATUS_OK)
            fail_msg("%s", why.text);
        pos_make(&p, m, &undo);
    }
    /* White has just played Qh5+; for Kg8 there is no choice, and it repeats. */
    LabSetup play = {.evaluate = kanji_eval, .switches = LAB_ALPHABETA, .depth = 1, .game = true};
    LabSetup lab = {.evaluate = kanji_eval, .switches = LAB_ALPHABETA, .depth = 1};
    LabResult r;
    assert_int_equal(lab_run(&p, &play, &r, NULL), STATUS_OK);
    assert_int_equal(r.value, SCORE_DRAW);
    assert_int_equal(lab_run(&p, &lab, &r, NULL), STATUS_OK);
    assert_true(r.value > 500);
}

static void test_book(void **state)
{
    (void)state;
    for (int i = 0; i < KANJI_BOOK_LINES; i++) {
        Position p = evaluating_position(FEN_START);
        Span rest = span_of(kanji_book_lines[i]), word;
        int plies = 0;
        while (span_next_word(&rest, &word)) {
            Move m;
            Undo undo;
            Message why;
            char san[SAN_SIZE];
            if (san_read(&p, word, &m, &why) != STATUS_OK)
                fail_msg("%s: %s", kanji_book_lines[i], why.text);
            san_write(&p, m, san);
            if (!span_is(word, san))
                fail_msg("%s: %s", kanji_book_lines[i], san);
            pos_make(&p, m, &undo);
            plies++;
        }
        assert_in_range(plies, 8, 20);
    }
}

static void test_book_in_play(void **state)
{
    (void)state;
    SearchLimits limits = {.depth = 1};
    bool other = false;
    Move first = playing_once("kanji", FEN_START, &limits, 0).move;
    for (uint64_t seed = 0; seed < 20; seed++) {
        OpponentAnswer a = playing_once("kanji", FEN_START, &limits, seed);
        assert_int_equal(a.move, playing_once("kanji", FEN_START, &limits, seed).move);
        assert_int_equal(a.depth, 0);
        other |= a.move != first;
    }
    assert_true(other);
    const char *ruy = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    assert_int_equal(playing_once("kanji", ruy, &limits, 1).depth, 0);
    assert_int_equal(playing_once("kanji-quiescence", ruy, &limits, 1).depth, 1);
    const char *unheard = "rnbqkbnr/1ppppppp/8/p7/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 2";
    assert_int_equal(playing_once("kanji", unheard, &limits, 1).depth, 1);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mates),      cmocka_unit_test(test_moves_of_the_document),
        cmocka_unit_test(test_quiescence), cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_book),       cmocka_unit_test(test_book_in_play),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
