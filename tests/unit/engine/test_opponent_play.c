/* What opponent.h promises of every opponent: a legal move whatever the limits, also when it is
 * stopped at once, and an end soon after the stop when nothing else limits it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../classics/evaluating.h"
#include "base/clock.h"
#include "base/thread.h"
#include "engine/opponents.h"

static const char *const fens[] = {
    "r1bqk2r/pp1p1ppp/2n1pn2/8/1bPN4/2N5/PPQ1PPPP/R1B1KB1R w KQkq - 2 7",
    "4k3/4r3/8/8/8/8/8/4K3 w - - 0 1",
    "8/8/8/8/8/5k2/6p1/6K1 b - - 99 90",
    "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
};

enum { FENS = sizeof fens / sizeof *fens, PATIENCE_MS = 5000 };

static OpponentAnswer ask(const OpponentRow *row, const char *fen, const SearchLimits *limits,
                          const atomic_bool *stop)
{
    Position p = evaluating_position(fen);
    Opponent *o;
    Message why;
    OpponentAnswer answer;
    if (opponent_open(&o, row, span_of(""), NULL, 1, &why) != STATUS_OK)
        fail_msg("%s: %s", row->name, why.text);
    OpponentTask task = {.position = &p, .limits = limits, .stop = stop};
    opponent_think(o, &task, &answer);
    opponent_close(o);
    if (!pos_is_legal(&p, answer.move))
        fail_msg("%s, %s: not a legal move", row->name, fen);
    return answer;
}

static void for_every_mind(void (*check)(const OpponentRow *row))
{
    for (int i = 0; i < opponents_count(); i++)
        if (opponents_at(i)->ops)
            check(opponents_at(i));
}

static void check_limits(const OpponentRow *row)
{
    const SearchLimits limits[] = {{.nodes = 1},
                                   {.nodes = 500},
                                   {.depth = 1},
                                   {.move_time_ms = 1},
                                   {.has_clock = {true, true}, .clock_ms = {1, 1}},
                                   {.has_clock = {true, true}, .clock_ms = {-5, -5}}};
    atomic_bool stop = false;
    for (int i = 0; i < FENS; i++)
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
            ask(row, fens[i], &limits[k], &stop);
}

static void test_limits(void **state)
{
    (void)state;
    for_every_mind(check_limits);
}

static void check_stopped(const OpponentRow *row)
{
    SearchLimits endless = {.infinite = true};
    atomic_bool stop = true;
    int64_t began = clock_now_ms();
    for (int i = 0; i < FENS; i++)
        ask(row, fens[i], &endless, &stop);
    assert_true(clock_now_ms() - began < PATIENCE_MS);
}

static void test_stopped_at_once(void **state)
{
    (void)state;
    for_every_mind(check_stopped);
}

typedef struct Bell {
    atomic_bool stop;
    int64_t rung_ms;
} Bell;

static void *ring(void *arg)
{
    Bell *bell = arg;
    clock_sleep_ms(20);
    bell->rung_ms = clock_now_ms();
    atomic_store(&bell->stop, true);
    return NULL;
}

static void check_endless(const OpponentRow *row)
{
    SearchLimits endless = {.infinite = true};
    for (int i = 0; i < FENS; i += FENS - 1) {
        Bell bell = {0};
        Thread thread;
        Message why;
        assert_int_equal(thread_start(&thread, ring, &bell, 0, &why), STATUS_OK);
        ask(row, fens[i], &endless, &bell.stop);
        bool stopped = atomic_load(&bell.stop);
        thread_join(thread);
        if (!stopped)
            fail_msg("%s ended by itself", row->name);
        if (clock_now_ms() - bell.rung_ms > PATIENCE_MS)
            fail_msg("%s did not end", row->name);
    }
}

static void test_endless(void **state)
{
    (void)state;
    for_every_mind(check_endless);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_stopped_at_once),
        cmocka_unit_test(test_endless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
