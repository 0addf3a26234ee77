#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

/* WebAssembly keeps most variables outside of these stacks, and phones have little memory. */
#if defined(__EMSCRIPTEN__)
enum { LARGEST_STACK = 4 << 20 };
#else
enum { LARGEST_STACK = 1 << 30 };
#endif

Status thread_start(Thread *t, void *(*run)(void *), void *arg, size_t stack_bytes, Message *why)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    if (stack_bytes)
        pthread_attr_setstacksize(&attr, stack_bytes < LARGEST_STACK ? stack_bytes : LARGEST_STACK);
    int error = pthread_create(t, &attr, run, arg);
    pthread_attr_destroy(&attr);
    if (error)
        return status_fail(why, STATUS_REFUSED, "cannot start a thread: %s", strerror(error));
    return STATUS_OK;
}

void thread_join(Thread t)
{
    pthread_join(t, NULL);
}

void thread_run_each(void *(*run)(void *), void *members, size_t member_size, int count)
{
    Thread *threads = count > 1 ? calloc((size_t)count - 1, sizeof *threads) : NULL;
    int started = 0;
    while (threads && started < count - 1 &&
           thread_start(&threads[started], run,
                        (char *)members + (size_t)(started + 1) * member_size, 0,
                        NULL) == STATUS_OK)
        started++;
    if (count > 0)
        run(members);
    for (int i = started + 1; i < count; i++)
        run((char *)members + (size_t)i * member_size);
    for (int i = 0; i < started; i++)
        thread_join(threads[i]);
    free(threads);
}

void mutex_init(Mutex *m)
{
    pthread_mutex_init(m, NULL);
}

void mutex_free(Mutex *m)
{
    pthread_mutex_destroy(m);
}

void mutex_lock(Mutex *m)
{
    pthread_mutex_lock(m);
}

void mutex_unlock(Mutex *m)
{
    pthread_mutex_unlock(m);
}

void condition_free(Condition *c)
{
    pthread_cond_destroy(c);
}

void condition_wait(Condition *c, Mutex *m)
{
    pthread_cond_wait(c, m);
}

void condition_signal_all(Condition *c)
{
    pthread_cond_broadcast(c);
}
