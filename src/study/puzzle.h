/* Tactics puzzles from games: positions in which one move wins and no other does.
 * Every claim is searched: the first move with ten times the usual effort, those that follow with
 * four times. */
#ifndef STUDY_PUZZLE_H
#define STUDY_PUZZLE_H

#include "study/review.h"

typedef enum PuzzleTheme {
    PUZZLE_MATE,
    PUZZLE_BACK_RANK,
    PUZZLE_FORK,
    PUZZLE_PIN,
    PUZZLE_SKEWER,
    PUZZLE_DISCOVERY,
    PUZZLE_TRAP,
    PUZZLE_OVERLOAD,
    PUZZLE_REMOVAL,
    PUZZLE_PROMOTION,
    PUZZLE_HANGING,   /* a piece can simply be taken */
    PUZZLE_SACRIFICE, /* material is given first */
    PUZZLE_QUIET,     /* the first move neither checks nor takes */
    PUZZLE_ENDGAME,
    PUZZLE_ADVANTAGE, /* none of the tricks above */
    PUZZLE_THEME_COUNT
} PuzzleTheme;

enum { PUZZLE_LINE_MAX = 11 }; /* plies: the solver's moves are the first, third ... */

typedef struct Puzzle {
    Position start; /* the solver is to move */
    Move last;      /* the move before */
    int ply;        /* of the game, counted from 1: the solver's first move */
    Move line[PUZZLE_LINE_MAX];
    int length;      /* odd */
    unsigned themes; /* bits 1 << PuzzleTheme */
    int rating;      /* a first guess, from what the line looks like */
} Puzzle;

/* "fork", "Fork": for programs, for people. */
const char *puzzle_theme_name(PuzzleTheme t);
const char *puzzle_theme_title(PuzzleTheme t);

typedef void PuzzleFound(void *user, const Puzzle *p);

/* Calls `found` for every puzzle in the moves, all of them legal, that were played from `start`.
 * The reviewer's effort is for a first look at a claim. */
Status puzzles_of_game(Reviewer *r, const Position *start, const Move *moves, int count,
                       PuzzleFound *found, void *user, Message *why);

#endif
