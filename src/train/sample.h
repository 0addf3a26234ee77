/* Training positions in memory: 32 bytes each, as the side to move sees them, with the score of the
 * search and the result of the game. Whole games are cut into them when they are loaded, and what
 * teaches a static evaluation nothing is left out then. */
#ifndef TRAIN_SAMPLE_H
#define TRAIN_SAMPLE_H

#include "eval/nnue/features.h"
#include "train/data/data.h"

#include <stdatomic.h>

/* The board is turned so that the side to move plays up it as White does. */
typedef struct Sample {
    uint64_t occupied;
    uint8_t pieces[16];        /* two to a byte in the order of the squares, low half first */
    int16_t score;             /* for the side to move */
    uint8_t result;            /* for the side to move: 0 lost, 1 drawn, 2 won */
    uint8_t king[COLOR_COUNT]; /* of the side to move, of the other */
    uint8_t piece_count;
    int16_t value; /* a net's, for the side to move; see train_values */
} Sample;

void sample_pack(Sample *s, const Position *p, Score score, Result result);

/* The inputs that are on in the view of the side to move and of the other side; returns how many in
 * each. */
int sample_features(const Sample *s, int king_buckets, uint16_t us[FEATURE_MAX_ACTIVE],
                    uint16_t them[FEATURE_MAX_ACTIVE]);

/* Whether the bytes of a file can be a position: kings, pieces and their number. */
bool sample_is_sound(const Sample *s);

/* The position again, White to move, without castling rights and en passant. */
Status sample_position(const Sample *s, Position *p, Message *why);

typedef struct SampleSet {
    Sample *at;
    size_t count, room;
} SampleSet;

/* The scale of the sigmoid, in centipawns, that makes expected results of scores. Half or double of
 * it lost 30 to 40 Elo: less, and decided positions count for nothing; more, and the balanced ones
 * do. */
enum { SAMPLE_SIGMOID_SCALE = 800 };

/* Which positions of a game are kept. */
typedef struct SampleFilter {
    int skip_plies;       /* the first plies of a game, which its opening chose */
    int max_score;        /* larger scores are left out; decisive ones always are */
    double held_out;      /* the part of all games that is kept for validation */
    double blend;         /* how much of a score comes from those after it, see sample_add_game */
    double sigmoid_scale; /* of the sigmoid that makes expected results of scores then */
    size_t max_count;     /* 0: no limit */
} SampleFilter;

SampleFilter sample_filter_defaults(void);

void sample_set_free(SampleSet *set);

/* Room for `count` more. */
Status sample_set_reserve(SampleSet *set, size_t count, Message *why);

/* Neither in check nor about to take or promote: what a static evaluation can be asked about. */
bool sample_is_quiet(const Position *p, Move m);

/* Adds the positions of a game that the filter lets pass: not in check, nor where the move played
 * takes or promotes.
 *
 * A search some plies later saw further. So the expected result that a position is given is its own
 * search's and, to the part `blend`, that of the next position, which holds part of the one after
 * it in turn, up to the result of the game. */
Status sample_add_game(SampleSet *set, const GameRecord *game, const SampleFilter *filter,
                       Message *why);

/* True when a game is for validation. The moves decide, so that the same game is on the same side
 * whatever files it comes with. */
bool sample_is_held_out(const GameRecord *game, const SampleFilter *filter);

typedef struct SampleCounts {
    _Atomic uint64_t games, positions;
    _Atomic uint64_t damaged; /* blocks skipped */
} SampleCounts;

/* Loads the games of a directory or file. The order is that of the files whatever the number of
 * threads. `counts` may be read meanwhile; when *stop is set the work ends with STATUS_STOPPED. */
Status sample_load(SampleSet *train, SampleSet *held_out, const char *dir_or_file,
                   const SampleFilter *filter, int threads, const atomic_bool *stop,
                   SampleCounts *counts, Message *why);

#endif
