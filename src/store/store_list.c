#include "store/store_int.h"

#include "store/store_columns_int.h"

#include <string.h>

/* -- A row as a game -- */

static void read_side(const Query *q, int first, StoreSide *side)
{
    side->kind = (SideKind)query_get(q, first);
    query_get_str(q, first + 1, side->name, sizeof side->name);
    query_get_str(q, first + 2, side->title, sizeof side->title);
    side->rating = query_get(q, first + 3);
    side->elo = query_get(q, first + 4);
}

static void read_course(const Query *q, StoreGame *g)
{
    g->clock_ms[WHITE] = query_get(q, 19);
    g->clock_ms[BLACK] = query_get(q, 20);
    g->turn_at = query_get(q, 21);
    g->pace_ms = query_get(q, 22);
    g->seed = (uint64_t)query_get(q, 23);
    int64_t result = query_get(q, 24);
    g->over = result != 0;
    g->result = result == STORE_OVER_WITHOUT_RESULT ? RESULT_NONE : (Result)result;
    query_get_str(q, 25, g->reason, sizeof g->reason);
    g->rated = query_get(q, 26) != 0;
    g->hints = query_get(q, 27);
    g->takebacks = query_get(q, 28);
    g->offer = (int)query_get(q, 29);
    g->next = query_get(q, 30);
    g->rating_before = query_get(q, 31);
    g->rating_after = query_get(q, 32);
    g->plies = query_get(q, 33);
    query_get_str(q, 34, g->fen, sizeof g->fen);
    query_get_str(q, 35, g->last, sizeof g->last);
}

static void read_names(const Query *q, StoreGame *g)
{
    query_get_str(q, 36, g->eco, sizeof g->eco);
    query_get_str(q, 37, g->opening, sizeof g->opening);
    query_get_str(q, 38, g->event, sizeof g->event);
    query_get_str(q, 39, g->date, sizeof g->date);
    g->created = query_get(q, 40);
    g->updated = query_get(q, 41);
    g->id = query_get(q, 42);
    g->reviewed = query_get(q, 43) != 0;
    g->accuracy[WHITE] = query_get_real(q, 44);
    g->accuracy[BLACK] = query_get_real(q, 45);
    g->guest = query_get(q, 46);
}

void columns_read_game(const Query *q, StoreGame *g)
{
    *g = (StoreGame){.player = query_get(q, 0)};
    g->kind = (StoreKind)query_get(q, 1);
    g->version = query_get(q, 2);
    read_side(q, 3, &g->side[WHITE]);
    read_side(q, 8, &g->side[BLACK]);
    g->you = (int)query_get(q, 13);
    g->chess960 = query_get(q, 14) != 0;
    query_get_str(q, 15, g->start_fen, sizeof g->start_fen);
    g->has_clock = query_get(q, 16) != 0;
    g->initial_ms = query_get(q, 17);
    g->increment_ms = query_get(q, 18);
    read_course(q, g);
    read_names(q, g);
}

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
    while (query_row(&q)) {
        columns_read_game(&q, &g);
        if (f->player && g.player != f->player && g.you >= 0)
            g.you = !g.you;
        tell(user, &g);
    }
    Status status = query_end(&q, "games", why);
    return status == STATUS_OK && total ? count_games(s, f, guest, total, why) : status;
}
