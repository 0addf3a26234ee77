/* The search that the first programs began with: minimax, or alpha-beta with nothing added, deepened ply by
 * ply. The move of the last finished depth counts. Draws by repetition, by the fifty-move rule and by
 * material are seen by every mind that uses it. */
#ifndef GALLERY_PLAIN_H
#define GALLERY_PLAIN_H

#include "base/random.h"
#include "gallery/effort.h"
#include "gallery/judge.h"

enum { PLAIN_MAX_DEPTH = 64 };

typedef struct PlainSetup {
    const Judge *judge; /* NULL: chance alone, which needs `random` */
    const int *weights; /* the judge's */
    Random *random;     /* adds a value from -100 to 100 to every evaluation; NULL: none */
    bool minimax;       /* without alpha-beta, which gives the same value */
    bool blind;         /* knows no mate: a position without moves is worth what the judge says */
    void (*order)(const Position *p, Move *moves, int count); /* NULL: as they are generated */
} PlainSetup;

typedef struct PlainResult {
    Move move; /* legal */
    Score score;
    int depth; /* finished; 0: not even the first */
    uint64_t nodes;
} PlainResult;

/* Thinks on the effort's task and tells it every finished depth. */
PlainResult plain_search(const PlainSetup *setup, Effort *effort);

/* The whole answer of a mind that does nothing else. */
void plain_answer(const PlainSetup *setup, const EffortHabits *habits, const OpponentTask *task,
                  OpponentAnswer *answer);

#endif
