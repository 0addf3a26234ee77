/* What the files of the line mode share. */
#ifndef TERM_LINE_INT_H
#define TERM_LINE_INT_H

#include "notation/opening.h"
#include "term/advisor.h"
#include "term/line.h"

struct Line {
    LineEnds ends;
    TermGame *game;
    Advisor *advisor; /* made when first asked */
    Openings *openings;
    bool show_board, scripted, quit;
    int questions;               /* how many of the two may still be answered */
    TermPlayerSpec white_answer; /* to the first */
    Move promotion;              /* waits for its piece; MOVE_NONE */
    bool prompted;               /* the cursor stands behind a prompt */
    Color seen_from;
    Span rest; /* what follows the command in hand, trimmed */
};

void line_say(Line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
void line_say_text(Line *l, Text *text); /* adds the line end, says it, frees the text */
void line_say_board(Line *l);
void line_say_end(Line *l); /* how the game ended and what can be done */

typedef struct LineCommand {
    const char *name, *arguments, *help; /* help NULL: another word for the row above */
    bool anytime;                        /* also while a program thinks */
    void (*run)(Line *l);
} LineCommand;

const LineCommand *line_find_command(Span word); /* NULL: none */

/* Those that change nothing (line_show.c); a row without a name behind the last. */
extern const LineCommand line_show_commands[];
void line_show_last(Line *l);

#endif
