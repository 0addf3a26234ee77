/* A player: a person, or a program with a strength. A program thinks on threads of its own and
 * wakes the owner of the game when it has an answer.
 *
 * A player in words, as the command line, the line mode and the saved games have it:
 *   human            a person
 *   NAME             an opponent, with settings separated by commas (mantis,random=on);
 *                    "computer" is Castellan
 *   1500             Castellan held back to about that rating; also "castellan 1500"
 *   adapt            the strength follows the player; adapt+100 is that much above */
#ifndef TERM_TERM_PLAYER_H
#define TERM_TERM_PLAYER_H

#include "base/status.h"
#include "base/text.h"
#include "base/thread.h"
#include "engine/engine.h"
#include "levels/level.h"
#include "play/play.h"

enum {
    TERM_PLAYER_NAME_SIZE = 256,
    TERM_PLAYER_LEVELS = 10,
    TERM_PLAYER_LEVEL_DEFAULT = 7,
    TERM_PLAYER_ELO_MIN = LEVEL_MIN_ELO,
    TERM_PLAYER_ELO_MAX = LEVEL_MAX_ELO
};

typedef struct TermPlayerSpec {
    bool human;
    bool adapts;
    char name[TERM_PLAYER_NAME_SIZE]; /* of an opponent, with its settings, or what the person is
                                         called */
    int elo;      /* 0: as strong as it can; one that adapts gets it from the table */
    int offset;   /* of one that adapts: above the player */
    int level;    /* 1 ... TERM_PLAYER_LEVELS: how long it thinks where no clock tells */
    int seed;     /* 0: another game every time */
    bool at_once; /* does not take the time a person would */
} TermPlayerSpec;

TermPlayerSpec term_player_human(void);
TermPlayerSpec term_player_castellan(void);

/* Reads a player in words; the message lists similar names. */
Status term_player_read(Span words, TermPlayerSpec *out, Message *why);
void term_player_write(const TermPlayerSpec *spec, char out[TERM_PLAYER_NAME_SIZE]);

/* As people and PGN call the player: "Castellan", "JavaChess", "Castellan (1500)", "Player". */
void term_player_title(const TermPlayerSpec *spec, char out[TERM_PLAYER_NAME_SIZE]);

/* "1 second per move", for level 7. */
const char *term_player_level_words(int level);

/* A program. Its engine can be asked for all that the functions below do not do. */
typedef struct TermPlayer {
    Engine *engine;
    bool asked; /* and the answer is not taken yet */
    void (*wake)(void *user);
    void *user;
    Mutex lock; /* of what the search thread hands over */
    bool has_answer;
    EngineResult answer;
} TermPlayer;

/* `wake` is called from another thread whenever an answer is there. */
Status term_player_open(TermPlayer **out, const TermPlayerSpec *spec, void (*wake)(void *user),
                        void *user, Message *why);
void term_player_close(TermPlayer *p); /* NULL is fine */

/* Thinks about the position of the game; without a clock, the level says how long. */
void term_player_think(TermPlayer *p, const Play *play, int level);
bool term_player_take(TermPlayer *p, EngineResult *out); /* false: there is no answer yet */
void term_player_cancel(TermPlayer *p);                  /* no answer comes any more */

#endif
