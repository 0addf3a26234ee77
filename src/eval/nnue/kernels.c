#include "eval/nnue/kernels.h"

#include <stddef.h>

const NnueKernels *nnue_kernels(CpuFeatures cpu)
{
    const NnueKernels *best_first[] = {
        cpu.vnni ? nnue_kernels_vnni() : NULL, cpu.avx512 ? nnue_kernels_avx512() : NULL,
        cpu.avx2 ? nnue_kernels_avx2() : NULL, cpu.sse41 ? nnue_kernels_sse41() : NULL,
        cpu.neon ? nnue_kernels_neon() : NULL, cpu.wasm ? nnue_kernels_wasm() : NULL,
    };
    for (size_t i = 0; i < sizeof best_first / sizeof *best_first; i++)
        if (best_first[i])
            return best_first[i];
    return nnue_kernels_scalar();
}
