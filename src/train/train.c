#include "train/train.h"

#include "base/clock.h"
#include "base/thread.h"
#include "train/train_int.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Losses that differ by less than this factor are as good as each other. */
#define AS_GOOD 1.005

typedef struct TrainRun TrainRun;

typedef struct TrainWorker {
    TrainRun *run;
    int index;
    Pass *pass;
    double loss;
    Thread thread;
} TrainWorker;

/* Threads go through each step together: gradients, parameters, at the end of an epoch the loss on
 * held-out positions. Between two steps the first of them, the caller's, does what is done once,
 * while the others wait at the barrier. */
struct TrainRun {
    const TrainOptions *options;
    const SampleSet *train, *held_out;
    TrainWatch *watch;
    void *user;
    TrainState state;
    int batch;
    uint64_t epoch_steps, steps;
    uint64_t fingerprint;
    char checkpoint[PATH_MAX];
    TrainWorker *workers;
    float **gradients;
    Gpu *gpu; /* NULL: on the processor */
    pthread_barrier_t barrier;
    Mutex start; /* held until all threads are there */
    bool over;
    Status status;
    Message why;
    TrainResult result;
    uint64_t first_step; /* of this run, which may have resumed another */
    int64_t began_ms, saved_ms;
};

/* -- One thread's part -- */

/* The worker's part of `count` positions from `first` on. */
static Work part_of(const TrainWorker *w, const SampleSet *set, size_t first, size_t count)
{
    const TrainOptions *o = w->run->options;
    return (Work){.samples = set->at,
                  .begin = first + train_part(count, w->index, o->threads),
                  .end = first + train_part(count, w->index + 1, o->threads),
                  .wdl = o->wdl,
                  .sigmoid_scale = o->sigmoid_scale};
}

/* The order of the epoch under way. */
static Shuffle order_now(const TrainRun *r)
{
    return shuffle_make(r->train->count, r->options->seed, r->state.counts.step / r->epoch_steps);
}

/* Where the present batch begins in it. */
static size_t batch_begin(const TrainRun *r)
{
    return (size_t)(r->state.counts.step % r->epoch_steps) * (size_t)r->batch;
}

static AdamStep step_now(const TrainRun *r)
{
    return adam_step(train_rate(r->options, r->steps, r->state.counts.step), r->options->decay,
                     r->batch, r->state.counts.step + 1);
}

static void learn_part(TrainWorker *w)
{
    TrainRun *r = w->run;
    Shuffle order = order_now(r);
    Work work = part_of(w, r->train, batch_begin(r), (size_t)r->batch);
    work.shuffle = &order;
    w->loss = pass_run(w->pass, r->state.adam.weights, r->gradients[w->index], &work);
}

static void move_part(TrainWorker *w)
{
    TrainRun *r = w->run;
    AdamStep step = step_now(r);
    adam_apply(&r->state.adam, &step, r->gradients, r->options->threads, w->index);
}

static void validate_part(TrainWorker *w)
{
    TrainRun *r = w->run;
    Work work = part_of(w, r->held_out, 0, r->held_out->count);
    w->loss = pass_run(w->pass, r->state.adam.weights, NULL, &work);
}

static double loss_of_all(const TrainRun *r)
{
    double sum = 0;
    int threads = r->gpu ? 1 : r->options->threads;
    for (int i = 0; i < threads; i++)
        sum += r->workers[i].loss;
    return sum;
}

/* -- Between two steps -- */

static TrainProgress progress_of(const TrainRun *r, bool epoch_ended)
{
    const TrainState *state = &r->state;
    uint64_t inside = epoch_ended ? r->epoch_steps : state->counts.step % r->epoch_steps;
    double seconds = (double)(clock_now_ms() - r->began_ms) / 1000.0;
    uint64_t done = state->counts.step - r->first_step;
    TrainProgress p = {
        .epoch = (int)((state->counts.step - epoch_ended) / r->epoch_steps) + 1,
        .epochs = r->options->epochs,
        .step = state->counts.step,
        .steps = r->steps,
        .loss = inside ? state->counts.epoch_loss / (double)(inside * (uint64_t)r->batch) : 0,
        .held_out = -1,
        .rate = train_rate(r->options, r->steps, state->counts.step - 1),
        .epoch_ended = epoch_ended};
    p.speed = seconds > 0 ? (double)(done * (uint64_t)r->batch) / seconds : 0;
    p.seconds_left = done ? seconds * (double)(r->steps - state->counts.step) / (double)done : 0;
    return p;
}

/* A net that goes on learning its games by heart grows worse on others. Of two that are as good the
 * later one is kept: the difference is chance, and it was trained with the finer steps. */
static void keep_best(TrainRun *r, const TrainProgress *p)
{
    TrainState *state = &r->state;
    TrainCounts *c = &state->counts;
    if (p->held_out < 0 || (c->best_epoch && p->held_out > c->least_loss * AS_GOOD))
        return;
    if (!c->best_epoch || p->held_out < c->least_loss)
        c->least_loss = p->held_out;
    memcpy(state->best, state->adam.weights, state->shape.count * sizeof *state->best);
    c->best_epoch = p->epoch;
    c->best_loss = p->held_out;
    c->best_train_loss = p->loss;
}

static void end_epoch(TrainRun *r, TrainProgress *p)
{
    r->result.loss = p->loss;
    r->result.held_out = -1;
    if (r->held_out->count)
        r->result.held_out = loss_of_all(r) / (double)r->held_out->count;
    p->held_out = r->result.held_out;
    keep_best(r, p);
    r->state.counts.epoch_loss = 0;
    text_addf(&r->state.log, "epoch %d: loss %.6f", p->epoch, p->loss);
    if (p->held_out >= 0)
        text_addf(&r->state.log, ", held out %.6f", p->held_out);
    text_add_char(&r->state.log, '\n');
}

/* -- On the GPU -- */

static void gpu_must(TrainRun *r, const char *fault)
{
    if (fault && r->status == STATUS_OK) {
        r->status = status_fail(&r->why, STATUS_REFUSED, "GPU: %s", fault);
        r->over = true;
    }
}

static void fetch_from_gpu(TrainRun *r)
{
    const Adam *adam = &r->state.adam;
    if (r->gpu)
        gpu_must(r, gpu_trainer.get(r->gpu, adam->weights, adam->first, adam->second));
}

static double learn_on_gpu(TrainRun *r)
{
    Shuffle order = order_now(r);
    AdamStep step = step_now(r);
    double loss = 0;
    gpu_must(r, gpu_trainer.learn(r->gpu, &order, batch_begin(r), r->batch, &step, &loss));
    return loss;
}

/* Parameters come back for what is done with them here: choosing the best, and checkpoints. */
static void validate_on_gpu(TrainRun *r)
{
    gpu_must(r, gpu_trainer.validate(r->gpu, &r->workers[0].loss));
    fetch_from_gpu(r);
}

/* -- Checkpoints, and the end of a step -- */

static void save(TrainRun *r)
{
    fetch_from_gpu(r);
    if (r->status != STATUS_OK)
        return;
    r->status = train_save(&r->state, r->fingerprint, r->checkpoint, &r->why);
    r->over = r->over || r->status != STATUS_OK;
    r->saved_ms = clock_now_ms();
}

/* The step is done: count it, tell it, and decide whether there is another. */
static void conclude_step(TrainRun *r, double loss)
{
    r->state.counts.step++;
    r->state.counts.epoch_loss += loss;
    bool epoch_ended = r->state.counts.step % r->epoch_steps == 0;
    TrainProgress p = progress_of(r, epoch_ended);
    if (epoch_ended)
        end_epoch(r, &p);
    r->result.speed = p.speed;
    bool stop = r->watch && r->watch(r->user, &p);
    if (r->state.counts.step == r->steps)
        r->over = true;
    else if (stop || clock_now_ms() - r->saved_ms >= r->options->checkpoint_ms)
        save(r);
    if (stop && !r->over) {
        r->status =
            status_fail(&r->why, STATUS_STOPPED, "stopped after %llu of %llu batches",
                        (unsigned long long)r->state.counts.step, (unsigned long long)r->steps);
        r->over = true;
    }
}

static void work_steps(TrainWorker *w)
{
    TrainRun *r = w->run;
    bool chief = w->index == 0;
    while (!r->over) {
        /* Asked before the first barrier: after the last one the chief may have counted on. */
        bool epoch_ends = (r->state.counts.step + 1) % r->epoch_steps == 0;
        learn_part(w);
        pthread_barrier_wait(&r->barrier);
        double loss = chief ? loss_of_all(r) : 0;
        move_part(w);
        pthread_barrier_wait(&r->barrier);
        if (epoch_ends) {
            validate_part(w);
            pthread_barrier_wait(&r->barrier);
        }
        if (chief)
            conclude_step(r, loss);
        pthread_barrier_wait(&r->barrier);
    }
}

static Status run_on_gpu(TrainRun *r)
{
    while (!r->over) {
        double loss = learn_on_gpu(r);
        if ((r->state.counts.step + 1) % r->epoch_steps == 0)
            validate_on_gpu(r);
        if (r->status == STATUS_OK)
            conclude_step(r, loss);
    }
    return r->status;
}

/* -- Threads -- */

static void *thread_main(void *arg)
{
    TrainWorker *w = arg;
    mutex_lock(&w->run->start);
    mutex_unlock(&w->run->start);
    work_steps(w);
    return NULL;
}

/* No thread begins before all are there: the barrier counts on each of them. */
static Status run_threads(TrainRun *r)
{
    int threads = r->options->threads, started = 1;
    Status s = STATUS_OK;
    mutex_init(&r->start);
    pthread_barrier_init(&r->barrier, NULL, (unsigned)threads);
    mutex_lock(&r->start);
    while (s == STATUS_OK && started < threads) {
        TrainWorker *w = &r->workers[started];
        s = thread_start(&w->thread, thread_main, w, 0, &r->why);
        started += s == STATUS_OK;
    }
    r->over = r->over || s != STATUS_OK;
    mutex_unlock(&r->start);
    work_steps(&r->workers[0]);
    for (int i = 1; i < started; i++)
        thread_join(r->workers[i].thread);
    pthread_barrier_destroy(&r->barrier);
    mutex_free(&r->start);
    return s == STATUS_OK ? r->status : s;
}

/* -- Start and end -- */

static Status allocate(TrainRun *r, Message *why)
{
    size_t threads = (size_t)r->options->threads;
    const NetShape *shape = &r->state.shape;
    Adam *adam = &r->state.adam;
    *adam = (Adam){.shape = *shape,
                   .weights = shape_block(shape),
                   .first = shape_block(shape),
                   .second = shape_block(shape),
                   .out_clip = train_out_clip(shape, r->options->sigmoid_scale)};
    r->state.best = shape_block(shape);
    r->workers = calloc(threads, sizeof *r->workers);
    r->gradients = calloc(threads, sizeof *r->gradients);
    bool good =
        adam->weights && adam->first && adam->second && r->state.best && r->workers && r->gradients;
    size_t used = r->options->gpu ? 0 : threads; /* a card has its own */
    for (size_t i = 0; good && i < used; i++) {
        r->workers[i] = (TrainWorker){.run = r, .index = (int)i, .pass = pass_open(shape)};
        r->gradients[i] = shape_block(shape);
        good = r->workers[i].pass && r->gradients[i];
    }
    return good ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory to train");
}

static void release(TrainRun *r)
{
    if (r->gpu)
        gpu_trainer.close(r->gpu);
    for (int i = 0; i < r->options->threads; i++) {
        if (r->workers)
            pass_close(r->workers[i].pass);
        if (r->gradients)
            memory_aligned_free(r->gradients[i]);
    }
    free(r->workers);
    free(r->gradients);
    memory_aligned_free(r->state.adam.weights);
    memory_aligned_free(r->state.adam.first);
    memory_aligned_free(r->state.adam.second);
    memory_aligned_free(r->state.best);
    text_free(&r->state.log);
}

static Status prepare(TrainRun *r, Message *why)
{
    const TrainOptions *o = r->options;
    r->fingerprint = train_fingerprint(o, r->train, r->held_out);
    Status s = STATUS_MISSING;
    if (o->resume)
        s = train_restore(&r->state, r->fingerprint, r->checkpoint, why);
    if (s == STATUS_MISSING) {
        if (o->start)
            model_start(&r->state.shape, r->state.adam.weights, o->start, o->sigmoid_scale,
                        o->seed);
        else
            model_random(&r->state.shape, r->state.adam.weights, o->seed);
        s = STATUS_OK;
    }
    r->first_step = r->state.counts.step;
    r->began_ms = r->saved_ms = clock_now_ms();
    r->over = r->state.counts.step >= r->steps;
    return s;
}

static Status finish(TrainRun *r, Message *why)
{
    if (r->state.log.failed)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the net's history");
    const TrainCounts *c = &r->state.counts;
    r->result.epoch = c->best_epoch ? (int)c->best_epoch : r->options->epochs;
    if (c->best_epoch) {
        r->result.loss = c->best_train_loss;
        r->result.held_out = c->best_loss;
    }
    NetExport x = {r->options, &r->state, r->train, r->held_out};
    Status s = train_export(&x, &r->result, why);
    if (s == STATUS_OK)
        unlink(r->checkpoint);
    return s;
}

Status train_run(const TrainOptions *options, const SampleSet *train, const SampleSet *held_out,
                 TrainWatch *watch, void *user, TrainResult *result, Message *why)
{
    Status s = train_check(options, why);
    if (s == STATUS_OK && train->count == 0)
        s = status_fail(why, STATUS_INVALID, "no training positions");
    if (s != STATUS_OK)
        return s;
    TrainRun r = {.options = options,
                  .train = train,
                  .held_out = held_out,
                  .watch = watch,
                  .user = user,
                  .status = STATUS_OK};
    r.batch = train->count < (size_t)options->batch ? (int)train->count : options->batch;
    r.epoch_steps = train->count / (size_t)r.batch;
    r.steps = r.epoch_steps * (uint64_t)options->epochs;
    r.state.shape = shape_of(&options->sizes);
    text_init(&r.state.log);
    s = data_path(r.checkpoint, why, "%s.checkpoint", options->out);
    if (s == STATUS_OK)
        s = allocate(&r, why);
    if (s == STATUS_OK)
        s = prepare(&r, why);
    if (s == STATUS_OK && options->gpu)
        s = card_open(&r.gpu, &r.state.adam, options, train, held_out, why);
    if (s == STATUS_OK) {
        s = r.gpu ? run_on_gpu(&r) : run_threads(&r);
        if (s != STATUS_OK && why)
            *why = r.why;
    }
    if (s == STATUS_OK)
        s = finish(&r, why);
    *result = r.result;
    release(&r);
    return s;
}
