#include "classics/adaptive/adaptive.h"

#include "classics/plain_search.h"

#include <stdlib.h>

/* The program looked two plies ahead, whatever the time. */
static const EffortHabits habits = {.depth = 2, .steady = true};

const AdaptiveSetup adaptive_first = {{100, 10, 5, 1}, {100, 10, 5, 1}};
const AdaptiveSetup adaptive_evolved = {{54, 0, 7, 0}, {104, 9, 13, 2}};

typedef struct Adaptive {
    const AdaptiveSetup *setup;
    bool has_moved;
    Color side; /* that it last thought for */
} Adaptive;

/* -- The order of moves -- */

typedef struct Step {
    int rank, file;
} Step;

enum { STEPS = 8, KIND_COUNT = 7, CASTLING_KIND = 6 };

/* Where each kind of man goes first; a pawn's steps are White's. */
static const Step steps[KIND_COUNT][STEPS] = {
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

static int larger(int a, int b)
{
    return abs(a) > abs(b) ? abs(a) : abs(b);
}

/* The step's number, and for those that slide the number of squares. */
static int step_rank(int kind, Color side, Move m)
{
    int rank = square_rank(move_to(m)) - square_rank(move_from(m));
    int file = square_file(move_to(m)) - square_file(move_from(m)), far = 0;
    if (kind == PAWN && side == BLACK)
        rank = -rank;
    if (kind >= BISHOP && kind <= QUEEN) {
        far = larger(rank, file);
        rank = sign(rank);
        file = sign(file);
    }
    for (int i = 0; i < STEPS; i++)
        if (steps[kind][i].rank == rank && steps[kind][i].file == file)
            return 8 * i + far;
    return 8 * STEPS;
}

/* Pawns first, castling last; squares from a1 to h8; steps as above; a queen before lesser promotions, and the
 * queen's wing before the king's. */
static int weight_of(const Position *p, Move m)
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
    int weights[MAX_MOVES];
    for (int i = 0; i < count; i++) {
        Move m = moves[i];
        int w = weight_of(p, m), k = i;
        for (; k > 0 && weights[k - 1] > w; k--) {
            moves[k] = moves[k - 1];
            weights[k] = weights[k - 1];
        }
        moves[k] = m;
        weights[k] = w;
    }
}

/* -- The opponent -- */

static void new_game(void *self, uint64_t seed)
{
    (void)seed;
    ((Adaptive *)self)->has_moved = false;
}

static Status open_mind(void **self, const void *setup, uint64_t seed, Message *why)
{
    Adaptive *a = calloc(1, sizeof *a);
    if (!a)
        return status_fail(why, STATUS_MEMORY, "no memory for the adaptive program");
    a->setup = setup;
    new_game(a, seed);
    *self = a;
    return STATUS_OK;
}

static void think(void *self, const OpponentTask *task, OpponentAnswer *answer)
{
    Adaptive *a = self;
    bool looks_ahead = effort_begin(task, &habits).depth > 1;
    PlainSearchConfig plain = {.evaluator = &adaptive_evaluator,
                               .weights = looks_ahead ? a->setup->more : a->setup->one_ply,
                               .order = adaptive_order};
    a->has_moved = true;
    a->side = task->position->side;
    plain_answer(&plain, &habits, task, answer);
}

/* By the value of the board as it stands, as the original did. */
static bool accepts_draw(void *self, const Position *p)
{
    const Adaptive *a = self;
    Position copy = *p;
    Score score = adaptive_evaluator.score(&copy, a->setup->more);
    bool ours = !a->has_moved || a->side == p->side;
    return ours ? score < 0 : score > 0;
}

const OpponentOps adaptive_ops = {.open = open_mind,
                                  .close = free,
                                  .new_game = new_game,
                                  .think = think,
                                  .accepts_draw = accepts_draw};
