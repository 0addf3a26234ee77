/* What the files of the table share. */
#ifndef TERM_TABLE_INT_H
#define TERM_TABLE_INT_H

#include "term/table.h"

struct Table {
    Game *game;
    GameNode *last;
    Position now;
    int plies;
    SeatSpec spec[COLOR_COUNT];
    Seat *seat[COLOR_COUNT]; /* NULL for a person */
    TableEvents events;
    TableTime time;
    bool at_once;                 /* nobody watches: programs do not take the time a person would */
    int64_t left_ms[COLOR_COUNT]; /* when the side to move began to think */
    int64_t turn_ms;              /* clock_now_ms() then */
    bool over;
    char reason[TABLE_REASON_SIZE];
    Color offer; /* who offers a draw; COLOR_COUNT: nobody */
    char folder[TABLE_PATH_SIZE], path[TABLE_PATH_SIZE];
    char players[TABLE_PATH_SIZE]; /* "": nobody adapts */
    char person[SEAT_NAME_SIZE];   /* what the person is called */
    bool rated;                    /* this game's result was counted */
    bool saving_failed;            /* said once */
};

void table_remark(const Table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts tags on a game that begins. */
Status table_tag(Table *t, Message *why);

/* Writes the game into its file, which gets its name now if it has none. Trouble becomes a remark, once. */
void table_keep(Table *t);

/* Makes a folder with those above it. */
Status table_make_folder(const char *path, Message *why);

/* Reads the last unfinished game of the folder into t->game: that person's, or anybody's for NULL. */
Status table_find_unfinished(Table *t, const char *person, Message *why);

/* Seats and time from the tags of t->game. */
Status table_read_tags(Table *t, Message *why);

/* Notes what the mover has left behind the last move. */
void table_note_clock(Table *t, Color mover);

/* What that side had left before the node, by the notes; the base where there are none. */
int64_t table_noted_clock(const Table *t, const GameNode *n, Color c);

#endif
