/* The net: file format, kernels, symmetry, and that following a game gives what starting afresh
 * does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../positions.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/random.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/setup.h"
#include "eval/eval.h"
#include "eval/nnue/nnue.h"

#include <math.h>
#include <unistd.h>

static void fill_small(int16_t *at, size_t count, int limit, Random *r)
{
    for (size_t i = 0; i < count; i++)
        at[i] = (int16_t)((int)random_below(r, (uint32_t)(2 * limit + 1)) - limit);
}

static void fill_biases(int32_t *at, size_t count, int limit, Random *r)
{
    for (size_t i = 0; i < count; i++)
        at[i] = (int)random_below(r, (uint32_t)(2 * limit + 1)) - limit;
}

/* A net of random numbers of the size that training makes. */
static Net *random_net_of(NetSizes sizes, uint64_t seed)
{
    Net *net;
    Message why;
    if (net_new(&net, &sizes, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    size_t hidden = (size_t)sizes.hidden, buckets = (size_t)sizes.buckets;
    Random r;
    random_seed(&r, seed);
    fill_small(net->ft_weights, (size_t)sizes.king_buckets * FEATURE_COUNT * hidden, 80, &r);
    for (size_t i = 0; i < hidden; i++)
        net->ft_bias[i] = (int16_t)((int)random_below(&r, 201) - 60);
    if (sizes.layers == 0) {
        fill_small(net->out_weights, 2 * hidden * buckets, 40, &r);
        fill_biases(net->out_bias, buckets, 1000, &r);
        return net;
    }
    for (size_t i = 0; i < buckets * hidden * NET_L1; i++)
        net->l1_weights[i] = (int8_t)((int)random_below(&r, 41) - 20);
    fill_biases(net->l1_bias, buckets * NET_L1, 4000, &r);
    fill_small(net->l2_weights, buckets * 2 * NET_L1 * NET_L2, 600, &r);
    fill_biases(net->l2_bias, buckets * NET_L2, 1 << 20, &r);
    fill_small(net->l3_weights, buckets * NET_L2, 600, &r);
    fill_biases(net->out_bias, buckets, 1 << 19, &r);
    return net;
}

static Net *random_net(int hidden, int buckets, uint64_t seed)
{
    return random_net_of((NetSizes){hidden, buckets, 1, 0}, seed);
}

/* Accumulators by their definition, clamped. */
static void plain_accumulators(const Net *net, const Position *p, int64_t *out)
{
    int hidden = net->sizes.hidden;
    for (int side = 0; side < 2; side++) {
        Color c = side == 0 ? p->side : color_other(p->side);
        uint16_t on[FEATURE_MAX_ACTIVE];
        int count = inputs_of(p, net->sizes.king_buckets, c, on);
        for (int i = 0; i < hidden; i++) {
            int64_t a = net->ft_bias[i];
            for (int k = 0; k < count; k++)
                a += net->ft_weights[on[k] * hidden + i];
            out[side * hidden + i] = a < 0 ? 0 : a > NET_QA ? NET_QA : a;
        }
    }
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* The layers by the formula of net.h. */
static double plain_layers(const Net *net, int bucket, const int64_t *a)
{
    int hidden = net->sizes.hidden, half = hidden / 2;
    int64_t in[2 * NET_L1], out = net->out_bias[bucket];
    for (int o = 0; o < NET_L1; o++) {
        int64_t z = net->l1_bias[bucket * NET_L1 + o], most = 127 * net->qb;
        for (int j = 0; j < hidden; j++) {
            const int64_t *pair = a + j / half * hidden + j % half;
            z += floor_div(pair[0] * pair[half], 512) *
                 net->l1_weights[((bucket * hidden + j) / 4 * NET_L1 + o) * 4 + j % 4];
        }
        z = z > most ? most : z < -most ? -most : z;
        int64_t x = floor_div(z * 129, 4 * net->qb);
        in[o] = x > 0 ? x : 0;
        in[NET_L1 + o] = x * x / 4096 > 4095 ? 4095 : x * x / 4096;
    }
    for (int n = 0; n < NET_L2; n++) {
        int64_t y = net->l2_bias[bucket * NET_L2 + n];
        for (int k = 0; k < 2 * NET_L1; k++)
            y += in[k] * net->l2_weights[((bucket * NET_L1 + k / 2) * NET_L2 + n) * 2 + k % 2];
        y = floor_div(y, 1024);
        out += (y < 0 ? 0 : y > 4095 ? 4095 : y) * net->l3_weights[bucket * NET_L2 + n];
    }
    return (double)(out * net->scale) / (1 << 22);
}

/* The value by the formula of net.h, with nothing shared with the code under test
 * but the inputs. */
static Score plain_value(const Net *net, const Position *p)
{
    static int64_t a[2 * NET_HIDDEN_MAX];
    int hidden = net->sizes.hidden;
    int bucket = net->sizes.buckets == 1 ? 0 : (bb_count(pos_occupied(p)) - 2) / 4;
    plain_accumulators(net, p, a);
    if (net->sizes.layers)
        return (Score)lround(plain_layers(net, bucket, a));
    int64_t sum = 0;
    for (int i = 0; i < 2 * hidden; i++)
        sum += a[i] * a[i] * net->out_weights[2 * bucket * hidden + i];
    double exact = (double)((sum / NET_QA + net->out_bias[bucket]) * net->scale);
    return (Score)lround(exact / (NET_QA * net->qb));
}

static const NnueKernels *best_kernels(void)
{
    return nnue_kernels(cpu_features());
}

/* -- Following a game -- */

typedef struct Kinds {
    int castlings, en_passants, promotions, nulls, captures, scored;
} Kinds;

static void count_kind(Kinds *k, const Position *p, Move m)
{
    k->castlings += move_kind(m) == MOVE_CASTLING;
    k->en_passants += move_kind(m) == MOVE_EN_PASSANT;
    k->promotions += move_is_promotion(m);
    k->captures += pos_is_capture(p, m);
}

static Move choose(const Position *p, Random *r)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    if (count == 0)
        return MOVE_NONE;
    for (int i = 0; i < count; i++) {
        MoveKind kind = move_kind(moves[i]);
        bool rare = kind != MOVE_NORMAL;
        if (rare && random_below(r, 3) == 0)
            return moves[i];
    }
    return moves[random_below(r, (uint32_t)count)];
}

typedef struct Walk {
    const Net *net;
    Nnue *followed;
    Random random;
    Kinds kinds;
} Walk;

static void check_value(Walk *w, const Position *p)
{
    Score got = nnue_score(w->followed, p), want = plain_value(w->net, p);
    if (got != want) {
        char fen[FEN_SIZE];
        fen_write(p, FEN_SHREDDER, fen);
        fail_msg("%s: followed %d, afresh %d", fen, got, want);
    }
    w->kinds.scored++;
}

/* A random tree: values are asked for here and there, moves taken back, so that sums are built from
 * ancestors at every distance. */
static void walk(Walk *w, Position *p, int depth)
{
    if (random_below(&w->random, 3) != 0)
        check_value(w, p);
    if (depth == 0)
        return;
    for (int i = 0; i < 2; i++) {
        Undo undo;
        if (!pos_in_check(p) && random_below(&w->random, 8) == 0) {
            nnue_push(w->followed, p, MOVE_NULL);
            pos_make_null(p, &undo);
            w->kinds.nulls++;
            walk(w, p, depth - 1);
            pos_unmake_null(p, &undo);
            nnue_pop(w->followed);
        }
        Move m = choose(p, &w->random);
        if (m == MOVE_NONE)
            return;
        count_kind(&w->kinds, p, m);
        nnue_push(w->followed, p, m);
        pos_make(p, m, &undo);
        walk(w, p, depth - 1);
        pos_unmake(p, m, &undo);
        nnue_pop(w->followed);
        if (random_below(&w->random, 4) == 0)
            check_value(w, p);
    }
}

static void start_game(Position *p, int game, Random *r)
{
    /* In statements of their own: compilers differ in the order of arguments. */
    int black = game % 2 ? (int)random_below(r, 960) : 0;
    int white = game % 2 ? (int)random_below(r, 960) : 0;
    if (game % 2)
        pos_set_chess960(p, white, black);
    else
        pos_set_start(p);
}

static void walk_games(Walk *w, int games)
{
    for (int game = 0; game < games; game++) {
        Position p;
        start_game(&p, game, &w->random);
        for (int ply = 0; ply < 160; ply++) {
            Move m = choose(&p, &w->random);
            if (m == MOVE_NONE)
                break;
            if (ply % 20 == 0) {
                nnue_reset(w->followed, &p);
                walk(w, &p, 6);
            }
            Undo undo;
            pos_make(&p, m, &undo);
        }
    }
}

static void follow(NetSizes sizes, int games)
{
    Net *net = random_net_of(sizes, 1);
    Walk w = {.net = net, .followed = nnue_open(net, best_kernels())};
    assert_non_null(w.followed);
    random_seed(&w.random, 5);
    walk_games(&w, games);
    assert_true(w.kinds.scored > 300 * games);
    assert_true(games < 60 || (w.kinds.castlings > 50 && w.kinds.en_passants > 20));
    assert_true(games < 60 || (w.kinds.promotions > 50 && w.kinds.nulls > 500));
    assert_true(games < 60 || w.kinds.captures > 500);
    nnue_close(w.followed);
    net_free(net);
}

static void following_is_starting_afresh(void **state)
{
    (void)state;
    follow((NetSizes){64, 8, 1, 0}, 60);
}

static void following_works_with_king_buckets_and_layers(void **state)
{
    (void)state;
    follow((NetSizes){64, 8, 4, 0}, 16);
    follow((NetSizes){64, 1, 16, 0}, 16);
    follow((NetSizes){128, 8, 8, 2}, 16);
}

/* Each layout has all its buckets, and a king that moves from one half to the other
 * keeps its own. */
static void king_buckets_are_all_used(void **state)
{
    (void)state;
    static const int layouts[] = {1, 4, 8, 16};
    for (int i = 0; i < 4; i++) {
        unsigned seen = 0;
        for (Square s = 0; s < SQUARE_COUNT; s++) {
            int bucket = feature_king_bucket(layouts[i], WHITE, s);
            assert_true(bucket >= 0 && bucket < layouts[i]);
            assert_int_equal(bucket, feature_king_bucket(layouts[i], WHITE, (Square)(s ^ 7)));
            assert_int_equal(bucket, feature_king_bucket(layouts[i], BLACK, (Square)(s ^ 56)));
            seen |= 1u << bucket;
        }
        assert_int_equal(seen, (1u << layouts[i]) - 1);
    }
    assert_int_equal(feature_king_bucket(8, WHITE, 6), 1);   /* g1 is b1 */
    assert_int_equal(feature_king_bucket(8, BLACK, 62), 1);  /* g8 */
    assert_int_equal(feature_king_bucket(16, WHITE, 12), 7); /* e2 is d2 */
}

/* One long line, pushed far beyond any search. */
static void a_line_longer_than_the_stack_is_followed(void **state)
{
    (void)state;
    Net *net = random_net(64, 1, 2);
    Walk w = {.net = net, .followed = nnue_open(net, best_kernels())};
    random_seed(&w.random, 6);
    Position p;
    pos_set_start(&p);
    nnue_reset(w.followed, &p);
    int made = 0;
    Position line[400];
    for (; made < 400; made++) {
        Move m = choose(&p, &w.random);
        if (m == MOVE_NONE)
            break;
        line[made] = p;
        Undo undo;
        nnue_push(w.followed, &p, m);
        pos_make(&p, m, &undo);
        if (made % 3 == 0)
            check_value(&w, &p);
    }
    assert_true(made > 280);
    while (made-- > 0) {
        nnue_pop(w.followed);
        check_value(&w, &line[made]);
    }
    nnue_close(w.followed);
    net_free(net);
}

/* -- Symmetry -- */

static Position changed(const Position *p, int turn, Piece swap)
{
    Setup from, to;
    Position out;
    Message why;
    pos_describe(p, &from);
    setup_clear(&to);
    to.side = swap ? color_other(from.side) : from.side;
    for (int s = 0; s < SQUARE_COUNT; s++) {
        Piece piece = from.board[s ^ turn];
        to.board[s] = piece == NO_PIECE ? NO_PIECE : (Piece)(piece ^ swap);
    }
    if (pos_set(&out, &to, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return out;
}

static Score fresh(Nnue *n, const Position *p)
{
    nnue_reset(n, p);
    return nnue_score(n, p);
}

static void turned_boards_have_the_same_value(void **state)
{
    (void)state;
    Net *net = random_net(128, 8, 3);
    Nnue *n = nnue_open(net, best_kernels());
    Random r;
    random_seed(&r, 7);
    int seen = 0, differ = 0;
    for (int game = 0; game < 30; game++) {
        Position p;
        start_game(&p, game, &r);
        for (int ply = 0; ply < 120; ply++) {
            Move m = choose(&p, &r);
            if (m == MOVE_NONE)
                break;
            Undo undo;
            pos_make(&p, m, &undo);
            Position colours = changed(&p, 56, 1), mirrored = changed(&p, 7, 0);
            Position wrong = changed(&p, 56, 0);
            Score value = fresh(n, &p);
            assert_int_equal(value, fresh(n, &colours));
            assert_int_equal(value, fresh(n, &mirrored));
            differ += pos_in_check(&wrong) || value != fresh(n, &wrong);
            seen++;
        }
    }
    assert_true(seen > 2000 && differ > seen / 2);
    nnue_close(n);
    net_free(net);
}

/* -- Kernels -- */

static void random_delta(NnueDelta *d, Random *r)
{
    static const int shapes[][2] = {{1, 1}, {1, 2}, {2, 2}, {0, 0}, {32, 0}, {7, 13}, {0, 1}};
    const int *shape = shapes[random_below(r, 7)];
    d->adds = shape[0];
    d->subs = shape[1];
    for (int i = 0; i < FEATURE_MAX_ACTIVE; i++) {
        d->add[i] = (uint16_t)random_below(r, FEATURE_COUNT);
        d->sub[i] = (uint16_t)random_below(r, FEATURE_COUNT);
    }
}

/* Numbers over the whole range of 16 bits: also what overflows must overflow the same way. */
static void fill_wild(int16_t *at, int count, Random *r)
{
    for (int i = 0; i < count; i++)
        at[i] = random_below(r, 4) ? (int16_t)((int)random_below(r, 700) - 200)
                                   : (int16_t)(uint16_t)random_below(r, 65536);
}

static void compare_kernels(const NnueKernels *a, const NnueKernels *b, const Net *net, Random *r)
{
    enum { MAX = NET_HIDDEN_MAX };
    _Alignas(64) static int16_t in[2 * MAX], one[2 * MAX], two[2 * MAX];
    NnueDelta delta;
    int hidden = net->sizes.hidden;
    fill_wild(in, 2 * MAX, r);
    for (int side = 0; side < 2; side++) {
        random_delta(&delta, r);
        a->update(one + side * MAX, in + side * MAX, net->ft_weights, hidden, &delta);
        b->update(two + side * MAX, in + side * MAX, net->ft_weights, hidden, &delta);
        assert_memory_equal(one + side * MAX, two + side * MAX, (size_t)hidden * sizeof *one);
    }
    int32_t x = a->output(one, one + MAX, net->out_weights, hidden);
    int32_t y = b->output(two, two + MAX, net->out_weights, hidden);
    if (x != y)
        fail_msg("%s says %d, %s says %d", a->name, x, b->name, y);
    memcpy(two, in, sizeof two);
    b->update(two, two, net->ft_weights, hidden, &delta);
    a->update(one, in, net->ft_weights, hidden, &delta);
    assert_memory_equal(one, two, (size_t)hidden * sizeof *one);
}

static void compare_layers(const NnueKernels *a, const NnueKernels *b, const Net *net, Random *r)
{
    enum { MAX = NET_HIDDEN_MAX };
    _Alignas(64) static int16_t in[2 * MAX];
    int sparse = (int)random_below(r, 12);
    fill_wild(in, 2 * MAX, r);
    for (int i = 0; i < 2 * MAX; i++)
        if (random_below(r, 12) < (uint32_t)sparse)
            in[i] = 0;
    for (int bucket = 0; bucket < net->sizes.buckets; bucket++) {
        NnueLayers l = nnue_layers(net, bucket);
        int32_t x = a->layers(in, in + MAX, &l, net->sizes.hidden);
        int32_t y = b->layers(in, in + MAX, &l, net->sizes.hidden);
        if (x != y)
            fail_msg("%s says %d, %s says %d", a->name, x, b->name, y);
    }
}

/* Weights up to their limits, where sums are largest. */
static void make_extreme(Net *net, Random *r)
{
    size_t buckets = (size_t)net->sizes.buckets;
    for (size_t i = 0; i < buckets * (size_t)net->sizes.hidden * NET_L1; i++)
        net->l1_weights[i] = random_below(r, 2) ? 127 : (int8_t)random_below(r, 256);
    for (size_t i = 0; i < buckets * 2 * NET_L1 * NET_L2; i++)
        net->l2_weights[i] = random_below(r, 2) ? NET_LAYER_MAX : -NET_LAYER_MAX;
    for (size_t i = 0; i < buckets * NET_L2; i++)
        net->l3_weights[i] = random_below(r, 3) ? NET_LAYER_MAX : -NET_LAYER_MAX;
}

static void layers_are_bit_identical(void **state)
{
    (void)state;
    const NnueKernels *kernels[NNUE_KERNELS_MAX];
    int count = nnue_kernels_all(cpu_features(), kernels);
    Random r;
    random_seed(&r, 10);
    for (int hidden = 128; hidden <= NET_HIDDEN_MAX; hidden += hidden < 512 ? 128 : 512) {
        Net *net = random_net_of((NetSizes){hidden, 8, 1, 2}, (uint64_t)hidden);
        net->qb = NET_QB << random_below(&r, 4);
        for (int extreme = 0; extreme < 2; extreme++) {
            for (int k = 0; k + 1 < count; k++)
                for (int i = 0; i < 40; i++)
                    compare_layers(&nnue_kernels_scalar, kernels[k], net, &r);
            make_extreme(net, &r);
        }
        net_free(net);
    }
}

static void kernels_are_bit_identical(void **state)
{
    (void)state;
    const NnueKernels *kernels[NNUE_KERNELS_MAX];
    int count = nnue_kernels_all(cpu_features(), kernels);
    Random r;
    random_seed(&r, 9);
    for (int hidden = 64; hidden <= NET_HIDDEN_MAX; hidden += hidden < 256 ? 64 : 256) {
        Net *net = random_net(hidden, 1, (uint64_t)hidden);
        fill_wild(net->ft_weights, FEATURE_COUNT * hidden, &r);
        for (int i = 0; i < 2 * hidden; i++)
            net->out_weights[i] = (int16_t)((int)random_below(&r, 255) - 127);
        for (int k = 0; k + 1 < count; k++)
            for (int i = 0; i < 200; i++)
                compare_kernels(&nnue_kernels_scalar, kernels[k], net, &r);
        net_free(net);
    }
    print_message("kernels compared:");
    for (int k = 0; k < count; k++)
        print_message(" %s", kernels[k]->name);
    print_message("\n");
}

/* -- Files -- */

static uint8_t *file_of(Net *net, size_t *len)
{
    uint8_t *bytes;
    Message why;
    if (net_to_memory(net, &bytes, len, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return bytes;
}

static void a_net_survives_its_file(void **state)
{
    (void)state;
    Net *net = random_net(192, 8, 4), *again;
    Message why;
    char path[] = "/tmp/castellan-net-XXXXXX";
    close(mkstemp(path));
    assert_int_equal(net_set_history(net, span_of("first line\nsecond\tline\n"), &why), STATUS_OK);
    net->scale = 371;
    net->qb = 128;
    assert_int_equal(net_write(net, path, &why), STATUS_OK);
    if (net_load(&again, path, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    assert_int_equal(again->sizes.hidden, 192);
    assert_int_equal(again->sizes.buckets, 8);
    assert_int_equal(again->scale, 371);
    assert_int_equal(again->qb, 128);
    assert_string_equal(again->history, "first line\nsecond line\n");
    assert_string_equal(again->id, net->id);
    assert_memory_equal(again->ft_weights, net->ft_weights, 768 * 192 * 2);
    assert_memory_equal(again->ft_bias, net->ft_bias, 192 * 2);
    assert_memory_equal(again->out_weights, net->out_weights, 2 * 8 * 192 * 2);
    assert_memory_equal(again->out_bias, net->out_bias, 8 * 4);
    unlink(path);
    net_free(again);
    net_free(net);
}

static void larger_nets_survive_their_files(void **state)
{
    (void)state;
    Net *net = random_net_of((NetSizes){256, 8, 4, 2}, 14), *again;
    Message why;
    size_t len;
    Random r;
    random_seed(&r, 15);
    fill_wild(net->ft_weights + 5000, 3000, &r); /* longest codes too */
    net->wdl.a[0] = 150001;
    uint8_t *bytes = file_of(net, &len);
    if (net_from_memory(&again, bytes, len, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    assert_memory_equal(&again->sizes, &net->sizes, sizeof net->sizes);
    assert_string_equal(again->id, net->id);
    assert_memory_equal(&again->wdl, &net->wdl, sizeof net->wdl);
    assert_memory_equal(again->ft_weights, net->ft_weights, 4 * 768 * 256 * 2);
    assert_memory_equal(again->ft_bias, net->ft_bias, 256 * 2);
    assert_memory_equal(again->l1_weights, net->l1_weights, 8 * 256 * 16);
    assert_memory_equal(again->l1_bias, net->l1_bias, 8 * 16 * 4);
    assert_memory_equal(again->l2_weights, net->l2_weights, 8 * 32 * 32 * 2);
    assert_memory_equal(again->l2_bias, net->l2_bias, 8 * 32 * 4);
    assert_memory_equal(again->l3_weights, net->l3_weights, 8 * 32 * 2);
    assert_memory_equal(again->out_bias, net->out_bias, 8 * 4);
    free(bytes);
    net_free(again);
    net_free(net);
}

/* A file of version 1, as the first nets were written: ten fields, plain rows, no WDL model. */
static void files_of_version_1_are_read(void **state)
{
    (void)state;
    Net *net = random_net(64, 1, 16), *again;
    Message why;
    size_t tail = 2 * 64 + 4 * 64 + 4, rows = 2 * 768 * 64, len = 56 + rows + tail, new_len;
    uint8_t *now = file_of(net, &new_len), *old = calloc(1, len);
    memcpy(old, now, 52);
    old[16] = 1;
    for (size_t i = 0; i < 768 * 64; i++) {
        old[56 + 2 * i] = (uint8_t)net->ft_weights[i];
        old[57 + 2 * i] = (uint8_t)((uint16_t)net->ft_weights[i] >> 8);
    }
    memcpy(old + 56 + rows, now + new_len - tail, tail);
    uint64_t sum = checksum64(old + 16, len - 16);
    for (int i = 0; i < 8; i++)
        old[8 + i] = (uint8_t)(sum >> 8 * i);
    if (net_from_memory(&again, old, len, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    NetWdl wdl = net_wdl_default();
    assert_memory_equal(again->ft_weights, net->ft_weights, rows);
    assert_memory_equal(again->out_weights, net->out_weights, 4 * 64);
    assert_int_equal(again->out_bias[0], net->out_bias[0]);
    assert_int_equal(again->sizes.king_buckets, 1);
    assert_memory_equal(&again->wdl, &wdl, sizeof wdl);
    free(now);
    free(old);
    net_free(again);
    net_free(net);
}

static void refused(const uint8_t *bytes, size_t len, const char *what)
{
    Net *net = NULL;
    Message why = {{0}};
    if (net_from_memory(&net, bytes, len, &why) != STATUS_INVALID)
        fail_msg("accepted: %s", what);
    assert_null(net);
    assert_true(why.text[0] != '\0');
}

/* Writes a field and makes the checksum fit again, so that only the field is wrong. */
static void refused_field(const uint8_t *good, size_t len, size_t at, uint32_t value)
{
    uint8_t *bytes = malloc(len);
    char what[64];
    memcpy(bytes, good, len);
    for (int i = 0; i < 4; i++)
        bytes[at + (size_t)i] = (uint8_t)(value >> 8 * i);
    uint64_t sum = checksum64(bytes + 16, len - 16);
    for (int i = 0; i < 8; i++)
        bytes[8 + i] = (uint8_t)(sum >> 8 * i);
    snprintf(what, sizeof what, "%u at %zu", value, at);
    refused(bytes, len, what);
    free(bytes);
}

static void damaged_and_foreign_files_are_refused(void **state)
{
    (void)state;
    Net *net = random_net(64, 1, 5);
    size_t len;
    uint8_t *good = file_of(net, &len);
    uint8_t *bytes = malloc(len + 1);
    memcpy(bytes, good, len);
    refused(bytes, 0, "nothing");
    refused((const uint8_t *)"PK\3\4 something else", 20, "another format");
    for (size_t cut = 0; cut < len; cut += cut < 200 ? 1 : 997)
        refused(good, cut, "a cut file");
    bytes[len] = 0;
    refused(bytes, len + 1, "a longer file");
    for (size_t at = 0; at < len; at += at < 100 ? 1 : 1009) {
        bytes[at] ^= 4;
        refused(bytes, len, "a flipped bit");
        bytes[at] ^= 4;
    }
    refused_field(good, len, 16, 1);               /* version: the layout is another */
    refused_field(good, len, 16, 3);               /* version */
    refused_field(good, len, 52, 5);               /* king buckets */
    refused_field(good, len, 56, 100);             /* packed bytes */
    refused_field(good, len, 60, 0x7fffffff);      /* WDL model */
    refused_field(good, len, 80, 0x80000000);      /* WDL model */
    refused_field(good, len, 20, 7);               /* inputs */
    refused_field(good, len, 24, 0);               /* activation */
    refused_field(good, len, 28, 65);              /* hidden */
    refused_field(good, len, 28, 0);               /* hidden */
    refused_field(good, len, 28, 0xffffffc0);      /* hidden */
    refused_field(good, len, 32, 3);               /* buckets */
    refused_field(good, len, 40, 96);              /* QB */
    refused_field(good, len, 36, 256);             /* QA */
    refused_field(good, len, 44, 0);               /* scale */
    refused_field(good, len, 48, 1 << 30);         /* history */
    refused_field(good, len, len - 8, 0x00800080); /* output weights */
    free(bytes);
    free(good);
    net_free(net);
}

static void evaluators_come_from_files(void **state)
{
    (void)state;
    const Evaluator *e = NULL;
    Message why = {{0}};
    assert_int_not_equal(evaluator_load(&e, "/nonexistent/net", &why), STATUS_OK);
    assert_null(e);
    assert_true(strstr(why.text, "/nonexistent/net") != NULL);
    char path[] = "/tmp/castellan-net-XXXXXX";
    close(mkstemp(path));
    Net *net = random_net(64, 8, 6);
    assert_int_equal(net_write(net, path, &why), STATUS_OK);
    assert_int_equal(evaluator_find(&e, path, &why), STATUS_OK);
    assert_string_equal(evaluator_name(e), net->id);
    EvalContext *c = eval_open(e);
    Position p;
    pos_set_start(&p);
    eval_reset(c, &p);
    EvalTrace t;
    eval_trace(e, &p, &t);
    assert_int_equal(eval_score(c, &p), plain_value(net, &p));
    assert_int_equal(t.total, plain_value(net, &p));
    eval_close(c);
    evaluator_close(e);
    assert_int_equal(evaluator_find(&e, "classical", &why), STATUS_OK);
    assert_ptr_equal(e, evaluator_classical());
    evaluator_close(e);
    assert_int_equal(evaluator_default(&e, &why), STATUS_OK);
    evaluator_close(e);
    unlink(path);
    net_free(net);
}

static void values_stay_in_range(void **state)
{
    (void)state;
    Net *net = random_net(64, 1, 8);
    for (int sign = -1; sign <= 1; sign += 2) {
        int16_t most[64];
        for (int i = 0; i < 64; i++)
            most[i] = NET_QA;
        for (int i = 0; i < 2 * 64; i++)
            net->out_weights[i] = (int16_t)(sign * NET_WEIGHT_MAX);
        assert_int_equal(nnue_output(net, &nnue_kernels_scalar, most, most, 2),
                         sign * SCORE_EVAL_MAX);
    }
    net_free(net);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(following_is_starting_afresh),
        cmocka_unit_test(following_works_with_king_buckets_and_layers),
        cmocka_unit_test(king_buckets_are_all_used),
        cmocka_unit_test(a_line_longer_than_the_stack_is_followed),
        cmocka_unit_test(turned_boards_have_the_same_value),
        cmocka_unit_test(kernels_are_bit_identical),
        cmocka_unit_test(layers_are_bit_identical),
        cmocka_unit_test(a_net_survives_its_file),
        cmocka_unit_test(larger_nets_survive_their_files),
        cmocka_unit_test(files_of_version_1_are_read),
        cmocka_unit_test(damaged_and_foreign_files_are_refused),
        cmocka_unit_test(evaluators_come_from_files),
        cmocka_unit_test(values_stay_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
