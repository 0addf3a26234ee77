#include "forge.h"

#include "tb/tb_int.h"

#include <string.h>

enum { SYMBOLS = 10, CODE_BITS = 4, BLOCK_BITS = 7, SPAN_BITS = 16 };

typedef struct Plan {
    bool wdl, symmetric, pawns, both_pawns;
    int count[2][6]; /* kings last */
    int parts;
} Plan;

static void put(Forged *f, unsigned byte)
{
    if (f->len < FORGE_SIZE)
        f->at[f->len++] = (uint8_t)byte;
}

static void put_u16(Forged *f, unsigned n)
{
    put(f, n & 255);
    put(f, n >> 8);
}

static void pad(Forged *f, size_t to)
{
    while (f->len % to)
        put(f, 0);
}

static Plan plan_for(const char *name)
{
    static const char letters[] = "PNBRQK";
    Plan p = {0};
    int side = 0;
    for (; *name != '.'; name++) {
        if (*name == 'v')
            side = 1;
        else
            p.count[side][strchr(letters, *name) - letters]++;
    }
    p.wdl = strcmp(name, ".rtbw") == 0;
    p.symmetric = memcmp(p.count[0], p.count[1], sizeof p.count[0]) == 0;
    p.pawns = p.count[0][0] || p.count[1][0];
    p.both_pawns = p.count[0][0] && p.count[1][0];
    p.parts = (p.wdl && !p.symmetric ? 2 : 1) * (p.pawns ? 4 : 1);
    return p;
}

static void put_men(Forged *f, const Plan *p, int side, int type)
{
    for (int i = 0; i < p->count[side][type]; i++)
        put(f, (unsigned)(type + 1 + 8 * side) * 17); /* the same piece for both sides to move */
}

/* Leading pawns, the others', kings, the rest. */
static void put_order_and_men(Forged *f, const Plan *p)
{
    put(f, 0x00);
    if (p->both_pawns)
        put(f, 0x11);
    bool black_leads = p->count[1][0] && (!p->count[0][0] || p->count[1][0] < p->count[0][0]);
    put_men(f, p, black_leads, PAWN);
    put_men(f, p, !black_leads, PAWN);
    put_men(f, p, 0, KING);
    put_men(f, p, 1, KING);
    for (int type = KNIGHT; type <= QUEEN; type++) {
        put_men(f, p, 0, type);
        put_men(f, p, 1, type);
    }
}

static void put_pair(Forged *f, unsigned left, unsigned right)
{
    put(f, left & 255);
    put(f, left >> 8 | (right & 15) << 4);
    put(f, right >> 4);
}

static void put_head(Forged *f, const ForgeOptions *o)
{
    if (!o->packed) {
        put(f, o->flags | TB_FLAG_CONSTANT);
        put(f, (unsigned)o->value[0]);
        return;
    }
    put(f, o->flags);
    put(f, BLOCK_BITS);
    put(f, SPAN_BITS);
    put(f, 0);
    put_u16(f, 1); /* one block */
    put_u16(f, 0);
    put(f, CODE_BITS);
    put(f, CODE_BITS);
    put_u16(f, 0);
    put_u16(f, SYMBOLS);
    /* Two values, their pair, and then each symbol twice the one before: the last has 256
     * values. */
    put_pair(f, (unsigned)o->value[0], 0xfff);
    put_pair(f, (unsigned)o->value[1], 0xfff);
    put_pair(f, 0, 1);
    for (unsigned i = 3; i < SYMBOLS; i++)
        put_pair(f, i - 1, i - 1);
}

static void put_maps(Forged *f, const Plan *p, const ForgeOptions *o)
{
    bool wide = o->flags & TB_FLAG_WIDE;
    for (int part = 0; part < p->parts && o->flags & TB_FLAG_MAPPED; part++)
        for (int k = 0; k < 4; k++) {
            unsigned entry[] = {2, o->map[k], o->map[k] + 7u};
            for (int i = 0; i < 3; i++)
                wide ? put_u16(f, entry[i]) : put(f, entry[i]);
        }
    pad(f, 2);
}

static void put_arrays(Forged *f, const Plan *p)
{
    for (int part = 0; part < p->parts; part++) {
        put_u16(f, 0); /* block 0 ... */
        put_u16(f, 0);
        put_u16(f, 1u << (SPAN_BITS - 1)); /* ... has the middle of the span in its middle */
    }
    for (int part = 0; part < p->parts; part++)
        put_u16(f, 0xffff);
    for (int part = 0; part < p->parts; part++) {
        pad(f, 64);
        for (int i = 0; i < 1 << BLOCK_BITS; i++)
            put(f, (SYMBOLS - 1) * 17);
    }
}

void forge(Forged *f, const char *file_name, const ForgeOptions *options)
{
    static const uint8_t magic[2][4] = {{0xd7, 0x66, 0x0c, 0xa5}, {0x71, 0xe8, 0x23, 0x5d}};
    Plan p = plan_for(file_name);
    f->len = 0;
    for (int i = 0; i < 4; i++)
        put(f, magic[p.wdl][i]);
    put(f, (p.symmetric ? 0 : 1) | (p.pawns ? 2 : 0));
    for (int file = 0; file < (p.pawns ? 4 : 1); file++)
        put_order_and_men(f, &p);
    pad(f, 2);
    for (int part = 0; part < p.parts; part++)
        put_head(f, options);
    if (!p.wdl)
        put_maps(f, &p, options);
    if (options->packed)
        put_arrays(f, &p);
    pad(f, 64);
    for (int i = 0; i < TB_FOOT_BYTES; i++)
        put(f, 0);
}
