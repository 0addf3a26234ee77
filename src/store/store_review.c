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

#define MISTAKE_COLUMNS                                                                      \
    "player, game, ply, chess960, fen, played, best, label, chance, opponent, at, box, due," \
    " solved, failed, tried"
/* What read_mistake expects: a mistake's ply is counted from 1, a move's from 0. */
#define MISTAKE_SELECTED                                                              \
    MISTAKE_COLUMNS ", id, (SELECT uci FROM move WHERE move.game = mistake.game AND " \
                    "move.ply = mistake.ply - 2)"

static void read_mistake(const Query *q, StoreMistake *m)
{
    *m = (StoreMistake){.player = query_get(q, 0), .game = query_get(q, 1), .ply = query_get(q, 2)};
    m->chess960 = query_get(q, 3) != 0;
    query_get_str(q, 4, m->fen, sizeof m->fen);
    query_get_str(q, 5, m->played, sizeof m->played);
    query_get_str(q, 6, m->best, sizeof m->best);
    query_get_str(q, 7, m->label, sizeof m->label);
    m->chance = query_get_real(q, 8);
    query_get_str(q, 9, m->opponent, sizeof m->opponent);
    m->at = query_get(q, 10);
    m->box = query_get(q, 11);
    m->due = query_get(q, 12);
    m->solved = query_get(q, 13);
    m->failed = query_get(q, 14);
    m->tried = query_get(q, 15) != 0;
    m->id = query_get(q, 16);
    query_get_str(q, 17, m->last, sizeof m->last);
}

static void bind_mistake(Query *q, const StoreMistake *m)
{
    query_int(q, m->player);
    query_int(q, m->game);
    query_int(q, m->ply);
    query_int(q, m->chess960);
    query_str(q, m->fen);
    query_str(q, m->played);
    query_str(q, m->best);
    query_str(q, m->label);
    query_real(q, m->chance);
    query_str(q, m->opponent);
    query_int(q, m->at);
    query_int(q, m->box);
    query_int(q, m->due);
    query_int(q, m->solved);
    query_int(q, m->failed);
    query_int(q, m->tried);
}

Status store_mistake_add(Store *s, StoreMistake *m, const char *detail, Message *why)
{
    /* The answer may have become a better one; the schedule stays. */
    Query q = query(s, "INSERT INTO mistake(" MISTAKE_COLUMNS ", detail) "
                       "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(game, ply) DO "
                       "UPDATE SET best = excluded.best, label = excluded.label, "
                       "chance = excluded.chance, detail = excluded.detail RETURNING id");
    bind_mistake(&q, m);
    query_span(&q, span_of(detail));
    if (query_row(&q))
        m->id = query_get(&q, 0);
    return query_run(&q, "mistake", why);
}

Status store_mistake_load(Store *s, int64_t id, StoreMistake *m, Text *detail, Message *why)
{
    Query q = query(s, "SELECT " MISTAKE_SELECTED ", detail FROM mistake WHERE id = ?");
    query_int(&q, id);
    bool found = query_row(&q);
    if (found) {
        read_mistake(&q, m);
        if (detail)
            add_column(&q, 18, detail);
    }
    Status status = query_end(&q, "mistake", why);
    if (status == STATUS_OK && !found)
        return status_fail(why, STATUS_MISSING, "mistake %lld does not exist", (long long)id);
    return status;
}

Status store_mistake_save(Store *s, const StoreMistake *m, Message *why)
{
    Query q = query(s, "UPDATE mistake SET box = ?, due = ?, solved = ?, failed = ?, tried = ? "
                       "WHERE id = ?");
    query_int(&q, m->box);
    query_int(&q, m->due);
    query_int(&q, m->solved);
    query_int(&q, m->failed);
    query_int(&q, m->tried);
    query_int(&q, m->id);
    return query_run(&q, "mistake", why);
}

/* It stays in the table, so that another review of the game does not bring it back. */
Status store_mistake_drop(Store *s, int64_t id, Message *why)
{
    Query q = query(s, "UPDATE mistake SET dropped = 1 WHERE id = ?");
    query_int(&q, id);
    return query_run(&q, "mistake", why);
}

/* One that the player dropped stays, or a later review would bring it back. */
Status store_mistake_withdraw(Store *s, int64_t game, int64_t ply, Message *why)
{
    Query q = query(s, "DELETE FROM mistake WHERE game = ? AND ply = ? AND dropped = 0");
    query_int(&q, game);
    query_int(&q, ply);
    return query_run(&q, "mistake", why);
}

static Status count_queue(Store *s, int64_t player, int64_t now, StoreQueue *out, Message *why)
{
    Query q = query(s, "SELECT coalesce(sum(due <= ?), 0), count(*), "
                       "coalesce(min(CASE WHEN due > ? THEN due END), 0) "
                       "FROM mistake WHERE player = ? AND dropped = 0");
    query_int(&q, now);
    query_int(&q, now);
    query_int(&q, player);
    *out = (StoreQueue){0};
    if (query_row(&q))
        *out = (StoreQueue){query_get(&q, 0), query_get(&q, 1), query_get(&q, 2)};
    return query_end(&q, "queue", why);
}

Status store_queue(Store *s, int64_t player, int64_t now, int64_t limit,
                   void (*tell)(void *user, const StoreMistake *m), void *user, StoreQueue *out,
                   Message *why)
{
    StoreMistake m;
    Query q = query(s, "SELECT " MISTAKE_SELECTED " FROM mistake WHERE player = ? AND "
                       "dropped = 0 AND due <= ? ORDER BY due, id LIMIT ?");
    query_int(&q, player);
    query_int(&q, now);
    query_int(&q, tell ? limit : 0);
    while (query_row(&q)) {
        read_mistake(&q, &m);
        tell(user, &m);
    }
    Status status = query_end(&q, "queue", why);
    return status == STATUS_OK ? count_queue(s, player, now, out, why) : status;
}
