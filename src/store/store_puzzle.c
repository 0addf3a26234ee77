/* Puzzles, the rating of those who solve them, and opening lines to drill. */
#include "store/store_int.h"

/* -- Puzzles -- */

static const Column puzzle_columns[] = {
    COLUMN(INTEGER, StorePuzzle, player),  COLUMN(INTEGER, StorePuzzle, game),
    COLUMN(INTEGER, StorePuzzle, ply),     COLUMN(INTEGER, StorePuzzle, chess960),
    COLUMN(TEXT, StorePuzzle, fen),        COLUMN(TEXT, StorePuzzle, last),
    COLUMN(TEXT, StorePuzzle, line),       COLUMN(INTEGER, StorePuzzle, themes),
    COLUMN(REAL, StorePuzzle, rating),     COLUMN(REAL, StorePuzzle, deviation),
    COLUMN(REAL, StorePuzzle, volatility), COLUMN(INTEGER, StorePuzzle, attempts),
    COLUMN(INTEGER, StorePuzzle, result),  COLUMN(INTEGER, StorePuzzle, at),
    COLUMN(INTEGER, StorePuzzle, id),
};
enum { PUZZLE_STORED = 14, PUZZLE_RATING = 8, PUZZLE_CHANGING = 6 };
static const RowShape puzzle_row = ROW_SHAPE_SAVED(
    "puzzle", StorePuzzle, puzzle_columns, PUZZLE_RATING, PUZZLE_CHANGING,
    "UPDATE puzzle SET rating = ?, deviation = ?, volatility = ?, attempts = ?, result = ?, at = ? "
    "WHERE id = ?",
    "UPDATE puzzle SET dropped = 1 WHERE id = ?");

#define PUZZLE_COLUMNS                                                                      \
    "player, game, ply, chess960, fen, last, line, themes, rating, deviation, volatility, " \
    "attempts, result, at"
#define PUZZLE_SELECTED "SELECT " PUZZLE_COLUMNS ", id FROM puzzle WHERE dropped = 0 AND "

/* One of the same place stays as it is. */
Status store_puzzle_add(Store *s, const StorePuzzle *p, Message *why)
{
    Query q = query(s, "INSERT OR IGNORE INTO puzzle(" PUZZLE_COLUMNS
                       ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    row_bind(&q, &puzzle_row, 0, PUZZLE_STORED, p);
    return query_run(&q, "puzzle", why);
}

Status store_puzzle_load(Store *s, int64_t id, StorePuzzle *p, Message *why)
{
    return row_load(s, PUZZLE_SELECTED "id = ?", &puzzle_row, id, p, why);
}

Status store_puzzle_save(Store *s, const StorePuzzle *p, Message *why)
{
    return row_save(s, &puzzle_row, p->id, p, why);
}

Status store_puzzle_drop(Store *s, int64_t id, Message *why)
{
    return row_drop(s, &puzzle_row, id, why);
}

StoreRows store_puzzles(Store *s, int64_t player)
{
    return rows_of(s, &puzzle_row, PUZZLE_SELECTED "player = ? ORDER BY id", player);
}

Status store_puzzle_next(Store *s, int64_t player, double rating, unsigned themes, int64_t not,
                         StorePuzzle *out, bool *found, Message *why)
{
    static const char *const choices[] = {
        PUZZLE_SELECTED "player = ?1 AND id != ?2 AND (?3 = 0 OR themes & ?3) AND result = 0 "
                        "ORDER BY abs(rating - ?4), id LIMIT 1",
        PUZZLE_SELECTED "player = ?1 AND id != ?2 AND (?3 = 0 OR themes & ?3) AND result = 2 "
                        "ORDER BY at, abs(rating - ?4) LIMIT 1",
    };
    Status status = STATUS_OK;
    *found = false;
    for (int i = 0; i < 2 && status == STATUS_OK && !*found; i++) {
        Query q = rows_of(s, &puzzle_row, choices[i], player);
        query_int(&q, not );
        query_int(&q, themes);
        query_real(&q, rating);
        *found = store_next(&q, out);
        status = store_rows_end(&q, why);
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
    return query_with(s, "INSERT OR IGNORE INTO puzzle_game(game) VALUES (?)", 1, &game, "games",
                      why);
}

/* -- Ratings -- */

static const Column solver_columns[] = {
    COLUMN(REAL, StoreSolver, rating),
    COLUMN(REAL, StoreSolver, deviation),
    COLUMN(REAL, StoreSolver, volatility),
};
static const RowShape solver_row = ROW_SHAPE_SAVED(
    "rating", StoreSolver, solver_columns, 0, 3,
    "INSERT OR REPLACE INTO solver(rating, deviation, volatility, player) VALUES (?, ?, ?, ?)",
    NULL);

Status store_solver_load(Store *s, int64_t player, StoreSolver *out, Message *why)
{
    return row_load(s, "SELECT rating, deviation, volatility FROM solver WHERE player = ?",
                    &solver_row, player, out, why);
}

Status store_solver_save(Store *s, int64_t player, const StoreSolver *solver, Message *why)
{
    return row_save(s, &solver_row, player, solver, why);
}

/* -- Opening lines -- */

static const Column drill_columns[] = {
    COLUMN(INTEGER, StoreDrill, player), COLUMN(TEXT, StoreDrill, name),
    COLUMN(INTEGER, StoreDrill, color),  COLUMN(TEXT, StoreDrill, moves),
    COLUMN(INTEGER, StoreDrill, box),    COLUMN(INTEGER, StoreDrill, due),
    COLUMN(INTEGER, StoreDrill, solved), COLUMN(INTEGER, StoreDrill, failed),
    COLUMN(INTEGER, StoreDrill, id),
};
enum { DRILL_STORED = 8, DRILL_SCHEDULE = 4, DRILL_CHANGING = 4 };
static const RowShape drill_row =
    ROW_SHAPE_SAVED("line", StoreDrill, drill_columns, DRILL_SCHEDULE, DRILL_CHANGING,
                    "UPDATE drill SET box = ?, due = ?, solved = ?, failed = ? WHERE id = ?",
                    "DELETE FROM drill WHERE id = ?");

#define DRILL_COLUMNS "player, name, color, moves, box, due, solved, failed"
#define DRILL_SELECTED "SELECT " DRILL_COLUMNS ", id FROM drill WHERE "

Status store_drill_add(Store *s, StoreDrill *d, Message *why)
{
    Query q = query(s, "INSERT INTO drill(" DRILL_COLUMNS ") VALUES (?,?,?,?,?,?,?,?) "
                       "ON CONFLICT(player, color, moves) DO "
                       "UPDATE SET name = excluded.name RETURNING id");
    StoreDrill fresh = *d;
    fresh.box = fresh.solved = fresh.failed = 0;
    row_bind(&q, &drill_row, 0, DRILL_STORED, &fresh);
    if (query_row(&q))
        d->id = query_get(&q, 0);
    return query_run(&q, "line", why);
}

Status store_drill_load(Store *s, int64_t id, StoreDrill *d, Message *why)
{
    return row_load(s, DRILL_SELECTED "id = ?", &drill_row, id, d, why);
}

Status store_drill_save(Store *s, const StoreDrill *d, Message *why)
{
    return row_save(s, &drill_row, d->id, d, why);
}

Status store_drill_remove(Store *s, int64_t id, Message *why)
{
    return row_drop(s, &drill_row, id, why);
}

StoreRows store_drills(Store *s, int64_t player)
{
    return rows_of(s, &drill_row, DRILL_SELECTED "player = ? ORDER BY due, id", player);
}

/* -- Openings of stored games -- */

static const Column opening_columns[] = {
    COLUMN(INTEGER, StoreOpeningMove, game), COLUMN(INTEGER, StoreOpeningMove, result),
    COLUMN(INTEGER, StoreOpeningMove, you),  COLUMN(INTEGER, StoreOpeningMove, created),
    COLUMN(INTEGER, StoreOpeningMove, ply),  COLUMN(TEXT, StoreOpeningMove, uci),
};
static const RowShape opening_row = ROW_SHAPE("games", StoreOpeningMove, opening_columns);

StoreRows store_opening_moves(Store *s, int64_t player, int color, int kind, int64_t plies)
{
    Query q =
        rows_of(s, &opening_row,
                "SELECT game.id, result % 4, you, created, move.ply, uci FROM game JOIN move ON "
                "move.game = game.id WHERE player = ?1 AND chess960 = 0 AND start_fen = "
                "'" FEN_START "' AND (?2 < 0 OR you = ?2) AND (?3 < 0 OR kind = ?3) "
                "AND move.ply < ?4 ORDER BY game.id DESC, move.ply",
                player);
    query_int(&q, color);
    query_int(&q, kind);
    query_int(&q, plies);
    return q;
}
