/* castellan javachess: the files of the JavaChess of 2001, read and written. */
#include "app/command.h"
#include "base/file.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "classics/javachess/javachess_book.h"
#include "classics/javachess/javachess_position.h"

#include <stdio.h>

/* -- Positions -- */

static Status show_position(const char *path, bool every_ep, Message *why)
{
    Position p;
    Square ep;
    char fen[FEN_SIZE];
    Status s = javachess_position_load(&p, &ep, path, why);
    if (s != STATUS_OK)
        return s;
    fen_write_ep(&p, FEN_X, every_ep ? ep : p.st.ep, fen);
    puts(fen);
    return STATUS_OK;
}

static Status save_position(const char *path, const ArgWords *words, Message *why)
{
    Position p;
    Text fen = text_new();
    args_join(words, 1, &fen);
    Status s = fen_parse(&p, (Span){fen.at, fen.len}, false, why);
    if (s == STATUS_OK)
        s = javachess_position_save(&p, fen_ep_field((Span){fen.at, fen.len}), path, why);
    text_free(&fen);
    return s;
}

/* -- Books -- */

static void print_line(const JavaChessStep *steps, int count)
{
    Position p;
    pos_set_start(&p);
    for (int i = 0; i < count; i++) {
        char san[SAN_SIZE];
        Undo undo;
        san_write(&p, steps[i].move, san);
        printf("%s%s", i ? " " : "", san);
        pos_make(&p, steps[i].move, &undo);
    }
    putchar('\n');
}

static void print_book(const JavaChessBook *book)
{
    for (int i = 0; i < javachess_book_lines(book); i++) {
        const JavaChessStep *steps;
        int count = javachess_book_line(book, i, &steps);
        print_line(steps, count);
    }
    printf("%d lines, moves for %d positions\n", javachess_book_lines(book),
           javachess_book_size(book));
}

static Status show_book(const char *path, Message *why)
{
    JavaChessBook *book = NULL;
    Status s = path ? javachess_book_load(&book, path, why) : javachess_book_ruy_lopez(&book, why);
    if (s == STATUS_OK)
        print_book(book);
    javachess_book_close(book);
    return s;
}

/* One line of play in SAN as pairs of squares. */
static Status add_line(Span line, Text *out, Message *why)
{
    Position p;
    Span word;
    pos_set_start(&p);
    while (span_next_word(&line, &word)) {
        Move m;
        Undo undo;
        Status s = san_read(&p, word, &m, why);
        if (s != STATUS_OK)
            return s;
        if (m == MOVE_NULL)
            return status_fail(why, STATUS_INVALID, "null moves are not allowed in a book");
        Square to =
            move_kind(m) == MOVE_CASTLING ? castling_king_to(p.side, castling_wing(m)) : move_to(m);
        text_addf(out, "%d %d ", move_from(m) ^ 56, to ^ 56);
        pos_make(&p, m, &undo);
    }
    text_add_str(out, "END\n");
    return STATUS_OK;
}

/* The text is parsed before it is written: the format has no underpromotions, so that a later move
 * may be impossible. */
static Status save_book(const char *path, const ArgWords *words, Message *why)
{
    JavaChessBook *book = NULL;
    Text t = text_new();
    Status s = STATUS_OK;
    text_addf(&t, "%d\n", words->count - 1);
    for (int i = 1; i < words->count && s == STATUS_OK; i++)
        s = add_line(span_of(words->at[i]), &t, why);
    if (s == STATUS_OK)
        s = javachess_book_read(&book, (Span){t.at, t.len}, why);
    javachess_book_close(book);
    if (s == STATUS_OK)
        return file_write_text(path, &t, why);
    text_free(&t);
    return s;
}

typedef struct PositionCommand {
    bool every_ep;
} PositionCommand;

static const ArgRow position_rows[] = {
    ARG_ROW_FLAG(PositionCommand, every_ep, "--every-ep",
                 "print the en passant square even where no capture is legal"),
    {0},
};

static Status run_position(void *options, const ArgWords *words, Message *why)
{
    const PositionCommand *c = options;
    return words->count > 1 ? save_position(words->at[0], words, why)
                            : show_position(words->at[0], c->every_ep, why);
}

static Status run_book(void *options UNUSED, const ArgWords *words, Message *why)
{
    return words->count > 1 ? save_book(words->at[0], words, why)
                            : show_book(words->count ? words->at[0] : NULL, why);
}

static const Command javachess_position = {
    .name = "position",
    .about = "prints the FEN of a position file, or writes the file when a FEN is given; the en\n"
             "passant square of the FEN is kept even where no capture is legal.\n",
    .args = ARG_TABLE(PositionCommand, position_rows, "FILE [FEN]"),
    .run = run_position};

static const Command javachess_book = {
    .name = "book",
    .about =
        "prints the lines of a book file (without FILE, of the book of the opponent javachess),\n"
        "or writes the file when lines such as \"e4 e5 Nf3\" are given.\n",
    .args = {.words = "[FILE [LINE ...]]"},
    .run = run_book};

const Command command_javachess = {
    .name = "javachess",
    .summary = "read and write the files of JavaChess (2001)",
    .about = "Reads and writes the position and book files of JavaChess (2001).\n",
    .subcommands = (const Command *const[]){&javachess_position, &javachess_book, NULL},
};
