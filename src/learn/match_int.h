/* The parts of a match: openings, one game, its record as PGN, and the file that remembers. */
#ifndef LEARN_MATCH_INT_H
#define LEARN_MATCH_INT_H

#include "base/thread.h"
#include "learn/match.h"
#include "notation/pgn_reader.h"
#include "search/search.h"

/* -- MatchBook -- */

enum { OPENING_MAX_PLIES = 200 };

typedef struct MatchOpening {
    Position start;
    Move moves[OPENING_MAX_PLIES];
    int count;
} MatchOpening;

typedef struct MatchBook MatchBook;

/* `wanted` openings will be asked for: those are checked now. */
Status match_book_open(MatchBook **o, const MatchOptions *options, uint64_t wanted, Message *why);
void match_book_close(MatchBook *o); /* NULL is fine */

/* MatchOpening number `i`, the same for the same options; the list begins again at its end. Any thread. */
Status match_book_get(MatchBook *o, uint64_t i, MatchOpening *out, Message *why);

/* A number that another file, order or seed changes. */
uint64_t match_book_checksum(const MatchBook *o);

/* -- One game -- */

enum { MATCH_MAX_PLIES = 1200 };

typedef enum MatchEnd {
    MATCH_END_RULES,       /* mate, or a draw by the rules */
    MATCH_END_ADJUDICATED, /* by the scores or the length */
    MATCH_END_RESIGNED,
    MATCH_END_AGREED, /* drawn */
    MATCH_END_LATE,
    MATCH_END_ILLEGAL,
    MATCH_END_HUNG,
    MATCH_END_CRASHED,
    MATCH_END_ABORTED, /* stopped: no game at all */
    MATCH_END_COUNT
} MatchEnd;

/* Short names, also those of the state file; false if the text is none. */
const char *match_end_text(MatchEnd e);
bool match_end_read(Span text, MatchEnd *out);
bool match_end_is_fault(MatchEnd e);

typedef struct MatchPly {
    Move move;
    bool has_score, is_mate;
    int score, depth; /* mover's view */
    int64_t time_ns;
} MatchPly;

typedef struct MatchGame {
    Position start;
    int opening_plies;
    MatchPly plies[MATCH_MAX_PLIES];
    Move moves[MATCH_MAX_PLIES]; /* the same moves, as players are told them */
    int count;
    PgnResult result;
    MatchEnd end;
    Color loser; /* where someone is at fault */
    char reason[160];
} MatchGame;

/* Plays from the opening; players by colour, each with its limits. Everything but *game stays as it was. */
void match_play(MatchGame *game, const MatchOpening *opening, Player *const players[COLOR_COUNT],
                const PlayerLimits *const limits[COLOR_COUNT], const MatchRules *rules);

/* The game is lost for c before or after any move, for that reason. */
void match_game_lose(MatchGame *game, Color c, MatchEnd end, const char *reason);

/* Adds the game as PGN. */
typedef struct MatchTags {
    const char *event, *names[COLOR_COUNT];
    const PlayerLimits *limits[COLOR_COUNT];
    uint64_t round;
    int board; /* 1 or 2: the opening's first or second game */
} MatchTags;

Status match_write_pgn(const MatchGame *game, const MatchTags *tags, Text *out, Message *why);

/* -- The file that remembers -- */

/* One finished game. */
typedef struct MatchRow {
    uint64_t game;
    int half_points; /* of the pairing's first player */
    MatchEnd end;
    int player;         /* who is at fault, or -1 */
    uint64_t pgn_bytes; /* length of the PGN with this game */
    char reason[160];
} MatchRow;

typedef struct MatchState {
    int fd, pgn_fd; /* -1: no such file */
    uint64_t pgn_bytes;
    const char *path, *pgn_path;
} MatchState;

/* Opens the files. Rows of an earlier run of the same match (`fingerprint`) go to `row`. */
Status match_state_open(MatchState *s, const MatchOptions *options, uint64_t fingerprint,
                        void (*row)(void *user, const MatchRow *r), void *user, Message *why);

/* First the PGN, then the row that says it is there. */
Status match_state_add(MatchState *s, MatchRow *row, const Text *pgn, Message *why);
void match_state_close(MatchState *s);

#endif
