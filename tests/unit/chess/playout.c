#include "playout.h"

#include "chess/fen.h"
#include "chess/movegen.h"

enum { STARTS = 960 };

bool playout_step(Position *p, Random *random)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    if (count == 0)
        return false;
    /* Random play seldom castles: take that chance more often than the others. */
    Move chosen = moves[random_below(random, (uint32_t)count)];
    for (int i = 0; i < count; i++)
        if (move_kind(moves[i]) == MOVE_CASTLING && random_below(random, 4) == 0)
            chosen = moves[i];
    Undo undo;
    pos_make(p, chosen, &undo);
    return true;
}

void playout_each(uint64_t seed, int games, int plies, bool chess960, PlayoutVisit *visit,
                  void *user)
{
    Random random;
    random_seed(&random, seed);
    for (int game = 0; game < games; game++) {
        Position p;
        if (chess960)
            pos_set_chess960(&p, (int)random_below(&random, STARTS),
                             (int)random_below(&random, STARTS));
        else
            pos_set_start(&p);
        for (int ply = 0; ply <= plies; ply++) {
            visit(&p, user);
            if (!playout_step(&p, &random))
                break;
        }
    }
}
