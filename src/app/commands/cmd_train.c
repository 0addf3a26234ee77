/* castellan train: a net from games. */
#include "app/command.h"
#include "app/progress.h"
#include "base/clock.h"
#include "base/file.h"
#include "train/positions.h"
#include "train/train.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct TrainCommand {
    TrainOptions options;
    SampleFilter filter;
    SampleSet train, held_out;
    SampleCounts counts;
    TrainResult result;
    const char *data, *positions, *start, *distil, *match;
    Net *start_net, *teacher; /* teacher: whose values are the labels */
    int64_t checkpoint_s;
    Progress progress;
} TrainCommand;

/* -- Progress -- */

static void print_epoch(const TrainProgress *p)
{
    printf("epoch %d/%d  loss %.6f", p->epoch, p->epochs, p->loss);
    if (p->held_out >= 0)
        printf("  held out %.6f", p->held_out);
    printf("  rate %.2e  %.0f positions/s  %.0f s left\n", p->rate, p->speed, p->seconds_left);
    fflush(stdout);
}

static bool on_progress(void *user, const TrainProgress *p)
{
    TrainCommand *c = user;
    if (p->epoch_ended) {
        progress_wipe(&c->progress);
        print_epoch(p);
    } else {
        progress_line(&c->progress,
                      "%3.0f %%, epoch %d/%d, loss %.6f, %.0f positions/s, %.0f s left",
                      100.0 * (double)p->step / (double)p->steps, p->epoch, p->epochs, p->loss,
                      p->speed, p->seconds_left);
    }
    return atomic_load(&c->progress.job.stop);
}

/* -- Training -- */

static Status load_positions(TrainCommand *c, Message *why)
{
    int64_t began = clock_now_ms();
    Progress progress = {.unit = "positions", .done = &c->counts.positions};
    progress_begin(&progress);
    Status s = sample_load(&c->train, &c->held_out, c->data, &c->filter, c->options.threads,
                           &progress.job.stop, &c->counts, why);
    s = progress_end(&progress, s, why);
    if (s == STATUS_OK)
        printf("%" PRIu64 " games: %zu positions for training, %zu held out, loaded in %.1f s\n",
               atomic_load(&c->counts.games), c->train.count, c->held_out.count,
               (double)(clock_now_ms() - began) / 1000.0);
    fflush(stdout);
    return s;
}

static Status add_positions(TrainCommand *c, Message *why)
{
    size_t before = c->train.count;
    Status s = positions_load(&c->train, c->positions, why);
    if (s == STATUS_OK)
        printf("%zu labelled positions added\n", c->train.count - before);
    return s;
}

static Status load_and_train(TrainCommand *c, Message *why)
{
    Status s = load_positions(c, why);
    if (s != STATUS_OK)
        return s;
    progress_begin(&c->progress);
    if (c->positions)
        s = add_positions(c, why);
    if (s == STATUS_OK && c->teacher)
        s = train_distil(&c->train, c->teacher, c->options.threads, why);
    if (s == STATUS_OK && c->teacher)
        s = train_distil(&c->held_out, c->teacher, c->options.threads, why);
    if (s == STATUS_OK)
        s = train_run(&c->options, &c->train, &c->held_out, on_progress, c, &c->result, why);
    return progress_end(&c->progress, s, why);
}

static void print_result(const TrainCommand *c)
{
    const TrainResult *r = &c->result;
    printf("%s: %s, scale %d, rounding costs %.2f cp\n", c->options.out, r->id, r->scale,
           r->quantised_cp);
    if (r->held_out >= 0)
        printf("loss %.6f, on held-out games %.6f (epoch %d)\n", r->loss, r->held_out, r->epoch);
    else
        printf("loss %.6f, no games held out\n", r->loss);
}

/* -- Arguments -- */

static void set_defaults(void *into)
{
    TrainCommand *c = into;
    c->options = train_defaults();
    c->options.seed = 1;
    c->filter = sample_filter_defaults();
    c->checkpoint_s = c->options.checkpoint_ms / 1000;
}

static const ArgRow rows[] = {
    ARG_ROW_NEEDED_PATH(TrainCommand, data, "--data", "DIR", "a directory of games, or one file"),
    ARG_ROW_PATH(TrainCommand, positions, "--positions", "DIR",
                 "train also on the labelled positions of a directory or file (*.cps)"),
    ARG_ROW_NEEDED_PATH(TrainCommand, options.out, "--out", "NET", "the net file to write"),
    ARG_ROW_INT(TrainCommand, options.sizes.hidden, "--hidden", "N", NET_HIDDEN_STEP,
                NET_HIDDEN_MAX,
                "neurons of the feature transformer, a multiple of 64 (128 with layers)"),
    ARG_ROW_INT(TrainCommand, options.sizes.king_buckets, "--king-buckets", "N", 1,
                KING_BUCKETS_MAX, "sets of inputs by the square of the own king: 1, 4, 8 or 16"),
    ARG_ROW_INT(TrainCommand, options.sizes.layers, "--layers", "N", 0, 2,
                "0: SCReLU and output; 2: pairwise products, layers of 16 and 32 neurons, output"),
    ARG_ROW_INT(TrainCommand, options.sizes.buckets, "--buckets", "N", 1, NET_BUCKETS_MAX,
                "output buckets by number of pieces: 1 or 8"),
    ARG_ROW_INT(TrainCommand, options.epochs, "--epochs", "N", 1, 100000, "epochs"),
    ARG_ROW_INT(TrainCommand, options.batch, "--batch", "N", 1, 1 << 24, "positions per batch"),
    ARG_ROW_REAL(TrainCommand, options.rate, "--lr", "X", 1e-9, 1,
                 "learning rate after the warm-up"),
    ARG_ROW_REAL(TrainCommand, options.rate_end, "--lr-end", "X", 0, 1, "learning rate at the end"),
    ARG_ROW_REAL(TrainCommand, options.decay, "--decay", "X", 0, 1, "weight decay of AdamW"),
    ARG_ROW_REAL(TrainCommand, options.wdl, "--wdl", "X", 0, 1,
                 "share of the game result in the target; the rest is the score"),
    ARG_ROW_REAL(
        TrainCommand, options.sigmoid_scale, "--sigmoid-scale", "CP", NET_SCALE_MIN, NET_SCALE_MAX,
        "scale of the sigmoid, in cp: smaller values give more weight to balanced positions"),
    ARG_ROW_REAL(TrainCommand, filter.blend, "--blend", "X", 0, 0.99,
                 "share of a score that comes from the later scores of the game"),
    ARG_ROW_REAL(TrainCommand, filter.held_out, "--val", "X", 0, 0.5,
                 "share of games held out for validation"),
    ARG_ROW_INT(TrainCommand, filter.max_count, "--max-positions", "N", 1, INT64_MAX,
                "positions to train on at most (default: all)"),
    ARG_ROW_INT(TrainCommand, filter.skip_plies, "--skip-plies", "N", 0, DATA_MAX_PLIES,
                "plies to skip at the start of each game"),
    ARG_ROW_INT(TrainCommand, filter.max_score, "--max-score", "CP", 1, SCORE_EVAL_MAX,
                "skip positions whose score is larger, in cp"),
    ARG_ROW_THREADS(TrainCommand, options.threads, 1024, "threads"),
    ARG_ROW_SEED(TrainCommand, options.seed, "random seed: initial weights and order of positions"),
    ARG_ROW_PATH(
        TrainCommand, start, "--start", "NET",
        "start with the weights of a net, which may have fewer neurons, one king bucket or "
        "no layers"),
    ARG_ROW_PATH(TrainCommand, distil, "--distil", "NET",
                 "learn the values of a net instead of the scores of the games; needs --wdl 0"),
    ARG_ROW_TEXT(
        TrainCommand, match, "--match-scale", "E",
        "scale the output so that its mean size is that of E: classical, default, or a net "
        "file"),
    ARG_ROW_TEXT(TrainCommand, options.parents, "--parents", "TEXT",
                 "origin of the games, for the net's history"),
    ARG_ROW_INT(TrainCommand, checkpoint_s, "--checkpoint", "S", 1, 1000000,
                "time between checkpoints, in seconds"),
    ARG_ROW_FLAG(TrainCommand, options.gpu, "--gpu",
                 "train on an NVIDIA GPU (programs built with make CUDA=1); the last bits of the "
                 "weights then differ from run to run"),
    ARG_ROW_FLAG(TrainCommand, options.resume, "--resume",
                 "resume from NET.checkpoint, if there is one"),
    {0},
};

static Status open_nets(TrainCommand *c, Message *why)
{
    Status s = c->start ? net_load(&c->start_net, c->start, why) : STATUS_OK;
    if (s == STATUS_OK && c->distil)
        s = net_load(&c->teacher, c->distil, why);
    if (s == STATUS_OK && c->match)
        s = evaluator_find(&c->options.match, c->match, why);
    c->options.start = c->start_net;
    return s;
}

static Status check(void *options, const ArgWords *words UNUSED, Message *why)
{
    TrainCommand *c = options;
    TrainOptions *o = &c->options;
    Status s = file_keep_apart(o->out, c->data, why);
    if (s != STATUS_OK)
        return s;
    o->checkpoint_ms = c->checkpoint_s * 1000;
    c->filter.sigmoid_scale = o->sigmoid_scale;
    if (c->distil && o->wdl > 0)
        return status_fail(why, STATUS_INVALID, "--distil needs --wdl 0");
    s = open_nets(c, why);
    return s == STATUS_OK ? train_check(o, why) : s; /* before minutes of reading games */
}

/* The command line as given, for the net's history: no words were moved, since none are taken. */
static void join_command(const ArgWords *words, Text *out)
{
    text_add_str(out, "castellan train");
    for (char **word = words->at; *word; word++)
        text_addf(out, " %s", *word);
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    TrainCommand *c = options;
    Text command = text_new();
    join_command(words, &command);
    c->options.command = command.at;
    Status s = file_check_place(c->options.out, why);
    if (s == STATUS_OK)
        s = load_and_train(c, why);
    if (s == STATUS_OK)
        print_result(c);
    text_free(&command);
    return s;
}

static void release(void *options)
{
    TrainCommand *c = options;
    sample_set_free(&c->train);
    sample_set_free(&c->held_out);
    net_free(c->start_net);
    net_free(c->teacher);
    evaluator_close(c->options.match);
}

const Command command_train = {
    .name = "train",
    .summary = "train a net on games",
    .about =
        "Trains a net on the games of DIR and writes it to NET as it was after the epoch with the\n"
        "smallest loss on held-out games. Skips positions in check, before a capture or promotion,\n"
        "with decisive scores, and of the opening. The last line is the loss on the training and on the\n"
        "held-out games. An interrupted run writes NET.checkpoint and resumes with --resume; after a\n"
        "kill, the checkpoint is at most a minute old. The same options and games give the same net.\n",
    .args = ARG_TABLE(TrainCommand, rows, NULL, .defaults = set_defaults),
    .check = check,
    .run = run,
    .interrupted = "--resume continues from the checkpoint, if there is one",
    .release = release,
};
