/* Games in parallel, in order, in bounded memory: a ring of slots. This thread reads games into free
 * slots and writes finished ones out, one after the other as they stood in the source; the others
 * take what is ready. A slot is touched by its owner alone: its state, under the lock, says who that is. */
#include "app/analyse.h"

#include "app/command.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "base/clock.h"
#include "base/thread.h"
#include "notation/game_read.h"
#include "notation/pgn_write.h"
#include "study/annotate.h"
#include "study/report.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Many slots a thread: a game that takes long holds up what is written, and with it the reading. */
enum { SLOTS_EACH = 16, LAST_EACH = 2, LOOK_EVERY_MS = 100, SAVE_EVERY_MS = 1000 };

typedef enum SlotState { SLOT_FREE, SLOT_READY, SLOT_TAKEN, SLOT_DONE } SlotState;

typedef struct Slot {
    SlotState state;
    Game *game;
    Text pgn, html;
    uint64_t number;   /* of the game in the source, broken ones counted */
    uint64_t from, to; /* where it lies in the source */
    int moves;
    atomic_int done, total; /* positions */
    Status status;
    Message why;
} Slot;

typedef struct Run Run;
typedef struct Worker {
    Run *run;
    Reviewer *reviewer;
    Thread thread;
    bool started;
} Worker;

struct Run {
    const AnalyseJob *job;
    AnalyseCounts *counts;
    Slot *slots;
    size_t slot_count;
    size_t in, out; /* running numbers: read, written */
    size_t ready;   /* read, and nobody works on it yet */
    Worker *workers;
    Mutex lock;
    Condition changed;
    bool quit, at_end;
    PgnReader *reader;
    uint64_t read; /* games of the source */
    AnalyseFile pgn, html;
    AnalyseState state;
    int64_t saved_ms;
    Progress progress;
};

/* -- One game, on a thread of its own -- */

static void hear(void *user, int done, int total)
{
    Slot *slot = user;
    atomic_store(&slot->total, total);
    atomic_store(&slot->done, done);
}

static Status review_slot(const Worker *w, Slot *slot, Message *why)
{
    Review *review;
    ReviewProgress progress = {slot, hear};
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
        s = status_fail(why, STATUS_MEMORY, "no memory for a game's annotations");
    return s;
}

/* The next in order; of the last few games of the source the longest, so that no thread begins a long one
 * when the others have nothing left to do. NULL: there is none to begin. The lock is held. */
static Slot *take_slot(Run *run)
{
    Slot *best = NULL;
    bool last_few = run->at_end && run->ready <= (size_t)run->job->threads * LAST_EACH;
    for (size_t i = run->out; i < run->in && (!best || last_few); i++) {
        Slot *slot = &run->slots[i % run->slot_count];
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
    Worker *w = arg;
    Run *run = w->run;
    mutex_lock(&run->lock);
    for (;;) {
        Slot *slot = NULL;
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

/* -- Reading and writing, on the first thread -- */

static SlotState state_of(Run *run, const Slot *slot)
{
    mutex_lock(&run->lock);
    SlotState state = slot->state;
    mutex_unlock(&run->lock);
    return state;
}

static void tell_broken(Run *run, Message *why)
{
    run->counts->errors++;
    progress_wipe(&run->progress);
    command_failed("analyse", why);
}

static void note_end(Run *run)
{
    mutex_lock(&run->lock);
    run->at_end = true;
    mutex_unlock(&run->lock);
}

/* Reads the next whole game into the slot; false at the end of the source. */
static Status read_into(Run *run, Slot *slot, bool *got, Message *why)
{
    Status s;
    *got = false;
    do {
        slot->from = pgn_offset(run->reader);
        s = game_read(slot->game, run->reader, why);
        run->read += s == STATUS_OK || s == STATUS_INVALID;
        if (s == STATUS_INVALID)
            tell_broken(run, why);
    } while (s == STATUS_INVALID && !interrupt_came());
    slot->to = pgn_offset(run->reader);
    slot->number = run->read;
    *got = s == STATUS_OK;
    if (!*got)
        note_end(run);
    return s == STATUS_END || s == STATUS_INVALID ? STATUS_OK : s;
}

static void hand_over(Run *run, Slot *slot)
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

static Status read_games(Run *run, Message *why)
{
    while (!run->at_end) {
        Slot *slot = &run->slots[run->in % run->slot_count];
        bool got;
        if (state_of(run, slot) != SLOT_FREE)
            return STATUS_OK;
        Status s = read_into(run, slot, &got, why);
        if (s != STATUS_OK)
            return s;
        if (got)
            hand_over(run, slot);
    }
    return STATUS_OK;
}

static Status put_out(Run *run, const Slot *slot, Message *why)
{
    const AnalyseJob *job = run->job;
    Status s = STATUS_OK;
    if (job->out)
        s = analyse_file_add(&run->pgn, &slot->pgn, why);
    else if (fwrite(slot->pgn.at, 1, slot->pgn.len, stdout) != slot->pgn.len || fflush(stdout))
        s = status_fail(why, STATUS_IO, "standard output cannot be written");
    if (s == STATUS_OK)
        s = analyse_file_add(&run->html, &slot->html, why);
    run->state.games = slot->number;
    run->state.pgn = run->pgn.length;
    run->state.html = run->html.length;
    run->counts->games++;
    run->counts->moves += (uint64_t)slot->moves;
    return s;
}

static Status save_now_and_then(Run *run, bool now, Message *why)
{
    if (!run->job->out || run->pgn.direct ||
        (!now && clock_now_ms() - run->saved_ms < SAVE_EVERY_MS))
        return STATUS_OK;
    run->saved_ms = clock_now_ms();
    return analyse_state_save(&run->state, run->job->out, why);
}

static Status write_games(Run *run, Message *why)
{
    while (run->out < run->in) {
        Slot *slot = &run->slots[run->out % run->slot_count];
        if (state_of(run, slot) != SLOT_DONE)
            return STATUS_OK;
        Status s = slot->status;
        if (s != STATUS_OK)
            *why = slot->why;
        else
            s = put_out(run, slot, why);
        if (s == STATUS_OK)
            s = save_now_and_then(run, false, why);
        if (s != STATUS_OK)
            return s;
        mutex_lock(&run->lock);
        slot->state = SLOT_FREE;
        run->out++;
        mutex_unlock(&run->lock);
    }
    return STATUS_OK;
}

static void show_progress(Run *run)
{
    uint64_t bytes = run->out < run->in ? run->slots[run->out % run->slot_count].from : 0;
    for (size_t i = run->out; i < run->in; i++) {
        Slot *slot = &run->slots[i % run->slot_count];
        int done = atomic_load(&slot->done), total = atomic_load(&slot->total);
        if (total > 0)
            bytes += (slot->to - slot->from) * (uint64_t)done / (uint64_t)total;
    }
    progress_show(&run->progress, bytes);
}

static Status go_round(Run *run, Message *why)
{
    for (;;) {
        Status s = read_games(run, why);
        if (s == STATUS_OK)
            s = write_games(run, why);
        if (s != STATUS_OK)
            return s;
        if (interrupt_came())
            return status_fail(why, STATUS_STOPPED, "stopped");
        if (run->at_end && run->out == run->in)
            return STATUS_OK;
        show_progress(run);
        mutex_lock(&run->lock);
        if (run->slots[run->out % run->slot_count].state != SLOT_DONE)
            condition_wait_ms(&run->changed, &run->lock, LOOK_EVERY_MS);
        mutex_unlock(&run->lock);
    }
}

/* -- Beginning and end -- */

static Status open_slots(Run *run, Message *why)
{
    run->slot_count = (size_t)run->job->threads * SLOTS_EACH;
    run->slots = calloc(run->slot_count, sizeof *run->slots);
    if (!run->slots)
        return status_fail(why, STATUS_MEMORY, "no memory for %zu games", run->slot_count);
    for (size_t i = 0; i < run->slot_count; i++) {
        text_init(&run->slots[i].pgn);
        text_init(&run->slots[i].html);
        run->slots[i].game = game_new();
        if (!run->slots[i].game)
            return status_fail(why, STATUS_MEMORY, "no memory for %zu games", run->slot_count);
    }
    return STATUS_OK;
}

static Status start_workers(Run *run, Message *why)
{
    run->workers = calloc((size_t)run->job->threads, sizeof *run->workers);
    if (!run->workers)
        return status_fail(why, STATUS_MEMORY, "no memory for %d threads", run->job->threads);
    for (int i = 0; i < run->job->threads; i++) {
        Worker *w = &run->workers[i];
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

static void end_workers(Run *run)
{
    mutex_lock(&run->lock);
    run->quit = true;
    condition_signal_all(&run->changed);
    mutex_unlock(&run->lock);
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

static void free_slots(Run *run)
{
    for (size_t i = 0; run->slots && i < run->slot_count; i++) {
        game_free(run->slots[i].game);
        text_free(&run->slots[i].pgn);
        text_free(&run->slots[i].html);
    }
    free(run->slots);
}

/* What two runs must have in common for one to go on where the other ended. */
static void describe(const AnalyseJob *job, uint64_t size, AnalyseState *state)
{
    const ReviewOptions *o = &job->options;
    snprintf(state->settings, sizeof state->settings,
             "castellan analyse: source %" PRIu64 " bytes, nodes %" PRIu64 ", depth %d, ms %" PRId64
             ", hash %u, tables %d, page %d",
             size, o->nodes, o->depth, o->movetime_ms, o->hash_mb, tb_max_men(o->tb),
             job->html != NULL);
}

static Status take_up(Run *run, const AnalyseState *wanted, bool *resumed, Message *why)
{
    *resumed = false;
    run->state = *wanted;
    if (!run->job->resume)
        return STATUS_OK;
    Status s = analyse_state_load(&run->state, run->job->out, why);
    if (s == STATUS_MISSING) {
        run->state = *wanted;
        return STATUS_OK;
    }
    if (s == STATUS_OK && strcmp(run->state.settings, wanted->settings) != 0)
        s = status_fail(why, STATUS_REFUSED,
                        "%s: the run before had another source or other settings", run->job->out);
    *resumed = s == STATUS_OK;
    return s;
}

/* The games that are finished are read over. */
static Status skip_games(Run *run, Message *why)
{
    PgnVisitor nobody = {0};
    while (run->read < run->state.games) {
        Status s = pgn_next(run->reader, &nobody, why);
        if (s != STATUS_OK && s != STATUS_INVALID)
            return s == STATUS_END ? STATUS_OK : s;
        run->read++;
    }
    run->counts->skipped = run->read;
    return STATUS_OK;
}

static Status open_files(Run *run, bool resumed, Message *why)
{
    Text head;
    Status s = analyse_file_open(&run->pgn, run->job->out, resumed, run->state.pgn, why);
    if (s == STATUS_OK)
        s = analyse_file_open(&run->html, run->job->html, resumed, run->state.html, why);
    if (s != STATUS_OK || resumed)
        return s;
    text_init(&head);
    report_begin(&head, run->job->source);
    s = analyse_file_add(&run->html, &head, why);
    text_free(&head);
    return s;
}

static Status begin(Run *run, Message *why)
{
    struct stat st = {0};
    bool known = strcmp(run->job->source, "-") != 0 && stat(run->job->source, &st) == 0 &&
                 S_ISREG(st.st_mode);
    uint64_t size = known ? (uint64_t)st.st_size : 0;
    AnalyseState wanted = {0};
    bool resumed = false;
    describe(run->job, size, &wanted);
    Status s = pgn_open(&run->reader, run->job->source, why);
    if (s == STATUS_OK)
        s = take_up(run, &wanted, &resumed, why);
    if (s == STATUS_OK)
        s = skip_games(run, why);
    if (s == STATUS_OK)
        s = open_files(run, resumed, why);
    if (s == STATUS_OK)
        s = open_slots(run, why);
    progress_begin(&run->progress, size, 1e3, "KB");
    return s == STATUS_OK ? start_workers(run, why) : s;
}

/* The files get their names also when the run was interrupted, as long as they hold games. */
static Status finish_files(Run *run, Message *why)
{
    Text tail;
    text_init(&tail);
    Status s = analyse_file_finish(&run->pgn, &tail, why);
    report_end(&tail);
    if (s == STATUS_OK)
        s = analyse_file_finish(&run->html, &tail, why);
    text_free(&tail);
    return s;
}

static Status end(Run *run, Status s, Message *why)
{
    bool some = run->state.games > 0;
    if (s == STATUS_OK && !some && run->counts->errors)
        s = status_fail(why, STATUS_INVALID, "%s: no game in it that could be analysed",
                        run->job->source);
    if (s == STATUS_OK && run->job->out)
        analyse_state_remove(run->job->out);
    else if (s != STATUS_OK && some)
        s = save_now_and_then(run, true, why) == STATUS_OK ? s : STATUS_IO;
    if (s == STATUS_OK || (s == STATUS_STOPPED && some)) {
        Message trouble;
        Status closed = finish_files(run, &trouble);
        if (closed != STATUS_OK) {
            *why = trouble;
            s = closed;
        }
    }
    analyse_file_drop(&run->pgn, some);
    analyse_file_drop(&run->html, some);
    return s;
}

Status analyse_run(const AnalyseJob *job, AnalyseCounts *counts, Message *why)
{
    Run run = {.job = job, .counts = counts};
    *counts = (AnalyseCounts){0};
    mutex_init(&run.lock);
    condition_init(&run.changed);
    Status s = begin(&run, why);
    if (s == STATUS_OK)
        s = go_round(&run, why);
    end_workers(&run);
    progress_wipe(&run.progress);
    s = end(&run, s, why);
    free_slots(&run);
    pgn_close(run.reader);
    condition_free(&run.changed);
    mutex_free(&run.lock);
    return s;
}
