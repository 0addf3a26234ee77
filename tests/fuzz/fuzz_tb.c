/* Arbitrary bytes as table files. The first bytes choose a material and how the rest is used:
 * as a whole file, or as changes to a forged one, which reaches what only a file right in form
 * can reach. */
#include "fuzzing.h"

#include "../unit/tb/endings.h"
#include "../unit/tb/forge.h"
#include "tb/tb_int.h"

#include <stdio.h>

typedef struct Input {
    const uint8_t *at;
    size_t left;
} Input;

static unsigned next(Input *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

/* Four bytes a change: where (two), how long a run, the value. */
static void change(Forged *f, Input *in, size_t max)
{
    for (size_t i = 0; i < max && in->left >= 4; i++) {
        size_t at = next(in);
        at = (at | (size_t)next(in) << 8) % f->len;
        size_t run = 1 + next(in) % 8;
        uint8_t value = (uint8_t)next(in);
        for (; run && at < f->len; run--)
            f->at[at++] = value;
    }
}

static void ask(Tablebases *tb, const char *name, uint64_t seed)
{
    Random random;
    random_seed(&random, seed);
    for (int i = 0; i < 4; i++) {
        Position p;
        TbWdl wdl;
        int dtz, count;
        TbRootMove moves[MAX_MOVES];
        endings_of(&random, name, &p);
        if (tb_probe_wdl(tb, &p, &wdl) && (wdl < TB_LOSS || wdl > TB_WIN))
            __builtin_trap();
        tb_probe_dtz(tb, &p, &dtz);
        if (i < 2)
            tb_rank_moves(tb, &p, i == 0, moves, &count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"KQvK", "KPvK", "KRvK", "KNvK"};
    chess_init();
    Input in = {data, size};
    unsigned choice = next(&in), flags = next(&in) & 0x7f;
    const char *name = names[choice & 3];
    bool whole = choice & 4, change_dtz = choice & 8;
    ForgeOptions o = {.packed = choice & 16,
                      .value = {(int)(choice >> 5) % 5, (int)next(&in) % 5},
                      .map = {1, 2, 3, 4}};
    char wdl_name[16], dtz_name[16];
    snprintf(wdl_name, sizeof wdl_name, "%s.rtbw", name);
    snprintf(dtz_name, sizeof dtz_name, "%s.rtbz", name);
    Forged wdl, dtz;
    forge(&wdl, wdl_name, &o);
    o.flags = flags;
    forge(&dtz, dtz_name, &o);
    TbBytes files[] = {{wdl_name, wdl.at, wdl.len}, {dtz_name, dtz.at, dtz.len}};
    if (whole)
        files[change_dtz] = (TbBytes){files[change_dtz].file_name, in.at, in.left};
    else
        change(change_dtz ? &dtz : &wdl, &in, 64);

    Tablebases *tb;
    Message why;
    if (tb_open_bytes(&tb, files, 2, &why) == STATUS_OK)
        ask(tb, name, size);
    tb_close(tb);
    return 0;
}
