/* Any bytes as a net file: refused with a printable message, or a net that evaluates and that its
 * own file gives again. The checksum is made to fit first, so that what lies behind
 * it is reached. */
#include "fuzzing.h"

#include "base/checksum.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/nnue/nnue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_net(Net *net)
{
    Nnue *fast = nnue_open(net, nnue_kernels(cpu_features()));
    Nnue *plain = nnue_open(net, &nnue_kernels_scalar);
    Position p;
    pos_set_start(&p);
    nnue_reset(fast, &p);
    nnue_reset(plain, &p);
    Score value = nnue_score(fast, &p);
    must(value == nnue_score(plain, &p), "kernels agree on any weights");
    must(value >= -SCORE_EVAL_MAX && value <= SCORE_EVAL_MAX, "a value is in range");
    nnue_close(fast);
    nnue_close(plain);
    uint8_t *again;
    size_t len;
    Net *copy;
    must(net_to_memory(net, &again, &len, NULL) == STATUS_OK, "a net is written");
    must(net_from_memory(&copy, again, len, NULL) == STATUS_OK, "a written net is read");
    must(strcmp(copy->history, net->history) == 0, "with its history");
    free(again);
    net_free(copy);
}

static void try_bytes(const uint8_t *bytes, size_t len)
{
    Net *net = NULL;
    Message why = {{0}};
    if (net_from_memory(&net, bytes, len, &why) != STATUS_OK) {
        must_be_printable(&why);
        must(net == NULL, "a refused file leaves nothing behind");
        return;
    }
    check_net(net);
    net_free(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    chess_init();
    /* A small net with the input written over its head: a whole file is more than fuzzers make. */
    Net *net;
    uint8_t *file;
    size_t size;
    try_bytes(bytes, len);
    NetSizes sizes = {.hidden = len % 4 < 2 ? NET_HIDDEN_STEP : 2 * NET_HIDDEN_STEP,
                      .buckets = len % 2 ? 1 : NET_BUCKETS_MAX,
                      .king_buckets = len % 3 ? 1 : 4,
                      .layers = len % 4 < 2 ? 0 : 2};
    if (net_new(&net, &sizes, NULL) != STATUS_OK)
        return 0;
    if (net_to_memory(net, &file, &size, NULL) == STATUS_OK) {
        size_t head = len < size ? len : size;
        memcpy(file, bytes, head < 8 ? head : 8);
        if (head > 16)
            memcpy(file + 16, bytes + 16, head - 16);
        uint64_t sum = checksum64(file + 16, size - 16);
        for (int i = 0; i < 8; i++)
            file[8 + i] = (uint8_t)(sum >> 8 * i);
        try_bytes(file, size);
        free(file);
    }
    net_free(net);
    return 0;
}
