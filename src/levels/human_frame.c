#include "levels/human_frame.h"

#include "chess/movegen.h"
#include "chess/see.h"
#include "levels/level.h"

#include <math.h>

enum {
    FRAME_STEP = 200,
    FRAMES = 8,
    OPENING_PLIES = 10,
    KEEPS_PIECES = 1200, /* from this rating on no piece is left to a capture where people hardly
                            ever would */
    LOSES_PIECES = 800,  /* up to here it is; between the two, the more seldom the better */
    KEEPS_QUEEN = 1400,  /* and the queen never */
    HUNG = 250           /* centipawns that such a capture wins */
};
static const double HARDLY_EVER = 0.1, HARDLY_ANYTHING = 0.01; /* of people */
static const double POWER = 0.3;         /* of a probability, against which a loss is weighed */
static const double SPREAD = 0.06;       /* 0: always the same move */
static const double OPENING_POWER = 2.0; /* of a probability in the opening: games should differ */
static const double MOST_LOSS = 1.0;     /* beyond, a loss is no likelier for being larger */
static const double REPETITION = -3;     /* the bias for what a repetition gives away */

/* A row for every 200 Elo, made so that the ladder of docs/RATINGS.md comes out even and the losses
 * per move are those of people. */
static const HumanFrame frames[FRAMES] = {
    /*      rating bias */
    /*  400 */ {400, 1.30},
    /*  600 */ {600, 1.252},
    /*  800 */ {800, 1.38},
    /* 1000 */ {1000, 1.54},
    /* 1200 */ {1200, 1.46},
    /* 1400 */ {1400, 1.512},
    /* 1600 */ {1600, 1.638},
    /* 1800 */ {1800, 1.488},
};

bool human_frame(int elo, HumanFrame *out)
{
    int over = elo - LEVEL_MIN_ELO, last = (FRAMES - 1) * FRAME_STEP;
    if (over > last)
        return false;
    over = over < 0 ? 0 : over;
    const HumanFrame *a = &frames[over / FRAME_STEP], *b = over < last ? a + 1 : a;
    double t = (double)(over % FRAME_STEP) / FRAME_STEP;
    *out = (HumanFrame){.rating = (int)lround(a->rating + t * (b->rating - a->rating)),
                        .bias = a->bias + t * (b->bias - a->bias)};
    return true;
}

void human_losses(const Position *p, const HumanValue *values, int count, double *out)
{
    Score scores[MAX_MOVES], best = -SCORE_INFINITE;
    human_deep_scores(values, count, scores);
    for (int i = 0; i < count; i++)
        best = scores[i] > best ? scores[i] : best;
    double top = human_chance(best, p);
    for (int i = 0; i < count; i++)
        out[i] = top - human_chance(scores[i], p);
}

/* -- What a level never does -- */

bool human_hangs_piece(const Position *p, Move m, bool queen_only)
{
    Position after = *p;
    Undo undo;
    Move replies[MAX_MOVES];
    int taken = pos_is_capture(p, m) ? see_value[pos_captured_type(p, m)] : 0;
    pos_make(&after, m, &undo);
    int count = movegen(&after, GEN_NOISY, replies);
    for (int i = 0; i < count; i++)
        if ((!queen_only || pos_captured_type(&after, replies[i]) == QUEEN) &&
            see_at_least(&after, replies[i], taken + HUNG))
            return true;
    return false;
}

/* Takes moves out of the choice, unless people would hardly play anything else. */
static void forbid(double *chances, const bool *forbidden, const double *people, int count)
{
    double left = 0, likely = 0;
    for (int i = 0; i < count; i++) {
        left += forbidden[i] ? 0 : chances[i];
        likely += forbidden[i] ? 0 : people[i];
    }
    if (likely < HARDLY_ANYTHING || left <= 0)
        return;
    for (int i = 0; i < count; i++)
        chances[i] = forbidden[i] ? 0 : chances[i] / left;
}

static void keep_pieces(const HumanFrame *frame, const Position *p, const HumanValue *values,
                        const double *people, int count, double *chances)
{
    bool hangs[MAX_MOVES] = {false};
    double likely = 0;
    double care = fmin(1, (frame->rating - LOSES_PIECES) / (double)(KEEPS_PIECES - LOSES_PIECES));
    if (care <= 0)
        return;
    for (int i = 0; i < count; i++) {
        hangs[i] = human_hangs_piece(p, values[i].move, false);
        likely += hangs[i] ? people[i] : 0;
    }
    if (likely < care * HARDLY_EVER)
        forbid(chances, hangs, people, count);
    if (frame->rating < KEEPS_QUEEN)
        return;
    for (int i = 0; i < count; i++)
        hangs[i] = hangs[i] && human_hangs_piece(p, values[i].move, true);
    forbid(chances, hangs, people, count);
}

/* -- Choosing -- */

/* How much the level likes a move, in the exponent of its probability. */
static double liking(double bias, bool opening, double people, double loss)
{
    if (opening)
        return OPENING_POWER * log(people + 1e-9);
    return (pow(people, POWER) / POWER + bias * fmin(loss, MOST_LOSS)) / SPREAD;
}

/* To repeat the position is no oversight: whoever stands better avoids it, whatever else he
 * overlooks. */
static double bias_of(const HumanFrame *frame, const Position *p, Move m, double loss)
{
    return loss > 0 && frame->bias > REPETITION && human_repeats(p, m) ? REPETITION : frame->bias;
}

void human_frame_choose(const HumanFrame *frame, const Position *p, const HumanValue *values,
                        const double *people, int count, double *out)
{
    double losses[MAX_MOVES], most = -INFINITY, all = 0;
    human_losses(p, values, count, losses);
    for (int i = 0; i < count; i++) {
        double bias = bias_of(frame, p, values[i].move, losses[i]);
        out[i] = liking(bias, p->game_ply < OPENING_PLIES, people[i], losses[i]);
        most = out[i] > most ? out[i] : most;
    }
    for (int i = 0; i < count; i++)
        all += out[i] = exp(out[i] - most);
    for (int i = 0; i < count; i++)
        out[i] /= all;
    keep_pieces(frame, p, values, people, count, out);
}
