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

enum {
    DATA_VERSION = 1,
    DATA_HEADER_SIZE = 12,
    BLOCK_MAGIC = 0x314b4c42, /* "BLK1" */
    BLOCK_HEADER_SIZE = 24,
    BLOCK_MAX = 16 << 20, /* unpacked; a larger claim is damage */
    CODEC_PLAIN = 0,
    CODEC_ZSTD = 1, /* read where the library is there, no longer written */
    CODEC_GAMES = 2 /* data_games.c */
};

enum { START_USUAL = 0, START_FEN = 1, START_FEN_960 = 2 };

enum { BLOCK_TARGET = 256 << 10 }; /* a block is written when its games take so many bytes */

/* Games wait for a block to fill in a second file beside the first, PATH.tail, so that a kill loses
 * only the game being played. It begins with the length of the main file: once that has grown, the
 * games have arrived there and the tail is void. Each game has its length (4 bytes) and a checksum
 * before it. */
enum { TAIL_HEADER_SIZE = 8, TAIL_GAME_HEADER_SIZE = 12 };

/* STATUS_INVALID when a file of `path` that begins so is none of games. */
Status data_check_header(const uint8_t *head, size_t len, const char *path, Message *why);

/* The bytes of a game; false when they are cut off, or hold something else. Whether the moves are
 * legal is not looked at. */
void game_encode(const GameRecord *game, Text *out);
bool game_decode(Span *from, GameRecord *game);

/* Adds the games of the tail of `path`, when it belongs to a file whose blocks end at `end`. */
void tail_read(const char *path, uint64_t end, Text *games);

typedef struct BlockHeader {
    uint32_t unpacked, stored, codec;
    uint64_t checksum;
} BlockHeader;

/* False when the bytes are no block header. */
bool block_header_read(const uint8_t at[BLOCK_HEADER_SIZE], BlockHeader *h);
void block_header_write(uint8_t at[BLOCK_HEADER_SIZE], const BlockHeader *h);

/* The bytes of a block of games, packed with the rules of chess: a move is its place in a list of
 * the legal moves, likely ones first; a score is its difference to the scores before it
 * (data_games.c). False when the bytes are no whole games of legal moves, or memory ran out. */
bool games_pack(const uint8_t *plain, size_t len, Text *out);

/* Unpacks exactly `len` bytes; false when the packed ones do not hold so many. */
bool games_unpack(const uint8_t *packed, size_t packed_len, uint8_t *plain, size_t len);

/* The first whole and sound block at *at or behind it; false when there is none. */
bool block_find(const uint8_t *file, size_t len, size_t *at, BlockHeader *h);

/* Packs into an empty text; false when memory ran out. */
bool block_pack(const uint8_t *plain, size_t len, Text *packed, BlockHeader *h);

/* Unpacks into `out`, h->unpacked bytes long; false when damaged or when the codec is
 * not built in. */
bool block_unpack(const BlockHeader *h, const uint8_t *stored, uint8_t *out);

#endif
