/* The learning loop: play games with the present net and label their quiet positions with longer
 * searches, train a new net on the labels, starting from the weights of the present one, accept it
 * when it wins matches (at fixed nodes, then timed), and start over with the better of the two.
 * Everything lies in one directory, and a run that was interrupted or killed is resumed by the
 * next:
 *
 *     state            what has been done, written whole at every step
 *     log.txt          the same as a story
 *     elo.svg          Elo by generation
 *     gen-001/games/   training games
 *     gen-001/net.nn   the net; beside it its checkpoint while it is trained
 *     gen-001/nodes.state, timed.state   the matches */
#ifndef TRAIN_LOOP_H
#define TRAIN_LOOP_H

#include "base/state_file.h"
#include "base/status.h"
#include "base/text.h"
#include "match/player.h"
#include "match/stats.h"

#include <stdatomic.h>

enum { LOOP_START_SIZE = 512 };

/* What a loop is created with, and keeps. */
typedef struct LoopConfig {
    char start[LOOP_START_SIZE]; /* the first evaluation: "classical", "default" or a net file */
    int64_t threads, seed;
    int64_t games, nodes;    /* of a generation; nodes a move */
    int64_t label_nodes;     /* nodes a label; 0: the scores of the games themselves are learnt */
    int64_t chess960;        /* percent */
    int64_t random_moves;    /* percent, in every second game */
    int64_t window;          /* generations whose games are trained on */
    int64_t hidden, buckets; /* 0: as the net that the loop starts with */
    int64_t epochs; /* 0: few when a net's weights are the start, many when random ones are */
    int64_t batch;
    int64_t gate_games, gate_nodes;
    PlayerLimits gate_clock; /* of the timed match */
    int64_t hash_mb;         /* of the matches */
} LoopConfig;

LoopConfig loop_defaults(void);

/* The names of the numbers above as options have them, and where each lies; ends with NULL. */
extern const StateField loop_fields[];

/* One generation, finished or under way. */
typedef struct LoopGeneration {
    int number; /* from 1 */
    bool accepted;
    uint64_t games, positions; /* of its own; positions with a score */
    uint64_t trained_on;       /* positions after the filter, all generations of the window */
    double loss, held_out;
    StatsTally nodes, timed; /* of the new net against the one before */
} LoopGeneration;

typedef struct LoopOptions {
    const char *dir;
    LoopConfig config;   /* of a new loop; one that is there keeps its own */
    int64_t until_ms;    /* when the caller sets *stop, by clock_now_ms; 0: no limit */
    int64_t generations; /* in all; 0: no limit */
    /* A line of the story; from the calling thread or another, one at a time. May be NULL. */
    void (*told)(const char *line);
} LoopOptions;

/* Reads the configuration of the loop in `dir`; STATUS_MISSING when there is none. */
Status loop_config_of(const char *dir, LoopConfig *config, Message *why);

/* Runs until *stop is set (STATUS_STOPPED), or time or generations are used up (STATUS_OK). */
Status loop_run(const LoopOptions *options, const atomic_bool *stop, Message *why);

#endif
