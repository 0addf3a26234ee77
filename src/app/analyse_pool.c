/* The threads that review games, and the slots they take them from. */
#include "app/analyse_int.h"

#include "notation/pgn_write.h"
#include "study/annotate.h"
#include "study/report.h"

#include <stdlib.h>

/* Many slots per thread: a long game delays writing, and with it reading. */
enum { SLOTS_EACH = 16, LAST_EACH = 2 };

/* -- One game, on a thread of its own -- */

static void on_position(void *user, int done, int total)
{
    AnalyseSlot *slot = user;
    atomic_store(&slot->total, total);
    atomic_store(&slot->done, done);
}

static Status review_slot(const AnalyseWorker *w, AnalyseSlot *slot, Message *why)
{
    Review *review;
    ReviewProgress progress = {slot, on_position};
    Status s = review_game(w->reviewer, slot->game, &progress, &review, why);
    if (s != STATUS_OK)
        return s;
    slot->moves = review->count;
    if (w->run->job->html)
        report_add_game(&slot->html, slot->game, review, slot->number);
    s = annotate_game(slot->game, review, why);
    if (s == STATUS_OK)
        s = pgn_write(slot->game, &slot->pgn, why);
    review_free(review);
    if (s == STATUS_OK && (slot->html.failed || slot->pgn.failed))
        s = status_fail(why, STATUS_MEMORY, "not enough memory for a game's annotations");
    return s;
}

/* The next in order; of the last few games of the source the longest, so that no thread begins a
 * long one when the others have nothing left to do. NULL: there is none to begin. The
 * lock is held. */
static AnalyseSlot *take_slot(AnalyseRun *run)
{
    AnalyseSlot *best = NULL;
    bool last_few = run->at_end && run->ready <= (size_t)run->job->threads * LAST_EACH;
    for (size_t i = run->out; i < run->in && (!best || last_few); i++) {
        AnalyseSlot *slot = &run->slots[i % run->slot_count];
        if (slot->state == SLOT_READY && (!best || slot->moves > best->moves))
            best = slot;
    }
    if (best) {
        best->state = SLOT_TAKEN;
        run->ready--;
    }
    return best;
}

static void *work(void *arg)
{
    AnalyseWorker *w = arg;
    AnalyseRun *run = w->run;
    mutex_lock(&run->lock);
    for (;;) {
        AnalyseSlot *slot = NULL;
        while (!run->quit && !(slot = take_slot(run)))
            condition_wait(&run->changed, &run->lock);
        if (!slot)
            break;
        mutex_unlock(&run->lock);
        Status s = review_slot(w, slot, &slot->why);
        mutex_lock(&run->lock);
        slot->status = s;
        slot->state = SLOT_DONE;
        condition_signal_all(&run->changed);
    }
    mutex_unlock(&run->lock);
    return NULL;
}

/* -- Slots -- */

AnalyseSlotState analyse_slot_state(AnalyseRun *run, const AnalyseSlot *slot)
{
    mutex_lock(&run->lock);
    AnalyseSlotState state = slot->state;
    mutex_unlock(&run->lock);
    return state;
}

void analyse_slot_ready(AnalyseRun *run, AnalyseSlot *slot)
{
    atomic_store(&slot->done, 0);
    atomic_store(&slot->total, 0);
    text_clear(&slot->pgn);
    text_clear(&slot->html);
    slot->moves = game_ply(game_last(slot->game));
    mutex_lock(&run->lock);
    slot->state = SLOT_READY;
    run->in++;
    run->ready++;
    condition_signal_all(&run->changed);
    mutex_unlock(&run->lock);
}

Status analyse_slots_open(AnalyseRun *run, Message *why)
{
    run->slot_count = (size_t)run->job->threads * SLOTS_EACH;
    run->slots = calloc(run->slot_count, sizeof *run->slots);
    if (!run->slots)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %zu games", run->slot_count);
    for (size_t i = 0; i < run->slot_count; i++) {
        text_init(&run->slots[i].pgn);
        text_init(&run->slots[i].html);
        run->slots[i].game = game_new();
        if (!run->slots[i].game)
            return status_fail(why, STATUS_MEMORY, "not enough memory for %zu games",
                               run->slot_count);
    }
    return STATUS_OK;
}

Status analyse_workers_start(AnalyseRun *run, Message *why)
{
    run->workers = calloc((size_t)run->job->threads, sizeof *run->workers);
    if (!run->workers)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %d threads",
                           run->job->threads);
    for (int i = 0; i < run->job->threads; i++) {
        AnalyseWorker *w = &run->workers[i];
        w->run = run;
        Status s = reviewer_open(&w->reviewer, &run->job->options, why);
        if (s == STATUS_OK)
            s = thread_start(&w->thread, work, w, 0, why);
        if (s != STATUS_OK)
            return s;
        w->started = true;
    }
    return STATUS_OK;
}

void analyse_workers_end(AnalyseRun *run)
{
    condition_set(&run->changed, &run->lock, &run->quit);
    for (int i = 0; run->workers && i < run->job->threads; i++)
        if (run->workers[i].reviewer)
            reviewer_stop(run->workers[i].reviewer);
    for (int i = 0; run->workers && i < run->job->threads; i++) {
        if (run->workers[i].started)
            thread_join(run->workers[i].thread);
        reviewer_close(run->workers[i].reviewer);
    }
    free(run->workers);
}

void analyse_slots_free(AnalyseRun *run)
{
    for (size_t i = 0; run->slots && i < run->slot_count; i++) {
        game_free(run->slots[i].game);
        text_free(&run->slots[i].pgn);
        text_free(&run->slots[i].html);
    }
    free(run->slots);
}
