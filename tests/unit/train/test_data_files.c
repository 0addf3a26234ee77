/* Files of training games: what is written is read again, whatever happens to the
 * file in between. */
#include "base/random.h"
#include "base/text.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "train/data/data_int.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void random_start(Position *p, Random *r)
{
    switch (random_below(r, 3)) {
    case 0:
        pos_set_start(p);
        break;
    case 1:
        pos_set_chess960(p, (int)random_below(r, 960), (int)random_below(r, 960));
        break;
    default:
        assert_int_equal(fen_parse(p, span_of("8/P1k5/8/8/5pP1/8/2K4p/8 b - g3 0 60"), false, NULL),
                         STATUS_OK);
    }
}

static int16_t random_score(Random *r)
{
    static const int16_t edges[] = {0, 1, -1, SCORE_MATE, -SCORE_MATE, INT16_MAX, INT16_MIN};
    switch (random_below(r, 4)) {
    case 0:
        return SCORE_NONE;
    case 1:
        return edges[random_below(r, sizeof edges / sizeof *edges)];
    default:
        return (int16_t)((int)random_below(r, 1400) - 700);
    }
}

static void random_game(GameRecord *g, Random *r)
{
    Position p;
    random_start(&p, r);
    memset(g, 0, sizeof *g);
    g->start = p;
    g->result = result_of_half_points((int)random_below(r, 3));
    int plies = (int)random_below(r, 200);
    Move moves[MAX_MOVES];
    for (int count; g->count < plies && (count = movegen(&p, GEN_ALL, moves));) {
        Undo undo;
        Move m = moves[random_below(r, (uint32_t)count)];
        g->plies[g->count++] = (DataPly){m, random_score(r)};
        pos_make(&p, m, &undo);
    }
}

static void assert_same_game(const GameRecord *a, const GameRecord *b)
{
    assert_int_equal(a->start.st.key, b->start.st.key);
    assert_int_equal(a->start.chess960, b->start.chess960);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        assert_int_equal(a->plies[i].move, b->plies[i].move);
        assert_int_equal(a->plies[i].score, b->plies[i].score);
    }
}

/* -- Packing -- */

static void assert_first_block_is_packed(const char *path)
{
    uint8_t head[DATA_HEADER_SIZE + BLOCK_HEADER_SIZE];
    BlockHeader h;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(head, 1, sizeof head, f), sizeof head);
    fclose(f);
    assert_true(block_header_read(head + DATA_HEADER_SIZE, &h));
    assert_int_equal(h.codec, CODEC_GAMES);
}

/* Compares what is read with what the same random numbers make again. */
typedef struct Expected {
    Random random;
    GameRecord game;
    int count;
} Expected;

static Status compare_game(void *user, const GameRecord *game, Message *why)
{
    (void)why;
    Expected *e = user;
    random_game(&e->game, &e->random);
    assert_same_game(game, &e->game);
    e->count++;
    return STATUS_OK;
}

static void games_are_read_as_written(void **state)
{
    (void)state;
    enum { GAMES = 1500 };
    char path[] = "/tmp/castellan-test-XXXXXX";
    close(mkstemp(path));
    DataWriter *w;
    Random r;
    random_seed(&r, 1);
    GameRecord *g = malloc(sizeof *g);
    Expected *expected = calloc(1, sizeof *expected);
    random_seed(&expected->random, 1);
    assert_int_equal(data_writer_open(&w, path, NULL), STATUS_OK);
    for (int i = 0; i < GAMES; i++) {
        random_game(g, &r);
        assert_int_equal(data_writer_add(w, g, NULL), STATUS_OK);
    }
    assert_int_equal(data_writer_close(w, NULL), STATUS_OK);
    assert_first_block_is_packed(path);
    assert_int_equal(data_read_file(path, g, compare_game, expected, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(expected->count, GAMES);
    unlink(path);
    free(g);
    free(expected);
}

/* Moves and scores of the start of a game as a block holds them. */
static const uint8_t short_game[] = {
    START_USUAL, 1,    4,    0,    0x0c, 0x07, /* drawn, four plies: e2e4 */
    0x34,        0x09, 0x46, 0x05, 0xb9, 0x0a, /* e7e5, g1f3, b8c6 */
    0x19,        0x00, 0xf0, 0xff, 0x02, 0x7d, /* 25, -16, no score */
    0x08,        0x00};                        /* 8 */

/* Files exist that were written with this order of moves and these contexts. */
static void the_packed_form_does_not_change(void **state)
{
    (void)state;
    Text packed;
    text_init(&packed);
    assert_true(games_pack(short_game, sizeof short_game, &packed));
    uint8_t again[sizeof short_game];
    assert_true(games_unpack((const uint8_t *)packed.at, packed.len, again, sizeof again));
    assert_memory_equal(again, short_game, sizeof again);
    static const uint8_t expected[] = {0x00, 0x88, 0x1f, 0x87, 0xfb, 0xf2, 0x7f, 0xd7,
                                       0x5b, 0xe8, 0x37, 0xfe, 0x00, 0x00, 0x00};
    assert_int_equal(packed.len, sizeof expected);
    assert_memory_equal(packed.at, expected, sizeof expected);
    text_free(&packed);
}

static void what_is_no_game_is_not_packed(void **state)
{
    (void)state;
    Text packed;
    text_init(&packed);
    uint8_t bytes[sizeof short_game];
    memcpy(bytes, short_game, sizeof bytes);
    bytes[4] = 0; /* no legal move */
    assert_false(games_pack(bytes, sizeof bytes, &packed));
    text_clear(&packed);
    assert_false(games_pack(short_game, sizeof short_game - 1, &packed));
    text_free(&packed);
}

static void any_bytes_are_unpacked_or_refused(void **state)
{
    (void)state;
    Random r;
    random_seed(&r, 7);
    uint8_t packed[64], plain[600];
    for (int i = 0; i < 3000; i++) {
        for (size_t k = 0; k < sizeof packed; k++)
            packed[k] = (uint8_t)random_below(&r, 256);
        packed[0] = 0;
        games_unpack(packed, random_below(&r, sizeof packed), plain,
                     random_below(&r, sizeof plain));
    }
    assert_false(games_unpack(packed, 0, plain, 1));
}

/* -- Files in trouble -- */

typedef struct Scratch {
    char path[40], tail[48];
    GameRecord *game;
    Random random;
} Scratch;

static void scratch_begin(Scratch *s)
{
    snprintf(s->path, sizeof s->path, "/tmp/castellan-test-XXXXXX");
    close(mkstemp(s->path));
    snprintf(s->tail, sizeof s->tail, "%s.tail", s->path);
    s->game = malloc(sizeof *s->game);
    random_seed(&s->random, 3);
}

static void scratch_end(Scratch *s)
{
    unlink(s->path);
    unlink(s->tail);
    free(s->game);
}

/* Blocks of so many games each. */
static void write_blocks(Scratch *s, int blocks, int games)
{
    DataWriter *w;
    assert_int_equal(data_writer_open(&w, s->path, NULL), STATUS_OK);
    for (int b = 0; b < blocks; b++) {
        for (int i = 0; i < games; i++) {
            random_game(s->game, &s->random);
            assert_int_equal(data_writer_add(w, s->game, NULL), STATUS_OK);
        }
        assert_int_equal(data_writer_flush(w, NULL), STATUS_OK);
    }
    assert_int_equal(data_writer_close(w, NULL), STATUS_OK);
}

static Status count_game(void *user, const GameRecord *game, Message *why)
{
    (void)game, (void)why;
    ++*(int *)user;
    return STATUS_OK;
}

static int count_games(const Scratch *s, uint64_t *damaged)
{
    DataFileCounts counts;
    int games = 0;
    assert_int_equal(data_read_file(s->path, s->game, count_game, &games, NULL, &counts, NULL),
                     STATUS_OK);
    *damaged = counts.damaged;
    return games;
}

static off_t file_size(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

static void a_second_writer_is_refused(void **state)
{
    (void)state;
    Scratch s;
    DataWriter *first, *second = NULL;
    Message why;
    char pid[32];
    scratch_begin(&s);
    snprintf(pid, sizeof pid, "process %ld", (long)getpid());
    assert_int_equal(data_writer_open(&first, s.path, NULL), STATUS_OK);
    random_game(s.game, &s.random);
    assert_int_equal(data_writer_add(first, s.game, NULL), STATUS_OK);
    assert_int_equal(data_writer_open(&second, s.path, &why), STATUS_REFUSED);
    assert_non_null(strstr(why.text, pid));
    assert_int_equal(data_writer_close(first, NULL), STATUS_OK);
    uint64_t damaged;
    assert_int_equal(count_games(&s, &damaged), 1);
    assert_int_equal(data_writer_open(&second, s.path, NULL), STATUS_OK);
    assert_int_equal(data_writer_close(second, NULL), STATUS_OK);
    scratch_end(&s);
}

/* A file that may not grow stands for a full disk. */
static void a_full_disk_costs_no_finished_game(void **state)
{
    (void)state;
    Scratch s;
    DataWriter *w;
    struct rlimit old, full;
    scratch_begin(&s);
    write_blocks(&s, 20, 40);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    full = old;
    full.rlim_cur = (rlim_t)file_size(s.path) + 100;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(data_writer_open(&w, s.path, NULL), STATUS_OK);
    for (int i = 0; i < 40; i++) {
        random_game(s.game, &s.random);
        assert_int_equal(data_writer_add(w, s.game, NULL), STATUS_OK);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    Status flushed = data_writer_flush(w, NULL), closed = data_writer_close(w, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(flushed, STATUS_IO);
    assert_int_equal(closed, STATUS_IO);
    uint64_t damaged;
    assert_int_equal(count_games(&s, &damaged), 840); /* 40 of them in the tail */
    assert_int_equal(access(s.tail, F_OK), 0);
    assert_int_equal(data_writer_open(&w, s.path, NULL), STATUS_OK);
    assert_int_equal(data_writer_close(w, NULL), STATUS_OK);
    assert_int_equal(count_games(&s, &damaged), 840);
    assert_int_equal(damaged, 0);
    assert_int_not_equal(access(s.tail, F_OK), 0);
    scratch_end(&s);
}

static void write_byte(const char *path, off_t at, uint8_t byte)
{
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, at, SEEK_SET), 0);
    assert_int_equal(fputc(byte, f), byte);
    assert_int_equal(fclose(f), 0);
}

/* Where the second block begins: its header follows the first block. */
static off_t second_block(const char *path)
{
    uint8_t head[DATA_HEADER_SIZE + BLOCK_HEADER_SIZE];
    BlockHeader h;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(head, 1, sizeof head, f), sizeof head);
    fclose(f);
    assert_true(block_header_read(head + DATA_HEADER_SIZE, &h));
    return (off_t)sizeof head + h.stored;
}

static void damaged_blocks_are_skipped_and_counted(void **state)
{
    (void)state;
    static const int places[] = {0, 4, 9, 13, 20, BLOCK_HEADER_SIZE + 30}; /* of the block */
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        Scratch s;
        uint64_t damaged;
        DataWriter *w;
        scratch_begin(&s);
        write_blocks(&s, 4, 30);
        write_byte(s.path, second_block(s.path) + places[i], 0xa5);
        assert_int_equal(count_games(&s, &damaged), 90);
        assert_int_equal(damaged, 1);
        /* A writer leaves what lies behind the damage where it is. */
        off_t size = file_size(s.path);
        assert_int_equal(data_writer_open(&w, s.path, NULL), STATUS_OK);
        assert_int_equal(data_writer_close(w, NULL), STATUS_OK);
        assert_int_equal(file_size(s.path), size);
        assert_int_equal(count_games(&s, &damaged), 90);
        scratch_end(&s);
    }
}

static void a_block_cut_short_is_no_damage(void **state)
{
    (void)state;
    Scratch s;
    uint64_t damaged;
    scratch_begin(&s);
    write_blocks(&s, 3, 30);
    assert_int_equal(truncate(s.path, file_size(s.path) - 5), 0);
    assert_int_equal(count_games(&s, &damaged), 60);
    assert_int_equal(damaged, 0);
    scratch_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_read_as_written),
        cmocka_unit_test(the_packed_form_does_not_change),
        cmocka_unit_test(what_is_no_game_is_not_packed),
        cmocka_unit_test(any_bytes_are_unpacked_or_refused),
        cmocka_unit_test(a_second_writer_is_refused),
        cmocka_unit_test(a_full_disk_costs_no_finished_game),
        cmocka_unit_test(damaged_blocks_are_skipped_and_counted),
        cmocka_unit_test(a_block_cut_short_is_no_damage),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
