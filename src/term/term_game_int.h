/* What the files of the terminal's game share. */
#ifndef TERM_TERM_GAME_INT_H
#define TERM_TERM_GAME_INT_H

#include "term/term_game.h"

void term_game_remark(const TermGame *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* -- term_game.c -- */

void term_game_on_change(void *user, const Play *p); /* the record follows the game */
void term_game_report_end(TermGame *t);              /* behind everything that may end the game */
void term_game_stop_thinking(TermGame *t);

/* -- term_game_save.c -- */

/* Sets the tags of a game that begins. */
Status term_game_tag(TermGame *t, Message *why);

/* Writes the game into its file, which gets its name now if it has none. Trouble becomes a remark,
 * once. */
void term_game_save(TermGame *t);

/* The game has no file any more: unlocks it. */
void term_game_forget_file(TermGame *t);

/* Reads the last unfinished game of the folder into t->record and locks its file: that person's, or
 * anybody's for NULL. STATUS_REFUSED: it is being played by another process. */
Status term_game_find_unfinished(TermGame *t, const char *person, Message *why);

/* Players and time from the tags of t->record. */
Status term_game_read_tags(TermGame *t, TimeControl *control, Message *why);

/* Notes what the mover has left behind the last move, and reads it again (-1: there is no note). */
void term_game_note_clock(TermGame *t, int64_t left_ms);
int64_t term_game_noted_clock(const GameNode *n);

#endif
