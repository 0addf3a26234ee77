#include "chess/uci_move.h"

#include <string.h>

enum { NULL_TEXT_LENGTH = 4 };

static const char PROMOTION_LETTERS[] = "nbrq";

void square_name(Square s, char out[3])
{
    if (s >= SQUARE_COUNT) {
        memcpy(out, "-", 2);
        return;
    }
    out[0] = (char)('a' + square_file(s));
    out[1] = (char)('1' + square_rank(s));
    out[2] = '\0';
}

void uci_move_write(const Position *p, Move m, char out[UCI_MOVE_SIZE])
{
    if (move_is_none(m)) {
        memcpy(out, "0000", NULL_TEXT_LENGTH + 1);
        return;
    }
    Square to = move_to(m);
    if (move_kind(m) == MOVE_CASTLING && !p->chess960)
        to = castling_king_to(p->side, castling_wing(m));
    square_name(move_from(m), out);
    square_name(to, out + 2);
    if (move_is_promotion(m)) {
        out[4] = PROMOTION_LETTERS[move_promotion(m) - KNIGHT];
        out[5] = '\0';
    }
}

Square square_read(const char at[2])
{
    if (at[0] < 'a' || at[0] > 'h' || at[1] < '1' || at[1] > '8')
        return SQ_NONE;
    return square_make(at[0] - 'a', at[1] - '1');
}

/* Castling in either style. In Chess960 a single king step is never castling: only king takes rook
 * or a longer king move is. */
static Move read_castling(const Position *p, Square from, Square to)
{
    for (int w = KING_SIDE; w <= QUEEN_SIDE; w++) {
        if (!(p->st.castling & castling_right(p->side, (Wing)w)))
            continue;
        Square rook = p->castling_rook[castling_index(p->side, (Wing)w)];
        bool goes_far = !(attacks_king(from) & bb_of(to)) && to != from;
        if (to == rook || (to == castling_king_to(p->side, (Wing)w) && goes_far))
            return move_make(from, rook, MOVE_CASTLING);
    }
    return MOVE_NONE;
}

static Move read_promotion(Square from, Square to, char letter)
{
    const char *found = memchr(PROMOTION_LETTERS, letter | ('a' ^ 'A'), 4);
    if (!found)
        return MOVE_NONE;
    return move_make_promotion(from, to, (PieceType)(found - PROMOTION_LETTERS + KNIGHT));
}

Move uci_move_read(const Position *p, Span text)
{
    if (text.len != 4 && text.len != 5)
        return MOVE_NONE;
    Square from = square_read(text.at);
    Square to = square_read(text.at + 2);
    if (from == SQ_NONE || to == SQ_NONE)
        return MOVE_NONE;
    Piece piece = p->board[from];
    Move m = MOVE_NONE;
    if (text.len == 5)
        m = read_promotion(from, to, text.at[4]);
    else if (piece == piece_make(p->side, PAWN) && to == p->st.ep &&
             square_file(from) != square_file(to))
        m = move_make(from, to, MOVE_EN_PASSANT);
    else if (piece == piece_make(p->side, KING))
        m = read_castling(p, from, to);
    if (m == MOVE_NONE && text.len == 4)
        m = move_make(from, to, MOVE_NORMAL);
    return pos_is_legal(p, m) ? m : MOVE_NONE;
}
