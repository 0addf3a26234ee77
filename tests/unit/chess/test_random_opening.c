/* Openings of random moves. */
#include "chess/random_opening.h"

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool accept_all(void *user, const Position *p)
{
    (void)p;
    (*(int *)user)++;
    return true;
}

static bool accept_none(void *user, const Position *p)
{
    (void)p;
    (*(int *)user)++;
    return false;
}

static bool start_pawn_ending(void *user, Random *r, Position *p)
{
    (void)user, (void)r;
    return fen_parse(p, span_of("4k3/p7/8/8/8/8/7P/4K3 w - - 0 1"), false, NULL) == STATUS_OK;
}

static void test_legal_and_reproducible(void **state)
{
    (void)state;
    int calls = 0, odd = 0;
    const RandomOpeningRules rules = {
        .plies = 8, .vary_side = true, .accept = accept_all, .user = &calls};
    for (uint64_t seed = 0; seed < 50; seed++) {
        Random a, b;
        RandomOpening one, two;
        random_seed(&a, seed);
        random_seed(&b, seed);
        assert_true(random_opening_make(&rules, &a, &one));
        assert_true(random_opening_make(&rules, &b, &two));
        assert_int_equal(one.count, two.count);
        assert_memory_equal(one.moves, two.moves, (size_t)one.count * sizeof *one.moves);
        Position p = one.start;
        for (int i = 0; i < one.count; i++) {
            Undo undo;
            Move moves[MAX_MOVES];
            int count = movegen(&p, GEN_ALL, moves), k = 0;
            while (k < count && moves[k] != one.moves[i])
                k++;
            assert_true(k < count);
            pos_make(&p, one.moves[i], &undo);
        }
        assert_true(p.st.key == one.end.st.key);
        odd += one.count == 9;
    }
    assert_true(odd > 10 && odd < 40);
}

static void test_start_and_tries(void **state)
{
    (void)state;
    int calls = 0;
    Random r;
    RandomOpening opening;
    RandomOpeningRules rules = {.plies = 3,
                                .max_tries = 7,
                                .start = start_pawn_ending,
                                .accept = accept_none,
                                .user = &calls};
    random_seed(&r, 1);
    assert_false(random_opening_make(&rules, &r, &opening));
    assert_int_equal(calls, 7);
    rules.accept = accept_all;
    assert_true(random_opening_make(&rules, &r, &opening));
    assert_int_equal(opening.count, 3);
    assert_int_equal(opening.end.side, BLACK);
}

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legal_and_reproducible),
        cmocka_unit_test(test_start_and_tries),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
