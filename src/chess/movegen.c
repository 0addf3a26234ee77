/* Legal move generation with masks: `allowed` holds the squares that answer a check (all when there
 * is none), pinned pieces stay on the line to their king, and king moves are tested one by one.
 * Side, kind and count-only are constant arguments of inlined functions, so that each of the six
 * variants compiles without branches on them. */
#include "chess/movegen.h"

#include "chess/position_int.h"

#define INLINE static inline __attribute__((always_inline))

/* The output: moves written to memory, or only counted. */
typedef struct Sink {
    Move *at;
    int count;
    bool counting; /* a constant at every use */
} Sink;

/* The state of one call. */
typedef struct Gen {
    const Position *p;
    Color us;
    GenKind kind;
    Square king;
    Bitboard occupied, theirs, pinned;
    Bitboard allowed;
} Gen;

INLINE void sink_one(Sink *s, Square from, Square to, MoveKind kind)
{
    if (s->counting)
        s->count++;
    else
        *s->at++ = move_make(from, to, kind);
}

INLINE void sink_targets(Sink *s, Square from, Bitboard targets)
{
    if (s->counting) {
        s->count += bb_count(targets);
        return;
    }
    while (targets)
        *s->at++ = move_make(from, bb_pop(&targets), MOVE_NORMAL);
}

/* Pawn moves all by the same step: the origin is the target minus it. */
INLINE void sink_pawns(Sink *s, Bitboard targets, int step)
{
    if (s->counting) {
        s->count += bb_count(targets);
        return;
    }
    while (targets) {
        Square to = bb_pop(&targets);
        *s->at++ = move_make((Square)(to - step), to, MOVE_NORMAL);
    }
}

INLINE void sink_promotions(Sink *s, Bitboard targets, int step)
{
    if (s->counting) {
        s->count += 4 * bb_count(targets);
        return;
    }
    while (targets) {
        Square to = bb_pop(&targets), from = (Square)(to - step);
        *s->at++ = move_make(from, to, MOVE_PROMOTE_QUEEN);
        *s->at++ = move_make(from, to, MOVE_PROMOTE_KNIGHT);
        *s->at++ = move_make(from, to, MOVE_PROMOTE_ROOK);
        *s->at++ = move_make(from, to, MOVE_PROMOTE_BISHOP);
    }
}

/* Pawn moves of one set of pawns that may all go to the same `allowed` squares. */
INLINE void gen_pawn_set(const Gen *g, Sink *s, Bitboard pawns, Bitboard allowed)
{
    int up = g->us == WHITE ? 8 : -8;
    Bitboard last = bb_relative_rank(g->us, 7), empty = ~g->occupied;
    Bitboard once = bb_forward(g->us, pawns) & empty;
    Bitboard twice = bb_forward(g->us, once & bb_relative_rank(g->us, 2)) & empty & allowed;
    once &= allowed;
    if (g->kind != GEN_QUIET) {
        Bitboard ahead = bb_forward(g->us, pawns), targets = g->theirs & allowed;
        Bitboard east = bb_east(ahead) & targets, west = bb_west(ahead) & targets;
        sink_pawns(s, east & ~last, up + 1);
        sink_pawns(s, west & ~last, up - 1);
        if ((once | east | west) & last) {
            sink_promotions(s, once & last, up);
            sink_promotions(s, east & last, up + 1);
            sink_promotions(s, west & last, up - 1);
        }
    }
    if (g->kind != GEN_NOISY) {
        sink_pawns(s, once & ~last, up);
        sink_pawns(s, twice, 2 * up);
    }
}

INLINE void gen_pawns(const Gen *g, Sink *s)
{
    Bitboard pawns = pos_pieces(g->p, g->us, PAWN);
    gen_pawn_set(g, s, pawns & ~g->pinned, g->allowed);
    for (Bitboard held = pawns & g->pinned; held;) {
        Square from = bb_pop(&held);
        gen_pawn_set(g, s, bb_of(from), g->allowed & bb_line(g->king, from));
    }
    if (g->kind != GEN_QUIET && g->p->st.ep != SQ_NONE) {
        Square to = g->p->st.ep;
        Bitboard takers = attacks_pawn(color_other(g->us), to) & pawns;
        while (takers) {
            Square from = bb_pop(&takers);
            if (ep_is_legal(g->p, from, to))
                sink_one(s, from, to, MOVE_EN_PASSANT);
        }
    }
}

INLINE Bitboard gen_wanted(const Gen *g)
{
    return g->kind == GEN_NOISY   ? g->theirs
           : g->kind == GEN_QUIET ? ~g->occupied
                                  : ~g->p->by_color[g->us];
}

INLINE void gen_pieces(const Gen *g, Sink *s, PieceType t, Bitboard wanted)
{
    Bitboard from_set = pos_pieces(g->p, g->us, t);
    if (t == KNIGHT)
        from_set &= ~g->pinned; /* a pinned knight can never stay on its line */
    while (from_set) {
        Square from = bb_pop(&from_set);
        Bitboard targets = attacks_of(t, from, g->occupied) & wanted;
        if (t != KNIGHT && (g->pinned & bb_of(from)))
            targets &= bb_line(g->king, from);
        sink_targets(s, from, targets);
    }
}

INLINE void gen_king(const Gen *g, Sink *s)
{
    /* Without the king on the board: it does not block the attack on the squares behind it. */
    Bitboard occupied = g->occupied ^ bb_of(g->king);
    Bitboard targets = attacks_king(g->king) & gen_wanted(g);
    while (targets) {
        Square to = bb_pop(&targets);
        if (!pos_attacked(g->p, to, color_other(g->us), occupied))
            sink_one(s, g->king, to, MOVE_NORMAL);
    }
}

INLINE void gen_castling(const Gen *g, Sink *s)
{
    for (Wing w = KING_SIDE; w <= QUEEN_SIDE; w++)
        if (castling_is_possible(g->p, g->us, w))
            sink_one(s, g->king, g->p->castling_rook[castling_index(g->us, w)], MOVE_CASTLING);
}

INLINE void gen_side(const Position *p, GenKind kind, Color us, Sink *s)
{
    Gen g = {.p = p, .us = us, .kind = kind, .king = pos_king(p, us), .allowed = ~0ULL};
    g.occupied = pos_occupied(p);
    g.theirs = p->by_color[color_other(us)];
    g.pinned = p->st.pinned[us];
    gen_king(&g, s);
    if (p->st.checkers) {
        if (bb_many(p->st.checkers))
            return;
        Square checker = bb_first(p->st.checkers);
        g.allowed = bb_between(g.king, checker) | bb_of(checker);
    }
    Bitboard wanted = gen_wanted(&g) & g.allowed;
    gen_pawns(&g, s);
    gen_pieces(&g, s, KNIGHT, wanted);
    gen_pieces(&g, s, BISHOP, wanted);
    gen_pieces(&g, s, ROOK, wanted);
    gen_pieces(&g, s, QUEEN, wanted);
    if (kind != GEN_NOISY &&
        p->st.castling & (castling_right(us, KING_SIDE) | castling_right(us, QUEEN_SIDE)))
        gen_castling(&g, s);
}

INLINE Sink gen(const Position *p, GenKind kind, Sink s)
{
    if (p->side == WHITE)
        gen_side(p, kind, WHITE, &s);
    else
        gen_side(p, kind, BLACK, &s);
    return s;
}

int movegen(const Position *p, GenKind kind, Move *out)
{
    Sink s = {.at = out};
    switch (kind) {
    case GEN_NOISY:
        return (int)(gen(p, GEN_NOISY, s).at - out);
    case GEN_QUIET:
        return (int)(gen(p, GEN_QUIET, s).at - out);
    default:
        return (int)(gen(p, GEN_ALL, s).at - out);
    }
}

int movegen_count(const Position *p)
{
    return gen(p, GEN_ALL, (Sink){.counting = true}).count;
}

bool movegen_any(const Position *p)
{
    return movegen_count(p) > 0;
}

/* By insertion: the lists are short. */
void movegen_sort(Move *moves, int *ranks, int count)
{
    for (int i = 1; i < count; i++) {
        Move m = moves[i];
        int rank = ranks[i], k = i;
        for (; k > 0 && ranks[k - 1] < rank; k--) {
            moves[k] = moves[k - 1];
            ranks[k] = ranks[k - 1];
        }
        moves[k] = m;
        ranks[k] = rank;
    }
}

bool movegen_mates(const Position *p, Move m)
{
    if (!pos_gives_check(p, m))
        return false;
    Position after = *p;
    Undo undo;
    pos_make(&after, m, &undo);
    return !movegen_any(&after);
}
