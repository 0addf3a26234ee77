#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "chess/attacks.h"
#include "match/match.h"
#include "notation/pgn_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory for each run, with a few programs that misbehave in it. */
static char dir[64];

static void path_of(char out[128], const char *name)
{
    snprintf(out, 128, "%s/%s", dir, name);
}

static void write_engine(const char *name, const char *on_go)
{
    char path[128];
    path_of(path, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f,
            "#!/bin/sh\n"
            "while read -r line; do case $line in\n"
            "uci) echo id name Fake; echo option name Some Thing type string; echo uciok;;\n"
            "isready) echo readyok;;\n"
            "go*) %s;;\n"
            "quit) exit 0;;\n"
            "esac; done\n",
            on_go);
    fclose(f);
    chmod(path, 0755);
}

/* Speaks xboard, offers a draw with every move, and goes to and fro with its king. */
static void write_offering_engine(void)
{
    char path[128];
    path_of(path, "offering");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n"
               "while read -r word rest; do case $word in\n"
               "protover) echo feature ping=1 setboard=1 usermove=1 sigint=0 done=1;;\n"
               "ping) echo pong $rest;;\n"
               "new) from=e1; to=d1; playing=;;\n"
               "go) playing=yes;;\n"
               "usermove) [ $playing ] || { from=e8; to=d8; };;\n"
               "quit) exit 0;;\n"
               "esac\n"
               "case $playing$word in yesgo|yesusermove)\n"
               "echo offer draw; echo move $from$to; was=$from; from=$to; to=$was;;\n"
               "esac; done\n");
    fclose(f);
    chmod(path, 0755);
}

static int set_up(void **state)
{
    (void)state;
    chess_init();
    snprintf(dir, sizeof dir, "/tmp/test_match.XXXXXX");
    if (!mkdtemp(dir))
        return -1;
    write_engine("crash", "exit 3");
    write_engine("hang", "sleep 100");
    write_engine("illegal", "echo info depth 3 score cp 17; echo bestmove e2e5");
    write_engine("late", "sleep 0.4; echo bestmove a1a2");
    write_offering_engine();
    write_engine("babble", "while :; do echo info string no end of talk; done");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    return system(command);
}

typedef struct Setup {
    PlayerSpec players[4];
    MatchOptions options;
    MatchResult result;
    atomic_bool stop;
    Message why;
} Setup;

static void spec(Setup *s, const char *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s", text);
    if (strncmp(text, "fake:", 5) == 0)
        snprintf(full, sizeof full, "cmd=%s/%s", dir, text + 5);
    if (player_spec_read(&s->players[s->options.player_count], full, &s->why) != STATUS_OK)
        fail_msg("%s", s->why.text);
    s->options.player_count++;
}

static Setup *setup(const char *a, const char *b)
{
    Setup *s = calloc(1, sizeof *s);
    s->options = match_defaults();
    s->options.players = s->players;
    s->options.limits.nodes = 200;
    s->options.hash_mb = 1;
    s->options.games = 2;
    s->options.rules.hang_ms = 300;
    spec(s, a);
    spec(s, b);
    return s;
}

static void play(Setup *s)
{
    if (match_run(&s->options, &s->stop, &s->result, &s->why) != STATUS_OK)
        fail_msg("%s", s->why.text);
}

static void done(Setup *s)
{
    match_result_free(&s->result);
    for (int i = 0; i < s->options.player_count; i++)
        player_spec_free(&s->players[i]);
    free(s);
}

static void assert_sums(const MatchResult *r)
{
    uint64_t games = 0, pairs = 0, points = 0, pair_points = 0;
    for (int i = 0; i < r->pairing_count; i++) {
        const StatsTally *t = &r->pairings[i].tally;
        games += t->wins + t->draws + t->losses;
        points += 2 * t->wins + t->draws;
        for (int k = 0; k < STATS_PAIR_KINDS; k++) {
            pairs += t->pairs[k];
            pair_points += t->pairs[k] * (uint64_t)k;
        }
    }
    assert_int_equal(games, r->games);
    assert_int_equal(2 * pairs, r->games);
    assert_int_equal(points, pair_points);
}

/* -- Players -- */

static void test_specs(void **state)
{
    (void)state;
    PlayerSpec s;
    Message why = {""};
    assert_int_equal(player_spec_read(&s, "castellan,eval=classical,name=HM,nodes=77", &why),
                     STATUS_OK);
    assert_int_equal(s.kind, PLAYER_OWN);
    assert_string_equal(s.name, "HM");
    assert_string_equal(s.options[0].name, "EvalFile");
    assert_int_equal(s.limits.nodes, 77);
    player_spec_free(&s);
    assert_int_equal(player_spec_read(&s, "arg=-x,cmd=/a/b\\,c,proto=xboard,tc=40/1:30+0.5", &why),
                     STATUS_OK);
    assert_int_equal(s.kind, PLAYER_XBOARD);
    assert_string_equal(s.words[0], "/a/b,c");
    assert_string_equal(s.words[1], "-x");
    assert_string_equal(s.name, "b,c");
    assert_int_equal(s.limits.base_ms, 90000);
    assert_int_equal(s.limits.increment_ms, 500);
    assert_int_equal(s.limits.moves, 40);
    player_spec_free(&s);
    static const char *const bad[] = {"nodes=x", "proto=uci", "proto=telnet,cmd=a",
                                      "tc=fast", "a,b",       "unknown=1",
                                      "arg=1",   "option.=2", "tc=-1+1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (player_spec_read(&s, bad[i], &why) == STATUS_OK)
            fail_msg("'%s' was accepted", bad[i]);
}

/* -- Matches -- */

static void test_own_players(void **state)
{
    (void)state;
    StatsTally first = {0};
    for (int run = 0; run < 2; run++) {
        Setup *s = setup("castellan,name=A,nodes=400", "castellan,depth=1,name=B");
        s->options.games = 8;
        s->options.concurrency = 1 + run;
        play(s);
        assert_int_equal(s->result.games, 8);
        assert_sums(&s->result);
        assert_int_equal(s->result.incidents.len, 0);
        const StatsTally *t = &s->result.pairings[0].tally;
        assert_true(t->wins > t->losses);
        /* Fixed nodes: the same games, however many at a time. */
        if (run)
            assert_memory_equal(t, &first, sizeof first);
        first = *t;
        done(s);
    }
}

/* A player with itself: each opening is won by the same colour twice. */
static void test_mirror(void **state)
{
    (void)state;
    Setup *s = setup("castellan", "castellan");
    s->options.games = 6;
    play(s);
    assert_int_equal(s->result.pairings[0].tally.pairs[2], 3);
    done(s);
}

static void check_fault(const char *engine, MatchFaults want)
{
    Setup *s = setup("castellan,name=good", engine);
    s->options.concurrency = 2;
    int64_t began = clock_now_ms();
    play(s);
    assert_true(clock_now_ms() - began < 20000);
    assert_int_equal(s->result.pairings[0].tally.wins, 2);
    assert_memory_equal(&s->result.faults[1], &want, sizeof want);
    const MatchFaults none = {0};
    assert_memory_equal(&s->result.faults[0], &none, sizeof none);
    Text report;
    text_init(&report);
    match_report(&s->result, &report);
    assert_non_null(strstr(report.at, "game 2: "));
    text_free(&report);
    done(s);
}

static void test_crash(void **state)
{
    (void)state;
    check_fault("fake:crash", (MatchFaults){.crashed = 2});
}

static void test_illegal(void **state)
{
    (void)state;
    check_fault("fake:illegal", (MatchFaults){.illegal = 2});
}

static void test_hang(void **state)
{
    (void)state;
    check_fault("fake:hang", (MatchFaults){.hung = 2});
}

static void test_babble(void **state)
{
    (void)state;
    check_fault("fake:babble", (MatchFaults){.hung = 2});
}

static void test_flag(void **state)
{
    (void)state;
    Setup *s = setup("castellan,nodes=100", "fake:late");
    player_read_clock(&s->players[1].limits, span_of("0.2+0"), NULL);
    play(s);
    if (s->result.faults[1].late != 2)
        fail_msg("%s", s->result.incidents.at);
    done(s);
}

static void test_refused_at_start(void **state)
{
    (void)state;
    static const char *const bad[] = {"cmd=/nowhere/at/all", "fake:crash,option.Hush=1",
                                      "castellan,option.NoSuch=1", "castellan,net=/nowhere.net"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Setup *s = setup("castellan", bad[i]);
        assert_int_not_equal(match_run(&s->options, &s->stop, &s->result, &s->why), STATUS_OK);
        assert_true(strlen(s->why.text) > 10);
        done(s);
    }
}

static void test_tournament(void **state)
{
    (void)state;
    for (int gauntlet = 0; gauntlet < 2; gauntlet++) {
        Setup *s = setup("castellan,name=A,nodes=40", "castellan,name=B,nodes=30");
        spec(s, "castellan,name=C,nodes=20");
        s->options.schedule = gauntlet ? MATCH_GAUNTLET : MATCH_ROUND_ROBIN;
        s->options.rules.max_moves = 30;
        play(s);
        assert_int_equal(s->result.pairing_count, gauntlet ? 2 : 3);
        assert_int_equal(s->result.games, gauntlet ? 4 : 6);
        assert_sums(&s->result);
        Text report;
        text_init(&report);
        match_report(&s->result, &report);
        assert_non_null(strstr(report.at, "  3  "));
        text_free(&report);
        done(s);
    }
}

static void test_sprt_ends(void **state)
{
    (void)state;
    Setup *s = setup("castellan,nodes=3000", "castellan,depth=1");
    s->options.games = 2000;
    s->options.has_sprt = true;
    s->options.sprt = (StatsSprt){0, 400, 0.05, 0.05};
    play(s);
    assert_true(s->result.games < 200);
    assert_int_equal(stats_verdict(&s->result.pairings[0].tally, &s->options.sprt), STATS_ACCEPTED);
    done(s);
}

/* -- Files -- */

static int count_games(const char *path)
{
    PgnReader *r;
    Message why;
    const PgnVisitor nothing = {0};
    int count = 0;
    assert_int_equal(pgn_open(&r, path, NULL, &why), STATUS_OK);
    for (Status s; (s = pgn_next(r, &nothing, &why)) != STATUS_END; count++)
        if (s != STATUS_OK)
            fail_msg("%s", why.text);
    pgn_close(r);
    return count;
}

static Setup *with_files(uint64_t games, const char *pgn, const char *state_file)
{
    Setup *s = setup("castellan,name=A", "castellan,name=B,nodes=150");
    s->options.games = games;
    s->options.pgn = pgn;
    s->options.state = state_file;
    s->options.resume = true;
    return s;
}

static void test_resume(void **state)
{
    (void)state;
    char pgn[128], state_file[128];
    path_of(pgn, "games.pgn");
    path_of(state_file, "games.state");
    Setup *s = with_files(4, pgn, state_file);
    play(s);
    done(s);
    assert_int_equal(count_games(pgn), 4);
    /* A kill in the middle of the last line: that game is played again, and stands once
     * in the PGN. */
    struct stat info;
    assert_int_equal(stat(state_file, &info), 0);
    assert_int_equal(truncate(state_file, info.st_size - 5), 0);
    s = with_files(8, pgn, state_file);
    play(s);
    StatsTally resumed = s->result.pairings[0].tally;
    done(s);
    assert_int_equal(count_games(pgn), 8);
    /* The whole match in one go has the same games. */
    path_of(pgn, "whole.pgn");
    path_of(state_file, "whole.state");
    s = with_files(8, pgn, state_file);
    play(s);
    assert_memory_equal(&s->result.pairings[0].tally, &resumed, sizeof resumed);
    done(s);
    /* Nothing left to do; then another match, and no permission to go on. */
    s = with_files(8, pgn, state_file);
    play(s);
    assert_int_equal(s->result.games, 8);
    done(s);
    s = with_files(8, pgn, state_file);
    s->options.limits.nodes = 300;
    assert_int_equal(match_run(&s->options, &s->stop, &s->result, &s->why), STATUS_REFUSED);
    done(s);
    s = with_files(8, pgn, state_file);
    s->options.resume = false;
    assert_int_equal(match_run(&s->options, &s->stop, &s->result, &s->why), STATUS_REFUSED);
    done(s);
}

static void write_file(char path[128], const char *name, const char *text)
{
    path_of(path, name);
    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), STATUS_OK);
}

static void test_openings(void **state)
{
    (void)state;
    char path[128];
    write_file(path, "ends.epd",
               "8/8/8/4k3/8/8/4P3/4K3 w - - bm e4;\n\n8/4k3/8/8/8/8/4P3/4K3 b - - 0 1\n");
    Setup *s = setup("castellan", "castellan");
    s->options.openings = path;
    play(s);
    assert_int_equal(s->result.games, 2);
    done(s);
    write_file(path, "book.pgn", "1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n");
    s = setup("castellan", "castellan");
    s->options.openings = path;
    s->options.opening_plies = 2;
    play(s);
    done(s);
    static const char *const bad[] = {"", "not a position\n",
                                      "7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n" /* mated */};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_file(path, "bad.epd", bad[i]);
        s = setup("castellan", "castellan");
        s->options.openings = path;
        assert_int_equal(match_run(&s->options, &s->stop, &s->result, &s->why), STATUS_INVALID);
        done(s);
    }
}

/* A level agrees to a draw where nothing can happen any more. */
static void test_agreement(void **state)
{
    (void)state;
    char path[128], pgn[128], offering[192];
    path_of(pgn, "agreed.pgn");
    write_file(path, "blocked.epd", "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 60\n");
    snprintf(offering, sizeof offering, "cmd=%s/offering,proto=xboard,depth=1", dir);
    Setup *s = setup("castellan,elo=3000,name=level", offering);
    s->options.openings = path;
    s->options.pgn = pgn;
    s->options.limits.nodes = 0;
    s->options.rules.hang_ms = 5000;
    play(s);
    if (s->result.pairings[0].tally.draws != 2)
        fail_msg("%s", s->result.incidents.at);
    done(s);
    char *text;
    size_t len;
    assert_int_equal(file_read(&text, &len, pgn, 100000, NULL), STATUS_OK);
    for (char *end; (end = strchr(text, '\n'));) /* comments go over the ends of lines */
        *end = ' ';
    const char *first = strstr(text, "drawn by agreement");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "drawn by agreement"));
    /* In reply to an offer that the level knew the game for: its own move comes first. In the
     * second game it may see a small advantage for some moves and decline until then. */
    assert_non_null(strstr(text, "[PlyCount \"2\"]"));
    assert_null(strstr(text, "[PlyCount \"1\"]"));
    free(text);
}

static void test_stop(void **state)
{
    (void)state;
    Setup *s = setup("castellan", "castellan");
    s->options.games = 1000000;
    atomic_store(&s->stop, true);
    assert_int_equal(match_run(&s->options, &s->stop, &s->result, &s->why), STATUS_STOPPED);
    done(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_specs),      cmocka_unit_test(test_own_players),
        cmocka_unit_test(test_mirror),     cmocka_unit_test(test_crash),
        cmocka_unit_test(test_illegal),    cmocka_unit_test(test_hang),
        cmocka_unit_test(test_babble),     cmocka_unit_test(test_flag),
        cmocka_unit_test(test_tournament), cmocka_unit_test(test_refused_at_start),
        cmocka_unit_test(test_sprt_ends),  cmocka_unit_test(test_resume),
        cmocka_unit_test(test_openings),   cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
