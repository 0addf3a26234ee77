#include "levels/level.h"

#include "base/clock.h"
#include "chess/movegen.h"
#include "levels/level_int.h"

#include <stdlib.h>
#include <string.h>

enum {
    STOP_POLL_MS = 5,
    ALWAYS_MATES = 800,  /* from this level on a mate in one is always played */
    VARIATION_SEED = 500 /* where a seed's numbers for the day begin */
};

/* -- Opening and closing -- */

/* People have good and bad days, most of them near the middle: from -1 to 1. */
static double variation_of(uint64_t seed)
{
    return level_chance(seed, VARIATION_SEED) + level_chance(seed, VARIATION_SEED + 1) - 1;
}

static void level_new_game(void *self, uint64_t seed)
{
    Level *l = self;
    l->seed = seed;
    l->variation = variation_of(seed);
    l->score = 0;
    l->last = MOVE_NONE;
    l->hopeless = l->even = 0;
    if (l->pool)
        search_clear(l->pool);
}

static void level_close(void *self)
{
    Level *l = self;
    level_human_close(l);
    level_search_close(l);
    latch_free(&l->done);
}

static Status level_open(void *self, const void *setup, Message *why)
{
    Level *l = self;
    latch_init(&l->done);
    l->elo = ((const LevelSetup *)setup)->elo;
    l->human = human_frame(l->elo, &l->frame);
    return l->human ? STATUS_OK : level_search_open(l, why);
}

/* -- What is on the board -- */

/* The opponent's last move, as the difference to the board that the own last move left; MOVE_NONE
 * where that is not one move. *taken: one of our pieces stood where it went. */
static Move find_their_move(const Level *l, const Position *p, bool *taken)
{
    Color them = color_other(p->side);
    Square from = SQ_NONE, to = SQ_NONE;
    int changes = 0;
    *taken = false;
    for (Square s = SQ_A1; s < SQUARE_COUNT && l->last != MOVE_NONE; s++) {
        Piece old = l->left[s], now = p->board[s];
        if (old == now)
            continue;
        changes++;
        if (now != NO_PIECE && piece_color(now) == them &&
            (to == SQ_NONE || piece_type(now) == KING)) {
            to = s;
            *taken = old != NO_PIECE && piece_color(old) == p->side;
        } else if (now == NO_PIECE && piece_color(old) == them &&
                   (from == SQ_NONE || piece_type(old) == KING)) {
            from = s;
        }
    }
    if (from == SQ_NONE || to == SQ_NONE || changes > 4) {
        *taken = false;
        return MOVE_NONE;
    }
    return move_make(from, to, MOVE_NORMAL);
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

/* Plays the mate in one, if there is one. */
static bool play_mate(LevelThought *t)
{
    for (int i = 0; i < t->legal && t->level->elo >= ALWAYS_MATES; i++)
        if (movegen_mates(t->task->position, t->moves[i])) {
            t->line = (LevelLine){.pv = {t->moves[i]}, .length = 1, .score = score_mate_in(1)};
            t->close = t->depth = 1;
            return true;
        }
    return false;
}

/* -- Resignations and draws -- */

enum {
    RESIGN_ELO = 1200, /* below, games are played on to the mate */
    RESIGN_SCORE = -900,
    RESIGN_MOVES = 4,
    OFFER_ELO = 1400,
    OFFER_PLY = 80,
    OFFER_MOVES = 8,
    EVEN_SCORE = 20,
    ACCEPT_SCORE = -60 /* accepts a draw at any time */
};

static void decide_end(Level *l, const Position *p, OpponentAnswer *a)
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

static void begin(LevelThought *t, const OpponentTask *task, Level *l)
{
    const Position *p = task->position;
    bool taken;
    *t = (LevelThought){.task = task, .level = l, .seed = l->seed ^ (p->st.key + p->game_ply)};
    t->their_last = find_their_move(l, p, &taken);
    t->last_to = taken ? move_to(t->their_last) : SQ_NONE;
    t->start_ms = task->limits->start_ms ? task->limits->start_ms : clock_now_ms();
    t->legal = allowed_moves(task, t->moves);
}

static void remember(Level *l, const Position *p, const LevelLine *line)
{
    Position after = *p;
    Undo undo;
    pos_make(&after, line->pv[0], &undo);
    memcpy(l->left, after.board, sizeof l->left);
    l->last = line->pv[0];
    l->score = line->score;
}

static void report(const LevelThought *t, const OpponentAnswer *a, int64_t began)
{
    if (!t->task->thought)
        return;
    OpponentThought thought = {.depth = a->depth,
                               .score = a->score,
                               .nodes = a->nodes,
                               .time_ms = clock_now_ms() - began,
                               .pv = t->line.pv,
                               .pv_length = t->line.length};
    t->task->thought(t->task->user, &thought);
}

static void level_think(void *self, const OpponentTask *task, OpponentAnswer *answer)
{
    Level *l = self;
    int64_t began = clock_now_ms();
    LevelThought t;
    begin(&t, task, l);
    if (!play_mate(&t)) {
        if (l->human)
            level_human_think(&t);
        else
            level_search_think(&t);
    }
    *answer = (OpponentAnswer){.move = t.line.pv[0],
                               .score = t.line.score,
                               .depth = t.depth > 0 ? t.depth : 1,
                               .nodes = t.nodes,
                               .think_ms = level_think_ms(&t)};
    decide_end(l, task->position, answer);
    remember(l, task->position, &t.line);
    report(&t, answer, began);
    while ((task->limits->infinite || task->limits->ponder) && !atomic_load(task->stop))
        clock_sleep_ms(STOP_POLL_MS);
}

const OpponentOps level_ops = {.size = sizeof(Level),
                               .open = level_open,
                               .close = level_close,
                               .new_game = level_new_game,
                               .think = level_think,
                               .accepts_draw = level_accepts_draw};
