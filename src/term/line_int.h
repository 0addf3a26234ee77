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
};

void line_say(Line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
void line_say_text(Line *l, Text *text); /* adds the line end, says it, frees the text */
void line_say_board(Line *l);
void line_say_end(Line *l); /* how the game ended and what can be done */

/* The command of that word, or false. */
bool line_command(Line *l, Span word, Span rest);

/* May this word be said while a program thinks? */
bool line_is_for_anytime(Span word);

/* -- line_show.c: commands that change nothing -- */
void line_show_hint(Line *l, Span rest);
void line_show_lines(Line *l, Span rest);
void line_show_eval(Line *l, Span rest);
void line_show_opening(Line *l, Span rest);
void line_show_board(Line *l, Span rest);
void line_show_pieces(Line *l, Span rest);
void line_show_rank(Line *l, Span rest);
void line_show_file(Line *l, Span rest);
void line_show_square(Line *l, Span rest);
void line_show_last(Line *l, Span rest);
void line_show_clock(Line *l, Span rest);
void line_show_moves(Line *l, Span rest);
void line_show_game(Line *l, Span rest);

#endif
