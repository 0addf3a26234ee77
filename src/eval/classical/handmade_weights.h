/* The weights of the hand-made evaluation, made from the rows of handmade_weights.def. Every member
 * is made of ints, so a tuner may see the whole as one array of them. */
#ifndef EVAL_CLASSICAL_HANDMADE_WEIGHTS_H
#define EVAL_CLASSICAL_HANDMADE_WEIGHTS_H

#include <stdint.h>

/* Two values in one int: the middle game in the lower half, the endgame in the upper. Sums and
 * differences of packed values are packed values; each half must stay within 16 bits. */
typedef int32_t Packed;

#define PACKED(mg, eg) ((Packed)((uint32_t)(eg) << 16) + (Packed)(mg))

static inline int packed_mg(Packed v)
{
    return (int16_t)(uint16_t)(uint32_t)v;
}

/* A negative lower half has borrowed one from the upper; adding half a unit gives it back. */
static inline int packed_eg(Packed v)
{
    return (int16_t)(uint16_t)(((uint32_t)v + 0x8000U) >> 16);
}

typedef struct HandmadeWeights {
#define ONE(name, value) Packed name;
#define ROW(name, count, ...) Packed name[count];
#define UNIT(name, value) int name;
#define UNITS(name, count, ...) int name[count];
#include "eval/classical/handmade_weights.def"
#undef ONE
#undef ROW
#undef UNIT
#undef UNITS
} HandmadeWeights;

/* The weights Castellan plays with. */
extern const HandmadeWeights handmade_weights;

#endif
