/* Mistakes with a plain reason, each found by a search, and moves about which nothing
 * may be said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "study/review_int.h"

#include <string.h>
#include <unistd.h>

static Move move_of(const Position *p, Span san)
{
    Move m = MOVE_NONE;
    Message why = {""};
    if (san_read(p, san, &m, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return m;
}

/* -- Whole mistakes, searched -- */

typedef struct Case {
    const char *fen, *move;
    ReviewReasonKind kind;
    const char *words; /* what the sentence must hold */
} Case;

/* clang-format off */
static const Case cases[] = {
    {"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "h3", REASON_MISSES_BACK_RANK,
     "Missed mate on the back rank in 1: 1.Rd8#."},
    {"r5k1/5ppp/8/8/8/8/3R1PPP/6K1 w - - 0 1", "Rd7", REASON_ALLOWS_BACK_RANK,
     "Allows mate on the back rank in 2: 1...Ra1+ 2.Rd1 Rxd1#."},
    /* a piece down already, and still a mistake */
    {"3r2k1/5ppp/8/8/2n5/8/5PPP/R5K1 w - - 0 1", "Ra7", REASON_ALLOWS_BACK_RANK,
     "Allows mate on the back rank in 1: 1...Rd1#."},
    {"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1", "Nd4", REASON_HANGS,
     "Hangs the knight on d4: 1...exd4."},
    {"4k3/pb3ppp/8/8/2P5/8/P4PPP/3RK3 w - - 0 1", "Rd5", REASON_LOSES,
     "Loses the exchange: 1...Bxd5 2.cxd5."},
    {"6k1/5ppp/8/1q6/8/2N5/5PPP/4R1K1 w - - 0 1", "h3", REASON_MISSES_MATERIAL,
     "Misses the win of a queen: 1.Nxb5."},
    {"r3k3/5ppp/8/3N4/8/8/5PPP/4K3 w - - 0 1", "h3", REASON_MISSES_FORK,
     "Misses a fork by the knight on c7: 1.Nc7+ "},
    {"r3k3/5ppp/8/3N4/8/8/5PPP/4K3 b - - 0 1", "h6", REASON_ALLOWS_FORK,
     "Allows a fork by the knight on c7: 2.Nc7+ "},
    {"4k3/5ppp/2r5/8/8/8/5PPP/4KB2 w - - 0 1", "h3", REASON_MISSES_PIN,
     "Misses the pin of the rook on c6: 1.Bb5 "},
    {"4k3/5ppp/2r5/8/8/8/5PPP/4KB2 b - - 0 1", "h6", REASON_ALLOWS_PIN,
     "Allows the pin of the rook on c6: 2.Bb5 "},
    {"8/5p1p/5r2/8/3k4/8/5PPP/2B3K1 w - - 0 1", "h3", REASON_MISSES_SKEWER,
     "Misses the skewer of the king on d4: 1.Bb2+ "},
    {"8/5p1p/5r2/8/3k4/8/5PPP/2B3K1 b - - 0 1", "h6", REASON_ALLOWS_SKEWER,
     "Allows the skewer of the king on d4: 2.Bb2+ "},
    {"7k/4q1pp/8/4N3/8/8/5PPP/4R1K1 w - - 0 1", "h3", REASON_MISSES_DISCOVERY,
     "Misses a discovered attack by the rook on e1: 1.Ng6+ "},
    {"r3k3/8/8/8/1N6/8/8/4K3 w - - 0 1", "Na2", REASON_HANGS, "Hangs the knight on a2: 1...Rxa2."},
    {"8/P4k2/8/8/7r/8/6PP/6K1 w - - 0 1", "h3", REASON_MISSES_PROMOTION,
     "Misses the promotion of a pawn on a8: 1.a8=Q."},
    {"8/P4k2/8/8/7r/8/6PP/6K1 b - - 0 1", "Kg7", REASON_ALLOWS_PROMOTION,
     "Allows a pawn to promote on a8: 2.a8=Q"},
    {"6bk/R7/8/8/8/7p/5q1P/7K w - - 0 1", "Ra1", REASON_MISSES_STALEMATE,
     "Misses a stalemate: 1.Rh7+ "},
    {"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "Qg6", REASON_ALLOWS_STALEMATE, "Allows stalemate."},
    {"6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1", "Qd1", REASON_MISSES_REPETITION,
     "Misses a draw by repetition: 1.Qe8+ "},
    {"8/8/8/2p1Q3/3q4/3k4/8/7K w - - 0 1", "Qxd4+", REASON_TRADES_INTO_LOSS,
     "Trades into a lost ending: 1...cxd4."},
};
/* clang-format on */

static const ReviewReason *reason_like(const ReviewMove *m, ReviewReasonKind kind)
{
    for (int i = 0; i < m->reason_count; i++)
        if (m->reasons[i].kind == kind)
            return &m->reasons[i];
    return NULL;
}

static Review *review_one(Reviewer *r, const char *fen, const char *move)
{
    Position p = position_of(fen);
    Move m = move_of(&p, span_of(move));
    Review *review = NULL;
    Message why = {""};
    if (review_moves(r, &p, &m, 1, NULL, &review, &why) != STATUS_OK)
        fail_msg("%s: %s", fen, why.text);
    return review;
}

static void check_case(Reviewer *r, const Case *c)
{
    Review *review = review_one(r, c->fen, c->move);
    Text words;
    text_init(&words);
    review_add_words(review, 0, &words);
    if (!reason_like(&review->moves[0], c->kind) || !strstr(words.at, c->words))
        fail_msg("%s %s: wanted \"%s\", got \"%s\"", c->fen, c->move, c->words, words.at);
    /* who misses a mate may still be winning */
    assert_true(review->moves[0].label != REVIEW_FINE || c->kind == REASON_MISSES_BACK_RANK);
    text_free(&words);
    review_free(review);
}

static Reviewer *reviewer(Tablebases *tb)
{
    Reviewer *r;
    Message why = {""};
    ReviewOptions options = {.nodes = 20000, .hash_mb = 4, .tb = tb};
    if (reviewer_open(&r, &options, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return r;
}

static void mistakes_have_their_reasons(void **state)
{
    (void)state;
    Reviewer *r = reviewer(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(r, &cases[i]);
    reviewer_close(r);
}

/* -- Moves about which nothing may be said -- */

typedef struct Quiet {
    const char *fen, *move;
} Quiet;

static const Quiet quiet[] = {
    {FEN_START, "e4"},
    {FEN_START, "a3"},
    {"7k/4q1pp/8/4N3/8/8/5PPP/4R1K1 b - - 0 1", "Kg8"},
    {"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1", "Bb5"},
    /* a piece is given for a mate, and rightly */
    {"6k1/5ppp/8/8/8/8/3Q1PPP/3R2K1 w - - 0 1", "Qd8+"},
    /* a slower mate is still a mate */
    {"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "Qg4"},
};

static void nothing_is_said_without_need(void **state)
{
    (void)state;
    Reviewer *r = reviewer(NULL);
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        Review *review = review_one(r, quiet[i].fen, quiet[i].move);
        if (review->moves[0].reason_count || review->moves[0].label == REVIEW_BLUNDER)
            fail_msg("%s %s: something was said", quiet[i].fen, quiet[i].move);
        review_free(review);
    }
    reviewer_close(r);
}

/* Both recaptures take the rook: the weaker one does not miss it. */
static void what_is_taken_is_not_missed(void **state)
{
    (void)state;
    Reviewer *r = reviewer(NULL);
    Review *review =
        review_one(r, "r1k2b1r/p2nR1p1/2b4p/1p1n1p2/3P4/3Q1NB1/1PP2PPP/R5K1 b - - 0 18", "Bxe7");
    assert_null(reason_like(&review->moves[0], REASON_MISSES_MATERIAL));
    review_free(review);
    reviewer_close(r);
}

static void check_material(Review *review, const ReviewReason *reason, const char *words)
{
    Text text;
    text_init(&text);
    review->moves[0].reasons[0] = *reason;
    review_add_reason(review, 0, 0, &text);
    assert_string_equal(text.at, words);
    text_free(&text);
}

static void material_is_named(void **state)
{
    (void)state;
    static const struct {
        ReviewReason reason;
        const char *words;
    } rows[] = {
        {{.kind = REASON_LOSES, .gone[ROOK] = 1}, "Loses a rook."},
        {{.kind = REASON_LOSES, .gone[PAWN] = 1}, "Loses a pawn."},
        {{.kind = REASON_LOSES, .gone[ROOK] = 2}, "Loses two rooks."},
        {{.kind = REASON_LOSES, .gone[ROOK] = 1, .got[BISHOP] = 1}, "Loses the exchange."},
        {{.kind = REASON_LOSES, .gone[QUEEN] = 1, .got[ROOK] = 1, .got[KNIGHT] = 1},
         "Loses a queen for a rook and a knight."},
        {{.kind = REASON_LOSES, .gone[KNIGHT] = 1, .gone[PAWN] = 2},
         "Loses a knight and two pawns."},
        {{.kind = REASON_LOSES, .gone[PAWN] = 4}, "Loses four pawns."},
        {{.kind = REASON_LOSES, .gone[PAWN] = 5}, "Loses material."},
        {{.kind = REASON_LOSES}, "Loses material."},
    };
    Reviewer *r = reviewer(NULL);
    Review *review = review_one(r, FEN_START, "e4");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_material(review, &rows[i].reason, rows[i].words);
    review_free(review);
    reviewer_close(r);
}

/* -- Lines written by hand: the claim holds only when the line shows it -- */

static Line line_of(const Position *from, const char *sans)
{
    Line line = {.length = 0};
    Position p = *from;
    Span rest = span_of(sans), word;
    Undo undo;
    while (span_next_word(&rest, &word)) {
        line.at[line.length] = move_of(&p, word);
        pos_make(&p, line.at[line.length++], &undo);
    }
    return line;
}

static bool shows(const char *fen, const char *sans, ReviewReasonKind kind)
{
    Position p = position_of(fen);
    Line line = line_of(&p, sans);
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
    Line line = line_of(&p, sans), other = line_of(&p, instead);
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

static void trades_are_counted_at_rest(void **state)
{
    (void)state;
    Position p = position_of("4k3/pb3ppp/8/8/2P5/8/P4PPP/3RK3 w - - 0 1");
    Line line = line_of(&p, "Rd5 Bxd5 cxd5");
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
    Line back = line_of(&q, "dxe4 dxe4 Bxe4");
    assert_true(trade_of_line(&q, &back, WHITE, &t));
    assert_int_equal(t.net, 3);
}

/* -- With tables the verdict on an ending is certain -- */

static const char *tables(void)
{
    const char *path = "../shared/data/syzygy";
    return access(path, R_OK) == 0 ? path : NULL;
}

static void tables_make_it_certain(void **state)
{
    (void)state;
    Tablebases *tb = NULL;
    Message why = {""};
    if (!tables() || tb_open(&tb, tables(), &why) != STATUS_OK) {
        print_message("no tables at ../shared/data/syzygy\n");
        skip();
    }
    static const Case endings[] = {
        {"8/8/8/2p1Q3/3q4/3k4/8/7K w - - 0 1", "Qxd4+", REASON_TRADES_INTO_LOSS,
         "Trades into a lost ending (tablebase): 1...cxd4."},
        /* the opposition is all there is to know */
        {"8/3k4/8/4K3/8/3P4/8/8 w - - 0 1", "d4", REASON_SPOILS_TB_WIN,
         "Gives away a won ending (tablebase)"},
        {"8/8/8/8/3pk3/8/3K4/8 w - - 0 1", "Kc1", REASON_SPOILS_TB_DRAW,
         "Loses a drawn ending (tablebase)"},
    };
    Reviewer *r = reviewer(tb);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        check_case(r, &endings[i]);
    reviewer_close(r);
    tb_close(tb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_have_their_reasons),
        cmocka_unit_test(nothing_is_said_without_need),
        cmocka_unit_test(what_is_taken_is_not_missed),
        cmocka_unit_test(material_is_named),
        cmocka_unit_test(tricks_must_be_shown),
        cmocka_unit_test(defenders_and_trapped_pieces),
        cmocka_unit_test(plans_must_be_shown),
        cmocka_unit_test(trades_are_counted_at_rest),
        cmocka_unit_test(tables_make_it_certain),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
