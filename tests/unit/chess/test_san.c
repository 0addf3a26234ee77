#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "base/random.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/setup.h"
#include "chess/uci_move.h"
#include "playout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

/* The move `uci` is written as `want`, and read from it. */
static void assert_san(const char *fen, const char *uci, const char *want)
{
    Position p = position_of(fen);
    Move m = uci_move_read(&p, span_of(uci)), back = MOVE_NONE;
    char out[SAN_SIZE];
    if (m == MOVE_NONE)
        fail_msg("%s is not legal in %s", uci, fen);
    san_write(&p, m, out);
    assert_string_equal(out, want);
    assert_int_equal(san_read(&p, span_of(want), &back, NULL), STATUS_OK);
    assert_int_equal(back, m);
}

static void assert_reads(const char *fen, const char *text, const char *uci)
{
    Position p = position_of(fen);
    Move want = uci_move_read(&p, span_of(uci)), m = MOVE_NONE;
    Message why = {""};
    if (want == MOVE_NONE)
        fail_msg("%s is not legal in %s", uci, fen);
    if (san_read(&p, span_of(text), &m, &why) != STATUS_OK)
        fail_msg("%s: %s", fen, why.text);
    if (m != want) {
        char got[UCI_MOVE_SIZE];
        uci_move_write(&p, m, got);
        fail_msg("%s in %s is read as %s, not %s", text, fen, got, uci);
    }
}

static void assert_refused(const char *fen, const char *text, const char *want)
{
    Position p = position_of(fen);
    Move m = MOVE_NONE;
    Message why = {""};
    if (san_read(&p, span_of(text), &m, &why) != STATUS_INVALID) {
        char got[UCI_MOVE_SIZE];
        uci_move_write(&p, m, got);
        fail_msg("%s in %s is read as %s", text, fen, got);
    }
    assert_string_equal(why.text, want);
}

/* -- Exact -- */

static void test_plain_moves(void **state)
{
    (void)state;
    assert_san(FEN_START, "e2e4", "e4");
    assert_san(FEN_START, "g1f3", "Nf3");
    assert_san(KIWIPETE, "e5g6", "Nxg6");
    assert_san(KIWIPETE, "d5e6", "dxe6");
    assert_san(KIWIPETE, "f3h3", "Qxh3");
    assert_san(KIWIPETE, "e1f1", "Kf1");
    assert_san(KIWIPETE, "g2h3", "gxh3");
    assert_san(KIWIPETE, "e1g1", "O-O");
    assert_san(KIWIPETE, "e1c1", "O-O-O");
    assert_san("4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1", "f5e6", "fxe6");
}

static void test_promotions(void **state)
{
    (void)state;
    static const char FEN[] = "3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1";
    assert_san(FEN, "e7e8q", "e8=Q");
    assert_san(FEN, "e7e8n", "e8=N");
    assert_san(FEN, "e7d8b", "exd8=B");
    assert_san("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8r", "e8=R+");
    assert_san("7k/R3P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q#");
}

static void test_checks_and_mates(void **state)
{
    (void)state;
    assert_san("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8+");
    assert_san("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#");
    assert_san("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+");
    assert_san("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "e4d2", "Nd2+"); /* discovered */
    assert_san("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#");
    assert_san("8/8/8/8/8/5k2/7q/5K2 b - - 0 1", "h2f2", "Qf2#");
    assert_san("7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "f7g6", "Qg6"); /* stalemate */
    /* The pawn that gives check can be taken en passant: no mate. */
    assert_san("8/8/R7/3k4/3p4/1P1N1P2/2P5/K7 w - - 0 1", "c2c4", "c4+");
    assert_san("8/8/R7/3k4/3b4/1PPN1P2/8/7K w - - 0 1", "c3c4", "c4#");
}

static void test_least_disambiguation(void **state)
{
    (void)state;
    static const char ROOKS[] = "7k/8/8/R7/8/8/8/R4K2 w - - 0 1";
    assert_san(ROOKS, "a1a3", "R1a3");
    assert_san(ROOKS, "a5a3", "R5a3");
    assert_san("1k6/8/8/8/8/8/8/R4RK1 w - - 0 1", "a1d1", "Rad1");
    assert_san("7k/8/8/8/1N6/8/1N3N2/K7 w - - 0 1", "b4d3", "N4d3");
    assert_san("7k/8/8/8/1N6/8/1N3N2/K7 w - - 0 1", "f2d3", "Nfd3");
    assert_san("7k/8/8/8/1N6/8/1N3N2/K7 w - - 0 1", "b2d3", "Nb2d3");
    assert_san("8/8/1k6/8/7Q/8/8/K3Q2Q w - - 0 1", "h4g3", "Qhg3");
    assert_san("8/2k5/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1");
    assert_san("8/2k5/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h1e1", "Q1e1");
    assert_san("8/2k5/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", "Qee1");
}

static void test_pinned_men_do_not_count(void **state)
{
    (void)state;
    static const char PINNED[] = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1";
    assert_san(PINNED, "g1e2", "Ne2");
    assert_refused(PINNED, "Nce2", "\"Nce2\" is not legal here");
    /* In check, only the knight that can interpose counts. */
    static const char CHECKED[] = "4k3/4r3/8/8/8/2N3N1/8/4K3 w - - 0 1";
    assert_san(CHECKED, "c3e2", "Nce2");
    assert_san("4k3/4r3/8/8/7b/2N3N1/8/4K3 w - - 0 1", "c3e2", "Ne2");
    /* A pinned rook may still move along its line. */
    assert_san("4k3/8/8/8/8/4r3/4R3/R3K3 w Q - 0 1", "e2e3", "Rxe3+");
}

static void test_castling_in_chess960(void **state)
{
    (void)state;
    assert_san("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", "O-O");
    assert_san("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "b1a1", "O-O-O");
    assert_san("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "b1h1", "O-O");
    assert_san("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1g1", "Kg1");
    assert_san("5k2/8/8/8/8/8/8/1R3K1R w KQ - 0 1", "f1h1", "O-O+");
}

static void test_null_moves(void **state)
{
    (void)state;
    Position p = position_of(FEN_START);
    char out[SAN_SIZE];
    san_write(&p, MOVE_NULL, out);
    assert_string_equal(out, "--");
    static const char *const TEXTS[] = {"--", "Z0", "null", "@@@@", "0000"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        Move m = MOVE_NONE;
        assert_int_equal(san_read(&p, span_of(TEXTS[i]), &m, NULL), STATUS_OK);
        assert_int_equal(m, MOVE_NULL);
    }
    assert_refused("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", "--",
                   "\"--\" is not legal here: the king is in check");
}

/* -- Lenient -- */

static void test_signs_missing_or_too_many(void **state)
{
    (void)state;
    assert_reads(KIWIPETE, "Ng6", "e5g6");
    assert_reads(KIWIPETE, "de6", "d5e6");
    assert_reads(KIWIPETE, "Nxd3", "e5d3");
    assert_reads(KIWIPETE, "N:g6", "e5g6");
    assert_reads(KIWIPETE, "Nxg6+", "e5g6");
    assert_reads(KIWIPETE, "Nxg6#", "e5g6");
    assert_reads(KIWIPETE, "Nxg6++", "e5g6");
    assert_reads(KIWIPETE, "Nxg6!?", "e5g6");
    assert_reads(KIWIPETE, "Nxg6+!!", "e5g6");
    assert_reads(KIWIPETE, " Nxg6 ?? ", "e5g6");
    assert_reads("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8", "a1a8");
    assert_reads("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8+", "a1a8");
}

static void test_disambiguation_too_much(void **state)
{
    (void)state;
    assert_reads(FEN_START, "Ngf3", "g1f3");
    assert_reads(FEN_START, "N1f3", "g1f3");
    assert_reads(FEN_START, "Ng1f3", "g1f3");
    assert_reads(FEN_START, "Ng1-f3", "g1f3");
    assert_reads(FEN_START, "N-f3", "g1f3");
    assert_reads(KIWIPETE, "Ne5xg6", "e5g6");
    assert_reads(KIWIPETE, "Ke1f1", "e1f1");
}

static void test_long_forms_and_uci(void **state)
{
    (void)state;
    assert_reads(FEN_START, "e2-e4", "e2e4");
    assert_reads(FEN_START, "e2e4", "e2e4");
    assert_reads(FEN_START, "Pe4", "e2e4");
    assert_reads(FEN_START, "Pe2-e4", "e2e4");
    assert_reads(FEN_START, "b1c3", "b1c3");
    assert_reads(FEN_START, "g1f3", "g1f3");
    assert_reads(KIWIPETE, "d5xe6", "d5e6");
    assert_reads(KIWIPETE, "e5xg6", "e5g6");
    assert_reads(KIWIPETE, "e1g1", "e1g1");
    assert_reads(KIWIPETE, "e1h1", "e1g1");
    assert_reads(KIWIPETE, "Ke1-g1", "e1g1");
    assert_reads(KIWIPETE, "Ke1c1", "e1c1");
    assert_reads("3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e7e8q");
    assert_reads("3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7xd8=N", "e7d8n");
    assert_reads("3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7-e8=R+", "e7e8r");
}

static void test_castling_texts(void **state)
{
    (void)state;
    static const char *const SHORT[] = {"O-O", "0-0", "o-o", "OO", "00", "O-O+", "0-0!"};
    static const char *const LONG[] = {"O-O-O", "0-0-0",  "o-o-o",  "OOO",
                                       "000",   "O-O-O#", "0-0-0?!"};
    for (size_t i = 0; i < 7; i++) {
        assert_reads(KIWIPETE, SHORT[i], "e1g1");
        assert_reads(KIWIPETE, LONG[i], "e1c1");
    }
    static const char *const NONE[] = {"O",    "0",    "O-",      "O-O-", "-O-O", "OO-O",
                                       "O-OO", "O--O", "O-O-O-O", "0-1",  "1-0",  "O-0-x"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) {
        char want[64];
        snprintf(want, sizeof want, "\"%s\" is not a move", NONE[i]);
        assert_refused(KIWIPETE, NONE[i], want);
    }
    assert_refused(FEN_START, "O-O", "\"O-O\" is not legal here");
    assert_refused("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O", "\"O-O\" is not legal here");
    assert_refused("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "O-O", "\"O-O\" is not legal here");
}

static void test_promotion_texts(void **state)
{
    (void)state;
    static const char FEN[] = "3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1";
    static const char *const QUEENS[] = {"e8=Q", "e8Q", "e8q", "e8=q", "e8(Q)", "e8/Q", "e8=Q+!"};
    for (size_t i = 0; i < sizeof QUEENS / sizeof *QUEENS; i++)
        assert_reads(FEN, QUEENS[i], "e7e8q");
    assert_reads(FEN, "ed8B", "e7d8b");
    assert_reads(FEN, "exd8=N", "e7d8n");
    assert_refused(FEN, "e8", "\"e8\" is ambiguous: the promotion piece is missing");
    assert_refused(FEN, "e8=", "\"e8=\" is ambiguous: the promotion piece is missing");
    assert_refused(FEN, "e7e8", "\"e7e8\" is ambiguous: the promotion piece is missing");
    assert_refused(FEN, "e8=K", "\"e8=K\" is not a move");
    assert_refused(FEN, "e8=P", "\"e8=P\" is not a move");
    assert_refused(FEN, "e8(Q", "\"e8(Q\" is not a move");
    assert_refused(FEN, "e8Q)", "\"e8Q)\" is not a move");
    assert_refused(FEN_START, "e4=Q", "\"e4=Q\" is not legal here");
    assert_refused(FEN_START, "Nf3=Q", "\"Nf3=Q\" is not legal here");
}

static void test_en_passant_texts(void **state)
{
    (void)state;
    static const char FEN[] = "4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1";
    static const char *const TEXTS[] = {"fxe6", "fe6",      "fxe6e.p.",   "fxe6 e.p.", "fxe6ep",
                                        "f5e6", "fxe6 ep!", "fxe6+ e.p.", "xe6",       "f5xe6"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        assert_reads(FEN, TEXTS[i], "f5e6");
    assert_refused(FEN, "e6", "\"e6\" is not legal here");
    assert_refused(FEN, "exf6", "\"exf6\" is not legal here");
}

static void test_small_letters(void **state)
{
    (void)state;
    static const char FEN[] = "4k3/8/8/8/2n5/1P6/2B5/RN1QK3 w - - 0 1";
    assert_reads(FEN, "nd2", "b1d2");
    assert_reads(FEN, "qd8", "d1d8");
    assert_reads(FEN, "ra2", "a1a2");
    assert_reads(FEN, "kf2", "e1f2");
    assert_reads(FEN, "bd3", "c2d3");
    assert_reads(FEN, "be4", "c2e4");
    assert_reads(FEN, "bxc4", "b3c4"); /* the pawn comes first */
    /* Where the pawn cannot and the bishop can, the bishop is meant. */
    assert_reads("4k3/8/8/8/8/2n5/3B4/4K3 w - - 0 1", "bxc3", "d2c3");
    assert_reads("4k3/8/8/8/8/B7/1P6/4K3 w - - 0 1", "bb4", "a3b4");
    assert_reads("4k3/8/8/8/8/B7/1P6/4K3 w - - 0 1", "b4", "b2b4");
}

/* -- Refusals -- */

static void test_messages(void **state)
{
    (void)state;
    assert_refused(FEN_START, "", "\"\" is not a move");
    assert_refused(FEN_START, "hello", "\"hello\" is not a move");
    assert_refused(FEN_START, "Nf9", "\"Nf9\" is not a move");
    assert_refused(FEN_START, "Ni3", "\"Ni3\" is not a move");
    assert_refused(FEN_START, "-e4", "\"-e4\" is not a move");
    assert_refused(FEN_START, "2e4", "\"2e4\" is not a move");
    assert_refused(FEN_START, "ee4", "\"ee4\" is not a move");
    assert_refused(FEN_START, "Nxxf3", "\"Nxxf3\" is not a move");
    assert_refused(FEN_START, "e5", "\"e5\" is not legal here");
    assert_refused(FEN_START, "Nd4", "\"Nd4\" is not legal here");
    assert_refused(FEN_START, "exd3", "\"exd3\" is not legal here");
    assert_refused(KIWIPETE, "c3", "\"c3\" is not legal here"); /* its own knight is there */
    assert_refused(KIWIPETE, "c4", "\"c4\" is not legal here");
    assert_refused(FEN_START, "Ke2", "\"Ke2\" is not legal here");
    assert_refused("7k/8/8/R7/8/8/8/R4K2 w - - 0 1", "Ra3",
                   "\"Ra3\" is ambiguous: the pieces on a1 and a5 can both move there");
    assert_refused("7k/8/8/8/1N6/8/1N3N2/K7 w - - 0 1", "Nbd3",
                   "\"Nbd3\" is ambiguous: the pieces on b2 and b4 can both move there");
    assert_refused("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "xd5",
                   "\"xd5\" is ambiguous: the pieces on c4 and e4 can both move there");
    /* A pawn's capture without its file hides too many mistakes. */
    assert_refused("4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1", "d5", "\"d5\" is not legal here");
    assert_refused("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Rb7", "\"Rb7\" is not legal here");
}

/* -- Every legal move of many positions -- */

/* No other legal move has the same text, and the text comes back as the move. */
static void round_trip(const Position *p, void *user)
{
    Move moves[MAX_MOVES];
    static char texts[MAX_MOVES][SAN_SIZE];
    int count = movegen(p, GEN_ALL, moves);
    for (int i = 0; i < count; i++) {
        Move back = MOVE_NONE;
        Message why = {""};
        san_write(p, moves[i], texts[i]);
        if (san_read(p, span_of(texts[i]), &back, &why) != STATUS_OK || back != moves[i])
            fail_msg("%s: %s", texts[i], why.text);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(texts[i], texts[k]);
    }
    *(int *)user += count;
}

static void test_round_trips_of_play(void **state)
{
    (void)state;
    int moves = 0;
    playout_each(31, 100, 200, false, round_trip, &moves);
    playout_each(32, 100, 200, true, round_trip, &moves);
    assert_true(moves > 300000);
}

/* Boards full of queens, rooks and knights of one side: where disambiguation is hard. */
static void test_round_trips_of_crowds(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 33);
    int moves = 0, boards = 0;
    while (boards < 1000) {
        Setup s;
        Position p;
        setup_clear(&s);
        for (int i = 0; i < 9; i++)
            s.board[random_below(&random, 64)] =
                piece_make(WHITE, (PieceType)(KNIGHT + random_below(&random, 4)));
        for (int i = 0; i < 4; i++)
            s.board[random_below(&random, 64)] =
                piece_make(BLACK, (PieceType)(KNIGHT + random_below(&random, 4)));
        s.board[random_below(&random, 64)] = piece_make(WHITE, KING);
        s.board[random_below(&random, 64)] = piece_make(BLACK, KING);
        s.side = (Color)random_below(&random, 2);
        if (pos_set(&p, &s, NULL) != STATUS_OK)
            continue;
        round_trip(&p, &moves);
        boards++;
    }
    assert_true(moves > 10000);
}

/* -- Hostile input -- */

static void assert_harmless(const Position *p, const char *bytes, size_t len)
{
    Move m = MOVE_NONE;
    Message why = {""};
    if (san_read(p, (Span){bytes, len}, &m, &why) == STATUS_OK) {
        assert_true(m == MOVE_NULL || pos_is_legal(p, m));
        return;
    }
    assert_true(why.text[0] == '"');
    for (const char *c = why.text; *c; c++)
        assert_true(*c >= ' ' && *c <= '~');
}

static void test_random_texts(void **state)
{
    (void)state;
    static const char LETTERS[] = "abcdefgh12345678NBRQKPnrqkpxO0-=+#!?()/:. e.p.\0\n\xff";
    Random random;
    random_seed(&random, 34);
    Position p = position_of(KIWIPETE);
    for (int i = 0; i < 300000; i++) {
        char bytes[12];
        size_t len = random_below(&random, sizeof bytes + 1);
        for (size_t k = 0; k < len; k++)
            bytes[k] = i % 4 ? LETTERS[random_below(&random, sizeof LETTERS - 1)]
                             : (char)random_next(&random);
        assert_harmless(&p, bytes, len);
    }
}

static void test_long_texts(void **state)
{
    (void)state;
    Position p = position_of(KIWIPETE);
    size_t len = 1 << 20;
    char *bytes = malloc(len);
    assert_non_null(bytes);
    static const char FILLS[] = "!+Ne4O-x0 ";
    for (size_t i = 0; i < sizeof FILLS; i++) {
        memset(bytes, FILLS[i], len);
        assert_harmless(&p, bytes, len);
        memcpy(bytes, "Nxg6", 4);
        assert_harmless(&p, bytes, len);
    }
    free(bytes);
    assert_harmless(&p, NULL, 0);
    assert_harmless(&p, "Nxg6\0", 5);
    assert_harmless(&p, "N\0g6", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_moves),
        cmocka_unit_test(test_promotions),
        cmocka_unit_test(test_checks_and_mates),
        cmocka_unit_test(test_least_disambiguation),
        cmocka_unit_test(test_pinned_men_do_not_count),
        cmocka_unit_test(test_castling_in_chess960),
        cmocka_unit_test(test_null_moves),
        cmocka_unit_test(test_signs_missing_or_too_many),
        cmocka_unit_test(test_disambiguation_too_much),
        cmocka_unit_test(test_long_forms_and_uci),
        cmocka_unit_test(test_castling_texts),
        cmocka_unit_test(test_promotion_texts),
        cmocka_unit_test(test_en_passant_texts),
        cmocka_unit_test(test_small_letters),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_round_trips_of_play),
        cmocka_unit_test(test_round_trips_of_crowds),
        cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_long_texts),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
