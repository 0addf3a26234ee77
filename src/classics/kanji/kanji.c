#include "classics/kanji/kanji.h"

#include "chess/movegen.h"
#include "classics/kanji/kanji_book.h"
#include "classics/kanji/kanji_eval.h"
#include "lab/lab.h"
#include "opponent/effort.h"

enum { OWN_NODES = 2000000, ORDERED = LAB_ALPHABETA | LAB_TABLE | LAB_ORDER };

enum { TECHNIQUE, UTILITY, BOOK, MAXDEPTH, SETTING_COUNT };

static const OpponentSetting settings[SETTING_COUNT] = {
    [TECHNIQUE] = {"technique", SETTING_CHOICE,
                   "minimax, alphabeta, table, order, null, all, quiescence, all-modern, "
                   "quiescence-modern",
                   .initial = "quiescence",
                   .help = "search technique; each searches to the depth it makes practical"},
    [UTILITY] = {"utility", SETTING_CHOICE, "random, material, late", .initial = "late",
                 .help = "evaluation, in the document's three steps"},
    [BOOK] = {"book", SETTING_CHOICE, "on, off", .initial = "on",
              .help = "opening book of 120 lines"},
    [MAXDEPTH] =
        {"maxdepth", SETTING_NUMBER, "0 to 61", 0, LAB_MAX_DEPTH + 1, "0",
         .help = "search depth plus one, in plies; 0: the depth the technique makes practical"},
};

/* In the order of the setting's words; the depths are those that the document found practical, one
 * less than its MAXDEPTH. Its quiescence search has MAXDEPTH 4. */
static const struct {
    unsigned switches;
    int depth;
} techniques[] = {
    {0, 4},
    {LAB_ALPHABETA, 5},
    {LAB_ALPHABETA | LAB_TABLE, 6},
    {ORDERED, 6},
    {LAB_ALPHABETA | LAB_NULL, 8},
    {ORDERED | LAB_NULL, 8},
    {ORDERED | LAB_NULL | LAB_QUIESCENCE, 3},
    {ORDERED | LAB_NULL_MODERN, 8},
    {ORDERED | LAB_NULL_MODERN | LAB_QUIESCENCE_MODERN, 8},
};

typedef struct Kanji {
    KanjiConfig config;
    Random random;
    Effort effort; /* of the move under thought */
} Kanji;

KanjiConfig kanji_config(const Opponent *o)
{
    return ((const Kanji *)opponent_self(o))->config;
}

static void new_game(void *self, uint64_t seed)
{
    random_seed(&((Kanji *)self)->random, seed);
}

static Status set(void *self, int setting, const OpponentValue *value, Message *why)
{
    (void)why;
    KanjiConfig *c = &((Kanji *)self)->config;
    if (setting == TECHNIQUE) {
        c->switches = techniques[value->number].switches;
        c->depth = techniques[value->number].depth;
    } else if (setting == UTILITY) {
        c->utility = kanji_utilities[value->number].score;
    } else if (setting == BOOK) {
        c->book = value->number == 0;
    } else if (value->number) {
        c->depth = value->number > 1 ? value->number - 1 : 1;
    }
    return STATUS_OK;
}

static bool must_stop(void *user)
{
    return effort_late(&((Kanji *)user)->effort);
}

/* After a finished depth: reports it; true when another one is wanted. */
static bool go_on(void *user, const LabResult *r)
{
    Kanji *k = user;
    effort_report(&k->effort, (OpponentThought){.depth = r->depth,
                                                .score = r->value,
                                                .nodes = r->nodes,
                                                .pv = &r->move,
                                                .pv_length = 1});
    return effort_another(&k->effort, r->depth);
}

/* The book's move, where the task says nothing against it. */
static bool plays_book(Kanji *k, const OpponentTask *task, OpponentAnswer *answer)
{
    const SearchLimits *l = task->limits;
    Move m = MOVE_NONE;
    if (k->config.book && !l->only_count && !l->infinite && !l->ponder && !l->mate)
        m = kanji_book_move(task->position, &k->random);
    if (m == MOVE_NONE)
        return false;
    *answer = (OpponentAnswer){.move = m, .nodes = 1, .from_book = true};
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
    EffortHabits habits = {.depth = k->config.depth, .nodes = OWN_NODES};
    if (plays_book(k, task, answer))
        return;
    k->effort = effort_begin(task, &habits);
    int depth = k->effort.depth < LAB_MAX_DEPTH ? k->effort.depth : LAB_MAX_DEPTH;
    LabSetup lab = {.evaluate = k->config.utility,
                    .switches = k->config.switches,
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
    .size = sizeof(Kanji), .new_game = new_game, .think = think, OPPONENT_SETTINGS(settings, set)};
