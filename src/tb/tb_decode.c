/* Decompression of one value.
 *
 * The values of all positions in order are divided into blocks of equal size in bytes and different
 * size in values. A sparse index gives for every 2^span_bits-th position its block and offset; the
 * lengths of the blocks lead from there to ours. A block is a sequence of code words, each for a
 * symbol; a symbol is a value or a pair of symbols. Codes are canonical: longer ones are smaller
 * when left-aligned, so the first base that is not above the word gives the length.
 *
 * The bytes are not trusted: every number read is compared with the limits from the header, and a
 * wrong one ends the probe. */
#include "base/bytes.h"
#include "tb/tb_int.h"

/* The block of a position, and how many of its values come before. */
static bool find_block(const TbPairs *d, uint64_t index, uint64_t *block, int64_t *offset)
{
    uint64_t entry = index >> d->span_bits;
    if (entry >= d->index_count)
        return false;
    const uint8_t *p = d->index + 6 * entry;
    uint64_t span = 1ULL << d->span_bits;
    uint64_t at = bytes_get32(p);
    /* An index entry describes the middle of its span. */
    int64_t left =
        (int64_t)bytes_get16(p + 4) + (int64_t)(index & (span - 1)) - (int64_t)(span / 2);
    if (at >= d->length_count)
        return false;
    while (left < 0) {
        if (at == 0)
            return false;
        left += bytes_get16(d->lengths + 2 * --at) + 1;
    }
    while (left > bytes_get16(d->lengths + 2 * at)) {
        left -= bytes_get16(d->lengths + 2 * at) + 1;
        if (++at >= d->length_count)
            return false;
    }
    *block = at;
    *offset = left;
    return at < d->block_count;
}

typedef struct Bits {
    const uint8_t *next, *end;
    uint64_t word;  /* the next bits, left-aligned */
    unsigned empty; /* number of low bits that were shifted in */
} Bits;

static uint32_t next_word(Bits *b)
{
    if (b->next == b->end)
        return 0; /* an intact block does not use these bits */
    const uint8_t *p = b->next;
    b->next += 4;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void bits_skip(Bits *b, unsigned n)
{
    b->word <<= n;
    b->empty += n;
    if (b->empty >= 32) {
        b->empty -= 32;
        b->word |= (uint64_t)next_word(b) << b->empty;
    }
}

static bool next_symbol(const TbPairs *d, Bits *b, unsigned *symbol)
{
    unsigned i = 0;
    while (b->word < d->code_base[i]) /* the last base is 0 */
        i++;
    unsigned len = d->code_min + i;
    uint64_t number = (b->word - d->code_base[i]) >> (64 - len);
    *symbol = bytes_get16(d->code_lowest + 2 * i);
    if (number >= d->symbol_count || *symbol + number >= d->symbol_count)
        return false;
    *symbol += (unsigned)number;
    bits_skip(b, len);
    return true;
}

/* The value at an offset inside a symbol; the header check has seen that pairs lead to shorter
 * symbols. */
static int value_in(const TbPairs *d, unsigned symbol, int64_t offset)
{
    for (;;) {
        const uint8_t *p = d->pairs + 3 * symbol;
        unsigned left = p[0] | (p[1] & 15u) << 8;
        if (d->symbol_len[symbol] == 0)
            return (int)left;
        if (offset <= d->symbol_len[left]) {
            symbol = left;
        } else {
            offset -= d->symbol_len[left] + 1;
            symbol = p[1] >> 4 | (unsigned)p[2] << 4;
        }
    }
}

bool tb_decode(const TbPairs *d, uint64_t index, int *value)
{
    if (d->flags & TB_FLAG_CONSTANT) {
        *value = d->constant;
        return true;
    }
    uint64_t block;
    int64_t offset;
    if (!find_block(d, index, &block, &offset))
        return false;

    Bits bits = {.next = d->blocks + (block << d->block_bits)};
    bits.end = bits.next + (1ULL << d->block_bits);
    bits.word = (uint64_t)next_word(&bits) << 32;
    bits.word |= next_word(&bits);
    /* Every symbol consumes at least one value of the offset, which fits 16 bits: the loop ends. */
    for (;;) {
        unsigned symbol;
        if (!next_symbol(d, &bits, &symbol))
            return false;
        if (offset <= d->symbol_len[symbol]) {
            *value = value_in(d, symbol, offset);
            return true;
        }
        offset -= d->symbol_len[symbol] + 1;
    }
}
