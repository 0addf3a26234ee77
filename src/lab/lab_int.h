/* What the laboratory's files share: the search's state, its table and its ordering. */
#ifndef LAB_LAB_INT_H
#define LAB_LAB_INT_H

#include "lab/lab.h"

typedef enum LabBound { LAB_NO_BOUND, LAB_UPPER, LAB_LOWER, LAB_EXACT } LabBound;

typedef struct LabEntry {
    Key key;
    Score value; /* mates counted from this position, not from the root */
    Move move;
    uint8_t depth;
    uint8_t bound; /* LabBound */
} LabEntry;

/* A history at this mark grows no more: what is ordered above history has room. */
enum { LAB_TABLE_BITS = 20, LAB_MOST_HISTORY = 1 << 26 };

typedef struct Lab {
    LabSetup setup;
    Position position;
    uint64_t nodes;
    bool stopped;
    Move root_move; /* best in the iteration under way */
    LabEntry *table;
    Move killers[MAX_PLY + 1][2];
    int history[COLOR_COUNT][SQUARE_COUNT][SQUARE_COUNT];
} Lab;

static inline bool lab_uses(const Lab *l, LabSwitch which)
{
    return (l->setup.switches & which) != 0;
}

/* Whether the setup's limits end a search after so many nodes; then *stopped is set. */
bool lab_must_end(const LabSetup *s, uint64_t nodes, bool *stopped);

/* The entry of the present position, or NULL. */
const LabEntry *lab_find(const Lab *l);

/* -- lab_order.c -- */

/* The legal moves, in the order that the switches ask for; returns how many. */
int lab_moves(Lab *l, int ply, Move *out);

/* The captures and promotions alone. */
int lab_captures(Lab *l, Move *out);

/* The captures alone, as they are generated: the document's library orders nothing. */
int lab_only_captures(const Lab *l, Move *out);

/* -- lab_listing.c -- */

Status lab_listing_run(const Position *p, const LabSetup *setup, LabResult *out, Message *why);

#endif
