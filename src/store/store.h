/* What is remembered about players and games: one SQLite file. Every function that changes
 * something returns when the change is in the file, so that a kill at any moment loses nothing
 * that was reported as done; after store_sync it survives a power cut as well. A Store belongs to
 * one thread at a time; several may be open on one file.
 *
 * Points in time are milliseconds since 1970. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/status.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/result.h"
#include "chess/uci_move.h"

typedef struct Store Store;

enum { STORE_NAME_SIZE = 164, STORE_REASON_SIZE = 24, STORE_OPENING_SIZE = 164 };

/* Opens the file, makes it when it is not there, and brings an older schema up to date. A file of a
 * newer program is refused. */
Status store_open(Store **s, const char *path, Message *why);
void store_close(Store *s); /* NULL is fine */

/* Opens a file to read it alone, also one that is damaged in places or that lies on a full disk;
 * changes fail. */
Status store_open_readable(Store **s, const char *path, Message *why);

/* Looks for damage in the whole file: STATUS_IO. */
Status store_check(Store *s, Message *why);

/* Grows with every change made through this store. */
int64_t store_changes(const Store *s);

/* Returns when everything that was changed before the call, through any store of this file, is on
 * the disk. Syncing takes milliseconds: who has a store of its own for that can do it beside the
 * work, for many changes at once. */
Status store_sync(Store *s, Message *why);

/* Works the log into the file, so that it does not grow for ever. That takes long on a busy disk; a
 * store does it by itself when the log is long, unless it leaves that to another one. */
void store_checkpoint(Store *s);
void store_leave_checkpoints(Store *s);

/* Several changes as one: all of them when it ends with STATUS_OK, otherwise none. They nest, and
 * the outermost counts. Where it cannot begin, everything until its end fails. store_end returns
 * the status it was given, or why the changes could not be kept. */
void store_begin(Store *s);
Status store_end(Store *s, Status status, Message *why);

/* What a list gives, row after row; the fields are the store's. */
typedef struct StoreRows {
    Store *store;
    struct sqlite3_stmt *at;
    const struct RowShape *shape;
    int bound, code;
} StoreRows;

/* The next one, into a struct of the kind that the list is of; false: none is left, or a failure.
 */
#define store_next(rows, row) store_next_row(rows, row, sizeof *(row))
bool store_next_row(StoreRows *rows, void *row, size_t size);

/* Ends every list, also one that was not read to its end, and says whether anything failed. */
Status store_rows_end(StoreRows *rows, Message *why);

/* A moment at which the program surely lived, so that the clocks of a game know after a kill how
 * long it had been running. */
Status store_set_alive(Store *s, int64_t now, Message *why);
int64_t store_alive(Store *s); /* 0: never */

/* -- Players -- */

typedef struct StorePlayer {
    int64_t id;
    char name[STORE_NAME_SIZE];
    int64_t created, seen;
    double rating, deviation, volatility;
    int64_t games; /* that were rated; read only */
} StorePlayer;

typedef struct StoreRating {
    int64_t at, game;
    double rating, deviation;
} StoreRating;

/* Adds with a fresh id; STATUS_REFUSED when the name is taken. */
Status store_player_add(Store *s, StorePlayer *p, Message *why);
Status store_player_save(Store *s, const StorePlayer *p, Message *why);
Status store_player_load(Store *s, int64_t id, StorePlayer *p, Message *why); /* STATUS_MISSING */
StoreRows store_players(Store *s); /* of StorePlayer; who was seen last comes first */
Status store_rating_add(Store *s, int64_t player, const StoreRating *r, Message *why);
StoreRows store_ratings(Store *s, int64_t player); /* of StoreRating; oldest first */

/* -- Games -- */

typedef enum StoreKind { STORE_PLAY, STORE_WATCH, STORE_IMPORT } StoreKind;
typedef enum SideKind {
    SIDE_HUMAN,
    SIDE_PROGRAM,  /* name: that of its row among the opponents */
    SIDE_LEVEL,    /* elo */
    SIDE_ADAPTIVE, /* elo: what it was when the game began */
    SIDE_OTHER     /* somebody in an imported game */
} SideKind;

typedef struct StoreSide {
    SideKind kind;
    char name[STORE_NAME_SIZE], title[STORE_NAME_SIZE];
    int64_t rating; /* 0: not known */
    int64_t elo;
} StoreSide;

/* All about a game but its moves. */
typedef struct StoreGame {
    int64_t id, player; /* player 0: nobody's */
    int64_t guest; /* the other one of two people, `player` himself on one board; 0: none yet */
    StoreKind kind;
    int64_t version;
    StoreSide side[COLOR_COUNT];
    int you; /* a Color, or -1 */
    bool chess960;
    char start_fen[FEN_SIZE];
    bool has_clock;
    int64_t initial_ms, increment_ms;
    int64_t clock_ms[COLOR_COUNT]; /* as of turn_at */
    int64_t turn_at; /* when the clock of the side to move began to run; 0: it does not */
    int64_t pace_ms; /* of games to watch */
    uint64_t seed;
    bool over;     /* also without a result */
    Result result; /* RESULT_NONE while it is played */
    char reason[STORE_REASON_SIZE];
    bool rated;
    int64_t hints, takebacks;
    int offer; /* the colour that offers a draw, or -1 */
    int64_t next;
    int64_t rating_before, rating_after; /* 0: not rated */
    int64_t plies;
    char fen[FEN_SIZE]; /* where it stands */
    char last[UCI_MOVE_SIZE];
    char eco[8], opening[STORE_OPENING_SIZE], event[STORE_NAME_SIZE], date[16];
    int64_t created, updated;
    /* From the review; read only. */
    bool reviewed;
    double accuracy[COLOR_COUNT];
} StoreGame;

typedef struct StoreMove {
    int64_t ply; /* the first is 0 */
    char uci[UCI_MOVE_SIZE];
    int64_t clock_ms; /* left to the mover; -1: no clock */
    int64_t spent_ms;
} StoreMove;

typedef struct StoreTalk {
    int64_t ply;
    int side;
    const char *text; /* read: until the next row */
} StoreTalk;

typedef struct StoreTag {
    const char *name, *value; /* read: until the next row */
} StoreTag;

Status store_game_add(Store *s, StoreGame *g, Message *why);        /* gives it its id */
Status store_game_save(Store *s, const StoreGame *g, Message *why); /* all but the guest */
Status store_game_set_guest(Store *s, int64_t game, int64_t guest, Message *why);
Status store_game_load(Store *s, int64_t id, StoreGame *g, Message *why); /* STATUS_MISSING */
Status store_game_delete(Store *s, int64_t id, Message *why); /* with moves, review and mistakes */

/* Replaces one of the same ply; `g`, when given, is saved with it in one. */
Status store_move_put(Store *s, int64_t game, const StoreMove *m, const StoreGame *g, Message *why);
/* Forgets the moves from `plies` on, and what was said then; saves `g` in one with it. */
Status store_moves_cut(Store *s, const StoreGame *g, int64_t plies, Message *why);
StoreRows store_moves(Store *s, int64_t game); /* of StoreMove */

Status store_talk_add(Store *s, int64_t game, const StoreTalk *t, Message *why);
StoreRows store_talk(Store *s, int64_t game); /* of StoreTalk */

/* The tags of a game that came from a PGN, beside what StoreGame says; in the order
 * of their names. */
Status store_tag_put(Store *s, int64_t game, const StoreTag *tag, Message *why);
StoreRows store_tags(Store *s, int64_t game); /* of StoreTag */

/* -- Lists -- */

typedef enum StoreOutcome {
    STORE_ANY,
    STORE_OUTCOME_WON,
    STORE_OUTCOME_LOST,
    STORE_OUTCOME_DRAWN,
    STORE_OUTCOME_RUNNING
} StoreOutcome;

typedef struct StoreFilter {
    int64_t player; /* 0: all */
    Span search;    /* in names, opening and event; len 0: all */
    int kind;       /* a StoreKind, or -1 */
    int color;      /* `you`, or -1 */
    StoreOutcome outcome;
    int reviewed;         /* 0, 1, or -1 */
    int64_t since, until; /* created; 0: no bound */
    int64_t after_created,
        after_id; /* those behind this game in the list; id 0: from the first on */
    int64_t offset, limit;
} StoreFilter;

/* StoreGame, newest first, with `you` as the filter's player sees it. */
StoreRows store_games(Store *s, const StoreFilter *f);
/* How many they are without offset, limit and `after`. */
Status store_count_games(Store *s, const StoreFilter *f, int64_t *total, Message *why);

/* -- Many games at once -- */

typedef enum StoreStats {
    STORE_BY_OPENING, /* the part of its name before a colon */
    STORE_BY_OPPONENT,
    STORE_BY_COLOR, /* "white", "black" */
    STORE_BY_CLOCK  /* "300+3" in seconds; empty: no clock */
} StoreStats;

typedef struct StoreGroup {
    char name[STORE_OPENING_SIZE];
    int64_t games, won, drawn;
    int64_t last; /* when the newest was played */
} StoreGroup;

/* StoreGroup: finished games in which the player had a side, the largest groups first. */
StoreRows store_stats(Store *s, int64_t player, StoreStats by, int limit);

/* The player's imported games in which that name has a side are the player's own. */
Status store_claim_name(Store *s, int64_t player, Span name, int64_t *claimed, Message *why);
bool store_has_game(Store *s, const StoreGame *g); /* the same imported game is there already */

Status store_player_delete(Store *s, int64_t player, Message *why); /* with all games */

/* -- Reviews and mistakes -- */

/* `json` is the result as the page gets it. */
Status store_review_put(Store *s, int64_t game, const char *json,
                        const double accuracy[COLOR_COUNT], int64_t now, Message *why);
Status store_review_get(Store *s, int64_t game, Text *json, Message *why); /* STATUS_MISSING */

typedef struct StoreMistake {
    int64_t id, player, game, ply; /* ply of the move, the first of a game is 1 */
    bool chess960;
    char fen[FEN_SIZE]; /* before the move */
    char played[UCI_MOVE_SIZE], best[UCI_MOVE_SIZE], label[16];
    double chance; /* -1 .. +1 before the move, the mover's view */
    char opponent[STORE_NAME_SIZE];
    int64_t at; /* when the game was played */
    int64_t box, due, solved, failed;
    bool tried;               /* since it was due */
    char last[UCI_MOVE_SIZE]; /* the move before it, as the game has it; empty: none. Read only */
} StoreMistake;

/* `detail` is what train.show answers, as JSON. A mistake of the same game and ply stays as it is,
 * and its id is found. */
Status store_mistake_add(Store *s, StoreMistake *m, const char *detail, Message *why);
Status store_mistake_load(Store *s, int64_t id, StoreMistake *m, Text *detail, Message *why);
Status store_mistake_save(Store *s, const StoreMistake *m, Message *why); /* its schedule */
Status store_mistake_drop(Store *s, int64_t id, Message *why);
/* The move was none after all; fine when it never counted as one. */
Status store_mistake_withdraw(Store *s, int64_t game, int64_t ply, Message *why);

typedef struct StoreQueue {
    int64_t due, total;
    int64_t next; /* when the next one falls due; 0: never */
} StoreQueue;

Status store_queue(Store *s, int64_t player, int64_t now, StoreQueue *q, Message *why);
/* StoreMistake: those that are due, the longest overdue first. */
StoreRows store_due_mistakes(Store *s, int64_t player, int64_t now, int64_t limit);

/* -- Puzzles -- */

typedef enum StorePuzzleResult {
    STORE_PUZZLE_UNSEEN,
    STORE_PUZZLE_SOLVED,
    STORE_PUZZLE_FAILED
} StorePuzzleResult;

enum { STORE_LINE_SIZE = 384 };

typedef struct StorePuzzle {
    int64_t id, player, game, ply; /* ply of the solver's first move, the first of a game is 1 */
    bool chess960;
    char fen[FEN_SIZE];
    char last[UCI_MOVE_SIZE];   /* the move before */
    char line[STORE_LINE_SIZE]; /* UCI moves of both sides with blanks between them */
    unsigned themes;            /* bits */
    double rating, deviation, volatility;
    int64_t attempts;
    StorePuzzleResult result; /* of the first attempt */
    int64_t at;               /* when that was; 0: never */
} StorePuzzle;

Status store_puzzle_add(Store *s, const StorePuzzle *p, Message *why);        /* known ones stay */
Status store_puzzle_load(Store *s, int64_t id, StorePuzzle *p, Message *why); /* STATUS_MISSING */
Status store_puzzle_save(Store *s, const StorePuzzle *p, Message *why); /* ratings and result */
Status store_puzzle_drop(Store *s, int64_t id, Message *why);
StoreRows store_puzzles(Store *s, int64_t player); /* of StorePuzzle */
/* An unseen one nearest to the rating, or the one that was failed the longest ago, with any of the
 * themes (0: all) and not this one. */
Status store_puzzle_next(Store *s, int64_t player, double rating, unsigned themes, int64_t not,
                         StorePuzzle *out, bool *found, Message *why);

/* Finished games of the player that were not searched for puzzles, newest first. */
Status store_puzzle_games(Store *s, int64_t player, int64_t *ids, int max, int *count,
                          Message *why);
Status store_puzzle_game_done(Store *s, int64_t game, Message *why);

/* The rating of a player who solves puzzles. */
typedef struct StoreSolver {
    double rating, deviation, volatility;
} StoreSolver;

Status store_solver_load(Store *s, int64_t player, StoreSolver *out,
                         Message *why); /* STATUS_MISSING */
Status store_solver_save(Store *s, int64_t player, const StoreSolver *solver, Message *why);

/* -- Openings -- */

typedef struct StoreDrill {
    int64_t id, player;
    char name[STORE_OPENING_SIZE];
    int color;                   /* whose moves are asked for */
    char moves[STORE_LINE_SIZE]; /* UCI, with blanks, from the start position */
    int64_t box, due, solved, failed;
} StoreDrill;

Status store_drill_add(Store *s, StoreDrill *d, Message *why); /* a known line keeps its schedule */
Status store_drill_load(Store *s, int64_t id, StoreDrill *d, Message *why); /* STATUS_MISSING */
Status store_drill_save(Store *s, const StoreDrill *d, Message *why);       /* its schedule */
Status store_drill_remove(Store *s, int64_t id, Message *why);
StoreRows store_drills(Store *s, int64_t player); /* of StoreDrill, by due date */

typedef struct StoreOpeningMove {
    int64_t game, created, ply;
    Result result;
    int you; /* a Color, or -1 */
    char uci[UCI_MOVE_SIZE];
} StoreOpeningMove;

/* StoreOpeningMove: the first `plies` moves of each of a player's games from the usual start
 * position, game after game, the newest first. `color` and `kind` are as in StoreFilter. */
StoreRows store_opening_moves(Store *s, int64_t player, int color, int kind, int64_t plies);

#endif
