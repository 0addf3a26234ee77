/* Polyglot books: exact bytes, building in little memory, and files that are no books. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/text.h"
#include "book/book.h"
#include "book/book_build.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "chess/uci_move.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Place {
    char dir[64];
    char book[80];
} Place;

static int make_place(void **state)
{
    Place *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    snprintf(p->dir, sizeof p->dir, "/tmp/castellan-book.XXXXXX");
    if (!mkdtemp(p->dir))
        return -1;
    snprintf(p->book, sizeof p->book, "%s/b.bin", p->dir);
    *state = p;
    return 0;
}

/* The files in the directory; all of them are removed. */
static int count_and_remove(const char *dir)
{
    int count = 0;
    DIR *d = opendir(dir);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        char path[512];
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        unlink(path);
        count++;
    }
    closedir(d);
    return count;
}

static int remove_place(void **state)
{
    Place *p = *state;
    count_and_remove(p->dir);
    rmdir(p->dir);
    free(p);
    return 0;
}

static void put_file(const char *path, const void *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static void assert_file(const char *path, const uint8_t *bytes, size_t len)
{
    char *got;
    size_t got_len;
    assert_int_equal(file_read(&got, &got_len, path, 1 << 26, NULL), STATUS_OK);
    assert_int_equal(got_len, len);
    assert_memory_equal(got, bytes, len);
    free(got);
}

static BookBuild *begin(const char *path, size_t memory, uint32_t min_games)
{
    BookBuild *b;
    Message why;
    BookBuildOptions options = {.memory = memory, .min_games = min_games};
    assert_int_equal(book_build_begin(&b, path, &options, &why), STATUS_OK);
    return b;
}

/* A game in SAN, with White's outcome. */
static void add_game(BookBuild *b, const char *fen, const char *moves, int white)
{
    Position p;
    Message why;
    Span rest = span_of(moves), word;
    assert_int_equal(fen_parse(&p, span_of(fen), false, &why), STATUS_OK);
    while (span_next_word(&rest, &word)) {
        Move m;
        Undo undo;
        assert_int_equal(san_read(&p, word, &m, &why), STATUS_OK);
        int outcome = p.side == WHITE ? white : BOOK_WIN - white;
        assert_int_equal(book_build_add(b, pos_polyglot_key(&p), book_move_bits(m), outcome, &why),
                         STATUS_OK);
        pos_make(&p, m, &undo);
    }
}

static BookBuildCounts finish(BookBuild *b)
{
    BookBuildCounts counts;
    Message why;
    assert_int_equal(book_build_finish(b, &counts, &why), STATUS_OK);
    book_build_free(b);
    return counts;
}

/* -- The format -- */

/* The keys are those the format's description publishes for this very game. */
static void test_exact_bytes(void **state)
{
    const Place *place = *state;
    static const uint8_t wanted[] = {
        0x07, 0x56, 0xb9, 0x44, 0x61, 0xc5, 0x0f, 0xb0, 0x07, 0x24, 0, 2, 0, 0, 0, 0, /* e4e5 */
        0x22, 0xa4, 0x8b, 0x5a, 0x8e, 0x47, 0xff, 0x78, 0x01, 0x0c, 0, 2, 0, 0, 0, 0, /* e1e2 */
        0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 0, 3, 0, 0, 0, 0, /* e2e4 */
        0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x02, 0xdb, 0, 1, 0, 0, 0, 0, /* d2d4 */
        0x65, 0x2a, 0x60, 0x7c, 0xa3, 0xf2, 0x42, 0xc1, 0x0f, 0x35, 0, 2, 0, 0, 0, 0, /* e8f7 */
        0x66, 0x2f, 0xaf, 0xb9, 0x65, 0xdb, 0x29, 0xd4, 0x0d, 0x65, 0, 2, 0, 0, 0, 0, /* f7f5 */
        0x82, 0x3c, 0x9b, 0x50, 0xfd, 0x11, 0x41, 0x96, 0x0c, 0xe3, 0, 3, 0, 0, 0, 0, /* d7d5 */
    };
    BookBuild *b = begin(place->book, 1 << 20, 1);
    add_game(b, FEN_START, "e4 d5 e5 f5 Ke2 Kf7", BOOK_DRAW);
    add_game(b, FEN_START, "d4", BOOK_DRAW);
    add_game(b, FEN_START, "e4 d5 e5 f5 Ke2 Kf7", BOOK_DRAW);
    add_game(b, FEN_START, "e4 d5", BOOK_DRAW);
    add_game(b, FEN_START, "c4", BOOK_LOSS); /* brought nothing, stays out */
    BookBuildCounts counts = finish(b);
    assert_int_equal(counts.entries, 7);
    assert_int_equal(counts.positions, 6);
    assert_file(place->book, wanted, sizeof wanted);
}

static void assert_bits(const char *fen, const char *uci, unsigned bits)
{
    Position p;
    assert_int_equal(fen_parse(&p, span_of(fen), false, NULL), STATUS_OK);
    Move m = uci_move_read(&p, span_of(uci));
    assert_int_not_equal(m, MOVE_NONE);
    assert_int_equal(book_move_bits(m), bits);
    assert_int_equal(book_move_from_bits(&p, (uint16_t)bits), m);
}

static void test_moves(void **state)
{
    (void)state;
    const char *castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const char *castle_black = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    const char *promote = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    assert_bits(castle, "e1g1", 4 << 6 | 7);
    assert_bits(castle, "e1c1", 4 << 6 | 0);
    assert_bits(castle_black, "e8g8", 60 << 6 | 63);
    assert_bits(castle_black, "e8c8", 60 << 6 | 56);
    assert_bits(promote, "a7a8n", 1 << 12 | 48 << 6 | 56);
    assert_bits(promote, "a7a8b", 2 << 12 | 48 << 6 | 56);
    assert_bits(promote, "a7a8r", 3 << 12 | 48 << 6 | 56);
    assert_bits(promote, "a7b8q", 4 << 12 | 48 << 6 | 57);
    assert_bits("4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 1", "e5f6", 36 << 6 | 45);
}

/* Whatever 16 bits a file holds: a legal move or none, and each legal move by exactly one value. */
static void test_all_bits(void **state)
{
    (void)state;
    static const char *const fens[] = {
        FEN_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position p;
        int found = 0;
        assert_int_equal(fen_parse(&p, span_of(fens[i]), false, NULL), STATUS_OK);
        for (unsigned bits = 0; bits < 65536; bits++) {
            Move m = book_move_from_bits(&p, (uint16_t)bits);
            assert_true(m == MOVE_NONE || pos_is_legal(&p, m));
            found += m != MOVE_NONE;
        }
        assert_int_equal(found, movegen_count(&p));
    }
}

/* -- Building -- */

static void test_min_games(void **state)
{
    const Place *place = *state;
    BookBuild *b = begin(place->book, 1 << 20, 2);
    add_game(b, FEN_START, "e4", BOOK_WIN);
    add_game(b, FEN_START, "d4", BOOK_DRAW);
    add_game(b, FEN_START, "d4", BOOK_LOSS);
    assert_int_equal(finish(b).entries, 1);
    Book *book;
    BookMove moves[MAX_MOVES];
    Position p;
    Message why;
    pos_set_start(&p);
    assert_int_equal(book_open(&book, place->book, &why), STATUS_OK);
    assert_int_equal(book_probe(book, &p, moves), 1);
    assert_int_equal(moves[0].move, uci_move_read(&p, span_of("d2d4")));
    assert_int_equal(moves[0].weight, 1);
    book_close(book);
}

static void test_scaled_weights(void **state)
{
    const Place *place = *state;
    static const uint8_t wanted[] = {
        0, 0, 0, 0, 0, 0, 0, 7, 0, 1, 0xff, 0xff, 0, 0, 0, 0, /* 140000 */
        0, 0, 0, 0, 0, 0, 0, 7, 0, 2, 0x7f, 0xff, 0, 0, 0, 0, /* 70000 */
        0, 0, 0, 0, 0, 0, 0, 7, 0, 3, 0,    1,    0, 0, 0, 0, /* 1 */
        0, 0, 0, 0, 0, 0, 0, 9, 0, 1, 0xff, 0xff, 0, 0, 0, 0, /* 65535, as it is */
        0, 0, 0, 0, 0, 0, 0, 9, 0, 2, 0,    1,    0, 0, 0, 0,
    };
    BookBuild *b = begin(place->book, 1 << 20, 1);
    for (int i = 0; i < 70000; i++) {
        book_build_add(b, 7, 1, BOOK_WIN, NULL);
        book_build_add(b, 7, 2, BOOK_DRAW, NULL);
        if (i < BOOK_WIN * 32767 + 1)
            book_build_add(b, 9, 1, BOOK_DRAW, NULL);
    }
    book_build_add(b, 7, 3, BOOK_DRAW, NULL);
    book_build_add(b, 9, 2, BOOK_DRAW, NULL);
    assert_int_equal(finish(b).entries, 5);
    assert_file(place->book, wanted, sizeof wanted);
}

/* Three passes over the same keys in another order each time, so that runs share positions. */
static BookBuildCounts build_many(const char *path, size_t memory)
{
    enum { MANY = 100003 };
    BookBuild *b = begin(path, memory, 2);
    for (uint64_t i = 0; i < 3 * MANY; i++) {
        uint64_t n = i * (1 + i / MANY) * 7919 % MANY;
        Key key = (n / 2 + 1) * 0x9e3779b97f4a7c15u;
        assert_int_equal(book_build_add(b, key, (uint16_t)(n % 2), (int)(n % 3), NULL), STATUS_OK);
    }
    return finish(b);
}

static void test_little_memory(void **state)
{
    const Place *place = *state;
    char *bytes;
    size_t len;
    BookBuildCounts large = build_many(place->book, 64 << 20);
    assert_int_equal(large.runs, 0);
    assert_int_equal(file_read(&bytes, &len, place->book, 1 << 26, NULL), STATUS_OK);
    assert_int_equal(len, large.entries * 16);
    BookBuildCounts small = build_many(place->book, 1);
    assert_true(small.runs > 200); /* more than are merged at a time */
    assert_int_equal(small.entries, large.entries);
    assert_int_equal(small.positions, large.positions);
    assert_file(place->book, (const uint8_t *)bytes, len);
    free(bytes);
    assert_int_equal(count_and_remove(place->dir), 1);
}

/* -- When it fails -- */

static void test_nothing_to_write(void **state)
{
    const Place *place = *state;
    BookBuildCounts counts;
    Message why;
    put_file(place->book, "old", 3);
    BookBuild *b = begin(place->book, 1 << 20, 2);
    add_game(b, FEN_START, "e4 e5", BOOK_DRAW);
    assert_int_equal(book_build_finish(b, &counts, &why), STATUS_MISSING);
    book_build_free(b);
    assert_file(place->book, (const uint8_t *)"old", 3);
    assert_int_equal(count_and_remove(place->dir), 1);
}

static void test_bad_places(void **state)
{
    const Place *place = *state;
    BookBuildOptions options = {0};
    BookBuild *b;
    Message why;
    assert_int_equal(book_build_begin(&b, "/nonexistent/b.bin", &options, &why), STATUS_IO);
    assert_null(b);
    assert_string_equal(why.text, "/nonexistent/b.bin: No such file or directory");
    assert_int_equal(book_build_begin(&b, place->dir, &options, &why), STATUS_IO);
    assert_int_equal(book_build_begin(&b, "/dev/null", &options, &why), STATUS_IO);
    char longest[8192];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(book_build_begin(&b, longest, &options, &why), STATUS_INVALID);
}

/* A limit on the size of files stands for a disk that is full. */
static Status build_on_full_disk(const char *path, size_t memory)
{
    struct rlimit old, tight;
    getrlimit(RLIMIT_FSIZE, &old);
    tight = old;
    tight.rlim_cur = 8192;
    signal(SIGXFSZ, SIG_IGN);
    BookBuild *b = begin(path, memory, 1);
    BookBuildCounts counts;
    Status s = STATUS_OK;
    setrlimit(RLIMIT_FSIZE, &tight);
    for (Key key = 1; key < 20000 && s == STATUS_OK; key++)
        s = book_build_add(b, key * 0x9e3779b97f4a7c15u, 1, BOOK_WIN, NULL);
    if (s == STATUS_OK)
        s = book_build_finish(b, &counts, NULL);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    book_build_free(b);
    return s;
}

static void test_full_disk(void **state)
{
    const Place *place = *state;
    put_file(place->book, "old", 3);
    assert_int_equal(build_on_full_disk(place->book, 1), STATUS_IO);        /* while reading */
    assert_int_equal(build_on_full_disk(place->book, 64 << 20), STATUS_IO); /* at the end */
    assert_file(place->book, (const uint8_t *)"old", 3);
    assert_int_equal(count_and_remove(place->dir), 1);
}

/* -- Reading -- */

static void assert_refused(const char *path, Status status, const char *part)
{
    Book *book;
    Message why;
    assert_int_equal(book_open(&book, path, &why), status);
    assert_null(book);
    assert_non_null(strstr(why.text, part));
}

static void test_hostile_files(void **state)
{
    const Place *place = *state;
    uint8_t bytes[48] = {0};
    bytes[0] = 5, bytes[16] = 4, bytes[32] = 6;
    assert_refused(place->book, STATUS_MISSING, "No such file");
    assert_refused(place->dir, STATUS_IO, "not a regular file");
    put_file(place->book, bytes, 0);
    assert_refused(place->book, STATUS_INVALID, "empty");
    put_file(place->book, bytes, 1);
    assert_refused(place->book, STATUS_INVALID, "1 bytes");
    put_file(place->book, bytes, 47);
    assert_refused(place->book, STATUS_INVALID, "47 bytes");
    put_file(place->book, bytes, 48);
    assert_refused(place->book, STATUS_INVALID, "entry 2 is out of order");
}

/* Legal moves among nonsense under the same key, and at both ends of the file. */
static void test_illegal_entries(void **state)
{
    const Place *place = *state;
    static const uint16_t bits[] = {0,
                                    0xffff,
                                    4 << 6 | 7,
                                    12 << 6 | 28,
                                    12 << 6 | 36,
                                    4 << 12 | 12 << 6 | 28,
                                    5 << 12 | 12 << 6 | 28,
                                    6 << 6 | 21};
    enum { COUNT = sizeof bits / sizeof *bits };
    uint8_t bytes[COUNT * 16] = {0};
    Position p, other;
    Book *book;
    BookMove moves[MAX_MOVES];
    Message why;
    pos_set_start(&p);
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 8; k++)
            bytes[i * 16 + k] = (uint8_t)(pos_polyglot_key(&p) >> (56 - 8 * k));
        bytes[i * 16 + 8] = (uint8_t)(bits[i] >> 8);
        bytes[i * 16 + 9] = (uint8_t)bits[i];
        bytes[i * 16 + 11] = (uint8_t)i;
    }
    put_file(place->book, bytes, sizeof bytes);
    assert_int_equal(book_open(&book, place->book, &why), STATUS_OK);
    assert_int_equal(book_size(book), COUNT);
    assert_int_equal(book_probe(book, &p, moves), 2);
    assert_int_equal(moves[0].move, uci_move_read(&p, span_of("e2e4")));
    assert_int_equal(moves[0].weight, 3);
    assert_int_equal(moves[1].move, uci_move_read(&p, span_of("g1f3")));
    assert_int_equal(moves[1].weight, 7);
    assert_int_equal(fen_parse(&other, span_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), false, &why),
                     STATUS_OK);
    assert_int_equal(book_probe(book, &other, moves), 0);
    book_close(book);
}

static void test_every_position_is_found(void **state)
{
    const Place *place = *state;
    const char *game = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O";
    BookBuild *b = begin(place->book, 1, 1);
    add_game(b, FEN_START, game, BOOK_DRAW);
    finish(b);
    Book *book;
    Message why;
    Position p;
    Undo undo;
    BookMove moves[MAX_MOVES];
    pos_set_start(&p);
    assert_int_equal(book_open(&book, place->book, &why), STATUS_OK);
    assert_int_equal(book_size(book), 14);
    Span rest = span_of(game), word;
    while (span_next_word(&rest, &word)) {
        Move m;
        assert_int_equal(san_read(&p, word, &m, &why), STATUS_OK);
        assert_int_equal(book_probe(book, &p, moves), 1);
        assert_int_equal(moves[0].move, m);
        pos_make(&p, m, &undo);
    }
    assert_int_equal(book_probe(book, &p, moves), 0);
    book_close(book);
}

/* -- Choosing -- */

static void test_choosing(void **state)
{
    (void)state;
    const BookMove moves[] = {{10, 100}, {11, 0}, {12, 300}, {13, 300}};
    int seen[16] = {0};
    Random random;
    random_seed(&random, 1);
    for (int i = 0; i < 7000; i++)
        seen[book_random(moves, 4, &random)]++;
    assert_int_equal(seen[11], 0);
    assert_in_range(seen[10], 800, 1200);
    assert_in_range(seen[12], 2700, 3300);
    assert_in_range(seen[13], 2700, 3300);
    assert_int_equal(book_random(moves + 1, 1, &random), MOVE_NONE);
    assert_int_equal(book_random(moves, 0, &random), MOVE_NONE);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_all_bits),
        cmocka_unit_test(test_choosing),
        cmocka_unit_test_setup_teardown(test_exact_bytes, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_min_games, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_scaled_weights, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_little_memory, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_nothing_to_write, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_bad_places, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_full_disk, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_hostile_files, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_illegal_entries, make_place, remove_place),
        cmocka_unit_test_setup_teardown(test_every_position_is_found, make_place, remove_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
