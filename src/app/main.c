/* castellan: runs the command that argv[1] names. Each has a file of its own; the table below is
 * the list. */
#include "app/command.h"
#include "app/front.h"
#include "base/os.h"
#include "base/text.h"
#include "chess/attacks.h"
#include "engine/about.h"
#include "eval/nnue/kernels.h"
#include "proto/uci.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const Command *const commands[] = {
    &command_play,
    &command_web,
    &command_opponents,
    &command_uci,
    &command_xboard,
    &command_pgn,
    &command_epd,
    &command_analyse,
    &command_puzzles,
    &command_book,
    &command_eval,
    &command_evolve,
    &command_javachess,
    &command_bench,
    &command_speedtest,
    &command_perft,
    &command_lab,
    &command_match,
    &command_rate,
    &command_levels,
    &command_selfplay,
    &command_rescore,
    &command_data,
    &command_train,
    &command_net,
    &command_tune,
    &command_learn,
};
/* clang-format on */

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

#ifdef HAVE_WEB
#define WITH_WEB true
#else
#define WITH_WEB false
#endif
#ifdef HAVE_ZSTD
#define WITH_ZSTD true
#else
#define WITH_ZSTD false
#endif

/* What depends on a library. */
static const struct {
    const char *names;
    bool there;
    const char *without;
} libraries[] = {
    {"libwebsockets, jansson, SQLite, zlib", WITH_WEB, "left out: no castellan web, no --json"},
    {"zstd", WITH_ZSTD, "left out: training data of older versions is not read"},
};

static const Command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static void print_version(void)
{
    printf(ABOUT_NAME " " ABOUT_VERSION "\n");
    printf("kernels: %s\n", nnue_kernels(cpu_features())->name);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        printf("%s: %s\n", libraries[i].names,
               libraries[i].there ? "built in" : libraries[i].without);
}

static void print_overview(void)
{
    printf("usage: castellan [COMMAND] [ARGUMENTS]\n\ncommands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  %-10s  %s\n", commands[i]->name, commands[i]->summary);
    printf("  %-10s  %s\n", "help", "this list, or more about one command: castellan help COMMAND");
    printf("\nEvery command takes --help; castellan --version prints the version.\n");
}

static int unknown_command(const char *name)
{
    command_failed(name, &(Message){"unknown command; castellan help lists the commands"});
    return COMMAND_MISUSED;
}

static int print_help(const char *name)
{
    if (!name || strcmp(name, "help") == 0 || strcmp(name, "--help") == 0) {
        print_overview();
        return COMMAND_DONE;
    }
    const Command *c = find_command(name);
    if (!c)
        return unknown_command(name);
    Text text = text_new();
    command_help(c, &text);
    command_print(&text);
    return COMMAND_DONE;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* Tools such as OpenBench pass UCI commands as arguments. */
static bool is_uci_line(const char *arg)
{
    Span rest = span_of(arg), word;
    return span_next_word(&rest, &word) && uci_knows(word);
}

/* Without a command: a conversation over standard input and output. */
static int converse(char **lines, int count)
{
    Message why;
    Status s = count ? front_run_lines(lines, count, &why) : front_run(NULL, &why);
    return s == STATUS_OK ? COMMAND_DONE : command_failed("engine", &why);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2)
        return converse(NULL, 0);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
        print_version();
        return COMMAND_DONE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0)
        return print_help(argc > 2 ? argv[2] : NULL);
    const Command *c = find_command(argv[1]);
    if (!c && is_uci_line(argv[1]))
        return converse(argv + 1, argc - 1);
    if (!c)
        return unknown_command(argv[1]);
    if (asks_for_help(argc - 1, argv + 1))
        return print_help(c->name);
    return command_dispatch(c, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    os_start();
    chess_init();
    int code = dispatch(argc, argv);
    /* A full disk or a closed pipe is a failure even when the work itself went well. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        Message why;
        status_fail(&why, STATUS_IO, "%s", strerror(errno));
        command_failed("standard output", &why);
        code = code == COMMAND_DONE ? COMMAND_FAILED : code;
    }
    return code;
}
