/* What the files of the session share. */
#ifndef ENGINE_ENGINE_INT_H
#define ENGINE_ENGINE_INT_H

#include "base/random.h"
#include "book/book.h"
#include "engine/engine.h"
#include "engine/guest_int.h"

/* The search under way. Written before it starts, read by its thread. */
typedef struct Run {
    Position root;
    bool show_wdl;
    bool told;
    atomic_bool to_play;    /* its move is for the game: no analysis, no pondering */
    Move last, last_ponder; /* the first two moves of the best line told last */
    int hashfull;           /* told last */
} Run;

struct Engine {
    SearchPool *pool;
    const Evaluator *evaluator; /* what the pool searches with */
    Tablebases *tb;
    Book *book;     /* the program's own, or the one that BookFile names */
    Random chances; /* for choosing among the book's moves */
    Guest *guest;   /* who plays instead of Castellan; NULL: nobody */
    EngineEvents events;
    OptionValue values[OPTION_COUNT];
    Position first, now;
    Move *moves; /* from first to now */
    int move_count, move_room;
    Run run;
    atomic_bool not_better; /* Castellan's last score in this game */
    atomic_int lost_moves;  /* of Castellan, in a row */
};

/* Builds the game again with castling read and written in the given way. */
void engine_reread(Engine *e, bool chess960);

/* Makes the board ready for whoever is chosen; nobody thinks while it is called. On failure nothing changes. */
Status engine_invite(Engine *e, GuestChoice choice, Message *why);

/* The score of a move that is played. */
void policy_note_score(Engine *e, const EngineScore *s);

/* The search's events, made into the engine's: `user` is the Engine. */
void report_line(void *user, const SearchLine *line);
void report_current_move(void *user, int depth, Move m, int number);
void report_done(void *user, const SearchResult *result);
EngineResult report_result(const Position *root, const SearchResult *result);

/* The same for a guest's; times count from the request. */
void report_thought(void *user, const OpponentThought *thought);
void report_answer(Engine *e, const OpponentAnswer *answer, int64_t time_ms);

#endif
