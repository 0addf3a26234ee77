/* Making and unmaking moves with everything kept incrementally: bitboards, mailbox, keys, checkers
 * and pins. Invariant: between calls, everything in Position agrees with the board
 * (pos_is_consistent recomputes it). */
#include "chess/position_int.h"

#include "chess/polyglot_numbers.h"
#include "chess/zobrist.h"

#include <assert.h>
#include <string.h>

/* -- Attacks -- */

Bitboard pos_attackers(const Position *p, Square s, Bitboard occupied)
{
    Bitboard diagonal = p->by_type[BISHOP] | p->by_type[QUEEN];
    Bitboard straight = p->by_type[ROOK] | p->by_type[QUEEN];
    return (attacks_pawn(BLACK, s) & pos_pieces(p, WHITE, PAWN)) |
           (attacks_pawn(WHITE, s) & pos_pieces(p, BLACK, PAWN)) |
           (attacks_knight(s) & p->by_type[KNIGHT]) | (attacks_king(s) & p->by_type[KING]) |
           (attacks_bishop(s, occupied) & diagonal) | (attacks_rook(s, occupied) & straight);
}

bool pos_attacked(const Position *p, Square s, Color by, Bitboard occupied)
{
    Bitboard theirs = p->by_color[by];
    if ((attacks_pawn(color_other(by), s) & theirs & p->by_type[PAWN]) ||
        (attacks_knight(s) & theirs & p->by_type[KNIGHT]) ||
        (attacks_king(s) & theirs & p->by_type[KING]))
        return true;
    return (attacks_bishop(s, occupied) & theirs & (p->by_type[BISHOP] | p->by_type[QUEEN])) ||
           (attacks_rook(s, occupied) & theirs & (p->by_type[ROOK] | p->by_type[QUEEN]));
}

Bitboard pos_attacks_by(const Position *p, Color by, PieceType t)
{
    Bitboard from = pos_pieces(p, by, t), seen = 0;
    if (t == PAWN)
        return bb_pawn_attacks(by, from);
    while (from)
        seen |= attacks_of(t, bb_pop(&from), pos_occupied(p));
    return seen;
}

/* -- Checks and pins -- */

/* The sliders of `by` that would attack s on an empty board. */
static inline Bitboard snipers(const Position *p, Square s, Color by)
{
    Bitboard straight = p->by_type[ROOK] | p->by_type[QUEEN];
    Bitboard diagonal = p->by_type[BISHOP] | p->by_type[QUEEN];
    /* The first table entry of a slider is its attack set on an empty board. */
    return ((attack_tables.rook[s].attacks[0] & straight) |
            (attack_tables.bishop[s].attacks[0] & diagonal)) &
           p->by_color[by];
}

/* Fills pinned[c] and returns the sliders that check c's king. */
static inline Bitboard find_pins(Position *p, Color c)
{
    Square king = pos_king(p, c);
    Bitboard occupied = pos_occupied(p), pinned = 0, checkers = 0;
    Bitboard from = snipers(p, king, color_other(c));
    while (from) {
        Square s = bb_pop(&from);
        Bitboard shield = bb_between(king, s) & occupied;
        if (!shield)
            checkers |= bb_of(s);
        else if (!bb_many(shield))
            pinned |= shield;
    }
    p->st.pinned[c] = pinned;
    return checkers;
}

static inline void refresh_checks(Position *p)
{
    Color us = p->side, them = color_other(us);
    Square king = pos_king(p, us);
    p->st.checkers = find_pins(p, us) | (attacks_knight(king) & pos_pieces(p, them, KNIGHT)) |
                     (attacks_pawn(us, king) & pos_pieces(p, them, PAWN));
    find_pins(p, them);
}

/* -- Pieces on and off the board -- */

static inline void key_toggle(PositionState *st, Piece piece, Square s)
{
    Key k = zobrist.piece[piece][s];
    PieceType t = piece_type(piece);
    st->key ^= k;
    if (t == PAWN) {
        st->pawn_key ^= k;
        return;
    }
    st->nonpawn_key[piece_color(piece)] ^= k;
    if (t == KNIGHT || t == BISHOP || t == KING)
        st->minor_key ^= k;
}

static inline void board_put(Position *p, Piece piece, Square s)
{
    p->board[s] = piece;
    p->by_type[piece_type(piece)] |= bb_of(s);
    p->by_color[piece_color(piece)] |= bb_of(s);
}

static inline void board_remove(Position *p, Piece piece, Square s)
{
    p->board[s] = NO_PIECE;
    p->by_type[piece_type(piece)] ^= bb_of(s);
    p->by_color[piece_color(piece)] ^= bb_of(s);
}

static inline void board_move(Position *p, Piece piece, Square from, Square to)
{
    Bitboard both = bb_of(from) | bb_of(to);
    p->board[from] = NO_PIECE;
    p->board[to] = piece;
    p->by_type[piece_type(piece)] ^= both;
    p->by_color[piece_color(piece)] ^= both;
}

/* -- En passant -- */

/* After a double step over `target`: sets the en-passant square where a capture is possible. */
static void set_ep(Position *p, Square target)
{
    Color us = p->side;
    Bitboard takers = attacks_pawn(color_other(us), target) & pos_pieces(p, us, PAWN);
    if (takers)
        p->st.ep_beside = target;
    while (takers) {
        if (ep_is_legal(p, bb_pop(&takers), target)) {
            p->st.ep = target;
            p->st.key ^= zobrist.ep_file[square_file(target)];
            return;
        }
    }
}

static inline void clear_ep(PositionState *st)
{
    if (st->ep != SQ_NONE)
        st->key ^= zobrist.ep_file[square_file(st->ep)];
    st->ep = st->ep_beside = SQ_NONE;
}

/* -- Making moves -- */

static void make_castling(Position *p, Move m)
{
    Color us = p->side;
    Wing wing = castling_wing(m);
    Piece king = piece_make(us, KING), rook = piece_make(us, ROOK);
    Square king_to = castling_king_to(us, wing), rook_to = castling_rook_to(us, wing);
    /* In Chess960 the squares may overlap: clear both before placing either. */
    board_remove(p, king, move_from(m));
    board_remove(p, rook, move_to(m));
    board_put(p, king, king_to);
    board_put(p, rook, rook_to);
    key_toggle(&p->st, king, move_from(m));
    key_toggle(&p->st, king, king_to);
    key_toggle(&p->st, rook, move_to(m));
    key_toggle(&p->st, rook, rook_to);
}

static void unmake_castling(Position *p, Move m)
{
    Color us = p->side;
    Wing wing = castling_wing(m);
    Piece king = piece_make(us, KING), rook = piece_make(us, ROOK);
    board_remove(p, king, castling_king_to(us, wing));
    board_remove(p, rook, castling_rook_to(us, wing));
    board_put(p, king, move_from(m));
    board_put(p, rook, move_to(m));
}

static inline Square captured_square(Move m)
{
    return move_kind(m) == MOVE_EN_PASSANT ? (Square)(move_to(m) ^ 8) : move_to(m);
}

static inline void make_normal(Position *p, Move m)
{
    PositionState *st = &p->st;
    Square from = move_from(m), to = move_to(m), taken_on = captured_square(m);
    Piece piece = p->board[from], taken = p->board[taken_on];
    if (taken != NO_PIECE) {
        st->captured = taken;
        st->rule50 = 0;
        board_remove(p, taken, taken_on);
        key_toggle(st, taken, taken_on);
    }
    board_move(p, piece, from, to);
    key_toggle(st, piece, from);
    if (move_is_promotion(m)) {
        Piece promoted = piece_make(p->side, move_promotion(m));
        board_remove(p, piece, to);
        board_put(p, promoted, to);
        piece = promoted;
        st->rule50 = 0;
    } else if (piece_type(piece) == PAWN) {
        st->rule50 = 0;
    }
    key_toggle(st, piece, to);
}

/* What making a null move shares with the others. */
static inline void begin_move(Position *p, Undo *undo)
{
    PositionState *st = &p->st;
    *undo = *st;
    p->keys[p->ply++ % KEY_RING] = st->key;
    p->game_ply++;
    st->rule50++;
    st->plies_since_null++;
    st->captured = NO_PIECE;
    st->key ^= zobrist.side;
    clear_ep(st);
}

void pos_make(Position *p, Move m, Undo *undo)
{
    PositionState *st = &p->st;
    Square from = move_from(m), to = move_to(m);
    begin_move(p, undo);
    bool double_step = piece_type(p->board[from]) == PAWN && (from ^ to) == 16;

    if (move_kind(m) == MOVE_CASTLING)
        make_castling(p, m);
    else
        make_normal(p, m);

    int lost = st->castling & (p->castling_lost[from] | p->castling_lost[to]);
    if (lost) {
        st->key ^= zobrist.castling[st->castling];
        st->castling ^= (uint8_t)lost;
        st->key ^= zobrist.castling[st->castling];
    }
    p->side = color_other(p->side);
    if (double_step)
        set_ep(p, (Square)((from + to) / 2));
    refresh_checks(p);
    assert(!pos_attacked(p, pos_king(p, color_other(p->side)), p->side, pos_occupied(p)));
}

void pos_unmake(Position *p, Move m, const Undo *undo)
{
    p->side = color_other(p->side);
    p->ply--;
    p->game_ply--;
    if (move_kind(m) == MOVE_CASTLING) {
        unmake_castling(p, m);
    } else {
        Square from = move_from(m), to = move_to(m);
        Piece piece = p->board[to];
        if (move_is_promotion(m)) {
            board_remove(p, piece, to);
            board_put(p, piece_make(p->side, PAWN), from);
        } else {
            board_move(p, piece, to, from);
        }
        if (p->st.captured != NO_PIECE)
            board_put(p, p->st.captured, captured_square(m));
    }
    p->st = *undo;
}

void pos_make_null(Position *p, Undo *undo)
{
    begin_move(p, undo);
    p->st.plies_since_null = 0;
    p->side = color_other(p->side);
    refresh_checks(p);
}

void pos_unmake_null(Position *p, const Undo *undo)
{
    p->side = color_other(p->side);
    p->ply--;
    p->game_ply--;
    p->st = *undo;
}

/* -- Keys -- */

Key pos_key_after(const Position *p, Move m)
{
    Square from = move_from(m), to = move_to(m);
    Piece piece = p->board[from], taken = p->board[to];
    Key k = p->st.key ^ zobrist.side ^ zobrist.piece[piece][from] ^ zobrist.piece[piece][to];
    return taken == NO_PIECE ? k : k ^ zobrist.piece[taken][to];
}

Key pos_polyglot_key(const Position *p)
{
    enum { CASTLING_AT = 768, EP_AT = 772, TURN_AT = 780 };
    Key k = 0;
    Bitboard pieces = pos_occupied(p);
    while (pieces) {
        Square s = bb_pop(&pieces);
        k ^= polyglot_numbers[64 * (p->board[s] ^ 1) + s]; /* Polyglot numbers black pieces first */
    }
    for (int i = 0; i < CASTLING_COUNT; i++)
        if (p->st.castling & 1 << i)
            k ^= polyglot_numbers[CASTLING_AT + i];
    if (p->st.ep_beside != SQ_NONE)
        k ^= polyglot_numbers[EP_AT + square_file(p->st.ep_beside)];
    return p->side == WHITE ? k ^ polyglot_numbers[TURN_AT] : k;
}

/* -- Building -- */

static void build_castling(Position *p, Color c, Wing w, Square rook)
{
    int i = castling_index(c, w);
    Square king = pos_king(p, c), king_to = castling_king_to(c, w),
           rook_to = castling_rook_to(c, w);
    Bitboard king_path = bb_between(king, king_to) | bb_of(king_to);
    Bitboard rook_path = bb_between(rook, rook_to) | bb_of(rook_to);
    p->st.castling |= (uint8_t)castling_right(c, w);
    p->castling_rook[i] = rook;
    p->castling_lost[king] |= (uint8_t)castling_right(c, w);
    p->castling_lost[rook] |= (uint8_t)castling_right(c, w);
    p->castling_empty[i] = (king_path | rook_path) & ~bb_of(king) & ~bb_of(rook);
    p->castling_king_path[i] = king_path;
}

void pos_build(Position *p, const Setup *s)
{
    memset(p, 0, sizeof *p);
    memset(p->board, NO_PIECE, sizeof p->board);
    for (int i = 0; i < SQUARE_COUNT; i++) {
        if (s->board[i] == NO_PIECE)
            continue;
        board_put(p, s->board[i], (Square)i);
        key_toggle(&p->st, s->board[i], (Square)i);
    }
    p->side = s->side;
    p->chess960 = s->chess960;
    p->game_ply = 2 * (uint32_t)(s->fullmove - 1) + (s->side == BLACK);
    p->st.rule50 = (uint16_t)s->rule50;
    p->st.ep = p->st.ep_beside = SQ_NONE;
    p->st.captured = NO_PIECE;
    memset(p->castling_rook, SQ_NONE, sizeof p->castling_rook);
    for (int i = 0; i < CASTLING_COUNT; i++)
        if (s->castling_rook[i] != SQ_NONE)
            build_castling(p, (Color)(i / 2), (Wing)(i % 2), s->castling_rook[i]);
    p->st.key ^= zobrist.castling[p->st.castling];
    if (p->side == BLACK)
        p->st.key ^= zobrist.side;
    if (s->ep != SQ_NONE)
        set_ep(p, s->ep);
    refresh_checks(p);
}
