/* What a build without CUDA has instead: nobody gets past gpu_absent. */
#include "train/selfplay/selfplay_gpu.h"
#include "train/train_gpu.h"

const GpuTrainer gpu_trainer = {0};
const GpuSelfplayer gpu_selfplayer = {0};

const char *gpu_absent(void)
{
    return "this program was built without CUDA (make CUDA=1)";
}
