#include "classics/javachess/javachess_position.h"

#include "base/file.h"
#include "chess/setup.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_BYTES = 1 << 16, MAX_PIECES = 32 };

/* The original's order of pieces, which its files are written in. */
static const PieceType file_order[PIECE_TYPE_COUNT] = {PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING};
static const char letters[PIECE_TYPE_COUNT] = {'P', 'N', 'B', 'R', 'Q', 'K'};

/* And of castling rights. */
static const struct {
    Color color;
    Wing wing;
    Square rook;
} rights[CASTLING_COUNT] = {
    {WHITE, KING_SIDE, SQ_H1},
    {BLACK, KING_SIDE, SQ_H8},
    {WHITE, QUEEN_SIDE, SQ_A1},
    {BLACK, QUEEN_SIDE, SQ_A8},
};

/* -- Reading -- */

static Status wrong(Message *why, Span word, const char *wanted)
{
    char shown[32];
    span_show(word, shown, sizeof shown);
    return status_fail(why, STATUS_INVALID, "'%s' is not a %s", shown, wanted);
}

static Status next(Span *rest, Span *word, const char *wanted, Message *why)
{
    if (span_next_word(rest, word))
        return STATUS_OK;
    return status_fail(why, STATUS_INVALID, "the file ends where a %s is expected", wanted);
}

/* A number from 0 to max; `range` says that after `what`. */
static Status next_number(Span *rest, Span *word, const char *what, const char *range, int64_t max,
                          int64_t *out, Message *why)
{
    char wanted[80];
    Status s = next(rest, word, what, why);
    snprintf(wanted, sizeof wanted, "%s%s", what, range);
    return s == STATUS_OK && !span_to_int64(*word, 0, max, out) ? wrong(why, *word, wanted) : s;
}

static Status read_side(Span *rest, Setup *s, Message *why)
{
    Span word;
    Status status = next(rest, &word, "side to move", why);
    if (status != STATUS_OK)
        return status;
    if (span_is_ignoring_case(word, "WHITE"))
        s->side = WHITE;
    else if (span_is_ignoring_case(word, "BLACK"))
        s->side = BLACK;
    else
        return wrong(why, word, "side to move (WHITE or BLACK)");
    return STATUS_OK;
}

static Piece piece_named(Span word)
{
    for (Piece piece = 0; piece < PIECE_COUNT; piece++) {
        char name[3] = {piece_color(piece) == WHITE ? 'W' : 'B', letters[piece_type(piece)], 0};
        if (span_is_ignoring_case(word, name))
            return piece;
    }
    return NO_PIECE;
}

static Status read_piece(Span *rest, Setup *s, Message *why)
{
    Span word;
    int64_t number;
    Status status = next(rest, &word, "piece", why);
    if (status != STATUS_OK)
        return status;
    Piece piece = piece_named(word);
    if (piece == NO_PIECE)
        return wrong(why, word, "piece (WP ... BK)");
    status = next_number(rest, &word, "square", " from 0 to 63", 63, &number, why);
    if (status != STATUS_OK)
        return status;
    if (s->board[number ^ 56] != NO_PIECE)
        return wrong(why, word, "free square: it is already occupied");
    s->board[number ^ 56] = piece;
    return STATUS_OK;
}

static Status read_pieces(Span *rest, Setup *s, Message *why)
{
    Span word;
    int64_t count;
    Status status =
        next_number(rest, &word, "number of pieces", " from 0 to 32", MAX_PIECES, &count, why);
    while (status == STATUS_OK && count-- > 0)
        status = read_piece(rest, s, why);
    return status;
}

static Status read_rights(Span *rest, Setup *s, Message *why)
{
    for (int i = 0; i < CASTLING_COUNT; i++) {
        Span word;
        Status status = next(rest, &word, "castling right", why);
        if (status != STATUS_OK)
            return status;
        if (span_is_ignoring_case(word, "TRUE"))
            s->castling_rook[castling_index(rights[i].color, rights[i].wing)] = rights[i].rook;
        else if (!span_is_ignoring_case(word, "FALSE"))
            return wrong(why, word, "castling right (TRUE or FALSE)");
    }
    return STATUS_OK;
}

static Status read_en_passant(Span *rest, Setup *s, Message *why)
{
    Span word;
    int64_t bits;
    Status status = next_number(rest, &word, "board of en passant", ": a number with one bit, or 0",
                                INT64_MAX, &bits, why);
    if (status != STATUS_OK)
        return status;
    if (bb_many((Bitboard)bits))
        return wrong(why, word, "board of en passant: a number with one bit, or 0");
    if (bits)
        s->ep = bb_first((Bitboard)bits) ^ 56;
    if (span_next_word(rest, &word))
        return wrong(why, word, "part of a position: it comes after the end");
    return STATUS_OK;
}

Status javachess_position_read(Position *p, Square *ep, Span text, Message *why)
{
    Setup s;
    Status status;
    setup_clear(&s);
    if ((status = read_side(&text, &s, why)) != STATUS_OK ||
        (status = read_pieces(&text, &s, why)) != STATUS_OK ||
        (status = read_rights(&text, &s, why)) != STATUS_OK ||
        (status = read_en_passant(&text, &s, why)) != STATUS_OK)
        return status;
    status = pos_set(p, &s, why);
    if (status == STATUS_OK && ep)
        *ep = s.ep;
    return status;
}

Status javachess_position_load(Position *p, Square *ep, const char *path, Message *why)
{
    char *bytes;
    size_t len;
    Status s = file_read(&bytes, &len, path, MAX_BYTES, why);
    if (s != STATUS_OK)
        return s;
    s = javachess_position_read(p, ep, (Span){bytes, len}, why);
    if (s != STATUS_OK)
        message_prefix(why, "%s: ", path);
    free(bytes);
    return s;
}

/* -- Writing -- */

static void write_pieces(const Position *p, Text *out)
{
    text_addf(out, "%d\n", bb_count(pos_occupied(p)));
    for (int i = 0; i < PIECE_TYPE_COUNT; i++)
        for (Color c = WHITE; c <= BLACK; c++)
            for (int number = 0; number < SQUARE_COUNT; number++)
                if (pos_piece_on(p, (Square)(number ^ 56)) == piece_make(c, file_order[i]))
                    text_addf(out, "%c%c %d\n", c == WHITE ? 'W' : 'B', letters[file_order[i]],
                              number);
}

Status javachess_position_write(const Position *p, Square ep, Text *out, Message *why)
{
    Setup s;
    pos_describe(p, &s);
    for (int i = 0; i < CASTLING_COUNT; i++) {
        Square rook = s.castling_rook[castling_index(rights[i].color, rights[i].wing)];
        bool king_home = pos_king(p, rights[i].color) == square_relative(rights[i].color, SQ_E1);
        if (rook != SQ_NONE && (rook != rights[i].rook || !king_home))
            return status_fail(why, STATUS_REFUSED,
                               "JavaChess's files cannot express castling rights of Chess960");
    }
    text_addf(out, "%s\n", p->side == WHITE ? "WHITE" : "BLACK");
    write_pieces(p, out);
    for (int i = 0; i < CASTLING_COUNT; i++) {
        bool has = s.castling_rook[castling_index(rights[i].color, rights[i].wing)] != SQ_NONE;
        text_addf(out, "%s\n", has ? "TRUE" : "FALSE");
    }
    text_addf(out, "%llu\n", ep == SQ_NONE ? 0ULL : (unsigned long long)bb_of((Square)(ep ^ 56)));
    return STATUS_OK;
}

Status javachess_position_save(const Position *p, Square ep, const char *path, Message *why)
{
    Text t = text_new();
    Status s = javachess_position_write(p, ep, &t, why);
    if (s == STATUS_OK)
        return file_write_text(path, &t, why);
    text_free(&t);
    return s;
}
