/* Someone else at the board: an opponent, or a level of strength, that answers in Castellan's
 * place. It thinks on a thread of its own, one position at a time, and tells through the engine's events,
 * so that nobody outside sees a difference. */
#ifndef ENGINE_GUEST_INT_H
#define ENGINE_GUEST_INT_H

#include "engine/engine.h"

typedef struct Guest Guest;

/* Whom the options ask for. */
typedef struct GuestChoice {
    const OpponentRow *row;
    const char *settings; /* of the opponent; NULL: none */
    int elo;              /* a level of Castellan itself; 0: full strength */
} GuestChoice;

bool guest_is_castellan(GuestChoice c); /* nobody needs to be invited */

/* `e` gets the events. On failure *g stays as it was. */
Status guest_open(Guest **g, Engine *e, GuestChoice choice, Message *why);
void guest_close(Guest *g); /* ends its thinking; NULL is fine */

const OpponentRow *guest_row(const Guest *g);
bool guest_start(const Guest *g, Position *out); /* where its games begin, when a setting says so */
bool guest_is_level(const Guest *g);

/* The next position it thinks about is of another game. */
void guest_new_game(Guest *g);

/* All as the engine's functions of that name; all but guest_go are harmless when it is idle. It thinks about
 * the position of the engine's run. While it is told to ponder it waits: an ancestor thought on its own
 * time only. */
void guest_go(Guest *g, const SearchLimits *limits);
void guest_stop(Guest *g);
void guest_ponderhit(Guest *g);
void guest_wait(Guest *g);
bool guest_thinking(Guest *g);
/* Not while it thinks, nor before its first move of a game: what it knows is the last game's then. */
bool guest_accepts_draw(Guest *g, const Position *p);

#endif
