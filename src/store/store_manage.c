/* Many games at once: figures by group, whose side a name is, duplicates, and the games of a player
 * who goes. */
#include "store/store_int.h"

/* -- Figures -- */

/* Whether `you` won is told by result = you + 1; a guest's games are counted for their owner alone.
 */
#define STATS_FROM                                                     \
    ", count(*), sum(result = you + 1), sum(result = 3), max(created)" \
    " FROM game WHERE player = ? AND you >= 0 AND result BETWEEN 1 AND 3 AND kind IN (0, 2)"

static const Column group_columns[] = {
    COLUMN(TEXT, StoreGroup, name),    COLUMN(INTEGER, StoreGroup, games),
    COLUMN(INTEGER, StoreGroup, won),  COLUMN(INTEGER, StoreGroup, drawn),
    COLUMN(INTEGER, StoreGroup, last),
};
static const RowShape group_row = ROW_SHAPE("figures", StoreGroup, group_columns);

StoreRows store_stats(Store *s, int64_t player, StoreStats by, int limit)
{
    static const char *const keys[] = {
        [STORE_BY_OPENING] = "CASE WHEN instr(opening, ':') > 0"
                             " THEN substr(opening, 1, instr(opening, ':') - 1) ELSE opening END",
        [STORE_BY_OPPONENT] = "CASE you WHEN 0 THEN black_title ELSE white_title END",
        [STORE_BY_COLOR] = "CASE you WHEN 0 THEN 'white' ELSE 'black' END",
        [STORE_BY_CLOCK] = "CASE has_clock WHEN 0 THEN ''"
                           " ELSE (initial_ms / 1000) || '+' || (increment_ms / 1000) END",
    };
    char sql[600];
    snprintf(sql, sizeof sql, "SELECT %s AS k" STATS_FROM " GROUP BY k ORDER BY 2 DESC, k LIMIT ?",
             keys[by]);
    Query q = rows_of(s, &group_row, sql, player);
    query_int(&q, limit);
    return q;
}

/* -- Imports -- */

Status store_claim_name(Store *s, int64_t player, Span name, int64_t *claimed, Message *why)
{
    Query q = query(s, "UPDATE game SET you = (white_name <> ?2 COLLATE NOCASE) WHERE player = ?1"
                       " AND kind = 2 AND (white_name = ?2 COLLATE NOCASE"
                       " OR black_name = ?2 COLLATE NOCASE)");
    query_int(&q, player);
    query_span(&q, name);
    Status status = query_run(&q, "names", why);
    *claimed = status == STATUS_OK ? sqlite3_changes(s->db) : 0;
    return status;
}

bool store_has_game(Store *s, const StoreGame *g)
{
    Message why;
    Query q = query(s, "SELECT 1 FROM game WHERE player = ? AND fen = ? AND kind = 2 AND plies = ?"
                       " AND last = ? AND white_name = ? AND black_name = ? AND date = ?"
                       " AND event = ? AND start_fen = ? LIMIT 1");
    query_int(&q, g->player);
    query_str(&q, g->fen);
    query_int(&q, g->plies);
    query_str(&q, g->last);
    query_str(&q, g->side[WHITE].name);
    query_str(&q, g->side[BLACK].name);
    query_str(&q, g->date);
    query_str(&q, g->event);
    query_str(&q, g->start_fen);
    bool found = query_row(&q);
    return query_end(&q, "games", &why) == STATUS_OK && found;
}

/* -- A player who goes -- */

Status store_player_delete(Store *s, int64_t player, Message *why)
{
    store_begin(s);
    Status status = query_with(s, "DELETE FROM game WHERE player = ?", 1, &player, "player", why);
    if (status == STATUS_OK)
        status = query_with(s, "DELETE FROM player WHERE id = ?", 1, &player, "player", why);
    return store_end(s, status, why);
}
