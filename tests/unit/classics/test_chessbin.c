/* ChessBin as an opponent: order, extension, quiescence, the root, its levels, and games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../engine/playing.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "classics/chessbin/chessbin_eval.h"
#include "classics/chessbin/chessbin_search.h"
#include "evaluating.h"

#include <stdlib.h>
#include <string.h>

typedef struct Bench {
    ChessBinSearch search;
    OpponentTask task;
    SearchLimits limits;
    atomic_bool stop;
    Effort effort;
} Bench;

static Bench *set_up(const char *fen)
{
    EffortHabits habits = {.depth = 6};
    Bench *b = calloc(1, sizeof *b);
    b->search.position = evaluating_position(fen);
    classic_eval_default_weights(&chessbin_evaluator, b->search.weights);
    b->task = (OpponentTask){.position = &b->search.position, .limits = &b->limits};
    b->task.stop = &b->stop;
    b->effort = effort_begin(&b->task, &habits);
    b->search.effort = &b->effort;
    return b;
}

static Move move_of(const Position *p, const char *san)
{
    Move m;
    Message why;
    if (san_read(p, span_of(san), &m, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return m;
}

/* -- Order -- */

static void moves_are_ranked(void **state)
{
    (void)state;
    Position p = evaluating_position("r3k2r/8/2q5/3P4/8/8/3R4/R3K2R w KQkq - 0 1");
    assert_int_equal(chessbin_rank(&p, move_of(&p, "dxc6")),
                     975 + 875 + 6); /* the attacker is cheaper */
    assert_int_equal(chessbin_rank(&p, move_of(&p, "d6")), 6);
    assert_int_equal(chessbin_rank(&p, move_of(&p, "O-O")), 1 + 40 + 10);
    assert_int_equal(chessbin_rank(&p, move_of(&p, "Ke2")), 1 - 40 + 10);
    assert_int_equal(chessbin_rank(&p, move_of(&p, "Rd4")), 2 - 40);
    assert_int_equal(chessbin_rank(&p, move_of(&p, "Rxa8+")), 500 + 2 - 40 + 10);
    p = evaluating_position("4k3/8/8/3p4/8/8/8/3Q1RK1 w - - 0 1"); /* castled: no malus any more */
    assert_int_equal(chessbin_rank(&p, move_of(&p, "Qxd5")), 100 + 1 + 10);
    assert_int_equal(chessbin_rank(&p, move_of(&p, "Rf8+")), 2);
    assert_int_equal(chessbin_rank(&p, move_of(&p, "Kg2")), 1);
}

/* 10 for each piece that may not have moved; a king that captures has a value above all others, so
 * no lead counts. In the quiescence search the capture alone counts. */
static void unmoved_pieces_go_first(void **state)
{
    (void)state;
    static const struct {
        const char *san;
        int rank;
    } rows[] = {{"e4", 16}, {"a3", 16}, {"Nf3", 13}, {"Nc3", 13}};
    Position p = evaluating_position(FEN_START);
    for (int i = 0; i < 4; i++)
        assert_int_equal(chessbin_rank(&p, move_of(&p, rows[i].san)), rows[i].rank);
    p = evaluating_position("6k1/8/8/8/4Q3/2N5/4p3/4K3 w - - 0 1");
    assert_int_equal(chessbin_rank(&p, move_of(&p, "Kxe2")), 100 + 1 + 10 - 40);
    assert_int_equal(chessbin_rank(&p, move_of(&p, "Qxe2")), 100 + 1);
    assert_int_equal(chessbin_rank(&p, move_of(&p, "Nd5")), 3);
    assert_int_equal(chessbin_capture_rank(&p, move_of(&p, "Kxe2")), 100 + 1);
}

/* -- The table -- */

/* An entry answers at its depth; one that was used stays in its place until the search is over. */
static void the_table_saves_nodes(void **state)
{
    (void)state;
    const char *fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 3 9";
    SearchLimits five = {.depth = 5};
    Opponent *o = playing_open("chessbin-medium", 1);
    assert_int_equal(playing_ask(o, fen, &five).nodes, 76089);
    assert_int_equal(playing_ask(o, fen, &five).nodes, 32);
    opponent_new_game(o, 1);
    assert_int_equal(playing_ask(o, fen, &five).nodes, 76089);
    opponent_close(o);
    assert_int_equal(playing_once("chessbin-medium,table=off", fen, &five, 1).nodes, 103724);
}

/* The first move at the root is the one that looks best at once. */
static void root_is_sorted_by_sight(void **state)
{
    (void)state;
    Bench *b = set_up("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1");
    chessbin_list_moves(&b->search);
    assert_int_equal(b->search.root_count, movegen_count(&b->search.position));
    assert_int_equal(b->search.root[0].move, move_of(&b->search.position, "Rxd5"));
    for (int i = 1; i < b->search.root_count; i++)
        assert_true(b->search.root[i - 1].static_eval >= b->search.root[i].static_eval);
    free(b);
}

/* -- Search -- */

/* Minimax over the same leaves: what alpha-beta must give. For endings only: without a window the
 * captures of a full board never end. */
static int minimax_quiet(ChessBinSearch *s)
{
    Move moves[MAX_MOVES];
    int best = classic_eval_score(&chessbin_evaluator, &s->position, s->weights);
    int count = movegen(&s->position, GEN_NOISY, moves);
    for (int i = 0; i < count; i++) {
        Undo undo;
        if (!pos_is_capture(&s->position, moves[i]))
            continue;
        pos_make(&s->position, moves[i], &undo);
        int value = -minimax_quiet(s);
        pos_unmake(&s->position, moves[i], &undo);
        best = value > best ? value : best;
    }
    return best;
}

static int minimax(ChessBinSearch *s, int depth, bool extended)
{
    Move moves[MAX_MOVES];
    if (draw_by_repetition(&s->position, (int)(s->position.ply - s->root_ply)) ||
        draw_by_material(&s->position))
        return 0;
    if (depth == 0 && (extended || !pos_in_check(&s->position)))
        return minimax_quiet(s);
    if (depth == 0) {
        depth = 1;
        extended = true;
    }
    int best = -CHESSBIN_INFINITE, count = movegen(&s->position, GEN_ALL, moves);
    if (count == 0)
        return pos_in_check(&s->position) ? -CHESSBIN_MATE - depth : 0;
    for (int i = 0; i < count; i++) {
        Undo undo;
        pos_make(&s->position, moves[i], &undo);
        int value = -minimax(s, depth - 1, extended);
        pos_unmake(&s->position, moves[i], &undo);
        best = value > best ? value : best;
    }
    return best;
}

static void alphabeta_finds_the_value_of_minimax(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "8/pk6/1p6/8/2N5/1P3b2/P4K2/8 w - - 0 1",    "8/5k2/3r4/1p6/1P2R3/5K2/6P1/8 b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1",
        "4k3/8/1q6/8/8/8/8/4K2R b K - 0 1",
    };
    for (int i = 0; i < 5; i++)
        for (int depth = 1; depth <= 3; depth++) {
            Bench *b = set_up(fens[i]);
            ChessBinLine line;
            b->search.root_ply = b->search.position.ply;
            int value = chessbin_alphabeta(&b->search, depth, -CHESSBIN_INFINITE, CHESSBIN_INFINITE,
                                           false, &line);
            int exact = minimax(&b->search, depth, false);
            assert_int_equal(value, exact);
            assert_in_range(line.length, 1, depth + 1);
            b->search.full_ordering = true;
            b->search.table = calloc(1, sizeof(ChessBinTable));
            for (int again = 0; again < 2; again++)
                assert_int_equal(chessbin_alphabeta(&b->search, depth, -CHESSBIN_INFINITE,
                                                    CHESSBIN_INFINITE, false, &line),
                                 exact);
            free(b->search.table);
            free(b);
        }
}

/* In check at the end of the depth: a ply more, once. The check costs White the rook behind his
 * king. */
static void checks_are_extended_once(void **state)
{
    (void)state;
    ChessBinLine line;
    Bench *b = set_up("4k3/8/8/8/8/8/4q3/R3K2R w - - 0 1");
    chessbin_alphabeta(&b->search, 0, -CHESSBIN_INFINITE, CHESSBIN_INFINITE, false, &line);
    assert_int_equal(line.length, 1);
    assert_int_equal(line.moves[0], move_of(&b->search.position, "Kxe2"));
    chessbin_alphabeta(&b->search, 0, -CHESSBIN_INFINITE, CHESSBIN_INFINITE, true, &line);
    assert_int_equal(line.length, 0);
    free(b);
}

/* 15 moves or fewer: a ply more. */
static void few_moves_are_searched_deeper(void **state)
{
    (void)state;
    ChessBinLine line;
    Bench *b = set_up("4K3/8/8/8/8/R6R/8/4k3 b - - 0 1"); /* three moves */
    chessbin_list_moves(&b->search);
    assert_true(b->search.root_count <= CHESSBIN_FEW_MOVES);
    chessbin_root(&b->search, 3, &line);
    assert_int_equal(line.length, 4);
    free(b);
    b = set_up(FEN_START);
    chessbin_list_moves(&b->search);
    chessbin_root(&b->search, 3, &line);
    assert_int_equal(line.length, 3);
    free(b);
}

static void mates_are_counted(void **state)
{
    (void)state;
    assert_int_equal(chessbin_score(CHESSBIN_MATE + 3, 6, 20), score_mate_in(3));
    assert_int_equal(chessbin_score(CHESSBIN_MATE + 4, 6, 15), score_mate_in(3));
    assert_int_equal(chessbin_score(CHESSBIN_MATE + 4, 6, 20),
                     score_mate_in(3)); /* by an extension */
    assert_int_equal(chessbin_score(-CHESSBIN_MATE - 2, 6, 20), score_mated_in(4));
    assert_int_equal(chessbin_score(-CHESSBIN_MATE - 3, 6, 20), score_mated_in(4));
    assert_int_equal(chessbin_score(-250, 6, 20), -250);
}

/* -- The opponent -- */

static void finds_mates_and_captures(void **state)
{
    (void)state;
    SearchLimits four = {.depth = 4};
    Opponent *o = playing_open("chessbin-medium", 1);
    playing_expect(o, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", &four, "Rd8#");
    playing_expect(o, "4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", &four, "Ra2");
    playing_expect(o, "4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", &four, "Rxd5");
    OpponentAnswer a = playing_ask(o, "4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", &four);
    assert_int_equal(a.score, score_mate_in(3));
    a = playing_ask(o, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", &four);
    assert_int_equal(a.score, score_mate_in(1));
    assert_int_equal(a.nodes, 0); /* seen without a search */
    opponent_close(o);
}

/* In the endgame the levels' own depths take no time. */
static void levels_have_their_depths(void **state)
{
    (void)state;
    const char *const fen = "8/8/4k3/p7/P7/4K3/8/8 w - - 0 1";
    SearchLimits none = {0}, clock = {.has_clock = {true, true}, .clock_ms = {600000, 600000}};
    Opponent *medium = playing_open("chessbin-medium", 1), *hard = playing_open("chessbin-hard", 1);
    assert_int_equal(playing_ask(medium, fen, &none).depth, 6);
    assert_int_equal(playing_ask(hard, fen, &none).depth, 7);
    assert_int_equal(playing_ask(hard, fen, &clock).depth, 7);
    assert_int_equal(playing_ask(hard, fen, &(SearchLimits){.depth = 2}).depth, 2);
    opponent_close(medium);
    opponent_close(hard);
}

/* A clock that is cut into steps ends at the same move as the whole depth at once. */
static void same_question_same_answer(void **state)
{
    (void)state;
    const char *const fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    SearchLimits limits = {.nodes = 20000};
    Opponent *a = playing_open("chessbin-medium", 1), *b = playing_open("chessbin-medium", 2);
    OpponentAnswer x = playing_ask(a, fen, &limits), y = playing_ask(b, fen, &limits);
    assert_int_equal(x.move, y.move);
    assert_int_equal(x.nodes, y.nodes);
    assert_int_equal(x.score, y.score);
    opponent_close(a);
    opponent_close(b);
}

static void stops_soon(void **state)
{
    (void)state;
    playing_check_stops("chessbin-medium");
    playing_check_stops("chessbin-hard");
}

static void plays_games(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        assert_true(playing_game("chessbin-medium", "javachess", seed, 2000) > 0);
        assert_true(playing_game("javachess", "chessbin-hard", seed, 2000) > 0);
    }
}

static void remembers_answers(void **state)
{
    (void)state;
    const char *pawns = "8/8/4k3/p7/P7/4K3/8/8 w - - 0 1";
    SearchLimits none = {0}, shallow = {.depth = 2};
    Opponent *o = playing_open("chessbin-medium,memory=on", 1);
    OpponentAnswer early = playing_ask(o, pawns, &shallow);
    OpponentAnswer first = playing_ask(o, pawns, &none); /* the shallow answer does not count */
    opponent_new_game(o, 2);
    OpponentAnswer again = playing_ask(o, pawns, &none);
    assert_true(early.nodes > 0 && first.nodes > early.nodes);
    assert_false(first.from_book);
    assert_true(again.from_book && again.nodes == 0);
    assert_int_equal(again.move, first.move);
    Position p = evaluating_position(pawns);
    SearchLimits other = {.only_count = movegen(&p, GEN_ALL, other.only)};
    for (int i = 0; i < other.only_count; i++)
        if (other.only[i] == first.move)
            other.only[i] = other.only[--other.only_count];
    assert_false(playing_ask(o, pawns, &other).from_book);
    opponent_close(o);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_ranked),
        cmocka_unit_test(unmoved_pieces_go_first),
        cmocka_unit_test(the_table_saves_nodes),
        cmocka_unit_test(root_is_sorted_by_sight),
        cmocka_unit_test(alphabeta_finds_the_value_of_minimax),
        cmocka_unit_test(checks_are_extended_once),
        cmocka_unit_test(few_moves_are_searched_deeper),
        cmocka_unit_test(mates_are_counted),
        cmocka_unit_test(finds_mates_and_captures),
        cmocka_unit_test(levels_have_their_depths),
        cmocka_unit_test(same_question_same_answer),
        cmocka_unit_test(stops_soon),
        cmocka_unit_test(plays_games),
        cmocka_unit_test(remembers_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
