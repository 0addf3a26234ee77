#include "eval/nnue/net_pack.h"

#include "base/bytes.h"

#include <stdlib.h>

/* A code is a quotient of so many ones and a zero, then `parameter` bits of rest, lowest bit first.
 * Quotients too large for that are told by ESCAPE ones, and the sixteen bits follow as they are. */
enum { ESCAPE = 20, PARAMETER_BITS = 4, RAW_BITS = 16, LONGEST = ESCAPE + RAW_BITS };

/* Small numbers of both signs become small numbers. */
static uint32_t folded(int16_t d)
{
    return d < 0 ? (uint32_t)(-2 * (int32_t)d - 1) : (uint32_t)(2 * d);
}

/* Without a branch: nothing foretells the sign. */
static int16_t unfolded(uint32_t u)
{
    return (int16_t)(uint16_t)(u >> 1 ^ (0 - (u & 1)));
}

static int16_t difference(const int16_t *weights, size_t i, size_t period)
{
    uint16_t predicted = i < period ? 0 : (uint16_t)weights[i - period];
    return (int16_t)(uint16_t)((uint16_t)weights[i] - predicted);
}

/* -- Writing -- */

typedef struct BitWriter {
    uint8_t *at;
    uint64_t buffer;
    int bits;
} BitWriter;

static void put(BitWriter *w, uint64_t value, int bits)
{
    w->buffer |= value << w->bits;
    w->bits += bits;
    for (; w->bits >= 8; w->bits -= 8, w->buffer >>= 8)
        *w->at++ = (uint8_t)w->buffer;
}

static int length(uint32_t u, int parameter)
{
    uint32_t quotient = u >> parameter;
    return quotient < ESCAPE ? (int)quotient + 1 + parameter : LONGEST;
}

static int best_parameter(const uint32_t *u)
{
    int best = 0;
    size_t least = SIZE_MAX;
    for (int k = 0; k < RAW_BITS; k++) {
        size_t bits = 0;
        for (int i = 0; i < NET_PACK_BLOCK; i++)
            bits += (size_t)length(u[i], k);
        if (bits < least) {
            least = bits;
            best = k;
        }
    }
    return best;
}

static void put_code(BitWriter *w, uint32_t u, int parameter)
{
    uint32_t quotient = u >> parameter;
    if (quotient >= ESCAPE) {
        put(w, (1u << ESCAPE) - 1, ESCAPE);
        put(w, u, RAW_BITS);
    } else {
        put(w, (1u << quotient) - 1, (int)quotient + 1);
        put(w, u & ((1u << parameter) - 1), parameter);
    }
}

Status net_pack(const int16_t *weights, size_t count, size_t period, uint8_t **bytes, size_t *len,
                Message *why)
{
    size_t blocks = count / NET_PACK_BLOCK;
    uint8_t *out = malloc(count * LONGEST / 8 + blocks + 16);
    if (!out)
        return status_fail(why, STATUS_MEMORY, "not enough memory to pack a net");
    BitWriter w = {.at = out};
    for (size_t i = 0; i < count; i += NET_PACK_BLOCK) {
        uint32_t u[NET_PACK_BLOCK];
        for (size_t k = 0; k < NET_PACK_BLOCK; k++)
            u[k] = folded(difference(weights, i + k, period));
        int parameter = best_parameter(u);
        put(&w, (uint64_t)parameter, PARAMETER_BITS);
        for (int k = 0; k < NET_PACK_BLOCK; k++)
            put_code(&w, u[k], parameter);
    }
    put(&w, 0, 7);
    *bytes = out;
    *len = (size_t)(w.at - out);
    return STATUS_OK;
}

/* -- Reading -- */

typedef struct BitReader {
    const uint8_t *at, *end;
    uint64_t buffer;
    int bits;
    size_t beyond; /* bytes taken as zero after the end */
} BitReader;

/* The last bytes one by one, then zeros. */
static void refill_at_the_end(BitReader *r)
{
    while (r->bits <= 56) {
        uint64_t byte = 0;
        if (r->at < r->end)
            byte = *r->at++;
        else
            r->beyond++;
        r->buffer |= byte << r->bits;
        r->bits += 8;
    }
}

/* At least LONGEST bits in the buffer. Of eight bytes at once only whole ones count; the rest of
 * them stands above `bits` and is read again, to the same place. */
static inline void refill(BitReader *r)
{
    if (r->bits >= LONGEST)
        return;
    if (r->end - r->at < 8) {
        r->buffer &= (1ULL << r->bits) - 1;
        refill_at_the_end(r);
        return;
    }
    int count = (63 - r->bits) / 8;
    r->buffer |= bytes_get64(r->at) << r->bits;
    r->at += count;
    r->bits += 8 * count;
}

static inline uint32_t take(BitReader *r, int bits)
{
    uint32_t value = (uint32_t)(r->buffer & ((1ULL << bits) - 1));
    r->buffer >>= bits;
    r->bits -= bits;
    return value;
}

static inline uint32_t take_code(BitReader *r, int parameter)
{
    refill(r);
    int ones = __builtin_ctzll(~r->buffer | 1ULL << ESCAPE);
    if (ones == ESCAPE) {
        take(r, ESCAPE);
        return take(r, RAW_BITS);
    }
    take(r, ones + 1);
    return ((uint32_t)ones << parameter | take(r, parameter)) & 0xffff;
}

Status net_unpack(int16_t *weights, size_t count, size_t period, const uint8_t *bytes, size_t len,
                  Message *why)
{
    BitReader r = {.at = bytes, .end = bytes + len};
    for (size_t i = 0; i < count; i += NET_PACK_BLOCK) {
        refill(&r);
        int parameter = (int)take(&r, PARAMETER_BITS);
        for (size_t k = i; k < i + NET_PACK_BLOCK; k++) {
            uint16_t predicted = k < period ? 0 : (uint16_t)weights[k - period];
            weights[k] = (int16_t)(uint16_t)(predicted + unfolded(take_code(&r, parameter)));
        }
        if (r.beyond * 8 > (size_t)r.bits)
            return status_fail(why, STATUS_INVALID, "the packed weights are truncated");
    }
    if (r.at < r.end || r.beyond * 8 + 7 < (size_t)r.bits)
        return status_fail(why, STATUS_INVALID, "unexpected data after the packed weights");
    return STATUS_OK;
}
