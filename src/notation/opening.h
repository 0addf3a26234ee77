/* Opening names: ECO code and name of a position, by any move order. The table is
 * data/openings.tsv, embedded in the program; opening it plays all lines and stores their final
 * positions. A game has the name of its last named position. */
#ifndef NOTATION_OPENING_H
#define NOTATION_OPENING_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "notation/game.h"

typedef struct Openings Openings;

typedef struct OpeningName {
    const char *eco;  /* "C65" */
    const char *name; /* UTF-8; both live as long as the Openings */
} OpeningName;

/* Reads the table: lines of ECO, name and moves in SAN, separated by tabs; '#' starts a comment. A
 * line that cannot be read is an error that names it. Where two lines end in the same position, the
 * first one names it. */
Status openings_open(Openings **out, Message *why);
void openings_close(Openings *o); /* NULL is allowed */

/* The name of exactly this position; false if it has none. */
bool openings_find(const Openings *o, const Position *p, OpeningName *out);

/* The name of a game: its last named position on the main line. */
bool openings_find_game(const Openings *o, const Game *g, OpeningName *out);

#endif
