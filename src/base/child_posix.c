/* Started with posix_spawn: after a fork, a threaded process could do nothing safely. Each leads a
 * process group of its own, so that Ctrl-C reaches us alone and its children die with it. */
#include "base/child.h"

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

struct Child {
    pid_t pid;
    int in, out; /* our ends: written to, read from */
    Stream *stream;
    bool exited;
};

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

static int spawn(pid_t *pid, char *const words[], const char *dir, int in, int out)
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
    if (dir)
        posix_spawn_file_actions_addchdir_np(&actions, dir);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    int error = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

Status child_start(Child **out, char *const words[], const char *dir, Message *why)
{
    int to[2], from[2];
    Child *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %s", words[0]);
    if (!open_pipes(to, from)) {
        free(c);
        return status_fail(why, STATUS_IO, "no pipe for %s: %s", words[0], strerror(errno));
    }
    int error = spawn(&c->pid, words, dir, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    c->in = to[1];
    c->out = from[0];
    fcntl(c->in, F_SETFL, O_NONBLOCK);
    fcntl(c->out, F_SETFL, O_NONBLOCK);
    c->exited = error != 0;
    Status s =
        error ? status_fail(why, STATUS_REFUSED, "cannot start %s: %s", words[0], strerror(error))
              : stream_open(&c->stream, c->out, why);
    return GIVE_OR_CLOSE(s, out, c, child_end);
}

bool child_exits_within(Child *c, int64_t ms)
{
    int64_t until = clock_now_ms() + ms;
    for (;;) {
        if (c->exited || waitpid(c->pid, NULL, WNOHANG) != 0) {
            c->exited = true; /* it ended, or there is nothing to wait for */
            return true;
        }
        if (clock_now_ms() >= until)
            return false;
        clock_sleep_ms(2);
    }
}

void child_end(Child *c)
{
    if (!c)
        return;
    if (c->pid > 0)
        kill(-c->pid, SIGKILL); /* what is left of the group, too */
    if (!c->exited)
        waitpid(c->pid, NULL, 0);
    stream_close(c->stream);
    close(c->in);
    close(c->out);
    free(c);
}

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

bool child_write(Child *c, const char *bytes, size_t len, int64_t ms)
{
    enum { STEP_MS = 50 };
    int64_t until = clock_now_ms() + ms;
    while (len) {
        ssize_t put = write_quietly(c->in, bytes, len);
        if (put > 0) {
            bytes += put;
            len -= (size_t)put;
        } else if (put < 0 && errno == EAGAIN && clock_now_ms() < until) {
            struct pollfd wait = {.fd = c->in, .events = POLLOUT};
            poll(&wait, 1, STEP_MS);
        } else if (put >= 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

StreamEvent child_read(Child *c, void *into, size_t size, size_t *len, int64_t ms)
{
    return stream_read(c->stream, into, size, len, ms);
}
