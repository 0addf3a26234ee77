/* castellan javachess: the files of the JavaChess of 2001, read and written. */
#include "app/args.h"
#include "app/command.h"
#include "base/file.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "classics/javachess/javachess_book.h"
#include "classics/javachess/javachess_position.h"

#include <stdio.h>

/* -- Positions -- */

static int show_position(const char *path)
{
    Position p;
    Message why;
    char fen[FEN_SIZE];
    if (javachess_position_load(&p, path, &why) != STATUS_OK)
        return command_failed("javachess", &why);
    fen_write(&p, FEN_X, fen);
    puts(fen);
    return COMMAND_DONE;
}

static int save_position(const char *path, const ArgWords *words)
{
    Position p;
    Message why;
    Text fen;
    text_init(&fen);
    args_join(words, 2, &fen);
    Status s = fen_parse(&p, (Span){fen.at, fen.len}, false, &why);
    if (s == STATUS_OK)
        s = javachess_position_save(&p, path, &why);
    text_free(&fen);
    return s == STATUS_OK ? COMMAND_DONE : command_failed("javachess", &why);
}

/* -- Books -- */

static void print_line(const Move *moves, int count)
{
    Position p;
    pos_set_start(&p);
    for (int i = 0; i < count; i++) {
        char san[SAN_SIZE];
        Undo undo;
        san_write(&p, moves[i], san);
        printf("%s%s", i ? " " : "", san);
        pos_make(&p, moves[i], &undo);
    }
    putchar('\n');
}

static void print_book(const JavaChessBook *book)
{
    for (int i = 0; i < javachess_book_lines(book); i++) {
        const Move *moves;
        int count = javachess_book_line(book, i, &moves);
        print_line(moves, count);
    }
    printf("%d lines, moves for %d positions\n", javachess_book_lines(book),
           javachess_book_size(book));
}

static int show_book(const char *path)
{
    JavaChessBook *book = NULL;
    Message why;
    Status s =
        path ? javachess_book_load(&book, path, &why) : javachess_book_ruy_lopez(&book, &why);
    if (s != STATUS_OK)
        return command_failed("javachess", &why);
    print_book(book);
    javachess_book_close(book);
    return COMMAND_DONE;
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
            return status_fail(why, STATUS_INVALID, "a book has no move that passes");
        Square to =
            move_kind(m) == MOVE_CASTLING ? castling_king_to(p.side, castling_wing(m)) : move_to(m);
        text_addf(out, "%d %d ", move_from(m) ^ 56, to ^ 56);
        pos_make(&p, m, &undo);
    }
    text_add_str(out, "END\n");
    return STATUS_OK;
}

/* What is written is read once before: a promotion to less than a queen, which the format cannot tell, may make a
 * later move impossible. */
static int save_book(const char *path, const ArgWords *words)
{
    JavaChessBook *book = NULL;
    Message why;
    Text t;
    Status s = STATUS_OK;
    text_init(&t);
    text_addf(&t, "%d\n", words->count - 2);
    for (int i = 2; i < words->count && s == STATUS_OK; i++)
        s = add_line(span_of(words->at[i]), &t, &why);
    if (s == STATUS_OK && t.failed)
        s = status_fail(&why, STATUS_MEMORY, "no memory for the book");
    if (s == STATUS_OK)
        s = javachess_book_read(&book, (Span){t.at, t.len}, &why);
    if (s == STATUS_OK)
        s = file_write_atomic(path, t.at, t.len, &why);
    javachess_book_close(book);
    text_free(&t);
    return s == STATUS_OK ? COMMAND_DONE : command_failed("javachess", &why);
}

static int run(int argc, char **argv)
{
    const ArgRow rows[] = {{0}};
    ArgWords words;
    Message why;
    if (args_parse(rows, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("javachess", &why);
    const char *path = words.count > 1 ? words.at[1] : NULL;
    if (words.count > 0 && span_is(span_of(words.at[0]), "book"))
        return words.count > 2 ? save_book(path, &words) : show_book(path);
    if (words.count > 1 && span_is(span_of(words.at[0]), "position"))
        return words.count > 2 ? save_position(path, &words) : show_position(path);
    status_fail(&why, STATUS_INVALID, "give position FILE or book [FILE]");
    return command_misused("javachess", &why);
}

const Command command_javachess = {
    .name = "javachess",
    .summary = "read and write the files of the JavaChess of 2001",
    .help = "usage: castellan javachess position FILE [FEN]\n"
            "       castellan javachess book [FILE [LINE ...]]\n"
            "\n"
            "position prints the FEN of a position file, or writes the file when a FEN is given.\n"
            "book prints the lines of a book file, without a FILE those of the book that the\n"
            "opponent javachess plays by; with lines of play (\"e4 e5 Nf3\") it writes the file.\n",
    .run = run,
};
