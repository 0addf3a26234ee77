/* The games of a PGN source reviewed side by side, in order and in bounded memory: the calling
 * thread reads games into free slots and takes finished ones in the order of the source; threads
 * with a reviewer each work on what is ready. Invalid games are reported and skipped. */
#ifndef APP_GAME_POOL_H
#define APP_GAME_POOL_H

#include "app/args.h"
#include "app/progress.h"
#include "notation/game_read.h"
#include "study/review.h"

typedef enum GameSlotState { SLOT_FREE, SLOT_READY, SLOT_TAKEN, SLOT_DONE } GameSlotState;

/* Touched by its owner alone: its state, under the lock, says who that is. */
typedef struct GameSlot {
    Game *game;
    uint64_t number;        /* of the game in the source, invalid ones counted */
    uint64_t invalid;       /* games before it */
    Text text, page;        /* what the work makes of it, ... */
    int count;              /* ... with how many moves or puzzles */
    atomic_int done, total; /* positions, for the progress */
    /* The pool's own. */
    GameSlotState state;
    uint64_t from, to; /* where the game lies in the source */
    int plies;
    Status status;
    Message why;
} GameSlot;

typedef struct GamePool {
    const char *command; /* which reports */
    int threads;
    const ReviewOptions *options; /* of each thread's reviewer */
    /* The work on one game, on one of the threads. */
    Status (*work)(void *user, Reviewer *r, GameSlot *slot, Message *why);
    /* Gets the games that are done; STATUS_END: no more are needed. */
    Status (*take)(void *user, GameSlot *slot, Message *why);
    void *user;
    bool keeps_all; /* after an interrupt games behind an unfinished one are taken too */
    PgnReader *reader;
    uint64_t read, invalid; /* games of the source */
    Progress progress;
    /* Its own. */
    _Atomic uint64_t bytes; /* of the source that are worked on */
    GameSlot *slots;
    size_t slot_count;
    size_t in, out; /* running numbers: read, taken */
    size_t ready;   /* read, and nobody works on it yet */
    struct GameWorker *workers;
    Mutex lock;
    Condition changed;
    bool quit, at_end;
} GamePool;

/* Opens the source, a file or "-", and begins the progress, whose stop flag ends the work. To be
 * closed also when that failed. */
Status game_pool_open(GamePool *pool, const ArgWords *source, Message *why);
Status game_pool_run(GamePool *pool, Message *why);
Status game_pool_close(GamePool *pool, Status s, Message *why); /* as progress_end */

#endif
