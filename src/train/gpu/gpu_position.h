/* Positions on the card, one for each ply of a search, in memory that is shared by the lanes of a
 * warp. Standard chess only: kings and rooks castle from where they start. Squares, pieces and
 * moves are numbered as everywhere (chess/types.h). */
#ifndef TRAIN_GPU_POSITION_H
#define TRAIN_GPU_POSITION_H

#include "train/gpu/warp.h"

enum { G_PAWN, G_KNIGHT, G_BISHOP, G_ROOK, G_QUEEN, G_KING, G_TYPES };
enum { G_NO_PIECE = 12, G_NO_SQUARE = 64, G_NO_CHANGE = 0xffff };
enum { G_NORMAL, G_EN_PASSANT, G_CASTLING, G_PROMOTION = 4 };
enum { G_NULL_MOVE = 65 };
enum { G_LINES = 4 }; /* rank, file, diagonal, antidiagonal */

typedef struct GTables {
    uint64_t line[G_LINES][64]; /* without the square itself */
    uint64_t knight[64], king[64];
} GTables;

typedef struct GPosition {
    uint64_t by_type[G_TYPES];
    uint64_t by_color[2];
    uint64_t key;
    uint32_t board[8]; /* four bits a square */
    uint16_t
        changes[4]; /* of the last move: removed, added, removed, added (piece << 6 | square) */
    uint8_t side, castling, ep, rule50;
    uint8_t in_check;
    uint8_t accumulator; /* the ply whose accumulator is this position's */
    uint16_t move;       /* that led here */
    uint16_t killer;
    int16_t eval;
} GPosition;

DEVICE uint64_t g_bit(int s)
{
    return 1ULL << s;
}

DEVICE int g_from(int m)
{
    return m & 63;
}

DEVICE int g_to(int m)
{
    return m >> 6 & 63;
}

DEVICE int g_kind(int m)
{
    return m >> 12;
}

DEVICE bool g_is_promotion(int m)
{
    return m >> 14 == 1;
}

DEVICE int g_piece_on(const GPosition *p, int s)
{
    return (int)(p->board[s >> 3] >> 4 * (s & 7) & 15);
}

DEVICE uint64_t g_occupied(const GPosition *p)
{
    return p->by_color[0] | p->by_color[1];
}

DEVICE int g_captured_type(const GPosition *p, int m)
{
    return g_kind(m) == G_EN_PASSANT ? G_PAWN
           : g_kind(m) == G_CASTLING ? G_TYPES
                                     : g_piece_on(p, g_to(m)) >> 1;
}

DEVICE bool g_is_noisy(const GPosition *p, int m)
{
    return g_captured_type(p, m) != G_TYPES || g_is_promotion(m);
}

DEVICE uint64_t g_pawn_attacks(int side, uint64_t pawns)
{
    uint64_t ahead = side ? pawns >> 8 : pawns << 8;
    return (ahead & ~0x8080808080808080ULL) << 1 | (ahead & ~0x0101010101010101ULL) >> 1;
}

/* -- Attacks -- */

/* Hyperbola quintessence: what a slider sees along a line. */
DEVICE uint64_t g_line_attacks(uint64_t line, int s, uint64_t occupied)
{
    uint64_t blockers = occupied & line, slider = g_bit(s);
    uint64_t up = blockers - 2 * slider;
    uint64_t down = bit_reverse(bit_reverse(blockers) - 2 * bit_reverse(slider));
    return (up ^ down) & line;
}

enum { G_ATTACKER_KINDS = 7 }; /* four lines, knights, kings, pawns */

/* Pieces of side `by` of one kind that attack a square. */
DEVICE uint64_t g_attackers_of_kind(const GTables *t, const GPosition *p, int s, int by, int kind)
{
    uint64_t found = 0;
    if (kind < G_LINES)
        found = g_line_attacks(t->line[kind][s], s, g_occupied(p)) &
                (p->by_type[G_QUEEN] | p->by_type[kind < 2 ? G_ROOK : G_BISHOP]);
    else if (kind == G_LINES)
        found = t->knight[s] & p->by_type[G_KNIGHT];
    else if (kind == G_LINES + 1)
        found = t->king[s] & p->by_type[G_KING];
    else if (kind == G_LINES + 2)
        found = g_pawn_attacks(by ^ 1, g_bit(s)) & p->by_type[G_PAWN];
    return found & p->by_color[by];
}

/* Whether side `by` attacks a square: each lane looks for attackers of one kind. */
DEVICE_CALL bool g_attacked(const GTables *t, const GPosition *p, int s, int by)
{
    return warp_any(g_attackers_of_kind(t, p, s, by, warp_lane()) != 0);
}

DEVICE int g_king(const GPosition *p, int side)
{
    return bit_first(p->by_type[G_KING] & p->by_color[side]);
}

/* -- Making moves. `keys` are random numbers for pieces on squares, castling rights, files of en
 * passant, and the side. -- */

enum { G_KEY_CASTLING = 768, G_KEY_EP = 784, G_KEY_SIDE = 792, G_KEYS = 793 };

/* Rights that are gone when a piece leaves the square or is captured there. */
DEVICE int g_castling_lost(int s)
{
    return s == 0 ? 2 : s == 4 ? 3 : s == 7 ? 1 : s == 56 ? 8 : s == 60 ? 12 : s == 63 ? 4 : 0;
}

DEVICE uint64_t g_state_key(const uint64_t *keys, int castling, int ep)
{
    uint64_t key = keys[G_KEY_CASTLING + castling];
    return ep == G_NO_SQUARE ? key : key ^ keys[G_KEY_EP + (ep & 7)];
}

/* What a move does: up to four changes, in the order removed, added, removed, added. */
typedef struct GChanges {
    int at[4]; /* piece << 6 | square, or G_NO_CHANGE */
    int ep;
    bool irreversible;
} GChanges;

DEVICE GChanges g_changes_of(const GPosition *p, int m)
{
    GChanges c = {{G_NO_CHANGE, G_NO_CHANGE, G_NO_CHANGE, G_NO_CHANGE}, G_NO_SQUARE, false};
    int from = g_from(m), to = g_to(m), side = p->side;
    if (m == G_NULL_MOVE)
        return c;
    int piece = g_piece_on(p, from);
    c.at[0] = piece << 6 | from;
    if (g_kind(m) == G_CASTLING) {
        bool short_side = to > from;
        c.at[1] = piece << 6 | (side * 56 + (short_side ? 6 : 2));
        c.at[2] = (2 * G_ROOK + side) << 6 | to;
        c.at[3] = (2 * G_ROOK + side) << 6 | (side * 56 + (short_side ? 5 : 3));
        return c;
    }
    int capture = g_kind(m) == G_EN_PASSANT ? to ^ 8 : to, captured = g_piece_on(p, capture);
    int placed = g_is_promotion(m) ? 2 * ((m >> 12 & 3) + G_KNIGHT) + side : piece;
    c.at[1] = placed << 6 | to;
    if (captured != G_NO_PIECE)
        c.at[2] = captured << 6 | capture;
    c.irreversible = captured != G_NO_PIECE || piece >> 1 == G_PAWN;
    /* The target of en passant is kept only where a pawn stands beside. */
    int behind = (from + to) / 2;
    if (piece >> 1 == G_PAWN && (from ^ to) == 16 &&
        (g_pawn_attacks(side, g_bit(behind)) & p->by_type[G_PAWN] & p->by_color[side ^ 1]))
        c.ep = behind;
    return c;
}

/* The parts of a position, of eight bytes each: a lane writes one of them. */
enum { G_PART_COLOR = 6, G_PART_KEY = 8, G_PART_BOARD = 9, G_PART_CHANGES = 13, G_PARTS = 14 };

/* The numbers that the key changes by are read by nine lanes at once: this is the one of a lane, or
 * G_NO_CHANGE. */
DEVICE int g_key_index(const GPosition *p, const GChanges *c, int castling, int lane)
{
    int at = lane == 0 ? c->at[0] : lane == 1 ? c->at[1] : lane == 2 ? c->at[2] : G_NO_CHANGE;
    at = lane == 3 ? c->at[3] : at;
    at = lane == 4 ? G_KEY_CASTLING + p->castling : at;
    at = lane == 5 ? G_KEY_CASTLING + castling : at;
    at = lane == 6 && p->ep != G_NO_SQUARE ? G_KEY_EP + (p->ep & 7) : at;
    at = lane == 7 && c->ep != G_NO_SQUARE ? G_KEY_EP + (c->ep & 7) : at;
    return lane == 8 ? (int)G_KEY_SIDE : at;
}

/* One change in the part of a lane; without branches, since lanes would take them in turn. */
DEVICE uint64_t g_part_changed(uint64_t part, int lane, int change, bool added)
{
    int piece = change >> 6, s = change & 63, shift = 4 * (s & 15);
    bool toggles = lane < G_PART_COLOR ? piece >> 1 == lane : lane == G_PART_COLOR + (piece & 1);
    uint64_t put = (uint64_t)(added ? piece : (int)G_NO_PIECE) << shift;
    part ^= toggles ? g_bit(s) : 0;
    return lane == G_PART_BOARD + (s >> 4) ? (part & ~(15ULL << shift)) | put : part;
}

/* Removals of a square stand before what is put there: the captured piece is the third change. */
DEVICE uint64_t g_part_after(uint64_t part, int lane, const GChanges *c)
{
    if (c->at[0] == G_NO_CHANGE)
        return part;
    part = g_part_changed(part, lane, c->at[0], false);
    if (c->at[2] != G_NO_CHANGE)
        part = g_part_changed(part, lane, c->at[2], false);
    part = g_part_changed(part, lane, c->at[1], true);
    if (c->at[3] != G_NO_CHANGE)
        part = g_part_changed(part, lane, c->at[3], true);
    return part;
}

/* The position at p[1] is that after m (which may be a null move); its killer stays. */
DEVICE_CALL void g_place(const uint64_t *keys, GPosition *p, int m)
{
    GChanges c = g_changes_of(p, m);
    int lane = warp_lane(), lost = g_castling_lost(g_from(m)) | g_castling_lost(g_to(m));
    int castling = m == G_NULL_MOVE ? p->castling : p->castling & ~lost;
    int index = g_key_index(p, &c, castling, lane);
    uint64_t number = index == G_NO_CHANGE ? 0 : keys[index];
    uint64_t part = g_part_after(((const uint64_t *)p)[lane < G_PARTS ? lane : 0], lane, &c);
    if (lane == G_PART_CHANGES)
        part = (uint64_t)c.at[0] | (uint64_t)c.at[1] << 16 | (uint64_t)c.at[2] << 32 |
               (uint64_t)c.at[3] << 48;
    uint64_t change = warp_xor(number);
    part ^= lane == G_PART_KEY ? change : 0;
    warp_sync();
    if (lane < G_PARTS)
        ((uint64_t *)&p[1])[lane] = part;
    if (lane == G_PARTS) {
        p[1].side = p->side ^ 1;
        p[1].castling = (uint8_t)castling;
        p[1].ep = (uint8_t)c.ep;
        p[1].rule50 = (uint8_t)(c.irreversible ? 0 : p->rule50 + 1);
        p[1].in_check = 0;
        p[1].accumulator = p->accumulator;
        p[1].move = (uint16_t)m;
    }
    warp_sync();
}

/* What g_place left open: false when the mover's king could be captured; whether the other is in
 * check. Eight lanes look at each king. */
DEVICE_CALL bool g_look_for_checks(const GTables *t, GPosition *p)
{
    int lane = warp_lane(), side = lane < 8 ? p->side ^ 1 : p->side;
    int kind = lane < 16 ? lane & 7 : (int)G_ATTACKER_KINDS;
    uint32_t found = warp_ballot(g_attackers_of_kind(t, p, g_king(p, side), side ^ 1, kind) != 0);
    if (lane == 0)
        p->in_check = found >> 8 != 0;
    warp_sync();
    return !(found & 0xff);
}

/* Copies a position; each lane a part of it. */
DEVICE void g_copy(GPosition *to, const GPosition *from)
{
    const uint64_t *source = (const uint64_t *)from;
    uint64_t *target = (uint64_t *)to;
    warp_sync();
    if (warp_lane() < (int)(sizeof *to / sizeof *target))
        target[warp_lane()] = source[warp_lane()];
    warp_sync();
}

/* False when the mover's king could be captured. */
DEVICE bool g_make(const GTables *t, const uint64_t *keys, GPosition *p, int m)
{
    g_place(keys, p, m);
    return g_look_for_checks(t, &p[1]);
}

#endif
