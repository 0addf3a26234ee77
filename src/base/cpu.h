/* What this processor can do, asked once at start to choose the fastest kernels. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#include <stdbool.h>

typedef struct CpuFeatures {
    bool sse41, avx2, avx512, vnni, neon, wasm;
} CpuFeatures;

CpuFeatures cpu_features(void);

#endif
