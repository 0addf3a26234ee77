/* The evaluations of the ancestors. An evaluator is a set of functions over a position and an array
 * of weights: the weights are the caller's, so that two players of one program can differ in
 * nothing but them, and evolution has something to change. Every evaluator can give its terms one
 * by one.
 *
 * A new evaluator: a file with a `const ClassicEval <name>_evaluator` (declared in that file's
 * header) and a row in classic_eval.c. */
#ifndef CLASSICS_CLASSIC_EVAL_H
#define CLASSICS_CLASSIC_EVAL_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "eval/score.h"

enum { CLASSIC_EVAL_MAX_WEIGHTS = 64, CLASSIC_EVAL_MAX_TERMS = 24 };

/* One number that evolution may change. */
typedef struct ClassicEvalWeight {
    const char *name; /* a word without blanks */
    int value;        /* as the original had it */
    int min, max;
} ClassicEvalWeight;

/* What each term gives each side, weights included, before the division: White's minus Black's is
 * what counts. */
typedef int ClassicEvalValues[CLASSIC_EVAL_MAX_TERMS][COLOR_COUNT];

typedef struct ClassicEval {
    const char *name;  /* "javachess": as commands have it */
    const char *title; /* "JavaChess, 2001" */
    const ClassicEvalWeight *weights;
    int weight_count;
    const char *const *term_names;
    int term_count;
    int level;   /* which of a program's evaluators it is, where it has several */
    int divisor; /* of values that are finer than centipawns; 0: 1 */

    /* Adds to the values, which are 0 at first. p is as before when it returns (an evaluator may
     * make a null move to count the other side's moves). Ends of games are the search's part. */
    void (*evaluate)(Position *p, const int *weights, int level, ClassicEvalValues v);
} ClassicEval;

/* The first weights of most evaluators, for WEIGHTS(X): the values of the pieces. Evolution may
 * halve and double them. */
#define CLASSIC_EVAL_PIECES(X, pawn, knight, bishop, rook, queen) \
    X(W_PAWN, "pawn", pawn, (pawn) / 2, 2 * (pawn))               \
    X(W_KNIGHT, "knight", knight, (knight) / 2, 2 * (knight))     \
    X(W_BISHOP, "bishop", bishop, (bishop) / 2, 2 * (bishop))     \
    X(W_ROOK, "rook", rook, (rook) / 2, 2 * (rook))               \
    X(W_QUEEN, "queen", queen, (queen) / 2, 2 * (queen))

/* An evaluator's tables, from its lists TERMS(X) of X(index, "name") and WEIGHTS(X) of
 * X(index, "name", value, min, max): the enumerations of the indices, and the rows. */
#define CLASSIC_EVAL_NAME(index, ...) index,
#define CLASSIC_EVAL_ROW(index, ...) {__VA_ARGS__},
#define CLASSIC_EVAL_TEXT(index, text) text,
#define CLASSIC_EVAL_TABLES(TERMS, WEIGHTS)                                       \
    typedef enum Term { TERMS(CLASSIC_EVAL_NAME) TERM_COUNT } Term;               \
    enum { WEIGHTS(CLASSIC_EVAL_NAME) WEIGHT_COUNT };                             \
    static const char *const term_names[TERM_COUNT] = {TERMS(CLASSIC_EVAL_TEXT)}; \
    static const ClassicEvalWeight weight_rows[WEIGHT_COUNT] = {WEIGHTS(CLASSIC_EVAL_ROW)};

/* An evaluator with these tables and the function evaluate. */
#define CLASSIC_EVAL(name_, title_, weights_, terms_, ...)                                  \
    {                                                                                       \
        .name = name_, .title = title_, .weights = weight_rows, .weight_count = weights_,   \
        .term_names = term_names, .term_count = terms_, .evaluate = evaluate, ##__VA_ARGS__ \
    }

/* The value for the side to move, within +-SCORE_EVAL_MAX: for searches, so it is quick. */
Score classic_eval_score(const ClassicEval *evaluator, Position *p, const int *weights);

/* By name, whatever its letters' case. On failure the message lists the names. */
Status classic_eval_find(const ClassicEval **evaluator, Span name, Message *why);

/* The weights that the original had; room for CLASSIC_EVAL_MAX_WEIGHTS, the rest is set to 0. */
void classic_eval_default_weights(const ClassicEval *evaluator,
                                  int weights[CLASSIC_EVAL_MAX_WEIGHTS]);

/* For evaluators: the sum of the first `count` values, for one side. */
int classic_eval_sum(const ClassicEvalValues v, int count, Color side);

#define CLASSIC_INNER_CENTRE 0x0000001818000000ULL /* d4 e4 d5 e5 */
#define CLASSIC_WIDE_CENTRE 0x00003c3c3c3c0000ULL  /* c3 to f6 */

/* For evaluators: the squares on which a side's pieces of one type begin a game. */
Bitboard classic_eval_home(Color c, PieceType t);

/* For evaluators: whether a side has castled. A position does not record it, so this stands for it:
 * the king is on its first rank where castling leads to or nearer to the corner, has no right to
 * castle, and has shut in no rook of its own. */
bool classic_eval_has_castled(const Position *p, Color c);

/* The terms as a table for people. */
void classic_eval_show(const ClassicEval *evaluator, const int *weights, const Position *p,
                       Text *out);

#endif
