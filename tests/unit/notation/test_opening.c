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

static void assert_game(const Openings *o, const char *pgn, const char *eco, const char *name)
{
    Message why;
    PgnReader *r;
    OpeningName got = {"", ""};
    Game *g = game_new();
    assert_int_equal(pgn_open_text(&r, "t", span_of(pgn), &why), STATUS_OK);
    assert_int_equal(game_read(g, r, &why), STATUS_OK);
    assert_int_equal(openings_find_game(o, g, &got), eco != NULL);
    if (eco) {
        assert_string_equal(got.eco, eco);
        assert_non_null(strstr(got.name, name));
    }
    pgn_close(r);
    game_free(g);
}

/* Every line has a code, a name and moves that lead to a named position; no codes are missing. */
static void has_all_codes_and_many_lines(void **state)
{
    (void)state;
    Openings *o = opened();
    bool seen[5][100] = {{false}};
    char *bytes;
    size_t len;
    int codes = 0, lines = 0;
    assert_int_equal(file_read(&bytes, &len, "data/openings.tsv", 400 * 1000, NULL), STATUS_OK);
    Span rest = {bytes, len}, line;
    while (span_next_line(&rest, &line)) {
        if (!line.len || line.at[0] == '#')
            continue;
        const char *tab = memrchr(line.at, '\t', line.len);
        assert_non_null(tab);
        assert_true(line.at[0] >= 'A' && line.at[0] <= 'E' && line.at[1] >= '0' &&
                    line.at[1] <= '9' && line.at[2] >= '0' && line.at[2] <= '9' &&
                    line.at[3] == '\t' && tab > line.at + 4);
        bool *code = &seen[line.at[0] - 'A'][(line.at[1] - '0') * 10 + line.at[2] - '0'];
        codes += !*code;
        *code = true;
        lines++;
        Position p;
        OpeningName name;
        Span moves = {tab + 1, (size_t)(line.at + line.len - tab) - 1}, word;
        pos_set_start(&p);
        while (span_next_word(&moves, &word)) {
            Move m;
            Undo undo;
            assert_int_equal(san_read(&p, word, &m, NULL), STATUS_OK);
            assert_int_not_equal(m, MOVE_NULL);
            pos_make(&p, m, &undo);
        }
        assert_true(openings_find(o, &p, &name));
    }
    assert_int_equal(codes, 500);
    assert_true(lines >= 1000);
    print_message("opening names: %d lines, %zu bytes\n", lines, len);
    free(bytes);
    openings_close(o);
    openings_close(NULL);
}

static void finds_the_deepest_named_position(void **state)
{
    (void)state;
    Openings *o = opened();
    assert_game(o, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *", "C84", "Ruy Lopez");
    assert_game(o, "1. Nf3 Nc6 2. e4 e5 3. Bb5 *", "C60", "Ruy Lopez");
    assert_game(o, "1. e4 e5 (1... c5) 2. Nf3 Nc6 3. Bb5 (3. Bc4) *", "C60", "Ruy Lopez");
    assert_game(o, "1. e4 e5 2. Nf3 Nc6 3. Bb5 h5 4. Ke2 *", "C60", "Ruy Lopez");
    assert_game(o, "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *", "B90", "Najdorf");
    assert_game(o, "1. c4 e6 2. d4 d5 3. Nc3 Nf6 4. Bg5 *", "D50", "Queen's Gambit Declined");
    assert_game(o, "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 *", "E20", "Nimzo-Indian");
    assert_game(o, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] e4 *", NULL, NULL);
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
        cmocka_unit_test(has_all_codes_and_many_lines),
        cmocka_unit_test(finds_the_deepest_named_position),
        cmocka_unit_test(opens_quickly),
        cmocka_unit_test(agrees_with_others),
    };
    return cmocka_run_group_tests_name("opening", tests, init_chess, NULL);
}
