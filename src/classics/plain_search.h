/* The search that the first programs began with: minimax, or alpha-beta with nothing added,
 * deepened ply by ply. The move of the last finished depth counts. Draws by repetition, by the
 * fifty-move rule and by material are seen by every opponent that uses it. */
#ifndef CLASSICS_PLAIN_SEARCH_H
#define CLASSICS_PLAIN_SEARCH_H

#include "base/random.h"
#include "classics/classic_eval.h"
#include "opponent/effort.h"

enum { PLAIN_MAX_DEPTH = 64 };

typedef struct PlainSearchConfig {
    const ClassicEval *evaluator; /* NULL: chance alone, which needs `random` */
    const int *weights;           /* the evaluator's */
    Random *random; /* adds a value from -100 to 100 to every evaluation; NULL: none */
    bool minimax;   /* without alpha-beta, which gives the same value */
    bool blind;     /* knows no mate: a position without moves is worth what the evaluator says */
    void (*order)(const Position *p, Move *moves, int count); /* NULL: as they are generated */
} PlainSearchConfig;

/* Searches the task's position and reports every finished depth. The answer's depth is 0 when not
 * even the first was finished. */
void plain_search(const PlainSearchConfig *setup, const EffortHabits *habits,
                  const OpponentTask *task, OpponentAnswer *answer);

#endif
