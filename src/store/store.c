#include "store/store_int.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_MS = 5000 };

/* -- Statements -- */

static void note(Query *q, int code)
{
    if (q->code == SQLITE_OK)
        q->code = code;
}

/* Whoever asks gets it for himself: a query within the same query is another one. */
static sqlite3_stmt *take_kept(Store *s, const char *sql)
{
    for (int i = 0; i < STORE_KEPT; i++) {
        sqlite3_stmt *found = s->kept[i];
        if (found && strcmp(sqlite3_sql(found), sql) == 0) {
            s->kept[i] = NULL;
            return found;
        }
    }
    return NULL;
}

/* In the place of the one that was put there longest ago. */
static void keep(Store *s, sqlite3_stmt *used)
{
    sqlite3_reset(used);
    sqlite3_clear_bindings(used);
    sqlite3_finalize(s->kept[s->next_kept]);
    s->kept[s->next_kept] = used;
    s->next_kept = (s->next_kept + 1) % STORE_KEPT;
}

Query query(Store *s, const char *sql)
{
    Query q = {.store = s, .at = take_kept(s, sql)};
    if (s->cannot_begin)
        q.code = SQLITE_BUSY;
    else if (!q.at)
        q.code = sqlite3_prepare_v2(s->db, sql, -1, &q.at, NULL);
    return q;
}

void query_int(Query *q, int64_t value)
{
    if (q->code == SQLITE_OK)
        note(q, sqlite3_bind_int64(q->at, ++q->bound, value));
}

void query_real(Query *q, double value)
{
    if (q->code == SQLITE_OK)
        note(q, sqlite3_bind_double(q->at, ++q->bound, value));
}

void query_str(Query *q, const char *value)
{
    query_span(q, span_of(value));
}

void query_span(Query *q, Span value)
{
    if (q->code == SQLITE_OK)
        note(q, sqlite3_bind_text(q->at, ++q->bound, value.at, (int)value.len, SQLITE_STATIC));
}

bool query_row(Query *q)
{
    if (q->code != SQLITE_OK)
        return false;
    int code = sqlite3_step(q->at);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        note(q, code);
    return code == SQLITE_ROW;
}

int64_t query_get(const Query *q, int column)
{
    return sqlite3_column_int64(q->at, column);
}

void query_get_str(const Query *q, int column, char *out, size_t size)
{
    const unsigned char *text = sqlite3_column_text(q->at, column);
    text_copy_utf8(out, size, text ? (const char *)text : "");
}

Status query_end(Query *q, const char *what, Message *why)
{
    Status s = STATUS_OK;
    if (q->code != SQLITE_OK)
        s = status_fail(why, q->code == SQLITE_CONSTRAINT ? STATUS_REFUSED : STATUS_IO, "%s: %s",
                        what, sqlite3_errmsg(q->store->db));
    if (q->at)
        keep(q->store, q->at);
    q->at = NULL;
    return s;
}

Status query_run(Query *q, const char *what, Message *why)
{
    while (query_row(q))
        ;
    return query_end(q, what, why);
}

Status query_with(Store *s, const char *sql, int count, const int64_t *values, const char *what,
                  Message *why)
{
    Query q = query(s, sql);
    for (int i = 0; i < count; i++)
        query_int(&q, values[i]);
    return query_run(&q, what, why);
}

/* -- Life -- */

static Status run_sql(Store *s, const char *sql, const char *what, Message *why)
{
    if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return STATUS_OK;
    return status_fail(why, STATUS_IO, "%s: %s", what, sqlite3_errmsg(s->db));
}

/* A write-ahead log that SQLite writes at every commit and we sync. */
static Status open_log(Store *s, const char *path, Message *why)
{
    char name[4200];
    snprintf(name, sizeof name, "%s-wal", path);
    s->log = open(name, O_RDONLY | O_CLOEXEC);
    return s->log >= 0 ? STATUS_OK : status_fail(why, STATUS_IO, "log: %s", strerror(errno));
}

/* SQLite itself would look less and less often, and find others in its place every time. */
static int wait_for_others(void *user, int times)
{
    (void)user;
    if (times >= BUSY_MS)
        return 0;
    clock_sleep_ms(1);
    return 1;
}

static Status prepare(Store *s, Message *why)
{
    sqlite3_busy_handler(s->db, wait_for_others, NULL);
    Status status = run_sql(s, "PRAGMA journal_mode = WAL", "journal", why);
    if (status == STATUS_OK)
        status = run_sql(s,
                         "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; "
                         "PRAGMA wal_autocheckpoint = 8000",
                         "settings", why);
    return status == STATUS_OK ? schema_update(s, why) : status;
}

/* For its owner alone. The log beside it gets the same rights. */
static void create_private(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
}

static Status open_file(Store **out, const char *name, int flags, Message *why)
{
    Store *s = *out = calloc(1, sizeof *s);
    if (!s)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the store");
    s->log = -1;
    if (sqlite3_open_v2(name, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK)
        return STATUS_OK;
    return status_fail(why, STATUS_IO, "%s",
                       s->db ? sqlite3_errmsg(s->db) : "not enough memory for SQLite");
}

/* A path in an URI: a few characters mean something there. */
static Status uri_of(const char *path, char *out, size_t size, Message *why)
{
    size_t len = (size_t)snprintf(out, size, "file:");
    for (const char *c = path; *c && len + 16 < size; c++)
        len += (size_t)snprintf(out + len, size - len, strchr("?#%", *c) ? "%%%02x" : "%c",
                                (unsigned char)*c);
    if (len + 16 >= size)
        return status_fail(why, STATUS_INVALID, "the name is too long");
    snprintf(out + len, size - len, "?immutable=1");
    return STATUS_OK;
}

Status store_open_readable(Store **out, const char *path, Message *why)
{
    char uri[8192];
    Store *s = NULL;
    Status status = uri_of(path, uri, sizeof uri, why);
    if (status == STATUS_OK)
        status = open_file(&s, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, why);
    if (status != STATUS_OK)
        message_prefix(why, "%s: ", path);
    return GIVE_OR_CLOSE(status, out, s, store_close);
}

Status store_check(Store *s, Message *why)
{
    char found[128] = "";
    Query q = query(s, "PRAGMA quick_check(1)");
    if (query_row(&q))
        query_get_str(&q, 0, found, sizeof found);
    Status status = query_end(&q, "check", why);
    if (status != STATUS_OK || strcmp(found, "ok") == 0)
        return status;
    return status_fail(why, STATUS_IO, "the file is damaged: %s", found);
}

Status store_open(Store **out, const char *path, Message *why)
{
    Store *s = NULL;
    create_private(path);
    Status status = open_file(&s, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, why);
    if (status == STATUS_OK)
        status = prepare(s, why);
    if (status == STATUS_OK)
        status = open_log(s, path, why);
    if (status != STATUS_OK)
        message_prefix(why, "%s: ", path);
    return GIVE_OR_CLOSE(status, out, s, store_close);
}

void store_close(Store *s)
{
    if (!s)
        return;
    for (int i = 0; i < STORE_KEPT; i++)
        sqlite3_finalize(s->kept[i]);
    sqlite3_close(s->db);
    if (s->log >= 0)
        close(s->log);
    free(s);
}

/* -- Syncing -- */

int64_t store_changes(const Store *s)
{
    return sqlite3_total_changes64(s->db);
}

Status store_sync(Store *s, Message *why)
{
    if (s->log >= 0 && fdatasync(s->log) != 0)
        return status_fail(why, STATUS_IO, "sync: %s", strerror(errno));
    return STATUS_OK;
}

void store_checkpoint(Store *s)
{
    /* What it cannot do now, because somebody reads, the next one does. */
    sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

void store_leave_checkpoints(Store *s)
{
    sqlite3_wal_autocheckpoint(s->db, 0);
}

/* -- Transactions -- */

void store_begin(Store *s)
{
    if (!s->depth++)
        s->cannot_begin = run_sql(s, "BEGIN IMMEDIATE", "begin", NULL) != STATUS_OK;
}

Status store_end(Store *s, Status status, Message *why)
{
    if (--s->depth)
        return status;
    if (status == STATUS_OK)
        status = s->cannot_begin ? status_fail(why, STATUS_IO, "begin: %s", sqlite3_errmsg(s->db))
                                 : run_sql(s, "COMMIT", "commit", why);
    if (status != STATUS_OK)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    s->cannot_begin = false;
    return status;
}

/* -- Alive -- */

Status store_set_alive(Store *s, int64_t now, Message *why)
{
    return query_with(s, "INSERT OR REPLACE INTO alive(id, at) VALUES (1, ?)", 1, &now, "alive",
                      why);
}

int64_t store_alive(Store *s)
{
    Query q = query(s, "SELECT at FROM alive");
    int64_t at = query_row(&q) ? query_get(&q, 0) : 0;
    return query_end(&q, "alive", NULL) == STATUS_OK ? at : 0;
}
