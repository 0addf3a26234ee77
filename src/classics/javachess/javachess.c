#include "classics/javachess/javachess.h"

#include "base/file.h"
#include "base/random.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "classics/javachess/javachess_book.h"
#include "classics/javachess/javachess_eval.h"
#include "classics/javachess/javachess_position.h"
#include "classics/javachess/javachess_search.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    FIRST_DEPTH = 2, /* the original thought a search to depth 1 not worth its while */
    MTDF_DEPTH = 15,
    MTDF_BUDGET = 100000, /* nodes: the iteration that passes them is the last one */
    ALPHABETA_DEPTH = 6,  /* its only iteration */
    MTDF_FORGETS = 12,    /* one move in so many throws the history away */
    ALPHABETA_FORGETS = 8,
    LINE_ROOM = 32
};

enum { AGENT, BOOK, POSITION, TRAINER, SETTING_COUNT };

static const OpponentSetting settings[SETTING_COUNT] = {
    [AGENT] = {"agent", SETTING_CHOICE, "mtdf, alphabeta", .initial = "mtdf",
               .help = "MTD(f) with a node budget, or alpha-beta to 6 plies"},
    [BOOK] = {"book", SETTING_FILES, "none, or ruy-lopez and book files separated by '+'",
              .initial = "ruy-lopez", .help = "the openings of the agent mtdf",
              .words = "none, ruy-lopez"},
    [POSITION] = {"position", SETTING_FILES, "a position file", .initial = "",
                  .help = "start position of games"},
    [TRAINER] = {"trainer", SETTING_CHOICE, "off, on", .initial = "off",
                 .help = "asks for the moves of the books, and plays from any of them"},
};

typedef struct JavaChess {
    bool mtdf, trains;
    JavaChessBook *books[JAVACHESS_MAX_BOOKS];
    int book_count;
    bool has_start;
    Position start;
    Random random;
    JavaChessSearch search;
    JavaChessTable table;
    Text statistics; /* of the last iteration */
} JavaChess;

/* -- Life -- */

static void new_game(void *self, uint64_t seed)
{
    JavaChess *j = self;
    random_seed(&j->random, seed);
    memset(&j->table, 0, sizeof j->table);
    memset(j->search.history, 0, sizeof j->search.history);
    j->search.stamp = 0;
}

static void close_books(JavaChess *j)
{
    while (j->book_count)
        javachess_book_close(j->books[--j->book_count]);
}

static void close_javachess(void *self)
{
    JavaChess *j = self;
    close_books(j);
    text_free(&j->statistics);
}

static Status open_javachess(void *self, const void *setup, Message *why)
{
    (void)setup, (void)why;
    JavaChess *j = self;
    text_init(&j->statistics);
    j->search.lazy = true;
    j->search.table = &j->table;
    classic_eval_default_weights(&javachess_evaluator, j->search.weights);
    return STATUS_OK;
}

/* -- Settings -- */

static Status open_book(JavaChessBook **book, Span file, Message *why)
{
    char path[PATH_MAX];
    if (span_is_ignoring_case(file, "ruy-lopez"))
        return javachess_book_ruy_lopez(book, why);
    Status s = file_path(path, sizeof path, file, why);
    return s == STATUS_OK ? javachess_book_load(book, path, why) : s;
}

static Status set_books(JavaChess *j, Span files, Message *why)
{
    Status s = STATUS_OK;
    close_books(j);
    if (span_is_ignoring_case(files, "none"))
        return STATUS_OK;
    while (s == STATUS_OK && files.len) {
        const char *plus = memchr(files.at, '+', files.len);
        Span file = {files.at, plus ? (size_t)(plus - files.at) : files.len};
        size_t cut = file.len + (plus != NULL);
        if (j->book_count == JAVACHESS_MAX_BOOKS)
            return status_fail(why, STATUS_INVALID, "more than %d files", JAVACHESS_MAX_BOOKS);
        s = open_book(&j->books[j->book_count], file, why);
        j->book_count += s == STATUS_OK;
        files = (Span){files.at + cut, files.len - cut};
    }
    return s;
}

static Status set_position(JavaChess *j, Span file, Message *why)
{
    char path[PATH_MAX];
    j->has_start = file.len > 0;
    if (!j->has_start)
        return STATUS_OK;
    Status s = file_path(path, sizeof path, file, why);
    return s == STATUS_OK ? javachess_position_load(&j->start, NULL, path, why) : s;
}

static Status set(void *self, int setting, const OpponentValue *value, Message *why)
{
    JavaChess *j = self;
    if (setting == AGENT)
        j->mtdf = value->number == 0;
    else if (setting == BOOK)
        return set_books(j, value->text, why);
    else if (setting == TRAINER)
        j->trains = value->number == 1;
    else
        return set_position(j, value->text, why);
    return STATUS_OK;
}

static bool start(const void *self, Position *out)
{
    const JavaChess *j = self;
    if (j->has_start)
        *out = j->start;
    return j->has_start;
}

/* -- Thinking -- */

/* Whether the task leaves the effort to the opponent; a clock does. */
static bool is_own_effort(const SearchLimits *l)
{
    return !l->depth && !l->nodes && !l->soft_nodes && !l->move_time_ms && !l->mate &&
           !l->infinite && !l->ponder;
}

/* Some legal move, for a search that is stopped before it has found one. */
static Move any_move(const OpponentTask *task)
{
    Move moves[MAX_MOVES];
    int count = movegen(task->position, GEN_ALL, moves);
    for (int i = 0; i < count; i++)
        if (effort_may_play(task->limits, moves[i]))
            return moves[i];
    return moves[0];
}

/* What the original printed after an iteration of MTD(f), four lines; alpha-beta printed the first
 * two. */
static void write_statistics(JavaChess *j)
{
    const JavaChessCounts *c = &j->search.counts;
    Text *out = &j->statistics;
    text_clear(out);
    text_addf(out, " --> Transposition Table hits for regular nodes: %" PRIu64 " of %" PRIu64 "\n",
              c->regular_hits, c->regular);
    text_addf(out,
              " --> Transposition Table hits for quiescence nodes: %" PRIu64 " of %" PRIu64 "\n",
              c->quiescence_hits, c->quiescence);
    if (!j->mtdf)
        return;
    text_addf(out, " --> Number of cutoffs for regular nodes: %" PRIu64 "\n", c->regular_cutoffs);
    text_addf(out, " --> Number of cutoffs in quiescence search: %" PRIu64 "\n",
              c->quiescence_cutoffs);
}

static void report(JavaChess *j, const OpponentAnswer *a)
{
    Move line[LINE_ROOM];
    OpponentThought t = {
        .depth = a->depth, .score = a->score, .nodes = j->search.nodes, .pv = line};
    t.pv_length = javachess_line(&j->search, a->move, line, LINE_ROOM);
    write_statistics(j);
    t.statistics = j->statistics.failed ? NULL : j->statistics.at;
    effort_report(j->search.effort, t);
}

/* One iteration; false when it was cut short. Alpha-beta's best move counts even then: it has been
 * compared with all before it. */
static bool iterate(JavaChess *j, int depth, int *value, OpponentAnswer *a)
{
    Move best = MOVE_NONE;
    j->search.counts = (JavaChessCounts){0};
    int found = j->mtdf ? javachess_mtdf(&j->search, *value, depth, &best)
                        : javachess_alphabeta(&j->search, depth, &best);
    if (j->search.effort->over) {
        if (a->depth == 0 && best != MOVE_NONE)
            a->move = best;
        return false;
    }
    *value = found;
    a->move = best;
    a->score = javachess_score(found);
    a->depth = depth;
    return true;
}

static bool spent_budget(const JavaChess *j, const SearchLimits *l)
{
    uint64_t spent = j->search.counts.regular + j->search.counts.quiescence;
    return j->mtdf && is_own_effort(l) && spent > MTDF_BUDGET;
}

/* Alpha-beta goes to its depth at once when nothing can stop it, else by steps, to have a move in
 * hand. */
static int first_depth(const JavaChess *j, const Effort *e)
{
    const SearchLimits *l = e->task->limits;
    bool by_steps = j->mtdf || !is_own_effort(l) || e->end_ms;
    return by_steps && e->depth > FIRST_DEPTH ? FIRST_DEPTH : e->depth;
}

static int deepen(JavaChess *j, const OpponentTask *task, OpponentAnswer *a)
{
    Effort *e = j->search.effort;
    int value = 0;
    for (int depth = first_depth(j, e); iterate(j, depth, &value, a); depth++) {
        report(j, a);
        if (spent_budget(j, task->limits) || !effort_another(e, depth))
            break;
    }
    return value;
}

/* -- Resigning and the book -- */

/* "I resign: Qh4+ g3 Qxg3#", as far as there is room. */
static void say_resignation(JavaChess *j, OpponentAnswer *a)
{
    Move line[LINE_ROOM];
    Position p = j->search.position;
    int length = javachess_line(&j->search, a->move, line, LINE_ROOM);
    size_t at = (size_t)snprintf(a->talk, sizeof a->talk, "I resign:");
    for (int i = 0; i < length && at + SAN_SIZE + 2 < sizeof a->talk; i++) {
        char san[SAN_SIZE];
        Undo undo;
        san_write(&p, line[i], san);
        at += (size_t)snprintf(a->talk + at, sizeof a->talk - at, " %s", san);
        pos_make(&p, line[i], &undo);
    }
}

/* The different moves of the books, in their order. */
static int book_moves(const JavaChess *j, const Position *p, Move moves[JAVACHESS_MAX_BOOKS])
{
    int count = 0;
    for (int i = 0; i < j->book_count; i++) {
        Move m = javachess_book_find(j->books[i], p);
        int k = 0;
        while (k < count && moves[k] != m)
            k++;
        if (m != MOVE_NONE && k == count)
            moves[count++] = m;
    }
    return count;
}

int javachess_lesson(const Opponent *o, const Position *p, Move moves[JAVACHESS_MAX_BOOKS])
{
    const JavaChess *j = opponent_self(o);
    return j->trains ? book_moves(j, p, moves) : -1;
}

/* The first book that knows the position decides; a trainer shows everything that is in the books.
 */
static Move book_move(JavaChess *j, const Position *p)
{
    Move moves[JAVACHESS_MAX_BOOKS];
    int count = book_moves(j, p, moves);
    if (!count)
        return MOVE_NONE;
    return moves[j->trains ? random_below(&j->random, (uint32_t)count) : 0];
}

static bool play_from_book(JavaChess *j, const OpponentTask *task, OpponentAnswer *a)
{
    const SearchLimits *l = task->limits;
    Move move = j->mtdf ? book_move(j, task->position) : MOVE_NONE;
    if (move == MOVE_NONE || !effort_may_play(l, move) || l->infinite || l->ponder || l->mate)
        return false;
    a->move = move;
    a->from_book = true;
    return true;
}

static void think(void *self, const OpponentTask *task, OpponentAnswer *a)
{
    JavaChess *j = self;
    EffortHabits habits = {.depth = j->mtdf ? MTDF_DEPTH : ALPHABETA_DEPTH, .steady = true};
    Effort effort = effort_begin(task, &habits);
    if (effort.depth > JAVACHESS_MAX_DEPTH)
        effort.depth = JAVACHESS_MAX_DEPTH;
    j->search.stamp++;
    if (play_from_book(j, task, a))
        return;
    if (random_below(&j->random, j->mtdf ? MTDF_FORGETS : ALPHABETA_FORGETS) == 0)
        memset(j->search.history, 0, sizeof j->search.history);
    j->search.position = *task->position;
    j->search.effort = &effort;
    j->search.nodes = 0;
    a->move = any_move(task);
    int value = deepen(j, task, a);
    a->nodes = j->search.nodes;
    if (a->depth > 0 && value <= JAVACHESS_GIVE_UP) {
        a->resigns = true;
        say_resignation(j, a);
    }
    effort_wait(&effort);
    j->search.effort = NULL;
}

const OpponentOps javachess_ops = {
    .size = sizeof(JavaChess),
    .open = open_javachess,
    .close = close_javachess,
    .new_game = new_game,
    .think = think,
    OPPONENT_SETTINGS(settings, set),
    .start = start,
};
