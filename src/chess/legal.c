/* Legality of single moves, and whether they give check. */
#include "chess/position_int.h"

bool castling_is_possible(const Position *p, Color us, Wing w)
{
    int i = castling_index(us, w);
    if (!(p->st.castling & 1 << i) || p->st.checkers)
        return false;
    Bitboard occupied = pos_occupied(p);
    if (occupied & p->castling_empty[i])
        return false;
    /* In Chess960 the castling rook may be pinned in front of the king's new square. */
    Bitboard without = occupied ^ bb_of(p->castling_rook[i]) ^ bb_of(pos_king(p, us));
    Bitboard path = p->castling_king_path[i];
    while (path)
        if (pos_attacked(p, bb_pop(&path), color_other(us), without))
            return false;
    return true;
}

/* En passant removes two pawns from a rank: no pin mask covers that. */
bool ep_is_legal(const Position *p, Square from, Square to)
{
    Color us = piece_color(p->board[from]);
    Square taken = (Square)(to ^ 8);
    Bitboard occupied = (pos_occupied(p) ^ bb_of(from) ^ bb_of(taken)) | bb_of(to);
    Bitboard attackers = pos_attackers(p, pos_king(p, us), occupied);
    return !(attackers & p->by_color[color_other(us)] & ~bb_of(taken));
}

static bool pawn_can_reach(const Position *p, Square from, Square to)
{
    Color us = p->side;
    Bitboard empty = ~pos_occupied(p);
    if (attacks_pawn(us, from) & p->by_color[color_other(us)] & bb_of(to))
        return true;
    Bitboard once = bb_forward(us, bb_of(from)) & empty;
    Bitboard twice = bb_forward(us, once) & empty & bb_relative_rank(us, 3);
    return ((once | (square_relative_rank(us, from) == 1 ? twice : 0)) & bb_of(to)) != 0;
}

/* Pseudo-legal: the move fits the piece. */
static bool is_possible(const Position *p, Move m, PieceType t)
{
    Square from = move_from(m), to = move_to(m);
    if (p->by_color[p->side] & bb_of(to))
        return false;
    if (t != PAWN)
        return move_kind(m) == MOVE_NORMAL && (attacks_of(t, from, pos_occupied(p)) & bb_of(to));
    return move_is_promotion(m) == (square_relative_rank(p->side, to) == 7) &&
           pawn_can_reach(p, from, to);
}

/* The king is safe after a possible move that is neither castling nor en passant. */
static bool keeps_king_safe(const Position *p, Move m, PieceType t)
{
    Color us = p->side;
    Square from = move_from(m), to = move_to(m), king = pos_king(p, us);
    if (t == KING)
        return !pos_attacked(p, to, color_other(us), pos_occupied(p) ^ bb_of(from));
    if (bb_many(p->st.checkers))
        return false;
    if (p->st.checkers) {
        Square checker = bb_first(p->st.checkers);
        if (!((bb_between(king, checker) | bb_of(checker)) & bb_of(to)))
            return false;
    }
    return !(p->st.pinned[us] & bb_of(from)) || (bb_line(king, from) & bb_of(to));
}

bool pos_is_legal(const Position *p, Move m)
{
    Color us = p->side;
    Square from = move_from(m), to = move_to(m);
    Piece piece = p->board[from];
    if (piece == NO_PIECE || piece_color(piece) != us || m >> 15 || m >> 12 == 3)
        return false;
    PieceType t = piece_type(piece);
    switch (move_kind(m)) {
    case MOVE_CASTLING:
        return t == KING && p->castling_rook[castling_index(us, castling_wing(m))] == to &&
               castling_is_possible(p, us, castling_wing(m));
    case MOVE_EN_PASSANT:
        return t == PAWN && p->st.ep == to && (attacks_pawn(us, from) & bb_of(to)) &&
               ep_is_legal(p, from, to);
    default:
        return is_possible(p, m, t) && keeps_king_safe(p, m, t);
    }
}

/* Castling and en passant open lines that no mask covers: test the board after them. */
static bool special_gives_check(const Position *p, Move m)
{
    Color us = p->side;
    Square king = pos_king(p, color_other(us));
    Bitboard straight = pos_pieces(p, us, ROOK) | pos_pieces(p, us, QUEEN);
    Bitboard diagonal = pos_pieces(p, us, BISHOP) | pos_pieces(p, us, QUEEN);
    Bitboard occupied = pos_occupied(p) ^ bb_of(move_from(m));
    if (move_kind(m) == MOVE_CASTLING) {
        Wing w = castling_wing(m);
        Bitboard rook = bb_of(castling_rook_to(us, w));
        occupied = (occupied ^ bb_of(move_to(m))) | rook | bb_of(castling_king_to(us, w));
        straight = (straight ^ bb_of(move_to(m))) | rook;
    } else {
        if (attacks_pawn(us, move_to(m)) & bb_of(king))
            return true;
        occupied = (occupied ^ bb_of((Square)(move_to(m) ^ 8))) | bb_of(move_to(m));
    }
    return (attacks_rook(king, occupied) & straight) || (attacks_bishop(king, occupied) & diagonal);
}

bool pos_gives_check(const Position *p, Move m)
{
    Color us = p->side, them = color_other(us);
    Square from = move_from(m), to = move_to(m), king = pos_king(p, them);
    PieceType t = piece_type(p->board[from]);
    if (move_kind(m) == MOVE_CASTLING || move_kind(m) == MOVE_EN_PASSANT)
        return special_gives_check(p, m);
    if ((p->st.pinned[them] & bb_of(from)) && !(bb_line(king, from) & bb_of(to)))
        return true;
    if (move_is_promotion(m))
        return (attacks_of(move_promotion(m), to, pos_occupied(p) ^ bb_of(from)) & bb_of(king)) !=
               0;
    if (t == PAWN)
        return (attacks_pawn(us, to) & bb_of(king)) != 0;
    return t != KING && (attacks_of(t, king, pos_occupied(p)) & bb_of(to));
}
