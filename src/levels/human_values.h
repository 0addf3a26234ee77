/* What short searches say of every legal move: the part of the model of human choice that costs
 * time. One full search of one, two and three plies values every move; a search of some thousand
 * nodes values the best few. */
#ifndef LEVELS_HUMAN_VALUES_H
#define LEVELS_HUMAN_VALUES_H

#include "search/search.h"

#include <stdatomic.h>

enum {
    HUMAN_PLIES = 3, /* every move is searched to each depth from one ply to this one */
    HUMAN_LINES = 5, /* moves that the longer search values */
    HUMAN_DEEP = HUMAN_PLIES,
    HUMAN_DEPTHS = HUMAN_PLIES + 1,
    HUMAN_FULL_NODES = 20000, /* most of the search that values every move */
    HUMAN_DEEP_NODES = 6000   /* of the longer search of the best few */
};

typedef struct HumanValue {
    Move move;
    Score at[HUMAN_DEPTHS]; /* SCORE_NONE where the search said nothing of the move */
} HumanValue;

typedef struct HumanSearch HumanSearch;

Status human_search_open(HumanSearch **h, Message *why);
void human_search_close(HumanSearch *h); /* NULL is fine */

/* The values of `count` moves that are legal at p, in their order: to `plies` plies, and where
 * these are HUMAN_PLIES by the longer search too. Where *stop ends the search early, what was found
 * until then. Returns the nodes searched. */
uint64_t human_search_values(HumanSearch *h, const Position *p, const Move *moves, int count,
                             int plies, const atomic_bool *stop, HumanValue *out);

/* What a search of `nodes` nodes finds with a fresh table, of all moves or (`only`) of one. */
SearchResult human_search_judge(HumanSearch *h, const Position *p, Move only, uint64_t nodes);

#endif
