#include "classics/chessbin/chessbin.h"

#include "classics/chessbin/chessbin_eval.h"
#include "classics/chessbin/chessbin_memory.h"
#include "classics/chessbin/chessbin_search.h"

#include <stdio.h>
#include <string.h>

enum { LEVEL, ORDERING, TABLE, MEMORY, SETTING_COUNT, MEDIUM_DEPTH = 6, HARD_DEPTH = 7 };

static const OpponentSetting settings[SETTING_COUNT] = {
    [LEVEL] = {"level", SETTING_CHOICE, "medium, hard", .initial = "medium",
               .help = "6 or 7 plies"},
    [ORDERING] = {"ordering", SETTING_CHOICE, "light, full", .initial = "light",
                  .help = "moves sorted by what they capture, or by the whole evaluation"},
    [TABLE] = {"table", SETTING_CHOICE, "on, off", .initial = "on",
               .help = "the transposition table"},
    [MEMORY] = {"memory", SETTING_FILES, "off, on or a file", .initial = "off",
                .help = "answers for positions seen before, without a search", .words = "off, on"},
};

typedef struct ChessBin {
    int depth;
    ChessBinTable table; /* also while the search goes without it */
    ChessBinSearch search;
    ChessBinMemory memory; /* closed: off */
} ChessBin;

static void close_chessbin(void *self)
{
    ChessBin *c = self;
    chessbin_memory_close(&c->memory);
}

static Status open_chessbin(void *self, const void *setup, Message *why)
{
    (void)setup, (void)why;
    ChessBin *c = self;
    classic_eval_default_weights(&chessbin_evaluator, c->search.weights);
    return STATUS_OK;
}

static void new_game(void *self, uint64_t seed)
{
    (void)seed; /* nothing in ChessBin is left to chance */
    ChessBin *c = self;
    memset(&c->table, 0, sizeof c->table);
}

static Status set_memory(ChessBin *c, Span value, Message *why)
{
    chessbin_memory_close(&c->memory);
    if (span_is_ignoring_case(value, "off"))
        return STATUS_OK;
    return chessbin_memory_open(&c->memory,
                                span_is_ignoring_case(value, "on") ? span_of("") : value, why);
}

static Status set(void *self, int setting, const OpponentValue *value, Message *why)
{
    ChessBin *c = self;
    if (setting == MEMORY)
        return set_memory(c, value->text, why);
    if (setting == LEVEL)
        c->depth = value->number == 0 ? MEDIUM_DEPTH : HARD_DEPTH;
    else if (setting == ORDERING)
        c->search.full_ordering = value->number == 1;
    else
        c->search.table = value->number == 0 ? &c->table : NULL;
    return STATUS_OK;
}

/* -- Thinking -- */

/* The move of the last depth is looked at first in the next, so that whatever is found before a
 * stop is better. */
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

static bool iterate(ChessBin *c, int depth, OpponentAnswer *a)
{
    ChessBinLine line;
    int value = chessbin_root(&c->search, depth, &line);
    if (line.length == 0)
        return false;
    a->move = line.moves[0];
    a->score = chessbin_score(value, depth, c->search.root_count);
    if (c->search.effort->over)
        return false;
    a->depth = depth;
    put_first(&c->search, a->move);
    effort_report(c->search.effort, (OpponentThought){.depth = depth,
                                                      .score = a->score,
                                                      .nodes = c->search.nodes,
                                                      .pv = line.moves,
                                                      .pv_length = line.length});
    return true;
}

/* To the level's depth at once when nothing can cut it short. */
static int first_depth(const ChessBin *c, const Effort *e)
{
    bool at_once = !e->end_ms && !e->nodes && e->depth <= c->depth;
    return at_once ? e->depth : 1;
}

/* An answer of the level's depth or more counts; one that a clock cut short does not. */
static bool recall(const ChessBin *c, const OpponentTask *task, OpponentAnswer *a)
{
    if (!c->memory.path || task->limits->infinite || task->limits->ponder || task->limits->mate)
        return false;
    Move m = chessbin_memory_find(&c->memory, task->position, c->depth);
    if (m == MOVE_NONE || !effort_may_play(task->limits, m))
        return false;
    a->move = m;
    a->from_book = true;
    return true;
}

static void remember(ChessBin *c, const OpponentTask *task, OpponentAnswer *a)
{
    Message why;
    if (c->memory.path && a->depth >= c->depth && task->limits->only_count == 0 &&
        chessbin_memory_keep(&c->memory, task->position, a->move, a->depth, &why) != STATUS_OK)
        snprintf(a->talk, sizeof a->talk, "%s", why.text);
}

static void think(void *self, const OpponentTask *task, OpponentAnswer *a)
{
    ChessBin *c = self;
    if (recall(c, task, a))
        return;
    EffortHabits habits = {.depth = c->depth, .steady = true};
    Effort effort = effort_begin(task, &habits);
    if (effort.depth > CHESSBIN_MAX_DEPTH)
        effort.depth = CHESSBIN_MAX_DEPTH;
    c->search.position = *task->position;
    c->search.effort = &effort;
    c->search.nodes = 0;
    chessbin_list_moves(&c->search);
    Move mate = chessbin_instant_mate(&c->search);
    a->move = mate != MOVE_NONE ? mate : c->search.root[0].move;
    a->score = mate != MOVE_NONE ? score_mate_in(1) : c->search.root[0].static_eval;
    if (mate == MOVE_NONE)
        for (int depth = first_depth(c, &effort); iterate(c, depth, a); depth++)
            if (!effort_another(&effort, depth))
                break;
    a->nodes = c->search.nodes;
    remember(c, task, a);
    chessbin_end_search(&c->table);
    effort_wait(&effort);
    c->search.effort = NULL;
}

const OpponentOps chessbin_ops = {
    .size = sizeof(ChessBin),
    .open = open_chessbin,
    .close = close_chessbin,
    .new_game = new_game,
    .think = think,
    OPPONENT_SETTINGS(settings, set),
};
