/* Inside castellan analyse: the ring of slots that games go through, and the threads that review
 * them. A slot is touched by its owner alone: its state, under the lock, says who that is. */
#ifndef APP_ANALYSE_INT_H
#define APP_ANALYSE_INT_H

#include "app/analyse.h"
#include "app/progress.h"
#include "base/thread.h"
#include "notation/game_read.h"

typedef enum AnalyseSlotState { SLOT_FREE, SLOT_READY, SLOT_TAKEN, SLOT_DONE } AnalyseSlotState;

typedef struct AnalyseSlot {
    AnalyseSlotState state;
    Game *game;
    Text pgn, html;
    uint64_t number;   /* of the game in the source, broken ones counted */
    uint64_t from, to; /* where it lies in the source */
    int moves;
    atomic_int done, total; /* positions */
    Status status;
    Message why;
} AnalyseSlot;

typedef struct AnalyseRun AnalyseRun;
typedef struct AnalyseWorker {
    AnalyseRun *run;
    Reviewer *reviewer;
    Thread thread;
    bool started;
} AnalyseWorker;

struct AnalyseRun {
    const AnalyseJob *job;
    const atomic_bool *stop;
    AnalyseCounts *counts;
    AnalyseSlot *slots;
    size_t slot_count;
    size_t in, out; /* running numbers: read, written */
    size_t ready;   /* read, and nobody works on it yet */
    AnalyseWorker *workers;
    Mutex lock;
    Condition changed;
    bool quit, at_end;
    PgnReader *reader;
    uint64_t read; /* games of the source */
    AnalyseFile pgn, html;
    AnalyseState state;
    int64_t saved_ms;
    Progress progress;
};

/* Slots and threads, as many as the job asks for; end and free them also when opening failed. */
Status analyse_slots_open(AnalyseRun *run, Message *why);
void analyse_slots_free(AnalyseRun *run);
Status analyse_workers_start(AnalyseRun *run, Message *why);
void analyse_workers_end(AnalyseRun *run);

AnalyseSlotState analyse_slot_state(AnalyseRun *run, const AnalyseSlot *slot);

/* Gives a slot that holds a game to the workers. */
void analyse_slot_ready(AnalyseRun *run, AnalyseSlot *slot);

#endif
