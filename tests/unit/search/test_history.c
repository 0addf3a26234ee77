/* History updates reach the entries that move ordering reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "search/search_int.h"

#include <stdlib.h>

/* The knight on f3 is attacked by the bishop on g4, h4 by the queen on d8. */
static const char attacked_fen[] =
    "rn1qkbnr/ppp2ppp/8/3pp3/4P1b1/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 4";

typedef struct HistoryFixture {
    SearchWorker *w;
    SearchStack stack[16];
    SearchNode n;
} HistoryFixture;

static void fixture_open(HistoryFixture *f, const char *fen)
{
    *f = (HistoryFixture){.w = calloc(1, sizeof *f->w)};
    assert_non_null(f->w);
    f->w->history = calloc(1, sizeof *f->w->history);
    assert_non_null(f->w->history);
    params_defaults(&f->w->params);
    f->w->pos = position_of(fen);
    for (int i = 0; i < 16; i++)
        f->stack[i].continuation_history = &f->w->history->continuation[0][PIECE_COUNT][0];
    f->n = (SearchNode){.ss = f->stack + 8, .depth = 6, .beta = 10};
}

static void fixture_close(HistoryFixture *f)
{
    free(f->w->history);
    free(f->w);
}

static void test_threats(void **state)
{
    (void)state;
    HistoryFixture f;
    fixture_open(&f, attacked_fen);
    node_find_threats(f.w, &f.n);
    static const char *const attacked[] = {"f3", "h4", "e4", "e7", "d7"};
    static const char *const safe[] = {"e1", "a1", "b2"};
    for (size_t i = 0; i < sizeof attacked / sizeof *attacked; i++)
        assert_true(f.n.threats & bb_of(square_make(attacked[i][0] - 'a', attacked[i][1] - '1')));
    for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
        assert_false(f.n.threats & bb_of(square_make(safe[i][0] - 'a', safe[i][1] - '1')));
    fixture_close(&f);
}

/* A TT cutoff comes before the moves of the node: its bonus must still go to the entry of the
 * threats. */
static void test_tt_cutoff_uses_threats(void **state)
{
    (void)state;
    HistoryFixture f;
    fixture_open(&f, attacked_fen);
    Move m = uci_move_read(&f.w->pos, span_of("f3h4"));
    assert_int_not_equal(m, MOVE_NONE);
    f.n.tt = (TtProbe){.hit = true, .move = m, .score = 50};
    history_update_tt_cutoff(f.w, &f.n);
    Bitboard both = bb_of(move_from(m)) | bb_of(move_to(m));
    assert_true(*butterfly_history(f.w->history, WHITE, both, m) > 0);
    assert_int_equal(*butterfly_history(f.w->history, WHITE, 0, m), 0);
    assert_true(quiet_history(f.w, &f.n, m) > 0);
    fixture_close(&f);
}

static void test_tt_cutoff_without_bonus(void **state)
{
    (void)state;
    HistoryFixture f;
    fixture_open(&f, attacked_fen);
    Move quiet = uci_move_read(&f.w->pos, span_of("f3h4"));
    Move capture = uci_move_read(&f.w->pos, span_of("f3e5"));
    f.n.tt = (TtProbe){.hit = true, .move = quiet, .score = 5}; /* a fail low */
    history_update_tt_cutoff(f.w, &f.n);
    f.n.tt = (TtProbe){.hit = true, .move = capture, .score = 50};
    f.n.tt_move_noisy = true;
    history_update_tt_cutoff(f.w, &f.n);
    node_find_threats(f.w, &f.n);
    assert_int_equal(quiet_history(f.w, &f.n, quiet), 0);
    assert_int_equal(quiet_history(f.w, &f.n, capture), 0);
    fixture_close(&f);
}

/* A fail high: bonus for the best move, malus for the quiet moves and captures before it. */
static void test_fail_high(void **state)
{
    (void)state;
    HistoryFixture f;
    fixture_open(&f, attacked_fen);
    Move best = uci_move_read(&f.w->pos, span_of("d2d3"));
    Move quiet = uci_move_read(&f.w->pos, span_of("f3h4"));
    Move capture = uci_move_read(&f.w->pos, span_of("f3e5"));
    node_find_threats(f.w, &f.n);
    f.n.best_move = best;
    f.n.best_score = 30;
    f.n.quiets = (TriedMoves){.moves = {quiet}, .count = 1};
    f.n.noisies = (TriedMoves){.moves = {capture}, .count = 1};
    history_update(f.w, &f.n);
    assert_true(quiet_history(f.w, &f.n, best) > 0);
    assert_true(quiet_history(f.w, &f.n, quiet) < 0);
    assert_true(*capture_history(f.w->history, &f.w->pos, capture) < 0);
    assert_int_equal(f.n.ss->killer, best);
    fixture_close(&f);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threats),
        cmocka_unit_test(test_tt_cutoff_uses_threats),
        cmocka_unit_test(test_tt_cutoff_without_bonus),
        cmocka_unit_test(test_fail_high),
    };
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
