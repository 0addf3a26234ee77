/* Who can be played: the programs Castellan descends from, levels of human strength, and Castellan
 * itself. An opponent is a search with its evaluator, its book, and its resign and draw policy;
 * engine/opponents.c has a row for each. What can be chosen about it is a setting: a row in its
 * table of settings, the same wherever an opponent can be named.
 *
 * An opponent thinks on the caller's thread, never prints, and checks the task's stop flag often
 * enough to answer within 20 ms. Its answer is always a legal move when there is one, also when it
 * is stopped at once. An opponent belongs to one thread at a time; any number can live in one
 * process. */
#ifndef OPPONENT_OPPONENT_H
#define OPPONENT_OPPONENT_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "search/search.h"

#include <stdatomic.h>

enum {
    OPPONENT_TALK_SIZE = 256,
    OPPONENT_UNRATED = 0 /* in place of a rating: not measured yet */
};

/* One finished iteration, or a better move inside one. Valid during the callback alone. */
typedef struct OpponentThought {
    int depth;
    Score score; /* side to move; mates as in eval/score.h, the rest in the opponent's own
                    centipawns */
    uint64_t nodes;
    int64_t time_ms;
    const Move *pv; /* legal */
    int pv_length;  /* at least 1 */
    const char
        *statistics; /* what the original printed after an iteration, in lines; NULL: nothing */
} OpponentThought;

/* What an opponent needs only while it thinks, kept for the next one of its kind: opponents that
 * take turns on a thread share it. Empty until one of them fills it. */
typedef struct OpponentScratch {
    void *at;
    void (*close)(void *at);
} OpponentScratch;

typedef struct OpponentTask {
    const Position *position; /* with its history; has a legal move */
    /* infinite and ponder: until *stop. No limit at all: the opponent's own effort */
    const SearchLimits *limits;
    const atomic_bool *stop;
    OpponentScratch *scratch; /* NULL: the opponent has its own */
    void *user;
    void (*thought)(void *user, const OpponentThought *thought); /* may be NULL */
} OpponentTask;

typedef struct OpponentAnswer {
    Move move; /* legal, also with a resignation or an offer */
    bool resigns;
    bool offers_draw;
    bool from_book;
    Score score;
    int depth;
    uint64_t nodes;
    /* believable time for this move, 0: as long as it took. The caller waits for the rest, within
     * the clock, where a person plays */
    int64_t think_ms;
    char talk[OPPONENT_TALK_SIZE]; /* what it says, "" for nothing */
} OpponentAnswer;

typedef enum OpponentSettingKind {
    SETTING_CHOICE, /* one of some words */
    SETTING_NUMBER, /* from min to max */
    SETTING_FILES   /* some words, or names of files with '+' between: the opponent reads them */
} OpponentSettingKind;

typedef struct OpponentSetting {
    const char *key; /* "analyser" */
    OpponentSettingKind kind;
    const char
        *values;  /* choice: the words, with ", " between; files: what is accepted, for people */
    int min, max; /* number */
    const char *initial; /* the default; of files, "" for none */
    const char *help;    /* one line */
    const char *words;   /* files: those that name no file, as in `values`; NULL: none */
} OpponentSetting;

typedef struct OpponentValue {
    int number; /* of a choice: its place among the words */
    Span text;
} OpponentValue;

/* How a kind of opponent works. */
typedef struct OpponentOps {
    size_t size; /* of `self`, which is all zeros at first */
    /* NULL: zeros will do. `setup` is the row's. When it fails, close follows. */
    Status (*open)(void *self, const void *setup, Message *why);
    void (*close)(void *self);                   /* NULL: nothing to free but self */
    void (*new_game)(void *self, uint64_t seed); /* also before the first; NULL: nothing to do */
    void (*think)(void *self, const OpponentTask *task, OpponentAnswer *answer);
    /* NULL: never. p: the opponent's side is to move, or just has */
    bool (*accepts_draw)(void *self, const Position *p);
    const OpponentSetting *settings; /* NULL: none */
    int setting_count;
    /* Called for every setting, in their order, before the first game. A message need not name the
     * setting. */
    Status (*set)(void *self, int setting, const OpponentValue *value, Message *why);
    /* Where its games begin, when a setting says so; NULL: at the start */
    bool (*start)(const void *self, Position *out);
} OpponentOps;

/* Its settings, of an array of them. */
#define OPPONENT_SETTINGS(rows, set_) \
    .settings = rows, .setting_count = (int)(sizeof(rows) / sizeof *(rows)), .set = set_

typedef struct OpponentRow {
    const char *name;  /* "javachess": as options and commands have it */
    const char *title; /* "JavaChess" */
    int year;
    int rating;             /* measured, docs/RATINGS.md */
    const char *style;      /* one sentence for a player who chooses */
    const OpponentOps *ops; /* NULL: Castellan's own search at full strength */
    const char *preset;     /* the row's own defaults, "key=value,key=value"; NULL: the settings' */
    const void *setup;      /* read when it is opened */
} OpponentRow;

typedef struct Opponent Opponent;

/* An opponent of a row; STATUS_REFUSED for a row without one. `settings` is
 * "key=value,key=value", in any order; of a key given twice the last counts. The message names what
 * is wrong and what is accepted. With a folder, files are those of it, by their names: for settings
 * of somebody who must not read any file. The seed makes its choices repeatable. */
Status opponent_open(Opponent **o, const OpponentRow *row, Span settings, const char *folder,
                     uint64_t seed, Message *why);
void opponent_close(Opponent *o); /* NULL is fine */
void opponent_new_game(Opponent *o, uint64_t seed);
void opponent_think(Opponent *o, const OpponentTask *task, OpponentAnswer *answer);
bool opponent_accepts_draw(Opponent *o, const Position *p);
bool opponent_start(const Opponent *o, Position *out); /* false: games begin at the start */

const OpponentRow *opponent_row(const Opponent *o);

/* How long a move may seem to take: as its player would, within a small part of the clock. */
int64_t opponent_shown_ms(const OpponentAnswer *answer, const SearchLimits *limits, Color us);

/* Its state, for the other files of its kind. */
const void *opponent_self(const Opponent *o);

void opponent_scratch_close(OpponentScratch *s); /* empty is fine */

/* Settings without an opponent. */
bool opponent_has_setting(const OpponentRow *row, Span key);
Span opponent_default(const OpponentRow *row, int setting); /* the row's own */

#endif
