/* castellan net: what a net file says of itself, and charts of training. */
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

static int show(const char *path)
{
    Net *net;
    Message why;
    if (open_net(&net, path, &why) != STATUS_OK)
        return command_failed("net", &why);
    const int32_t *a = net->wdl.a, *b = net->wdl.b;
    printf("%s\n%s", net->id, net->history);
    printf("WDL model: a %g %g %g, b %g %g %g\n", a[0] / 1e3, a[1] / 1e3, a[2] / 1e3, b[0] / 1e3,
           b[1] / 1e3, b[2] / 1e3);
    net_free(net);
    return COMMAND_DONE;
}

typedef struct NetCommand {
    const char *to;
} NetCommand;

static int draw(const ArgTable *table, bool losses, int argc, char **argv)
{
    NetCommand c = {0};
    ArgWords words;
    Message why;
    Status s = args_parse(table, &c, argc, argv, &words, &why);
    for (int i = 0; s == STATUS_OK && i < words.count; i++)
        s = file_keep_apart(c.to, words.at[i], &why);
    if (s != STATUS_OK)
        return command_misused("net", &why);
    Text out;
    text_init(&out);
    s = losses ? history_draw_losses(words.at, words.count, &out, &why)
               : history_draw_elo(words.at[0], &out, &why);
    if (s == STATUS_OK && out.failed)
        s = status_fail(&why, STATUS_MEMORY, "not enough memory");
    if (s == STATUS_OK)
        s = file_write_atomic(c.to, out.at, out.len, &why);
    text_free(&out);
    return command_end("net", s, &why);
}

/* -- A net's WDL model -- */

typedef struct WdlCommand {
    const char *to, *games;
    _Atomic uint64_t read;
    WdlFit fit;
} WdlCommand;

static Status fit_model(void *user, const atomic_bool *stop, Message *why)
{
    WdlCommand *c = user;
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
static const ArgTable wdl_args = {
    .rows = wdl_rows, .words = "NET", .min_words = 1, .max_words = 1, .size = sizeof(WdlCommand)};

static int run_wdl(int argc, char **argv)
{
    WdlCommand c = {.to = NULL};
    ArgWords words;
    Message why;
    Text report;
    Status s = args_parse(&wdl_args, &c, argc, argv, &words, &why);
    if (s == STATUS_OK)
        s = file_keep_apart(c.to, c.games, &why);
    if (s != STATUS_OK)
        return command_misused("net", &why);
    s = job_run(fit_model, NULL, &c, &why);
    if (s == STATUS_OK) {
        text_init(&report);
        wdl_fit_report(&c.fit, &report);
        fputs(report.at, stdout);
        text_free(&report);
        s = write_model(words.at[0], &c, &why);
    }
    return command_end("net", s, &why);
}

static const ArgRow draw_rows[] = {
    ARG_ROW_NEEDED_PATH(NetCommand, to, "-o", "FILE.svg", "the chart to write"),
    {0},
};
static const ArgTable show_args = {.words = "[NET]", .max_words = 1};
static const ArgTable losses_args = {
    .rows = draw_rows, .words = "NET ...", .min_words = 1, .size = sizeof(NetCommand)};
static const ArgTable elo_args = {.rows = draw_rows,
                                  .words = "TABLE",
                                  .min_words = 1,
                                  .max_words = 1,
                                  .size = sizeof(NetCommand)};

static int run_show(int argc, char **argv)
{
    ArgWords words;
    Message why;
    if (args_parse(&show_args, NULL, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("net", &why);
    return show(words.count ? words.at[0] : NULL);
}

static int run_losses(int argc, char **argv)
{
    return draw(&losses_args, true, argc, argv);
}

static int run_elo(int argc, char **argv)
{
    return draw(&elo_args, false, argc, argv);
}

/* Without a subcommand: show. */
static int run(int argc, char **argv)
{
    Message why;
    if (argc == 1)
        return show(NULL);
    status_fail(&why, STATUS_INVALID, "unknown subcommand '%.40s': show, wdl, losses or elo",
                argv[1]);
    return command_misused("net", &why);
}

static const Command subcommands[] = {
    {.name = "show",
     .about =
         "prints the history in a net file (sizes, games, command, losses) and its WDL model;\n"
         "without NET, of the built-in net.\n",
     .args = &show_args,
     .run = run_show},
    {.name = "wdl",
     .about = "writes NET with a WDL model fitted to the scores and results of games.\n",
     .args = &wdl_args,
     .run = run_wdl},
    {.name = "losses",
     .about = "draws the losses of up to 8 nets by epoch; losses of nets trained with different\n"
              "--wdl values are not comparable.\n",
     .args = &losses_args,
     .run = run_losses},
    {.name = "elo",
     .about =
         "draws a table with lines \"generation Elo error name\"; the name \"refused\" marks a net\n"
         "that was not accepted.\n",
     .args = &elo_args,
     .run = run_elo},
    {0},
};

const Command command_net = {
    .name = "net",
    .summary = "print the history of a net, and draw charts",
    .about = "Without a subcommand: net show.\n",
    .subcommands = subcommands,
    .run = run,
};
