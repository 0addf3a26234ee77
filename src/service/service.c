#include "service/service_int.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "service/board_int.h"
#include "service/client_int.h"
#include "service/pool_int.h"
#include "service/study/study_int.h"
#include "service/sync_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TICK_MS = 100,   /* analysis is sent as often */
    ALIVE_MS = 2000, /* how much of a clock a kill may forget */
    IDLE_MS = 60000,
    TRIM_MS = 1000, /* between two returns of freed memory */
    LEAST_SEARCHERS = 2,
    REQUEST_THREADS = 2,
    REQUEST_NICENESS = 5,
    BACKGROUND_NICENESS = 10
};

/* -- The folder -- */

/* Two servers on one file would each believe that the games are theirs. */
static Status lock_folder(const char *data, int *fd, Message *why)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/castellan.lock", data);
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*fd < 0)
        return status_fail(why, STATUS_IO, "%s: %s", path, strerror(errno));
    if (file_lock(*fd, 0))
        return STATUS_OK;
    close(*fd);
    *fd = -1;
    return status_fail(why, STATUS_REFUSED, "%s: in use by another castellan web", data);
}

/* -- Opening -- */

Status service_open_store(const Service *service, Store **out, Message *why)
{
    return service->read_only ? store_open_readable(out, service->store_path, why)
                              : store_open(out, service->store_path, why);
}

/* Damage and a full disk are found now, not with the first move. */
static Status open_for_writing(Service *service, Message *why)
{
    Status s = store_open(&service->store, service->store_path, why);
    if (s != STATUS_OK)
        return s;
    store_leave_checkpoints(service->store); /* to the sync thread: everybody waits for this one */
    service->alive_before = store_alive(service->store);
    s = store_check(service->store, why);
    if (s == STATUS_OK)
        s = store_set_alive(service->store, clock_wall_ms(), why);
    if (s == STATUS_OK)
        return store_sync(service->store, why);
    message_prefix(why, "%s: ", service->store_path);
    return s;
}

static Status open_store(Service *service, Message *why)
{
    Message ignored;
    snprintf(service->store_path, sizeof service->store_path, "%s/castellan.db",
             service->options->data);
    Status s = open_for_writing(service, why);
    if (s == STATUS_IO) {
        service->read_only = true;
        service->warning = *why;
        store_close(service->store);
        service->store = NULL;
        if (service_open_store(service, &service->store, &ignored) == STATUS_OK &&
            store_check(service->store, &ignored) != STATUS_MEMORY)
            s = STATUS_OK;
    }
    return s == STATUS_OK ? sync_open(&service->sync, service, why) : s;
}

static Status open_tables(Service *service, Message *why)
{
    if (!service->options->tables)
        return STATUS_OK;
    Status s = tb_open(&service->tb, service->options->tables, why);
    if (s != STATUS_OK) {
        message_prefix(why, "tables: ");
        return s;
    }
    tb_describe(service->tb, &service->tables);
    if (why->text[0])
        text_addf(&service->tables, "; %s", why->text);
    return STATUS_OK;
}

const char *service_tables(const Service *service)
{
    return service->tables.at;
}

static Status open_pools(Service *service, Message *why)
{
    int cores = thread_cpu_count(), searchers = cores > LEAST_SEARCHERS ? cores : LEAST_SEARCHERS;
    Status s = pool_open(&service->search_pool, service, searchers, 0, why);
    if (s == STATUS_OK)
        s = pool_open(&service->request_pool, service, REQUEST_THREADS, REQUEST_NICENESS, why);
    if (s == STATUS_OK)
        s = pool_open(&service->background_pool, service, 1, BACKGROUND_NICENESS, why);
    return s;
}

static Status open_parts(Service *service, Message *why)
{
    uint64_t seed;
    Status s = file_make_folders(service->options->data, 0700, why);
    if (s == STATUS_OK)
        s = lock_folder(service->options->data, &service->folder_lock, why);
    if (s == STATUS_OK && getentropy(&seed, sizeof seed) != 0)
        s = status_fail(why, STATUS_IO, "cannot get random numbers from the system");
    if (s == STATUS_OK) {
        random_seed(&service->random, seed);
        s = openings_open(&service->openings, why);
    }
    if (s == STATUS_OK)
        s = book_open_own(&service->book, why);
    if (s == STATUS_OK)
        s = evaluator_default(&service->evaluator, why);
    if (s == STATUS_OK)
        s = open_tables(service, why);
    if (s == STATUS_OK)
        s = open_store(service, why);
    return s == STATUS_OK ? open_pools(service, why) : s;
}

Status service_open(Service **out, const ServiceOptions *options, Message *why)
{
    Service *service = calloc(1, sizeof *service);
    if (!service)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the service");
    service->options = options;
    service->folder_lock = -1;
    text_init(&service->tables);
    service->started_wall = clock_wall_ms();
    mutex_init(&service->lock);
    condition_init(&service->wake);
    Status s = open_parts(service, why);
    if (s == STATUS_OK) {
        *out = service;
        *why = service->warning;
    } else {
        service_stop(service);
        service_close(service);
    }
    return s;
}

/* -- Time -- */

int64_t service_idle_ms(const Service *service)
{
    return service->options->idle_ms ? service->options->idle_ms : IDLE_MS;
}

static void unload_boards(Service *service, int64_t now)
{
    for (Board *b = service->boards, *next; b; b = next) {
        next = b->next;
        if (b->job || b->has_reply || play_clock_runs(&b->play) ||
            client_any_watches(service, b->g.id))
            b->unwatched = 0;
        else if (!b->unwatched)
            b->unwatched = now;
        else if (now - b->unwatched > service_idle_ms(service))
            board_unload(service, b);
    }
}

/* When no board is loaded: nobody waits for it then. */
static void return_free_memory(Service *service, int64_t now)
{
    if (service->boards || now - service->trimmed < TRIM_MS ||
        !atomic_exchange(&service->freed, false))
        return;
    memory_return_free();
    service->trimmed = now;
}

static void note_alive(Service *service, int64_t now)
{
    Message why;
    bool runs = false;
    for (const Board *b = service->boards; b; b = b->next)
        runs |= play_clock_runs(&b->play);
    if (!runs || now - service->alive_noted < ALIVE_MS)
        return;
    store_set_alive(service->store, clock_wall_ms(),
                    &why); /* if it fails, a kill forgets a little more */
    service->alive_noted = now;
}

Status service_run_once(Service *service, Message *why)
{
    mutex_lock(&service->lock);
    int64_t now = clock_now_ms(), next = now + TICK_MS;
    for (Board *b = service->boards; b; b = b->next) /* none goes meanwhile */
        turn_run_due(service, b, now, &next);
    analysis_send(service);
    note_alive(service, now);
    unload_boards(service, now);
    return_free_memory(service, now);
    if (next > now)
        condition_wait_ms(&service->wake, &service->lock, (long)(next - now));
    mutex_unlock(&service->lock);
    if (!sync_failed(service->sync, why))
        return STATUS_OK;
    message_prefix(why, "%s: ", service->store_path);
    return STATUS_IO;
}

/* -- Closing -- */

void service_stop(Service *service)
{
    mutex_lock(&service->lock);
    service->closing = true;
    mutex_unlock(&service->lock);
    pool_stop(service->search_pool);
    pool_stop(service->request_pool);
    pool_stop(service->background_pool);
}

void service_close(Service *service)
{
    Message why;
    if (!service)
        return;
    if (service->sync)
        store_set_alive(service->store, clock_wall_ms(), &why);
    while (service->boards)
        board_unload(service, service->boards);
    reviews_free(service);
    free(service->lab);
    pool_free(service->search_pool);
    pool_free(service->request_pool);
    pool_free(service->background_pool);
    sync_close(service->sync);
    store_close(service->store);
    tb_close(service->tb);
    text_free(&service->tables);
    evaluator_close(service->evaluator);
    openings_close(service->openings);
    book_close(service->book);
    if (service->folder_lock >= 0)
        close(service->folder_lock);
    condition_free(&service->wake);
    mutex_free(&service->lock);
    free(service);
}
