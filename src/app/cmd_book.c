/* castellan book: asks, shows and builds opening books. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "book/book.h"
#include "book/book_build.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "chess/uci_move.h"
#include "notation/pgn_reader.h"
#include "search/search.h"
#include "study/weigh.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Asking the system after every small game would cost more than reading it. */
enum { ASK_EVERY = 256, MAX_PLIES = 1024, MAX_DEPTH = 64 };

/* -- Asking -- */

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
    status_fail(&why, STATUS_MISSING, "the position is not in the book");
    return command_failed("book", &why);
}

/* One line a move, each deeper by two blanks than the one before it. */
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

typedef struct Question {
    const char *book;
    int64_t depth; /* 0: only this position, with its weights */
    bool chess960;
} Question;

static int answer(const Question *q, const ArgWords *words)
{
    Message why;
    Text fen;
    Position p;
    text_init(&fen);
    args_join(words, 1, &fen);
    Status s = fen_parse(&p, words->count > 1 ? (Span){fen.at, fen.len} : span_of(FEN_START),
                         q->chess960, &why);
    text_free(&fen);
    if (s != STATUS_OK)
        return command_failed("book", &why);
    Book *book = NULL;
    int code = open_book(&book, q->book);
    if (code != COMMAND_DONE)
        return code;
    if (q->depth)
        print_tree(book, &p, 0, (int)q->depth);
    else
        code = print_moves(book, &p);
    book_close(book);
    return code;
}

static int run_probe(int argc, char **argv)
{
    Question q = {0};
    const ArgRow rows[] = {
        {"--book", ARG_TEXT, &q.book, 0, 0},
        {"--chess960", ARG_FLAG, &q.chess960, 0, 0},
        {0},
    };
    ArgWords words;
    Message why;
    if (args_parse(rows, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("book", &why);
    return answer(&q, &words);
}

static int run_show(int argc, char **argv)
{
    Question q = {.depth = 4};
    const ArgRow rows[] = {
        {"--book", ARG_TEXT, &q.book, 0, 0},
        {"--depth", ARG_INT, &q.depth, 1, MAX_DEPTH},
        {"--chess960", ARG_FLAG, &q.chess960, 0, 0},
        {0},
    };
    ArgWords words;
    Message why;
    if (args_parse(rows, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("book", &why);
    return answer(&q, &words);
}

/* -- Building -- */

/* A move of the game being read: it counts when the game turns out to be whole. */
typedef struct Played {
    Key key;
    uint16_t bits;
    Color side;
} Played;

typedef struct Job {
    int64_t plies, min_games, min_elo, memory_mb;
    const char *path, *result; /* result: NULL for any */
    Result wanted;
    BookBuild *build;
    Progress progress;
    uint64_t games, passed_over, errors;
    Played played[MAX_PLIES];
    int count, ply;
    int64_t elo[COLOR_COUNT];
    Status status; /* of the last game's tallies */
    Message why;
} Job;

static void on_begin(void *user)
{
    Job *job = user;
    job->count = job->ply = 0;
    job->elo[WHITE] = job->elo[BLACK] = 0;
}

static void on_tag(void *user, Span name, Span value)
{
    Job *job = user;
    int64_t elo;
    bool white = span_is(name, "WhiteElo");
    if ((white || span_is(name, "BlackElo")) && span_to_int64(span_trim(value), 0, 9999, &elo))
        job->elo[white ? WHITE : BLACK] = elo;
}

static void on_move(void *user, const Position *p, Move m, int depth)
{
    Job *job = user;
    if (depth != 0 || job->ply++ >= job->plies || m == MOVE_NULL)
        return;
    job->played[job->count++] = (Played){pos_polyglot_key(p), book_move_bits(m), p->side};
}

static bool is_wanted(const Job *job, Result result)
{
    return (!job->result || result == job->wanted) && job->elo[WHITE] >= job->min_elo &&
           job->elo[BLACK] >= job->min_elo;
}

/* By half points. An unknown result counts as a draw: nothing speaks against the moves. */
static const int outcomes[] = {BOOK_LOSS, BOOK_DRAW, BOOK_WIN};

static void on_end(void *user, Result result)
{
    Job *job = user;
    if (!is_wanted(job, result)) {
        job->passed_over++;
        return;
    }
    job->games++;
    for (int i = 0; i < job->count && job->status == STATUS_OK; i++) {
        const Played *m = &job->played[i];
        job->status = book_build_add(job->build, m->key, m->bits,
                                     outcomes[result_half_points(result, m->side)], &job->why);
    }
}

static Status next_game(Job *job, PgnReader *r)
{
    PgnVisitor visitor = {
        .user = job, .begin = on_begin, .tag = on_tag, .move = on_move, .end = on_end};
    Status s = pgn_next(r, &visitor, &job->why);
    return s == STATUS_OK ? job->status : s;
}

/* Reads games until the end; a broken one is told of and passed over. */
static Status read_games(Job *job, PgnReader *r)
{
    for (uint64_t n = 1;; n++) {
        Status s = next_game(job, r);
        if (s == STATUS_END)
            return STATUS_OK;
        if (s == STATUS_INVALID) {
            job->errors++;
            progress_wipe(&job->progress);
            command_failed("book", &job->why);
        } else if (s != STATUS_OK) {
            return s;
        }
        if (n % ASK_EVERY == 0) {
            progress_show(&job->progress, pgn_offset(r));
            if (interrupt_came())
                return status_fail(&job->why, STATUS_STOPPED, "stopped, no book was written");
        }
    }
}

static Status read_file(Job *job, const char *path)
{
    PgnReader *r;
    struct stat st;
    bool known = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
    Status s = pgn_open(&r, path, &job->why);
    if (s != STATUS_OK)
        return s;
    progress_begin(&job->progress, known ? (uint64_t)st.st_size : 0, 1e6, "MB");
    s = read_games(job, r);
    progress_wipe(&job->progress);
    pgn_close(r);
    return s;
}

static int build(Job *job, const ArgWords *words)
{
    BookBuildOptions options = {.memory = (size_t)job->memory_mb << 20,
                                .min_games = (uint32_t)job->min_games};
    BookBuildCounts counts = {0};
    Status s = book_build_begin(&job->build, job->path, &options, &job->why);
    for (int i = 1; i < words->count && s == STATUS_OK; i++)
        s = read_file(job, words->at[i]);
    if (s == STATUS_OK) {
        s = book_build_finish(job->build, &counts, &job->why);
        if (s == STATUS_MISSING)
            status_fail(&job->why, s,
                        "no move of %" PRIu64 " games is left for a book (--min-games %" PRId64 ")",
                        job->games, job->min_games);
    }
    book_build_free(job->build);
    if (s != STATUS_OK)
        return command_failed("book", &job->why);
    printf("%s: %" PRIu64 " moves in %" PRIu64 " positions from %" PRIu64 " games, %" PRIu64
           " passed over, %" PRIu64 " errors\n",
           job->path, counts.entries, counts.positions, job->games, job->passed_over, job->errors);
    return job->errors ? COMMAND_FAILED : COMMAND_DONE;
}

static Status check_job(Job *job, const ArgWords *words, Message *why)
{
    if (words->count < 2)
        return status_fail(why, STATUS_INVALID, "which games?");
    if (!job->path)
        return status_fail(why, STATUS_INVALID, "where to? (-o BOOK.bin)");
    for (int i = 1; i < words->count; i++)
        if (file_keep_apart(job->path, words->at[i], why) != STATUS_OK)
            return STATUS_INVALID;
    if (job->result && !result_read(span_of(job->result), &job->wanted))
        return status_fail(why, STATUS_INVALID, "--result is 1-0, 0-1, 1/2-1/2 or *");
    return STATUS_OK;
}

static int run_build(int argc, char **argv)
{
    Job job = {.plies = 60, .min_games = 3, .memory_mb = 100};
    const ArgRow rows[] = {
        {"-o", ARG_TEXT, &job.path, 0, 0},
        {"--plies", ARG_INT, &job.plies, 1, MAX_PLIES},
        {"--min-games", ARG_INT, &job.min_games, 1, 1000000000},
        {"--min-elo", ARG_INT, &job.min_elo, 0, 9999},
        {"--result", ARG_TEXT, &job.result, 0, 0},
        {"--memory", ARG_INT, &job.memory_mb, 1, 1 << 20},
        {0},
    };
    ArgWords words;
    Message why;
    Status s = args_parse(rows, argc, argv, &words, &why);
    if (s == STATUS_OK)
        s = check_job(&job, &words, &why);
    if (s != STATUS_OK)
        return command_misused("book", &why);
    interrupt_hold();
    return build(&job, &words);
}

/* -- Weighing -- */

enum { MAX_TABLE_BYTES = 64 << 20, LOOK_EVERY_MS = 100 };

typedef struct Weighing {
    WeighOptions options;
    WeighCounts counts;
    Span table;
    Text book;
    atomic_bool stop, done;
    Status status;
    Message why;
} Weighing;

static void *weigh(void *arg)
{
    Weighing *w = arg;
    w->status = weigh_openings(w->table, &w->options, &w->stop, &w->counts, &w->book, &w->why);
    atomic_store(&w->done, true);
    return NULL;
}

/* The work has a thread of its own, so that this one can show how far it is and hear Ctrl-C. */
static Status weigh_and_watch(Weighing *w)
{
    Progress progress = {0};
    Thread thread;
    Status s = thread_start(&thread, weigh, w, 0, &w->why);
    if (s != STATUS_OK)
        return s;
    progress_begin(&progress, 0, 1, "moves");
    while (!atomic_load(&w->done)) {
        progress.total = (uint64_t)atomic_load(&w->counts.total);
        progress_show(&progress, (uint64_t)atomic_load(&w->counts.done));
        if (interrupt_came())
            atomic_store(&w->stop, true);
        clock_sleep_ms(LOOK_EVERY_MS);
    }
    thread_join(thread);
    progress_wipe(&progress);
    return w->status;
}

static Status weigh_file(Weighing *w, const char *source, const char *path)
{
    char *bytes;
    Status s = file_read(&bytes, &w->table.len, source, MAX_TABLE_BYTES, &w->why);
    if (s != STATUS_OK)
        return s;
    w->table.at = bytes;
    text_init(&w->book);
    s = evaluator_default(&w->options.evaluator, &w->why);
    if (s == STATUS_OK)
        s = weigh_and_watch(w);
    if (s == STATUS_OK)
        s = file_write_atomic(path, w->book.at, w->book.len, &w->why);
    if (s == STATUS_OK)
        printf("%s: %d moves of %d in %d lines are sound\n", path, w->counts.kept, w->counts.moves,
               w->counts.lines);
    evaluator_close(w->options.evaluator);
    text_free(&w->book);
    free(bytes);
    return s;
}

static int run_weigh(int argc, char **argv)
{
    Weighing w = {0};
    int64_t nodes = 3000, threads = thread_cpu_count();
    const char *path = NULL;
    const ArgRow rows[] = {
        {"-o", ARG_TEXT, &path, 0, 0},
        {"--nodes", ARG_INT, &nodes, 1, INT64_MAX},
        {"--threads", ARG_INT, &threads, 1, SEARCH_MAX_THREADS},
        {0},
    };
    ArgWords words;
    Status s = args_parse(rows, argc, argv, &words, &w.why);
    if (s == STATUS_OK && words.count != 2)
        s = status_fail(&w.why, STATUS_INVALID, "which lines?");
    if (s == STATUS_OK && !path)
        s = status_fail(&w.why, STATUS_INVALID, "where to? (-o BOOK.bin)");
    if (s == STATUS_OK)
        s = file_keep_apart(path, words.at[1], &w.why);
    if (s != STATUS_OK)
        return command_misused("book", &w.why);
    w.options.nodes = (uint64_t)nodes;
    w.options.threads = (int)threads;
    interrupt_hold();
    s = weigh_file(&w, words.at[1], path);
    return s == STATUS_OK ? COMMAND_DONE : command_failed("book", &w.why);
}

static int run(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    Message why;
    if (strcmp(what, "probe") == 0)
        return run_probe(argc, argv);
    if (strcmp(what, "show") == 0)
        return run_show(argc, argv);
    if (strcmp(what, "build") == 0)
        return run_build(argc, argv);
    if (strcmp(what, "weigh") == 0)
        return run_weigh(argc, argv);
    status_fail(&why, STATUS_INVALID, "what to do: probe, show, build or weigh?");
    return command_misused("book", &why);
}

const Command command_book = {
    .name = "book",
    .summary = "ask, show and build opening books",
    .help =
        "usage: castellan book probe [FEN] [--book FILE] [--chess960]\n"
        "       castellan book show [FEN] [--book FILE] [--depth N] [--chess960]\n"
        "       castellan book build GAMES.pgn... -o BOOK.bin [OPTIONS]\n"
        "       castellan book weigh LINES.tsv -o BOOK.bin [--nodes N] [--threads N]\n"
        "\n"
        "Opening books in Polyglot's format. Without --book the small book inside the program is\n"
        "asked, with --book system the one that came with the system (gnuchess-book); without FEN\n"
        "the start position.\n"
        "\n"
        "probe prints the moves of the position with their weights; the exit code is 1 when the\n"
        "book does not know it. show prints the moves that follow too, as a tree of N half-moves\n"
        "(default 4). build makes a book from the games' main lines, whatever their number:\n"
        "\n"
        "  --plies N      half-moves of each game that count (60)\n"
        "  --min-games N  a move played less often is left out (3)\n"
        "  --min-elo N    only games where both players have this rating\n"
        "  --result R     only games that ended so: 1-0, 0-1, 1/2-1/2 or *\n"
        "  --memory MB    memory for counting (100); what is more goes to disk beside the book\n"
        "\n"
        "A move weighs 2 for each game its side won and 1 for each draw or unknown result; one\n"
        "that only lost is left out. A broken game is told of and passed over, and the exit code\n"
        "is 1.\n"
        "\n"
        "weigh makes a book from a table of opening lines (ECO, name and moves, with tabs between\n"
        "them): every move is searched with N nodes (3000), and those about as good as the best are\n"
        "kept. The book inside the program was made so, from data/openings.tsv.\n",
    .run = run,
};
