/* A game in progress: clocks, offers, takebacks, results. Time is what the tests say it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "play/play.h"

static Play opened(const char *fen, TimeControl control, PlaySetup setup)
{
    Play p;
    Position start;
    Message why;
    if (fen) {
        assert_int_equal(fen_parse(&start, span_of(fen), false, &why), STATUS_OK);
        setup.start = &start;
    }
    setup.control[WHITE] = setup.control[BLACK] = control;
    assert_int_equal(play_open(&p, &setup, 1000, &why), STATUS_OK);
    return p;
}

static Status move(Play *p, const char *text, int64_t now)
{
    Message why;
    return play_move(p, uci_move_read(&p->now, span_of(text)), now, &why);
}

static void reason_is(const Play *p, const char *expected)
{
    char reason[PLAY_REASON_SIZE];
    play_reason(p, reason);
    assert_string_equal(reason, expected);
}

static void clocks_run(void **state)
{
    (void)state;
    Play p = opened(NULL, (TimeControl){60000, 2000, 0}, (PlaySetup){0});
    assert_true(play_clock_runs(&p));
    assert_int_equal(play_clock_ms(&p, WHITE, 4000), 57000);
    assert_int_equal(play_clock_ms(&p, BLACK, 4000), 60000);
    assert_int_equal(move(&p, "e2e4", 11000), STATUS_OK);
    assert_int_equal(play_clock_ms(&p, WHITE, 99000), 52000);
    assert_int_equal(play_clock_ms(&p, BLACK, 12000), 59000);
    SearchLimits limits = {0};
    play_limits(&p, BLACK, 12000, &limits);
    assert_true(limits.has_clock[BLACK]);
    assert_int_equal(limits.clock_ms[BLACK], 59000);
    assert_int_equal(limits.increment_ms[WHITE], 2000);
    assert_int_equal(limits.moves_to_go, 0);
    play_close(&p);
}

static void first_moves_are_free(void **state)
{
    (void)state;
    Play p = opened(NULL, (TimeControl){60000, 1000, 0}, (PlaySetup){.free_plies = 2});
    assert_false(play_clock_runs(&p));
    assert_false(play_check_flag(&p, 1000000));
    assert_int_equal(move(&p, "e2e4", 1000000), STATUS_OK);
    assert_int_equal(move(&p, "e7e5", 2000000), STATUS_OK);
    assert_int_equal(play_clock_ms(&p, WHITE, 2000000), 60000);
    assert_true(play_clock_runs(&p));
    assert_int_equal(play_clock_ms(&p, WHITE, 2001000), 59000);
    play_close(&p);
}

static void periods_add_time(void **state)
{
    (void)state;
    Play p = opened(NULL, (TimeControl){10000, 0, 2}, (PlaySetup){0});
    assert_int_equal(play_moves_to_go(&p, WHITE), 2);
    move(&p, "e2e4", 4000);
    move(&p, "e7e5", 5000);
    assert_int_equal(play_moves_to_go(&p, WHITE), 1);
    move(&p, "g1f3", 8000);
    assert_int_equal(play_clock_ms(&p, WHITE, 8000), 10000 - 3000 - 3000 + 10000);
    assert_int_equal(play_moves_to_go(&p, WHITE), 2);
    assert_int_equal(play_moves_to_go(&p, BLACK), 1);
    play_close(&p);
}

static void flags_fall(void **state)
{
    (void)state;
    Play p = opened(NULL, (TimeControl){5000, 0, 0}, (PlaySetup){.margin_ms = 100});
    assert_false(play_check_flag(&p, 6050));
    assert_int_equal(move(&p, "e2e4", 6050), STATUS_OK); /* within the margin */
    assert_int_equal(play_clock_ms(&p, WHITE, 6050), 0);
    assert_int_equal(move(&p, "e7e5", 12000), STATUS_REFUSED);
    assert_int_equal(p.state.end, PLAY_TIME);
    assert_int_equal(p.state.result, RESULT_WHITE_WINS);
    assert_int_equal(p.count, 1);
    reason_is(&p, "Black loses on time");
    play_close(&p);

    /* The other side has a king alone. */
    p = opened("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1", (TimeControl){5000, 0, 0}, (PlaySetup){0});
    assert_true(play_check_flag(&p, 6000));
    assert_int_equal(p.state.result, RESULT_DRAW);
    assert_int_equal(p.state.loser, WHITE);
    assert_false(play_check_flag(&p, 7000));
    play_close(&p);
}

static void draws_are_offered(void **state)
{
    (void)state;
    Play p = opened(NULL, (TimeControl){0}, (PlaySetup){0});
    assert_false(play_offer_draw(&p, WHITE, 0));
    move(&p, "e2e4", 0);
    assert_int_equal(p.state.offer, WHITE); /* stands until Black answers */
    move(&p, "e7e5", 0);
    assert_int_equal(p.state.offer, COLOR_COUNT);
    assert_false(play_offer_draw(&p, BLACK, 0));
    assert_true(play_offer_draw(&p, WHITE, 0));
    assert_int_equal(p.state.result, RESULT_DRAW);
    reason_is(&p, "agreement");
    play_resign(&p, WHITE, 0); /* too late */
    assert_int_equal(p.state.result, RESULT_DRAW);
    play_close(&p);
}

static void rules_end_games(void **state)
{
    (void)state;
    static const char *const moves[] = {"f2f3", "e7e5", "g2g4", "d8h4"};
    Play p = opened(NULL, (TimeControl){0}, (PlaySetup){0});
    for (int i = 0; i < 4; i++)
        assert_int_equal(move(&p, moves[i], 0), STATUS_OK);
    assert_int_equal(p.state.result, RESULT_BLACK_WINS);
    reason_is(&p, "checkmate");
    assert_int_equal(move(&p, "a2a3", 0), STATUS_REFUSED);
    play_restart(&p, NULL, 0);
    assert_false(play_is_over(&p));
    assert_int_equal(move(&p, "e2e5", 0), STATUS_INVALID);
    play_resign(&p, BLACK, 0);
    reason_is(&p, "Black resigns");
    play_close(&p);
}

/* Knights go out and back until the position stands for the third time. */
static void repeat(Play *p)
{
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    for (int i = 0; i < 8; i++)
        assert_int_equal(move(p, moves[i % 4], 0), STATUS_OK);
}

static void draws_are_claimed(void **state)
{
    (void)state;
    Play p = opened(NULL, (TimeControl){0}, (PlaySetup){0});
    repeat(&p);
    assert_int_equal(p.state.rule, GAME_THREEFOLD);
    play_close(&p);
    p = opened(NULL, (TimeControl){0}, (PlaySetup){.claims = true});
    assert_false(play_claim_draw(&p, 0));
    repeat(&p);
    assert_false(play_is_over(&p));
    assert_int_equal(play_claim(&p), GAME_THREEFOLD);
    assert_true(play_claim_draw(&p, 0));
    assert_int_equal(p.state.result, RESULT_DRAW);
    play_close(&p);
}

static void count_change(void *user, const Play *p)
{
    (void)p;
    ++*(int *)user;
}

static void takebacks_restore_clocks(void **state)
{
    (void)state;
    int changes = 0;
    Play p = opened(NULL, (TimeControl){60000, 1000, 0},
                    (PlaySetup){.human = {true, false}, .changed = count_change, .user = &changes});
    assert_int_equal(play_plies_to_human(&p), 0);
    move(&p, "e2e4", 11000);
    assert_int_equal(play_plies_to_human(&p), 1);
    move(&p, "e7e5", 21000);
    move(&p, "g1f3", 31000);
    move(&p, "b8c6", 41000);
    assert_int_equal(changes, 4);
    assert_int_equal(play_plies_to_human(&p), 2);
    play_resign(&p, WHITE, 45000);
    assert_true(play_take_back(&p, 2, 50000));
    assert_int_equal(changes, 6);
    assert_int_equal(p.count, 2);
    assert_false(play_is_over(&p));
    assert_int_equal(p.state.result, RESULT_NONE);
    assert_int_equal(play_clock_ms(&p, WHITE, 52000), 51000 - 2000);
    assert_int_equal(play_clock_ms(&p, BLACK, 52000), 51000);
    assert_false(play_take_back(&p, 3, 0));
    play_close(&p);
}

/* As a server does: moves from a database, then the state that was stored with them. */
static void games_are_stored_and_resumed(void **state)
{
    (void)state;
    Message why;
    Play p = opened(NULL, (TimeControl){60000, 1000, 0}, (PlaySetup){.free_plies = 2});
    move(&p, "e2e4", 2000);
    move(&p, "e7e5", 3000);
    move(&p, "g1f3", 9000);
    play_offer_draw(&p, WHITE, 9000);
    Play q = opened(NULL, (TimeControl){60000, 1000, 0}, (PlaySetup){.free_plies = 2});
    for (int i = 0; i < p.count; i++)
        assert_int_equal(play_replay(&q, p.moves[i].move, p.moves[i].clock_ms, &why), STATUS_OK);
    assert_int_equal(q.state.left_ms[WHITE], 55000);
    PlayState stored = p.state;
    play_restore(&q, &stored);
    assert_int_equal(play_clock_ms(&q, BLACK, 10000), play_clock_ms(&p, BLACK, 10000));
    assert_true(play_offer_draw(&q, BLACK, 10000));
    assert_true(play_take_back(&q, 1, 0));
    /* An opening stays, and costs no time. */
    play_restart(&q, NULL, 0);
    assert_int_equal(play_replay(&q, p.moves[0].move, -1, &why), STATUS_OK);
    play_mark_opening(&q);
    play_resume(&q, 500);
    assert_false(play_take_back(&q, 1, 0));
    assert_false(play_clock_runs(&q));
    play_close(&p);
    play_close(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_run),
        cmocka_unit_test(first_moves_are_free),
        cmocka_unit_test(periods_add_time),
        cmocka_unit_test(flags_fall),
        cmocka_unit_test(draws_are_offered),
        cmocka_unit_test(rules_end_games),
        cmocka_unit_test(draws_are_claimed),
        cmocka_unit_test(takebacks_restore_clocks),
        cmocka_unit_test(games_are_stored_and_resumed),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
