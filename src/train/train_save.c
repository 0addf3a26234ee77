/* Checkpoints: the numbers of a training as they stand in memory, for the same machine to go on. */
#include "base/checksum.h"
#include "base/file.h"
#include "train/train_int.h"

#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'C', 'A', 'S', 'T', 'T', 'R', 'N', '3'};

enum { LOG_MAX = 1 << 19, BLOCKS = 4 };

typedef struct Header {
    char magic[8];
    uint64_t checksum; /* of everything after it */
    uint64_t fingerprint;
    TrainCounts counts;
    uint64_t log_len;
    uint64_t count;
} Header;

static uint64_t mix(uint64_t h, const void *bytes, size_t len)
{
    return (h ^ checksum64(bytes, len)) * 0x9e3779b97f4a7c15ULL;
}

/* All of some hundred million positions would take longer than reading them. */
static uint64_t mix_samples(uint64_t h, const SampleSet *set)
{
    h = mix(h, &set->count, sizeof set->count);
    size_t stride = set->count / 4096 + 1;
    for (size_t i = 0; i < set->count; i += stride)
        h = mix(h, &set->at[i], sizeof set->at[i]);
    return h;
}

uint64_t train_fingerprint(const TrainOptions *o, const SampleSet *train, const SampleSet *held_out)
{
    /* How many threads there are decides nothing on a card. */
    const int sizes[] = {o->sizes.hidden, o->sizes.buckets, o->sizes.king_buckets,  o->sizes.layers,
                         o->epochs,       o->batch,         o->gpu ? 0 : o->threads};
    const double rates[] = {o->rate, o->rate_end, o->wdl, o->decay, o->sigmoid_scale};
    uint64_t h = mix(o->seed, sizes, sizeof sizes);
    h = mix(h, rates, sizeof rates);
    if (o->start)
        h = mix(h, o->start->id, strlen(o->start->id));
    return mix_samples(mix_samples(h, train), held_out);
}

static uint64_t checksum(const uint8_t *file, size_t len)
{
    size_t skip = offsetof(Header, fingerprint);
    return checksum64(file + skip, len - skip);
}

Status train_save(const TrainState *state, uint64_t fingerprint, const char *path, Message *why)
{
    const float *blocks[BLOCKS] = {state->adam.weights, state->adam.first, state->adam.second,
                                   state->best};
    size_t block = state->shape.count * sizeof(float);
    size_t len = sizeof(Header) + BLOCKS * block + state->log.len;
    uint8_t *file = malloc(len);
    if (!file)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a checkpoint");
    Header h = {.fingerprint = fingerprint,
                .counts = state->counts,
                .log_len = state->log.len,
                .count = state->shape.count};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(file, &h, sizeof h);
    for (int i = 0; i < BLOCKS; i++)
        memcpy(file + sizeof h + (size_t)i * block, blocks[i], block);
    memcpy(file + sizeof h + BLOCKS * block, state->log.at, state->log.len);
    h.checksum = checksum(file, len);
    memcpy(file, &h, sizeof h);
    Status s = file_write_atomic(path, file, len, why);
    free(file);
    return s;
}

static Status check(const Header *h, const uint8_t *file, size_t len, const TrainState *state,
                    uint64_t fingerprint, const char *path, Message *why)
{
    size_t blocks = BLOCKS * state->shape.count * sizeof(float);
    if (len < sizeof *h || memcmp(h->magic, magic, sizeof magic) != 0 ||
        h->checksum != checksum(file, len))
        return status_fail(why, STATUS_INVALID, "%s: not a checkpoint, or damaged", path);
    if (h->fingerprint != fingerprint || h->count != state->shape.count || h->log_len > LOG_MAX ||
        len != sizeof *h + blocks + h->log_len)
        return status_fail(why, STATUS_REFUSED,
                           "%s: checkpoint of a different training run; remove it, or use the "
                           "options and data it was made with",
                           path);
    return STATUS_OK;
}

Status train_restore(TrainState *state, uint64_t fingerprint, const char *path, Message *why)
{
    float *blocks[BLOCKS] = {state->adam.weights, state->adam.first, state->adam.second,
                             state->best};
    size_t block = state->shape.count * sizeof(float), len;
    char *file;
    Header h = {.count = 0};
    Status s = file_read(&file, &len, path, sizeof h + BLOCKS * block + LOG_MAX, why);
    if (s != STATUS_OK)
        return s;
    if (len >= sizeof h)
        memcpy(&h, file, sizeof h);
    s = check(&h, (const uint8_t *)file, len, state, fingerprint, path, why);
    if (s == STATUS_OK) {
        for (int i = 0; i < BLOCKS; i++)
            memcpy(blocks[i], file + sizeof h + (size_t)i * block, block);
        state->counts = h.counts;
        text_clear(&state->log);
        text_add(&state->log, file + sizeof h + BLOCKS * block, h.log_len);
    }
    free(file);
    return s;
}
