#include "chess/zobrist.h"

#include "base/random.h"

Zobrist zobrist;

void zobrist_init(void)
{
    Random r;
    random_seed(&r, 960);
    for (int p = 0; p < PIECE_COUNT; p++)
        for (int s = 0; s < SQUARE_COUNT; s++)
            zobrist.piece[p][s] = random_next(&r);
    for (int c = 1; c <= CASTLING_ALL; c++)
        zobrist.castling[c] = random_next(&r);
    for (int f = 0; f < 8; f++)
        zobrist.ep_file[f] = random_next(&r);
    zobrist.side = random_next(&r);
}
