#include "classics/chessbin/chessbin_table.h"

void chessbin_table_end_search(ChessBinTable *t)
{
    for (int i = 0; i < CHESSBIN_TABLE_SIZE; i++)
        t->at[i].ancient = true;
}

static bool decides(const ChessBinEntry *e, int alpha, int beta)
{
    if (e->node == CHESSBIN_ALPHA)
        return e->score <= alpha;
    if (e->node == CHESSBIN_BETA)
        return e->score >= beta;
    return e->node == CHESSBIN_EXACT;
}

bool chessbin_table_find(ChessBinTable *t, Key hash, int depth, int alpha, int beta, int *score)
{
    ChessBinEntry *e = &t->at[hash % CHESSBIN_TABLE_SIZE];
    /* A mate's score counts the depth that is left, so a deeper entry would
     * give another distance. */
    if (e->node == CHESSBIN_EMPTY || e->hash != hash || e->depth != depth)
        return false;
    if (!decides(e, alpha, beta))
        return false;
    e->ancient = false;
    *score = e->score;
    return true;
}

void chessbin_table_store(ChessBinTable *t, Key hash, int depth, int score, ChessBinNode node)
{
    ChessBinEntry *e = &t->at[hash % CHESSBIN_TABLE_SIZE];
    if (e->node != CHESSBIN_EMPTY && !e->ancient)
        return;
    *e = (ChessBinEntry){.hash = hash, .score = score, .node = (uint8_t)node, .ancient = true};
    e->depth = (uint8_t)depth;
}

const ChessBinEntry *chessbin_table_place(const ChessBinTable *t, Key hash)
{
    return &t->at[hash % CHESSBIN_TABLE_SIZE];
}
