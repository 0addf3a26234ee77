#include "classics/kanji/kanji.h"
#include "classics/kanji/kanji_eval.h"

#include "chess/movegen.h"
#include "classics/kanji/kanji_book.h"
#include "opponent/effort.h"

#include <stdlib.h>

enum { OWN_NODES = 2000000, ORDERED = LAB_ALPHABETA | LAB_TABLE | LAB_ORDER };

const KanjiSetup kanji_minimax = {.switches = 0, .depth = 4};
const KanjiSetup kanji_alphabeta = {.switches = LAB_ALPHABETA, .depth = 5};
const KanjiSetup kanji_table = {.switches = LAB_ALPHABETA | LAB_TABLE, .depth = 6};
const KanjiSetup kanji_order = {.switches = ORDERED, .depth = 6};
const KanjiSetup kanji_null = {.switches = ORDERED | LAB_NULL, .depth = 8};
const KanjiSetup kanji_quiescence = {.switches = ORDERED | LAB_NULL | LAB_QUIESCENCE, .depth = 8};
const KanjiSetup kanji_whole = {
    .switches = ORDERED | LAB_NULL | LAB_QUIESCENCE, .depth = 8, .book = true};

typedef struct Kanji {
    const KanjiSetup *setup;
    Random random;
    Effort effort; /* of the move under thought */
} Kanji;

static void new_game(void *self, uint64_t seed)
{
    random_seed(&((Kanji *)self)->random, seed);
}

static Status open_mind(void **self, const void *setup, uint64_t seed, Message *why)
{
    Kanji *k = calloc(1, sizeof *k);
    if (!k)
        return status_fail(why, STATUS_MEMORY, "no memory for Kanji's program");
    k->setup = setup;
    new_game(k, seed);
    *self = k;
    return STATUS_OK;
}

static bool must_stop(void *user)
{
    return effort_late(&((Kanji *)user)->effort);
}

/* After a finished depth: tells it, and says whether to go on. */
static bool go_on(void *user, const LabResult *r)
{
    Kanji *k = user;
    const OpponentTask *task = k->effort.task;
    OpponentThought t = {.depth = r->depth,
                         .score = r->value,
                         .nodes = r->nodes,
                         .time_ms = effort_elapsed_ms(&k->effort),
                         .pv = &r->move,
                         .pv_length = 1};
    if (task->thought)
        task->thought(task->user, &t);
    return effort_another(&k->effort, r->depth);
}

/* The book's move, where the task says nothing against it. */
static bool plays_book(Kanji *k, const OpponentTask *task, OpponentAnswer *answer)
{
    const SearchLimits *l = task->limits;
    Move m = MOVE_NONE;
    if (k->setup->book && !l->only_count && !l->infinite && !l->ponder && !l->mate)
        m = kanji_book_move(task->position, &k->random);
    if (m == MOVE_NONE)
        return false;
    *answer = (OpponentAnswer){.move = m, .nodes = 1};
    return true;
}

static Move any_move(const OpponentTask *task)
{
    Move moves[MAX_MOVES];
    movegen(task->position, GEN_ALL, moves);
    return task->limits->only_count ? task->limits->only[0] : moves[0];
}

static void think(void *self, const OpponentTask *task, OpponentAnswer *answer)
{
    Kanji *k = self;
    EffortHabits habits = {.depth = k->setup->depth, .nodes = OWN_NODES};
    if (plays_book(k, task, answer))
        return;
    k->effort = effort_begin(task, &habits);
    int depth = k->effort.depth < LAB_MAX_DEPTH ? k->effort.depth : LAB_MAX_DEPTH;
    LabSetup lab = {.evaluate = kanji_eval,
                    .switches = k->setup->switches,
                    .depth = depth,
                    .max_nodes = k->effort.nodes,
                    .stop = must_stop,
                    .user = k,
                    .game = true,
                    .go_on = go_on,
                    .only = task->limits->only,
                    .only_count = task->limits->only_count};
    LabResult r = {.move = MOVE_NONE};
    if (lab_run(task->position, &lab, &r, NULL) != STATUS_OK || r.move == MOVE_NONE)
        r.move = any_move(task);
    *answer =
        (OpponentAnswer){.move = r.move, .score = r.value, .depth = r.depth, .nodes = r.nodes};
    effort_wait(&k->effort);
}

const OpponentOps kanji_ops = {
    .open = open_mind, .close = free, .new_game = new_game, .think = think};
