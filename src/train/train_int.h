/* What the files of the trainer share: the net in floating point, one thread's work on a batch, and
 * the state that a checkpoint keeps. */
#ifndef TRAIN_TRAIN_INT_H
#define TRAIN_TRAIN_INT_H

#include "base/memory.h"
#include "base/text.h"
#include "eval/nnue/kernels.h"
#include "train/train.h"
#include "train/train_gpu.h"

/* The hidden neurons are worked on in tiles, so that the weights and gradients of a tile stay in
 * the processor's cache while a group of positions passes. */
enum { TRAIN_TILE = 64, TRAIN_GROUP = 256, TRAIN_LANES = 16 };

/* Weights end here; the quantised ones then fit their types, and sums their accumulators. */
#define TRAIN_CLIP 1.98f

/* Output weights, or those of the first layer, are kept smaller: rounded to steps of 1/256 they
 * then still fit eight bits, and where a large sigmoid scale makes all outputs small, to steps of
 * 1/512. One weight in a hundred wants more, and would cost all others that step. */
static inline float train_out_clip(const NetShape *shape, double sigmoid_scale)
{
    return (float)NET_WEIGHT_MAX / (shape->layers || sigmoid_scale < 2 * NET_SCALE ? 256 : 512);
}

/* Biases and weights of the layers behind the first end here. */
#define TRAIN_LAYER_CLIP 7.9f

NetShape shape_of(const NetSizes *sizes);

/* A block of zeros, aligned for vectors; NULL when memory ran out. */
float *shape_block(const NetShape *shape);

/* Where the weights of an input begin in one tile. */
static inline size_t shape_row(const NetShape *shape, int tile, int feature)
{
    return ((size_t)tile * (size_t)shape->rows + (size_t)feature) * TRAIN_TILE;
}

/* Without layers: the output weights of one side. */
static inline size_t shape_out(const NetShape *shape, int bucket, int side)
{
    return shape->out + ((size_t)bucket * 2 + (size_t)side) * (size_t)shape->hidden;
}

/* With layers: the weights of one neuron of the first for one side. */
static inline size_t shape_l1(const NetShape *shape, int bucket, int neuron, int side)
{
    size_t row = ((size_t)bucket * NET_L1 + (size_t)neuron) * 2 + (size_t)side;
    return shape->out + row * (size_t)(shape->hidden / 2);
}

/* The neuron of a net file that is neuron `i` of the block. */
static inline int shape_neuron(const NetShape *shape, int i)
{
    int tile = i / TRAIN_TILE, inside = i % TRAIN_TILE, half = TRAIN_TILE / 2;
    if (!shape->layers)
        return i;
    return tile * half + inside % half + (inside >= half ? shape->hidden / 2 : 0);
}

void model_random(const NetShape *shape, float *weights, uint64_t seed);
void model_to_net(const NetShape *shape, const float *weights, Net *net);

/* Begins with the weights of a net, which may be smaller: every king bucket gets its rows, and what
 * it does not have is random and does not change the output, or changes it little. A net without
 * layers begins one with layers when each of its neurons can have two: the product of both is its
 * square. The output then is the net's value with `sigmoid_scale` for one. */
void model_start(const NetShape *shape, float *weights, const Net *net, double sigmoid_scale,
                 uint64_t seed);

/* -- The layers behind the first one (train_layers.c) -- */

/* One position's way through the layers. */
typedef struct LayerState {
    float z1[NET_L1]; /* before: the products' sums; after the way back: the slopes of these */
    float in[2 * NET_L1], z2[NET_L2];
} LayerState;

/* From the sums in z1, the bias not yet in them, to the output. */
float layers_forward(const NetShape *shape, const float *weights, int bucket, LayerState *s);

/* Adds to the gradients of all but the first layer's weights. */
void layers_backward(const NetShape *shape, const float *weights, float *gradient, int bucket,
                     LayerState *s, float slope);

/* -- One thread's work (train_pass.c) -- */

/* Which samples: order[i] of begin <= i < end, or i itself when there is no order. */
typedef struct Work {
    const Sample *samples;
    const Shuffle *shuffle; /* NULL: in order */
    size_t begin, end;
    double wdl, sigmoid_scale;
} Work;

Shuffle shuffle_make(uint64_t count, uint64_t seed, uint64_t epoch);

typedef struct Pass Pass;

Pass *pass_open(const NetShape *shape); /* NULL when memory ran out */
void pass_close(Pass *pass);

/* Returns the summed loss, and adds its gradient to `gradient` unless that is NULL. */
double pass_run(Pass *pass, const float *weights, float *gradient, const Work *work);

/* The net's outputs for samples, and with layers the sums of the first, [count][NET_L1], bias
 * included. Either may be NULL. */
void pass_outputs(Pass *pass, const float *weights, const Sample *samples, size_t count, float *out,
                  float *z);

/* -- One step of AdamW on the parameters begin <= i < end (train_adam.c) -- */

typedef struct Adam {
    NetShape shape;
    float *weights, *first, *second; /* the parameters and the moments of their gradients */
    float out_clip;                  /* limit of the output weights, or those of the first layer */
} Adam;

AdamStep adam_step(double rate, double decay, int batch, uint64_t step);

/* Adds up the threads' gradients in order, leaves them zero, and moves the parameters: part `index`
 * of `threads` of them. */
void adam_apply(const Adam *adam, const AdamStep *step, float *const *gradients, int threads,
                int index);

/* The part of `whole` at which part `index` of `parts` begins. */
static inline size_t train_part(size_t whole, int index, int parts)
{
    return (size_t)((unsigned __int128)whole * (unsigned)index / (unsigned)parts);
}

/* -- Options (train_start.c) -- */

/* The learning rate of a step, counted from 0, of `steps` in all: a linear warm-up, then half a
 * cosine. */
double train_rate(const TrainOptions *o, uint64_t steps, uint64_t step);

/* -- On the GPU (train_card.c) -- */

/* Loads everything onto the card, and compares its gradients of a few positions with the
 * processor's: STATUS_REFUSED when they differ. */
Status card_open(Gpu **gpu, const Adam *adam, const TrainOptions *o, const SampleSet *train,
                 const SampleSet *held_out, Message *why);

/* -- What survives an interruption (train_save.c) -- */

/* What is counted on the way. */
typedef struct TrainCounts {
    uint64_t step;     /* batches done */
    double epoch_loss; /* summed over the batches of this epoch */
    double best_loss, best_train_loss;
    double least_loss;  /* on held-out games, of all epochs */
    int64_t best_epoch; /* the one that did best on held-out games; 0: none yet, or nothing is held
                           out */
} TrainCounts;

typedef struct TrainState {
    NetShape shape;
    Adam adam;
    TrainCounts counts;
    float *best; /* the parameters of the best epoch */
    Text log;    /* a line for each finished epoch */
} TrainState;

/* The parameters that make the net: the best, or the last where nothing is held out. */
static inline const float *train_chosen(const TrainState *state)
{
    return state->counts.best_epoch ? state->best : state->adam.weights;
}

/* What makes a checkpoint fit a run: another answer, another run. */
uint64_t train_fingerprint(const TrainOptions *o, const SampleSet *train,
                           const SampleSet *held_out);

Status train_save(const TrainState *state, uint64_t fingerprint, const char *path, Message *why);

/* STATUS_MISSING when there is no checkpoint. */
Status train_restore(TrainState *state, uint64_t fingerprint, const char *path, Message *why);

/* -- From weights to a net file (train_export.c) -- */

/* Where a weight of the first layer behind the accumulators lies in a net with layers. */
static inline size_t train_l1_at(const Net *net, int bucket, int input, int neuron)
{
    size_t group = ((size_t)bucket * (size_t)net->sizes.hidden + (size_t)input) / 4;
    return (group * NET_L1 + (size_t)neuron) * 4 + (size_t)input % 4;
}

/* What that layer is fed with: the product of two neurons, cut down to a whole byte. */
static inline int train_product(int a, int b)
{
    int x = a < 0 ? 0 : a > NET_QA ? NET_QA : a, y = b < 0 ? 0 : b > NET_QA ? NET_QA : b;
    return x * y >> 9;
}

typedef struct NetExport {
    const TrainOptions *options;
    const TrainState *state;
    const SampleSet *train, *held_out;
} NetExport;

/* Chooses the output weights' roundings of a net that model_to_net has filled (train_round.c). */
Status train_round(const NetExport *x, Net *net, Message *why);

/* The same for a net with layers, whose biases take what rounding costs (train_round_layers.c). */
Status train_round_layers(const NetExport *x, Net *net, Message *why);

/* Sorts the pairs of a net with layers for its first layer's speed; its
 * values stay (train_sort.c). */
Status train_sort(const NetExport *x, Net *net, Message *why);

/* A net's accumulators for a sample, [2][hidden], the side to move first. */
void train_accumulate(const Net *net, const NnueKernels *kernels, const Sample *s,
                      int16_t *accumulators);

Status train_export(const NetExport *x, TrainResult *result, Message *why);

/* -- Choosing roundings (train_round.c): what the outputs of nets without layers and the first
 * layer of others share -- */

enum { ROUNDING_SAMPLES = 2048 };

typedef struct RoundedWeight {
    float exact;
    float mean;              /* of its column, taken out of that by rounding_centre */
    int16_t nearest, chosen; /* steps of 1 / qb; at first both are the nearest */
} RoundedWeight;

/* One task: a column of inputs for each weight, and how far the sum of each position is off. */
typedef struct Rounding {
    Net *net;
    int weights, count; /* count: of positions */
    RoundedWeight *of;  /* [weights] */
    float *columns;     /* [weights][ROUNDING_SAMPLES] */
    Sample samples[ROUNDING_SAMPLES];
    float off[ROUNDING_SAMPLES]; /* rounded minus exact, without what the weights add */
    int16_t *accumulators;       /* [2][hidden] */
    Pass *pass;
} Rounding;

bool rounding_open(Rounding *r, const NetShape *shape, Net *net,
                   int weights); /* close it in any case */
void rounding_close(Rounding *r);

/* Takes positions of one bucket and clears the columns; false when there are too few. */
bool rounding_pick(Rounding *r, const SampleSet *set, int bucket);

/* Once for each filling of the columns. */
void rounding_centre(Rounding *r);

/* Chooses; the result is the mean by which sums are too large, for the bias to take. */
double rounding_choose(Rounding *r);

#endif
