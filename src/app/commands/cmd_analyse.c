/* castellan analyse: annotates games. */
#include "app/analyse_out.h"
#include "app/command.h"
#include "app/game_pool.h"
#include "base/clock.h"
#include "base/file.h"
#include "notation/pgn_write.h"
#include "search/search.h"
#include "study/annotate.h"
#include "study/report.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { SAVE_EVERY_MS = 1000 };

typedef struct AnalyseCommand {
    const char *out, *html; /* NULL: standard output; no page */
    const char *syzygy;
    int threads;
    bool resume;
    ReviewOptions options; /* for each thread's reviewer */
    Tablebases *tb;
    Openings *openings;
    Book *book;
} AnalyseCommand;

typedef struct AnalyseRun {
    const AnalyseCommand *c;
    const char *source;
    GamePool pool;
    AnalyseFile pgn, html;
    AnalyseState state;
    char state_path[PATH_MAX]; /* beside the output */
    int64_t saved_ms;
    uint64_t games, moves, skipped; /* skipped: finished by the run before */
} AnalyseRun;

/* -- One game -- */

static void on_position(void *user, int done, int total)
{
    GameSlot *slot = user;
    atomic_store(&slot->total, total);
    atomic_store(&slot->done, done);
}

static Status review_slot(void *user, Reviewer *r, GameSlot *slot, Message *why)
{
    const AnalyseRun *run = user;
    Review *review;
    ReviewProgress progress = {slot, on_position};
    Status s = review_game(r, slot->game, &progress, &review, why);
    if (s != STATUS_OK)
        return s;
    slot->count = review->count;
    if (run->c->html)
        report_add_game(&slot->page, slot->game, review, slot->number);
    s = annotate_game(slot->game, review, why);
    if (s == STATUS_OK)
        s = pgn_write(slot->game, &slot->text, why);
    review_free(review);
    return s;
}

static Status save_now_and_then(AnalyseRun *run, bool now, Message *why)
{
    if (!run->c->out || run->pgn.direct || (!now && clock_now_ms() - run->saved_ms < SAVE_EVERY_MS))
        return STATUS_OK;
    run->saved_ms = clock_now_ms();
    return analyse_state_save(&run->state, run->state_path, why);
}

static Status put_out(void *user, GameSlot *slot, Message *why)
{
    AnalyseRun *run = user;
    Status s = analyse_file_add(&run->pgn, &slot->text, why);
    if (!run->c->out &&
        (fwrite(slot->text.at, 1, slot->text.len, stdout) != slot->text.len || fflush(stdout)))
        s = status_fail(why, STATUS_IO, "cannot write to standard output");
    if (s == STATUS_OK)
        s = analyse_file_add(&run->html, &slot->page, why);
    run->state.games = slot->number;
    run->state.pgn = run->pgn.length;
    run->state.html = run->html.length;
    run->games++;
    run->moves += (uint64_t)slot->count;
    return s == STATUS_OK ? save_now_and_then(run, false, why) : s;
}

/* -- Beginning and end -- */

/* What two runs must have in common for one to go on where the other ended. */
static void describe(const AnalyseRun *run, AnalyseState *state)
{
    const ReviewOptions *o = &run->c->options;
    snprintf(state->settings, sizeof state->settings,
             "castellan analyse: source %" PRIu64 " bytes, nodes %" PRIu64 ", depth %d, ms %" PRId64
             ", hash %u, tables %d, page %d",
             run->pool.progress.total, o->nodes, o->depth, o->movetime_ms, o->hash_mb,
             tb_max_pieces(o->tb), run->c->html != NULL);
}

static Status take_up(AnalyseRun *run, bool *resumed, Message *why)
{
    AnalyseState wanted = {0};
    describe(run, &wanted);
    run->state = wanted;
    *resumed = false;
    const char *out = run->c->out ? run->c->out : "";
    int used = snprintf(run->state_path, sizeof run->state_path, "%s.resume", out);
    if (used < 0 || (size_t)used >= sizeof run->state_path)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", out);
    if (!run->c->resume || access(run->state_path, F_OK) != 0)
        return STATUS_OK;
    Status s = analyse_state_load(&run->state, run->state_path, why);
    if (s == STATUS_OK && strcmp(run->state.settings, wanted.settings) != 0)
        s = status_fail(why, STATUS_REFUSED,
                        "%s: the interrupted run had a different source or different options", out);
    *resumed = s == STATUS_OK;
    return s;
}

/* The games that are finished are read over. */
static Status skip_games(AnalyseRun *run, Message *why)
{
    PgnVisitor nobody = {0};
    while (run->pool.read < run->state.games) {
        Status s = pgn_next(run->pool.reader, &nobody, why);
        if (s != STATUS_OK && s != STATUS_INVALID)
            return s == STATUS_END ? STATUS_OK : s;
        run->pool.read++;
    }
    run->skipped = run->pool.read;
    return STATUS_OK;
}

static Status open_files(AnalyseRun *run, bool resumed, Message *why)
{
    Status s = analyse_file_open(&run->pgn, run->c->out, resumed, run->state.pgn, why);
    if (s == STATUS_OK)
        s = analyse_file_open(&run->html, run->c->html, resumed, run->state.html, why);
    if (s != STATUS_OK || resumed)
        return s;
    Text head = text_new();
    report_begin(&head, run->source);
    s = analyse_file_add(&run->html, &head, why);
    text_free(&head);
    return s;
}

static Status begin(AnalyseRun *run, const ArgWords *source, Message *why)
{
    bool resumed = false;
    Status s = game_pool_open(&run->pool, source, why);
    if (s == STATUS_OK)
        s = take_up(run, &resumed, why);
    if (s == STATUS_OK)
        s = skip_games(run, why);
    return s == STATUS_OK ? open_files(run, resumed, why) : s;
}

/* The files get their names also when the run was interrupted, as long as they hold games. */
static Status finish_files(AnalyseRun *run, Message *why)
{
    Text tail = text_new();
    Status s = analyse_file_finish(&run->pgn, &tail, why);
    report_end(&tail);
    if (s == STATUS_OK)
        s = analyse_file_finish(&run->html, &tail, why);
    text_free(&tail);
    return s;
}

static Status end(AnalyseRun *run, Status s, Message *why)
{
    bool some = run->state.games > 0;
    if (s == STATUS_OK && !some && run->pool.invalid)
        s = status_fail(why, STATUS_INVALID, "%s: no game could be analysed", run->source);
    if (s == STATUS_OK && run->c->out)
        unlink(run->state_path);
    else if (s != STATUS_OK && some)
        s = save_now_and_then(run, true, why) == STATUS_OK ? s : STATUS_IO;
    if (s == STATUS_OK || (s == STATUS_STOPPED && some)) {
        Message trouble;
        Status closed = finish_files(run, &trouble);
        if (closed != STATUS_OK) {
            *why = trouble;
            s = closed;
        }
    }
    analyse_file_drop(&run->pgn, some);
    analyse_file_drop(&run->html, some);
    return s;
}

static Status analyse(AnalyseRun *run, const ArgWords *source, Message *why)
{
    Status s = begin(run, source, why);
    if (s == STATUS_OK)
        s = game_pool_run(&run->pool, why);
    s = end(run, s, why);
    s = game_pool_close(&run->pool, s, why);
    uint64_t finished = run->games + run->skipped;
    if (s == STATUS_STOPPED)
        status_fail(why, s, "interrupted after %" PRIu64 " games%s", finished,
                    run->c->out && finished ? "; --resume continues" : "");
    return s;
}

/* -- The command -- */

/* Missing directories and refused tables are reported; they do not stop the work. */
static Status open_tables(Tablebases **tb, const char *syzygy, Message *why)
{
    Status s = tb_open(tb, syzygy, why);
    if (s != STATUS_OK)
        return s;
    Text summary = text_new();
    tb_describe(*tb, &summary);
    fprintf(stderr, "castellan: analyse: %s%s%s\n", summary.at, why->text[0] ? "; " : "",
            why->text);
    text_free(&summary);
    return STATUS_OK;
}

/* What all reviewers share. */
static Status open_shared(AnalyseCommand *c, Message *why)
{
    Status s = evaluator_default(&c->options.evaluator, why);
    if (s == STATUS_OK)
        s = openings_open(&c->openings, why);
    if (s == STATUS_OK)
        s = book_open_own(&c->book, why);
    if (s == STATUS_OK && c->syzygy)
        s = open_tables(&c->tb, c->syzygy, why);
    c->options.tb = c->tb;
    c->options.openings = c->openings;
    c->options.book = c->book;
    return s;
}

static void release(void *options)
{
    AnalyseCommand *c = options;
    evaluator_close(c->options.evaluator);
    openings_close(c->openings);
    book_close(c->book);
    if (c->tb)
        tb_close(c->tb);
}

static void print_counts(const AnalyseRun *run)
{
    FILE *to = run->c->out ? stdout : stderr;
    fprintf(to, "%" PRIu64 " games, %" PRIu64 " moves, %" PRIu64 " errors", run->games, run->moves,
            run->pool.invalid);
    if (run->skipped)
        fprintf(to, ", %" PRIu64 " finished before", run->skipped);
    fputc('\n', to);
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    AnalyseCommand *c = options;
    AnalyseRun run = {.c = c, .source = words->at[0]};
    Status s = open_shared(c, why);
    if (s != STATUS_OK)
        return s;
    run.pool = (GamePool){.command = "analyse",
                          .threads = c->threads,
                          .options = &c->options,
                          .work = review_slot,
                          .take = put_out,
                          .user = &run};
    s = analyse(&run, words, why);
    if (s != STATUS_OK)
        return s;
    print_counts(&run);
    return run.pool.invalid ? command_printed(why) : STATUS_OK;
}

static const ArgRow rows[] = {
    ARG_ROW_INT(AnalyseCommand, options.nodes, "--nodes", "N", 1, INT64_MAX / 1000,
                "nodes per position (default: 100000)"),
    ARG_ROW_INT(AnalyseCommand, options.movetime_ms, "--movetime", "MS", 1, INT32_MAX,
                "time per position, in ms"),
    ARG_ROW_INT(AnalyseCommand, options.depth, "--depth", "D", 1, MAX_PLY - 1,
                "depth per position, in plies"),
    ARG_ROW_PATH(AnalyseCommand, out, "-o", "OUT.pgn",
                 "write the games to this file; it appears when it is complete"),
    ARG_ROW_PATH(AnalyseCommand, html, "--html", "OUT.html",
                 "write a self-contained page: board, graph, and a diagram of every mistake"),
    ARG_ROW_THREADS(AnalyseCommand, threads, SEARCH_MAX_THREADS, "concurrent games"),
    ARG_ROW_HASH(AnalyseCommand, options.hash_mb, " of each thread"),
    ARG_ROW_PATH(AnalyseCommand, syzygy, "--syzygy", "DIRS",
                 "directories of Syzygy tables, separated by ':'"),
    ARG_ROW_FLAG(AnalyseCommand, resume, "--resume",
                 "continue an interrupted run with the same options"),
    {0},
};

static Status check(void *options, const ArgWords *words, Message *why)
{
    const AnalyseCommand *c = options;
    const ReviewOptions *o = &c->options;
    if ((o->nodes != 0) + (o->movetime_ms != 0) + (o->depth != 0) > 1)
        return status_fail(why, STATUS_INVALID,
                           "--nodes, --movetime and --depth exclude each other");
    if (c->resume && !c->out)
        return status_fail(why, STATUS_INVALID, "missing -o OUT.pgn (for --resume)");
    if (c->out && c->html && strcmp(c->out, c->html) == 0)
        return status_fail(why, STATUS_INVALID, "-o and --html name the same file");
    Status s = file_keep_apart(c->out, words->at[0], why);
    return s == STATUS_OK ? file_keep_apart(c->html, words->at[0], why) : s;
}

const Command command_analyse = {
    .name = "analyse",
    .summary = "annotate games: scores, mistakes and their reasons, better lines",
    .about =
        "Evaluates every move of every game (\"-\": standard input) and writes the games with scores,\n"
        "?!, ? and ??, reasons for mistakes, better lines as variations, and a summary with the\n"
        "accuracy of both players, to standard output or OUT.pgn. Comments and variations of the\n"
        "source are kept. A move that looks like a mistake is searched several times as long. With\n"
        "--nodes or --depth the result is reproducible.\n",
    .args = ARG_TABLE(AnalyseCommand, rows, "GAMES.pgn",
                      .initial = &(const AnalyseCommand){.options.hash_mb = REVIEW_DEFAULT_HASH}),
    .check = check,
    .notes =
        "Ctrl-C keeps the finished games. An invalid game is reported and skipped; the exit code is\n"
        "then 1. If all games are invalid, nothing is written.\n",
    .run = run,
    .release = release,
};
