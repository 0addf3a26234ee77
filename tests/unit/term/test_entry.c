/* Moves as people type them. */
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "term/entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void expect_entry(const char *fen, const char *typed, EntryKind kind, const char *wanted)
{
    Position p;
    Move m = MOVE_NONE;
    Message why;
    char text[UCI_MOVE_SIZE];
    assert_int_equal(fen_parse(&p, span_of(fen), false, &why), STATUS_OK);
    assert_int_equal(entry_read(&p, span_of(typed), &m, &why), kind);
    if (kind == ENTRY_NOTHING) {
        assert_true(why.text[0] != '\0');
        return;
    }
    uci_move_write(&p, m, text);
    assert_string_equal(text, wanted);
}

static void reads_words_and_numbers(void **state)
{
    (void)state;
    expect_entry(FEN_START, "e4", ENTRY_MOVE, "e2e4");
    expect_entry(FEN_START, "  Nf3 ", ENTRY_MOVE, "g1f3");
    expect_entry(FEN_START, "g1f3", ENTRY_MOVE, "g1f3");
    expect_entry(FEN_START, "52 36", ENTRY_MOVE, "e2e4"); /* JavaChess: a8 = 0 */
    expect_entry(FEN_START, "62 45", ENTRY_MOVE, "g1f3");
    expect_entry(FEN_START, "52 20", ENTRY_NOTHING, "");
    expect_entry(FEN_START, "52 64", ENTRY_NOTHING, "");
    expect_entry(FEN_START, "Ke2", ENTRY_NOTHING, "");
    expect_entry(FEN_START, "--", ENTRY_NOTHING, "");
    expect_entry(FEN_START, "", ENTRY_NOTHING, "");
}

static void castles_either_way(void **state)
{
    static const char fen[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    (void)state;
    expect_entry(fen, "O-O", ENTRY_MOVE, "e1g1");
    expect_entry(fen, "e1c1", ENTRY_MOVE, "e1c1");
    expect_entry(fen, "60 62", ENTRY_MOVE, "e1g1");
}

static void asks_what_a_pawn_becomes(void **state)
{
    static const char fen[] = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";
    (void)state;
    expect_entry(fen, "e8", ENTRY_PROMOTION, "e7e8q");
    expect_entry(fen, "exd8", ENTRY_PROMOTION, "e7d8q");
    expect_entry(fen, "12 4", ENTRY_PROMOTION, "e7e8q");
    expect_entry(fen, "e7e8", ENTRY_PROMOTION, "e7e8q");
    expect_entry(fen, "e8=N", ENTRY_MOVE, "e7e8n");
    Move queen = move_make_promotion(52, 60, QUEEN);
    assert_int_equal(entry_promotion(queen, span_of("N")), move_make_promotion(52, 60, KNIGHT));
    assert_int_equal(entry_promotion(queen, span_of(" rook ")), move_make_promotion(52, 60, ROOK));
    assert_int_equal(entry_promotion(queen, span_of("king")), MOVE_NONE);
    assert_int_equal(entry_promotion(queen, span_of("")), MOVE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_words_and_numbers),
        cmocka_unit_test(castles_either_way),
        cmocka_unit_test(asks_what_a_pawn_becomes),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
