#include "classics/javachess/javachess.h"

#include "base/random.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "classics/javachess/javachess_book.h"
#include "classics/javachess/javachess_eval.h"
#include "classics/javachess/javachess_search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_DEPTH = 2,    /* the original thought a search to depth 1 not worth its while */
    FORGET_ONE_IN = 12, /* moves: then the history is thrown away */
    LINE_ROOM = 32
};

const JavaChessSetup javachess_by_mtdf = {.mtdf = true, .depth = 15, .budget = 100000};
const JavaChessSetup javachess_by_alphabeta = {.mtdf = false, .depth = 6};

typedef struct Mind {
    const JavaChessSetup *setup;
    JavaChessBook *book; /* NULL: none */
    Random random;
    JavaChessSearch search;
} Mind;

/* -- Life -- */

static void new_game(void *self, uint64_t seed)
{
    Mind *m = self;
    random_seed(&m->random, seed);
    javachess_table_clear(m->search.table);
    memset(m->search.history, 0, sizeof m->search.history);
    m->search.stamp = 0;
}

static void close_mind(void *self)
{
    Mind *m = self;
    javachess_book_close(m->book);
    javachess_table_close(m->search.table);
    free(m);
}

static Status open_mind(void **self, const void *setup, uint64_t seed, Message *why)
{
    Mind *m = calloc(1, sizeof *m);
    if (!m)
        return status_fail(why, STATUS_MEMORY, "no memory for JavaChess");
    m->setup = setup;
    m->search.lazy = true;
    m->search.table = javachess_table_open();
    classic_eval_default_weights(&javachess_evaluator, m->search.weights);
    Status s =
        m->search.table ? STATUS_OK : status_fail(why, STATUS_MEMORY, "no memory for JavaChess");
    if (s == STATUS_OK && m->setup->mtdf)
        s = javachess_book_ruy_lopez(&m->book, why);
    if (s != STATUS_OK) {
        close_mind(m);
        return s;
    }
    new_game(m, seed);
    *self = m;
    return STATUS_OK;
}

/* -- Thinking -- */

/* Whether the task leaves the effort to the opponent; a clock does. */
static bool is_own_effort(const SearchLimits *l)
{
    return !l->depth && !l->nodes && !l->soft_nodes && !l->move_time_ms && !l->mate &&
           !l->infinite && !l->ponder;
}

static bool may_play(const SearchLimits *l, Move m)
{
    for (int i = 0; i < l->only_count; i++)
        if (l->only[i] == m)
            return true;
    return l->only_count == 0;
}

/* Some legal move, for a search that is stopped before it has found one. */
static Move any_move(const OpponentTask *task)
{
    Move moves[MAX_MOVES];
    int count = movegen(task->position, GEN_ALL, moves);
    for (int i = 0; i < count; i++)
        if (may_play(task->limits, moves[i]))
            return moves[i];
    return moves[0];
}

static void tell(Mind *m, const OpponentTask *task, const OpponentAnswer *a)
{
    Move line[LINE_ROOM];
    if (!task->thought)
        return;
    OpponentThought t = {
        .depth = a->depth, .score = a->score, .nodes = m->search.nodes, .pv = line};
    t.time_ms = effort_elapsed_ms(m->search.effort);
    t.pv_length = javachess_line(&m->search, a->move, line, LINE_ROOM);
    task->thought(task->user, &t);
}

/* One iteration; false when it was cut short. Alpha-beta's best move counts even then: it has been compared with all
 * before it. */
static bool iterate(Mind *m, int depth, int *value, OpponentAnswer *a)
{
    Move best = MOVE_NONE;
    m->search.counts = (JavaChessCounts){0};
    int found = m->setup->mtdf ? javachess_mtdf(&m->search, *value, depth, &best)
                               : javachess_alphabeta(&m->search, depth, &best);
    if (m->search.effort->over) {
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

static bool spent_budget(const Mind *m, const SearchLimits *l)
{
    uint64_t spent = m->search.counts.regular + m->search.counts.quiescence;
    return m->setup->budget && is_own_effort(l) && spent > m->setup->budget;
}

/* Alpha-beta goes to its depth at once when nothing can stop it, else by steps, to have a move in hand. */
static int first_depth(const Mind *m, const Effort *e)
{
    const SearchLimits *l = e->task->limits;
    bool by_steps = m->setup->mtdf || !is_own_effort(l) || e->end_ms;
    return by_steps && e->depth > FIRST_DEPTH ? FIRST_DEPTH : e->depth;
}

static int deepen(Mind *m, const OpponentTask *task, OpponentAnswer *a)
{
    Effort *e = m->search.effort;
    int value = 0;
    for (int depth = first_depth(m, e); iterate(m, depth, &value, a); depth++) {
        tell(m, task, a);
        if (spent_budget(m, task->limits) || !effort_another(e, depth))
            break;
    }
    return value;
}

/* -- Manners -- */

/* "I resign: Qh4+ g3 Qxg3#", as far as there is room. */
static void say_farewell(Mind *m, OpponentAnswer *a)
{
    Move line[LINE_ROOM];
    Position p = m->search.position;
    int length = javachess_line(&m->search, a->move, line, LINE_ROOM);
    size_t at = (size_t)snprintf(a->talk, sizeof a->talk, "I resign:");
    for (int i = 0; i < length && at + SAN_SIZE + 2 < sizeof a->talk; i++) {
        char san[SAN_SIZE];
        Undo undo;
        san_write(&p, line[i], san);
        at += (size_t)snprintf(a->talk + at, sizeof a->talk - at, " %s", san);
        pos_make(&p, line[i], &undo);
    }
}

static bool play_from_book(const Mind *m, const OpponentTask *task, OpponentAnswer *a)
{
    const SearchLimits *l = task->limits;
    Move move = m->book ? javachess_book_find(m->book, task->position) : MOVE_NONE;
    if (move == MOVE_NONE || !may_play(l, move) || l->infinite || l->ponder || l->mate)
        return false;
    a->move = move;
    return true;
}

static void think(void *self, const OpponentTask *task, OpponentAnswer *a)
{
    Mind *m = self;
    EffortHabits habits = {.depth = m->setup->depth, .steady = true};
    Effort effort = effort_begin(task, &habits);
    if (effort.depth > JAVACHESS_MAX_DEPTH)
        effort.depth = JAVACHESS_MAX_DEPTH;
    m->search.stamp++;
    if (play_from_book(m, task, a))
        return;
    if (random_below(&m->random, FORGET_ONE_IN) == 0)
        memset(m->search.history, 0, sizeof m->search.history);
    m->search.position = *task->position;
    m->search.effort = &effort;
    m->search.nodes = 0;
    a->move = any_move(task);
    int value = deepen(m, task, a);
    a->nodes = m->search.nodes;
    if (a->depth > 0 && value <= JAVACHESS_GIVE_UP) {
        a->resigns = true;
        say_farewell(m, a);
    }
    effort_wait(&effort);
    m->search.effort = NULL;
}

const OpponentOps javachess_ops = {
    .open = open_mind,
    .close = close_mind,
    .new_game = new_game,
    .think = think,
};
