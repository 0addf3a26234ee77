/* castellan train: a net from games. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "train/train.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { SHOW_MS = 500 };

typedef struct Job {
    TrainOptions options;
    SampleFilter filter;
    SampleSet train, held_out;
    SampleCounts counts;
    const char *data;
    Net *start;
    const Evaluator *match;
    atomic_bool stop, loaded;
    Status status;
    Message why;
    bool watched;
    int64_t shown_ms;
} Job;

/* -- Loading -- */

static void *load(void *arg)
{
    Job *job = arg;
    job->status = sample_load(&job->train, &job->held_out, job->data, &job->filter,
                              job->options.threads, &job->stop, &job->counts, &job->why);
    atomic_store(&job->loaded, true);
    return NULL;
}

static bool time_to_show(Job *job)
{
    int64_t now = clock_now_ms();
    if (!job->watched || now - job->shown_ms < SHOW_MS)
        return false;
    job->shown_ms = now;
    return true;
}

static void wipe(const Job *job)
{
    if (job->watched)
        fprintf(stderr, "\r\033[K");
}

static Status load_positions(Job *job)
{
    Thread thread;
    Status s = thread_start(&thread, load, job, 0, &job->why);
    if (s != STATUS_OK)
        return s;
    int64_t began = clock_now_ms();
    while (!atomic_load(&job->loaded)) {
        clock_sleep_ms(10);
        if (interrupt_came())
            atomic_store(&job->stop, true);
        if (time_to_show(job))
            fprintf(stderr, "\r\033[Kloading: %" PRIu64 " games, %" PRIu64 " positions",
                    atomic_load(&job->counts.games), atomic_load(&job->counts.positions));
    }
    thread_join(thread);
    wipe(job);
    if (job->status == STATUS_OK)
        printf("%" PRIu64 " games: %zu positions to learn from, %zu held out, loaded in %.1f s\n",
               atomic_load(&job->counts.games), job->train.count, job->held_out.count,
               (double)(clock_now_ms() - began) / 1000.0);
    fflush(stdout);
    return job->status;
}

/* -- Training -- */

static void print_epoch(const TrainProgress *p)
{
    printf("epoch %d/%d  loss %.6f", p->epoch, p->epochs, p->loss);
    if (p->held_out >= 0)
        printf("  held out %.6f", p->held_out);
    printf("  rate %.2e  %.0f positions/s  %.0f s left\n", p->rate, p->speed, p->seconds_left);
    fflush(stdout);
}

static bool watch(void *user, const TrainProgress *p)
{
    Job *job = user;
    if (p->epoch_ended) {
        wipe(job);
        print_epoch(p);
    } else if (time_to_show(job)) {
        fprintf(stderr, "\r\033[K%3.0f %%, epoch %d/%d, loss %.6f, %.0f positions/s, %.0f s left",
                100.0 * (double)p->step / (double)p->steps, p->epoch, p->epochs, p->loss, p->speed,
                p->seconds_left);
    }
    return interrupt_came();
}

static Status train(Job *job)
{
    TrainResult result;
    Status s = load_positions(job);
    if (s == STATUS_OK)
        s = train_run(&job->options, &job->train, &job->held_out, watch, job, &result, &job->why);
    wipe(job);
    if (s == STATUS_STOPPED)
        message_prefix(&job->why, "--resume goes on: ");
    if (s != STATUS_OK)
        return s;
    printf("%s: %s, scale %d, rounding costs %.2f cp\n", job->options.out, result.id, result.scale,
           result.quantised_cp);
    if (result.held_out >= 0)
        printf("loss %.6f, on held-out games %.6f (epoch %d)\n", result.loss, result.held_out,
               result.epoch);
    else
        printf("loss %.6f, no games held out\n", result.loss);
    return STATUS_OK;
}

/* -- Arguments -- */

/* Options that are not whole numbers, as text. */
typedef struct RealRow {
    const char *name, *text;
    double min, max;
    double *into;
} RealRow;

static Status read_reals(const RealRow *rows, Message *why)
{
    for (; rows->name; rows++) {
        double value;
        if (!rows->text)
            continue;
        if (!span_to_double(span_of(rows->text), &value) ||
            !(value >= rows->min && value <= rows->max))
            return status_fail(why, STATUS_INVALID, "%s wants a number from %g to %g, not '%s'",
                               rows->name, rows->min, rows->max, rows->text);
        *rows->into = value;
    }
    return STATUS_OK;
}

/* The words as given, for the net's history. */
static void join_command(int argc, char **argv, Text *out)
{
    text_add_str(out, "castellan");
    for (int i = 0; i < argc; i++)
        text_addf(out, " %s", argv[i]);
}

/* What the command line says, before it is checked. */
typedef struct Words {
    int64_t hidden, buckets, epochs, batch, threads, seed, limit, skip, max_score, save;
    const char *lr, *lr_end, *wdl, *unit, *foresight, *decay, *val, *start, *match;
} Words;

static Status read_words(Job *job, Words *w, int argc, char **argv)
{
    const ArgRow rows[] = {
        {"--data", ARG_TEXT, &job->data, 0, 0},
        {"--out", ARG_TEXT, &job->options.out, 0, 0},
        {"--hidden", ARG_INT, &w->hidden, NET_HIDDEN_STEP, NET_HIDDEN_MAX},
        {"--buckets", ARG_INT, &w->buckets, 1, NET_BUCKETS_MAX},
        {"--epochs", ARG_INT, &w->epochs, 1, 100000},
        {"--batch", ARG_INT, &w->batch, 1, 1 << 24},
        {"--threads", ARG_INT, &w->threads, 1, 1024},
        {"--seed", ARG_INT, &w->seed, 0, INT64_MAX},
        {"--max-positions", ARG_INT, &w->limit, 1, INT64_MAX},
        {"--skip-plies", ARG_INT, &w->skip, 0, DATA_MAX_PLIES},
        {"--max-score", ARG_INT, &w->max_score, 1, SCORE_EVAL_MAX},
        {"--checkpoint", ARG_INT, &w->save, 1, 1000000},
        {"--lr", ARG_TEXT, &w->lr, 0, 0},
        {"--lr-end", ARG_TEXT, &w->lr_end, 0, 0},
        {"--wdl", ARG_TEXT, &w->wdl, 0, 0},
        {"--unit", ARG_TEXT, &w->unit, 0, 0},
        {"--foresight", ARG_TEXT, &w->foresight, 0, 0},
        {"--decay", ARG_TEXT, &w->decay, 0, 0},
        {"--val", ARG_TEXT, &w->val, 0, 0},
        {"--start", ARG_TEXT, &w->start, 0, 0},
        {"--match-scale", ARG_TEXT, &w->match, 0, 0},
        {"--parents", ARG_TEXT, &job->options.parents, 0, 0},
        {"--gpu", ARG_FLAG, &job->options.gpu, 0, 0},
        {"--resume", ARG_FLAG, &job->options.resume, 0, 0},
        {0},
    };
    return args_parse_no_words(rows, argc, argv, &job->why);
}

static void take_numbers(Job *job, const Words *w)
{
    TrainOptions *o = &job->options;
    o->hidden = (int)w->hidden;
    o->buckets = (int)w->buckets;
    o->epochs = (int)w->epochs;
    o->batch = (int)w->batch;
    o->threads = (int)w->threads;
    o->seed = (uint64_t)w->seed;
    o->checkpoint_ms = w->save * 1000;
    job->filter.max_count = (size_t)w->limit;
    job->filter.skip_plies = (int)w->skip;
    job->filter.max_score = (int)w->max_score;
}

static Status open_nets(Job *job, const Words *w)
{
    Status s = STATUS_OK;
    if (w->start)
        s = net_load(&job->start, w->start, &job->why);
    if (s == STATUS_OK && w->match)
        s = evaluator_find(&job->match, w->match, &job->why);
    job->options.start = job->start;
    job->options.match = job->match;
    return s;
}

static Status parse(Job *job, int argc, char **argv)
{
    TrainOptions *o = &job->options;
    Words w = {.hidden = o->hidden,
               .buckets = o->buckets,
               .epochs = o->epochs,
               .batch = o->batch,
               .threads = thread_cpu_count(),
               .seed = 1,
               .skip = job->filter.skip_plies,
               .max_score = job->filter.max_score,
               .save = o->checkpoint_ms / 1000};
    Status s = read_words(job, &w, argc, argv);
    const RealRow reals[] = {
        {"--lr", w.lr, 1e-9, 1, &o->rate},
        {"--lr-end", w.lr_end, 0, 1, &o->rate_end},
        {"--wdl", w.wdl, 0, 1, &o->wdl},
        {"--unit", w.unit, NET_SCALE_MIN, NET_SCALE_MAX, &o->unit},
        {"--foresight", w.foresight, 0, 0.99, &job->filter.foresight},
        {"--decay", w.decay, 0, 1, &o->decay},
        {"--val", w.val, 0, 0.5, &job->filter.held_out},
        {0},
    };
    if (s == STATUS_OK)
        s = read_reals(reals, &job->why);
    take_numbers(job, &w);
    job->filter.unit = o->unit;
    if (s == STATUS_OK && (!job->data || !o->out))
        s = status_fail(&job->why, STATUS_INVALID,
                        job->data ? "where to (--out NET)?" : "which games (--data DIR)?");
    if (s == STATUS_OK)
        s = file_keep_apart(o->out, job->data, &job->why);
    if (s == STATUS_OK)
        s = open_nets(job, &w);
    return s == STATUS_OK ? train_check(o, &job->why) : s; /* before minutes of reading games */
}

static int run(int argc, char **argv)
{
    Job job = {.options = train_defaults(), .filter = sample_filter_defaults()};
    Text command;
    text_init(&command);
    join_command(argc, argv, &command);
    job.options.command = command.at;
    job.watched = isatty(2) == 1;
    int code = COMMAND_DONE;
    if (parse(&job, argc, argv) != STATUS_OK) {
        code = command_misused("train", &job.why);
    } else {
        interrupt_hold();
        if (file_check_place(job.options.out, &job.why) != STATUS_OK || train(&job) != STATUS_OK)
            code = command_failed("train", &job.why);
    }
    sample_set_free(&job.train);
    sample_set_free(&job.held_out);
    net_free(job.start);
    evaluator_close(job.match);
    text_free(&command);
    return code;
}

const Command command_train = {
    .name = "train",
    .summary = "train a net on games",
    .help =
        "usage: castellan train --data DIR --out NET [--hidden 256] [--buckets 8] [--epochs 40]\n"
        "                       [--batch 16384] [--lr 0.001] [--wdl 0.05] [--threads N] [--seed S]\n"
        "                       [--val 0.01] [--match-scale classical|NET] [--resume] [...]\n"
        "\n"
        "Trains a net on the games of DIR (or one file) and writes it to NET, as it was after the\n"
        "epoch that did best on the games held out. Positions in check, before a capture or\n"
        "promotion, with decisive scores or of the opening are left out. The last line is the loss,\n"
        "with that on held-out games. Interrupted, it writes NET.checkpoint and goes on from there\n"
        "with --resume; a killed run has one that is a minute old at most.\n"
        "The same words and games give the same net.\n"
        "\n"
        "  --hidden N         neurons: a multiple of 64 up to 1024 (default 256)\n"
        "  --buckets N        sets of output weights by the number of men: 1 or 8 (default 8)\n"
        "  --epochs N         times to go through all positions (default 40)\n"
        "  --batch N          positions between two changes of the weights (default 16384)\n"
        "  --lr X             learning rate after the warm-up (default 0.001)\n"
        "  --lr-end X         learning rate at the end (default 0.000003)\n"
        "  --wdl X            part of the target that is the game's result (default 0.05)\n"
        "  --unit N           centipawns to one unit of the sigmoid: the less, the more the balanced\n"
        "                     positions count (default 800)\n"
        "  --foresight X      part of a position's score that comes from the scores after it in the\n"
        "                     game (default 0)\n"
        "  --decay X          weight decay of AdamW (default 0.01)\n"
        "  --threads N        default: all cores\n"
        "  --seed S           other first weights and another order (default 1)\n"
        "  --val X            part of the games that is held out (default 0.01)\n"
        "  --max-positions N  learn from N positions at most\n"
        "  --skip-plies N     plies of the opening to leave out (default 16)\n"
        "  --max-score N      scores beyond N centipawns are left out (default 2500)\n"
        "  --start NET        begin with the weights of a net of the same size\n"
        "  --match-scale E    scale the values so that their mean size is that of E: classical,\n"
        "                     default, or a net file\n"
        "  --parents TEXT     where the games came from, for the net's history\n"
        "  --checkpoint S     seconds between checkpoints (default 60)\n"
        "  --gpu              on an NVIDIA card (only in a program built with make CUDA=1); the last\n"
        "                     bits of the weights then differ from run to run\n"
        "  --resume           go on from NET.checkpoint, if there is one\n",
    .run = run,
};
