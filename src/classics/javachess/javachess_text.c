#include "classics/javachess/javachess_text.h"

#include <inttypes.h>

static const char letters[PIECE_TYPE_COUNT] = {'P', 'N', 'B', 'R', 'Q', 'K'};

enum {
    TYPE_CAPTURE = 1,
    TYPE_EN_PASSANT = 2,
    TYPE_KING_SIDE = 4,
    TYPE_QUEEN_SIDE = 8,
    TYPE_PROMOTION = 32 /* to a knight; twice as much for each dearer piece */
};

static int square_number(Square s)
{
    return s ^ 56;
}

/* Of a castling king: its own target square, as the original numbers it. */
static Square landing(const Position *before, Move m)
{
    return move_kind(m) == MOVE_CASTLING ? castling_king_to(before->side, castling_wing(m))
                                         : move_to(m);
}

static int type_of(const Position *before, Move m)
{
    if (move_kind(m) == MOVE_CASTLING)
        return castling_wing(m) == KING_SIDE ? TYPE_KING_SIDE : TYPE_QUEEN_SIDE;
    if (move_kind(m) == MOVE_EN_PASSANT)
        return TYPE_EN_PASSANT;
    int type = pos_is_capture(before, m) ? TYPE_CAPTURE : 0;
    if (move_is_promotion(m))
        type += TYPE_PROMOTION << (move_promotion(m) - KNIGHT);
    return type;
}

void javachess_move_text(const Position *before, Move m, Text *out)
{
    Piece piece = pos_piece_on(before, move_from(m));
    text_addf(out, "Move: %c%c [ %d, %d ] TYPE: %d\n", piece_color(piece) == WHITE ? 'W' : 'B',
              letters[piece_type(piece)], square_number(move_from(m)),
              square_number(landing(before, m)), type_of(before, m));
}

/* The listing's strings, whose runs of blanks the document's text has lost: a square
 * is four wide. */
void javachess_board_text(const Position *p, Text *out)
{
    for (int line = 0; line < 8; line++) {
        text_add_str(out, "-----------------------------------------\n");
        text_add_str(out, "|    |    |    |    |    |    |    |    |\n");
        for (int column = 0; column < 8; column++) {
            Piece piece = pos_piece_on(p, (Square)((line * 8 + column) ^ 56));
            if (piece == NO_PIECE)
                text_add_str(out, "|    ");
            else
                text_addf(out, "| %c%c ", piece_color(piece) == WHITE ? 'W' : 'B',
                          letters[piece_type(piece)]);
        }
        text_add_str(out, "|\n|    |    |    |    |    |    |    |    |\n");
    }
    text_addf(out, "-----------------------------------------\nNEXT MOVE: %s\n",
              p->side == BLACK ? "BLACK " : "WHITE");
}

void javachess_counts_text(const JavaChessCounts *c, bool mtdf, Text *out)
{
    text_addf(out, " --> Transposition Table hits for regular nodes: %" PRIu64 " of %" PRIu64 "\n",
              c->regular_hits, c->regular);
    text_addf(out,
              " --> Transposition Table hits for quiescence nodes: %" PRIu64 " of %" PRIu64 "\n",
              c->quiescence_hits, c->quiescence);
    if (!mtdf)
        return;
    text_addf(out, " --> Number of cutoffs for regular nodes: %" PRIu64 "\n", c->regular_cutoffs);
    text_addf(out, " --> Number of cutoffs in quiescence search: %" PRIu64 "\n",
              c->quiescence_cutoffs);
}
