/* A game at the table: two seats, the moves, the clocks, the result, and the file it is kept in. The
 * full-screen board and the line mode show this and nothing else; every rule of play lives here.
 *
 * One thread owns a table. Programs think elsewhere: `wake` tells the owner, from any thread, to call
 * table_tick; what happened comes as events, on the owner's thread. */
#ifndef TERM_TABLE_H
#define TERM_TABLE_H

#include "notation/game.h"
#include "term/seat.h"

enum { TABLE_REASON_SIZE = 64, TABLE_PATH_SIZE = 1024 };

typedef struct Table Table;

typedef struct TableTime {
    int64_t base_ms, increment_ms; /* base 0: no clocks */
} TableTime;

typedef struct TableSetup {
    SeatSpec seat[COLOR_COUNT];
    TableTime time;
    const Position *start; /* NULL: the ordinary start position */
    const char *folder;    /* games are kept here, made when it is missing; NULL: nowhere */
    const char *players;   /* the file that knows how strong the person is; NULL: nobody adapts */
    const char *person;    /* what the person is called, and known by there; NULL: "Player" */
} TableSetup;

/* All may be NULL. */
typedef struct TableEvents {
    void *user;
    void (*wake)(void *user);                                       /* from any thread */
    void (*moved)(void *user, Color mover, const SeatAnswer *said); /* said is NULL for a person */
    void (*ended)(void *user);
    void (*remark)(void *user, const char *text); /* talk, offers, trouble with saving */
} TableEvents;

Status table_open(Table **out, const TableSetup *setup, const TableEvents *events, Message *why);

/* Goes on with the last unfinished game in setup->folder, the person's own where setup->person is told; its seats and its time come from there. STATUS_MISSING:
 * there is none. */
Status table_resume(Table **out, const TableSetup *setup, const TableEvents *events, Message *why);

/* The game is kept; a program's thinking ends. NULL is fine. */
void table_close(Table *t);

/* -- Looking -- */

const Position *table_position(const Table *t);
const Game *table_game(const Table *t);
int table_plies(const Table *t);

/* The position after that many plies, and the move that led there (MOVE_NONE at 0). */
Move table_at(const Table *t, int ply, Position *out);

const SeatSpec *table_seat(const Table *t, Color c);
bool table_is_human(const Table *t, Color c);
bool table_human_to_move(const Table *t); /* and the game goes on */
bool table_is_thinking(const Table *t);
TableTime table_time(const Table *t);
int64_t table_clock(const Table *t, Color c); /* milliseconds left now */
bool table_clock_runs(const Table *t);

bool table_is_over(const Table *t);
Result table_result(const Table *t);
const char *table_reason(const Table *t); /* "checkmate", "Black resigns"; "" while it goes on */
const char *table_path(const Table *t);   /* the file of the game, "" before it is kept */

/* -- Playing -- */

Status table_play(Table *t, Move m, Message *why);
Status table_take_back(Table *t, Message *why);  /* to the last turn of a person */
Status table_resign(Table *t, Message *why);     /* the person to move, or the only one */
Status table_offer_draw(Table *t, Message *why); /* OK: agreed; REFUSED: why says who declines */
void table_hurry(Table *t);                      /* the program that thinks should move now */

/* Another game with the same players and the same time; NULL: from the ordinary start position. */
void table_new_game(Table *t, const Position *start);

/* Another player on that seat, at once. */
Status table_set_seat(Table *t, Color c, const SeatSpec *spec, Message *why);
void table_swap_seats(Table *t);
void table_set_level(Table *t, int level); /* of both programs */
Status table_set_option(Table *t, Span name, Span value, Message *why);

/* -- Time passes -- */

/* Takes what programs have answered, asks those whose turn it is, lets flags fall. True when something
 * happened. */
bool table_tick(Table *t);

/* Milliseconds until the next tick has something to do without a wake; -1: never. */
int64_t table_due(const Table *t);

/* For input that runs ahead: ticks until it is a person's turn or the game is over. Two programs play to the end. */
void table_settle(Table *t);

/* -- Keeping -- */

/* Writes a copy; a path of length 0 stands for a fresh name in the present folder. The name used is left in
 * `named`. */
Status table_save_copy(const Table *t, Span path, char named[TABLE_PATH_SIZE], Message *why);

/* Where games and players are kept when nobody says otherwise: $XDG_DATA_HOME/castellan/games and .../players. */
Status table_folder(char out[TABLE_PATH_SIZE], Message *why);
Status table_players(char out[TABLE_PATH_SIZE], Message *why);

#endif
