/* Every phase can be repeated at any time: games, training and matches each resume from their own
 * files, and a phase whose end was not recorded finds its work done. */
#include "train/loop.h"

#include "base/clock.h"
#include "base/file.h"
#include "train/data/data.h"
#include "train/loop_int.h"
#include "train/selfplay/selfplay_game.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 1000 };

LoopConfig loop_defaults(void)
{
    return (LoopConfig){.start = "default",
                        .threads = 1,
                        .seed = 1,
                        .games = 200000,
                        .nodes = 200,
                        .label_nodes = LABEL_NODES,
                        .chess960 = 5,
                        .random_moves = 6,
                        .window = 10,
                        .batch = 16384,
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

/* -- Log -- */

void loop_report(Loop *l, const char *format, ...)
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
        l->options->told(line);
    size_t len = strlen(line);
    line[len] = '\n';
    /* The log is for people: a full disk shows itself where it matters, in the state. */
    if (l->log_fd >= 0 && write(l->log_fd, line, len + 1) < 0)
        l->log_fd = -1;
}

LoopGeneration *loop_current(Loop *l)
{
    return &l->state.generations[l->state.count - 1];
}

/* -- Paths -- */

Status loop_path(const Loop *l, int generation, const char *name, char out[PATH_MAX], Message *why)
{
    return data_path(out, why, "%s/gen-%03d/%s", l->options->dir, generation, name);
}

/* The name by which evaluators are found: a net of the loop, or what it began with. */
Status loop_champion_name(const Loop *l, char out[PATH_MAX], Message *why)
{
    if (l->state.champion)
        return loop_path(l, l->state.champion, "net.nn", out, why);
    snprintf(out, PATH_MAX, "%s", l->state.config.start);
    return STATUS_OK;
}

Status loop_stopped(Message *why)
{
    return status_fail(why, STATUS_STOPPED, "stopped");
}

/* -- Phases -- */

static Status load_champion(Loop *l, Message *why)
{
    char name[PATH_MAX];
    const Evaluator *e;
    Status s = loop_champion_name(l, name, why);
    if (s == STATUS_OK)
        s = evaluator_find(&e, name, why);
    if (s != STATUS_OK)
        return s;
    evaluator_close(l->champion);
    l->champion = e;
    return STATUS_OK;
}

/* The generation is over: the next one begins with the better of the two. */
static Status end_generation(Loop *l, bool accepted, Message *why)
{
    LoopGeneration *g = loop_current(l);
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
        s = loop_play(l, why);
        return s == STATUS_OK ? next_phase(l, LOOP_TRAIN, why) : s;
    case LOOP_TRAIN:
        s = loop_train(l, why);
        return s == STATUS_OK ? next_phase(l, LOOP_NODES, why) : s;
    case LOOP_NODES:
        s = loop_match(l, false, why);
        if (s != STATUS_OK)
            return s;
        return loop_passes(&loop_current(l)->nodes) ? next_phase(l, LOOP_TIMED, why)
                                                    : end_generation(l, false, why);
    default:
        s = loop_match(l, true, why);
        return s == STATUS_OK ? end_generation(l, loop_passes(&loop_current(l)->timed), why) : s;
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
    int64_t until_ms = l->options->until_ms;
    while (s == STATUS_OK && !generations_used_up(l))
        s = atomic_load(l->stop) ? loop_stopped(why) : run_phase(l, why);
    if (s == STATUS_STOPPED && until_ms && clock_now_ms() >= until_ms) {
        loop_report(l, "time limit reached in generation %d", loop_current(l)->number);
        return STATUS_OK;
    }
    if (s == STATUS_STOPPED)
        loop_report(l, "stopped in generation %d", loop_current(l)->number);
    else if (s != STATUS_OK)
        loop_report(l, "failed: %s", why->text);
    return s;
}

/* -- Start and end -- */

/* One loop at a time in a directory; the lock goes with the process, however it ends. */
static Status open_files(Loop *l, Message *why)
{
    char path[PATH_MAX];
    const char *dir = l->options->dir;
    Status s = data_make_dir(dir, why);
    if (s == STATUS_OK)
        s = data_path(path, why, "%s/log.txt", dir);
    if (s != STATUS_OK)
        return s;
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
    Status s = open_files(&l, why);
    if (s == STATUS_OK)
        s = open_state(&l, why);
    if (s == STATUS_OK)
        s = run_phases(&l, why);
    evaluator_close(l.champion);
    loop_state_free(&l.state);
    if (l.log_fd >= 0)
        close(l.log_fd);
    if (l.lock_fd >= 0)
        close(l.lock_fd);
    return s;
}
