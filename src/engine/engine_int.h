/* Shared by the files of the session. */
#ifndef ENGINE_ENGINE_INT_H
#define ENGINE_ENGINE_INT_H

#include "base/random.h"
#include "book/book.h"
#include "engine/engine.h"
#include "engine/opponent_thread_int.h"
#include "engine/policy.h"

/* The running search. Written before it starts, read by its thread. */
typedef struct EngineRun {
    Position root;
    bool show_wdl;
    bool told;
    atomic_bool to_play;    /* its move is played: no analysis, no pondering */
    Move last, last_ponder; /* the first two moves of the last reported PV */
    int hashfull;           /* last reported */
} EngineRun;

struct Engine {
    SearchPool *pool;
    const Evaluator *evaluator; /* the evaluation of the pool */
    Tablebases *tb;
    Book *book;               /* embedded, or BookFile */
    Random random;            /* for book moves, and what opponents begin with */
    OpponentThread *opponent; /* plays instead of Castellan; may be NULL */
    EngineEvents events;
    OptionValue values[OPTION_COUNT];
    Position now; /* of the game */
    EngineRun run;
    Policy policy; /* of Castellan itself, in this game */
};

/* Prepares the opponent that the options choose; must be idle. On failure nothing changes. */
Status engine_choose_opponent(Engine *e, OpponentSpec spec, Message *why);

/* The events of the search, converted to engine events: `user` is the Engine. */
void report_line(void *user, const SearchLine *line);
void report_current_move(void *user, int depth, Move m, int number);
void report_done(void *user, const SearchResult *result);
EngineResult report_result(const Position *root, const SearchResult *result);

/* The same for an opponent's; times count from the request. */
void report_thought(void *user, const OpponentThought *thought);
void report_answer(Engine *e, const OpponentAnswer *answer, int64_t time_ms);

#endif
