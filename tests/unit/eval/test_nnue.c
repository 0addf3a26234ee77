/* The net: file format, kernels, symmetry, and that following a game gives what starting afresh does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

/* A net of random numbers of the size that training makes. */
static Net *random_net(int hidden, int buckets, uint64_t seed)
{
    Net *net;
    Message why;
    if (net_new(&net, hidden, buckets, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    Random r;
    random_seed(&r, seed);
    for (int i = 0; i < FEATURE_COUNT * hidden; i++)
        net->ft_weights[i] = (int16_t)((int)random_below(&r, 161) - 80);
    for (int i = 0; i < hidden; i++)
        net->ft_bias[i] = (int16_t)((int)random_below(&r, 201) - 60);
    for (int i = 0; i < 2 * hidden * buckets; i++)
        net->out_weights[i] = (int16_t)((int)random_below(&r, 81) - 40);
    for (int i = 0; i < buckets; i++)
        net->out_bias[i] = (int)random_below(&r, 2001) - 1000;
    return net;
}

/* The value by the formula of net.h, with nothing shared with the code under test but the inputs. */
static Score plain_value(const Net *net, const Position *p)
{
    int64_t sum = 0;
    int men = bb_count(pos_occupied(p));
    int bucket = net->buckets == 1 ? 0 : (men - 2) / 4;
    for (int side = 0; side < 2; side++) {
        Color c = side == 0 ? p->side : color_other(p->side);
        uint16_t on[FEATURE_MAX_ACTIVE];
        int count = nnue_features(p, c, on);
        for (int i = 0; i < net->hidden; i++) {
            int a = net->ft_bias[i];
            for (int k = 0; k < count; k++)
                a += net->ft_weights[on[k] * net->hidden + i];
            a = a < 0 ? 0 : a > NET_QA ? NET_QA : a;
            sum += (int64_t)a * a * net->out_weights[(2 * bucket + side) * net->hidden + i];
        }
    }
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
    if (game % 2)
        pos_set_chess960(p, (int)random_below(r, 960), (int)random_below(r, 960));
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

static void following_is_starting_afresh(void **state)
{
    (void)state;
    Net *net = random_net(64, 8, 1);
    Walk w = {.net = net, .followed = nnue_open(net, best_kernels())};
    assert_non_null(w.followed);
    random_seed(&w.random, 5);
    walk_games(&w, 60);
    assert_true(w.kinds.scored > 20000);
    assert_true(w.kinds.castlings > 50 && w.kinds.en_passants > 20);
    assert_true(w.kinds.promotions > 50 && w.kinds.nulls > 500 && w.kinds.captures > 500);
    nnue_close(w.followed);
    net_free(net);
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

static int available(const NnueKernels *out[6])
{
    CpuFeatures cpu = cpu_features();
    const NnueKernels *all[] = {nnue_kernels_scalar(),
                                cpu.sse41 ? nnue_kernels_sse41() : NULL,
                                cpu.avx2 ? nnue_kernels_avx2() : NULL,
                                cpu.avx512 ? nnue_kernels_avx512() : NULL,
                                cpu.vnni ? nnue_kernels_vnni() : NULL,
                                cpu.neon ? nnue_kernels_neon() : NULL};
    int count = 0;
    for (int i = 0; i < 6; i++)
        if (all[i])
            out[count++] = all[i];
    return count;
}

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
    int hidden = net->hidden;
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

static void kernels_are_bit_identical(void **state)
{
    (void)state;
    const NnueKernels *kernels[6];
    int count = available(kernels);
    Random r;
    random_seed(&r, 9);
    for (int hidden = 64; hidden <= NET_HIDDEN_MAX; hidden += hidden < 256 ? 64 : 256) {
        Net *net = random_net(hidden, 1, (uint64_t)hidden);
        fill_wild(net->ft_weights, FEATURE_COUNT * hidden, &r);
        for (int i = 0; i < 2 * hidden; i++)
            net->out_weights[i] = (int16_t)((int)random_below(&r, 255) - 127);
        for (int k = 1; k < count; k++)
            for (int i = 0; i < 200; i++)
                compare_kernels(kernels[0], kernels[k], net, &r);
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
    assert_int_equal(net_set_history(net, "first line\nsecond\tline\n", &why), STATUS_OK);
    net->scale = 371;
    net->qb = 128;
    assert_int_equal(net_write(net, path, &why), STATUS_OK);
    if (net_load(&again, path, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    assert_int_equal(again->hidden, 192);
    assert_int_equal(again->buckets, 8);
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
    refused_field(good, len, 16, 2);               /* version */
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
    assert_int_equal(nnue_value(net, 0, INT32_MAX), SCORE_EVAL_MAX);
    assert_int_equal(nnue_value(net, 0, INT32_MIN), -SCORE_EVAL_MAX);
    net_free(net);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(following_is_starting_afresh),
        cmocka_unit_test(a_line_longer_than_the_stack_is_followed),
        cmocka_unit_test(turned_boards_have_the_same_value),
        cmocka_unit_test(kernels_are_bit_identical),
        cmocka_unit_test(a_net_survives_its_file),
        cmocka_unit_test(damaged_and_foreign_files_are_refused),
        cmocka_unit_test(evaluators_come_from_files),
        cmocka_unit_test(values_stay_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
