/* The names of openings: ECO code and name of a position, however it came about. The table is
 * data/openings.tsv, built into the program; opening it plays all its lines and remembers where
 * they end. A game is called by the last of its positions that has a name. */
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

/* The table of the program itself. */
Status openings_open(Openings **out, Message *why);

/* Any table: lines of ECO, name and moves in SAN, with tabs between them; '#' begins a comment.
 * A line that cannot be read is an error that names it. Where two lines end in one position, the
 * first names it. */
Status openings_open_text(Openings **out, Span table, Message *why);
void openings_close(Openings *o); /* NULL is fine */

/* The name of exactly this position; false if it has none. */
bool openings_find(const Openings *o, const Position *p, OpeningName *out);

/* The name of a game: its last named position on the main line. `plies` (may be NULL) tells how
 * many half-moves lead there. */
bool openings_find_game(const Openings *o, const Game *g, OpeningName *out, int *plies);

/* Lines of the table, and the different positions they end in. */
int openings_lines(const Openings *o);
int openings_positions(const Openings *o);

#endif
