/* castellan evolve: the weights of a classic evaluation, evolved by games. */
#include "app/command.h"
#include "app/progress.h"
#include "base/file.h"
#include "classics/classic_weights.h"
#include "tune/evolve.h"

#include <stdio.h>
#include <unistd.h>

typedef struct EvolveCommand {
    EvolveOptions options;
    EvolveState state;
    const char *weights; /* the file for the result */
    const char *svg, *evaluator;
    int64_t depth, nodes; /* 0: not given */
    int64_t match_games;  /* against the initial weights */
    StatsTally match;
    _Atomic uint64_t generation;
} EvolveCommand;

static void on_generation(void *user, const EvolveState *so_far)
{
    atomic_store(&((EvolveCommand *)user)->generation, (uint64_t)so_far->count - 1);
}

static Status evolve_weights(EvolveCommand *c, const atomic_bool *stop, Message *why)
{
    Status s = evolve_run(&c->options, stop, &c->state, why);
    if (s != STATUS_OK || !c->match_games)
        return s;
    int evolved[CLASSIC_EVAL_MAX_WEIGHTS], initial[CLASSIC_EVAL_MAX_WEIGHTS];
    evolve_result(&c->state, evolved);
    classic_eval_default_weights(c->state.config.evaluator, initial);
    return evolve_prove(&c->state.config, evolved, initial, c->match_games, c->options.threads,
                        stop, &c->match, why);
}

static Status write_files(const EvolveCommand *c, Message *why)
{
    Status s = STATUS_OK;
    if (c->svg) {
        Text svg = text_new();
        evolve_svg(&c->state, &svg);
        s = file_write_text(c->svg, &svg, why);
    }
    if (s == STATUS_OK && c->weights) {
        int weights[CLASSIC_EVAL_MAX_WEIGHTS];
        evolve_result(&c->state, weights);
        s = classic_weights_save(c->state.config.evaluator, weights, c->weights, why);
    }
    return s;
}

static void report(const EvolveCommand *c)
{
    Text t = text_new();
    evolve_report(&c->state, &t);
    command_print(&t);
    StatsSummary s = stats_summary(&c->match);
    if (!s.games)
        return;
    printf("\nagainst the initial weights, %llu games: %.1f %% (+%llu =%llu -%llu), "
           "Elo %.1f +- %.1f\n",
           (unsigned long long)s.games, 100 * s.score, (unsigned long long)c->match.wins,
           (unsigned long long)c->match.draws, (unsigned long long)c->match.losses, s.elo,
           s.elo_error);
}

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    EvolveCommand *c = options;
    Progress progress = {.unit = "generations",
                         .total = (uint64_t)c->options.config.generations,
                         .done = &c->generation};
    progress_begin(&progress);
    Status s = progress_end(&progress, evolve_weights(c, &progress.job.stop, why), why);
    if (c->state.count) {
        report(c);
        Message unwritten;
        if (write_files(c, &unwritten) != STATUS_OK) {
            *why = unwritten;
            return STATUS_IO;
        }
    }
    if (s == STATUS_STOPPED && c->options.state)
        status_fail(why, s, "interrupted; --resume continues from %s", c->options.state);
    return s;
}

static void release(void *options)
{
    evolve_free(&((EvolveCommand *)options)->state);
}

/* -- Arguments -- */

static void set_defaults(void *into)
{
    EvolveCommand *c = into;
    c->options.config = evolve_defaults(NULL);
}

static const ArgRow rows[] = {
    ARG_ROW_TEXT(EvolveCommand, evaluator, "--evaluator", "NAME",
                 "evaluation, as for eval --evaluator (default: adaptive)"),
    ARG_ROW_INT(EvolveCommand, options.config.population, "--population", "N", 2,
                EVOLVE_MAX_POPULATION, "number of weight sets"),
    ARG_ROW_INT(EvolveCommand, options.config.games, "--games", "N", 2, 1000,
                "games of a match, two from each opening; an even number"),
    ARG_ROW_INT(EvolveCommand, options.config.generations, "--generations", "N", 0,
                EVOLVE_MAX_GENERATIONS, "maximum number of generations"),
    ARG_ROW_INT(EvolveCommand, depth, "--depth", "D", 1, 64,
                "search depth of the players, in plies (default: 2)"),
    ARG_ROW_INT(EvolveCommand, nodes, "--nodes", "N", 1, 1000000000,
                "nodes per move of the players"),
    ARG_ROW_INT(EvolveCommand, match_games, "--prove", "N", 2, 1000000,
                "afterwards, play N games against the initial weights; an even number"),
    ARG_ROW_PATH(EvolveCommand, options.state, "--state", "FILE", "state file, for --resume"),
    ARG_ROW_FLAG(EvolveCommand, options.resume, "--resume", "resume from the state file"),
    ARG_ROW_FLAG(EvolveCommand, options.config.plain, "--plain",
                 "replace the loser by an unchanged copy of the winner, as in the diagram of the "
                 "adaptive program's document (default: a mutated copy, as in its text)"),
    ARG_ROW_PATH(EvolveCommand, weights, "--weights", "FILE",
                 "write the weights to a file, for the weights setting of the opponent adaptive"),
    ARG_ROW_PATH(EvolveCommand, svg, "--svg", "FILE", "draw the population by generation"),
    ARG_ROW_SEED(EvolveCommand, options.config.seed, "random seed"),
    ARG_ROW_THREADS(EvolveCommand, options.threads, 1024,
                    "concurrent games; the result does not depend on it"),
    {0},
};

static Status check_files(const EvolveCommand *c, Message *why)
{
    if (c->options.config.games % 2 || c->match_games % 2)
        return status_fail(
            why, STATUS_INVALID,
            "--games and --prove must be even: each opening is played with both colours");
    if (c->options.resume && !c->options.state)
        return status_fail(why, STATUS_INVALID, "missing --state FILE (for --resume)");
    if ((c->svg && file_check_place(c->svg, why) != STATUS_OK) ||
        (c->weights && file_check_place(c->weights, why) != STATUS_OK))
        return STATUS_IO;
    if (!c->options.resume && c->options.state && access(c->options.state, F_OK) == 0)
        return status_fail(why, STATUS_REFUSED, "%s already exists; --resume continues from it",
                           c->options.state);
    return STATUS_OK;
}

static Status check(void *options, const ArgWords *words UNUSED, Message *why)
{
    EvolveCommand *c = options;
    EvolveOptions *o = &c->options;
    Status s = STATUS_OK;
    if (c->depth || c->nodes) {
        o->config.depth = c->depth;
        o->config.nodes = c->nodes;
    }
    o->news = on_generation;
    o->user = c;
    if (c->evaluator || !o->resume) /* a state file names its evaluation */
        s = classic_eval_find(&o->config.evaluator,
                              span_of(c->evaluator ? c->evaluator : "adaptive"), why);
    return s == STATUS_OK ? check_files(c, why) : s;
}

const Command command_evolve = {
    .name = "evolve",
    .summary = "evolve the weights of a classic evaluation by games",
    .about =
        "Weight sets of a classic program's evaluation play each other; the winners stay, mutated\n"
        "copies of them replace the losers, and the bounds follow the winners until all sets agree.\n"
        "Prints the weights. An interrupted run resumes with --resume and gives the same result.\n",
    .args = ARG_TABLE(EvolveCommand, rows, NULL, .defaults = set_defaults),
    .check = check,
    .run = run,
    .release = release,
};
