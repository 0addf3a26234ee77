/* The net on the card: a net without layers, one king bucket and G_HIDDEN neurons. Each lane has
 * sixteen neurons of both sides. The numbers are those of eval/nnue and eval/endgame.c. */
#ifndef TRAIN_GPU_EVAL_H
#define TRAIN_GPU_EVAL_H

#include "train/gpu/gpu_position.h"

#include <math.h>

enum {
    G_HIDDEN = 512,
    G_ROW = G_HIDDEN / 8, /* in G4 */
    G_LANE_PARTS = G_ROW / WARP_LANES,
    G_QA = 255,
    G_EVAL_MAX = 31506
};

/* Eight neurons. */
typedef struct __attribute__((aligned(16))) G4 {
    uint32_t at[4];
} G4;

typedef struct GNet {
    const G4 *rows, *negated; /* [768][G_ROW] */
    const G4 *bias;           /* [G_ROW] */
    const G4 *output;         /* [buckets][2][G_ROW] */
    const int32_t *output_bias;
    int buckets, scale, qb;
} GNet;

DEVICE G4 g4_add(G4 a, G4 b)
{
    for (int i = 0; i < 4; i++)
        a.at[i] = add_pairs(a.at[i], b.at[i]);
    return a;
}

DEVICE int g_view(const GPosition *p, int side)
{
    return side * 56 ^ (g_king(p, side) & 4 ? 7 : 0);
}

/* The row of a piece on a square ("change": piece << 6 | square) in a side's view. */
DEVICE int g_row(int change, int side, int view)
{
    int piece = change >> 6, enemy = (piece & 1) != side;
    return (enemy * G_TYPES + (piece >> 1)) * 64 + ((change & 63) ^ view);
}

DEVICE void g_refresh(const GNet *net, const GPosition *p, int side, G4 *out)
{
    int view = g_view(p, side);
    for (int part = 0; part < G_LANE_PARTS; part++) {
        int at = part * WARP_LANES + warp_lane();
        G4 sum = net->bias[at];
        ROLLED
        for (uint64_t left = g_occupied(p); left; left &= left - 1) {
            int s = bit_first(left);
            sum = g4_add(sum, net->rows[g_row(g_piece_on(p, s) << 6 | s, side, view) * G_ROW + at]);
        }
        out[at] = sum;
    }
}

DEVICE void g_update(const GNet *net, const GPosition *p, int side, const G4 *from, G4 *out)
{
    int view = g_view(p, side);
    for (int part = 0; part < G_LANE_PARTS; part++) {
        int at = part * WARP_LANES + warp_lane();
        G4 sum = from[at];
        for (int i = 0; i < 4; i++)
            if (p->changes[i] != G_NO_CHANGE) {
                const G4 *rows = i & 1 ? net->rows : net->negated;
                sum = g4_add(sum, rows[g_row(p->changes[i], side, view) * G_ROW + at]);
            }
        out[at] = sum;
    }
}

/* True when the side's king has just gone to the other half of the board. */
DEVICE bool g_view_changed(const GPosition *p, int side)
{
    return p->changes[0] >> 6 == 2 * G_KING + side && ((p->changes[0] ^ p->changes[1]) & 4);
}

/* The accumulator of p[0] from that of p[-1]. `accumulators` has two rows for each ply. */
DEVICE_CALL void g_accumulate(const GNet *net, GPosition *p, int ply, G4 *accumulators)
{
    if (p->move == G_NULL_MOVE || p->accumulator == ply)
        return; /* that of the position before, or done */
    ROLLED
    for (int side = 0; side < 2; side++) {
        G4 *out = accumulators + (2 * ply + side) * G_ROW;
        if (g_view_changed(p, side))
            g_refresh(net, p, side, out);
        else
            g_update(net, p, side, accumulators + (2 * p->accumulator + side) * G_ROW, out);
    }
    warp_sync();
    if (warp_lane() == 0)
        p->accumulator = (uint8_t)ply;
    warp_sync();
}

DEVICE int g_half(const G4 *sums, const G4 *weights)
{
    int total = 0;
    for (int part = 0; part < G_LANE_PARTS; part++) {
        G4 a = sums[part * WARP_LANES + warp_lane()], w = weights[part * WARP_LANES + warp_lane()];
        for (int i = 0; i < 4; i++) {
            uint32_t v = clamp_pairs(a.at[i], G_QA << 16 | G_QA);
            int low = (int)(v & 0xffff), high = (int)(v >> 16);
            total += low * low * (int16_t)w.at[i] + high * high * (int16_t)(w.at[i] >> 16);
        }
    }
    return total;
}

DEVICE int g_net_value(const GNet *net, const GPosition *p, const G4 *accumulators)
{
    int bucket = net->buckets == 1 ? 0 : (bit_count(g_occupied(p)) - 2) / 4;
    const G4 *sums = accumulators + 2 * p->accumulator * G_ROW;
    const G4 *weights = net->output + 2 * bucket * G_ROW;
    int total = warp_sum(g_half(sums + p->side * G_ROW, weights) +
                         g_half(sums + (p->side ^ 1) * G_ROW, weights + G_ROW));
    /* Doubles are exact here, and the card divides them faster than 64-bit integers. */
    double scaled = (double)(total / G_QA + net->output_bias[bucket]) * net->scale;
    double one = G_QA * net->qb, half = G_QA * net->qb / 2;
    double value = trunc((scaled + (scaled < 0 ? -half : half)) / one);
    return (int)(value > G_EVAL_MAX ? G_EVAL_MAX : value < -G_EVAL_MAX ? -G_EVAL_MAX : value);
}

#endif
