/* Who can be played: the programs Castellan descends from, levels of human strength, and Castellan itself. An
 * opponent is an opponent (a search with its evaluator and book) and its manners; one row of the table
 * in opponent_table.c each.
 *
 * An opponent thinks on the caller's thread, never prints, and looks at the task's stop flag often enough to
 * answer within 20 ms. Its answer is always a legal move when there is one, also when it is stopped
 * at once. An opponent belongs to one thread at a time; any number can live in one process. */
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
    Score
        score; /* side to move; mates as in eval/score.h, the rest in the opponent's own centipawns */
    uint64_t nodes;
    int64_t time_ms;
    const Move *pv; /* legal */
    int pv_length;  /* at least 1 */
} OpponentThought;

typedef struct OpponentTask {
    const Position *position; /* with its history; has a legal move */
    const SearchLimits
        *limits; /* infinite and ponder: until *stop. No limit at all: the opponent's own effort */
    const atomic_bool *stop;
    void *user;
    void (*thought)(void *user, const OpponentThought *thought); /* may be NULL */
} OpponentTask;

typedef struct OpponentAnswer {
    Move move; /* legal, also with a resignation or an offer */
    bool resigns;
    bool offers_draw;
    Score score;
    int depth;
    uint64_t nodes;
    int64_t think_ms; /* believable time for this move, 0: as long as it took. The caller waits for
                                    * the rest, within the clock, where a person plays */
    char talk[OPPONENT_TALK_SIZE]; /* what it says, "" for nothing */
} OpponentAnswer;

/* How a kind of mind works. `setup` is the row's. */
typedef struct OpponentOps {
    Status (*open)(void **self, const void *setup, uint64_t seed, Message *why);
    void (*close)(void *self);
    void (*new_game)(void *self, uint64_t seed);
    void (*think)(void *self, const OpponentTask *task, OpponentAnswer *answer);
    bool (*accepts_draw)(
        void *self,
        const Position *p); /* NULL: never. p: the opponent's side is to move, or just has */
} OpponentOps;

typedef struct OpponentRow {
    const char *name;  /* "javachess": as options and commands have it */
    const char *title; /* "JavaChess" */
    int year;
    int rating;             /* measured, docs/RATINGS.md */
    const char *style;      /* one sentence for a player who chooses */
    const OpponentOps *ops; /* NULL: Castellan's own search at full strength */
    const void *setup;
} OpponentRow;

typedef struct Opponent Opponent;

/* A row with an opponent, which must outlive the opponent; STATUS_REFUSED for one without. The seed makes its choices
 * repeatable. */
Status opponent_open(Opponent **o, const OpponentRow *row, uint64_t seed, Message *why);
void opponent_close(Opponent *o); /* NULL is fine */
void opponent_new_game(Opponent *o, uint64_t seed);
void opponent_think(Opponent *o, const OpponentTask *task, OpponentAnswer *answer);
bool opponent_accepts_draw(Opponent *o, const Position *p);

#endif
