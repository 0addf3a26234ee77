/* One opponent in one game, for whoever lets it play: the engine's thread (UCI, xboard, terminal,
 * matches) and the jobs of the service. It is a classic program or a level; Castellan at full
 * strength needs no session. It thinks on the caller's thread. */
#ifndef ENGINE_OPPONENT_SESSION_H
#define ENGINE_OPPONENT_SESSION_H

#include "opponent/opponent.h"

typedef struct OpponentSession OpponentSession;

typedef struct SessionChoice {
    const OpponentRow *row;
    const char *settings; /* of the opponent; NULL: none */
    const char *folder;   /* settings may name files of this folder only; NULL: any file */
    int elo;              /* a level of Castellan itself; 0: full strength */
} SessionChoice;

bool opponent_session_is_castellan(SessionChoice c); /* nobody needs to be opened */

/* On failure *s stays as it was. */
Status opponent_session_open(OpponentSession **s, SessionChoice choice, uint64_t seed,
                             Message *why);
void opponent_session_close(OpponentSession *s); /* NULL is fine */

const OpponentRow *opponent_session_row(const OpponentSession *s); /* a level's has its rating */
bool opponent_session_is_level(const OpponentSession *s);
/* Where its games begin, when a setting says so. */
bool opponent_session_start(const OpponentSession *s, Position *out);

/* The next position it thinks about is of another game. */
void opponent_session_new_game(OpponentSession *s, uint64_t seed);

void opponent_session_think(OpponentSession *s, const OpponentTask *task, OpponentAnswer *answer);

/* How long a move may seem to take: as its player would, within a small part of the clock. */
int64_t opponent_session_shown_ms(const OpponentAnswer *answer, const SearchLimits *limits,
                                  Color us);

/* Never before its first move of a game: what it knows is the last game's then. */
bool opponent_session_accepts_draw(OpponentSession *s, const Position *p);

#endif
