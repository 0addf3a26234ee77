#include "store/store_int.h"

static const Column player_columns[] = {
    COLUMN(TEXT, StorePlayer, name),      COLUMN(INTEGER, StorePlayer, created),
    COLUMN(INTEGER, StorePlayer, seen),   COLUMN(REAL, StorePlayer, rating),
    COLUMN(REAL, StorePlayer, deviation), COLUMN(REAL, StorePlayer, volatility),
    COLUMN(INTEGER, StorePlayer, id),     COLUMN(INTEGER, StorePlayer, games),
};
enum { PLAYER_STORED = 6 };

#define PLAYER_COLUMNS "name, created, seen, rating, deviation, volatility"
#define PLAYER_SELECTED      \
    "SELECT " PLAYER_COLUMNS \
    ", id, (SELECT count(*) FROM rating WHERE rating.player = player.id) FROM player "

static const RowShape player_row = ROW_SHAPE_SAVED(
    "player", StorePlayer, player_columns, 0, PLAYER_STORED,
    "UPDATE player SET (" PLAYER_COLUMNS ") = (?, ?, ?, ?, ?, ?) WHERE id = ?", NULL);

static Status taken(Status s, const char *name, Message *why)
{
    return s == STATUS_REFUSED ? status_fail(why, s, "player '%s' already exists", name) : s;
}

Status store_player_add(Store *s, StorePlayer *p, Message *why)
{
    Query q = query(s, "INSERT INTO player(" PLAYER_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?)");
    row_bind(&q, &player_row, 0, PLAYER_STORED, p);
    Status status = query_run(&q, "player", why);
    if (status == STATUS_OK)
        p->id = sqlite3_last_insert_rowid(s->db);
    return taken(status, p->name, why);
}

Status store_player_save(Store *s, const StorePlayer *p, Message *why)
{
    return taken(row_save(s, &player_row, p->id, p, why), p->name, why);
}

Status store_player_load(Store *s, int64_t id, StorePlayer *p, Message *why)
{
    return row_load(s, PLAYER_SELECTED "WHERE id = ?", &player_row, id, p, why);
}

StoreRows store_players(Store *s)
{
    return rows_all(s, &player_row, PLAYER_SELECTED "ORDER BY seen DESC, id");
}

static const Column rating_columns[] = {
    COLUMN(INTEGER, StoreRating, at),
    COLUMN(INTEGER, StoreRating, game),
    COLUMN(REAL, StoreRating, rating),
    COLUMN(REAL, StoreRating, deviation),
};
static const RowShape rating_row = ROW_SHAPE_SAVED(
    "rating", StoreRating, rating_columns, 0, 4,
    "INSERT INTO rating(at, game, rating, deviation, player) VALUES (?, ?, ?, ?, ?)", NULL);

Status store_rating_add(Store *s, int64_t player, const StoreRating *r, Message *why)
{
    return row_save(s, &rating_row, player, r, why);
}

StoreRows store_ratings(Store *s, int64_t player)
{
    return rows_of(s, &rating_row,
                   "SELECT at, game, rating, deviation FROM rating WHERE player = ? ORDER BY id",
                   player);
}
