/* An opponent at the engine's board: its search output, resignations and draw offers come through
 * the engine's events, and stopping, pondering, clocks and analysis keep their meaning. The
 * opponent here is made for the test. */
#include "engine/engine_int.h"
#include "engine/opponents.h"

#include "base/clock.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "levels/level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FOREVER_MS = 60000, PROMPT_MS = 5000 };

/* -- An opponent under orders -- */

typedef struct Orders {
    bool dawdles; /* thinks until it is stopped */
    bool silent;  /* tells no line */
    bool resigns, offers, agrees;
    int64_t think_ms;
    Score score;
    /* What it saw. */
    int games, thoughts;
    uint64_t seed;
    SearchLimits limits;
} Orders;

/* The orders lie in the row, where the test looks at them afterwards. */
typedef struct Mind {
    Orders *orders;
} Mind;

static Status mind_open(void *self, const void *setup, Message *why)
{
    (void)why;
    union {
        const void *setup;
        Orders *orders;
    } u = {setup};
    ((Mind *)self)->orders = u.orders;
    return STATUS_OK;
}

static void mind_new_game(void *self, uint64_t seed)
{
    Orders *o = ((Mind *)self)->orders;
    o->games++;
    o->seed = seed;
}

/* The first move of the list, thought of the last one before. */
static void mind_think(void *self, const OpponentTask *task, OpponentAnswer *answer)
{
    Orders *o = ((Mind *)self)->orders;
    Move moves[MAX_MOVES];
    int count = movegen(task->position, GEN_ALL, moves);
    o->thoughts++;
    o->limits = *task->limits;
    OpponentThought thought = {
        .depth = 3, .score = 17, .nodes = 99, .pv = &moves[count - 1], .pv_length = 1};
    if (task->thought && !o->silent)
        task->thought(task->user, &thought);
    while (o->dawdles && !atomic_load(task->stop))
        clock_sleep_ms(1);
    answer->move = moves[0];
    answer->score = o->score;
    answer->depth = 4;
    answer->nodes = 100;
    answer->resigns = o->resigns;
    answer->offers_draw = o->offers;
    answer->think_ms = o->think_ms;
    snprintf(answer->talk, sizeof answer->talk, "word %d", o->thoughts);
}

static bool mind_accepts(void *self, const Position *p)
{
    (void)p;
    return ((Mind *)self)->orders->agrees;
}

static const OpponentOps ordered_ops = {.size = sizeof(Mind),
                                        .open = mind_open,
                                        .new_game = mind_new_game,
                                        .think = mind_think,
                                        .accepts_draw = mind_accepts};

/* -- Ears -- */

typedef struct Fixture {
    Engine *e;
    Orders orders;
    OpponentRow row;
    Message why;
    int lines, done;
    Move last;
    int last_value;
    EngineResult result;
} Fixture;

static void on_line(void *user, const EngineLine *line)
{
    Fixture *f = user;
    f->lines++;
    f->last = line->pv[0];
    f->last_value = line->score.value;
    assert_int_equal(line->multipv, 1);
    assert_int_equal(line->score.win + line->score.draw + line->score.loss, 1000);
}

static void on_done(void *user, const EngineResult *result)
{
    Fixture *f = user;
    f->done++;
    f->result = *result;
}

static int open_engine(void **state)
{
    static Fixture f;
    f = (Fixture){.row = {.name = "obedient", .title = "Obedient", .ops = &ordered_ops}};
    f.row.setup = &f.orders;
    chess_init();
    EngineEvents events = {&f, on_line, NULL, on_done};
    *state = &f;
    if (engine_create(&f.e, &events, &f.why) != STATUS_OK)
        return -1;
    return engine_choose_opponent(f.e, (OpponentSpec){.row = &f.row}, &f.why) == STATUS_OK ? 0 : -1;
}

static int close_engine(void **state)
{
    Fixture *f = *state;
    engine_destroy(f->e);
    return 0;
}

static void set(Fixture *f, const char *name, const char *value)
{
    assert_int_equal(engine_set_option(f->e, span_of(name), span_of(value), &f->why), STATUS_OK);
}

static void go_and_wait(Fixture *f, SearchLimits limits)
{
    engine_go(f->e, NULL, &limits);
    engine_wait(f->e);
}

static SearchLimits clock_of(int64_t ms)
{
    return (SearchLimits){.has_clock = {true, true}, .clock_ms = {ms, ms}};
}

/* -- Tests -- */

static void test_events(void **state)
{
    Fixture *f = *state;
    set(f, "MultiPV", "4");
    f->orders.score = -33;
    go_and_wait(f, (SearchLimits){.nodes = 10});
    assert_int_equal(f->orders.thoughts, 1);
    assert_int_equal(f->lines, 2); /* its thought, and then the move it played */
    assert_int_equal(f->done, 1);
    assert_int_equal(f->last, f->result.best);
    assert_int_equal(f->last_value, -33);
    assert_int_equal(f->result.score.value, -33);
    assert_true(pos_is_legal(engine_position(f->e), f->result.best));
    assert_true(f->result.told);
    assert_int_equal(f->result.nodes, 100);
    assert_string_equal(f->result.talk, "word 1");
    assert_false(f->result.resigns || f->result.offers_draw);
    assert_string_equal(engine_opponent(f->e)->name, "obedient");
    f->orders.silent = true;
    f->lines = 0;
    go_and_wait(f, (SearchLimits){.nodes = 10});
    assert_int_equal(f->lines, 1);
    assert_true(f->result.told);
}

static void test_mates_are_told_as_mates(void **state)
{
    Fixture *f = *state;
    f->orders.score = score_mate_in(3);
    go_and_wait(f, (SearchLimits){.nodes = 10});
    assert_true(f->result.score.is_mate);
    assert_int_equal(f->result.score.value, 2);
}

static void test_manners(void **state)
{
    Fixture *f = *state;
    f->orders.resigns = f->orders.offers = true;
    go_and_wait(f, (SearchLimits){.depth = 1});
    assert_true(f->result.resigns && f->result.offers_draw);
    assert_false(engine_accepts_draw(f->e, NULL));
    f->orders.agrees = true;
    assert_true(engine_accepts_draw(f->e, NULL));
    engine_new_game(f->e);
    assert_false(engine_accepts_draw(f->e, NULL)); /* it does not know this game yet */
    f->orders.dawdles = true;
    engine_go(f->e, NULL, &(SearchLimits){.depth = 1});
    assert_false(engine_accepts_draw(f->e, NULL)); /* not a word while it thinks */
    engine_end(f->e);
}

static void test_stop(void **state)
{
    Fixture *f = *state;
    f->orders.dawdles = true;
    for (int i = 1; i <= 20; i++) {
        SearchLimits limits = clock_of(FOREVER_MS);
        engine_go(f->e, NULL, &limits);
        assert_true(engine_thinking(f->e));
        engine_stop(f->e);
        engine_wait(f->e);
        assert_false(engine_thinking(f->e));
        assert_int_equal(f->done, i);
    }
    engine_stop(f->e); /* harmless */
    engine_ponderhit(f->e);
    engine_go(f->e, NULL, &(SearchLimits){.depth = 1});
    engine_go(f->e, NULL, &(SearchLimits){.depth = 1}); /* ends the one before */
    engine_end(f->e);
    assert_int_equal(f->done, 22);
    engine_go(f->e, NULL, &(SearchLimits){.depth = 1});
    set(f, "Opponent", "castellan"); /* and so does another choice */
    assert_int_equal(f->done, 23);
    assert_null(engine_opponent(f->e)->ops);
}

static void test_destroyed_while_thinking(void **state)
{
    Fixture *f = *state;
    f->orders.dawdles = true;
    engine_go(f->e, NULL, &(SearchLimits){.depth = 1});
}

static void test_ponder(void **state)
{
    Fixture *f = *state;
    SearchLimits limits = clock_of(FOREVER_MS);
    limits.ponder = true;
    engine_go(f->e, NULL, &limits);
    clock_sleep_ms(30);
    assert_int_equal(f->done, 0);
    assert_true(engine_thinking(f->e));
    int64_t before = clock_now_ms();
    engine_ponderhit(f->e);
    engine_wait(f->e);
    assert_int_equal(f->done, 1);
    assert_false(f->orders.limits.ponder);
    assert_true(f->orders.limits.start_ms >= before);
    engine_go(f->e, NULL, &limits);
    engine_end(f->e); /* the other side moved differently */
    assert_int_equal(f->done, 2);
    assert_true(pos_is_legal(engine_position(f->e), f->result.best));
}

static void test_analysis_is_castellans(void **state)
{
    Fixture *f = *state;
    Move e2e4 = MOVE_NONE, moves[MAX_MOVES];
    int count = movegen(engine_position(f->e), GEN_ALL, moves);
    e2e4 = moves[count / 2];
    SearchLimits only = {.depth = 1, .only = {e2e4}, .only_count = 1};
    go_and_wait(f, only);
    assert_int_equal(f->result.best, e2e4);
    engine_go(f->e, NULL, &(SearchLimits){.infinite = true});
    engine_end(f->e);
    go_and_wait(f, (SearchLimits){.mate = 1, .depth = 2});
    set(f, "UCI_AnalyseMode", "true");
    go_and_wait(f, (SearchLimits){.depth = 1});
    assert_int_equal(f->done, 4);
    assert_int_equal(f->orders.thoughts, 0);
    set(f, "UCI_AnalyseMode", "false");
    go_and_wait(f, (SearchLimits){.depth = 1});
    assert_int_equal(f->orders.thoughts, 1);
    SearchLimits few = {.nodes = 200};
    assert_true(engine_think_quietly(f->e, NULL, &few).best != MOVE_NONE);
    assert_int_equal(f->orders.thoughts, 1);
}

static void test_finished_game(void **state)
{
    Fixture *f = *state;
    assert_int_equal(engine_set_fen(f->e, span_of("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), &f->why),
                     STATUS_OK);
    go_and_wait(f, (SearchLimits){.depth = 1});
    assert_int_equal(f->result.best, MOVE_NONE);
    assert_int_equal(f->orders.thoughts, 0);
}

static int64_t time_of(Fixture *f, SearchLimits limits)
{
    int64_t before = clock_now_ms();
    go_and_wait(f, limits);
    return clock_now_ms() - before;
}

static void test_pace(void **state)
{
    Fixture *f = *state;
    f->orders.think_ms = 60;
    assert_true(time_of(f, clock_of(FOREVER_MS)) >= 60);
    assert_true(f->result.time_ms >= 60);
    assert_true(time_of(f, (SearchLimits){0}) >= 60); /* somebody plays without a clock */
    /* A fixed effort, little time, a switch, a stop: nobody waits a minute. */
    f->orders.think_ms = FOREVER_MS;
    assert_true(time_of(f, (SearchLimits){.nodes = 5}) < PROMPT_MS);
    assert_true(time_of(f, (SearchLimits){.depth = 5}) < PROMPT_MS);
    assert_true(time_of(f, (SearchLimits){.move_time_ms = 5}) < PROMPT_MS);
    assert_true(time_of(f, clock_of(500)) < PROMPT_MS);
    engine_go(f->e, NULL, &(SearchLimits){0});
    int64_t before = clock_now_ms();
    engine_end(f->e);
    assert_true(clock_now_ms() - before < PROMPT_MS);
    set(f, "Think Time", "false");
    assert_true(time_of(f, clock_of(100 * FOREVER_MS)) < PROMPT_MS);
}

static void test_overhead_is_kept(void **state)
{
    Fixture *f = *state;
    set(f, "Move Overhead", "300");
    go_and_wait(f, clock_of(1000));
    assert_int_equal(f->orders.limits.clock_ms[WHITE], 700);
    go_and_wait(f, clock_of(100));
    assert_int_equal(f->orders.limits.clock_ms[WHITE], 1);
}

static uint64_t seed_of_new_game(Fixture *f)
{
    engine_new_game(f->e);
    go_and_wait(f, (SearchLimits){.depth = 1});
    return f->orders.seed;
}

static void test_seeds(void **state)
{
    Fixture *f = *state;
    go_and_wait(f, (SearchLimits){.depth = 1});
    int games = f->orders.games;
    go_and_wait(f, (SearchLimits){.depth = 1});
    assert_int_equal(f->orders.games, games);
    assert_true(seed_of_new_game(f) != seed_of_new_game(f));
    set(f, "Opponent Seed", "7");
    uint64_t seven = seed_of_new_game(f);
    assert_true(seed_of_new_game(f) == seven);
    engine_play(f->e, f->result.best, &f->why);
    assert_true(seed_of_new_game(f) != seven); /* another game */
    set(f, "Opponent Seed", "8");
    engine_set_fen(f->e, span_of(FEN_START), &f->why);
    assert_true(seed_of_new_game(f) != seven);
}

/* Castellan's own word on draws: none before it has moved, then by its last score. */
static void test_castellan_and_draws(void **state)
{
    Fixture *f = *state;
    set(f, "Opponent", "castellan");
    assert_false(engine_accepts_draw(f->e, NULL));
    assert_int_equal(engine_set_fen(f->e, span_of("7k/8/8/8/8/8/q7/7K w - - 0 1"), &f->why),
                     STATUS_OK);
    go_and_wait(f, (SearchLimits){.depth = 2, .infinite = false});
    assert_true(engine_accepts_draw(f->e, NULL));
    engine_new_game(f->e);
    assert_false(engine_accepts_draw(f->e, NULL));
    assert_int_equal(engine_set_fen(f->e, span_of("7k/8/8/8/8/8/q7/7K b - - 0 1"), &f->why),
                     STATUS_OK);
    go_and_wait(f, (SearchLimits){.depth = 2});
    assert_false(engine_accepts_draw(f->e, NULL));
    engine_set_fen(f->e, span_of(FEN_START), &f->why);
    engine_go(f->e, NULL, &(SearchLimits){.infinite = true}); /* analysis is no move */
    engine_end(f->e);
    assert_false(engine_accepts_draw(f->e, NULL));
}

static void test_unknown_opponent(void **state)
{
    Fixture *f = *state;
    assert_int_equal(engine_set_option(f->e, span_of("opponent"), span_of("Castelan"), &f->why),
                     STATUS_INVALID);
    assert_non_null(strstr(f->why.text, "castellan"));
    assert_string_equal(engine_opponent(f->e)->name, "obedient");
}

static void assert_plays_at(Fixture *f, int elo)
{
    const OpponentRow *row = engine_opponent(f->e);
    assert_true((row->ops == NULL) == (elo == 0));
    if (elo) {
        assert_ptr_equal(row->ops, &level_ops);
        assert_int_equal(row->rating, elo);
    }
}

/* A chosen opponent comes first, then UCI_Elo when strength is limited, then the skill level. */
static void test_strength(void **state)
{
    Fixture *f = *state;
    set(f, "Opponent", "castellan");
    assert_plays_at(f, 0);
    set(f, "UCI_Elo", "1234");
    assert_plays_at(f, 0);
    set(f, "UCI_LimitStrength", "true");
    assert_plays_at(f, 1234);
    set(f, "UCI_Elo", "1");
    assert_plays_at(f, 400);
    set(f, "Skill Level", "3");
    assert_plays_at(f, 400);
    set(f, "UCI_LimitStrength", "false");
    assert_plays_at(f, 790);
    set(f, "Skill Level", "19");
    assert_plays_at(f, 2870);
    go_and_wait(f, (SearchLimits){.nodes = 200});
    assert_true(pos_is_legal(engine_position(f->e), f->result.best));
    set(f, "Skill Level", "20");
    assert_plays_at(f, 0);
    set(f, "UCI_LimitStrength", "true");
    for (int i = 1; i < opponents_count(); i++) {
        set(f, "Opponent", opponents_at(i)->name);
        assert_ptr_equal(engine_opponent(f->e)->ops, opponents_at(i)->ops);
    }
    set(f, "Opponent", "castellan");
    assert_plays_at(f, 400);
}

/* Every opponent answers through the engine, at once when stopped at once. */
static void test_everyone_answers(void **state)
{
    Fixture *f = *state;
    for (int i = 1; i < opponents_count(); i++) {
        set(f, "Opponent", opponents_at(i)->name);
        assert_ptr_equal(engine_opponent(f->e)->ops, opponents_at(i)->ops);
        int done = f->done;
        go_and_wait(f, (SearchLimits){.nodes = 200});
        assert_true(pos_is_legal(engine_position(f->e), f->result.best));
        engine_go(f->e, NULL, &(SearchLimits){.move_time_ms = FOREVER_MS});
        engine_end(f->e);
        assert_true(pos_is_legal(engine_position(f->e), f->result.best));
        assert_int_equal(f->done, done + 2);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_engine, close_engine)
    const struct CMUnitTest tests[] = {
        TEST(test_events),
        TEST(test_mates_are_told_as_mates),
        TEST(test_manners),
        TEST(test_stop),
        TEST(test_ponder),
        TEST(test_destroyed_while_thinking),
        TEST(test_pace),
        TEST(test_analysis_is_castellans),
        TEST(test_finished_game),
        TEST(test_overhead_is_kept),
        TEST(test_seeds),
        TEST(test_castellan_and_draws),
        TEST(test_unknown_opponent),
        TEST(test_everyone_answers),
        TEST(test_strength),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
