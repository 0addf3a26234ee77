#include "levels/human_games.h"

#include "base/memory.h"
#include "chess/fen.h"
#include "chess/movegen.h"

#include <stdlib.h>
#include <string.h>

enum { PROGRESS_EVERY = 50 };

void human_games_free(HumanGames *g)
{
    for (size_t i = 0; i < g->count; i++)
        free(g->games[i].moves);
    for (size_t i = 0; i < g->sample_count; i++)
        free(g->samples[i].values);
    free(g->games);
    free(g->samples);
    *g = (HumanGames){0};
}

static Status no_memory(Message *why)
{
    return status_fail(why, STATUS_MEMORY, "not enough memory for the games");
}

Status human_games_add(HumanGames *g, const HumanGame *game, Message *why)
{
    bool fits = memory_grow(&g->games, sizeof *g->games, g->count, &g->room);
    Move *moves = fits ? malloc(((size_t)game->count + 1) * sizeof *moves) : NULL;
    if (!moves)
        return no_memory(why);
    memcpy(moves, game->moves, (size_t)game->count * sizeof *moves);
    g->games[g->count] = *game;
    g->games[g->count++].moves = moves;
    return STATUS_OK;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Whether a position belongs to a share, which depends on its number alone. */
static bool is_taken(size_t game, int ply, int share)
{
    return (int)(mix(game * 1000 + (uint64_t)ply + 1) % 100) < share;
}

bool human_walk_to(HumanWalk *w, const HumanGames *g, size_t game, int ply)
{
    if (game >= g->count || ply >= g->games[game].count)
        return false;
    if (!w->started || game != w->game) {
        pos_set_start(&w->p);
        w->game = game;
        w->ply = 0;
        w->started = true;
    }
    for (; w->ply < ply; w->ply++) {
        Undo undo;
        pos_make(&w->p, g->games[game].moves[w->ply], &undo);
    }
    return w->ply == ply;
}

/* -- Searching -- */

static int compare_samples(const void *a, const void *b)
{
    const HumanSample *x = a, *y = b;
    if (x->game != y->game)
        return x->game < y->game ? -1 : 1;
    return (x->ply > y->ply) - (x->ply < y->ply);
}

typedef struct Searching {
    HumanGames *games;
    HumanSearch *search;
    int share;
    size_t known; /* samples that were there before, sorted */
    size_t done, all;
    HumanProgress *progress;
    void *user;
} Searching;

/* Whether the position belongs to the share and has no sample yet. */
static bool is_wanted(const Searching *s, size_t game, int ply)
{
    HumanSample key = {.game = (uint32_t)game, .ply = (uint16_t)ply};
    return is_taken(game, ply, s->share) &&
           !(s->known &&
             bsearch(&key, s->games->samples, s->known, sizeof key, compare_samples) != NULL);
}

static Status add_sample(Searching *s, size_t game, int ply, const Position *p, Message *why)
{
    static const atomic_bool never;
    HumanGames *g = s->games;
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    if (count < 2)
        return STATUS_OK;
    bool fits = memory_grow(&g->samples, sizeof *g->samples, g->sample_count, &g->sample_room);
    HumanValue *values = fits ? malloc((size_t)count * sizeof *values) : NULL;
    if (!values)
        return no_memory(why);
    human_search_values(s->search, p, moves, count, HUMAN_PLIES, &never, values);
    g->samples[g->sample_count++] =
        (HumanSample){(uint32_t)game, (uint16_t)ply, (uint16_t)count, values};
    return STATUS_OK;
}

static Status search_one(Searching *s, size_t game, int ply, const Position *p, Message *why)
{
    Status status = add_sample(s, game, ply, p, why);
    if (status == STATUS_OK && ++s->done % PROGRESS_EVERY == 0 && s->progress &&
        !s->progress(s->user, s->done, s->all))
        return status_fail(why, STATUS_STOPPED,
                           "interrupted; run the same command again to resume");
    return status;
}

Status human_games_search(HumanGames *g, int share, HumanProgress *progress, void *user,
                          Message *why)
{
    Searching s = {
        .games = g, .share = share, .known = g->sample_count, .progress = progress, .user = user};
    Status status = human_search_open(&s.search, why);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < g->count; i++)
        for (int ply = 0; ply < g->games[i].count; ply++)
            s.all += is_wanted(&s, i, ply);
    HumanWalk walk = {.started = false};
    for (size_t i = 0; i < g->count; i++)
        for (int ply = 0; ply < g->games[i].count && status == STATUS_OK; ply++)
            if (is_wanted(&s, i, ply) && human_walk_to(&walk, g, i, ply))
                status = search_one(&s, i, ply, &walk.p, why);
    human_search_close(s.search);
    if (g->sample_count)
        qsort(g->samples, g->sample_count, sizeof *g->samples, compare_samples);
    return status;
}
