#include "book/book.h"

#include "base/embed.h"
#include "base/file.h"
#include "book/book_int.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

EMBED_FILE(own_book, "data/book.bin");

/* Read whole, not mapped: the file may change or be truncated while the book is in use. */
struct Book {
    const uint8_t *at;
    size_t len, count;
    char *bytes; /* to be freed; NULL when embedded */
};

enum { LARGEST_FILE = INT32_MAX };

/* -- Moves -- */

uint16_t book_move_bits(Move m)
{
    int promotion = move_is_promotion(m) ? move_promotion(m) - KNIGHT + 1 : 0;
    return (uint16_t)(move_to(m) | move_from(m) << 6 | promotion << 12);
}

static MoveKind kind_of(const Position *p, Square from, Square to)
{
    Piece piece = p->board[from];
    if (piece == piece_make(p->side, KING) && p->board[to] == piece_make(p->side, ROOK))
        return MOVE_CASTLING;
    if (piece == piece_make(p->side, PAWN) && to == p->st.ep)
        return MOVE_EN_PASSANT;
    return MOVE_NORMAL;
}

Move book_move_from_bits(const Position *p, uint16_t bits)
{
    Square to = bits & 63, from = bits >> 6 & 63;
    int promotion = bits >> 12;
    if (promotion > QUEEN - KNIGHT + 1)
        return MOVE_NONE;
    Move m = promotion ? move_make_promotion(from, to, (PieceType)(KNIGHT + promotion - 1))
                       : move_make(from, to, kind_of(p, from, to));
    return pos_is_legal(p, m) ? m : MOVE_NONE;
}

/* -- The file -- */

static const uint8_t *entry_at(const Book *book, size_t i)
{
    return book->at + i * BOOK_ENTRY_SIZE;
}

static Key key_at(const Book *book, size_t i)
{
    return book_get(entry_at(book, i), 8);
}

static Status check(const Book *book, const char *path, Message *why)
{
    if (book->len == 0)
        return status_fail(why, STATUS_INVALID, "%s: empty file, not a Polyglot book", path);
    if (book->len % BOOK_ENTRY_SIZE)
        return status_fail(
            why, STATUS_INVALID,
            "%s: not a Polyglot book, or truncated: %zu bytes is not a multiple of %d", path,
            book->len, BOOK_ENTRY_SIZE);
    for (size_t i = 1; i < book->count; i++)
        if (key_at(book, i) < key_at(book, i - 1))
            return status_fail(why, STATUS_INVALID,
                               "%s: not a Polyglot book: entry %zu is out of order", path, i + 1);
    return STATUS_OK;
}

Status book_open(Book **out, const char *path, Message *why)
{
    *out = NULL;
    Book *book = calloc(1, sizeof *book);
    if (!book)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a book");
    Status s = file_read(&book->bytes, &book->len, path, LARGEST_FILE, why);
    book->at = (const uint8_t *)book->bytes;
    book->count = book->len / BOOK_ENTRY_SIZE;
    if (s == STATUS_OK)
        s = check(book, path, why);
    return GIVE_OR_CLOSE(s, out, book, book_close);
}

Status book_open_own(Book **out, Message *why)
{
    Span data = EMBED_SPAN(own_book);
    *out = NULL;
    Book *book = calloc(1, sizeof *book);
    if (!book)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a book");
    book->at = (const uint8_t *)data.at;
    book->len = data.len;
    book->count = data.len / BOOK_ENTRY_SIZE;
    *out = book;
    return STATUS_OK;
}

Status book_open_named(Book **out, const char *name, Message *why)
{
    *out = NULL;
    if (!name[0] || strcmp(name, "own") == 0)
        return book_open_own(out, why);
    if (strcmp(name, "system") != 0)
        return book_open(out, name, why);
    const char *path = book_of_system();
    if (!path)
        return status_fail(why, STATUS_MISSING, "no system book found (package gnuchess-book)");
    return book_open(out, path, why);
}

void book_close(Book *book)
{
    if (!book)
        return;
    free(book->bytes);
    free(book);
}

size_t book_size(const Book *book)
{
    return book->count;
}

const char *book_of_system(void)
{
    static const char *const places[] = {
        "/usr/share/games/gnuchess/book.bin",
        "/usr/local/share/gnuchess/book.bin",
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], R_OK) == 0)
            return places[i];
    return NULL;
}

/* -- Probing -- */

/* The first entry whose key is not smaller. */
static size_t find(const Book *book, Key key)
{
    size_t low = 0, high = book->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (key_at(book, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int book_probe(const Book *book, const Position *p, BookMove out[MAX_MOVES])
{
    Key key = pos_polyglot_key(p);
    int count = 0;
    for (size_t i = find(book, key); i < book->count && key_at(book, i) == key; i++) {
        const uint8_t *entry = entry_at(book, i);
        Move m = book_move_from_bits(p, (uint16_t)book_get(entry + BOOK_AT_MOVE, 2));
        if (m != MOVE_NONE && count < MAX_MOVES)
            out[count++] = (BookMove){m, (uint16_t)book_get(entry + BOOK_AT_WEIGHT, 2)};
    }
    return count;
}

Move book_random(const BookMove *moves, int count, Random *random)
{
    uint32_t total = 0;
    for (int i = 0; i < count; i++)
        total += moves[i].weight;
    if (total == 0)
        return MOVE_NONE;
    uint32_t left = random_below(random, total);
    for (int i = 0; i < count; i++) {
        if (left < moves[i].weight)
            return moves[i].move;
        left -= moves[i].weight;
    }
    return MOVE_NONE;
}
