/* Weights of 16 bits in fewer: Rice codes of the differences to a prediction. The rows of a king
 * bucket are predicted from those of the bucket before it, which they resemble. */
#ifndef EVAL_NNUE_NET_PACK_H
#define EVAL_NNUE_NET_PACK_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Weights share a parameter of the code in blocks of this many; counts are multiples of it. */
enum { NET_PACK_BLOCK = 64 };

/* `count` weights of which all but the first `period` are predicted from the one `period` before.
 * Fresh memory in *bytes, the caller's to free. */
Status net_pack(const int16_t *weights, size_t count, size_t period, uint8_t **bytes, size_t *len,
                Message *why);

/* Refuses what is not exactly `count` weights long. */
Status net_unpack(int16_t *weights, size_t count, size_t period, const uint8_t *bytes, size_t len,
                  Message *why);

#endif
