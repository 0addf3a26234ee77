#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "base/random.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "playout.h"

#include <stdlib.h>
#include <string.h>

#define CASTLING_BOARD "r3k2r/8/8/8/8/8/8/R3K2R"

static Position parsed(const char *fen, bool chess960)
{
    Position p;
    Message why = {""};
    if (fen_parse(&p, span_of(fen), chess960, &why) != STATUS_OK)
        fail_msg("refused: %s: %s", fen, why.text);
    return p;
}

static Move read_in(const char *fen, bool chess960, const char *text)
{
    Position p = parsed(fen, chess960);
    return uci_move_read(&p, span_of(text));
}

static void assert_writes(const char *fen, bool chess960, Move m, const char *want)
{
    Position p = parsed(fen, chess960);
    char out[UCI_MOVE_SIZE];
    assert_true(pos_is_legal(&p, m));
    uci_move_write(&p, m, out);
    assert_string_equal(out, want);
}

static void test_square_names(void **state)
{
    (void)state;
    char name[3];
    square_name(SQ_A1, name);
    assert_string_equal(name, "a1");
    square_name(SQ_H8, name);
    assert_string_equal(name, "h8");
    square_name(square_make(3, 4), name);
    assert_string_equal(name, "d5");
    square_name(SQ_NONE, name);
    assert_string_equal(name, "-");
}

static void test_ordinary_moves(void **state)
{
    (void)state;
    assert_int_equal(read_in(FEN_START, false, "e2e4"),
                     move_make(square_make(4, 1), square_make(4, 3), MOVE_NORMAL));
    assert_int_equal(read_in(FEN_START, false, "g1f3"),
                     move_make(SQ_G1, square_make(5, 2), MOVE_NORMAL));
    assert_int_equal(read_in(FEN_START, false, "e2e5"), MOVE_NONE);
    assert_int_equal(read_in(FEN_START, false, "e7e5"), MOVE_NONE); /* not this side's turn */
    assert_int_equal(read_in(FEN_START, false, "e4e5"), MOVE_NONE);
    assert_int_equal(read_in(FEN_START, false, "a1a1"), MOVE_NONE);
    assert_int_equal(read_in(FEN_START, false, "e2e4q"), MOVE_NONE);
}

static void test_promotions(void **state)
{
    (void)state;
    static const char FEN[] = "3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1";
    Square from = square_make(4, 6), to = SQ_E8;
    assert_int_equal(read_in(FEN, false, "e7e8q"), move_make_promotion(from, to, QUEEN));
    assert_int_equal(read_in(FEN, false, "e7e8n"), move_make_promotion(from, to, KNIGHT));
    assert_int_equal(read_in(FEN, false, "e7e8R"), move_make_promotion(from, to, ROOK));
    assert_int_equal(read_in(FEN, false, "e7d8b"),
                     move_make_promotion(from, square_make(3, 7), BISHOP));
    assert_int_equal(read_in(FEN, false, "e7e8"), MOVE_NONE);
    assert_int_equal(read_in(FEN, false, "e7e8k"), MOVE_NONE);
    assert_int_equal(read_in(FEN, false, "e7e8p"), MOVE_NONE);
    assert_int_equal(read_in(FEN, false, "e7e8 "), MOVE_NONE);
    assert_writes(FEN, false, move_make_promotion(from, to, KNIGHT), "e7e8n");
    assert_writes(FEN, false, move_make_promotion(from, square_make(3, 7), QUEEN), "e7d8q");
}

static void test_en_passant(void **state)
{
    (void)state;
    static const char FEN[] = "4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1";
    Move taking = move_make(square_make(5, 4), square_make(4, 5), MOVE_EN_PASSANT);
    assert_int_equal(read_in(FEN, false, "f5e6"), taking);
    assert_writes(FEN, false, taking, "f5e6");
    assert_int_equal(read_in("4k3/8/8/4pP2/8/8/8/4K3 w - - 0 1", false, "f5e6"), MOVE_NONE);
}

static void test_castling_in_both_styles(void **state)
{
    (void)state;
    static const char FEN[] = CASTLING_BOARD " w KQkq - 0 1";
    Move short_way = move_make(SQ_E1, SQ_H1, MOVE_CASTLING);
    Move long_way = move_make(SQ_E1, SQ_A1, MOVE_CASTLING);
    for (int chess960 = 0; chess960 <= 1; chess960++) {
        assert_int_equal(read_in(FEN, chess960, "e1g1"), short_way);
        assert_int_equal(read_in(FEN, chess960, "e1h1"), short_way);
        assert_int_equal(read_in(FEN, chess960, "e1c1"), long_way);
        assert_int_equal(read_in(FEN, chess960, "e1a1"), long_way);
        assert_int_equal(read_in(CASTLING_BOARD " b q - 0 1", chess960, "e8c8"),
                         move_make(SQ_E8, SQ_A8, MOVE_CASTLING));
        assert_int_equal(read_in(CASTLING_BOARD " b q - 0 1", chess960, "e8g8"), MOVE_NONE);
        assert_int_equal(read_in(CASTLING_BOARD " w - - 0 1", chess960, "e1g1"), MOVE_NONE);
        assert_int_equal(read_in(FEN, chess960, "e1b1"), MOVE_NONE);
    }
    assert_writes(FEN, false, short_way, "e1g1");
    assert_writes(FEN, false, long_way, "e1c1");
    assert_writes(FEN, true, short_way, "e1h1");
    assert_writes(FEN, true, long_way, "e1a1");
}

static void test_chess960_steps_stay_steps(void **state)
{
    (void)state;
    /* The king is beside its castling square: only taking the rook castles. */
    static const char BESIDE[] = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
    assert_int_equal(read_in(BESIDE, true, "f1g1"), move_make(SQ_F1, SQ_G1, MOVE_NORMAL));
    assert_int_equal(read_in(BESIDE, true, "f1h1"), move_make(SQ_F1, SQ_H1, MOVE_CASTLING));
    /* The rook stands on the king's target. */
    assert_int_equal(read_in("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", true, "f1g1"),
                     move_make(SQ_F1, SQ_G1, MOVE_CASTLING));
    /* The king is on its target already. */
    assert_int_equal(read_in("4k3/8/8/8/8/8/8/6KR w K - 0 1", true, "g1h1"),
                     move_make(SQ_G1, SQ_H1, MOVE_CASTLING));
    assert_int_equal(read_in("4k3/8/8/8/8/8/8/6KR w K - 0 1", true, "g1g1"), MOVE_NONE);
    /* From far away either style says it. */
    assert_int_equal(read_in("4k3/8/8/8/8/8/8/RK6 w Q - 0 1", true, "b1a1"),
                     move_make(SQ_B1, SQ_A1, MOVE_CASTLING));
    assert_int_equal(read_in("4k3/8/8/8/8/8/8/1K5R w K - 0 1", true, "b1g1"),
                     move_make(SQ_B1, SQ_H1, MOVE_CASTLING));
    assert_int_equal(read_in("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", true, "b1c1"),
                     move_make(SQ_B1, SQ_C1, MOVE_NORMAL));
    /* A rook that stands there without a right is just in the way. */
    assert_int_equal(read_in("4k3/8/8/8/8/8/8/4K1RR w H - 0 1", true, "e1g1"), MOVE_NONE);
}

static void test_no_move_at_all(void **state)
{
    (void)state;
    char out[UCI_MOVE_SIZE];
    Position p = parsed(FEN_START, false);
    uci_move_write(&p, MOVE_NULL, out);
    assert_string_equal(out, "0000");
    uci_move_write(&p, MOVE_NONE, out);
    assert_string_equal(out, "0000");
    static const char *const TEXTS[] = {"",     "e",     "e2",   "e2e",  "0000",  "e2e4e5",
                                        "E2E4", "e2-e4", "e2e9", "i2i4", " e2e4", "(none)"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        assert_int_equal(uci_move_read(&p, span_of(TEXTS[i])), MOVE_NONE);
    assert_int_equal(uci_move_read(&p, (Span){NULL, 0}), MOVE_NONE);
    assert_int_equal(uci_move_read(&p, (Span){"e2\0e4", 5}), MOVE_NONE);
}

static void round_trip(const Position *p, void *user)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    for (int i = 0; i < count; i++) {
        char out[UCI_MOVE_SIZE];
        uci_move_write(p, moves[i], out);
        if (uci_move_read(p, span_of(out)) != moves[i])
            fail_msg("%s is not read back", out);
        if (move_kind(moves[i]) == MOVE_CASTLING)
            ++*(int *)user;
    }
}

static void test_round_trips_of_play(void **state)
{
    (void)state;
    int castlings = 0;
    playout_each(21, 100, 200, false, round_trip, &castlings);
    playout_each(22, 100, 200, true, round_trip, &castlings);
    assert_true(castlings > 100);
}

/* Whatever is read is legal: every pair of squares, every ending. */
static void read_everything(const Position *p, void *user)
{
    Random *random = user;
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves), found = 0;
    for (int pair = 0; pair < SQUARE_COUNT * SQUARE_COUNT; pair++) {
        char text[UCI_MOVE_SIZE];
        square_name((Square)(pair & 63), text);
        square_name((Square)(pair >> 6), text + 2);
        text[4] = "nbrqx"[random_below(random, 5)];
        for (size_t len = 4; len <= 5; len++) {
            Move m = uci_move_read(p, (Span){text, len});
            if (m == MOVE_NONE)
                continue;
            found++;
            int i = 0;
            while (i < count && moves[i] != m)
                i++;
            assert_true(i < count);
        }
    }
    assert_true(found > 0 || count == 0);
}

static void test_only_legal_moves_come_out(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 3);
    playout_each(23, 3, 60, true, read_everything, &random);
}

static void test_random_bytes(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 4);
    Position p =
        parsed("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false);
    for (int i = 0; i < 200000; i++) {
        char bytes[8];
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (char)random_next(&random);
        Move m = uci_move_read(&p, (Span){bytes, random_below(&random, sizeof bytes + 1)});
        assert_true(m == MOVE_NONE || pos_is_legal(&p, m));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_square_names),
        cmocka_unit_test(test_ordinary_moves),
        cmocka_unit_test(test_promotions),
        cmocka_unit_test(test_en_passant),
        cmocka_unit_test(test_castling_in_both_styles),
        cmocka_unit_test(test_chess960_steps_stay_steps),
        cmocka_unit_test(test_no_move_at_all),
        cmocka_unit_test(test_round_trips_of_play),
        cmocka_unit_test(test_only_legal_moves_come_out),
        cmocka_unit_test(test_random_bytes),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
