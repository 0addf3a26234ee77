#include "train/train_int.h"

#include <math.h>

AdamStep adam_step(double rate, double decay, int batch, uint64_t step)
{
    double n = (double)step;
    return (AdamStep){
        .rate = (float)rate,
        .decay = (float)(rate * decay),
        .scale = 1.0f / (float)batch,
        .first_factor = (float)(1 / (1 - pow(ADAM_FIRST_KEEP, n))),
        .second_factor = (float)(1 / (1 - pow(ADAM_SECOND_KEEP, n))),
    };
}

/* The parameter after the step, kept within its limit. */
static inline float move_one(const Adam *adam, const AdamStep *step, size_t i, float gradient)
{
    const float keep1 = (float)ADAM_FIRST_KEEP, keep2 = (float)ADAM_SECOND_KEEP;
    float g = gradient * step->scale;
    float m = adam->first[i] * keep1 + (1 - keep1) * g;
    float v = adam->second[i] * keep2 + (1 - keep2) * g * g;
    adam->first[i] = m;
    adam->second[i] = v;
    float w = adam->weights[i];
    w -= step->decay * w;
    w -= step->rate * (m * step->first_factor) / (sqrtf(v * step->second_factor) + 1e-8f);
    float limit = i >= adam->out && i < adam->out_end ? adam->out_clip : TRAIN_CLIP;
    return w > limit ? limit : w < -limit ? -limit : w;
}

void adam_apply(const Adam *adam, const AdamStep *step, float *const *gradients, int threads,
                size_t begin, size_t end)
{
    enum { STRIP = 256 };
    for (size_t from = begin; from < end; from += STRIP) {
        size_t count = end - from < STRIP ? end - from : STRIP;
        float sum[STRIP] = {0};
        for (int t = 0; t < threads; t++) {
            float *g = gradients[t] + from;
            for (size_t i = 0; i < count; i++) {
                sum[i] += g[i];
                g[i] = 0;
            }
        }
        for (size_t i = 0; i < count; i++)
            adam->weights[from + i] = move_one(adam, step, from + i, sum[i]);
    }
}
