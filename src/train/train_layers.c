/* The layers behind the first one, for one position at a time: they are small. */
#include "train/train_int.h"

enum { INS = 2 * NET_L1 };

static float limited(float x, float low)
{
    return x < low ? low : x > 1 ? 1 : x;
}

/* Both kinds of inputs of the second layer: the positive part, and the square. */
static void activate(LayerState *s)
{
    for (int o = 0; o < NET_L1; o++) {
        float x = limited(s->z1[o], -1);
        s->in[o] = x > 0 ? x : 0;
        s->in[NET_L1 + o] = x * x;
    }
}

float layers_forward(const NetShape *shape, const float *weights, int bucket, LayerState *s)
{
    const float *l1_bias = weights + shape->l1_bias + (size_t)bucket * NET_L1;
    const float *l2 = weights + shape->l2 + (size_t)bucket * INS * NET_L2;
    const float *l2_bias = weights + shape->l2_bias + (size_t)bucket * NET_L2;
    const float *l3 = weights + shape->l3 + (size_t)bucket * NET_L2;
    for (int o = 0; o < NET_L1; o++)
        s->z1[o] += l1_bias[o];
    activate(s);
    for (int n = 0; n < NET_L2; n++)
        s->z2[n] = l2_bias[n];
    for (int k = 0; k < INS; k++)
        for (int n = 0; n < NET_L2; n++)
            s->z2[n] += s->in[k] * l2[k * NET_L2 + n];
    float out = weights[shape->out_bias + (size_t)bucket];
    for (int n = 0; n < NET_L2; n++)
        out += limited(s->z2[n], 0) * l3[n];
    return out;
}

void layers_backward(const NetShape *shape, const float *weights, float *gradient, int bucket,
                     LayerState *s, float slope)
{
    size_t l1_bias = shape->l1_bias + (size_t)bucket * NET_L1;
    size_t l2 = shape->l2 + (size_t)bucket * INS * NET_L2;
    size_t l2_bias = shape->l2_bias + (size_t)bucket * NET_L2;
    size_t l3 = shape->l3 + (size_t)bucket * NET_L2;
    float down[NET_L2], in_down[INS];
    gradient[shape->out_bias + (size_t)bucket] += slope;
    for (int n = 0; n < NET_L2; n++) {
        gradient[l3 + (size_t)n] += slope * limited(s->z2[n], 0);
        down[n] = s->z2[n] > 0 && s->z2[n] < 1 ? slope * weights[l3 + (size_t)n] : 0;
        gradient[l2_bias + (size_t)n] += down[n];
    }
    for (int k = 0; k < INS; k++) {
        const float *row = weights + l2 + (size_t)k * NET_L2;
        float *row_gradient = gradient + l2 + (size_t)k * NET_L2;
        in_down[k] = 0;
        for (int n = 0; n < NET_L2; n++) {
            in_down[k] += down[n] * row[n];
            row_gradient[n] += down[n] * s->in[k];
        }
    }
    for (int o = 0; o < NET_L1; o++) {
        float z = s->z1[o], d = 2 * z * in_down[NET_L1 + o] + (z > 0 ? in_down[o] : 0);
        s->z1[o] = z > -1 && z < 1 ? d : 0;
        gradient[l1_bias + (size_t)o] += s->z1[o];
    }
}
