/* castellan puzzles: tactics puzzles from games, as EPD. */
#include "app/command.h"
#include "app/game_pool.h"
#include "base/file.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "search/search.h"
#include "study/puzzle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_NODES = 30000 };

typedef struct PuzzlesCommand {
    ReviewOptions options;
    const char *path;
    int threads;
    int64_t limit;
    Text puzzles;
    int games; /* searched */
    int64_t made;
    uint64_t invalid; /* games before the last one that was kept */
} PuzzlesCommand;

/* -- As text -- */

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
    GameSlot *slot = user;
    Text *out = &slot->text;
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
    text_addf(out, "; id \"game %d, move %d: ", (int)slot->number, (puzzle->ply + 1) / 2);
    add_name(out, game_tag(slot->game, "White"));
    text_add_str(out, " - ");
    add_name(out, game_tag(slot->game, "Black"));
    text_add_str(out, "\"; c0 \"");
    add_themes(out, puzzle->themes);
    text_addf(out, "\"; c1 \"rating %d\";\n", puzzle->rating);
    slot->count++;
}

/* -- Searching -- */

static Status search_game(void *user UNUSED, Reviewer *r, GameSlot *slot, Message *why)
{
    int count;
    Move *moves = game_moves(slot->game, &count);
    if (!moves)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    slot->count = 0;
    Status s = puzzles_of_game(r, game_start(slot->game), moves, count, add_puzzle, slot, why);
    free(moves);
    return s;
}

static bool limit_reached(const PuzzlesCommand *c)
{
    return c->limit && c->made >= c->limit;
}

static Status keep_puzzles(void *user, GameSlot *slot, Message *why UNUSED)
{
    PuzzlesCommand *c = user;
    text_add(&c->puzzles, slot->text.at, slot->text.len);
    c->games++;
    c->made += slot->count;
    c->invalid = slot->invalid;
    return limit_reached(c) ? STATUS_END : STATUS_OK;
}

static Status write_puzzles(PuzzlesCommand *c, Message *why)
{
    Status s = STATUS_OK;
    if (c->path)
        s = file_write_text(c->path, &c->puzzles, why);
    else if (c->puzzles.failed)
        s = status_fail(why, STATUS_MEMORY, "not enough memory for puzzles");
    else
        command_print(&c->puzzles);
    if (s == STATUS_OK)
        fprintf(c->path ? stdout : stderr,
                "%" PRId64 " puzzles from %d games, %" PRIu64 " errors\n", c->made, c->games,
                c->invalid);
    return s;
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    PuzzlesCommand *c = options;
    GamePool pool = {.command = "puzzles",
                     .threads = c->threads,
                     .options = &c->options,
                     .work = search_game,
                     .take = keep_puzzles,
                     .keeps_all = true,
                     .user = c};
    text_init(&c->puzzles);
    Status s = evaluator_default(&c->options.evaluator, why);
    if (s != STATUS_OK)
        return s;
    s = game_pool_open(&pool, words, why);
    if (s == STATUS_OK)
        s = game_pool_run(&pool, why);
    s = game_pool_close(&pool, s, why);
    if (s == STATUS_STOPPED) /* what was found is kept */
        status_fail(why, s, "interrupted after %d games", c->games);
    if (!limit_reached(c)) /* otherwise games were read that do not count */
        c->invalid = pool.invalid;
    if (s == STATUS_OK || s == STATUS_STOPPED) {
        Message failed;
        Status written = write_puzzles(c, &failed);
        if (written != STATUS_OK) {
            *why = failed;
            s = written;
        }
    }
    return s == STATUS_OK && c->invalid ? command_printed(why) : s;
}

static void release(void *options)
{
    PuzzlesCommand *c = options;
    text_free(&c->puzzles);
    evaluator_close(c->options.evaluator);
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
    .release = release,
};
