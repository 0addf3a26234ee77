/* castellan epd: solves test suites. */
#include "app/command.h"
#include "app/json_out.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/job.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "engine/engine.h"
#include "notation/epd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SUITE_BYTES = 1 << 30, DEFAULT_MS = 1000, LOOK_EVERY_MS = 2, MAX_TEXT = 200 };

static const int steps_ms[] = {10, 100, 1000, 10000};
enum { STEP_COUNT = sizeof steps_ms / sizeof *steps_ms };

typedef struct Suite {
    const char *path;
    const char *syzygy;
    int threads, hash_mb;
    Engine *engine;
    SearchLimits limits;
    bool json, chess960;
    Epd epd;
    int64_t found_ms; /* since when the best move was a solution; -1: it is not */
    EngineResult result;
    int total, solved;
    int within[STEP_COUNT]; /* solved within so many ms */
} Suite;

/* -- Is it a solution? -- */

static bool is_among(const Epd *e, const char *opcode, Move m)
{
    Move moves[MAX_MOVES];
    int count = epd_moves(e, opcode, moves, MAX_MOVES);
    for (int i = 0; i < count; i++)
        if (moves[i] == m)
            return true;
    return false;
}

/* Everything the line asks for: one of bm, none of am, and a mate at least as short as dm. */
static bool solves(const Epd *e, Move m, const EngineScore *score)
{
    int64_t mate;
    if (epd_find(e, "bm") && !is_among(e, "bm", m))
        return false;
    if (epd_find(e, "am") && is_among(e, "am", m))
        return false;
    if (epd_number(e, "dm", &mate))
        return score->is_mate && score->value > 0 && score->value <= mate;
    return true;
}

static bool is_a_task(const Epd *e)
{
    return epd_find(e, "bm") || epd_find(e, "am") || epd_find(e, "dm");
}

/* -- Events -- */

static void on_line(void *user, const EngineLine *line)
{
    Suite *s = user;
    if (line->multipv != 1 || !line->pv_length)
        return;
    if (!solves(&s->epd, line->pv[0], &line->score))
        s->found_ms = -1;
    else if (s->found_ms < 0)
        s->found_ms = line->time_ms;
}

static void on_done(void *user, const EngineResult *result)
{
    Suite *s = user;
    s->result = *result;
}

/* -- Printing -- */

static Span suite_id(const Epd *e)
{
    const EpdOperation *o = epd_find(e, "id");
    return o && o->count ? epd_operand(e, o, 0) : (Span){"", 0};
}

static void add_moves(const Epd *e, const char *opcode, Text *out)
{
    Move moves[MAX_MOVES];
    int count = epd_moves(e, opcode, moves, MAX_MOVES);
    for (int i = 0; i < count; i++) {
        char san[SAN_SIZE];
        san_write(&e->position, moves[i], san);
        text_addf(out, "%s%s", i ? " " : "", san);
    }
}

/* What was asked: "bm Nf3 Ng5", "am Qxb2", "dm 5". */
static void add_task(const Epd *e, Text *out)
{
    static const char *const opcodes[] = {"bm", "am"};
    int64_t mate;
    for (int i = 0; i < 2; i++) {
        if (!epd_find(e, opcodes[i]))
            continue;
        text_addf(out, "%s%s ", out->len ? ", " : "", opcodes[i]);
        add_moves(e, opcodes[i], out);
    }
    if (epd_number(e, "dm", &mate))
        text_addf(out, "%sdm %" PRId64, out->len ? ", " : "", mate);
}

static void print_plain(const Suite *s, bool solved, const char *best, const char *task)
{
    const EngineScore *score = &s->result.score;
    char value[16], id[MAX_TEXT];
    span_show(suite_id(&s->epd), id, sizeof id);
    if (score->is_mate)
        snprintf(value, sizeof value, "%d", score->value);
    else
        snprintf(value, sizeof value, "%+.2f", score->value / 100.0);
    printf("%4d %-4s %-7s %s %7s depth %2d %10" PRIu64 " nodes %6" PRId64 " ms  (%s)  %s\n",
           s->total, solved ? "ok" : "no", best, score->is_mate ? "mate" : "cp  ", value,
           s->result.depth, s->result.nodes, solved ? s->found_ms : s->result.time_ms, task, id);
}

#ifdef HAVE_WEB
static void print_json(const Suite *s, bool solved, const char *best, const char *task)
{
    char fen[FEN_SIZE];
    const EngineResult *r = &s->result;
    fen_write(&s->epd.position, FEN_X, fen);
    json_out(json_pack("{s:i, s:o, s:s, s:s, s:b, s:s, s:i, s:i, s:I, s:I, s:I}", "number",
                       s->total, "id", value_span(suite_id(&s->epd)), "fen", fen, "task", task,
                       "solved", (int)solved, "move", best, r->score.is_mate ? "mate" : "cp",
                       r->score.value, "depth", r->depth, "nodes", (json_int_t)r->nodes, "time_ms",
                       (json_int_t)r->time_ms, "found_ms",
                       (json_int_t)(solved ? s->found_ms : -1)));
}

static void print_json_totals(const Suite *s)
{
    json_out(json_pack("{s:i, s:i}", "solved", s->solved, "total", s->total));
}
#else /* there is no --json then */
#define print_json print_plain
#define print_json_totals(suite) (void)(suite)
#endif

static void print_answer(const Suite *s, bool solved)
{
    char best[SAN_SIZE] = "-";
    Text task = text_new();
    add_task(&s->epd, &task);
    if (s->result.best != MOVE_NONE)
        san_write(&s->epd.position, s->result.best, best);
    if (s->json)
        print_json(s, solved, best, task.at);
    else
        print_plain(s, solved, best, task.at);
    text_free(&task);
    fflush(stdout);
}

/* -- Solving -- */

/* False when interrupted: what was solved so far still counts. */
static bool solve(Suite *s, const atomic_bool *stop)
{
    engine_new_game(s->engine);
    s->found_ms = -1;
    s->limits.start_ms = clock_now_ms();
    engine_go(s->engine, &s->epd.position, &s->limits);
    while (engine_thinking(s->engine)) {
        if (atomic_load(stop)) {
            engine_end(s->engine);
            return false;
        }
        clock_sleep_ms(LOOK_EVERY_MS);
    }
    engine_wait(s->engine);
    bool solved = s->result.best != MOVE_NONE && solves(&s->epd, s->result.best, &s->result.score);
    if (solved && s->found_ms < 0)
        s->found_ms = s->result.time_ms;
    s->total++;
    s->solved += solved;
    for (int i = 0; i < STEP_COUNT; i++)
        s->within[i] += solved && s->found_ms <= steps_ms[i];
    print_answer(s, solved);
    return true;
}

static void print_totals(const Suite *s)
{
    if (s->json) {
        print_json_totals(s);
        return;
    }
    for (int i = 0; i < STEP_COUNT && s->solved; i++) {
        printf("%6d found within %d ms\n", s->within[i], steps_ms[i]);
        if (s->within[i] == s->solved)
            break;
    }
    printf("solved %d of %d\n", s->solved, s->total);
}

/* False: something was wrong, and has been printed. */
static bool solve_lines(Suite *s, Span text, const atomic_bool *stop)
{
    Span line;
    bool fine = true;
    for (long number = 1; span_next_line(&text, &line); number++) {
        Message why;
        line = span_trim(line);
        if (!line.len || line.at[0] == '#')
            continue;
        if (epd_read(&s->epd, line, s->chess960, &why) != STATUS_OK) {
            message_prefix(&why, "line %ld: ", number);
            command_failed("epd", &why);
            fine = false;
        } else if (is_a_task(&s->epd) && !solve(s, stop)) {
            status_fail(&why, STATUS_STOPPED, "interrupted at line %ld; the rest is not counted",
                        number);
            command_failed("epd", &why);
            fine = false;
            break;
        }
    }
    print_totals(s);
    return fine;
}

static Status solve_file(Suite *s, const atomic_bool *stop, Message *why)
{
    char *bytes;
    size_t len;
    Status status = file_read(&bytes, &len, s->path, MAX_SUITE_BYTES, why);
    if (status != STATUS_OK)
        return status;
    epd_init(&s->epd);
    if (!solve_lines(s, (Span){bytes, len}, stop))
        status = command_printed(why);
    else if (!s->total)
        status = status_fail(why, STATUS_INVALID, "%s: no position with bm, am or dm", s->path);
    epd_free(&s->epd);
    free(bytes);
    return status;
}

/* -- The command -- */

static Status set_number(Engine *e, const char *name, int64_t value, Message *why)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return engine_set_option(e, span_of(name), span_of(text), why);
}

static Status open_engine(Suite *s, Message *why)
{
    EngineEvents events = {.user = s, .line = on_line, .done = on_done};
    Status status = engine_create(&s->engine, &events, why);
    if (status == STATUS_OK)
        status = set_number(s->engine, "Threads", s->threads, why);
    if (status == STATUS_OK)
        status = set_number(s->engine, "Hash", s->hash_mb, why);
    if (status == STATUS_OK && s->syzygy) {
        status = engine_set_option(s->engine, span_of("SyzygyPath"), span_of(s->syzygy), why);
        if (status == STATUS_OK)
            fprintf(stderr, "castellan: epd: %s\n", why->text);
    }
    return status;
}

static const ArgRow rows[] = {
    ARG_ROW_INT(Suite, limits.nodes, "--nodes", "N", 1, INT64_MAX, "nodes per position"),
    ARG_ROW_INT(Suite, limits.move_time_ms, "--movetime", "MS", 1, INT32_MAX,
                "time per position, in ms (default: 1000)"),
    ARG_ROW_INT(Suite, limits.depth, "--depth", "D", 1, MAX_PLY, "depth per position, in plies"),
    ARG_ROW_INT(Suite, threads, "--threads", "N", 1, SEARCH_MAX_THREADS, "search threads"),
    ARG_ROW_INT(Suite, hash_mb, "--hash", "MB", 1, INT32_MAX, "transposition table, in MB"),
    ARG_ROW_PATH(Suite, syzygy, "--syzygy", "DIRS",
                 "directories of Syzygy tables, separated by ':'"),
    ARG_ROW_FLAG(Suite, chess960, "--chess960", "read the positions as Chess960"),
#ifdef HAVE_WEB
    ARG_ROW_FLAG(Suite, json, "--json", "print a JSON object per line"),
#endif
    {0},
};

static Status run(void *options, const ArgWords *words, Message *why)
{
    Suite *suite = options;
    SearchLimits *l = &suite->limits;
    if (!l->move_time_ms && !l->nodes && !l->depth)
        l->move_time_ms = DEFAULT_MS;
    suite->path = words->at[0];
    Job job;
    job_begin(&job, 0, NULL, NULL); /* first: the engine's threads leave Ctrl-C to the job */
    Status s = open_engine(suite, why);
    if (s == STATUS_OK)
        s = solve_file(suite, &job.stop, why);
    s = job_end(&job, s, why);
    engine_destroy(suite->engine);
    return s;
}

const Command command_epd = {
    .name = "epd",
    .summary = "solve a suite of test positions",
    .about =
        "Searches every position of SUITE.epd that has a best move (bm), a move to avoid (am) or a\n"
        "distance to mate (dm), and prints whether it was solved and when the search found the\n"
        "solution. The last lines are the number of positions solved within 10 ms, 100 ms ..., and\n"
        "\"solved S of T\". The exit code is 1 when a line cannot be read, when there is nothing to\n"
        "solve, and after Ctrl-C, which counts what was searched so far.\n",
    .args =
        ARG_TABLE(Suite, rows, "SUITE.epd", .initial = &(const Suite){.threads = 1, .hash_mb = 64}),
    .run = run,
};
