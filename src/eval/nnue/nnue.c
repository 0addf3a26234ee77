#include "eval/nnue/nnue.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A line of search is never longer than MAX_PLY; deeper pushes work but start from the cache. */
enum { STACK_SIZE = MAX_PLY + 10, HALVES = 2, VIEWS = HALVES * KING_BUCKETS_MAX };

typedef struct DirtyPiece {
    Piece piece;
    Square square;
} DirtyPiece;

/* One ply: what its move changed, and whether the accumulator of each side is there. */
typedef struct AccumulatorState {
    uint8_t adds, subs;
    DirtyPiece add[2], sub[2];
    bool is_null_move;               /* a null move: the accumulators are those of the ply before */
    FeatureView view[COLOR_COUNT];   /* how each side sees the board */
    bool needs_refresh[COLOR_COUNT]; /* that side's view was changed by this move */
    bool computed[COLOR_COUNT];
} AccumulatorState;

/* The last board for which a side's accumulator was built in one of its views. */
typedef struct CachedBoard {
    Bitboard pieces[PIECE_COUNT];
} CachedBoard;

struct Nnue {
    const Net *net;
    const NnueKernels *kernels;
    int16_t *accumulators; /* [STACK_SIZE][COLOR_COUNT][hidden] */
    int16_t *cached;       /* [COLOR_COUNT][HALVES * king_buckets][hidden] */
    int depth;
    AccumulatorState states[STACK_SIZE];
    CachedBoard boards[COLOR_COUNT][VIEWS];
};

static int16_t *accumulator_at(const Nnue *n, int depth, Color side)
{
    return n->accumulators + ((size_t)depth * COLOR_COUNT + side) * (size_t)n->net->sizes.hidden;
}

static int views_of(const Net *net)
{
    return HALVES * net->sizes.king_buckets;
}

/* The place of a view in the refresh cache. */
static int view_number(const Net *net, FeatureView view)
{
    int mirrored = (view.turn & 7) != 0;
    return mirrored * net->sizes.king_buckets + view.base / FEATURE_COUNT;
}

static int16_t *cached_at(const Nnue *n, Color side, int view)
{
    size_t views = (size_t)views_of(n->net);
    return n->cached + ((size_t)side * views + (size_t)view) * (size_t)n->net->sizes.hidden;
}

static int16_t *new_accumulators(size_t rows, int hidden)
{
    return memory_aligned(NET_ALIGNMENT, rows * (size_t)hidden * sizeof(int16_t));
}

Nnue *nnue_open(const Net *net, const NnueKernels *kernels)
{
    Nnue *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->net = net;
    n->kernels = kernels;
    n->accumulators = new_accumulators(STACK_SIZE * COLOR_COUNT, net->sizes.hidden);
    n->cached = new_accumulators(COLOR_COUNT * (size_t)views_of(net), net->sizes.hidden);
    if (!n->accumulators || !n->cached) {
        nnue_close(n);
        return NULL;
    }
    /* An empty board: the bias alone. */
    for (int side = WHITE; side <= BLACK; side++)
        for (int view = 0; view < views_of(net); view++)
            memcpy(cached_at(n, (Color)side, view), net->ft_bias,
                   (size_t)net->sizes.hidden * sizeof *net->ft_bias);
    return n;
}

void nnue_close(Nnue *n)
{
    if (!n)
        return;
    memory_aligned_free(n->accumulators);
    memory_aligned_free(n->cached);
    free(n);
}

static FeatureView view_of(const Nnue *n, Color side, Square king)
{
    return feature_view(n->net->sizes.king_buckets, side, king);
}

/* -- Accumulators -- */

/* Brings the cached board of this view to p and copies its accumulator. */
static void refresh(Nnue *n, const Position *p, FeatureView view, int16_t *out)
{
    Color side = (Color)view.side;
    int number = view_number(n->net, view);
    CachedBoard *board = &n->boards[side][number];
    int16_t *accumulator = cached_at(n, side, number);
    NnueDelta delta;
    delta.adds = delta.subs = 0;
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        Bitboard now = pos_pieces(p, piece_color((Piece)piece), piece_type((Piece)piece));
        Bitboard then = board->pieces[piece];
        for (Bitboard b = now & ~then; b;)
            delta.add[delta.adds++] = feature_index(view, (Piece)piece, bb_pop(&b));
        for (Bitboard b = then & ~now; b;)
            delta.sub[delta.subs++] = feature_index(view, (Piece)piece, bb_pop(&b));
        board->pieces[piece] = now;
    }
    n->kernels->update(accumulator, accumulator, n->net->ft_weights, n->net->sizes.hidden, &delta);
    memcpy(out, accumulator, (size_t)n->net->sizes.hidden * sizeof *out);
}

/* The accumulator of ply `depth` from that of the ply before. A ply without changes needs one of
 * its own, too: a later one builds on it. */
static void update_incrementally(Nnue *n, int depth, Color side)
{
    AccumulatorState *state = &n->states[depth];
    FeatureView view = state->view[side];
    int16_t *to = accumulator_at(n, depth, side);
    const int16_t *from = accumulator_at(n, depth - 1, side);
    state->computed[side] = true;
    if (state->is_null_move) {
        memcpy(to, from, (size_t)n->net->sizes.hidden * sizeof *to);
        return;
    }
    NnueDelta delta;
    delta.adds = state->adds;
    delta.subs = state->subs;
    for (int i = 0; i < state->adds; i++)
        delta.add[i] = feature_index(view, state->add[i].piece, state->add[i].square);
    for (int i = 0; i < state->subs; i++)
        delta.sub[i] = feature_index(view, state->sub[i].piece, state->sub[i].square);
    n->kernels->update(to, from, n->net->ft_weights, n->net->sizes.hidden, &delta);
}

/* The accumulator of the present position for one side. */
static const int16_t *update_accumulator(Nnue *n, const Position *p, Color side)
{
    int top = n->depth;
    if (top >= STACK_SIZE - 1) {
        top = STACK_SIZE - 1;
        refresh(n, p, view_of(n, side, pos_king(p, side)), accumulator_at(n, top, side));
        return accumulator_at(n, top, side);
    }
    while (n->states[top].is_null_move && !n->states[top].computed[side])
        top--;
    int base = top;
    while (!n->states[base].computed[side] && !n->states[base].needs_refresh[side])
        base--;
    if (!n->states[base].computed[side]) {
        refresh(n, p, n->states[top].view[side], accumulator_at(n, top, side));
        n->states[top].computed[side] = true;
    } else {
        while (base++ < top)
            update_incrementally(n, base, side);
    }
    return accumulator_at(n, top, side);
}

/* -- Following a game -- */

void nnue_reset(Nnue *n, const Position *p)
{
    n->depth = 0;
    n->states[0] = (AccumulatorState){0};
    for (int side = WHITE; side <= BLACK; side++) {
        FeatureView view = view_of(n, (Color)side, pos_king(p, (Color)side));
        n->states[0].view[side] = view;
        refresh(n, p, view, accumulator_at(n, 0, (Color)side));
        n->states[0].computed[side] = true;
    }
}

static void set_dirty_castling(AccumulatorState *state, Color us, Move m)
{
    Wing wing = castling_wing(m);
    Piece king = piece_make(us, KING), rook = piece_make(us, ROOK);
    state->sub[0] = (DirtyPiece){king, move_from(m)};
    state->sub[1] = (DirtyPiece){rook, move_to(m)};
    state->add[0] = (DirtyPiece){king, castling_king_to(us, wing)};
    state->add[1] = (DirtyPiece){rook, castling_rook_to(us, wing)};
    state->adds = state->subs = 2;
}

static void set_dirty_pieces(AccumulatorState *state, const Position *before, Move m)
{
    Square from = move_from(m), to = move_to(m);
    Piece piece = before->board[from];
    Piece after = move_is_promotion(m) ? piece_make(piece_color(piece), move_promotion(m)) : piece;
    state->add[0] = (DirtyPiece){after, to};
    state->sub[0] = (DirtyPiece){piece, from};
    state->adds = state->subs = 1;
    if (move_kind(m) == MOVE_EN_PASSANT)
        state->sub[state->subs++] =
            (DirtyPiece){piece_make(color_other(before->side), PAWN), (Square)(to ^ 8)};
    else if (before->board[to] != NO_PIECE)
        state->sub[state->subs++] = (DirtyPiece){before->board[to], to};
}

void nnue_push(Nnue *n, const Position *before, Move m)
{
    n->depth++;
    /* The last row is for those beyond it; they keep no notes. */
    if (n->depth >= STACK_SIZE - 1)
        return;
    const AccumulatorState *parent = &n->states[n->depth - 1];
    AccumulatorState *state = &n->states[n->depth];
    Color us = before->side;
    memcpy(state->view, parent->view, sizeof state->view);
    state->needs_refresh[WHITE] = state->needs_refresh[BLACK] = false;
    state->computed[WHITE] = state->computed[BLACK] = false;
    state->is_null_move = move_is_none(m);
    if (state->is_null_move)
        return;
    if (move_kind(m) == MOVE_CASTLING)
        set_dirty_castling(state, us, m);
    else
        set_dirty_pieces(state, before, m);
    if (piece_type(state->add[0].piece) == KING) {
        FeatureView view = view_of(n, us, state->add[0].square);
        state->needs_refresh[us] = !feature_same_view(view, state->view[us]);
        state->view[us] = view;
    }
}

void nnue_pop(Nnue *n)
{
    assert(n->depth > 0);
    n->depth--;
}

/* -- Values -- */

/* Rounds to the nearest, away from zero at the middle: the same for both signs. */
static Score rounded(int64_t scaled, int64_t one)
{
    int64_t value = (scaled + (scaled < 0 ? -one : one) / 2) / one;
    if (value > SCORE_EVAL_MAX)
        return SCORE_EVAL_MAX;
    return value < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : (Score)value;
}

/* From the output kernel's sum to a score, of nets without layers. */
static Score value_of(const Net *net, int bucket, int32_t sum)
{
    return rounded(((int64_t)sum / NET_QA + net->out_bias[bucket]) * net->scale, NET_QA * net->qb);
}

NnueLayers nnue_layers(const Net *net, int bucket)
{
    size_t b = (size_t)bucket;
    return (NnueLayers){.l1_weights = net->l1_weights + b * NET_L1 * (size_t)net->sizes.hidden,
                        .l1_bias = net->l1_bias + b * NET_L1,
                        .l2_weights = net->l2_weights + b * 2 * NET_L1 * NET_L2,
                        .l2_bias = net->l2_bias + b * NET_L2,
                        .l3_weights = net->l3_weights + b * NET_L2,
                        .out_bias = net->out_bias[bucket],
                        .qb_bits = __builtin_ctz((unsigned)net->qb)};
}

Score nnue_output(const Net *net, const NnueKernels *kernels, const int16_t *us,
                  const int16_t *them, int pieces)
{
    int bucket = feature_bucket(net->sizes.buckets, pieces), hidden = net->sizes.hidden;
    if (net->sizes.layers == 0) {
        const int16_t *weights = net->out_weights + 2 * (size_t)bucket * (size_t)hidden;
        return value_of(net, bucket, kernels->output(us, them, weights, hidden));
    }
    NnueLayers layers = nnue_layers(net, bucket);
    return rounded((int64_t)kernels->layers(us, them, &layers, hidden) * net->scale,
                   (int64_t)NET_Q_LAYERS * NET_Q_ACTIVATION);
}

Score nnue_score(Nnue *n, const Position *p)
{
    const int16_t *us = update_accumulator(n, p, p->side);
    const int16_t *them = update_accumulator(n, p, color_other(p->side));
    return nnue_output(n->net, n->kernels, us, them, bb_count(pos_occupied(p)));
}
