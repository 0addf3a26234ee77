/* Inside the loop: its state, the file and the chart of that, and the phases of a generation. */
#ifndef TRAIN_LOOP_INT_H
#define TRAIN_LOOP_INT_H

#include "eval/eval.h"
#include "match/stats.h"
#include "train/loop.h"

#include <limits.h>
#include <stdatomic.h>

typedef enum LoopPhase {
    LOOP_PLAY,
    LOOP_TRAIN,
    LOOP_NODES,
    LOOP_TIMED,
    LOOP_PHASE_COUNT
} LoopPhase;

typedef struct LoopState {
    LoopConfig config;
    int champion; /* generation whose net is the best so far; 0: what the loop began with */
    LoopPhase phase;
    LoopGeneration *generations; /* the last one is under way */
    int count;
} LoopState;

/* Reads DIR/state into an empty state, which stays empty on failure. STATUS_MISSING: a new loop. */
Status loop_state_read(LoopState *s, const char *dir, Message *why);
Status loop_state_write(const LoopState *s, const char *dir, Message *why);
Status loop_state_add(LoopState *s, Message *why); /* the next generation begins */
void loop_state_free(LoopState *s);

/* Elo of a generation against what the loop began with: the sum of all accepted steps, and of this
 * one's when it was refused. The error is that of its own step. */
double loop_elo(const LoopState *s, int index, double *error);

/* Writes DIR/elo.svg. */
Status loop_draw(const LoopState *s, const char *dir, Message *why);

typedef struct Loop {
    const LoopOptions *options;
    const atomic_bool *stop; /* every phase polls it */
    LoopState state;
    const Evaluator *champion;
    int64_t began_ms;
    int lock_fd, log_fd;
} Loop;

void loop_report(Loop *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
LoopGeneration *loop_current(Loop *l);
Status loop_stopped(Message *why); /* STATUS_STOPPED */

/* DIR/gen-NNN/NAME. */
Status loop_path(const Loop *l, int generation, const char *name, char out[PATH_MAX], Message *why);

/* The name by which evaluators are found: a net of the loop, or what it started with. */
Status loop_champion_name(const Loop *l, char out[PATH_MAX], Message *why);

/* -- Phases (loop_phases.c): each resumes where it was interrupted -- */

Status loop_play(Loop *l, Message *why);
Status loop_train(Loop *l, Message *why);
Status loop_match(Loop *l, bool timed, Message *why);

/* Shown to be better, or not decided but ahead. */
bool loop_passes(const StatsTally *t);

#endif
