#include "base/checksum.h"

uint64_t checksum64(const void *bytes, size_t len)
{
    const uint8_t *at = bytes;
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < len; i++)
        sum = (sum ^ at[i]) * 0x100000001b3u;
    sum ^= sum >> 32;
    sum *= 0xd6e8feb86659fd93u;
    return sum ^ sum >> 32;
}
