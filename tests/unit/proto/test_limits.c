/* How "go" and CECP's clocks become search limits. */
#include "../positions.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "proto/cecp_int.h"
#include "proto/uci_int.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static GoRequest parse(const char *text)
{
    GoRequest go;
    Position p;
    pos_set_start(&p);
    uci_parse_go(span_of(text), &p, 1234, &go);
    return go;
}

static void test_clocks(void **state)
{
    (void)state;
    SearchLimits l = parse("wtime 300000 btime 200000 winc 2000 binc 1000 movestogo 12").limits;
    assert_true(l.has_clock[WHITE] && l.has_clock[BLACK]);
    assert_int_equal(l.clock_ms[WHITE], 300000);
    assert_int_equal(l.clock_ms[BLACK], 200000);
    assert_int_equal(l.increment_ms[WHITE], 2000);
    assert_int_equal(l.increment_ms[BLACK], 1000);
    assert_int_equal(l.moves_to_go, 12);
    assert_int_equal(l.start_ms, 1234);
    assert_false(l.infinite);
}

static void test_odd_clocks(void **state)
{
    (void)state;
    SearchLimits l = parse("btime 100 binc 5").limits;
    assert_true(l.has_clock[WHITE]);
    assert_int_equal(l.clock_ms[WHITE], 100);
    assert_int_equal(l.increment_ms[WHITE], 5);
    l = parse("wtime -50 btime 0").limits;
    assert_true(l.has_clock[WHITE] && l.has_clock[BLACK]);
    assert_int_equal(l.clock_ms[WHITE], -50);
    assert_int_equal(l.clock_ms[BLACK], 0);
    l = parse("wtime 99999999999999999999999 winc -4 movestogo -1").limits;
    assert_true(l.clock_ms[WHITE] > 1000000);
    assert_int_equal(l.increment_ms[WHITE], 0);
    assert_int_equal(l.moves_to_go, 0);
}

static void test_zero_is_the_least(void **state)
{
    (void)state;
    assert_int_equal(parse("movetime 0").limits.move_time_ms, 1);
    assert_int_equal(parse("depth 0").limits.depth, 1);
    assert_int_equal(parse("nodes 0").limits.nodes, 1);
    assert_int_equal(parse("mate 0").limits.mate, 1);
    assert_false(parse("nodes 0").limits.infinite);
}

static void test_without_limit(void **state)
{
    (void)state;
    assert_true(parse("").limits.infinite);
    assert_true(parse("infinite").limits.infinite);
    assert_true(parse("depth").limits.infinite);
    assert_true(parse("nonsense 5").limits.infinite);
    assert_false(parse("ponder").limits.infinite);
    assert_true(parse("ponder").limits.ponder);
}

static void test_combined(void **state)
{
    (void)state;
    GoRequest go = parse("wtime 1000 depth 5 movetime 2000 nodes 77 mate 3 ponder");
    assert_int_equal(go.limits.depth, 5);
    assert_int_equal(go.limits.move_time_ms, 2000);
    assert_int_equal(go.limits.nodes, 77);
    assert_int_equal(go.limits.mate, 3);
    assert_true(go.limits.ponder && go.limits.has_clock[BLACK]);
    assert_int_equal(go.perft, -1);
    assert_int_equal(parse("perft 6").perft, 6);
    assert_int_equal(parse("perft -6").perft, 0);
}

static void test_searchmoves(void **state)
{
    (void)state;
    Position p;
    pos_set_start(&p);
    SearchLimits l = parse("searchmoves e2e4 xx e2e4 e2e5 d2d4 depth 3").limits;
    assert_int_equal(l.only_count, 2);
    assert_int_equal(l.only[0], uci_move_read(&p, span_of("e2e4")));
    assert_int_equal(l.only[1], uci_move_read(&p, span_of("d2d4")));
    assert_int_equal(l.depth, 3);
}

static void test_level(void **state)
{
    (void)state;
    TimeControl c;
    assert_true(cecp_read_level(span_of("40 5 0"), &c));
    assert_int_equal(c.moves, 40);
    assert_int_equal(c.base_ms, 300000);
    assert_true(cecp_read_level(span_of("0 2:30 12"), &c));
    assert_int_equal(c.moves, 0);
    assert_int_equal(c.base_ms, 150000);
    assert_int_equal(c.increment_ms, 12000);
    assert_true(cecp_read_level(span_of("0 0.5 0.25"), &c));
    assert_int_equal(c.base_ms, 30000);
    assert_int_equal(c.increment_ms, 250);
    static const char *const bad[] = {"", "40", "40 5", "x 5 0", "40 : 0", "40 5 -1", "-1 5 0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(cecp_read_level(span_of(bad[i]), &c));
    assert_int_equal(c.base_ms, 30000);
    assert_true(cecp_read_level(span_of("0 0:00 1"), &c)); /* still a clock */
    assert_int_equal(c.base_ms, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_odd_clocks),
        cmocka_unit_test(test_zero_is_the_least),
        cmocka_unit_test(test_without_limit),
        cmocka_unit_test(test_combined),
        cmocka_unit_test(test_searchmoves),
        cmocka_unit_test(test_level),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
