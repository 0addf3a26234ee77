/* A tiny evolution: it changes weights within their bounds, the seed alone decides, whatever the
 * threads and interruptions, and nothing broken is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "classics/adaptive/adaptive_eval.h"
#include "tune/evolve.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static EvolveOptions tiny(int generations, int threads)
{
    EvolveOptions o = {.config = evolve_defaults(&adaptive_evaluator), .threads = threads};
    o.config.population = 4;
    o.config.depth = 1;
    o.config.generations = generations;
    return o;
}

static Status run(const EvolveOptions *o, EvolveState *s)
{
    atomic_bool stop = false;
    Message why;
    Status status = evolve_run(o, &stop, s, &why);
    if (status != STATUS_OK)
        print_message("%s\n", why.text);
    return status;
}

static void check_same(const EvolveState *a, const EvolveState *b)
{
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++)
        assert_memory_equal(&a->generations[i], &b->generations[i], sizeof *a->generations);
}

static void temp_path(char *out)
{
    static const char name[] = "/tmp/castellan-evolve-XXXXXX";
    memcpy(out, name, sizeof name);
    int fd = mkstemp(out);
    assert_true(fd >= 0);
    close(fd);
}

static void test_weights_change_within_bounds(void **state)
{
    (void)state;
    EvolveOptions o = tiny(4, 2);
    EvolveState s;
    assert_int_equal(run(&o, &s), STATUS_OK);
    assert_int_equal(s.count, 5);
    const EvolveGeneration *first = &s.generations[0], *last = &s.generations[4];
    assert_memory_not_equal(first->people, last->people, sizeof first->people);
    int begun[CLASSIC_EVAL_MAX_WEIGHTS];
    classic_eval_default_weights(&adaptive_evaluator, begun);
    assert_memory_equal(first->people[0].weights, begun, sizeof begun);
    for (int g = 0; g < s.count; g++)
        for (int i = 0; i < adaptive_evaluator.weight_count; i++) {
            const ClassicEvalWeight *w = &adaptive_evaluator.weights[i];
            assert_true(s.generations[g].low[i] >= w->min && s.generations[g].high[i] <= w->max);
            for (int k = 0; k < o.config.population; k++)
                assert_in_range(s.generations[g].people[k].weights[i], w->min, w->max);
        }
    for (int g = 1; g < s.count; g++) {
        const StatsTally *t = &s.generations[g].results;
        assert_int_equal(t->wins + t->draws + t->losses, 6);
    }
    evolve_free(&s);
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    EvolveOptions one = tiny(3, 1), many = tiny(3, 5), other = tiny(3, 2);
    EvolveState a, b, c;
    other.config.seed = 2;
    assert_int_equal(run(&one, &a), STATUS_OK);
    assert_int_equal(run(&many, &b), STATUS_OK);
    assert_int_equal(run(&other, &c), STATUS_OK);
    check_same(&a, &b);
    assert_memory_not_equal(a.generations[0].people, c.generations[0].people,
                            sizeof a.generations[0].people);
    evolve_free(&a);
    evolve_free(&b);
    evolve_free(&c);
}

static void test_goes_on(void **state)
{
    (void)state;
    char path[64];
    temp_path(path);
    EvolveOptions whole = tiny(4, 2), half = tiny(2, 2), rest = tiny(4, 1);
    EvolveState a, b;
    half.state = rest.state = path;
    rest.resume = true;
    rest.config.seed = 99; /* the file's counts */
    assert_int_equal(run(&whole, &a), STATUS_OK);
    assert_int_equal(run(&half, &b), STATUS_OK);
    evolve_free(&b);
    assert_int_equal(run(&rest, &b), STATUS_OK);
    check_same(&a, &b);
    evolve_free(&a);
    evolve_free(&b);
    unlink(path);
}

static void test_stop(void **state)
{
    (void)state;
    EvolveOptions o = tiny(4, 2);
    EvolveState s;
    atomic_bool stop = true;
    Message why;
    assert_int_equal(evolve_run(&o, &stop, &s, &why), STATUS_STOPPED);
    assert_int_equal(s.count, 1);
    evolve_free(&s);
}

/* Cut anywhere, or with a number out of its range: refused, and the old state stays. */
static void test_broken_state(void **state)
{
    (void)state;
    char path[64], *text;
    size_t len;
    Message why;
    temp_path(path);
    EvolveOptions o = tiny(1, 1);
    EvolveState s, read = {0};
    o.state = path;
    assert_int_equal(run(&o, &s), STATUS_OK);
    assert_int_equal(file_read(&text, &len, path, 1 << 20, &why), STATUS_OK);
    for (size_t cut = 0; cut + 4 < len; cut += 7) {
        assert_int_equal(file_write_atomic(path, text, cut, &why), STATUS_OK);
        if (evolve_state_read(&read, path, &why) != STATUS_INVALID)
            fail_msg("read after a cut at %zu", cut);
    }
    char *person = strstr(text, "person 100");
    assert_non_null(person);
    memcpy(person, "person 999", strlen("person 999"));
    assert_int_equal(file_write_atomic(path, text, len, &why), STATUS_OK);
    assert_int_equal(evolve_state_read(&read, path, &why), STATUS_INVALID);
    assert_non_null(strstr(why.text, "damaged"));
    assert_null(read.generations);
    free(text);
    evolve_free(&s);
    unlink(path);
}

/* Weights that value material against weights that do not: what the tally must show, from the view
 * of the first. */
static void test_proof(void **state)
{
    (void)state;
    EvolveConfig c = evolve_defaults(&adaptive_evaluator);
    int sane[CLASSIC_EVAL_MAX_WEIGHTS] = {100, 10, 5, 1},
        mad[CLASSIC_EVAL_MAX_WEIGHTS] = {0, 0, 0, 100};
    StatsTally a, b;
    Message why;
    atomic_bool stop = false;
    assert_int_equal(evolve_prove(&c, sane, mad, 12, 3, &stop, &a, &why), STATUS_OK);
    assert_int_equal(a.wins + a.draws + a.losses, 12);
    assert_true(a.wins > a.losses + 6);
    assert_int_equal(evolve_prove(&c, mad, sane, 12, 1, &stop, &b, &why), STATUS_OK);
    assert_int_equal(a.wins, b.losses);
    assert_int_equal(a.draws, b.draws);
    stop = true;
    assert_int_equal(evolve_prove(&c, sane, mad, 12, 2, &stop, &a, &why), STATUS_STOPPED);
}

static void test_agreement(void **state)
{
    (void)state;
    EvolveOptions o = tiny(0, 1);
    EvolveState s;
    int result[CLASSIC_EVAL_MAX_WEIGHTS];
    assert_int_equal(run(&o, &s), STATUS_OK);
    assert_false(evolve_agrees(&s));
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 4; i++)
            s.generations[0].people[k].weights[i] = 20 + (k > 1);
    assert_true(evolve_agrees(&s));
    evolve_result(&s, result);
    assert_int_equal(result[0], 21); /* 20.5, rounded up */
    s.generations[0].people[3].weights[3] = 23;
    assert_false(evolve_agrees(&s));
    Text t;
    text_init(&t);
    evolve_report(&s, &t);
    assert_non_null(strstr(t.at, "not all agree"));
    assert_non_null(strstr(t.at, "development"));
    text_clear(&t);
    evolve_svg(&s, &t);
    assert_non_null(strstr(t.at, "<polygon"));
    assert_non_null(strstr(t.at, "</svg>\n"));
    text_free(&t);
    evolve_free(&s);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights_change_within_bounds),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_broken_state),
        cmocka_unit_test(test_proof),
        cmocka_unit_test(test_agreement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
