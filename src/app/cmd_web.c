/* castellan web: the board in the browser. */
#include "app/args.h"
#include "app/command.h"

#ifdef HAVE_WEB
#include "base/interrupt.h"
#include "service/service.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

typedef struct Show {
    bool no_open;
} Show;

static bool has_screen(void)
{
    return getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
}

/* A browser of its own, not a child of ours: it outlives us, and Ctrl-C here is not for it. */
static void open_browser(const char *url)
{
    static const char script[] = "command -v xdg-open >/dev/null && "
                                 "(setsid xdg-open \"$1\" >/dev/null 2>&1 </dev/null &)";
    char sh[] = "sh", option[] = "-c", text[sizeof script], name[] = "open", address[256];
    char *argv[] = {sh, option, text, name, address, NULL};
    sigset_t none;
    posix_spawnattr_t how;
    pid_t child;
    snprintf(text, sizeof text, "%s", script);
    snprintf(address, sizeof address, "%s", url);
    sigemptyset(&none);
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    extern char **environ;
    if (posix_spawnp(&child, "sh", NULL, &how, argv, environ) == 0)
        waitpid(child, NULL, 0);
    posix_spawnattr_destroy(&how);
}

static void ready(void *user, const char *url)
{
    const Show *show = user;
    printf("Open this address in a browser on this machine; Ctrl-C ends the server.\n");
    if (!has_screen())
        printf("There is no screen here; castellan play plays in the terminal.\n");
    printf("listening on %s\n", url);
    fflush(stdout);
    if (!show->no_open && has_screen())
        open_browser(url);
}

static bool stop(void *user)
{
    (void)user;
    return interrupt_came();
}

/* Where the system wants programs to keep what they know. */
static Status default_data(char *out, size_t size, Message *why)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int len = data && data[0] == '/' ? snprintf(out, size, "%s/castellan", data)
              : home && home[0]      ? snprintf(out, size, "%s/.local/share/castellan", home)
                                     : -1;
    if (len < 0 || (size_t)len >= size)
        return status_fail(why, STATUS_MISSING, "no place for the games: say --data DIR");
    return STATUS_OK;
}

static int run(int argc, char **argv)
{
    Message why = {""};
    Show show = {false};
    char folder[4096];
    int64_t port = WEB_DEFAULT_PORT;
    WebOptions o = {.host = "127.0.0.1", .user = &show, .ready = ready, .stop = stop};
    const ArgRow rows[] = {
        {.name = "--port", .kind = ARG_INT, .into = &port, .min = 0, .max = 65535},
        {.name = "--host", .kind = ARG_TEXT, .into = &o.host},
        {.name = "--password", .kind = ARG_TEXT, .into = &o.password},
        {.name = "--data", .kind = ARG_TEXT, .into = &o.data},
        {.name = "--syzygy", .kind = ARG_TEXT, .into = &o.tables},
        {.name = "--no-open", .kind = ARG_FLAG, .into = &show.no_open},
        {.name = NULL},
    };
    if (args_parse_no_words(rows, argc, argv, &why) != STATUS_OK)
        return command_misused("web", &why);
    o.port = (int)port;
    if (!o.data && default_data(folder, sizeof folder, &why) != STATUS_OK)
        return command_failed("web", &why);
    if (!o.data)
        o.data = folder;
    interrupt_hold();
    Status s = web_run(&o, &why);
    if (s == STATUS_OK)
        return COMMAND_DONE;
    return s == STATUS_INVALID ? command_misused("web", &why) : command_failed("web", &why);
}
#else
static int run(int argc, char **argv)
{
    (void)argc, (void)argv;
    Message why;
    status_fail(&why, STATUS_REFUSED,
                "this program was built without it; install libcivetweb-dev and libsqlite3-dev "
                "(make play does) and build again");
    return command_failed("web", &why);
}
#endif

const Command command_web = {
    .name = "web",
    .summary = "the board in the browser",
    .help =
        "usage: castellan web [--port N] [--host ADDRESS] [--password TEXT] [--data DIR]\n"
        "                     [--syzygy DIRS] [--no-open]\n"
        "\n"
        "Serves a board to play, review, train and analyse on, and opens a browser where there is\n"
        "a screen. Players, games and mistakes are kept in DIR/castellan.db; every move is on the\n"
        "disk before it is answered. Ends in order on Ctrl-C.\n"
        "\n"
        "  --port N         the port, 8960 unless told; 0 takes any that is free\n"
        "  --host ADDRESS   127.0.0.1 unless told; an address that others can reach needs a password\n"
        "  --password TEXT  asked for in the browser\n"
        "  --data DIR       where things are kept; $XDG_DATA_HOME/castellan or\n"
        "                   ~/.local/share/castellan unless told\n"
        "  --syzygy DIRS    endgame tables, folders with ':' between them\n"
        "  --no-open        opens no browser\n",
    .run = run,
};
