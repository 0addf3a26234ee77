#include "store/store_int.h"

#define PLAYER_COLUMNS                                        \
    "id, name, created, seen, rating, deviation, volatility," \
    " (SELECT count(*) FROM rating WHERE rating.player = player.id)"

static void read_player(const Query *q, StorePlayer *p)
{
    *p = (StorePlayer){.id = query_get(q, 0)};
    query_get_str(q, 1, p->name, sizeof p->name);
    p->created = query_get(q, 2);
    p->seen = query_get(q, 3);
    p->rating = query_get_real(q, 4);
    p->deviation = query_get_real(q, 5);
    p->volatility = query_get_real(q, 6);
    p->games = query_get(q, 7);
}

static void bind_player(Query *q, const StorePlayer *p)
{
    query_str(q, p->name);
    query_int(q, p->created);
    query_int(q, p->seen);
    query_real(q, p->rating);
    query_real(q, p->deviation);
    query_real(q, p->volatility);
}

static Status taken(Status s, const char *name, Message *why)
{
    return s == STATUS_REFUSED ? status_fail(why, s, "player '%s' already exists", name) : s;
}

Status store_player_add(Store *s, StorePlayer *p, Message *why)
{
    Query q = query(s, "INSERT INTO player(name, created, seen, rating, deviation, volatility) "
                       "VALUES (?, ?, ?, ?, ?, ?)");
    bind_player(&q, p);
    Status status = query_run(&q, "player", why);
    if (status == STATUS_OK)
        p->id = sqlite3_last_insert_rowid(s->db);
    return taken(status, p->name, why);
}

Status store_player_save(Store *s, const StorePlayer *p, Message *why)
{
    Query q = query(s, "UPDATE player SET name = ?, created = ?, seen = ?, rating = ?, "
                       "deviation = ?, volatility = ? WHERE id = ?");
    bind_player(&q, p);
    query_int(&q, p->id);
    return taken(query_run(&q, "player", why), p->name, why);
}

Status store_player_load(Store *s, int64_t id, StorePlayer *p, Message *why)
{
    Query q = query(s, "SELECT " PLAYER_COLUMNS " FROM player WHERE id = ?");
    query_int(&q, id);
    bool found = query_row(&q);
    if (found)
        read_player(&q, p);
    Status status = query_end(&q, "player", why);
    if (status == STATUS_OK && !found)
        return status_fail(why, STATUS_MISSING, "player %lld does not exist", (long long)id);
    return status;
}

Status store_players(Store *s, void (*tell)(void *user, const StorePlayer *p), void *user,
                     Message *why)
{
    StorePlayer p;
    Query q = query(s, "SELECT " PLAYER_COLUMNS " FROM player ORDER BY seen DESC, id");
    while (query_row(&q)) {
        read_player(&q, &p);
        tell(user, &p);
    }
    return query_end(&q, "players", why);
}

Status store_rating_add(Store *s, int64_t player, const StoreRating *r, Message *why)
{
    Query q =
        query(s, "INSERT INTO rating(player, at, game, rating, deviation) VALUES (?, ?, ?, ?, ?)");
    query_int(&q, player);
    query_int(&q, r->at);
    query_int(&q, r->game);
    query_real(&q, r->rating);
    query_real(&q, r->deviation);
    return query_run(&q, "rating", why);
}

Status store_ratings(Store *s, int64_t player, void (*tell)(void *user, const StoreRating *r),
                     void *user, Message *why)
{
    Query q =
        query(s, "SELECT at, game, rating, deviation FROM rating WHERE player = ? ORDER BY id");
    query_int(&q, player);
    while (query_row(&q)) {
        StoreRating r = {query_get(&q, 0), query_get(&q, 1), query_get_real(&q, 2),
                         query_get_real(&q, 3)};
        tell(user, &r);
    }
    return query_end(&q, "ratings", why);
}
