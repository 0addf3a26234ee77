#include "app/game_pool.h"

#include "app/command.h"

#include <stdlib.h>

/* Many slots per thread: a long game delays taking, and with it reading. */
enum { SLOTS_EACH = 16, LAST_EACH = 2, LOOK_EVERY_MS = 100 };

typedef struct GameWorker {
    GamePool *pool;
    Reviewer *reviewer;
    Thread thread;
    bool started;
} GameWorker;

/* -- On the threads -- */

/* The next in order; of the last few games of the source the longest, so that no thread begins a
 * long one when the others have nothing left to do. NULL: there is none to begin. The
 * lock is held. */
static GameSlot *take_slot(GamePool *pool)
{
    GameSlot *best = NULL;
    bool last_few = pool->at_end && pool->ready <= (size_t)pool->threads * LAST_EACH;
    for (size_t i = pool->out; i < pool->in && (!best || last_few); i++) {
        GameSlot *slot = &pool->slots[i % pool->slot_count];
        if (slot->state == SLOT_READY && (!best || slot->plies > best->plies))
            best = slot;
    }
    if (best) {
        best->state = SLOT_TAKEN;
        pool->ready--;
    }
    return best;
}

static void *work(void *arg)
{
    GameWorker *w = arg;
    GamePool *pool = w->pool;
    mutex_lock(&pool->lock);
    for (;;) {
        GameSlot *slot = NULL;
        while (!pool->quit && !(slot = take_slot(pool)))
            condition_wait(&pool->changed, &pool->lock);
        if (!slot)
            break;
        mutex_unlock(&pool->lock);
        Status s = pool->work(pool->user, w->reviewer, slot, &slot->why);
        if (s == STATUS_OK && (slot->text.failed || slot->page.failed))
            s = status_fail(&slot->why, STATUS_MEMORY, "not enough memory for a game's text");
        mutex_lock(&pool->lock);
        slot->status = s;
        slot->state = SLOT_DONE;
        condition_signal_all(&pool->changed);
    }
    mutex_unlock(&pool->lock);
    return NULL;
}

/* -- On the calling thread -- */

static GameSlotState state_of(GamePool *pool, const GameSlot *slot)
{
    mutex_lock(&pool->lock);
    GameSlotState state = slot->state;
    mutex_unlock(&pool->lock);
    return state;
}

static void report_invalid(GamePool *pool, const Message *why)
{
    pool->invalid++;
    progress_wipe(&pool->progress);
    command_failed(pool->command, why);
}

/* Reads the next valid game into the slot. */
static Status read_into(GamePool *pool, GameSlot *slot, Message *why)
{
    Status s;
    do {
        slot->from = pgn_offset(pool->reader);
        s = game_read(slot->game, pool->reader, why);
        pool->read += s == STATUS_OK || s == STATUS_INVALID;
        if (s == STATUS_INVALID)
            report_invalid(pool, why);
    } while (s == STATUS_INVALID && !atomic_load(&pool->progress.job.stop));
    slot->to = pgn_offset(pool->reader);
    slot->number = pool->read;
    slot->invalid = pool->invalid;
    slot->plies = game_ply(game_last(slot->game));
    atomic_store(&slot->done, 0);
    atomic_store(&slot->total, 0);
    text_clear(&slot->text);
    text_clear(&slot->page);
    return s;
}

static Status read_games(GamePool *pool, Message *why)
{
    while (!pool->at_end) {
        GameSlot *slot = &pool->slots[pool->in % pool->slot_count];
        if (state_of(pool, slot) != SLOT_FREE)
            return STATUS_OK;
        Status s = read_into(pool, slot, why);
        mutex_lock(&pool->lock);
        pool->at_end = s != STATUS_OK;
        if (s == STATUS_OK) {
            slot->state = SLOT_READY;
            pool->in++;
            pool->ready++;
        }
        condition_signal_all(&pool->changed);
        mutex_unlock(&pool->lock);
        if (s != STATUS_OK && s != STATUS_END && s != STATUS_INVALID)
            return s;
    }
    return STATUS_OK;
}

static Status take_games(GamePool *pool, Message *why)
{
    while (pool->out < pool->in) {
        GameSlot *slot = &pool->slots[pool->out % pool->slot_count];
        if (state_of(pool, slot) != SLOT_DONE)
            return STATUS_OK;
        Status s = slot->status;
        if (s != STATUS_OK)
            *why = slot->why;
        else
            s = pool->take(pool->user, slot, why);
        if (s != STATUS_OK)
            return s;
        mutex_lock(&pool->lock);
        slot->state = SLOT_FREE;
        pool->out++;
        mutex_unlock(&pool->lock);
    }
    return STATUS_OK;
}

static void count_bytes(GamePool *pool)
{
    uint64_t bytes = pool->out < pool->in ? pool->slots[pool->out % pool->slot_count].from : 0;
    for (size_t i = pool->out; i < pool->in; i++) {
        GameSlot *slot = &pool->slots[i % pool->slot_count];
        int done = atomic_load(&slot->done), total = atomic_load(&slot->total);
        if (total > 0)
            bytes += (slot->to - slot->from) * (uint64_t)done / (uint64_t)total;
    }
    atomic_store(&pool->bytes, bytes);
}

static Status read_and_take(GamePool *pool, Message *why)
{
    for (;;) {
        Status s = read_games(pool, why);
        if (s == STATUS_OK)
            s = take_games(pool, why);
        if (s != STATUS_OK)
            return s == STATUS_END ? STATUS_OK : s;
        if (atomic_load(&pool->progress.job.stop))
            return status_fail(why, STATUS_STOPPED, "interrupted");
        if (pool->at_end && pool->out == pool->in)
            return STATUS_OK;
        count_bytes(pool);
        mutex_lock(&pool->lock);
        if (pool->slots[pool->out % pool->slot_count].state != SLOT_DONE)
            condition_wait_ms(&pool->changed, &pool->lock, LOOK_EVERY_MS);
        mutex_unlock(&pool->lock);
    }
}

/* After an interrupt: what is done behind games that are not. */
static void take_the_rest(GamePool *pool)
{
    Message ignored;
    Status s = STATUS_OK;
    for (; pool->out < pool->in && s == STATUS_OK; pool->out++) {
        GameSlot *slot = &pool->slots[pool->out % pool->slot_count];
        if (slot->state == SLOT_DONE && slot->status == STATUS_OK)
            s = pool->take(pool->user, slot, &ignored);
    }
}

/* -- Beginning and end -- */

static Status open_slots(GamePool *pool, Message *why)
{
    pool->slot_count = (size_t)pool->threads * SLOTS_EACH;
    pool->slots = calloc(pool->slot_count, sizeof *pool->slots);
    bool fine = pool->slots;
    for (size_t i = 0; fine && i < pool->slot_count; i++) {
        text_init(&pool->slots[i].text);
        text_init(&pool->slots[i].page);
        pool->slots[i].game = game_new();
        fine = pool->slots[i].game;
    }
    return fine ? STATUS_OK
                : status_fail(why, STATUS_MEMORY, "not enough memory for %zu games",
                              pool->slot_count);
}

static Status start_workers(GamePool *pool, Message *why)
{
    pool->workers = calloc((size_t)pool->threads, sizeof *pool->workers);
    if (!pool->workers)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %d threads", pool->threads);
    for (int i = 0; i < pool->threads; i++) {
        GameWorker *w = &pool->workers[i];
        w->pool = pool;
        Status s = reviewer_open(&w->reviewer, pool->options, why);
        if (s == STATUS_OK)
            s = thread_start(&w->thread, work, w, 0, why);
        if (s != STATUS_OK)
            return s;
        w->started = true;
    }
    return STATUS_OK;
}

static void end_workers(GamePool *pool)
{
    condition_set(&pool->changed, &pool->lock, &pool->quit);
    for (int i = 0; pool->workers && i < pool->threads; i++)
        if (pool->workers[i].reviewer)
            reviewer_stop(pool->workers[i].reviewer);
    for (int i = 0; pool->workers && i < pool->threads; i++) {
        if (pool->workers[i].started)
            thread_join(pool->workers[i].thread);
        reviewer_close(pool->workers[i].reviewer);
    }
    free(pool->workers);
}

static void free_slots(GamePool *pool)
{
    for (size_t i = 0; pool->slots && i < pool->slot_count; i++) {
        game_free(pool->slots[i].game);
        text_free(&pool->slots[i].text);
        text_free(&pool->slots[i].page);
    }
    free(pool->slots);
}

Status game_pool_open(GamePool *pool, const ArgWords *source, Message *why)
{
    pool->progress = (Progress){.unit = "KB",
                                .per_unit = 1e3,
                                .total = progress_file_bytes(source->at, source->count),
                                .done = &pool->bytes};
    progress_begin(&pool->progress);
    return pgn_open(&pool->reader, source->at[0], &pool->progress.job.stop, why);
}

Status game_pool_run(GamePool *pool, Message *why)
{
    mutex_init(&pool->lock);
    condition_init(&pool->changed);
    Status s = open_slots(pool, why);
    if (s == STATUS_OK)
        s = start_workers(pool, why);
    if (s == STATUS_OK)
        s = read_and_take(pool, why);
    end_workers(pool);
    if (s == STATUS_STOPPED && pool->keeps_all)
        take_the_rest(pool);
    free_slots(pool);
    condition_free(&pool->changed);
    mutex_free(&pool->lock);
    return s;
}

Status game_pool_close(GamePool *pool, Status s, Message *why)
{
    pgn_close(pool->reader);
    return progress_end(&pool->progress, s, why);
}
