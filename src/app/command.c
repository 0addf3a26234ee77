#include "app/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int command_failed(const char *what, const Message *why)
{
    fprintf(stderr, "castellan: %s: %s\n", what, why->text);
    return COMMAND_FAILED;
}

static int command_misused(const char *what, const Message *why)
{
    fprintf(stderr, "castellan: %s: %s (see castellan help %s)\n", what, why->text, what);
    return COMMAND_MISUSED;
}

Status command_printed(Message *why)
{
    why->text[0] = '\0';
    return STATUS_INVALID;
}

void command_print(Text *text)
{
    fputs(text->at, stdout);
    text_free(text);
}

/* -- Subcommands -- */

static const Command *find_subcommand(const Command *c, const char *name)
{
    for (const Command *const *sub = c->subcommands; sub && *sub; sub++)
        if (strcmp((*sub)->name, name) == 0)
            return *sub;
    return NULL;
}

static void list_subcommands(const Command *c, Text *out)
{
    for (const Command *const *sub = c->subcommands; *sub; sub++)
        text_addf(out, "%s%s", sub == c->subcommands ? "" : sub[1] ? ", " : " or ", (*sub)->name);
}

static int wrong_subcommand(const Command *c, const char *given)
{
    Message why;
    Text names = text_new();
    list_subcommands(c, &names);
    if (given)
        status_fail(&why, STATUS_INVALID, "unknown subcommand '%.60s': %s", given, names.at);
    else
        status_fail(&why, STATUS_INVALID, "missing subcommand: %s", names.at);
    text_free(&names);
    return command_misused(c->name, &why);
}

static int run(const Command *c, const char *name, void *options, int argc, char **argv)
{
    ArgWords words;
    Message why = {""};
    Status s = args_parse(&c->args, options, argc, argv, &words, &why);
    if (s == STATUS_OK && c->check)
        s = c->check(options, &words, &why);
    if (s != STATUS_OK)
        return command_misused(name, &why);
    s = c->run(options, &words, &why);
    if (s == STATUS_STOPPED && c->interrupted)
        status_fail(&why, s, "interrupted; %s", c->interrupted);
    if (s != STATUS_OK && why.text[0])
        command_failed(name, &why);
    return s == STATUS_OK ? COMMAND_DONE : COMMAND_FAILED;
}

int command_dispatch(const Command *c, int argc, char **argv)
{
    const Command *sub = argc > 1 ? find_subcommand(c, argv[1]) : NULL;
    if (!sub && (!c->run || (c->subcommands && argc > 1 && !c->args.words)))
        return wrong_subcommand(c, argc > 1 ? argv[1] : NULL);
    const Command *called = sub ? sub : c;
    void *options = calloc(1, called->args.size + 1);
    if (!options)
        return command_failed(c->name, &(Message){"not enough memory"});
    int code = run(called, c->name, options, argc - (sub != NULL), argv + (sub != NULL));
    if (called->release)
        called->release(options);
    free(options);
    return code;
}

/* -- Help -- */

static void add_usage(const Command *c, const char *parent, Text *out)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", parent ? parent : "", parent ? " " : "", c->name);
    args_usage(&c->args, out->len ? "       " : "usage: ", name, out);
}

/* Blank line, heading, options; nothing for a command without options. */
static void add_options(const Command *c, const char *parent, Text *out)
{
    if (!c->args.rows)
        return;
    if (parent)
        text_addf(out, "\noptions of %s %s:\n", parent, c->name);
    else
        text_add_str(out, "\noptions:\n");
    args_help(&c->args, out);
}

void command_help(const Command *c, Text *out)
{
    if (c->run)
        add_usage(c, NULL, out);
    for (const Command *const *sub = c->subcommands; sub && *sub; sub++)
        add_usage(*sub, c->name, out);
    text_addf(out, "\n%s", c->about);
    for (const Command *const *sub = c->subcommands; sub && *sub; sub++)
        text_addf(out, "\n%s %s %s", c->name, (*sub)->name, (*sub)->about);
    if (c->run)
        add_options(c, NULL, out);
    for (const Command *const *sub = c->subcommands; sub && *sub; sub++)
        add_options(*sub, c->name, out);
    if (c->notes)
        text_addf(out, "\n%s", c->notes);
}
