/* The thread on which an opponent answers in Castellan's place. It thinks about one position at a
 * time and reports through the engine's events, so that nobody outside sees a difference. */
#ifndef ENGINE_OPPONENT_THREAD_INT_H
#define ENGINE_OPPONENT_THREAD_INT_H

#include "base/thread.h"
#include "engine/engine.h"
#include "engine/opponents.h"

typedef struct OpponentThread {
    Engine *engine;
    Opponent *opponent;
    bool fresh; /* the game has not begun */
    Thread thread;
    bool has_thread;
    SearchLimits limits; /* of the thought under way */
    bool paced;          /* it may take its time */
    int64_t hit_ms;      /* when pondering ended; 0: it lasts */
    atomic_bool stop;
    bool busy, quit;
    Mutex lock; /* of busy, quit, hit_ms */
    Condition changed;
} OpponentThread;

/* The opponent is the thread's from now on, also on failure; `e` gets the events. */
Status opponent_thread_open(OpponentThread **t, Engine *e, Opponent *opponent, Message *why);
void opponent_thread_close(OpponentThread *t); /* ends its thinking; NULL is fine */

/* The next position it thinks about is of another game. */
void opponent_thread_new_game(OpponentThread *t);

/* All as the engine's functions of that name; all but opponent_thread_go are harmless when it is
 * idle. It thinks about the position of the engine's run. While it is told to ponder it waits: an
 * ancestor thought on its own time only. */
void opponent_thread_go(OpponentThread *t, const SearchLimits *limits);
void opponent_thread_stop(OpponentThread *t);
void opponent_thread_ponderhit(OpponentThread *t);
void opponent_thread_wait(OpponentThread *t);
bool opponent_thread_thinking(OpponentThread *t);
bool opponent_thread_accepts_draw(OpponentThread *t, const Position *p); /* not while it thinks */

#endif
