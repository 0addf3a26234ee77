/* castellan book weigh: a book from a table of opening lines, every move searched. */
#include "app/commands/book_commands.h"
#include "app/progress.h"
#include "base/file.h"
#include "base/job.h"
#include "base/thread.h"
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
    Progress progress;
} BookWeighCommand;

static Status weigh_lines(void *user, const atomic_bool *stop, Message *why)
{
    BookWeighCommand *c = user;
    return weigh_openings(c->table, &c->options, stop, &c->counts, &c->book, why);
}

static void show_progress(void *user)
{
    BookWeighCommand *c = user;
    c->progress.total = (uint64_t)atomic_load(&c->counts.total);
    progress_show(&c->progress, (uint64_t)atomic_load(&c->counts.done));
}

static Status weigh_file(BookWeighCommand *c, const char *source, Message *why)
{
    char *bytes;
    Status s = file_read(&bytes, &c->table.len, source, MAX_TABLE_BYTES, why);
    if (s != STATUS_OK)
        return s;
    c->table.at = bytes;
    text_init(&c->book);
    progress_begin(&c->progress, 0, 1, "moves");
    s = evaluator_default(&c->options.evaluator, why);
    if (s == STATUS_OK)
        s = job_run(weigh_lines, show_progress, c, why);
    progress_wipe(&c->progress);
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

static void set_defaults(void *into)
{
    ((BookWeighCommand *)into)->options.nodes = 3000;
}

static const ArgRow rows[] = {
    ARG_ROW_NEEDED_PATH(BookWeighCommand, path, "-o", "BOOK.bin", "the book to write"),
    ARG_ROW_INT(BookWeighCommand, options.nodes, "--nodes", "N", 1, INT64_MAX, "nodes per move"),
    ARG_ROW_INT(BookWeighCommand, options.threads, "--threads", "N", 1, SEARCH_MAX_THREADS,
                "threads (default: number of cores)"),
    {0},
};

const ArgTable book_weigh_args = {.rows = rows,
                                  .words = "LINES.tsv",
                                  .min_words = 1,
                                  .max_words = 1,
                                  .size = sizeof(BookWeighCommand),
                                  .defaults = set_defaults};

int book_weigh_command(int argc, char **argv)
{
    BookWeighCommand c = {0};
    ArgWords words;
    Message why;
    Status s = args_parse(&book_weigh_args, &c, argc, argv, &words, &why);
    if (s == STATUS_OK)
        s = file_keep_apart(c.path, words.at[0], &why);
    if (s != STATUS_OK)
        return command_misused("book", &why);
    if (!c.options.threads)
        c.options.threads = thread_cpu_count();
    return command_end("book", weigh_file(&c, words.at[0], &why), &why);
}
