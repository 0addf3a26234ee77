#include "playing.h"
#include "engine/opponents.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../classics/evaluating.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"

#include <string.h>

/* Generous: the machine may be busy. Where nodes tell as well, they do: time alone would overlook a
 * little. */
enum { SOON_MS = 10000, FEW_NODES = 300, OPENING_PLIES = 6, LONGEST_GAME = 400 };

static const char middle_game[] =
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 3 9";

Opponent *playing_open(const char *name, uint64_t seed)
{
    OpponentChoice choice;
    Opponent *o = NULL;
    Message why;
    if (opponents_read(span_of(name), &choice, &why) != STATUS_OK ||
        opponent_open(&o, choice.row, choice.settings, NULL, seed, &why) != STATUS_OK)
        fail_msg("%s: %s", name, why.text);
    return o;
}

static void thought(void *user, const OpponentThought *t)
{
    Position p = *(const Position *)user;
    assert_in_range(t->pv_length, 1, MAX_PLY);
    for (int i = 0; i < t->pv_length; i++) {
        Undo undo;
        assert_true(pos_is_legal(&p, t->pv[i]));
        pos_make(&p, t->pv[i], &undo);
    }
    assert_true(t->time_ms >= 0);
}

static OpponentAnswer ask(Opponent *o, Position *p, const SearchLimits *limits, atomic_bool *stop)
{
    Position before = *p;
    OpponentAnswer a;
    OpponentTask task = {.position = p, .limits = limits, .stop = stop, .user = &before};
    task.thought = thought;
    opponent_think(o, &task, &a);
    assert_memory_equal(p, &before, sizeof before);
    assert_true(pos_is_legal(p, a.move));
    return a;
}

OpponentAnswer playing_ask(Opponent *o, const char *fen, const SearchLimits *limits)
{
    Position p = evaluating_position(fen);
    atomic_bool stop = false;
    return ask(o, &p, limits, &stop);
}

void playing_expect(Opponent *o, const char *fen, const SearchLimits *limits, const char *san)
{
    Position p = evaluating_position(fen);
    char found[SAN_SIZE];
    san_write(&p, playing_ask(o, fen, limits).move, found);
    if (strcmp(found, san) != 0)
        fail_msg("%s: %s, not %s", fen, found, san);
}

OpponentAnswer playing_once(const char *name, const char *fen, const SearchLimits *limits,
                            uint64_t seed)
{
    Opponent *o = playing_open(name, seed);
    OpponentAnswer a = playing_ask(o, fen, limits);
    opponent_close(o);
    return a;
}

void playing_expect_once(const char *name, const char *fen, int depth, const char *san)
{
    Opponent *o = playing_open(name, 1);
    playing_expect(o, fen, &(SearchLimits){.depth = depth}, san);
    opponent_close(o);
}

static void *stop_later(void *flag)
{
    clock_sleep_ms(50);
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

static uint64_t check_soon(Opponent *o, const SearchLimits *limits, bool stopped, const char *what)
{
    Position p = evaluating_position(middle_game);
    atomic_bool stop = stopped;
    int64_t start = clock_now_ms();
    OpponentAnswer a = ask(o, &p, limits, &stop);
    if (clock_now_ms() - start > SOON_MS)
        fail_msg("%s: %lld ms", what, (long long)(clock_now_ms() - start));
    return a.nodes;
}

static void check_stopped_later(Opponent *o)
{
    Position p = evaluating_position(middle_game);
    SearchLimits endless = {.infinite = true};
    atomic_bool stop = false;
    Message why;
    Thread t;
    assert_int_equal(thread_start(&t, stop_later, &stop, 0, &why), STATUS_OK);
    int64_t start = clock_now_ms();
    ask(o, &p, &endless, &stop);
    int64_t took = clock_now_ms() - start;
    thread_join(t);
    assert_true(atomic_load(&stop));
    assert_true(took < SOON_MS);
}

void playing_check_stops(const char *name)
{
    Opponent *o = playing_open(name, 1);
    SearchLimits none = {0}, nodes = {.nodes = 200}, time = {.move_time_ms = 30};
    SearchLimits flag = {.has_clock = {true, true}, .clock_ms = {1, 1}};
    assert_true(check_soon(o, &none, true, "stopped at once") < FEW_NODES);
    assert_true(check_soon(o, &nodes, false, "200 nodes") < FEW_NODES);
    check_soon(o, &time, false, "30 ms");
    check_soon(o, &flag, false, "a clock with 1 ms");
    check_stopped_later(o);
    opponent_close(o);
}

static void walk(Position *p, Random *random)
{
    for (int i = 0; i < OPENING_PLIES && movegen_any(p); i++) {
        Move moves[MAX_MOVES];
        Undo undo;
        int count = movegen(p, GEN_ALL, moves);
        pos_make(p, moves[random_below(random, (uint32_t)count)], &undo);
    }
}

int playing_game(const char *white, const char *black, uint64_t seed, uint64_t nodes)
{
    Opponent *sides[COLOR_COUNT] = {playing_open(white, seed), playing_open(black, seed + 1)};
    SearchLimits limits = {.nodes = nodes};
    Position p;
    Random random;
    int plies = 0;
    random_seed(&random, seed);
    pos_set_start(&p);
    walk(&p, &random);
    for (; plies < LONGEST_GAME && draw_game_end(&p) == GAME_GOES_ON; plies++) {
        atomic_bool stop = false;
        Undo undo;
        OpponentAnswer a = ask(sides[p.side], &p, &limits, &stop);
        if (a.resigns)
            break;
        pos_make(&p, a.move, &undo);
    }
    opponent_close(sides[WHITE]);
    opponent_close(sides[BLACK]);
    return plies;
}
