/* A checksum against accidents (cut files, flipped bits), not against malice. */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* 64-bit FNV-1a over the bytes, finished with a mix so that every bit counts. */
uint64_t checksum64(const void *bytes, size_t len);

#endif
