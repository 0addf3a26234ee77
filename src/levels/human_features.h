/* What the model of human choice knows about a move: a sparse list of numbered features. */
#ifndef LEVELS_HUMAN_FEATURES_H
#define LEVELS_HUMAN_FEATURES_H

#include "levels/human_values.h"

/* clang-format off */
enum {
#define SEARCH_FACT(name, text) FACT_##name, FACT_##name##_LAST = FACT_##name + HUMAN_DEPTHS - 1,
#define FACT(name, text) FACT_##name,
#include "levels/human_features.def"
#undef SEARCH_FACT
#undef FACT
    HUMAN_FACTS,
    /* Habits of the squares, as the side to move sees the board: where a piece goes, in the
     * opening and later, and where it comes from. */
    HUMAN_TO_OPENING = HUMAN_FACTS,
    HUMAN_TO = HUMAN_TO_OPENING + PIECE_TYPE_COUNT * SQUARE_COUNT,
    HUMAN_FROM = HUMAN_TO + PIECE_TYPE_COUNT * SQUARE_COUNT,
    HUMAN_FEATURES = HUMAN_FROM + PIECE_TYPE_COUNT * SQUARE_COUNT,
    HUMAN_MOST_ACTIVE = 96 /* features that one move can have */
};
/* clang-format on */

enum { HUMAN_UNIT = 256 }; /* a feature's value 1.0 */

typedef struct HumanFeature {
    uint16_t index;
    int16_t value; /* in units */
} HumanFeature;

typedef struct HumanFeatures {
    HumanFeature at[HUMAN_MOST_ACTIVE];
    int count;
} HumanFeatures;

/* Where the choice is made. Moves that are not known are MOVE_NONE. */
typedef struct HumanMoment {
    const Position *p;
    Move own_last, their_last;
    bool was_capture; /* their last move */
} HumanMoment;

/* One list for each of the values, which are those of all legal moves. */
void human_features(const HumanMoment *moment, const HumanValue *values, int count,
                    HumanFeatures *out);

/* Whether the move leads to a position that was on the board before. */
bool human_repeats(const Position *p, Move m);

/* The winning chances of a score, from -1 to 1, as reviews have them. */
double human_chance(Score s, const Position *p);

/* The best known value of a move: the longer search's, or else the deepest that valued it. */
Score human_value(const HumanValue *v);

/* The values of the longer search; moves that it left out come behind those it lists. */
void human_deep_scores(const HumanValue *values, int count, Score *out);

/* The name of a fact, its depth (0: none), and what it says. */
typedef struct HumanFactName {
    const char *text;
    int depth;
} HumanFactName;

HumanFactName human_fact_name(int fact);

#endif
