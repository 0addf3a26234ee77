/* What holds for every evaluator: its terms add up to its score, nothing depends on what was asked
 * before, the position stays as it was, and the table of evaluators is sound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/fen.h"
#include "classics/classic_eval.h"

#include <string.h>

static const char *const fens[] = {
    FEN_START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 3 9",
    "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 b - - 0 60",
    "6k1/8/8/8/8/8/8/K6R w - - 0 1",
    "6nk/6pp/8/QQQ5/QQQ5/QQQ5/8/K7 w - - 0 90",
};

enum { FENS = sizeof fens / sizeof *fens };

static void check_sum(const ClassicEval *evaluator, const char *fen)
{
    Position p = position_of(fen), before = p;
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    ClassicEvalTerms t = {0};
    double sum = 0;
    classic_eval_default_weights(evaluator, weights);
    Score score = classic_eval_score(evaluator, &p, weights);
    assert_int_equal(classic_eval_score(evaluator, &p, weights), score);
    classic_eval_terms(evaluator, &p, weights, &t);
    assert_memory_equal(&p, &before, offsetof(Position, keys));
    assert_in_range(t.count, 1, CLASSIC_EVAL_MAX_TERMS);
    for (int i = 0; i < t.count; i++)
        sum += t.of[i].value[WHITE] - t.of[i].value[BLACK];
    if ((int)(sum + (sum < 0 ? -1e-9 : 1e-9)) != t.total)
        fail_msg("%s, %s: the terms give %f, not %d", evaluator->name, fen, sum, t.total);
    if ((p.side == WHITE ? score : -score) != t.total)
        fail_msg("%s, %s: score %d, terms %d", evaluator->name, fen, score, t.total);
    assert_true(score <= SCORE_EVAL_MAX && score >= -SCORE_EVAL_MAX);
}

static void terms_add_up(void **state)
{
    (void)state;
    for (int i = 0; i < classic_eval_count(); i++)
        for (int k = 0; k < FENS; k++)
            check_sum(classic_eval_at(i), fens[k]);
}

static void weights_are_sound(void **state)
{
    (void)state;
    for (int i = 0; i < classic_eval_count(); i++) {
        const ClassicEval *j = classic_eval_at(i);
        int weights[CLASSIC_EVAL_MAX_WEIGHTS];
        assert_true(j->weight_count <= CLASSIC_EVAL_MAX_WEIGHTS);
        classic_eval_default_weights(j, weights);
        for (int k = 0; k < j->weight_count; k++) {
            const ClassicEvalWeight *w = &j->weights[k];
            assert_int_equal(weights[k], w->value);
            assert_true(w->min <= w->value && w->value <= w->max && w->min < w->max);
            assert_null(strpbrk(w->name, " \t="));
            for (int other = 0; other < k; other++)
                assert_string_not_equal(w->name, j->weights[other].name);
        }
        for (int k = j->weight_count; k < CLASSIC_EVAL_MAX_WEIGHTS; k++)
            assert_int_equal(weights[k], 0);
    }
}

static void names_lead_to_evaluators(void **state)
{
    (void)state;
    const ClassicEval *found = NULL;
    Message why;
    for (int i = 0; i < classic_eval_count(); i++) {
        assert_int_equal(classic_eval_find(&found, span_of(classic_eval_at(i)->name), &why),
                         STATUS_OK);
        assert_ptr_equal(found, classic_eval_at(i));
    }
    assert_int_equal(classic_eval_find(&found, span_of("KANJI"), &why), STATUS_OK);
    assert_string_equal(found->name, "kanji");
    assert_int_equal(classic_eval_find(&found, span_of("nobody"), &why), STATUS_MISSING);
    assert_non_null(strstr(why.text, "unknown evaluator 'nobody'"));
    for (int i = 0; i < classic_eval_count(); i++)
        assert_non_null(strstr(why.text, classic_eval_at(i)->name));
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_add_up),
        cmocka_unit_test(weights_are_sound),
        cmocka_unit_test(names_lead_to_evaluators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
