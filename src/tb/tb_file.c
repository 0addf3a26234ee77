/* Maps the file of a table and checks its header.
 *
 * The file: 4 magic bytes; a byte of flags; for each part the order of its groups and its pieces;
 * for each part the header of its compressed array; for DTZ the maps of values; then of all parts
 * the sparse indexes, the block lengths, and, aligned to 64 bytes, the blocks. A checksum ends it.
 * All numbers are little-endian. Everything in the header is compared with the bytes that exist,
 * and the parts must fill the file exactly: a truncated, extended or renamed file fails. */
#include "base/bytes.h"
#include "tb/tb_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 64,
    HEAD_SPLIT = 1, /* both sides to move are stored separately */
    HEAD_PAWNS = 2,
    INDEX_ENTRY = 6,
    PAIR_BYTES = 3,
    NO_PAIR = 0xfff /* as second half of a pair: the first is a value */
};

static const uint8_t magic[TB_KIND_COUNT][4] = {{0x71, 0xe8, 0x23, 0x5d}, {0xd7, 0x66, 0x0c, 0xa5}};

const char *tb_file_suffix(TbKind kind)
{
    return kind == TB_KIND_WDL ? ".rtbw" : ".rtbz";
}

/* -- Bounded reading -- */

typedef struct Reader {
    const uint8_t *at;
    size_t len, pos;
    bool failed; /* a read passed the end; stays set */
} Reader;

/* The next n bytes, NULL when fewer are left. */
static const uint8_t *take(Reader *r, uint64_t n)
{
    if (r->failed || n > r->len - r->pos) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *bytes = r->at + r->pos;
    r->pos += n;
    return bytes;
}

/* A number of up to four bytes, 0 when fewer are left. */
static uint32_t take_number(Reader *r, unsigned bytes)
{
    const uint8_t *b = take(r, bytes);
    uint32_t number = 0;
    for (unsigned i = 0; b && i < bytes; i++)
        number |= (uint32_t)b[i] << 8 * i;
    return number;
}

static void align(Reader *r, size_t to)
{
    size_t over = r->pos % to;
    if (over)
        take(r, to - over);
}

/* -- Pieces of the parts -- */

static bool read_encodings(TbFile *f, const TbMaterial *m, const TbMaps *maps, Reader *r)
{
    bool both_pawns = m->has_pawns && m->count[color_other(m->lead)][PAWN];
    int files = f->part_count / f->sides;
    for (int file = 0; file < files; file++) {
        unsigned first = take_number(r, 1);
        unsigned second = both_pawns ? take_number(r, 1) : 0xff;
        const uint8_t *pieces = take(r, (uint64_t)m->pieces);
        if (!pieces)
            return false;
        for (int side = 0; side < f->sides; side++) {
            /* White to move in the low half of each byte, Black in the high one. */
            int shift = 4 * side;
            int order[2] = {(int)(first >> shift & 15), (int)(second >> shift & 15)};
            TbEncoding *s = &f->parts[file * f->sides + side].encoding;
            for (int i = 0; i < m->pieces; i++)
                s->piece[i] = (uint8_t)(pieces[i] >> shift & 15);
            if (!tb_index_encoding(maps, m, order, file, s))
                return false;
        }
    }
    align(r, 2);
    return !r->failed;
}

/* -- Headers of the compressed arrays -- */

/* The number of values of each symbol. Symbols may refer to later ones, so this repeats until no
 * length changes; a symbol in a cycle or with more than 256 values never gets a length, and the
 * file is refused. */
static bool measure_symbols(TbPairs *d)
{
    enum { UNKNOWN = 0xffff };
    uint16_t len[TB_SYMBOLS_MAX];
    unsigned known = 0;
    for (unsigned i = 0; i < d->symbol_count; i++)
        len[i] = UNKNOWN;
    for (bool found = true; found && known < d->symbol_count;) {
        found = false;
        for (unsigned i = 0; i < d->symbol_count; i++) {
            if (len[i] != UNKNOWN)
                continue;
            const uint8_t *p = d->pairs + PAIR_BYTES * i;
            unsigned left = p[0] | (p[1] & 15u) << 8, right = p[1] >> 4 | (unsigned)p[2] << 4;
            if (right == NO_PAIR) {
                len[i] = 0;
            } else {
                if (left >= d->symbol_count || right >= d->symbol_count)
                    return false;
                if (len[left] == UNKNOWN || len[right] == UNKNOWN)
                    continue;
                len[i] = (uint16_t)(len[left] + len[right] + 1);
                if (len[i] > UINT8_MAX)
                    return false;
            }
            d->symbol_len[i] = (uint8_t)len[i];
            known++;
            found = true;
        }
    }
    return known == d->symbol_count;
}

/* The canonical code: for each length the smallest code word, at the top of 64 bits. */
static void make_code_bases(TbPairs *d)
{
    const uint8_t *low = d->code_lowest;
    uint64_t base = 0;
    d->code_base[d->code_count - 1] = 0;
    for (unsigned i = d->code_count - 1; i-- > 0;) {
        base = (base + bytes_get16(low + 2 * i) - bytes_get16(low + 2 * i + 2)) / 2;
        d->code_base[i] = base << (64 - d->code_min - i);
    }
}

static bool read_codes(TbPairs *d, Reader *r)
{
    unsigned longest = take_number(r, 1);
    d->code_min = take_number(r, 1);
    if (d->code_min < 1 || longest < d->code_min || longest > TB_CODE_BITS_MAX)
        return false;
    d->code_count = longest - d->code_min + 1;
    d->code_lowest = take(r, 2 * d->code_count);
    d->symbol_count = take_number(r, 2);
    if (r->failed || d->symbol_count < 1 || d->symbol_count > TB_SYMBOLS_MAX)
        return false;
    size_t pair_bytes = PAIR_BYTES * (size_t)d->symbol_count;
    const uint8_t *pairs = take(r, pair_bytes);
    take(r, d->symbol_count & 1);
    d->symbol_len = r->failed ? NULL : malloc(d->symbol_count + pair_bytes);
    if (!d->symbol_len)
        return false;
    /* A copy, since the lengths rely on these bytes and those of the file may change. */
    d->pairs = memcpy(d->symbol_len + d->symbol_count, pairs, pair_bytes);
    if (!measure_symbols(d))
        return false;
    make_code_bases(d);
    return true;
}

static bool read_pairs_head(TbPairs *d, TbKind kind, Reader *r)
{
    d->flags = take_number(r, 1);
    if (d->flags & TB_FLAG_CONSTANT) {
        int value = (int)take_number(r, 1);
        d->constant = kind == TB_KIND_WDL ? value : 0;
        return !r->failed && d->constant <= 4;
    }
    d->block_bits = take_number(r, 1);
    d->span_bits = take_number(r, 1);
    unsigned padding = take_number(r, 1);
    d->block_count = take_number(r, 4);
    d->length_count = d->block_count + padding;
    /* Blocks are read in words of four bytes, eight at first. */
    if (r->failed || d->block_bits < 3 || d->block_bits > 31 || d->span_bits < 1 ||
        d->span_bits > 31 || d->block_count < 1)
        return false;
    d->index_count = (d->encoding.size + (1ULL << d->span_bits) - 1) >> d->span_bits;
    return read_codes(d, r);
}

/* -- Indexes, lengths and blocks -- */

static void read_maps(TbFile *f, Reader *r)
{
    for (int i = 0; i < f->part_count; i++) {
        TbPairs *d = &f->parts[i];
        if (!(d->flags & TB_FLAG_MAPPED))
            continue;
        bool wide = d->flags & TB_FLAG_WIDE;
        if (wide)
            align(r, 2);
        for (int k = 0; k < 4; k++) {
            d->map[k].count = take_number(r, wide ? 2 : 1);
            d->map[k].at = take(r, (uint64_t)d->map[k].count * (wide ? 2 : 1));
        }
    }
    align(r, 2);
}

static bool read_arrays(TbFile *f, Reader *r)
{
    for (int i = 0; i < f->part_count; i++)
        f->parts[i].index = take(r, f->parts[i].index_count * INDEX_ENTRY);
    for (int i = 0; i < f->part_count; i++)
        f->parts[i].lengths = take(r, f->parts[i].length_count * 2);
    for (int i = 0; i < f->part_count; i++) {
        TbPairs *d = &f->parts[i];
        align(r, ALIGNMENT);
        d->blocks = take(r, d->block_count << d->block_bits);
    }
    align(r, ALIGNMENT);
    return !r->failed && r->pos == r->len;
}

/* -- The file -- */

static Status check(TbFile *f, const TbMaterial *m, TbKind kind, const TbMaps *maps, Message *why)
{
    size_t len = f->bytes.len;
    if (len < ALIGNMENT + TB_FOOT_BYTES || len % ALIGNMENT != TB_FOOT_BYTES)
        return status_fail(why, STATUS_INVALID, "%zu bytes: truncated or not a tablebase file",
                           len);
    Reader r = {.at = f->bytes.at, .len = len - TB_FOOT_BYTES};
    if (memcmp(take(&r, 4), magic[kind], 4) != 0)
        return status_fail(why, STATUS_INVALID, "not a tablebase file (wrong magic bytes)");
    unsigned flags = take_number(&r, 1);
    if (((flags & HEAD_SPLIT) != 0) == m->symmetric || ((flags & HEAD_PAWNS) != 0) != m->has_pawns)
        return status_fail(why, STATUS_INVALID, "contents do not match the file name");

    f->sides = kind == TB_KIND_WDL && !m->symmetric ? 2 : 1;
    f->part_count = f->sides * (m->has_pawns ? TB_FILES_MAX : 1);
    f->parts = calloc((size_t)f->part_count, sizeof *f->parts);
    if (!f->parts)
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    if (!read_encodings(f, m, maps, &r))
        return status_fail(why, STATUS_INVALID, "pieces do not match the file name");
    for (int i = 0; i < f->part_count; i++)
        if (!read_pairs_head(&f->parts[i], kind, &r))
            return status_fail(why, STATUS_INVALID, "damaged header of part %d", i + 1);
    if (kind == TB_KIND_DTZ)
        read_maps(f, &r);
    if (!read_arrays(f, &r))
        return status_fail(why, STATUS_INVALID, "header does not match the file size");
    return STATUS_OK;
}

static Status map_bytes(TbFile *f, const TbTable *t, TbKind kind, Message *why)
{
    if (!f->directory)
        return f->bytes.at ? STATUS_OK : STATUS_MISSING;
    char path[4096];
    int used = snprintf(path, sizeof path, "%s/%s%s", f->directory, t->name, tb_file_suffix(kind));
    if (used < 0 || (size_t)used >= sizeof path)
        return status_fail(why, STATUS_INVALID, "%s: the path is too long", t->name);
    Status status = file_map(&f->bytes, path, why);
    if (status != STATUS_OK)
        return status;
    f->mapped = true;
    /* Probes access pages at random: read-ahead would evict useful pages. Only advice, so a failure
     * is ignored. */
    if (f->bytes.len)
        file_map_random(&f->bytes);
    return STATUS_OK;
}

Status tb_file_load(TbFile *f, const TbTable *t, TbKind kind, const TbMaps *maps, Message *why)
{
    Status status = map_bytes(f, t, kind, why);
    if (status == STATUS_OK) {
        status = check(f, &t->material, kind, maps, why);
        if (status != STATUS_OK)
            message_prefix(why, "%s%s: ", t->name, tb_file_suffix(kind));
    }
    if (status != STATUS_OK)
        tb_file_free(f);
    return status;
}

void tb_file_free(TbFile *f)
{
    for (int i = 0; f->parts && i < f->part_count; i++)
        free(f->parts[i].symbol_len);
    free(f->parts);
    f->parts = NULL;
    f->part_count = 0;
    if (f->mapped)
        file_unmap(&f->bytes);
    f->mapped = false;
}
