/* Long work that is no search, beside a session that keeps listening: perft, bench, genfens. */
#ifndef PROTO_UCI_TASK_H
#define PROTO_UCI_TASK_H

#include "base/status.h"
#include "base/text.h"
#include "base/thread.h"
#include "chess/position.h"
#include "proto/output.h"

#include <stdatomic.h>

/* All zeros but `out` at first. */
typedef struct Task {
    Output *out;
    Thread thread;
    bool started; /* there is a thread to join */
    atomic_bool stop;
    Position position; /* perft */
    int depth;         /* perft, bench */
    int64_t count;     /* genfens */
    uint64_t seed;
    char book[1024];
} Task;

void task_stop(Task *t); /* asks it to end soon; harmless when idle */
void task_wait(Task *t); /* until it has ended; harmless when idle */

/* Each ends a running task first, then starts and returns at once. */
Status task_perft(Task *t, const Position *p, int depth, Message *why);
Status task_bench(Task *t, Span arguments, Message *why);
Status task_genfens(Task *t, Span arguments, Message *why); /* "N seed S book None|FILE" */

#endif
