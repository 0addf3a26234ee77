/* castellan learn: the whole loop, unattended. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "base/clock.h"
#include "base/thread.h"
#include "train/loop.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_GIVEN = -1, FIELDS_MAX = 32, OWN_ROWS = 5 };

typedef struct Job {
    LoopOptions options;
    atomic_bool stop, over;
    Status status;
    Message why;
} Job;

static void print_line(void *user, const char *line)
{
    (void)user;
    printf("%s\n", line);
    fflush(stdout);
}

static void *work(void *arg)
{
    Job *job = arg;
    job->status = loop_run(&job->options, &job->stop, &job->why);
    atomic_store(&job->over, true);
    return NULL;
}

static int learn(Job *job)
{
    Thread thread;
    interrupt_hold();
    if (thread_start(&thread, work, job, 0, &job->why) != STATUS_OK)
        return command_failed("learn", &job->why);
    while (!atomic_load(&job->over)) {
        clock_sleep_ms(20);
        if (interrupt_came())
            atomic_store(&job->stop, true);
    }
    thread_join(thread);
    return job->status == STATUS_OK ? COMMAND_DONE : command_failed("learn", &job->why);
}

/* -- Arguments -- */

/* A loop keeps what it was begun with: another value for it is refused, not ignored. */
static Status settle_field(LoopConfig *c, const LoopField *f, int64_t given, bool begun,
                           Message *why)
{
    int64_t *into = (int64_t *)(void *)((char *)c + f->offset);
    if (given == NOT_GIVEN || given == *into)
        return STATUS_OK;
    if (begun)
        return status_fail(why, STATUS_INVALID, "this loop was begun with --%s %lld", f->name,
                           (long long)*into);
    *into = given;
    return STATUS_OK;
}

static Status settle_texts(LoopConfig *c, const char *start, const char *tc, bool begun,
                           Message *why)
{
    if (start && strcmp(start, c->start) != 0) {
        if (begun)
            return status_fail(why, STATUS_INVALID, "this loop was begun with --start %s",
                               c->start);
        if (snprintf(c->start, sizeof c->start, "%s", start) >= (int)sizeof c->start ||
            strpbrk(start, "\r\n"))
            return status_fail(why, STATUS_INVALID, "--start: '%.60s' will not do", start);
    }
    if (!tc)
        return STATUS_OK;
    PlayerLimits clock = {0};
    Status s = player_read_clock(&clock, span_of(tc), why);
    if (s == STATUS_OK && begun && memcmp(&clock, &c->gate_clock, sizeof clock) != 0)
        return status_fail(why, STATUS_INVALID, "this loop was begun with another --gate-tc");
    c->gate_clock = clock;
    return s;
}

static Status parse(Job *job, int argc, char **argv)
{
    LoopOptions *o = &job->options;
    const char *hours = NULL, *start = NULL, *tc = NULL;
    char names[FIELDS_MAX][32];
    int64_t given[FIELDS_MAX];
    ArgRow rows[OWN_ROWS + FIELDS_MAX + 1] = {
        {"--dir", ARG_TEXT, &o->dir, 0, 0},
        {"--hours", ARG_TEXT, &hours, 0, 0},
        {"--generations", ARG_INT, &o->generations, 1, 10000},
        {"--start", ARG_TEXT, &start, 0, 0},
        {"--gate-tc", ARG_TEXT, &tc, 0, 0},
    };
    int count = 0;
    for (; count < FIELDS_MAX && loop_fields[count].name; count++) {
        const LoopField *f = &loop_fields[count];
        snprintf(names[count], sizeof names[count], "--%s", f->name);
        given[count] = NOT_GIVEN;
        rows[OWN_ROWS + count] = (ArgRow){names[count], ARG_INT, &given[count], f->min, f->max};
    }
    Status s = args_parse_no_words(rows, argc, argv, &job->why);
    double value = 0;
    if (s == STATUS_OK && (!o->dir || (!hours && !o->generations)))
        return status_fail(&job->why, STATUS_INVALID,
                           o->dir ? "for how many --hours or --generations?" : "where (--dir D)?");
    if (s == STATUS_OK && hours &&
        (!span_to_double(span_of(hours), &value) || !(value > 0 && value <= 100000)))
        return status_fail(&job->why, STATUS_INVALID, "--hours wants a number, not '%s'", hours);
    o->time_ms = (int64_t)(value * 3.6e6);
    Message unread;
    bool begun = s == STATUS_OK && loop_config_of(o->dir, &o->config, &unread) == STATUS_OK;
    for (int i = 0; i < count && s == STATUS_OK; i++)
        s = settle_field(&o->config, &loop_fields[i], given[i], begun, &job->why);
    return s == STATUS_OK ? settle_texts(&o->config, start, tc, begun, &job->why) : s;
}

static int run(int argc, char **argv)
{
    Job job = {.options = {.config = loop_defaults(), .told = print_line}};
    job.options.config.threads = thread_cpu_count();
    if (parse(&job, argc, argv) != STATUS_OK)
        return command_misused("learn", &job.why);
    return learn(&job);
}

const Command command_learn = {
    .name = "learn",
    .summary = "play, train and prove nets, generation after generation",
    .help =
        "usage: castellan learn --dir D (--hours H | --generations N) [--threads N] [...]\n"
        "\n"
        "Plays games with the present evaluation, trains a net on them, and takes it when it wins a\n"
        "match at fixed nodes and then a timed one; then again with the better of the two. A net begins\n"
        "with the weights of the one that played, where that has its sizes. Everything lies in D: the\n"
        "state, log.txt, elo.svg, and gen-001, gen-002 ... with games and nets.\n"
        "Interrupted or killed at any time, the same command goes on; a loop keeps the settings it was\n"
        "begun with.\n"
        "\n"
        "  --hours H                 end in order after so long (of this run)\n"
        "  --generations N           end when there are N generations\n"
        "  --start E                 the first evaluation: classical (default), default, or a net\n"
        "  --threads N               default: all cores\n"
        "  --seed S                  default 1\n"
        "  --games-per-generation N  default 20000\n"
        "  --nodes N                 of a move in these games (default 5000)\n"
        "  --chess960 P              percent of them from Chess960 positions (default 10)\n"
        "  --window N                train on the games of the last N generations (default 3)\n"
        "  --hidden, --buckets, --epochs, --batch   of the training, as for train\n"
        "  --gate-games N            games of each match at most (default 400)\n"
        "  --gate-nodes N            nodes a move in the first match (default 5000)\n"
        "  --gate-tc B+I             clock of the second match (default 2+0.02)\n"
        "  --hash MB                 table of each side (default 16)\n",
    .run = run,
};
