/* Someone else at the board: an opponent, or a level of strength, that answers in Castellan's
 * place. It thinks on a thread of its own, one position at a time, and reports through the engine's
 * events, so that nobody outside sees a difference. */
#ifndef ENGINE_OPPONENT_SESSION_INT_H
#define ENGINE_OPPONENT_SESSION_INT_H

#include "engine/engine.h"

typedef struct OpponentSession OpponentSession;

/* The opponent that the options select. */
typedef struct SessionChoice {
    const OpponentRow *row;
    const char *settings; /* of the opponent; NULL: none */
    int elo;              /* a level of Castellan itself; 0: full strength */
} SessionChoice;

bool opponent_session_is_castellan(SessionChoice c); /* nobody needs to be opened */

/* `e` gets the events. On failure *g stays as it was. */
Status opponent_session_open(OpponentSession **g, Engine *e, SessionChoice choice, Message *why);
void opponent_session_close(OpponentSession *g); /* ends its thinking; NULL is fine */

const OpponentRow *opponent_session_row(const OpponentSession *g);
bool opponent_session_start(const OpponentSession *g,
                            Position *out); /* where its games begin, when a setting says so */
bool opponent_session_is_level(const OpponentSession *g);

/* The next position it thinks about is of another game. */
void opponent_session_new_game(OpponentSession *g);

/* All as the engine's functions of that name; all but opponent_session_go are harmless when it is
 * idle. It thinks about the position of the engine's run. While it is told to ponder it waits: an
 * ancestor thought on its own time only. */
void opponent_session_go(OpponentSession *g, const SearchLimits *limits);
void opponent_session_stop(OpponentSession *g);
void opponent_session_ponderhit(OpponentSession *g);
void opponent_session_wait(OpponentSession *g);
bool opponent_session_thinking(OpponentSession *g);
/* Not while it thinks, nor before its first move of a game: what it knows is the
 * last game's then. */
bool opponent_session_accepts_draw(OpponentSession *g, const Position *p);

#endif
