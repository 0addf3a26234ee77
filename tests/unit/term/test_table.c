/* The game at the table: moves, takebacks, ends, clocks, files, and the words for all that. */
#include "base/clock.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "term/table.h"
#include "term/words.h"

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

static TableSetup two_people(const char *folder)
{
    TableSetup setup = {.folder = folder};
    setup.seat[WHITE] = setup.seat[BLACK] = seat_human();
    return setup;
}

static Table *open_table(const TableSetup *setup)
{
    Table *t = NULL;
    Message why;
    TableEvents events = {.remark = count_remark};
    assert_int_equal(table_open(&t, setup, &events, &why), STATUS_OK);
    return t;
}

static Status play(Table *t, const char *san)
{
    Move m;
    Message why;
    if (san_read(table_position(t), span_of(san), &m, &why) != STATUS_OK)
        return STATUS_INVALID;
    return table_play(t, m, &why);
}

static void play_all(Table *t, const char *line)
{
    Span rest = span_of(line), word;
    char san[SAN_SIZE];
    while (span_next_word(&rest, &word)) {
        snprintf(san, sizeof san, "%.*s", (int)word.len, word.at);
        assert_int_equal(play(t, san), STATUS_OK);
    }
}

static void expect_words(Table *t, void (*write)(const Table *t, Text *out), const char *wanted)
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
    TableSetup setup = two_people(NULL);
    Table *t = open_table(&setup);
    Message why;
    play_all(t, "f3 e5 g4 Qh4");
    assert_true(table_is_over(t));
    assert_int_equal(table_result(t), RESULT_BLACK_WINS);
    expect_words(t, words_result, "Checkmate: Black wins.");
    expect_words(t, words_last, "Last move: 2... Qh4#, queen d8 to h4, checkmate.");
    assert_int_equal(play(t, "a3"), STATUS_INVALID);
    assert_int_equal(table_take_back(t, &why), STATUS_OK);
    assert_false(table_is_over(t));
    assert_int_equal(table_plies(t), 3);
    assert_int_equal(table_result(t), RESULT_NONE);
    play_all(t, "d5 e4 dxe4");
    assert_int_equal(table_plies(t), 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(table_take_back(t, &why), STATUS_OK);
    assert_int_equal(table_take_back(t, &why), STATUS_REFUSED);
    table_close(t);
}

static void resigns_and_agrees(void **state)
{
    (void)state;
    TableSetup setup = two_people(NULL);
    Table *t = open_table(&setup);
    Message why;
    play_all(t, "e4");
    assert_int_equal(table_resign(t, &why), STATUS_OK);
    expect_words(t, words_result, "Black resigns: White wins.");
    assert_int_equal(table_resign(t, &why), STATUS_REFUSED);
    table_new_game(t, NULL);
    play_all(t, "e4");
    assert_int_equal(table_offer_draw(t, &why), STATUS_REFUSED);
    assert_non_null(strstr(why.text, "Black offers"));
    play_all(t, "e5");
    assert_int_equal(table_offer_draw(t, &why), STATUS_OK);
    expect_words(t, words_result, "A draw: agreed.");
    /* An offer that was played on is none any more. */
    table_new_game(t, NULL);
    assert_int_equal(table_offer_draw(t, &why), STATUS_REFUSED);
    play_all(t, "e4 e5");
    assert_int_equal(table_offer_draw(t, &why), STATUS_REFUSED);
    table_close(t);
}

static void repeats_to_a_draw(void **state)
{
    (void)state;
    TableSetup setup = two_people(NULL);
    Table *t = open_table(&setup);
    play_all(t, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_true(table_is_over(t));
    assert_int_equal(table_result(t), RESULT_DRAW);
    table_close(t);
}

static void flags_fall(void **state)
{
    (void)state;
    TableSetup setup = two_people(NULL);
    setup.time = (TableTime){30, 0};
    Table *t = open_table(&setup);
    assert_int_equal(table_due(t), -1);
    play_all(t, "e4");
    clock_sleep_ms(40);
    assert_false(table_tick(t)); /* clocks start when both have moved */
    play_all(t, "e5");
    assert_true(table_clock_runs(t) && table_due(t) >= 0);
    clock_sleep_ms(40);
    assert_true(table_tick(t));
    assert_int_equal(table_result(t), RESULT_BLACK_WINS);
    expect_words(t, words_result, "White has no time left: Black wins.");
    table_close(t);
}

/* -- Files -- */

static void make_folder(char out[64])
{
    snprintf(out, 64, "/tmp/castellan-table-XXXXXX");
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
    char folder[64], path[TABLE_PATH_SIZE];
    Message why;
    Table *t = NULL;
    TableEvents events = {0};
    make_folder(folder);
    TableSetup setup = two_people(folder);
    assert_int_equal(table_resume(&t, &setup, &events, &why), STATUS_MISSING);
    setup.time = (TableTime){300000, 2000};
    t = open_table(&setup);
    assert_int_equal(files_in(folder), 0);
    play_all(t, "e4 e5 Nf3");
    snprintf(path, sizeof path, "%s", table_path(t));
    assert_true(path[0] != '\0');
    int64_t left = table_clock(t, WHITE);
    table_close(t); /* as after a kill: what is there is on the disk */
    setup.time = (TableTime){0};
    setup.seat[WHITE] = seat_castellan(); /* the file says otherwise */
    assert_int_equal(table_resume(&t, &setup, &events, &why), STATUS_OK);
    assert_int_equal(table_plies(t), 3);
    assert_true(table_is_human(t, WHITE) && table_is_human(t, BLACK));
    assert_int_equal(table_time(t).base_ms, 300000);
    assert_int_equal(table_time(t).increment_ms, 2000);
    assert_true(llabs((long long)(table_clock(t, WHITE) - left)) <= 1000);
    assert_string_equal(table_path(t), path);
    play_all(t, "Nc6");
    assert_int_equal(table_resign(t, &why), STATUS_OK);
    assert_int_equal(files_in(folder), 1);
    table_close(t);
    assert_int_equal(table_resume(&t, &setup, &events, &why), STATUS_MISSING);
    remove_folder(folder);
}

static void resumes_ones_own_game(void **state)
{
    (void)state;
    char folder[64];
    Message why;
    Table *t = NULL;
    TableEvents events = {0};
    make_folder(folder);
    TableSetup setup = two_people(folder);
    setup.person = "Ada";
    t = open_table(&setup);
    play_all(t, "e4");
    table_close(t);
    setup.person = "Bob";
    assert_int_equal(table_resume(&t, &setup, &events, &why), STATUS_MISSING);
    assert_non_null(strstr(why.text, "of Bob"));
    setup.person = "Ada";
    assert_int_equal(table_resume(&t, &setup, &events, &why), STATUS_OK);
    table_close(t);
    setup.person = NULL; /* whoever it was */
    assert_int_equal(table_resume(&t, &setup, &events, &why), STATUS_OK);
    table_close(t);
    remove_folder(folder);
}

/* Trouble is told once, and the game goes on. */
static void plays_without_a_disk(void **state)
{
    (void)state;
    TableSetup setup = two_people("/proc/nothing/here");
    remarks = 0;
    Table *t = open_table(&setup);
    play_all(t, "e4 e5 Nf3");
    assert_int_equal(remarks, 1);
    assert_string_equal(table_path(t), "");
    table_close(t);
}

static void a_program_answers(void **state)
{
    (void)state;
    TableSetup setup = two_people(NULL);
    Message why;
    setup.seat[BLACK] = seat_castellan();
    setup.seat[BLACK].level = 1;
    Table *t = open_table(&setup);
    play_all(t, "e4");
    assert_false(table_human_to_move(t));
    assert_int_equal(play(t, "e5"), STATUS_REFUSED);
    table_settle(t);
    assert_int_equal(table_plies(t), 2);
    /* Takes the answer back with the move, also in the middle of thinking. */
    play_all(t, "a3");
    table_tick(t);
    assert_int_equal(table_take_back(t, &why), STATUS_OK);
    assert_int_equal(table_plies(t), 2);
    assert_true(table_human_to_move(t));
    assert_int_equal(table_take_back(t, &why), STATUS_OK);
    assert_int_equal(table_plies(t), 0);
    table_swap_seats(t);
    table_settle(t);
    assert_int_equal(table_plies(t), 1);
    table_close(t);
}

static void programs_play_each_other(void **state)
{
    (void)state;
    TableSetup setup = two_people(NULL);
    Position start;
    Message why;
    assert_int_equal(fen_parse(&start, span_of("7k/8/8/8/8/8/4Q3/K7 w - - 0 1"), false, &why),
                     STATUS_OK);
    setup.start = &start;
    setup.seat[WHITE] = setup.seat[BLACK] = seat_castellan();
    setup.seat[WHITE].level = setup.seat[BLACK].level = 3;
    Table *t = open_table(&setup);
    assert_int_equal(table_resign(t, &why), STATUS_REFUSED);
    table_settle(t);
    assert_true(table_is_over(t));
    table_close(t);
}

/* A loss makes the next game easier, once; without a file nobody can adapt. */
static void adapts(void **state)
{
    (void)state;
    char folder[64], players[128];
    Message why;
    SeatSpec spec;
    make_folder(folder);
    snprintf(players, sizeof players, "%s/players", folder);
    TableSetup setup = two_people(NULL);
    setup.players = players;
    assert_int_equal(seat_read(span_of("adapt+50"), &setup.seat[BLACK], &why), STATUS_OK);
    Table *t = open_table(&setup);
    int first = table_seat(t, BLACK)->elo;
    assert_true(first > SEAT_ELO_MIN);
    play_all(t, "e4");
    table_settle(t);
    assert_int_equal(table_resign(t, &why), STATUS_OK);
    table_new_game(t, NULL);
    int second = table_seat(t, BLACK)->elo;
    assert_true(second < first);
    table_close(t);
    t = open_table(&setup); /* another day */
    assert_int_equal(table_seat(t, BLACK)->elo, second);
    table_close(t);
    setup.person = "Ada"; /* another person: nothing is known of her */
    t = open_table(&setup);
    assert_string_equal(table_seat(t, WHITE)->name, "Ada");
    assert_int_equal(table_seat(t, BLACK)->elo, first);
    table_close(t);
    setup.players = NULL;
    TableEvents events = {0};
    assert_int_equal(table_open(&t, &setup, &events, &why), STATUS_REFUSED);
    assert_int_equal(seat_read(span_of("mantis adapt"), &spec, &why), STATUS_INVALID);
    remove_folder(folder);
}

static void players_in_words(void **state)
{
    (void)state;
    SeatSpec spec;
    Message why;
    char text[SEAT_NAME_SIZE];
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
        assert_int_equal(seat_read(span_of(good[i][0]), &spec, &why), STATUS_OK);
        seat_write(&spec, text);
        assert_string_equal(text, good[i][1]);
        seat_title(&spec, text);
        assert_string_equal(text, good[i][2]);
    }
    static const char *const bad[] = {"", "castelan", "12", "99999", "castellan strong"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(seat_read(span_of(bad[i]), &spec, &why), STATUS_OK);
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
    words_pieces(&p, WHITE, &t);
    assert_string_equal(t.at, "White: king e1; rooks a1 and h1; pawn e5.");
    text_clear(&t);
    words_rank(&p, 4, &t);
    assert_string_equal(t.at, "Rank 5: black pawn d5, white pawn e5.");
    text_clear(&t);
    words_file(&p, 1, &t);
    assert_string_equal(t.at, "File b: empty.");
    text_clear(&t);
    assert_int_equal(san_read(&p, span_of("exd6"), &m, &why), STATUS_OK);
    words_move(&p, m, &t);
    assert_string_equal(t.at, "pawn e5 takes pawn d6 en passant");
    text_clear(&t);
    assert_int_equal(san_read(&p, span_of("O-O-O"), &m, &why), STATUS_OK);
    words_move(&p, m, &t);
    assert_string_equal(t.at, "castles queen side");
    text_free(&t);
    char face[WORDS_CLOCK_SIZE];
    words_clock_face(3723000, face);
    assert_string_equal(face, "1:02:03");
    words_clock_face(298999, face);
    assert_string_equal(face, "4:58");
    words_clock_face(9340, face);
    assert_string_equal(face, "0:09.3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mates_and_takes_back),     cmocka_unit_test(resigns_and_agrees),
        cmocka_unit_test(repeats_to_a_draw),        cmocka_unit_test(flags_fall),
        cmocka_unit_test(keeps_and_resumes),        cmocka_unit_test(resumes_ones_own_game),
        cmocka_unit_test(plays_without_a_disk),     cmocka_unit_test(a_program_answers),
        cmocka_unit_test(programs_play_each_other), cmocka_unit_test(adapts),
        cmocka_unit_test(players_in_words),         cmocka_unit_test(speaks_of_positions),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
