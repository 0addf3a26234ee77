/* What a review leaves in a game, and on a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "notation/game_read.h"
#include "notation/pgn_write.h"
#include "study/annotate.h"
#include "study/report.h"

#include <string.h>

static const char source[] =
    "[White \"<b>\"]\n[Black \"Two & Three\"]\n[Result \"0-1\"]\n[ECO \"X99\"]\n\n"
    "{before} 1. f3 {[%clk 0:05:00] weak [%eval 9.99] but playable} e5 "
    "2. g4 $1 {a plan} (2. e4 Nf6 {calm}) Qh4# $6 0-1\n";

typedef struct Fixture {
    Game *game;
    Reviewer *reviewer;
    Review *review;
    Text out;
} Fixture;

static Fixture open_fixture(void)
{
    Fixture f = {.game = game_new()};
    PgnReader *r;
    Message why = {""};
    ReviewOptions options = {.nodes = 3000, .hash_mb = 4};
    text_init(&f.out);
    if (pgn_open_text(&r, "test", span_of(source), &why) != STATUS_OK ||
        game_read(f.game, r, &why) != STATUS_OK ||
        reviewer_open(&f.reviewer, &options, &why) != STATUS_OK ||
        review_game(f.reviewer, f.game, NULL, &f.review, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    pgn_close(r);
    return f;
}

static void close_fixture(Fixture *f)
{
    review_free(f->review);
    reviewer_close(f->reviewer);
    game_free(f->game);
    text_free(&f->out);
}

static void annotate(Fixture *f)
{
    Message why = {""};
    text_clear(&f->out);
    assert_int_equal(annotate_game(f->game, f->review, &why), STATUS_OK);
    assert_int_equal(pgn_write(f->game, &f->out, &why), STATUS_OK);
    /* as one line: where it breaks is the writer's business */
    for (char *c = f->out.at; *c; c++)
        if (*c == '\n')
            *c = ' ';
}

static void check_has(const Fixture *f, const char *text)
{
    if (!strstr(f->out.at, text))
        fail_msg("no \"%s\" in %s", text, f->out.at);
}

static void annotations_join_what_is_there(void **state)
{
    (void)state;
    Fixture f = open_fixture();
    annotate(&f);
    check_has(&f, "[ECO \"X99\"]");
    check_has(&f, "[Annotator \"Castellan\"]");
    check_has(&f, "{before White: accuracy ");
    check_has(&f, "[%clk 0:05:00] weak but playable");
    assert_null(strstr(f.out.at, "9.99"));
    check_has(&f, "{calm}");
    /* the glyph of the one who wrote it stays, the words tell what we think of the move */
    check_has(&f,
              "2. g4 $1 {[%eval #-1] a plan Blunder. Allows mate in 1: 2...Qh4#. Better was 2.");
    check_has(&f, "(2. e4 Nf6 {calm}");
    check_has(&f, "2... Qh4# $6 0-1");
    close_fixture(&f);
}

static void to_annotate_twice_changes_nothing(void **state)
{
    (void)state;
    Fixture f = open_fixture();
    Text once;
    text_init(&once);
    annotate(&f);
    text_add(&once, f.out.at, f.out.len);
    annotate(&f);
    assert_string_equal(once.at, f.out.at);
    text_free(&once);
    close_fixture(&f);
}

static int count_of(const char *text, const char *what)
{
    int count = 0;
    while ((text = strstr(text, what))) {
        count++;
        text++;
    }
    return count;
}

static void the_page_needs_nothing_else(void **state)
{
    (void)state;
    Fixture f = open_fixture();
    report_begin(&f.out, "some/where/ga<mes.pgn");
    report_add_game(&f.out, f.game, f.review, 1);
    report_end(&f.out);
    assert_false(f.out.failed);
    check_has(&f, "<title>ga&lt;mes.pgn, reviewed by Castellan</title>");
    check_has(&f, "&lt;b&gt; &ndash; Two &amp; Three, <span class=\"result\">0-1<");
    check_has(&f, "aria-live=\"polite\"");
    check_has(&f, "id=\"wK\"");
    check_has(&f, "data-move=\"2... Qh4#");
    check_has(&f, "Allows mate in 1: 2...Qh4#.");
    assert_null(strstr(f.out.at, "<b>"));
    assert_int_equal(count_of(f.out.at, "<section"), 1);
    assert_int_equal(count_of(f.out.at, "<svg "), count_of(f.out.at, "</svg>"));
    assert_int_equal(count_of(f.out.at, "<script"), count_of(f.out.at, "</script>"));
    /* no address but the name of SVG itself */
    assert_int_equal(count_of(f.out.at, "http"), count_of(f.out.at, "http://www.w3.org/2000/svg"));
    assert_null(strstr(f.out.at, "src="));
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(annotations_join_what_is_there),
        cmocka_unit_test(to_annotate_twice_changes_nothing),
        cmocka_unit_test(the_page_needs_nothing_else),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
