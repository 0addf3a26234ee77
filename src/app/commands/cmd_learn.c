/* castellan learn: self-play, training and matches in a loop. */
#include "app/arg_values.h"
#include "app/command.h"
#include "base/job.h"
#include "base/thread.h"
#include "train/loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NOT_GIVEN = -1 };

typedef struct LearnCommand {
    LoopOptions options;
    const char *start;
    double hours;
} LearnCommand;

static void print_line(void *user, const char *line)
{
    (void)user;
    printf("%s\n", line);
    fflush(stdout);
}

static Status run_loop(void *user, const atomic_bool *stop, Message *why)
{
    LearnCommand *c = user;
    return loop_run(&c->options, stop, why);
}

/* -- Arguments -- */

static void set_defaults(void *into)
{
    LearnCommand *c = into;
    *c = (LearnCommand){.options.config = loop_defaults(), .start = "default"};
    c->options.config.threads = 0;
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
    CONFIG_ROW(threads, "--threads", "N", 1, 1024, "threads (default: number of cores)"),
    CONFIG_ROW(seed, "--seed", "S", 0, INT64_MAX / 2, "random seed"),
    CONFIG_ROW(games, "--games-per-generation", "N", 1, INT64_MAX / 2, "training games"),
    CONFIG_ROW(nodes, "--nodes", "N", 1, 1 << 30, "nodes per move of a training game"),
    CONFIG_ROW(label_nodes, "--label-nodes", "N", 0, 1 << 30,
               "nodes per label of a quiet position, without late move pruning; 0: learn from the "
               "scores of the games"),
    CONFIG_ROW(chess960, "--chess960", "PERCENT", 0, 100,
               "share of games from Chess960 start positions, in percent"),
    CONFIG_ROW(window, "--window", "N", 1, 1000, "train on the games of the last N generations"),
    CONFIG_ROW(hidden, "--hidden", "N", 64, 4096,
               "neurons of the hidden layer (default: as the first net)"),
    CONFIG_ROW(buckets, "--buckets", "N", 1, 8,
               "output buckets by number of pieces: 1 or 8 (default: as the first net)"),
    CONFIG_ROW(epochs, "--epochs", "N", 1, 100000,
               "epochs of training (default: 3, or 40 from random weights)"),
    CONFIG_ROW(batch, "--batch", "N", 1, 1 << 24, "positions per batch"),
    CONFIG_ROW(gate_games, "--gate-games", "N", 2, 1000000, "games of each match at most"),
    CONFIG_ROW(gate_nodes, "--gate-nodes", "N", 1, 1 << 30, "nodes per move of the first match"),
    ARG_ROW_PARSED(LearnCommand, options.config.gate_clock, "--gate-tc", "TC", arg_clock,
                   ARG_CLOCK_ACCEPTS,
                   "time control of the second match, in seconds (default 2+0.02)"),
    CONFIG_ROW(hash_mb, "--hash", "MB", 1, 1 << 20,
               "transposition table of each player in matches, in MB"),
    {0},
};

static const ArgTable table = {
    .rows = rows, .size = sizeof(LearnCommand), .defaults = set_defaults};

/* A loop keeps the options it was created with: a different value is refused, not ignored. */
static Status take_fields(LoopConfig *config, const LoopConfig *given, bool exists, Message *why)
{
    for (const LoopField *f = loop_fields; f->name; f++) {
        int64_t value = *(const int64_t *)(const void *)((const char *)given + f->offset);
        int64_t *into = (int64_t *)(void *)((char *)config + f->offset);
        if (value == NOT_GIVEN || value == *into)
            continue;
        if (exists)
            return status_fail(why, STATUS_INVALID,
                               "this loop was created with different options: --%s %" PRId64,
                               f->name, *into);
        *into = value;
    }
    return STATUS_OK;
}

static Status take_start(LoopConfig *config, const char *start, bool exists, Message *why)
{
    if (!start || strcmp(start, config->start) == 0)
        return STATUS_OK;
    if (exists)
        return status_fail(why, STATUS_INVALID,
                           "this loop was created with different options: --start %s",
                           config->start);
    if (snprintf(config->start, sizeof config->start, "%s", start) >= (int)sizeof config->start ||
        strpbrk(start, "\r\n"))
        return status_fail(why, STATUS_INVALID, "invalid value '%.60s' for --start: a path", start);
    return STATUS_OK;
}

static Status take_clock(LoopConfig *config, const PlayerLimits *given, bool exists, Message *why)
{
    if (!given->base_ms || memcmp(given, &config->gate_clock, sizeof *given) == 0)
        return STATUS_OK;
    if (exists)
        return status_fail(why, STATUS_INVALID,
                           "this loop was created with different options: another --gate-tc");
    config->gate_clock = *given;
    return STATUS_OK;
}

/* Nothing given at first, so that what was given shows. */
static Status parse_given(LearnCommand *given, int argc, char **argv, Message *why)
{
    ArgTable plain = table;
    plain.defaults = NULL;
    *given = (LearnCommand){0};
    for (const LoopField *f = loop_fields; f->name; f++)
        *(int64_t *)(void *)((char *)&given->options.config + f->offset) = NOT_GIVEN;
    Status s = args_parse(&plain, given, argc, argv, NULL, why);
    if (s == STATUS_OK && !(given->hours > 0) && !given->options.generations)
        s = status_fail(why, STATUS_INVALID, "missing --hours H or --generations N");
    return s;
}

static Status parse(LearnCommand *c, int argc, char **argv, Message *why)
{
    LearnCommand given;
    Message unread;
    Status s = parse_given(&given, argc, argv, why);
    if (s != STATUS_OK)
        return s;
    set_defaults(c);
    LoopConfig *config = &c->options.config;
    config->threads = thread_cpu_count();
    bool exists = loop_config_of(given.options.dir, config, &unread) == STATUS_OK;
    s = take_fields(config, &given.options.config, exists, why);
    if (s == STATUS_OK)
        s = take_start(config, given.start, exists, why);
    if (s == STATUS_OK)
        s = take_clock(config, &given.options.config.gate_clock, exists, why);
    c->options.dir = given.options.dir;
    c->options.generations = given.options.generations;
    c->options.time_ms = (int64_t)(given.hours * 3.6e6);
    return s;
}

static int run(int argc, char **argv)
{
    LearnCommand c;
    Message why;
    if (parse(&c, argc, argv, &why) != STATUS_OK)
        return command_misused("learn", &why);
    c.options.told = print_line;
    Status s = job_run(run_loop, NULL, &c, &why);
    if (s == STATUS_STOPPED)
        status_fail(&why, s, "interrupted; run the same command again to resume");
    return command_end("learn", s, &why);
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
    .args = &table,
    .run = run,
};
