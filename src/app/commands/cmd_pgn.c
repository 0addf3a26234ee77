/* castellan pgn: reads and checks games, whatever the size of the file. */
#include "app/command.h"
#include "app/games_input.h"
#include "chess/fen.h"
#include "notation/game_read.h"
#include "notation/pgn_write.h"

#include <inttypes.h>
#include <stdio.h>

enum { WRITE_BYTES = 1 << 16 };

typedef struct PgnCommand {
    bool fens, clean, every_ep;
    uint64_t games, moves;
    uint64_t game_moves; /* of the game being read */
    Square passed;       /* by the double step just made; SQ_NONE: none, or not wanted */
    Text out;            /* of complete games, not yet written */
    size_t whole;        /* bytes of `out` that belong to complete games */
    Game *game;
    GamesInput input;
    bool failed;
} PgnCommand;

/* -- Callbacks of the reader -- */

static void on_begin(void *user)
{
    PgnCommand *c = user;
    c->game_moves = 0;
    c->passed = SQ_NONE;
    /* Output of a broken game is dropped. */
    c->out.len = c->whole;
}

static void on_move(void *user, const Position *p, Move m, int depth)
{
    PgnCommand *c = user;
    c->game_moves += depth == 0;
    if (depth == 0 && c->every_ep)
        c->passed = fen_passed_square(p, m);
}

static void add_fen(PgnCommand *c, const Position *p)
{
    char fen[FEN_SIZE];
    fen_write_ep(p, FEN_X, c->passed != SQ_NONE ? c->passed : p->st.ep, fen);
    text_add_str(&c->out, fen);
    text_add_char(&c->out, '\n');
}

static void on_start(void *user, const Position *p)
{
    add_fen(user, p);
}

static void on_moved(void *user, const Position *p, Move m UNUSED, int depth)
{
    if (depth == 0)
        add_fen(user, p);
}

/* -- One game -- */

static Status check_game(PgnCommand *c, PgnReader *r, Message *why)
{
    PgnVisitor visitor = {.user = c, .begin = on_begin, .move = on_move};
    if (c->fens) {
        visitor.start = on_start;
        visitor.moved = on_moved;
    }
    return pgn_next(r, &visitor, why);
}

static Status clean_game(PgnCommand *c, PgnReader *r, Message *why)
{
    Status s = game_read(c->game, r, why);
    if (s != STATUS_OK)
        return s;
    c->game_moves = (uint64_t)game_ply(game_last(c->game));
    return pgn_write(c->game, &c->out, why);
}

static Status write_out(PgnCommand *c, Message *why)
{
    if (c->out.failed)
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    if (c->out.len && fwrite(c->out.at, 1, c->out.len, stdout) != c->out.len)
        return status_fail(why, STATUS_IO, "cannot write to standard output");
    text_clear(&c->out);
    c->whole = 0;
    return STATUS_OK;
}

static Status count_game(PgnCommand *c, Message *why)
{
    c->games++;
    c->moves += c->game_moves;
    c->whole = c->out.len;
    return c->out.len >= WRITE_BYTES || c->out.failed ? write_out(c, why) : STATUS_OK;
}

static Status next_game(void *user, PgnReader *r, Message *why)
{
    PgnCommand *c = user;
    Status s = c->clean ? clean_game(c, r, why) : check_game(c, r, why);
    if (s == STATUS_INVALID)
        c->out.len = c->whole;
    return s == STATUS_OK ? count_game(c, why) : s;
}

/* -- Files -- */

/* A file that cannot be opened does not keep the others from being read. */
static Status read_file(PgnCommand *c, const char *path, Message *why)
{
    uint64_t before = c->input.bytes_before;
    Status s = games_input_read(&c->input, path, &c->input.progress.job.stop, why);
    if ((s != STATUS_MISSING && s != STATUS_IO) || c->input.bytes_before != before)
        return s;
    games_input_report(&c->input, why);
    c->failed = true;
    return STATUS_OK;
}

/* The count is the last line of the output, unless the output is for another program. */
static void print_counts(PgnCommand *c)
{
    Message why;
    c->out.len = c->whole;
    if (write_out(c, &why) != STATUS_OK) {
        games_input_report(&c->input, &why);
        c->failed = true;
    }
    fflush(stdout);
    fprintf(c->fens || c->clean ? stderr : stdout,
            "%" PRIu64 " games, %" PRIu64 " moves, %" PRIu64 " errors\n", c->games, c->moves,
            c->input.invalid);
}

/* -- The command -- */

static const ArgRow rows[] = {
    ARG_ROW_FLAG(PgnCommand, fens, "--fens",
                 "print every position of the main lines as FEN, the first one included"),
    ARG_ROW_FLAG(PgnCommand, every_ep, "--every-ep",
                 "with --fens: write the en passant square after every double step, as older "
                 "programs do (default: where a capture is legal)"),
    ARG_ROW_FLAG(PgnCommand, clean, "--clean",
                 "print the games in export format: tags in order, exact SAN, 80 columns"),
    {0},
};

static Status check(void *options, const ArgWords *words UNUSED, Message *why)
{
    const PgnCommand *c = options;
    return c->fens && c->clean
               ? status_fail(why, STATUS_INVALID, "--fens and --clean exclude each other")
               : STATUS_OK;
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    PgnCommand *c = options;
    c->input = (GamesInput){.command = "pgn", .next = next_game, .user = c};
    text_init(&c->out);
    c->game = game_new();
    if (!c->game)
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    games_input_begin(&c->input, words);
    Status s = STATUS_OK;
    for (int i = 0; i < words->count && s == STATUS_OK; i++)
        s = read_file(c, words->at[i], why);
    s = progress_end(&c->input.progress, s, why);
    if (s != STATUS_OK)
        games_input_report(&c->input, why);
    print_counts(c);
    game_free(c->game);
    text_free(&c->out);
    return s != STATUS_OK || c->failed || c->input.invalid ? command_printed(why) : STATUS_OK;
}

const Command command_pgn = {
    .name = "pgn",
    .summary = "read and check games",
    .about =
        "Reads the games of PGN files of any size (\"-\": standard input) and checks every move,\n"
        "those of variations included. An invalid game is reported on stderr with its file, line and\n"
        "reason, and skipped. The last line is \"G games, M moves, E errors\": complete games, plies of\n"
        "their main lines, invalid games. The exit code is 1 when a game is invalid.\n",
    .args = ARG_TABLE(PgnCommand, rows, "FILE.pgn ..."),
    .check = check,
    .notes = "With --fens and --clean the counts go to stderr.\n",
    .run = run,
};
