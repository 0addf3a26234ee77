/* The registry and the files: what is found, what is refused, that nothing damaged does harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../positions.h"
#include "base/random.h"
#include "chess/fen.h"
#include "endings.h"
#include "forge.h"
#include "tb/tb_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Tablebases *opened(const TbBytes *files, int count)
{
    Tablebases *tb;
    Message why;
    if (tb_open_bytes(&tb, files, count, &why) != STATUS_OK)
        fail_msg("not opened: %s", why.text);
    return tb;
}

static const ForgeOptions all_wins = {.value = {4, 4}};

/* -- Forged files -- */

static void test_a_constant_table_answers(void **state)
{
    (void)state;
    Forged f;
    forge(&f, "KQRBvKRN.rtbw", &all_wins);
    TbBytes bytes = {"KQRBvKRN.rtbw", f.at, f.len};
    Tablebases *tb = opened(&bytes, 1);
    assert_int_equal(tb_max_pieces(tb), 7);
    assert_int_equal(tb->wdl_count, 1);

    /* Nothing can be taken, so that no smaller table is asked; both colours of the same
     * material. */
    Position p = position_of("7k/4n1r1/8/8/8/8/1Q6/KB6 b - - 0 1");
    TbWdl wdl;
    assert_false(tb_probe_wdl(tb, &p, &wdl)); /* a rook is missing */
    p = position_of("7k/4n1r1/8/8/8/8/1Q6/KBR5 b - - 0 1");
    assert_true(tb_probe_wdl(tb, &p, &wdl));
    assert_int_equal(wdl, TB_WIN);
    p = position_of("kbr5/1q6/8/8/8/8/4N1R1/7K w - - 0 1");
    assert_true(tb_probe_wdl(tb, &p, &wdl));
    int dtz, count;
    TbRootMove moves[MAX_MOVES];
    assert_false(tb_probe_dtz(tb, &p, &dtz));                 /* there is no DTZ file */
    assert_false(tb_rank_moves(tb, &p, true, moves, &count)); /* captures need smaller tables */
    assert_int_equal(count, 0);
    assert_int_equal(endings_refused(tb, NULL), 0);
    tb_close(tb);
}

/* Even and odd numbers differ, so both values must turn up, for either side and either colour. */
static void test_a_packed_table_answers(void **state)
{
    (void)state;
    Forged f;
    forge(&f, "KRvK.rtbw", &(ForgeOptions){.packed = true, .value = {1, 3}});
    TbBytes bytes = {"KRvK.rtbw", f.at, f.len};
    Tablebases *tb = opened(&bytes, 1);
    Random random;
    random_seed(&random, 3);
    int seen[5] = {0};
    for (int i = 0; i < 2000; i++) {
        Position p;
        TbWdl wdl;
        endings_random(&random, 3, &p);
        if (!p.by_type[ROOK])
            continue;
        assert_true(tb_probe_wdl(tb, &p, &wdl));
        seen[wdl - TB_LOSS]++;
    }
    /* A rook that falls makes a draw of the lower value. */
    assert_true(seen[1] > 50 && seen[3] > 50);
    assert_int_equal(seen[0] + seen[4], 0);
    assert_int_equal(endings_refused(tb, NULL), 0);
    tb_close(tb);
}

/* Where every move takes something, the table's own value may be wrong and must not be asked. */
static void test_forced_captures_decide(void **state)
{
    (void)state;
    Forged f;
    forge(&f, "KQvK.rtbw", &all_wins);
    TbBytes bytes = {"KQvK.rtbw", f.at, f.len};
    Tablebases *tb = opened(&bytes, 1);
    Position forced = position_of("k7/1Q6/8/8/8/8/8/7K b - - 0 1");
    Position free_to_choose = position_of("8/8/8/2k5/1Q6/8/8/7K b - - 0 1");
    TbWdl wdl;
    assert_true(tb_probe_wdl(tb, &forced, &wdl));
    assert_int_equal(wdl, TB_DRAW);
    assert_true(tb_probe_wdl(tb, &free_to_choose, &wdl));
    assert_int_equal(wdl, TB_WIN); /* the forged value is better than the capture */
    tb_close(tb);
}

static void assert_forged_dtz(unsigned flags, int stored_wdl, int want)
{
    Forged wdl, dtz;
    forge(&wdl, "KQvK.rtbw", &(ForgeOptions){.value = {stored_wdl}});
    ForgeOptions o = {.packed = true, .value = {1, 1}, .flags = flags, .map = {10, 20, 30, 40}};
    forge(&dtz, "KQvK.rtbz", &o);
    TbBytes bytes[] = {{"KQvK.rtbw", wdl.at, wdl.len}, {"KQvK.rtbz", dtz.at, dtz.len}};
    Tablebases *tb = opened(bytes, 2);
    Position p = position_of("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    int got;
    Message why;
    bool known = tb_probe_dtz(tb, &p, &got);
    if (endings_refused(tb, &why) != 0 || !known)
        fail_msg("no distance: %s", why.text);
    assert_int_equal(got, want);
    tb_close(tb);
}

static void test_distances_are_counted_as_the_flags_say(void **state)
{
    (void)state;
    assert_forged_dtz(TB_FLAG_WIN_PLIES, 4, 2);
    assert_forged_dtz(0, 4, 3);
    assert_forged_dtz(TB_FLAG_LOSS_PLIES, 0, -2);
    assert_forged_dtz(0, 0, -3);
    assert_forged_dtz(TB_FLAG_WIN_PLIES, 3, 103); /* a cursed win is always in moves */
    assert_forged_dtz(TB_FLAG_MAPPED | TB_FLAG_WIN_PLIES, 4, 10 + 7 + 1);
    assert_forged_dtz(TB_FLAG_MAPPED, 4, 2 * (10 + 7) + 1);
    assert_forged_dtz(TB_FLAG_MAPPED | TB_FLAG_LOSS_PLIES, 0, -(20 + 7 + 1));
    assert_forged_dtz(TB_FLAG_MAPPED, 3, 100 + 2 * (30 + 7) + 1);
    assert_forged_dtz(TB_FLAG_MAPPED, 1, -(100 + 2 * (40 + 7) + 1));
    assert_forged_dtz(TB_FLAG_MAPPED | TB_FLAG_WIDE | TB_FLAG_WIN_PLIES, 4, 10 + 7 + 1);
}

/* -- Names -- */

static void test_names_that_are_no_tables(void **state)
{
    (void)state;
    static const char *const names[] = {
        "KvKQ.rtbw",    "KNvKB.rtbw",  "KvK.rtbw",   "KPQvK.rtbw", "KQQQQQQvK.rtbw",
        "KQvK.rtbw.gz", "KQvK.rtb",    "KQvK",       "QvK.rtbw",   "KQKQ.rtbw",
        "KQvKX.rtbw",   "kqvk.rtbw",   "",           "K",          "KQQQQQQQQQQQQQQQQQQQvK.rtbw",
        "KQvK.rtbwv",   "KQRvKQR.rtb", "KQvKK.rtbw", "KKvKQ.rtbw", "KQvKQQQQQ.rtbw"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Tablebases *tb;
        Message why;
        uint8_t byte = 0;
        TbBytes bytes = {names[i], &byte, 1};
        if (tb_open_bytes(&tb, &bytes, 1, &why) != STATUS_MISSING)
            fail_msg("taken for a table: %s", names[i]);
        assert_null(tb);
        assert_true(why.text[0] != '\0');
    }
}

/* The count of tables that can be: 5 of 3 pieces, 30 of 4, 110 of 5, 365 of 6, 1001 of 7. */
static void test_every_material_has_one_name(void **state)
{
    (void)state;
    static const char letters[] = "QRBNP";
    int taken = 0;
    for (int code = 0; code < 6 * 6 * 6 * 6 * 6 * 6; code++) {
        char name[TB_NAME_SIZE + 8] = "K";
        size_t len = 1;
        /* Up to five pieces after the first king and a 'v' among them. */
        for (int rest = code, i = 0; i < 6; rest /= 6, i++)
            len += (size_t)snprintf(name + len, sizeof name - len, "%s",
                                    rest % 6 == 5 ? "vK" : (char[]){letters[rest % 6], 0});
        snprintf(name + len, sizeof name - len, ".rtbw");
        Tablebases *tb;
        TbBytes bytes = {name, NULL, 0};
        if (tb_open_bytes(&tb, &bytes, 1, NULL) == STATUS_OK)
            taken++;
        tb_close(tb);
    }
    assert_int_equal(taken, 1001);
}

/* -- Directories -- */

typedef struct Folder {
    char path[64];
} Folder;

static Folder folder_make(void)
{
    Folder f = {"/tmp/castellan-tb-XXXXXX"};
    assert_non_null(mkdtemp(f.path));
    return f;
}

static void folder_put(const Folder *f, const char *name, const void *bytes, size_t len)
{
    char path[128];
    Message why;
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    assert_int_equal(file_write_atomic(path, bytes, len, &why), STATUS_OK);
}

static void folder_remove(const Folder *f, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    assert_int_equal(remove(path), 0);
}

static void test_several_directories(void **state)
{
    (void)state;
    Folder a = folder_make(), b = folder_make();
    Forged win, loss;
    forge(&win, "KQvK.rtbw", &all_wins);
    forge(&loss, "KQvK.rtbw", &(ForgeOptions){.value = {0, 0}});
    folder_put(&a, "KQvK.rtbw", win.at, win.len);
    folder_put(&a, "readme.txt", "?", 1);
    folder_put(&b, "KQvK.rtbw", loss.at, loss.len);
    forge(&win, "KRvK.rtbw", &all_wins);
    folder_put(&b, "KRvK.rtbw", win.at, win.len);

    char paths[256];
    snprintf(paths, sizeof paths, ":/nowhere/at/all:%s;%s:", a.path, b.path);
    Tablebases *tb;
    Message why;
    assert_int_equal(tb_open(&tb, paths, &why), STATUS_OK);
    assert_non_null(strstr(why.text, "/nowhere/at/all"));
    assert_int_equal(tb->wdl_count, 2);
    assert_int_equal(tb_max_pieces(tb), 3);
    Position queen = position_of("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    Position rook = position_of("8/8/8/3k4/8/8/8/KR6 b - - 0 1");
    TbWdl wdl;
    assert_true(tb_probe_wdl(tb, &queen, &wdl));
    assert_int_equal(wdl, TB_WIN); /* the first directory's */
    assert_true(tb_probe_wdl(tb, &rook, &wdl));
    tb_close(tb);

    folder_remove(&a, "KQvK.rtbw");
    folder_remove(&a, "readme.txt");
    folder_remove(&b, "KQvK.rtbw");
    folder_remove(&b, "KRvK.rtbw");
    assert_int_equal(rmdir(b.path), 0);
    assert_int_equal(tb_open(&tb, a.path, &why), STATUS_MISSING);
    assert_non_null(strstr(why.text, a.path));
    assert_null(tb);
    assert_int_equal(rmdir(a.path), 0);
    assert_int_equal(tb_open(&tb, "", &why), STATUS_MISSING);
    assert_true(why.text[0] != '\0');
}

static void test_no_tables_no_answers(void **state)
{
    (void)state;
    Position p = position_of("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    TbWdl wdl;
    int dtz, count;
    TbRootMove moves[MAX_MOVES];
    assert_false(tb_probe_wdl(NULL, &p, &wdl));
    assert_false(tb_probe_dtz(NULL, &p, &dtz));
    assert_false(tb_rank_moves(NULL, &p, true, moves, &count));
    assert_int_equal(tb_max_pieces(NULL), 0);
    tb_close(NULL);
}

static void test_files_that_are_not_files(void **state)
{
    (void)state;
    Folder a = folder_make();
    char path[128];
    snprintf(path, sizeof path, "%s/KQvK.rtbw", a.path);
    assert_int_equal(mkdir(path, 0700), 0);
    folder_put(&a, "KRvK.rtbw", "", 0);
    Tablebases *tb;
    Message why;
    assert_int_equal(tb_open(&tb, a.path, &why), STATUS_OK);
    Position queen = position_of("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    Position rook = position_of("8/8/8/3k4/8/8/8/KR6 b - - 0 1");
    TbWdl wdl;
    assert_false(tb_probe_wdl(tb, &queen, &wdl));
    assert_false(tb_probe_wdl(tb, &queen, &wdl));
    assert_int_equal(endings_refused(tb, &why), 1); /* told once */
    assert_non_null(strstr(why.text, "KQvK.rtbw"));
    assert_false(tb_probe_wdl(tb, &rook, &wdl));
    assert_int_equal(endings_refused(tb, &why), 2);
    assert_non_null(strstr(why.text, "KQvK.rtbw")); /* the first stays */
    tb_close(tb);
    /* The summary checks small tables without a probe, and names both. */
    Text summary;
    text_init(&summary);
    assert_int_equal(tb_open(&tb, a.path, &why), STATUS_OK);
    tb_describe(tb, &summary);
    assert_non_null(strstr(summary.at, "0 WDL and 0 DTZ tables; 2 refused: "));
    assert_non_null(strstr(summary.at, "KQvK.rtbw"));
    assert_non_null(strstr(summary.at, "KRvK.rtbw"));
    text_free(&summary);
    tb_close(tb);
    assert_int_equal(rmdir(path), 0);
    folder_remove(&a, "KRvK.rtbw");
    assert_int_equal(rmdir(a.path), 0);
}

/* -- Damage -- */

/* Everything that can be asked, of positions of that material; answers may be wrong, but not
 * wild. */
static void ask_all(Tablebases *tb, const Position *positions, int count)
{
    for (int i = 0; i < count; i++) {
        TbWdl wdl;
        int dtz, moves_count;
        TbRootMove moves[MAX_MOVES];
        if (tb_probe_wdl(tb, &positions[i], &wdl))
            assert_true(wdl >= TB_LOSS && wdl <= TB_WIN);
        if (tb_probe_dtz(tb, &positions[i], &dtz))
            assert_true(abs(dtz) <= 2 * UINT16_MAX + 101);
        tb_rank_moves(tb, &positions[i], true, moves, &moves_count);
    }
}

enum { PROBES = 8 };

static void positions_of(const char *name, Position *out)
{
    Random random;
    random_seed(&random, 11);
    for (int i = 0; i < PROBES; i++)
        endings_of(&random, name, &out[i]);
}

/* The bytes in memory of exactly their size, so that a sanitizer sees the first byte read too
 * far. */
static int ask_damaged(const char *name, const uint8_t *at, size_t len, const TbBytes *other,
                       const Position *positions, Message *why)
{
    uint8_t *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    memcpy(copy, at, len);
    TbBytes files[] = {{name, copy, len}, *other};
    Tablebases *tb;
    if (tb_open_bytes(&tb, files, 2, why) == STATUS_OK)
        ask_all(tb, positions, PROBES);
    int refused = endings_refused(tb, why);
    tb_close(tb);
    free(copy);
    return refused;
}

/* A file cut anywhere is refused, and the message names it. */
static void cut_everywhere(const char *name, const Forged *f, const TbBytes *other)
{
    Position positions[PROBES];
    positions_of(name, positions);
    for (size_t len = 0; len < f->len; len++) {
        Message why;
        if (ask_damaged(name, f->at, len, other, positions, &why) != 1 || !strstr(why.text, name))
            fail_msg("%s cut to %zu bytes was not refused: %s", name, len, why.text);
    }
}

static void flip_everywhere(const char *name, Forged *f, const TbBytes *other)
{
    Position positions[PROBES];
    positions_of(name, positions);
    int refused = 0;
    for (size_t at = 0; at < f->len; at++)
        for (int i = 0; i < 2; i++) {
            Message why;
            uint8_t change = i ? 0xff : (uint8_t)(1 << at % 8);
            f->at[at] ^= change;
            refused += ask_damaged(name, f->at, f->len, other, positions, &why);
            f->at[at] ^= change;
        }
    assert_true(refused > 100);
}

static void test_damaged_forgeries(void **state)
{
    (void)state;
    Forged wdl, dtz;
    forge(&wdl, "KPvK.rtbw", &(ForgeOptions){.packed = true, .value = {0, 4}});
    forge(&dtz, "KPvK.rtbz",
          &(ForgeOptions){
              .packed = true, .value = {0, 1}, .flags = TB_FLAG_MAPPED, .map = {1, 2, 3, 4}});
    TbBytes wdl_bytes = {"KPvK.rtbw", wdl.at, wdl.len}, dtz_bytes = {"KPvK.rtbz", dtz.at, dtz.len};
    cut_everywhere("KPvK.rtbw", &wdl, &dtz_bytes);
    flip_everywhere("KPvK.rtbw", &wdl, &dtz_bytes);
    flip_everywhere("KPvK.rtbz", &dtz, &wdl_bytes);
}

static void test_a_file_that_grew(void **state)
{
    (void)state;
    Forged f;
    forge(&f, "KQvK.rtbw", &(ForgeOptions){.packed = true, .value = {0, 4}});
    memset(f.at + f.len, 0, 64); /* still of a length that tables have */
    f.len += 64;
    Position positions[PROBES];
    positions_of("KQvK.rtbw", positions);
    Message why;
    TbBytes none = {"", NULL, 0};
    assert_int_equal(ask_damaged("KQvK.rtbw", f.at, f.len, &none, positions, &why), 1);
    assert_non_null(strstr(why.text, "file size"));
}

/* Two symbols that stand for each other, and one that stands for itself. */
static void test_symbols_in_a_circle(void **state)
{
    (void)state;
    Forged f;
    forge(&f, "KQvK.rtbw", &(ForgeOptions){.packed = true, .value = {0, 4}});
    /* Magic, flags, order, pieces, padding; the head to the symbols takes 14 bytes; symbol 3 is
     * (2, 2). */
    uint8_t *third = f.at + 4 + 1 + 1 + 3 + 1 + 14 + 3 * 3;
    assert_int_equal(third[0], 2);
    Position positions[PROBES];
    positions_of("KQvK.rtbw", positions);
    for (unsigned to = 3; to < 16; to++) {
        Message why;
        TbBytes none = {"", NULL, 0};
        third[0] = (uint8_t)to; /* itself, later ones that need it, ones that are not there */
        assert_int_equal(ask_damaged("KQvK.rtbw", f.at, f.len, &none, positions, &why), 1);
        assert_non_null(strstr(why.text, "damaged"));
    }
}

/* -- Damage that only shows when a value is read -- */

enum { THREADS = 4 };

static void *ask_for_queen(void *arg)
{
    Random random;
    random_seed(&random, 4);
    for (int i = 0; i < 300; i++) {
        Position p;
        TbWdl wdl;
        endings_of(&random, "KQvK", &p);
        tb_probe_wdl(arg, &p, &wdl);
    }
    return NULL;
}

static void test_a_wild_value_condemns_its_file_once(void **state)
{
    (void)state;
    Forged bad, good;
    forge(&bad, "KQvK.rtbw", &(ForgeOptions){.packed = true, .value = {4, 9}});
    forge(&good, "KRvK.rtbw", &all_wins);
    TbBytes bytes[] = {{"KQvK.rtbw", bad.at, bad.len}, {"KRvK.rtbw", good.at, good.len}};
    Tablebases *tb = opened(bytes, 2);
    Thread threads[THREADS];
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(thread_start(&threads[t], ask_for_queen, tb, 0, NULL), STATUS_OK);
    for (int t = 0; t < THREADS; t++)
        thread_join(threads[t]);
    Message why;
    assert_int_equal(endings_refused(tb, &why), 1);
    assert_non_null(strstr(why.text, "KQvK.rtbw: damaged"));
    Position queen = position_of("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    Position rook = position_of("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    TbWdl wdl;
    assert_false(tb_probe_wdl(tb, &queen, &wdl));
    assert_true(tb_probe_wdl(tb, &rook, &wdl)); /* the others go on */
    tb_close(tb);
}

/* -- The public tables, damaged -- */

typedef struct Loaded {
    char *at;
    size_t len;
} Loaded;

static Loaded loaded(const char *name)
{
    Loaded file = {0};
    char path[128];
    Message why;
    snprintf(path, sizeof path, "%s/%s", ENDINGS_PATH, name);
    if (file_read(&file.at, &file.len, path, 1 << 24, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return file;
}

/* Without the DTZ file the ranks still keep the result. */
static void test_ranks_by_result_alone(void **state)
{
    (void)state;
    Tablebases *tb = endings_open();
    if (!tb)
        skip();
    tb_close(tb);
    Loaded file = loaded("KQvK.rtbw");
    TbBytes bytes = {"KQvK.rtbw", (uint8_t *)file.at, file.len};
    tb = opened(&bytes, 1);
    Position p = position_of("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    TbRootMove moves[MAX_MOVES];
    int count, drawn = 0;
    assert_true(tb_rank_moves(tb, &p, true, moves, &count));
    for (int i = 0; i < count; i++) {
        /* The black king takes a queen beside him. */
        Square to = move_to(moves[i].move);
        bool hangs = (attacks_king(square_make(3, 4)) & bb_of(to)) != 0;
        assert_int_equal(moves[i].wdl, hangs ? TB_DRAW : TB_WIN);
        assert_int_equal(moves[i].rank == 0, hangs);
        assert_int_equal(moves[i].dtz, 0);
        drawn += hangs;
    }
    assert_int_equal(drawn, 1); /* e4 */
    Position last = position_of("8/8/8/3k4/8/8/8/KQ6 w - - 99 90");
    assert_true(tb_rank_moves(tb, &last, true, moves, &count));
    for (int i = 0; i < count; i++)
        assert_int_equal(moves[i].wdl, TB_DRAW);
    tb_close(tb);
    free(file.at);
}

static void test_real_files_cut(void **state)
{
    (void)state;
    Tablebases *tb = endings_open();
    if (!tb)
        skip();
    tb_close(tb);
    static const char *const names[] = {"KQvK.rtbw", "KPvKP.rtbw", "KQvKR.rtbz", "KPvK.rtbz"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        Loaded file = loaded(names[n]);
        Position positions[PROBES];
        positions_of(names[n], positions);
        bool wdl = strstr(names[n], ".rtbw");
        char other_name[16];
        snprintf(other_name, sizeof other_name, "%.*s%s", (int)(strlen(names[n]) - 5), names[n],
                 wdl ? ".rtbz" : ".rtbw");
        Loaded pair = loaded(other_name);
        TbBytes other = {other_name, (const uint8_t *)pair.at, pair.len};
        for (size_t len = 1; len < file.len; len = len < 64 ? len + 1 : len * 2)
            for (size_t more = 0; more <= 80; more += 16) {
                Message why = {""};
                size_t cut = len + more < file.len ? len + more : file.len - 1;
                int refused =
                    ask_damaged(names[n], (uint8_t *)file.at, cut, &other, positions, &why);
                if (refused < 1 || !strstr(why.text, names[n]))
                    fail_msg("%s cut to %zu: %d, %s", names[n], cut, refused, why.text);
            }
        free(pair.at);
        free(file.at);
    }
}

/* A table that is truncated under the running program is refused; it neither
 * crashes nor answers. */
static void test_a_file_truncated_in_use(void **state)
{
    (void)state;
    Tablebases *tb = endings_open();
    if (!tb)
        skip();
    tb_close(tb);
    static const char name[] = "KPvKP.rtbw";
    Loaded file = loaded(name);
    Folder folder = folder_make();
    char path[128];
    Message why;
    TbWdl wdl;
    Position positions[PROBES];
    int answered = 0;
    snprintf(path, sizeof path, "%s/%s", folder.path, name);
    folder_put(&folder, name, file.at, file.len);
    positions_of(name, positions);
    assert_int_equal(tb_open(&tb, folder.path, &why), STATUS_OK);
    Position first = position_of("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1");
    assert_true(tb_probe_wdl(tb, &first, &wdl));
    assert_int_equal(truncate(path, 0), 0);
    for (int i = 0; i < PROBES; i++)
        answered += tb_probe_wdl(tb, &positions[i], &wdl);
    assert_false(tb_probe_wdl(tb, &first, &wdl));
    assert_int_equal(answered, 0);
    assert_int_equal(endings_refused(tb, &why), 1);
    assert_non_null(strstr(why.text, "KPvKP.rtbw: a file was truncated while in use"));
    tb_close(tb);
    folder_remove(&folder, name);
    assert_int_equal(rmdir(folder.path), 0);
    free(file.at);
}

static void test_real_files_with_flipped_bytes(void **state)
{
    (void)state;
    Tablebases *tb = endings_open();
    if (!tb)
        skip();
    tb_close(tb);
    static const char *const names[] = {"KRvK.rtbw",  "KRvK.rtbz",  "KPvK.rtbw", "KPvK.rtbz",
                                        "KBvKN.rtbw", "KQvKQ.rtbz", "KBvKP.rtbz"};
    Random random;
    random_seed(&random, 5);
    int refused = 0, rounds = endings_sanitized() ? 150 : 600;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        Loaded file = loaded(names[n]);
        Position positions[PROBES];
        positions_of(names[n], positions);
        bool wdl = strstr(names[n], ".rtbw");
        char other_name[16];
        snprintf(other_name, sizeof other_name, "%.*s%s", (int)(strlen(names[n]) - 5), names[n],
                 wdl ? ".rtbz" : ".rtbw");
        Loaded pair = loaded(other_name);
        TbBytes other = {other_name, (const uint8_t *)pair.at, pair.len};
        for (int i = 0; i < rounds; i++) {
            /* Mostly in the head, where the numbers are that lead somewhere. */
            uint32_t reach = i % 3 ? 200 : (uint32_t)file.len;
            size_t at = random_below(&random, reach < file.len ? reach : (uint32_t)file.len);
            uint8_t change = (uint8_t)(1 + random_below(&random, 255));
            Message why;
            file.at[at] = (char)(file.at[at] ^ change);
            refused += ask_damaged(names[n], (uint8_t *)file.at, file.len, &other, positions, &why);
            file.at[at] = (char)(file.at[at] ^ change);
        }
        free(pair.at);
        free(file.at);
    }
    assert_true(refused > rounds);
}

/* A table under another's name: of other material, or of the other kind. */
static void test_files_under_wrong_names(void **state)
{
    (void)state;
    Tablebases *tb = endings_open();
    if (!tb)
        skip();
    tb_close(tb);
    static const char *const swaps[][2] = {
        {"KQvK.rtbw", "KRvK.rtbw"},   {"KQvK.rtbw", "KQvK.rtbz"},   {"KPvK.rtbw", "KQvK.rtbw"},
        {"KQvKQ.rtbw", "KQvKR.rtbw"}, {"KBNvK.rtbz", "KRNvK.rtbz"}, {"KNvKP.rtbw", "KNPvK.rtbw"}};
    for (size_t i = 0; i < sizeof swaps / sizeof *swaps; i++) {
        Loaded file = loaded(swaps[i][0]);
        TbBytes bytes[2] = {{swaps[i][1], (uint8_t *)file.at, file.len}, {"", NULL, 0}};
        Loaded pair = {0};
        char wdl_name[16] = "";
        if (strstr(swaps[i][1], ".rtbz")) { /* DTZ is only asked where WDL answers */
            snprintf(wdl_name, sizeof wdl_name, "%.*s.rtbw", (int)(strlen(swaps[i][1]) - 5),
                     swaps[i][1]);
            pair = loaded(wdl_name);
            bytes[1] = (TbBytes){wdl_name, (uint8_t *)pair.at, pair.len};
        }
        Position positions[PROBES];
        positions_of(swaps[i][1], positions);
        tb = opened(bytes, 2);
        ask_all(tb, positions, PROBES);
        Message why;
        if (endings_refused(tb, &why) != 1)
            fail_msg("%s as %s was not refused", swaps[i][0], swaps[i][1]);
        tb_close(tb);
        free(file.at);
        free(pair.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_constant_table_answers),
        cmocka_unit_test(test_a_packed_table_answers),
        cmocka_unit_test(test_forced_captures_decide),
        cmocka_unit_test(test_distances_are_counted_as_the_flags_say),
        cmocka_unit_test(test_names_that_are_no_tables),
        cmocka_unit_test(test_every_material_has_one_name),
        cmocka_unit_test(test_several_directories),
        cmocka_unit_test(test_no_tables_no_answers),
        cmocka_unit_test(test_files_that_are_not_files),
        cmocka_unit_test(test_damaged_forgeries),
        cmocka_unit_test(test_a_file_that_grew),
        cmocka_unit_test(test_symbols_in_a_circle),
        cmocka_unit_test(test_a_wild_value_condemns_its_file_once),
        cmocka_unit_test(test_ranks_by_result_alone),
        cmocka_unit_test(test_real_files_cut),
        cmocka_unit_test(test_a_file_truncated_in_use),
        cmocka_unit_test(test_real_files_with_flipped_bytes),
        cmocka_unit_test(test_files_under_wrong_names),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
