/* The reference: plain C, one number after the other. */
#include "eval/nnue/kernels.h"
#include "eval/nnue/kernels_layers.h"

#include <stddef.h>
#include <string.h>

static void update(int16_t *out, const int16_t *in, const int16_t *weights, int hidden,
                   const NnueDelta *delta)
{
    if (out != in)
        memcpy(out, in, (size_t)hidden * sizeof *out);
    for (int k = 0; k < delta->adds; k++) {
        const int16_t *row = weights + (size_t)delta->add[k] * (size_t)hidden;
        for (int i = 0; i < hidden; i++)
            out[i] = (int16_t)(uint16_t)(out[i] + row[i]);
    }
    for (int k = 0; k < delta->subs; k++) {
        const int16_t *row = weights + (size_t)delta->sub[k] * (size_t)hidden;
        for (int i = 0; i < hidden; i++)
            out[i] = (int16_t)(uint16_t)(out[i] - row[i]);
    }
}

static uint32_t half(const int16_t *a, const int16_t *weights, int hidden)
{
    uint32_t sum = 0;
    for (int i = 0; i < hidden; i++) {
        int v = a[i] < 0 ? 0 : a[i] > 255 ? 255 : a[i];
        sum += (uint32_t)(v * weights[i] * v);
    }
    return sum;
}

static int32_t output(const int16_t *us, const int16_t *them, const int16_t *weights, int hidden)
{
    return (int32_t)(half(us, weights, hidden) + half(them, weights + hidden, hidden));
}

/* -- Layers -- */

static int product(int16_t a, int16_t b)
{
    int x = a < 0 ? 0 : a > NET_QA ? NET_QA : a, y = b < 0 ? 0 : b > NET_QA ? NET_QA : b;
    return x * y >> 9;
}

static void first_layer(const int16_t *us, const int16_t *them, const NnueLayers *l, int hidden,
                        int32_t z[NET_L1])
{
    const int16_t *sides[2] = {us, them};
    int half_size = hidden / 2;
    memcpy(z, l->l1_bias, NET_L1 * sizeof *z);
    for (int j = 0; j < hidden; j++) {
        const int16_t *a = sides[j / half_size] + j % half_size;
        int p = product(a[0], a[half_size]);
        for (int o = 0; o < NET_L1; o++)
            z[o] += p * l->l1_weights[(j / 4 * NET_L1 + o) * 4 + j % 4];
    }
}

static int32_t layers(const int16_t *us, const int16_t *them, const NnueLayers *l, int hidden)
{
    int32_t z[NET_L1], out = l->out_bias;
    int16_t in[2 * NET_L1];
    first_layer(us, them, l, hidden, z);
    layer_activate(z, l->qb_bits, in);
    for (int n = 0; n < NET_L2; n++) {
        int32_t y = l->l2_bias[n];
        for (int k = 0; k < 2 * NET_L1; k++)
            y += in[k] * l->l2_weights[(k / 2 * NET_L2 + n) * 2 + k % 2];
        out += layer_clamp(y) * l->l3_weights[n];
    }
    return out;
}

const NnueKernels nnue_kernels_scalar = {"scalar", update, output, layers};
