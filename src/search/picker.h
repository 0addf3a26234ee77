/* Moves in the order in which they should be tried, generated only when they are needed. */
#ifndef SEARCH_PICKER_H
#define SEARCH_PICKER_H

#include "search/search_int.h"

typedef enum PickStage {
    PICK_TABLE,
    PICK_GEN_NOISY,
    PICK_GOOD_NOISY,
    PICK_KILLER,
    PICK_GEN_QUIET,
    PICK_QUIET,
    PICK_BAD_NOISY,
    PICK_END
} PickStage;

struct Picker {
    Worker *w;
    const Node *n;
    PickStage stage;
    Move table_move, killer;
    bool skip_quiets;  /* set by the caller: no more quiet moves */
    int see_threshold; /* captures that lose more are bad; for the probing picker: left out */
    bool noisy_only;
    int at, end; /* the list being picked from */
    int bad_end; /* bad captures are kept at the front, [0, bad_end) */
    Move moves[MAX_MOVES];
    int scores[MAX_MOVES];
};

/* All moves of a full node. */
void picker_init(Picker *p, Worker *w, const Node *n);

/* Captures and queen promotions; every evasion when in check. */
void picker_init_quiescence(Picker *p, Worker *w, const Node *n);

/* Captures that win at least `threshold`. */
void picker_init_probcut(Picker *p, Worker *w, const Node *n, int threshold);

/* The next move, MOVE_NONE at the end. */
Move picker_next(Picker *p);

#endif
