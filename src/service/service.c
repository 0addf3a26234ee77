#include "service/service_int.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TICK_MS = 100,      /* analysis is told as often, and stopping is asked */
    ALIVE_MS = 2000,    /* how much of a clock a kill may forget */
    RESTING_MS = 60000, /* a board nobody looks at goes after that */
    LEAST_WORKERS = 2
};

/* -- The folder -- */

static Status make_folders(const char *path, Message *why)
{
    char part[4096];
    size_t len = strlen(path);
    if (len == 0 || len >= sizeof part - 32)
        return status_fail(why, STATUS_INVALID, "the data folder's name is empty or too long");
    for (size_t i = 1; i <= len; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST)
            return status_fail(why, STATUS_IO, "%s: %s", part, strerror(errno));
    }
    return STATUS_OK;
}

/* Two servers on one file would each believe that the games are theirs. */
static Status lock_folder(const char *data, int *fd, Message *why)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/castellan.lock", data);
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*fd < 0)
        return status_fail(why, STATUS_IO, "%s: %s", path, strerror(errno));
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
        return STATUS_OK;
    close(*fd);
    *fd = -1;
    return status_fail(why, STATUS_REFUSED, "%s: another castellan web uses this folder", data);
}

/* -- Coming -- */

static Status make_token(Service *service, Message *why)
{
    unsigned char bytes[(WEB_TOKEN_SIZE - 1) / 2];
    uint64_t seed;
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes ||
        getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        return status_fail(why, STATUS_IO, "the system gives no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(service->token + 2 * i, 3, "%02x", bytes[i]);
    random_seed(&service->chances, seed);
    return STATUS_OK;
}

static bool is_loopback(const char *host)
{
    return strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0;
}

static Status check_options(const WebOptions *o, Message *why)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, o->host, bytes) != 1 && inet_pton(AF_INET6, o->host, bytes) != 1)
        return status_fail(why, STATUS_INVALID, "host: '%s' is no address", o->host);
    if (!is_loopback(o->host) && (!o->password || !o->password[0]))
        return status_fail(why, STATUS_REFUSED,
                           "host: %s can be reached by others; --password is needed", o->host);
    return STATUS_OK;
}

static Status open_store(Service *service, Message *why)
{
    snprintf(service->store_path, sizeof service->store_path, "%s/castellan.db",
             service->options->data);
    Status s = store_open(&service->store, service->store_path, why);
    if (s != STATUS_OK)
        return s;
    store_leave_checkpoints(service->store); /* to the syncer: everybody waits for this one */
    service->alive_before = store_alive(service->store);
    return syncer_open(&service->syncer, service->store_path, why);
}

static Status open_tables(Service *service, Message *why)
{
    if (!service->options->tables)
        return STATUS_OK;
    Status s = tb_open(&service->tb, service->options->tables, why);
    if (s != STATUS_OK)
        message_prefix(why, "tables: ");
    return s;
}

static Status open_rooms(Service *service, Message *why)
{
    int cores = thread_cpu_count();
    Status s = make_token(service, why);
    if (s == STATUS_OK)
        s = assets_open(&service->assets, why);
    if (s == STATUS_OK)
        s = openings_open(&service->openings, why);
    if (s == STATUS_OK)
        s = evaluator_default(&service->evaluator, why);
    if (s == STATUS_OK)
        s = open_tables(service, why);
    if (s == STATUS_OK)
        s = open_store(service, why);
    if (s == STATUS_OK)
        s = crew_open(&service->crew, service, cores > LEAST_WORKERS ? cores : LEAST_WORKERS, why);
    return s == STATUS_OK ? reviews_open(&service->reviews, service, why) : s;
}

/* -- Keeping the time -- */

static void rest_boards(Service *service, int64_t now)
{
    for (Board *b = service->boards, *next; b; b = next) {
        next = b->next;
        if (b->task || b->has_reply || board_clock_runs(b) || web_is_watched(service, b->g.id))
            b->unwatched = 0;
        else if (!b->unwatched)
            b->unwatched = now;
        else if (now - b->unwatched > RESTING_MS)
            board_unload(service, b);
    }
}

static void note_alive(Service *service, int64_t now)
{
    Message why;
    bool runs = false;
    for (const Board *b = service->boards; b; b = b->next)
        runs |= board_clock_runs(b);
    if (!runs || now - service->alive_told < ALIVE_MS)
        return;
    store_set_alive(service->store, clock_wall_ms(),
                    &why); /* if it fails, a kill forgets a little more */
    service->alive_told = now;
}

/* Under the lock. Boards may end and others begin to think meanwhile, but none goes. */
static int64_t keep_time(Service *service)
{
    int64_t now = clock_now_ms(), next = now + TICK_MS;
    for (Board *b = service->boards; b; b = b->next)
        turn_keep_time(service, b, now, &next);
    wire_watch(service);
    analysis_flush(service);
    note_alive(service, now);
    rest_boards(service, now);
    return next - now;
}

/* Until it is told to stop, or until the disk fails: then no answer would go out, and whoever started the
 * server must know why. */
static Status serve(Service *service, Message *why)
{
    bool failed = false;
    mutex_lock(&service->lock);
    while (!failed && !service->options->stop(service->options->user)) {
        int64_t wait = keep_time(service);
        if (wait > 0)
            condition_wait_ms(&service->wake, &service->lock, (long)wait);
        failed = syncer_failed(service->syncer, why);
    }
    service->closing = true;
    client_end_all(service);
    mutex_unlock(&service->lock);
    if (failed)
        message_prefix(why, "%s: ", service->store_path);
    return failed ? STATUS_IO : STATUS_OK;
}

/* -- Going -- */

static void close_rooms(Service *service)
{
    Message why;
    mutex_lock(&service->lock);
    service->closing = true;
    mutex_unlock(&service->lock);
    crew_close(service->crew);
    reviews_close(service->reviews);
    service->reviews = NULL;
    lab_desk_close(service->lab);
    if (service->store)
        store_set_alive(service->store, clock_wall_ms(), &why);
    board_unload_all(service);
    syncer_close(service->syncer);
    store_close(service->store);
    tb_close(service->tb);
    evaluator_close(service->evaluator);
    openings_close(service->openings);
}

static void tell_ready(const Service *service)
{
    char url[WEB_URL_SIZE];
    bool everywhere = strcmp(service->options->host, "0.0.0.0") == 0;
    const char *host = everywhere ? "127.0.0.1" : service->options->host;
    snprintf(url, sizeof url, strchr(host, ':') ? "http://[%s]:%d/" : "http://%s:%d/", host,
             service->port);
    service->options->ready(service->options->user, url);
}

static Status run(Service *service, Message *why)
{
    Server *server = NULL;
    Status s = open_rooms(service, why);
    if (s == STATUS_OK)
        s = server_open(&server, service, why);
    if (s == STATUS_OK) {
        tell_ready(service);
        s = serve(service, why);
    }
    server_close(server);
    close_rooms(service);
    return s;
}

Status web_run(const WebOptions *options, Message *why)
{
    int lock = -1;
    Status s = check_options(options, why);
    if (s == STATUS_OK)
        s = make_folders(options->data, why);
    if (s == STATUS_OK)
        s = lock_folder(options->data, &lock, why);
    if (s != STATUS_OK)
        return s;
    Service *service = calloc(1, sizeof *service);
    if (service) {
        service->options = options;
        service->started_wall = clock_wall_ms();
        mutex_init(&service->lock);
        condition_init(&service->wake);
        s = run(service, why);
        condition_free(&service->wake);
        mutex_free(&service->lock);
    } else {
        s = status_fail(why, STATUS_MEMORY, "no memory for the server");
    }
    free(service);
    close(lock);
    return s;
}
