/* Endgame scaling and mop-up as applied to the value of a net. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/setup.h"
#include "eval/endgame.h"

#include <string.h>

enum { LEAD = 320 };

/* What is left of White's lead after scaling, White to move. */
static Score scaled(const char *fen)
{
    Position p = position_of(fen);
    return endgame_scale(&p, LEAD);
}

static void drawn_endings_are_worth_nothing(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "k7/8/8/P7/8/3K4/1B6/8 w - - 0 1",  /* wrong rook pawn */
        "7k/8/8/8/7P/7P/3K4/5B2 w - - 0 1", /* the same with two pawns */
        "4k3/8/8/8/8/8/3NN3/4K3 w - - 0 1", /* two knights */
        "4k3/8/8/8/8/8/4B3/4K3 w - - 0 1",  /* a bishop */
        "4k3/4p3/8/8/8/8/4N3/4K3 w - - 0 1" /* a knight against a pawn */
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++)
        assert_int_equal(scaled(fens[i]), 0);
}

static void drawish_endings_are_worth_little(void **state)
{
    (void)state;
    assert_in_range(scaled("8/8/4k3/8/4P3/8/4K3/8 w - - 0 1"), 1, LEAD / 4);
    assert_in_range(scaled("4k3/4b3/8/8/8/8/4R3/4K3 w - - 0 1"), 1, LEAD / 4);
    assert_in_range(scaled("8/5k2/3b4/2p3p1/2P3P1/3B1P2/5K2/8 w - - 0 1"), 1, LEAD / 2);
}

static void other_positions_are_left_alone(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/5k2/3b4/2p3p1/2P3P1/4BP2/5K2/8 w - - 0 1", /* bishops of the same colour */
        "2r3k1/5ppp/3b4/8/8/3B2P1/5P1P/2R3K1 w - - 0 1", "6k1/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 1",
        "k7/8/8/P7/8/3K4/2B5/8 b - - 0 1" /* a bishop that controls the promotion square */
    };
    for (size_t i = 0; i + 1 < sizeof fens / sizeof *fens; i++)
        assert_int_equal(scaled(fens[i]), LEAD);
    Position p = position_of(fens[4]);
    assert_int_equal(endgame_scale(&p, -LEAD), -LEAD);
}

static void bare_kings_are_driven(void **state)
{
    (void)state;
    assert_true(scaled("8/8/8/3k4/8/8/8/R3K3 w - - 0 1") > LEAD);
    assert_true(scaled("k7/8/2K5/8/8/8/3N4/4B3 w - - 0 1") + 100 <
                scaled("7k/8/5K2/8/8/8/3N4/4B3 w - - 0 1"));
}

static void values_stay_values(void **state)
{
    (void)state;
    Position p = position_of("k7/8/2K5/8/8/8/8/4QQ2 w - - 0 1");
    assert_int_equal(endgame_scale(&p, SCORE_EVAL_MAX), SCORE_EVAL_MAX);
    p = position_of("k7/8/2K5/8/8/8/8/4QQ2 b - - 0 1");
    assert_int_equal(endgame_scale(&p, -SCORE_EVAL_MAX), -SCORE_EVAL_MAX);
}

static Position turned(const Position *p)
{
    Setup from, to;
    Position out;
    Message why;
    pos_describe(p, &from);
    to = from;
    for (int s = 0; s < SQUARE_COUNT; s++) {
        Piece piece = from.board[s];
        to.board[s ^ 56] = piece == NO_PIECE ? NO_PIECE : (Piece)(piece ^ 1);
    }
    to.side = color_other(from.side);
    assert_int_equal(pos_set(&out, &to, &why), STATUS_OK);
    return out;
}

static void both_colours_are_told_the_same(void **state)
{
    (void)state;
    static const char *const fens[] = {"k7/8/8/P7/8/3K4/1B6/8 w - - 0 1",
                                       "7k/8/5K2/8/8/8/3N4/4B3 w - - 0 1",
                                       "8/8/8/4k3/8/4P3/8/4K3 b - - 0 1",
                                       "4k3/4b3/8/8/8/8/4R3/4K3 w - - 0 1",
                                       "8/5k2/3b4/2p3p1/2P3P1/3B1P2/5K2/8 w - - 0 1",
                                       "8/8/3k4/8/8/7r/1Q6/K7 b - - 0 1"};
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++)
        for (Score v = -500; v <= 500; v += 100) {
            Position p = position_of(fens[i]), q = turned(&p);
            assert_int_equal(endgame_scale(&p, v), endgame_scale(&q, v));
        }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_endings_are_worth_nothing),
        cmocka_unit_test(drawish_endings_are_worth_little),
        cmocka_unit_test(other_positions_are_left_alone),
        cmocka_unit_test(bare_kings_are_driven),
        cmocka_unit_test(values_stay_values),
        cmocka_unit_test(both_colours_are_told_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
