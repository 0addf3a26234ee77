#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "base/clock.h"
#include "base/file.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "notation/game_read.h"
#include "notation/opening.h"
#include "notation/opening_data_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Openings *opened(void)
{
    Openings *o;
    Message why = {""};
    if (openings_open(&o, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return o;
}

static void assert_game(const Openings *o, const char *pgn, const char *eco, const char *name,
                        int plies)
{
    Message why;
    PgnReader *r;
    OpeningName got = {"", ""};
    int depth = -1;
    Game *g = game_new();
    assert_int_equal(pgn_open_text(&r, "t", span_of(pgn), &why), STATUS_OK);
    assert_int_equal(game_read(g, r, &why), STATUS_OK);
    assert_int_equal(openings_find_game(o, g, &got, &depth), eco != NULL);
    if (eco) {
        assert_string_equal(got.eco, eco);
        assert_non_null(strstr(got.name, name));
        assert_int_equal(depth, plies);
    }
    pgn_close(r);
    game_free(g);
}

/* -- A table of our own -- */

static void finds_the_deepest_named_position(void **state)
{
    (void)state;
    Openings *o;
    Message why;
    static const char table[] = "# comment\n"
                                "B00\tKing's Pawn\te4\n"
                                "C20\tOpen Game\t1. e4 e5\r\n"
                                "\n"
                                "C44\tKnights\te4 e5 Nf3 Nc6\n"
                                "C99\tSecond name\tNf3 Nc6 e4 e5\n"
                                "A00\tNothing\t";
    assert_int_equal(openings_open_text(&o, span_of(table), &why), STATUS_OK);
    assert_int_equal(openings_lines(o), 5);
    assert_int_equal(openings_positions(o), 4);
    assert_game(o, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *", "C44", "Knights", 4);
    assert_game(o, "1. Nf3 Nc6 2. e4 e5 3. Bb5 *", "C44", "Knights", 4);
    assert_game(o, "1. e4 e5 2. Qh5 *", "C20", "Open Game", 2);
    assert_game(o, "1. e4 e5 (1... c5) 2. Nf3 (2. Qh5) *", "C20", "Open Game", 2);
    assert_game(o, "*", "A00", "Nothing", 0);
    assert_game(o, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] e4 *", NULL, NULL, 0);
    openings_close(o);
    openings_close(NULL);
}

static void names_the_line_that_cannot_be_read(void **state)
{
    (void)state;
    static const struct {
        const char *table, *why;
    } rows[] = {
        {"A00\tx\te4\nA00\ty\te4 e4\n", "opening names, line 2: \"e4\" is not legal here"},
        {"A00 x e4\n", "opening names, line 1: expected ECO, name and moves, separated by tabs"},
        {"F00\tx\te4\n", "opening names, line 1: expected ECO, name and moves, separated by tabs"},
        {"A00\t\te4\n", "opening names, line 1: expected ECO, name and moves, separated by tabs"},
        {"A00\tx\t--\n", "opening names, line 1: a null move"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Openings *o;
        Message why;
        assert_int_equal(openings_open_text(&o, span_of(rows[i].table), &why), STATUS_INVALID);
        assert_string_equal(why.text, rows[i].why);
        assert_null(o);
    }
}

/* -- The table of the program -- */

static void has_all_codes_and_many_lines(void **state)
{
    (void)state;
    Openings *o = opened();
    bool seen[5][100] = {{false}};
    Span rest = opening_data(), line;
    assert_true(rest.len <= 400 * 1000);
    while (span_next_line(&rest, &line))
        if (line.len > 3 && line.at[0] != '#')
            seen[line.at[0] - 'A'][(line.at[1] - '0') * 10 + line.at[2] - '0'] = true;
    int codes = 0;
    for (int i = 0; i < 500; i++)
        codes += seen[i / 100][i % 100];
    assert_int_equal(codes, 500);
    assert_true(openings_lines(o) >= 1000);
    print_message("opening names: %d lines, %d positions, %zu bytes\n", openings_lines(o),
                  openings_positions(o), opening_data().len);
    openings_close(o);
}

static void knows_the_classics(void **state)
{
    (void)state;
    Openings *o = opened();
    assert_game(o, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *", "C84", "Ruy Lopez", 10);
    assert_game(o, "1. Nf3 Nc6 2. e4 e5 3. Bb5 *", "C60", "Ruy Lopez", 5);
    assert_game(o, "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *", "B90", "Najdorf", 10);
    assert_game(o, "1. c4 e6 2. d4 d5 3. Nc3 Nf6 4. Bg5 *", "D50", "Queen's Gambit Declined", 7);
    assert_game(o, "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 *", "E20", "Nimzo-Indian", 6);
    openings_close(o);
}

static void opens_quickly(void **state)
{
    (void)state;
    int64_t begin = clock_now_ms();
    openings_close(opened());
    int64_t ms = clock_now_ms() - begin;
    print_message("opening names: opened in %d ms\n", (int)ms);
    assert_true(ms < 1000);
}

/* -- Compared with a list of others, where it is -- */

typedef struct Agreement {
    int lines, known, eco, classified, classified_eco;
} Agreement;

static bool is_number(Span word)
{
    return word.at[word.len - 1] == '.';
}

/* "C65 <tab> name <tab> 1. e4 e5 ..." */
static void compare_line(const Openings *o, Span line, Agreement *a)
{
    const char *tab = memrchr(line.at, '\t', line.len);
    Span moves = {tab + 1, (size_t)(line.at + line.len - tab) - 1}, word;
    Span eco = {line.at, 3};
    Position p;
    OpeningName last = {"", ""}, exact = {"", ""};
    bool known = false;
    pos_set_start(&p);
    while (span_next_word(&moves, &word)) {
        Move m;
        Undo undo;
        if (is_number(word))
            continue;
        assert_int_equal(san_read(&p, word, &m, NULL), STATUS_OK);
        pos_make(&p, m, &undo);
        known = openings_find(o, &p, &exact);
        if (known)
            last = exact;
    }
    a->lines++;
    a->known += known;
    a->eco += known && span_is(eco, exact.eco);
    a->classified += last.eco[0] != '\0';
    a->classified_eco += span_is(eco, last.eco);
}

static bool compare_file(const Openings *o, char letter, Agreement *a)
{
    static const char *const roots[] = {"../shared/data", "../../shared/data"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        char path[256], *bytes;
        size_t len;
        snprintf(path, sizeof path, "%s/opening-names/%c.tsv", roots[i], letter);
        if (file_read(&bytes, &len, path, 64 << 20, NULL) != STATUS_OK)
            continue;
        Span rest = {bytes, len}, line;
        span_next_line(&rest, &line);
        while (span_next_line(&rest, &line))
            compare_line(o, line, a);
        free(bytes);
        return true;
    }
    return false;
}

static void agrees_with_others(void **state)
{
    (void)state;
    Openings *o = opened();
    Agreement a = {0};
    bool there = true;
    for (char letter = 'a'; letter <= 'e' && there; letter++)
        there = compare_file(o, letter, &a);
    openings_close(o);
    if (!there) {
        print_message("skip agrees_with_others: ../shared/data/opening-names is missing\n");
        skip();
    }
    print_message("opening names: %d of %d positions known to both, %.1f %% of them with the same "
                  "ECO code; all %d lines called by their last named position: %.1f %%\n",
                  a.known, a.lines, 100.0 * a.eco / a.known, a.classified,
                  100.0 * a.classified_eco / a.lines);
    assert_true(a.known >= 1000);
    assert_true(a.eco >= a.known * 95 / 100);
    assert_true(a.classified_eco >= a.lines * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_deepest_named_position),
        cmocka_unit_test(names_the_line_that_cannot_be_read),
        cmocka_unit_test(has_all_codes_and_many_lines),
        cmocka_unit_test(knows_the_classics),
        cmocka_unit_test(opens_quickly),
        cmocka_unit_test(agrees_with_others),
    };
    return cmocka_run_group_tests_name("opening", tests, init_chess, NULL);
}
