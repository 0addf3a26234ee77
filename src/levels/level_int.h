/* What the files of the levels share: the traits of a level, what it notices, and the tree it sees. */
#ifndef LEVELS_LEVEL_INT_H
#define LEVELS_LEVEL_INT_H

#include "levels/level.h"

/* -- level_traits.c: what an Elo means -- */

typedef struct LevelTraits {
    double sight;     /* how well moves are noticed, in logits */
    double form;      /* how far the sight of a good or a bad day is from it */
    double depth;     /* plies looked ahead; the fraction is how often one more */
    double judgement; /* 0: counts material alone ... 1: understands all the evaluation knows */
    int noise;        /* how far a judgement may be off, in centipawns */
    int margin;       /* moves so close to the best are as good as it */
    double mate_in_1; /* how often its own mate in one is seen */
    uint64_t nodes;   /* for Castellan's search; 0: does without */
} LevelTraits;

LevelTraits level_traits(int elo);

/* -- level_notice.c: what a person overlooks -- */

/* A number in [0, 1) that depends on nothing but its arguments. */
double level_chance(uint64_t seed, uint64_t what);

/* How hard a legal move is to notice, in logits; `ply` plies after the position on the board. Around -3:
 * jumps to the eye, around 3: found by masters. */
double level_difficulty(const Position *p, Move m, Square last_to, int ply);

/* Whether the thought `seed` notices it. The same move of the same piece is noticed everywhere in a thought
 * or, where it is harder to see, nowhere: what is overlooked once is overlooked in every line. */
bool level_notices(const LevelTraits *traits, uint64_t seed, const Position *p, Move m,
                   Square last_to, int ply);

/* -- level_sight.c: the tree with holes -- */

enum { SIGHT_MAX_PLY = 32 };

typedef struct SightLine {
    Move pv[SIGHT_MAX_PLY];
    int length;
    Score score;
} SightLine;

typedef struct Sight {
    LevelTraits traits;
    uint64_t thought; /* seed of what is noticed on this move */
    uint64_t taste;   /* seed of what is liked in this game */
    EvalContext *eval;
    Position pos;
    uint64_t nodes, max_nodes;
    const atomic_bool *stop;
    bool stopped;
    Move killers[SIGHT_MAX_PLY][2];
    uint16_t history[COLOR_COUNT][SQUARE_COUNT][SQUARE_COUNT];
    Move line[SIGHT_MAX_PLY][SIGHT_MAX_PLY];
    int line_length[SIGHT_MAX_PLY];
} Sight;

/* Stands at p; its history counts for repetitions. */
void sight_begin(Sight *s, const Position *p);

/* Gives every one of the moves a value, to `depth` plies, the good ones exactly down to `margin` below
 * the best. In `lines` they come in the order of their value. False when it was stopped before the end: then
 * the lines are as they were. */
bool sight_rank(Sight *s, SightLine *lines, int count, int depth, int margin);

/* What the position it stands at looks like when captures alone are played out. */
Score sight_quiet(Sight *s, Square last_to);

/* -- level_clock.c: how long a person would think -- */

typedef struct LevelMoment {
    int legal;      /* moves there are */
    int close;      /* moves that look about as good as the best */
    bool recapture; /* the obvious answer to a capture */
    unsigned game_ply;
    Color side;
    const SearchLimits *limits;
    uint64_t seed;
} LevelMoment;

/* In milliseconds; never more than an eighth of the clock, and never more than a move's time. */
int64_t level_think_ms(const LevelMoment *m);

#endif
