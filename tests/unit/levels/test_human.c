/* The model of human choice: facts about moves, probabilities, the fit, and the cache file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "base/file.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "levels/human_frame.h"
#include "levels/human_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- Facts -- */

static Move move_of(const Position *p, const char *san)
{
    Move m;
    Message why;
    assert_int_equal(san_read(p, span_of(san), &m, &why), STATUS_OK);
    return m;
}

/* The value of a fact of one move; 0 where it has none. The searches say nothing here. */
static double fact_of(const HumanMoment *moment, const char *san, int fact)
{
    static HumanFeatures features[MAX_MOVES];
    HumanValue values[MAX_MOVES];
    Move moves[MAX_MOVES], wanted = move_of(moment->p, san);
    int count = movegen(moment->p, GEN_ALL, moves), at = -1;
    for (int i = 0; i < count; i++) {
        values[i] = (HumanValue){.move = moves[i]};
        at = moves[i] == wanted ? i : at;
    }
    assert_true(at >= 0);
    human_features(moment, values, count, features);
    for (int i = 0; i < features[at].count; i++)
        if (features[at].at[i].index == fact)
            return (double)features[at].at[i].value / HUMAN_UNIT;
    return 0;
}

static void captures_are_told_apart(void **state)
{
    (void)state;
    /* Black's knight just took on e4; the pawn takes back. The rook on a8 hangs to the bishop. */
    Position p = position_of("r3k3/8/8/8/4n3/3P4/6B1/4K3 w - - 0 20");
    HumanMoment moment = {.p = &p,
                          .their_last = move_make(move_from(move_of(&p, "Kd1")), 28, MOVE_NORMAL),
                          .was_capture = true};
    assert_true(fact_of(&moment, "dxe4", FACT_RECAPTURES) == 1);
    assert_true(fact_of(&moment, "dxe4", FACT_TAKES_KNIGHT) == 1);
    assert_true(fact_of(&moment, "dxe4", FACT_TAKES_WITH_PAWN) == 1);
    assert_true(fact_of(&moment, "Bxe4", FACT_RECAPTURES) == 1);
    assert_true(fact_of(&moment, "Kd1", FACT_RECAPTURES) == 0);
    assert_true(fact_of(&moment, "Kd1", FACT_TAKES_KNIGHT) == 0);
    moment.was_capture = false;
    assert_true(fact_of(&moment, "dxe4", FACT_RECAPTURES) == 0);
    assert_true(fact_of(&moment, "dxe4", FACT_TAKES_LAST_MOVED) == 1);
}

static void safety_is_seen(void **state)
{
    (void)state;
    Position p = position_of("4k3/8/3p4/8/1b6/8/3Q4/R3K2R w KQ - 0 20");
    HumanMoment moment = {.p = &p};
    assert_true(fact_of(&moment, "O-O", FACT_CASTLES_SHORT) == 1);
    assert_true(fact_of(&moment, "O-O-O", FACT_CASTLES_LONG) == 1);
    assert_true(fact_of(&moment, "Kf1", FACT_LOSES_CASTLING) == 1);
    Position q = position_of("4k3/8/8/2p5/8/5N2/8/4K3 w - - 0 20");
    HumanMoment other = {.p = &q};
    assert_true(fact_of(&other, "Nd4", FACT_UNSAFE_MINOR) == 1);
    assert_true(fact_of(&other, "Ng5", FACT_UNSAFE_MINOR) == 0);
    assert_true(human_hangs_piece(&q, move_of(&q, "Nd4"), false));
    assert_false(human_hangs_piece(&q, move_of(&q, "Ng5"), false));
}

/* White's rook on d1 was just attacked by the bishop on g4; Black's knight on e5 can be taken. */
static void contact_is_seen(void **state)
{
    (void)state;
    Position p = position_of("3r2k1/5ppp/3p4/4n3/6b1/2N2N2/5PPP/3R2K1 w - - 0 30");
    HumanMoment moment = {.p = &p, .their_last = move_make(58, 30, MOVE_NORMAL)};
    assert_true(fact_of(&moment, "Nxe5", FACT_EVEN_TRADE) == 1);
    assert_true(fact_of(&moment, "Nxe5", FACT_TRADE_LEAD) < 0);
    assert_true(fact_of(&moment, "Rxd6", FACT_EVEN_TRADE) == 0);
    assert_true(fact_of(&moment, "Ne4", FACT_GUARDED) == 0);
    assert_true(fact_of(&moment, "Nd5", FACT_GUARDED) == 1);
    assert_true(fact_of(&moment, "h3", FACT_ATTACKS_LAST) == 1);
    assert_true(fact_of(&moment, "h3", FACT_PAWN_GUARDED) == 1);
    assert_true(fact_of(&moment, "g3", FACT_ATTACKS_LAST) == 0);
    assert_true(fact_of(&moment, "Nd4", FACT_BLOCKS_LAST) == 0);
    assert_true(fact_of(&moment, "Rd4", FACT_ROOK_SEVENTH) == 0);
    assert_true(fact_of(&moment, "Rd2", FACT_GUARDED) == 1);
}

static void plans_are_seen(void **state)
{
    (void)state;
    /* A passed pawn of the side that leads, an open way to the seventh rank, doubled rooks. */
    Position p = position_of("5rk1/2p2ppp/8/1P6/8/8/R4PPP/1R4K1 w - - 0 30");
    HumanMoment moment = {.p = &p};
    assert_true(fact_of(&moment, "Ra7", FACT_ROOK_SEVENTH) == 1);
    assert_true(fact_of(&moment, "Rab2", FACT_ROOKS_LINE) == 1);
    assert_true(fact_of(&moment, "Ra4", FACT_ROOKS_LINE) == 0);
    assert_true(fact_of(&moment, "Rd1", FACT_OFFERS_TRADE) == 0);
    /* Kings on opposite sides: the pawns of the other wing go forward. */
    Position q = position_of("r1bq1rk1/ppp2ppp/2np1n2/4p3/4P3/2NPBN2/PPPQ1PPP/2KR1B1R w - - 0 9");
    HumanMoment other = {.p = &q};
    assert_true(fact_of(&other, "h4", FACT_PAWN_STORM) == 0.5);
    assert_true(fact_of(&other, "a3", FACT_PAWN_STORM) == 0);
    assert_true(fact_of(&other, "Bg5", FACT_IN_CONTACT) == 0);
    assert_true(fact_of(&other, "Bh6", FACT_IN_CONTACT) == 0);
}

static void every_fact_has_a_name(void **state)
{
    (void)state;
    for (int f = 0; f < HUMAN_FACTS; f++) {
        HumanFactName name = human_fact_name(f);
        assert_true(name.text && *name.text && strcmp(name.text, "habits of the squares") != 0);
        assert_true(name.depth >= 0 && name.depth <= HUMAN_DEPTHS);
    }
    assert_int_equal(human_fact_name(FACT_RANK + 2).depth, 3);
}

/* -- Probabilities -- */

static void people_recapture(void **state)
{
    (void)state;
    Position p = position_of("r1bqkbnr/pppp1ppp/2B5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4");
    HumanSearch *search;
    Message why;
    assert_int_equal(human_search_open(&search, &why), STATUS_OK);
    static HumanFeatures features[MAX_MOVES];
    static float weights[HUMAN_FEATURES];
    HumanValue values[MAX_MOVES];
    Move moves[MAX_MOVES];
    atomic_bool stop = false;
    int count = movegen(&p, GEN_ALL, moves);
    human_search_values(search, &p, moves, count, HUMAN_PLIES, &stop, values);
    HumanMoment moment = {
        .p = &p, .their_last = move_make(33, 42, MOVE_NORMAL), .was_capture = true};
    human_model_features(&moment, &human_book, values, count, features);
    for (int elo = 400; elo <= 2000; elo += 400) {
        double chances[MAX_MOVES], sum = 0, back = 0;
        HumanBlend blend = human_blend(elo, 300);
        human_blend_weights(&blend, human_weights, weights);
        human_model_choose(features, count, weights, chances);
        for (int i = 0; i < count; i++) {
            assert_true(chances[i] >= 0);
            sum += chances[i];
            back += move_to(moves[i]) == 42 ? chances[i] : 0;
        }
        assert_true(fabs(sum - 1) < 1e-9);
        assert_true(back > 0.9);
    }
    human_search_close(search);
}

static void blends_add_up(void **state)
{
    (void)state;
    for (int elo = 100; elo <= 3000; elo += 50)
        for (int seconds = 0; seconds <= 2000; seconds += 100) {
            HumanBlend b = human_blend(elo, seconds);
            double ratings = 0;
            for (int i = 1; i <= HUMAN_RATINGS; i++)
                ratings += (double)b.share[i];
            assert_true(b.share[0] == 1 && fabs(ratings - 1) < 1e-6);
            assert_true(b.share[HUMAN_BLOCKS - 1] >= 0 && b.share[HUMAN_BLOCKS - 1] <= 1);
        }
    assert_true(human_blend(900, 60).share[HUMAN_BLOCKS - 1] == 1);
    assert_true(human_blend(900, 900).share[HUMAN_BLOCKS - 1] == 0);
}

/* -- Games, fit and cache -- */

static const char *const lines[] = {
    "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6 d4 exd4 Nxd4 c5 Nb3 Qxd1",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 h6 Bh4 b6 cxd5 exd5",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Bg5 e6 f4 Be7 Qf3 Qc7",
    "e4 e5 Bc4 Nc6 Qh5 g6 Qf3 Nf6 Ne2 Bg7 d3 d6 h3 O-O O-O Na5",
};

static void add_games(HumanGames *g, int repeat)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines * (size_t)repeat; i++) {
        Move moves[64];
        Position p;
        pos_set_start(&p);
        HumanGame game = {.elo = {600, 1400}, .seconds = 300, .moves = moves};
        Span rest = span_of(lines[i % 4]), word;
        char text[16];
        while (span_next_word(&rest, &word)) {
            Undo undo;
            span_show(word, text, sizeof text);
            moves[game.count] = move_of(&p, text);
            pos_make(&p, moves[game.count++], &undo);
        }
        Message why;
        assert_int_equal(human_games_add(g, &game, &why), STATUS_OK);
    }
}

static double mean_loglik(const HumanData *d, const float *weights)
{
    double sum = 0, chances[MAX_MOVES];
    for (size_t i = 0; i < d->count; i++) {
        human_data_choose(d, &d->choices[i], weights, chances);
        sum += log(chances[d->choices[i].chosen]);
    }
    return sum / (double)d->count;
}

static void a_fit_explains_the_moves(void **state)
{
    (void)state;
    HumanGames g = {0};
    HumanData d = {0};
    Message why;
    add_games(&g, 1);
    assert_int_equal(human_games_search(&g, 100, NULL, NULL, &why), STATUS_OK);
    assert_int_equal(g.sample_count, 64);
    assert_int_equal(human_data_build(&d, &g, NULL, NULL, &why), STATUS_OK);
    assert_int_equal(d.count, 64);
    static float weights[HUMAN_WEIGHTS], order[HUMAN_WEIGHTS], none[HUMAN_WEIGHTS];
    HumanFitOptions options = {.without_fold = -1, .iterations = 40};
    assert_int_equal(human_fit(&d, &options, weights, &why), STATUS_OK);
    options.order_only = true;
    assert_int_equal(human_fit(&d, &options, order, &why), STATUS_OK);
    double uniform = mean_loglik(&d, none), by_order = mean_loglik(&d, order);
    assert_true(by_order > uniform + 0.1);
    assert_true(mean_loglik(&d, weights) > by_order + 0.1);
    for (int w = 0; w < HUMAN_WEIGHTS; w++) {
        int fact = w % HUMAN_FACTS;
        bool ordered = fact == FACT_RANK + HUMAN_DEEP || fact == FACT_BEST + HUMAN_DEEP;
        assert_true(order[w] == 0 || (w < HUMAN_BLOCKS * HUMAN_FACTS && ordered));
    }
    human_data_free(&d);
    human_games_free(&g);
}

/* Counts down the questions that are answered with yes. */
static bool yes_for_a_while(void *user, size_t done, size_t all)
{
    (void)done, (void)all;
    return --*(int *)user >= 0;
}

/* All work on the games asks before an iteration is over, and leaves the weights alone when it is
 * told to stop. */
static void work_on_games_ends_when_asked(void **state)
{
    (void)state;
    HumanGames g = {0};
    HumanData d = {0};
    Message why;
    static float weights[HUMAN_WEIGHTS], none[HUMAN_WEIGHTS];
    static HumanBand bands[HUMAN_BANDS];
    HumanLikes likes = {0};
    add_games(&g, 1);
    assert_int_equal(human_games_search(&g, 100, NULL, NULL, &why), STATUS_OK);
    int yes = 0;
    assert_int_equal(human_data_build(&d, &g, yes_for_a_while, &yes, &why), STATUS_STOPPED);
    human_data_free(&d);
    assert_int_equal(human_data_build(&d, &g, NULL, NULL, &why), STATUS_OK);
    HumanFitOptions fit = {
        .without_fold = -1, .iterations = 40, .progress = yes_for_a_while, .user = &yes};
    for (int first = 0; first < 2; first++) {
        yes = first;
        assert_int_equal(human_fit(&d, &fit, weights, &why), STATUS_STOPPED);
        assert_int_equal(yes, -1); /* it is not asked again */
        assert_memory_equal(weights, none, sizeof none);
    }
    HumanTestOptions test = {.weights = none,
                             .order_weights = none,
                             .fold = -1,
                             .progress = yes_for_a_while,
                             .user = &yes};
    yes = 5;
    human_test_begin(bands);
    assert_int_equal(human_test(&d, &g, &test, bands, &likes, &why), STATUS_STOPPED);
    double positions = 0;
    for (int i = 0; i < HUMAN_BANDS; i++)
        positions += bands[i].positions;
    assert_int_equal((int)positions, 5);
    human_data_free(&d);
    human_games_free(&g);
}

static void the_book_counts_moves(void **state)
{
    (void)state;
    HumanGames g = {0};
    HumanBook book;
    Message why;
    add_games(&g, 10);
    assert_int_equal(human_book_build(&book, &g, -1, &why), STATUS_OK);
    Position p;
    pos_set_start(&p);
    int e4 = 0, d4 = 0;
    for (size_t i = 0; i < book.count; i++)
        if (book.moves[i].key == pos_polyglot_key(&p)) {
            e4 += book.moves[i].move == move_of(&p, "e4") ? book.moves[i].count : 0;
            d4 += book.moves[i].move == move_of(&p, "d4") ? book.moves[i].count : 0;
        }
    assert_int_equal(e4, 30);
    assert_int_equal(d4, 10);
    human_book_free(&book);
    human_games_free(&g);
}

static void check_damage(const char *path, size_t at, bool cut)
{
    char *bytes;
    size_t len;
    Message why;
    HumanGames g = {0};
    assert_int_equal(file_read(&bytes, &len, path, 1 << 24, &why), STATUS_OK);
    at %= len;
    if (!cut)
        bytes[at] ^= 0x11;
    char damaged[64];
    snprintf(damaged, sizeof damaged, "%s.damaged", path);
    assert_int_equal(file_write_atomic(damaged, bytes, cut ? at : len, &why), STATUS_OK);
    add_games(&g, 1);
    assert_int_equal(human_cache_read(&g, damaged, &why), STATUS_INVALID);
    unlink(damaged);
    free(bytes);
    human_games_free(&g);
}

static void a_cache_is_checked(void **state)
{
    (void)state;
    char path[] = "/tmp/castellan-cache-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    HumanGames g = {0}, again = {0}, others = {0};
    Message why;
    add_games(&g, 1);
    assert_int_equal(human_games_search(&g, 30, NULL, NULL, &why), STATUS_OK);
    assert_true(g.sample_count > 5 && g.sample_count < 40);
    assert_int_equal(human_cache_write(&g, path, &why), STATUS_OK);
    add_games(&again, 1);
    assert_int_equal(human_cache_read(&again, path, &why), STATUS_OK);
    assert_int_equal(again.sample_count, g.sample_count);
    for (size_t i = 0; i < g.sample_count; i++)
        for (int k = 0; k < g.samples[i].count; k++) {
            const HumanValue *wrote = &g.samples[i].values[k], *read = &again.samples[i].values[k];
            assert_int_equal(wrote->move, read->move);
            assert_memory_equal(wrote->at, read->at, sizeof wrote->at);
        }
    add_games(&others, 2);
    assert_int_equal(human_cache_read(&others, path, &why), STATUS_INVALID);
    for (size_t at = 0; at < 4000; at += 397) {
        check_damage(path, at, false);
        check_damage(path, at, true);
    }
    unlink(path);
    human_games_free(&g);
    human_games_free(&again);
    human_games_free(&others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_are_told_apart),
        cmocka_unit_test(safety_is_seen),
        cmocka_unit_test(contact_is_seen),
        cmocka_unit_test(plans_are_seen),
        cmocka_unit_test(every_fact_has_a_name),
        cmocka_unit_test(people_recapture),
        cmocka_unit_test(blends_add_up),
        cmocka_unit_test(a_fit_explains_the_moves),
        cmocka_unit_test(work_on_games_ends_when_asked),
        cmocka_unit_test(the_book_counts_moves),
        cmocka_unit_test(a_cache_is_checked),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
