/* castellan net error: static scores of nets compared with reference scores. */
#include "app/command.h"
#include "app/progress.h"
#include "base/file.h"
#include "eval/eval.h"
#include "notation/epd.h"
#include "train/net_error.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COMPARED = 32, MAX_POSITIONS_BYTES = 1 << 30 };

typedef struct ErrorCommand {
    const char *path;
    double scale;
    const Evaluator *evaluators[MAX_COMPARED];
    EvalContext *contexts[MAX_COMPARED];
    int count; /* of the nets */
    NetError *errors;
    Epd epd;
    uint64_t in_check, unscored; /* positions that were skipped */
    _Atomic uint64_t read;
} ErrorCommand;

static Status open_evaluators(ErrorCommand *c, const ArgWords *words, Message *why)
{
    c->count = words->count;
    for (int i = 0; i < c->count; i++) {
        Status s = evaluator_find(&c->evaluators[i], words->at[i], why);
        if (s != STATUS_OK)
            return s;
        c->contexts[i] = eval_open(c->evaluators[i]);
        if (!c->contexts[i])
            return status_fail(why, STATUS_MEMORY, "not enough memory");
    }
    return net_error_new(&c->errors, c->count, c->scale, why);
}

static Status add_position(ErrorCommand *c, Message *why)
{
    const Position *p = &c->epd.position;
    Score scores[MAX_COMPARED];
    int64_t reference;
    atomic_fetch_add(&c->read, 1);
    if (!epd_number(&c->epd, "ce", &reference)) {
        c->unscored++;
        return STATUS_OK;
    }
    if (pos_in_check(p)) {
        c->in_check++;
        return STATUS_OK;
    }
    for (int i = 0; i < c->count; i++) {
        eval_reset(c->contexts[i], p);
        scores[i] = eval_score(c->contexts[i], p);
    }
    return net_error_add(c->errors, bb_count(pos_occupied(p)), (double)reference, scores, why);
}

static Status add_lines(ErrorCommand *c, Span text, const atomic_bool *stop, Message *why)
{
    Span line;
    for (long number = 1; span_next_line(&text, &line); number++) {
        line = span_trim(line);
        if (!line.len || line.at[0] == '#')
            continue;
        if (atomic_load(stop))
            return STATUS_STOPPED;
        Status s = epd_read(&c->epd, line, false, why);
        if (s != STATUS_OK) {
            message_prefix(why, "%s:%ld: ", c->path, number);
            return s;
        }
        s = add_position(c, why);
        if (s != STATUS_OK)
            return s;
    }
    return STATUS_OK;
}

static Status add_positions(ErrorCommand *c, const atomic_bool *stop, Message *why)
{
    char *bytes;
    size_t len;
    Status s = file_read(&bytes, &len, c->path, MAX_POSITIONS_BYTES, why);
    if (s != STATUS_OK)
        return s;
    epd_init(&c->epd);
    s = add_lines(c, (Span){bytes, len}, stop, why);
    epd_free(&c->epd);
    free(bytes);
    if (s == STATUS_OK && !net_error_count(c->errors, NET_ERROR_ALL))
        s = status_fail(why, STATUS_INVALID,
                        "%s: no position with a score (ce) that is not in check", c->path);
    return s;
}

static int longest(const ArgWords *words, const char *heading)
{
    size_t most = strlen(heading);
    for (int i = 0; i < words->count; i++)
        if (strlen(words->at[i]) > most)
            most = strlen(words->at[i]);
    return (int)most;
}

static void add_fit(const ErrorCommand *c, int net, int group, Text *out)
{
    if (!net_error_count(c->errors, group)) {
        text_addf(out, "  %8s %5s", "-", "-");
        return;
    }
    NetErrorFit fit = net_error_fit(c->errors, net, group);
    text_addf(out, "  %8.5f %5.0f", fit.error, fit.scale);
}

static void add_fits(const ErrorCommand *c, const ArgWords *words, Text *out)
{
    static const char *const groups[] = {"2-9 pieces", "10-17", "18-25", "26-32"};
    int width = longest(words, "positions");
    text_addf(out, "%-*s  %14s", width, "", "all");
    for (int g = 0; g < NET_ERROR_GROUPS; g++)
        text_addf(out, "  %14s", groups[g]);
    text_addf(out, "\n%-*s  %14zu", width, "positions", net_error_count(c->errors, NET_ERROR_ALL));
    for (int g = 0; g < NET_ERROR_GROUPS; g++)
        text_addf(out, "  %14zu", net_error_count(c->errors, g));
    text_addf(out, "\n%-*s", width, "net");
    for (int g = 0; g <= NET_ERROR_GROUPS; g++)
        text_addf(out, "  %8s %5s", "error", "scale");
    for (int i = 0; i < c->count; i++) {
        text_addf(out, "\n%-*s", width, words->at[i]);
        add_fit(c, i, NET_ERROR_ALL, out);
        for (int g = 0; g < NET_ERROR_GROUPS; g++)
            add_fit(c, i, g, out);
    }
    text_add_char(out, '\n');
}

static void add_ratio(double ratio, Text *out)
{
    if (isnan(ratio))
        text_addf(out, "  %7s", "-");
    else
        text_addf(out, "  %7.4f", ratio);
}

static void add_changes(const ErrorCommand *c, const ArgWords *words, Text *out)
{
    int width = longest(words, "change");
    double scale = net_error_fit(c->errors, 0, NET_ERROR_ALL).scale;
    text_addf(out, "\n%-*s  %7s  %7s  %7s\n", width, "change", "rms", "slope", "sound");
    for (int i = 1; i < c->count; i++) {
        NetErrorChange change = net_error_change(c->errors, i, scale);
        text_addf(out, "%-*s", width, words->at[i]);
        add_ratio(change.rms, out);
        add_ratio(change.slope, out);
        add_ratio(change.sound, out);
        text_add_char(out, '\n');
    }
}

/* The report is part of the work: fits to many positions take seconds. */
static Status measure(ErrorCommand *c, const ArgWords *words, Text *report, const atomic_bool *stop,
                      Message *why)
{
    Status s = add_positions(c, stop, why);
    if (s != STATUS_OK)
        return s;
    add_fits(c, words, report);
    if (c->count > 1)
        add_changes(c, words, report);
    text_addf(report, "\nskipped: %" PRIu64 " in check, %" PRIu64 " without ce\n", c->in_check,
              c->unscored);
    return report->failed ? status_fail(why, STATUS_MEMORY, "not enough memory") : STATUS_OK;
}

static Status run_error(void *options, const ArgWords *words, Message *why)
{
    ErrorCommand *c = options;
    Text report = text_new();
    Progress progress = {.unit = "positions", .done = &c->read};
    Status s = open_evaluators(c, words, why);
    if (s == STATUS_OK) {
        progress_begin(&progress);
        s = progress_end(&progress, measure(c, words, &report, &progress.job.stop, why), why);
    }
    if (s == STATUS_OK)
        command_print(&report);
    else
        text_free(&report);
    return s;
}

static void release_error(void *options)
{
    ErrorCommand *c = options;
    net_error_free(c->errors);
    for (int i = 0; i < c->count; i++) {
        eval_close(c->contexts[i]);
        evaluator_close(c->evaluators[i]);
    }
}

static const ArgRow error_rows[] = {
    ARG_ROW_NEEDED_PATH(ErrorCommand, path, "--positions", "FILE.epd",
                        "positions with reference scores (ce), in centipawns"),
    ARG_ROW_REAL(ErrorCommand, scale, "--scale", "CP", 1, 10000,
                 "scale of the reference scores, in centipawns; 120 suits Stockfish 15.1"),
    {0},
};

const Command command_net_error = {
    .name = "error",
    .about =
        "evaluates positions without a search and prints how far the scores are from\n"
        "reference scores, such as those of tools/positions/score.py. NET is a net file, \"default\"\n"
        "or \"classical\". Positions in check are skipped. A score x at scale s stands for the\n"
        "expected score 1 / (1 + exp(-x / s)).\n"
        "  error  mean squared difference of the expected scores, overall and by number of pieces\n"
        "  scale  scale of the net's scores with the least error, from 40 to 600 cp\n"
        "Further nets are compared with the first one, all at the first one's scale:\n"
        "  rms    root mean square of the change, the difference of their expected scores\n"
        "  slope  how far the net has gone from the first one towards the reference: 0 not at all,\n"
        "         1 all the way, below 0 away from it\n"
        "  sound  share of the change that goes towards the reference: below 1 when the change is\n"
        "         partly noise, above 1 when more of the same change would be better still\n"
        "These figures show a direction; only matches decide which net is stronger.\n",
    .args = ARG_TABLE(ErrorCommand, error_rows, "NET ...", .max_words = MAX_COMPARED,
                      .initial = &(const ErrorCommand){.scale = 120}),
    .run = run_error,
    .release = release_error};
