/* What an opponent may spend on a move: what the task allows, and the opponent's own habits where
 * the task says nothing. */
#ifndef OPPONENT_EFFORT_H
#define OPPONENT_EFFORT_H

#include "opponent/opponent.h"

typedef struct EffortHabits {
    int depth;      /* of the last iteration when nothing limits the search */
    uint64_t nodes; /* and the most nodes then; 0: any number */
    bool steady;    /* the depth holds on a clock too: a program that knew none */
} EffortHabits;

typedef struct Effort {
    const OpponentTask *task;
    int depth;                /* of the last iteration */
    uint64_t nodes;           /* 0: no limit */
    int64_t start_ms, end_ms; /* clock_now_ms(); end_ms 0: no limit */
    int64_t last_ms, span_ms; /* when the last iteration ended, and what it took */
    unsigned calls;
    bool over; /* and stays so */
} Effort;

Effort effort_begin(const OpponentTask *task, const EffortHabits *habits);

/* True when the search must end now. Cheap: to be asked at every node. */
bool effort_over(Effort *e, uint64_t nodes);

/* The same by the stop flag and the clock alone, asked now: for searches that ask seldom. */
bool effort_late(Effort *e);

/* After an iteration of that depth: true when another one is wanted and fits into the time, if it
 * grows as the last one did. */
bool effort_another(Effort *e, int depth);

/* Tells the task's owner what an iteration has found; its time is filled in. */
void effort_report(const Effort *e, OpponentThought thought);

/* Whether the task allows the move: it may name some. */
bool effort_may_play(const SearchLimits *l, Move m);

/* A search without end has nothing more to do before it is stopped. */
void effort_wait(const Effort *e);

#endif
