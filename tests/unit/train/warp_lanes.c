#include "warp_lanes.h"

#include "train/gpu/warp.h"

#include <stdlib.h>
#include <ucontext.h>

enum { STACK_BYTES = 1 << 20 };

/* At every exchange a lane leaves its value and lets the next one go on. A lane is never more than
 * one exchange ahead of another, so that two sets of values are enough. */
static struct {
    ucontext_t main, lanes[WARP_LANES];
    void (*entry)(void *user);
    void *user;
    int current;
    unsigned exchanges[WARP_LANES];
    uint32_t values[2][WARP_LANES];
} warp;

int warp_lane(void)
{
    return warp.current;
}

/* The values of all lanes. */
static const uint32_t *warp_exchange(uint32_t v)
{
    int lane = warp.current;
    uint32_t *values = warp.values[warp.exchanges[lane]++ & 1];
    values[lane] = v;
    warp.current = (lane + 1) % WARP_LANES;
    swapcontext(&warp.lanes[lane], &warp.lanes[warp.current]);
    return values;
}

/* -- Collective functions -- */

void warp_sync(void)
{
    warp_exchange(0);
}

uint32_t warp_ballot(bool is)
{
    const uint32_t *all = warp_exchange(is);
    uint32_t bits = 0;
    for (int i = 0; i < WARP_LANES; i++)
        bits |= all[i] << i;
    return bits;
}

uint32_t warp_max(uint32_t v)
{
    const uint32_t *all = warp_exchange(v);
    uint32_t most = 0;
    for (int i = 0; i < WARP_LANES; i++)
        most = all[i] > most ? all[i] : most;
    return most;
}

int warp_sum(int v)
{
    const uint32_t *all = warp_exchange((uint32_t)v);
    uint32_t sum = 0;
    for (int i = 0; i < WARP_LANES; i++)
        sum += all[i];
    return (int)sum;
}

static uint32_t warp_xor_half(uint32_t v)
{
    const uint32_t *all = warp_exchange(v);
    uint32_t sum = 0;
    for (int i = 0; i < WARP_LANES; i++)
        sum ^= all[i];
    return sum;
}

uint64_t warp_xor(uint64_t v)
{
    uint64_t high = warp_xor_half((uint32_t)(v >> 32));
    return high << 32 | warp_xor_half((uint32_t)v);
}

int warp_from_below(int v, int by)
{
    const uint32_t *all = warp_exchange((uint32_t)v);
    int lane = warp_lane();
    return (int)all[lane >= by ? lane - by : lane];
}

/* -- Lanes -- */

static void lane_main(void)
{
    warp.entry(warp.user);
    if (++warp.current < WARP_LANES)
        setcontext(&warp.lanes[warp.current]);
    setcontext(&warp.main);
}

void warp_run(void (*entry)(void *user), void *user)
{
    char *stacks = malloc((size_t)WARP_LANES * STACK_BYTES);
    if (!stacks)
        abort();
    warp.entry = entry;
    warp.user = user;
    warp.current = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        ucontext_t *lane = &warp.lanes[i];
        warp.exchanges[i] = 0;
        getcontext(lane);
        lane->uc_stack.ss_sp = stacks + (size_t)i * STACK_BYTES;
        lane->uc_stack.ss_size = STACK_BYTES;
        makecontext(lane, lane_main, 0);
    }
    swapcontext(&warp.main, &warp.lanes[0]);
    free(stacks);
}
