/* Who sits at the board: a person, or a program, or a level of strength. A seat that is a program
 * thinks on threads of its own and wakes the owner of the table when it has an answer.
 *
 * A player in words, as the command line, the line mode and the saved games have it:
 *   human            a person
 *   NAME             an opponent, with settings behind commas (mantis,random=on); "computer" is Castellan
 *   1500             Castellan held back to about that rating; also "castellan 1500"
 *   adapt            the strength follows the player; adapt+100 is that much above */
#ifndef TERM_SEAT_H
#define TERM_SEAT_H

#include "base/status.h"
#include "base/text.h"
#include "engine/engine.h"
#include "levels/level.h"
#include "notation/game.h"

enum {
    SEAT_NAME_SIZE = 256,
    SEAT_LEVELS = 10,
    SEAT_LEVEL_DEFAULT = 7,
    SEAT_ELO_MIN = LEVEL_MIN_ELO,
    SEAT_ELO_MAX = LEVEL_MAX_ELO
};

typedef struct SeatSpec {
    bool human;
    bool adapts;
    char name[SEAT_NAME_SIZE]; /* of an opponent, with its settings, or what the person is called */
    int elo;                   /* 0: as strong as it can; one that adapts gets it from the table */
    int offset;                /* of one that adapts: above the player */
    int level;                 /* 1 ... SEAT_LEVELS: how long it thinks where no clock tells */
    int seed;                  /* 0: another game every time */
    bool at_once;              /* does not take the time a person would */
} SeatSpec;

SeatSpec seat_human(void);
SeatSpec seat_castellan(void);

/* Reads a player in words; the message lists similar names. */
Status seat_read(Span words, SeatSpec *out, Message *why);
void seat_write(const SeatSpec *spec, char out[SEAT_NAME_SIZE]);

/* As people and PGN call the player: "Castellan", "JavaChess", "Castellan (1500)", "Player". */
void seat_title(const SeatSpec *spec, char out[SEAT_NAME_SIZE]);

/* "1 second a move", for level 7. */
const char *seat_level_words(int level);

typedef struct SeatAnswer {
    Move move; /* legal, also with a resignation or an offer */
    EngineScore score;
    int depth;
    bool resigns, offers_draw;
    char talk[OPPONENT_TALK_SIZE]; /* "" for nothing */
} SeatAnswer;

/* What the clocks show; without one, the level says how long to think. */
typedef struct SeatClock {
    bool has;
    int64_t left_ms[COLOR_COUNT], increment_ms;
} SeatClock;

typedef struct Seat Seat;

/* A program. `wake` is called from another thread whenever an answer is there. */
Status seat_open(Seat **out, const SeatSpec *spec, void (*wake)(void *user), void *user,
                 Message *why);
void seat_close(Seat *s); /* NULL is fine */

/* Sets an engine option by name, for those who know what they want. */
Status seat_set_option(Seat *s, Span name, Span value, Message *why);

void seat_new_game(Seat *s);

/* Thinks about the end of the game's main line. */
void seat_think(Seat *s, const Game *g, SeatClock clock, int level);
bool seat_is_thinking(const Seat *s); /* asked, and the answer is not taken yet */
bool seat_take(Seat *s, SeatAnswer *out);
void seat_hurry(Seat *s);  /* the answer comes soon */
void seat_cancel(Seat *s); /* no answer comes any more */
void seat_wait(Seat *s);   /* until the answer can be taken; not when nothing was asked */
bool seat_accepts_draw(Seat *s, const Game *g);

#endif
