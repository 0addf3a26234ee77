/* SPSA (Spall's simultaneous perturbation): every value is nudged up or down by chance, the two
 * mirror images play a pair of games, and all values move a little towards the winner. Nothing
 * needs to be differentiable, and the number of values hardly matters.
 *
 * The state is written as it goes, so that a run that was killed goes on with the loss
 * of a second. */
#ifndef TUNE_TUNE_H
#define TUNE_TUNE_H

#include "base/status.h"
#include "base/text.h"
#include "match/player.h"
#include "search/params.h"

#include <stdatomic.h>

enum { TUNE_MAX_PARAMS = 512 };

/* One value on its way. */
typedef struct TuneParam {
    const ParamRow *row;
    double value; /* where it is; players get it rounded up or down by chance */
} TuneParam;

typedef struct TuneResult {
    TuneParam params[TUNE_MAX_PARAMS];
    int count;
    uint64_t pairs;  /* played, earlier runs included */
    int64_t balance; /* wins minus losses of the nudged-up sides: near 0 when all is well */
} TuneResult;

/* Plays a pair of games, `plus` with White and with Black; values in the order of the parameters.
 * Called from thread number `thread`. Wins minus losses of `plus` go to *result. */
typedef Status TunePlay(void *user, int thread, uint64_t pair, const TuneResult *names,
                        const int *plus, const int *minus, int *result, Message *why);

typedef struct TuneOptions {
    const ParamRow *rows; /* what there is to tune */
    int row_count;
    const char *only; /* names with commas between; NULL: all */
    uint64_t pairs;   /* in all */
    int threads;
    uint64_t seed;
    double rate;             /* how far a result moves a value at the end, as a part of its step */
    const char *state, *csv; /* files; csv may be NULL */
    uint64_t csv_every;      /* pairs between two rows */
    bool resume;             /* the state may be there already */
    TunePlay *play;
    void *play_user;
    /* Told after every pair, one at a time; may be NULL. */
    void (*news)(void *user, const TuneResult *so_far);
    void *news_user;
} TuneOptions;

/* Everything but rows, files and games. */
TuneOptions tune_defaults(void);

/* Plays until all pairs are played or *stop is set (STATUS_STOPPED). */
Status tune_run(const TuneOptions *options, const atomic_bool *stop, TuneResult *result,
                Message *why);

/* The values as rows of a table, before and after; then as lines of params.def. */
void tune_report(const TuneResult *result, Text *out);

/* -- Games of this program against itself as TunePlay -- */

typedef struct TuneGames TuneGames;

typedef struct TuneGamesOptions {
    PlayerLimits limits;
    int threads, hash_mb;
    const char *net;      /* or "classical"; NULL: the default evaluation */
    const char *openings; /* NULL: random ones */
    uint64_t seed, pairs;
} TuneGamesOptions;

/* STATUS_REFUSED in a release build, whose parameters are constants. *stop must
 * outlive the games. */
Status tune_games_open(TuneGames **g, const TuneGamesOptions *options, const atomic_bool *stop,
                       Message *why);
void tune_games_close(TuneGames *g); /* NULL is fine */
TunePlay tune_games_play;            /* `user` is the TuneGames */

#endif
