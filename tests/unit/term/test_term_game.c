/* The game in the game: moves, takebacks, ends, clocks, files, and the words for all that. */
#include "base/clock.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "term/game_text.h"
#include "term/term_game.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static int remarks;

static void count_remark(void *user, const char *text)
{
    (void)user;
    (void)text;
    remarks++;
}

static TermGameSetup two_people(const char *folder)
{
    TermGameSetup setup = {.folder = folder};
    setup.player[WHITE] = setup.player[BLACK] = term_player_human();
    return setup;
}

static TermGame *open_game(const TermGameSetup *setup)
{
    TermGame *t = NULL;
    Message why;
    TermGameEvents events = {.remark = count_remark};
    assert_int_equal(term_game_open(&t, setup, &events, &why), STATUS_OK);
    return t;
}

static Status resume_game(TermGame **t, TermGameSetup *setup, const TermGameEvents *events,
                          Message *why)
{
    setup->resume = true;
    Status s = term_game_open(t, setup, events, why);
    setup->resume = false;
    return s;
}

static Status play(TermGame *t, const char *san)
{
    Move m;
    Message why;
    if (san_read(&t->play.now, span_of(san), &m, &why) != STATUS_OK)
        return STATUS_INVALID;
    return term_game_play(t, m, &why);
}

static void play_all(TermGame *t, const char *line)
{
    Span rest = span_of(line), word;
    char san[SAN_SIZE];
    while (span_next_word(&rest, &word)) {
        snprintf(san, sizeof san, "%.*s", (int)word.len, word.at);
        assert_int_equal(play(t, san), STATUS_OK);
    }
}

static void expect_words(TermGame *t, void (*write)(const TermGame *t, Text *out),
                         const char *wanted)
{
    Text text;
    text_init(&text);
    write(t, &text);
    assert_string_equal(text.at, wanted);
    text_free(&text);
}

static void mates_and_takes_back(void **state)
{
    (void)state;
    TermGameSetup setup = two_people(NULL);
    TermGame *t = open_game(&setup);
    Message why;
    play_all(t, "f3 e5 g4 Qh4");
    assert_true(play_is_over(&t->play));
    assert_int_equal(t->play.state.result, RESULT_BLACK_WINS);
    expect_words(t, game_text_result, "Checkmate: Black wins.");
    expect_words(t, game_text_last, "Last move: 2... Qh4#, queen d8 to h4, checkmate.");
    assert_int_equal(play(t, "a3"), STATUS_INVALID);
    assert_int_equal(term_game_take_back(t, &why), STATUS_OK);
    assert_false(play_is_over(&t->play));
    assert_int_equal(t->play.count, 3);
    assert_int_equal(t->play.state.result, RESULT_NONE);
    play_all(t, "d5 e4 dxe4");
    assert_int_equal(t->play.count, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(term_game_take_back(t, &why), STATUS_OK);
    assert_int_equal(term_game_take_back(t, &why), STATUS_REFUSED);
    term_game_close(t);
}

static void resigns_and_agrees(void **state)
{
    (void)state;
    TermGameSetup setup = two_people(NULL);
    TermGame *t = open_game(&setup);
    Message why;
    play_all(t, "e4");
    assert_int_equal(term_game_resign(t, &why), STATUS_OK);
    expect_words(t, game_text_result, "Black resigns: White wins.");
    assert_int_equal(term_game_resign(t, &why), STATUS_REFUSED);
    term_game_new_game(t, NULL);
    play_all(t, "e4");
    assert_int_equal(term_game_offer_draw(t, &why), STATUS_REFUSED);
    assert_non_null(strstr(why.text, "Black offers"));
    play_all(t, "e5");
    assert_int_equal(term_game_offer_draw(t, &why), STATUS_OK);
    expect_words(t, game_text_result, "Draw: agreement.");
    /* An offer that was played on is none any more. */
    term_game_new_game(t, NULL);
    assert_int_equal(term_game_offer_draw(t, &why), STATUS_REFUSED);
    play_all(t, "e4 e5");
    assert_int_equal(term_game_offer_draw(t, &why), STATUS_REFUSED);
    term_game_close(t);
}

static void repeats_to_a_draw(void **state)
{
    (void)state;
    TermGameSetup setup = two_people(NULL);
    TermGame *t = open_game(&setup);
    play_all(t, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_true(play_is_over(&t->play));
    assert_int_equal(t->play.state.result, RESULT_DRAW);
    term_game_close(t);
}

static void flags_fall(void **state)
{
    (void)state;
    TermGameSetup setup = two_people(NULL);
    setup.time = (TimeControl){30, 0, 0};
    TermGame *t = open_game(&setup);
    assert_int_equal(term_game_due(t), -1);
    play_all(t, "e4");
    clock_sleep_ms(40);
    assert_false(term_game_tick(t)); /* clocks start when both have moved */
    play_all(t, "e5");
    assert_true(play_clock_runs(&t->play) && term_game_due(t) >= 0);
    clock_sleep_ms(40);
    assert_true(term_game_tick(t));
    assert_int_equal(t->play.state.result, RESULT_BLACK_WINS);
    expect_words(t, game_text_result, "White loses on time: Black wins.");
    term_game_close(t);
}

/* -- Files -- */

static void make_folder(char out[64])
{
    snprintf(out, 64, "/tmp/castellan-game-XXXXXX");
    assert_non_null(mkdtemp(out));
}

static int files_in(const char *folder)
{
    int count = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static void remove_folder(const char *folder)
{
    char path[512];
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.')
            assert_int_equal(unlink(path), 0);
    }
    closedir(d);
    assert_int_equal(rmdir(folder), 0);
}

static void keeps_and_resumes(void **state)
{
    (void)state;
    char folder[64], path[TERM_GAME_PATH_SIZE];
    Message why;
    TermGame *t = NULL;
    TermGameEvents events = {0};
    make_folder(folder);
    TermGameSetup setup = two_people(folder);
    assert_int_equal(resume_game(&t, &setup, &events, &why), STATUS_MISSING);
    setup.time = (TimeControl){300000, 2000, 0};
    t = open_game(&setup);
    assert_int_equal(files_in(folder), 0);
    play_all(t, "e4 e5 Nf3");
    snprintf(path, sizeof path, "%s", t->path);
    assert_true(path[0] != '\0');
    int64_t left = term_game_clock(t, WHITE);
    term_game_close(t); /* as after a kill: what is there is on the disk */
    setup.time = (TimeControl){0};
    setup.player[WHITE] = term_player_castellan(); /* the file says otherwise */
    assert_int_equal(resume_game(&t, &setup, &events, &why), STATUS_OK);
    assert_int_equal(t->play.count, 3);
    assert_true(t->spec[WHITE].human && t->spec[BLACK].human);
    assert_true(play_has_clock(&t->play, WHITE));
    assert_true(llabs((long long)(term_game_clock(t, WHITE) - left)) <= 1000);
    assert_string_equal(t->path, path);
    play_all(t, "Nc6");
    assert_int_equal(term_game_resign(t, &why), STATUS_OK);
    assert_int_equal(files_in(folder), 1);
    term_game_close(t);
    assert_int_equal(resume_game(&t, &setup, &events, &why), STATUS_MISSING);
    remove_folder(folder);
}

static void resumes_ones_own_game(void **state)
{
    (void)state;
    char folder[64];
    Message why;
    TermGame *t = NULL;
    TermGameEvents events = {0};
    make_folder(folder);
    TermGameSetup setup = two_people(folder);
    setup.person = "Ada";
    t = open_game(&setup);
    play_all(t, "e4");
    term_game_close(t);
    setup.person = "Bob";
    assert_int_equal(resume_game(&t, &setup, &events, &why), STATUS_MISSING);
    assert_non_null(strstr(why.text, "of Bob"));
    setup.person = "Ada";
    assert_int_equal(resume_game(&t, &setup, &events, &why), STATUS_OK);
    term_game_close(t);
    setup.person = NULL; /* whoever it was */
    assert_int_equal(resume_game(&t, &setup, &events, &why), STATUS_OK);
    term_game_close(t);
    remove_folder(folder);
}

/* Two games of one second have two files, and nobody resumes a game that is being played. */
static void games_are_locked(void **state)
{
    (void)state;
    char folder[64];
    Message why;
    TermGame *second = NULL;
    TermGameEvents events = {0};
    make_folder(folder);
    TermGameSetup setup = two_people(folder);
    TermGame *t[8];
    for (int i = 0; i < 8; i++) {
        t[i] = open_game(&setup);
        play_all(t[i], "e4");
    }
    assert_int_equal(files_in(folder), 8);
    assert_int_equal(resume_game(&second, &setup, &events, &why), STATUS_REFUSED);
    assert_non_null(strstr(why.text, "locked by another process"));
    for (int i = 0; i < 8; i++) {
        play_all(t[i], "e5 Nf3");
        term_game_close(t[i]);
    }
    assert_int_equal(resume_game(&second, &setup, &events, &why), STATUS_OK);
    assert_int_equal(second->play.count, 3);
    term_game_close(second);
    remove_folder(folder);
}

/* Trouble is told once, and the game goes on. */
static void plays_without_a_disk(void **state)
{
    (void)state;
    TermGameSetup setup = two_people("/proc/nothing/here");
    remarks = 0;
    TermGame *t = open_game(&setup);
    play_all(t, "e4 e5 Nf3");
    assert_int_equal(remarks, 1);
    assert_string_equal(t->path, "");
    term_game_close(t);
}

static void a_program_answers(void **state)
{
    (void)state;
    TermGameSetup setup = two_people(NULL);
    Message why;
    setup.player[BLACK] = term_player_castellan();
    setup.player[BLACK].level = 1;
    TermGame *t = open_game(&setup);
    play_all(t, "e4");
    assert_false(term_game_human_to_move(t));
    assert_int_equal(play(t, "e5"), STATUS_REFUSED);
    term_game_settle(t);
    assert_int_equal(t->play.count, 2);
    /* Takes the answer back with the move, also in the middle of thinking. */
    play_all(t, "a3");
    term_game_tick(t);
    assert_int_equal(term_game_take_back(t, &why), STATUS_OK);
    assert_int_equal(t->play.count, 2);
    assert_true(term_game_human_to_move(t));
    assert_int_equal(term_game_take_back(t, &why), STATUS_OK);
    assert_int_equal(t->play.count, 0);
    term_game_swap_players(t);
    term_game_settle(t);
    assert_int_equal(t->play.count, 1);
    term_game_close(t);
}

static void programs_play_each_other(void **state)
{
    (void)state;
    TermGameSetup setup = two_people(NULL);
    Position start;
    Message why;
    assert_int_equal(fen_parse(&start, span_of("7k/8/8/8/8/8/4Q3/K7 w - - 0 1"), false, &why),
                     STATUS_OK);
    setup.start = &start;
    setup.player[WHITE] = setup.player[BLACK] = term_player_castellan();
    setup.player[WHITE].level = setup.player[BLACK].level = 3;
    TermGame *t = open_game(&setup);
    assert_int_equal(term_game_resign(t, &why), STATUS_REFUSED);
    term_game_settle(t);
    assert_true(play_is_over(&t->play));
    term_game_close(t);
}

/* A loss makes the next game easier, once; without a file nobody can adapt. */
static void adapts(void **state)
{
    (void)state;
    char folder[64], players[128];
    Message why;
    TermPlayerSpec spec;
    make_folder(folder);
    snprintf(players, sizeof players, "%s/players", folder);
    TermGameSetup setup = two_people(NULL);
    setup.players = players;
    assert_int_equal(term_player_read(span_of("adapt+50"), &setup.player[BLACK], &why), STATUS_OK);
    TermGame *t = open_game(&setup);
    int first = t->spec[BLACK].elo;
    assert_true(first > TERM_PLAYER_ELO_MIN);
    play_all(t, "e4");
    term_game_settle(t);
    assert_int_equal(term_game_resign(t, &why), STATUS_OK);
    term_game_new_game(t, NULL);
    int second = t->spec[BLACK].elo;
    assert_true(second < first);
    term_game_close(t);
    t = open_game(&setup); /* another day */
    assert_int_equal(t->spec[BLACK].elo, second);
    term_game_close(t);
    setup.person = "Ada"; /* another person: nothing is known of her */
    t = open_game(&setup);
    assert_string_equal(t->spec[WHITE].name, "Ada");
    assert_int_equal(t->spec[BLACK].elo, first);
    term_game_close(t);
    setup.players = NULL;
    TermGameEvents events = {0};
    assert_int_equal(term_game_open(&t, &setup, &events, &why), STATUS_REFUSED);
    assert_int_equal(term_player_read(span_of("mantis adapt"), &spec, &why), STATUS_INVALID);
    remove_folder(folder);
}

static void players_in_words(void **state)
{
    (void)state;
    TermPlayerSpec spec;
    Message why;
    char text[TERM_PLAYER_NAME_SIZE];
    static const char *const good[][3] = {
        {"human", "human", "Player"},
        {"H", "human", "Player"},
        {"computer", "castellan", "Castellan"},
        {"Castellan", "castellan", "Castellan"},
        {"1500", "castellan 1500", "Castellan (1500)"},
        {"castellan 800", "castellan 800", "Castellan (800)"},
        {"adapt-50", "castellan adapt-50", "Castellan"},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(term_player_read(span_of(good[i][0]), &spec, &why), STATUS_OK);
        term_player_write(&spec, text);
        assert_string_equal(text, good[i][1]);
        term_player_title(&spec, text);
        assert_string_equal(text, good[i][2]);
    }
    static const char *const bad[] = {"", "castelan", "12", "99999", "castellan strong"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(term_player_read(span_of(bad[i]), &spec, &why), STATUS_OK);
        assert_true(why.text[0] != '\0');
    }
}

static void speaks_of_positions(void **state)
{
    (void)state;
    Position p;
    Text t;
    Message why;
    Move m;
    assert_int_equal(fen_parse(&p, span_of("4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1"), false, &why),
                     STATUS_OK);
    text_init(&t);
    game_text_pieces(&p, WHITE, &t);
    assert_string_equal(t.at, "White: king e1; rooks a1 and h1; pawn e5.");
    text_clear(&t);
    game_text_rank(&p, 4, &t);
    assert_string_equal(t.at, "Rank 5: black pawn d5, white pawn e5.");
    text_clear(&t);
    game_text_file(&p, 1, &t);
    assert_string_equal(t.at, "File b: empty.");
    text_clear(&t);
    assert_int_equal(san_read(&p, span_of("exd6"), &m, &why), STATUS_OK);
    game_text_move(&p, m, &t);
    assert_string_equal(t.at, "pawn e5 takes pawn d6 en passant");
    text_clear(&t);
    assert_int_equal(san_read(&p, span_of("O-O-O"), &m, &why), STATUS_OK);
    game_text_move(&p, m, &t);
    assert_string_equal(t.at, "castles queen side");
    text_free(&t);
    char face[WORDS_CLOCK_SIZE];
    game_text_clock_face(3723000, face);
    assert_string_equal(face, "1:02:03");
    game_text_clock_face(298999, face);
    assert_string_equal(face, "4:58");
    game_text_clock_face(9340, face);
    assert_string_equal(face, "0:09.3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mates_and_takes_back),
        cmocka_unit_test(resigns_and_agrees),
        cmocka_unit_test(repeats_to_a_draw),
        cmocka_unit_test(flags_fall),
        cmocka_unit_test(keeps_and_resumes),
        cmocka_unit_test(resumes_ones_own_game),
        cmocka_unit_test(games_are_locked),
        cmocka_unit_test(plays_without_a_disk),
        cmocka_unit_test(a_program_answers),
        cmocka_unit_test(programs_play_each_other),
        cmocka_unit_test(adapts),
        cmocka_unit_test(players_in_words),
        cmocka_unit_test(speaks_of_positions),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
