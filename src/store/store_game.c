/* Games with their moves, what was said and the tags of their PGN; and lists of games. */
#include "store/store_int.h"

#include <string.h>

#define GAME_COLUMNS                                                                             \
    "player, kind, version, white_kind, white_name, white_title, white_rating, white_elo,"       \
    " black_kind, black_name, black_title, black_rating, black_elo, you, chess960, start_fen,"   \
    " has_clock, initial_ms, increment_ms, white_ms, black_ms, turn_at, pace_ms, seed, reason,"  \
    " rated, hints, takebacks, offer, next, rating_before, rating_after, plies, fen, last, eco," \
    " opening, event, date, created, updated"
/* The column `result` is 0 while a game is played, a Result, or 4: over without a result. */
#define GAME_VALUES                                                                       \
    "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?, " \
    "ifnull(nullif(?, 0), 4 * ?)"
/* `you` is the colour of whoever asks. */
#define GAME_SELECTED(you)                                                                 \
    "SELECT " GAME_COLUMNS ", result % 4, result <> 0, game.id, review.game IS NOT NULL, " \
    "white_accuracy, black_accuracy, ifnull(guest, 0), " you " FROM "
#define GAME_TABLES \
    "game LEFT JOIN review ON review.game = game.id LEFT JOIN guest ON guest.game = game.id"

#define SIDE_COLUMNS(color)                                                                  \
    COLUMN(INTEGER, StoreGame, side[color].kind), COLUMN(TEXT, StoreGame, side[color].name), \
        COLUMN(TEXT, StoreGame, side[color].title),                                          \
        COLUMN(INTEGER, StoreGame, side[color].rating),                                      \
        COLUMN(INTEGER, StoreGame, side[color].elo)

/* In the order of GAME_SELECTED; the first ones are stored. */
static const Column game_columns[] = {
    COLUMN(INTEGER, StoreGame, player),
    COLUMN(INTEGER, StoreGame, kind),
    COLUMN(INTEGER, StoreGame, version),
    SIDE_COLUMNS(WHITE),
    SIDE_COLUMNS(BLACK),
    COLUMN(INTEGER, StoreGame, you),
    COLUMN(INTEGER, StoreGame, chess960),
    COLUMN(TEXT, StoreGame, start_fen),
    COLUMN(INTEGER, StoreGame, has_clock),
    COLUMN(INTEGER, StoreGame, initial_ms),
    COLUMN(INTEGER, StoreGame, increment_ms),
    COLUMN(INTEGER, StoreGame, clock_ms[WHITE]),
    COLUMN(INTEGER, StoreGame, clock_ms[BLACK]),
    COLUMN(INTEGER, StoreGame, turn_at),
    COLUMN(INTEGER, StoreGame, pace_ms),
    COLUMN(INTEGER, StoreGame, seed),
    COLUMN(TEXT, StoreGame, reason),
    COLUMN(INTEGER, StoreGame, rated),
    COLUMN(INTEGER, StoreGame, hints),
    COLUMN(INTEGER, StoreGame, takebacks),
    COLUMN(INTEGER, StoreGame, offer),
    COLUMN(INTEGER, StoreGame, next),
    COLUMN(INTEGER, StoreGame, rating_before),
    COLUMN(INTEGER, StoreGame, rating_after),
    COLUMN(INTEGER, StoreGame, plies),
    COLUMN(TEXT, StoreGame, fen),
    COLUMN(TEXT, StoreGame, last),
    COLUMN(TEXT, StoreGame, eco),
    COLUMN(TEXT, StoreGame, opening),
    COLUMN(TEXT, StoreGame, event),
    COLUMN(TEXT, StoreGame, date),
    COLUMN(INTEGER, StoreGame, created),
    COLUMN(INTEGER, StoreGame, updated),
    COLUMN(INTEGER, StoreGame, result),
    COLUMN(INTEGER, StoreGame, over),
    COLUMN(INTEGER, StoreGame, id),
    COLUMN(INTEGER, StoreGame, reviewed),
    COLUMN(REAL, StoreGame, accuracy[WHITE]),
    COLUMN(REAL, StoreGame, accuracy[BLACK]),
    COLUMN(INTEGER, StoreGame, guest),
    COLUMN(INTEGER, StoreGame, you),
};
enum { GAME_STORED = 43 };
static const RowShape game_row =
    ROW_SHAPE_SAVED("game", StoreGame, game_columns, 0, GAME_STORED,
                    "UPDATE game SET (" GAME_COLUMNS ", result) = (" GAME_VALUES ") WHERE id = ?",
                    "DELETE FROM game WHERE id = ?");

static Status insert_game(Store *s, StoreGame *g, Message *why)
{
    Query q = query(s, "INSERT INTO game(" GAME_COLUMNS ", result) VALUES (" GAME_VALUES ")");
    row_bind(&q, &game_row, 0, GAME_STORED, g);
    Status status = query_run(&q, "game", why);
    if (status == STATUS_OK)
        g->id = sqlite3_last_insert_rowid(s->db);
    return status;
}

Status store_game_set_guest(Store *s, int64_t game, int64_t guest, Message *why)
{
    return query_with(s, "INSERT OR REPLACE INTO guest(game, guest) VALUES (?, ?)", 2,
                      (const int64_t[]){game, guest}, "guest", why);
}

Status store_game_add(Store *s, StoreGame *g, Message *why)
{
    store_begin(s);
    Status status = insert_game(s, g, why);
    if (status == STATUS_OK && g->guest)
        status = store_game_set_guest(s, g->id, g->guest, why);
    return store_end(s, status, why);
}

Status store_game_save(Store *s, const StoreGame *g, Message *why)
{
    return row_save(s, &game_row, g->id, g, why);
}

Status store_game_load(Store *s, int64_t id, StoreGame *g, Message *why)
{
    return row_load(s, GAME_SELECTED("you") GAME_TABLES " WHERE game.id = ?", &game_row, id, g,
                    why);
}

Status store_game_delete(Store *s, int64_t id, Message *why)
{
    return row_drop(s, &game_row, id, why);
}

/* -- Lists -- */

enum { SQL_SIZE = 2400 };

static void add(char sql[SQL_SIZE], const char *text)
{
    size_t len = strlen(sql);
    snprintf(sql + len, SQL_SIZE - len, "%s", text);
}

/* A guest has the other colour. Few players are guests, and the index serves those who are not. */
#define GUEST_OF " OR game.id IN (SELECT game FROM guest WHERE guest = ?1)"
#define GUEST_YOU "(CASE WHEN ?1 IN (0, player) OR you < 0 THEN you ELSE 1 - you END)"

static bool is_guest(Store *s, int64_t player)
{
    Message why;
    Query q = query(s, "SELECT 1 FROM guest JOIN game ON game.id = guest.game"
                       " WHERE guest = ? AND player <> guest LIMIT 1");
    query_int(&q, player);
    bool found = query_row(&q);
    return query_end(&q, "guests", &why) == STATUS_OK && found;
}

/* The conditions of what is set, so that an index serves them. The sides of imported games are
 * nobody's, so neither won nor lost. */
static void add_conditions(char sql[SQL_SIZE], Store *s, const StoreFilter *f)
{
    static const char *const outcomes[] = {"", " AND you >= 0 AND result = " GUEST_YOU " + 1",
                                           (" AND you >= 0 AND result = 2 - " GUEST_YOU),
                                           " AND result = 3", " AND game.result = 0"};
    add(sql, !f->player               ? " WHERE ?1 = 0"
             : is_guest(s, f->player) ? " WHERE (player = ?1" GUEST_OF ")"
                                      : " WHERE player = ?1");
    add(sql, f->kind >= 0 ? " AND kind = ?2" : " AND ?2 = -1");
    add(sql, f->color >= 0 ? " AND " GUEST_YOU " = ?3" : " AND ?3 = -1");
    add(sql, f->reviewed >= 0 ? " AND (review.game IS NOT NULL) = ?4" : " AND ?4 = -1");
    add(sql, f->since ? " AND created >= ?5" : " AND ?5 = 0");
    add(sql, f->until ? " AND created < ?6" : " AND ?6 = 0");
    add(sql, f->search.len
                 ? " AND instr(lower(white_title || ' ' || black_title || ' ' || eco || ' ' ||"
                   " opening || ' ' || event), lower(?7)) > 0"
                 : " AND ?7 = ''");
    add(sql, outcomes[f->outcome]);
}

static Query query_filtered(Store *s, const char *sql, const StoreFilter *f)
{
    Query q = rows_of(s, &game_row, sql, f->player);
    query_int(&q, f->kind);
    query_int(&q, f->color);
    query_int(&q, f->reviewed);
    query_int(&q, f->since);
    query_int(&q, f->until);
    query_span(&q, f->search.at ? f->search : span_of(""));
    return q;
}

StoreRows store_games(Store *s, const StoreFilter *f)
{
    char sql[SQL_SIZE] = GAME_SELECTED(GUEST_YOU) GAME_TABLES;
    add_conditions(sql, s, f);
    add(sql, f->after_id ? " AND (created, game.id) < (?8, ?9)" : " AND ?8 = 0 AND ?9 = 0");
    add(sql, " ORDER BY created DESC, game.id DESC LIMIT ?10 OFFSET ?11");
    Query q = query_filtered(s, sql, f);
    query_int(&q, f->after_id ? f->after_created : 0);
    query_int(&q, f->after_id);
    query_int(&q, f->limit);
    query_int(&q, f->offset);
    return q;
}

Status store_count_games(Store *s, const StoreFilter *f, int64_t *total, Message *why)
{
    char sql[SQL_SIZE] = "SELECT count(*) FROM ";
    add(sql, f->reviewed >= 0 ? GAME_TABLES : "game");
    add_conditions(sql, s, f);
    Query q = query_filtered(s, sql, f);
    *total = query_row(&q) ? query_get(&q, 0) : 0;
    return query_end(&q, "games", why);
}

/* -- Moves -- */

static const Column move_columns[] = {
    COLUMN(INTEGER, StoreMove, ply),
    COLUMN(TEXT, StoreMove, uci),
    COLUMN(INTEGER, StoreMove, clock_ms),
    COLUMN(INTEGER, StoreMove, spent_ms),
};
static const RowShape move_row = ROW_SHAPE_SAVED(
    "move", StoreMove, move_columns, 0, 4,
    "INSERT OR REPLACE INTO move(ply, uci, clock_ms, spent_ms, game) VALUES (?, ?, ?, ?, ?)", NULL);

Status store_move_put(Store *s, int64_t game, const StoreMove *m, const StoreGame *g, Message *why)
{
    store_begin(s);
    Status status = row_save(s, &move_row, game, m, why);
    if (status == STATUS_OK && g)
        status = store_game_save(s, g, why);
    return store_end(s, status, why);
}

Status store_moves_cut(Store *s, const StoreGame *g, int64_t plies, Message *why)
{
    const int64_t from[] = {g->id, plies};
    store_begin(s);
    Status status =
        query_with(s, "DELETE FROM move WHERE game = ? AND ply >= ?", 2, from, "moves", why);
    if (status == STATUS_OK)
        status =
            query_with(s, "DELETE FROM talk WHERE game = ? AND ply > ?", 2, from, "moves", why);
    if (status == STATUS_OK)
        status = store_game_save(s, g, why);
    return store_end(s, status, why);
}

StoreRows store_moves(Store *s, int64_t game)
{
    return rows_of(s, &move_row,
                   "SELECT ply, uci, clock_ms, spent_ms FROM move WHERE game = ? ORDER BY ply",
                   game);
}

/* -- Talk -- */

static const Column talk_columns[] = {
    COLUMN(INTEGER, StoreTalk, ply),
    COLUMN(INTEGER, StoreTalk, side),
    COLUMN(BORROWED, StoreTalk, text),
};
static const RowShape talk_row =
    ROW_SHAPE_SAVED("talk", StoreTalk, talk_columns, 0, 3,
                    "INSERT INTO talk(ply, side, text, game) VALUES (?, ?, ?, ?)", NULL);

Status store_talk_add(Store *s, int64_t game, const StoreTalk *t, Message *why)
{
    return row_save(s, &talk_row, game, t, why);
}

StoreRows store_talk(Store *s, int64_t game)
{
    return rows_of(s, &talk_row, "SELECT ply, side, text FROM talk WHERE game = ? ORDER BY id",
                   game);
}

/* -- Tags -- */

static const Column tag_columns[] = {
    COLUMN(BORROWED, StoreTag, name),
    COLUMN(BORROWED, StoreTag, value),
};
static const RowShape tag_row =
    ROW_SHAPE_SAVED("tag", StoreTag, tag_columns, 0, 2,
                    "INSERT OR REPLACE INTO tag(name, value, game) VALUES (?, ?, ?)", NULL);

Status store_tag_put(Store *s, int64_t game, const StoreTag *tag, Message *why)
{
    return row_save(s, &tag_row, game, tag, why);
}

StoreRows store_tags(Store *s, int64_t game)
{
    return rows_of(s, &tag_row, "SELECT name, value FROM tag WHERE game = ? ORDER BY name", game);
}
