#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "notation/game_read.h"
#include "notation/pgn_write.h"

#include <stdio.h>
#include <string.h>

static Game *read_one(const char *pgn)
{
    Message why = {""};
    PgnReader *r;
    Game *g = game_new();
    assert_non_null(g);
    assert_int_equal(pgn_open_text(&r, "t", span_of(pgn), &why), STATUS_OK);
    if (game_read(g, r, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    pgn_close(r);
    return g;
}

static void write_to(const Game *g, Text *out)
{
    Message why = {""};
    text_init(out);
    if (pgn_write(g, out, &why) != STATUS_OK)
        fail_msg("%s", why.text);
}

/* What is written, without the tags. */
static void assert_moves(const Game *g, const char *want)
{
    Text out;
    write_to(g, &out);
    const char *moves = strstr(out.at, "\n\n");
    assert_non_null(moves);
    size_t len = strlen(moves);
    assert_true(len > 4 && strcmp(moves + len - 2, "\n\n") == 0);
    char body[4096];
    snprintf(body, sizeof body, "%.*s", (int)(len - 4), moves + 2);
    assert_string_equal(body, want);
    text_free(&out);
}

static void assert_rewritten(const char *pgn, const char *want)
{
    Game *g = read_one(pgn);
    assert_moves(g, want);
    game_free(g);
}

static void make_moves_to(const Game *g, const GameNode *n, Position *p)
{
    Undo undo;
    *p = *game_start(g);
    if (n->parent) {
        make_moves_to(g, n->parent, p);
        pos_play(p, n->move, &undo);
    }
}

static GameNode *add_san(Game *g, GameNode *at, const char *san)
{
    Position p;
    Move m;
    make_moves_to(g, at, &p);
    assert_int_equal(san_read(&p, span_of(san), &m, NULL), STATUS_OK);
    return game_add(g, at, m);
}

/* -- Writing what was read -- */

static void writes_export_format(void **state)
{
    (void)state;
    Game *g =
        read_one("[White \"a \\\"b\\\" \\\\\"]\n[Zebra \"z\"]\n[Annotator \"x\"]\n[Result \"*\"]\n"
                 "[Event \"e\"]\n\n1.e4 e5 2.Nf3 1-0");
    Text out;
    write_to(g, &out);
    assert_string_equal(out.at,
                        "[Event \"e\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
                        "[White \"a \\\"b\\\" \\\\\"]\n[Black \"?\"]\n[Result \"1-0\"]\n"
                        "[Annotator \"x\"]\n[Zebra \"z\"]\n\n1. e4 e5 2. Nf3 1-0\n\n");
    text_free(&out);
    game_free(g);
}

static void writes_annotations(void **state)
{
    (void)state;
    assert_rewritten("{Hello\n  there} e4! {a} {b} $14 e5 *",
                     "{Hello there} 1. e4 $1 $14 {a b} 1... e5 *");
    assert_rewritten(
        "e4 e5 (c5 Nf3 (c3 {Alapin} d5) d6) ({solid} e6) Nf3 *",
        "1. e4 e5 (1... c5 2. Nf3 (2. c3 {Alapin} 2... d5) 2... d6) ({solid} 1... e6) 2.\n"
        "Nf3 *");
    assert_rewritten("e4 (d4) (c4) ; a } here\n e5 *",
                     "1. e4 {a ) here} (1. d4) (1. c4) 1... e5 *");
    assert_rewritten("e4 ({nothing}) e5 *", "1. e4 {nothing} 1... e5 *");
    assert_rewritten("*", "*");
    assert_rewritten("-- e5 (-- e4) *", "1. -- e5 (1... -- 2. e4) *");
    assert_rewritten("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 40\"] Kd7 e4 1/2-1/2",
                     "40... Kd7 41. e4 1/2-1/2");
}

/* A variation to the first move of a variation is one to the move they both replace. */
static void flattens_variations_of_variations(void **state)
{
    (void)state;
    assert_rewritten("1. e4 (1. d4 (1. c4 c5) d5) *", "1. e4 (1. d4 d5) (1. c4 c5) *");
}

static void keeps_lines_short(void **state)
{
    (void)state;
    Text pgn, out;
    text_init(&pgn);
    text_add_str(&pgn, "{");
    for (int i = 0; i < 200; i++)
        text_addf(&pgn, "word%d [%%clk 0:00:%02d] %%x [y ", i, i % 60);
    text_add_str(&pgn, "} ");
    for (int i = 0; i < 40; i++)
        text_add_str(&pgn, "Nf3 (Nc3 (Nh3 (Na3 {a comment}))) Nf6 $1 Ng1 Ng8 ");
    Game *g = read_one(pgn.at);
    write_to(g, &out);
    Span rest = {out.at, out.len}, line;
    size_t longest = 0;
    while (span_next_line(&rest, &line)) {
        longest = line.len > longest ? line.len : longest;
        assert_true(line.len < 80);
        assert_true(!line.len || line.at[0] != '%');
        assert_true(!span_starts(line, "[y"));
        assert_true(!span_starts(line, "0:00:"));
        assert_true(!line.len || line.at[line.len - 1] != ' ');
    }
    assert_true(longest > 70);
    text_free(&out);
    text_free(&pgn);
    game_free(g);
}

/* What was written reads and writes as the same again. */
static void round_trips(void **state)
{
    (void)state;
    static const char *const games[] = {
        "e4 e5 (c5 Nf3 (c3 {Alapin} d5 (Nf6 e5 {x} (-- -- Nf3))) d6) ({solid} e6) Nf3 $3 $7 *",
        ("[Variant \"Chess960\"][FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 "
         "9\"] e3 d5 *"),
        "[Event \"\xc3\xa9t\xe9\"][A \"\\\\\"]{\xe9} e4 {[%clk 0:01:00] [%eval 0.17,22] ok} e5 0-1",
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Text first, second;
        Game *g = read_one(games[i]);
        write_to(g, &first);
        game_free(g);
        g = read_one(first.at);
        write_to(g, &second);
        game_free(g);
        assert_string_equal(first.at, second.at);
        text_free(&first);
        text_free(&second);
    }
}

/* -- Editing -- */

static void adds_moves_and_variations(void **state)
{
    (void)state;
    Game *g = game_new();
    GameNode *e4 = add_san(g, game_root(g), "e4");
    GameNode *e5 = add_san(g, e4, "e5");
    GameNode *c5 = add_san(g, e4, "c5");
    add_san(g, c5, "Nf3");
    add_san(g, e5, "Nf3");
    assert_ptr_equal(add_san(g, e4, "c5"), c5);
    assert_moves(g, "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *");
    assert_int_equal(game_ply(game_last(g)), 3);
    game_free(g);
}

static void deletes(void **state)
{
    (void)state;
    Game *g = read_one("e4 c5 (e5 Nf3) (c6) (e6) c3 (Nf3) *");
    GameNode *e4 = game_root(g)->child;
    game_delete(e4->last);
    game_delete(e4->child->next);
    assert_moves(g, "1. e4 c5 (1... c6) 2. c3 (2. Nf3) *");
    add_san(g, e4, "d5");
    game_delete(e4->child);
    assert_moves(g, "1. e4 c6 (1... d5) *");
    add_san(g, e4, "a6");
    assert_moves(g, "1. e4 c6 (1... d5) (1... a6) *");
    game_delete(game_root(g));
    assert_moves(g, "*");
    add_san(g, game_root(g), "d4");
    assert_moves(g, "1. d4 *");
    game_free(g);
}

static void annotates(void **state)
{
    (void)state;
    Message why;
    Game *g = read_one("e4 e5 *");
    GameNode *e4 = game_root(g)->child;
    assert_int_equal(game_set_comment(g, e4, span_of("  best \n by\ttest "), &why), STATUS_OK);
    assert_int_equal(game_add_comment(g, e4, span_of(" (1922)"), &why), STATUS_OK);
    assert_int_equal(game_set_comment_before(g, e4, span_of("so:"), &why), STATUS_OK);
    assert_true(game_add_nag(e4, 1));
    assert_true(game_add_nag(e4, 1));
    assert_false(game_add_nag(e4, 256));
    assert_moves(g, "{so:} 1. e4 $1 {best by test (1922)} 1... e5 *");
    assert_int_equal(game_set_comment(g, e4, span_of(" "), &why), STATUS_OK);
    assert_int_equal(game_set_comment_before(g, e4, (Span){NULL, 0}, &why), STATUS_OK);
    e4->nag_count = 0;
    game_set_result(g, RESULT_DRAW);
    assert_moves(g, "1. e4 e5 1/2-1/2");
    for (int i = 0; i < 20; i++)
        assert_int_equal(game_add_nag(e4, i), i < GAME_MAX_NAGS);
    game_free(g);
}

static void sets_tags(void **state)
{
    (void)state;
    Message why;
    Game *g = game_new();
    assert_null(game_tag(g, "White"));
    assert_int_equal(game_set_tag(g, span_of("White"), span_of("a"), &why), STATUS_OK);
    assert_int_equal(game_set_tag(g, span_of("Black"), span_of("b\nc"), &why), STATUS_OK);
    assert_int_equal(game_set_tag(g, span_of("White"), span_of("d"), &why), STATUS_OK);
    assert_string_equal(game_tag(g, "White"), "d");
    assert_string_equal(game_tag(g, "Black"), "b c");
    assert_int_equal(game_set_tag(g, span_of("White"), (Span){NULL, 0}, &why), STATUS_OK);
    assert_null(game_tag(g, "White"));
    assert_string_equal(game_tags(g)->name, "Black");
    for (int i = 1; i <= GAME_MAX_TAGS; i++) {
        char name[16];
        snprintf(name, sizeof name, "T%d", i);
        Status s = game_set_tag(g, span_of(name), span_of(""), &why);
        assert_int_equal(s, i < GAME_MAX_TAGS ? STATUS_OK : STATUS_REFUSED);
    }
    game_clear(g);
    assert_null(game_tags(g));
    game_free(g);
}

static void begins_elsewhere(void **state)
{
    (void)state;
    static const char fen[] = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40";
    Message why;
    Position p;
    Game *g = read_one("e4 e5 *");
    assert_int_equal(fen_parse(&p, span_of(fen), false, &why), STATUS_OK);
    assert_int_equal(game_set_start(g, &p, &why), STATUS_OK);
    assert_string_equal(game_tag(g, "FEN"), fen);
    assert_string_equal(game_tag(g, "SetUp"), "1");
    assert_null(game_tag(g, "Variant"));
    assert_null(game_root(g)->child);
    add_san(g, game_root(g), "Kd7");
    assert_moves(g, "40... Kd7 *");
    pos_set_chess960(&p, 0, 0);
    assert_int_equal(game_set_start(g, &p, &why), STATUS_OK);
    assert_string_equal(game_tag(g, "Variant"), "Chess960");
    pos_set_start(&p);
    assert_int_equal(game_set_start(g, &p, &why), STATUS_OK);
    assert_null(game_tags(g));
    game_free(g);
}

/* -- Hostile games -- */

static Status read_text(Text *pgn, Game *g, Message *why)
{
    PgnReader *r;
    assert_false(pgn->failed);
    assert_int_equal(pgn_open_text(&r, "t", (Span){pgn->at, pgn->len}, why), STATUS_OK);
    Status s = game_read(g, r, why);
    if (s == STATUS_INVALID) {
        Message next;
        assert_int_equal(game_read(g, r, &next), STATUS_OK);
        assert_moves(g, "1. d4 *");
    }
    pgn_close(r);
    return s;
}

/* Each of these would be slow or deep in a simple-minded tree. */
static void survives_crowds(void **state)
{
    (void)state;
    static const struct {
        const char *before, *repeated, *behind;
        int times;
        Status want;
    } rows[] = {
        {"e4 ", "(d4) ", "e5 *", 100000, STATUS_OK},
        {"e4 ", "{a} ", "e5 *", 300000, STATUS_OK},
        {"e4 ", "$1 ", "e5 *", 300000, STATUS_OK},
        {"Nf3 ", "(Nc3 ", "Nf6 *\n[Event \"\"]d4 *", 2000, STATUS_INVALID},
        {"", "[a \"\"]", "e4 *", 100000, STATUS_OK},
        {"e4 {", "[%a ", "} *", 250000, STATUS_OK},
        {"e4 {", "%a ", "} *", 250000, STATUS_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text pgn, out;
        Message why = {""};
        Game *g = game_new();
        text_init(&pgn);
        text_add_str(&pgn, rows[i].before);
        for (int k = 0; k < rows[i].times; k++)
            text_add_str(&pgn, rows[i].repeated);
        text_add_str(&pgn, rows[i].behind);
        assert_int_equal(read_text(&pgn, g, &why), rows[i].want);
        write_to(g, &out);
        text_free(&out);
        text_free(&pgn);
        game_free(g);
    }
}

static void refuses_too_many_tags(void **state)
{
    (void)state;
    Text pgn;
    Message why = {""};
    Game *g = game_new();
    text_init(&pgn);
    for (int i = 0; i < 50000; i++)
        text_addf(&pgn, "[a%d \"\"]\n", i);
    text_add_str(&pgn, "e4 *\n[Event \"\"]\nd4 *");
    assert_int_equal(read_text(&pgn, g, &why), STATUS_INVALID);
    assert_string_equal(why.text, "t:1: game with more than 1000 tags");
    text_free(&pgn);
    game_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_export_format),
        cmocka_unit_test(writes_annotations),
        cmocka_unit_test(flattens_variations_of_variations),
        cmocka_unit_test(keeps_lines_short),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(adds_moves_and_variations),
        cmocka_unit_test(deletes),
        cmocka_unit_test(annotates),
        cmocka_unit_test(sets_tags),
        cmocka_unit_test(begins_elsewhere),
        cmocka_unit_test(survives_crowds),
        cmocka_unit_test(refuses_too_many_tags),
    };
    return cmocka_run_group_tests_name("game", tests, init_chess, NULL);
}
