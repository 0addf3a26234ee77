#include "store/store_int.h"

#include "store/store_columns_int.h"

typedef struct GameRow {
    StoreGame g;
    int64_t result; /* as it is stored */
} GameRow;

#define SIDE_COLUMNS(color)                                                                  \
    COLUMN(INTEGER, GameRow, g.side[color].kind), COLUMN(TEXT, GameRow, g.side[color].name), \
        COLUMN(TEXT, GameRow, g.side[color].title),                                          \
        COLUMN(INTEGER, GameRow, g.side[color].rating),                                      \
        COLUMN(INTEGER, GameRow, g.side[color].elo)

/* In the order of GAME_SELECTED. */
static const Column game_columns[] = {
    COLUMN(INTEGER, GameRow, g.player),
    COLUMN(INTEGER, GameRow, g.kind),
    COLUMN(INTEGER, GameRow, g.version),
    SIDE_COLUMNS(WHITE),
    SIDE_COLUMNS(BLACK),
    COLUMN(INTEGER, GameRow, g.you),
    COLUMN(INTEGER, GameRow, g.chess960),
    COLUMN(TEXT, GameRow, g.start_fen),
    COLUMN(INTEGER, GameRow, g.has_clock),
    COLUMN(INTEGER, GameRow, g.initial_ms),
    COLUMN(INTEGER, GameRow, g.increment_ms),
    COLUMN(INTEGER, GameRow, g.clock_ms[WHITE]),
    COLUMN(INTEGER, GameRow, g.clock_ms[BLACK]),
    COLUMN(INTEGER, GameRow, g.turn_at),
    COLUMN(INTEGER, GameRow, g.pace_ms),
    COLUMN(INTEGER, GameRow, g.seed),
    COLUMN(INTEGER, GameRow, result),
    COLUMN(TEXT, GameRow, g.reason),
    COLUMN(INTEGER, GameRow, g.rated),
    COLUMN(INTEGER, GameRow, g.hints),
    COLUMN(INTEGER, GameRow, g.takebacks),
    COLUMN(INTEGER, GameRow, g.offer),
    COLUMN(INTEGER, GameRow, g.next),
    COLUMN(INTEGER, GameRow, g.rating_before),
    COLUMN(INTEGER, GameRow, g.rating_after),
    COLUMN(INTEGER, GameRow, g.plies),
    COLUMN(TEXT, GameRow, g.fen),
    COLUMN(TEXT, GameRow, g.last),
    COLUMN(TEXT, GameRow, g.eco),
    COLUMN(TEXT, GameRow, g.opening),
    COLUMN(TEXT, GameRow, g.event),
    COLUMN(TEXT, GameRow, g.date),
    COLUMN(INTEGER, GameRow, g.created),
    COLUMN(INTEGER, GameRow, g.updated),
    COLUMN(INTEGER, GameRow, g.id),
    COLUMN(INTEGER, GameRow, g.reviewed),
    COLUMN(REAL, GameRow, g.accuracy[WHITE]),
    COLUMN(REAL, GameRow, g.accuracy[BLACK]),
    COLUMN(INTEGER, GameRow, g.guest),
};
enum { GAME_STORED = 42 };
static const RowShape game_row = ROW_SHAPE("game", GameRow, game_columns);

static void bind_game(Query *q, const StoreGame *g)
{
    GameRow row = {*g, (int64_t)g->result};
    if (g->over && g->result == RESULT_NONE)
        row.result = STORE_OVER_WITHOUT_RESULT;
    row_bind(q, &game_row, 0, GAME_STORED, &row);
}

bool columns_next_game(Query *q, StoreGame *g)
{
    GameRow row;
    if (!row_next(q, &game_row, &row))
        return false;
    *g = row.g;
    g->over = row.result != 0;
    g->result = row.result == STORE_OVER_WITHOUT_RESULT ? RESULT_NONE : (Result)row.result;
    return true;
}

static Status insert_game(Store *s, StoreGame *g, Message *why)
{
    Query q = query(s, "INSERT INTO game(" GAME_COLUMNS ") VALUES (" GAME_QUESTION_MARKS ")");
    bind_game(&q, g);
    Status status = query_run(&q, "game", why);
    if (status == STATUS_OK)
        g->id = sqlite3_last_insert_rowid(s->db);
    return status;
}

Status store_game_set_guest(Store *s, int64_t game, int64_t guest, Message *why)
{
    Query q = query(s, "INSERT OR REPLACE INTO guest(game, guest) VALUES (?, ?)");
    query_int(&q, game);
    query_int(&q, guest);
    return query_run(&q, "guest", why);
}

Status store_game_add(Store *s, StoreGame *g, Message *why)
{
    if (!g->guest)
        return insert_game(s, g, why);
    bool own;
    Status status = store_enter(s, &own, why);
    if (status != STATUS_OK)
        return status;
    status = insert_game(s, g, why);
    if (status == STATUS_OK)
        status = store_game_set_guest(s, g->id, g->guest, why);
    return store_leave(s, own, status, why);
}

Status store_game_save(Store *s, const StoreGame *g, Message *why)
{
    Query q =
        query(s, "UPDATE game SET (" GAME_COLUMNS ") = (" GAME_QUESTION_MARKS ") WHERE id = ?");
    bind_game(&q, g);
    query_int(&q, g->id);
    return query_run(&q, "game", why);
}

Status store_game_load(Store *s, int64_t id, StoreGame *g, Message *why)
{
    Query q = query(s, "SELECT " GAME_SELECTED " FROM " GAME_TABLES " WHERE game.id = ?");
    query_int(&q, id);
    return row_found(&q, &game_row, columns_next_game(&q, g), id, why);
}

Status store_game_delete(Store *s, int64_t id, Message *why)
{
    return query_with_id(s, "DELETE FROM game WHERE id = ?", id, "game", why);
}

/* -- Moves -- */

static Status put_move(Store *s, int64_t game, int64_t ply, const StoreMove *m, Message *why)
{
    Query q = query(s, "INSERT OR REPLACE INTO move(game, ply, uci, clock_ms, spent_ms) "
                       "VALUES (?, ?, ?, ?, ?)");
    query_int(&q, game);
    query_int(&q, ply);
    query_str(&q, m->uci);
    query_int(&q, m->clock_ms);
    query_int(&q, m->spent_ms);
    return query_run(&q, "move", why);
}

Status store_move_put(Store *s, int64_t game, int64_t ply, const StoreMove *m, const StoreGame *g,
                      Message *why)
{
    bool own;
    Status status = store_enter(s, &own, why);
    if (status != STATUS_OK)
        return status;
    status = put_move(s, game, ply, m, why);
    if (status == STATUS_OK && g)
        status = store_game_save(s, g, why);
    return store_leave(s, own, status, why);
}

static Status cut(Store *s, const char *sql, int64_t game, int64_t plies, Message *why)
{
    Query q = query(s, sql);
    query_int(&q, game);
    query_int(&q, plies);
    return query_run(&q, "moves", why);
}

Status store_moves_cut(Store *s, const StoreGame *g, int64_t plies, Message *why)
{
    bool own;
    Status status = store_enter(s, &own, why);
    if (status != STATUS_OK)
        return status;
    status = cut(s, "DELETE FROM move WHERE game = ? AND ply >= ?", g->id, plies, why);
    if (status == STATUS_OK)
        status = cut(s, "DELETE FROM talk WHERE game = ? AND ply > ?", g->id, plies, why);
    if (status == STATUS_OK)
        status = store_game_save(s, g, why);
    return store_leave(s, own, status, why);
}

Status store_moves(Store *s, int64_t game, void (*tell)(void *user, const StoreMove *m), void *user,
                   Message *why)
{
    Query q = query(s, "SELECT uci, clock_ms, spent_ms FROM move WHERE game = ? ORDER BY ply");
    query_int(&q, game);
    while (query_row(&q)) {
        StoreMove m = {.clock_ms = query_get(&q, 1), .spent_ms = query_get(&q, 2)};
        query_get_str(&q, 0, m.uci, sizeof m.uci);
        tell(user, &m);
    }
    return query_end(&q, "moves", why);
}

/* -- Talk -- */

Status store_talk_add(Store *s, int64_t game, const StoreTalk *t, Message *why)
{
    Query q = query(s, "INSERT INTO talk(game, ply, side, text) VALUES (?, ?, ?, ?)");
    query_int(&q, game);
    query_int(&q, t->ply);
    query_int(&q, t->side);
    query_str(&q, t->text);
    return query_run(&q, "talk", why);
}

Status store_talk(Store *s, int64_t game, void (*tell)(void *user, const StoreTalk *t), void *user,
                  Message *why)
{
    char text[512];
    Query q = query(s, "SELECT ply, side, text FROM talk WHERE game = ? ORDER BY id");
    query_int(&q, game);
    while (query_row(&q)) {
        query_get_str(&q, 2, text, sizeof text);
        StoreTalk t = {query_get(&q, 0), (int)query_get(&q, 1), text};
        tell(user, &t);
    }
    return query_end(&q, "talk", why);
}

/* -- Tags -- */

Status store_tag_put(Store *s, int64_t game, const char *name, const char *value, Message *why)
{
    Query q = query(s, "INSERT OR REPLACE INTO tag(game, name, value) VALUES (?, ?, ?)");
    query_int(&q, game);
    query_str(&q, name);
    query_str(&q, value);
    return query_run(&q, "tag", why);
}

Status store_tags(Store *s, int64_t game,
                  void (*tell)(void *user, const char *name, const char *value), void *user,
                  Message *why)
{
    Query q = query(s, "SELECT name, value FROM tag WHERE game = ? ORDER BY name");
    query_int(&q, game);
    while (query_row(&q)) {
        const char *name = (const char *)sqlite3_column_text(q.at, 0);
        const char *value = (const char *)sqlite3_column_text(q.at, 1);
        if (name && value)
            tell(user, name, value);
    }
    return query_end(&q, "tags", why);
}
