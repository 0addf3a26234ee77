/* What the files of the trainer share: the net in floating point, one thread's work on a batch, and
 * the state that a checkpoint keeps. */
#ifndef TRAIN_TRAIN_INT_H
#define TRAIN_TRAIN_INT_H

#include "base/text.h"
#include "train/train.h"

/* The hidden neurons are worked on in tiles, so that the weights and gradients of a tile stay in the
 * processor's cache while a group of positions passes. */
enum { TRAIN_TILE = 64, TRAIN_GROUP = 256, TRAIN_LANES = 16 };

/* Weights end here; the quantised ones then fit their types, and sums their accumulators. */
#define TRAIN_CLIP 1.98f

/* Output weights are kept smaller: rounded to steps of 1/256 they then still fit eight bits, and where a
 * large unit makes all outputs small, to steps of 1/512. One weight in a hundred wants more, and would
 * cost all others that step. */
static inline float train_out_clip(double unit)
{
    return (float)NET_WEIGHT_MAX / (unit < 2 * NET_SCALE ? 256 : 512);
}

/* All parameters in one block: input weights [tile][feature][TILE], input bias [hidden], output
 * weights [bucket][side][hidden], output bias [bucket]. Gradients and moments have the same shape. */
typedef struct Shape {
    int hidden, buckets;
    size_t bias, out, out_bias; /* where each part begins; the input weights begin at 0 */
    size_t count;               /* a multiple of TRAIN_LANES */
} Shape;

Shape shape_of(int hidden, int buckets);

/* A block of zeros, aligned for vectors; NULL when memory ran out. */
float *shape_block(const Shape *shape);

/* Where the weights of an input begin in one tile. */
static inline size_t shape_row(int tile, int feature)
{
    return ((size_t)tile * FEATURE_COUNT + (size_t)feature) * TRAIN_TILE;
}

static inline size_t shape_out(const Shape *shape, int bucket, int side)
{
    return shape->out + ((size_t)bucket * 2 + (size_t)side) * (size_t)shape->hidden;
}

void model_random(const Shape *shape, float *weights, uint64_t seed);
void model_from_net(const Shape *shape, float *weights, const Net *net);
void model_to_net(const Shape *shape, const float *weights, Net *net);

/* -- One thread's work (train_pass.c) -- */

/* Which samples: order[i] of begin <= i < end, or i itself when there is no order. */
typedef struct Work {
    const Sample *samples;
    const struct Shuffle *shuffle; /* NULL: in order */
    size_t begin, end;
    double wdl, unit;
} Work;

/* A permutation of the positions, computed instead of stored: a Feistel network over the smallest
 * power of four that holds them, walked until it lands inside. */
typedef struct Shuffle {
    uint64_t count;
    int half_bits;
    uint64_t key[4];
} Shuffle;

Shuffle shuffle_make(uint64_t count, uint64_t seed, uint64_t epoch);
uint64_t shuffle_at(const Shuffle *s, uint64_t index);

typedef struct Pass Pass;

Pass *pass_open(const Shape *shape); /* NULL when memory ran out */
void pass_close(Pass *pass);

/* Adds the gradient of the summed loss to `gradient` and returns that loss. */
double pass_learn(Pass *pass, const float *weights, float *gradient, const Work *work);

/* The summed loss alone. */
double pass_loss(Pass *pass, const float *weights, const Work *work);

/* The net's outputs for up to TRAIN_GROUP samples. */
void pass_outputs(Pass *pass, const float *weights, const Sample *samples, int count, float *out);

/* -- One step of AdamW on the parameters begin <= i < end (train_adam.c) -- */

/* How much of the moments a step keeps. */
#define ADAM_FIRST_KEEP 0.9
#define ADAM_SECOND_KEEP 0.999

typedef struct Adam {
    float *weights, *first, *second; /* the parameters and the moments of their gradients */
    size_t out, out_end;             /* the output weights among them ... */
    float out_clip;                  /* ... and where they end */
} Adam;

typedef struct AdamStep {
    float rate, decay;
    float scale;                       /* of the gradients: 1 / batch */
    float first_factor, second_factor; /* bias corrections of the moments */
} AdamStep;

AdamStep adam_step(double rate, double decay, int batch, uint64_t step);

/* Adds up the threads' gradients in order, leaves them zero, and moves the parameters. */
void adam_apply(const Adam *adam, const AdamStep *step, float *const *gradients, int threads,
                size_t begin, size_t end);

/* -- What survives an interruption (train_save.c) -- */

typedef struct TrainState {
    Shape shape;
    Adam adam;
    uint64_t step;     /* batches done */
    double epoch_loss; /* summed over the batches of this epoch */
    float *best;       /* the parameters of the epoch that did best on held-out games */
    int best_epoch;    /* 0: none yet, or nothing is held out */
    double best_loss, best_train_loss;
    double least_loss; /* on held-out games, of all epochs */
    Text log;          /* a line for each finished epoch */
} TrainState;

/* The parameters that make the net: the best, or the last where nothing is held out. */
static inline const float *train_chosen(const TrainState *state)
{
    return state->best_epoch ? state->best : state->adam.weights;
}

/* What makes a checkpoint fit a run: another answer, another run. */
uint64_t train_fingerprint(const TrainOptions *o, const SampleSet *train,
                           const SampleSet *held_out);

Status train_save(const TrainState *state, uint64_t fingerprint, const char *path, Message *why);

/* STATUS_MISSING when there is no checkpoint. */
Status train_restore(TrainState *state, uint64_t fingerprint, const char *path, Message *why);

/* -- From weights to a net file (train_export.c) -- */

typedef struct Export {
    const TrainOptions *options;
    const TrainState *state;
    const SampleSet *train, *held_out;
} Export;

/* Chooses the output weights' roundings of a net that model_to_net has filled (train_round.c). */
Status train_round(const Export *x, Net *net, Message *why);

Status train_export(const Export *x, TrainResult *result, Message *why);

#endif
