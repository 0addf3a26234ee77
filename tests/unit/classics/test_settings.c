/* What the settings of the classic programs change in play. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../engine/playing.h"
#include "base/file.h"
#include "chess/fen.h"
#include "classics/adaptive/adaptive.h"
#include "classics/classic_weights.h"
#include "classics/javachess/javachess_position.h"
#include "evaluating.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char middle_game[] =
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 3 9";

/* Analyser and evaluator go together in any way; minimax finds alpha-beta's move
 * with more nodes. */
static void mantis_combines(void **state)
{
    (void)state;
    static const char *const evaluators[] = {"capuchin", "sifaka", "macaque", "mantis"};
    SearchLimits two = {.depth = 2};
    for (int i = 0; i < 4; i++) {
        char minimax[64], alphabeta[64];
        snprintf(minimax, sizeof minimax, "mantis,analyser=minimax,evaluator=%s", evaluators[i]);
        snprintf(alphabeta, sizeof alphabeta, "mantis,evaluator=%s", evaluators[i]);
        OpponentAnswer a = playing_once(minimax, middle_game, &two, 1);
        OpponentAnswer b = playing_once(alphabeta, middle_game, &two, 1);
        assert_int_equal(a.score, b.score);
        assert_true(a.nodes > b.nodes);
        assert_int_equal(playing_once(evaluators[i], middle_game, &two, 1).move, b.move);
    }
}

static void mantis_random_differs(void **state)
{
    (void)state;
    SearchLimits one = {.depth = 1};
    Move plain = playing_once("mantis", middle_game, &one, 1).move;
    bool other = false;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        assert_int_equal(playing_once("mantis", middle_game, &one, seed).move, plain);
        other |= playing_once("mantis,random=on", middle_game, &one, seed).move != plain;
    }
    assert_true(other);
}

static void chessbin_levels_and_ordering(void **state)
{
    (void)state;
    const char *pawns = "8/8/4k3/p7/P7/4K3/8/8 w - - 0 1";
    SearchLimits none = {0}, four = {.depth = 4};
    assert_int_equal(playing_once("chessbin-medium,level=hard", pawns, &none, 1).depth, 7);
    assert_int_equal(playing_once("chessbin-hard,level=medium", pawns, &none, 1).depth, 6);
    OpponentAnswer light = playing_once("chessbin-medium,table=off", middle_game, &four, 1);
    OpponentAnswer full =
        playing_once("chessbin-medium,table=off,ordering=full", middle_game, &four, 1);
    OpponentAnswer table = playing_once("chessbin-medium", middle_game, &four, 1);
    assert_int_equal(light.score, full.score);
    assert_int_equal(light.score, table.score);
    assert_true(table.nodes < light.nodes);
}

static void adaptive_depth_and_weights(void **state)
{
    (void)state;
    SearchLimits none = {0};
    int weights[CLASSIC_EVAL_MAX_WEIGHTS] = {54, 1, 7, 2}, used[ADAPTIVE_WEIGHTS];
    char path[64], name[128];
    Message why;
    assert_int_equal(playing_once("adaptive", middle_game, &none, 1).depth, 2);
    assert_int_equal(playing_once("adaptive,depth=3", middle_game, &none, 1).depth, 3);
    snprintf(path, sizeof path, "/tmp/castellan-weights-%ld", (long)getpid());
    assert_int_equal(classic_weights_save(&adaptive_evaluator, weights, path, &why), STATUS_OK);
    snprintf(name, sizeof name, "adaptive,weights=%s", path);
    Opponent *o = playing_open(name, 1);
    adaptive_weights(o, used);
    assert_memory_equal(used, weights, sizeof used);
    opponent_close(o);
    unlink(path);
}

static void weights_files_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "empty"},
        {"evaluator kanji\n", "evaluator adaptive"},
        {"evaluator adaptive\nmaterial 100\n", "no value for mobility"},
        {"evaluator adaptive\nmaterial x\n", "material must be from 20 to 500"},
        {"evaluator adaptive\nmaterial 501\n", "'material 501'"},
        {"evaluator adaptive\nspeed 3\n", "no such weight"},
        {"evaluator adaptive\nmaterial\n", "a weight and its value"},
        {"castellan-evolve 3\n", "evaluator adaptive"},
    };
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Message why;
        assert_int_equal(
            classic_weights_read(&adaptive_evaluator, span_of(bad[i].text), weights, &why),
            STATUS_INVALID);
        if (!strstr(why.text, bad[i].why))
            fail_msg("'%s': %s", bad[i].text, why.text);
    }
}

static void javachess_agent_book_position(void **state)
{
    (void)state;
    SearchLimits three = {.depth = 3};
    char path[64], name[160];
    Message why;
    Position p = evaluating_position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), start;
    assert_true(playing_once("javachess", FEN_START, &three, 1).from_book);
    assert_false(playing_once("javachess,book=none", FEN_START, &three, 1).from_book);
    assert_false(playing_once("javachess,agent=alphabeta", FEN_START, &three, 1).from_book);
    snprintf(path, sizeof path, "/tmp/castellan-books-%ld", (long)getpid());
    assert_int_equal(file_write_atomic(path, "1\n51 35 END\n", 12, &why), STATUS_OK);
    snprintf(name, sizeof name, "javachess,book=%s+%s", path, path);
    playing_expect_once(name, FEN_START, 3, "d4");
    assert_int_equal(javachess_position_save(&p, SQ_NONE, path, &why), STATUS_OK);
    snprintf(name, sizeof name, "javachess,position=%s", path);
    Opponent *o = playing_open(name, 1);
    assert_true(opponent_start(o, &start));
    assert_true(start.st.key == p.st.key);
    opponent_close(o);
    o = playing_open("javachess", 1);
    assert_false(opponent_start(o, &start));
    opponent_close(o);
    unlink(path);
}

static void kanji_technique_utility_book(void **state)
{
    (void)state;
    SearchLimits none = {0}, two = {.depth = 2};
    assert_true(playing_once("kanji", FEN_START, &two, 1).from_book);
    assert_false(playing_once("kanji,book=off", FEN_START, &two, 1).from_book);
    assert_int_equal(playing_once("kanji,book=off", middle_game, &none, 1).depth,
                     3); /* MAXDEPTH 4 */
    assert_int_equal(playing_once("kanji-ab,maxdepth=4", middle_game, &none, 1).depth, 3);
    OpponentAnswer material = playing_once("kanji-ab,utility=material", middle_game, &two, 1);
    assert_int_equal(material.score % 25, 0);
    OpponentAnswer minimax =
        playing_once("kanji,book=off,technique=minimax,utility=material", middle_game, &two, 1);
    assert_int_equal(minimax.score, material.score);
    assert_true(minimax.nodes > material.nodes);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mantis_combines),
        cmocka_unit_test(mantis_random_differs),
        cmocka_unit_test(chessbin_levels_and_ordering),
        cmocka_unit_test(adaptive_depth_and_weights),
        cmocka_unit_test(weights_files_are_checked),
        cmocka_unit_test(javachess_agent_book_position),
        cmocka_unit_test(kanji_technique_utility_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
