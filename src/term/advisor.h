/* The engine beside the board: hints, live analysis with several lines, and what it makes of a
 * position at a glance. It plays no part in the game. */
#ifndef TERM_ADVISOR_H
#define TERM_ADVISOR_H

#include "base/status.h"
#include "base/text.h"
#include "engine/engine.h"

enum { ADVISOR_LINES = 5, ADVISOR_PLIES = 16 };

typedef struct AdvisorLine {
    int depth;
    EngineScore score; /* of the side to move */
    Move pv[ADVISOR_PLIES];
    int length; /* 0: this line is not known yet */
} AdvisorLine;

typedef struct Advisor Advisor;

/* `wake` is called from another thread when a line has changed. */
Status advisor_open(Advisor **out, void (*wake)(void *user), void *user, Message *why);
void advisor_close(Advisor *a); /* NULL is fine */

/* A good move, after a short moment; MOVE_NONE when there is none. */
Move advisor_hint(Advisor *a, const Position *p);

/* Looks at the position for that long, and waits for it; 0: returns at once, and looks until
 * another position comes or advisor_rest is called. */
void advisor_look(Advisor *a, const Position *p, int lines, int64_t ms);
void advisor_rest(Advisor *a);

/* The lines of what was looked at last; how many of `out` are set. */
int advisor_lines(Advisor *a, AdvisorLine out[ADVISOR_LINES]);

/* "+0.35", "#-3": from White's view. */
void advisor_write_score(const EngineScore *score, Color side, Text *out);

/* "12. Nf3 d5 13. d4", at most that many moves. */
void advisor_write_pv(const Position *p, const AdvisorLine *line, int most, Text *out);

/* The contribution of each piece, as text. */
void advisor_eval(Advisor *a, const Position *p, Text *out);

#endif
