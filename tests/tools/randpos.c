/* Prints random positions, one FEN a line, as random play brings them about.
 *
 *   randpos COUNT SEED standard|chess960
 *
 * Chess960 games start from two different ranks; their castling rights are written sometimes as
 * X-FEN has them and sometimes as Shredder-FEN does. Same seed, same positions. */
#include "../unit/chess/playout.h"
#include "base/random.h"
#include "base/text.h"
#include "chess/fen.h"

#include <stdio.h>

enum { MAX_COUNT = 1000000, LONGEST_GAME = 160, STARTS = 960 };

static void set_start(Position *p, Random *random, bool chess960)
{
    if (chess960)
        pos_set_chess960(p, (int)random_below(random, STARTS), (int)random_below(random, STARTS));
    else
        pos_set_start(p);
}

static void print_position(Random *random, bool chess960)
{
    Position p;
    char fen[FEN_SIZE];
    set_start(&p, random, chess960);
    /* Short games as often as long ones: castling and en passant live in the first half. */
    uint32_t plies = random_below(random, 1 + random_below(random, LONGEST_GAME));
    while (plies-- > 0 && playout_step(&p, random))
        continue;
    fen_write(&p, chess960 && random_below(random, 2) ? FEN_SHREDDER : FEN_X, fen);
    puts(fen);
}

int main(int argc, char **argv)
{
    int64_t count, seed;
    if (argc != 4 || !span_to_int64(span_of(argv[1]), 0, MAX_COUNT, &count) ||
        !span_to_int64(span_of(argv[2]), 0, INT64_MAX, &seed)) {
        fprintf(stderr, "usage: randpos COUNT SEED standard|chess960\n");
        return 2;
    }
    Random random;
    random_seed(&random, (uint64_t)seed);
    chess_init();
    while (count-- > 0)
        print_position(&random, span_is(span_of(argv[3]), "chess960"));
    return fflush(stdout) == 0 ? 0 : 1;
}
