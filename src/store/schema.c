/* The tables, and how older files get there. A step is never changed once it was released: a change
 * of the tables is a new step. The file's number (user_version) says how many it has behind it. */
#include "store/store_int.h"

static const char *const steps[] = {
    "CREATE TABLE player ("
    " id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE,"
    " created INTEGER NOT NULL, seen INTEGER NOT NULL,"
    " rating REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL);"
    "CREATE TABLE rating ("
    " id INTEGER PRIMARY KEY, player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,"
    " at INTEGER NOT NULL, game INTEGER NOT NULL, rating REAL NOT NULL, deviation REAL NOT NULL);"
    "CREATE INDEX rating_player ON rating(player, id);"
    "CREATE TABLE game ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT, player INTEGER NOT NULL, kind INTEGER NOT NULL,"
    " version INTEGER NOT NULL,"
    " white_kind INTEGER NOT NULL, white_name TEXT NOT NULL, white_title TEXT NOT NULL,"
    " white_rating INTEGER NOT NULL, white_elo INTEGER NOT NULL,"
    " black_kind INTEGER NOT NULL, black_name TEXT NOT NULL, black_title TEXT NOT NULL,"
    " black_rating INTEGER NOT NULL, black_elo INTEGER NOT NULL,"
    " you INTEGER NOT NULL, chess960 INTEGER NOT NULL, start_fen TEXT NOT NULL,"
    " has_clock INTEGER NOT NULL, initial_ms INTEGER NOT NULL, increment_ms INTEGER NOT NULL,"
    " white_ms INTEGER NOT NULL, black_ms INTEGER NOT NULL, turn_at INTEGER NOT NULL,"
    " pace_ms INTEGER NOT NULL, seed INTEGER NOT NULL,"
    " result INTEGER NOT NULL, reason TEXT NOT NULL, rated INTEGER NOT NULL,"
    " hints INTEGER NOT NULL, takebacks INTEGER NOT NULL, offer INTEGER NOT NULL,"
    " next INTEGER NOT NULL, rating_before INTEGER NOT NULL, rating_after INTEGER NOT NULL,"
    " plies INTEGER NOT NULL, fen TEXT NOT NULL, last TEXT NOT NULL,"
    " eco TEXT NOT NULL, opening TEXT NOT NULL, event TEXT NOT NULL, date TEXT NOT NULL,"
    " created INTEGER NOT NULL, updated INTEGER NOT NULL);"
    "CREATE INDEX game_player ON game(player, created);"
    "CREATE TABLE move ("
    " game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE, ply INTEGER NOT NULL,"
    " uci TEXT NOT NULL, clock_ms INTEGER NOT NULL, spent_ms INTEGER NOT NULL,"
    " PRIMARY KEY (game, ply)) WITHOUT ROWID;"
    "CREATE TABLE talk ("
    " id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,"
    " ply INTEGER NOT NULL, side INTEGER NOT NULL, text TEXT NOT NULL);"
    "CREATE INDEX talk_game ON talk(game, id);"
    "CREATE TABLE review ("
    " game INTEGER PRIMARY KEY REFERENCES game ON DELETE CASCADE, json TEXT NOT NULL,"
    " white_accuracy REAL NOT NULL, black_accuracy REAL NOT NULL, at INTEGER NOT NULL);"
    "CREATE TABLE mistake ("
    " id INTEGER PRIMARY KEY, player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,"
    " game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE, ply INTEGER NOT NULL,"
    " chess960 INTEGER NOT NULL, fen TEXT NOT NULL, played TEXT NOT NULL, best TEXT NOT NULL,"
    " label TEXT NOT NULL, chance REAL NOT NULL, opponent TEXT NOT NULL, at INTEGER NOT NULL,"
    " box INTEGER NOT NULL, due INTEGER NOT NULL, solved INTEGER NOT NULL,"
    " failed INTEGER NOT NULL, tried INTEGER NOT NULL, dropped INTEGER NOT NULL DEFAULT 0,"
    " detail TEXT NOT NULL, UNIQUE (game, ply));"
    "CREATE INDEX mistake_due ON mistake(player, dropped, due);"
    "CREATE TABLE alive (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL);",
    /* 2: what a PGN said about a game that was imported */
    "CREATE TABLE tag ("
    " game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE, name TEXT NOT NULL,"
    " value TEXT NOT NULL, PRIMARY KEY (game, name)) WITHOUT ROWID;",
    /* 3: who imports tens of thousands of games still counts and finds the few that are his own */
    ("CREATE INDEX IF NOT EXISTS game_finished ON game(player, kind, result);"
     "CREATE INDEX IF NOT EXISTS game_result ON game(result);"),
    /* 4: games of two people; without a row the second seat is free */
    ("CREATE TABLE guest ("
     " game INTEGER PRIMARY KEY REFERENCES game ON DELETE CASCADE,"
     " guest INTEGER NOT NULL REFERENCES player ON DELETE CASCADE);"
     "CREATE INDEX guest_games ON guest(guest, game);"),
    /* 5: puzzles, and opening lines to drill */
    ("CREATE TABLE puzzle ("
     " id INTEGER PRIMARY KEY, player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,"
     " game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE, ply INTEGER NOT NULL,"
     " chess960 INTEGER NOT NULL, fen TEXT NOT NULL, last TEXT NOT NULL, line TEXT NOT NULL,"
     " themes INTEGER NOT NULL, rating REAL NOT NULL, deviation REAL NOT NULL,"
     " volatility REAL NOT NULL, attempts INTEGER NOT NULL, result INTEGER NOT NULL,"
     " at INTEGER NOT NULL, dropped INTEGER NOT NULL DEFAULT 0, UNIQUE (game, ply));"
     "CREATE INDEX puzzle_next ON puzzle(player, dropped, result);"
     "CREATE TABLE puzzle_game (game INTEGER PRIMARY KEY REFERENCES game ON DELETE CASCADE);"
     "CREATE TABLE solver ("
     " player INTEGER PRIMARY KEY REFERENCES player ON DELETE CASCADE, rating REAL NOT NULL,"
     " deviation REAL NOT NULL, volatility REAL NOT NULL);"
     "CREATE TABLE drill ("
     " id INTEGER PRIMARY KEY, player INTEGER NOT NULL REFERENCES player ON DELETE CASCADE,"
     " name TEXT NOT NULL, color INTEGER NOT NULL, moves TEXT NOT NULL, box INTEGER NOT NULL,"
     " due INTEGER NOT NULL, solved INTEGER NOT NULL, failed INTEGER NOT NULL,"
     " UNIQUE (player, color, moves));"),
    /* 6: an imported game that is there already is found by its last position */
    "CREATE INDEX IF NOT EXISTS game_end ON game(player, fen);",
};

enum { STEP_COUNT = sizeof steps / sizeof *steps };

static Status take_step(Store *s, int step, Message *why)
{
    char mark[64];
    snprintf(mark, sizeof mark, "PRAGMA user_version = %d", step + 1);
    Status status = STATUS_OK;
    store_begin(s);
    if (s->cannot_begin || sqlite3_exec(s->db, steps[step], NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(s->db, mark, NULL, NULL, NULL) != SQLITE_OK)
        status = status_fail(why, STATUS_IO, "schema %d: %s", step + 1, sqlite3_errmsg(s->db));
    return store_end(s, status, why);
}

Status schema_update(Store *s, Message *why)
{
    Query q = query(s, "PRAGMA user_version");
    int64_t version = query_row(&q) ? query_get(&q, 0) : 0;
    Status status = query_end(&q, "schema", why);
    if (status != STATUS_OK)
        return status;
    if (version < 0 || version > STEP_COUNT)
        return status_fail(
            why, STATUS_REFUSED,
            "schema version %lld is from a newer program (this one supports up to %d)",
            (long long)version, (int)STEP_COUNT);
    for (int i = (int)version; i < STEP_COUNT && status == STATUS_OK; i++)
        status = take_step(s, i, why);
    return status;
}
