/* Self-play on the card, its code run lane by lane on the processor: moves, evaluation, search and
 * whole games against those of the engine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "eval/eval.h"
#include "train/gpu/gpu_game.h"
#include "train/gpu/gpu_host.h"
#include "warp_lanes.h"

enum { OUTPUT_CAPACITY = 1 << 20 };

/* Everything a warp needs, and what a test asks of it. */
typedef struct Card {
    GTables tables;
    uint64_t keys[G_KEYS];
    GShared shared;
    GMemory *memory;
    GNet net;
    const Evaluator *evaluator;
    int16_t *negated;
    GSearch search[WARP_LANES];
    int depth, limit, move, score; /* limit: nodes of a search */
    uint64_t count;
    Move line[512];
    int line_length;
    int evals[512];
    GGame *game;
    GPosition first;
    uint16_t *output;
    unsigned long long used, nodes;
} Card;

static Card card;

static int set_up(void **state)
{
    (void)state;
    const Evaluator *e;
    chess_init();
    assert_int_equal(evaluator_default(&e, NULL), STATUS_OK);
    card.evaluator = e;
    gpu_tables(&card.tables);
    gpu_random_keys(card.keys);
    card.memory = calloc(1, sizeof *card.memory);
    card.game = calloc(1, sizeof *card.game);
    assert_null(gpu_net_refused(evaluator_net(e)));
    card.negated = malloc(sizeof(int16_t) * gpu_net_weights(evaluator_net(e)));
    card.output = malloc(sizeof(uint16_t) * OUTPUT_CAPACITY);
    assert_true(card.memory && card.game && card.negated && card.output);
    card.net = gpu_net(evaluator_net(e), card.negated);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(card.memory);
    free(card.game);
    free(card.negated);
    free(card.output);
    evaluator_close(card.evaluator);
    return 0;
}

static GSearch *lane_search(void)
{
    GSearch *w = &card.search[warp_lane()];
    *w = (GSearch){.tables = &card.tables,
                   .random_keys = card.keys,
                   .net = &card.net,
                   .memory = card.memory,
                   .shared = &card.shared,
                   .soft_nodes = card.limit,
                   .hard_nodes = card.limit * G_HARD_FACTOR};
    return w;
}

static Position set_position(const char *fen)
{
    Position p;
    assert_int_equal(fen_parse(&p, span_of(fen), false, NULL), STATUS_OK);
    gpu_position(&card.shared.stack[0], &p, card.keys);
    return p;
}

/* -- Moves -- */

static uint64_t count_leaves(GSearch *w, int ply, int depth)
{
    GMoveList *list = &w->memory->lists[ply];
    GPosition *p = &w->shared->stack[ply];
    int count = g_generate(w->tables, p, false, list, w->shared->scratch);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        if (g_make(w->tables, w->random_keys, p, (int)list->at[i]))
            sum += depth > 1 ? count_leaves(w, ply + 1, depth - 1) : 1;
    return sum;
}

static void count_entry(void *user)
{
    (void)user;
    uint64_t sum = count_leaves(lane_search(), 0, card.depth);
    if (warp_lane() == 0)
        card.count = sum;
}

static void generates_all_moves(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int depth;
    } cases[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", 2},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2},
        {"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 4},
        {"r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position p = set_position(cases[i].fen);
        card.depth = cases[i].depth;
        warp_run(count_entry, NULL);
        assert_int_equal(card.count, perft(&p, cases[i].depth));
    }
}

/* -- Evaluation -- */

static void eval_entry(void *user)
{
    (void)user;
    GSearch *w = lane_search();
    GPosition *stack = w->shared->stack;
    g_refresh(w->net, stack, w->memory->accumulators);
    warp_sync();
    for (int i = 0; i < card.line_length; i++) {
        bool legal = g_make(w->tables, w->random_keys, &stack[i], card.line[i]);
        assert_true(legal);
        int total = g_accumulate(w->net, &stack[i + 1], i + 1, w->memory->accumulators);
        int eval = g_evaluate(w->net, &stack[i + 1], total);
        if (warp_lane() == 0)
            card.evals[i] = eval;
    }
}

static void evaluates_as_the_engine_does(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/8/4k3/8/2K5/2P5/8 w - - 0 1",
        "8/5k2/8/3b4/8/2K1P3/2P1B3/8 w - - 0 1",
        "8/8/4k3/8/8/2K5/8/2BN4 w - - 0 1",
    };
    EvalContext *eval = eval_open(card.evaluator);
    Random random;
    random_seed(&random, 7);
    for (int round = 0; round < 60; round++) {
        Position p = set_position(fens[round % (sizeof fens / sizeof *fens)]);
        Score expected[G_PLIES];
        int length = 0;
        for (Move moves[MAX_MOVES]; length < G_PLIES - 1; length++) {
            int count = movegen(&p, GEN_ALL, moves);
            if (!count)
                break;
            Undo undo;
            card.line[length] = moves[random_below(&random, (uint32_t)count)];
            pos_make(&p, card.line[length], &undo);
            eval_reset(eval, &p);
            expected[length] = eval_score(eval, &p);
        }
        card.line_length = length;
        warp_run(eval_entry, NULL);
        for (int i = 0; i < length; i++)
            assert_int_equal(card.evals[i], expected[i]);
    }
    eval_close(eval);
}

/* -- Search -- */

static void search_entry(void *user)
{
    (void)user;
    GSearch *w = lane_search();
    int move, score = 0;
    g_clear(w->memory);
    g_keep_key(w, &w->shared->stack[0], 0);
    g_iterate(w, &move, &score);
    if (warp_lane() == 0) {
        card.move = move;
        card.score = score;
        card.count = (uint64_t)w->nodes;
    }
}

static void finds_mates_and_material(void **state)
{
    (void)state;
    card.limit = 6000;
    set_position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    warp_run(search_entry, NULL);
    assert_int_equal(card.score, SCORE_MATE - 1);
    assert_int_equal(card.move, move_make(3, 59, MOVE_NORMAL));
    set_position("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1");
    warp_run(search_entry, NULL);
    assert_int_equal(card.score, SCORE_MATE - 3);
    set_position("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1"); /* the queen hangs */
    warp_run(search_entry, NULL);
    assert_int_equal(card.move, move_make(3, 59, MOVE_NORMAL));
    set_position("5k2/8/5K2/8/8/8/8/8 w - - 0 1");
    warp_run(search_entry, NULL);
    assert_int_equal(card.score, 0);
    card.limit = 1200;
    set_position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    warp_run(search_entry, NULL);
    assert_in_range(card.count, 1200, 3600);
    assert_true(abs(card.score) < 150);
}

/* -- Games -- */

static void game_entry(void *user)
{
    const GRules *rules = user;
    GSearch *w = lane_search();
    GOutput out = {card.output, OUTPUT_CAPACITY, &card.used, &card.nodes};
    while (!card.used)
        g_game_step(w, rules, &card.first, card.game, &out);
}

static void check_games(int label_nodes, int random_percent)
{
    GRules rules = {.nodes = 20,
                    .label_nodes = label_nodes,
                    .max_score = 700,
                    .random_percent = random_percent,
                    .seed = 5,
                    .warps = 1};
    Position p;
    pos_set_start(&p);
    gpu_position(&card.first, &p, card.keys);
    int labels = 0;
    for (int round = 0; round < 3; round++) {
        card.used = 0;
        warp_run(game_entry, &rules);
        int count = card.output[0];
        assert_int_equal(card.used, 2 + 2 * count);
        assert_in_range(count, G_OPENING_PLIES, G_GAME_PLIES);
        assert_in_range(card.output[1], G_DRAWN, G_BLACK_WON);
        pos_set_start(&p);
        for (int i = 0; i < count; i++) {
            Move m = card.output[2 + i];
            Undo undo;
            Score score = (int16_t)card.output[2 + count + i];
            assert_true(pos_is_legal(&p, m));
            if (score != SCORE_NONE && label_nodes)
                assert_true(i >= G_FIRST_LABEL && !pos_in_check(&p) && !pos_is_capture(&p, m));
            labels += score != SCORE_NONE;
            pos_make(&p, m, &undo);
        }
    }
    assert_true(labels > 0);
}

static void plays_legal_games(void **state)
{
    (void)state;
    check_games(0, 0);
}

static void labels_games(void **state)
{
    (void)state;
    check_games(60, 0);
}

static void plays_random_moves(void **state)
{
    (void)state;
    check_games(30, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generates_all_moves),
        cmocka_unit_test(evaluates_as_the_engine_does),
        cmocka_unit_test(finds_mates_and_material),
        cmocka_unit_test(plays_legal_games),
        cmocka_unit_test(labels_games),
        cmocka_unit_test(plays_random_moves),
    };
    return cmocka_run_group_tests_name("gpu_selfplay", tests, set_up, tear_down);
}
