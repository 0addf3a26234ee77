/* castellan book weigh: a book from a table of opening lines, every move searched. */
#include "app/command.h"
#include "app/progress.h"
#include "base/file.h"
#include "search/search.h"
#include "study/weigh.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_TABLE_BYTES = 64 << 20 };

typedef struct BookWeighCommand {
    WeighOptions options;
    WeighCounts counts;
    const char *path;
    Span table;
    Text book;
} BookWeighCommand;

static Status run(void *options, const ArgWords *words, Message *why)
{
    BookWeighCommand *c = options;
    Progress progress = {.unit = "moves", .total_now = &c->counts.total, .done = &c->counts.done};
    char *bytes;
    Status s = file_read(&bytes, &c->table.len, words->at[0], MAX_TABLE_BYTES, why);
    if (s != STATUS_OK)
        return s;
    c->table.at = bytes;
    text_init(&c->book);
    s = evaluator_default(&c->options.evaluator, why);
    progress_begin(&progress);
    if (s == STATUS_OK)
        s = weigh_openings(c->table, &c->options, &progress.job.stop, &c->counts, &c->book, why);
    s = progress_end(&progress, s, why);
    if (s == STATUS_OK)
        s = file_write_atomic(c->path, c->book.at, c->book.len, why);
    if (s == STATUS_OK)
        printf("%s: %d of %d moves in %d lines kept\n", c->path, c->counts.kept, c->counts.moves,
               c->counts.lines);
    evaluator_close(c->options.evaluator);
    text_free(&c->book);
    free(bytes);
    return s;
}

static Status check(void *options, const ArgWords *words, Message *why)
{
    return file_keep_apart(((BookWeighCommand *)options)->path, words->at[0], why);
}

static const ArgRow rows[] = {
    ARG_ROW_NEEDED_PATH(BookWeighCommand, path, "-o", "BOOK.bin", "the book to write"),
    ARG_ROW_INT(BookWeighCommand, options.nodes, "--nodes", "N", 1, INT64_MAX, "nodes per move"),
    ARG_ROW_THREADS(BookWeighCommand, options.threads, SEARCH_MAX_THREADS, "threads"),
    {0},
};

const Command command_book_weigh = {
    .name = "weigh",
    .about = "makes a book from a table of opening lines (ECO code, name and moves, separated by\n"
             "tabs): every move is searched, and those almost as good as the best are kept. The\n"
             "built-in book was made this way from data/openings.tsv.\n",
    .args = ARG_TABLE(BookWeighCommand, rows, "LINES.tsv",
                      .initial = &(const BookWeighCommand){.options.nodes = 3000}),
    .check = check,
    .run = run,
};
