/* What the files of the session share. */
#ifndef ENGINE_ENGINE_INT_H
#define ENGINE_ENGINE_INT_H

#include "base/random.h"
#include "book/book.h"
#include "engine/engine.h"

/* The search under way. Written before it starts, read by its thread. */
typedef struct Run {
    Position root;
    bool show_wdl;
    bool told;
    Move last;    /* the first move of the best line told last */
    int hashfull; /* told last */
} Run;

struct Engine {
    SearchPool *pool;
    const Evaluator *evaluator; /* what the pool searches with */
    Tablebases *tb;
    Book *book;     /* NULL when there is none */
    Random chances; /* for choosing among the book's moves */
    EngineEvents events;
    OptionValue values[OPTION_COUNT];
    Position first, now;
    Move *moves; /* from first to now */
    int move_count, move_room;
    Run run;
};

/* Builds the game again with castling read and written in the given way. */
void engine_reread(Engine *e, bool chess960);

/* The search's events, made into the engine's: `user` is the Engine. */
void report_line(void *user, const SearchLine *line);
void report_current_move(void *user, int depth, Move m, int number);
void report_done(void *user, const SearchResult *result);
EngineResult report_result(const Position *root, const SearchResult *result);

#endif
