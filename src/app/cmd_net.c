/* castellan net: what a net file says of itself, and charts of training. */
#include "app/command.h"
#include "base/file.h"
#include "eval/nnue/net.h"
#include "train/history.h"

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
    printf("%s\n%s", net->id, net->history);
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
    status_fail(&why, STATUS_INVALID, "unknown subcommand '%.40s': show, losses or elo", argv[1]);
    return command_misused("net", &why);
}

static const Command subcommands[] = {
    {.name = "show",
     .about =
         "prints the history in a net file: sizes, games, command, losses; without NET, of the\n"
         "built-in net.\n",
     .args = &show_args,
     .run = run_show},
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
