/* The registry of all that can be played: Castellan itself, then the programs it descends from. One
 * row each; a new opponent is its OpponentOps with a configuration, and a row in opponents.c.
 * Levels have no row: they are opened with a rating (levels/level.h). */
#ifndef ENGINE_OPPONENTS_H
#define ENGINE_OPPONENTS_H

#include "opponent/opponent.h"

/* The table; row 0 is Castellan itself. */
int opponents_count(void);
const OpponentRow *opponents_at(int index);
/* By name, whatever its letters' case; settings behind the name ("mantis,random=on") are not looked
 * at. NULL: none. */
const OpponentRow *opponents_find(Span name);

/* An opponent as it can be named everywhere: NAME, or NAME,key=value,key=value. */
typedef struct OpponentChoice {
    const OpponentRow *row;
    Span settings; /* part of the text that was read */
    bool has_start;
    Position start; /* where its games begin, when a setting says so */
} OpponentChoice;

/* The settings are checked too; the message names what is wrong and what is accepted. */
Status opponents_read(Span text, OpponentChoice *out, Message *why);

/* Who is to be opened, by any front end. */
typedef struct OpponentSpec {
    const OpponentRow *row;
    const char *settings; /* NULL: none */
    const char *folder;   /* settings may name files of this folder only; NULL: any file */
    int elo;              /* a level of Castellan itself; 0: full strength */
} OpponentSpec;

/* *o is NULL for Castellan at full strength, which needs none. A level has its rating in its row.
 * On failure *o stays as it was. */
Status opponents_open(Opponent **o, OpponentSpec spec, uint64_t seed, Message *why);

/* STATUS_MISSING, with a message that offers the names near to this one. */
Status opponents_unknown(Span name, Message *why);

#endif
