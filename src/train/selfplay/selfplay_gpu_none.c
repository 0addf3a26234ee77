/* What a build without CUDA answers. */
#include "train/selfplay/selfplay_gpu.h"

#include "train/train_gpu.h"

const char *gpu_selfplay_open(GpuSelfplay **g, const GpuSelfplayPlan *plan)
{
    (void)plan;
    *g = NULL;
    return gpu_absent();
}

const char *gpu_selfplay_start(GpuSelfplay *g, double seconds)
{
    (void)g, (void)seconds;
    return gpu_absent();
}

const char *gpu_selfplay_finish(GpuSelfplay *g, GpuSelfplayPart *part)
{
    (void)g;
    *part = (GpuSelfplayPart){0};
    return gpu_absent();
}

void gpu_selfplay_close(GpuSelfplay *g)
{
    (void)g;
}
