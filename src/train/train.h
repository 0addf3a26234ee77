/* Training a net on positions, on the processor, with as many threads as wanted. The loss is the
 * squared difference between the sigmoid of the net's output and a target between the result of the
 * game and the sigmoid of the search's score.
 *
 * The same options, positions and number of threads give the same net, bit for bit, also when the
 * training was interrupted and resumed: each thread adds up the gradients of its own part of a
 * batch, and these are added in the order of the threads. */
#ifndef TRAIN_TRAIN_H
#define TRAIN_TRAIN_H

#include "eval/eval.h"
#include "eval/nnue/net.h"
#include "train/sample.h"

typedef struct TrainOptions {
    NetSizes sizes;
    int epochs, batch, threads;
    bool gpu; /* on the GPU; the same options then give almost the same net, not bit-identical */
    uint64_t seed;
    double rate, rate_end; /* learning rate: after the warm-up, at the end */
    double wdl;            /* how much of the target is the game's result */
    double sigmoid_scale;  /* centipawns that are worth one in the sigmoid's argument */
    double decay;
    const Net *start;       /* weights to begin with; NULL: random ones */
    const Evaluator *match; /* whose mean value the net's is scaled to; NULL: as trained */
    const char *out;        /* the net file; beside it, OUT.checkpoint while training */
    bool resume;            /* go on from the checkpoint, if there is one */
    int64_t checkpoint_ms;  /* time between checkpoints */
    const char *command;    /* told in the net's history, as are the parents; may be NULL */
    const char *parents;
} TrainOptions;

/* Everything but the paths as LEARNING wants it. */
TrainOptions train_defaults(void);

typedef struct TrainProgress {
    int epoch, epochs; /* epoch counts from 1 */
    uint64_t step, steps;
    double loss;     /* of this epoch so far */
    double held_out; /* of this epoch, when it has ended; negative without held-out positions */
    double rate;     /* learning rate */
    double speed;    /* positions a second, of this run */
    double seconds_left;
    bool epoch_ended;
} TrainProgress;

/* Called from the thread that called train_run, after every batch; true ends the training in order:
 * the checkpoint is written and train_run returns STATUS_STOPPED. */
typedef bool TrainWatch(void *user, const TrainProgress *progress);

typedef struct TrainResult {
    int epoch;             /* the one whose net was kept */
    double loss, held_out; /* of that epoch */
    double quantised_cp;   /* mean difference between the net as trained and as written */
    int scale;
    double speed;
    char id[NET_ID_SIZE];
} TrainResult;

/* Whether a net of these sizes can begin with the weights of `net`; STATUS_INVALID says why not. */
Status train_can_start(const NetSizes *sizes, const Net *net, Message *why);

/* Gives the samples a net's values for scores: a net trained on them (with wdl 0) imitates it. */
Status train_distil(SampleSet *set, const Net *net, int threads, Message *why);

/* Sets the values of samples to a net's; false when there is no memory. */
bool train_values(const Net *net, Sample *at, size_t count);

/* Whether a training with these options can be: sizes, numbers, the card.
 * STATUS_INVALID when not. */
Status train_check(const TrainOptions *options, Message *why);

/* Trains, writes the net of the epoch that did best on `held_out`, and removes the checkpoint.
 * `held_out` may be empty: then the last epoch's is written. */
Status train_run(const TrainOptions *options, const SampleSet *train, const SampleSet *held_out,
                 TrainWatch *watch, void *user, TrainResult *result, Message *why);

#endif
