#include "classics/adaptive/adaptive.h"

#include "chess/movegen.h"
#include "classics/classic_weights.h"
#include "classics/plain_search.h"

#include <stdlib.h>
#include <string.h>

enum { WEIGHTS, DEPTH, SETTING_COUNT };

static const OpponentSetting settings[SETTING_COUNT] = {
    [WEIGHTS] = {"weights", SETTING_FILES, "original, evolved or a file of castellan evolve",
                 .initial = "original",
                 .help = "weights of material, mobility, development and centre",
                 .words = "original, evolved"},
    [DEPTH] = {"depth", SETTING_NUMBER, "1 to 64", 1, PLAIN_MAX_DEPTH, "2",
               .help = "search depth in plies, regardless of the clock"},
};

/* What is best differs with how far the program looks: after its own move alone, or after an answer
 * too. */
typedef struct WeightSets {
    int one_ply[ADAPTIVE_WEIGHTS]; /* when the task allows no more */
    int more[ADAPTIVE_WEIGHTS];
} WeightSets;

static const WeightSets original = {{100, 10, 5, 1}, {100, 10, 5, 1}};
static const WeightSets evolved = {{54, 0, 7, 0}, {104, 9, 13, 2}}; /* docs/log/evolution.md */

typedef struct Adaptive {
    WeightSets weights;
    int depth;
    bool has_moved;
    Color side; /* that it last thought for */
} Adaptive;

/* -- The order of moves -- */

typedef struct PieceStep {
    int rank, file;
} PieceStep;

enum { STEPS = 8, KIND_COUNT = 7, CASTLING_KIND = 6 };

/* Where each kind of piece goes first; a pawn's steps are White's. */
static const PieceStep steps[KIND_COUNT][STEPS] = {
    [PAWN] = {{1, 0}, {2, 0}, {1, 1}, {1, -1}},
    [KNIGHT] = {{1, 2}, {1, -2}, {-1, 2}, {-1, -2}, {2, 1}, {2, -1}, {-2, 1}, {-2, -1}},
    [BISHOP] = {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}},
    [ROOK] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}},
    [QUEEN] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}},
    [KING] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}},
};

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

/* The step's number, and for those that slide the number of squares. */
static int step_rank(int kind, Color side, Move m)
{
    int rank = square_rank(move_to(m)) - square_rank(move_from(m));
    int file = square_file(move_to(m)) - square_file(move_from(m)), far = 0;
    if (kind == PAWN && side == BLACK)
        rank = -rank;
    if (kind >= BISHOP && kind <= QUEEN) {
        far = abs(rank) > abs(file) ? abs(rank) : abs(file);
        rank = sign(rank);
        file = sign(file);
    }
    for (int i = 0; i < STEPS; i++)
        if (steps[kind][i].rank == rank && steps[kind][i].file == file)
            return 8 * i + far;
    return 8 * STEPS;
}

/* Pawns first, castling last; squares from a1 to h8; steps as above; a queen before lesser
 * promotions, and the queen's wing before the king's. */
static int place_of(const Position *p, Move m)
{
    int castles = move_kind(m) == MOVE_CASTLING;
    int kind = castles ? CASTLING_KIND : (int)piece_type(pos_piece_on(p, move_from(m)));
    int last = castles ? castling_wing(m) == KING_SIDE : 0;
    if (move_is_promotion(m))
        last = QUEEN - (int)move_promotion(m);
    int step = castles ? 0 : step_rank(kind, p->side, m);
    return ((kind * SQUARE_COUNT + move_from(m)) * 128 + step) * 8 + last;
}

void adaptive_order(const Position *p, Move *moves, int count)
{
    int ranks[MAX_MOVES];
    for (int i = 0; i < count; i++)
        ranks[i] = -place_of(p, moves[i]);
    movegen_sort(moves, ranks, count);
}

/* -- The opponent -- */

static void new_game(void *self, uint64_t seed)
{
    (void)seed;
    ((Adaptive *)self)->has_moved = false;
}

/* A file has one set, for any depth. */
static Status read_weights(Adaptive *a, Span path, Message *why)
{
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    Status s = classic_weights_load(&adaptive_evaluator, path, weights, why);
    if (s != STATUS_OK)
        return s;
    for (int i = 0; i < ADAPTIVE_WEIGHTS; i++)
        a->weights.one_ply[i] = a->weights.more[i] = weights[i];
    return STATUS_OK;
}

static Status set(void *self, int setting, const OpponentValue *value, Message *why)
{
    Adaptive *a = self;
    if (setting == DEPTH)
        a->depth = value->number;
    else if (span_is_ignoring_case(value->text, "original"))
        a->weights = original;
    else if (span_is_ignoring_case(value->text, "evolved"))
        a->weights = evolved;
    else
        return read_weights(a, value->text, why);
    return STATUS_OK;
}

static void think(void *self, const OpponentTask *task, OpponentAnswer *answer)
{
    Adaptive *a = self;
    EffortHabits habits = {.depth = a->depth, .steady = true};
    bool looks_ahead = effort_begin(task, &habits).depth > 1;
    PlainSearchConfig plain = {.evaluator = &adaptive_evaluator,
                               .weights = looks_ahead ? a->weights.more : a->weights.one_ply,
                               .order = adaptive_order};
    a->has_moved = true;
    a->side = task->position->side;
    plain_search(&plain, &habits, task, answer);
}

void adaptive_weights(const Opponent *o, int weights[ADAPTIVE_WEIGHTS])
{
    memcpy(weights, ((const Adaptive *)opponent_self(o))->weights.more,
           ADAPTIVE_WEIGHTS * sizeof *weights);
}

/* By the value of the board as it stands, as the original did. */
static bool accepts_draw(void *self, const Position *p)
{
    const Adaptive *a = self;
    Position copy = *p;
    Score score = classic_eval_score(&adaptive_evaluator, &copy, a->weights.more);
    bool ours = !a->has_moved || a->side == p->side;
    return ours ? score < 0 : score > 0;
}

const OpponentOps adaptive_ops = {.size = sizeof(Adaptive),
                                  .new_game = new_game,
                                  .think = think,
                                  .accepts_draw = accepts_draw,
                                  OPPONENT_SETTINGS(settings, set)};
