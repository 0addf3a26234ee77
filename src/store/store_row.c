/* Rows as plain structs: one table of columns per kind of row serves writing and reading. */
#include "store/store_int.h"

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
        const char *at = (const char *)row + c->offset;
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
        }
    }
}

static void read_column(const Query *q, int number, const Column *c, char *at)
{
    double real;
    switch (c->kind) {
    case COLUMN_INTEGER:
        write_integer(at, c->size, query_get(q, number));
        break;
    case COLUMN_REAL:
        real = query_get_real(q, number);
        memcpy(at, &real, sizeof real);
        break;
    case COLUMN_TEXT:
        query_get_str(q, number, at, c->size);
        break;
    }
}

bool row_next(Query *q, const RowShape *shape, void *row)
{
    if (!query_row(q))
        return false;
    memset(row, 0, shape->size);
    for (int i = 0; i < shape->count; i++)
        read_column(q, i, &shape->columns[i], (char *)row + shape->columns[i].offset);
    return true;
}

Status row_found(Query *q, const RowShape *shape, bool found, int64_t id, Message *why)
{
    Status s = query_end(q, shape->what, why);
    if (s != STATUS_OK || found)
        return s;
    return status_fail(why, STATUS_MISSING, "%s %lld does not exist", shape->what, (long long)id);
}

Status row_load(Store *s, const char *sql, const RowShape *shape, int64_t id, void *row,
                Message *why)
{
    Query q = query(s, sql);
    query_int(&q, id);
    return row_found(&q, shape, row_next(&q, shape, row), id, why);
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
    return query_with_id(s, shape->drop, id, shape->what, why);
}

Status query_with_id(Store *s, const char *sql, int64_t id, const char *what, Message *why)
{
    Query q = query(s, sql);
    query_int(&q, id);
    return query_run(&q, what, why);
}
