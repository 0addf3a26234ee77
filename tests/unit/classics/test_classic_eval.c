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

enum { MAX_EVALUATORS = 16 };

/* All of them, by the names in the message about an unknown one. */
static int list_evaluators(const ClassicEval *out[MAX_EVALUATORS])
{
    Message why;
    int count = 0;
    assert_int_equal(classic_eval_find(out, span_of("nobody"), &why), STATUS_MISSING);
    assert_non_null(strstr(why.text, "unknown evaluator 'nobody': "));
    Span rest = span_of(strstr(why.text, ": ") + 2), name;
    while (span_next_word(&rest, &name)) {
        name.len -= name.at[name.len - 1] == ',';
        assert_true(count < MAX_EVALUATORS);
        assert_int_equal(classic_eval_find(&out[count], name, NULL), STATUS_OK);
        assert_true(span_is(name, out[count++]->name));
    }
    return count;
}

static void check_sum(const ClassicEval *evaluator, const char *fen)
{
    Position p = position_of(fen), before = p;
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    ClassicEvalValues v = {{0}};
    int sum = 0;
    classic_eval_default_weights(evaluator, weights);
    Score score = classic_eval_score(evaluator, &p, weights);
    assert_int_equal(classic_eval_score(evaluator, &p, weights), score);
    evaluator->evaluate(&p, weights, evaluator->level, v);
    assert_memory_equal(&p, &before, offsetof(Position, keys));
    assert_in_range(evaluator->term_count, 1, CLASSIC_EVAL_MAX_TERMS);
    for (int i = 0; i < evaluator->term_count; i++)
        sum += v[i][p.side] - v[i][color_other(p.side)];
    if (sum / (evaluator->divisor ? evaluator->divisor : 1) != score)
        fail_msg("%s, %s: score %d, terms %d", evaluator->name, fen, score, sum);
    assert_true(score <= SCORE_EVAL_MAX && score >= -SCORE_EVAL_MAX);
}

static void terms_add_up(void **state)
{
    (void)state;
    const ClassicEval *all[MAX_EVALUATORS];
    int count = list_evaluators(all);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < FENS; k++)
            check_sum(all[i], fens[k]);
}

static void weights_are_sound(void **state)
{
    (void)state;
    const ClassicEval *all[MAX_EVALUATORS];
    int count = list_evaluators(all);
    for (int i = 0; i < count; i++) {
        const ClassicEval *j = all[i];
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
    const ClassicEval *all[MAX_EVALUATORS], *found = NULL;
    Message why;
    assert_int_equal(list_evaluators(all), 8);
    assert_int_equal(classic_eval_find(&found, span_of("KANJI"), &why), STATUS_OK);
    assert_string_equal(found->name, "kanji");
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
