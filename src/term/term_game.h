/* A game in the terminal: a game in progress (play/), its players, and the file it is saved in. The
 * full-screen board and the line mode show this and nothing else.
 *
 * One thread owns it. Programs think elsewhere: `wake` tells the owner, from any thread, to call
 * term_game_tick; what happened comes as events, on the owner's thread. */
#ifndef TERM_TERM_GAME_H
#define TERM_TERM_GAME_H

#include "notation/game.h"
#include "play/play.h"
#include "term/term_player.h"

enum { TERM_GAME_PATH_SIZE = 1024 };

typedef struct TermGameSetup {
    TermPlayerSpec player[COLOR_COUNT];
    TimeControl time;
    const Position *start; /* NULL: the usual start position */
    bool resume;           /* the last unfinished game in `folder`, of `person` where that is set */
    const char *folder;    /* games are saved here, created when missing; NULL: nowhere */
    const char *players;   /* the file that knows how strong the person is; NULL: nobody adapts */
    const char *person;    /* what the person is called, and known by there; NULL: "Player" */
} TermGameSetup;

/* All may be NULL. */
typedef struct TermGameEvents {
    void *user;
    void (*wake)(void *user); /* from any thread */
    void (*moved)(void *user, Color mover,
                  const EngineResult *said); /* said is NULL for a person */
    void (*ended)(void *user);
    void (*remark)(void *user, const char *text); /* talk, offers, trouble with saving */
} TermGameEvents;

/* Read everything, change nothing but by the functions below. */
typedef struct TermGame {
    Play play;
    Game *record;   /* the same moves as PGN, with clocks and tags */
    GameNode *last; /* of the record */
    TermPlayerSpec spec[COLOR_COUNT];
    TermPlayer *player[COLOR_COUNT]; /* NULL for a person */
    TermGameEvents events;
    bool at_once;     /* nobody watches: programs do not take the time a person would */
    bool end_is_told; /* of this game */
    char reason[PLAY_REASON_SIZE]; /* play_reason */
    char folder[TERM_GAME_PATH_SIZE];
    char path[TERM_GAME_PATH_SIZE];     /* the file of the game, "" before it is saved */
    int lock_fd;                        /* of the file at `path`; -1: none */
    char players[TERM_GAME_PATH_SIZE];  /* "": nobody adapts */
    char person[TERM_PLAYER_NAME_SIZE]; /* what the person is called */
    bool rated;                         /* this game's result was counted */
    bool saving_failed;                 /* said once */
} TermGame;

/* A game that is resumed has its players and its time from its file. STATUS_MISSING: there is none.
 * STATUS_REFUSED: another process is playing it. */
Status term_game_open(TermGame **out, const TermGameSetup *setup, const TermGameEvents *events,
                      Message *why);

/* The game stays saved; a program's thinking ends. NULL is fine. */
void term_game_close(TermGame *t);

/* -- Looking -- */

/* The position after that many plies, and the move that led there (MOVE_NONE at 0). */
Move term_game_at(const TermGame *t, int ply, Position *out);

bool term_game_human_to_move(const TermGame *t); /* and the game goes on */
bool term_game_is_thinking(const TermGame *t);
int64_t term_game_clock(const TermGame *t, Color c); /* milliseconds left now */

/* -- Playing -- */

Status term_game_play(TermGame *t, Move m, Message *why);
Status term_game_take_back(TermGame *t, Message *why); /* to the last turn of a person */
Status term_game_resign(TermGame *t, Message *why);    /* the person to move, or the only one */
Status term_game_offer_draw(TermGame *t,
                            Message *why); /* OK: agreed; REFUSED: why says who declines */
void term_game_hurry(TermGame *t);         /* the program that thinks should move now */

/* Another game with the same players and the same time; NULL: from the usual start position. */
void term_game_new_game(TermGame *t, const Position *start);

/* Another player of that colour, at once. */
Status term_game_set_player(TermGame *t, Color c, const TermPlayerSpec *spec, Message *why);

/* The same by words; `said` is what the person is told then, also without trouble. */
Status term_game_choose_player(TermGame *t, Color c, Span words, Message *said);
void term_game_swap_players(TermGame *t);
void term_game_set_level(TermGame *t, int level); /* of both programs */
Status term_game_set_option(TermGame *t, Span name, Span value, Message *why);

/* -- Time passes -- */

/* Takes what programs have answered, asks those whose turn it is, lets flags fall. True when
 * something happened. */
bool term_game_tick(TermGame *t);

/* Milliseconds until the next tick has something to do without a wake; -1: never. */
int64_t term_game_due(const TermGame *t);

/* For input that runs ahead: ticks until it is a person's turn or the game is over. Two programs
 * play to the end. */
void term_game_settle(TermGame *t);

/* -- Saving -- */

/* Writes a copy; a path of length 0 stands for a fresh name in the present folder. The name used is
 * left in `named`. */
Status term_game_save_copy(const TermGame *t, Span path, char named[TERM_GAME_PATH_SIZE],
                           Message *why);

#endif
