#include "store/store_int.h"

/* -- Reviews -- */

Status store_review_put(Store *s, int64_t game, const char *json,
                        const double accuracy[COLOR_COUNT], int64_t now, Message *why)
{
    Query q = query(s, "INSERT OR REPLACE INTO review(game, json, white_accuracy, black_accuracy, "
                       "at) VALUES (?, ?, ?, ?, ?)");
    query_int(&q, game);
    query_span(&q, span_of(json));
    query_real(&q, accuracy[WHITE]);
    query_real(&q, accuracy[BLACK]);
    query_int(&q, now);
    return query_run(&q, "review", why);
}

static void add_column(const Query *q, int column, Text *out)
{
    const unsigned char *text = sqlite3_column_text(q->at, column);
    if (text)
        text_add_str(out, (const char *)text);
}

Status store_review_get(Store *s, int64_t game, Text *json, Message *why)
{
    Query q = query(s, "SELECT json FROM review WHERE game = ?");
    query_int(&q, game);
    bool found = query_row(&q);
    if (found)
        add_column(&q, 0, json);
    Status status = query_end(&q, "review", why);
    if (status == STATUS_OK && !found)
        return status_fail(why, STATUS_MISSING, "game %lld has no review", (long long)game);
    return status;
}

/* -- Mistakes -- */

static const Column mistake_columns[] = {
    COLUMN(INTEGER, StoreMistake, player), COLUMN(INTEGER, StoreMistake, game),
    COLUMN(INTEGER, StoreMistake, ply),    COLUMN(INTEGER, StoreMistake, chess960),
    COLUMN(TEXT, StoreMistake, fen),       COLUMN(TEXT, StoreMistake, played),
    COLUMN(TEXT, StoreMistake, best),      COLUMN(TEXT, StoreMistake, label),
    COLUMN(REAL, StoreMistake, chance),    COLUMN(TEXT, StoreMistake, opponent),
    COLUMN(INTEGER, StoreMistake, at),     COLUMN(INTEGER, StoreMistake, box),
    COLUMN(INTEGER, StoreMistake, due),    COLUMN(INTEGER, StoreMistake, solved),
    COLUMN(INTEGER, StoreMistake, failed), COLUMN(INTEGER, StoreMistake, tried),
    COLUMN(INTEGER, StoreMistake, id),     COLUMN(TEXT, StoreMistake, last),
};
enum { MISTAKE_STORED = 16, MISTAKE_SCHEDULE = 11, MISTAKE_CHANGING = 5 };
/* A dropped one stays in the table, so that another review of the game does not bring it back. */
static const RowShape mistake_row = ROW_SHAPE_SAVED(
    "mistake", StoreMistake, mistake_columns, MISTAKE_SCHEDULE, MISTAKE_CHANGING,
    "UPDATE mistake SET box = ?, due = ?, solved = ?, failed = ?, tried = ? WHERE id = ?",
    "UPDATE mistake SET dropped = 1 WHERE id = ?");

#define MISTAKE_COLUMNS                                                                      \
    "player, game, ply, chess960, fen, played, best, label, chance, opponent, at, box, due," \
    " solved, failed, tried"
/* A mistake's ply is counted from 1, a move's from 0. */
#define MISTAKE_SELECTED                                                              \
    MISTAKE_COLUMNS ", id, (SELECT uci FROM move WHERE move.game = mistake.game AND " \
                    "move.ply = mistake.ply - 2)"

Status store_mistake_add(Store *s, StoreMistake *m, const char *detail, Message *why)
{
    /* The answer may have become a better one; the schedule stays. */
    Query q = query(s, "INSERT INTO mistake(" MISTAKE_COLUMNS ", detail) "
                       "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(game, ply) DO "
                       "UPDATE SET best = excluded.best, label = excluded.label, "
                       "chance = excluded.chance, detail = excluded.detail RETURNING id");
    row_bind(&q, &mistake_row, 0, MISTAKE_STORED, m);
    query_span(&q, span_of(detail));
    if (query_row(&q))
        m->id = query_get(&q, 0);
    return query_run(&q, "mistake", why);
}

Status store_mistake_load(Store *s, int64_t id, StoreMistake *m, Text *detail, Message *why)
{
    Query q = rows_of(s, &mistake_row,
                      "SELECT " MISTAKE_SELECTED ", detail FROM mistake WHERE id = ?", id);
    bool found = store_next(&q, m);
    if (found && detail)
        add_column(&q, mistake_row.count, detail);
    return row_found(&q, found, id, why);
}

Status store_mistake_save(Store *s, const StoreMistake *m, Message *why)
{
    return row_save(s, &mistake_row, m->id, m, why);
}

Status store_mistake_drop(Store *s, int64_t id, Message *why)
{
    return row_drop(s, &mistake_row, id, why);
}

/* One that the player dropped stays, or a later review would bring it back. */
Status store_mistake_withdraw(Store *s, int64_t game, int64_t ply, Message *why)
{
    return query_with(s, "DELETE FROM mistake WHERE game = ? AND ply = ? AND dropped = 0", 2,
                      (const int64_t[]){game, ply}, "mistake", why);
}

Status store_queue(Store *s, int64_t player, int64_t now, StoreQueue *out, Message *why)
{
    Query q = query(s, "SELECT coalesce(sum(due <= ?1), 0), count(*), "
                       "coalesce(min(CASE WHEN due > ?1 THEN due END), 0) "
                       "FROM mistake WHERE player = ?2 AND dropped = 0");
    query_int(&q, now);
    query_int(&q, player);
    *out = (StoreQueue){0};
    if (query_row(&q))
        *out = (StoreQueue){query_get(&q, 0), query_get(&q, 1), query_get(&q, 2)};
    return query_end(&q, "queue", why);
}

StoreRows store_due_mistakes(Store *s, int64_t player, int64_t now, int64_t limit)
{
    Query q = rows_of(s, &mistake_row,
                      "SELECT " MISTAKE_SELECTED " FROM mistake WHERE player = ? AND "
                      "dropped = 0 AND due <= ? ORDER BY due, id LIMIT ?",
                      player);
    query_int(&q, now);
    query_int(&q, limit);
    return q;
}
