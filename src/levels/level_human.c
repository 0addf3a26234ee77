/* Levels that play from the model of human choice: short searches value every move, the model says how likely people of the
 * rating are to play each, and the frame turns that into the level's own probabilities. */
#include "levels/level_int.h"

#include "chess/movegen.h"
#include "chess/see.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HURRY_CLOCK_MS = 200, /* with less on the clock one ply must do */
    HURRY_MOVE_MS = 20,
    HURRY_NODES = 5000,
    USUAL_MOVES = 40,
    KEEPS_QUEEN = 1400, /* from this level on the queen is not left to a capture */
    KEEPS_PIECES = 1000 /* nor a piece, where people hardly ever would */
};
static const double VARIATION = 0.5; /* of the bias, on a good or a bad day */
static const double HARDLY_EVER = 0.1;
static const double CLOSE = 0.3; /* of the likeliest move's probability */

Status level_human_open(Level *l, Message *why)
{
    return human_search_open(&l->values, why);
}

void level_human_close(Level *l)
{
    human_search_close(l->values);
}

/* -- What is known of the moves -- */

/* Everything about the moves that the task allows. */
typedef struct Choice {
    HumanValue values[MAX_MOVES];
    double people[MAX_MOVES], losses[MAX_MOVES], level[MAX_MOVES];
    bool hangs[MAX_MOVES]; /* leaves a piece to a capture */
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

/* -- What a level never does -- */

/* The opponent can win the queen, or a piece, by a capture after m. */
static bool hangs(const Position *p, Move m, bool queen_only)
{
    Position after = *p;
    Undo undo;
    Move replies[MAX_MOVES];
    int taken = pos_is_capture(p, m) ? see_value[pos_captured_type(p, m)] : 0;
    pos_make(&after, m, &undo);
    int count = movegen(&after, GEN_NOISY, replies);
    for (int i = 0; i < count; i++)
        if ((!queen_only || pos_captured_type(&after, replies[i]) == QUEEN) &&
            see_at_least(&after, replies[i], taken + see_value[KNIGHT] - 50))
            return true;
    return false;
}

/* Takes the moves that hang something out of the choice, unless nothing else is left. */
static void forbid(Choice *c, int count)
{
    double left = 0;
    for (int i = 0; i < count; i++)
        left += c->hangs[i] ? 0 : c->level[i];
    if (left < 0.001)
        return;
    for (int i = 0; i < count; i++)
        c->level[i] = c->hangs[i] ? 0 : c->level[i] / left;
}

static void keep_pieces(const LevelThought *t, Choice *c)
{
    const Position *p = t->task->position;
    double likely = 0;
    if (t->level->elo < KEEPS_PIECES)
        return;
    for (int i = 0; i < t->legal; i++) {
        c->hangs[i] = hangs(p, c->values[i].move, false);
        likely += c->hangs[i] ? c->people[i] : 0;
    }
    if (likely < HARDLY_EVER)
        forbid(c, t->legal);
    if (t->level->elo < KEEPS_QUEEN)
        return;
    for (int i = 0; i < t->legal; i++)
        c->hangs[i] = c->hangs[i] && hangs(p, c->values[i].move, true);
    forbid(c, t->legal);
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
    t->nodes += human_search_values(l->values, t->task->position, t->moves, t->legal, plies,
                                    t->task->stop, c->values);
    if (ask_model(t, c)) {
        HumanFrame frame = l->frame;
        frame.bias += VARIATION * l->variation;
        human_losses(t->task->position, c->values, t->legal, c->losses);
        human_frame_choose(&frame, t->task->position, c->people, c->losses, t->legal, c->level);
        keep_pieces(t, c);
        int chosen = draw(t, c->level);
        t->close = count_close(t, c->people);
        t->depth = plies;
        t->line.pv[0] = t->moves[chosen];
        t->line.score = human_value(&c->values[chosen]);
    }
    free(c);
}
