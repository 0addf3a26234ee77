/* An adaptive binary range coder. The same call codes a bit or reads it, so that a format is
 * written down once for both directions. */
#ifndef TRAIN_DATA_CODER_H
#define TRAIN_DATA_CODER_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How likely a 0 is, in 65536ths: the mean of an estimate that adapts fast and one that adapts
 * slowly. */
typedef struct BitModel {
    uint16_t fast, slow;
} BitModel;

void bit_models_init(BitModel *models, size_t count);

typedef struct RangeCoder {
    bool encoding;
    uint32_t range;
    /* Encoding: bytes that a carry may still change are held back. */
    Text *out;
    uint64_t low, held_count;
    uint8_t held;
    /* Decoding: zero bytes follow the end. */
    const uint8_t *in, *end;
    uint32_t code;
} RangeCoder;

RangeCoder range_encoder(Text *out);
RangeCoder range_decoder(const uint8_t *in, size_t len);
void range_encoder_finish(RangeCoder *c);

/* Encodes `bit` and returns it; a decoder ignores it and returns the bit read. */
int code_bit(RangeCoder *c, BitModel *m, int bit);

/* A number of so many bits; `tree` has 1 << bits models. */
unsigned code_number(RangeCoder *c, BitModel *tree, int bits, unsigned value);

/* A signed number of at most 17 bits, small ones cheaply. */
typedef struct NumberModel {
    BitModel size[18], sign, mantissa[18][4], rest;
} NumberModel;

int code_signed(RangeCoder *c, NumberModel *m, int value);

#endif
