/* The search of ChessBin: negamax alpha-beta that fails hard, with a transposition table, moves
 * ordered by what they capture and with what, one check extension in each line, and a quiescence
 * search over captures.
 *
 * Values are the original's: a mate is worth 32767 and what is left of the depth. */
#ifndef CLASSICS_CHESSBIN_SEARCH_H
#define CLASSICS_CHESSBIN_SEARCH_H

#include "classics/classic_eval.h"
#include "opponent/effort.h"

enum {
    CHESSBIN_MATE = 32767,
    CHESSBIN_INFINITE = 400000000,
    CHESSBIN_FEW_MOVES = 15, /* at the root: then a ply more */
    CHESSBIN_MAX_DEPTH = 100,
    CHESSBIN_LINE = 32, /* longest line that is remembered */
    CHESSBIN_TABLE_SIZE = 1 << 16
};

/* The transposition table. A position has one place, its hash modulo the size, which the guide
 * leaves open. */
typedef struct ChessBinEntry {
    Key hash;
    int score;
    uint8_t depth; /* that was left */
    uint8_t bound; /* ScoreBound; none: empty */
    bool ancient;  /* not used by a look-up since the search began: may be replaced */
} ChessBinEntry;

/* All zeros: empty. */
typedef struct ChessBinTable {
    ChessBinEntry at[CHESSBIN_TABLE_SIZE];
} ChessBinTable;

typedef struct ChessBinLine {
    Move moves[CHESSBIN_LINE];
    int length;
} ChessBinLine;

typedef struct ChessBinRootMove {
    Move move;
    Score static_eval; /* the evaluation after it, for us: what it is ordered by */
} ChessBinRootMove;

typedef struct ChessBinSearch {
    Position position;    /* in the middle of a search: the node's */
    ChessBinTable *table; /* NULL: without one */
    bool full_ordering;   /* every move is evaluated before sorting, as in the
                           * program's first design */
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    uint32_t root_ply; /* position.ply at the root */
    Effort *effort;
    uint64_t nodes;
    ChessBinRootMove root[MAX_MOVES];
    int root_count;
} ChessBinSearch;

/* Lists the moves at the root, the best to the eye first. */
void chessbin_list_moves(ChessBinSearch *s);

/* A move that mates at once, or MOVE_NONE. */
Move chessbin_instant_mate(ChessBinSearch *s);

/* Searches the listed moves in their order. The line is that of the best finished move, empty when
 * none was finished before the effort ended. Returns its value. `depth` is what the level says; few
 * moves make it deeper. */
int chessbin_root(ChessBinSearch *s, int depth, ChessBinLine *line);

/* After every search all entries become ancient. */
void chessbin_end_search(ChessBinTable *t);

/* The value of the node for the side to move within the window; the line is written when it is
 * inside. */
int chessbin_alphabeta(ChessBinSearch *s, int depth, int alpha, int beta, bool extended,
                       ChessBinLine *line);

/* A move's place in the light order: the higher the earlier. In the quiescence search nothing but
 * the capture counts. */
int chessbin_rank(const Position *p, Move m);
int chessbin_capture_rank(const Position *p, Move m);

/* A value of chessbin_root with that depth and count of moves, as eval/score.h has it. */
Score chessbin_score(int value, int depth, int root_count);

#endif
