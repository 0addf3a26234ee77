/* castellan learn: self-play, training and matches in a loop. */
#include "app/command.h"
#include "base/clock.h"
#include "base/job.h"
#include "train/loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct LearnCommand {
    LoopOptions options;
    const char *start;
    double hours;
} LearnCommand;

static void print_line(const char *line)
{
    printf("%s\n", line);
    fflush(stdout);
}

/* -- Arguments -- */

static void set_defaults(void *into)
{
    LearnCommand *c = into;
    *c = (LearnCommand){.options.config = loop_defaults(), .start = "default"};
}

#define CONFIG_ROW(field, name, value, min, max, help) \
    ARG_ROW_INT(LearnCommand, options.config.field, name, value, min, max, help)

static const ArgRow rows[] = {
    ARG_ROW_NEEDED_PATH(LearnCommand, options.dir, "--dir", "DIR",
                        "directory of the state, log, games and nets"),
    ARG_ROW_REAL(LearnCommand, hours, "--hours", "H", 0.0001, 100000, "stop after H hours"),
    ARG_ROW_INT(LearnCommand, options.generations, "--generations", "N", 1, 10000,
                "stop when there are N generations"),
    ARG_ROW_TEXT(LearnCommand, start, "--start", "E",
                 "first evaluation: classical, default, or a net file"),
    ARG_ROW_THREADS(LearnCommand, options.config.threads, 1024, "threads"),
    CONFIG_ROW(seed, "--seed", "S", 0, INT64_MAX / 2, "random seed"),
    CONFIG_ROW(games, "--games-per-generation", "N", 1, INT64_MAX / 2, "training games"),
    CONFIG_ROW(nodes, "--nodes", "N", 1, 1 << 30, "nodes per move of a training game"),
    CONFIG_ROW(label_nodes, "--label-nodes", "N", 0, 1 << 30,
               "nodes per label of a quiet position, without late move pruning; 0: learn from the "
               "scores of the games"),
    CONFIG_ROW(chess960, "--chess960", "PERCENT", 0, 100,
               "share of games from Chess960 start positions, in percent"),
    CONFIG_ROW(random_moves, "--random-moves", "PERCENT", 0, 100,
               "share of random moves in every second game, in percent"),
    CONFIG_ROW(window, "--window", "N", 1, 1000, "train on the games of the last N generations"),
    CONFIG_ROW(hidden, "--hidden", "N", 64, 4096,
               "neurons of the hidden layer (default: as the first net)"),
    CONFIG_ROW(buckets, "--buckets", "N", 1, 8,
               "output buckets by number of pieces: 1 or 8 (default: as the first net)"),
    CONFIG_ROW(epochs, "--epochs", "N", 1, 100000,
               "epochs of training (default: 2, or 40 from random weights)"),
    CONFIG_ROW(batch, "--batch", "N", 1, 1 << 24, "positions per batch"),
    CONFIG_ROW(gate_games, "--gate-games", "N", 2, 1000000, "games of each match at most"),
    CONFIG_ROW(gate_nodes, "--gate-nodes", "N", 1, 1 << 30, "nodes per move of the first match"),
    ARG_ROW_PARSED(LearnCommand, options.config.gate_clock, "--gate-tc", "TC", args_clock,
                   ARGS_CLOCK_ACCEPTS,
                   "time control of the second match, in seconds (default 2+0.02)"),
    CONFIG_ROW(hash_mb, "--hash", "MB", 1, 1 << 20,
               "transposition table of each player in matches, in MB"),
    {0},
};

static bool is_given(const ArgWords *words, const char *name)
{
    for (int i = 0; rows[i].name; i++)
        if (strcmp(rows[i].name + 2, name) == 0)
            return words->given >> i & 1;
    return false;
}

static Status refuse_change(Message *why, const char *name, const char *value)
{
    return status_fail(why, STATUS_INVALID, "this loop was created with different options: --%s %s",
                       name, value);
}

/* A loop keeps the options it was created with: a different value is refused, not ignored. */
static Status check_kept(const LearnCommand *c, const LoopConfig *kept, const ArgWords *words,
                         Message *why)
{
    const LoopConfig *config = &c->options.config;
    for (const StateField *f = loop_fields; f->name; f++) {
        char value[24];
        int64_t kept_value = state_field_value(f, kept);
        snprintf(value, sizeof value, "%" PRId64, kept_value);
        if (is_given(words, f->name) && state_field_value(f, config) != kept_value)
            return refuse_change(why, f->name, value);
    }
    if (is_given(words, "start") && strcmp(c->start, kept->start) != 0)
        return refuse_change(why, "start", kept->start);
    if (is_given(words, "gate-tc") &&
        memcmp(&config->gate_clock, &kept->gate_clock, sizeof kept->gate_clock) != 0)
        return refuse_change(why, "gate-tc", "with another value");
    return STATUS_OK;
}

static Status check(void *options, const ArgWords *words, Message *why)
{
    LearnCommand *c = options;
    LoopConfig *config = &c->options.config, kept = loop_defaults();
    if (!(c->hours > 0) && !c->options.generations)
        return status_fail(why, STATUS_INVALID, "missing --hours H or --generations N");
    if (loop_config_of(c->options.dir, &kept, NULL) == STATUS_OK) {
        Status s = check_kept(c, &kept, words, why);
        *config = kept;
        return s;
    }
    int length = snprintf(config->start, sizeof config->start, "%s", c->start);
    if (length >= (int)sizeof config->start || strpbrk(c->start, "\r\n"))
        return status_fail(why, STATUS_INVALID, "invalid value '%.60s' for --start: a path",
                           c->start);
    return STATUS_OK;
}

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    LearnCommand *c = options;
    Job job;
    int64_t limit_ms = (int64_t)(c->hours * 3.6e6);
    c->options.told = print_line;
    c->options.until_ms = limit_ms ? clock_now_ms() + limit_ms : 0;
    job_begin(&job, limit_ms, NULL, NULL);
    return job_end(&job, loop_run(&c->options, &job.stop, why), why);
}

const Command command_learn = {
    .name = "learn",
    .summary = "self-play, training and matches in a loop",
    .about =
        "Plays games with the current net, scores their quiet positions with longer searches,\n"
        "trains a new net on these scores, and accepts it when it wins a match at fixed nodes and\n"
        "then a timed one; then starts over with the better of the two. A new net starts from the\n"
        "weights of the current one where the sizes allow. DIR holds the\n"
        "state, log.txt, elo.svg, and gen-001, gen-002 ... with games and nets. An interrupted loop\n"
        "resumes when the same command is run again; it keeps the options it was created with.\n",
    .args = ARG_TABLE(LearnCommand, rows, NULL, .defaults = set_defaults),
    .check = check,
    .run = run,
    .interrupted = "run the same command again to resume",
};
