/* The search of JavaChess: fail-soft alpha-beta with a table, moves ordered by history alone, and a
 * quiescence search over captures and promotions in the order they are generated. MTD(f) drives it
 * with windows of no width.
 *
 * Values are the original's: a mate by the next move is worth 30000, and every ply before it takes
 * 1 away, so that -29995 is "mated within three moves". */
#ifndef CLASSICS_JAVACHESS_SEARCH_H
#define CLASSICS_JAVACHESS_SEARCH_H

#include "classics/classic_eval.h"
#include "opponent/effort.h"

enum {
    JAVACHESS_MAX = 30000,
    JAVACHESS_GIVE_UP = -29995,
    JAVACHESS_LAZY_MARGIN = 200,
    JAVACHESS_MAX_DEPTH = 100,
    JAVACHESS_TABLE_SIZE = 1 << 17
};

/* What is remembered of a position, in the place that the low bits of its key give. */
typedef struct JavaChessEntry {
    Key key;
    int value; /* mates counted from this position */
    unsigned stamp;
    Move move; /* only to show the continuation: the original ordered its moves without it */
    uint8_t depth;
    uint8_t bound; /* ScoreBound; none: an empty entry */
} JavaChessEntry;

/* All zeros: empty. */
typedef struct JavaChessTable {
    JavaChessEntry at[JAVACHESS_TABLE_SIZE];
} JavaChessTable;

/* What the original printed after each iteration. */
typedef struct JavaChessCounts {
    uint64_t regular, quiescence;
    uint64_t regular_hits, quiescence_hits; /* in the table */
    uint64_t regular_cutoffs, quiescence_cutoffs;
} JavaChessCounts;

typedef struct JavaChessSearch {
    Position position; /* in the middle of a search: the node's */
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    JavaChessTable *table; /* NULL: without one */
    bool lazy;             /* material alone where it decides */
    unsigned stamp;        /* moves thought about in this game */
    uint32_t history[COLOR_COUNT][SQUARE_COUNT][SQUARE_COUNT];
    Effort *effort;
    JavaChessCounts counts; /* of the iteration */
    uint64_t nodes;         /* of the whole search */
} JavaChessSearch;

/* The value of the position to that depth (at least 1) and its best move. When the effort ends
 * first, s->effort->over is true and the value means nothing; the move is then the best of those
 * that were finished, or MOVE_NONE. */
int javachess_alphabeta(JavaChessSearch *s, int depth, Move *best);

/* The same by MTD(f), beginning at a guess. After a stop *best may be MOVE_NONE. */
int javachess_mtdf(JavaChessSearch *s, int guess, int depth, Move *best);

/* The line that the table knows behind a first move; returns its length, at least 1. */
int javachess_line(JavaChessSearch *s, Move first, Move *line, int room);

/* A value as eval/score.h has it. */
Score javachess_score(int value);

#endif
