/* castellan pgn: reads and checks games, whatever the size of the file. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "chess/fen.h"
#include "notation/game_read.h"
#include "notation/pgn_reader.h"
#include "notation/pgn_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Asking the system after every small game would cost more than reading it. */
enum { ASK_EVERY = 256, WRITE_BYTES = 1 << 16 };

typedef struct Job {
    bool fens, clean;
    uint64_t games, moves, errors;
    uint64_t game_moves; /* of the game being read */
    Text out;            /* of whole games, waiting to be written */
    size_t whole;        /* bytes of `out` that belong to whole games */
    Game *game;
    Progress progress;
    bool failed;
} Job;

/* -- What the reader tells -- */

static void on_begin(void *user)
{
    Job *job = user;
    job->game_moves = 0;
    /* What a broken game left behind goes. */
    job->out.len = job->whole;
}

static void on_move(void *user, const Position *p, Move m, int depth)
{
    Job *job = user;
    (void)p, (void)m;
    job->game_moves += depth == 0;
}

static void add_fen(Job *job, const Position *p)
{
    char fen[FEN_SIZE];
    fen_write(p, FEN_X, fen);
    text_add_str(&job->out, fen);
    text_add_char(&job->out, '\n');
}

static void on_start(void *user, const Position *p)
{
    add_fen(user, p);
}

static void on_moved(void *user, const Position *p, Move m, int depth)
{
    (void)m;
    if (depth == 0)
        add_fen(user, p);
}

/* -- One game -- */

static Status check_game(Job *job, PgnReader *r, Message *why)
{
    PgnVisitor visitor = {.user = job, .begin = on_begin, .move = on_move};
    if (job->fens) {
        visitor.start = on_start;
        visitor.moved = on_moved;
    }
    return pgn_next(r, &visitor, why);
}

static Status clean_game(Job *job, PgnReader *r, Message *why)
{
    Status s = game_read(job->game, r, why);
    if (s != STATUS_OK)
        return s;
    job->game_moves = (uint64_t)game_ply(game_last(job->game));
    return pgn_write(job->game, &job->out, why);
}

static Status write_out(Job *job, Message *why)
{
    if (job->out.failed)
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    if (job->out.len && fwrite(job->out.at, 1, job->out.len, stdout) != job->out.len)
        return status_fail(why, STATUS_IO, "standard output cannot be written");
    text_clear(&job->out);
    job->whole = 0;
    return STATUS_OK;
}

static Status count_game(Job *job, Message *why)
{
    job->games++;
    job->moves += job->game_moves;
    job->whole = job->out.len;
    return job->out.len >= WRITE_BYTES || job->out.failed ? write_out(job, why) : STATUS_OK;
}

static void report(Job *job, const Message *why)
{
    progress_wipe(&job->progress);
    command_failed("pgn", why);
}

/* -- Files -- */

static uint64_t file_size(const char *path)
{
    struct stat st;
    bool known = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
    return known ? (uint64_t)st.st_size : 0;
}

/* Reads games until the end; a broken one is told of and passed over. False: stop altogether. */
static bool read_games(Job *job, PgnReader *r)
{
    for (uint64_t n = 1;; n++) {
        Message why;
        Status s = job->clean ? clean_game(job, r, &why) : check_game(job, r, &why);
        if (s == STATUS_END)
            return true;
        if (s == STATUS_INVALID) {
            job->errors++;
            job->out.len = job->whole;
            report(job, &why);
        } else if (s == STATUS_OK) {
            s = count_game(job, &why);
        }
        if (s != STATUS_OK && s != STATUS_INVALID) {
            report(job, &why);
            job->failed = true;
            return false;
        }
        if (n % ASK_EVERY == 0) {
            progress_show(&job->progress, pgn_offset(r));
            if (interrupt_came())
                return false;
        }
    }
}

static bool read_file(Job *job, const char *path)
{
    Message why;
    PgnReader *r;
    if (pgn_open(&r, path, &why) != STATUS_OK) {
        report(job, &why);
        job->failed = true;
        return true;
    }
    progress_begin(&job->progress, file_size(path), 1e6, "MB");
    bool on = read_games(job, r);
    progress_wipe(&job->progress);
    pgn_close(r);
    return on;
}

/* The count is the last line of the output, unless the output is for another program. */
static int finish(Job *job, bool interrupted)
{
    Message why;
    job->out.len = job->whole;
    if (!job->failed && write_out(job, &why) != STATUS_OK) {
        report(job, &why);
        job->failed = true;
    }
    fflush(stdout);
    fprintf(job->fens || job->clean ? stderr : stdout,
            "%" PRIu64 " games, %" PRIu64 " moves, %" PRIu64 " errors\n", job->games, job->moves,
            job->errors);
    return job->failed || job->errors || interrupted ? COMMAND_FAILED : COMMAND_DONE;
}

/* Then Ctrl-C must end the waiting for more, and there is nothing worth keeping. */
static bool reads_a_terminal(const ArgWords *paths)
{
    for (int i = 0; i < paths->count; i++)
        if (strcmp(paths->at[i], "-") == 0)
            return isatty(0) == 1;
    return false;
}

static int read_files(Job *job, const ArgWords *paths)
{
    if (!reads_a_terminal(paths))
        interrupt_hold();
    bool on = true;
    for (int i = 0; i < paths->count && on; i++)
        on = read_file(job, paths->at[i]);
    return finish(job, !on);
}

static int run(int argc, char **argv)
{
    Job job = {0};
    const ArgRow rows[] = {
        {"--fens", ARG_FLAG, &job.fens, 0, 0},
        {"--clean", ARG_FLAG, &job.clean, 0, 0},
        {0},
    };
    ArgWords words;
    Message why;
    if (args_parse(rows, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("pgn", &why);
    if (words.count == 0 || (job.fens && job.clean)) {
        status_fail(&why, STATUS_INVALID,
                    words.count ? "--fens or --clean, not both" : "which file?");
        return command_misused("pgn", &why);
    }
    text_init(&job.out);
    job.game = game_new();
    if (!job.game) {
        status_fail(&why, STATUS_MEMORY, "not enough memory");
        return command_failed("pgn", &why);
    }
    int code = read_files(&job, &words);
    game_free(job.game);
    text_free(&job.out);
    return code;
}

const Command command_pgn = {
    .name = "pgn",
    .summary = "read and check games",
    .help =
        "usage: castellan pgn FILE... [--fens | --clean]\n"
        "\n"
        "Reads the games of PGN files of any size (\"-\": standard input) and checks every move,\n"
        "those of variations included. A broken game is told of on stderr with its file, line and\n"
        "reason, and passed over. The last line is \"G games, M moves, E errors\": whole games,\n"
        "half-moves of their main lines, broken games. The exit code is 1 when a game is broken.\n"
        "\n"
        "  --fens    prints every position of each main line as FEN, the first one included\n"
        "  --clean   prints the games in export format: tags in order, exact SAN, 80 columns\n"
        "\n"
        "With --fens and --clean the count goes to stderr, so that the output is nothing else.\n",
    .run = run,
};
