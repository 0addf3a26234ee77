#include "eval/nnue/nnue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A line of search is never longer than MAX_PLY; deeper pushes work but start from the cache. */
enum { STACK_SIZE = MAX_PLY + 10, HALVES = 2 };

typedef struct Change {
    Piece piece;
    Square square;
} Change;

/* One ply: what its move changed, and whether the sums of each side are there. */
typedef struct Ply {
    uint8_t adds, subs;
    Change add[2], sub[2];
    bool same;                  /* a null move: the sums are those of the ply before */
    bool mirrored[COLOR_COUNT]; /* how each side sees the board */
    bool crossed[COLOR_COUNT];  /* that side's view was turned by this move */
    bool ready[COLOR_COUNT];
} Ply;

/* The last board for which a side's sums were built in one of its two views. */
typedef struct Remembered {
    Bitboard pieces[PIECE_COUNT];
} Remembered;

struct Nnue {
    const Net *net;
    const NnueKernels *kernels;
    int16_t *sums;   /* [STACK_SIZE][COLOR_COUNT][hidden] */
    int16_t *cached; /* [COLOR_COUNT][HALVES][hidden] */
    int depth;
    Ply plies[STACK_SIZE];
    Remembered remembered[COLOR_COUNT][HALVES];
};

static int16_t *sums_at(const Nnue *n, int depth, Color side)
{
    return n->sums + ((size_t)depth * COLOR_COUNT + side) * (size_t)n->net->hidden;
}

static int16_t *cached_at(const Nnue *n, Color side, int half)
{
    return n->cached + ((size_t)side * HALVES + (size_t)half) * (size_t)n->net->hidden;
}

static int16_t *new_sums(size_t rows, int hidden)
{
    return aligned_alloc(NET_ALIGNMENT, rows * (size_t)hidden * sizeof(int16_t));
}

Nnue *nnue_open(const Net *net, const NnueKernels *kernels)
{
    Nnue *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->net = net;
    n->kernels = kernels;
    n->sums = new_sums(STACK_SIZE * COLOR_COUNT, net->hidden);
    n->cached = new_sums(COLOR_COUNT * HALVES, net->hidden);
    if (!n->sums || !n->cached) {
        nnue_close(n);
        return NULL;
    }
    /* An empty board: the bias alone. */
    for (int side = WHITE; side <= BLACK; side++)
        for (int half = 0; half < HALVES; half++)
            memcpy(cached_at(n, (Color)side, half), net->ft_bias,
                   (size_t)net->hidden * sizeof *net->ft_bias);
    return n;
}

void nnue_close(Nnue *n)
{
    if (!n)
        return;
    free(n->sums);
    free(n->cached);
    free(n);
}

int nnue_features(const Position *p, Color side, uint16_t out[FEATURE_MAX_ACTIVE])
{
    int count = 0;
    bool mirrored = feature_mirrored(pos_king(p, side));
    for (Bitboard b = pos_occupied(p); b && count < FEATURE_MAX_ACTIVE;) {
        Square s = bb_pop(&b);
        out[count++] = (uint16_t)feature_index(side, mirrored, p->board[s], s);
    }
    return count;
}

/* -- Sums -- */

/* Brings the remembered board of this view to p and copies its sums. */
static void refresh(Nnue *n, const Position *p, Color side, bool mirrored, int16_t *out)
{
    Remembered *r = &n->remembered[side][mirrored];
    int16_t *sums = cached_at(n, side, mirrored);
    NnueDelta delta = {.adds = 0, .subs = 0};
    for (int piece = 0; piece < PIECE_COUNT; piece++) {
        Bitboard now = pos_pieces(p, piece_color((Piece)piece), piece_type((Piece)piece));
        Bitboard then = r->pieces[piece];
        for (Bitboard b = now & ~then; b;)
            delta.add[delta.adds++] =
                (uint16_t)feature_index(side, mirrored, (Piece)piece, bb_pop(&b));
        for (Bitboard b = then & ~now; b;)
            delta.sub[delta.subs++] =
                (uint16_t)feature_index(side, mirrored, (Piece)piece, bb_pop(&b));
        r->pieces[piece] = now;
    }
    n->kernels->update(sums, sums, n->net->ft_weights, n->net->hidden, &delta);
    memcpy(out, sums, (size_t)n->net->hidden * sizeof *out);
}

/* The sums of ply `depth` from those of the ply before. */
static void advance(Nnue *n, int depth, Color side)
{
    Ply *ply = &n->plies[depth];
    bool mirrored = ply->mirrored[side];
    NnueDelta delta;
    delta.adds = ply->adds;
    delta.subs = ply->subs;
    for (int i = 0; i < ply->adds; i++)
        delta.add[i] =
            (uint16_t)feature_index(side, mirrored, ply->add[i].piece, ply->add[i].square);
    for (int i = 0; i < ply->subs; i++)
        delta.sub[i] =
            (uint16_t)feature_index(side, mirrored, ply->sub[i].piece, ply->sub[i].square);
    n->kernels->update(sums_at(n, depth, side), sums_at(n, depth - 1, side), n->net->ft_weights,
                       n->net->hidden, &delta);
    ply->ready[side] = true;
}

/* A ply without changes still needs sums of its own when a later one builds on them. */
static void carry(Nnue *n, int depth, Color side)
{
    memcpy(sums_at(n, depth, side), sums_at(n, depth - 1, side),
           (size_t)n->net->hidden * sizeof(int16_t));
    n->plies[depth].ready[side] = true;
}

/* The sums of the present position for one side. */
static const int16_t *settle(Nnue *n, const Position *p, Color side)
{
    int top = n->depth;
    if (top >= STACK_SIZE - 1) {
        top = STACK_SIZE - 1;
        refresh(n, p, side, feature_mirrored(pos_king(p, side)), sums_at(n, top, side));
        return sums_at(n, top, side);
    }
    while (n->plies[top].same && !n->plies[top].ready[side])
        top--;
    int base = top;
    while (!n->plies[base].ready[side] && !n->plies[base].crossed[side])
        base--;
    if (!n->plies[base].ready[side]) {
        refresh(n, p, side, n->plies[top].mirrored[side], sums_at(n, top, side));
        n->plies[top].ready[side] = true;
    } else {
        while (base++ < top) {
            if (n->plies[base].same)
                carry(n, base, side);
            else
                advance(n, base, side);
        }
    }
    return sums_at(n, top, side);
}

/* -- Following a game -- */

void nnue_reset(Nnue *n, const Position *p)
{
    n->depth = 0;
    n->plies[0] = (Ply){0};
    for (int side = WHITE; side <= BLACK; side++) {
        bool mirrored = feature_mirrored(pos_king(p, (Color)side));
        n->plies[0].mirrored[side] = mirrored;
        refresh(n, p, (Color)side, mirrored, sums_at(n, 0, (Color)side));
        n->plies[0].ready[side] = true;
    }
}

static void note_castling(Ply *ply, Color us, Move m)
{
    Wing wing = castling_wing(m);
    Piece king = piece_make(us, KING), rook = piece_make(us, ROOK);
    ply->sub[0] = (Change){king, move_from(m)};
    ply->sub[1] = (Change){rook, move_to(m)};
    ply->add[0] = (Change){king, castling_king_to(us, wing)};
    ply->add[1] = (Change){rook, castling_rook_to(us, wing)};
    ply->adds = ply->subs = 2;
}

static void note_move(Ply *ply, const Position *before, Move m)
{
    Square from = move_from(m), to = move_to(m);
    Piece piece = before->board[from];
    Piece after = move_is_promotion(m) ? piece_make(piece_color(piece), move_promotion(m)) : piece;
    ply->add[0] = (Change){after, to};
    ply->sub[0] = (Change){piece, from};
    ply->adds = ply->subs = 1;
    if (move_kind(m) == MOVE_EN_PASSANT)
        ply->sub[ply->subs++] =
            (Change){piece_make(color_other(before->side), PAWN), (Square)(to ^ 8)};
    else if (before->board[to] != NO_PIECE)
        ply->sub[ply->subs++] = (Change){before->board[to], to};
}

void nnue_push(Nnue *n, const Position *before, Move m)
{
    n->depth++;
    /* The last row is for those beyond it; they keep no notes. */
    if (n->depth >= STACK_SIZE - 1)
        return;
    const Ply *parent = &n->plies[n->depth - 1];
    Ply *ply = &n->plies[n->depth];
    Color us = before->side;
    memcpy(ply->mirrored, parent->mirrored, sizeof ply->mirrored);
    ply->crossed[WHITE] = ply->crossed[BLACK] = false;
    ply->ready[WHITE] = ply->ready[BLACK] = false;
    ply->same = move_is_none(m);
    if (ply->same)
        return;
    if (move_kind(m) == MOVE_CASTLING)
        note_castling(ply, us, m);
    else
        note_move(ply, before, m);
    if (piece_type(ply->add[0].piece) == KING) {
        bool mirrored = feature_mirrored(ply->add[0].square);
        ply->crossed[us] = mirrored != ply->mirrored[us];
        ply->mirrored[us] = mirrored;
    }
}

void nnue_pop(Nnue *n)
{
    assert(n->depth > 0);
    n->depth--;
}

/* -- Values -- */

/* Rounds to the nearest, away from zero at the middle: the same for both signs. */
Score nnue_value(const Net *net, int bucket, int32_t sum)
{
    int64_t scaled = ((int64_t)sum / NET_QA + net->out_bias[bucket]) * net->scale;
    int64_t unit = NET_QA * net->qb;
    int64_t value = (scaled + (scaled < 0 ? -unit : unit) / 2) / unit;
    if (value > SCORE_EVAL_MAX)
        return SCORE_EVAL_MAX;
    return value < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : (Score)value;
}

Score nnue_score(Nnue *n, const Position *p)
{
    const Net *net = n->net;
    const int16_t *us = settle(n, p, p->side);
    const int16_t *them = settle(n, p, color_other(p->side));
    int bucket = feature_bucket(net->buckets, bb_count(pos_occupied(p)));
    const int16_t *weights = net->out_weights + 2 * (size_t)bucket * (size_t)net->hidden;
    return nnue_value(net, bucket, n->kernels->output(us, them, weights, net->hidden));
}
