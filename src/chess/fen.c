/* Forsyth-Edwards notation. A failing reader says what is wrong; fail_in adds the field and its
 * text in one place. */
#include "chess/fen.h"

#include "chess/position_int.h"
#include "chess/setup_int.h"
#include "chess/uci_move.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { EPD_FIELDS = 4, SHOWN_SIZE = 96, CLASSICAL_START = 518, CHESS960_STARTS = 960 };

static const char PIECE_LETTERS[PIECE_COUNT + 1] = "PpNnBbRrQqKk";

/* -- Reading -- */

static Status fail_in(Message *why, SetupField field, Span text)
{
    char shown[SHOWN_SIZE];
    span_show(text, shown, sizeof shown);
    message_prefix(why, "%s \"%s\": ", setup_field_name(field), shown);
    return STATUS_INVALID;
}

static Status fail_at_letter(Message *why, const char *what, char letter)
{
    char shown = letter >= ' ' && letter <= '~' ? letter : '?';
    return status_fail(why, STATUS_INVALID, "%s '%c'", what, shown);
}

static Piece piece_of_letter(char letter)
{
    const char *found = memchr(PIECE_LETTERS, letter, PIECE_COUNT);
    return found ? (Piece)(found - PIECE_LETTERS) : NO_PIECE;
}

static Status end_rank(int rank, int file, Message *why)
{
    if (file != 8)
        return status_fail(why, STATUS_INVALID, "rank %d has %d squares", rank + 1, file);
    return STATUS_OK;
}

static Status read_placement(Span text, Setup *s, Message *why)
{
    int rank = 7, file = 0;
    bool after_digit = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        bool is_digit = c >= '1' && c <= '8';
        Piece piece = piece_of_letter(c);
        if (c == '/') {
            if (end_rank(rank, file, why) != STATUS_OK)
                return STATUS_INVALID;
            if (rank == 0)
                return status_fail(why, STATUS_INVALID, "more than 8 ranks");
            rank--;
            file = 0;
        } else if ((!is_digit && piece == NO_PIECE) || (is_digit && after_digit)) {
            return fail_at_letter(why, is_digit ? "a second number" : "unknown piece", c);
        } else if (file + (is_digit ? c - '0' : 1) > 8) {
            return status_fail(why, STATUS_INVALID, "rank %d has more than 8 squares", rank + 1);
        } else if (is_digit) {
            file += c - '0';
        } else {
            s->board[square_make(file++, rank)] = piece;
        }
        after_digit = is_digit;
    }
    if (rank != 0)
        return status_fail(why, STATUS_INVALID, "only %d ranks", 8 - rank);
    return end_rank(rank, file, why);
}

static Status read_side(Span text, Setup *s, Message *why)
{
    if (!span_is(text, "w") && !span_is(text, "b"))
        return status_fail(why, STATUS_INVALID, "neither w nor b");
    s->side = text.at[0] == 'w' ? WHITE : BLACK;
    return STATUS_OK;
}

/* The file of the king on its first rank; -1 if it is elsewhere. */
static int castling_king_file(const Piece *board, Color c)
{
    for (int file = 0; file < 8; file++)
        if (board[square_relative(c, square_make(file, 0))] == piece_make(c, KING))
            return file;
    return -1;
}

/* The rook that X-FEN means by K or Q: the outermost on that side; SQ_NONE if there is none. */
static Square outermost_rook(const Piece *board, Color c, Wing w, int king_file)
{
    int step = w == KING_SIDE ? -1 : 1;
    for (int file = w == KING_SIDE ? 7 : 0; file != king_file; file += step) {
        Square s = square_relative(c, square_make(file, 0));
        if (board[s] == piece_make(c, ROOK))
            return s;
    }
    return SQ_NONE;
}

static Status read_right(char letter, Setup *s, Message *why)
{
    Color c = letter >= 'a' ? BLACK : WHITE;
    int upper = c == BLACK ? letter - 'a' + 'A' : letter;
    if (upper != 'K' && upper != 'Q' && (upper < 'A' || upper > 'H'))
        return fail_at_letter(why, "unknown letter", letter);
    int king_file = castling_king_file(s->board, c);
    if (king_file < 0)
        return fail_at_letter(why, "the king is not on its first rank for", letter);
    Wing wing = upper == 'K' || (upper != 'Q' && upper - 'A' > king_file) ? KING_SIDE : QUEEN_SIDE;
    Square rook = upper == 'K' || upper == 'Q' ? outermost_rook(s->board, c, wing, king_file)
                                               : square_relative(c, square_make(upper - 'A', 0));
    if (rook == SQ_NONE || s->board[rook] != piece_make(c, ROOK))
        return fail_at_letter(why, "no rook where it would castle for", letter);
    Square *slot = &s->castling_rook[castling_index(c, wing)];
    if (*slot != SQ_NONE)
        return fail_at_letter(why, "the same side twice, with", letter);
    *slot = rook;
    return STATUS_OK;
}

static Status read_castling(Span text, Setup *s, Message *why)
{
    if (span_is(text, "-"))
        return STATUS_OK;
    for (size_t i = 0; i < text.len; i++)
        if (read_right(text.at[i], s, why) != STATUS_OK)
            return STATUS_INVALID;
    return STATUS_OK;
}

static Status read_en_passant(Span text, Setup *s, Message *why)
{
    if (span_is(text, "-"))
        return STATUS_OK;
    s->ep = text.len == 2 ? square_read(text.at) : SQ_NONE;
    if (s->ep == SQ_NONE)
        return status_fail(why, STATUS_INVALID, "neither a square nor -");
    return STATUS_OK;
}

static Status read_count(Span text, int max, int *out, Message *why)
{
    int64_t value;
    if (text.at[0] < '0' || text.at[0] > '9' || !span_to_int64(text, 0, max, &value))
        return status_fail(why, STATUS_INVALID, "not a number from 0 to %d", max);
    *out = (int)value;
    return STATUS_OK;
}

static Status read_halfmoves(Span text, Setup *s, Message *why)
{
    return read_count(text, SETUP_HALFMOVES_MAX, &s->rule50, why);
}

/* Some programs count from 0; the first move is meant. */
static Status read_fullmove(Span text, Setup *s, Message *why)
{
    Status status = read_count(text, SETUP_FULLMOVE_MAX, &s->fullmove, why);
    if (status == STATUS_OK && s->fullmove == 0)
        s->fullmove = 1;
    return status;
}

typedef Status FieldReader(Span text, Setup *s, Message *why);

static FieldReader *const FIELD_READERS[SETUP_FIELD_COUNT] = {
    read_placement, read_side, read_castling, read_en_passant, read_halfmoves, read_fullmove,
};

/* When the board itself is impossible, that error is reported before castling rights. */
static Status fail_reading(const Setup *s, SetupField field, const Span *text, Message *why)
{
    Message board_why;
    SetupField board_field;
    if (field == SETUP_CASTLING) {
        Setup board = *s;
        for (int i = 0; i < CASTLING_COUNT; i++)
            board.castling_rook[i] = SQ_NONE;
        if (setup_check(&board, &board_field, &board_why) != STATUS_OK) {
            if (why)
                *why = board_why;
            field = board_field;
        }
    }
    return fail_in(why, field, text[field]);
}

/* Reads up to max_fields fields from the front of *rest into a setup for pos_build. */
static Status read_setup(Span *rest, int max_fields, bool chess960, Setup *s, Message *why)
{
    Span text[SETUP_FIELD_COUNT] = {{0}};
    setup_clear(s);
    for (int field = 0; field < max_fields; field++) {
        if (!span_next_word(rest, &text[field])) {
            if (field < EPD_FIELDS)
                return status_fail(why, STATUS_INVALID, "%s: missing",
                                   setup_field_name((SetupField)field));
            break;
        }
        if (FIELD_READERS[field](text[field], s, why) != STATUS_OK)
            return fail_reading(s, (SetupField)field, text, why);
    }
    s->chess960 = chess960 || setup_needs_chess960(s);
    SetupField wrong;
    if (setup_check(s, &wrong, why) != STATUS_OK)
        return fail_in(why, wrong, text[wrong]);
    return STATUS_OK;
}

Status fen_parse(Position *p, Span fen, bool chess960, Message *why)
{
    Setup setup;
    Status status = read_setup(&fen, SETUP_FIELD_COUNT, chess960, &setup, why);
    if (status != STATUS_OK)
        return status;
    Span more = span_trim(fen);
    if (more.len) {
        char shown[SHOWN_SIZE];
        span_show(more, shown, sizeof shown);
        return status_fail(why, STATUS_INVALID, "text after the fullmove number: \"%s\"", shown);
    }
    pos_build(p, &setup);
    return STATUS_OK;
}

Status fen_parse_epd(Position *p, Span line, bool chess960, Span *rest, Message *why)
{
    Setup setup;
    Status status = read_setup(&line, EPD_FIELDS, chess960, &setup, why);
    if (status != STATUS_OK)
        return status;
    *rest = span_trim(line);
    pos_build(p, &setup);
    return STATUS_OK;
}

/* -- Writing -- */

static char *write_placement(const Position *p, char *out)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            Piece piece = p->board[square_make(file, rank)];
            if (piece == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty)
                *out++ = (char)('0' + empty);
            empty = 0;
            *out++ = PIECE_LETTERS[piece];
        }
        if (empty)
            *out++ = (char)('0' + empty);
        if (rank)
            *out++ = '/';
    }
    return out;
}

static char right_letter(const Position *p, Color c, Wing w, FenStyle style)
{
    Square rook = p->castling_rook[castling_index(c, w)];
    char letter = (char)('A' + square_file(rook));
    if (style == FEN_X && rook == outermost_rook(p->board, c, w, square_file(pos_king(p, c))))
        letter = w == KING_SIDE ? 'K' : 'Q';
    return c == WHITE ? letter : (char)(letter - 'A' + 'a');
}

static char *write_castling(const Position *p, FenStyle style, char *out)
{
    if (!p->st.castling)
        *out++ = '-';
    for (int i = 0; i < CASTLING_COUNT; i++)
        if (p->st.castling >> i & 1)
            *out++ = right_letter(p, (Color)(i / 2), (Wing)(i % 2), style);
    return out;
}

void fen_write_ep(const Position *p, FenStyle style, Square ep, char out[FEN_SIZE])
{
    char *end = write_placement(p, out);
    *end++ = ' ';
    *end++ = p->side == WHITE ? 'w' : 'b';
    *end++ = ' ';
    end = write_castling(p, style, end);
    char name[3];
    square_name(ep, name);
    snprintf(end, FEN_SIZE - (size_t)(end - out), " %s %u %u", name, p->st.rule50,
             p->game_ply / 2 + 1);
}

void fen_write(const Position *p, FenStyle style, char out[FEN_SIZE])
{
    fen_write_ep(p, style, p->st.ep, out);
}

Square fen_passed_square(const Position *before, Move m)
{
    Square from = move_from(m), to = move_to(m);
    bool pawn = piece_type(pos_piece_on(before, from)) == PAWN;
    return pawn && (from ^ to) == 16 ? (Square)((from + to) / 2) : SQ_NONE;
}

Square fen_ep_field(Span fen)
{
    Span word;
    for (int field = 0; span_next_word(&fen, &word); field++)
        if (field == 3 && word.len == 2 && (word.at[1] == '3' || word.at[1] == '6'))
            return square_read(word.at);
    return SQ_NONE;
}

/* -- Start positions -- */

/* Puts t on the n-th file that is still free. */
static void place_on_free(PieceType rank[8], int n, PieceType t)
{
    for (int file = 0; file < 8; file++) {
        if (rank[file] != NO_PIECE_TYPE)
            continue;
        if (n-- == 0) {
            rank[file] = t;
            return;
        }
    }
}

/* Scharnagl's numbering: bishops, queen, then the knights' pair among the five files left. */
static void chess960_rank(int number, PieceType rank[8])
{
    static const uint8_t KNIGHTS[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                           {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    for (int file = 0; file < 8; file++)
        rank[file] = NO_PIECE_TYPE;
    rank[2 * (number % 4) + 1] = BISHOP;
    rank[2 * (number / 4 % 4)] = BISHOP;
    place_on_free(rank, number / 16 % 6, QUEEN);
    const uint8_t *knights = KNIGHTS[number / 96];
    place_on_free(rank, knights[1], KNIGHT);
    place_on_free(rank, knights[0], KNIGHT);
    place_on_free(rank, 0, ROOK);
    place_on_free(rank, 0, KING);
    place_on_free(rank, 0, ROOK);
}

static void set_up_side(Setup *s, Color c, int number)
{
    PieceType rank[8];
    chess960_rank(number, rank);
    Wing wing = QUEEN_SIDE;
    for (int file = 0; file < 8; file++) {
        Square home = square_relative(c, square_make(file, 0));
        s->board[home] = piece_make(c, rank[file]);
        s->board[square_relative(c, square_make(file, 1))] = piece_make(c, PAWN);
        if (rank[file] == KING)
            wing = KING_SIDE;
        else if (rank[file] == ROOK)
            s->castling_rook[castling_index(c, wing)] = home;
    }
}

static void set_up_start(Position *p, int white, int black, bool chess960)
{
    assert(white >= 0 && white < CHESS960_STARTS && black >= 0 && black < CHESS960_STARTS);
    Setup s;
    setup_clear(&s);
    set_up_side(&s, WHITE, white);
    set_up_side(&s, BLACK, black);
    s.chess960 = chess960;
    pos_build(p, &s);
}

void pos_set_start(Position *p)
{
    set_up_start(p, CLASSICAL_START, CLASSICAL_START, false);
}

void pos_set_chess960(Position *p, int white, int black)
{
    set_up_start(p, white, black, true);
}
