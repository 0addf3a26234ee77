/* The values: against exact solutions of our own, against the rules one ply on, and from many
 * threads at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/thread.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/setup.h"
#include "endings.h"
#include "solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int init(void **state)
{
    chess_init();
    *state = endings_open();
    return 0;
}

static int finish(void **state)
{
    tb_close(*state);
    return 0;
}

static void fail_at(const Position *p, const char *what, int got, int want)
{
    char fen[FEN_SIZE];
    fen_write(p, FEN_X, fen);
    fail_msg("%s: %s is %d, not %d", fen, what, got, want);
}

/* -- Exact solutions -- */

static bool built(SolverPiece piece, SolverState s, bool flip, Position *p)
{
    static const PieceType types[] = {PAWN, ROOK, QUEEN};
    Setup setup;
    setup_clear(&setup);
    Color white = flip ? BLACK : WHITE;
    int turn = flip ? 56 : 0;
    setup.board[s.white_king ^ turn] = piece_make(white, KING);
    setup.board[s.black_king ^ turn] = piece_make(color_other(white), KING);
    setup.board[s.extra ^ turn] = piece_make(white, types[piece]);
    setup.side = s.black_moves ? color_other(white) : white;
    return pos_set(p, &setup, NULL) == STATUS_OK;
}

static int compare_one(Tablebases *tb, const Solution *solution, SolverState s, bool flip)
{
    Position p;
    if (!solver_possible(solution->piece, s) || !built(solution->piece, s, flip, &p))
        return 0;
    int plies = solution->won[solver_index(s)], want = 0;
    if (plies >= 0)
        want = s.black_moves ? TB_LOSS : TB_WIN;
    TbWdl wdl = TB_DRAW;
    if (!tb_probe_wdl(tb, &p, &wdl) || (int)wdl != want)
        fail_at(&p, "wdl", wdl, want);
    if (solution->piece == SOLVER_PAWN)
        return 1;

    /* Only mate ends these, so the distance is that to mate: a checkmate counts as -1. */
    int dtz = 0;
    if (plies >= 0)
        want = s.black_moves ? (plies ? -plies : -1) : plies;
    if (!tb_probe_dtz(tb, &p, &dtz) || dtz != want)
        fail_at(&p, "dtz", dtz, want);
    return 1;
}

static int compare_all(Tablebases *tb, const Solution *solution)
{
    int compared = 0, step = endings_sanitized() ? 17 : 1;
    for (int i = 0; i < SOLVER_SIZE; i += step) {
        SolverState s = {i >> 18, i >> 12 & 63, i >> 6 & 63, i & 63};
        compared += compare_one(tb, solution, s, (s.white_king + s.black_king + s.extra) % 2);
    }
    return compared * step;
}

static void test_three_endings_solved(void **state)
{
    if (!*state)
        skip();
    Solution *queen = malloc(sizeof *queen), *rook = malloc(sizeof *rook),
             *pawn = malloc(sizeof *pawn);
    assert_true(queen && rook && pawn);
    solver_solve(queen, SOLVER_QUEEN, NULL, NULL);
    solver_solve(rook, SOLVER_ROOK, NULL, NULL);
    solver_solve(pawn, SOLVER_PAWN, rook, queen);
    /* Every placement was there: some 3 * 10^5 of each. */
    assert_in_range(compare_all(*state, queen), 330000, 500000);
    assert_in_range(compare_all(*state, rook), 330000, 500000);
    assert_in_range(compare_all(*state, pawn), 250000, 500000);
    free(queen);
    free(rook);
    free(pawn);
}

/* -- One ply on -- */

/* What the moves say of a position: the best result, and its distance. */
typedef struct OnePly {
    int wdl, dtz;
} OnePly;

static int distance_after_zeroing(int wdl)
{
    static const int distance[] = {-1, -101, 0, 101, 1};
    return distance[wdl + 2];
}

static void judge_move(Tablebases *tb, const Position *p, Move m, OnePly *best, bool first)
{
    Position child = *p;
    Undo undo;
    pos_make(&child, m, &undo);
    TbWdl wdl = TB_DRAW;
    int dtz = 0;
    if (!tb_probe_wdl(tb, &child, &wdl) || !tb_probe_dtz(tb, &child, &dtz))
        fail_at(&child, "known", 0, 1);
    int mine = -(int)wdl;
    bool mate = pos_in_check(&child) && !movegen_any(&child);
    if (mate)
        dtz = 1;
    else if (child.st.rule50 == 0)
        dtz = distance_after_zeroing(mine);
    else
        dtz = dtz > 0 ? -dtz - 1 : dtz < 0 ? -dtz + 1 : 0;
    if (first || mine > best->wdl || (mine == best->wdl && dtz < best->dtz))
        *best = (OnePly){mine, dtz};
}

static OnePly judge(Tablebases *tb, const Position *p)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    if (count == 0)
        return pos_in_check(p) ? (OnePly){TB_LOSS, -1} : (OnePly){TB_DRAW, 0};
    OnePly best = {TB_LOSS, 0};
    for (int i = 0; i < count; i++)
        judge_move(tb, p, moves[i], &best, i == 0);
    return best;
}

static void test_values_agree_with_the_next_ply(void **state)
{
    if (!*state)
        skip();
    Random random;
    random_seed(&random, 1);
    int rounds = endings_sanitized() ? 4000 : 40000, exact = 0, decided = 0, en_passant = 0;
    for (int i = 0; i < rounds; i++) {
        Position p;
        endings_random(&random, i % 5 ? 4 : 3, &p);
        en_passant += p.st.ep != SQ_NONE;
        TbWdl wdl = TB_DRAW;
        int dtz = 0;
        if (!tb_probe_wdl(*state, &p, &wdl) || !tb_probe_dtz(*state, &p, &dtz))
            fail_at(&p, "known", 0, 1);
        OnePly want = judge(*state, &p);
        if ((int)wdl != want.wdl)
            fail_at(&p, "wdl", wdl, want.wdl);
        /* Tables that count in moves may be one ply short. */
        if (abs(dtz - want.dtz) > (want.dtz ? 1 : 0))
            fail_at(&p, "dtz", dtz, want.dtz);
        decided += wdl != TB_DRAW;
        exact += wdl != TB_DRAW && dtz == want.dtz;
    }
    assert_true(en_passant > rounds / 40);
    assert_true(decided > rounds / 4);
    if (exact * 100 < decided * 97)
        fail_msg("only %d of %d distances are exact", exact, decided);
}

/* -- Known ones -- */

typedef struct Known {
    const char *fen;
    int wdl, dtz;
} Known;

static void test_known_positions(void **state)
{
    if (!*state)
        skip();
    static const Known known[] = {
        {"8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1", -2, -53}, /* bishop and knight */
        {"4k3/8/4K3/8/8/8/8/7R w - - 0 1", 2, 1},       /* mate in one */
        {"4k2R/8/4K3/8/8/8/8/8 b - - 0 1", -2, -1},     /* and mated */
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, 0},       /* stalemate */
        {"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", 0, 0},      /* stalemate at the pawn's foot */
        {"8/8/8/8/4k3/8/4p3/4K3 w - - 0 1", 0, 0},      /* the pawn falls */
        {"8/8/8/8/8/8/8/K1k5 w - - 0 1", 0, 0},         /* kings alone */
        {"8/8/8/5k2/8/8/8/K4q1Q w - - 0 1", 2, 1},      /* takes the queen */
        {"8/P7/8/8/8/8/8/K1k5 w - - 0 1", 2, 1},        /* queens */
        {"k7/8/8/8/8/8/8/KNN5 w - - 0 1", 0, 0},        /* two knights cannot */
        {"8/8/8/8/8/8/2k5/K1B1N3 b - - 0 1", 0, 0},     /* the bishop falls */
        {"8/8/8/8/pP6/8/8/k1K5 b - b3 0 1", 2, 1},      /* wins by en passant */
        {"6Kr/6p1/4k3/8/8/8/8/8 w - - 0 1", -2, -1},    /* must take, and loses */
        {"7k/8/8/8/8/8/8/KQ5r w - - 0 1", 2, 1},        /* takes the rook */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        Position p;
        Message why;
        if (fen_parse(&p, span_of(known[i].fen), false, &why) != STATUS_OK)
            fail_msg("%s", why.text);
        TbWdl wdl = TB_DRAW;
        int dtz = 0;
        assert_true(tb_probe_wdl(*state, &p, &wdl));
        assert_true(tb_probe_dtz(*state, &p, &dtz));
        if ((int)wdl != known[i].wdl)
            fail_at(&p, "wdl", wdl, known[i].wdl);
        if (dtz != known[i].dtz)
            fail_at(&p, "dtz", dtz, known[i].dtz);
    }
}

static void test_what_the_tables_do_not_hold(void **state)
{
    if (!*state)
        skip();
    static const char *const fens[] = {"4k3/8/8/8/8/8/8/4K2R w K - 0 1",
                                       "4k3/8/8/8/8/8/3PP3/R3K3 w - - 0 1",
                                       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"};
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position p;
        assert_int_equal(fen_parse(&p, span_of(fens[i]), false, NULL), STATUS_OK);
        TbWdl wdl;
        int dtz, count = -1;
        TbRootMove moves[MAX_MOVES];
        assert_false(tb_probe_wdl(*state, &p, &wdl));
        assert_false(tb_probe_dtz(*state, &p, &dtz));
        assert_false(tb_rank_moves(*state, &p, true, moves, &count));
        assert_int_equal(count, 0);
    }
}

/* -- Threads -- */

enum { THREADS = 4, SHARED_POSITIONS = 1500 };

typedef struct Job {
    Tablebases *tb;
    const Position *positions;
    const OnePly *want;
    int wrong, first;
} Job;

static void *probe_all(void *arg)
{
    Job *job = arg;
    for (int i = 0; i < SHARED_POSITIONS; i++) {
        /* Each thread begins elsewhere, so that all of them meet unseen files. */
        int at = (job->first + i) % SHARED_POSITIONS;
        TbWdl wdl = TB_DRAW;
        int dtz = 0;
        if (!tb_probe_wdl(job->tb, &job->positions[at], &wdl) ||
            !tb_probe_dtz(job->tb, &job->positions[at], &dtz) || (int)wdl != job->want[at].wdl ||
            dtz != job->want[at].dtz)
            job->wrong++;
    }
    return NULL;
}

static void test_many_threads(void **state)
{
    if (!*state)
        skip();
    Position *positions = malloc(SHARED_POSITIONS * sizeof *positions);
    OnePly *want = malloc(SHARED_POSITIONS * sizeof *want);
    assert_true(positions && want);
    Random random;
    random_seed(&random, 9);
    for (int i = 0; i < SHARED_POSITIONS; i++) {
        TbWdl wdl = TB_DRAW;
        endings_random(&random, 4, &positions[i]);
        assert_true(tb_probe_wdl(*state, &positions[i], &wdl));
        assert_true(tb_probe_dtz(*state, &positions[i], &want[i].dtz));
        want[i].wdl = wdl;
    }
    for (int round = 0; round < 4; round++) {
        Tablebases *fresh;
        assert_int_equal(tb_open(&fresh, ENDINGS_PATH, NULL), STATUS_OK);
        Thread threads[THREADS];
        Job jobs[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int first = round % 2 ? 0 : t * (SHARED_POSITIONS / THREADS);
            jobs[t] = (Job){fresh, positions, want, 0, first};
            assert_int_equal(thread_start(&threads[t], probe_all, &jobs[t], 0, NULL), STATUS_OK);
        }
        for (int t = 0; t < THREADS; t++)
            thread_join(threads[t]);
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(jobs[t].wrong, 0);
        assert_int_equal(endings_refused(fresh, NULL), 0);
        tb_close(fresh);
    }
    free(positions);
    free(want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_endings_solved),
        cmocka_unit_test(test_values_agree_with_the_next_ply),
        cmocka_unit_test(test_known_positions),
        cmocka_unit_test(test_what_the_tables_do_not_hold),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests(tests, init, finish);
}
