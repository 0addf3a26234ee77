#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../consistent.h"
#include "../positions.h"
#include "base/random.h"
#include "chess/fen.h"
#include "chess/setup.h"
#include "playout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

static void assert_written(const char *fen, FenStyle style, const char *want)
{
    Position p = position_of(fen);
    char out[FEN_SIZE];
    fen_write(&p, style, out);
    assert_string_equal(out, want);
}

static void assert_refused(const char *fen, const char *beginning, const char *reason)
{
    Position p;
    Message why = {""};
    if (fen_parse(&p, span_of(fen), false, &why) != STATUS_INVALID)
        fail_msg("not refused: %s", fen);
    if (strncmp(why.text, beginning, strlen(beginning)) != 0 || !strstr(why.text, reason))
        fail_msg("%s\n  said: %s\n  not:  %s ... %s", fen, why.text, beginning, reason);
}

/* -- What is understood -- */

static void test_texts_that_come_back_as_they_went_in(void **state)
{
    (void)state;
    static const char *const FENS[] = {
        FEN_START,
        KIWIPETE,
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/8/8/8/1k1Pp2R/8/8/4K3 b - - 0 1",
        "8/8/8/8/2pP4/8/k4BK1/8 b - d3 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w - - 99 6000",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 5 10",
        "QQQQQQQQ/Q7/8/8/8/8/K5pp/6rk w - - 0 1", /* nine queens: eight pawns promoted */
        "4k3/8/8/8/8/8/8/4KNNN w - - 0 1",
        "4k3/8/4Q3/1B6/8/8/8/4K3 b - - 0 1", /* two checkers */
        "8/8/8/8/8/5k2/8/K7 w - - 1000 1000000000",
        /* Chess960: outermost rooks by K and Q, an inner one by its file. */
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        "4k3/8/8/8/8/8/8/1R2K1RR w G - 0 1",
        "4k3/8/8/8/8/8/8/RR2K1RR w KB - 0 1",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR b GBgb - 0 1",
        "rkrqnbbn/pppppppp/8/8/8/8/PPPPPPPP/QRNKBNRB w KQkq - 0 1",
    };
    for (size_t i = 0; i < sizeof FENS / sizeof *FENS; i++)
        assert_written(FENS[i], FEN_X, FENS[i]);
}

static void test_dialects_of_castling(void **state)
{
    (void)state;
    assert_written(FEN_START, FEN_SHREDDER,
                   "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    assert_written("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", FEN_X, FEN_START);
    assert_written("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", FEN_X,
                   "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_written("r3k2r/8/8/8/8/8/8/R3K2R w ahK - 0 1", FEN_X,
                   "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1");
    assert_written("4k3/8/8/8/8/8/8/1R2K1RR w BG - 0 1", FEN_X,
                   "4k3/8/8/8/8/8/8/1R2K1RR w GQ - 0 1");
    assert_written("4k3/8/8/8/8/8/8/1R2K1RR w GQ - 0 1", FEN_SHREDDER,
                   "4k3/8/8/8/8/8/8/1R2K1RR w GB - 0 1");
    assert_written("rkrqnbbn/pppppppp/8/8/8/8/PPPPPPPP/QRNKBNRB w GBca - 0 1", FEN_X,
                   "rkrqnbbn/pppppppp/8/8/8/8/PPPPPPPP/QRNKBNRB w KQkq - 0 1");
}

static void test_rights_belong_to_the_right_rooks(void **state)
{
    (void)state;
    Position p = position_of("rr2k1rr/8/8/8/8/8/8/RR2K1RR w KBga - 0 1");
    assert_int_equal(p.castling_rook[castling_index(WHITE, KING_SIDE)], SQ_H1);
    assert_int_equal(p.castling_rook[castling_index(WHITE, QUEEN_SIDE)], SQ_B1);
    assert_int_equal(p.castling_rook[castling_index(BLACK, KING_SIDE)], square_make(6, 7));
    assert_int_equal(p.castling_rook[castling_index(BLACK, QUEEN_SIDE)], SQ_A8);
    p = position_of("4k3/8/8/8/8/8/8/R3K1NR w Q - 0 1");
    assert_int_equal(p.st.castling, castling_right(WHITE, QUEEN_SIDE));
}

static void test_chess960_is_noticed(void **state)
{
    (void)state;
    assert_false(position_of(FEN_START).chess960);
    assert_false(position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1").chess960);
    assert_false(position_of("bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w - - 0 1").chess960);
    assert_true(position_of("bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w K - 0 1").chess960);
    assert_true(position_of("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1").chess960);
    Position p;
    assert_int_equal(fen_parse(&p, span_of(FEN_START), true, NULL), STATUS_OK);
    assert_true(p.chess960);
}

static void test_missing_counters_and_blanks(void **state)
{
    (void)state;
    static const char WANT[] = "8/8/8/8/8/5k2/8/K7 b - - 0 1";
    assert_written("8/8/8/8/8/5k2/8/K7 b - -", FEN_X, WANT);
    assert_written("8/8/8/8/8/5k2/8/K7 b - - 0", FEN_X, WANT);
    assert_written("8/8/8/8/8/5k2/8/K7 b - - 0 0", FEN_X, WANT);
    assert_written("  8/8/8/8/8/5k2/8/K7   b\t- -  0 1 \r\n", FEN_X, WANT);
    assert_written("8/8/8/8/8/5k2/8/K7 b - - 17", FEN_X, "8/8/8/8/8/5k2/8/K7 b - - 17 1");
    assert_written("8/8/8/8/8/5k2/8/K7 b - - 007 010", FEN_X, "8/8/8/8/8/5k2/8/K7 b - - 7 10");
}

static void test_counters_reach_the_position(void **state)
{
    (void)state;
    Position p = position_of("8/8/8/8/8/5k2/8/K7 b - - 31 40");
    assert_int_equal(p.st.rule50, 31);
    assert_int_equal(p.game_ply, 79);
    assert_int_equal(position_of("8/8/8/8/8/5k2/8/K7 w - - 0 1").game_ply, 0);
}

static void test_en_passant_without_a_legal_capture_is_dropped(void **state)
{
    (void)state;
    static const char *const FENS[] = {
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", /* nobody beside */
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",                           /* pinned along the rank */
        "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1", /* the pawn taken shields from the bishop */
        "4k3/8/8/4pP2/8/8/8/4K2b w - e6 0 1",
    };
    assert_int_equal(position_of(FENS[0]).st.ep, SQ_NONE);
    assert_int_equal(position_of(FENS[1]).st.ep, SQ_NONE);
    assert_int_equal(position_of(FENS[2]).st.ep, SQ_NONE);
    assert_int_equal(position_of(FENS[3]).st.ep, square_make(4, 5));
}

/* -- What is refused -- */

static void test_refused_placements(void **state)
{
    (void)state;
    assert_refused("", "piece placement: ", "missing");
    assert_refused(" \t ", "piece placement: ", "missing");
    assert_refused("8/8/8/8/8/5k2/8/K7/8 w - -",
                   "piece placement \"8/8/8/8/8/5k2/8/K7/8\": ", "more than 8 ranks");
    assert_refused("8/8/8/8/8/5k2/K7 w - -",
                   "piece placement \"8/8/8/8/8/5k2/K7\": ", "only 7 ranks");
    assert_refused("8/8/8/8/8/5k2/7/K7 w - -", "piece placement \"", "rank 2 has 7 squares");
    assert_refused("8/8/8/8/8/5k2/8/K6 w - -", "piece placement \"", "rank 1 has 7 squares");
    assert_refused("8/8/8/8/8/5k2/8p/K7 w - -", "piece placement \"", "rank 2 has more than 8");
    assert_refused("8/8/8/8/8/5k2/9/K7 w - -", "piece placement \"", "'9'");
    assert_refused("8/8/8/8/8/5k2/0/K7 w - -", "piece placement \"", "'0'");
    assert_refused("8/8/8/8/8/5k2/44/K7 w - -", "piece placement \"", "second number '4'");
    assert_refused("8/8/8/8/8/5k2/7x/K7 w - -", "piece placement \"", "'x'");
    assert_refused("8/8/8/8/8/5k2//K7 w - -", "piece placement \"", "rank 2 has 0 squares");
}

static void test_refused_material(void **state)
{
    (void)state;
    assert_refused("8/8/8/8/8/8/8/K7 w - - 0 1",
                   "piece placement \"8/8/8/8/8/8/8/K7\": ", "Black has no king");
    assert_refused("4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
                   "piece placement \"4k3/8/8/8/8/8/8/K3K3\": ", "White has 2 kings (a1, e1)");
    assert_refused("k3k2k/8/8/8/8/8/8/K7 w - - 0 1", "piece placement \"",
                   "Black has 3 kings (a8, h8, ...)");
    assert_refused("4k2P/8/8/8/8/8/8/K7 w - - 0 1",
                   "piece placement \"4k2P/8/8/8/8/8/8/K7\": ", "pawn on h8");
    assert_refused("4k3/8/8/8/8/8/8/K2p4 w - - 0 1", "piece placement \"", "pawn on d1");
    assert_refused("4k3/8/8/8/8/P7/PPPPPPPP/K7 w - - 0 1", "piece placement \"",
                   "White has 9 pawns");
    assert_refused("rnbqkbnr/pppppppp/n7/8/8/8/8/K7 w - - 0 1", "piece placement \"",
                   "Black has 17 pieces");
    assert_refused("4k3/8/8/8/8/8/PPPPPPPP/KQQ5 w - - 0 1", "piece placement \"",
                   "1 promoted pieces, but only 0 pawns");
    assert_refused("QQQQQQQQ/QQ6/8/8/8/8/k6K/8 w - - 0 1", "piece placement \"", "9 promoted");
}

static void test_refused_checks(void **state)
{
    (void)state;
    assert_refused("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
                   "side to move \"w\": ", "e2 already attacks the king on e8");
    assert_refused("8/8/8/3kK3/8/8/8/8 b - - 0 1",
                   "side to move \"b\": ", "attacks the king on e5");
    assert_refused("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move \"x\": ", "neither w nor b");
    assert_refused("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side to move \"W\": ", "neither w nor b");
    assert_refused("4k3/8/8/8/8/8/8/4K3", "side to move: ", "missing");
    assert_refused("4k3/8/3N4/1B6/8/8/4R3/4K3 b - - 0 1", "piece placement \"",
                   "3 pieces check the king on e8");
    assert_refused("4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1", "piece placement \"",
                   "no move can check the king on e8 from d6 and f6");
}

static void test_refused_castling(void **state)
{
    (void)state;
    assert_refused("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling \"K\": ", "no rook");
    assert_refused("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "castling \"KQ\": ", "'Q'");
    assert_refused("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "castling \"K\": ", "first rank");
    assert_refused("4k3/8/8/8/8/8/8/4K2R w G - 0 1", "castling \"G\": ", "no rook");
    assert_refused("4k3/8/8/8/8/8/8/4K2R w E - 0 1", "castling \"E\": ", "no rook");
    assert_refused("4k3/8/8/8/8/8/8/4K2r w K - 0 1", "castling \"K\": ", "no rook");
    assert_refused("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling \"KK\": ", "twice");
    assert_refused("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "castling \"KH\": ", "twice");
    assert_refused("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "castling \"GH\": ", "twice");
    assert_refused("4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "castling \"KX\": ", "'X'");
    assert_refused("4k3/8/8/8/8/8/8/4K2R w -K - 0 1", "castling \"-K\": ", "'-'");
    assert_refused("4k3/8/8/8/8/8/8/4K2R w", "castling: ", "missing");
    /* A board that is wrong itself is what has to be mended first. */
    assert_refused("4k3/8/8/8/8/8/8/7R w K - 0 1", "piece placement \"", "White has no king");
}

static void test_refused_en_passant(void **state)
{
    (void)state;
    static const char *const AFTER_E5 =
        "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq %s 0 2";
    static const char *const CASES[][2] = {
        {"e3", "not on rank 6"}, {"e5", "not on rank 6"}, {"d6", "no pawn of Black on d5"},
        {"e9", "neither"},       {"x", "neither"},        {"--", "neither"},
        {"e", "neither"},        {"e66", "neither"},      {"E6", "neither"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char fen[FEN_SIZE], beginning[64];
        snprintf(fen, sizeof fen, AFTER_E5, CASES[i][0]);
        snprintf(beginning, sizeof beginning, "en passant \"%s\": ", CASES[i][0]);
        assert_refused(fen, beginning, CASES[i][1]);
    }
    assert_refused("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq",
                   "en passant: ", "missing");
    assert_refused("4k3/4n3/8/4pP2/8/8/8/4K3 w - e6 0 1", "en passant \"e6\": ", "e7");
    assert_refused("4k3/8/4n3/4pP2/8/8/8/4K3 w - e6 0 1", "en passant \"e6\": ", "e6");
    assert_refused("4k3/8/8/4pP2/8/5n2/8/4K3 w - e6 0 1",
                   "en passant \"e6\": ", "f3 gave check before");
    /* The step itself may give check, by the pawn or by the line it opened. */
    position_of("4k3/8/8/4pP2/3K4/8/8/8 w - e6 0 1");
    position_of("3bk3/8/8/4pP2/7K/8/8/8 w - e6 0 1");
}

static void test_refused_counters(void **state)
{
    (void)state;
    static const char *const HALF[] = {"-1", "x", "1001", "1.5", "+3", "99999999999999999999"};
    for (size_t i = 0; i < sizeof HALF / sizeof *HALF; i++) {
        char fen[FEN_SIZE], beginning[64];
        snprintf(fen, sizeof fen, "8/8/8/8/8/5k2/8/K7 w - - %s 1", HALF[i]);
        snprintf(beginning, sizeof beginning, "halfmove clock \"%s\": ", HALF[i]);
        assert_refused(fen, beginning, "not a number from 0 to 1000");
        snprintf(fen, sizeof fen, "8/8/8/8/8/5k2/8/K7 w - - 0 %s", i == 2 ? "1000000001" : HALF[i]);
        assert_refused(fen, "fullmove number \"", "not a number from 0 to 1000000000");
    }
    assert_refused("8/8/8/8/8/5k2/8/K7 w - - 0 1 more text",
                   "text after the fullmove number: ", "\"more text\"");
}

static void test_a_refusal_leaves_the_position_alone(void **state)
{
    (void)state;
    Position p = position_of(KIWIPETE);
    char before[FEN_SIZE], after[FEN_SIZE];
    fen_write(&p, FEN_X, before);
    static const char *const BAD[] = {
        "8/8/8/8/8/5k2/8/K7 w - - 0 1 x", "8/8/8/8/8/5k2/8/K7 w - e6 0 1",
        "8/8/8/8/8/5k2/8/K7 w K - 0 1",   "8/8/8/8/8/5k2/8/K7 w - - 0 x",
        "8/8/8/8/8/8/8/K7 w - - 0 1",     "",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        assert_int_equal(fen_parse(&p, span_of(BAD[i]), false, NULL), STATUS_INVALID);
        fen_write(&p, FEN_X, after);
        assert_string_equal(before, after);
        assert_true(is_consistent(&p));
    }
}

/* -- EPD -- */

static void test_epd_takes_four_fields(void **state)
{
    (void)state;
    Position p;
    Span rest;
    Message why;
    static const char LINE[] = "4k3/8/8/8/8/8/8/4K2R w K -  bm O-O; id \"x\";";
    assert_int_equal(fen_parse_epd(&p, span_of(LINE), false, &rest, &why), STATUS_OK);
    assert_true(span_is(rest, "bm O-O; id \"x\";"));
    assert_int_equal(p.st.castling, castling_right(WHITE, KING_SIDE));
    assert_int_equal(fen_parse_epd(&p, span_of("4k3/8/8/8/8/8/8/4K3 w - -"), false, &rest, &why),
                     STATUS_OK);
    assert_int_equal(rest.len, 0);
    assert_int_equal(fen_parse_epd(&p, span_of("4k3/8/8/8/8/8/8/4K3 w -"), false, &rest, &why),
                     STATUS_INVALID);
    assert_string_equal(why.text, "en passant: missing");
}

/* -- Setups -- */

static void test_setups_name_the_field(void **state)
{
    (void)state;
    Position p;
    Message why;
    Setup s;
    setup_clear(&s);
    assert_int_equal(pos_set(&p, &s, &why), STATUS_INVALID);
    assert_string_equal(why.text, "piece placement: White has no king");
    s.board[SQ_E1] = piece_make(WHITE, KING);
    s.board[SQ_E8] = piece_make(BLACK, KING);
    assert_int_equal(pos_set(&p, &s, &why), STATUS_OK);
    s.board[SQ_G1] = piece_make(WHITE, ROOK);
    s.castling_rook[castling_index(WHITE, KING_SIDE)] = SQ_G1;
    assert_int_equal(pos_set(&p, &s, &why), STATUS_INVALID);
    assert_memory_equal(why.text, "castling: ", 10);
    s.chess960 = true;
    assert_int_equal(pos_set(&p, &s, &why), STATUS_OK);
    s.castling_rook[castling_index(WHITE, QUEEN_SIDE)] = SQ_G1;
    assert_int_equal(pos_set(&p, &s, &why), STATUS_INVALID);
    s.castling_rook[castling_index(WHITE, QUEEN_SIDE)] = SQ_NONE;
    s.rule50 = -1;
    assert_int_equal(pos_set(&p, &s, &why), STATUS_INVALID);
    assert_memory_equal(why.text, "halfmove clock: ", 16);
    s.rule50 = 0;
    s.fullmove = 0;
    assert_int_equal(pos_set(&p, &s, &why), STATUS_INVALID);
    assert_memory_equal(why.text, "fullmove number: ", 17);
}

static void test_setups_with_wild_numbers(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 5);
    Position p, start;
    pos_set_start(&start);
    for (int i = 0; i < 20000; i++) {
        Setup s;
        Message why;
        pos_describe(&start, &s);
        for (uint32_t k = 1 + random_below(&random, 4); k > 0; k--)
            ((unsigned char *)&s.board)[random_below(&random, sizeof s.board)] =
                (unsigned char)random_next(&random);
        s.castling_rook[random_below(&random, 4)] = (Square)random_next(&random);
        s.ep = (Square)random_next(&random);
        s.side = (Color)random_below(&random, 4);
        s.chess960 = random_below(&random, 2);
        if (pos_set(&p, &s, &why) == STATUS_OK)
            assert_true(is_consistent(&p));
    }
}

/* -- Round trips over many positions -- */

static void round_trip(const Position *p, void *user)
{
    char x_fen[FEN_SIZE], shredder[FEN_SIZE], again[FEN_SIZE];
    fen_write(p, FEN_X, x_fen);
    fen_write(p, FEN_SHREDDER, shredder);
    const char *texts[] = {x_fen, shredder};
    for (int i = 0; i < 2; i++) {
        Position q;
        Message why;
        if (fen_parse(&q, span_of(texts[i]), p->chess960, &why) != STATUS_OK)
            fail_msg("refused: %s: %s", texts[i], why.text);
        assert_true(q.st.key == p->st.key);
        assert_int_equal(q.st.castling, p->st.castling);
        fen_write(&q, i == 0 ? FEN_X : FEN_SHREDDER, again);
        assert_string_equal(texts[i], again);
    }
    Setup s;
    Position q;
    pos_describe(p, &s);
    assert_int_equal(pos_set(&q, &s, NULL), STATUS_OK);
    assert_true(q.st.key == p->st.key && pos_polyglot_key(&q) == pos_polyglot_key(p));
    assert_int_equal(q.game_ply, p->game_ply);
    ++*(int *)user;
}

static void test_round_trips_of_play(void **state)
{
    (void)state;
    int seen = 0;
    playout_each(11, 100, 300, false, round_trip, &seen);
    playout_each(12, 100, 300, true, round_trip, &seen);
    assert_true(seen > 20000);
}

/* -- Start positions -- */

static void test_known_start_positions(void **state)
{
    (void)state;
    static const struct {
        int number;
        const char *rank;
    } KNOWN[] = {{0, "BBQNNRKR"},  {518, "RNBQKBNR"}, {959, "RKRNNQBB"},
                 {1, "BQNBNRKR"},  {4, "QBBNNRKR"},   {16, "BBNQNRKR"},
                 {96, "BBQNRNKR"}, {534, "RNBKQBNR"}, {631, "RNBKQRNB"}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        Position p;
        char fen[FEN_SIZE];
        pos_set_chess960(&p, KNOWN[i].number, 518);
        fen_write(&p, FEN_X, fen);
        assert_memory_equal(fen + strlen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/"), KNOWN[i].rank, 8);
        assert_memory_equal(fen, "rnbqkbnr", 8);
    }
    Position p;
    char fen[FEN_SIZE];
    pos_set_start(&p);
    fen_write(&p, FEN_X, fen);
    assert_string_equal(fen, FEN_START);
    assert_false(p.chess960);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void test_all_960_differ_and_are_right(void **state)
{
    (void)state;
    static char fens[960][FEN_SIZE];
    for (int i = 0; i < 960; i++) {
        Position p;
        pos_set_chess960(&p, i, 959 - i);
        assert_true(is_consistent(&p));
        assert_true(p.chess960);
        assert_int_equal(p.st.castling, CASTLING_ALL);
        assert_int_equal(bb_count(pos_pieces(&p, WHITE, BISHOP) & DARK_SQUARES_BB), 1);
        Square king = pos_king(&p, WHITE);
        assert_true(p.castling_rook[castling_index(WHITE, KING_SIDE)] > king);
        assert_true(p.castling_rook[castling_index(WHITE, QUEEN_SIDE)] < king);
        fen_write(&p, FEN_X, fens[i]);
    }
    qsort(fens, 960, FEN_SIZE, compare_texts);
    for (int i = 1; i < 960; i++)
        assert_string_not_equal(fens[i - 1], fens[i]);
}

/* -- Hostile input -- */

static void assert_harmless(const char *bytes, size_t len)
{
    Position p;
    Span rest;
    Message why;
    if (fen_parse(&p, (Span){bytes, len}, false, &why) == STATUS_OK) {
        int seen = 0;
        assert_true(is_consistent(&p));
        round_trip(&p, &seen);
    } else {
        assert_true(strlen(why.text) > 0 && strlen(why.text) < sizeof why.text);
        for (const char *c = why.text; *c; c++)
            assert_true(*c >= ' ' && *c <= '~');
    }
    fen_parse_epd(&p, (Span){bytes, len}, true, &rest, &why);
}

static void test_random_bytes(void **state)
{
    (void)state;
    Random random;
    random_seed(&random, 1);
    for (int i = 0; i < 20000; i++) {
        char bytes[200];
        size_t len = random_below(&random, sizeof bytes + 1);
        for (size_t k = 0; k < len; k++)
            bytes[k] = (char)random_next(&random);
        assert_harmless(bytes, len);
    }
}

static void test_damaged_fens(void **state)
{
    (void)state;
    static const char *const FENS[] = {
        FEN_START, KIWIPETE, "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR b GBgb - 0 1"};
    static const char LETTERS[] = "pnbrqkPNBRQK12345678/ wb-KQkqAHah3609\0\n";
    Random random;
    random_seed(&random, 2);
    for (int i = 0; i < 100000; i++) {
        char bytes[FEN_SIZE];
        const char *fen = FENS[random_below(&random, 4)];
        size_t len = strlen(fen);
        memcpy(bytes, fen, len);
        for (uint32_t k = 1 + random_below(&random, 3); k > 0; k--)
            bytes[random_below(&random, (uint32_t)len)] =
                LETTERS[random_below(&random, sizeof LETTERS)];
        assert_harmless(bytes, len - random_below(&random, 3));
    }
}

static void test_long_and_broken_texts(void **state)
{
    (void)state;
    size_t len = 1 << 20;
    char *bytes = malloc(len);
    assert_non_null(bytes);
    static const char FILLS[] = "8/Kk1 \xff-";
    for (size_t i = 0; i < sizeof FILLS; i++) {
        memset(bytes, FILLS[i], len);
        assert_harmless(bytes, len);
        memcpy(bytes, FEN_START, strlen(FEN_START));
        assert_harmless(bytes, len);
        memcpy(bytes, "4k3/8/8/8/8/8/8/4K3 w ", 22);
        assert_harmless(bytes, len);
    }
    free(bytes);
    assert_harmless(NULL, 0);
    assert_harmless("4k3/8/8/8/8/8/8/4K3\0w - -", 25);
    assert_harmless("4k3/8/8/8/8/8/8/4K3 w\0 - -", 26);
    Position p;
    Message why;
    assert_int_equal(fen_parse(&p, (Span){"4k3/8/8/8/8/8/8/4K3 w\0 - -", 26}, false, &why),
                     STATUS_INVALID);
    assert_string_equal(why.text, "side to move \"w?\": neither w nor b");
}

static void test_long_texts_are_cut_in_messages(void **state)
{
    (void)state;
    char fen[400] = "4k3/8/8/8/8/8/8/4K3 w ", want[400] = "castling \"";
    memset(fen + strlen(fen), 'x', 300);
    memset(want + strlen(want), 'x', 92);
    memcpy(want + strlen(want), "...\": unknown letter 'x'", 25);
    Position p;
    Message why;
    assert_int_equal(fen_parse(&p, span_of(fen), false, &why), STATUS_INVALID);
    assert_string_equal(why.text, want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_that_come_back_as_they_went_in),
        cmocka_unit_test(test_dialects_of_castling),
        cmocka_unit_test(test_rights_belong_to_the_right_rooks),
        cmocka_unit_test(test_chess960_is_noticed),
        cmocka_unit_test(test_missing_counters_and_blanks),
        cmocka_unit_test(test_counters_reach_the_position),
        cmocka_unit_test(test_en_passant_without_a_legal_capture_is_dropped),
        cmocka_unit_test(test_refused_placements),
        cmocka_unit_test(test_refused_material),
        cmocka_unit_test(test_refused_checks),
        cmocka_unit_test(test_refused_castling),
        cmocka_unit_test(test_refused_en_passant),
        cmocka_unit_test(test_refused_counters),
        cmocka_unit_test(test_a_refusal_leaves_the_position_alone),
        cmocka_unit_test(test_epd_takes_four_fields),
        cmocka_unit_test(test_setups_name_the_field),
        cmocka_unit_test(test_setups_with_wild_numbers),
        cmocka_unit_test(test_round_trips_of_play),
        cmocka_unit_test(test_known_start_positions),
        cmocka_unit_test(test_all_960_differ_and_are_right),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_damaged_fens),
        cmocka_unit_test(test_long_and_broken_texts),
        cmocka_unit_test(test_long_texts_are_cut_in_messages),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
