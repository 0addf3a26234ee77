/* Levels that play from the model of human choice: short searches value every move, the model says
 * how likely people of the rating are to play each, and the frame turns that into the level's own
 * probabilities. */
#include "levels/level_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HURRY_CLOCK_MS = 200, /* with less on the clock one ply must do */
    HURRY_MOVE_MS = 20,
    HURRY_NODES = 5000,
    USUAL_MOVES = 40
};
static const double VARIATION = 0.2; /* of the bias, on a good or a bad day */
static const double CLOSE = 0.3;     /* of the likeliest move's probability */

static void close_search(void *at)
{
    human_search_close(at);
}

/* Nothing in it survives a move, so that levels can share one. NULL: no memory. */
static HumanSearch *search_of(const LevelThought *t)
{
    OpponentScratch *scratch = t->task->scratch ? t->task->scratch : &t->level->scratch;
    HumanSearch *search;
    if (!scratch->at && human_search_open(&search, NULL) == STATUS_OK)
        *scratch = (OpponentScratch){search, close_search};
    return scratch->at;
}

void level_human_close(Level *l)
{
    opponent_scratch_close(&l->scratch);
}

/* -- What is known of the moves -- */

/* Everything about the moves that the task allows. */
typedef struct Choice {
    HumanValue values[MAX_MOVES];
    double people[MAX_MOVES], level[MAX_MOVES];
} Choice;

/* A clock that runs short makes it a fast game. */
static int seconds_of(const LevelThought *t)
{
    const SearchLimits *limits = t->task->limits;
    Color side = t->task->position->side;
    if (!limits->has_clock[side])
        return 0;
    int64_t ms = limits->clock_ms[side] + USUAL_MOVES * limits->increment_ms[side];
    return ms < 1000 ? 1 : ms > 3600000 ? 3600 : (int)(ms / 1000);
}

static int plies_of(const LevelThought *t)
{
    const SearchLimits *limits = t->task->limits;
    Color side = t->task->position->side;
    bool hurry = (limits->has_clock[side] && limits->clock_ms[side] < HURRY_CLOCK_MS) ||
                 (limits->move_time_ms && limits->move_time_ms < HURRY_MOVE_MS) ||
                 (limits->nodes && limits->nodes < HURRY_NODES);
    return hurry ? 1 : HUMAN_PLIES;
}

static bool ask_model(const LevelThought *t, Choice *c)
{
    HumanFeatures *features = malloc((size_t)t->legal * sizeof *features);
    float *weights = malloc(HUMAN_FEATURES * sizeof *weights);
    bool fits = features && weights;
    if (fits) {
        HumanMoment moment = {.p = t->task->position,
                              .own_last = t->level->last,
                              .their_last = t->their_last,
                              .was_capture = t->last_to != SQ_NONE};
        HumanBlend blend = human_blend(t->level->frame.rating, seconds_of(t));
        human_model_features(&moment, &human_book, c->values, t->legal, features);
        human_blend_weights(&blend, human_weights, weights);
        human_model_choose(features, t->legal, weights, c->people);
    }
    free(features);
    free(weights);
    return fits;
}

/* -- Choosing -- */

static int draw(const LevelThought *t, const double *chances)
{
    double at = level_chance(t->seed, SQUARE_COUNT + 2);
    int last = 0;
    for (int i = 0; i < t->legal; i++) {
        if (chances[i] <= 0)
            continue;
        last = i;
        at -= chances[i];
        if (at < 0)
            break;
    }
    return last;
}

static int count_close(const LevelThought *t, const double *people)
{
    double most = 0;
    int close = 0;
    for (int i = 0; i < t->legal; i++)
        most = people[i] > most ? people[i] : most;
    for (int i = 0; i < t->legal; i++)
        close += people[i] >= CLOSE * most;
    return close;
}

void level_human_think(LevelThought *t)
{
    Level *l = t->level;
    Choice *c = calloc(1, sizeof *c);
    t->close = 1;
    t->line = (LevelLine){.pv = {t->moves[0]}, .length = 1};
    if (!c)
        return;
    int plies = plies_of(t);
    HumanSearch *search = search_of(t);
    if (search)
        t->nodes += human_search_values(search, t->task->position, t->moves, t->legal, plies,
                                        t->task->stop, c->values);
    if (search && ask_model(t, c)) {
        HumanFrame frame = l->frame;
        frame.bias += VARIATION * l->variation;
        human_frame_choose(&frame, t->task->position, c->values, c->people, t->legal, c->level);
        int chosen = draw(t, c->level);
        t->close = count_close(t, c->people);
        t->depth = plies;
        t->line.pv[0] = t->moves[chosen];
        t->line.score = human_value(&c->values[chosen]);
    }
    free(c);
}
