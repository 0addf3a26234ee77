/* What the files of the store share: a thin layer over SQLite's statements that keeps the first
 * failure, so that it is looked at once, at the end. */
#ifndef STORE_STORE_INT_H
#define STORE_STORE_INT_H

#include "store/store.h"

#include <sqlite3.h>
#include <stddef.h>

enum { STORE_KEPT = 24 };

struct Store {
    sqlite3 *db;
    sqlite3_stmt *kept[STORE_KEPT]; /* statements that are not in use, to be used again */
    int next_kept;
    int depth;         /* of transactions */
    bool cannot_begin; /* the outermost one */
    int log;           /* the write-ahead log, to be synced; -1: there is none */
};

/* `bound` counts the parameters so far; `code` is the first failure's, SQLITE_OK until then. */
typedef StoreRows Query;

/* Parameters are bound in the order of their question marks. */
Query query(Store *s, const char *sql);
void query_int(Query *q, int64_t value);
void query_real(Query *q, double value);
void query_str(Query *q, const char *value); /* text must outlive the query */
void query_span(Query *q, Span value);

/* The next row; false when there is none left, or on failure. */
bool query_row(Query *q);
int64_t query_get(const Query *q, int column);
void query_get_str(const Query *q, int column, char *out,
                   size_t size); /* cut between characters where it is too long */

/* Ends the query; `what` is for the message. */
Status query_end(Query *q, const char *what, Message *why);

/* Runs what is left of a query that has no rows, and ends it. */
Status query_run(Query *q, const char *what, Message *why);

/* Runs a statement that has integers for parameters and no rows. */
Status query_with(Store *s, const char *sql, int count, const int64_t *values, const char *what,
                  Message *why);

/* -- Rows as structs (store_row.c) -- */

typedef enum ColumnKind {
    COLUMN_INTEGER,
    COLUMN_REAL,
    COLUMN_TEXT,
    COLUMN_BORROWED /* a pointer to text, which SQLite keeps until the next row */
} ColumnKind;

typedef struct Column {
    ColumnKind kind;
    size_t offset, size;
} Column;

/* A field of a struct as a column. */
#define COLUMN(kind_, type, field)                                                 \
    {                                                                              \
        COLUMN_##kind_, offsetof(type, field), sizeof(((const type *)NULL)->field) \
    }

/* A kind of row. Its columns are in the order in which statements name them. */
typedef struct RowShape {
    const char *what; /* for messages */
    const Column *columns;
    int count;
    size_t size; /* of the struct */
    /* Statements about the row with an id, their last parameter: `save` gets the columns from
     * `first_saved` on. NULL: there is none. */
    int first_saved, saved;
    const char *save, *drop;
} RowShape;

#define ROW_SHAPE_SAVED(what_, type, columns_, first_saved_, saved_, save_, drop_)              \
    {                                                                                           \
        what_, columns_, (int)(sizeof columns_ / sizeof *columns_), sizeof(type), first_saved_, \
            saved_, save_, drop_                                                                \
    }
#define ROW_SHAPE(what, type, columns) ROW_SHAPE_SAVED(what, type, columns, 0, 0, NULL, NULL)

void row_bind(Query *q, const RowShape *shape, int first, int count, const void *row);
/* A query for rows, with the integer that most of them ask for. */
Query rows_all(Store *s, const RowShape *shape, const char *sql);
Query rows_of(Store *s, const RowShape *shape, const char *sql, int64_t id);
/* Ends a query for one row by its id: STATUS_MISSING where it was not found. */
Status row_found(Query *q, bool found, int64_t id, Message *why);
Status row_load(Store *s, const char *sql, const RowShape *shape, int64_t id, void *row,
                Message *why);
Status row_save(Store *s, const RowShape *shape, int64_t id, const void *row, Message *why);
Status row_drop(Store *s, const RowShape *shape, int64_t id, Message *why);

/* Makes or updates the tables. */
Status schema_update(Store *s, Message *why);

#endif
