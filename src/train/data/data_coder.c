#include "train/data/data_coder.h"

#include <stdlib.h>

enum { FAST_SHIFT = 4, SLOW_SHIFT = 7, HALF = 1 << 15, SIZE_MAX_BITS = 17 };

void bit_models_init(BitModel *models, size_t count)
{
    for (size_t i = 0; i < count; i++)
        models[i] = (BitModel){HALF, HALF};
}

RangeCoder range_encoder(Text *out)
{
    return (RangeCoder){.encoding = true, .range = UINT32_MAX, .out = out, .held_count = 1};
}

static uint32_t next_byte(RangeCoder *c)
{
    return c->in < c->end ? *c->in++ : 0;
}

RangeCoder range_decoder(const uint8_t *in, size_t len)
{
    enum { FIRST_BYTES = 5 }; /* the first is always 0 */
    RangeCoder c = {.range = UINT32_MAX, .in = in, .end = in + len};
    for (int i = 0; i < FIRST_BYTES; i++)
        c.code = c.code << 8 | next_byte(&c);
    return c;
}

/* Moves the top byte of `low` out. While it is 255 a carry could still run through it. */
static void shift_low(RangeCoder *c)
{
    uint8_t carry = (uint8_t)(c->low >> 32);
    if (c->low < 0xff000000u || carry) {
        uint8_t byte = c->held;
        for (; c->held_count; c->held_count--) {
            text_add_char(c->out, (char)(uint8_t)(byte + carry));
            byte = 0xff;
        }
        c->held = (uint8_t)(c->low >> 24);
    }
    c->held_count++;
    c->low = (c->low & 0x00ffffffu) << 8;
}

void range_encoder_finish(RangeCoder *c)
{
    enum { LAST_BYTES = 5 };
    for (int i = 0; i < LAST_BYTES; i++)
        shift_low(c);
}

static void bit_model_update(BitModel *m, int bit)
{
    if (bit) {
        m->fast = (uint16_t)(m->fast - (m->fast >> FAST_SHIFT));
        m->slow = (uint16_t)(m->slow - (m->slow >> SLOW_SHIFT));
    } else {
        m->fast = (uint16_t)(m->fast + ((UINT16_MAX - m->fast) >> FAST_SHIFT));
        m->slow = (uint16_t)(m->slow + ((UINT16_MAX - m->slow) >> SLOW_SHIFT));
    }
}

int code_bit(RangeCoder *c, BitModel *m, int bit)
{
    uint32_t bound = (c->range >> 16) * (((uint32_t)m->fast + m->slow) >> 1);
    if (!c->encoding)
        bit = c->code >= bound;
    if (bit) {
        c->range -= bound;
        if (c->encoding)
            c->low += bound;
        else
            c->code -= bound;
    } else {
        c->range = bound;
    }
    bit_model_update(m, bit);
    for (; c->range < 1u << 24; c->range <<= 8) {
        if (c->encoding)
            shift_low(c);
        else
            c->code = c->code << 8 | next_byte(c);
    }
    return bit;
}

unsigned code_number(RangeCoder *c, BitModel *tree, int bits, unsigned value)
{
    unsigned node = 1;
    for (int i = bits - 1; i >= 0; i--)
        node = node << 1 | (unsigned)code_bit(c, &tree[node], value >> i & 1);
    return node - (1u << bits);
}

/* How many bits the number has, the sign, the two bits below the leading one with models of their
 * own, the others as they are. */
int code_signed(RangeCoder *c, NumberModel *m, int value)
{
    unsigned size = (unsigned)abs(value), bits = 0;
    while (bits < SIZE_MAX_BITS && code_bit(c, &m->size[bits], size >> bits != 0))
        bits++;
    if (!bits)
        return 0;
    bool negative = code_bit(c, &m->sign, value < 0);
    unsigned found = 1;
    for (int i = (int)bits - 2; i >= 0; i--) {
        BitModel *model = found < 4 ? &m->mantissa[bits][found] : &m->rest;
        found = found << 1 | (unsigned)code_bit(c, model, size >> i & 1);
    }
    return negative ? -(int)found : (int)found;
}
