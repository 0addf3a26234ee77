/* Matches: players against each other from the same openings with both colours, many games at a
 * time, clocks kept here. Whatever a player does wrong costs it the game and is told in the report;
 * nothing it does stops the match. Every finished game is on disk before the next result counts, so
 * that a match that was stopped or killed goes on where it was. */
#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H

#include "base/status.h"
#include "base/text.h"
#include "match/player.h"
#include "match/stats.h"

#include <stdatomic.h>

enum { MATCH_MAX_PLAYERS = 64 };

/* When games end before the rules of chess end them, and what time is worth. A count of 0 switches
 * a rule off. */
typedef struct MatchRules {
    int draw_from_move, draw_moves, draw_cp; /* both sides within +-draw_cp for so many moves */
    int resign_moves, resign_cp;             /* the loser says so for so many moves ... */
    bool resign_both;                        /* ... and the winner agrees */
    int max_moves;                           /* drawn after so many */
    int64_t margin_ms;                       /* a flag falls so much later */
    int64_t hang_ms;                         /* for a move without a clock */
} MatchRules;

typedef enum MatchSchedule { MATCH_ROUND_ROBIN, MATCH_GAUNTLET } MatchSchedule;

typedef struct MatchResult MatchResult;

typedef struct MatchOptions {
    const PlayerSpec *players; /* the first one is the gauntlet's runner */
    int player_count;
    MatchSchedule schedule;
    PlayerLimits limits; /* of players without their own */
    MatchRules rules;
    int hash_mb;    /* 0: each player's default */
    uint64_t games; /* of each two players */
    int concurrency;
    const char *openings; /* EPD or PGN; NULL: random ones that a short search finds balanced */
    bool random_order;
    int opening_plies; /* to take from a PGN; 0: all */
    uint64_t seed;
    bool has_sprt; /* two players only: ends the match when decided */
    StatsSprt sprt;
    const char *event;       /* for the PGN; may be NULL */
    const char *pgn, *state; /* files; may be NULL */
    bool resume;             /* the state may be there already */
    /* Told after every game, one at a time, from some thread; may be NULL. */
    void (*news)(void *user, const MatchResult *so_far, const char *line);
    void *user;
} MatchOptions;

/* Everything but players, limits and files. */
MatchOptions match_defaults(void);

/* What a player did wrong, in games. */
typedef struct MatchFaults {
    uint64_t late, illegal, hung, crashed;
} MatchFaults;

/* Two players' games, from the view of a. */
typedef struct MatchPairing {
    int a, b;
    StatsTally tally;
} MatchPairing;

struct MatchResult {
    const MatchOptions *options; /* the caller's */
    int pairing_count;
    MatchPairing *pairings;
    MatchFaults faults[MATCH_MAX_PLAYERS];
    uint64_t games, wanted;
    Text incidents; /* a line for each fault; the first ones where there are very many */
};

/* Whether a match with these options can be. STATUS_INVALID when not. */
Status match_check(const MatchOptions *options, Message *why);

/* Plays until all games are played, the test has decided, or *stop is set (STATUS_STOPPED; games
 * under way are dropped). The result holds whatever was finished, also then; match_result_free it
 * in every case. */
Status match_run(const MatchOptions *options, const atomic_bool *stop, MatchResult *result,
                 Message *why);
void match_result_free(MatchResult *result);

/* The report for people: the score with all its figures, or a table of several players; faults
 * last. */
void match_report(const MatchResult *result, Text *out);

/* One line: "A 12 - 8 - 20 B, Elo 34.9 +- 40.1, LLR 0.53". */
void match_report_line(const MatchResult *result, Text *out);

#endif
