/* Games in parallel, in order, in bounded memory: this thread reads games into free slots and
 * writes reviewed ones in the order of the source; the workers (analyse_pool.c) take
 * what is ready. */
#include "app/analyse_int.h"

#include "app/command.h"
#include "base/clock.h"
#include "study/report.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum { LOOK_EVERY_MS = 100, SAVE_EVERY_MS = 1000 };

/* -- Reading and writing -- */

static void report_broken(AnalyseRun *run, Message *why)
{
    run->counts->errors++;
    progress_wipe(&run->progress);
    command_failed("analyse", why);
}

static void note_end(AnalyseRun *run)
{
    mutex_lock(&run->lock);
    run->at_end = true;
    mutex_unlock(&run->lock);
}

/* Reads the next whole game into the slot; false at the end of the source. */
static Status read_into(AnalyseRun *run, AnalyseSlot *slot, bool *got, Message *why)
{
    Status s;
    *got = false;
    do {
        slot->from = pgn_offset(run->reader);
        s = game_read(slot->game, run->reader, why);
        run->read += s == STATUS_OK || s == STATUS_INVALID;
        if (s == STATUS_INVALID)
            report_broken(run, why);
    } while (s == STATUS_INVALID && !atomic_load(run->stop));
    slot->to = pgn_offset(run->reader);
    slot->number = run->read;
    *got = s == STATUS_OK;
    if (!*got)
        note_end(run);
    return s == STATUS_END || s == STATUS_INVALID ? STATUS_OK : s;
}

static Status read_games(AnalyseRun *run, Message *why)
{
    while (!run->at_end) {
        AnalyseSlot *slot = &run->slots[run->in % run->slot_count];
        bool got;
        if (analyse_slot_state(run, slot) != SLOT_FREE)
            return STATUS_OK;
        Status s = read_into(run, slot, &got, why);
        if (s != STATUS_OK)
            return s;
        if (got)
            analyse_slot_ready(run, slot);
    }
    return STATUS_OK;
}

static Status put_out(AnalyseRun *run, const AnalyseSlot *slot, Message *why)
{
    const AnalyseJob *job = run->job;
    Status s = STATUS_OK;
    if (job->out)
        s = analyse_file_add(&run->pgn, &slot->pgn, why);
    else if (fwrite(slot->pgn.at, 1, slot->pgn.len, stdout) != slot->pgn.len || fflush(stdout))
        s = status_fail(why, STATUS_IO, "cannot write to standard output");
    if (s == STATUS_OK)
        s = analyse_file_add(&run->html, &slot->html, why);
    run->state.games = slot->number;
    run->state.pgn = run->pgn.length;
    run->state.html = run->html.length;
    run->counts->games++;
    run->counts->moves += (uint64_t)slot->moves;
    return s;
}

static Status save_now_and_then(AnalyseRun *run, bool now, Message *why)
{
    if (!run->job->out || run->pgn.direct ||
        (!now && clock_now_ms() - run->saved_ms < SAVE_EVERY_MS))
        return STATUS_OK;
    run->saved_ms = clock_now_ms();
    return analyse_state_save(&run->state, run->job->out, why);
}

static Status write_games(AnalyseRun *run, Message *why)
{
    while (run->out < run->in) {
        AnalyseSlot *slot = &run->slots[run->out % run->slot_count];
        if (analyse_slot_state(run, slot) != SLOT_DONE)
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

static void show_progress(AnalyseRun *run)
{
    uint64_t bytes = run->out < run->in ? run->slots[run->out % run->slot_count].from : 0;
    for (size_t i = run->out; i < run->in; i++) {
        AnalyseSlot *slot = &run->slots[i % run->slot_count];
        int done = atomic_load(&slot->done), total = atomic_load(&slot->total);
        if (total > 0)
            bytes += (slot->to - slot->from) * (uint64_t)done / (uint64_t)total;
    }
    progress_show(&run->progress, bytes);
}

static Status go_round(AnalyseRun *run, Message *why)
{
    for (;;) {
        Status s = read_games(run, why);
        if (s == STATUS_OK)
            s = write_games(run, why);
        if (s != STATUS_OK)
            return s;
        if (atomic_load(run->stop))
            return status_fail(why, STATUS_STOPPED, "interrupted");
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

/* What two runs must have in common for one to go on where the other ended. */
static void describe(const AnalyseJob *job, uint64_t size, AnalyseState *state)
{
    const ReviewOptions *o = &job->options;
    snprintf(state->settings, sizeof state->settings,
             "castellan analyse: source %" PRIu64 " bytes, nodes %" PRIu64 ", depth %d, ms %" PRId64
             ", hash %u, tables %d, page %d",
             size, o->nodes, o->depth, o->movetime_ms, o->hash_mb, tb_max_pieces(o->tb),
             job->html != NULL);
}

static Status take_up(AnalyseRun *run, const AnalyseState *wanted, bool *resumed, Message *why)
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
                        "%s: the interrupted run had a different source or different options",
                        run->job->out);
    *resumed = s == STATUS_OK;
    return s;
}

/* The games that are finished are read over. */
static Status skip_games(AnalyseRun *run, Message *why)
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

static Status open_files(AnalyseRun *run, bool resumed, Message *why)
{
    Status s = analyse_file_open(&run->pgn, run->job->out, resumed, run->state.pgn, why);
    if (s == STATUS_OK)
        s = analyse_file_open(&run->html, run->job->html, resumed, run->state.html, why);
    if (s != STATUS_OK || resumed)
        return s;
    Text head = text_new();
    report_begin(&head, run->job->source);
    s = analyse_file_add(&run->html, &head, why);
    text_free(&head);
    return s;
}

static Status begin(AnalyseRun *run, Message *why)
{
    struct stat st = {0};
    bool known = strcmp(run->job->source, "-") != 0 && stat(run->job->source, &st) == 0 &&
                 S_ISREG(st.st_mode);
    uint64_t size = known ? (uint64_t)st.st_size : 0;
    AnalyseState wanted = {0};
    bool resumed = false;
    describe(run->job, size, &wanted);
    Status s = pgn_open(&run->reader, run->job->source, run->stop, why);
    if (s == STATUS_OK)
        s = take_up(run, &wanted, &resumed, why);
    if (s == STATUS_OK)
        s = skip_games(run, why);
    if (s == STATUS_OK)
        s = open_files(run, resumed, why);
    if (s == STATUS_OK)
        s = analyse_slots_open(run, why);
    run->progress = (Progress){.unit = "KB", .per_unit = 1e3, .total = size};
    progress_begin(&run->progress);
    return s == STATUS_OK ? analyse_workers_start(run, why) : s;
}

/* The files get their names also when the run was interrupted, as long as they hold games. */
static Status finish_files(AnalyseRun *run, Message *why)
{
    Text tail = text_new();
    Status s = analyse_file_finish(&run->pgn, &tail, why);
    report_end(&tail);
    if (s == STATUS_OK)
        s = analyse_file_finish(&run->html, &tail, why);
    text_free(&tail);
    return s;
}

static Status end(AnalyseRun *run, Status s, Message *why)
{
    bool some = run->state.games > 0;
    if (s == STATUS_OK && !some && run->counts->errors)
        s = status_fail(why, STATUS_INVALID, "%s: no game could be analysed", run->job->source);
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

Status analyse_run(const AnalyseJob *job, const atomic_bool *stop, AnalyseCounts *counts,
                   Message *why)
{
    AnalyseRun run = {.job = job, .stop = stop, .counts = counts};
    *counts = (AnalyseCounts){0};
    mutex_init(&run.lock);
    condition_init(&run.changed);
    Status s = begin(&run, why);
    if (s == STATUS_OK)
        s = go_round(&run, why);
    analyse_workers_end(&run);
    progress_wipe(&run.progress);
    s = end(&run, s, why);
    analyse_slots_free(&run);
    pgn_close(run.reader);
    condition_free(&run.changed);
    mutex_free(&run.lock);
    return s;
}
