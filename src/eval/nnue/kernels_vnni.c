/* Vectors of thirty-two, with products added to the sum in one instruction. */
#include "eval/nnue/kernels.h"

#include <stddef.h>

#define KERNELS nnue_kernels_vnni

#if defined(__AVX512VNNI__) && defined(__AVX512BW__)
#define KERNELS_NAME "vnni"
#define DOT_PRODUCTS
#include "eval/nnue/kernels_512.inc"
#else
const NnueKernels KERNELS = {0};
#endif
