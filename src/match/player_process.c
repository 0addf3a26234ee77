/* Programs are started with posix_spawn: after a fork, a threaded process could do nothing safely.
 * Each leads a process group of its own, so that Ctrl-C reaches us alone and its children die with
 * it. */
#include "match/player_int.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { LINE_MAX_BYTES = 1 << 16, QUIT_MS = 500, SEND_MS = 2000 };

/* -- Start -- */

/* Two pipes: ours are closed in children, here and in those other threads start. */
static bool open_pipes(int to[2], int from[2])
{
    if (pipe2(to, O_CLOEXEC) != 0)
        return false;
    if (pipe2(from, O_CLOEXEC) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    return true;
}

static int spawn(pid_t *pid, const PlayerSpec *spec, int in, int out)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (spec->dir)
        posix_spawn_file_actions_addchdir_np(&actions, spec->dir);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    int error = posix_spawnp(pid, spec->words[0], &actions, &attributes, spec->words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

Status process_start(PlayerProcess *pr, const PlayerSpec *spec, Message *why)
{
    int to[2], from[2];
    *pr = (PlayerProcess){.pid = -1, .in = -1, .out = -1};
    pr->buffer = malloc(LINE_MAX_BYTES);
    if (!pr->buffer)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %s", spec->words[0]);
    if (!open_pipes(to, from))
        return status_fail(why, STATUS_IO, "cannot create a pipe for %s: %s", spec->words[0],
                           strerror(errno));
    int error = spawn(&pr->pid, spec, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    pr->in = to[1];
    pr->out = from[0];
    fcntl(pr->in, F_SETFL, O_NONBLOCK);
    fcntl(pr->out, F_SETFL, O_NONBLOCK);
    if (!error)
        return STATUS_OK;
    pr->pid = -1;
    return status_fail(why, STATUS_REFUSED, "cannot start %s: %s", spec->words[0], strerror(error));
}

/* -- End -- */

static bool exits_within(pid_t pid, int64_t ms)
{
    int64_t until = clock_now_ms() + ms;
    for (;;) {
        if (waitpid(pid, NULL, WNOHANG) != 0)
            return true; /* it ended, or there is nothing to wait for */
        if (clock_now_ms() >= until)
            return false;
        clock_sleep_ms(2);
    }
}

void process_end(PlayerProcess *pr, const char *farewell)
{
    if (pr->pid > 0) {
        bool gone = farewell && process_send(pr, "%s", farewell) && exits_within(pr->pid, QUIT_MS);
        kill(-pr->pid, SIGKILL); /* what is left of the group, too */
        if (!gone)
            waitpid(pr->pid, NULL, 0);
    }
    if (pr->in >= 0)
        close(pr->in);
    if (pr->out >= 0)
        close(pr->out);
    free(pr->buffer);
    *pr = (PlayerProcess){.pid = -1, .in = -1, .out = -1};
}

/* -- Lines -- */

/* Writing to a program that is gone would raise SIGPIPE: it is blocked meanwhile and taken back. */
static ssize_t write_quietly(int fd, const char *bytes, size_t len)
{
    sigset_t pipe_set, before, pending;
    sigemptyset(&pipe_set);
    sigaddset(&pipe_set, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_set, &before);
    ssize_t put = write(fd, bytes, len);
    int error = errno;
    if (put < 0 && error == EPIPE && !was_pending) {
        const struct timespec now = {0};
        sigtimedwait(&pipe_set, NULL, &now);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return put;
}

static bool send_bytes(PlayerProcess *pr, const char *bytes, size_t len)
{
    int64_t until = clock_now_ms() + SEND_MS;
    while (len) {
        ssize_t put = write_quietly(pr->in, bytes, len);
        if (put > 0) {
            bytes += put;
            len -= (size_t)put;
        } else if (put < 0 && errno == EAGAIN && clock_now_ms() < until) {
            struct pollfd wait = {.fd = pr->in, .events = POLLOUT};
            poll(&wait, 1, PLAYER_POLL_MS);
        } else if (put >= 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool process_send_text(PlayerProcess *pr, const Text *line)
{
    return pr->in >= 0 && !line->failed && send_bytes(pr, line->at, line->len) &&
           send_bytes(pr, "\n", 1);
}

bool process_send(PlayerProcess *pr, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    if (len < 0 || (size_t)len >= sizeof line - 1 || pr->in < 0)
        return false;
    line[len] = '\n';
    return send_bytes(pr, line, (size_t)len + 1);
}

/* A whole line from the buffer. A line that fills it is handed out cut, and its rest dropped. */
static bool take_line(PlayerProcess *pr, Span *line)
{
    for (;;) {
        const char *from = pr->buffer + pr->start;
        size_t len = pr->used - pr->start;
        const char *end = memchr(from, '\n', len);
        if (!end && len < LINE_MAX_BYTES)
            return false;
        bool rest_of_overlong = pr->overlong;
        pr->overlong = !end;
        len = end ? (size_t)(end - from) : len;
        pr->start += end ? len + 1 : len;
        if (!rest_of_overlong) {
            *line = span_trim((Span){from, len});
            return true;
        }
    }
}

/* Makes room behind what is in the buffer. */
static void move_up(PlayerProcess *pr)
{
    pr->used -= pr->start;
    memmove(pr->buffer, pr->buffer + pr->start, pr->used);
    pr->start = 0;
}

/* After `until_ns` nothing more is read: a program that talks without end must not hold us. What
 * came too late to be read by then is late anyway. */
Status process_line(PlayerProcess *pr, int64_t until_ns, const atomic_bool *stop, Span *line)
{
    for (;;) {
        if (take_line(pr, line))
            return STATUS_OK;
        if (atomic_load(stop))
            return STATUS_STOPPED;
        int64_t left_ns = until_ns - clock_now_ns();
        if (left_ns <= 0)
            return STATUS_MISSING;
        move_up(pr);
        ssize_t got = read(pr->out, pr->buffer + pr->used, LINE_MAX_BYTES - pr->used);
        if (got > 0) {
            pr->used += (size_t)got;
            continue;
        }
        if (got == 0 || (errno != EAGAIN && errno != EINTR))
            return STATUS_END;
        int64_t left_ms = left_ns / 1000000 + 1;
        struct pollfd wait = {.fd = pr->out, .events = POLLIN};
        poll(&wait, 1, left_ms < PLAYER_POLL_MS ? (int)left_ms : PLAYER_POLL_MS);
    }
}

PlayerEnd process_end_of(Status status, PlayerMove *out)
{
    if (status == STATUS_STOPPED)
        return PLAYER_ABORTED;
    bool crashed = status == STATUS_END;
    status_fail(&out->why, status, crashed ? "the program ended" : "no answer");
    return crashed ? PLAYER_CRASHED : PLAYER_HUNG;
}
