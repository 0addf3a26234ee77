/* The book and position files of JavaChess: there and back, and whatever else calls itself such a
 * file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../consistent.h"
#include "base/random.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "classics/javachess/javachess_book.h"
#include "classics/javachess/javachess_position.h"
#include "evaluating.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- Books -- */

static JavaChessBook *book_of(const char *text)
{
    JavaChessBook *b = NULL;
    Message why;
    if (javachess_book_read(&b, span_of(text), &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return b;
}

static void expect_move(const JavaChessBook *b, const char *fen, const char *san)
{
    Position p = evaluating_position(fen);
    Move m = javachess_book_find(b, &p);
    char found[SAN_SIZE] = "";
    if (m != MOVE_NONE)
        san_write(&p, m, found);
    assert_string_equal(found, san);
}

static void book_of_the_program(void **state)
{
    (void)state;
    JavaChessBook *b = NULL;
    Message why;
    assert_int_equal(javachess_book_ruy_lopez(&b, &why), STATUS_OK);
    assert_int_equal(javachess_book_size(b), 38);
    assert_int_equal(javachess_book_lines(b), 5);
    expect_move(b, FEN_START, "e4");
    expect_move(b, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e5");
    expect_move(b, "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5", "O-O");
    expect_move(b, "r1bqkbnr/1ppp1ppp/p1B5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4", "dxc6");
    expect_move(b, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "");
    javachess_book_close(b);
}

/* A line that promotes: 1.a4 b5 2.axb5 a6 3.bxa6 Nf6 4.a7 Ng8 5.axb8 */
static void books_promote(void **state)
{
    (void)state;
    JavaChessBook *b = book_of("2 52 36 11 27 36 27 end\n"
                               "48 32 9 25 32 25 8 16 25 16 6 21 16 8 21 6 8 1 END");
    const JavaChessStep *steps;
    assert_int_equal(javachess_book_line(b, 0, &steps), 3);
    assert_int_equal(javachess_book_line(b, 1, &steps), 9);
    assert_int_equal(move_promotion(steps[8].move), QUEEN);
    javachess_book_close(b);
}

static void last_line_is_right(void **state)
{
    (void)state;
    JavaChessBook *b = book_of("2 52 36 12 28 END 51 35 END");
    expect_move(b, FEN_START, "d4");
    expect_move(b, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e5");
    assert_int_equal(javachess_book_size(b), 2);
    javachess_book_close(b);
}

static void bad_books_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "empty"},
        {"x", "'x' is not a valid number of lines"},
        {"-1", "number of lines"},
        {"99999999999999999999", "number of lines"},
        {"1000000 END", "number of lines"},
        {"1", "line of play 1 has no END"},
        {"2 52 36 END", "line of play 2 has no END"},
        {"1 52 36", "no END"},
        {"1 52", "no second square"},
        {"1 52 END", "'END' is not a square"},
        {"1 52 64 END", "line of play 1, move 1: '64' is not a square"},
        {"1 52 36 12 -4 END", "line of play 1, move 2: '-4' is not a square"},
        {"1 52 28 END", "'52 28' is not a legal move"},
        {"1 52 36 52 36 END", "line of play 1, move 2: '52 36' is not a legal move"},
        {"0 END", "'END' comes after the last line"},
        {"PNG\x01\x02\xff", "number of lines"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        JavaChessBook *b = NULL;
        Message why;
        assert_int_equal(javachess_book_read(&b, span_of(bad[i].text), &why), STATUS_INVALID);
        assert_null(b);
        if (!strstr(why.text, bad[i].why))
            fail_msg("'%s': %s", bad[i].text, why.text);
    }
}

/* -- Positions -- */

static void check_there_and_back(const char *fen)
{
    Position p = evaluating_position(fen), q;
    Text t, again;
    Message why;
    char read[FEN_SIZE];
    text_init(&t);
    text_init(&again);
    Square ep;
    assert_int_equal(javachess_position_write(&p, fen_ep_field(span_of(fen)), &t, &why), STATUS_OK);
    if (javachess_position_read(&q, &ep, (Span){t.at, t.len}, &why) != STATUS_OK)
        fail_msg("%s: %s", fen, why.text);
    fen_write_ep(&q, FEN_X, ep, read);
    assert_string_equal(read, fen);
    assert_int_equal(javachess_position_write(&q, ep, &again, &why), STATUS_OK);
    assert_string_equal(t.at, again.at);
    text_free(&t);
    text_free(&again);
}

static void positions_come_back_as_written(void **state)
{
    (void)state;
    check_there_and_back(FEN_START);
    check_there_and_back("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1");
    check_there_and_back("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1");
    check_there_and_back("8/8/8/8/1k1Pp3/8/8/4K3 b - d3 0 1");
    /* Nobody can capture there, but the original notes the square after every double step. */
    check_there_and_back("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    check_there_and_back("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 1");
    check_there_and_back("8/P6k/8/8/8/8/p6K/8 b - - 0 1");
}

static void file_as_the_original_has_it(void **state)
{
    (void)state;
    Position p = evaluating_position("4k3/8/8/8/Pp6/8/8/4K2R b K a3 0 1");
    Position q;
    Text t;
    Message why;
    char fen[FEN_SIZE];
    text_init(&t);
    assert_int_equal(
        javachess_position_write(&p, fen_ep_field(span_of("8/8/8/8/8/8/8/8 b - a3 0 1")), &t, &why),
        STATUS_OK);
    /* a3 is square 40: 2 to the 40th */
    assert_string_equal(t.at,
                        "BLACK\n5\nWP 32\nBP 33\nWR 63\nWK 60\nBK 4\nTRUE\nFALSE\nFALSE\nFALSE\n"
                        "1099511627776\n");
    /* P N B R Q K, of each kind White's first, squares in their order: the listing's numbers of
     * pieces */
    p = evaluating_position("rnbqk3/8/8/8/8/8/8/3QKBNR w - - 0 1");
    text_clear(&t);
    assert_int_equal(javachess_position_write(&p, SQ_NONE, &t, &why), STATUS_OK);
    assert_string_equal(t.at, "WHITE\n10\nWN 62\nBN 1\nWB 61\nBB 2\nWR 63\nBR 0\nWQ 59\nBQ 3\n"
                              "WK 60\nBK 4\nFALSE\nFALSE\nFALSE\nFALSE\n0\n");
    text_free(&t);
    const char *by_hand = " black 3\twk 60 Bk 4\r\nwP 48\nfalse False FALSE false 0";
    assert_int_equal(javachess_position_read(&q, NULL, span_of(by_hand), &why), STATUS_OK);
    fen_write(&q, FEN_X, fen);
    assert_string_equal(fen, "4k3/8/8/8/8/8/P7/4K3 b - - 0 1");
}

static void bad_positions_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "ends where a side to move is expected"},
        {"GREEN 2", "'GREEN' is not a side to move"},
        {"WHITE", "ends where a number of pieces is expected"},
        {"WHITE many", "'many' is not a number of pieces"},
        {"WHITE 33", "number of pieces from 0 to 32"},
        {"WHITE 2 WK 60", "ends where a piece is expected"},
        {"WHITE 1 XK 60", "'XK' is not a piece"},
        {"WHITE 1 WK", "ends where a square is expected"},
        {"WHITE 1 WK 64", "'64' is not a square"},
        {"WHITE 2 WK 60 BK 60", "it is already occupied"},
        {"WHITE 2 WK 60 BK 4 TRUE FALSE MAYBE", "'MAYBE' is not a castling right"},
        {"WHITE 2 WK 60 BK 4 FALSE FALSE FALSE", "ends where a castling right is expected"},
        {"WHITE 2 WK 60 BK 4 FALSE FALSE FALSE FALSE",
         "ends where a board of en passant is expected"},
        {"WHITE 2 WK 60 BK 4 FALSE FALSE FALSE FALSE 3", "'3' is not a board of en passant"},
        {"WHITE 2 WK 60 BK 4 FALSE FALSE FALSE FALSE -1", "'-1' is not a board of en passant"},
        {"WHITE 2 WK 60 BK 4 FALSE FALSE FALSE FALSE 0 0", "comes after the end"},
        {"WHITE 2 WK 60 BK 4 TRUE FALSE FALSE FALSE 0", "castling"},
        {"WHITE 2 WK 60 WQ 4 FALSE FALSE FALSE FALSE 0", "king"},
        {"WHITE 2 WK 60 BK 4 FALSE FALSE FALSE FALSE 1", "en passant"},
        {"WHITE 0 FALSE FALSE FALSE FALSE 0", "king"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Position p = {.ply = 77};
        Message why;
        if (javachess_position_read(&p, NULL, span_of(bad[i].text), &why) != STATUS_INVALID)
            fail_msg("'%s' is taken", bad[i].text);
        assert_int_equal(p.ply, 77);
        if (!strstr(why.text, bad[i].why))
            fail_msg("'%s': %s", bad[i].text, why.text);
    }
}

static void chess960_is_refused(void **state)
{
    (void)state;
    Position p;
    Message why;
    Text t;
    text_init(&t);
    assert_int_equal(fen_parse(&p, span_of("1k1r4/8/8/8/8/8/8/1K1R4 w Dd - 0 1"), true, &why),
                     STATUS_OK);
    assert_int_equal(javachess_position_write(&p, SQ_NONE, &t, &why), STATUS_REFUSED);
    assert_non_null(strstr(why.text, "Chess960"));
    text_free(&t);
}

/* -- Files -- */

static void files_are_read_and_written(void **state)
{
    (void)state;
    char path[64] = "", nowhere[96];
    Position p = evaluating_position(FEN_START), q;
    JavaChessBook *b = NULL;
    Message why;
    snprintf(path, sizeof path, "/tmp/castellan-javachess-%ld", (long)getpid());
    snprintf(nowhere, sizeof nowhere, "%s/none/none", path);
    assert_int_equal(javachess_position_save(&p, SQ_NONE, path, &why), STATUS_OK);
    assert_int_equal(javachess_position_load(&q, NULL, path, &why), STATUS_OK);
    assert_true(q.st.key == p.st.key);
    assert_int_equal(javachess_book_load(&b, path, &why),
                     STATUS_INVALID); /* a position is no book */
    assert_non_null(strstr(why.text, path));
    unlink(path);
    assert_int_not_equal(javachess_position_load(&q, NULL, path, &why), STATUS_OK);
    assert_int_not_equal(javachess_book_load(&b, path, &why), STATUS_OK);
    assert_int_not_equal(javachess_position_save(&p, SQ_NONE, nowhere, &why), STATUS_OK);
}

/* Random words of the formats, and random bytes: never a crash, and what is taken is a sound
 * position. */
static void noise_does_no_harm(void **state)
{
    (void)state;
    static const char *const words[] = {"WHITE", "BLACK", "2",  "WK",  "60", "BK",  "4",
                                        "FALSE", "TRUE",  "0",  "END", "52", "36",  "WP",
                                        "48",    "1",     "12", "28",  "-5", "\xff"};
    Random random;
    random_seed(&random, 9);
    for (int i = 0; i < 3000; i++) {
        char text[256] = "";
        size_t at = 0;
        for (int k = 0; k < 20; k++) {
            uint32_t pick = random_below(&random, sizeof words / sizeof *words);
            at += (size_t)snprintf(text + at, sizeof text - at, "%s ", words[pick]);
        }
        Position p;
        JavaChessBook *b = NULL;
        if (javachess_position_read(&p, NULL, (Span){text, at}, NULL) == STATUS_OK)
            assert_true(is_consistent(&p));
        if (javachess_book_read(&b, (Span){text, at}, NULL) == STATUS_OK)
            javachess_book_close(b);
    }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(book_of_the_program),
        cmocka_unit_test(books_promote),
        cmocka_unit_test(last_line_is_right),
        cmocka_unit_test(bad_books_are_refused),
        cmocka_unit_test(positions_come_back_as_written),
        cmocka_unit_test(file_as_the_original_has_it),
        cmocka_unit_test(bad_positions_are_refused),
        cmocka_unit_test(chess960_is_refused),
        cmocka_unit_test(files_are_read_and_written),
        cmocka_unit_test(noise_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
