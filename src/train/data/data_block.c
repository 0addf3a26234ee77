#include "train/data/data_int.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

bool block_header_read(const uint8_t at[BLOCK_HEADER_SIZE], BlockHeader *h)
{
    h->unpacked = bytes_get32(at + 4);
    h->stored = bytes_get32(at + 8);
    h->codec = bytes_get32(at + 12);
    h->checksum = bytes_get64(at + 16);
    return bytes_get32(at) == BLOCK_MAGIC && h->unpacked && h->unpacked <= BLOCK_MAX && h->stored &&
           h->stored <= BLOCK_MAX && h->codec <= CODEC_GAMES;
}

void block_header_write(uint8_t at[BLOCK_HEADER_SIZE], const BlockHeader *h)
{
    bytes_put32(at, BLOCK_MAGIC);
    bytes_put32(at + 4, h->unpacked);
    bytes_put32(at + 8, h->stored);
    bytes_put32(at + 12, h->codec);
    bytes_put64(at + 16, h->checksum);
}

bool block_find(const uint8_t *file, size_t len, size_t *at, BlockHeader *h)
{
    /* What looks like a header, but is none, must not make a made-up file cost hours. */
    enum { MOST_TRIES = 256 };
    int tries = 0;
    for (; len >= BLOCK_HEADER_SIZE && *at <= len - BLOCK_HEADER_SIZE; ++*at) {
        const uint8_t *from = file + *at;
        if (!block_header_read(from, h) || len - *at - BLOCK_HEADER_SIZE < h->stored)
            continue;
        if (checksum64(from + BLOCK_HEADER_SIZE, h->stored) == h->checksum)
            return true;
        if (++tries == MOST_TRIES)
            break;
    }
    return false;
}

/* Unpacked again at once: data that took hours to make is not entrusted to an untested stream. */
static bool is_reversible(const uint8_t *plain, size_t len, const Text *packed)
{
    uint8_t *again = malloc(len);
    bool same = again && games_unpack((const uint8_t *)packed->at, packed->len, again, len) &&
                memcmp(again, plain, len) == 0;
    free(again);
    return same;
}

bool block_pack(const uint8_t *plain, size_t len, Text *packed, BlockHeader *h)
{
    bool good =
        games_pack(plain, len, packed) && packed->len < len && is_reversible(plain, len, packed);
    if (!good) {
        text_clear(packed);
        text_add(packed, (const char *)plain, len);
    }
    *h = (BlockHeader){.unpacked = (uint32_t)len,
                       .stored = (uint32_t)packed->len,
                       .codec = good ? CODEC_GAMES : CODEC_PLAIN,
                       .checksum = checksum64(packed->at, packed->len)};
    return !packed->failed;
}

bool block_unpack(const BlockHeader *h, const uint8_t *stored, uint8_t *out)
{
    if (checksum64(stored, h->stored) != h->checksum)
        return false;
    if (h->codec == CODEC_PLAIN) {
        if (h->stored != h->unpacked)
            return false;
        memcpy(out, stored, h->stored);
        return true;
    }
    if (h->codec == CODEC_GAMES)
        return games_unpack(stored, h->stored, out, h->unpacked);
#ifdef HAVE_ZSTD
    return ZSTD_decompress(out, h->unpacked, stored, h->stored) == h->unpacked;
#else
    return false;
#endif
}
