/* What a line must show before a reason is given, and how lines are proved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/fen.h"
#include "lines.h"

/* -- Lines written by hand: the claim holds only when the line shows it -- */

static bool shows(const char *fen, const char *sans, ReviewReasonKind kind)
{
    Position p = position_of(fen);
    Line line = lines_read(&p, sans);
    ReviewReason found;
    return motif_find(&p, &line, &found) && found.kind == kind;
}

static void tricks_must_be_shown(void **state)
{
    (void)state;
    const char *fork = "r3k3/5ppp/8/3N4/8/8/5PPP/4K3 w - - 0 1";
    assert_true(shows(fork, "Nc7+ Kd7 Nxa8", REASON_MISSES_FORK));
    assert_false(shows(fork, "Nc7+ Kd7", REASON_MISSES_FORK));
    assert_false(shows(fork, "Nc7+ Kd7 Nd5", REASON_MISSES_FORK));
    /* the rook goes and the knight takes nothing */
    assert_false(shows(fork, "Nc3 Rd8 h3", REASON_MISSES_FORK));
    const char *pin = "4k3/5ppp/2r5/8/8/8/5PPP/4KB2 w - - 0 1";
    assert_true(shows(pin, "Bb5 Kd7 Bxc6+ Kxc6", REASON_MISSES_PIN));
    assert_false(shows(pin, "Bb5 Kd7 Ke2 Kd6", REASON_MISSES_PIN));
    const char *skewer = "8/5p1p/5r2/8/3k4/8/5PPP/2B3K1 w - - 0 1";
    assert_true(shows(skewer, "Bb2+ Ke4 Bxf6", REASON_MISSES_SKEWER));
    assert_false(shows(skewer, "Bb2+ Ke4 Bc3", REASON_MISSES_SKEWER));
    const char *discovery = "7k/4q1pp/8/4N3/8/8/5PPP/4R1K1 w - - 0 1";
    assert_true(shows(discovery, "Ng6+ hxg6 Rxe7", REASON_MISSES_DISCOVERY));
    assert_false(shows(discovery, "Ng6+ hxg6 h3", REASON_MISSES_DISCOVERY));
    const char *promotion = "6r1/P4k2/8/8/8/8/6PP/6K1 w - - 0 1";
    assert_false(shows(promotion, "a8=Q Rxa8", REASON_MISSES_PROMOTION));
    assert_true(shows("8/P4k2/8/8/7r/8/6PP/6K1 w - - 0 1", "a8=Q Kg7", REASON_MISSES_PROMOTION));
    assert_false(shows(FEN_START, "", REASON_MISSES_FORK));
}

/* Both sides run; the one that promotes first stops the other. */
static void a_race_has_two_pawns(void **state)
{
    (void)state;
    const char *race = "8/7P/8/k7/8/1p6/8/7K w - - 0 1";
    assert_true(shows(race, "h8=Q b2 Qxb2 Ka6", REASON_MISSES_PROMOTION));
    const char *longer = "8/8/7P/k7/1p6/8/8/7K w - - 0 1";
    assert_true(shows(longer, "h7 b3 h8=Q b2 Qxb2 Ka6", REASON_MISSES_RACE));
    assert_true(shows(longer, "h7 Kb5 h8=Q b3 Qb2 Kc4", REASON_MISSES_PROMOTION));
}

static Square runner(const char *fen, Color side)
{
    Position p = position_of(fen);
    return pawns_find_runner(&p, side);
}

static void the_rule_of_the_square(void **state)
{
    (void)state;
    assert_int_equal(runner("8/8/8/P3k3/8/8/8/6K1 b - - 0 1", WHITE), SQ_NONE);
    assert_int_equal(runner("8/8/8/P3k3/8/8/8/6K1 w - - 0 1", WHITE), square_make(0, 4));
    assert_int_equal(runner("8/8/8/P4k2/8/8/8/6K1 b - - 0 1", WHITE), square_make(0, 4));
    /* two steps from its first square */
    assert_int_equal(runner("8/8/8/5k2/8/8/P7/6K1 w - - 0 1", WHITE), SQ_NONE);
    assert_int_equal(runner("8/8/8/8/6k1/8/P7/6K1 w - - 0 1", WHITE), square_make(0, 1));
    /* something stands in the way, or a piece can stop the pawn */
    assert_int_equal(runner("8/K7/8/P4k2/8/8/8/8 b - - 0 1", WHITE), SQ_NONE);
    assert_int_equal(runner("8/8/8/P4k2/8/8/6n1/K7 b - - 0 1", WHITE), SQ_NONE);
    assert_int_equal(runner("6k1/8/8/8/p4K2/8/8/8 w - - 0 1", BLACK), square_make(0, 3));
}

static void defenders_and_trapped_pieces(void **state)
{
    (void)state;
    const char *trap = "4k3/1p3ppp/2p5/n7/8/8/PP3PPP/3QKB2 w - - 0 1";
    assert_true(shows(trap, "b4 Ke7 bxa5", REASON_MISSES_TRAP));
    /* the knight has a square */
    assert_false(
        shows("4k3/5ppp/2p5/n7/8/8/PP3PPP/3QKB2 w - - 0 1", "b4 Ke7 bxa5", REASON_MISSES_TRAP));
    const char *overload = "6k1/n3qppp/8/8/4b3/3B3P/5PP1/R5K1 w - - 0 1";
    assert_true(shows(overload, "Bxe4 Qxe4 Rxa7", REASON_MISSES_OVERLOAD));
    assert_false(shows(overload, "Rxa7 Qxa7 Bxe4", REASON_MISSES_OVERLOAD));
    const char *removal = "6k1/5ppp/5n2/3n2B1/8/2N4P/5PP1/6K1 w - - 0 1";
    assert_true(shows(removal, "Bxf6 gxf6 Nxd5", REASON_MISSES_REMOVAL));
    assert_false(shows(removal, "Nxd5 Nxd5 Kh2", REASON_MISSES_REMOVAL));
}

/* -- Where neither mate nor material is at stake -- */

static ReviewReasonKind plan_shown(const char *fen, const char *sans, const char *instead)
{
    Position p = position_of(fen);
    Line line = lines_read(&p, sans), other = lines_read(&p, instead);
    Plan plan = {.before = &p, .from = &p, .line = &line, .instead = &other};
    ReviewReason found;
    return plan_find(&plan, &found) ? found.kind : REASON_NONE;
}

static void plans_must_be_shown(void **state)
{
    (void)state;
    const char *doubled = "r3k2r/ppp2ppp/2n2n2/8/1b6/2N2N2/PPP2PPP/R4RK1 b kq - 0 1";
    assert_int_equal(plan_shown(doubled, "Bxc3 bxc3 O-O", "O-O Nd5 Bd6"), REASON_MISSES_DOUBLED);
    /* the other choice doubles them as well */
    assert_int_equal(plan_shown(doubled, "Bxc3 bxc3 O-O", "O-O h3 Bxc3 bxc3"), REASON_NONE);
    const char *king = "r1bqk2r/ppp2ppp/2n2n2/8/1b2p3/2N2N2/PPP1QPPP/R1B1KB1R w KQkq - 0 1";
    assert_int_equal(plan_shown(king, "Qxe4+ Kf8 Bd2", "Qd2 O-O"), REASON_MISSES_KING_MOVE);
    assert_int_equal(plan_shown(king, "Qxe4+ Be7 Bd2", "Qd2 O-O"), REASON_NONE);
    const char *advance = "6k1/5ppp/1p6/P7/8/8/5PPP/6K1 w - - 0 1";
    assert_int_equal(plan_shown(advance, "a6 Kf8 a7", "Kf1 bxa5 Ke2"), REASON_MISSES_ADVANCE);
    const char *tempo = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1";
    assert_int_equal(plan_shown(tempo, "Nc3 Qd8 d4", "d4 Nf6 Nf3"), REASON_MISSES_TEMPO);
    assert_int_equal(plan_shown(tempo, "Nc3 Nf6 Nxd5", "d4 Nf6 Nf3"), REASON_NONE);
    const char *checks = "6k1/5pp1/7p/8/8/2Q5/5PPP/6K1 w - - 0 1";
    assert_int_equal(plan_shown(checks, "Qc8+ Kh7 Qf5+ Kg8", "h3 h5"), REASON_MISSES_CHECKS);
    assert_int_equal(plan_shown(checks, "Qc8+ Kh7 h3 g6", "h3 h5"), REASON_NONE);
    const char *pin = "r2qk2r/ppp2ppp/2n2n2/3p4/8/4P3/PPP2PPP/RNBQKB1R w KQkq - 0 1";
    assert_int_equal(plan_shown(pin, "Bb5 h6", "h3 O-O"), REASON_MISSES_PIN);
}

static ReviewReason threat_of(const char *fen, const char *first)
{
    Position p = position_of(fen);
    Line line = lines_read(&p, first), none = {.length = 0};
    Plan plan = {.before = &p, .from = &p, .line = &line, .instead = &none};
    Reviewer *r = lines_reviewer(NULL);
    ReviewReason found;
    Message why = {""};
    assert_int_equal(plan_find_threat(r, &plan, &found, &why), STATUS_OK);
    reviewer_close(r);
    return found;
}

static void threats_are_shown_by_a_pass(void **state)
{
    (void)state;
    ReviewReason mate = threat_of("6k1/5ppp/8/8/8/8/4QPPP/6K1 w - - 0 1", "Qe7");
    assert_int_equal(mate.kind, REASON_MISSES_THREAT);
    assert_int_equal(mate.moves, 1);
    ReviewReason piece = threat_of("4k3/pp3ppp/8/2n5/8/8/PP3PPP/2R1K3 w - - 0 1", "b4");
    assert_int_equal(piece.kind, REASON_MISSES_THREAT);
    assert_int_equal(piece.moves, 0);
    assert_int_equal(piece.gone[KNIGHT], 1);
    assert_int_equal(threat_of(FEN_START, "a3").kind, REASON_NONE);
}

/* -- Lines are searched move by move -- */

static ProofVerdict verdict_on(const char *fen, const char *sans, double chance, Line *line)
{
    Position p = position_of(fen);
    Reviewer *r = lines_reviewer(NULL);
    Proof proof = {.reviewer = r, .from = &p, .line = line, .chance = chance};
    ProofVerdict verdict;
    Message why = {""};
    *line = lines_read(&p, sans);
    assert_int_equal(proof_confirm(&proof, line->length, &verdict, &why), STATUS_OK);
    reviewer_close(r);
    return verdict;
}

static void a_careless_line_proves_nothing(void **state)
{
    (void)state;
    const char *rook = "4k3/5ppp/8/8/8/8/r4PPP/4K2R w K - 0 1";
    Line line;
    assert_int_equal(verdict_on("6k1/8/8/8/8/8/8/KQ6 w - - 0 1", "Qb7 Kf8", 1, &line), PROOF_HOLDS);
    /* White leaves the rook to be taken: from there on the line has another move */
    assert_int_equal(verdict_on(rook, "O-O h6 Ra1 Rxa1+", 0, &line), PROOF_REPAIRED);
    Position p = position_of(rook);
    Line before = lines_read(&p, "O-O h6 Ra1");
    assert_true(line.length >= 3 && line.at[1] == before.at[1] && line.at[2] != before.at[2]);
    /* the first move is never replaced */
    assert_int_equal(verdict_on(rook, "Rg1 Ra1+", 0, &line), PROOF_FAILED);
}

static void trades_are_counted_at_rest(void **state)
{
    (void)state;
    Position p = position_of("4k3/pb3ppp/8/8/2P5/8/P4PPP/3RK3 w - - 0 1");
    Line line = lines_read(&p, "Rd5 Bxd5 cxd5");
    Trade t;
    assert_true(trade_first(&p, &line, WHITE, -2, &t));
    assert_int_equal(t.net, -2);
    assert_int_equal(t.plies, 3);
    assert_int_equal(t.lost[ROOK], 1);
    assert_int_equal(t.won[BISHOP], 1);
    line.length = 2; /* in the middle of the exchange nothing can be said */
    assert_false(trade_first(&p, &line, WHITE, -2, &t));
    /* what is won back in the end was never lost */
    Position q = position_of("4k3/8/8/3p4/4n3/3P4/8/4K2B w - - 0 1");
    Line back = lines_read(&q, "dxe4 dxe4 Bxe4");
    assert_true(trade_of_line(&q, &back, WHITE, &t));
    assert_int_equal(t.net, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tricks_must_be_shown),
        cmocka_unit_test(a_race_has_two_pawns),
        cmocka_unit_test(the_rule_of_the_square),
        cmocka_unit_test(defenders_and_trapped_pieces),
        cmocka_unit_test(plans_must_be_shown),
        cmocka_unit_test(threats_are_shown_by_a_pass),
        cmocka_unit_test(a_careless_line_proves_nothing),
        cmocka_unit_test(trades_are_counted_at_rest),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
