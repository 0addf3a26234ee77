/* The trainer: inputs, filters, gradients, reproducibility, and a small training from
 * end to end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../positions.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "eval/nnue/nnue.h"
#include "search/search.h"
#include "train/train_gpu.h"
#include "train/train_int.h"

#include <math.h>
#include <unistd.h>

/* -- Games of random moves, scored by the classical evaluation -- */

static void random_game(GameRecord *g, Random *r, EvalContext *eval)
{
    Position p;
    Move moves[MAX_MOVES];
    if (random_below(r, 4) == 0)
        pos_set_chess960(&p, (int)random_below(r, 960), (int)random_below(r, 960));
    else
        pos_set_start(&p);
    g->start = p;
    g->count = 0;
    Score last = 0;
    for (int count; g->count < 120 && (count = movegen(&p, GEN_ALL, moves)) > 0; g->count++) {
        Undo undo;
        Move m = moves[random_below(r, (uint32_t)count)];
        eval_reset(eval, &p);
        Score score = pos_in_check(&p) ? 0 : eval_score(eval, &p);
        last = p.side == WHITE ? score : -score;
        g->plies[g->count] = (DataPly){m, (int16_t)score};
        pos_make(&p, m, &undo);
    }
    g->result = last > 200 ? RESULT_WHITE_WINS : last < -200 ? RESULT_BLACK_WINS : RESULT_DRAW;
}

static void make_samples(SampleSet *train, SampleSet *held_out, int games, uint64_t seed)
{
    Random r;
    random_seed(&r, seed);
    EvalContext *eval = eval_open(evaluator_classical());
    GameRecord *g = malloc(sizeof *g);
    SampleFilter filter = sample_filter_defaults();
    filter.held_out = 0.1;
    for (int i = 0; i < games; i++) {
        random_game(g, &r, eval);
        SampleSet *to = held_out && sample_is_held_out(g, &filter) ? held_out : train;
        assert_int_equal(sample_add_game(to, g, &filter, NULL), STATUS_OK);
    }
    free(g);
    eval_close(eval);
}

/* -- Inputs -- */

static int by_number(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

static void compare_inputs(const Position *p, int king_buckets)
{
    Sample s;
    uint16_t us[FEATURE_MAX_ACTIVE], them[FEATURE_MAX_ACTIVE], engine[FEATURE_MAX_ACTIVE];
    sample_pack(&s, p, 12, RESULT_DRAW);
    int count = sample_features(&s, king_buckets, us, them);
    uint16_t *views[2] = {us, them};
    for (int side = 0; side < 2; side++) {
        Color c = side == 0 ? p->side : color_other(p->side);
        assert_int_equal(count, inputs_of(p, king_buckets, c, engine));
        qsort(views[side], (size_t)count, sizeof *us, by_number);
        qsort(engine, (size_t)count, sizeof *us, by_number);
        assert_memory_equal(views[side], engine, (size_t)count * sizeof *us);
    }
}

static void the_trainer_sees_what_the_engine_sees(void **state)
{
    (void)state;
    Random r;
    random_seed(&r, 1);
    EvalContext *eval = eval_open(evaluator_classical());
    GameRecord *g = malloc(sizeof *g);
    int seen = 0;
    while (seen < 2000) {
        random_game(g, &r, eval);
        Position p = g->start;
        for (int i = 0; i < g->count; i++, seen++) {
            static const int layouts[] = {1, 4, 8, 16};
            compare_inputs(&p, layouts[seen % 4]);
            Undo undo;
            pos_make(&p, g->plies[i].move, &undo);
        }
    }
    free(g);
    eval_close(eval);
}

/* Worked by hand: White king e1 mirrors White's view, Black king c8 does not mirror Black's. */
static void inputs_are_numbered_as_described(void **state)
{
    (void)state;
    Position p;
    assert_int_equal(fen_parse(&p, span_of("2k5/8/8/8/8/8/P7/4K3 w - - 0 1"), false, NULL),
                     STATUS_OK);
    Sample s;
    uint16_t us[FEATURE_MAX_ACTIVE], them[FEATURE_MAX_ACTIVE];
    sample_pack(&s, &p, 0, RESULT_WHITE_WINS);
    assert_int_equal(sample_features(&s, 1, us, them), 3);
    /* e1, a2, c8 in the order of the squares; mirrored they are d1, h2, f8. */
    assert_int_equal(us[0], 5 * 64 + 3);
    assert_int_equal(us[1], 0 * 64 + 15);
    assert_int_equal(us[2], (6 + 5) * 64 + 61);
    /* Black looks from the other side: e8, a7, c1, the enemy's pieces first numbered at 6 * 64. */
    assert_int_equal(them[0], (6 + 5) * 64 + 60);
    assert_int_equal(them[1], 6 * 64 + 48);
    assert_int_equal(them[2], 5 * 64 + 2);
    assert_int_equal(s.result, 2);
}

static void samples_hold_positions(void **state)
{
    (void)state;
    Position p, q;
    Sample s;
    const char *fen = "r3k2r/pp3ppp/2n5/3p4/3P4/2N5/PP3PPP/R3K2R b KQkq - 0 12";
    assert_int_equal(fen_parse(&p, span_of(fen), false, NULL), STATUS_OK);
    sample_pack(&s, &p, -77, RESULT_WHITE_WINS);
    assert_int_equal(s.score, -77);
    assert_int_equal(s.result, 0); /* Black is to move and lost */
    assert_int_equal(s.piece_count, 20);
    assert_int_equal(sample_position(&s, &q, NULL), STATUS_OK);
    assert_int_equal(q.side, WHITE);
    for (int i = 0; i < SQUARE_COUNT; i++) {
        Piece there = p.board[i ^ 56];
        assert_int_equal(q.board[i], there == NO_PIECE ? NO_PIECE : there ^ 1);
    }
}

/* -- Filters -- */

static void add_ply(GameRecord *g, Position *p, const char *move, int score)
{
    Move m = uci_move_read(p, span_of(move));
    assert_int_not_equal(m, MOVE_NONE);
    g->plies[g->count++] = (DataPly){m, (int16_t)score};
    Undo undo;
    pos_make(p, m, &undo);
}

/* A game that White wins, without moves yet. */
static GameRecord *begin_game(Position *p, const char *fen)
{
    GameRecord *g = calloc(1, sizeof *g);
    assert_non_null(g);
    assert_int_equal(fen_parse(p, span_of(fen), false, NULL), STATUS_OK);
    g->start = *p;
    g->result = RESULT_WHITE_WINS;
    return g;
}

static void what_teaches_nothing_is_left_out(void **state)
{
    (void)state;
    SampleSet set = {0};
    Position p;
    GameRecord *g = begin_game(&p, "4k3/P7/8/8/1b6/8/3P4/3QK3 w - - 0 40");
    add_ply(g, &p, "e1e2", 300);           /* kept */
    add_ply(g, &p, "b4d2", -200);          /* a capture */
    add_ply(g, &p, "d1d2", 900);           /* a capture */
    add_ply(g, &p, "e8f7", -SCORE_TB_WIN); /* decisive */
    add_ply(g, &p, "a7a8q", 2000);         /* a promotion */
    add_ply(g, &p, "f7e7", -2501);         /* beyond the limit */
    add_ply(g, &p, "d2b4", 1500);          /* kept */
    add_ply(g, &p, "e7d7", -1500);         /* in check */
    add_ply(g, &p, "b4b7", 1600);          /* kept */
    SampleFilter filter = sample_filter_defaults();
    assert_int_equal(sample_add_game(&set, g, &filter, NULL), STATUS_OK);
    assert_int_equal(set.count, 3);
    assert_int_equal(set.at[0].score, 300);
    assert_int_equal(set.at[1].score, 1500);
    assert_int_equal(set.at[2].score, 1600);
    /* The same game from move 1: all of it belongs to the opening. */
    g->start.game_ply = 0;
    sample_set_free(&set);
    assert_int_equal(sample_add_game(&set, g, &filter, NULL), STATUS_OK);
    assert_int_equal(set.count, 0);
    sample_set_free(&set);
    free(g);
}

/* Worked out by hand: with a blend of one half the last position is half its own 500 (0.7773) and
 * half the win (1), the one before half of that seen from the other side, and so on. */
static void scores_know_what_came_after(void **state)
{
    (void)state;
    SampleSet set = {0};
    Position p;
    GameRecord *g = begin_game(&p, "4k3/8/8/8/8/8/8/R3K3 w - - 0 40");
    add_ply(g, &p, "e1e2", 100);
    add_ply(g, &p, "e8e7", -100);
    add_ply(g, &p, "e2e3", 500);
    SampleFilter filter = sample_filter_defaults();
    filter.blend = 0.5;
    filter.sigmoid_scale = 400;
    assert_int_equal(sample_add_game(&set, g, &filter, NULL), STATUS_OK);
    assert_int_equal(set.count, 3);
    assert_int_equal(set.at[2].score, 831);
    assert_int_equal(set.at[1].score, -389);
    assert_int_equal(set.at[0].score, 237);
    sample_set_free(&set);
    free(g);
}

static void games_come_from_files(void **state)
{
    (void)state;
    char dir[] = "/tmp/castellan-train-XXXXXX", path[64];
    assert_non_null(mkdtemp(dir));
    Random r;
    random_seed(&r, 3);
    EvalContext *eval = eval_open(evaluator_classical());
    GameRecord *g = malloc(sizeof *g);
    SampleFilter filter = sample_filter_defaults();
    filter.held_out = 0.2;
    SampleSet expected[2] = {{0}}, loaded[2] = {{0}};
    for (int file = 0; file < 3; file++) {
        DataWriter *w;
        snprintf(path, sizeof path, "%s/%d.cgd", dir, file);
        assert_int_equal(data_writer_open(&w, path, NULL), STATUS_OK);
        for (int i = 0; i < 20; i++) {
            random_game(g, &r, eval);
            assert_int_equal(data_writer_add(w, g, NULL), STATUS_OK);
            sample_add_game(&expected[sample_is_held_out(g, &filter)], g, &filter, NULL);
        }
        assert_int_equal(data_writer_close(w, NULL), STATUS_OK);
    }
    SampleCounts counts = {0};
    assert_int_equal(sample_load(&loaded[0], &loaded[1], dir, &filter, 2, NULL, &counts, NULL),
                     STATUS_OK);
    for (int k = 0; k < 2; k++) {
        assert_true(expected[k].count > 50);
        assert_int_equal(loaded[k].count, expected[k].count);
        assert_memory_equal(loaded[k].at, expected[k].at, expected[k].count * sizeof(Sample));
        sample_set_free(&expected[k]);
        sample_set_free(&loaded[k]);
    }
    assert_int_equal(counts.games, 60);
    for (int file = 0; file < 3; file++) {
        snprintf(path, sizeof path, "%s/%d.cgd", dir, file);
        unlink(path);
    }
    Message why = {{0}};
    assert_int_not_equal(sample_load(&loaded[0], &loaded[1], dir, &filter, 2, NULL, &counts, &why),
                         STATUS_OK);
    assert_true(why.text[0] != '\0');
    rmdir(dir);
    free(g);
    eval_close(eval);
}

/* -- Order and gradients -- */

static void a_shuffle_meets_everyone_once(void **state)
{
    (void)state;
    for (uint64_t count = 1; count < 3000; count = count * 3 + 1) {
        uint8_t *met = calloc(1, count);
        uint64_t moved = 0;
        Shuffle s = shuffle_make(count, 7, 2), other = shuffle_make(count, 7, 3);
        for (uint64_t i = 0; i < count; i++) {
            uint64_t at = shuffle_at(&s, i);
            assert_true(at < count && !met[at]);
            met[at] = 1;
            moved += shuffle_at(&other, i) != at;
        }
        assert_true(count < 100 || moved > count * 9 / 10);
        free(met);
    }
}

/* Where each part of the parameters begins, and the end of the last. */
static int parts_of(const NetShape *shape, size_t from[8])
{
    const size_t flat[] = {0, shape->bias, shape->out, shape->out_bias,
                           shape->out_bias + (size_t)shape->buckets};
    const size_t deep[] = {0,         shape->bias,    shape->out, shape->l1_bias,
                           shape->l2, shape->l2_bias, shape->l3,  shape->out_bias,
                           0};
    int parts = shape->layers ? 7 : 4;
    memcpy(from, shape->layers ? deep : flat, ((size_t)parts + 1) * sizeof *from);
    return parts;
}

static void check_gradients(NetSizes sizes)
{
    SampleSet set = {0};
    make_samples(&set, NULL, 12, 5);
    NetShape shape = shape_of(&sizes);
    float *weights = shape_block(&shape), *gradient = shape_block(&shape);
    Pass *pass = pass_open(&shape);
    model_random(&shape, weights, 4);
    Work work = {.samples = set.at, .end = set.count, .wdl = 0.35, .sigmoid_scale = NET_SCALE};
    double loss = pass_run(pass, weights, gradient, &work);
    assert_true(fabs(loss - pass_run(pass, weights, NULL, &work)) < 1e-9 * loss);
    Random r;
    random_seed(&r, 6);
    size_t from[8];
    int checked = 0, parts = parts_of(&shape, from);
    for (int tries = 0; tries < 20000 && checked < 15 * parts; tries++) {
        int part = checked % parts;
        size_t i = from[part] + random_below(&r, (uint32_t)(from[part + 1] - from[part]));
        if (fabsf(gradient[i]) < 0.02f)
            continue;
        const float h = 0.0002f, old = weights[i];
        weights[i] = old + h;
        double up = pass_run(pass, weights, NULL, &work);
        weights[i] = old - h;
        double down = pass_run(pass, weights, NULL, &work);
        weights[i] = old;
        double slope = (up - down) / (2.0 * h);
        if (fabs(slope - gradient[i]) > 0.03 * fabs(slope) + 0.002)
            fail_msg("parameter %zu: slope %.5f, gradient %.5f", i, slope, gradient[i]);
        checked++;
    }
    assert_int_equal(checked, 15 * parts);
    pass_close(pass);
    memory_aligned_free(weights);
    memory_aligned_free(gradient);
    sample_set_free(&set);
}

static void gradients_are_those_of_the_loss(void **state)
{
    (void)state;
    check_gradients((NetSizes){128, 8, 1, 0});
    check_gradients((NetSizes){128, 1, 4, 0});
    check_gradients((NetSizes){128, 8, 1, 2});
    check_gradients((NetSizes){128, 8, 8, 2});
}

/* With one gradient for all buckets the factoriser moves them by the same; a bucket that no
 * position reaches moves with the others. */
static void the_factoriser_moves_all_buckets(void **state)
{
    (void)state;
    NetSizes sizes = {64, 1, 4, 0};
    NetShape shape = shape_of(&sizes);
    Adam adam = {.shape = shape,
                 .weights = shape_block(&shape),
                 .first = shape_block(&shape),
                 .second = shape_block(&shape),
                 .out_clip = 1};
    float *gradient = shape_block(&shape);
    size_t near = shape_row(&shape, 0, 100), far = shape_row(&shape, 0, 3 * FEATURE_COUNT + 100);
    gradient[near + 5] = 1;
    gradient[shape.bias] = 1;
    AdamStep step = adam_step(0.01, 0, 1, 1);
    adam_apply(&adam, &step, &gradient, 1, 0);
    assert_true(fabsf(adam.weights[far + 5]) > 0);
    assert_true(adam.weights[near + 5] < adam.weights[far + 5]);
    assert_true(adam.weights[near + 6] == 0 && adam.weights[far + 6] == 0);
    assert_true(adam.weights[shape.bias] < 0 && gradient[near + 5] == 0);
    memory_aligned_free(adam.weights);
    memory_aligned_free(adam.first);
    memory_aligned_free(adam.second);
    memory_aligned_free(gradient);
}

/* -- Training -- */

typedef struct Small {
    SampleSet train, held_out;
    char out[64];
    uint64_t stop_after; /* batches; 0: never */
    double first_loss, last_loss, best_loss;
} Small;

static bool watch(void *user, const TrainProgress *p)
{
    Small *small = user;
    if (p->epoch_ended && p->epoch == 1)
        small->first_loss = p->held_out;
    small->last_loss = p->epoch_ended ? p->held_out : small->last_loss;
    if (p->epoch_ended && (p->epoch == 1 || p->held_out < small->best_loss))
        small->best_loss = p->held_out;
    return small->stop_after && p->step == small->stop_after;
}

static TrainOptions small_options(Small *small)
{
    TrainOptions o = train_defaults();
    o.sizes.hidden = 64;
    o.epochs = 12;
    o.batch = 512;
    o.threads = 2;
    o.rate = 0.01;
    o.out = small->out;
    o.match = evaluator_classical();
    o.command = "test";
    return o;
}

static void begin(Small *small, int games)
{
    *small = (Small){.out = "/tmp/castellan-net-XXXXXX"};
    close(mkstemp(small->out));
    make_samples(&small->train, &small->held_out, games, 11);
    assert_true(small->train.count > 512 && small->held_out.count > 100);
}

static void end(Small *small)
{
    unlink(small->out);
    sample_set_free(&small->train);
    sample_set_free(&small->held_out);
}

static Status train(Small *small, const TrainOptions *o, TrainResult *result, Message *why)
{
    return train_run(o, &small->train, &small->held_out, watch, small, result, why);
}

static char *trained_bytes(Small *small, const TrainOptions *o, size_t *len)
{
    TrainResult result;
    Message why;
    char *bytes;
    if (train(small, o, &result, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    assert_int_equal(file_read(&bytes, len, small->out, 1 << 22, NULL), STATUS_OK);
    return bytes;
}

static void the_same_training_gives_the_same_bytes(void **state)
{
    (void)state;
    Small small;
    begin(&small, 60);
    TrainOptions o = small_options(&small);
    o.epochs = 3;
    size_t len, again_len, other_len;
    char *bytes = trained_bytes(&small, &o, &len);
    char *again = trained_bytes(&small, &o, &again_len);
    assert_int_equal(len, again_len);
    assert_memory_equal(bytes, again, len);
    o.seed = 2;
    char *other = trained_bytes(&small, &o, &other_len);
    assert_true(len != other_len || memcmp(bytes, other, len) != 0);
    free(bytes);
    free(again);
    free(other);
    end(&small);
}

static void a_stopped_training_goes_on_to_the_same_bytes(void **state)
{
    (void)state;
    Small small;
    begin(&small, 60);
    TrainOptions o = small_options(&small);
    TrainResult result;
    Message why;
    o.epochs = 4;
    size_t len, again_len;
    char *bytes = trained_bytes(&small, &o, &len);
    char checkpoint[96];
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", small.out);
    assert_int_not_equal(access(checkpoint, F_OK), 0);
    unlink(small.out);
    o.resume = true;
    for (small.stop_after = 3; small.stop_after < 12; small.stop_after += 4) {
        assert_int_equal(train(&small, &o, &result, &why), STATUS_STOPPED);
        assert_int_equal(access(checkpoint, F_OK), 0);
        assert_int_not_equal(access(small.out, F_OK), 0);
    }
    small.stop_after = 0;
    /* Not the checkpoint of another training. */
    TrainOptions other = o;
    other.wdl = 0.5;
    assert_int_equal(train(&small, &other, &result, &why), STATUS_REFUSED);
    char *again = trained_bytes(&small, &o, &again_len);
    assert_int_equal(len, again_len);
    assert_memory_equal(bytes, again, len);
    assert_int_not_equal(access(checkpoint, F_OK), 0);
    free(bytes);
    free(again);
    end(&small);
}

static void a_damaged_checkpoint_is_refused(void **state)
{
    (void)state;
    Small small;
    begin(&small, 60);
    TrainOptions o = small_options(&small);
    TrainResult result;
    Message why = {{0}};
    o.resume = true;
    small.stop_after = 3;
    assert_int_equal(train(&small, &o, &result, &why), STATUS_STOPPED);
    char checkpoint[96], *bytes;
    size_t len;
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", small.out);
    assert_int_equal(file_read(&bytes, &len, checkpoint, 1 << 24, NULL), STATUS_OK);
    bytes[len / 2] ^= 1;
    assert_int_equal(file_write_atomic(checkpoint, bytes, len, NULL), STATUS_OK);
    assert_int_equal(train(&small, &o, &result, &why), STATUS_INVALID);
    assert_int_equal(file_write_atomic(checkpoint, bytes, 20, NULL), STATUS_OK);
    assert_int_equal(train(&small, &o, &result, &why), STATUS_INVALID);
    unlink(checkpoint);
    free(bytes);
    end(&small);
}

static double mean_size(const Evaluator *e, const SampleSet *set)
{
    EvalContext *c = eval_open(e);
    double sum = 0;
    for (size_t i = 0; i < set->count; i++) {
        Position p;
        assert_int_equal(sample_position(&set->at[i], &p, NULL), STATUS_OK);
        eval_reset(c, &p);
        sum += abs(eval_score(c, &p));
    }
    eval_close(c);
    return sum / (double)set->count;
}

static Score value_of(const Evaluator *e, const char *fen)
{
    Position p;
    assert_int_equal(fen_parse(&p, span_of(fen), false, NULL), STATUS_OK);
    EvalContext *c = eval_open(e);
    eval_reset(c, &p);
    Score s = eval_score(c, &p);
    eval_close(c);
    return s;
}

static void play_a_little(const Evaluator *e)
{
    SearchPool *pool;
    Message why;
    Position p;
    pos_set_start(&p);
    assert_int_equal(search_create(&pool, e, 1, &why), STATUS_OK);
    SearchLimits limits = {.depth = 5};
    SearchOptions options = {.multi_pv = 1};
    SearchResult found = search_run(pool, &p, &limits, &options, NULL);
    assert_true(pos_is_legal(&p, found.best));
    search_destroy(pool);
}

static void a_small_loop_learns(void **state)
{
    (void)state;
    Small small;
    begin(&small, 250);
    TrainOptions o = small_options(&small);
    /* With 800 so small a net rounds at 2.98 cp: too near to the bound to hold
     * with every compiler. */
    o.sigmoid_scale = 400;
    o.sizes.hidden = 128;
    TrainResult result;
    Message why;
    if (train(&small, &o, &result, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    print_message("held-out loss %.5f -> %.5f, rounding %.2f cp, scale %d, %zu positions\n",
                  small.first_loss, small.last_loss, result.quantised_cp, result.scale,
                  small.train.count);
    assert_true(small.last_loss < 0.75 * small.first_loss);
    assert_true(result.quantised_cp < 3);
    assert_true(result.held_out <= 1.005 * small.best_loss);
    const Evaluator *net;
    assert_int_equal(evaluator_load(&net, small.out, &why), STATUS_OK);
    assert_string_equal(evaluator_name(net), result.id);
    double wanted = mean_size(evaluator_classical(), &small.held_out);
    double has = mean_size(net, &small.held_out);
    assert_true(fabs(has - wanted) < 0.1 * wanted);
    assert_true(value_of(net, "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 200);
    assert_true(value_of(net, "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") < -200);
    assert_true(abs(value_of(net, FEN_START)) < 150);
    play_a_little(net);
    evaluator_close(net);
    end(&small);
}

/* Where hardly anything is learnt, what a net begins with is what it ends with, whatever its
 * sigmoid scale was. */
static void another_sigmoid_scale_keeps_the_values(void **state)
{
    (void)state;
    static const char ahead[] = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    Small small;
    begin(&small, 60);
    TrainOptions o = small_options(&small);
    TrainResult result;
    Message why;
    const Evaluator *before, *after;
    Net *start;
    o.sigmoid_scale = 400;
    assert_int_equal(train(&small, &o, &result, &why), STATUS_OK);
    assert_int_equal(evaluator_load(&before, small.out, &why), STATUS_OK);
    assert_int_equal(net_load(&start, small.out, &why), STATUS_OK);
    Score value = value_of(before, ahead);
    o.start = start;
    o.match = NULL;
    o.sigmoid_scale = 800;
    o.epochs = 1;
    o.rate = o.rate_end = 1e-9;
    assert_int_equal(train(&small, &o, &result, &why), STATUS_OK);
    assert_int_equal(evaluator_load(&after, small.out, &why), STATUS_OK);
    assert_true(value > 100);
    assert_true(abs(value_of(after, ahead) - value) <= value / 20);
    net_free(start);
    evaluator_close(before);
    evaluator_close(after);
    end(&small);
}

/* Trained by heart on few positions: the net written is not the last. */
static void the_best_epoch_is_kept(void **state)
{
    (void)state;
    Small small;
    begin(&small, 60);
    TrainOptions o = small_options(&small);
    TrainResult result;
    Message why;
    o.epochs = 40;
    o.batch = 128;
    o.wdl = 1; /* results tell more about these games than about others */
    assert_int_equal(train(&small, &o, &result, &why), STATUS_OK);
    assert_true(1.01 * small.best_loss < small.last_loss);
    assert_true(result.held_out <= 1.005 * small.best_loss && result.epoch < o.epochs);
    Net *net;
    assert_int_equal(net_load(&net, small.out, &why), STATUS_OK);
    char line[32];
    snprintf(line, sizeof line, "kept: epoch %d\n", result.epoch);
    assert_non_null(strstr(net->history, line));
    /* And its weights are that epoch's: they give its loss, but for the rounding. */
    NetShape shape = shape_of(&o.sizes);
    float *weights = shape_block(&shape);
    Pass *pass = pass_open(&shape);
    model_start(&shape, weights, net, net->scale, 1);
    Work work = {.samples = small.held_out.at,
                 .end = small.held_out.count,
                 .wdl = o.wdl,
                 .sigmoid_scale = o.sigmoid_scale};
    double loss = pass_run(pass, weights, NULL, &work) / (double)small.held_out.count;
    assert_true(fabs(loss - result.held_out) < fabs(loss - small.last_loss));
    pass_close(pass);
    memory_aligned_free(weights);
    net_free(net);
    end(&small);
}

/* -- Larger nets -- */

/* The mean difference between a net's values and the outputs of a model begun with it, in
 * centipawns. */
static double start_differs(const Net *net, NetSizes sizes, const SampleSet *set)
{
    NetShape shape = shape_of(&sizes);
    float *weights = shape_block(&shape), out[TRAIN_GROUP];
    Pass *pass = pass_open(&shape);
    const NnueKernels *kernels = nnue_kernels(cpu_features());
    _Alignas(64) int16_t both[2 * 128];
    double sum = 0;
    assert_int_equal(train_can_start(&sizes, net, NULL), STATUS_OK);
    model_start(&shape, weights, net, 800, 3);
    pass_outputs(pass, weights, set->at, TRAIN_GROUP, out, NULL);
    for (int i = 0; i < TRAIN_GROUP; i++) {
        train_accumulate(net, kernels, &set->at[i], both);
        Score value =
            nnue_output(net, kernels, both, both + net->sizes.hidden, set->at[i].piece_count);
        sum += fabs(value - 800.0 * out[i]);
    }
    pass_close(pass);
    memory_aligned_free(weights);
    return sum / TRAIN_GROUP;
}

/* A larger net begins with what a smaller one says, and a net with layers is itself again. */
static void larger_nets_begin_with_smaller_ones(void **state)
{
    (void)state;
    Small small;
    begin(&small, 120);
    TrainOptions o = small_options(&small);
    TrainResult result;
    Message why;
    Net *net;
    o.match = NULL;
    assert_int_equal(train(&small, &o, &result, &why), STATUS_OK);
    assert_int_equal(net_load(&net, small.out, &why), STATUS_OK);
    const SampleSet *set = &small.held_out;
    assert_true(set->count >= TRAIN_GROUP);
    assert_true(start_differs(net, (NetSizes){64, 8, 1, 0}, set) < 1);
    assert_true(start_differs(net, (NetSizes){128, 8, 1, 0}, set) < 1);
    assert_true(start_differs(net, (NetSizes){192, 8, 8, 0}, set) < 1);
    /* What a doubled neuron is moved by is noise, and so are the free neurons. */
    assert_true(start_differs(net, (NetSizes){128, 8, 1, 2}, set) < 15);
    assert_true(start_differs(net, (NetSizes){256, 8, 4, 2}, set) < 15);
    NetSizes fewer = {128, 1, 1, 0}, flat = {64, 8, 1, 0};
    assert_int_equal(train_can_start(&fewer, net, &why), STATUS_INVALID);
    o.start = net;
    o.sizes = (NetSizes){128, 8, 4, 2};
    o.epochs = 2;
    o.rate = 0.001;
    if (train(&small, &o, &result, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    net_free(net);
    assert_int_equal(net_load(&net, small.out, &why), STATUS_OK);
    print_message("layers: rounding %.2f cp\n", result.quantised_cp);
    assert_true(start_differs(net, (NetSizes){128, 8, 4, 2}, set) < 8);
    assert_true(start_differs(net, (NetSizes){256, 8, 4, 2}, set) < 8);
    assert_int_equal(train_can_start(&flat, net, &why), STATUS_INVALID);
    net_free(net);
    end(&small);
}

/* From random weights, both kinds learn; bytes are the same again, also after an interruption. */
static void nets_with_layers_learn(void **state)
{
    (void)state;
    Small small;
    begin(&small, 250);
    TrainOptions o = small_options(&small);
    TrainResult result;
    Message why;
    o.sizes = (NetSizes){128, 8, 4, 2};
    o.rate = 0.005;
    o.epochs = 8;
    size_t len, again_len;
    char *bytes = trained_bytes(&small, &o, &len);
    assert_true(small.last_loss < 0.75 * small.first_loss);
    o.resume = true;
    small.stop_after = 5;
    assert_int_equal(train(&small, &o, &result, &why), STATUS_STOPPED);
    small.stop_after = 0;
    char *again = trained_bytes(&small, &o, &again_len);
    assert_int_equal(len, again_len);
    assert_memory_equal(bytes, again, len);
    Net *net;
    assert_int_equal(net_load(&net, small.out, &why), STATUS_OK);
    assert_non_null(strstr(net->history, "king buckets 4, pairwise"));
    net_free(net);
    free(bytes);
    free(again);
    end(&small);
}

/* A net that is taught another's values comes near to them. */
static void a_net_can_be_distilled(void **state)
{
    (void)state;
    Small small;
    begin(&small, 120);
    TrainOptions o = small_options(&small);
    TrainResult result;
    Message why;
    Net *net;
    o.match = NULL; /* no output weight beyond its limit */
    assert_int_equal(train(&small, &o, &result, &why), STATUS_OK);
    assert_int_equal(net_load(&net, small.out, &why), STATUS_OK);
    assert_int_equal(train_distil(&small.train, net, 2, &why), STATUS_OK);
    assert_int_equal(train_distil(&small.held_out, net, 2, &why), STATUS_OK);
    const NnueKernels *kernels = nnue_kernels(cpu_features());
    _Alignas(64) int16_t both[2 * 64];
    train_accumulate(net, kernels, &small.train.at[7], both);
    assert_int_equal(small.train.at[7].score,
                     nnue_output(net, kernels, both, both + 64, small.train.at[7].piece_count));
    o.start = net;
    o.wdl = 0;
    o.epochs = 1;
    o.rate = o.rate_end = 1e-9;
    assert_int_equal(train(&small, &o, &result, &why), STATUS_OK);
    assert_true(result.held_out < 1e-5); /* the net itself: nothing left to learn */
    net_free(net);
    end(&small);
}

/* Where there is a card: both architectures, all parts (train_run compares
 * the gradients itself). */
static void a_card_computes_what_the_processor_does(void **state)
{
    (void)state;
    if (gpu_absent())
        skip();
    Small small;
    begin(&small, 120);
    TrainOptions o = small_options(&small);
    TrainResult card, own;
    Message why;
    o.epochs = 3;
    for (int layers = 0; layers <= 2; layers += 2) {
        o.sizes = (NetSizes){256, 8, 4, layers};
        o.gpu = false;
        assert_int_equal(train(&small, &o, &own, &why), STATUS_OK);
        o.gpu = true;
        if (train(&small, &o, &card, &why) != STATUS_OK)
            fail_msg("%s", why.text);
        assert_true(fabs(card.held_out - own.held_out) < 0.02 * own.held_out);
    }
    end(&small);
}

static void senseless_options_are_refused(void **state)
{
    (void)state;
    Small small;
    begin(&small, 60);
    TrainResult result;
    Message why;
    TrainOptions o = small_options(&small);
    o.sizes.hidden = 65;
    assert_int_equal(train(&small, &o, &result, &why), STATUS_INVALID);
    o = small_options(&small);
    o.wdl = NAN;
    assert_int_equal(train(&small, &o, &result, &why), STATUS_INVALID);
    o = small_options(&small);
    o.out = "/nonexistent/directory/net";
    o.epochs = 1;
    assert_int_equal(train(&small, &o, &result, &why), STATUS_IO);
    SampleSet none = {0};
    o = small_options(&small);
    assert_int_equal(train_run(&o, &none, &none, NULL, NULL, &result, &why), STATUS_INVALID);
    end(&small);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trainer_sees_what_the_engine_sees),
        cmocka_unit_test(inputs_are_numbered_as_described),
        cmocka_unit_test(samples_hold_positions),
        cmocka_unit_test(what_teaches_nothing_is_left_out),
        cmocka_unit_test(scores_know_what_came_after),
        cmocka_unit_test(games_come_from_files),
        cmocka_unit_test(a_shuffle_meets_everyone_once),
        cmocka_unit_test(gradients_are_those_of_the_loss),
        cmocka_unit_test(the_factoriser_moves_all_buckets),
        cmocka_unit_test(the_same_training_gives_the_same_bytes),
        cmocka_unit_test(a_stopped_training_goes_on_to_the_same_bytes),
        cmocka_unit_test(a_damaged_checkpoint_is_refused),
        cmocka_unit_test(a_small_loop_learns),
        cmocka_unit_test(another_sigmoid_scale_keeps_the_values),
        cmocka_unit_test(the_best_epoch_is_kept),
        cmocka_unit_test(larger_nets_begin_with_smaller_ones),
        cmocka_unit_test(nets_with_layers_learn),
        cmocka_unit_test(a_net_can_be_distilled),
        cmocka_unit_test(a_card_computes_what_the_processor_does),
        cmocka_unit_test(senseless_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
