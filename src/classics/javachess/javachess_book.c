#include "classics/javachess/javachess_book.h"

#include "base/file.h"
#include "base/memory.h"
#include "chess/fen.h"
#include "classics/console.h"

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

/* The steps of all lines, one behind the other; line i ends at ends[i]. */
struct JavaChessBook {
    JavaChessStep *steps;
    int *ends;
    int lines, size, positions;
    size_t room; /* of steps */
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
    free(book->steps);
    free(book->ends);
    free(book);
}

/* -- Reading -- */

static Status wrong(const Reader *r, Span word, const char *what)
{
    char shown[24];
    span_show(word, shown, sizeof shown);
    return status_fail(r->why, STATUS_INVALID, "line of play %d, move %d: '%s' %s", r->line,
                       r->move, shown, what);
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
    Move m = console_find(p, from, to, QUEEN);
    if (m == MOVE_NONE)
        return wrong(r, (Span){first.at, (size_t)(second.at + second.len - first.at)},
                     "is not a legal move");
    JavaChessBook *b = r->book;
    if (!memory_grow(&b->steps, sizeof *b->steps, (size_t)b->size, &b->room))
        return status_fail(r->why, STATUS_MEMORY, "not enough memory for the book");
    b->steps[b->size++] = (JavaChessStep){p->st.key, m};
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

static int compare_keys(const void *a, const void *b)
{
    const Key *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static Status count_positions(JavaChessBook *book, Message *why)
{
    Key *keys = malloc(((size_t)book->size + 1) * sizeof *keys);
    if (!keys)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the book");
    for (int i = 0; i < book->size; i++)
        keys[i] = book->steps[i].key;
    qsort(keys, (size_t)book->size, sizeof *keys, compare_keys);
    for (int i = 0; i < book->size; i++)
        book->positions += i == 0 || keys[i] != keys[i - 1];
    free(keys);
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
        s = count_positions(r.book, why);
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

/* The last step from the position; -1 when there is none. */
static int last_step(const JavaChessBook *book, Key key)
{
    int i = book->size - 1;
    while (i >= 0 && book->steps[i].key != key)
        i--;
    return i;
}

int javachess_book_size(const JavaChessBook *book)
{
    return book->positions;
}

int javachess_book_line(const JavaChessBook *book, int line, const JavaChessStep **steps)
{
    int from = line ? book->ends[line - 1] : 0;
    *steps = book->steps + from;
    return book->ends[line] - from;
}

Move javachess_book_find(const JavaChessBook *book, const Position *p)
{
    int i = last_step(book, p->st.key);
    return i >= 0 && pos_is_legal(p, book->steps[i].move) ? book->steps[i].move : MOVE_NONE;
}
