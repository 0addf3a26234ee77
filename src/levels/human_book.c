#include "levels/human_book.h"

#include "chess/fen.h"
#include "levels/human_features_int.h"

#include <math.h>
#include <stdlib.h>

enum { NEIGHBOURS = 20 };

int human_fold(size_t game)
{
    return (int)(game / NEIGHBOURS % HUMAN_FOLDS);
}

static int compare(const void *a, const void *b)
{
    const HumanBookMove *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

static size_t add_game(const HumanGame *game, HumanBookMove *out)
{
    Position p;
    pos_set_start(&p);
    int plies = game->count < HUMAN_BOOK_PLIES ? game->count : HUMAN_BOOK_PLIES;
    for (int i = 0; i < plies; i++) {
        Undo undo;
        out[i] = (HumanBookMove){pos_polyglot_key(&p), game->moves[i], 1};
        pos_make(&p, game->moves[i], &undo);
    }
    return (size_t)plies;
}

/* Puts equal moves together. */
static size_t merge(HumanBookMove *moves, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept && compare(&moves[kept - 1], &moves[i]) == 0)
            moves[kept - 1].count++;
        else
            moves[kept++] = moves[i];
    }
    return kept;
}

/* Drops the positions that came up too seldom. */
static size_t drop_rare(HumanBookMove *moves, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0, next; i < count; i = next) {
        int games = 0;
        for (next = i; next < count && moves[next].key == moves[i].key; next++)
            games += moves[next].count;
        for (size_t k = i; k < next && games >= HUMAN_BOOK_LEAST; k++)
            moves[kept++] = moves[k];
    }
    return kept;
}

Status human_book_build(HumanBook *b, const HumanGames *g, int without_fold, Message *why)
{
    HumanBookMove *moves = calloc(g->count * HUMAN_BOOK_PLIES + 1, sizeof *moves);
    if (!moves)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the openings");
    size_t count = 0;
    for (size_t i = 0; i < g->count; i++)
        if (human_fold(i) != without_fold)
            count += add_game(&g->games[i], moves + count);
    qsort(moves, count, sizeof *moves, compare);
    *b = (HumanBook){moves, drop_rare(moves, merge(moves, count))};
    return STATUS_OK;
}

void human_book_free(HumanBook *b)
{
    free((void *)(uintptr_t)b->moves);
    *b = (HumanBook){0};
}

/* The first move of the position, or the end. */
static size_t find(const HumanBook *b, uint64_t key)
{
    size_t low = 0, high = b->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->moves[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int games_with(const HumanBook *b, size_t first, size_t end, Move m)
{
    for (size_t i = first; i < end; i++)
        if (b->moves[i].move == m)
            return b->moves[i].count;
    return 0;
}

void human_book_features(const HumanBook *b, const Position *p, const HumanValue *values, int count,
                         HumanFeatures *out)
{
    if (p->game_ply >= HUMAN_BOOK_PLIES)
        return;
    uint64_t key = pos_polyglot_key(p);
    size_t first = find(b, key), end = first;
    double games = 0;
    for (; end < b->count && b->moves[end].key == key; end++)
        games += b->moves[end].count;
    if (games < HUMAN_BOOK_LEAST)
        return;
    for (int i = 0; i < count; i++) {
        int here = games_with(b, first, end, values[i].move);
        human_add(&out[i], FACT_BOOK_SHARE, here / (games + 2));
        human_add(&out[i], FACT_BOOK_LOG, log((here + 0.5) / (games + 1)));
    }
}
