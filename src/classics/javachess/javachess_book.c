#include "classics/javachess/javachess_book.h"

#include "base/file.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "chess/movegen.h"

#include <stdlib.h>

static const char ruy_lopez[] =
    "5\n"
    "52 36 12 28 62 45 1 18 61 25 8 16 25 18 11 18 60 62 13 21 51 35 28 35 45 35 18 26 END\n"
    "52 36 12 28 62 45 1 18 61 25 8 16 25 32 6 21 60 62 21 36 51 35 9 25 32 41 11 27 35 28 2 20 "
    "50 42 END\n"
    "52 36 12 28 62 45 1 18 61 25 6 21 60 62 21 36 51 35 36 19 END\n"
    "52 36 12 28 62 45 1 18 61 25 11 19 51 35 2 11 57 42 END\n"
    "52 36 12 28 62 45 1 18 61 25 8 16 25 32 6 21 60 62 5 12 61 60 9 25 32 41 11 19 50 42 4 6 "
    "55 47 END\n";

typedef struct BookStep {
    Key key; /* of the position it is played in */
    bool overruled;
} BookStep;

/* Moves and steps of all lines, one behind the other; line i ends at ends[i]. */
struct JavaChessBook {
    Move *moves;
    BookStep *steps;
    int *ends;
    int lines, size;
    size_t room; /* of moves and steps */
};

typedef struct Reader {
    JavaChessBook *book;
    Span rest;
    int line, move; /* for messages; from 1 */
    Message *why;
} Reader;

void javachess_book_close(JavaChessBook *book)
{
    if (!book)
        return;
    free(book->moves);
    free(book->steps);
    free(book->ends);
    free(book);
}

/* -- Reading -- */

static Status grow(JavaChessBook *b, Message *why)
{
    size_t count = (size_t)b->size, room = b->room;
    if (memory_grow(&b->moves, sizeof *b->moves, count, &room) &&
        memory_grow(&b->steps, sizeof *b->steps, count, &b->room))
        return STATUS_OK;
    return status_fail(why, STATUS_MEMORY, "not enough memory for the book");
}

static Status wrong(const Reader *r, Span word, const char *what)
{
    char shown[24];
    span_show(word, shown, sizeof shown);
    return status_fail(r->why, STATUS_INVALID, "line of play %d, move %d: '%s' %s", r->line,
                       r->move, shown, what);
}

/* Where the piece lands: castling is kept as king takes rook, but written as the king's step. */
static Square landing(const Position *p, Move m)
{
    return move_kind(m) == MOVE_CASTLING ? castling_king_to(p->side, castling_wing(m)) : move_to(m);
}

static Move move_between(const Position *p, Square from, Square to)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    for (int i = 0; i < count; i++) {
        bool small = move_is_promotion(moves[i]) && move_promotion(moves[i]) != QUEEN;
        if (move_from(moves[i]) == from && landing(p, moves[i]) == to && !small)
            return moves[i];
    }
    return MOVE_NONE;
}

static Status read_square(Reader *r, Span word, Square *out)
{
    int64_t number;
    if (!span_to_int64(word, 0, 63, &number))
        return wrong(r, word, "is not a square from 0 to 63");
    *out = (Square)(number ^ 56);
    return STATUS_OK;
}

static Status read_move(Reader *r, Span first, Position *p)
{
    Square from = SQ_NONE, to = SQ_NONE;
    Span second;
    Undo undo;
    Status s = read_square(r, first, &from);
    if (s != STATUS_OK)
        return s;
    if (!span_next_word(&r->rest, &second))
        return wrong(r, first, "has no second square after it");
    if ((s = read_square(r, second, &to)) != STATUS_OK)
        return s;
    Move m = move_between(p, from, to);
    if (m == MOVE_NONE)
        return wrong(r, (Span){first.at, (size_t)(second.at + second.len - first.at)},
                     "is not a legal move");
    if ((s = grow(r->book, r->why)) != STATUS_OK)
        return s;
    r->book->moves[r->book->size] = m;
    r->book->steps[r->book->size++] = (BookStep){p->st.key, false};
    pos_make(p, m, &undo);
    return STATUS_OK;
}

static Status read_line(Reader *r)
{
    Position p;
    Span word;
    pos_set_start(&p);
    for (r->move = 1; span_next_word(&r->rest, &word); r->move++) {
        if (span_is_ignoring_case(word, "END"))
            return STATUS_OK;
        Status s = read_move(r, word, &p);
        if (s != STATUS_OK)
            return s;
    }
    return status_fail(r->why, STATUS_INVALID, "line of play %d has no END", r->line);
}

static Status read_lines(Reader *r)
{
    Span word;
    int64_t lines;
    /* Every line has at least its END and a blank: more lines than that are not in the text. */
    int64_t most = (int64_t)r->rest.len / 4 + 1;
    if (!span_next_word(&r->rest, &word))
        return status_fail(r->why, STATUS_INVALID, "the book is empty");
    r->line = r->move = 0;
    if (!span_to_int64(word, 0, most, &lines))
        return wrong(r, word, "is not a valid number of lines");
    r->book->ends = calloc((size_t)lines + 1, sizeof *r->book->ends);
    if (!r->book->ends)
        return status_fail(r->why, STATUS_MEMORY, "not enough memory for the book");
    for (r->line = 1; r->line <= lines; r->line++) {
        Status s = read_line(r);
        if (s != STATUS_OK)
            return s;
        r->book->ends[r->book->lines++] = r->book->size;
    }
    if (span_next_word(&r->rest, &word))
        return wrong(r, word, "comes after the last line");
    return STATUS_OK;
}

typedef struct Place {
    Key key;
    int at;
} Place;

static int by_key_and_place(const void *a, const void *b)
{
    const Place *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Of the steps from one position only the last is asked for. */
static Status overrule(JavaChessBook *b, Message *why)
{
    Place *places = calloc((size_t)b->size + 1, sizeof *places);
    if (!places)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the book");
    for (int i = 0; i < b->size; i++)
        places[i] = (Place){b->steps[i].key, i};
    qsort(places, (size_t)b->size, sizeof *places, by_key_and_place);
    for (int i = 0; i + 1 < b->size; i++)
        b->steps[places[i].at].overruled = places[i].key == places[i + 1].key;
    free(places);
    return STATUS_OK;
}

Status javachess_book_read(JavaChessBook **book, Span text, Message *why)
{
    Reader r = {.rest = text, .why = why};
    if (text.len > JAVACHESS_BOOK_MAX_BYTES)
        return status_fail(why, STATUS_INVALID, "the book is longer than 4 MiB");
    r.book = calloc(1, sizeof *r.book);
    if (!r.book)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the book");
    Status s = read_lines(&r);
    if (s == STATUS_OK)
        s = overrule(r.book, why);
    return GIVE_OR_CLOSE(s, book, r.book, javachess_book_close);
}

Status javachess_book_load(JavaChessBook **book, const char *path, Message *why)
{
    char *bytes;
    size_t len;
    Status s = file_read(&bytes, &len, path, JAVACHESS_BOOK_MAX_BYTES, why);
    if (s != STATUS_OK)
        return s;
    s = javachess_book_read(book, (Span){bytes, len}, why);
    if (s != STATUS_OK)
        message_prefix(why, "%s: ", path);
    free(bytes);
    return s;
}

Status javachess_book_ruy_lopez(JavaChessBook **book, Message *why)
{
    return javachess_book_read(book, span_of(ruy_lopez), why);
}

/* -- Asking -- */

int javachess_book_lines(const JavaChessBook *book)
{
    return book->lines;
}

int javachess_book_size(const JavaChessBook *book)
{
    int count = 0;
    for (int i = 0; i < book->size; i++)
        count += !book->steps[i].overruled;
    return count;
}

int javachess_book_line(const JavaChessBook *book, int line, const Move **moves)
{
    int from = line ? book->ends[line - 1] : 0;
    *moves = book->moves + from;
    return book->ends[line] - from;
}

Move javachess_book_find(const JavaChessBook *book, const Position *p)
{
    for (int i = 0; i < book->size; i++)
        if (!book->steps[i].overruled && book->steps[i].key == p->st.key)
            return pos_is_legal(p, book->moves[i]) ? book->moves[i] : MOVE_NONE;
    return MOVE_NONE;
}
