#include "chess/see.h"

const int see_value[PIECE_TYPE_COUNT + 1] = {
    [PAWN] = 100, [KNIGHT] = 300, [BISHOP] = 315, [ROOK] = 500, [QUEEN] = 900, [KING] = 0,
};

/* Removes the least valuable attacker of `ours` as the next to capture on `to`, and adds sliders
 * that were behind it. */
static PieceType take_cheapest(const Position *p, Square to, Bitboard ours, Bitboard *occupied,
                               Bitboard *attackers)
{
    PieceType t = PAWN;
    while (t < KING && !(ours & p->by_type[t]))
        t++;
    Bitboard one = ours & p->by_type[t];
    *occupied ^= one & -one;
    if (t == PAWN || t == BISHOP || t == QUEEN)
        *attackers |= attacks_bishop(to, *occupied) & (p->by_type[BISHOP] | p->by_type[QUEEN]);
    if (t == ROOK || t == QUEEN)
        *attackers |= attacks_rook(to, *occupied) & (p->by_type[ROOK] | p->by_type[QUEEN]);
    *attackers &= *occupied;
    return t;
}

/* A pinned piece cannot capture while the pinning slider is on the board. Pins are those before the
 * exchange; the sliders are computed only when a piece is pinned. */
static Bitboard without_pinned(const Position *p, Bitboard ours, Color side, Bitboard occupied,
                               Square to)
{
    Bitboard pinned = ours & p->st.pinned[side];
    Square king = pos_king(p, side);
    while (pinned) {
        Square s = bb_pop(&pinned);
        Bitboard line = bb_line(king, s);
        if (line & bb_of(to))
            continue;
        Bitboard sliders = p->by_type[QUEEN] | (square_rank(king) == square_rank(s) ||
                                                        square_file(king) == square_file(s)
                                                    ? p->by_type[ROOK]
                                                    : p->by_type[BISHOP]);
        if (line & sliders & p->by_color[color_other(side)] & occupied & ~bb_between(king, s))
            ours ^= bb_of(s);
    }
    return ours;
}

bool see_at_least(const Position *p, Move m, int threshold)
{
    if (move_kind(m) == MOVE_CASTLING)
        return threshold <= 0;
    Square from = move_from(m), to = move_to(m);
    Color side = p->side;
    PieceType next = piece_type(p->board[from]);
    int balance = see_value[pos_captured_type(p, m)] - threshold;
    if (move_is_promotion(m)) {
        next = move_promotion(m);
        balance += see_value[next] - see_value[PAWN];
    }
    if (balance < 0)
        return false; /* even without a recapture */
    balance -= see_value[next];
    if (balance >= 0)
        return true; /* even when the moved piece is lost */

    Bitboard occupied = (pos_occupied(p) ^ bb_of(from)) | bb_of(to);
    if (move_kind(m) == MOVE_EN_PASSANT)
        occupied ^= bb_of((Square)(to ^ 8));
    Bitboard attackers = pos_attackers(p, to, occupied) & occupied;
    bool we_win = true;
    for (;;) {
        side = color_other(side);
        Bitboard ours = without_pinned(p, attackers & p->by_color[side], side, occupied, to);
        if (!ours)
            return we_win;
        next = take_cheapest(p, to, ours, &occupied, &attackers);
        we_win = !we_win;
        if (next == KING) /* only without a recapture */
            return attackers & p->by_color[color_other(side)] ? !we_win : we_win;
        balance = -balance - 1 - see_value[next];
        if (balance >= 0)
            return we_win;
    }
}
