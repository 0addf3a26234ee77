#include "classics/chessbin/chessbin.h"

#include "classics/chessbin/chessbin_eval.h"
#include "classics/chessbin/chessbin_search.h"

#include <stdlib.h>

const ChessBinSetup chessbin_medium = {.depth = 6};
const ChessBinSetup chessbin_hard = {.depth = 7};

typedef struct Mind {
    const ChessBinSetup *setup;
    ChessBinSearch search;
} Mind;

static Status open_mind(void **self, const void *setup, uint64_t seed, Message *why)
{
    (void)seed; /* nothing in ChessBin is left to chance */
    Mind *m = calloc(1, sizeof *m);
    if (!m)
        return status_fail(why, STATUS_MEMORY, "no memory for ChessBin");
    m->setup = setup;
    classic_eval_default_weights(&chessbin_evaluator, m->search.weights);
    *self = m;
    return STATUS_OK;
}

static void new_game(void *self, uint64_t seed)
{
    (void)self; /* nothing is carried from move to move either */
    (void)seed;
}

/* -- Thinking -- */

static void tell(const Mind *m, const OpponentTask *task, const OpponentAnswer *a,
                 const ChessBinLine *line)
{
    OpponentThought t = {.depth = a->depth, .score = a->score, .nodes = m->search.nodes};
    if (!task->thought)
        return;
    t.time_ms = effort_elapsed_ms(m->search.effort);
    t.pv = line->moves;
    t.pv_length = line->length;
    task->thought(task->user, &t);
}

/* The move of the last depth is looked at first in the next, so that whatever is found before a stop is better. */
static void put_first(ChessBinSearch *s, Move m)
{
    for (int i = 1; i < s->root_count; i++)
        if (s->root[i].move == m) {
            ChessBinRootMove found = s->root[i];
            for (int k = i; k > 0; k--)
                s->root[k] = s->root[k - 1];
            s->root[0] = found;
        }
}

static bool iterate(Mind *m, const OpponentTask *task, int depth, OpponentAnswer *a)
{
    ChessBinLine line;
    int value = chessbin_root(&m->search, depth, &line);
    if (line.length == 0)
        return false;
    a->move = line.moves[0];
    a->score = chessbin_score(value, depth, m->search.root_count);
    if (m->search.effort->over)
        return false;
    a->depth = depth;
    put_first(&m->search, a->move);
    tell(m, task, a, &line);
    return true;
}

/* To the level's depth at once when nothing can cut it short. */
static int first_depth(const Mind *m, const Effort *e)
{
    bool at_once = !e->end_ms && !e->nodes && e->depth <= m->setup->depth;
    return at_once ? e->depth : 1;
}

static void think(void *self, const OpponentTask *task, OpponentAnswer *a)
{
    Mind *m = self;
    EffortHabits habits = {.depth = m->setup->depth, .steady = true};
    Effort effort = effort_begin(task, &habits);
    if (effort.depth > CHESSBIN_MAX_DEPTH)
        effort.depth = CHESSBIN_MAX_DEPTH;
    m->search.position = *task->position;
    m->search.effort = &effort;
    m->search.nodes = 0;
    chessbin_list_moves(&m->search);
    Move mate = chessbin_instant_mate(&m->search);
    a->move = mate != MOVE_NONE ? mate : m->search.root[0].move;
    a->score = mate != MOVE_NONE ? score_mate_in(1) : m->search.root[0].sight;
    if (mate == MOVE_NONE)
        for (int depth = first_depth(m, &effort); iterate(m, task, depth, a); depth++)
            if (!effort_another(&effort, depth))
                break;
    a->nodes = m->search.nodes;
    effort_wait(&effort);
    m->search.effort = NULL;
}

const OpponentOps chessbin_ops = {
    .open = open_mind,
    .close = free,
    .new_game = new_game,
    .think = think,
};
