#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "notation/pgn_reader.h"
#include "notation/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- What the reader told, as one text -- */

typedef struct Trace {
    Text text;
    uint64_t moves;
    int deepest;
} Trace;

static void on_begin(void *user)
{
    text_add_str(&((Trace *)user)->text, "<");
}

static void on_tag(void *user, Span name, Span value)
{
    text_addf(&((Trace *)user)->text, "%.*s=%.*s ", (int)name.len, name.at, (int)value.len,
              value.at);
}

static void on_start(void *user, const Position *p)
{
    char fen[FEN_SIZE];
    fen_write(p, FEN_X, fen);
    if (strcmp(fen, FEN_START) != 0)
        text_addf(&((Trace *)user)->text, "from %s%s ", fen, p->chess960 ? " 960" : "");
}

static void on_move(void *user, const Position *p, Move m, int depth)
{
    Trace *t = user;
    char uci[UCI_MOVE_SIZE];
    uci_move_write(p, m, uci);
    text_addf(&t->text, "%s ", uci);
    t->moves++;
    t->deepest = depth > t->deepest ? depth : t->deepest;
}

static void on_nag(void *user, int nag)
{
    text_addf(&((Trace *)user)->text, "$%d ", nag);
}

static void on_comment(void *user, Span text)
{
    text_addf(&((Trace *)user)->text, "{%.*s} ", (int)text.len, text.at);
}

static void on_open(void *user)
{
    text_add_str(&((Trace *)user)->text, "( ");
}

static void on_close(void *user)
{
    text_add_str(&((Trace *)user)->text, ") ");
}

static void on_end(void *user, Result result)
{
    text_addf(&((Trace *)user)->text, "%s>", result_text(result));
}

static PgnVisitor tracer(Trace *t)
{
    return (PgnVisitor){.user = t,
                        .begin = on_begin,
                        .tag = on_tag,
                        .start = on_start,
                        .move = on_move,
                        .nag = on_nag,
                        .comment = on_comment,
                        .open = on_open,
                        .close = on_close,
                        .end = on_end};
}

/* Reads all games; every broken one leaves "!message!" in the trace. */
static void trace_span(Trace *t, Span pgn)
{
    Message why = {""};
    PgnReader *r;
    Status s;
    *t = (Trace){.moves = 0};
    text_init(&t->text);
    PgnVisitor v = tracer(t);
    assert_int_equal(pgn_open_text(&r, "t", pgn, &why), STATUS_OK);
    while ((s = pgn_next(r, &v, &why)) != STATUS_END) {
        if (s != STATUS_OK) {
            assert_int_equal(s, STATUS_INVALID);
            text_addf(&t->text, "!%s!", why.text);
        }
    }
    assert_int_equal(pgn_next(r, &v, &why), STATUS_END);
    assert_int_equal(pgn_offset(r), pgn.len);
    pgn_close(r);
    assert_false(t->text.failed);
}

static void assert_trace(const char *pgn, const char *want)
{
    Trace t;
    trace_span(&t, span_of(pgn));
    assert_string_equal(t.text.at, want);
    text_free(&t.text);
}

/* -- What is read -- */

static void reads_plain_games(void **state)
{
    (void)state;
    assert_trace("", "");
    assert_trace(" \r\n\n", "");
    assert_trace("1. e4 e5 2. Nf3 *", "<e2e4 e7e5 g1f3 *>");
    assert_trace("1.e4 e5 2.Nf3 1-0", "<e2e4 e7e5 g1f3 1-0>");
    assert_trace("e4 e5 0-1\ne4 d5 1/2-1/2 d4 1/2",
                 "<e2e4 e7e5 0-1><e2e4 d7d5 1/2-1/2><d2d4 1/2-1/2>");
    assert_trace("1 e4 1... e5 2. ... *", "<e2e4 e7e5 *>");
    assert_trace("[Event \"a\"]\n[Site \"b\"]\n\n*\n", "<Event=a Site=b *>");
    assert_trace("1. e4 \xc2\xbd-\xc2\xbd 1. d4 \xbd-\xbd", "<e2e4 1/2-1/2><d2d4 1/2-1/2>");
}

static void reads_without_results(void **state)
{
    (void)state;
    assert_trace("1. e4", "<e2e4 *>");
    assert_trace("[Result \"0-1\"]\n1. e4", "<Result=0-1 e2e4 0-1>");
    assert_trace("[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. d4", "<Event=a e2e4 *><Event=b d2d4 *>");
    assert_trace("[Event \"a\"]\n\n[Event \"b\"]\n", "<Event=a *><Event=b *>");
    assert_trace("[Event \"a\"]\n\n[Site \"b\"]\n\n1. e4", "<Event=a Site=b e2e4 *>");
}

static void reads_tags_as_people_write_them(void **state)
{
    (void)state;
    assert_trace("[Event \"a \\\"b\\\" \\\\ c\"]*", "<Event=a \"b\" \\ c *>");
    assert_trace("[Event \"the \"big\" one\"]*", "<Event=the \"big\" one *>");
    assert_trace("[ Event  \"a\" ] [Site \"\"]*", "<Event=a Site= *>");
    assert_trace("[White \"M\xfcller\"][Black \"M\xc3\xbcller\"]*",
                 "<White=M\xc3\xbcller Black=M\xc3\xbcller *>");
    assert_trace("[White \"M\xfcll\\\"er\"]*", "<White=M\xc3\xbcll\"er *>");
}

static void reads_comments_of_both_kinds(void **state)
{
    (void)state;
    assert_trace("1. e4 {good} e5 ; rest } of line\n2. Nf3 *",
                 "<e2e4 {good} e7e5 { rest } of line} g1f3 *>");
    assert_trace("1. e4 ; at the end", "<e2e4 { at the end} *>");
    assert_trace("1. e4 {two\nlines {and} e5 *", "<e2e4 {two\nlines {and} e7e5 *>");
    assert_trace("1. e4 {} e5 {[%clk 0:10:00]} *", "<e2e4 {} e7e5 {[%clk 0:10:00]} *>");
    assert_trace("1. e4 {caf\xe9} *", "<e2e4 {caf\xc3\xa9} *>");
    assert_trace("{before} 1. e4 *", "<{before} e2e4 *>");
}

/* What stands between games belongs to none. */
static void passes_over_comments_between_games(void **state)
{
    (void)state;
    assert_trace("; a file\n{of games}\n[Event \"a\"]\n1. e4 *\n{end}\n",
                 "<{ a file} {of games} <Event=a e2e4 *><{end} ");
}

static void passes_over_escaped_lines(void **state)
{
    (void)state;
    assert_trace("% (1. e4 {\n[Event \"a\"]\n%x\r\n1. e4\n% }\ne5 *", "<Event=a e2e4 e7e5 *>");
    assert_trace("1. e4 % e5 *", "<e2e4 !t:1: unexpected '%'!");
}

static void reads_byte_order_mark_and_line_ends(void **state)
{
    (void)state;
    assert_trace("\xef\xbb\xbf[Event \"a\"]\r\n\r\n1. e4\r\ne5\r\n*\r\n", "<Event=a e2e4 e7e5 *>");
    assert_trace("\xef\xbb\xbf", "");
    assert_trace("\xef\xbb\xbf% x\n1. e4 *", "<e2e4 *>");
    assert_trace("[Event \"a\"]\r\r1. e4\r%x\n*", "<Event=a e2e4 *>");
}

static void reads_glyphs(void **state)
{
    (void)state;
    assert_trace("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *",
                 "<e2e4 $1 e7e5 $2 g1f3 $3 b8c6 $4 f1b5 $5 a7a6 $6 *>");
    assert_trace("1. e4 $14 $255 e5 +- 2. Nf3 = +/- $1 *",
                 "<e2e4 $14 $255 e7e5 $18 g1f3 $10 $16 $1 *>");
    assert_trace("1. e4+- e5-+ 2. Nf3+/- Nc6-/+ 3. Bc4+/= Nf6+= *",
                 "<e2e4 $18 e7e5 $19 g1f3 $16 b8c6 $17 f1c4 $14 g8f6 *>");
    assert_trace("1. e4 + e5 (=) 2. d4 N *", "<e2e4 e7e5 d2d4 $146 *>");
    assert_trace("1. e4 $256 *", "<e2e4 !t:1: '$' without a number from 0 to 255!");
    assert_trace("1. e4 $ *", "<e2e4 !t:1: '$' without a number from 0 to 255!");
}

static void reads_variations(void **state)
{
    (void)state;
    assert_trace("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6) 2. Nf3 *",
                 "<e2e4 e7e5 ( c7c5 g1f3 ( c2c3 d7d5 ) d7d6 ) ( e7e6 ) g1f3 *>");
    assert_trace("1. e4 (1. d4 1-0) *", "<e2e4 ( d2d4 ) *>");
    assert_trace("1. e4 (1. d4 *", "<e2e4 ( d2d4 !t:1: unterminated variation!");
    assert_trace("1. e4 ) *", "<e2e4 !t:1: ')' without '('!");
    assert_trace("(1. e4) *", "<!t:1: variation without a preceding move!");
    assert_trace("1. e4 ((1. d4)) *", "<e2e4 ( !t:1: variation without a preceding move!");
}

/* The position behind a variation is the one before it, castling, en passant and all. */
static void takes_variations_back_whole(void **state)
{
    (void)state;
    assert_trace("1. e4 d6 2. e5 f5 (2... d5 3. d4 h5) 3. exf6 e.p. *",
                 "<e2e4 d7d6 e4e5 f7f5 ( d6d5 d2d4 h7h5 ) e5f6 *>");
    assert_trace(
        "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O (4. Rf1 O-O 5. Rg1) (4. Kf1 0-0) 4... 0-0 *",
        "<g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 ( h1f1 e8g8 f1g1 ) ( e1f1 e8g8 ) e8g8 *>");
}

static void reads_null_moves(void **state)
{
    (void)state;
    assert_trace("1. -- e5 2. Z0 -- 3. e4 (3. -- d5) *",
                 "<0000 e7e5 0000 0000 e2e4 ( 0000 d7d5 ) *>");
    assert_trace("1. e4 f6 2. Qh5+ -- *",
                 "<e2e4 f7f6 d1h5 !t:1: \"--\" is not legal here: the king is in check!");
}

static void reads_other_starts(void **state)
{
    (void)state;
    assert_trace("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 40\"]\n40... Kd7 41. e4 *",
                 "<FEN=4k3/8/8/8/8/8/4P3/4K3 b - - 3 40 from 4k3/8/8/8/8/8/4P3/4K3 b - - 3 40 "
                 "e8d7 e2e4 *>");
    assert_trace("[SetUp \"0\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 40\"]\n1. e4 *",
                 "<SetUp=0 FEN=4k3/8/8/8/8/8/4P3/4K3 b - - 3 40 e2e4 *>");
    assert_trace("[Variant \"Fischerandom\"]\n"
                 "[FEN \"1k1r4/3p1p2/8/8/8/8/3P1P2/1K1R4 w Dd - 0 1\"]\n1. O-O O-O *",
                 "<Variant=Fischerandom FEN=1k1r4/3p1p2/8/8/8/8/3P1P2/1K1R4 w Dd - 0 1 "
                 "from 1k1r4/3p1p2/8/8/8/8/3P1P2/1K1R4 w Kk - 0 1 960 b1d1 b8d8 *>");
}

static void refuses_impossible_starts(void **state)
{
    (void)state;
    Trace t;
    trace_span(&t,
               span_of("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n1. e4 *\n\n[Site \"x\"]\n1. d4 *"));
    assert_non_null(strstr(t.text.at, "!t:2: FEN tag: "));
    assert_non_null(strstr(t.text.at, "<Site=x d2d4 *>"));
    text_free(&t.text);
    assert_trace("[Variant \"Atomic\"]\n\n1. e4 *",
                 "<Variant=Atomic !t:3: unknown variant 'Atomic'!");
    assert_trace("[Variant \"Chess\u00e9960\"]\n\n1. e4 *",
                 "<Variant=Chess\u00e9960 !t:3: unknown variant 'Chess\u00e9960'!");
}

/* -- Broken games -- */

static void reports_and_reads_on(void **state)
{
    (void)state;
    assert_trace("[Event \"a\"]\n\n1. e4 e5\n2. Ke3 Nf6 *\n\n[Event \"b\"]\n1. d4 *",
                 "<Event=a e2e4 e7e5 !t:4: \"Ke3\" is not legal here!<Event=b d2d4 *>");
    assert_trace("Dear all,\nhere are the games\n[Event \"b\"]\n1. d4 *",
                 "<!t:1: \"Dear\" is not a move!<Event=b d2d4 *>");
    assert_trace("1. e4 }\n", "<e2e4 !t:1: unexpected '}'!");
    assert_trace("1. e4 <x>\n", "<e2e4 !t:1: unexpected '<'!");
    assert_trace("1. e4 \x01\n", "<e2e4 !t:1: unexpected byte 1!");
}

static void reports_unclosed_comments_where_they_begin(void **state)
{
    (void)state;
    assert_trace("[Event \"a\"]\n\n1. e4 {oh\n\n[Event \"b\"]\n1. d4 {} *",
                 "<Event=a e2e4 !t:3: unterminated comment!<Event=b d2d4 {} *>");
    assert_trace("1. e4 {oh", "<e2e4 !t:1: unterminated comment!");
}

static void reports_broken_tags_once(void **state)
{
    (void)state;
    assert_trace(
        "[Event \"a]\n[Site \"b\"]\n[Foo bar]\n[Date \"c\"]\n\n1. e4 *\n\n[Site \"x\"]\n1. d4 *",
        "<!t:1: malformed tag, expected [Name \"value\"]!<Site=x d2d4 *>");
    assert_trace("[Event \"a\"]\n[Site \"b\"\n\n1. e4 *\n\n[Event \"b\"]\n1. d4 *",
                 "<Event=a !t:2: malformed tag, expected [Name \"value\"]!<Event=b d2d4 *>");
    assert_trace("[Event \"a\"]\n1. e4 (1. d4\n[Event \"b\"]\n1. d4 *",
                 "<Event=a e2e4 ( d2d4 !t:3: unterminated variation!<Event=b d2d4 *>");
}

static void survives_zero_bytes(void **state)
{
    (void)state;
    Trace t;
    static const char pgn[] = "1. e4 \0 e5 *\n[Event \"a\"]\n1. e4 {x\0y} *\0";
    trace_span(&t, (Span){pgn, sizeof pgn - 1});
    assert_non_null(strstr(t.text.at, "!t:1: unexpected byte 0!<Event=a e2e4 {x"));
    text_free(&t.text);
    static const char variant[] = "[Variant \"\0Atomic\"]\n*";
    trace_span(&t, (Span){variant, sizeof variant - 1});
    assert_non_null(strstr(t.text.at, "!t:2: unknown variant ' Atomic'!"));
    text_free(&t.text);
}

/* -- Hostile sizes -- */

static void add_many(Text *t, const char *text, int times)
{
    for (int i = 0; i < times; i++)
        text_add_str(t, text);
}

static void trace_text(Trace *t, Text *pgn)
{
    assert_false(pgn->failed);
    trace_span(t, (Span){pgn->at, pgn->len});
    text_free(pgn);
}

static void ends_with(const Trace *t, const char *want)
{
    size_t len = strlen(want);
    assert_true(t->text.len >= len);
    assert_string_equal(t->text.at + t->text.len - len, want);
}

static void reads_lines_of_megabytes(void **state)
{
    (void)state;
    Text pgn;
    Trace t;
    text_init(&pgn);
    add_many(&pgn, "1. Nf3 Nf6 2. Ng1 Ng8 {and so on} * ", 100000);
    trace_text(&t, &pgn);
    assert_int_equal(t.moves, 400000);
    ends_with(&t, "f6g8 {and so on} *>");
    text_free(&t.text);
}

static void reads_blanks_of_megabytes(void **state)
{
    (void)state;
    Text pgn;
    Trace t;
    text_init(&pgn);
    text_add_str(&pgn, "1.");
    add_many(&pgn, "          ", 300000);
    text_add_str(&pgn, "e4\n%");
    add_many(&pgn, "0123456789", 300000);
    text_add_str(&pgn, "\n*");
    trace_text(&t, &pgn);
    assert_string_equal(t.text.at, "<e2e4 *>");
    text_free(&t.text);
}

static void limits_comments(void **state)
{
    (void)state;
    Text pgn;
    Trace t;
    text_init(&pgn);
    text_add_str(&pgn, "1. e4 {");
    add_many(&pgn, "0123456789", 100000);
    text_add_str(&pgn, "} *");
    trace_text(&t, &pgn);
    assert_int_equal(t.text.len, strlen("<e2e4 {} *>") + 1000000);
    text_free(&t.text);
    text_init(&pgn);
    text_add_str(&pgn, "1. e4 {");
    add_many(&pgn, "0123456789\n", 300000);
    text_add_str(&pgn, "} *\n[Event \"b\"]\n1. d4 *");
    trace_text(&t, &pgn);
    assert_string_equal(t.text.at, "<e2e4 !t:1: comment longer than 1 MiB!<Event=b d2d4 *>");
    text_free(&t.text);
}

static void limits_tags(void **state)
{
    (void)state;
    static const char *const before[] = {"[Event \"", "[", "[Event "};
    for (int i = 0; i < 3; i++) {
        Text pgn;
        Trace t;
        text_init(&pgn);
        text_add_str(&pgn, before[i]);
        add_many(&pgn, i == 2 ? "          " : "abcdefghij", 200000);
        text_add_str(&pgn, i == 0 ? "\"]\n1. e4 *\n" : " \"x\"]\n1. e4 *\n");
        text_add_str(&pgn, "[Event \"b\"]\n1. d4 *");
        trace_text(&t, &pgn);
        assert_memory_equal(t.text.at, "<!t:1: unterminated tag", 23);
        ends_with(&t, "<Event=b d2d4 *>");
        text_free(&t.text);
    }
}

static void limits_nesting(void **state)
{
    (void)state;
    for (int deep = 999; deep <= 10000; deep += 9001) {
        Text pgn;
        Trace t;
        text_init(&pgn);
        text_add_str(&pgn, "[Event \"a\"]\n1. Nf3 ");
        for (int i = 0; i < deep; i++)
            text_add_str(&pgn, i % 2 ? "(1. Nf3 " : "(1. Nc3 ");
        add_many(&pgn, ")", deep);
        text_add_str(&pgn, " Nf6 *\n[Event \"b\"]\n1. d4 *");
        trace_text(&t, &pgn);
        assert_int_equal(t.deepest, deep < PGN_MAX_DEPTH ? deep : PGN_MAX_DEPTH);
        if (deep < PGN_MAX_DEPTH)
            ends_with(&t, ") g8f6 *><Event=b d2d4 *>");
        else
            ends_with(&t, "!t:2: variations nested more than 1000 deep!<Event=b d2d4 *>");
        text_free(&t.text);
    }
}

static void limits_lines_of_moves(void **state)
{
    (void)state;
    Text pgn;
    Trace t;
    text_init(&pgn);
    add_many(&pgn, "Nf3 Nf6 Ng1 Ng8 ", PGN_MAX_PLIES / 4);
    text_add_str(&pgn, "*\n");
    add_many(&pgn, "Nf3 Nf6 Ng1 Ng8 ", PGN_MAX_PLIES / 4);
    text_add_str(&pgn, "Nf3 *\n");
    trace_text(&t, &pgn);
    assert_int_equal(t.moves, 2 * PGN_MAX_PLIES);
    ends_with(&t, "f6g8 !t:2: line of more than 20000 moves!");
    text_free(&t.text);
}

/* Wherever a file is cut off, reading ends, and all games before stay whole. */
static void survives_truncation(void **state)
{
    (void)state;
    static const char pgn[] = "[Event \"a \\\" b\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n"
                              "1. e4 {x} Kd7 $1 (1... Ke7!? ; y\n2. e5) 2. Kd2 1-0\n";
    for (size_t len = 0; len < sizeof pgn; len++) {
        Trace t;
        Text twice;
        text_init(&twice);
        text_add_str(&twice, "1. d4 *\n");
        text_add(&twice, pgn, len);
        trace_text(&t, &twice);
        assert_memory_equal(t.text.at, "<d2d4 *>", 8);
        text_free(&t.text);
    }
}

/* Tokens that lie across the steps of the window come out the same. */
static void reads_across_window_steps(void **state)
{
    (void)state;
    for (int shift = 0; shift < 140; shift++) {
        Text pgn;
        Trace t;
        text_init(&pgn);
        for (int i = 0; i < WINDOW_STEP - 100 + shift; i++)
            text_add_char(&pgn, i % 70 ? ' ' : '\n');
        text_add_str(&pgn,
                     "\n[Event \"a\\\"b\"]\n1. e4 {comment} e5 $12 (1... c5!?) 2. Nf3 1/2-1/2\n"
                     "% (\n[Event \"c\"]\nKe2 *");
        trace_text(&t, &pgn);
        static const char want[] =
            "<Event=a\"b e2e4 {comment} e7e5 $12 ( c7c5 $5 ) g1f3 1/2-1/2><Event=c !";
        assert_memory_equal(t.text.at, want, sizeof want - 1);
        text_free(&t.text);
    }
}

/* -- Files -- */

static void tells_why_a_file_cannot_be_read(void **state)
{
    (void)state;
    PgnReader *r;
    Message why;
    assert_int_equal(pgn_open(&r, "/no/such/file.pgn", NULL, &why), STATUS_MISSING);
    assert_string_equal(why.text, "/no/such/file.pgn: No such file or directory");
    assert_null(r);
    assert_int_equal(pgn_open(&r, "/", NULL, &why), STATUS_IO);
    assert_null(r);
}

static void reads_files_by_name(void **state)
{
    (void)state;
    char path[] = "/tmp/castellan-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    static const char pgn[] = "\n\n[Event \"a\"]\n1. e4 *\n1. Ke2\n";
    assert_int_equal(write(fd, pgn, sizeof pgn - 1), sizeof pgn - 1);
    close(fd);
    PgnReader *r;
    Message why;
    PgnVisitor nobody = {0};
    assert_int_equal(pgn_open(&r, path, NULL, &why), STATUS_OK);
    unlink(path);
    assert_int_equal(pgn_next(r, &nobody, &why), STATUS_OK);
    assert_int_equal(pgn_line(r), 3);
    assert_int_equal(pgn_next(r, &nobody, &why), STATUS_INVALID);
    Message want;
    snprintf(want.text, sizeof want.text, "%s:5: \"Ke2\" is not legal here", path);
    assert_string_equal(why.text, want.text);
    assert_int_equal(pgn_next(r, &nobody, NULL), STATUS_END);
    pgn_close(r);
    pgn_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_plain_games),
        cmocka_unit_test(reads_without_results),
        cmocka_unit_test(reads_tags_as_people_write_them),
        cmocka_unit_test(reads_comments_of_both_kinds),
        cmocka_unit_test(passes_over_comments_between_games),
        cmocka_unit_test(passes_over_escaped_lines),
        cmocka_unit_test(reads_byte_order_mark_and_line_ends),
        cmocka_unit_test(reads_glyphs),
        cmocka_unit_test(reads_variations),
        cmocka_unit_test(takes_variations_back_whole),
        cmocka_unit_test(reads_null_moves),
        cmocka_unit_test(reads_other_starts),
        cmocka_unit_test(refuses_impossible_starts),
        cmocka_unit_test(reports_and_reads_on),
        cmocka_unit_test(reports_unclosed_comments_where_they_begin),
        cmocka_unit_test(reports_broken_tags_once),
        cmocka_unit_test(survives_zero_bytes),
        cmocka_unit_test(reads_lines_of_megabytes),
        cmocka_unit_test(reads_blanks_of_megabytes),
        cmocka_unit_test(limits_comments),
        cmocka_unit_test(limits_tags),
        cmocka_unit_test(limits_nesting),
        cmocka_unit_test(limits_lines_of_moves),
        cmocka_unit_test(survives_truncation),
        cmocka_unit_test(reads_across_window_steps),
        cmocka_unit_test(tells_why_a_file_cannot_be_read),
        cmocka_unit_test(reads_files_by_name),
    };
    return cmocka_run_group_tests_name("pgn_reader", tests, init_chess, NULL);
}
