#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "notation/game_read.h"
#include "study/report.h"
#include "study/review.h"
#include "study/review_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Game *game_of(const char *pgn)
{
    Game *g = game_new();
    PgnReader *r;
    Message why = {""};
    assert_non_null(g);
    if (pgn_open_text(&r, "test", span_of(pgn), &why) != STATUS_OK ||
        game_read(g, r, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    pgn_close(r);
    return g;
}

static Review *review_of(const char *pgn, const ReviewOptions *options)
{
    Game *g = game_of(pgn);
    Reviewer *r;
    Review *review = NULL;
    Message why = {""};
    if (reviewer_open(&r, options, &why) != STATUS_OK ||
        review_game(r, g, NULL, &review, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    reviewer_close(r);
    game_free(g);
    return review;
}

static const ReviewOptions quick = {.nodes = 3000, .hash_mb = 4};
static const char fools[] = "1. f3 e5 2. g4 Qh4# 0-1";
static const char scholars[] = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";

/* -- Verdicts -- */

static void labels_go_by_chances(void **state)
{
    (void)state;
    assert_int_equal(review_label(0.5, 0.45), REVIEW_FINE);
    assert_int_equal(review_label(0.5, 0.39), REVIEW_INACCURACY);
    assert_int_equal(review_label(0.5, 0.29), REVIEW_MISTAKE);
    assert_int_equal(review_label(0.5, 0.19), REVIEW_BLUNDER);
    assert_int_equal(review_label(0.1, 0.9), REVIEW_FINE);
    ReviewScore mate = {.is_mate = true, .value = 7}, mated = {.is_mate = true, .value = 0};
    ReviewScore even = {.value = 0}, pawn = {.value = 100};
    assert_true(review_chance(&mate) == 1 && review_chance(&mated) == -1);
    assert_true(review_chance(&even) == 0);
    assert_true(fabs(review_chance(&pawn) - 0.1821) < 0.001);
}

static void the_fools_mate_is_a_blunder(void **state)
{
    (void)state;
    Review *review = review_of(fools, &quick);
    Text words;
    text_init(&words);
    assert_int_equal(review->count, 4);
    assert_int_equal(review->moves[2].label, REVIEW_BLUNDER);
    assert_int_equal(review->moves[2].reasons[0].kind, REASON_ALLOWS_MATE);
    review_add_words(review, 2, &words);
    assert_non_null(strstr(words.at, "Blunder. Allows mate in 1: 2...Qh4#. Better was 2."));
    assert_int_equal(review->moves[3].label, REVIEW_FINE);
    assert_true(review->moves[2].after.is_mate && review->moves[2].after.value == -1);
    assert_true(review_chance(&review->moves[3].after) == 1);
    assert_true(review->moves[3].after.is_mate && review->moves[3].after.value == 0);
    assert_true(review->moves[3].accuracy == 100);
    assert_int_equal(review->totals[WHITE].labels[REVIEW_BLUNDER], 1);
    assert_int_equal(review->totals[BLACK].labels[REVIEW_BLUNDER], 0);
    assert_true(review->totals[WHITE].accuracy < review->totals[BLACK].accuracy);
    assert_true(review->totals[WHITE].accuracy < 70);
    assert_int_equal(review->totals[WHITE].moves, 2);
    text_free(&words);
    review_free(review);
}

/* The moves before the mate keep it: none of them may be called a mistake. */
static void a_slower_mate_is_no_mistake(void **state)
{
    (void)state;
    const char *pgn = "[FEN \"7k/8/8/6K1/8/1Q6/8/8 w - - 0 1\"]\n\n"
                      "1. Qa2 Kg7 2. Qa7+ Kh8 3. Kg6 Kg8 4. Qa2+ Kh8 5. Qh2+ Kg8 *";
    ReviewOptions options = {.nodes = 30000, .hash_mb = 4};
    Review *review = review_of(pgn, &options);
    for (int i = 0; i < review->count; i += 2) {
        if (review->moves[i].label != REVIEW_FINE || !review->moves[i].after.is_mate)
            fail_msg("move %d was judged %s", i, review_label_name(review->moves[i].label));
        assert_int_equal(review->moves[i].missed_mate, 0);
    }
    review_free(review);
}

/* What a position was worth before a move is never less than what the move kept. */
static void scores_fit_together(void **state)
{
    (void)state;
    Review *review = review_of(scholars, &quick);
    for (int i = 0; i < review->count; i++) {
        const ReviewMove *m = &review->moves[i];
        assert_true(m->before.chance >= m->after.chance - 1e-9);
        assert_true(m->accuracy >= 0 && m->accuracy <= 100);
        assert_int_equal(m->before.win + m->before.draw + m->before.loss, 1000);
        assert_true(m->line_length > 0);
    }
    assert_int_equal(review->moves[5].label, REVIEW_BLUNDER);
    review_free(review);
}

static void only_moves_are_found(void **state)
{
    (void)state;
    /* the king steps aside, or the pawn takes the rook and promotes: one move holds */
    const char *pgn = "[FEN \"6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1\"]\n\n1. Qe8+ *";
    ReviewOptions options = {.nodes = 10000, .hash_mb = 4};
    Review *review = review_of(pgn, &options);
    assert_true(review->moves[0].only_move);
    Text words;
    text_init(&words);
    review_add_words(review, 0, &words);
    assert_string_equal(words.at, "Only move.");
    text_free(&words);
    review_free(review);
    review = review_of("1. e4 *", &options);
    assert_false(review->moves[0].only_move);
    review_free(review);
}

static void obvious_moves_are_no_finds(void **state)
{
    (void)state;
    ReviewOptions options = {.nodes = 10000, .hash_mb = 4};
    /* takes a queen that hangs, and takes it back */
    Review *review =
        review_of("[FEN \"r3k3/8/8/3q4/4P3/8/6PP/6K1 w - - 0 1\"]\n\n1. exd5 *", &options);
    assert_int_equal(review->moves[0].label, REVIEW_FINE);
    assert_false(review->moves[0].only_move);
    review_free(review);
    review =
        review_of("[FEN \"3qk3/8/8/8/8/8/8/3QK3 b - - 0 1\"]\n\n1... Qxd1+ 2. Kxd1 *", &options);
    assert_false(review->moves[1].only_move);
    review_free(review);
}

static void queens_are_preferred(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *line[2], *wanted;
    } cases[] = {
        {"r6k/1P6/8/8/8/8/6PP/6K1 w - - 0 1", {"b7b8r", "a8b8"}, "b7b8q"}, /* taken at once */
        {"r6k/1P6/8/8/8/8/6PP/6K1 w - - 0 1", {"b7b8n", "a8b8"}, "b7b8q"},
        {"8/1P5k/8/8/8/8/6PP/6K1 w - - 0 1",
         {"b7b8b", "h7g8"},
         "b7b8b"}, /* the king could not go there */
        {"8/1P5k/8/8/8/8/6PP/6K1 w - - 0 1", {"b7b8r", "h7g6"}, "b7b8q"},
        {"8/1P5k/8/8/8/8/6PP/6K1 w - - 0 1", {"b7b8n", "h7g6"}, "b7b8n"},
        {"8/5P1k/8/6K1/8/8/8/8 w - - 0 1", {"f7f8r", NULL}, "f7f8r"}, /* or it is stalemate */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Position root, p;
        Undo undo;
        Message why;
        Line line = {.length = 0};
        char move[UCI_MOVE_SIZE];
        assert_int_equal(fen_parse(&root, span_of(cases[i].fen), false, &why), STATUS_OK);
        p = root;
        for (int k = 0; k < 2 && cases[i].line[k]; k++) {
            line.at[k] = uci_move_read(&p, span_of(cases[i].line[k]));
            pos_make(&p, line.at[line.length++], &undo);
        }
        reviewer_prefer_queens(&line, &root);
        uci_move_write(&root, line.at[0], move);
        assert_string_equal(move, cases[i].wanted);
    }
}

/* Reti's mate: the search believes in 8...Nxe4 as well, until the moves behind it show better; that
 * must not make the position before it a lost one. */
static void a_trap_is_walked_into_where_it_snaps(void **state)
{
    (void)state;
    ReviewOptions options = {.nodes = 10000, .hash_mb = 16};
    const Evaluator *net;
    Message why;
    assert_int_equal(evaluator_default(&net, &why), STATUS_OK);
    options.evaluator = net;
    Review *review = review_of("1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ "
                               "7. Bd2 Qxe5 8. O-O-O Nxe4 9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0",
                               &options);
    for (int i = 0; i < review->count; i++)
        assert_int_equal(review->moves[i].label == REVIEW_BLUNDER, i == 15);
    assert_int_equal(review->moves[15].reasons[0].kind, REASON_ALLOWS_MATE);
    assert_int_equal(review->moves[15].reasons[0].moves, 3);
    review_free(review);
    evaluator_close(net);
}

/* 5.Kh1 would have stood there for the third time. Whoever is asked about that position alone sees
 * two lost pawns and no draw. */
static void a_missed_repetition_is_a_blunder(void **state)
{
    (void)state;
    ReviewOptions options = quick;
    const Evaluator *net;
    Message why;
    assert_int_equal(evaluator_default(&net, &why), STATUS_OK);
    options.evaluator = net;
    Review *review =
        review_of("[FEN \"6k1/pp3ppp/2n5/8/8/2N5/5PPP/7K b - - 0 1\"]\n\n1... Kh8 2. Kg1 "
                  "Kg8 3. Kh1 Kh8 4. Kg1 Kg8 5. h3 h6 *",
                  &options);
    const ReviewMove *allowed = &review->moves[6], *missed = &review->moves[7];
    assert_true(allowed->label >= REVIEW_MISTAKE);
    assert_int_equal(allowed->reasons[0].kind, REASON_ALLOWS_REPETITION);
    assert_true(missed->label >= REVIEW_MISTAKE);
    assert_int_equal(missed->reasons[0].kind, REASON_MISSES_REPETITION);
    review_free(review);
    evaluator_close(net);
}

/* -- The same again -- */

static void assert_same_line(const Move *a, int a_length, const Move *b, int b_length)
{
    assert_int_equal(a_length, b_length);
    assert_memory_equal(a, b, (size_t)a_length * sizeof *a);
}

static void assert_same_score(const ReviewScore *a, const ReviewScore *b)
{
    assert_int_equal(a->is_mate, b->is_mate);
    assert_int_equal(a->value, b->value);
    assert_true(a->chance == b->chance);
}

static void assert_same_review(const Review *a, const Review *b)
{
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        const ReviewMove *x = &a->moves[i], *y = &b->moves[i];
        assert_int_equal(x->move, y->move);
        assert_same_score(&x->before, &y->before);
        assert_same_score(&x->after, &y->after);
        assert_same_line(x->line, x->line_length, y->line, y->line_length);
        assert_same_line(x->reply, x->reply_length, y->reply, y->reply_length);
        assert_int_equal(x->label, y->label);
        assert_int_equal(x->depth, y->depth);
        assert_int_equal(x->reason_count, y->reason_count);
    }
    assert_true(a->totals[WHITE].accuracy == b->totals[WHITE].accuracy);
}

static void the_same_nodes_give_the_same_review(void **state)
{
    (void)state;
    Review *a = review_of(scholars, &quick), *b = review_of(scholars, &quick);
    assert_same_review(a, b);
    review_free(a);
    review_free(b);
}

/* One reviewer for many games: what it learnt of one must not tint the next. */
static void games_do_not_tint_each_other(void **state)
{
    (void)state;
    Reviewer *r;
    Message why = {""};
    Game *one = game_of(fools), *two = game_of(scholars);
    Review *alone = review_of(scholars, &quick), *before = NULL, *after = NULL;
    assert_int_equal(reviewer_open(&r, &quick, &why), STATUS_OK);
    assert_int_equal(review_game(r, one, NULL, &before, &why), STATUS_OK);
    assert_int_equal(review_game(r, two, NULL, &after, &why), STATUS_OK);
    assert_same_review(alone, after);
    review_free(alone);
    review_free(before);
    review_free(after);
    reviewer_close(r);
    game_free(one);
    game_free(two);
}

/* -- Openings, variants, odd games -- */

/* Every move of these games is in the list of openings, and one side is mated all the same. */
static void who_is_mated_by_theory_was_not_accurate(void **state)
{
    (void)state;
    Openings *o;
    Message why = {""};
    assert_int_equal(openings_open(&o, &why), STATUS_OK);
    ReviewOptions options = quick;
    options.openings = o;
    Review *white_mated = review_of(fools, &options), *black_mated = review_of(scholars, &options);
    assert_int_equal(white_mated->book_plies, white_mated->count);
    assert_true(white_mated->totals[WHITE].accuracy < 50);
    assert_true(white_mated->totals[BLACK].accuracy > 90);
    assert_int_equal(black_mated->book_plies, black_mated->count);
    assert_true(black_mated->totals[BLACK].accuracy < 50);
    assert_true(black_mated->totals[WHITE].accuracy > black_mated->totals[BLACK].accuracy + 30);
    review_free(white_mated);
    review_free(black_mated);
    openings_close(o);
}

static void openings_have_names_and_an_end(void **state)
{
    (void)state;
    Openings *o;
    Message why = {""};
    assert_int_equal(openings_open(&o, &why), STATUS_OK);
    ReviewOptions options = quick;
    options.openings = o;
    Review *review = review_of("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 h5 5. a3 *", &options);
    assert_true(review->has_opening);
    assert_int_equal(review->eco[0], 'C');
    assert_non_null(strstr(review->opening, "Ruy Lopez"));
    assert_in_range(review->book_plies, 6, 8);
    assert_true(review->moves[0].in_book && !review->moves[9].in_book == true);
    assert_int_equal(review->moves[0].phase, REVIEW_OPENING);
    review_free(review);
    openings_close(o);
}

static void other_starts_and_empty_games_work(void **state)
{
    (void)state;
    Review *review =
        review_of("[Variant \"Chess960\"]\n[SetUp \"1\"]\n"
                  "[FEN \"bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1\"]\n\n"
                  "1. e4 e5 2. Nf3 Nf6 3. O-O O-O *",
                  &quick);
    assert_int_equal(review->count, 6);
    assert_true(review->start.chess960);
    review_free(review);
    review = review_of("*", &quick);
    assert_int_equal(review->count, 0);
    review_free(review);
    /* ends with the null move, which nobody can judge */
    review = review_of("1. e4 -- 2. d4 *", &quick);
    assert_int_equal(review->count, 1);
    review_free(review);
}

/* -- Stopping, progress -- */

typedef struct Watch {
    Reviewer *reviewer;
    int calls, last, total, stop_at;
} Watch;

static void watch(void *user, int done, int total)
{
    Watch *w = user;
    assert_true(done >= w->last && done <= total);
    w->calls++;
    w->last = done;
    w->total = total;
    if (w->calls == w->stop_at)
        reviewer_stop(w->reviewer);
}

static void progress_is_told_and_a_stop_obeyed(void **state)
{
    (void)state;
    Game *g = game_of(scholars);
    Watch w = {0};
    Review *review = NULL;
    Message why = {""};
    ReviewProgress progress = {&w, watch};
    assert_int_equal(reviewer_open(&w.reviewer, &quick, &why), STATUS_OK);
    assert_int_equal(review_game(w.reviewer, g, &progress, &review, &why), STATUS_OK);
    assert_true(w.last == w.total && w.calls == w.total);
    review_free(review);
    w = (Watch){.reviewer = w.reviewer, .stop_at = 3};
    assert_int_equal(review_game(w.reviewer, g, &progress, &review, &why), STATUS_STOPPED);
    assert_null(review);
    reviewer_close(w.reviewer);
    game_free(g);
}

/* -- HTML -- */

static void texts_are_safe_inside_a_page(void **state)
{
    (void)state;
    Text t;
    text_init(&t);
    report_begin(&t, "a\"b&c\n<script>\xc3\xa9");
    assert_non_null(strstr(t.at, "<h1>a&quot;b&amp;c &lt;script&gt;\xc3\xa9</h1>"));
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_go_by_chances),
        cmocka_unit_test(the_fools_mate_is_a_blunder),
        cmocka_unit_test(a_slower_mate_is_no_mistake),
        cmocka_unit_test(scores_fit_together),
        cmocka_unit_test(only_moves_are_found),
        cmocka_unit_test(obvious_moves_are_no_finds),
        cmocka_unit_test(queens_are_preferred),
        cmocka_unit_test(a_trap_is_walked_into_where_it_snaps),
        cmocka_unit_test(a_missed_repetition_is_a_blunder),
        cmocka_unit_test(the_same_nodes_give_the_same_review),
        cmocka_unit_test(games_do_not_tint_each_other),
        cmocka_unit_test(who_is_mated_by_theory_was_not_accurate),
        cmocka_unit_test(openings_have_names_and_an_end),
        cmocka_unit_test(other_starts_and_empty_games_work),
        cmocka_unit_test(progress_is_told_and_a_stop_obeyed),
        cmocka_unit_test(texts_are_safe_inside_a_page),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
