#include "train/selfplay/selfplay_card.h"

#include "base/thread.h"
#include "chess/fen.h"
#include "train/gpu/gpu_host.h"
#include "train/selfplay/selfplay_file.h"
#include "train/selfplay/selfplay_gpu.h"

#include <stdlib.h>

/* How long the card plays before its games are fetched: a kill loses as much. */
static const double PART_SECONDS = 4;

enum { NUMBERS_BITS = 24 }; /* of the numbers of games that are left to each game found */

typedef struct CardWriter {
    SelfplayFile file;
    const GpuSelfplayPart *part;
    int writers;
    Status status;
    Message why;
} CardWriter;

typedef struct CardRun {
    const SelfplayOptions *options;
    const atomic_bool *stop;
    SelfplayCounts *counts;
    CardWriter *writers;
    GpuSelfplay *gpu;
} CardRun;

/* -- Writing -- */

/* Results as the card numbers them: G_DRAWN, G_WHITE_WON, G_BLACK_WON (train/gpu/gpu_game.h). */
static Result result_of(uint16_t told)
{
    static const Result results[] = {RESULT_DRAW, RESULT_WHITE_WINS, RESULT_BLACK_WINS};
    return results[told % 3];
}

static void take_game(GameRecord *g, const uint16_t *from)
{
    pos_set_start(&g->start);
    g->count = from[0];
    g->result = result_of(from[1]);
    for (int i = 0; i < g->count; i++)
        g->plies[i] = (DataPly){from[2 + i], (int16_t)from[2 + g->count + i]};
}

/* Each writer takes one of so many games. */
static void *write_games(void *arg)
{
    CardWriter *w = arg;
    const uint16_t *at = w->part->games, *end = at + w->part->used;
    for (int i = 0; at < end && w->status == STATUS_OK; i++, at += 2 + 2 * at[0]) {
        if (i % w->writers != w->file.number)
            continue;
        take_game(w->file.game, at);
        w->status = selfplay_file_add(&w->file, &w->why);
    }
    return NULL;
}

static Status write_part(CardRun *r, const GpuSelfplayPart *part, Message *why)
{
    int count = r->options->threads;
    for (int i = 0; i < count; i++)
        r->writers[i].part = part;
    thread_run_each(write_games, r->writers, sizeof *r->writers, count);
    for (int i = 0; i < count; i++)
        if (r->writers[i].status != STATUS_OK) {
            if (why)
                *why = r->writers[i].why;
            return r->writers[i].status;
        }
    return STATUS_OK;
}

/* -- Playing -- */

static bool goes_on(const CardRun *r)
{
    const SelfplayOptions *o = r->options;
    return !atomic_load(r->stop) && (!o->games || atomic_load(&r->counts->games) < o->games) &&
           (!o->positions || atomic_load(&r->counts->positions) < o->positions);
}

/* The card plays the next part while the games of the last one are written. */
static Status play_parts(CardRun *r, Message *why)
{
    GpuSelfplayPart part;
    Status status = STATUS_OK;
    const char *wrong = gpu_selfplay_start(r->gpu, PART_SECONDS);
    for (bool again = true; again && !wrong && status == STATUS_OK;) {
        wrong = gpu_selfplay_finish(r->gpu, &part);
        again = !wrong && goes_on(r);
        if (again)
            wrong = gpu_selfplay_start(r->gpu, PART_SECONDS);
        if (!wrong) {
            atomic_fetch_add(&r->counts->nodes, part.nodes);
            status = write_part(r, &part, why);
        }
    }
    return wrong ? status_fail(why, STATUS_REFUSED, "GPU: %s", wrong) : status;
}

static Status send_plan(CardRun *r, const Net *net, const int16_t *negated, Message *why)
{
    const SelfplayOptions *o = r->options;
    uint8_t king_bucket[SQUARE_COUNT];
    GTables tables;
    uint64_t keys[G_KEYS];
    GPosition first;
    Position start;
    pos_set_start(&start);
    gpu_tables(&tables);
    gpu_random_keys(keys);
    gpu_position(&first, &start, keys);
    gpu_king_buckets(king_bucket, net);
    GpuSelfplayPlan plan = {.rows = net->ft_weights,
                            .negated = negated,
                            .bias = net->ft_bias,
                            .output = net->out_weights,
                            .output_bias = net->out_bias,
                            .king_bucket = king_bucket,
                            .weights = gpu_net_weights(net),
                            .buckets = net->sizes.buckets,
                            .scale = net->scale,
                            .qb = net->qb,
                            .tables = &tables,
                            .first = &first,
                            .random_keys = keys,
                            .nodes = (int)o->nodes,
                            .label_nodes = (int)(o->label_nodes ? o->label_nodes : o->nodes),
                            .max_score = o->label_max_score,
                            .seed = o->seed,
                            .first_game = atomic_load(&r->counts->games) << NUMBERS_BITS};
    const char *wrong = gpu_selfplay_open(&r->gpu, &plan);
    return wrong ? status_fail(why, STATUS_REFUSED, "GPU: %s", wrong) : STATUS_OK;
}

static Status open_card(CardRun *r, Message *why)
{
    const Net *net = evaluator_net(r->options->evaluator);
    const char *refused = net ? gpu_net_refused(net) : "self-play on the GPU needs a net";
    if (refused)
        return status_fail(why, STATUS_INVALID, "%s", refused);
    int16_t *negated = malloc(sizeof *negated * gpu_net_weights(net));
    if (!negated)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the net");
    gpu_negate(negated, net);
    Status status = send_plan(r, net, negated, why);
    free(negated);
    return status;
}

static Status open_files(CardRun *r, Message *why)
{
    Status status = STATUS_OK;
    for (int i = 0; i < r->options->threads && status == STATUS_OK; i++) {
        r->writers[i].writers = r->options->threads;
        status = selfplay_file_open(&r->writers[i].file, r->options, r->counts, i, why);
    }
    return status;
}

static Status close_files(CardRun *r, Message *why)
{
    Status status = STATUS_OK;
    for (int i = 0; i < r->options->threads; i++) {
        Status closed = selfplay_file_close(&r->writers[i].file, status == STATUS_OK ? why : NULL);
        status = status == STATUS_OK ? closed : status;
    }
    return status;
}

Status selfplay_card_run(const SelfplayOptions *options, const atomic_bool *stop,
                         SelfplayCounts *counts, Message *why)
{
    CardRun r = {options, stop, counts, calloc((size_t)options->threads, sizeof *r.writers), NULL};
    Status status = r.writers ? open_files(&r, why)
                              : status_fail(why, STATUS_MEMORY, "not enough memory for self-play");
    if (status == STATUS_OK)
        status = open_card(&r, why);
    if (status == STATUS_OK)
        status = play_parts(&r, why);
    gpu_selfplay_close(r.gpu);
    Status closed = r.writers ? close_files(&r, status == STATUS_OK ? why : NULL) : STATUS_OK;
    free(r.writers);
    return status == STATUS_OK ? closed : status;
}
