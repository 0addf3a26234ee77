#include "base/cpu.h"

CpuFeatures cpu_features(void)
{
    CpuFeatures f = {0};
#if defined(__x86_64__)
    __builtin_cpu_init();
    f.sse41 = __builtin_cpu_supports("sse4.1");
    f.avx2 = __builtin_cpu_supports("avx2");
    f.avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    f.vnni = f.avx512 && __builtin_cpu_supports("avx512vnni");
#elif defined(__aarch64__)
    f.neon = true;
#elif defined(__wasm_simd128__)
    f.wasm = true;
#endif
    return f;
}
