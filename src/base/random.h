/* Seeded random numbers (xoshiro256**): same seed, same sequence, on every machine. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

typedef struct Random {
    uint64_t s[4];
} Random;

void random_seed(Random *r, uint64_t seed);
uint64_t random_next(Random *r);
uint32_t random_below(Random *r, uint32_t bound); /* uniform in [0, bound); bound > 0 */
double random_unit(Random *r);                    /* uniform in [0, 1) */

#endif
