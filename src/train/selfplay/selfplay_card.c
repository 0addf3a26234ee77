/* Self-play on the GPU, the host's part: it starts the card and writes what it plays. */
#include "train/selfplay/selfplay_int.h"

#include "base/job.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "train/gpu/gpu_host.h"
#include "train/selfplay/selfplay_gpu.h"
#include "train/train_gpu.h"

/* How long the card plays before its games are fetched: a kill loses as much. */
static const double PART_SECONDS = 4;

enum { NUMBERS_BITS = 24 }; /* of the numbers of games that are left to each game found */

typedef struct CardRun {
    const SelfplayOptions *options;
    SelfplayFiles *files;
    const atomic_bool *stop;
    GpuSelfplay *gpu;
    GpuSelfplayPart part; /* being written */
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

/* Each file gets one of so many games. */
static Status write_games(void *user, int index, Message *why)
{
    const CardRun *r = user;
    SelfplayFile *f = &r->files->at[index];
    const uint16_t *at = r->part.games, *end = at + r->part.used;
    Status s = STATUS_OK;
    for (int i = 0; at < end && s == STATUS_OK; i++, at += 2 + 2 * at[0]) {
        if (i % r->files->count != index)
            continue;
        take_game(f->game, at);
        s = selfplay_file_add(f, why);
    }
    return s;
}

/* -- Playing -- */

static bool goes_on(const CardRun *r)
{
    const SelfplayOptions *o = r->options;
    const SelfplayCounts *c = r->files->counts;
    return !atomic_load(r->stop) && (!o->games || atomic_load(&c->games) < o->games) &&
           (!o->positions || atomic_load(&c->positions) < o->positions);
}

/* The card plays the next part while the games of the last one are written. */
static Status play_parts(CardRun *r, Message *why)
{
    int files = r->files->count;
    Status status = STATUS_OK;
    const char *wrong = gpu_selfplayer.start(r->gpu, PART_SECONDS);
    for (bool again = true; again && !wrong && status == STATUS_OK;) {
        wrong = gpu_selfplayer.finish(r->gpu, &r->part);
        again = !wrong && goes_on(r);
        if (again)
            wrong = gpu_selfplayer.start(r->gpu, PART_SECONDS);
        if (!wrong) {
            atomic_fetch_add(&r->files->counts->nodes, r->part.nodes);
            status = job_parts(write_games, r, files, files, NULL, why);
        }
    }
    return wrong ? status_fail(why, STATUS_REFUSED, "GPU: %s", wrong) : status;
}

static Status send_plan(CardRun *r, const Net *net, int16_t *negated, Message *why)
{
    const SelfplayOptions *o = r->options;
    GTables tables;
    uint64_t keys[G_KEYS];
    GPosition first;
    Position start;
    pos_set_start(&start);
    gpu_tables(&tables);
    gpu_random_keys(keys);
    gpu_position(&first, &start, keys);
    GpuSelfplayPlan plan = {.net = gpu_net(net, negated),
                            .weights = gpu_net_weights(net),
                            .tables = &tables,
                            .first = &first,
                            .random_keys = keys,
                            .rules = {.nodes = (int)o->nodes,
                                      .label_nodes = (int)o->label_nodes,
                                      .max_score = o->label_max_score,
                                      .random_percent = o->random_percent,
                                      .seed = o->seed},
                            .first_game = atomic_load(&r->files->counts->games) << NUMBERS_BITS};
    const char *wrong = gpu_selfplayer.open(&r->gpu, &plan);
    return wrong ? status_fail(why, STATUS_REFUSED, "GPU: %s", wrong) : STATUS_OK;
}

static Status open_card(CardRun *r, Message *why)
{
    const Net *net = evaluator_net(r->options->evaluator);
    const char *refused = gpu_absent();
    if (!refused)
        refused = net ? gpu_net_refused(net) : "self-play on the GPU needs a net";
    if (refused)
        return status_fail(why, STATUS_INVALID, "%s", refused);
    int16_t *negated = memory_aligned(sizeof(G4), sizeof *negated * gpu_net_weights(net));
    if (!negated)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the net");
    Status status = send_plan(r, net, negated, why);
    memory_aligned_free(negated);
    return status;
}

Status selfplay_card_run(const SelfplayOptions *options, SelfplayFiles *files,
                         const atomic_bool *stop, Message *why)
{
    CardRun r = {.options = options, .files = files, .stop = stop};
    Status status = open_card(&r, why);
    if (status == STATUS_OK)
        status = play_parts(&r, why);
    if (r.gpu)
        gpu_selfplayer.close(r.gpu);
    return status;
}
