/* Every phase can be begun again at any time: games, training and matches each go on from their own
 * files, and a phase whose end was not written down finds its work done. */
#include "train/loop.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "match/match.h"
#include "train/loop_int.h"
#include "train/selfplay.h"
#include "train/selfplay_label.h"
#include "train/train.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WATCH_MS = 20, LOCK_WAIT_MS = 1000 };

static const double HELD_OUT = 0.01; /* the part of all games that only measures */

/* A net that starts from the weights of its predecessor learns in few and small steps, from the
 * scores alone: it has little to find, and much to lose (docs/log/net.md, generation 8). */
static const double FINE_RATE = 0.0003;
enum { FINE_EPOCHS = 3 };

/* A small table is cleared quickly, and a game of 200 nodes a move does not fill a larger one. */
enum { PLAY_HASH_MB = 1 };

/* A net has to be better, and a match ends early when it is plain that it is, or is not. */
static const StatsSprt gate = {.elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.05};

typedef struct Loop {
    const LoopOptions *options;
    const atomic_bool *stop;
    LoopState state;
    const Evaluator *champion;
    atomic_bool halt; /* stopped, or out of time: every part looks at this */
    atomic_bool done;
    int64_t began_ms;
    int lock_fd, log_fd;
} Loop;

LoopConfig loop_defaults(void)
{
    return (LoopConfig){.start = "default",
                        .threads = 1,
                        .seed = 1,
                        .games = 200000,
                        .nodes = 200,
                        .label_nodes = LABEL_NODES,
                        .chess960 = 5,
                        .window = 10,
                        .batch = 8192,
                        .gate_games = 400,
                        .gate_nodes = 5000,
                        .gate_clock = {.base_ms = 2000, .increment_ms = 20},
                        .hash_mb = 16};
}

Status loop_config_of(const char *dir, LoopConfig *config, Message *why)
{
    LoopState s = {0};
    Status status = loop_state_read(&s, dir, why);
    if (status == STATUS_OK)
        *config = s.config;
    loop_state_free(&s);
    return status;
}

/* -- The story -- */

static void loop_report(Loop *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void loop_report(Loop *l, const char *format, ...)
{
    char line[400], date[CLOCK_DATE_SIZE];
    clock_date(date);
    double hours = (double)(clock_now_ms() - l->began_ms) / 3.6e6;
    int head = snprintf(line, sizeof line, "%s +%.2f h: ", date, hours);
    va_list args;
    va_start(args, format);
    vsnprintf(line + head, sizeof line - (size_t)head - 1, format, args);
    va_end(args);
    if (l->options->told)
        l->options->told(l->options->user, line);
    size_t len = strlen(line);
    line[len] = '\n';
    /* The log is for people: a full disk shows itself where it matters, in the state. */
    if (l->log_fd >= 0 && write(l->log_fd, line, len + 1) < 0)
        l->log_fd = -1;
}

static LoopGeneration *current(Loop *l)
{
    return &l->state.generations[l->state.count - 1];
}

static void tell_match(Loop *l, const char *kind, const StatsTally *t)
{
    StatsSummary s = stats_summary(t);
    loop_report(l,
                "generation %d: %s: won %" PRIu64 ", drawn %" PRIu64 ", lost %" PRIu64
                ", Elo %.1f +- %.1f, LLR %.2f",
                current(l)->number, kind, t->wins, t->draws, t->losses, s.elo, s.elo_error,
                stats_llr(t, gate.elo0, gate.elo1));
}

/* -- Places -- */

static Status path_of(const Loop *l, int generation, const char *name, char out[PATH_MAX],
                      Message *why)
{
    int len = snprintf(out, PATH_MAX, "%s/gen-%03d/%s", l->options->dir, generation, name);
    if (len >= PATH_MAX)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", l->options->dir);
    return STATUS_OK;
}

/* The name by which evaluators are found: a net of the loop, or what it began with. */
static Status champion_name(const Loop *l, char out[PATH_MAX], Message *why)
{
    if (l->state.champion)
        return path_of(l, l->state.champion, "net.nn", out, why);
    snprintf(out, PATH_MAX, "%s", l->state.config.start);
    return STATUS_OK;
}

static Status make_dir(const char *path, Message *why)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return status_fail(why, STATUS_IO, "%s: %s", path, strerror(errno));
    return STATUS_OK;
}

static Status stopped(Message *why)
{
    return status_fail(why, STATUS_STOPPED, "stopped");
}

/* -- Play -- */

static Status play(Loop *l, Message *why)
{
    const LoopConfig *c = &l->state.config;
    LoopGeneration *g = current(l);
    char dir[PATH_MAX], games[PATH_MAX];
    Status s = path_of(l, g->number, "", dir, why);
    if (s == STATUS_OK)
        s = make_dir(dir, why);
    if (s == STATUS_OK)
        s = path_of(l, g->number, "games", games, why);
    if (s != STATUS_OK)
        return s;
    loop_report(l, "generation %d: playing %" PRId64 " games with %s", g->number, c->games,
                evaluator_name(l->champion));
    const SelfplayOptions options = {.dir = games,
                                     .evaluator = l->champion,
                                     .games = (uint64_t)c->games,
                                     .nodes = (uint64_t)c->nodes,
                                     .label_nodes = (uint64_t)c->label_nodes,
                                     .label_max_score = LABEL_MAX_SCORE,
                                     .threads = (int)c->threads,
                                     .seed = (uint64_t)(c->seed + g->number),
                                     .chess960_percent = (int)c->chess960,
                                     .hash_mb = PLAY_HASH_MB};
    SelfplayCounts counts = {0};
    s = selfplay_run(&options, &l->halt, &counts, why);
    g->games = atomic_load(&counts.games);
    g->positions = atomic_load(&counts.labels);
    if (s == STATUS_OK && g->games < options.games)
        s = stopped(why);
    if (s == STATUS_OK)
        loop_report(l, "generation %d: %" PRIu64 " games, %" PRIu64 " scores", g->number, g->games,
                    g->positions);
    return s;
}

/* -- Train -- */

/* A negative loss stands for none. */
static const char *loss_text(char out[32], double loss)
{
    if (loss >= 0)
        snprintf(out, 32, "%.6f", loss);
    else
        snprintf(out, 32, "none");
    return out;
}

static bool watch_training(void *user, const TrainProgress *p)
{
    Loop *l = user;
    char held_out[32];
    if (p->epoch_ended)
        loop_report(l, "generation %d: epoch %d of %d, loss %.6f, held out %s, %.0f positions/s",
                    current(l)->number, p->epoch, p->epochs, p->loss,
                    loss_text(held_out, p->held_out), p->speed);
    return atomic_load(&l->halt);
}

/* The games of the last generations, the oldest first. */
static Status load_window(Loop *l, SampleSet *train, SampleSet *held_out, Message *why)
{
    const LoopConfig *c = &l->state.config;
    SampleFilter filter = sample_filter_defaults();
    filter.held_out = HELD_OUT;
    int last = current(l)->number, first = last - (int)c->window + 1;
    Status s = STATUS_OK;
    for (int i = first < 1 ? 1 : first; i <= last && s == STATUS_OK; i++) {
        SampleCounts counts = {0};
        char games[PATH_MAX];
        s = path_of(l, i, "games", games, why);
        if (s == STATUS_OK)
            s = sample_load(train, held_out, games, &filter, (int)c->threads, &l->halt, &counts,
                            why);
    }
    return s;
}

/* The champion has seen more games than any window holds, so its weights are where the next net
 * begins. */
static void start_from_champion(const Loop *l, TrainOptions *o)
{
    const LoopConfig *c = &l->state.config;
    const Net *net = evaluator_net(l->champion);
    if (net && !c->hidden && !c->buckets)
        o->sizes = net->sizes;
    if (c->hidden)
        o->sizes.hidden = (int)c->hidden;
    if (c->buckets)
        o->sizes.buckets = (int)c->buckets;
    if (net && train_can_start(&o->sizes, net, NULL) == STATUS_OK) {
        o->start = net;
        o->rate = FINE_RATE;
        o->epochs = FINE_EPOCHS;
        o->wdl = 0;
    }
    if (c->epochs)
        o->epochs = (int)c->epochs;
}

static Status train_on(Loop *l, const SampleSet *train, const SampleSet *held_out, Message *why)
{
    const LoopConfig *c = &l->state.config;
    LoopGeneration *g = current(l);
    char net[PATH_MAX], parents[128];
    Status s = path_of(l, g->number, "net.nn", net, why);
    if (s != STATUS_OK)
        return s;
    snprintf(parents, sizeof parents, "games of %s", evaluator_name(l->champion));
    TrainOptions o = train_defaults();
    o.batch = (int)c->batch;
    o.threads = (int)c->threads;
    o.seed = (uint64_t)(c->seed + g->number);
    o.match = l->champion;
    o.out = net;
    o.resume = true;
    o.command = "castellan learn";
    o.parents = parents;
    start_from_champion(l, &o);
    loop_report(l, "generation %d: training on %zu positions, %zu held out, starting from %s",
                g->number, train->count, held_out->count, o.start ? o.start->id : "random weights");
    TrainResult r;
    s = train_run(&o, train, held_out, watch_training, l, &r, why);
    if (s != STATUS_OK)
        return s;
    g->trained_on = train->count;
    g->loss = r.loss;
    g->held_out = r.held_out;
    char held_out_text[32];
    loop_report(l, "generation %d: %s, loss %.6f, held out %s, rounding costs %.2f cp", g->number,
                r.id, r.loss, loss_text(held_out_text, r.held_out), r.quantised_cp);
    return STATUS_OK;
}

static Status train(Loop *l, Message *why)
{
    SampleSet set = {0}, held_out = {0};
    Status s = load_window(l, &set, &held_out, why);
    if (s == STATUS_OK)
        s = train_on(l, &set, &held_out, why);
    sample_set_free(&set);
    sample_set_free(&held_out);
    return s;
}

/* -- Prove -- */

static Status make_player(PlayerSpec *spec, const char *name, const char *evaluator, Message *why)
{
    Status s = player_spec_read(spec, "castellan", why);
    snprintf(spec->name, sizeof spec->name, "%s", name);
    if (s == STATUS_OK)
        s = player_spec_add_option(spec, span_of("EvalFile"), span_of(evaluator), why);
    return s;
}

static Status play_match(Loop *l, const PlayerLimits *limits, const char *state_name,
                         StatsTally *tally, Message *why)
{
    const LoopConfig *c = &l->state.config;
    char path[PATH_MAX], fresh[PATH_MAX], old[PATH_MAX];
    PlayerSpec players[2] = {0};
    MatchOptions o = match_defaults();
    MatchResult result = {0};
    Status s = path_of(l, current(l)->number, state_name, path, why);
    if (s == STATUS_OK)
        s = path_of(l, current(l)->number, "net.nn", fresh, why);
    if (s == STATUS_OK)
        s = champion_name(l, old, why);
    if (s == STATUS_OK)
        s = make_player(&players[0], "new", fresh, why);
    if (s == STATUS_OK)
        s = make_player(&players[1], "old", old, why);
    o.players = players;
    o.player_count = 2;
    o.limits = *limits;
    o.hash_mb = (int)c->hash_mb;
    o.games = (uint64_t)c->gate_games;
    o.concurrency = (int)c->threads;
    o.seed = (uint64_t)(c->seed + current(l)->number);
    o.has_sprt = true;
    o.sprt = gate;
    o.rules.draw_from_move = 40;
    o.rules.draw_moves = 8;
    o.rules.draw_cp = 10;
    o.rules.margin_ms = 100; /* a busy machine is not the net's fault */
    o.state = path;
    o.resume = true;
    if (s == STATUS_OK) {
        s = match_run(&o, &l->halt, &result, why);
        if (result.pairing_count)
            *tally = result.pairings[0].tally;
        match_result_free(&result);
    }
    player_spec_free(&players[0]);
    player_spec_free(&players[1]);
    return s;
}

/* Shown to be better, or not decided but ahead. */
static bool passes(const StatsTally *t)
{
    StatsVerdict v = stats_verdict(t, &gate);
    return v == STATS_ACCEPTED || (v == STATS_UNDECIDED && stats_summary(t).score > 0.5);
}

static Status prove_at_nodes(Loop *l, Message *why)
{
    const PlayerLimits limits = {.nodes = (uint64_t)l->state.config.gate_nodes};
    LoopGeneration *g = current(l);
    Status s = play_match(l, &limits, "nodes.state", &g->nodes, why);
    if (s == STATUS_OK)
        tell_match(l, "at fixed nodes", &g->nodes);
    return s;
}

static Status prove_in_time(Loop *l, Message *why)
{
    LoopGeneration *g = current(l);
    Status s = play_match(l, &l->state.config.gate_clock, "timed.state", &g->timed, why);
    if (s == STATUS_OK)
        tell_match(l, "timed", &g->timed);
    return s;
}

/* -- Round and round -- */

static Status load_champion(Loop *l, Message *why)
{
    char name[PATH_MAX];
    const Evaluator *e;
    Status s = champion_name(l, name, why);
    if (s == STATUS_OK)
        s = evaluator_find(&e, name, why);
    if (s != STATUS_OK)
        return s;
    evaluator_close(l->champion);
    l->champion = e;
    return STATUS_OK;
}

/* The generation is over: the next one begins with the better of the two. */
static Status conclude(Loop *l, bool accepted, Message *why)
{
    LoopGeneration *g = current(l);
    double error;
    g->accepted = accepted;
    if (accepted) {
        l->state.champion = g->number;
        loop_report(l, "generation %d: the new net is accepted, %+.1f Elo since the start",
                    g->number, loop_elo(&l->state, l->state.count - 1, &error));
    } else {
        loop_report(l, "generation %d: the new net is rejected", g->number);
    }
    l->state.phase = LOOP_PLAY;
    Status s = loop_state_add(&l->state, why);
    if (s == STATUS_OK)
        s = loop_state_write(&l->state, l->options->dir, why);
    if (s == STATUS_OK)
        s = loop_draw(&l->state, l->options->dir, why);
    return s == STATUS_OK ? load_champion(l, why) : s;
}

static Status next_phase(Loop *l, LoopPhase phase, Message *why)
{
    l->state.phase = phase;
    return loop_state_write(&l->state, l->options->dir, why);
}

static Status run_phase(Loop *l, Message *why)
{
    Status s;
    switch (l->state.phase) {
    case LOOP_PLAY:
        s = play(l, why);
        return s == STATUS_OK ? next_phase(l, LOOP_TRAIN, why) : s;
    case LOOP_TRAIN:
        s = train(l, why);
        return s == STATUS_OK ? next_phase(l, LOOP_NODES, why) : s;
    case LOOP_NODES:
        s = prove_at_nodes(l, why);
        if (s != STATUS_OK)
            return s;
        return passes(&current(l)->nodes) ? next_phase(l, LOOP_TIMED, why)
                                          : conclude(l, false, why);
    default:
        s = prove_in_time(l, why);
        return s == STATUS_OK ? conclude(l, passes(&current(l)->timed), why) : s;
    }
}

static bool generations_used_up(const Loop *l)
{
    int64_t wanted = l->options->generations;
    return wanted && l->state.count > wanted;
}

static Status run_phases(Loop *l, Message *why)
{
    Status s = STATUS_OK;
    while (s == STATUS_OK && !generations_used_up(l))
        s = atomic_load(&l->halt) ? stopped(why) : run_phase(l, why);
    if (s == STATUS_STOPPED && !atomic_load(l->stop)) {
        loop_report(l, "time limit reached in generation %d", current(l)->number);
        return STATUS_OK;
    }
    if (s == STATUS_STOPPED)
        loop_report(l, "stopped in generation %d", current(l)->number);
    else if (s != STATUS_OK)
        loop_report(l, "failed: %s", why->text);
    return s;
}

/* -- Beginning and end -- */

static void *watch_time(void *arg)
{
    Loop *l = arg;
    int64_t time_ms = l->options->time_ms;
    while (!atomic_load(&l->done)) {
        if (atomic_load(l->stop) || (time_ms && clock_now_ms() - l->began_ms >= time_ms))
            atomic_store(&l->halt, true);
        clock_sleep_ms(WATCH_MS);
    }
    return NULL;
}

/* One loop at a time in a directory; the lock goes with the process, however it ends. */
static Status open_files(Loop *l, Message *why)
{
    char path[PATH_MAX];
    const char *dir = l->options->dir;
    Status s = make_dir(dir, why);
    if (s != STATUS_OK)
        return s;
    if (snprintf(path, sizeof path, "%s/log.txt", dir) >= (int)sizeof path)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", dir);
    l->log_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    snprintf(path, sizeof path, "%s/lock", dir);
    l->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (l->log_fd < 0 || l->lock_fd < 0)
        return status_fail(why, STATUS_IO, "%s: %s", dir, strerror(errno));
    return file_lock(l->lock_fd, LOCK_WAIT_MS)
               ? STATUS_OK
               : status_fail(why, STATUS_REFUSED, "%s: locked by another process", dir);
}

static Status open_state(Loop *l, Message *why)
{
    Status s = loop_state_read(&l->state, l->options->dir, why);
    if (s == STATUS_MISSING) {
        l->state.config = l->options->config;
        s = loop_state_add(&l->state, why);
        if (s == STATUS_OK)
            s = loop_state_write(&l->state, l->options->dir, why);
    }
    if (s == STATUS_OK && l->state.count > 1) /* the last run may not have come to it */
        s = loop_draw(&l->state, l->options->dir, why);
    return s == STATUS_OK ? load_champion(l, why) : s;
}

Status loop_run(const LoopOptions *options, const atomic_bool *stop, Message *why)
{
    Loop l = {
        .options = options, .stop = stop, .began_ms = clock_now_ms(), .lock_fd = -1, .log_fd = -1};
    Thread watcher;
    Status s = open_files(&l, why);
    if (s == STATUS_OK)
        s = open_state(&l, why);
    if (s == STATUS_OK)
        s = thread_start(&watcher, watch_time, &l, 0, why);
    if (s == STATUS_OK) {
        s = run_phases(&l, why);
        atomic_store(&l.done, true);
        thread_join(watcher);
    }
    evaluator_close(l.champion);
    loop_state_free(&l.state);
    if (l.log_fd >= 0)
        close(l.log_fd);
    if (l.lock_fd >= 0)
        close(l.lock_fd);
    return s;
}
