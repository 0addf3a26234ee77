/* castellan book build: a book from the games of PGN files. */
#include "app/command.h"
#include "app/games_input.h"
#include "base/file.h"
#include "book/book.h"
#include "book/book_build.h"

#include <inttypes.h>
#include <stdio.h>

enum { MAX_PLIES = 1024 };

/* A move of the game being read: it counts when the game turns out to be whole. */
typedef struct Played {
    Key key;
    uint16_t bits;
    Color side;
} Played;

typedef struct BookBuildCommand {
    int64_t plies, min_games, min_elo, memory_mb;
    const char *path, *result; /* result: NULL for any */
    Result wanted;
    BookBuild *build;
    BookBuildCounts counts;
    GamesInput input;
    uint64_t games, skipped;
    Played played[MAX_PLIES];
    int count, ply;
    int64_t elo[COLOR_COUNT];
} BookBuildCommand;

static void on_begin(void *user)
{
    BookBuildCommand *c = user;
    c->count = c->ply = 0;
    c->elo[WHITE] = c->elo[BLACK] = 0;
}

static void on_tag(void *user, Span name, Span value)
{
    BookBuildCommand *c = user;
    int64_t elo;
    bool white = span_is(name, "WhiteElo");
    if ((white || span_is(name, "BlackElo")) && span_to_int64(span_trim(value), 0, 9999, &elo))
        c->elo[white ? WHITE : BLACK] = elo;
}

static void on_move(void *user, const Position *p, Move m, int depth)
{
    BookBuildCommand *c = user;
    if (depth != 0 || c->ply++ >= c->plies || m == MOVE_NULL)
        return;
    c->played[c->count++] = (Played){pos_polyglot_key(p), book_move_bits(m), p->side};
}

static bool is_wanted(const BookBuildCommand *c, Result result)
{
    return (!c->result || result == c->wanted) && c->elo[WHITE] >= c->min_elo &&
           c->elo[BLACK] >= c->min_elo;
}

/* By half points. An unknown result counts as a draw: nothing speaks against the moves. */
static const int outcomes[] = {BOOK_LOSS, BOOK_DRAW, BOOK_WIN};

static void on_end(void *user, Result result)
{
    BookBuildCommand *c = user;
    if (!is_wanted(c, result)) {
        c->skipped++;
        return;
    }
    c->games++;
    for (int i = 0; i < c->count && c->input.status == STATUS_OK; i++) {
        const Played *m = &c->played[i];
        c->input.status =
            book_build_add(c->build, m->key, m->bits, outcomes[result_half_points(result, m->side)],
                           &c->input.why);
    }
}

static Status build_book(BookBuildCommand *c, const ArgWords *files, Message *why)
{
    BookBuildOptions options = {.memory = (size_t)c->memory_mb << 20,
                                .min_games = (uint32_t)c->min_games};
    Status s = book_build_begin(&c->build, c->path, &options, why);
    for (int i = 0; i < files->count && s == STATUS_OK; i++)
        s = games_input_read(&c->input, files->at[i], &c->input.progress.job.stop, why);
    if (s == STATUS_OK) {
        s = book_build_finish(c->build, &c->counts, why);
        if (s == STATUS_MISSING)
            status_fail(why, s,
                        "no move of %" PRIu64 " games was played often enough (--min-games %" PRId64
                        ")",
                        c->games, c->min_games);
    }
    book_build_free(c->build);
    return s;
}

static Status run(void *options, const ArgWords *words, Message *why)
{
    BookBuildCommand *c = options;
    c->input = (GamesInput){
        .command = "book",
        .visitor = {.user = c, .begin = on_begin, .tag = on_tag, .move = on_move, .end = on_end}};
    games_input_begin(&c->input, words);
    Status s = progress_end(&c->input.progress, build_book(c, words, why), why);
    if (s != STATUS_OK)
        return s;
    printf("%s: %" PRIu64 " moves in %" PRIu64 " positions from %" PRIu64 " games, %" PRIu64
           " skipped, %" PRIu64 " errors\n",
           c->path, c->counts.entries, c->counts.positions, c->games, c->skipped, c->input.invalid);
    return c->input.invalid ? command_printed(why) : STATUS_OK;
}

/* -- Arguments -- */

static const ArgRow rows[] = {
    ARG_ROW_NEEDED_PATH(BookBuildCommand, path, "-o", "BOOK.bin", "the book to write"),
    ARG_ROW_INT(BookBuildCommand, plies, "--plies", "N", 1, MAX_PLIES, "plies of each game to use"),
    ARG_ROW_INT(BookBuildCommand, min_games, "--min-games", "N", 1, 1000000000,
                "skip moves played in fewer games"),
    ARG_ROW_INT(BookBuildCommand, min_elo, "--min-elo", "N", 0, 9999,
                "skip games with a player rated lower"),
    ARG_ROW_TEXT(BookBuildCommand, result, "--result", "R",
                 "only games with this result: 1-0, 0-1, 1/2-1/2 or *"),
    ARG_ROW_INT(BookBuildCommand, memory_mb, "--memory", "MB", 1, 1 << 20,
                "memory for counting, in MB; what exceeds it goes to temporary files"),
    {0},
};

static Status check(void *options, const ArgWords *words, Message *why)
{
    BookBuildCommand *c = options;
    for (int i = 0; i < words->count; i++)
        if (file_keep_apart(c->path, words->at[i], why) != STATUS_OK)
            return STATUS_INVALID;
    if (c->result && !result_read(span_of(c->result), &c->wanted))
        return status_fail(why, STATUS_INVALID,
                           "invalid value '%.40s' for --result: 1-0, 0-1, 1/2-1/2 or *", c->result);
    return STATUS_OK;
}

static void set_defaults(void *into)
{
    BookBuildCommand *c = into;
    c->plies = 60;
    c->min_games = 3;
    c->memory_mb = 100;
}

const Command command_book_build = {
    .name = "build",
    .about = "makes a book from the main lines of games. The weight of a move is 2 for each game\n"
             "that its side won plus 1 for each draw or unknown result; moves that only lost are\n"
             "skipped. An invalid game is reported and skipped; the exit code is then 1.\n",
    .args = ARG_TABLE(BookBuildCommand, rows, "GAMES.pgn ...", .defaults = set_defaults),
    .check = check,
    .run = run,
    .interrupted = "no book was written",
};
