/* The file format, shared by writer and reader.
 *
 * File:  8 bytes magic, 4 bytes version.
 * Block: magic, bytes unpacked, bytes stored, codec (4 bytes each), 8 bytes checksum of what is
 * stored, then the stored bytes. Game:  start (1 byte kind; any but the usual one is followed by
 * its FEN with a length byte), result (1), plies (2), then all moves (2 each), then all scores (2
 * each): like beside like packs better. */
#ifndef TRAIN_DATA_INT_H
#define TRAIN_DATA_INT_H

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/text.h"
#include "train/data/data.h"

#define DATA_MAGIC "CASTGAME"
#define DATA_SUFFIX ".cgd"

enum {
    DATA_VERSION = 1,
    DATA_HEADER_SIZE = 12,
    BLOCK_MAGIC = 0x314b4c42, /* "BLK1" */
    BLOCK_HEADER_SIZE = 24,
    BLOCK_MAX = 16 << 20, /* unpacked; a larger claim is damage */
    CODEC_PLAIN = 0,
    CODEC_ZSTD = 1, /* read where the library is there, no longer written */
    CODEC_GAMES = 2 /* train/data_games.h */
};

enum { START_USUAL = 0, START_FEN = 1, START_FEN_960 = 2 };

enum { BLOCK_TARGET = 256 << 10 }; /* a block is written when its games take so many bytes */

/* Games wait for a block to fill in a second file beside the first, PATH.tail, so that a kill loses
 * only the game being played. It begins with the length of the main file: once that has grown, the
 * games have arrived there and the tail is void. Each game has its length (4 bytes) and a checksum
 * before it. */
enum { TAIL_HEADER_SIZE = 8, TAIL_GAME_HEADER_SIZE = 12 };

/* Adds the games of the tail of `path`, when it belongs to a file whose blocks end at `end`. */
void tail_read(const char *path, uint64_t end, Text *games);

typedef struct BlockHeader {
    uint32_t unpacked, stored, codec;
    uint64_t checksum;
} BlockHeader;

/* False when the bytes are no block header. */
bool block_header_read(const uint8_t at[BLOCK_HEADER_SIZE], BlockHeader *h);
void block_header_write(uint8_t at[BLOCK_HEADER_SIZE], const BlockHeader *h);

/* The first whole and sound block at *at or behind it; false when there is none. */
bool block_find(const uint8_t *file, size_t len, size_t *at, BlockHeader *h);

/* Packs into fresh memory (codec in h->codec); NULL when memory ran out. */
uint8_t *block_pack(const uint8_t *plain, size_t len, BlockHeader *h);

/* Unpacks into `out`, h->unpacked bytes long; false when damaged or when the codec is
 * not built in. */
bool block_unpack(const BlockHeader *h, const uint8_t *stored, uint8_t *out);

#endif
