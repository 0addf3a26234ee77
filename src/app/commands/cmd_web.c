/* castellan web: the board in the browser. */
#include "app/args.h"
#include "app/command.h"

#ifdef HAVE_WEB
#include "app/web_run.h"
#include "base/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { DEFAULT_PORT = 8960, PASSWORD_SIZE = 256 };

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

static void warn(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "castellan: web: %s\n", text);
    fprintf(stderr, "castellan: web: games can be read, but nothing can be played or stored\n");
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
        return status_fail(why, STATUS_MISSING, "no folder for the games: missing --data DIR");
    return STATUS_OK;
}

/* -- The password: never an argument, which every user of the machine can read -- */

static Status read_password(FILE *in, const char *from, char out[PASSWORD_SIZE], Message *why)
{
    if (!fgets(out, PASSWORD_SIZE, in))
        return status_fail(why, STATUS_INVALID, "%s: no password in it", from);
    size_t len = strcspn(out, "\r\n");
    if (len == PASSWORD_SIZE - 1)
        return status_fail(why, STATUS_INVALID, "%s: the password is longer than %d bytes", from,
                           PASSWORD_SIZE - 2);
    out[len] = '\0';
    return len ? STATUS_OK : status_fail(why, STATUS_INVALID, "%s: no password in it", from);
}

static Status password_from_file(const char *path, char out[PASSWORD_SIZE], Message *why)
{
    FILE *in = fopen(path, "re");
    if (!in)
        return status_fail(why, STATUS_IO, "--password-file: %s: %s", path, strerror(errno));
    Status s = read_password(in, path, out, why);
    fclose(in);
    return s;
}

static Status password_from_terminal(char out[PASSWORD_SIZE], Message *why)
{
    struct termios before, quiet;
    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return STATUS_OK; /* nobody to ask: the server says what is missing */
    quiet = before;
    quiet.c_lflag &= ~(tcflag_t)ECHO;
    printf("Password for this server: ");
    fflush(stdout);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
    Status s = read_password(stdin, "terminal", out, why);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    printf("\n");
    return s;
}

static Status find_password(const char *file, const char *host, char out[PASSWORD_SIZE],
                            Message *why)
{
    bool is_local = strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0;
    if (file)
        return password_from_file(file, out, why);
    return is_local ? STATUS_OK : password_from_terminal(out, why);
}

static int run(int argc, char **argv)
{
    Message why = {""};
    Show show = {false};
    char folder[4096], password[PASSWORD_SIZE] = "";
    const char *password_file = NULL;
    int64_t port = DEFAULT_PORT;
    WebOptions o = {
        .server = {.host = "127.0.0.1"}, .user = &show, .warn = warn, .ready = ready, .stop = stop};
    const ArgRow rows[] = {
        {.name = "--port", .kind = ARG_INT, .into = &port, .min = 0, .max = 65535},
        {.name = "--host", .kind = ARG_TEXT, .into = &o.server.host},
        {.name = "--password-file", .kind = ARG_TEXT, .into = &password_file},
        {.name = "--tls-cert", .kind = ARG_TEXT, .into = &o.server.tls_cert},
        {.name = "--tls-key", .kind = ARG_TEXT, .into = &o.server.tls_key},
        {.name = "--data", .kind = ARG_TEXT, .into = &o.service.data},
        {.name = "--syzygy", .kind = ARG_TEXT, .into = &o.service.tables},
        {.name = "--no-open", .kind = ARG_FLAG, .into = &show.no_open},
        {.name = NULL},
    };
    if (args_parse_no_words(rows, argc, argv, &why) != STATUS_OK)
        return command_misused("web", &why);
    o.server.port = (int)port;
    if (!o.service.data && default_data(folder, sizeof folder, &why) != STATUS_OK)
        return command_failed("web", &why);
    if (!o.service.data)
        o.service.data = folder;
    if (find_password(password_file, o.server.host, password, &why) != STATUS_OK)
        return command_failed("web", &why);
    o.server.password = password[0] ? password : NULL;
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
                "this program was built without it; install libwebsockets-dev, libjansson-dev and "
                "libsqlite3-dev (make play does) and build again");
    return command_failed("web", &why);
}
#endif

const Command command_web = {
    .name = "web",
    .summary = "the board in the browser",
    .help =
        "usage: castellan web [--port N] [--host ADDRESS] [--password-file FILE]\n"
        "                     [--tls-cert FILE --tls-key FILE] [--data DIR] [--syzygy DIRS]\n"
        "                     [--no-open]\n"
        "\n"
        "Serves a board to play, review, train and analyse on, and opens a browser where there is\n"
        "a screen. Players, games and mistakes are kept in DIR/castellan.db; every move is on the\n"
        "disk before it is answered. Ctrl-C ends the server.\n"
        "\n"
        "  --port N              the port, default 8960; 0 takes any that is free\n"
        "  --host ADDRESS        default 127.0.0.1; an address that others can reach needs a\n"
        "                        password of at least 8 characters\n"
        "  --password-file FILE  the password, on the first line of FILE; without it and with\n"
        "                        another --host than loopback, it is asked for on the terminal\n"
        "  --tls-cert FILE       the certificate (PEM): serve https\n"
        "  --tls-key FILE        its private key (PEM)\n"
        "  --data DIR            where games are kept; default $XDG_DATA_HOME/castellan or\n"
        "                        ~/.local/share/castellan\n"
        "  --syzygy DIRS         endgame tables, folders with ':' between them\n"
        "  --no-open             opens no browser\n",
    .run = run,
};
