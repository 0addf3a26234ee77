/* The evaluations of the ancestors. A judge is a set of functions over a position and an array of weights: the weights are
 * the caller's, so that two players of one program can differ in nothing but them, and evolution has
 * something to change. Every judge can tell its terms one by one.
 *
 * A new judge: a file with a `const Judge judge_<name>` (declared in that file's header) and a row in judge.c. */
#ifndef GALLERY_JUDGE_H
#define GALLERY_JUDGE_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "eval/score.h"

enum { JUDGE_MAX_WEIGHTS = 64, JUDGE_MAX_TERMS = 48 };

/* One number that evolution may change. */
typedef struct JudgeWeight {
    const char *name; /* a word without blanks */
    int value;        /* as the original had it */
    int min, max;
} JudgeWeight;

/* What one term gives each side, in the judge's own centipawns, weights included. */
typedef struct JudgeTerm {
    const char *name;
    double value[COLOR_COUNT]; /* White's minus Black's is what counts */
} JudgeTerm;

typedef struct JudgeTerms {
    JudgeTerm of[JUDGE_MAX_TERMS];
    int count;
    Score total; /* White's view; the sum of the rows, cut to a whole number towards zero */
} JudgeTerms;

typedef struct Judge {
    const char *name;  /* "javachess": as commands have it */
    const char *title; /* "JavaChess, 2001" */
    const JudgeWeight *weights;
    int weight_count;

    /* The value for the side to move, within +-SCORE_EVAL_MAX: for searches, so it is quick. p is as before when it
     * returns (a judge may make a null move to count the other side's moves). Ends of games are the search's part. */
    Score (*score)(Position *p, const int *weights);

    /* The same, told term by term: total is the score, from White's view. */
    void (*terms)(Position *p, const int *weights, JudgeTerms *out);
} Judge;

int judge_count(void);
const Judge *judge_at(int index);

/* By name, whatever its letters' case. On failure the message lists the names. */
Status judge_find(const Judge **judge, Span name, Message *why);

/* The weights that the original had; room for JUDGE_MAX_WEIGHTS, the rest is set to 0. */
void judge_default_weights(const Judge *judge, int weights[JUDGE_MAX_WEIGHTS]);

/* For judges: adds a row. */
void judge_add_term(JudgeTerms *t, const char *name, double white, double black);

/* For judges: whether a side has castled. A position does not tell, so this stands for it: the king is on its first rank
 * where castling leads to or nearer to the corner, has no right to castle, and has shut in no rook of its own. */
bool judge_has_castled(const Position *p, Color c);

/* The terms as a table for people. */
void judge_show(const Judge *judge, const int *weights, const Position *p, Text *out);

#endif
