/* castellan book: probes, shows and builds opening books. */
#include "app/commands/book_commands.h"
#include "book/book.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci_move.h"

#include <stdio.h>

enum { MAX_DEPTH = 64 };

typedef struct BookCommand {
    const char *book;
    int depth; /* 0: only this position, with its weights */
    bool chess960;
} BookCommand;

static int open_book(Book **book, const char *name)
{
    Message why;
    return book_open_named(book, name ? name : "", &why) == STATUS_OK
               ? COMMAND_DONE
               : command_failed("book", &why);
}

static double share(const BookMove *moves, int count, int i)
{
    double total = 0;
    for (int k = 0; k < count; k++)
        total += moves[k].weight;
    return total > 0 ? 100.0 * moves[i].weight / total : 0;
}

static int print_moves(const Book *book, const Position *p)
{
    BookMove moves[MAX_MOVES];
    int count = book_probe(book, p, moves);
    for (int i = 0; i < count; i++) {
        char san[SAN_SIZE], uci[UCI_MOVE_SIZE];
        san_write(p, moves[i].move, san);
        uci_move_write(p, moves[i].move, uci);
        printf("%-7s %-5s %5u %5.1f %%\n", san, uci, moves[i].weight, share(moves, count, i));
    }
    if (count)
        return COMMAND_DONE;
    Message why;
    status_fail(&why, STATUS_MISSING, "position not in the book");
    return command_failed("book", &why);
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

static int answer(const BookCommand *c, const ArgWords *words)
{
    Message why;
    Text fen;
    Position p;
    text_init(&fen);
    args_join(words, 0, &fen);
    Status s = fen_parse(&p, words->count ? (Span){fen.at, fen.len} : span_of(FEN_START),
                         c->chess960, &why);
    text_free(&fen);
    if (s != STATUS_OK)
        return command_failed("book", &why);
    Book *book = NULL;
    int code = open_book(&book, c->book);
    if (code != COMMAND_DONE)
        return code;
    if (c->depth)
        print_tree(book, &p, 0, c->depth);
    else
        code = print_moves(book, &p);
    book_close(book);
    return code;
}

static int parse_and_answer(const ArgTable *table, int argc, char **argv)
{
    BookCommand c = {0};
    ArgWords words;
    Message why;
    if (args_parse(table, &c, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("book", &why);
    return answer(&c, &words);
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

static void set_show_defaults(void *into)
{
    ((BookCommand *)into)->depth = 4;
}

static const ArgTable probe_args = {
    .rows = probe_rows, .words = "[FEN]", .size = sizeof(BookCommand)};
static const ArgTable show_args = {.rows = show_rows,
                                   .words = "[FEN]",
                                   .size = sizeof(BookCommand),
                                   .defaults = set_show_defaults};

static int run_probe(int argc, char **argv)
{
    return parse_and_answer(&probe_args, argc, argv);
}

static int run_show(int argc, char **argv)
{
    return parse_and_answer(&show_args, argc, argv);
}

static const Command subcommands[] = {
    {.name = "probe",
     .about = "prints the moves of the position with their weights; the exit code is 1 when the\n"
              "position is not in the book.\n",
     .args = &probe_args,
     .run = run_probe},
    {.name = "show",
     .about = "prints the book moves and their continuations as a tree.\n",
     .args = &show_args,
     .run = run_show},
    {.name = "build",
     .about = "makes a book from the main lines of games. The weight of a move is 2 for each game\n"
              "that its side won plus 1 for each draw or unknown result; moves that only lost are\n"
              "skipped. An invalid game is reported and skipped; the exit code is then 1.\n",
     .args = &book_build_args,
     .run = book_build_command},
    {.name = "weigh",
     .about = "makes a book from a table of opening lines (ECO code, name and moves, separated by\n"
              "tabs): every move is searched, and those almost as good as the best are kept. The\n"
              "built-in book was made this way from data/openings.tsv.\n",
     .args = &book_weigh_args,
     .run = book_weigh_command},
    {0},
};

const Command command_book = {
    .name = "book",
    .summary = "probe, show and build opening books",
    .about = "Opening books in the Polyglot format. Without FEN, the start position is used.\n",
    .subcommands = subcommands,
};
