/* Games on the card: one warp plays one game after the other. The search that labels a position
 * also chooses its move. The rules are those of selfplay_game.c. */
#ifndef TRAIN_GPU_GAME_H
#define TRAIN_GPU_GAME_H

#include "train/gpu/gpu_node.h"

enum {
    G_OPENING_PLIES = 8, /* or one more */
    G_OPENING_LIMIT = 250,
    G_WIN_SCORE = 900,
    G_WIN_PLIES = 3,
    G_DRAW_SCORE = 8,
    G_DRAW_PLIES = 12,
    G_DRAW_FROM_PLY = 80,
    G_LAST_PLY = 600,
    G_HARD_FACTOR = 3
};

enum { G_DRAWN, G_WHITE_WON, G_BLACK_WON, G_GOES_ON };

/* A game under way, kept between two launches. */
typedef struct GGame {
    GPosition root;
    uint64_t random, number; /* of the next game */
    int active, count, winning_plies, drawn_plies, winner;
    uint16_t moves[G_LAST_PLY];
    int16_t scores[G_LAST_PLY];
} GGame;

/* Finished games: for each the number of plies, the result, the moves, the scores. */
typedef struct GOutput {
    uint16_t *at;
    unsigned long long capacity, *used; /* of `at`; games that do not fit are dropped */
    unsigned long long *nodes;
} GOutput;

typedef struct GRules {
    int nodes, label_nodes, max_score; /* nodes: for moves of positions without a label */
    uint64_t seed, warps;
} GRules;

DEVICE uint64_t g_mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}

/* Every lane has the same number: the state is written by one of them. */
DEVICE uint32_t g_random(GGame *g)
{
    uint64_t next = g->random + 0x9e3779b97f4a7c15ULL;
    warp_sync();
    if (warp_lane() == 0)
        g->random = next;
    warp_sync();
    return (uint32_t)(g_mix(next) >> 32);
}

DEVICE void g_set_limits(GSearch *w, const GRules *rules)
{
    w->quick_nodes = rules->nodes;
    w->soft_nodes = rules->label_nodes;
    w->hard_nodes = rules->label_nodes * G_HARD_FACTOR;
    w->label_score = rules->max_score;
}

/* The game goes to the position at stack[1]. */
DEVICE void g_game_push(GSearch *w, GGame *g, int m, int score)
{
    GPosition *stack = w->shared->stack;
    g_copy(&stack[0], &stack[1]);
    if (warp_lane() == 0) {
        g->moves[g->count] = (uint16_t)m;
        g->scores[g->count] = (int16_t)score;
        g->count++;
    }
    warp_sync();
    w->game_ply = g->count;
    g_keep_key(w, &stack[0], 0);
}

/* The first legal move from a place in the list on, all around; its position is at stack[1]. */
DEVICE int g_legal_from(GSearch *w, const GMoveList *list, int count, int begin)
{
    ROLLED
    for (int i = 0; i < count; i++) {
        int m = (int)list->at[(begin + i) % count];
        if (g_make(w->tables, w->random_keys, w->shared->stack, m))
            return m;
    }
    return 0;
}

DEVICE bool g_random_move(GSearch *w, GGame *g)
{
    GMoveList *list = &w->memory->lists[0];
    int count = g_generate(w->tables, &w->shared->stack[0], false, list, w->shared->scratch);
    int m = count ? g_legal_from(w, list, count, (int)(g_random(g) % (uint32_t)count)) : 0;
    if (m)
        g_game_push(w, g, m, G_NO_SCORE);
    return m != 0;
}

DEVICE void g_clear(GMemory *memory)
{
    const GEntry none = {0, 0, G_NO_SCORE, G_NO_SCORE, 0, 0};
    ROLLED
    for (int i = warp_lane(); i < G_TT_SIZE; i += WARP_LANES)
        memory->tt[i] = none;
    ROLLED
    for (int i = warp_lane(); i < 2 * 64 * 64; i += WARP_LANES)
        memory->history[0][i] = 0;
    warp_sync();
}

/* A random opening; false when it ended the game. */
DEVICE bool g_game_begin(GSearch *w, const GRules *rules, const GPosition *first, GGame *g)
{
    g_clear(w->memory);
    g_copy(&w->shared->stack[0], first);
    warp_sync();
    if (warp_lane() == 0) {
        g->random = g_mix(rules->seed * 0x9e3779b97f4a7c15ULL + g->number);
        g->number += rules->warps;
        g->active = 1;
        g->count = g->winning_plies = g->drawn_plies = g->winner = 0;
    }
    warp_sync();
    w->game_ply = 0;
    g_keep_key(w, &w->shared->stack[0], 0);
    int plies = G_OPENING_PLIES + (int)(g_random(g) & 1);
    ROLLED
    for (int i = 0; i < plies; i++)
        if (!g_random_move(w, g))
            return false;
    return true;
}

/* What the scores and the rules say after a search. */
DEVICE int g_verdict(GGame *g, int side, int score)
{
    int ahead = score > 0 ? side : side ^ 1;
    int winning = g_abs(score) < G_WIN_SCORE               ? 0
                  : g->winning_plies && g->winner == ahead ? g->winning_plies + 1
                                                           : 1;
    int drawn =
        g_abs(score) <= G_DRAW_SCORE && g->count >= G_DRAW_FROM_PLY ? g->drawn_plies + 1 : 0;
    warp_sync();
    if (warp_lane() == 0) {
        g->winner = ahead;
        g->winning_plies = winning;
        g->drawn_plies = drawn;
    }
    warp_sync();
    if (winning >= G_WIN_PLIES || g_abs(score) >= G_DECISIVE)
        return ahead ? G_BLACK_WON : G_WHITE_WON;
    return drawn >= G_DRAW_PLIES || g->count >= G_LAST_PLY - 1 ? G_DRAWN : G_GOES_ON;
}

DEVICE unsigned long long g_claim(unsigned long long *counter, unsigned long long by)
{
#ifdef __CUDACC__
    return atomicAdd(counter, by);
#else
    unsigned long long before = *counter;
    *counter += by;
    return before;
#endif
}

DEVICE void g_emit(const GOutput *out, const GGame *g, int result)
{
    unsigned long long size = 2 + 2 * (unsigned long long)g->count, at = 0;
    if (warp_lane() == 0)
        at = g_claim(out->used, size);
    at = (unsigned long long)warp_max((uint32_t)at);
    if (at + size > out->capacity)
        return;
    uint16_t *to = out->at + at;
    if (warp_lane() == 0) {
        to[0] = (uint16_t)g->count;
        to[1] = (uint16_t)result;
    }
    ROLLED
    for (int i = warp_lane(); i < g->count; i += WARP_LANES) {
        to[2 + i] = g->moves[i];
        to[2 + g->count + i] = (uint16_t)g->scores[i];
    }
}

/* One ply of the game; games that end are written, openings that are no openings are dropped. */
DEVICE void g_play_ply(GSearch *w, const GRules *rules, const GPosition *first, GGame *g,
                       const GOutput *out)
{
    GPosition *root = &w->shared->stack[0];
    if (!g->active && !g_game_begin(w, rules, first, g)) {
        warp_sync();
        if (warp_lane() == 0)
            g->active = 0;
        warp_sync();
        return;
    }
    bool opening = g->count <= G_OPENING_PLIES + 1;
    int move = 0, score = 0, result;
    if (g_is_draw(w, root, 0))
        result = G_DRAWN;
    else if (!g_iterate(w, &move, &score))
        result = !root->in_check ? G_DRAWN : root->side ? G_WHITE_WON : G_BLACK_WON;
    else
        result = g_verdict(g, root->side, score);
    if (warp_lane() == 0)
        g_claim(out->nodes, (unsigned long long)w->nodes);
    bool dropped = opening && (result != G_GOES_ON || g_abs(score) > G_OPENING_LIMIT);
    if (!dropped && move) {
        bool labelled = g_gets_label(w, root, move, score);
        g_make(w->tables, w->random_keys, root, move);
        g_game_push(w, g, move, labelled ? score : G_NO_SCORE);
    }
    if (!dropped && result != G_GOES_ON)
        g_emit(out, g, result);
    warp_sync();
    if ((dropped || result != G_GOES_ON) && warp_lane() == 0)
        g->active = 0;
    warp_sync();
}

#endif
