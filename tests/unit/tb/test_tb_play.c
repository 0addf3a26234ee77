/* Endings played by rank alone: wins are won in time, draws are held, whatever the other side
 * does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/setup.h"
#include "chess/uci_move.h"
#include "endings.h"

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

static void fail_at(const Position *p, const char *what)
{
    char fen[FEN_SIZE];
    fen_write(p, FEN_X, fen);
    fail_msg("%s: %s", fen, what);
}

/* -- Players -- */

typedef enum PlayStyle {
    BY_RANK,  /* any of the moves with the best rank */
    STUBBORN, /* of those, the one that takes longest */
    AT_RANDOM /* any move at all */
} PlayStyle;

static Move chosen(Tablebases *tb, const Position *p, PlayStyle manner, Random *random)
{
    TbRootMove moves[MAX_MOVES];
    int count, best = 0, ties = 0;
    if (!tb_rank_moves(tb, p, true, moves, &count))
        fail_at(p, "not ranked");
    if (manner == AT_RANDOM)
        return moves[random_below(random, (uint32_t)count)].move;
    for (int i = 0; i < count; i++) {
        bool better = moves[i].rank > moves[best].rank;
        bool equal = moves[i].rank == moves[best].rank;
        if (manner == STUBBORN && equal && moves[i].dtz != moves[best].dtz) {
            better = moves[i].dtz < moves[best].dtz;
            equal = false;
        }
        ties = better ? 1 : ties + equal;
        if (better || (equal && random_below(random, (uint32_t)ties) == 0))
            best = i;
    }
    return moves[best].move;
}

/* A draw counts as soon as someone may claim it. */
static GameEnd played_out(Tablebases *tb, Position *p, const PlayStyle styles[COLOR_COUNT],
                          Random *random)
{
    GameEnd end = GAME_GOES_ON;
    for (int ply = 0; ply < 2000 && end == GAME_GOES_ON; ply++) {
        Undo undo;
        pos_make(p, chosen(tb, p, styles[p->side], random), &undo);
        end = draw_game_end(p);
    }
    return end;
}

/* -- Starts -- */

static void set_counter(Position *p, int rule50)
{
    Setup s;
    pos_describe(p, &s);
    s.rule50 = rule50;
    assert_int_equal(pos_set(p, &s, NULL), STATUS_OK);
}

/* A position, and the result that both sides must reach by rank; the counter may be near its
 * end. */
static int random_start(Tablebases *tb, Random *random, bool late, Position *p)
{
    for (;;) {
        endings_random(random, random_below(random, 4) ? 4 : 3, p);
        TbWdl wdl = TB_DRAW;
        int dtz = 0;
        if (draw_game_end(p) != GAME_GOES_ON)
            continue;
        assert_true(tb_probe_wdl(tb, p, &wdl));
        assert_true(tb_probe_dtz(tb, p, &dtz));
        /* The longer ones are the harder ones, and rarer: pass over most of the short. */
        if (abs(dtz) < 6 && random_below(random, 10) != 0)
            continue;
        /* An en-passant right means that a pawn has just moved. */
        if (late && wdl != TB_DRAW && p->st.ep == SQ_NONE) {
            int room = 99 - abs(dtz);
            int slack = (int)random_below(random, 3);
            set_counter(p, room > slack ? room - slack : 0);
        }
        return wdl;
    }
}

static void play_one(Tablebases *tb, Random *random, bool late, PlayStyle opponent)
{
    Position p;
    int wdl = random_start(tb, random, late, &p);
    Position start = p;
    /* In a draw either side may be the one that holds it. */
    bool side_to_move_plays = wdl > 0 || (wdl == 0 && random_below(random, 2));
    Color winner = side_to_move_plays ? p.side : color_other(p.side);
    PlayStyle styles[COLOR_COUNT];
    styles[winner] = BY_RANK;
    styles[color_other(winner)] = opponent;
    GameEnd end = played_out(tb, &p, styles, random);
    bool mated = end == GAME_CHECKMATE && p.side == winner;
    if (wdl != 0 && (end != GAME_CHECKMATE || mated))
        fail_at(&start, "a won ending was not won");
    if (wdl == 0 && (end == GAME_GOES_ON || mated))
        fail_at(&start, "a drawn ending was not held");
}

static void test_games_from_a_fresh_counter(void **state)
{
    if (!*state)
        skip();
    Random random;
    random_seed(&random, 21);
    for (int i = 0; i < (endings_sanitized() ? 40 : 250); i++)
        play_one(*state, &random, false, i % 3 ? STUBBORN : i % 2 ? BY_RANK : AT_RANDOM);
}

static void test_games_with_the_counter_near_its_end(void **state)
{
    if (!*state)
        skip();
    Random random;
    random_seed(&random, 22);
    for (int i = 0; i < (endings_sanitized() ? 60 : 500); i++)
        play_one(*state, &random, true, i % 3 ? STUBBORN : i % 2 ? BY_RANK : AT_RANDOM);
}

/* -- Ranks -- */

static TbRootMove rank_of(Tablebases *tb, const Position *p, bool rule50, const char *move)
{
    TbRootMove moves[MAX_MOVES];
    int count;
    assert_true(tb_rank_moves(tb, p, rule50, moves, &count));
    assert_int_equal(count, movegen_count(p));
    Move m = uci_move_read(p, span_of(move));
    for (int i = 0; i < count; i++)
        if (moves[i].move == m)
            return moves[i];
    fail_msg("%s is not among the moves", move);
    return moves[0];
}

static void test_the_counter_decides(void **state)
{
    if (!*state)
        skip();
    /* Mate takes 19 plies by the slower king move here, and 5 with the rook. */
    Position early = position_of("4k3/8/4K3/8/8/8/8/7R w - - 0 1");
    Position late = position_of("4k3/8/4K3/8/8/8/8/7R w - - 90 80");
    Position last = position_of("4k3/8/4K3/8/8/8/8/7R w - - 99 80");
    assert_int_equal(rank_of(*state, &early, true, "e6d5").rank,
                     rank_of(*state, &early, true, "h1h8").rank);
    TbRootMove slow = rank_of(*state, &late, true, "e6d5");
    TbRootMove quick = rank_of(*state, &late, true, "h1h2");
    assert_true(slow.rank < quick.rank);
    assert_int_equal(slow.wdl, TB_CURSED_WIN);
    assert_int_equal(quick.wdl, TB_WIN);
    assert_int_equal(rank_of(*state, &late, false, "e6d5").wdl, TB_WIN);
    assert_int_equal(rank_of(*state, &last, true, "h1h2").wdl, TB_DRAW);
    assert_int_equal(rank_of(*state, &last, true, "h1h8").wdl, TB_WIN); /* mate is mate */
    assert_true(rank_of(*state, &last, true, "h1h8").rank >
                rank_of(*state, &last, true, "h1h2").rank);
}

static void play(Position *p, const char *moves)
{
    Span rest = span_of(moves), word;
    while (span_next_word(&rest, &word)) {
        Undo undo;
        Move m = uci_move_read(p, word);
        assert_int_not_equal(m, MOVE_NONE);
        pos_make(p, m, &undo);
    }
}

static void test_repetitions_decide(void **state)
{
    if (!*state)
        skip();
    Position p = position_of("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    assert_int_equal(rank_of(*state, &p, true, "b1c1").rank,
                     rank_of(*state, &p, true, "a1b2").rank);
    /* Once a position has come back, the shortest way is the only best one. */
    play(&p, "b1c1 d5d4 c1b1 d4d5");
    TbRootMove moves[MAX_MOVES];
    int count;
    assert_true(tb_rank_moves(*state, &p, true, moves, &count));
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (moves[i].dtz > 0 && moves[j].dtz > moves[i].dtz)
                assert_true(moves[j].rank < moves[i].rank);
    /* The third time is a draw, with the fifty-move rule or without. */
    play(&p, "b1c1 d5d4 c1b1");
    Position third = p;
    assert_int_equal(rank_of(*state, &third, true, "d4d5").wdl, TB_DRAW);
    assert_int_equal(rank_of(*state, &third, false, "d4d5").wdl, TB_DRAW);
    assert_int_equal(rank_of(*state, &third, true, "d4e5").wdl, TB_LOSS);
    assert_true(rank_of(*state, &third, true, "d4d5").rank >
                rank_of(*state, &third, true, "d4e5").rank);
}

static void test_no_moves_no_ranks(void **state)
{
    if (!*state)
        skip();
    Position mated = position_of("4k2R/8/4K3/8/8/8/8/8 b - - 0 1");
    TbRootMove moves[MAX_MOVES];
    int count;
    assert_false(tb_rank_moves(*state, &mated, true, moves, &count));
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_from_a_fresh_counter),
        cmocka_unit_test(test_games_with_the_counter_near_its_end),
        cmocka_unit_test(test_the_counter_decides),
        cmocka_unit_test(test_repetitions_decide),
        cmocka_unit_test(test_no_moves_no_ranks),
    };
    return cmocka_run_group_tests(tests, init, finish);
}
