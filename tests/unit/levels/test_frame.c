/* From what people choose to what a level plays: losses, pieces that are kept, repetitions, and
 * whom a level plays like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "levels/human_frame.h"
#include "levels/human_test.h"
#include "levels/level.h"

#include <math.h>
#include <string.h>

static Move move_of(const Position *p, const char *san)
{
    Move m;
    Message why;
    assert_int_equal(san_read(p, span_of(san), &m, &why), STATUS_OK);
    return m;
}

/* -- Choosing -- */

/* Four moves that people play with these probabilities, and what they give away. */
static double mean_loss(const HumanFrame *frame)
{
    Position p = position_of("4k3/8/8/2p5/8/5N2/8/4K3 w - - 0 20");
    const char *const sans[4] = {"Ne5", "Ng5", "Kd2", "Nd4"};
    const double people[4] = {0.4, 0.35, 0.2, 0.05};
    const Score scores[4] = {250, 300, 150, -500};
    HumanValue values[4];
    double level[4], losses[4], sum = 0, loss = 0;
    for (int i = 0; i < 4; i++) {
        values[i].move = move_of(&p, sans[i]);
        for (int d = 0; d < HUMAN_DEPTHS; d++)
            values[i].at[d] = scores[i];
    }
    human_losses(&p, values, 4, losses);
    assert_true(losses[1] == 0 && losses[3] > losses[2] && losses[2] > losses[0]);
    human_frame_choose(frame, &p, values, people, 4, level);
    for (int i = 0; i < 4; i++) {
        sum += level[i];
        loss += level[i] * losses[i];
    }
    assert_true(fabs(sum - 1) < 1e-9);
    return loss;
}

static void a_bias_sets_the_loss(void **state)
{
    (void)state;
    double last = -1;
    for (double bias = -10; bias <= 10; bias += 1) {
        HumanFrame frame = {900, bias};
        double loss = mean_loss(&frame);
        assert_true(loss > last - 1e-9);
        last = loss;
    }
    HumanFrame careless = {900, 50}, careful = {1400, 50};
    assert_true(mean_loss(&careless) > 0.4); /* hangs the knight */
    assert_true(mean_loss(&careful) < 0.4);  /* queens and unlikely losses of pieces are left out */
}

/* -- Repetitions -- */

static void play(Position *p, const char *sans)
{
    Span rest = span_of(sans), word;
    char text[16];
    while (span_next_word(&rest, &word)) {
        Undo undo;
        span_show(word, text, sizeof text);
        pos_make(p, move_of(p, text), &undo);
    }
}

/* The share of the first of two moves, as likely as the other one, that is worth `score` where the
 * other is worth `other`. */
static double share_of(const Position *p, const char *first, Score score, const char *second,
                       Score other)
{
    const double people[2] = {0.5, 0.5};
    double level[2];
    HumanValue values[2] = {{.move = move_of(p, first)}, {.move = move_of(p, second)}};
    for (int d = 0; d < HUMAN_DEPTHS; d++) {
        values[0].at[d] = score;
        values[1].at[d] = other;
    }
    HumanFrame frame;
    assert_true(human_frame(600, &frame));
    human_frame_choose(&frame, p, values, people, 2, level);
    return level[0];
}

static void a_better_position_is_not_repeated(void **state)
{
    (void)state;
    Position p = position_of("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30");
    assert_false(human_repeats(&p, move_of(&p, "Rb1")));
    assert_true(share_of(&p, "Rb1", 0, "Rc1", 400) > 0.9); /* an oversight */
    play(&p, "Rb1 Kf8 Ra1 Kg8");
    assert_true(human_repeats(&p, move_of(&p, "Rb1")));
    assert_false(human_repeats(&p, move_of(&p, "Rc1")));
    assert_true(share_of(&p, "Rb1", 0, "Rc1", 400) < 0.01);
    assert_true(share_of(&p, "Rb1", 0, "Rc1", 0) > 0.4); /* where nothing is given away it may */
}

/* The better the level, the less likely for people a loss of a piece has to be to be left out. */
static void pieces_are_kept_with_growing_care(void **state)
{
    (void)state;
    double last = 1;
    for (int rating = 800; rating <= 1200; rating += 200) {
        HumanFrame frame = {rating, 50};
        double loss = mean_loss(&frame);
        assert_true(loss <= last);
        last = loss;
    }
    assert_true(last < 0.4);
}

/* -- Levels and people -- */

static void frames_end_below_the_search(void **state)
{
    (void)state;
    HumanFrame f;
    for (int elo = 400; elo <= 1800; elo += 25) {
        assert_true(human_frame(elo, &f));
        assert_true(f.rating >= 400 && f.rating <= 2000);
    }
    assert_false(human_frame(1801, &f));
    assert_false(human_frame(3000, &f));
}

static void levels_say_whom_they_play_like(void **state)
{
    (void)state;
    static const struct {
        int elo;
        const char *like;
    } cases[] = {{400, "below 500 on chess.com"},
                 {800, "about 550 on chess.com"},
                 {1000, "about 900 on lichess"},
                 {1100, "about 1175 on lichess"},
                 {1400, "above 1700 on lichess"},
                 {1800, "above 1700 on lichess"},
                 {1801, ""},
                 {3000, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char like[LEVEL_LIKE_SIZE];
        level_plays_like(cases[i].elo, like);
        assert_string_equal(like, cases[i].like);
    }
}

/* The rating where people lose as much, between those that were compared. */
static void losses_are_compared(void **state)
{
    (void)state;
    HumanLikes likes = {.positions = 1, .levels = {0.2, 0.15, 0.125, 0.1, 0.01}};
    for (int i = 0; i < HUMAN_LIKE_RATINGS; i++)
        likes.people[i] = 0.15 - 0.01 * i;
    assert_int_equal(human_like(&likes, 0), 0);
    assert_int_equal(human_like(&likes, 1), 500);
    assert_int_equal(human_like(&likes, 2), 750);
    assert_int_equal(human_like(&likes, 3), 1000);
    assert_int_equal(human_like(&likes, 4), HUMAN_LIKE_ABOVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bias_sets_the_loss),
        cmocka_unit_test(a_better_position_is_not_repeated),
        cmocka_unit_test(pieces_are_kept_with_growing_care),
        cmocka_unit_test(frames_end_below_the_search),
        cmocka_unit_test(levels_say_whom_they_play_like),
        cmocka_unit_test(losses_are_compared),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
