/* base/thread.h for pages that are not cross-origin isolated: they have no shared memory, hence no
 * threads. Every "thread" is a fiber with a stack of its own, and all take turns: JavaScript calls
 * threads_run again and again, and between two calls it sees its messages. A fiber runs until it
 * waits for something, or until a long computation finds in thread_yield that its turn is over.
 * Emscripten's Asyncify makes the switch; the code it adds costs speed, but the rest of the program
 * needs not know: neither the service nor the search has another way to be stopped. */
#include "base/clock.h"
#include "base/thread.h"
#include "wasm/host.h"

#include <emscripten/fiber.h>
#include <stdlib.h>

enum { STACK_BYTES = 2 << 20, SWITCH_BYTES = 512 << 10, MAIN_SWITCH_BYTES = 4096 };
enum { TURN_MS = 8, LONGEST_WAIT_MS = 1000 };

typedef enum WaitKind { WAIT_NOTHING, WAIT_SIGNAL, WAIT_MUTEX, WAIT_FIBER, WAIT_TIME } WaitKind;

typedef struct Wait {
    WaitKind kind;
    const Condition *condition;
    unsigned signals; /* of the condition when the wait began */
    const Mutex *mutex;
    const struct Fiber *fiber;
    int64_t until_ms; /* 0: no limit */
} Wait;

typedef struct Fiber {
    struct Fiber *next;
    emscripten_fiber_t context;
    void *(*run)(void *);
    void *arg;
    Wait wait;
    bool done;
    _Alignas(16) char switch_space[SWITCH_BYTES];
    _Alignas(16) char stack[STACK_BYTES];
} Fiber;

/* What the operating system would keep: there is one of it, as of the thread that JavaScript runs
 * on. */
static struct {
    Fiber *first;
    Fiber *current; /* NULL: JavaScript's own calls */
    int64_t turn_end_ms;
    emscripten_fiber_t main;
    _Alignas(16) char switch_space[MAIN_SWITCH_BYTES];
} turns;

/* -- Taking turns -- */

static bool may_run(const Fiber *f, int64_t now)
{
    const Wait *w = &f->wait;
    if (f->done)
        return false;
    if (w->until_ms && now >= w->until_ms)
        return true;
    switch (w->kind) {
    case WAIT_NOTHING:
        return true;
    case WAIT_SIGNAL:
        return w->condition->signals != w->signals;
    case WAIT_MUTEX:
        return !w->mutex->locked;
    case WAIT_FIBER:
        return w->fiber->done;
    case WAIT_TIME:
        return false;
    }
    return false;
}

static void switch_away(Wait wait)
{
    Fiber *f = turns.current;
    f->wait = wait;
    emscripten_fiber_swap(&f->context, &turns.main);
    f->wait = (Wait){.kind = WAIT_NOTHING};
}

static void append(Fiber *f)
{
    Fiber **at = &turns.first;
    while (*at)
        at = &(*at)->next;
    *at = f;
    f->next = NULL;
}

static void take_out(const Fiber *f)
{
    for (Fiber **at = &turns.first; *at; at = &(*at)->next)
        if (*at == f) {
            *at = f->next;
            return;
        }
}

/* The one that has waited longest: whoever runs goes to the end. */
static Fiber *next_fiber(int64_t now)
{
    for (Fiber *f = turns.first; f; f = f->next)
        if (may_run(f, now)) {
            take_out(f);
            append(f);
            return f;
        }
    return NULL;
}

void threads_run(int ms)
{
    int64_t now = clock_now_ms(), end = now + ms;
    emscripten_fiber_init_from_current_context(&turns.main, turns.switch_space, MAIN_SWITCH_BYTES);
    for (Fiber *f; now < end && (f = next_fiber(now)) != NULL; now = clock_now_ms()) {
        turns.current = f;
        turns.turn_end_ms = now + TURN_MS;
        emscripten_fiber_swap(&turns.main, &f->context);
        turns.current = NULL;
    }
}

int threads_wait_ms(void)
{
    int64_t now = clock_now_ms(), wait = LONGEST_WAIT_MS;
    for (const Fiber *f = turns.first; f; f = f->next) {
        if (may_run(f, now))
            return 0;
        if (!f->done && f->wait.until_ms && f->wait.until_ms - now < wait)
            wait = f->wait.until_ms - now;
    }
    return (int)wait;
}

void thread_yield(void)
{
    if (turns.current && clock_now_ms() >= turns.turn_end_ms)
        switch_away((Wait){.kind = WAIT_NOTHING});
}

void thread_sleep_ms(int64_t ms)
{
    if (turns.current)
        switch_away((Wait){.kind = WAIT_TIME, .until_ms = clock_now_ms() + ms});
}

/* -- Threads -- */

static void fiber_main(void *arg)
{
    Fiber *f = arg;
    f->run(f->arg);
    f->done = true;
    emscripten_fiber_swap(&f->context, &turns.main); /* for ever */
}

/* Every stack is of the same size: what the search, the deepest recursion, needs. */
Status thread_start(Thread *t, void *(*run)(void *), void *arg, size_t stack_bytes, Message *why)
{
    (void)stack_bytes;
    Fiber *f = aligned_alloc(_Alignof(Fiber), sizeof *f); /* malloc aligns to 8 only */
    if (!f)
        return status_fail(why, STATUS_REFUSED, "cannot start a thread: not enough memory");
    f->run = run;
    f->arg = arg;
    f->done = false;
    f->wait = (Wait){.kind = WAIT_NOTHING};
    emscripten_fiber_init(&f->context, fiber_main, f, f->stack, STACK_BYTES, f->switch_space,
                          SWITCH_BYTES);
    append(f);
    *t = f;
    return STATUS_OK;
}

void thread_join(Thread t)
{
    if (!t->done && turns.current)
        switch_away((Wait){.kind = WAIT_FIBER, .fiber = t});
    take_out(t);
    free(t);
}

void thread_run_each(void *(*run)(void *), void *members, size_t member_size, int count)
{
    for (int i = 0; i < count; i++)
        run((char *)members + (size_t)i * member_size);
}

int thread_cpu_count(void)
{
    return 1;
}

/* -- Locks -- */

void mutex_init(Mutex *m)
{
    m->locked = false;
}

void mutex_free(Mutex *m)
{
    (void)m;
}

void mutex_lock(Mutex *m)
{
    while (m->locked && turns.current)
        switch_away((Wait){.kind = WAIT_MUTEX, .mutex = m});
    m->locked = true;
}

void mutex_unlock(Mutex *m)
{
    m->locked = false;
}

void condition_init(Condition *c)
{
    c->signals = 0;
}

void condition_free(Condition *c)
{
    (void)c;
}

static void wait_for_signal(Condition *c, Mutex *m, int64_t until_ms)
{
    mutex_unlock(m);
    switch_away(
        (Wait){.kind = WAIT_SIGNAL, .condition = c, .signals = c->signals, .until_ms = until_ms});
    mutex_lock(m);
}

void condition_wait(Condition *c, Mutex *m)
{
    wait_for_signal(c, m, 0);
}

void condition_wait_ms(Condition *c, Mutex *m, long ms)
{
    wait_for_signal(c, m, clock_now_ms() + ms);
}

void condition_signal_all(Condition *c)
{
    c->signals++;
}
