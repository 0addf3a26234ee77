/* What a build without CUDA answers. */
#include "train/train_gpu.h"

static const char absent[] = "this program was built without CUDA (make CUDA=1)";

const char *gpu_absent(void)
{
    return absent;
}

const char *gpu_open(Gpu **gpu, const GpuPlan *plan)
{
    (void)plan;
    *gpu = NULL;
    return absent;
}

const char *gpu_put(Gpu *gpu, const float *weights, const float *first, const float *second)
{
    (void)gpu, (void)weights, (void)first, (void)second;
    return absent;
}

const char *gpu_get(Gpu *gpu, float *weights, float *first, float *second)
{
    (void)gpu, (void)weights, (void)first, (void)second;
    return absent;
}

const char *gpu_learn(Gpu *gpu, const GpuOrder *order, size_t from, int batch, const GpuStep *step,
                      double *loss)
{
    (void)gpu, (void)order, (void)from, (void)batch, (void)step, (void)loss;
    return absent;
}

const char *gpu_gradient(Gpu *gpu, size_t count, float *gradient, double *loss)
{
    (void)gpu, (void)count, (void)gradient, (void)loss;
    return absent;
}

const char *gpu_validate(Gpu *gpu, double *loss)
{
    (void)gpu, (void)loss;
    return absent;
}

void gpu_close(Gpu *gpu)
{
    (void)gpu;
}
