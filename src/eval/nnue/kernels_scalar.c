/* The reference: plain C, one number after the other. */
#include "eval/nnue/kernels.h"

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

const NnueKernels *nnue_kernels_scalar(void)
{
    static const NnueKernels kernels = {"scalar", update, output};
    return &kernels;
}
