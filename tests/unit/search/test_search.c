#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "base/clock.h"
#include "base/random.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "search/move_picker.h"

#include <stdlib.h>
#include <string.h>

static SearchPool *pool_new(int threads)
{
    SearchPool *pool = NULL;
    Message why = {""};
    if (search_create(&pool, evaluator_classical(), 16, &why) != STATUS_OK ||
        search_set_threads(pool, threads, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return pool;
}

static const SearchOptions plain = {.multi_pv = 1, .move_overhead_ms = 10};

static SearchResult think(SearchPool *pool, const char *fen, SearchLimits limits)
{
    Position p = position_of(fen);
    return search_run(pool, &p, &limits, &plain, NULL);
}

/* -- The move picker returns each move once, whatever the TT move and killers are -- */

static void check_move_picker(const Position *p, SearchWorker *w, Random *r)
{
    Move all[MAX_MOVES];
    int count = movegen(p, GEN_ALL, all), picked = 0;
    SearchStack stack[16] = {0};
    for (int i = 0; i < 16; i++)
        stack[i].continuation_history = &w->history->continuation[0][PIECE_COUNT][0];
    SearchNode n = {.ss = stack + 8, .in_check = pos_in_check(p)};
    w->pos = *p;
    n.tt.move = random_below(r, 2) ? all[random_below(r, (uint32_t)count)] : MOVE_NONE;
    n.ss->killer =
        random_below(r, 2) ? all[random_below(r, (uint32_t)count)] : (Move)random_next(r);
    bool seen[65536] = {false};
    MovePicker picker;
    move_picker_init(&picker, w, &n);
    for (Move m; (m = move_picker_next(&picker)); picked++) {
        assert_true(pos_is_legal(p, m));
        assert_false(seen[m]);
        seen[m] = true;
    }
    assert_int_equal(picked, count);
    move_picker_init_qsearch(&picker, w, &n);
    memset(seen, 0, sizeof seen);
    for (Move m; (m = move_picker_next(&picker));) {
        assert_true(pos_is_legal(p, m) && !seen[m]);
        assert_true(n.in_check || move_is_noisy(p, m));
        seen[m] = true;
    }
}

static void test_move_picker(void **state)
{
    (void)state;
    SearchWorker *w = calloc(1, sizeof *w);
    Random r;
    assert_non_null(w);
    w->history = calloc(1, sizeof *w->history);
    params_defaults(&w->params);
    random_seed(&r, 3);
    for (int game = 0; game < 60; game++) {
        Position p;
        pos_set_chess960(&p, (int)random_below(&r, 960), (int)random_below(&r, 960));
        for (int ply = 0; ply < 100; ply++) {
            Move moves[MAX_MOVES];
            int count = movegen(&p, GEN_ALL, moves);
            if (!count)
                break;
            check_move_picker(&p, w, &r);
            Undo undo;
            pos_make(&p, moves[random_below(&r, (uint32_t)count)], &undo);
        }
    }
    free(w->history);
    free(w);
}

/* -- The transposition table -- */

static void test_tt(void **state)
{
    (void)state;
    TranspositionTable tt = {0};
    assert_int_equal(tt_resize(&tt, 1, NULL), STATUS_OK);
    Random r;
    random_seed(&r, 11);
    for (int i = 0; i < 1000; i++) {
        Key key = random_next(&r);
        int ply = (int)random_below(&r, 60);
        Score score = i % 3 ? (Score)random_below(&r, 2000) - 1000 : score_mate_in(ply + 9);
        TtProbe miss = tt_probe(&tt, key, ply, 0);
        if (miss.hit)
            continue; /* a key collision */
        tt_store(&tt, miss.slot, key, ply, 7, score, 55, BOUND_EXACT, 1234, i & 1);
        TtProbe hit = tt_probe(&tt, key, ply, 0);
        assert_true(hit.hit);
        assert_int_equal(hit.score, score);
        assert_int_equal(hit.depth, 7);
        assert_int_equal(hit.eval, 55);
        assert_int_equal(hit.bound, BOUND_EXACT);
        assert_int_equal(hit.move, 1234);
        assert_int_equal(hit.tt_pv, i & 1);
        /* At two plies more the mate is two plies farther from the root. */
        if (score_is_mate(score))
            assert_int_equal(tt_probe(&tt, key, ply + 2, 0).score, score - 2);
        /* A mate after the fifty-move draw is not decisive. */
        if (score_is_mate(score))
            assert_false(score_is_decisive(tt_probe(&tt, key, ply, 98).score));
    }
    /* The largest depth must not be stored as an empty entry. */
    Key deep = 0xfedcba987654321ULL;
    tt_store(&tt, tt_probe(&tt, deep, 0, 0).slot, deep, 0, 256 - TT_DEPTH_OFFSET, 10, 10,
             BOUND_EXACT, 1234, false);
    assert_int_equal(tt_probe(&tt, deep, 0, 0).depth, MAX_PLY);
    /* A new shallow entry without a move keeps the old move. */
    Key key = 0x123456789abcdefULL;
    TtProbe slot = tt_probe(&tt, key, 0, 0);
    tt_store(&tt, slot.slot, key, 0, 5, 10, 0, BOUND_EXACT, 777, false);
    tt_store(&tt, slot.slot, key, 0, 5, 20, 0, BOUND_UPPER, MOVE_NONE, false);
    assert_int_equal(tt_probe(&tt, key, 0, 0).move, 777);
    assert_int_equal(tt_probe(&tt, key, 0, 0).score, 20);
    tt_clear(&tt, 3);
    assert_false(tt_probe(&tt, key, 0, 0).hit);
    Message why = {""};
    assert_int_equal(tt_resize(&tt, (size_t)1 << 40, &why), STATUS_MEMORY);
    assert_true(why.text[0] && tt.clusters);
    tt_free(&tt);
}

/* -- Time -- */

static void test_time_never_exceeds_the_clock(void **state)
{
    (void)state;
    SearchParams params;
    params_defaults(&params);
    Position p = position_of(FEN_START);
    Random r;
    random_seed(&r, 17);
    for (int i = 0; i < 20000; i++) {
        int64_t clock =
            i % 4 == 0 ? (int64_t)random_below(&r, 100) - 20 : (int64_t)random_below(&r, 600000);
        SearchLimits l = {.has_clock = {true, true}, .clock_ms = {clock, clock}};
        l.increment_ms[WHITE] = random_below(&r, 2) ? (int64_t)random_below(&r, 5000) : 0;
        l.moves_to_go = random_below(&r, 2) ? (int)random_below(&r, 60) : 0;
        p.game_ply = random_below(&r, 400);
        SearchOptions o = {.multi_pv = 1, .move_overhead_ms = (int64_t)random_below(&r, 200)};
        TimeLimits b = time_limits_for(&params, &l, &o, &p, (int64_t)random_below(&r, 100));
        assert_true(b.active && b.soft_ms >= 1 && b.hard_ms >= 1);
        if (clock > 2)
            assert_true(b.hard_ms < clock);
        if (clock > 2 * o.move_overhead_ms + 2)
            assert_true(b.hard_ms + o.move_overhead_ms / 2 <= clock);
    }
    SearchLimits none = {.depth = 5};
    assert_false(time_limits_for(&params, &none, &plain, &p, 0).active);
    SearchLimits fixed = {.move_time_ms = 1000};
    p.side = BLACK;
    TimeLimits b = time_limits_for(&params, &fixed, &plain, &p, 0);
    assert_true(b.fixed && b.hard_ms == 990);
}

/* The later in the game, the larger the share of the clock, up to ply 120. */
static void test_time_by_game_ply(void **state)
{
    (void)state;
    SearchParams params;
    params_defaults(&params);
    Position p = position_of(FEN_START);
    SearchLimits l = {.has_clock = {true, true}, .clock_ms = {60000, 60000}};
    int64_t last = 0;
    for (p.game_ply = 0; p.game_ply <= 120; p.game_ply += 20) {
        int64_t soft = time_limits_for(&params, &l, &plain, &p, 0).soft_ms;
        assert_true(soft > last);
        last = soft;
    }
    p.game_ply = 300;
    assert_int_equal(time_limits_for(&params, &l, &plain, &p, 0).soft_ms, last);
    l.moves_to_go = 20; /* then the share is given */
    int64_t given = time_limits_for(&params, &l, &plain, &p, 0).soft_ms;
    p.game_ply = 0;
    assert_int_equal(time_limits_for(&params, &l, &plain, &p, 0).soft_ms, given);
}

/* A clock that runs faster than expected lowers the limits; a new game resets the estimate. */
static void test_lag(void **state)
{
    (void)state;
    LagEstimate lag = {0};
    SearchParams params;
    params_defaults(&params);
    Position p = position_of(FEN_START);
    SearchLimits l = {
        .has_clock = {true, true}, .clock_ms = {1000, 1000}, .increment_ms = {10, 10}};
    lag_update_from_clock(&lag, &l, &p);
    TimeLimits before = time_limits_for(&params, &l, &plain, &p, lag.lag_ms);
    lag_update_from_move(&lag, &l, &before, &p, 30, 0);
    p.game_ply += 2;
    l.clock_ms[WHITE] = 1000 - 30 + 10 - 45; /* 45 ms lag */
    lag_update_from_clock(&lag, &l, &p);
    assert_int_equal(lag.lag_ms, 45);
    l.clock_ms[WHITE] = 1000;
    assert_true(time_limits_for(&params, &l, &plain, &p, lag.lag_ms).hard_ms < before.hard_ms);
    lag_update_from_move(&lag, &l, &before, &p, before.hard_ms + 80, 0); /* an overrun */
    assert_int_equal(lag.lag_ms, 80);
    p.game_ply = 0;
    lag_update_from_clock(&lag, &l, &p);
    assert_int_equal(lag.lag_ms, 0);
}

/* Stalls raise the reserve of the next moves, also in the next game, and lower the hard limit of
 * the search in which they happen. */
static void test_stalls(void **state)
{
    (void)state;
    LagEstimate lag = {0};
    SearchParams params;
    params_defaults(&params);
    Position p = position_of(FEN_START);
    SearchLimits l = {.has_clock = {true, true}, .clock_ms = {200, 200}, .increment_ms = {5, 5}};
    TimeLimits before = time_limits_for(&params, &l, &plain, &p, lag_expected_ms(&lag));
    StallMeter stalls = {.checked_ms = 1000};
    stall_check(&stalls, 1001);
    assert_int_equal(time_hard_limit_ms(&before, &stalls), before.hard_ms);
    stall_check(&stalls, 1081);
    stall_check(&stalls, 1082);
    assert_int_equal(stalls.longest_ms, 80);
    /* 190 ms without the overhead of 10; twice 80 must remain. */
    assert_int_equal(time_hard_limit_ms(&before, &stalls), 30);

    lag_update_from_move(&lag, &l, &before, &p, 85, stalls.longest_ms);
    p.game_ply = 0; /* another game */
    lag_update_from_clock(&lag, &l, &p);
    assert_int_equal(lag_expected_ms(&lag), 80);
    TimeLimits after = time_limits_for(&params, &l, &plain, &p, lag_expected_ms(&lag));
    assert_true(after.hard_ms < before.hard_ms && after.soft_ms < before.soft_ms);
    for (int i = 0; i < 40; i++)
        lag_update_from_move(&lag, &l, &before, &p, 5, 0);
    assert_in_range(lag_expected_ms(&lag), 0, 5);

    SearchLimits fixed = {.move_time_ms = 1000};
    TimeLimits whole = time_limits_for(&params, &fixed, &plain, &p, 0);
    assert_int_equal(time_hard_limit_ms(&whole, &stalls), 990);
}

/* -- Mates have their true distance -- */

static void test_mates(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int moves;
    } rows[] = {
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1},
        {"7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2},
        {"r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2},
        {"8/Q7/8/2p2p2/1k1nq3/1P6/3K1P2/5B2 b - - 1 1", 3},
        {"4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", 2},
        {"8/8/8/8/8/2k5/7r/K7 w - - 0 1", -3},
    };
    SearchPool *pool = pool_new(1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        search_clear(pool);
        SearchResult found = think(pool, rows[i].fen, (SearchLimits){.depth = 14});
        if (!score_is_mate(found.score) || score_mate_moves(found.score) != rows[i].moves)
            fail_msg("%s: score %d, mate in %d wanted", rows[i].fen, found.score, rows[i].moves);
        if (rows[i].moves > 0) {
            search_clear(pool);
            SearchResult quick =
                think(pool, rows[i].fen, (SearchLimits){.mate = rows[i].moves, .nodes = 5000000});
            assert_int_equal(score_mate_moves(quick.score), rows[i].moves);
        }
    }
    search_destroy(pool);
}

/* A refutation that comes late in the move order is found when LMP is disabled. */
static void test_disable_lmp(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "6k1/5p1p/4rnp1/N7/8/5PQ1/5qPP/3R3K b - - 2 35",
        "8/8/2n5/p1pr3p/1k3B1P/1P3PP1/1R5K/8 b - - 2 70",
        "r1bq1rk1/1p2bppp/p1n1p3/3pP3/3P4/2NBPN2/PP4PP/R3QRK1 b - - 1 12",
        "r1bq1rk1/pp2ppbp/1nn3p1/2B5/4P3/P1PB1P2/1P2N1PP/RN1Q1RK1 b - - 0 11",
    };
    SearchPool *pool = pool_new(1);
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        search_clear(pool);
        SearchResult left_out = think(pool, fens[i], (SearchLimits){.depth = 2});
        search_clear(pool);
        SearchResult kept = think(pool, fens[i], (SearchLimits){.depth = 2, .disable_lmp = true});
        if (left_out.score < kept.score + 100 || kept.nodes <= left_out.nodes)
            fail_msg("%s: score %d, %d with late moves", fens[i], left_out.score, kept.score);
    }
    search_destroy(pool);
}

/* A mate search is full width: it finds a key move that looks like a blunder, and a quiet move, and
 * ends when there is no mate. */
static void test_mates_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int moves;
    } rows[] = {
        {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2},
        {"8/8/8/8/4k3/8/8/2BQKB2 w - - 0 1", 3},
    };
    SearchPool *pool = pool_new(1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        search_clear(pool);
        SearchResult r = think(pool, rows[i].fen, (SearchLimits){.mate = rows[i].moves});
        if (score_mate_moves(r.score) != rows[i].moves || !score_is_mate(r.score))
            fail_msg("%s: score %d, mate in %d wanted", rows[i].fen, r.score, rows[i].moves);
        /* TT entries of pruned searches are not used. */
        search_clear(pool);
        think(pool, rows[i].fen, (SearchLimits){.depth = 9});
        SearchResult again = think(pool, rows[i].fen, (SearchLimits){.mate = rows[i].moves});
        assert_int_equal(again.score, r.score);
    }
    search_clear(pool);
    SearchResult none = think(pool, FEN_START, (SearchLimits){.mate = 2});
    assert_false(score_is_mate(none.score));
    search_destroy(pool);
}

/* Only the promotion to a knight mates; a queen on f8 does not even give check. */
static void test_underpromotion(void **state)
{
    (void)state;
    static const char fen[] = "6br/5Ppk/7p/8/8/8/8/K7 w - - 0 1";
    SearchPool *pool = pool_new(1);
    Position p = position_of(fen);
    for (int asked = 0; asked < 2; asked++) {
        search_clear(pool);
        SearchResult r = think(pool, fen, (SearchLimits){.depth = asked ? 0 : 6, .mate = asked});
        assert_int_equal(r.best, uci_move_read(&p, span_of("f7f8n")));
        assert_int_equal(score_mate_moves(r.score), 1);
    }
    search_destroy(pool);
}

/* The net that the program ships, not the classical evaluation of the other tests. */
static void test_embedded_net(void **state)
{
    (void)state;
    const Evaluator *e = NULL;
    SearchPool *pool = NULL;
    Message why = {""};
    assert_int_equal(evaluator_default(&e, &why), STATUS_OK);
    assert_non_null(evaluator_net(e));
    assert_int_equal(search_create(&pool, e, 16, &why), STATUS_OK);
    Position p = position_of("4k3/8/8/3q4/4P3/8/P5PP/4K3 w - - 0 1");
    SearchResult wins = search_run(pool, &p, &(SearchLimits){.depth = 8}, &plain, NULL);
    assert_int_equal(wins.best, uci_move_read(&p, span_of("e4d5")));
    assert_true(wins.score > 0);
    SearchResult mate = think(pool, "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", (SearchLimits){.depth = 12});
    assert_int_equal(score_mate_moves(mate.score), 2);
    search_destroy(pool);
    evaluator_close(e);
}

static void test_ends(void **state)
{
    (void)state;
    SearchPool *pool = pool_new(1);
    SearchResult mated = think(pool, "R6k/6pp/8/8/8/8/8/K7 b - - 0 1", (SearchLimits){.depth = 5});
    assert_int_equal(mated.best, MOVE_NONE);
    assert_int_equal(mated.score, score_mated_in(0));
    SearchResult stale = think(pool, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", (SearchLimits){.depth = 5});
    assert_int_equal(stale.best, MOVE_NONE);
    assert_int_equal(stale.score, SCORE_DRAW);
    /* Every move but mate reaches the fifty-move draw. */
    SearchResult fifty =
        think(pool, "7k/8/6K1/8/8/8/8/1Q6 w - - 99 90", (SearchLimits){.depth = 8});
    assert_int_equal(score_mate_moves(fifty.score), 1);
    SearchResult late = think(pool, "7k/8/8/8/3K4/8/8/Q7 w - - 99 90", (SearchLimits){.depth = 8});
    assert_true(abs(late.score) < 50);
    search_destroy(pool);
}

/* -- Limits and order -- */

static const char *const middlegame =
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQ - 0 8";

static void test_reproducible(void **state)
{
    (void)state;
    SearchPool *pool = pool_new(1);
    SearchResult a = think(pool, middlegame, (SearchLimits){.depth = 11});
    search_clear(pool);
    SearchResult b = think(pool, middlegame, (SearchLimits){.depth = 11});
    assert_int_equal(a.nodes, b.nodes);
    assert_int_equal(a.best, b.best);
    assert_int_equal(a.score, b.score);
    search_clear(pool);
    SearchResult exact = think(pool, middlegame, (SearchLimits){.nodes = 12345});
    assert_int_equal(exact.nodes, 12345);
    search_destroy(pool);
}

/* With many queens even the first iteration is long; the limits hold there as well. */
static void test_stops_in_the_first_iteration(void **state)
{
    (void)state;
    SearchPool *pool = pool_new(1);
    SearchResult r =
        think(pool, "qqqqkqqq/qq6/8/8/8/8/QQ6/QQQQKQQQ w - - 0 1", (SearchLimits){.nodes = 5000});
    assert_true(r.best != MOVE_NONE && r.score > -SCORE_INFINITE);
    assert_in_range(r.nodes, 1, 20000);
    search_destroy(pool);
}

static void test_only_moves(void **state)
{
    (void)state;
    SearchPool *pool = pool_new(1);
    Position p = position_of(middlegame);
    SearchLimits l = {.depth = 6, .only_count = 2};
    l.only[0] = uci_move_read(&p, span_of("a2a3"));
    l.only[1] = uci_move_read(&p, span_of("h2h4"));
    SearchResult r = search_run(pool, &p, &l, &plain, NULL);
    assert_true(r.best == l.only[0] || r.best == l.only[1]);
    search_destroy(pool);
}

typedef struct Lines {
    int depth, count;
    Move first[8];
    Score score[8];
    Position root;
    int mates; /* lines that end in the mate they announce */
} Lines;

/* Every PV is legal; that of a mate is never longer than the mate, and mates when it is as long. */
static void hear_line(void *user, const SearchLine *line)
{
    Lines *lines = user;
    Position p = lines->root;
    Move moves[MAX_MOVES];
    for (int i = 0; i < line->pv_length; i++) {
        Undo undo;
        assert_true(pos_is_legal(&p, line->pv[i]));
        pos_make(&p, line->pv[i], &undo);
    }
    if (score_is_mate(line->score)) {
        int in = score_mate_moves(line->score), plies = in > 0 ? 2 * in - 1 : -2 * in;
        assert_true(line->pv_length <= plies);
        assert_true(line->pv_length < plies ||
                    (pos_in_check(&p) && movegen(&p, GEN_ALL, moves) == 0));
        lines->mates += line->pv_length == plies;
    }
    if (line->depth != lines->depth) {
        lines->depth = line->depth;
        lines->count = 0;
    }
    assert_int_equal(line->multipv, lines->count + 1);
    lines->first[lines->count] = line->pv[0];
    lines->score[lines->count++] = line->score;
}

static void test_several_lines(void **state)
{
    (void)state;
    SearchPool *pool = pool_new(1);
    Lines lines = {.root = position_of(middlegame)};
    SearchOptions o = {.multi_pv = 5};
    SearchEvents e = {.user = &lines, .line = hear_line};
    search_run(pool, &lines.root, &(SearchLimits){.depth = 9}, &o, &e);
    assert_int_equal(lines.count, 5);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(lines.first[i], lines.first[k]);
            assert_true(lines.score[k] >= lines.score[i]);
        }
    search_destroy(pool);
}

static void test_mate_lines(void **state)
{
    (void)state;
    static const char *const fens[] = {"7k/8/5K2/8/8/8/8/6R1 w - - 0 1",
                                       "8/Q7/8/2p2p2/1k1nq3/1P6/3K1P2/5B2 b - - 1 1",
                                       "8/8/8/8/8/2k5/7r/K7 w - - 0 1"};
    SearchPool *pool = pool_new(1);
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Lines lines = {.root = position_of(fens[i])};
        SearchEvents e = {.user = &lines, .line = hear_line};
        search_clear(pool);
        search_run(pool, &lines.root, &(SearchLimits){.depth = 14}, &plain, &e);
        assert_true(lines.mates > 0);
    }
    search_destroy(pool);
}

static void test_infinite_waits_for_stop(void **state)
{
    (void)state;
    SearchPool *pool = pool_new(2);
    Position p = position_of("7k/8/5K2/8/8/8/8/6R1 w - - 0 1"); /* solved at once */
    SearchEvents none = {0};
    for (int ponder = 0; ponder < 2; ponder++) {
        SearchLimits l = {.infinite = !ponder,
                          .ponder = ponder,
                          .nodes = 1000,
                          .has_clock = {true},
                          .clock_ms = {1000}};
        search_start(pool, &p, &l, &plain, &none);
        clock_sleep_ms(150);
        assert_true(search_running(pool));
        if (ponder)
            search_ponderhit(pool);
        else
            search_stop(pool);
        search_wait(pool);
        assert_false(search_running(pool));
    }
    search_stop(pool); /* no effect when idle */
    search_destroy(pool);
}

/* A busy machine may delay one of the searches, but not all of them. */
static void test_threads(void **state)
{
    (void)state;
    SearchPool *pool = pool_new(4);
    int64_t quickest_ms = INT64_MAX;
    for (int i = 0; i < 5; i++) {
        SearchResult r = think(pool, middlegame, (SearchLimits){.move_time_ms = 60});
        assert_true(r.best != MOVE_NONE);
        assert_true(r.time_ms <= 5000);
        quickest_ms = r.time_ms < quickest_ms ? r.time_ms : quickest_ms;
    }
    assert_true(quickest_ms <= 200);
    Message why;
    assert_int_equal(search_set_threads(pool, 2, &why), STATUS_OK);
    assert_int_equal(search_set_hash(pool, 2, &why), STATUS_OK);
    assert_true(think(pool, middlegame, (SearchLimits){.depth = 6}).best != MOVE_NONE);
    search_destroy(pool);
}

/* A game against itself at few nodes: always a legal move until the game ends. */
static void test_plays_a_game(void **state)
{
    (void)state;
    SearchPool *pool = pool_new(1);
    Position p;
    pos_set_chess960(&p, 17, 800);
    int plies = 0;
    while (draw_game_end(&p) == GAME_GOES_ON && plies++ < 400) {
        SearchLimits l = {.nodes = 300};
        SearchResult r = search_run(pool, &p, &l, &plain, NULL);
        Undo undo;
        assert_true(pos_is_legal(&p, r.best));
        pos_make(&p, r.best, &undo);
    }
    assert_true(plies > 10);
    search_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_move_picker),
        cmocka_unit_test(test_tt),
        cmocka_unit_test(test_time_never_exceeds_the_clock),
        cmocka_unit_test(test_time_by_game_ply),
        cmocka_unit_test(test_lag),
        cmocka_unit_test(test_stalls),
        cmocka_unit_test(test_mates),
        cmocka_unit_test(test_disable_lmp),
        cmocka_unit_test(test_mates_asked_for),
        cmocka_unit_test(test_underpromotion),
        cmocka_unit_test(test_embedded_net),
        cmocka_unit_test(test_mate_lines),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_reproducible),
        cmocka_unit_test(test_stops_in_the_first_iteration),
        cmocka_unit_test(test_only_moves),
        cmocka_unit_test(test_several_lines),
        cmocka_unit_test(test_infinite_waits_for_stop),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_plays_a_game),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
