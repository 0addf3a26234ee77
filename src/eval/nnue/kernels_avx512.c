/* Vectors of thirty-two. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#define KERNELS nnue_kernels_avx512

#if defined(__AVX512F__) && defined(__AVX512BW__)
#define KERNELS_NAME "avx512"
#include "eval/nnue/kernels_512.inc"
#else
const NnueKernels KERNELS = {0};
#endif
