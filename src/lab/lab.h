/* The laboratory: one classic search whose techniques can be switched on one by one, to see what
 * each of them saves.
 *
 * Nodes are counted as in Kanji's document, cumulatively over the iterations 1 .. depth, each with
 * its root and every node down to its depth. Mate and stalemate are seen, repetitions and the
 * fifty-move rule are not, unless a game is played: so the value of a position depends on nothing
 * but itself and the depth, and every exact technique must give the value that minimax gives. */
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "eval/score.h"

struct LabResult;

/* The switches. All but minimax (no switch) need LAB_ALPHABETA, LAB_ORDER and
 * LAB_MTDF the table. */
typedef enum LabSwitch {
    LAB_ALPHABETA = 1 << 0,
    LAB_TABLE = 1 << 1,        /* values of positions that come up again at the same depth */
    LAB_ORDER = 1 << 2,        /* moves in the order of what the table knows of them */
    LAB_NULL = 1 << 3,         /* give up a node where even passing is good enough: depth - 1 - 2 */
    LAB_QUIESCENCE = 1 << 4,   /* captures are forced up to ply 7, no evaluation before them */
    LAB_CAPTURES = 1 << 5,     /* captures first, most valuable victim, least valuable attacker */
    LAB_KILLERS = 1 << 6,      /* quiet moves that refuted a neighbour */
    LAB_HISTORY = 1 << 7,      /* quiet moves that refuted much anywhere */
    LAB_PVS = 1 << 8,          /* a null window for all but the first move */
    LAB_ASPIRATION = 1 << 9,   /* a window around the last iteration's value */
    LAB_MTDF = 1 << 10,        /* null windows only, closing in on the value */
    LAB_LMR = 1 << 11,         /* late quiet moves one ply less deep */
    LAB_NULL_MODERN = 1 << 12, /* a null window, depth - 2, never twice in a row */
    LAB_QUIESCENCE_MODERN = 1 << 13 /* captures to the end, the evaluation as a lower bound */
} LabSwitch;

enum {
    LAB_MAX_DEPTH = 60,
    LAB_MAX_TECHNIQUES = 32,
    LAB_NAME_SIZE = 64,
    LAB_TECHNIQUES = 17,
    LAB_POSITIONS = 8
};

typedef struct LabTechnique {
    char name[LAB_NAME_SIZE];
    unsigned switches; /* of LabSwitch */
} LabTechnique;

/* The named techniques, in the order of their invention in the documents, ours behind them. */
extern const LabTechnique lab_techniques[LAB_TECHNIQUES];

/* True when it must give minimax's value. */
bool lab_is_exact(unsigned switches);

/* True when the document's code has it: minimax to all. */
bool lab_is_listed(unsigned switches);

/* Reads "minimax,order,killers+history": names with commas between, and "+" for several at once. */
Status lab_read_techniques(Span list, LabTechnique out[LAB_MAX_TECHNIQUES], int *count,
                           Message *why);

/* The positions of Kanji's document. */
typedef struct LabPosition {
    const char *name, *fen;
    int depth; /* that the document searched it to */
} LabPosition;

extern const LabPosition lab_positions[LAB_POSITIONS];

/* What a position is worth to the side to move; the position is left as it was. */
typedef Score (*LabUtility)(Position *p);

typedef struct LabSetup {
    unsigned switches;
    bool listing; /* the document's own code, with its library's order of moves: lab_listing.c */
    LabUtility evaluate;
    int depth;                /* of the last iteration, 1 .. LAB_MAX_DEPTH */
    uint64_t max_nodes;       /* 0: no limit */
    bool (*stop)(void *user); /* asked now and then; may be NULL */
    void *user;

    /* For play. */
    bool game;                                              /* draws by the rules are seen */
    bool (*go_on)(void *user, const struct LabResult *now); /* after a depth; NULL: always */
    const Move *only; /* at the root; all when only_count is 0 */
    int only_count;
} LabSetup;

typedef struct LabResult {
    uint64_t nodes; /* all that were visited, also in an iteration that was not finished */
    int64_t time_ns;
    int depth;     /* the last finished iteration: less than asked for after a forced mate */
    Score value;   /* its value, seen from the side to move */
    Move move;     /* MOVE_NONE where there is none. Without a finished depth, the best seen */
    bool finished; /* false: the limit or the caller ended it */
} LabResult;

/* Searches; fails only for want of memory or on a depth out of range. */
Status lab_run(const Position *p, const LabSetup *setup, LabResult *out, Message *why);

#endif
