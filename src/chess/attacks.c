#include "chess/attacks.h"

#include "chess/magics.h"
#include "chess/position_int.h"
#include "chess/zobrist.h"

#include <pthread.h>

AttackTables attack_tables;

/* Table sizes: the sums of 2^(relevant squares) over the board. */
enum { BISHOP_ENTRIES = 5248, ROOK_ENTRIES = 102400 };
static Bitboard bishop_entries[BISHOP_ENTRIES], rook_entries[ROOK_ENTRIES];

typedef struct Direction {
    int file, rank;
} Direction;

static const Direction bishop_ways[4] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const Direction rook_ways[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
static const Direction knight_ways[8] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                         {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static bool on_board(int file, int rank)
{
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

static Bitboard walk(Square from, const Direction ways[4], Bitboard occupied)
{
    Bitboard seen = 0;
    for (int i = 0; i < 4; i++) {
        int file = square_file(from) + ways[i].file, rank = square_rank(from) + ways[i].rank;
        for (; on_board(file, rank); file += ways[i].file, rank += ways[i].rank) {
            seen |= bb_of(square_make(file, rank));
            if (occupied & bb_of(square_make(file, rank)))
                break;
        }
    }
    return seen;
}

/* Relevant squares: an edge square at the end of a ray blocks nothing. */
static Bitboard relevant_squares(Square s, const Direction ways[4])
{
    Bitboard edges = ((bb_rank(0) | bb_rank(7)) & ~bb_rank(square_rank(s))) |
                     ((FILE_A_BB | FILE_H_BB) & ~bb_file(square_file(s)));
    return walk(s, ways, 0) & ~edges;
}

static size_t slider_index(const Slider *s, Bitboard occupied)
{
#if CHESS_PEXT
    return _pext_u64(occupied, s->mask);
#else
    return (occupied * s->magic) >> s->shift;
#endif
}

static void init_sliders(Slider sliders[SQUARE_COUNT], const Direction ways[4],
                         const Bitboard magics[SQUARE_COUNT], Bitboard *entries)
{
    for (int s = 0; s < SQUARE_COUNT; s++) {
        Bitboard mask = relevant_squares((Square)s, ways);
        sliders[s] = (Slider){entries, mask, magics[s], (unsigned)(64 - bb_count(mask))};
        Bitboard occupied = 0;
        do { /* every subset of the mask */
            entries[slider_index(&sliders[s], occupied)] = walk((Square)s, ways, occupied);
            occupied = (occupied - mask) & mask;
        } while (occupied);
        entries += 1u << bb_count(mask);
    }
}

static void init_steps(void)
{
    for (int s = 0; s < SQUARE_COUNT; s++) {
        Bitboard b = bb_of((Square)s);
        attack_tables.pawn[WHITE][s] = bb_pawn_attacks(WHITE, b);
        attack_tables.pawn[BLACK][s] = bb_pawn_attacks(BLACK, b);
        attack_tables.king[s] = bb_grow(b) ^ b;
        for (int i = 0; i < 8; i++) {
            int file = square_file((Square)s) + knight_ways[i].file;
            int rank = square_rank((Square)s) + knight_ways[i].rank;
            if (on_board(file, rank))
                attack_tables.knight[s] |= bb_of(square_make(file, rank));
        }
    }
}

static void init_lines(Bitboard (*attacks)(Square, Bitboard))
{
    for (int a = 0; a < SQUARE_COUNT; a++) {
        for (int b = 0; b < SQUARE_COUNT; b++) {
            Square from = (Square)a, to = (Square)b;
            if (a == b || !(attacks(from, 0) & bb_of(to)))
                continue;
            attack_tables.line[a][b] =
                (attacks(from, 0) & attacks(to, 0)) | bb_of(from) | bb_of(to);
            attack_tables.between[a][b] = attacks(from, bb_of(to)) & attacks(to, bb_of(from));
        }
    }
}

static void init_all(void)
{
    init_steps();
    init_sliders(attack_tables.bishop, bishop_ways, bishop_magics, bishop_entries);
    init_sliders(attack_tables.rook, rook_ways, rook_magics, rook_entries);
    init_lines(attacks_bishop);
    init_lines(attacks_rook);
    zobrist_init();
    draw_init();
}

void chess_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_all);
}
