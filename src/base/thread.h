/* Threads, locks and signals between threads, over pthreads: failures to create are values, the
 * rest cannot fail when used as documented. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include "base/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* WebAssembly without threads: they take turns, see wasm/fibers.c. */
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define THREADS_TAKE_TURNS 1
#else
#define THREADS_TAKE_TURNS 0
#endif

#if THREADS_TAKE_TURNS
typedef struct Fiber *Thread;
typedef struct Mutex {
    bool locked;
} Mutex;
typedef struct Condition {
    unsigned signals;
} Condition;

void thread_yield(void); /* for long computations: lets others run when the turn is over */
void thread_sleep_ms(int64_t ms);
#else
typedef pthread_t Thread;
typedef pthread_mutex_t Mutex;
typedef pthread_cond_t Condition;

static inline void thread_yield(void)
{
}
#endif

/* Starts `run(arg)` with a stack of `stack_bytes` (0: the system's default). */
Status thread_start(Thread *t, void *(*run)(void *), void *arg, size_t stack_bytes, Message *why);
void thread_join(Thread t);

/* Runs `run` on each of `count` members of an array at the same time, the first in the calling
 * thread, and returns when all have ended; with a member size of 0 all are given the same. Where
 * the machine gives no more threads the rest are run one after the other: slower, but done. */
void thread_run_each(void *(*run)(void *), void *members, size_t member_size, int count);
int thread_cpu_count(void); /* cores this process may use */

void mutex_init(Mutex *m);
void mutex_free(Mutex *m);
void mutex_lock(Mutex *m);
void mutex_unlock(Mutex *m);

void condition_init(Condition *c);
void condition_free(Condition *c);
void condition_wait(Condition *c, Mutex *m);
void condition_wait_ms(Condition *c, Mutex *m, long ms); /* returns on a signal or after `ms` */
void condition_signal_all(Condition *c);

/* Sets a flag that `m` guards and wakes the threads that wait for it. */
static inline void condition_set(Condition *c, Mutex *m, bool *flag)
{
    mutex_lock(m);
    *flag = true;
    condition_signal_all(c);
    mutex_unlock(m);
}

/* What one thread waits for and another one says, once: that a search or a job is over. Whatever
 * was written before latch_open can be read after latch_wait. */
typedef struct Latch {
    Mutex lock;
    Condition changed;
    bool open;
} Latch;

static inline void latch_init(Latch *l) /* closed */
{
    mutex_init(&l->lock);
    condition_init(&l->changed);
    l->open = false;
}

static inline void latch_free(Latch *l)
{
    condition_free(&l->changed);
    mutex_free(&l->lock);
}

static inline void latch_open(Latch *l)
{
    condition_set(&l->changed, &l->lock, &l->open);
}

static inline void latch_close(Latch *l)
{
    mutex_lock(&l->lock);
    l->open = false;
    mutex_unlock(&l->lock);
}

/* Waits at most `ms`; true when it is open. */
static inline bool latch_wait(Latch *l, long ms)
{
    mutex_lock(&l->lock);
    if (!l->open)
        condition_wait_ms(&l->changed, &l->lock, ms);
    bool open = l->open;
    mutex_unlock(&l->lock);
    return open;
}

#endif
