/* A position with the history that repetition needs. A Position is a plain value: no pointers,
 * copied by assignment. Build one with pos_set (chess/setup.h) or fen_parse (chess/fen.h); change
 * it with pos_make and pos_unmake. Functions that take a Move expect a legal one unless noted. */
#ifndef CHESS_POSITION_H
#define CHESS_POSITION_H

#include "chess/attacks.h"

/* State that a move cannot restore; pos_make saves it in the caller's Undo. */
typedef struct PositionState {
    Key key; /* pieces, side, castling rights, and the en-passant file when a capture
              * is legal there */
    Key pawn_key;
    Key minor_key;                /* knights, bishops and kings of both sides */
    Key nonpawn_key[COLOR_COUNT]; /* all pieces but the pawns, one side */
    Bitboard checkers;            /* enemy pieces that give check to the side to move */
    Bitboard pinned[COLOR_COUNT]; /* [c]: pieces of either colour that alone shield c's king from a
                                     slider */
    uint16_t rule50;              /* plies since a capture or pawn move */
    uint16_t plies_since_null;    /* plies since a null move or the first known position */
    uint8_t castling;             /* rights, see castling_right */
    Square ep;        /* target square, only when an en-passant capture is legal; else SQ_NONE */
    Square ep_beside; /* also where the capture is illegal: Polyglot keys need it */
    Piece captured;   /* by the last move; NO_PIECE if none */
} PositionState;

typedef PositionState Undo;

/* Keys of the last positions, in a ring: more than the fifty-move rule can reach. */
enum { KEY_RING = 512 };

typedef struct Position {
    Bitboard by_type[PIECE_TYPE_COUNT];
    Bitboard by_color[COLOR_COUNT];
    Piece board[SQUARE_COUNT];
    PositionState st;
    Color side;        /* to move */
    bool chess960;     /* castling is king-takes-rook, and any start squares are allowed */
    uint32_t ply;      /* plies made on this value, the index into the ring */
    uint32_t game_ply; /* 2 * (full move number - 1), + 1 when Black moves */
    Square castling_rook[CASTLING_COUNT];    /* where the rook of each right started */
    uint8_t castling_lost[SQUARE_COUNT];     /* rights lost when this square is left or captured */
    Bitboard castling_empty[CASTLING_COUNT]; /* must be empty except for the king and that rook */
    Bitboard
        castling_king_path[CASTLING_COUNT]; /* must not be attacked; includes the target square */
    Key keys[KEY_RING];
} Position;

/* -- Queries -- */

static inline Bitboard pos_occupied(const Position *p)
{
    return p->by_color[WHITE] | p->by_color[BLACK];
}

static inline Bitboard pos_pieces(const Position *p, Color c, PieceType t)
{
    return p->by_color[c] & p->by_type[t];
}

static inline Square pos_king(const Position *p, Color c)
{
    return bb_first(pos_pieces(p, c, KING));
}

static inline Piece pos_piece_on(const Position *p, Square s)
{
    return p->board[s];
}

static inline bool pos_in_check(const Position *p)
{
    return p->st.checkers != 0;
}

/* True when the side to move has more than pawns: the null move needs it. */
static inline bool pos_has_pieces(const Position *p, Color c)
{
    return (p->by_color[c] & ~p->by_type[PAWN] & ~p->by_type[KING]) != 0;
}

static inline bool pos_is_capture(const Position *p, Move m)
{
    return (p->board[move_to(m)] != NO_PIECE && move_kind(m) != MOVE_CASTLING) ||
           move_kind(m) == MOVE_EN_PASSANT;
}

/* The type a capture takes: PAWN for en passant, NO_PIECE_TYPE when nothing is taken. */
static inline PieceType pos_captured_type(const Position *p, Move m)
{
    if (move_kind(m) == MOVE_EN_PASSANT)
        return PAWN;
    if (move_kind(m) == MOVE_CASTLING)
        return NO_PIECE_TYPE;
    return piece_type(p->board[move_to(m)]);
}

/* Where king and rook stand after castling. */
static inline Square castling_king_to(Color c, Wing w)
{
    return square_relative(c, w == KING_SIDE ? SQ_G1 : SQ_C1);
}

static inline Square castling_rook_to(Color c, Wing w)
{
    return square_relative(c, w == KING_SIDE ? SQ_F1 : SQ_D1);
}

static inline Wing castling_wing(Move m)
{
    return move_to(m) > move_from(m) ? KING_SIDE : QUEEN_SIDE;
}

/* Pieces of both colours that attack s with the given occupancy. */
Bitboard pos_attackers(const Position *p, Square s, Bitboard occupied);

/* True when a piece of colour `by` attacks s. */
bool pos_attacked(const Position *p, Square s, Color by, Bitboard occupied);

/* Every square that colour `by` attacks with pieces of the given type. */
Bitboard pos_attacks_by(const Position *p, Color by, PieceType t);

/* -- Legality -- */

/* True when m, any 16-bit value, is legal here. Needs no move list. */
bool pos_is_legal(const Position *p, Move m);

/* True when a legal move gives check. */
bool pos_gives_check(const Position *p, Move m);

/* -- Making moves -- */

/* Makes a legal move. `undo` keeps what pos_unmake needs, in the caller's memory. */
void pos_make(Position *p, Move m, Undo *undo);
void pos_unmake(Position *p, Move m, const Undo *undo);

/* Passes the turn; not while in check. */
void pos_make_null(Position *p, Undo *undo);
void pos_unmake_null(Position *p, const Undo *undo);

/* The same for notated lines that may contain null moves: a legal move or MOVE_NULL. */
static inline void pos_play(Position *p, Move m, Undo *undo)
{
    if (m == MOVE_NULL)
        pos_make_null(p, undo);
    else
        pos_make(p, m, undo);
}

static inline void pos_take_back(Position *p, Move m, const Undo *undo)
{
    if (m == MOVE_NULL)
        pos_unmake_null(p, undo);
    else
        pos_unmake(p, m, undo);
}

/* The key after m, without changes of en passant and castling: used for prefetching. */
Key pos_key_after(const Position *p, Move m);

/* The key as the Polyglot book format defines it. */
Key pos_polyglot_key(const Position *p);

#endif
