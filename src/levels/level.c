#include "levels/level.h"

#include "base/clock.h"
#include "base/thread.h"
#include "chess/movegen.h"
#include "levels/level_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HASH_MB = 1,
    BIG_HASH_MB = 8, /* where the search is long enough to fill it */
    BIG_HASH_NODES = 50000,
    MOST_LINES = 4,  /* that Castellan's search proposes in the opening */
    USUAL_LINES = 1, /* and later: every line more makes the others shallower */
    WALK_PLIES = 8,  /* of a proposed line that are looked at with human eyes */
    TACTICAL = 60,   /* a line is about something when this much is won or lost in it */
    SIGHT_NODES = 40000,
    STOP_POLL_MS = 5,
    OPENING_PLIES = 16,  /* while choice is free: players vary their openings */
    OPENING_MARGIN = 15, /* centipawns that variety may cost */
    WORSE = -150,        /* who stands so pays more attention */
    ALARM = 500,         /* who would lose so much at once looks again, at everything */
    FORM = 500           /* where a seed's numbers for it begin */
};
static const double ATTENTION = 0.5; /* logits that a bad position adds to the sight */

typedef struct Level {
    int elo;
    LevelTraits traits;
    uint64_t seed; /* of the game */
    double form;   /* of the day, in logits of sight */
    Sight sight;
    const Evaluator *net;
    SearchPool *pool; /* NULL where the traits have no nodes for it */
    Mutex lock;
    Condition changed;
    bool done; /* the pool's search is over */
    SightLine proposed[MOST_LINES];
    int depth; /* of the last search */
    Score score;
    bool has_left; /* `left` is the board as the last move left it */
    Piece left[SQUARE_COUNT];
    int hopeless, even; /* own moves in a row that felt so */
} Level;

/* What is known while one move is thought about. */
typedef struct Thought {
    const OpponentTask *task;
    Level *level;
    uint64_t seed;
    Square last_to; /* where the opponent just took something */
    int legal;
    SightLine lines[MAX_MOVES];
    int count, depth;
    uint64_t nodes;   /* of the search */
    int64_t start_ms; /* when it was asked */
} Thought;

/* -- Opening and closing -- */

/* People have good and bad days, most of them near the middle. */
static double form_of_the_day(double most, uint64_t seed)
{
    return most * (level_chance(seed, FORM) + level_chance(seed, FORM + 1) - 1);
}

static void level_new_game(void *self, uint64_t seed)
{
    Level *l = self;
    l->seed = seed;
    l->form = form_of_the_day(l->traits.form, seed);
    l->sight.taste = seed * 3 + 1;
    l->score = 0;
    l->has_left = false;
    l->hopeless = l->even = 0;
    if (l->pool)
        search_clear(l->pool);
}

static void level_close(void *self)
{
    Level *l = self;
    search_destroy(l->pool);
    eval_close(l->sight.eval);
    evaluator_close(l->net);
    condition_free(&l->changed);
    mutex_free(&l->lock);
    free(l);
}

static Status open_parts(Level *l, Message *why)
{
    if (l->traits.nodes) {
        Status s = evaluator_default(&l->net, why);
        if (s == STATUS_OK)
            s = search_create(&l->pool, l->net,
                              l->traits.nodes < BIG_HASH_NODES ? HASH_MB : BIG_HASH_MB, why);
        if (s != STATUS_OK)
            return s;
    }
    l->sight.eval = eval_open(l->net ? l->net : evaluator_classical());
    return l->sight.eval ? STATUS_OK : status_fail(why, STATUS_MEMORY, "no memory for a level");
}

static Status level_open(void **self, const void *setup, uint64_t seed, Message *why)
{
    Level *l = calloc(1, sizeof *l);
    if (!l)
        return status_fail(why, STATUS_MEMORY, "no memory for a level");
    mutex_init(&l->lock);
    condition_init(&l->changed);
    l->elo = ((const LevelSetup *)setup)->elo;
    l->traits = level_traits(l->elo);
    Status s = open_parts(l, why);
    if (s != STATUS_OK) {
        level_close(l);
        return s;
    }
    level_new_game(l, seed);
    *self = l;
    return STATUS_OK;
}

/* -- What is on the board -- */

/* The square where our piece stood when we last moved and now an enemy stands. */
static Square find_loss(const Level *l, const Position *p)
{
    if (!l->has_left || p->st.captured == NO_PIECE)
        return SQ_NONE;
    Bitboard enemies = p->by_color[color_other(p->side)];
    while (enemies) {
        Square s = bb_pop(&enemies);
        if (l->left[s] != NO_PIECE && piece_color(l->left[s]) == p->side)
            return s;
    }
    return SQ_NONE;
}

/* The moves the task allows. */
static int allowed_moves(const OpponentTask *task, Move *out)
{
    const SearchLimits *limits = task->limits;
    if (limits->only_count == 0)
        return movegen(task->position, GEN_ALL, out);
    memcpy(out, limits->only, (size_t)limits->only_count * sizeof(Move));
    return limits->only_count;
}

static bool is_mate(const Position *p, Move m)
{
    if (!pos_gives_check(p, m))
        return false;
    Position after = *p;
    Undo undo;
    pos_make(&after, m, &undo);
    return !movegen_any(&after);
}

/* The mate in one, if there is one and it is seen. */
static Move find_mate(const Thought *t, const Move *moves, int count)
{
    if (level_chance(t->seed, SQUARE_COUNT) >= t->level->traits.mate_in_1)
        return MOVE_NONE;
    for (int i = 0; i < count; i++)
        if (is_mate(t->task->position, moves[i]))
            return moves[i];
    return MOVE_NONE;
}

static void add_line(Thought *t, Move m)
{
    SightLine *l = &t->lines[t->count++];
    l->pv[0] = m;
    l->length = 1;
    l->score = 0;
}

/* The candidates: what is noticed, or everything where that is nothing. */
static void find_candidates(Thought *t, const Move *moves, int count)
{
    const Position *p = t->task->position;
    for (int i = 0; i < count; i++)
        if (pos_in_check(p) ||
            level_notices(&t->level->sight.traits, t->seed, p, moves[i], t->last_to, 0))
            add_line(t, moves[i]);
    for (int i = 0; i < count && t->count == 0; i++)
        add_line(t, moves[i]);
}

/* -- Looking ahead with one's own eyes -- */

/* As far as it sees at this move. */
static int own_depth(const Thought *t)
{
    double depth = t->level->sight.traits.depth;
    int whole = (int)depth, limit = t->task->limits->depth;
    int last = whole + (level_chance(t->seed, SQUARE_COUNT + 1) < depth - whole);
    return limit && limit < last ? limit : last;
}

static void look_ahead(Thought *t, int last)
{
    Sight *s = &t->level->sight;
    for (int d = 1; d <= last; d++) {
        if (!sight_rank(s, t->lines, t->count, d, s->traits.margin + OPENING_MARGIN))
            break;
        t->depth = d;
    }
}

/* -- Castellan's search proposes -- */

static void on_line(void *user, const SearchLine *line)
{
    Level *l = user;
    if (line->multipv > MOST_LINES || line->pv_length < 1)
        return;
    SightLine *to = &l->proposed[line->multipv - 1];
    to->length = line->pv_length < SIGHT_MAX_PLY ? line->pv_length : SIGHT_MAX_PLY;
    memcpy(to->pv, line->pv, (size_t)to->length * sizeof(Move));
    to->score = line->score;
    l->depth = line->depth;
}

static void on_done(void *user, const SearchResult *result)
{
    (void)result;
    Level *l = user;
    mutex_lock(&l->lock);
    l->done = true;
    condition_signal_all(&l->changed);
    mutex_unlock(&l->lock);
}

static void wait_for_search(Level *l, const atomic_bool *stop)
{
    mutex_lock(&l->lock);
    while (!l->done) {
        condition_wait_ms(&l->changed, &l->lock, STOP_POLL_MS);
        if (!l->done && atomic_load(stop))
            search_stop(l->pool);
    }
    mutex_unlock(&l->lock);
    search_wait(l->pool);
}

/* The level's own effort, and less where the caller allows less. */
static void own_limits(const Thought *t, SearchLimits *out)
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
    for (int i = 0; i < t->count; i++)
        out->only[i] = t->lines[i].pv[0];
    out->only_count = t->count;
}

/* Takes over what was proposed; a move told twice, from two iterations, counts as the better line. */
static void take_proposals(Thought *t)
{
    Level *l = t->level;
    SightLine kept[MOST_LINES];
    int count = 0;
    for (int i = 0; i < MOST_LINES; i++) {
        bool known = l->proposed[i].length == 0;
        for (int k = 0; k < count; k++)
            known |= kept[k].pv[0] == l->proposed[i].pv[0];
        if (!known)
            kept[count++] = l->proposed[i];
    }
    if (count == 0)
        return;
    memcpy(t->lines, kept, (size_t)count * sizeof *kept);
    t->count = count;
    t->depth = l->depth;
}

static void ask_search(Thought *t)
{
    Level *l = t->level;
    SearchLimits limits;
    own_limits(t, &limits);
    memset(l->proposed, 0, sizeof l->proposed);
    l->done = false;
    bool opening = t->task->position->game_ply < OPENING_PLIES;
    SearchOptions options = {.multi_pv = opening ? MOST_LINES : USUAL_LINES};
    SearchEvents events = {.user = l, .line = on_line, .done = on_done};
    search_start(l->pool, t->task->position, &limits, &options, &events);
    wait_for_search(l, t->task->stop);
    t->nodes += search_nodes(l->pool);
    take_proposals(t);
}

/* A proposed line as this person sees it: up to the first move that is overlooked, and where the value of the
 * line hangs on what comes behind, worth what the position seems there. */
static Score seen_value(Thought *t, const SightLine *line)
{
    Sight *s = &t->level->sight;
    Undo undo[WALK_PLIES];
    Square last_to = t->last_to;
    int ply = 0, sign = 1;
    while (ply < line->length && ply < WALK_PLIES &&
           (ply == 0 || level_notices(&s->traits, t->seed, &s->pos, line->pv[ply], last_to, ply))) {
        eval_push(s->eval, &s->pos, line->pv[ply]);
        pos_make(&s->pos, line->pv[ply], &undo[ply]);
        last_to = s->pos.st.captured == NO_PIECE ? SQ_NONE : move_to(line->pv[ply]);
        sign = -sign;
        ply++;
    }
    Score value = line->score;
    if (ply < line->length && ply < WALK_PLIES && !score_is_decisive(value)) {
        Score seems = sign * sight_quiet(s, last_to);
        value = abs(seems - value) > TACTICAL ? seems : value;
    }
    while (ply > 0) {
        ply--;
        pos_unmake(&s->pos, line->pv[ply], &undo[ply]);
        eval_pop(s->eval);
    }
    return value;
}

static void look_at_proposals(Thought *t)
{
    for (int i = 0; i < t->count; i++)
        t->lines[i].score = seen_value(t, &t->lines[i]);
    for (int i = 1; i < t->count; i++)
        for (int k = i; k > 0 && t->lines[k - 1].score < t->lines[k].score; k--) {
            SightLine swap = t->lines[k];
            t->lines[k] = t->lines[k - 1];
            t->lines[k - 1] = swap;
        }
}

/* -- Choosing -- */

/* How many lines are as good as the best to this level. */
static int count_close(const Thought *t)
{
    int margin = t->level->traits.margin;
    if (t->task->position->game_ply < OPENING_PLIES)
        margin += OPENING_MARGIN;
    int close = 1;
    if (score_is_decisive(t->lines[0].score))
        return close;
    while (close < t->count && t->lines[close].score >= t->lines[0].score - margin)
        close++;
    return close;
}

/* One of the close ones, the better the likelier. */
static int choose(const Thought *t, int close)
{
    double weights[MAX_MOVES], sum = 0;
    double scale = (t->level->traits.margin + OPENING_MARGIN) / 2.0;
    for (int i = 0; i < close; i++)
        sum += weights[i] = exp((t->lines[i].score - t->lines[0].score) / scale);
    double at = level_chance(t->seed, SQUARE_COUNT + 2) * sum;
    for (int i = 0; i < close; i++) {
        at -= weights[i];
        if (at < 0)
            return i;
    }
    return 0;
}

/* -- Manners -- */

enum {
    RESIGN_ELO = 1200, /* below, one plays on to the mate */
    RESIGN_SCORE = -900,
    RESIGN_MOVES = 4,
    OFFER_ELO = 1400,
    OFFER_PLY = 80,
    OFFER_MOVES = 8,
    EVEN_SCORE = 20,
    ACCEPT_SCORE = -60 /* glad of a draw at any time */
};

static void mind_manners(Level *l, const Position *p, OpponentAnswer *a)
{
    l->hopeless = a->score <= RESIGN_SCORE ? l->hopeless + 1 : 0;
    l->even = abs(a->score) <= EVEN_SCORE && p->game_ply >= OFFER_PLY ? l->even + 1 : 0;
    a->resigns = l->elo >= RESIGN_ELO && l->hopeless >= RESIGN_MOVES;
    a->offers_draw = l->elo >= OFFER_ELO && l->even > 0 && l->even % OFFER_MOVES == 0;
}

static bool level_accepts_draw(void *self, const Position *p)
{
    const Level *l = self;
    return l->score <= ACCEPT_SCORE || (p->game_ply >= OFFER_PLY && l->score <= EVEN_SCORE);
}

/* -- Thinking -- */

static void begin(Thought *t, const OpponentTask *task, Level *l)
{
    const Position *p = task->position;
    t->task = task;
    t->level = l;
    t->seed = l->seed ^ (p->st.key + p->game_ply);
    t->last_to = find_loss(l, p);
    t->count = t->depth = 0;
    t->nodes = 0;
    t->start_ms = task->limits->start_ms ? task->limits->start_ms : clock_now_ms();
    l->sight.traits = l->traits;
    l->sight.traits.sight += l->form;
    if (l->score < WORSE)
        l->sight.traits.sight += ATTENTION;
    l->sight.thought = t->seed;
    l->sight.stop = task->stop;
    l->sight.max_nodes = SIGHT_NODES;
    if (task->limits->nodes && task->limits->nodes < SIGHT_NODES)
        l->sight.max_nodes = task->limits->nodes;
    sight_begin(&l->sight, p);
}

/* Half of what was allowed is left: a second look that ends at once would know less than the first. */
static bool may_look_again(const Thought *t)
{
    const SearchLimits *asked = t->task->limits;
    SearchLimits own;
    own_limits(t, &own);
    int64_t spent = clock_now_ms() - t->start_ms;
    return !atomic_load(t->task->stop) && (!own.move_time_ms || 2 * spent < own.move_time_ms) &&
           (!asked->nodes || 2 * t->nodes <= asked->nodes);
}

/* Once more, at every move. Where that did not get as far as the first look, the first one counts. */
static void look_again(Thought *t, const Move *moves)
{
    SightLine first[MOST_LINES];
    int count = t->count, depth = t->depth;
    memcpy(first, t->lines, (size_t)count * sizeof *first);
    t->count = t->depth = 0;
    for (int i = 0; i < t->legal; i++)
        add_line(t, moves[i]);
    ask_search(t);
    if (2 * t->depth >= depth)
        return;
    memcpy(t->lines, first, (size_t)count * sizeof *first);
    t->count = count;
    t->depth = depth;
}

static void consider(Thought *t)
{
    Move moves[MAX_MOVES];
    t->legal = allowed_moves(t->task, moves);
    Move mate = find_mate(t, moves, t->legal);
    if (mate != MOVE_NONE) {
        add_line(t, mate);
        t->lines[0].score = score_mate_in(1);
        t->depth = 1;
        return;
    }
    find_candidates(t, moves, t->legal);
    int seen = t->count;
    if (!t->level->pool) {
        look_ahead(t, own_depth(t));
        return;
    }
    ask_search(t);
    if (!t->depth) { /* the clock ended the search before it came to anything */
        look_ahead(t, 1);
        return;
    }
    if (t->lines[0].score < t->level->score - ALARM && seen < t->legal && may_look_again(t))
        look_again(t, moves);
    look_at_proposals(t);
}

static void remember(Level *l, const Position *p, Move m)
{
    Position after = *p;
    Undo undo;
    pos_make(&after, m, &undo);
    memcpy(l->left, after.board, sizeof l->left);
    l->has_left = true;
}

static void tell(const Thought *t, const SightLine *line, const OpponentAnswer *a, int64_t began)
{
    if (!t->task->thought)
        return;
    OpponentThought thought = {.depth = a->depth,
                               .score = a->score,
                               .nodes = a->nodes,
                               .time_ms = clock_now_ms() - began,
                               .pv = line->pv,
                               .pv_length = line->length};
    t->task->thought(t->task->user, &thought);
}

static void level_think(void *self, const OpponentTask *task, OpponentAnswer *answer)
{
    Level *l = self;
    int64_t began = clock_now_ms();
    Thought t;
    begin(&t, task, l);
    consider(&t);
    int close = count_close(&t);
    const SightLine *line = &t.lines[choose(&t, close)];
    *answer = (OpponentAnswer){.move = line->pv[0],
                               .score = line->score,
                               .depth = t.depth > 0 ? t.depth : 1,
                               .nodes = l->sight.nodes + t.nodes};
    LevelMoment moment = {.legal = t.legal,
                          .close = close,
                          .recapture = t.last_to != SQ_NONE && move_to(line->pv[0]) == t.last_to,
                          .game_ply = task->position->game_ply,
                          .side = task->position->side,
                          .limits = task->limits,
                          .seed = t.seed};
    answer->think_ms = level_think_ms(&moment);
    l->score = line->score;
    mind_manners(l, task->position, answer);
    remember(l, task->position, line->pv[0]);
    tell(&t, line, answer, began);
    while ((task->limits->infinite || task->limits->ponder) && !atomic_load(task->stop))
        clock_sleep_ms(STOP_POLL_MS);
}

const OpponentOps level_ops = {level_open, level_close, level_new_game, level_think,
                               level_accepts_draw};
