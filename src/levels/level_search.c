/* Levels above the model of human choice: Castellan's search proposes lines, without the root moves
 * that are overlooked, and a line is believed up to its first overlooked move. */
#include "levels/level_int.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEVEL_LINES = 4,    /* most that the search proposes */
    HASH_NODES = 50000, /* of a search that fill a megabyte of hash */
    MOST_HASH_MB = 16,  /* many boards may play the highest level at once */
    USUAL_LINES = 1,    /* after the opening: every further line makes the others shallower */
    WALK_PLIES = 8,     /* of a proposed line that are checked for overlooked moves */
    TACTICAL = 60,      /* a line is about something when this much is won or lost in it */
    STOP_POLL_MS = 5,
    OPENING_PLIES = 16,  /* while choice is free: players vary their openings */
    OPENING_MARGIN = 15, /* centipawns that variety may cost */
    WORSE = -150,        /* whoever stands so pays more attention */
    ALARM = 500          /* whoever would lose so much at once searches again, all moves */
};
static const double MORE_ATTENTION = 0.5; /* logits, in a bad position */

/* -- Opening and closing -- */

void level_search_close(Level *l)
{
    search_destroy(l->pool);
    eval_close(l->quiesce.eval);
    evaluator_close(l->net);
}

/* A power of two of megabytes, enough for most of one search. */
static unsigned hash_mb(uint64_t nodes)
{
    unsigned mb = 1;
    while (mb < MOST_HASH_MB && mb * HASH_NODES < nodes)
        mb *= 2;
    return mb;
}

Status level_search_open(Level *l, Message *why)
{
    l->traits = level_traits(l->elo);
    Status s = evaluator_default(&l->net, why);
    if (s == STATUS_OK)
        s = search_create(&l->pool, l->net, hash_mb(l->traits.nodes), why);
    if (s != STATUS_OK)
        return s;
    l->quiesce.eval = eval_open(l->net);
    return l->quiesce.eval ? STATUS_OK
                           : status_fail(why, STATUS_MEMORY, "not enough memory for a level");
}

/* -- The search proposes -- */

/* The lines of one search. */
typedef struct Proposals {
    LevelThought *thought;
    Move moves[MAX_MOVES]; /* root moves */
    int move_count;
    LevelLine lines[LEVEL_LINES];
    int count, depth;
} Proposals;

static void on_line(void *user, const SearchLine *line)
{
    Proposals *r = user;
    if (line->multipv > LEVEL_LINES || line->pv_length < 1)
        return;
    LevelLine *to = &r->lines[line->multipv - 1];
    to->length = line->pv_length < LEVEL_MAX_PLY ? line->pv_length : LEVEL_MAX_PLY;
    memcpy(to->pv, line->pv, (size_t)to->length * sizeof(Move));
    to->score = line->score;
    r->depth = line->depth;
}

static void on_done(void *user, const SearchResult *result)
{
    (void)result;
    latch_open(&((Proposals *)user)->thought->level->done);
}

/* The level's own effort, and less where the caller allows less. */
static void own_limits(const LevelThought *t, SearchLimits *out)
{
    const SearchLimits *asked = t->task->limits;
    *out = (SearchLimits){.nodes = t->level->traits.nodes,
                          .depth = asked->depth,
                          .move_time_ms = asked->move_time_ms,
                          .start_ms = t->start_ms};
    if (asked->nodes && asked->nodes < out->nodes)
        out->nodes = asked->nodes;
    Color side = t->task->position->side;
    if (asked->has_clock[side] && !asked->move_time_ms) {
        int64_t share = asked->clock_ms[side] / 20 + asked->increment_ms[side] / 2;
        out->move_time_ms = share > 1 ? share : 1;
    }
}

/* A move that two iterations reported counts with the better line. */
static void drop_repeated(Proposals *r)
{
    for (int i = 0; i < LEVEL_LINES; i++) {
        bool known = r->lines[i].length == 0;
        for (int k = 0; k < r->count; k++)
            known |= r->lines[k].pv[0] == r->lines[i].pv[0];
        if (!known)
            r->lines[r->count++] = r->lines[i];
    }
}

static void propose(Proposals *r)
{
    LevelThought *t = r->thought;
    Level *l = t->level;
    SearchLimits limits;
    own_limits(t, &limits);
    memcpy(limits.only, r->moves, (size_t)r->move_count * sizeof(Move));
    limits.only_count = r->move_count;
    latch_close(&l->done);
    bool opening = t->task->position->game_ply < OPENING_PLIES;
    SearchOptions options = {.multi_pv = opening ? LEVEL_LINES : USUAL_LINES};
    SearchEvents events = {.user = r, .line = on_line, .done = on_done};
    search_start(l->pool, t->task->position, &limits, &options, &events);
    while (!latch_wait(&l->done, STOP_POLL_MS))
        if (atomic_load(t->task->stop))
            search_stop(l->pool);
    search_wait(l->pool);
    t->nodes += search_nodes(l->pool);
    drop_repeated(r);
}

/* -- What is overlooked in the proposals -- */

/* A proposed line as this level sees it: up to the first move that is overlooked, and where the
 * value of the line depends on what comes behind, worth what the position seems there. */
static Score seen_value(LevelThought *t, const LevelLine *line)
{
    LevelQuiesce *q = &t->level->quiesce;
    Undo undo[WALK_PLIES];
    Square last_to = t->last_to;
    int ply = 0, sign = 1;
    while (
        ply < line->length && ply < WALK_PLIES &&
        (ply == 0 || !level_overlooks(&q->traits, t->seed, &q->pos, line->pv[ply], last_to, ply))) {
        eval_push(q->eval, &q->pos, line->pv[ply]);
        pos_make(&q->pos, line->pv[ply], &undo[ply]);
        last_to = q->pos.st.captured == NO_PIECE ? SQ_NONE : move_to(line->pv[ply]);
        sign = -sign;
        ply++;
    }
    Score value = line->score;
    if (ply < line->length && ply < WALK_PLIES && !score_is_decisive(value)) {
        Score seems = sign * level_quiesce(q, last_to);
        value = abs(seems - value) > TACTICAL ? seems : value;
    }
    while (ply > 0) {
        ply--;
        pos_unmake(&q->pos, line->pv[ply], &undo[ply]);
        eval_pop(q->eval);
    }
    return value;
}

static void value_proposals(Proposals *r)
{
    for (int i = 0; i < r->count; i++)
        r->lines[i].score = seen_value(r->thought, &r->lines[i]);
    for (int i = 1; i < r->count; i++)
        for (int k = i; k > 0 && r->lines[k - 1].score < r->lines[k].score; k--) {
            LevelLine swap = r->lines[k];
            r->lines[k] = r->lines[k - 1];
            r->lines[k - 1] = swap;
        }
}

/* -- Choosing -- */

/* How many lines are as good as the best to this level. */
static int count_close(const Proposals *r)
{
    int margin = r->thought->level->traits.margin, close = 1;
    if (r->thought->task->position->game_ply < OPENING_PLIES)
        margin += OPENING_MARGIN;
    if (score_is_decisive(r->lines[0].score))
        return close;
    while (close < r->count && r->lines[close].score >= r->lines[0].score - margin)
        close++;
    return close;
}

/* One of the close ones, the better the likelier. */
static int choose(const Proposals *r, int close)
{
    double weights[LEVEL_LINES], sum = 0;
    double scale = (r->thought->level->traits.margin + OPENING_MARGIN) / 2.0;
    for (int i = 0; i < close; i++)
        sum += weights[i] = exp((r->lines[i].score - r->lines[0].score) / scale);
    double at = level_chance(r->thought->seed, SQUARE_COUNT + 2) * sum;
    for (int i = 0; i < close; i++) {
        at -= weights[i];
        if (at < 0)
            return i;
    }
    return 0;
}

/* -- Thinking -- */

/* The root moves that are not overlooked, or all of them where that is none. */
static void find_candidates(Proposals *r)
{
    const LevelThought *t = r->thought;
    const Position *p = t->task->position;
    for (int i = 0; i < t->legal; i++)
        if (pos_in_check(p) ||
            !level_overlooks(&t->level->quiesce.traits, t->seed, p, t->moves[i], t->last_to, 0))
            r->moves[r->move_count++] = t->moves[i];
    if (r->move_count == 0) {
        memcpy(r->moves, t->moves, (size_t)t->legal * sizeof(Move));
        r->move_count = t->legal;
    }
}

/* Half of what was allowed is left: a second search that ends at once would know less than the
 * first. */
static bool may_search_again(const LevelThought *t)
{
    const SearchLimits *asked = t->task->limits;
    SearchLimits own;
    own_limits(t, &own);
    int64_t spent = clock_now_ms() - t->start_ms;
    return !atomic_load(t->task->stop) && (!own.move_time_ms || 2 * spent < own.move_time_ms) &&
           (!asked->nodes || 2 * t->nodes <= asked->nodes);
}

/* Once more, every move. Where that did not get as far as the first search, the
 * first one counts. */
static void search_again(Proposals *r)
{
    LevelThought *t = r->thought;
    Proposals all = {.thought = t, .move_count = t->legal};
    memcpy(all.moves, t->moves, (size_t)t->legal * sizeof(Move));
    propose(&all);
    if (2 * all.depth >= r->depth)
        *r = all;
}

static void begin(LevelThought *t)
{
    Level *l = t->level;
    l->quiesce.traits = l->traits;
    l->quiesce.traits.attention += l->variation * l->traits.variation;
    if (l->score < WORSE)
        l->quiesce.traits.attention += MORE_ATTENTION;
    l->quiesce.seed = t->seed;
    l->quiesce.noise_seed = l->seed * 3 + 1;
    level_quiesce_begin(&l->quiesce, t->task->position);
}

void level_search_think(LevelThought *t)
{
    Proposals r = {.thought = t};
    begin(t);
    find_candidates(&r);
    propose(&r);
    t->close = 1;
    if (r.count == 0) { /* the clock ended the search before it found anything */
        t->line = (LevelLine){.pv = {r.moves[0]}, .length = 1};
        return;
    }
    if (r.lines[0].score < t->level->score - ALARM && r.move_count < t->legal &&
        may_search_again(t))
        search_again(&r);
    value_proposals(&r);
    t->close = count_close(&r);
    t->line = r.lines[choose(&r, t->close)];
    t->depth = r.depth;
    t->nodes += t->level->quiesce.nodes;
}
