#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"
#include "chess/attacks.h"
#include "tune/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const ParamRow rows[] = {
    {"margin", 50, 0, 200, 10}, {"depth", 3, 1, 12, 1}, {"slope", 300, 0, 400, 20}};

/* Games are won by who is nearer to these. */
static const double best[] = {120, 8, 150};

static char dir[64];

static int set_up(void **state)
{
    (void)state;
    chess_init();
    snprintf(dir, sizeof dir, "/tmp/test_tune.XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    return system(command);
}

typedef struct Game {
    uint64_t stop_after; /* 0: never */
    atomic_bool *stop;
} Game;

static double weakness(const int *values)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double steps = (values[i] - best[i]) / rows[i].step;
        sum += steps * steps;
    }
    return sum;
}

/* Two noisy games: the better side wins more often. */
static Status play(void *user, int thread, uint64_t pair, const TuneResult *names, const int *plus,
                   const int *minus, int *result, Message *why)
{
    const Game *g = user;
    Random random;
    (void)thread, (void)why;
    assert_int_equal(names->count, 3);
    for (int i = 0; i < 3; i++) {
        assert_in_range(plus[i], rows[i].min, rows[i].max);
        assert_in_range(minus[i], rows[i].min, rows[i].max);
    }
    random_seed(&random, pair);
    double chance = 1 / (1 + exp((weakness(plus) - weakness(minus)) / 8));
    for (int game = 0; game < 2; game++)
        *result += random_unit(&random) < chance ? 1 : -1;
    if (g->stop_after && pair + 1 >= g->stop_after)
        atomic_store(g->stop, true);
    return STATUS_OK;
}

static void path_of(char out[128], const char *name)
{
    snprintf(out, 128, "%s/%s", dir, name);
}

static TuneOptions options_with(char state_path[128], char csv[128], const char *name, Game *game)
{
    TuneOptions o = tune_defaults();
    path_of(state_path, name);
    snprintf(csv, 128, "%s.csv", state_path);
    o.rows = rows;
    o.row_count = 3;
    o.pairs = 3000;
    o.rate = 0.02;
    o.state = state_path;
    o.csv = csv;
    o.play = play;
    o.play_user = game;
    return o;
}

static void test_finds_the_best(void **state)
{
    (void)state;
    char path[128], csv[128];
    atomic_bool stop = false;
    Game game = {0, &stop};
    TuneOptions o = options_with(path, csv, "best", &game);
    TuneResult r;
    Message why = {""};
    o.threads = 2;
    if (tune_run(&o, &stop, &r, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    assert_int_equal(r.pairs, 3000);
    for (int i = 0; i < 3; i++)
        if (fabs(r.params[i].value - best[i]) > 1.5 * rows[i].step)
            fail_msg("%s is %f, not %f", rows[i].name, r.params[i].value, best[i]);
    Text report;
    text_init(&report);
    tune_report(&r, &report);
    assert_non_null(strstr(report.at, "PARAM(margin, "));
    text_free(&report);
}

static size_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (size_t)info.st_size : 0;
}

static void test_resumes(void **state)
{
    (void)state;
    char path[128], csv[128];
    atomic_bool stop = false;
    Game game = {0, &stop};
    TuneOptions o = options_with(path, csv, "whole", &game);
    TuneResult whole, parts;
    Message why = {""};
    o.pairs = 400;
    assert_int_equal(tune_run(&o, &stop, &whole, &why), STATUS_OK);
    size_t csv_size = size_of(csv);

    o = options_with(path, csv, "parts", &game);
    o.pairs = 400;
    o.resume = true;
    game.stop_after = 130;
    assert_int_equal(tune_run(&o, &stop, &parts, &why), STATUS_STOPPED);
    assert_int_equal(parts.pairs, 130);
    atomic_store(&stop, false);
    game.stop_after = 0;
    /* What a kill left behind the last state is cut off. */
    FILE *f = fopen(csv, "a");
    fputs("half a ro", f);
    fclose(f);
    assert_int_equal(tune_run(&o, &stop, &parts, &why), STATUS_OK);
    for (int i = 0; i < 3; i++)
        assert_true(whole.params[i].value == parts.params[i].value);
    assert_int_equal(size_of(csv), csv_size);

    o.resume = false;
    assert_int_equal(tune_run(&o, &stop, &parts, &why), STATUS_REFUSED);
    o.resume = true;
    o.seed = 9;
    assert_int_equal(tune_run(&o, &stop, &parts, &why), STATUS_REFUSED);
}

static void test_names(void **state)
{
    (void)state;
    char path[128], csv[128];
    atomic_bool stop = true;
    Game game = {0, &stop};
    TuneOptions o = options_with(path, csv, "names", &game);
    TuneResult r;
    Message why = {""};
    o.only = "slope,margin";
    assert_int_equal(tune_run(&o, &stop, &r, &why), STATUS_STOPPED);
    assert_int_equal(r.count, 2);
    o.only = "slope,margi";
    assert_int_equal(tune_run(&o, &stop, &r, &why), STATUS_INVALID);
}

/* In a tuning build two games are played; in a release build the refusal says what to do. */
static void test_games(void **state)
{
    (void)state;
    atomic_bool stop = false;
    TuneGamesOptions o = {
        .limits = {.nodes = 60}, .threads = 1, .hash_mb = 1, .seed = 1, .pairs = 1};
    TuneGames *g = NULL;
    Message why = {""};
    Status s = tune_games_open(&g, &o, &stop, &why);
#ifdef CASTELLAN_TUNE
    assert_int_equal(s, STATUS_OK);
    int count, result = 0;
    TuneResult names = {.count = 1};
    names.params[0].row = params_rows(&count);
    int plus[1] = {names.params[0].row->max}, minus[1] = {names.params[0].row->min};
    assert_int_equal(tune_games_play(g, 0, 0, &names, plus, minus, &result, &why), STATUS_OK);
    assert_in_range(result + 2, 0, 4);
#else
    assert_int_equal(s, STATUS_REFUSED);
    assert_non_null(strstr(why.text, "TUNE=1"));
#endif
    tune_games_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_the_best),
        cmocka_unit_test(test_resumes),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_games),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
