/* Move ordering in stages: TT move, good captures, killer, quiet moves by history, bad captures.
 * Moves are generated when their stage is reached. */
#ifndef SEARCH_MOVE_PICKER_H
#define SEARCH_MOVE_PICKER_H

#include "search/search_int.h"

typedef enum PickStage {
    PICK_TT_MOVE,
    PICK_GEN_NOISY,
    PICK_GOOD_NOISY,
    PICK_KILLER,
    PICK_GEN_QUIET,
    PICK_QUIET,
    PICK_BAD_NOISY,
    PICK_END
} PickStage;

struct MovePicker {
    SearchWorker *w;
    const SearchNode *n;
    PickStage stage;
    Move tt_move, killer;
    bool skip_quiets;  /* set by the caller: no more quiet moves */
    int see_threshold; /* qsearch and ProbCut: captures below it are not picked */
    bool noisy_only;
    int at, end; /* the moves of this stage that are left */
    int bad_end; /* bad captures are moves [0, bad_end) */
    Move moves[MAX_MOVES];
    int scores[MAX_MOVES];
};

/* All moves. */
void move_picker_init(MovePicker *p, SearchWorker *w, const SearchNode *n);

/* Captures and promotions; all evasions when in check. */
void move_picker_init_qsearch(MovePicker *p, SearchWorker *w, const SearchNode *n);

/* Captures that win at least `threshold`. */
void move_picker_init_probcut(MovePicker *p, SearchWorker *w, const SearchNode *n, int threshold);

/* The next move, MOVE_NONE at the end. */
Move move_picker_next(MovePicker *p);

#endif
