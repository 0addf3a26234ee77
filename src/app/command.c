#include "app/command.h"

#include <stdio.h>
#include <string.h>

static const ArgTable no_arguments = {0};

int command_failed(const char *what, const Message *why)
{
    fprintf(stderr, "castellan: %s: %s\n", what, why->text);
    return COMMAND_FAILED;
}

int command_misused(const char *what, const Message *why)
{
    fprintf(stderr, "castellan: %s: %s (see castellan help %s)\n", what, why->text, what);
    return COMMAND_MISUSED;
}

int command_end(const char *what, Status s, const Message *why)
{
    return s == STATUS_OK ? COMMAND_DONE : command_failed(what, why);
}

/* -- Subcommands -- */

static const Command *find_subcommand(const Command *c, const char *name)
{
    for (const Command *sub = c->subcommands; sub && sub->name; sub++)
        if (strcmp(sub->name, name) == 0)
            return sub;
    return NULL;
}

static void list_subcommands(const Command *c, Text *out)
{
    for (const Command *sub = c->subcommands; sub->name; sub++)
        text_addf(out, "%s%s", sub == c->subcommands ? "" : sub[1].name ? ", " : " or ", sub->name);
}

static int wrong_subcommand(const Command *c, const char *given)
{
    Message why;
    Text names;
    text_init(&names);
    list_subcommands(c, &names);
    if (given)
        status_fail(&why, STATUS_INVALID, "unknown subcommand '%.60s': %s", given, names.at);
    else
        status_fail(&why, STATUS_INVALID, "missing subcommand: %s", names.at);
    text_free(&names);
    return command_misused(c->name, &why);
}

int command_dispatch(const Command *c, int argc, char **argv)
{
    const Command *sub = argc > 1 ? find_subcommand(c, argv[1]) : NULL;
    if (sub)
        return sub->run(argc - 1, argv + 1);
    return c->run ? c->run(argc, argv) : wrong_subcommand(c, argc > 1 ? argv[1] : NULL);
}

/* -- Help -- */

static const ArgTable *args_of(const Command *c)
{
    return c->args ? c->args : &no_arguments;
}

static void add_usage(const Command *c, const char *parent, Text *out)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", parent ? parent : "", parent ? " " : "", c->name);
    args_usage(args_of(c), out->len ? "       " : "usage: ", name, out);
}

/* Blank line, heading, options; nothing for a command without options. */
static void add_options(const Command *c, const char *parent, Text *out)
{
    if (!args_of(c)->rows)
        return;
    if (parent)
        text_addf(out, "\noptions of %s %s:\n", parent, c->name);
    else
        text_add_str(out, "\noptions:\n");
    args_help(args_of(c), out);
}

void command_help(const Command *c, Text *out)
{
    if (c->run)
        add_usage(c, NULL, out);
    for (const Command *sub = c->subcommands; sub && sub->name; sub++)
        add_usage(sub, c->name, out);
    text_addf(out, "\n%s", c->about);
    for (const Command *sub = c->subcommands; sub && sub->name; sub++)
        if (sub->about)
            text_addf(out, "\n%s %s %s", c->name, sub->name, sub->about);
    if (c->run)
        add_options(c, NULL, out);
    for (const Command *sub = c->subcommands; sub && sub->name; sub++)
        add_options(sub, c->name, out);
    if (c->notes)
        text_addf(out, "\n%s", c->notes);
}
