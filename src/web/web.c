#include "web/web_int.h"

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

static Status make_token(Web *web, Message *why)
{
    unsigned char bytes[(WEB_TOKEN_SIZE - 1) / 2];
    uint64_t seed;
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes ||
        getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        return status_fail(why, STATUS_IO, "the system gives no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(web->token + 2 * i, 3, "%02x", bytes[i]);
    random_seed(&web->chances, seed);
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

static Status open_store(Web *web, Message *why)
{
    snprintf(web->store_path, sizeof web->store_path, "%s/castellan.db", web->options->data);
    Status s = store_open(&web->store, web->store_path, why);
    if (s != STATUS_OK)
        return s;
    store_leave_checkpoints(web->store); /* to the syncer: everybody waits for this one */
    web->alive_before = store_alive(web->store);
    return syncer_open(&web->syncer, web->store_path, why);
}

static Status open_tables(Web *web, Message *why)
{
    if (!web->options->tables)
        return STATUS_OK;
    Status s = tb_open(&web->tb, web->options->tables, why);
    if (s != STATUS_OK)
        message_prefix(why, "tables: ");
    return s;
}

static Status open_rooms(Web *web, Message *why)
{
    int cores = thread_cpu_count();
    Status s = make_token(web, why);
    if (s == STATUS_OK)
        s = assets_open(&web->assets, why);
    if (s == STATUS_OK)
        s = openings_open(&web->openings, why);
    if (s == STATUS_OK)
        s = evaluator_default(&web->evaluator, why);
    if (s == STATUS_OK)
        s = open_tables(web, why);
    if (s == STATUS_OK)
        s = open_store(web, why);
    if (s == STATUS_OK)
        s = crew_open(&web->crew, web, cores > LEAST_WORKERS ? cores : LEAST_WORKERS, why);
    return s == STATUS_OK ? reviews_open(&web->reviews, web, why) : s;
}

/* -- Keeping the time -- */

static void rest_boards(Web *web, int64_t now)
{
    for (Board *b = web->boards, *next; b; b = next) {
        next = b->next;
        if (b->task || b->has_reply || board_clock_runs(b) || web_is_watched(web, b->g.id))
            b->unwatched = 0;
        else if (!b->unwatched)
            b->unwatched = now;
        else if (now - b->unwatched > RESTING_MS)
            board_unload(web, b);
    }
}

static void note_alive(Web *web, int64_t now)
{
    Message why;
    bool runs = false;
    for (const Board *b = web->boards; b; b = b->next)
        runs |= board_clock_runs(b);
    if (!runs || now - web->alive_told < ALIVE_MS)
        return;
    store_set_alive(web->store, clock_wall_ms(),
                    &why); /* if it fails, a kill forgets a little more */
    web->alive_told = now;
}

/* Under the lock. Boards may end and others begin to think meanwhile, but none goes. */
static int64_t keep_time(Web *web)
{
    int64_t now = clock_now_ms(), next = now + TICK_MS;
    for (Board *b = web->boards; b; b = b->next)
        turn_keep_time(web, b, now, &next);
    wire_watch(web);
    analysis_flush(web);
    note_alive(web, now);
    rest_boards(web, now);
    return next - now;
}

/* Until it is told to stop, or until the disk fails: then no answer would go out, and whoever started the
 * server must know why. */
static Status serve(Web *web, Message *why)
{
    bool failed = false;
    mutex_lock(&web->lock);
    while (!failed && !web->options->stop(web->options->user)) {
        int64_t wait = keep_time(web);
        if (wait > 0)
            condition_wait_ms(&web->wake, &web->lock, (long)wait);
        failed = syncer_failed(web->syncer, why);
    }
    web->closing = true;
    client_end_all(web);
    mutex_unlock(&web->lock);
    if (failed)
        message_prefix(why, "%s: ", web->store_path);
    return failed ? STATUS_IO : STATUS_OK;
}

/* -- Going -- */

static void close_rooms(Web *web)
{
    Message why;
    mutex_lock(&web->lock);
    web->closing = true;
    mutex_unlock(&web->lock);
    crew_close(web->crew);
    reviews_close(web->reviews);
    web->reviews = NULL;
    lab_desk_close(web->lab);
    if (web->store)
        store_set_alive(web->store, clock_wall_ms(), &why);
    board_unload_all(web);
    syncer_close(web->syncer);
    store_close(web->store);
    tb_close(web->tb);
    evaluator_close(web->evaluator);
    openings_close(web->openings);
}

static void tell_ready(const Web *web)
{
    char url[WEB_URL_SIZE];
    bool everywhere = strcmp(web->options->host, "0.0.0.0") == 0;
    const char *host = everywhere ? "127.0.0.1" : web->options->host;
    snprintf(url, sizeof url, strchr(host, ':') ? "http://[%s]:%d/" : "http://%s:%d/", host,
             web->port);
    web->options->ready(web->options->user, url);
}

static Status run(Web *web, Message *why)
{
    Server *server = NULL;
    Status s = open_rooms(web, why);
    if (s == STATUS_OK)
        s = server_open(&server, web, why);
    if (s == STATUS_OK) {
        tell_ready(web);
        s = serve(web, why);
    }
    server_close(server);
    close_rooms(web);
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
    Web *web = calloc(1, sizeof *web);
    if (web) {
        web->options = options;
        web->started_wall = clock_wall_ms();
        mutex_init(&web->lock);
        condition_init(&web->wake);
        s = run(web, why);
        condition_free(&web->wake);
        mutex_free(&web->lock);
    } else {
        s = status_fail(why, STATUS_MEMORY, "no memory for the server");
    }
    free(web);
    close(lock);
    return s;
}
