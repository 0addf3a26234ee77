/* Files of single positions: written and read again, damage found, variants that are quiet. */
#include "../positions.h"
#include "chess/movegen.h"
#include "chess/see.h"
#include "train/positions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const fens[] = {
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r2q1rk1/ppp2ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPP2PPP/R2Q1RK1 b - - 4 8",
    "8/5pk1/6p1/8/3R4/6P1/r4PK1/8 w - - 0 40",
};
enum { FENS = sizeof fens / sizeof *fens };

typedef struct Files {
    char dir[64], path[96];
    SampleSet set;
} Files;

static void begin(Files *f)
{
    Message why;
    *f = (Files){.dir = "/tmp/castellan-positions-XXXXXX"};
    assert_non_null(mkdtemp(f->dir));
    snprintf(f->path, sizeof f->path, "%s/positions-0001.cps", f->dir);
    assert_int_equal(sample_set_reserve(&f->set, FENS, &why), STATUS_OK);
    for (int i = 0; i < FENS; i++) {
        Position p = position_of(fens[i]);
        sample_pack(&f->set.at[f->set.count++], &p, 10 * i, RESULT_WHITE_WINS);
    }
}

static void end(Files *f)
{
    unlink(f->path);
    rmdir(f->dir);
    sample_set_free(&f->set);
}

static void export(const Files *f, int variants)
{
    PositionsOptions o = {.out = f->dir, .variants = variants, .seed = 3, .threads = 2};
    PositionsCounts counts = {0};
    atomic_bool stop = false;
    Message why;
    assert_int_equal(positions_export(&f->set, &o, &stop, &counts, &why), STATUS_OK);
}

static void reads_what_was_written(void **state)
{
    (void)state;
    Files f;
    begin(&f);
    export(&f, 0);
    SampleSet read = {0};
    Message why;
    assert_int_equal(positions_load(&read, f.dir, &why), STATUS_OK);
    assert_int_equal(read.count, FENS);
    assert_memory_equal(read.at, f.set.at, FENS * sizeof(Sample));
    sample_set_free(&read);
    end(&f);
}

static void refuse_after_change(const Files *f, long at, const char *with)
{
    SampleSet read = {0};
    Message why;
    export(f, 0);
    FILE *file = fopen(f->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    fputs(with, file);
    fclose(file);
    assert_int_equal(positions_load(&read, f->path, &why), STATUS_INVALID);
    sample_set_free(&read);
}

static void refuses_damage(void **state)
{
    (void)state;
    Files f;
    begin(&f);
    refuse_after_change(&f, 0, "X");                     /* the magic */
    refuse_after_change(&f, 8, "\7");                    /* the version */
    refuse_after_change(&f, sizeof(Sample), "\xff\xff"); /* more squares than pieces */
    refuse_after_change(&f, sizeof(Sample) + 8, "\xff"); /* a piece that does not exist */
    refuse_after_change(&f, -1, "long");                 /* no whole number of records */
    end(&f);
}

static void variants_are_quiet(void **state)
{
    (void)state;
    Files f;
    begin(&f);
    export(&f, 64);
    SampleSet read = {0};
    Message why;
    assert_int_equal(positions_load(&read, f.dir, &why), STATUS_OK);
    assert_in_range(read.count, 20, 64 * FENS);
    for (size_t i = 0; i < read.count; i++) {
        Position p;
        Move moves[MAX_MOVES];
        assert_int_equal(sample_position(&read.at[i], &p, &why), STATUS_OK);
        assert_false(pos_in_check(&p));
        assert_true(movegen_any(&p));
        for (int k = movegen(&p, GEN_NOISY, moves) - 1; k >= 0; k--)
            assert_false(see_at_least(&p, moves[k], 1));
    }
    sample_set_free(&read);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(refuses_damage),
        cmocka_unit_test(variants_are_quiet),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
