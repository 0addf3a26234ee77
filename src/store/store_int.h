/* What the files of the store share: a thin layer over SQLite's statements that keeps the first
 * failure, so that it is looked at once, at the end. */
#ifndef STORE_STORE_INT_H
#define STORE_STORE_INT_H

#include "store/store.h"

#include <sqlite3.h>

enum { STORE_KEPT = 24 };

struct Store {
    sqlite3 *db;
    sqlite3_stmt *kept[STORE_KEPT]; /* statements that are not in use, to be used again */
    int next_kept;
    bool inside; /* a transaction that the caller began */
    int log;     /* the write-ahead log, to be synced; -1: there is none */
};

typedef struct Query {
    Store *store;
    sqlite3_stmt *at;
    int bound; /* parameters so far */
    int code;  /* of the first failure, SQLITE_OK until then */
} Query;

/* Parameters are bound in the order of their question marks. */
Query query(Store *s, const char *sql);
void query_int(Query *q, int64_t value);
void query_real(Query *q, double value);
void query_str(Query *q, const char *value); /* copied */
void query_span(Query *q, Span value);       /* must outlive the query */

/* The next row; false when there is none left, or on failure. */
bool query_row(Query *q);
int64_t query_get(const Query *q, int column);
double query_get_real(const Query *q, int column);
void query_get_str(const Query *q, int column, char *out,
                   size_t size); /* cut between characters where it is too long */

/* Ends the query; `what` is for the message. */
Status query_end(Query *q, const char *what, Message *why);

/* Runs what is left of a query that has no rows, and ends it. */
Status query_run(Query *q, const char *what, Message *why);

/* Begins a transaction unless the caller has one; ends it by how things went. */
Status store_enter(Store *s, bool *own, Message *why);
Status store_leave(Store *s, bool own, Status status, Message *why);

/* Makes or updates the tables. */
Status schema_update(Store *s, Message *why);

#endif
