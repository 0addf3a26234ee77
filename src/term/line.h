/* The game in lines of words: for screen readers, for pipes, for terminals that cannot do more. Fed
 * lines, it says lines; it neither reads nor writes by itself. */
#ifndef TERM_LINE_H
#define TERM_LINE_H

#include "term/term_game.h"

typedef struct LineSetup {
    TermGameSetup game;
    bool ask; /* nobody has said who plays: answers to JavaChess's two questions are understood */
    bool show_board; /* after every move; otherwise on demand */
    bool scripted;   /* lines run ahead: a program's move is waited for */
} LineSetup;

typedef struct LineEnds {
    void *user;
    void (*say)(void *user, const Text *text); /* as it is, line ends included */
    void (*wake)(void *user);                  /* from any thread: line_wake should be called */
} LineEnds;

typedef struct Line Line;

Status line_open(Line **out, const LineSetup *setup, const LineEnds *ends, Message *why);
bool line_feed(Line *l, Span text); /* false: the person wants to leave */
void line_wake(Line *l);            /* also when line_due has passed */
int64_t line_due(const Line *l);    /* as term_game_due */
void line_close(Line *l);           /* says where the game is kept; NULL is fine */

#endif
