/* Games of people, and the positions of them that the model of human choice is fitted to and tested
 * on. What the short searches say of a position is kept in a cache file, so that a fit can be
 * repeated in minutes. */
#ifndef LEVELS_HUMAN_GAMES_H
#define LEVELS_HUMAN_GAMES_H

#include "levels/human_values.h"

#include <stddef.h>

typedef struct HumanGame {
    int elo[COLOR_COUNT];
    int seconds; /* for forty moves by the time control; 0: unknown */
    Move *moves; /* from the usual starting position */
    int count;
} HumanGame;

typedef struct HumanSample {
    uint32_t game;
    uint16_t ply;
    uint16_t count; /* legal moves, at least two */
    HumanValue *values;
} HumanSample;

typedef struct HumanGames {
    HumanGame *games;
    size_t count, room;
    HumanSample *samples; /* sorted by game and ply */
    size_t sample_count, sample_room;
} HumanGames;

void human_games_free(HumanGames *g);

/* Adds a game; the moves are copied. */
Status human_games_add(HumanGames *g, const HumanGame *game, Message *why);

/* Goes through positions of the games in their order. Begins with `started` false. */
typedef struct HumanWalk {
    Position p;
    size_t game;
    int ply;
    bool started;
} HumanWalk;

/* To a ply of a game, not before the one it stands at; false when there is none. */
bool human_walk_to(HumanWalk *w, const HumanGames *g, size_t game, int ply);

/* Reads the samples of a cache file. STATUS_INVALID where it is damaged or belongs
 * to other games. */
Status human_cache_read(HumanGames *g, const char *path, Message *why);
Status human_cache_write(const HumanGames *g, const char *path, Message *why);

/* Searches every position of the share (in percent) that has no sample yet. `progress` is told now
 * and then; it returns false to end early, which is STATUS_STOPPED. */
typedef bool HumanProgress(void *user, size_t done, size_t all);
Status human_games_search(HumanGames *g, int share, HumanProgress *progress, void *user,
                          Message *why);

#endif
