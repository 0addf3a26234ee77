/* The net on the card: a net without layers and with G_HIDDEN neurons. Each lane has a part of the
 * neurons of both sides. The numbers are those of eval/nnue and eval/endgame.c. */
#ifndef TRAIN_GPU_EVAL_H
#define TRAIN_GPU_EVAL_H

#include "train/gpu/gpu_position.h"

#include <math.h>

enum {
    G_HIDDEN = 768,
    G_FEATURES = 768,     /* of a king bucket */
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
    const G4 *rows, *negated; /* [king buckets][G_FEATURES][G_ROW] */
    const G4 *bias;           /* [G_ROW] */
    const G4 *output;         /* [buckets][2][G_ROW] */
    const int32_t *output_bias;
    int buckets, scale;
    double centipawn, per_centipawn; /* one centipawn: QA * QB, and its inverse */
    uint8_t king_bucket[64];         /* by the square of the own king, White's view */
} GNet;

/* How a side sees the board. */
typedef struct GView {
    int flip, base; /* of squares; the first input of the king bucket */
} GView;

/* The neurons of one lane, of one side. */
typedef struct GLane {
    G4 part[G_LANE_PARTS];
} GLane;

DEVICE GLane g_load(const G4 *row)
{
    GLane l;
    for (int part = 0; part < G_LANE_PARTS; part++)
        l.part[part] = row[part * WARP_LANES + warp_lane()];
    return l;
}

DEVICE void g_store(G4 *row, const GLane *l)
{
    for (int part = 0; part < G_LANE_PARTS; part++)
        row[part * WARP_LANES + warp_lane()] = l->part[part];
}

DEVICE void g_add(GLane *to, const GLane *l)
{
    for (int part = 0; part < G_LANE_PARTS; part++)
        for (int i = 0; i < 4; i++)
            to->part[part].at[i] = add_pairs(to->part[part].at[i], l->part[part].at[i]);
}

DEVICE GView g_view(const GNet *net, const GPosition *p, int side)
{
    int king = g_king(p, side), turn = side * 56;
    return (GView){turn ^ (king & 4 ? 7 : 0), net->king_bucket[king ^ turn] * (int)G_FEATURES};
}

/* The row of a piece on a square ("change": piece << 6 | square) in a side's view. */
DEVICE const G4 *g_row(const G4 *rows, int change, int side, GView view)
{
    int piece = change >> 6, enemy = (piece & 1) != side;
    int feature = (enemy * G_TYPES + (piece >> 1)) * 64 + ((change & 63) ^ view.flip);
    return rows + (view.base + feature) * G_ROW;
}

DEVICE GLane g_refreshed(const GNet *net, const GPosition *p, int side)
{
    GView view = g_view(net, p, side);
    GLane sum = g_load(net->bias);
    ROLLED
    for (uint64_t left = g_occupied(p); left; left &= left - 1) {
        int s = bit_first(left);
        GLane row = g_load(g_row(net->rows, g_piece_on(p, s) << 6 | s, side, view));
        g_add(&sum, &row);
    }
    return sum;
}

/* Both sides of a root. */
DEVICE void g_refresh(const GNet *net, const GPosition *p, G4 *accumulators)
{
    ROLLED
    for (int side = 0; side < 2; side++) {
        GLane sum = g_refreshed(net, p, side);
        g_store(accumulators + side * G_ROW, &sum);
    }
}

/* All rows that every move has are asked for before one is used. */
DEVICE GLane g_updated(const GNet *net, const GPosition *p, int side, const G4 *from)
{
    GView view = g_view(net, p, side);
    GLane sum = g_load(from);
    GLane removed = g_load(g_row(net->negated, p->changes[0], side, view));
    GLane added = g_load(g_row(net->rows, p->changes[1], side, view));
    if (p->changes[2] != G_NO_CHANGE) {
        GLane captured = g_load(g_row(net->negated, p->changes[2], side, view));
        g_add(&sum, &captured);
    }
    g_add(&sum, &removed);
    g_add(&sum, &added);
    if (p->changes[3] != G_NO_CHANGE) {
        GLane rook = g_load(g_row(net->rows, p->changes[3], side, view));
        g_add(&sum, &rook);
    }
    return sum;
}

/* True when the side's king has just gone to the other half of the board or another king bucket. */
DEVICE bool g_view_changed(const GNet *net, const GPosition *p, int side)
{
    int from = p->changes[0] & 63, to = p->changes[1] & 63, turn = side * 56;
    return p->changes[0] >> 6 == 2 * G_KING + side &&
           (((from ^ to) & 4) || net->king_bucket[from ^ turn] != net->king_bucket[to ^ turn]);
}

/* The lane's part of one half of the output. */
DEVICE int g_half(const GLane *sums, const G4 *weights)
{
    GLane w = g_load(weights);
    int total = 0;
    for (int part = 0; part < G_LANE_PARTS; part++)
        for (int i = 0; i < 4; i++) {
            uint32_t v = clamp_pairs(sums->part[part].at[i], G_QA << 16 | G_QA);
            int low = (int)(v & 0xffff), high = (int)(v >> 16);
            total += low * low * (int16_t)w.part[part].at[i] +
                     high * high * (int16_t)(w.part[part].at[i] >> 16);
        }
    return total;
}

/* The accumulator of p[0] from that of p[-1]. `accumulators` has two rows for each ply. Returns the
 * lane's part of the output, while its neurons are at hand. */
DEVICE_CALL int g_accumulate(const GNet *net, GPosition *p, int ply, G4 *accumulators)
{
    int bucket = net->buckets == 1 ? 0 : (bit_count(g_occupied(p)) - 2) / 4;
    bool there = p->move == G_NULL_MOVE || p->accumulator == ply; /* since the position before */
    const G4 *from = accumulators + 2 * p->accumulator * G_ROW;
    int total = 0;
    ROLLED
    for (int side = 0; side < 2; side++) {
        GLane sum = there                          ? g_load(from + side * G_ROW)
                    : g_view_changed(net, p, side) ? g_refreshed(net, p, side)
                                                   : g_updated(net, p, side, from + side * G_ROW);
        if (!there)
            g_store(accumulators + (2 * ply + side) * G_ROW, &sum);
        total += g_half(&sum, net->output + (2 * bucket + (side != p->side)) * G_ROW);
    }
    warp_sync();
    if (warp_lane() == 0 && !there)
        p->accumulator = (uint8_t)ply;
    warp_sync();
    return total;
}

/* To the nearest; the numbers are whole and doubles exact here. The card has no division. */
DEVICE int g_centipawns(const GNet *net, double v)
{
    double size = fabs(v) + trunc(net->centipawn / 2), count = trunc(size * net->per_centipawn);
    double rest = size - count * net->centipawn;
    count += rest >= net->centipawn ? 1 : rest < 0 ? -1 : 0;
    count = count > G_EVAL_MAX ? G_EVAL_MAX : count;
    return v < 0 ? -(int)count : (int)count;
}

/* From what g_accumulate returned. */
DEVICE int g_net_value(const GNet *net, const GPosition *p, int total)
{
    int bucket = net->buckets == 1 ? 0 : (bit_count(g_occupied(p)) - 2) / 4;
    int sum = warp_sum(total) / G_QA + net->output_bias[bucket];
    return g_centipawns(net, (double)sum * net->scale);
}

#endif
