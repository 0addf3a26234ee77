/* Rows as plain structs: one table of columns per kind of row serves writing and reading. */
#include "store/store_int.h"

#include <assert.h>
#include <string.h>

/* Integers of every size, enumerations and truth values. */
static int64_t read_integer(const char *at, size_t size)
{
    int64_t wide;
    int32_t narrow;
    bool truth;
    if (size == sizeof wide)
        return memcpy(&wide, at, size), wide;
    if (size == sizeof narrow)
        return memcpy(&narrow, at, size), narrow;
    return memcpy(&truth, at, sizeof truth), truth;
}

static void write_integer(char *at, size_t size, int64_t value)
{
    int32_t narrow = (int32_t)value;
    bool truth = value != 0;
    if (size == sizeof value)
        memcpy(at, &value, size);
    else if (size == sizeof narrow)
        memcpy(at, &narrow, size);
    else
        memcpy(at, &truth, sizeof truth);
}

void row_bind(Query *q, const RowShape *shape, int first, int count, const void *row)
{
    for (const Column *c = shape->columns + first; c < shape->columns + first + count; c++) {
        const char *at = (const char *)row + c->offset, *text;
        double real;
        switch (c->kind) {
        case COLUMN_INTEGER:
            query_int(q, read_integer(at, c->size));
            break;
        case COLUMN_REAL:
            memcpy(&real, at, sizeof real);
            query_real(q, real);
            break;
        case COLUMN_TEXT:
            query_str(q, at);
            break;
        case COLUMN_BORROWED:
            memcpy(&text, at, sizeof text);
            query_str(q, text);
            break;
        }
    }
}

static void read_column(const Query *q, int number, const Column *c, char *at)
{
    const unsigned char *text;
    double real;
    switch (c->kind) {
    case COLUMN_INTEGER:
        write_integer(at, c->size, query_get(q, number));
        break;
    case COLUMN_REAL:
        real = sqlite3_column_double(q->at, number);
        memcpy(at, &real, sizeof real);
        break;
    case COLUMN_TEXT:
        query_get_str(q, number, at, c->size);
        break;
    case COLUMN_BORROWED:
        text = sqlite3_column_text(q->at, number);
        memcpy(at, &text, sizeof text);
        break;
    }
}

Query rows_all(Store *s, const RowShape *shape, const char *sql)
{
    Query q = query(s, sql);
    q.shape = shape;
    return q;
}

Query rows_of(Store *s, const RowShape *shape, const char *sql, int64_t id)
{
    Query q = rows_all(s, shape, sql);
    query_int(&q, id);
    return q;
}

bool store_next_row(StoreRows *q, void *row, size_t size)
{
    assert(size == q->shape->size);
    if (!query_row(q))
        return false;
    memset(row, 0, size);
    for (int i = 0; i < q->shape->count; i++)
        read_column(q, i, &q->shape->columns[i], (char *)row + q->shape->columns[i].offset);
    return true;
}

Status store_rows_end(StoreRows *q, Message *why)
{
    return query_end(q, q->shape->what, why);
}

Status row_found(Query *q, bool found, int64_t id, Message *why)
{
    const char *what = q->shape->what;
    Status s = store_rows_end(q, why);
    if (s != STATUS_OK || found)
        return s;
    return status_fail(why, STATUS_MISSING, "%s %lld does not exist", what, (long long)id);
}

Status row_load(Store *s, const char *sql, const RowShape *shape, int64_t id, void *row,
                Message *why)
{
    Query q = rows_of(s, shape, sql, id);
    return row_found(&q, store_next_row(&q, row, shape->size), id, why);
}

Status row_save(Store *s, const RowShape *shape, int64_t id, const void *row, Message *why)
{
    Query q = query(s, shape->save);
    row_bind(&q, shape, shape->first_saved, shape->saved, row);
    query_int(&q, id);
    return query_run(&q, shape->what, why);
}

Status row_drop(Store *s, const RowShape *shape, int64_t id, Message *why)
{
    return query_with(s, shape->drop, 1, &id, shape->what, why);
}
