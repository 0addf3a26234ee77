/* castellan net: what a net file says of itself, charts of training, and WDL models. */
#include "app/command.h"
#include "base/file.h"
#include "base/job.h"
#include "eval/nnue/net.h"
#include "train/history.h"
#include "train/wdl_fit.h"

#include <math.h>
#include <stdio.h>

static Status open_net(Net **net, const char *path, Message *why)
{
    if (path)
        return net_load(net, path, why);
    size_t len;
    const uint8_t *bytes = net_embedded(&len);
    if (!bytes)
        return status_fail(why, STATUS_MISSING, "this program was built without a net");
    return net_from_memory(net, bytes, len, why);
}

static Status run_show(void *options UNUSED, const ArgWords *words, Message *why)
{
    Net *net;
    Status s = open_net(&net, words->count ? words->at[0] : NULL, why);
    if (s != STATUS_OK)
        return s;
    const int32_t *a = net->wdl.a, *b = net->wdl.b;
    printf("%s\n%s", net->id, net->history);
    printf("WDL model: a %g %g %g, b %g %g %g\n", a[0] / 1e3, a[1] / 1e3, a[2] / 1e3, b[0] / 1e3,
           b[1] / 1e3, b[2] / 1e3);
    net_free(net);
    return STATUS_OK;
}

/* -- Charts -- */

typedef struct NetCommand {
    const char *to;
} NetCommand;

static Status check_chart(void *options, const ArgWords *words, Message *why)
{
    const NetCommand *c = options;
    Status s = STATUS_OK;
    for (int i = 0; s == STATUS_OK && i < words->count; i++)
        s = file_keep_apart(c->to, words->at[i], why);
    return s;
}

static Status write_chart(const NetCommand *c, Text *chart, Status s, Message *why)
{
    if (s == STATUS_OK)
        return file_write_text(c->to, chart, why);
    text_free(chart);
    return s;
}

static Status run_losses(void *options, const ArgWords *words, Message *why)
{
    Text chart = text_new();
    Status s = history_draw_losses(words->at, words->count, &chart, why);
    return write_chart(options, &chart, s, why);
}

static Status run_elo(void *options, const ArgWords *words, Message *why)
{
    Text chart = text_new();
    Status s = history_draw_elo(words->at[0], &chart, why);
    return write_chart(options, &chart, s, why);
}

static const ArgRow chart_rows[] = {
    ARG_ROW_NEEDED_PATH(NetCommand, to, "-o", "FILE.svg", "the chart to write"),
    {0},
};

/* -- A net's WDL model -- */

typedef struct WdlCommand {
    const char *to, *games;
    _Atomic uint64_t read;
    WdlFit fit;
} WdlCommand;

static Status fit_model(WdlCommand *c, const atomic_bool *stop, Message *why)
{
    WdlCounts *counts = wdl_counts_new();
    Status s = counts ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory");
    if (s == STATUS_OK)
        s = wdl_counts_add_games(counts, c->games, stop, &c->read, why);
    if (s == STATUS_OK)
        s = wdl_fit(counts, &c->fit, why);
    wdl_counts_free(counts);
    return s;
}

static Status write_model(const char *from, const WdlCommand *c, Message *why)
{
    Net *net;
    Status s = net_load(&net, from, why);
    if (s != STATUS_OK)
        return s;
    for (int i = 0; i < 3; i++) {
        net->wdl.a[i] = (int32_t)lround(1000 * c->fit.curve.a[i]);
        net->wdl.b[i] = (int32_t)lround(1000 * c->fit.curve.b[i]);
    }
    if (!net_wdl_fits(&net->wdl))
        s = status_fail(why, STATUS_INVALID, "%s: the games give no usable WDL model", c->games);
    if (s == STATUS_OK)
        s = net_write(net, c->to, why);
    if (s == STATUS_OK)
        printf("%s: %s\n", c->to, net->id);
    net_free(net);
    return s;
}

static const ArgRow wdl_rows[] = {
    ARG_ROW_NEEDED_PATH(WdlCommand, games, "--data", "DIR", "games played with the net"),
    ARG_ROW_NEEDED_PATH(WdlCommand, to, "-o", "NET", "the net file to write"),
    {0},
};
static Status check_wdl(void *options, const ArgWords *words UNUSED, Message *why)
{
    const WdlCommand *c = options;
    return file_keep_apart(c->to, c->games, why);
}

static Status run_wdl(void *options, const ArgWords *words, Message *why)
{
    WdlCommand *c = options;
    Job job;
    job_begin(&job, 0, NULL, NULL);
    Status s = job_end(&job, fit_model(c, &job.stop, why), why);
    if (s != STATUS_OK)
        return s;
    Text report = text_new();
    wdl_fit_report(&c->fit, &report);
    command_print(&report);
    return write_model(words->at[0], c, why);
}

static const Command net_show = {
    .name = "show",
    .about = "prints the history in a net file (sizes, games, command, losses) and its WDL model;\n"
             "without NET, of the built-in net.\n",
    .args = {.words = "[NET]"},
    .run = run_show};

static const Command net_wdl = {
    .name = "wdl",
    .about = "writes NET with a WDL model fitted to the scores and results of games.\n",
    .args = ARG_TABLE(WdlCommand, wdl_rows, "NET"),
    .check = check_wdl,
    .run = run_wdl};

static const Command net_losses = {
    .name = "losses",
    .about = "draws the losses of up to 8 nets by epoch; losses of nets trained with different\n"
             "--wdl values are not comparable.\n",
    .args = ARG_TABLE(NetCommand, chart_rows, "NET ..."),
    .check = check_chart,
    .run = run_losses};

static const Command net_elo = {
    .name = "elo",
    .about =
        "draws a table with lines \"generation Elo error name\"; the name \"refused\" marks a net\n"
        "that was not accepted.\n",
    .args = ARG_TABLE(NetCommand, chart_rows, "TABLE"),
    .check = check_chart,
    .run = run_elo};

const Command command_net = {
    .name = "net",
    .summary = "print the history and the error of a net, and draw charts",
    .about = "Without a subcommand: net show.\n",
    .subcommands = (const Command *const[]){&net_show, &command_net_error, &net_wdl, &net_losses,
                                            &net_elo, NULL},
    .run = run_show,
};
