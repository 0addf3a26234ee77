#include "store/store_int.h"

#include "store/store_columns_int.h"

#include <string.h>

/* -- Filters -- */

enum { SQL_SIZE = 2400 };

static void add(char sql[SQL_SIZE], const char *text)
{
    size_t len = strlen(sql);
    snprintf(sql + len, SQL_SIZE - len, "%s", text);
}

/* A guest has the other colour. Few players are guests, and the index serves those who are not. */
#define GUEST_OF " OR game.id IN (SELECT game FROM guest WHERE guest = ?1)"
#define GUEST_YOU "(CASE WHEN player = ?1 OR you < 0 THEN you ELSE 1 - you END)"

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
static void add_conditions(char sql[SQL_SIZE], const StoreFilter *f, bool guest)
{
    static const char *const own[] = {"", " AND you >= 0 AND result = you + 1",
                                      " AND you >= 0 AND result = 2 - you", " AND result = 3",
                                      " AND game.result = 0"};
    static const char *const any[] = {"", " AND you >= 0 AND result = " GUEST_YOU " + 1",
                                      (" AND you >= 0 AND result = 2 - " GUEST_YOU),
                                      " AND result = 3", " AND game.result = 0"};
    add(sql, !f->player ? " WHERE ?1 = 0"
             : guest    ? " WHERE (player = ?1" GUEST_OF ")"
                        : " WHERE player = ?1");
    add(sql, f->kind >= 0 ? " AND kind = ?2" : " AND ?2 = -1");
    add(sql, f->color < 0 ? " AND ?3 = -1" : guest ? " AND " GUEST_YOU " = ?3" : " AND you = ?3");
    add(sql, f->reviewed >= 0 ? " AND (review.game IS NOT NULL) = ?4" : " AND ?4 = -1");
    add(sql, f->since ? " AND created >= ?5" : " AND ?5 = 0");
    add(sql, f->until ? " AND created < ?6" : " AND ?6 = 0");
    add(sql, f->search.len
                 ? " AND instr(lower(white_title || ' ' || black_title || ' ' || eco || ' ' ||"
                   " opening || ' ' || event), lower(?7)) > 0"
                 : " AND ?7 = ''");
    add(sql, (guest ? any : own)[f->outcome]);
}

static void bind_filter(Query *q, const StoreFilter *f)
{
    query_int(q, f->player);
    query_int(q, f->kind);
    query_int(q, f->color);
    query_int(q, f->reviewed);
    query_int(q, f->since);
    query_int(q, f->until);
    query_span(q, f->search.at ? f->search : span_of(""));
}

static Status count_games(Store *s, const StoreFilter *f, bool guest, int64_t *total, Message *why)
{
    char sql[SQL_SIZE] = "SELECT count(*) FROM ";
    add(sql, f->reviewed >= 0 ? GAME_TABLES : "game");
    add_conditions(sql, f, guest);
    Query q = query(s, sql);
    bind_filter(&q, f);
    *total = query_row(&q) ? query_get(&q, 0) : 0;
    return query_end(&q, "games", why);
}

Status store_games(Store *s, const StoreFilter *f, void (*tell)(void *user, const StoreGame *g),
                   void *user, int64_t *total, Message *why)
{
    StoreGame g;
    char sql[SQL_SIZE] = "SELECT " GAME_SELECTED " FROM " GAME_TABLES;
    bool guest = f->player && is_guest(s, f->player);
    add_conditions(sql, f, guest);
    add(sql, f->after_id ? " AND (created, game.id) < (?8, ?9)" : " AND ?8 = 0 AND ?9 = 0");
    add(sql, " ORDER BY created DESC, game.id DESC LIMIT ?10 OFFSET ?11");
    Query q = query(s, sql);
    bind_filter(&q, f);
    query_int(&q, f->after_id ? f->after_created : 0);
    query_int(&q, f->after_id);
    query_int(&q, f->limit);
    query_int(&q, f->offset);
    while (columns_next_game(&q, &g)) {
        if (f->player && g.player != f->player && g.you >= 0)
            g.you = !g.you;
        tell(user, &g);
    }
    Status status = query_end(&q, "games", why);
    return status == STATUS_OK && total ? count_games(s, f, guest, total, why) : status;
}
