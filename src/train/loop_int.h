/* The state of a loop, its file and its picture. */
#ifndef TRAIN_LOOP_INT_H
#define TRAIN_LOOP_INT_H

#include "train/loop.h"

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

/* Reads DIR/state. STATUS_MISSING: a new loop, *s as it was. */
Status loop_state_read(LoopState *s, const char *dir, Message *why);
Status loop_state_write(const LoopState *s, const char *dir, Message *why);
Status loop_state_add(LoopState *s, Message *why); /* the next generation begins */
void loop_state_free(LoopState *s);

/* Elo of a generation against what the loop began with: the sum of all accepted steps, and of this
 * one's when it was refused. The error is that of its own step. */
double loop_elo(const LoopState *s, int index, double *error);

/* Writes DIR/elo.svg. */
Status loop_draw(const LoopState *s, const char *dir, Message *why);

#endif
