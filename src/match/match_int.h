/* The parts of a match: its record as PGN, and the state file. */
#ifndef MATCH_MATCH_INT_H
#define MATCH_MATCH_INT_H

#include "base/thread.h"
#include "match/match_game.h"
#include "search/search.h"

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
    void (*row)(void *user, const MatchRow *r); /* takes the rows of an earlier run */
    void *user;
} MatchState;

/* Opens the files. Rows of an earlier run of the same match (`fingerprint`) go to `row`. */
Status match_state_open(MatchState *s, const MatchOptions *options, uint64_t fingerprint,
                        void (*row)(void *user, const MatchRow *r), void *user, Message *why);

/* First the PGN, then the row that says it is there. */
Status match_state_add(MatchState *s, MatchRow *row, const Text *pgn, Message *why);
void match_state_close(MatchState *s);

#endif
