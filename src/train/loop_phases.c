/* The phases of a generation: self-play, training, and the two matches against the best net so far.
 */
#include "match/match.h"
#include "train/loop_int.h"
#include "train/selfplay/selfplay.h"
#include "train/selfplay/selfplay_game.h"
#include "train/train.h"

#include <inttypes.h>
#include <stdio.h>

static const double HELD_OUT = 0.01; /* the part of all games that only measures */

/* A net that starts from the weights of its predecessor learns in few and small steps, from the
 * scores alone: it has little to find, and much to lose (docs/log/net.md, generation 8). */
static const double FINE_RATE = 0.0002;
enum { FINE_EPOCHS = 2 };

/* A small table is cleared quickly, and a game of 200 nodes a move does not fill a larger one. */
enum { PLAY_HASH_MB = 1 };

/* A net has to be better, and a match ends early when it is plain that it is, or is not. */
static const StatsSprt gate = {.elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.05};

/* -- Play -- */

Status loop_play(Loop *l, Message *why)
{
    const LoopConfig *c = &l->state.config;
    LoopGeneration *g = loop_current(l);
    char dir[PATH_MAX], games[PATH_MAX];
    Status s = loop_path(l, g->number, "", dir, why);
    if (s == STATUS_OK)
        s = data_make_dir(dir, why);
    if (s == STATUS_OK)
        s = loop_path(l, g->number, "games", games, why);
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
                                     .random_percent = (int)c->random_moves,
                                     .hash_mb = PLAY_HASH_MB};
    SelfplayCounts counts = {0};
    s = selfplay_run(&options, l->stop, &counts, why);
    g->games = atomic_load(&counts.games);
    g->positions = atomic_load(&counts.labels);
    if (s == STATUS_OK && g->games < options.games)
        s = loop_stopped(why);
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
                    loop_current(l)->number, p->epoch, p->epochs, p->loss,
                    loss_text(held_out, p->held_out), p->speed);
    return atomic_load(l->stop);
}

/* The games of the last generations, the oldest first. */
static Status load_window(Loop *l, SampleSet *train, SampleSet *held_out, Message *why)
{
    const LoopConfig *c = &l->state.config;
    SampleFilter filter = sample_filter_defaults();
    filter.held_out = HELD_OUT;
    int last = loop_current(l)->number, first = last - (int)c->window + 1;
    Status s = STATUS_OK;
    for (int i = first < 1 ? 1 : first; i <= last && s == STATUS_OK; i++) {
        SampleCounts counts = {0};
        char games[PATH_MAX];
        s = loop_path(l, i, "games", games, why);
        if (s == STATUS_OK)
            s = sample_load(train, held_out, games, &filter, (int)c->threads, l->stop, &counts,
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
    LoopGeneration *g = loop_current(l);
    char net[PATH_MAX], parents[128];
    Status s = loop_path(l, g->number, "net.nn", net, why);
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

Status loop_train(Loop *l, Message *why)
{
    SampleSet set = {0}, held_out = {0};
    Status s = load_window(l, &set, &held_out, why);
    if (s == STATUS_OK)
        s = train_on(l, &set, &held_out, why);
    sample_set_free(&set);
    sample_set_free(&held_out);
    return s;
}

/* -- Matches -- */

static void log_match(Loop *l, const char *kind, const StatsTally *t)
{
    StatsSummary s = stats_summary(t);
    loop_report(l,
                "generation %d: %s: won %" PRIu64 ", drawn %" PRIu64 ", lost %" PRIu64
                ", Elo %.1f +- %.1f, LLR %.2f",
                loop_current(l)->number, kind, t->wins, t->draws, t->losses, s.elo, s.elo_error,
                stats_llr(t, gate.elo0, gate.elo1));
}

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
    Status s = loop_path(l, loop_current(l)->number, state_name, path, why);
    if (s == STATUS_OK)
        s = loop_path(l, loop_current(l)->number, "net.nn", fresh, why);
    if (s == STATUS_OK)
        s = loop_champion_name(l, old, why);
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
    o.seed = (uint64_t)(c->seed + loop_current(l)->number);
    o.has_sprt = true;
    o.sprt = gate;
    o.rules.draw_from_move = 40;
    o.rules.draw_moves = 8;
    o.rules.draw_cp = 10;
    o.rules.margin_ms = 100; /* a busy machine is not the net's fault */
    o.state = path;
    o.resume = true;
    if (s == STATUS_OK) {
        s = match_run(&o, l->stop, &result, why);
        if (result.pairing_count)
            *tally = result.pairings[0].tally;
        match_result_free(&result);
    }
    player_spec_free(&players[0]);
    player_spec_free(&players[1]);
    return s;
}

/* Shown to be better, or not decided but ahead. */
bool loop_passes(const StatsTally *t)
{
    StatsVerdict v = stats_verdict(t, &gate);
    return v == STATS_ACCEPTED || (v == STATS_UNDECIDED && stats_summary(t).score > 0.5);
}

Status loop_match(Loop *l, bool timed, Message *why)
{
    const PlayerLimits nodes = {.nodes = (uint64_t)l->state.config.gate_nodes};
    LoopGeneration *g = loop_current(l);
    StatsTally *t = timed ? &g->timed : &g->nodes;
    Status s = timed ? play_match(l, &l->state.config.gate_clock, "timed.state", t, why)
                     : play_match(l, &nodes, "nodes.state", t, why);
    if (s == STATUS_OK)
        log_match(l, timed ? "timed" : "at fixed nodes", t);
    return s;
}
