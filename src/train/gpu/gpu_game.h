/* Games on the card: one warp plays one game after the other, and then labels its positions from
 * the last to the first, so that a search finds in its table what came of the position. The rules
 * are those of selfplay_game.c. */
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
    G_FIRST_LABEL = 16, /* ply */
    G_HARD_FACTOR = 4
};

enum { G_DRAWN, G_WHITE_WON, G_BLACK_WON, G_GOES_ON };

typedef enum GStage { G_IDLE, G_PLAYING, G_LABELLING } GStage;

/* A game under way, kept between two launches. */
typedef struct GGame {
    GPosition root;
    uint64_t random, number; /* of the next game */
    GStage stage;
    int count, winning_plies, drawn_plies, winner;
    int result, unlabelled; /* once it is over; plies that still want a label */
    uint16_t moves[G_GAME_PLIES];
    int16_t scores[G_GAME_PLIES];
} GGame;

/* Finished games: for each the number of plies, the result, the moves, the scores. */
typedef struct GOutput {
    uint16_t *at;
    unsigned long long capacity, *used; /* of `at`; games that do not fit are dropped */
    unsigned long long *nodes;
} GOutput;

typedef struct GRules {
    int nodes, label_nodes; /* for a move; for a label, 0: the scores of the play are kept */
    int max_score;          /* no label where the score of the play is larger */
    int random_percent;     /* of the moves of every second game */
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

DEVICE void g_set_limit(GSearch *w, int nodes)
{
    w->soft_nodes = nodes;
    w->hard_nodes = nodes * G_HARD_FACTOR;
}

/* The game goes to the position at stack[1]. */
DEVICE void g_game_push(GSearch *w, GGame *g, int m, int score)
{
    GPosition *stack = w->shared->stack;
    g_copy(&w->memory->game[g->count], &stack[0]);
    warp_sync();
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

/* 0: there is none. */
DEVICE int g_random_move(GSearch *w, GGame *g)
{
    GMoveList *list = &w->memory->lists[0];
    int count = g_generate(w->tables, &w->shared->stack[0], false, list, w->shared->scratch);
    return count ? g_legal_from(w, list, count, (int)(g_random(g) % (uint32_t)count)) : 0;
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
        g->stage = G_PLAYING;
        g->count = g->winning_plies = g->drawn_plies = g->winner = 0;
    }
    warp_sync();
    w->game_ply = 0;
    g_keep_key(w, &w->shared->stack[0], 0);
    int plies = G_OPENING_PLIES + (int)(g_random(g) & 1);
    ROLLED
    for (int i = 0; i < plies; i++) {
        int m = g_random_move(w, g);
        if (!m)
            return false;
        g_game_push(w, g, m, G_NO_SCORE);
    }
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
    return drawn >= G_DRAW_PLIES || g->count >= G_GAME_PLIES - 1 ? G_DRAWN : G_GOES_ON;
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

/* Makes the move of the search, or any legal one; its position is at stack[1]. */
DEVICE int g_choose(GSearch *w, const GRules *rules, GGame *g, int found)
{
    bool may_be_random = rules->random_percent && (g->number / rules->warps & 1);
    if (may_be_random && g_random(g) % 100 < (uint32_t)rules->random_percent)
        return g_random_move(w, g);
    g_make(w->tables, w->random_keys, w->shared->stack, found);
    return found;
}

DEVICE void g_go_to_stage(GGame *g, GStage stage)
{
    warp_sync();
    if (warp_lane() == 0) {
        g->stage = stage;
        g->unlabelled = g->count;
    }
    warp_sync();
}

/* One ply of the game; openings that are no openings are dropped. */
DEVICE void g_play_ply(GSearch *w, const GRules *rules, GGame *g)
{
    GPosition *root = &w->shared->stack[0];
    bool opening = g->count <= G_OPENING_PLIES + 1;
    int move = 0, score = 0, result;
    g_set_limit(w, rules->nodes);
    if (g_is_draw(w, root, 0))
        result = G_DRAWN;
    else if (!g_iterate(w, &move, &score))
        result = !root->in_check ? G_DRAWN : root->side ? G_WHITE_WON : G_BLACK_WON;
    else
        result = g_verdict(g, root->side, score);
    if (opening && (result != G_GOES_ON || g_abs(score) > G_OPENING_LIMIT)) {
        g_go_to_stage(g, G_IDLE);
        return;
    }
    if (move) {
        move = g_choose(w, rules, g, move);
        g_game_push(w, g, move, score);
    }
    if (result == G_GOES_ON)
        return;
    if (warp_lane() == 0)
        g->result = result;
    g_go_to_stage(g, G_LABELLING);
}

/* Only quiet positions with a moderate score get a label. */
DEVICE bool g_wants_label(const GRules *rules, const GGame *g, const GPosition *p, int ply)
{
    int score = g->scores[ply];
    return ply >= G_FIRST_LABEL && score != G_NO_SCORE && g_abs(score) <= rules->max_score &&
           !p->in_check && !g_is_noisy(p, g->moves[ply]);
}

DEVICE int g_label(GSearch *w, const GRules *rules, const GPosition *p, int ply)
{
    int move = 0, score = 0;
    g_copy(&w->shared->stack[0], p);
    warp_sync();
    w->game_ply = ply;
    g_set_limit(w, rules->label_nodes);
    bool found = g_iterate(w, &move, &score);
    return found && !g_is_noisy(p, move) ? score : (int)G_NO_SCORE;
}

/* The label of the last ply that wants one; a game that has all of them is written. */
DEVICE void g_label_ply(GSearch *w, const GRules *rules, GGame *g, const GOutput *out)
{
    int ply = g->unlabelled - 1;
    if (!rules->label_nodes || ply < 0) {
        g_emit(out, g, g->result);
        g_go_to_stage(g, G_IDLE);
        return;
    }
    const GPosition *p = &w->memory->game[ply];
    int score = G_NO_SCORE;
    if (g_wants_label(rules, g, p, ply))
        score = g_label(w, rules, p, ply);
    warp_sync();
    if (warp_lane() == 0) {
        g->scores[ply] = (int16_t)score;
        g->unlabelled = ply;
    }
    warp_sync();
}

/* A search, for a move or for a label. */
DEVICE void g_game_step(GSearch *w, const GRules *rules, const GPosition *first, GGame *g,
                        const GOutput *out)
{
    w->nodes = 0;
    warp_sync();
    if (g->stage == G_LABELLING)
        g_label_ply(w, rules, g, out);
    else if (g->stage == G_PLAYING)
        g_play_ply(w, rules, g);
    else if (!g_game_begin(w, rules, first, g))
        g_go_to_stage(g, G_IDLE);
    if (warp_lane() == 0)
        g_claim(out->nodes, (unsigned long long)w->nodes);
}

#endif
