#include "eval/classical/classical_weights.h"

#define S(mg, eg) PACKED(mg, eg)

const ClassicalWeights classical_weights = {
#define ONE(name, value) .name = value,
#define ROW(name, count, ...) .name = {__VA_ARGS__},
#define UNIT(name, value) .name = value,
#define UNITS(name, count, ...) .name = {__VA_ARGS__},
#include "eval/classical/classical_weights.def"
};
