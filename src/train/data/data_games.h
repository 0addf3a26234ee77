/* The bytes of a block of games, packed with the rules of chess: a move is its place in a list of
 * the legal moves, likely ones first; a score is its difference to the scores before it. */
#ifndef TRAIN_DATA_GAMES_H
#define TRAIN_DATA_GAMES_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False when the bytes are no whole games of legal moves, or memory ran out. */
bool games_pack(const uint8_t *plain, size_t len, Text *out);

/* Unpacks exactly `len` bytes; false when the packed ones do not hold so many. */
bool games_unpack(const uint8_t *packed, size_t packed_len, uint8_t *plain, size_t len);

#endif
