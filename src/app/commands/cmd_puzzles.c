/* castellan puzzles: tactics puzzles from games, as EPD. */
#include "app/command.h"
#include "app/progress.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "notation/game_read.h"
#include "search/search.h"
#include "study/puzzle.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_NODES = 30000 };

/* The puzzles of one game, as lines of text. */
typedef struct GameLines {
    int number;
    int count;
    Text text;
} GameLines;

typedef struct PuzzlesCommand {
    ReviewOptions options;
    const char *path;
    int threads;
    int64_t limit;
    /* While it runs; the lock guards what follows. */
    Mutex lock;
    PgnReader *reader;
    const atomic_bool *stop;
    GameLines *games;
    int game_count;
    size_t capacity;
    int read, errors;
    int64_t made;
    _Atomic uint64_t done;
    Status status;
    Message why;
} PuzzlesCommand;

/* -- As text -- */

typedef struct Writer {
    GameLines *lines;
    const Game *game;
} Writer;

static void add_themes(Text *out, unsigned themes)
{
    const char *blank = "";
    for (int t = 0; t < PUZZLE_THEME_COUNT; t++)
        if (themes & (1u << t)) {
            text_addf(out, "%s%s", blank, puzzle_theme_name((PuzzleTheme)t));
            blank = " ";
        }
}

/* Quotes would end the string. */
static void add_name(Text *out, const char *name)
{
    for (const char *c = name && *name ? name : "?"; *c; c++)
        text_add_char(out, *c == '"' || *c == ';' ? ' ' : *c);
}

static void add_puzzle(void *user, const Puzzle *puzzle)
{
    Writer *w = user;
    Text *out = &w->lines->text;
    Position p = puzzle->start;
    Undo undo;
    char fen[FEN_SIZE], san[SAN_SIZE];
    fen_write(&p, FEN_X, fen);
    int fields = 0;
    for (const char *c = fen; *c && (*c != ' ' || ++fields < 4); c++)
        text_add_char(out, *c);
    san_write(&p, puzzle->line[0], san);
    text_addf(out, " bm %s; pv", san);
    for (int i = 0; i < puzzle->length; i++) {
        san_write(&p, puzzle->line[i], san);
        text_addf(out, " %s", san);
        pos_make(&p, puzzle->line[i], &undo);
    }
    text_addf(out, "; id \"game %d, move %d: ", w->lines->number, (puzzle->ply + 1) / 2);
    add_name(out, game_tag(w->game, "White"));
    text_add_str(out, " - ");
    add_name(out, game_tag(w->game, "Black"));
    text_add_str(out, "\"; c0 \"");
    add_themes(out, puzzle->themes);
    text_addf(out, "\"; c1 \"rating %d\";\n", puzzle->rating);
    w->lines->count++;
}

/* -- Searching -- */

static bool read_game(PuzzlesCommand *c, Game *g, int *number)
{
    Message why;
    mutex_lock(&c->lock);
    bool enough = atomic_load(c->stop) || (c->limit && c->made >= c->limit);
    Status s = enough || c->status != STATUS_OK ? STATUS_END : STATUS_INVALID;
    while (s == STATUS_INVALID) {
        s = game_read(g, c->reader, &why);
        c->read += s == STATUS_OK || s == STATUS_INVALID;
        if (s == STATUS_INVALID) {
            c->errors++;
            command_failed("puzzles", &why);
        }
    }
    if (s != STATUS_OK && s != STATUS_END) {
        c->status = s;
        c->why = why;
    }
    *number = c->read;
    mutex_unlock(&c->lock);
    return s == STATUS_OK;
}

static Status keep_lines(PuzzlesCommand *c, const GameLines *lines, Message *why)
{
    mutex_lock(&c->lock);
    if (!memory_grow(&c->games, sizeof *c->games, (size_t)c->game_count, &c->capacity)) {
        mutex_unlock(&c->lock);
        return status_fail(why, STATUS_MEMORY, "not enough memory for puzzles");
    }
    c->games[c->game_count++] = *lines;
    c->made += lines->count;
    mutex_unlock(&c->lock);
    atomic_fetch_add(&c->done, 1);
    return STATUS_OK;
}

static Status search_game(PuzzlesCommand *c, Reviewer *r, const Game *g, int number, Message *why)
{
    GameLines lines = {.number = number};
    Writer writer = {&lines, g};
    int count;
    Move *moves = game_moves(g, &count);
    if (!moves)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    text_init(&lines.text);
    Status s = puzzles_of_game(r, game_start(g), moves, count, add_puzzle, &writer, why);
    free(moves);
    if (s == STATUS_OK && lines.text.failed)
        s = status_fail(why, STATUS_MEMORY, "not enough memory for puzzles");
    if (s == STATUS_OK)
        s = keep_lines(c, &lines, why);
    if (s != STATUS_OK)
        text_free(&lines.text);
    return s;
}

static void *search_games(void *arg)
{
    PuzzlesCommand *c = arg;
    Reviewer *r = NULL;
    Game *g = game_new();
    Message why;
    int number;
    Status s = g ? reviewer_open(&r, &c->options, &why)
                 : status_fail(&why, STATUS_MEMORY, "not enough memory for a game");
    while (s == STATUS_OK && read_game(c, g, &number))
        s = search_game(c, r, g, number, &why);
    reviewer_close(r);
    game_free(g);
    if (s != STATUS_OK) {
        mutex_lock(&c->lock);
        c->status = s;
        c->why = why;
        mutex_unlock(&c->lock);
    }
    return NULL;
}

static Status search_all(void *user, const atomic_bool *stop, Message *why)
{
    PuzzlesCommand *c = user;
    c->stop = stop;
    thread_run_each(search_games, c, 0, c->threads);
    if (c->status != STATUS_OK)
        *why = c->why;
    return c->status;
}

/* -- Writing -- */

static int compare_games(const void *a, const void *b)
{
    const GameLines *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static Status write_puzzles(PuzzlesCommand *c, Message *why)
{
    Text all = text_new();
    qsort(c->games, (size_t)c->game_count, sizeof *c->games, compare_games);
    for (int i = 0; i < c->game_count; i++)
        text_add(&all, c->games[i].text.at, c->games[i].text.len);
    Status s = STATUS_OK;
    if (c->path)
        s = file_write_text(c->path, &all, why);
    else if (all.failed)
        s = status_fail(why, STATUS_MEMORY, "not enough memory for puzzles");
    else
        command_print(&all);
    if (s == STATUS_OK)
        fprintf(c->path ? stdout : stderr, "%lld puzzles from %d games, %d errors\n",
                (long long)c->made, c->game_count, c->errors);
    return s;
}

static Status make_puzzles(PuzzlesCommand *c, const char *source, Message *why)
{
    mutex_init(&c->lock);
    Progress progress = {.unit = "games", .done = &c->done};
    Status s = evaluator_default(&c->options.evaluator, why);
    if (s == STATUS_OK)
        s = pgn_open(&c->reader, source, NULL, why);
    if (s == STATUS_OK) {
        s = progress_run(&progress, search_all, c, why);
        pgn_close(c->reader);
    }
    if (s == STATUS_OK || s == STATUS_STOPPED) { /* what was found before an interrupt is kept */
        Message failed;
        Status written = write_puzzles(c, &failed);
        if (s == STATUS_STOPPED)
            status_fail(why, s, "interrupted after %d games", c->game_count);
        if (written != STATUS_OK)
            *why = failed;
        s = written != STATUS_OK ? written : s;
    }
    for (int i = 0; i < c->game_count; i++)
        text_free(&c->games[i].text);
    free(c->games);
    evaluator_close(c->options.evaluator);
    mutex_free(&c->lock);
    return s;
}

/* -- Arguments -- */

static const ArgRow rows[] = {
    ARG_ROW_PATH(PuzzlesCommand, path, "-o", "OUT.epd",
                 "write the puzzles to this file; it appears when it is complete"),
    ARG_ROW_INT(PuzzlesCommand, options.nodes, "--nodes", "N", 100, INT64_MAX / 1000,
                "nodes of the first search; solutions are verified with ten times as many"),
    ARG_ROW_INT(PuzzlesCommand, limit, "--limit", "N", 1, INT64_MAX, "stop after N puzzles"),
    ARG_ROW_THREADS(PuzzlesCommand, threads, SEARCH_MAX_THREADS, "concurrent games"),
    ARG_ROW_HASH(PuzzlesCommand, options.hash_mb, " of each thread"),
    {0},
};

static Status check(void *options, const ArgWords *words, Message *why)
{
    return file_keep_apart(((PuzzlesCommand *)options)->path, words->at[0], why);
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    PuzzlesCommand *c = options;
    Status s = make_puzzles(c, words->at[0], why);
    return s == STATUS_OK && c->errors ? command_printed(why) : s;
}

const Command command_puzzles = {
    .name = "puzzles",
    .summary = "make tactics puzzles from games",
    .about =
        "Looks in every game (\"-\": standard input) for positions in which one move wins and no other\n"
        "does, and writes them as EPD to standard output or OUT.epd: bm is the move, pv the solution,\n"
        "c0 the themes, c1 an estimated rating. The same games and nodes give the same puzzles.\n",
    .args =
        ARG_TABLE(PuzzlesCommand, rows, "GAMES.pgn",
                  .initial = &(const PuzzlesCommand){.options = {.nodes = DEFAULT_NODES,
                                                                 .hash_mb = REVIEW_DEFAULT_HASH}}),
    .check = check,
    .notes =
        "Ctrl-C keeps what was found. An invalid game is reported and skipped; the exit code is then\n"
        "1.\n",
    .run = run,
};
