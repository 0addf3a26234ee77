#include "train/data_int.h"

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
           h->stored <= BLOCK_MAX && h->codec <= CODEC_ZSTD;
}

void block_header_write(uint8_t at[BLOCK_HEADER_SIZE], const BlockHeader *h)
{
    bytes_put32(at, BLOCK_MAGIC);
    bytes_put32(at + 4, h->unpacked);
    bytes_put32(at + 8, h->stored);
    bytes_put32(at + 12, h->codec);
    bytes_put64(at + 16, h->checksum);
}

static uint8_t *pack_plain(const uint8_t *plain, size_t len, BlockHeader *h)
{
    uint8_t *copy = malloc(len);
    if (!copy)
        return NULL;
    memcpy(copy, plain, len);
    h->stored = (uint32_t)len;
    h->codec = CODEC_PLAIN;
    return copy;
}

#ifdef HAVE_ZSTD
static uint8_t *pack_zstd(const uint8_t *plain, size_t len, BlockHeader *h)
{
    enum { LEVEL = 9 };
    size_t room = ZSTD_compressBound(len);
    uint8_t *packed = malloc(room);
    if (!packed)
        return NULL;
    size_t used = ZSTD_compress(packed, room, plain, len, LEVEL);
    if (ZSTD_isError(used)) {
        free(packed);
        return NULL;
    }
    h->stored = (uint32_t)used;
    h->codec = CODEC_ZSTD;
    return packed;
}
#endif

uint8_t *block_pack(const uint8_t *plain, size_t len, BlockHeader *h)
{
    h->unpacked = (uint32_t)len;
#ifdef HAVE_ZSTD
    uint8_t *packed = pack_zstd(plain, len, h);
#else
    uint8_t *packed = pack_plain(plain, len, h);
#endif
    if (!packed)
        packed = pack_plain(plain, len, h);
    if (packed)
        h->checksum = checksum64(packed, h->stored);
    return packed;
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
#ifdef HAVE_ZSTD
    return ZSTD_decompress(out, h->unpacked, stored, h->stored) == h->unpacked;
#else
    return false;
#endif
}
