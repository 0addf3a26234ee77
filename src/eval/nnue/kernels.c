#include "eval/nnue/kernels.h"

#include <stddef.h>

int nnue_kernels_all(CpuFeatures cpu, const NnueKernels *all[NNUE_KERNELS_MAX])
{
    const struct {
        bool usable;
        const NnueKernels *kernels;
    } best_first[] = {
        {cpu.vnni, &nnue_kernels_vnni}, {cpu.avx512, &nnue_kernels_avx512},
        {cpu.avx2, &nnue_kernels_avx2}, {cpu.sse41, &nnue_kernels_sse41},
        {cpu.neon, &nnue_kernels_neon}, {cpu.wasm, &nnue_kernels_wasm},
        {true, &nnue_kernels_scalar},
    };
    int count = 0;
    for (size_t i = 0; i < sizeof best_first / sizeof *best_first; i++)
        if (best_first[i].usable && best_first[i].kernels->name)
            all[count++] = best_first[i].kernels;
    return count;
}

const NnueKernels *nnue_kernels(CpuFeatures cpu)
{
    const NnueKernels *all[NNUE_KERNELS_MAX];
    nnue_kernels_all(cpu, all);
    return all[0];
}
