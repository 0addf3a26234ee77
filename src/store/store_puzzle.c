/* Puzzles, the rating of those who solve them, and opening lines to drill. */
#include "store/store_int.h"

/* -- Puzzles -- */

#define PUZZLE_COLUMNS                                                                      \
    "player, game, ply, chess960, fen, last, line, themes, rating, deviation, volatility, " \
    "attempts, result, at"
#define PUZZLE_SELECTED "SELECT " PUZZLE_COLUMNS ", id FROM puzzle WHERE dropped = 0 AND "

static void read_puzzle(const Query *q, StorePuzzle *p)
{
    *p = (StorePuzzle){.player = query_get(q, 0), .game = query_get(q, 1), .ply = query_get(q, 2)};
    p->chess960 = query_get(q, 3) != 0;
    query_get_str(q, 4, p->fen, sizeof p->fen);
    query_get_str(q, 5, p->last, sizeof p->last);
    query_get_str(q, 6, p->line, sizeof p->line);
    p->themes = (unsigned)query_get(q, 7);
    p->rating = query_get_real(q, 8);
    p->deviation = query_get_real(q, 9);
    p->volatility = query_get_real(q, 10);
    p->attempts = query_get(q, 11);
    p->result = (StorePuzzleResult)query_get(q, 12);
    p->at = query_get(q, 13);
    p->id = query_get(q, 14);
}

/* One of the same place stays as it is. */
Status store_puzzle_add(Store *s, const StorePuzzle *p, Message *why)
{
    Query q = query(s, "INSERT OR IGNORE INTO puzzle(" PUZZLE_COLUMNS
                       ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    query_int(&q, p->player);
    query_int(&q, p->game);
    query_int(&q, p->ply);
    query_int(&q, p->chess960);
    query_str(&q, p->fen);
    query_str(&q, p->last);
    query_str(&q, p->line);
    query_int(&q, p->themes);
    query_real(&q, p->rating);
    query_real(&q, p->deviation);
    query_real(&q, p->volatility);
    query_int(&q, p->attempts);
    query_int(&q, p->result);
    query_int(&q, p->at);
    return query_run(&q, "puzzle", why);
}

Status store_puzzle_load(Store *s, int64_t id, StorePuzzle *p, Message *why)
{
    Query q = query(s, PUZZLE_SELECTED "id = ?");
    query_int(&q, id);
    bool found = query_row(&q);
    if (found)
        read_puzzle(&q, p);
    Status status = query_end(&q, "puzzle", why);
    if (status == STATUS_OK && !found)
        return status_fail(why, STATUS_MISSING, "puzzle %lld does not exist", (long long)id);
    return status;
}

Status store_puzzle_save(Store *s, const StorePuzzle *p, Message *why)
{
    Query q = query(s, "UPDATE puzzle SET rating = ?, deviation = ?, volatility = ?, attempts = ?, "
                       "result = ?, at = ? WHERE id = ?");
    query_real(&q, p->rating);
    query_real(&q, p->deviation);
    query_real(&q, p->volatility);
    query_int(&q, p->attempts);
    query_int(&q, p->result);
    query_int(&q, p->at);
    query_int(&q, p->id);
    return query_run(&q, "puzzle", why);
}

Status store_puzzle_drop(Store *s, int64_t id, Message *why)
{
    Query q = query(s, "UPDATE puzzle SET dropped = 1 WHERE id = ?");
    query_int(&q, id);
    return query_run(&q, "puzzle", why);
}

Status store_puzzles(Store *s, int64_t player, void (*tell)(void *user, const StorePuzzle *p),
                     void *user, Message *why)
{
    StorePuzzle p;
    Query q = query(s, PUZZLE_SELECTED "player = ? ORDER BY id");
    query_int(&q, player);
    while (query_row(&q)) {
        read_puzzle(&q, &p);
        tell(user, &p);
    }
    return query_end(&q, "puzzle", why);
}

Status store_puzzle_next(Store *s, int64_t player, double rating, unsigned themes, int64_t not,
                         StorePuzzle *out, bool *found, Message *why)
{
    static const char *const choices[] = {
        PUZZLE_SELECTED "player = ? AND id != ? AND (? = 0 OR themes & ?) AND result = 0 "
                        "ORDER BY abs(rating - ?), id LIMIT 1",
        PUZZLE_SELECTED "player = ? AND id != ? AND (? = 0 OR themes & ?) AND result = 2 "
                        "ORDER BY at, abs(rating - ?) LIMIT 1",
    };
    Status status = STATUS_OK;
    *found = false;
    for (int i = 0; i < 2 && status == STATUS_OK && !*found; i++) {
        Query q = query(s, choices[i]);
        query_int(&q, player);
        query_int(&q, not );
        query_int(&q, themes);
        query_int(&q, themes);
        query_real(&q, rating);
        *found = query_row(&q);
        if (*found)
            read_puzzle(&q, out);
        status = query_end(&q, "puzzle", why);
    }
    return status;
}

/* -- Games that are searched -- */

Status store_puzzle_games(Store *s, int64_t player, int64_t *ids, int max, int *count, Message *why)
{
    Query q = query(s, "SELECT id FROM game WHERE player = ? AND result != 0 AND plies > 8 AND id "
                       "NOT IN (SELECT game FROM puzzle_game) ORDER BY created DESC LIMIT ?");
    query_int(&q, player);
    query_int(&q, max);
    for (*count = 0; query_row(&q);)
        ids[(*count)++] = query_get(&q, 0);
    return query_end(&q, "games", why);
}

Status store_puzzle_game_done(Store *s, int64_t game, Message *why)
{
    Query q = query(s, "INSERT OR IGNORE INTO puzzle_game(game) VALUES (?)");
    query_int(&q, game);
    return query_run(&q, "games", why);
}

/* -- Ratings -- */

Status store_solver_load(Store *s, int64_t player, StoreSolver *out, bool *found, Message *why)
{
    Query q = query(s, "SELECT rating, deviation, volatility FROM solver WHERE player = ?");
    query_int(&q, player);
    *found = query_row(&q);
    if (*found)
        *out = (StoreSolver){query_get_real(&q, 0), query_get_real(&q, 1), query_get_real(&q, 2)};
    return query_end(&q, "rating", why);
}

Status store_solver_save(Store *s, int64_t player, const StoreSolver *solver, Message *why)
{
    Query q = query(s, "INSERT OR REPLACE INTO solver(player, rating, deviation, volatility) "
                       "VALUES (?, ?, ?, ?)");
    query_int(&q, player);
    query_real(&q, solver->rating);
    query_real(&q, solver->deviation);
    query_real(&q, solver->volatility);
    return query_run(&q, "rating", why);
}

/* -- Opening lines -- */

#define DRILL_SELECTED \
    "SELECT id, player, name, color, moves, box, due, solved, failed FROM drill WHERE "

static void read_drill(const Query *q, StoreDrill *d)
{
    *d = (StoreDrill){.id = query_get(q, 0), .player = query_get(q, 1)};
    query_get_str(q, 2, d->name, sizeof d->name);
    d->color = (int)query_get(q, 3);
    query_get_str(q, 4, d->moves, sizeof d->moves);
    d->box = query_get(q, 5);
    d->due = query_get(q, 6);
    d->solved = query_get(q, 7);
    d->failed = query_get(q, 8);
}

Status store_drill_add(Store *s, StoreDrill *d, Message *why)
{
    Query q = query(s, "INSERT INTO drill(player, name, color, moves, box, due, solved, failed) "
                       "VALUES (?, ?, ?, ?, 0, ?, 0, 0) ON CONFLICT(player, color, moves) DO "
                       "UPDATE SET name = excluded.name RETURNING id");
    query_int(&q, d->player);
    query_str(&q, d->name);
    query_int(&q, d->color);
    query_str(&q, d->moves);
    query_int(&q, d->due);
    if (query_row(&q))
        d->id = query_get(&q, 0);
    return query_run(&q, "line", why);
}

Status store_drill_load(Store *s, int64_t id, StoreDrill *d, Message *why)
{
    Query q = query(s, DRILL_SELECTED "id = ?");
    query_int(&q, id);
    bool found = query_row(&q);
    if (found)
        read_drill(&q, d);
    Status status = query_end(&q, "line", why);
    if (status == STATUS_OK && !found)
        return status_fail(why, STATUS_MISSING, "line %lld does not exist", (long long)id);
    return status;
}

Status store_drill_save(Store *s, const StoreDrill *d, Message *why)
{
    Query q = query(s, "UPDATE drill SET box = ?, due = ?, solved = ?, failed = ? WHERE id = ?");
    query_int(&q, d->box);
    query_int(&q, d->due);
    query_int(&q, d->solved);
    query_int(&q, d->failed);
    query_int(&q, d->id);
    return query_run(&q, "line", why);
}

Status store_drill_remove(Store *s, int64_t id, Message *why)
{
    Query q = query(s, "DELETE FROM drill WHERE id = ?");
    query_int(&q, id);
    return query_run(&q, "line", why);
}

Status store_drills(Store *s, int64_t player, void (*tell)(void *user, const StoreDrill *d),
                    void *user, Message *why)
{
    StoreDrill d;
    Query q = query(s, DRILL_SELECTED "player = ? ORDER BY due, id");
    query_int(&q, player);
    while (query_row(&q)) {
        read_drill(&q, &d);
        tell(user, &d);
    }
    return query_end(&q, "line", why);
}

/* -- Openings of stored games -- */

Status store_opening_moves(Store *s, const StoreOpenings *o,
                           void (*tell)(void *user, const StoreOpeningMove *m), void *user,
                           Message *why)
{
    StoreOpeningMove m;
    Query q = query(s, "SELECT game.id, result, you, created, move.ply, uci FROM game JOIN move ON "
                       "move.game = game.id WHERE player = ? AND chess960 = 0 AND start_fen = ? "
                       "AND (? < 0 OR you = ?) AND (? < 0 OR kind = ?) AND move.ply < ? "
                       "ORDER BY game.id DESC, move.ply");
    query_int(&q, o->player);
    query_str(&q, o->start_fen);
    query_int(&q, o->color);
    query_int(&q, o->color);
    query_int(&q, o->kind);
    query_int(&q, o->kind);
    query_int(&q, o->plies);
    while (query_row(&q)) {
        m = (StoreOpeningMove){.game = query_get(&q, 0),
                               .result = (Result)query_get(&q, 1),
                               .you = (int)query_get(&q, 2),
                               .created = query_get(&q, 3),
                               .ply = query_get(&q, 4)};
        query_get_str(&q, 5, m.uci, sizeof m.uci);
        tell(user, &m);
    }
    return query_end(&q, "games", why);
}
