/* The table of opponents, and what opponent.c promises of any opponent: seeds reach it, answers
 * come back, names are found and near ones offered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "engine/opponents.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- An opponent that shuffles -- */

typedef struct Shuffler {
    Random random;
    bool takes_draws;
} Shuffler;

static void shuffler_new_game(void *self, uint64_t seed)
{
    random_seed(&((Shuffler *)self)->random, seed);
}

static Status shuffler_open(void *self, const void *setup, Message *why)
{
    (void)why;
    ((Shuffler *)self)->takes_draws = *(const bool *)setup;
    return STATUS_OK;
}

static void shuffler_think(void *self, const OpponentTask *task, OpponentAnswer *answer)
{
    Move moves[MAX_MOVES];
    Shuffler *s = self;
    int count = movegen(task->position, GEN_ALL, moves);
    answer->move = moves[random_below(&s->random, (uint32_t)count)];
    answer->resigns = true;
}

static bool shuffler_accepts(void *self, const Position *p)
{
    (void)p;
    return ((Shuffler *)self)->takes_draws;
}

static const OpponentOps shuffler = {.size = sizeof(Shuffler),
                                     .open = shuffler_open,
                                     .new_game = shuffler_new_game,
                                     .think = shuffler_think,
                                     .accepts_draw = shuffler_accepts};
static const bool yes = true;
static const OpponentRow shuffler_row = {.name = "shuffler", .ops = &shuffler, .setup = &yes};

static Opponent *opened(uint64_t seed)
{
    Opponent *o;
    Message why;
    assert_int_equal(opponent_open(&o, &shuffler_row, span_of(""), NULL, seed, &why), STATUS_OK);
    return o;
}

/* -- The table -- */

static void every_row_is_whole(void **state)
{
    (void)state;
    assert_true(opponents_count() >= 1);
    assert_string_equal(opponents_at(0)->name, "castellan");
    assert_null(opponents_at(0)->ops);
    assert_null(opponents_at(-1));
    assert_null(opponents_at(opponents_count()));
    for (int i = 0; i < opponents_count(); i++) {
        const OpponentRow *row = opponents_at(i);
        assert_true(row->name[0] && row->title[0]);
        for (const char *c = row->name; *c; c++)
            assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-');
        assert_in_range(row->year, 1997, 2026);
        assert_true(row->rating == OPPONENT_UNRATED || (row->rating > 0 && row->rating < 4000));
        assert_true(strlen(row->style) > 10 && row->style[strlen(row->style) - 1] == '.');
        assert_true((row->ops == NULL) == (i == 0));
    }
}

static void names_are_unique_and_found(void **state)
{
    (void)state;
    for (int i = 0; i < opponents_count(); i++) {
        const OpponentRow *row = opponents_at(i);
        char loud[64] = "";
        for (size_t k = 0; row->name[k]; k++)
            loud[k] = (char)toupper((unsigned char)row->name[k]);
        assert_ptr_equal(opponents_find(span_of(row->name)), row);
        assert_ptr_equal(opponents_find(span_of(loud)), row);
    }
    assert_null(opponents_find(span_of("deep thought")));
    assert_null(opponents_find((Span){"", 0}));
}

static const char *unknown(const char *name, Message *why)
{
    assert_int_equal(opponents_unknown(span_of(name), why), STATUS_MISSING);
    return why->text;
}

static void near_names_are_offered(void **state)
{
    (void)state;
    Message why;
    assert_non_null(strstr(unknown("castelan", &why), "castellan"));
    assert_non_null(strstr(unknown("Castle", &why), "castellan"));
    assert_null(strstr(unknown("zzz", &why), "?"));
    assert_non_null(strstr(why.text, "'zzz'"));
    assert_null(strstr(unknown("", &why), "?"));
    char endless[2000];
    memset(endless, 'c', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_null(strstr(unknown(endless, &why), "?"));
}

/* -- Any opponent -- */

static Move answer_of(Opponent *o)
{
    Position p;
    pos_set_start(&p);
    atomic_bool stop = false;
    SearchLimits limits = {0};
    OpponentTask task = {.position = &p, .limits = &limits, .stop = &stop};
    OpponentAnswer answer;
    opponent_think(o, &task, &answer);
    assert_true(answer.resigns && !answer.offers_draw && !answer.talk[0]);
    return answer.move;
}

static void seeds_repeat(void **state)
{
    (void)state;
    Opponent *a = opened(7), *b = opened(7);
    Move first = answer_of(a);
    assert_int_equal(first, answer_of(b));
    bool differs = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        opponent_new_game(a, seed);
        differs |= answer_of(a) != first;
    }
    assert_true(differs);
    opponent_new_game(a, 7);
    assert_int_equal(first, answer_of(a));
    opponent_close(a);
    opponent_close(b);
    opponent_close(NULL);
}

static void draws_are_the_minds_affair(void **state)
{
    (void)state;
    Position p;
    pos_set_start(&p);
    Opponent *o = opened(1);
    assert_true(opponent_accepts_draw(o, &p));
    opponent_close(o);
    OpponentOps stubborn = shuffler;
    stubborn.accepts_draw = NULL;
    OpponentRow row = {.name = "stubborn", .ops = &stubborn, .setup = &yes};
    Message why;
    assert_int_equal(opponent_open(&o, &row, span_of(""), NULL, 1, &why), STATUS_OK);
    assert_false(opponent_accepts_draw(o, &p));
    opponent_close(o);
}

static void castellan_is_the_engine_itself(void **state)
{
    (void)state;
    Opponent *o = NULL;
    Message why;
    assert_int_equal(opponent_open(&o, opponents_at(0), span_of(""), NULL, 1, &why),
                     STATUS_REFUSED);
    assert_null(o);
}

/* -- Settings -- */

static void check_refused(const char *text, const char *const *parts, int count)
{
    OpponentChoice choice;
    Message why;
    assert_int_not_equal(opponents_read(span_of(text), &choice, &why), STATUS_OK);
    for (int i = 0; i < count; i++)
        if (!strstr(why.text, parts[i]))
            fail_msg("'%s': '%s' has no '%s'", text, why.text, parts[i]);
}

static void settings_are_read(void **state)
{
    (void)state;
    static const char *const good[] = {
        "javachess,agent=alphabeta",
        "javachess,agent=MTDF,book=none",
        "mantis,analyser=minimax,evaluator=sifaka",
        "mantis,random=on",
        "marmoset,analyser=minimax",
        "chessbin-hard,ordering=full,table=off",
        "Chessbin-Medium, level = hard",
        "adaptive,depth=3,weights=evolved",
        "kanji,technique=all-modern,utility=material,book=off",
        "kanji-ab,utility=random",
        "castellan",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        OpponentChoice choice;
        Message why;
        if (opponents_read(span_of(good[i]), &choice, &why) != STATUS_OK)
            fail_msg("%s: %s", good[i], why.text);
    }
}

/* The message names the value and what is accepted. */
static void wrong_settings_are_named(void **state)
{
    (void)state;
    check_refused("mantis,evaluator=baboon",
                  (const char *[]){"evaluator", "'baboon'", "marmoset, capuchin, sifaka, macaque"},
                  3);
    check_refused("mantis,colour=green",
                  (const char *[]){"'colour'", "analyser, evaluator, random"}, 2);
    check_refused("mantis,random", (const char *[]){"random", "missing value"}, 2);
    check_refused("adaptive,depth=99", (const char *[]){"depth", "'99'", "1 to 64"}, 3);
    check_refused("adaptive,weights=/no/such/file", (const char *[]){"weights", "/no/such/file"},
                  2);
    check_refused("javachess,position=/no/such/file", (const char *[]){"position", "/no/such"}, 2);
    check_refused("javachess,book=/no/such/file", (const char *[]){"book", "/no/such/file"}, 2);
    check_refused("kanji,technique=", (const char *[]){"technique", "minimax, alphabeta, table"},
                  2);
    check_refused("castellan,level=hard", (const char *[]){"castellan", "no opponent settings"}, 2);
    check_refused("mantid,random=on", (const char *[]){"'mantid'", "mantis"}, 2);
}

/* Every setting has a key, a default that is accepted, and one line of help. */
static void settings_have_defaults(void **state)
{
    (void)state;
    for (int i = 0; i < opponents_count(); i++) {
        const OpponentRow *row = opponents_at(i);
        for (int k = 0; row->ops && k < row->ops->setting_count; k++) {
            const OpponentSetting *s = &row->ops->settings[k];
            char text[128];
            OpponentChoice choice;
            Message why;
            Span value = opponent_default(row, k);
            assert_true(opponent_has_setting(row, span_of(s->key)));
            assert_true(strlen(s->help) > 5 && !strchr(s->help, '\n'));
            snprintf(text, sizeof text, "%s,%s=%.*s", row->name, s->key, (int)value.len, value.at);
            if (opponents_read(span_of(text), &choice, &why) != STATUS_OK)
                fail_msg("%s: %s", text, why.text);
        }
    }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_read),
        cmocka_unit_test(wrong_settings_are_named),
        cmocka_unit_test(settings_have_defaults),
        cmocka_unit_test(every_row_is_whole),
        cmocka_unit_test(names_are_unique_and_found),
        cmocka_unit_test(near_names_are_offered),
        cmocka_unit_test(seeds_repeat),
        cmocka_unit_test(draws_are_the_minds_affair),
        cmocka_unit_test(castellan_is_the_engine_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
