/* Evolution of an evaluator's weights, after the adaptive program of 2011: weight sets play each
 * other, the winners stay, and mutated copies of them take the losers' places, within bounds that
 * move with the winners, until all agree.
 *
 * A generation: slot i = 1 .. n-1 plays a match with a random slot behind it; each opening of a
 * match is played twice, with both colours. The winner keeps its slot, the loser's is given to a
 * copy of the winner, mutated or plain; after a drawn match both stay. Then every weight's bounds
 * move half the way to the mean of the winners and close in a little, unless the winners stand near
 * an edge. The result is the mean of the last generation.
 *
 * The seed decides everything: the number of threads changes nothing, nor does a kill at any time,
 * for a generation is either in the state file or is played again. */
#ifndef TUNE_EVOLVE_H
#define TUNE_EVOLVE_H

#include "base/status.h"
#include "base/text.h"
#include "classics/classic_eval.h"
#include "match/stats.h"

#include <stdatomic.h>

enum { EVOLVE_MAX_POPULATION = 64, EVOLVE_MAX_GAMES = 1000, EVOLVE_MAX_GENERATIONS = 2000 };

/* What makes two evolutions the same. */
typedef struct EvolveConfig {
    const ClassicEval *evaluator;
    int64_t population;  /* 2 .. EVOLVE_MAX_POPULATION */
    int64_t games;       /* of a match: an even number up to EVOLVE_MAX_GAMES */
    int64_t depth;       /* plies that the players look ahead; 0: no limit */
    int64_t nodes;       /* of a move; 0: no limit */
    int64_t generations; /* the last one, when they do not agree before */
    int64_t plain; /* 1: the loser's slot takes the winner as it is, as in the document's diagram;
                      0: a mutated copy */
    int64_t seed;
} EvolveConfig;

EvolveConfig evolve_defaults(const ClassicEval *evaluator);

typedef struct EvolvePerson {
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
} EvolvePerson;

typedef struct EvolveGeneration {
    EvolvePerson people[EVOLVE_MAX_POPULATION];
    double low[CLASSIC_EVAL_MAX_WEIGHTS],
        high[CLASSIC_EVAL_MAX_WEIGHTS];     /* that mutations stay within */
    double width[CLASSIC_EVAL_MAX_WEIGHTS]; /* from the first bounds on, closing in */
    StatsTally results;                     /* of its matches, from the view of the first slot */
} EvolveGeneration;

typedef struct EvolveState {
    EvolveConfig config;
    EvolveGeneration
        *generations; /* the first is as it began; `results` are those that led to it */
    int count;
} EvolveState;

typedef struct EvolveOptions {
    EvolveConfig config;
    const char *state; /* the file; NULL: none */
    bool
        resume; /* go on with that file; the configuration is the file's, but for the generations */
    int threads;
    void (*news)(void *user, const EvolveState *so_far); /* after every generation; may be NULL */
    void *user;
} EvolveOptions;

/* Evolves until all agree, the last generation is reached or *stop is set (STATUS_STOPPED). `state`
 * is what has become of it, also then; evolve_free it in every case. */
Status evolve_run(const EvolveOptions *options, const atomic_bool *stop, EvolveState *state,
                  Message *why);
void evolve_free(EvolveState *state);

/* True when all of the last generation agree: every weight within a fiftieth of its first width, or
 * one. */
bool evolve_agrees(const EvolveState *state);

/* The mean of the last generation. */
void evolve_result(const EvolveState *state, int weights[CLASSIC_EVAL_MAX_WEIGHTS]);

/* Plays two weight sets against each other from openings that no generation saw; the tally is from
 * the view of `a`. */
Status evolve_prove(const EvolveConfig *config, const int *a, const int *b, int64_t games,
                    int threads, const atomic_bool *stop, StatsTally *tally, Message *why);

/* The state file: text, written whole or not at all, and read into an empty state, which stays
 * empty on failure. */
Status evolve_state_write(const EvolveState *state, const char *path, Message *why);
Status evolve_state_read(EvolveState *state, const char *path, Message *why);

/* For people: the weights, where they began and where they came to. */
void evolve_report(const EvolveState *state, Text *out);

/* A picture of the population: a panel for each weight, its bounds, everyone, and their mean. */
void evolve_svg(const EvolveState *state, Text *out);

#endif
