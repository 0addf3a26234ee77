#include "base/clock.h"

#include "base/thread.h"

#include <stdio.h>
#include <time.h>

int64_t clock_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t clock_now_ms(void)
{
    return clock_now_ns() / 1000000;
}

int64_t clock_wall_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

#if THREADS_TAKE_TURNS
void clock_sleep_ms(int64_t ms)
{
    thread_sleep_ms(ms);
}
#else
void clock_sleep_ms(int64_t ms)
{
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}
#endif

void clock_date(char out[CLOCK_DATE_SIZE])
{
    time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) || !strftime(out, CLOCK_DATE_SIZE, "%Y.%m.%d", &utc))
        snprintf(out, CLOCK_DATE_SIZE, "????.??.??");
}
