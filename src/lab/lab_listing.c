/* The document's own code, as its listings have it, over the order in which its library
 * (Chesspresso) generates moves: so that its published node counts come out exactly. What makes the
 * difference:
 *
 * - the root sets alpha to the value of the move just searched, not of the best one, and at the
 * root a mate ends the search;
 * - the library generates knights, bishops, rooks, queens, king, pawns (in check the king first),
 * each from a1 to h8; sliding pieces go round from south-west by south; a pawn steps before it
 * captures, and promotes to a queen first;
 * - the table knows no size, replaces always, keeps the value of a mated maximiser with the wrong
 * sign, and answers at the same height or above;
 * - moves whose positions it holds are sorted in a Java priority queue, by a difference of 32 bits
 * that overflows between mates, and taken out backwards at the minimiser;
 * - after a double step of a pawn the library calls the position with the other side to move
 * illegal, so that no null move is tried there; positions of null moves are not looked up and not
 * kept.
 *
 * Values are 32 bits wide, seen from the side to move except in the table, where they are the root
 * player's. */
#include "lab/lab_int.h"

#include "base/clock.h"
#include "chess/movegen.h"

#include <stdlib.h>
#include <string.h>

const LabPosition lab_positions[LAB_POSITIONS] = {
    {"A1", "r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P2/N1P2N1q/PP1P1PPP/R1BQK2R b KQ - 0 10", 4},
    {"A2", "r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P1N/N1P5/PP1P1PqP/R1BQK2R b KQ - 1 11", 4},
    {"A3", "r1bk1bnr/pp2p1p1/2p3Bp/3p4/5P1N/N1P5/PP1PKP1P/R1BQ3q b - - 1 12", 4},
    {"B1", "8/Q7/8/2p2p2/1k1nq3/1P6/3K1P2/5B2 b - - 1 1", 6},
    {"B2", "8/Q7/8/2p2p2/1k1n4/1P2K3/2q2P2/5B2 b - - 3 2", 6},
    {"B3", "8/Q7/8/2p2p2/1k1n4/1P1K4/5P2/2q2B2 b - - 5 3", 6},
    {"C1", "4K3/8/8/8/8/R6R/8/4k3 w - - 0 1", 6},
    {"C2", "4K3/8/8/8/8/7R/R7/5k2 w - - 2 2", 6},
};

enum { FIRST_SLOTS = 1 << 16, NULL_LESS = 2 };

typedef struct Slot {
    Key key;
    int32_t value; /* of the root's player */
    int16_t height;
    bool used, exact;
} Slot;

typedef struct Listing {
    LabSetup setup;
    Position position;
    Color player;
    uint64_t nodes;
    bool stopped, mated;
    Slot *slots;
    size_t slot_count, used;
} Listing;

/* As the listings count: a node is at `depth` plies from the root, the search ends at `last`. */
typedef struct Node {
    int last, depth;
    int64_t alpha, beta;
    bool after_null, after_double_step;
} Node;

/* -- The library's order -- */

static int direction_rank(Move m)
{
    static const int round[3][3] = {
        {0, 1, 2}, {7, 8, 3}, {6, 5, 4}}; /* [south to north][west to east] */
    int files = square_file(move_to(m)) - square_file(move_from(m));
    int ranks = square_rank(move_to(m)) - square_rank(move_from(m));
    int far = abs(files) > abs(ranks) ? abs(files) : abs(ranks);
    return round[1 + (ranks > 0) - (ranks < 0)][1 + (files > 0) - (files < 0)] * 8 + far;
}

static int pawn_rank(Move m)
{
    Square from = move_from(m), to = move_to(m);
    int lesser = move_is_promotion(m) ? QUEEN - move_promotion(m) : 0;
    if (square_file(from) == square_file(to))
        return ((from ^ to) == 16 ? 8 : 0) + lesser;
    return 16 + 8 * to + lesser;
}

static int library_rank(const Position *p, Move m, bool check)
{
    static const int groups[PIECE_TYPE_COUNT] = {6, 1, 2, 3, 4, 5};
    PieceType t = piece_type(pos_piece_on(p, move_from(m)));
    int group = t == KING && check ? 0 : groups[t], rank = move_to(m);
    if (move_kind(m) == MOVE_CASTLING)
        rank = SQUARE_COUNT + (castling_wing(m) == QUEEN_SIDE);
    else if (t == PAWN)
        rank = pawn_rank(m);
    else if (t != KNIGHT && t != KING)
        rank = direction_rank(m);
    return (group * SQUARE_COUNT + move_from(m)) * 1024 + rank;
}

static int library_moves(const Position *p, Move *out)
{
    int ranks[MAX_MOVES], count = movegen(p, GEN_ALL, out);
    bool check = pos_in_check(p);
    for (int i = 0; i < count; i++)
        ranks[i] = -library_rank(p, out[i], check);
    movegen_sort(out, ranks, count);
    return count;
}

/* -- The table -- */

static Slot *slot_of(Slot *slots, size_t count, Key key)
{
    size_t i = key & (count - 1);
    while (slots[i].used && slots[i].key != key)
        i = (i + 1) & (count - 1);
    return &slots[i];
}

static const Slot *look_up(const Listing *l, Key key)
{
    const Slot *s = l->slots ? slot_of(l->slots, l->slot_count, key) : NULL;
    return s && s->used ? s : NULL;
}

/* Without memory for more it stops. */
static bool grow(Listing *l)
{
    size_t count = l->slot_count ? 2 * l->slot_count : FIRST_SLOTS;
    Slot *slots = calloc(count, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < l->slot_count; i++)
        if (l->slots[i].used)
            *slot_of(slots, count, l->slots[i].key) = l->slots[i];
    free(l->slots);
    l->slots = slots;
    l->slot_count = count;
    return true;
}

/* `value` as the side to move has it. */
static void store(Listing *l, const Node *n, int64_t value, bool exact)
{
    const Position *p = &l->position;
    if (!(l->setup.switches & LAB_TABLE) || n->after_null || l->stopped)
        return;
    if (2 * l->used >= l->slot_count && !grow(l)) {
        l->stopped = true;
        return;
    }
    Slot *s = slot_of(l->slots, l->slot_count, p->st.key);
    l->used += !s->used;
    *s = (Slot){.key = p->st.key, .used = true, .exact = exact};
    s->value = (int32_t)(p->side == l->player ? value : -value);
    s->height = (int16_t)(n->last - n->depth);
}

static bool table_returns(const Listing *l, const Node *n, int64_t *value)
{
    const Slot *s =
        (l->setup.switches & LAB_TABLE) && !n->after_null ? look_up(l, l->position.st.key) : NULL;
    if (!s || s->height < n->last - n->depth)
        return false;
    *value = l->position.side == l->player ? s->value : -(int64_t)s->value;
    if (s->exact)
        return true;
    bool cuts = *value >= n->beta;
    if (cuts)
        *value = n->beta;
    return cuts;
}

/* -- The priority queue -- */

typedef struct Queued {
    Move move;
    int32_t value;
} Queued;

typedef struct Queue {
    Queued at[MAX_MOVES];
    int count;
} Queue;

/* Negative when `a` comes before `b`; two mates of both colours overflow. */
static int32_t compare(const Queued *a, const Queued *b)
{
    return (int32_t)((uint32_t)b->value - (uint32_t)a->value);
}

static void queue_add(Queue *q, Queued x)
{
    int k = q->count++;
    for (int parent; k > 0 && compare(&x, &q->at[parent = (k - 1) / 2]) < 0; k = parent)
        q->at[k] = q->at[parent];
    q->at[k] = x;
}

static Move queue_take(Queue *q)
{
    Move first = q->at[0].move;
    Queued last = q->at[--q->count];
    int k = 0;
    while (k < q->count / 2) {
        int child = 2 * k + 1;
        if (child + 1 < q->count && compare(&q->at[child], &q->at[child + 1]) > 0)
            child++;
        if (compare(&last, &q->at[child]) <= 0)
            break;
        q->at[k] = q->at[child];
        k = child;
    }
    q->at[k] = last;
    return first;
}

/* Moves whose positions the table holds come first, the others behind them as they were. */
static void order(Listing *l, Move *moves, int count)
{
    Queue queue = {.count = 0};
    Move rest[MAX_MOVES], sorted[MAX_MOVES];
    int rest_count = 0, known = 0;
    if (!(l->setup.switches & LAB_ORDER))
        return;
    for (int i = 0; i < count; i++) {
        Undo undo;
        pos_make(&l->position, moves[i], &undo);
        const Slot *s = look_up(l, l->position.st.key);
        pos_unmake(&l->position, moves[i], &undo);
        if (s)
            queue_add(&queue, (Queued){moves[i], s->value});
        else
            rest[rest_count++] = moves[i];
    }
    while (queue.count)
        sorted[known++] = queue_take(&queue);
    bool backwards = l->position.side != l->player;
    for (int i = 0; i < known; i++)
        moves[i] = sorted[backwards ? known - 1 - i : i];
    memcpy(moves + known, rest, (size_t)rest_count * sizeof *moves);
}

/* -- The search -- */

static int64_t node_value(Listing *l, Node n);

static int64_t move_value(Listing *l, const Node *n, Move m)
{
    Position *p = &l->position;
    Square from = move_from(m);
    bool double_step = piece_type(pos_piece_on(p, from)) == PAWN && (from ^ move_to(m)) == 16;
    Undo undo;
    pos_make(p, m, &undo);
    int64_t value = -node_value(
        l, (Node){n->last, n->depth + 1, -n->beta, -n->alpha, .after_double_step = double_step});
    pos_unmake(p, m, &undo);
    return value;
}

static bool null_move_returns(Listing *l, const Node *n)
{
    Undo undo;
    if (!(l->setup.switches & LAB_NULL) || n->after_double_step || pos_in_check(&l->position))
        return false;
    pos_make_null(&l->position, &undo);
    int64_t value = -node_value(
        l, (Node){n->last - NULL_LESS, n->depth + 1, -n->beta, -n->alpha, .after_null = true});
    pos_unmake_null(&l->position, &undo);
    return value >= n->beta;
}

static int64_t try_moves(Listing *l, Node n)
{
    Move moves[MAX_MOVES];
    int64_t best = INT32_MIN;
    bool prunes = (l->setup.switches & LAB_ALPHABETA) != 0;
    int count = library_moves(&l->position, moves);
    order(l, moves, count);
    for (int i = 0; i < count && !l->stopped; i++) {
        int64_t value = move_value(l, &n, moves[i]);
        best = value > best ? value : best;
        if (prunes && best >= n.beta) {
            store(l, &n, best, false);
            return best;
        }
        if (prunes && best > n.alpha)
            n.alpha = best;
    }
    store(l, &n, best, true);
    return best;
}

/* A mate is kept as the root player's win, whoever is mated. */
static int64_t no_moves_value(Listing *l, const Node *n)
{
    const Position *p = &l->position;
    if (!pos_in_check(p)) {
        store(l, n, 0, true);
        return 0;
    }
    store(l, n, p->side == l->player ? INT32_MAX : -INT32_MAX, true);
    return -INT32_MAX;
}

static int64_t node_value(Listing *l, Node n)
{
    int64_t value;
    l->nodes++;
    if (lab_must_end(&l->setup, l->nodes, &l->stopped))
        return 0;
    if (!movegen_any(&l->position))
        return no_moves_value(l, &n);
    if (n.depth >= n.last) {
        value = l->setup.evaluate(&l->position);
        store(l, &n, value, true);
        return value;
    }
    if (table_returns(l, &n, &value))
        return value;
    if (null_move_returns(l, &n))
        return n.beta;
    return try_moves(l, n);
}

static int64_t root_value(Listing *l, int last, Move *best_move)
{
    Move moves[MAX_MOVES];
    Node n = {last, 0, INT32_MIN, INT32_MAX, false, false};
    int64_t best = INT32_MIN;
    bool prunes = (l->setup.switches & LAB_ALPHABETA) != 0;
    l->nodes++;
    int count = library_moves(&l->position, moves);
    order(l, moves, count);
    for (int i = 0; i < count && !l->stopped; i++) {
        int64_t value = move_value(l, &n, moves[i]);
        if (value > best) {
            best = value;
            *best_move = moves[i];
        }
        if (prunes && best >= n.beta)
            break;
        if (prunes && best >= n.alpha)
            n.alpha = value;
    }
    l->mated = best == INT32_MAX;
    store(l, &n, best, !l->mated);
    return best;
}

static Score score_of(int64_t value, int depth)
{
    if (value >= INT32_MAX)
        return score_mate_in(depth);
    return value <= -INT32_MAX ? score_mated_in(depth + (depth & 1)) : (Score)value;
}

Status lab_listing_run(const Position *p, const LabSetup *setup, LabResult *out, Message *why)
{
    if (!lab_is_listed(setup->switches))
        return status_fail(why, STATUS_INVALID,
                           "the listing has minimax, alphabeta, table, order, null and all");
    Listing l = {.setup = *setup, .position = *p, .player = p->side};
    int64_t start = clock_now_ns();
    *out = (LabResult){.move = MOVE_NONE};
    for (int depth = 1; depth <= setup->depth && !l.mated && movegen_any(p); depth++) {
        Move move = MOVE_NONE;
        int64_t value = root_value(&l, depth, &move);
        if (l.stopped)
            break;
        *out = (LabResult){.value = score_of(value, depth), .move = move, .depth = depth};
    }
    out->finished = !l.stopped;
    out->nodes = l.nodes;
    out->time_ns = clock_now_ns() - start;
    free(l.slots);
    return STATUS_OK;
}
