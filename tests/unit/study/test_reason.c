/* Mistakes with a plain reason, each found by a search, and moves about which nothing
 * may be said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/fen.h"
#include "lines.h"

#include <string.h>
#include <unistd.h>

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
    /* the pawn can take back, so the knight does not hang, but it defends the bishop on b5 */
    {"r1b1k1nr/pp3ppp/1qn1p3/1Bbp4/3N4/2P5/PP3PPP/RNBQK2R w KQkq - 2 9", "Qf3",
     REASON_ALLOWS_REMOVAL,
     "Allows the capture of a defender, the knight on d4: 9...Bxd4 10.cxd4 Qxb5"},
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
    /* one step farther away the king does not reach the pawn */
    {"8/8/5k2/8/P7/8/8/6K1 b - - 0 1", "Kf5", REASON_ALLOWS_RUN,
     "Leaves the king too far away to stop the pawn on a5: 2.a5."},
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
    Move m = lines_move(&p, span_of(move));
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

static void mistakes_have_their_reasons(void **state)
{
    (void)state;
    Reviewer *r = lines_reviewer(NULL);
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
    Reviewer *r = lines_reviewer(NULL);
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
    Reviewer *r = lines_reviewer(NULL);
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
    Reviewer *r = lines_reviewer(NULL);
    Review *review = review_one(r, FEN_START, "e4");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_material(review, &rows[i].reason, rows[i].words);
    review_free(review);
    reviewer_close(r);
}

/* -- Positions and games that are decided -- */

/* A rook down already, the knight decides nothing any more; it is told all the same. */
static void a_dropped_piece_is_told_without_a_glyph(void **state)
{
    (void)state;
    Reviewer *r = lines_reviewer(NULL);
    Review *review = review_one(r, "2r1r1k1/4bppp/8/8/8/5N2/5PPP/3R2K1 w - - 0 1", "Ng5");
    Text words;
    text_init(&words);
    review_add_words(review, 0, &words);
    assert_int_equal(review->moves[0].label, REVIEW_FINE);
    assert_non_null(reason_like(&review->moves[0], REASON_HANGS));
    assert_string_equal(words.at, "Hangs the knight on g5: 1...Bxg5.");
    text_free(&words);
    review_free(review);
    reviewer_close(r);
}

/* Nineteen half-moves are no reading matter. */
static void a_distant_mate_is_told_by_its_beginning(void **state)
{
    (void)state;
    Position p = position_of(FEN_START);
    Line line = lines_read(&p, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 "
                               "Nf3 Nf6 Ng1");
    ReviewMove m = {.move = line.at[0], .line_length = line.length, .reason_count = 1};
    memcpy(m.line, line.at, sizeof *line.at * (size_t)line.length);
    m.reasons[0] = (ReviewReason){.kind = REASON_MISSES_MATE, .moves = 10, .plies = line.length};
    Review *review = calloc(1, sizeof *review + sizeof m);
    assert_non_null(review);
    *review = (Review){.start = p, .count = 1};
    review->moves[0] = m;
    Text words;
    text_init(&words);
    review_add_reason(review, 0, 0, &words);
    review_free(review);
    assert_string_equal(words.at, "Missed mate in 10: 1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 ...");
    text_free(&words);
}

/* White is lost early and mated in 19 moves: what is played in a lost position makes nobody
 * accurate. */
static void who_is_mated_soon_was_not_accurate(void **state)
{
    (void)state;
    static const char sans[] =
        "d4 c6 Bg5 d6 Qd2 Nd7 Qc3 a6 e4 h6 Bh4 Ngf6 e5 Nd5 Qf3 dxe5 dxe5 Nxe5 Qe4 Ng4 Nc3 Nxc3 bxc3 "
        "Nxf2 Bxf2 Qd5 Qxd5 cxd5 O-O-O e5 Rxd5 Ba3+ Kb1 Be6 Rxe5 O-O-O Nf3 Rd1#";
    Position p = position_of(FEN_START);
    Line line = lines_read(&p, sans);
    Reviewer *r = lines_reviewer(NULL);
    Review *review = NULL;
    Message why = {""};
    assert_int_equal(line.length, 38);
    assert_int_equal(review_moves(r, &p, line.at, line.length, NULL, &review, &why), STATUS_OK);
    assert_true(review->totals[WHITE].labels[REVIEW_BLUNDER] >= 1);
    assert_true(review->totals[WHITE].accuracy < 75);
    assert_true(review->totals[BLACK].accuracy > review->totals[WHITE].accuracy + 10);
    review_free(review);
    reviewer_close(r);
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
    Reviewer *r = lines_reviewer(tb);
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
        cmocka_unit_test(a_dropped_piece_is_told_without_a_glyph),
        cmocka_unit_test(a_distant_mate_is_told_by_its_beginning),
        cmocka_unit_test(who_is_mated_soon_was_not_accurate),
        cmocka_unit_test(tables_make_it_certain),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
