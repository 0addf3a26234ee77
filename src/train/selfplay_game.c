#include "train/selfplay_game.h"

#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"

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

static void random_start(Position *p, const SelfplayRules *rules, Random *random)
{
    if (random_below(random, 100) < (uint32_t)rules->chess960_percent)
        pos_set_chess960(p, (int)random_below(random, 960), (int)random_below(random, 960));
    else
        pos_set_start(p);
}

static void game_push(GameRecord *g, Position *p, Move m, Score score)
{
    Undo undo;
    g->plies[g->count++] = (DataPly){m, (int16_t)score};
    pos_make(p, m, &undo);
}

/* Random moves from the start; false when the game ends on the way. */
static bool random_opening(GameRecord *g, Position *p, const SelfplayRules *rules, Random *random)
{
    random_start(p, rules, random);
    g->start = *p;
    g->count = 0;
    int plies = RANDOM_PLIES + (int)random_below(random, 2);
    for (int i = 0; i < plies; i++) {
        Move moves[MAX_MOVES];
        int count = movegen(p, GEN_ALL, moves);
        if (!count)
            return false;
        game_push(g, p, moves[random_below(random, (uint32_t)count)], SCORE_NONE);
    }
    return movegen_any(p);
}

static SearchResult search(SearchPool *pool, const Position *p, uint64_t nodes, bool disable_lmp)
{
    SearchLimits limits = {
        .soft_nodes = nodes, .nodes = nodes * HARD_FACTOR, .disable_lmp = disable_lmp};
    SearchOptions options = {.multi_pv = 1};
    return search_run(pool, p, &limits, &options, NULL);
}

SearchResult selfplay_search(SearchPool *pool, const Position *p, uint64_t nodes)
{
    return search(pool, p, nodes, false);
}

SearchResult selfplay_search_label(SearchPool *pool, const Position *p, uint64_t nodes)
{
    return search(pool, p, nodes, true);
}

static bool opening_is_playable(SearchPool *pool, const Position *p, uint64_t nodes)
{
    SearchResult r = selfplay_search(pool, p, nodes);
    return abs(r.score) <= OPENING_LIMIT;
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

bool selfplay_game(SearchPool *pool, const SelfplayRules *rules, Random *random,
                   const atomic_bool *stop, GameRecord *game)
{
    Position p;
    search_clear(pool);
    do {
        if (atomic_load(stop))
            return false;
    } while (!random_opening(game, &p, rules, random) ||
             !opening_is_playable(pool, &p, rules->nodes));
    Verdict verdict = {0};
    while (!game_is_over(game, &p, &verdict)) {
        if (atomic_load(stop))
            return false;
        SearchResult r = selfplay_search(pool, &p, rules->nodes);
        verdict_hear(&verdict, p.side, r.score, game->count);
        game_push(game, &p, r.best, r.score);
        if (score_is_mate(r.score) && r.score > 0) {
            game->result = result_win(color_other(p.side));
            return true;
        }
    }
    return true;
}
