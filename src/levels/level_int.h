/* What the files of the levels share: the level itself, the move it is thinking about, and the
 * parts of both kinds. */
#ifndef LEVELS_LEVEL_INT_H
#define LEVELS_LEVEL_INT_H

#include "base/thread.h"
#include "levels/human_frame.h"
#include "levels/human_model.h"
#include "levels/level.h"

/* -- level_traits.c: what an Elo means to a level with its own search -- */

typedef struct LevelTraits {
    double attention; /* how few moves are overlooked, in logits */
    double variation; /* how far the attention of a good or a bad day is from it */
    int noise;        /* how far an evaluation may be off, in centipawns */
    int margin;       /* moves so close to the best are as good as it */
    uint64_t nodes;   /* of the search */
} LevelTraits;

LevelTraits level_traits(int elo);

/* -- level_overlook.c: what a person overlooks -- */

/* A number in [0, 1) that depends on nothing but its arguments. */
double level_chance(uint64_t seed, uint64_t what);

/* Whether it is overlooked. With one seed the same move of the same piece is overlooked everywhere
 * or, where it is easier to find, nowhere: what is overlooked once is overlooked in every line. */
bool level_overlooks(const LevelTraits *traits, uint64_t seed, const Position *p, Move m,
                     Square last_to, int ply);

/* -- level_quiesce.c: what a position seems worth -- */

enum { LEVEL_MAX_PLY = 32 };

typedef struct LevelQuiesce {
    LevelTraits traits;
    uint64_t seed;       /* of what is overlooked on this move */
    uint64_t noise_seed; /* of how evaluations are off in this game */
    EvalContext *eval;
    Position pos;
    uint64_t nodes;
} LevelQuiesce;

/* Stands at p; its history counts for repetitions. */
void level_quiesce_begin(LevelQuiesce *q, const Position *p);

/* The value of the position it stands at when captures alone are played out, without those that are
 * overlooked. */
Score level_quiesce(LevelQuiesce *q, Square last_to);

/* -- level.c: the level, and the move it is thinking about -- */

typedef struct LevelLine {
    Move pv[LEVEL_MAX_PLY];
    int length;
    Score score;
} LevelLine;

typedef struct Level {
    int elo;
    uint64_t seed;            /* of the game */
    double variation;         /* of the day, in logits */
    Score score;              /* of the last move */
    Move last;                /* own, MOVE_NONE: none in this game */
    Piece left[SQUARE_COUNT]; /* the board as the last move left it */
    int hopeless, even;       /* own moves in a row with such scores */
    /* A level that plays from the model of human choice: */
    bool human;
    HumanFrame frame;
    OpponentScratch scratch; /* where nobody lends one */
    /* A level with its own search: */
    LevelTraits traits;
    LevelQuiesce quiesce;
    const Evaluator *net;
    SearchPool *pool;
    Latch done; /* the pool's search is over */
} Level;

typedef struct LevelThought {
    const OpponentTask *task;
    Level *level;
    uint64_t seed;
    Move their_last; /* as far as the boards show it */
    Square last_to;  /* where the opponent just captured */
    Move moves[MAX_MOVES];
    int legal; /* moves the task allows */
    int64_t start_ms;
    /* The answer: */
    LevelLine line;
    int close; /* moves about as good as the best */
    int depth;
    uint64_t nodes;
} LevelThought;

/* -- level_human.c and level_search.c: the two ways to find a move -- */

void level_human_close(Level *l);
void level_human_think(LevelThought *t);

Status level_search_open(Level *l, Message *why);
void level_search_close(Level *l);
void level_search_think(LevelThought *t);

/* -- level_clock.c: how long a person would think -- */

/* In milliseconds, of the move at the front of its line; never more than an eighth of the clock,
 * and never more than a move's time. */
int64_t level_think_ms(const LevelThought *t);

#endif
