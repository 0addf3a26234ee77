#include "classics/javachess/javachess_position.h"

#include "base/file.h"
#include "chess/setup.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_BYTES = 1 << 16, MAX_PIECES = 32 };

static const char letters[PIECE_TYPE_COUNT] = {'P', 'N', 'B', 'R', 'Q', 'K'};

/* The original's order of castling rights. */
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

typedef struct Reader {
    Span rest, word; /* the word read last */
    Setup setup;
    Message *why;
} Reader;

static Status wrong(const Reader *r, const char *wanted)
{
    char shown[32];
    span_show(r->word, shown, sizeof shown);
    return status_fail(r->why, STATUS_INVALID, "'%s' is not a %s", shown, wanted);
}

static Status next(Reader *r, const char *wanted)
{
    if (span_next_word(&r->rest, &r->word))
        return STATUS_OK;
    return status_fail(r->why, STATUS_INVALID, "the file ends where a %s is expected", wanted);
}

/* A number from 0 to max; `range` says that after `what`. */
static Status next_number(Reader *r, const char *what, const char *range, int64_t max, int64_t *out)
{
    char wanted[80];
    Status s = next(r, what);
    snprintf(wanted, sizeof wanted, "%s%s", what, range);
    return s == STATUS_OK && !span_to_int64(r->word, 0, max, out) ? wrong(r, wanted) : s;
}

static Status read_side(Reader *r)
{
    Status s = next(r, "side to move");
    if (s != STATUS_OK)
        return s;
    if (span_is_ignoring_case(r->word, "WHITE"))
        r->setup.side = WHITE;
    else if (span_is_ignoring_case(r->word, "BLACK"))
        r->setup.side = BLACK;
    else
        return wrong(r, "side to move (WHITE or BLACK)");
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

static Status read_piece(Reader *r)
{
    int64_t number;
    Status s = next(r, "piece");
    if (s != STATUS_OK)
        return s;
    Piece piece = piece_named(r->word);
    if (piece == NO_PIECE)
        return wrong(r, "piece (WP ... BK)");
    s = next_number(r, "square", " from 0 to 63", 63, &number);
    if (s != STATUS_OK)
        return s;
    if (r->setup.board[number ^ 56] != NO_PIECE)
        return wrong(r, "free square: it is already occupied");
    r->setup.board[number ^ 56] = piece;
    return STATUS_OK;
}

static Status read_pieces(Reader *r)
{
    int64_t count;
    Status s = next_number(r, "number of pieces", " from 0 to 32", MAX_PIECES, &count);
    while (s == STATUS_OK && count-- > 0)
        s = read_piece(r);
    return s;
}

static Status read_rights(Reader *r)
{
    for (int i = 0; i < CASTLING_COUNT; i++) {
        Status s = next(r, "castling right");
        if (s != STATUS_OK)
            return s;
        if (span_is_ignoring_case(r->word, "TRUE"))
            r->setup.castling_rook[castling_index(rights[i].color, rights[i].wing)] =
                rights[i].rook;
        else if (!span_is_ignoring_case(r->word, "FALSE"))
            return wrong(r, "castling right (TRUE or FALSE)");
    }
    return STATUS_OK;
}

static Status read_en_passant(Reader *r)
{
    int64_t bits;
    Status s =
        next_number(r, "board of en passant", ": a number with one bit, or 0", INT64_MAX, &bits);
    if (s != STATUS_OK)
        return s;
    if (bb_many((Bitboard)bits))
        return wrong(r, "board of en passant: a number with one bit, or 0");
    if (bits)
        r->setup.ep = bb_first((Bitboard)bits) ^ 56;
    if (span_next_word(&r->rest, &r->word))
        return wrong(r, "part of a position: it comes after the end");
    return STATUS_OK;
}

Status javachess_position_read(Position *p, Square *ep, Span text, Message *why)
{
    Reader r = {.rest = text, .why = why};
    Status s;
    setup_clear(&r.setup);
    if ((s = read_side(&r)) != STATUS_OK || (s = read_pieces(&r)) != STATUS_OK ||
        (s = read_rights(&r)) != STATUS_OK || (s = read_en_passant(&r)) != STATUS_OK)
        return s;
    s = pos_set(p, &r.setup, why);
    if (s == STATUS_OK && ep)
        *ep = r.setup.ep;
    return s;
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

/* In the order of the original's files: pawns to kings, of each kind White's first. */
static void write_pieces(const Position *p, Text *out)
{
    text_addf(out, "%d\n", bb_count(pos_occupied(p)));
    for (Piece piece = 0; piece < PIECE_COUNT; piece++)
        for (int number = 0; number < SQUARE_COUNT; number++)
            if (pos_piece_on(p, (Square)(number ^ 56)) == piece)
                text_addf(out, "%c%c %d\n", piece_color(piece) == WHITE ? 'W' : 'B',
                          letters[piece_type(piece)], number);
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
