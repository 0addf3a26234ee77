/* castellan web: the board in the browser. */
#include "app/command.h"

enum { PASSWORD_SIZE = 256 };

typedef struct WebArgs {
    int port, idle;
    const char *host, *password_file, *tls_cert, *tls_key, *data, *tables;
    bool no_open;
    char password[PASSWORD_SIZE];
} WebArgs;

static const ArgRow rows[] = {
    ARG_ROW_INT(WebArgs, port, "--port", "N", 0, 65535, "port; 0: any free port"),
    ARG_ROW_TEXT(WebArgs, host, "--host", "ADDRESS",
                 "address to listen on; other than loopback it requires a password"),
    ARG_ROW_PATH(WebArgs, password_file, "--password-file", "FILE",
                 "file with the password on its first line, 8 characters or more (default: asked "
                 "for on the terminal where one is required)"),
    ARG_ROW_PATH(WebArgs, tls_cert, "--tls-cert", "FILE",
                 "serve https with this certificate (PEM)"),
    ARG_ROW_PATH(WebArgs, tls_key, "--tls-key", "FILE", "private key of the certificate (PEM)"),
    ARG_ROW_PATH(WebArgs, data, "--data", "DIR",
                 "directory of the games (default: $XDG_DATA_HOME/castellan or "
                 "~/.local/share/castellan)"),
    ARG_ROW_TEXT(WebArgs, tables, "--syzygy", "DIRS",
                 "directories of Syzygy tables, separated by ':'"),
    ARG_ROW_INT(WebArgs, idle, "--idle", "S", 1, 86400,
                "seconds after which games that nobody watches and idle threads free their memory"),
    ARG_ROW_FLAG(WebArgs, no_open, "--no-open", "do not open a browser"),
    {0},
};

#ifdef HAVE_WEB
#include "app/web_run.h"
#include "base/interrupt.h"
#include "base/os.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static bool has_screen(void)
{
    return getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
}

/* A browser of its own, not a child of ours: it outlives us, and Ctrl-C here is not for it. */
static void open_browser(const char *url)
{
    char sh[] = "sh", option[] = "-c", name[] = "open", address[SERVER_URL_SIZE];
    char script[] = "command -v xdg-open >/dev/null && "
                    "(setsid xdg-open \"$1\" >/dev/null 2>&1 </dev/null &)";
    char *argv[] = {sh, option, script, name, address, NULL};
    sigset_t none;
    posix_spawnattr_t how;
    pid_t child;
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

static void note(void *user UNUSED, const char *text)
{
    fprintf(stderr, "castellan: web: %s\n", text);
}

static void ready(void *user, const char *url)
{
    const WebArgs *a = user;
    printf("Open this address in a browser on this machine; Ctrl-C stops the server.\n");
    if (!has_screen())
        printf("No display was found; castellan play starts a game in the terminal.\n");
    printf("listening on %s\n", url);
    fflush(stdout);
    if (!a->no_open && has_screen())
        open_browser(url);
}

static bool stop(void *user UNUSED)
{
    return interrupt_came();
}

/* -- The password: never an argument, which every user of the machine can read -- */

static Status read_password(FILE *in, const char *from, char out[PASSWORD_SIZE], Message *why)
{
    if (!fgets(out, PASSWORD_SIZE, in))
        return status_fail(why, STATUS_INVALID, "%s: no password", from);
    size_t len = strcspn(out, "\r\n");
    if (len == PASSWORD_SIZE - 1)
        return status_fail(why, STATUS_INVALID, "%s: the password is longer than %d bytes", from,
                           PASSWORD_SIZE - 2);
    out[len] = '\0';
    return len ? STATUS_OK : status_fail(why, STATUS_INVALID, "%s: no password", from);
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

static ServerOptions server_options(const WebArgs *a)
{
    return (ServerOptions){.host = a->host,
                           .port = a->port,
                           .password = a->password[0] ? a->password : NULL,
                           .tls_cert = a->tls_cert,
                           .tls_key = a->tls_key};
}

/* What the server refuses without being invalid is said when it starts. */
static Status check(void *options, const ArgWords *words UNUSED, Message *why)
{
    ServerOptions server = server_options(options);
    Status s = server_check(&server, why);
    return s == STATUS_INVALID ? s : STATUS_OK;
}

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    WebArgs *a = options;
    char folder[PATH_MAX];
    if (!a->data && os_data_path(folder, sizeof folder, "castellan", NULL) != STATUS_OK)
        return status_fail(why, STATUS_MISSING, "no data directory: missing --data DIR");
    Status s = find_password(a->password_file, a->host, a->password, why);
    if (s != STATUS_OK)
        return s;
    interrupt_hold();
    return web_run(&(WebOptions){.server = server_options(a),
                                 .service = {.data = a->data ? a->data : folder,
                                             .tables = a->tables,
                                             .idle_ms = a->idle * 1000},
                                 .user = a,
                                 .note = note,
                                 .ready = ready,
                                 .stop = stop},
                   why);
}

#define CHECK_OPTIONS check
#else
#define CHECK_OPTIONS NULL

#ifdef _WIN32
#define ADVICE "it is not available on Windows; install.md describes the page without a server"
#else
#define ADVICE                                                                          \
    "this program was built without it; install libwebsockets-dev, libjansson-dev and " \
    "libsqlite3-dev (make play does) and build again"
#endif

static Status run(void *options UNUSED, const ArgWords *words UNUSED, Message *why)
{
    return status_fail(why, STATUS_REFUSED, ADVICE);
}
#endif

const Command command_web = {
    .name = "web",
    .summary = "play, review and analyse in the browser",
    .about =
        "Serves a board to play, review, train and analyse on, and opens a browser when there is a\n"
        "display. Players, games and mistakes are stored in DIR/castellan.db; every move is written\n"
        "to disk before it is answered. Ctrl-C stops the server.\n",
    .args = ARG_TABLE(WebArgs, rows, NULL,
                      .initial = &(const WebArgs){.port = 8960, .host = "127.0.0.1", .idle = 60}),
    .check = CHECK_OPTIONS,
    .run = run,
};
