/* One game between two players, with clocks, adjudication and faults. */
#ifndef MATCH_MATCH_GAME_H
#define MATCH_MATCH_GAME_H

#include "match/match.h"
#include "match/match_book.h"
#include "notation/pgn_reader.h"

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
const char *match_end_termination(MatchEnd e); /* the word that PGN has for it */
bool match_end_is_fault(MatchEnd e);

typedef struct MatchPly {
    Move move;
    PlayerScore score;
    int64_t time_ns;
} MatchPly;

typedef struct MatchGame {
    Position start;
    int opening_plies;
    MatchPly plies[MATCH_MAX_PLIES];
    int count;
    Result result;
    MatchEnd end;
    Color loser; /* where someone is at fault */
    char reason[160];
} MatchGame;

/* Plays from the opening; players by colour, each with its limits. Everything but *game stays as it
 * was. */
void match_play(MatchGame *game, const MatchOpening *opening, Player *const players[COLOR_COUNT],
                const PlayerLimits *const limits[COLOR_COUNT], const MatchRules *rules);

/* The game is lost for c before or after any move, for that reason. */
void match_game_lose(MatchGame *game, Color c, MatchEnd end, const char *reason);

#endif
