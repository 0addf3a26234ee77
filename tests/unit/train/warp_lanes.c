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

const uint32_t *warp_exchange(uint32_t v)
{
    int lane = warp.current;
    uint32_t *values = warp.values[warp.exchanges[lane]++ & 1];
    values[lane] = v;
    warp.current = (lane + 1) % WARP_LANES;
    swapcontext(&warp.lanes[lane], &warp.lanes[warp.current]);
    return values;
}

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
