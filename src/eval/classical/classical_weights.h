/* The weights of the classical evaluation, from the rows of classical_weights.def. All members are
 * ints, so that a tuner may treat the struct as one array. */
#ifndef EVAL_CLASSICAL_CLASSICAL_WEIGHTS_H
#define EVAL_CLASSICAL_CLASSICAL_WEIGHTS_H

#include <stdint.h>

/* Middlegame value in the lower half of an int, endgame value in the upper. Sums and differences of
 * packed values are packed values; each half must stay within 16 bits. */
typedef int32_t Packed;

#define PACKED(mg, eg) ((Packed)((uint32_t)(eg) << 16) + (Packed)(mg))

static inline int packed_mg(Packed v)
{
    return (int16_t)(uint16_t)(uint32_t)v;
}

/* A negative lower half has borrowed from the upper half: round to undo that. */
static inline int packed_eg(Packed v)
{
    return (int16_t)(uint16_t)(((uint32_t)v + 0x8000U) >> 16);
}

typedef struct ClassicalWeights {
#define ONE(name, value) Packed name;
#define ROW(name, count, ...) Packed name[count];
#define UNIT(name, value) int name;
#define UNITS(name, count, ...) int name[count];
#include "eval/classical/classical_weights.def"
#undef ONE
#undef ROW
#undef UNIT
#undef UNITS
} ClassicalWeights;

/* The weights in use. */
extern const ClassicalWeights classical_weights;

#endif
