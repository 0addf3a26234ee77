/* castellan net: what a net is and how it came to be. */
#include "app/args.h"
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

static int show(const ArgWords *words)
{
    Net *net;
    Message why;
    if (words->count > 2) {
        status_fail(&why, STATUS_INVALID, "show takes one net");
        return command_misused("net", &why);
    }
    if (open_net(&net, words->count == 2 ? words->at[1] : NULL, &why) != STATUS_OK)
        return command_failed("net", &why);
    printf("%s\n%s", net->id, net->history);
    net_free(net);
    return COMMAND_DONE;
}

static int draw(const ArgWords *words, bool losses, const char *to)
{
    Message why;
    if (!to || words->count < 2 || (!losses && words->count != 2)) {
        status_fail(&why, STATUS_INVALID, !to ? "where to (-o FILE.svg)?" : "of what?");
        return command_misused("net", &why);
    }
    for (int i = 1; i < words->count; i++)
        if (file_keep_apart(to, words->at[i], &why) != STATUS_OK)
            return command_misused("net", &why);
    Text out;
    text_init(&out);
    Status s = losses ? history_draw_losses(words->at + 1, words->count - 1, &out, &why)
                      : history_draw_elo(words->at[1], &out, &why);
    if (s == STATUS_OK && out.failed)
        s = status_fail(&why, STATUS_MEMORY, "no memory for the picture");
    if (s == STATUS_OK)
        s = file_write_atomic(to, out.at, out.len, &why);
    text_free(&out);
    return s == STATUS_OK ? COMMAND_DONE : command_failed("net", &why);
}

static int run(int argc, char **argv)
{
    const char *to = NULL;
    const ArgRow rows[] = {{"-o", ARG_TEXT, &to, 0, 0}, {0}};
    ArgWords words;
    Message why;
    if (args_parse(rows, argc, argv, &words, &why) != STATUS_OK)
        return command_misused("net", &why);
    Span what = span_of(words.count ? words.at[0] : "show");
    if (span_is(what, "show"))
        return show(&words);
    if (span_is(what, "losses"))
        return draw(&words, true, to);
    if (span_is(what, "elo"))
        return draw(&words, false, to);
    status_fail(&why, STATUS_INVALID, "show, losses or elo, not '%.40s'", words.at[0]);
    return command_misused("net", &why);
}

const Command command_net = {
    .name = "net",
    .summary = "show a net's history, and draw it",
    .help =
        "usage: castellan net [show [NET]]\n"
        "       castellan net losses NET ... -o FILE.svg\n"
        "       castellan net elo TABLE -o FILE.svg\n"
        "\n"
        "Shows what a net file tells of itself: sizes, games, command, losses; without a file, of\n"
        "the net built into the program. `losses` draws the losses of up to 8 nets by epoch; those of\n"
        "nets trained with another --wdl are not comparable. `elo` draws a table whose lines are\n"
        "\"generation Elo error name\", with \"refused\" for the name of a net that was not taken.\n",
    .run = run,
};
