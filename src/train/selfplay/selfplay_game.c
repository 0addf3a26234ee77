#include "train/selfplay/selfplay_game.h"

#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/random_opening.h"
#include "train/sample.h"

#include <stdlib.h>

enum {
    RANDOM_PLIES = 8,    /* or one more, so that both sides get to move first */
    OPENING_LIMIT = 250, /* an opening worse than this is no opening */
    WIN_SCORE = 1500,    /* adjudicated when held ... */
    WIN_PLIES = 4,       /* ... for this long */
    DRAW_SCORE = 8,
    DRAW_PLIES = 12,
    DRAW_FROM_PLY = 80,
    HARD_FACTOR = 8,
    LAST_PLY = 600
};

/* How long the scores have spoken for a result. */
typedef struct Verdict {
    int winning_plies, drawn_plies;
    Color winner;
} Verdict;

/* What an opening is made with. */
typedef struct SelfplayOpening {
    SearchPool *pool;
    const SelfplayOptions *options;
} SelfplayOpening;

static bool random_start(void *user, Random *random, Position *p)
{
    const SelfplayOptions *options = ((const SelfplayOpening *)user)->options;
    if (random_below(random, 100) >= (uint32_t)options->chess960_percent) {
        pos_set_start(p);
        return true;
    }
    /* Compilers differ in the order of arguments; the games of a seed must not. */
    int black = (int)random_below(random, 960), white = (int)random_below(random, 960);
    pos_set_chess960(p, white, black);
    return true;
}

static void game_push(GameRecord *g, Position *p, Move m, Score score)
{
    Undo undo;
    g->plies[g->count++] = (DataPly){m, (int16_t)score};
    pos_make(p, m, &undo);
}

/* Searches until an iteration ends after so many nodes, for a move or for a label: late-move
 * pruning makes the best of few nodes when a move is wanted, but costs the score more accuracy than
 * twice the nodes give back. */
static SearchResult search(SearchPool *pool, const Position *p, uint64_t nodes, bool label)
{
    SearchLimits limits = {.soft_nodes = nodes, .nodes = nodes * HARD_FACTOR, .disable_lmp = label};
    SearchOptions options = {.multi_pv = 1};
    return search_run(pool, p, &limits, &options, NULL);
}

static bool is_balanced(void *user, const Position *p)
{
    const SelfplayOpening *o = user;
    return abs(search(o->pool, p, o->options->nodes, false).score) <= OPENING_LIMIT;
}

/* False when *stop was set. */
static bool random_opening(SelfplayOpening *o, Random *random, const atomic_bool *stop,
                           GameRecord *g, Position *p)
{
    const RandomOpeningRules rules = {.plies = RANDOM_PLIES,
                                      .vary_side = true,
                                      .max_tries = 1,
                                      .start = random_start,
                                      .accept = is_balanced,
                                      .user = o};
    RandomOpening opening;
    do {
        if (atomic_load(stop))
            return false;
    } while (!random_opening_make(&rules, random, &opening));
    *p = g->start = opening.start;
    g->count = 0;
    for (int i = 0; i < opening.count; i++)
        game_push(g, p, opening.moves[i], SCORE_NONE);
    return true;
}

static void verdict_hear(Verdict *v, Color side, Score score, int ply)
{
    Color ahead = score > 0 ? side : color_other(side);
    if (abs(score) >= WIN_SCORE) {
        v->winning_plies = v->winning_plies && v->winner == ahead ? v->winning_plies + 1 : 1;
        v->winner = ahead;
    } else {
        v->winning_plies = 0;
    }
    v->drawn_plies = abs(score) <= DRAW_SCORE && ply >= DRAW_FROM_PLY ? v->drawn_plies + 1 : 0;
}

/* True when the game is over by the rules or by the scores. */
static bool game_is_over(GameRecord *g, const Position *p, const Verdict *v)
{
    GameEnd end = draw_game_end(p);
    if (end == GAME_CHECKMATE)
        g->result = result_win(color_other(p->side));
    else if (end != GAME_GOES_ON || v->drawn_plies >= DRAW_PLIES || g->count >= LAST_PLY)
        g->result = RESULT_DRAW;
    else if (v->winning_plies >= WIN_PLIES)
        g->result = result_win(v->winner);
    else
        return false;
    return true;
}

/* The move of the search, or any legal one. */
static Move move_to_play(const SelfplayOptions *options, Random *random, const Position *p,
                         Move found, bool may_be_random)
{
    if (!may_be_random || random_below(random, 100) >= (uint32_t)options->random_percent)
        return found;
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    return count ? moves[random_below(random, (uint32_t)count)] : found;
}

bool selfplay_game(SearchPool *pool, const SelfplayOptions *options, Random *random,
                   const atomic_bool *stop, GameRecord *game)
{
    Position p;
    SelfplayOpening opening = {pool, options};
    bool with_random_moves = options->random_percent && random_below(random, 2);
    search_clear(pool);
    if (!random_opening(&opening, random, stop, game, &p))
        return false;
    Verdict verdict = {0};
    while (!game_is_over(game, &p, &verdict)) {
        if (atomic_load(stop))
            return false;
        SearchResult r = search(pool, &p, options->nodes, false);
        verdict_hear(&verdict, p.side, r.score, game->count);
        if (score_is_mate(r.score) && r.score > 0) {
            game_push(game, &p, r.best, r.score);
            game->result = result_win(color_other(p.side));
            return true;
        }
        game_push(game, &p, move_to_play(options, random, &p, r.best, with_random_moves), r.score);
    }
    return true;
}

/* -- Labels -- */

/* A position whose best move captures or promotes is as little use as one where such a move was
 * played. */
static Score label_of(SearchPool *pool, const LabelRules *rules, const Position *p,
                      const DataPly *ply)
{
    if ((int)p->game_ply < sample_filter_defaults().skip_plies ||
        abs(ply->score) > rules->max_score || !sample_is_quiet(p, ply->move))
        return SCORE_NONE;
    SearchResult found = search(pool, p, rules->nodes, true);
    return sample_is_quiet(p, found.best) ? found.score : SCORE_NONE;
}

bool selfplay_label(SearchPool *pool, const LabelRules *rules, Random *random,
                    const atomic_bool *stop, GameRecord *game)
{
    Position p = game->start;
    Undo undo[DATA_MAX_PLIES];
    for (int i = 0; i < game->count; i++)
        pos_make(&p, game->plies[i].move, &undo[i]);
    for (int i = game->count - 1; i >= 0; i--) {
        DataPly *ply = &game->plies[i];
        bool chosen = random_below(random, rules->every) == 0;
        if (atomic_load(stop))
            return false;
        pos_unmake(&p, ply->move, &undo[i]);
        ply->score = (int16_t)(chosen ? label_of(pool, rules, &p, ply) : (Score)SCORE_NONE);
    }
    return true;
}
