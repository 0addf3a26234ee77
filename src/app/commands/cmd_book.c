/* castellan book: probes, shows and builds opening books. */
#include "app/command.h"
#include "book/book.h"
#include "chess/san.h"
#include "chess/uci_move.h"

#include <stdio.h>

enum { MAX_DEPTH = 64 };

typedef struct BookCommand {
    const char *book;
    int depth; /* 0: only this position, with its weights */
    bool chess960;
} BookCommand;

static double share(const BookMove *moves, int count, int i)
{
    double total = 0;
    for (int k = 0; k < count; k++)
        total += moves[k].weight;
    return total > 0 ? 100.0 * moves[i].weight / total : 0;
}

static Status print_moves(const Book *book, const Position *p, Message *why)
{
    BookMove moves[MAX_MOVES];
    int count = book_probe(book, p, moves);
    for (int i = 0; i < count; i++) {
        char san[SAN_SIZE], uci[UCI_MOVE_SIZE];
        san_write(p, moves[i].move, san);
        uci_move_write(p, moves[i].move, uci);
        printf("%-7s %-5s %5u %5.1f %%\n", san, uci, moves[i].weight, share(moves, count, i));
    }
    return count ? STATUS_OK : status_fail(why, STATUS_MISSING, "position not in the book");
}

/* One line per move, indented by two blanks per ply. */
static void print_tree(const Book *book, Position *p, int level, int depth)
{
    BookMove moves[MAX_MOVES];
    int count = level < depth ? book_probe(book, p, moves) : 0;
    for (int i = 0; i < count; i++) {
        char san[SAN_SIZE];
        Undo undo;
        san_write(p, moves[i].move, san);
        printf("%*s%u%s %s  %u (%.1f %%)\n", 2 * level, "", p->game_ply / 2 + 1,
               p->side == WHITE ? "." : "...", san, moves[i].weight, share(moves, count, i));
        pos_make(p, moves[i].move, &undo);
        print_tree(book, p, level + 1, depth);
        pos_unmake(p, moves[i].move, &undo);
    }
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    const BookCommand *c = options;
    Position p;
    Book *book;
    Status s = args_position(words, 0, c->chess960, &p, why);
    if (s == STATUS_OK)
        s = book_open_named(&book, c->book ? c->book : "", why);
    if (s != STATUS_OK)
        return s;
    if (c->depth)
        print_tree(book, &p, 0, c->depth);
    else
        s = print_moves(book, &p, why);
    book_close(book);
    return s;
}

#define BOOK_ROW                                      \
    ARG_ROW_PATH(BookCommand, book, "--book", "FILE", \
                 "book file; system: the system's book (default: the built-in book)")
#define CHESS960_ROW ARG_ROW_FLAG(BookCommand, chess960, "--chess960", "read FEN as Chess960")

static const ArgRow probe_rows[] = {BOOK_ROW, CHESS960_ROW, {0}};
static const ArgRow show_rows[] = {
    BOOK_ROW,
    ARG_ROW_INT(BookCommand, depth, "--depth", "N", 1, MAX_DEPTH, "depth of the tree, in plies"),
    CHESS960_ROW,
    {0},
};

static const Command probe = {
    .name = "probe",
    .about = "prints the moves of the position with their weights; the exit code is 1 when the\n"
             "position is not in the book.\n",
    .args = ARG_TABLE(BookCommand, probe_rows, "[FEN]"),
    .run = run};

static const Command show = {
    .name = "show",
    .about = "prints the book moves and their continuations as a tree.\n",
    .args = ARG_TABLE(BookCommand, show_rows, "[FEN]", .initial = &(const BookCommand){.depth = 4}),
    .run = run};

const Command command_book = {
    .name = "book",
    .summary = "probe, show and build opening books",
    .about = "Opening books in the Polyglot format. Without FEN, the start position is used.\n",
    .subcommands =
        (const Command *const[]){&probe, &show, &command_book_build, &command_book_weigh, NULL},
};
