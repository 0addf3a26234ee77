#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_ROOM = 32 }; /* for the name of a file in a folder */

static Status io_failed(const char *path, int error, Message *why)
{
    return status_fail(why, STATUS_IO, "%s: %s", path, strerror(error));
}

static Status open_regular(int *fd, size_t *len, const char *path, Message *why)
{
    /* Non-blocking, so that a named pipe cannot hang us before we see that it is one. */
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0)
        return status_fail(why, errno == ENOENT ? STATUS_MISSING : STATUS_IO, "%s: %s", path,
                           strerror(errno));
    struct stat info;
    if (fstat(*fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(*fd);
        return status_fail(why, STATUS_IO, "%s: not a regular file", path);
    }
    *len = (size_t)info.st_size;
    return STATUS_OK;
}

Status file_map(FileMap *map, const char *path, Message *why)
{
    *map = (FileMap){0};
    int fd;
    size_t len;
    Status status = open_regular(&fd, &len, path, why);
    if (status != STATUS_OK)
        return status;
    bool mapped = file_map_descriptor(map, fd, len);
    int error = errno;
    close(fd);
    return mapped ? STATUS_OK
                  : status_fail(why, STATUS_IO, "%s: cannot map: %s", path, strerror(error));
}

static bool read_fully(int fd, char *into, size_t len)
{
    size_t done = 0;
    while (done < len) {
        ssize_t got = read(fd, into + done, len - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

Status file_read(char **bytes, size_t *len, const char *path, size_t limit, Message *why)
{
    int fd;
    Status status = open_regular(&fd, len, path, why);
    if (status != STATUS_OK)
        return status;
    if (*len > limit) {
        close(fd);
        return status_fail(why, STATUS_REFUSED, "%s: larger than %zu bytes", path, limit);
    }
    *bytes = malloc(*len + 1);
    if (!*bytes) {
        close(fd);
        return status_fail(why, STATUS_MEMORY, "%s: not enough memory for %zu bytes", path, *len);
    }
    bool whole = read_fully(fd, *bytes, *len);
    close(fd);
    if (!whole) {
        free(*bytes);
        *bytes = NULL;
        return status_fail(why, STATUS_IO, "%s: cannot be read completely", path);
    }
    (*bytes)[*len] = '\0';
    return STATUS_OK;
}

bool file_write_all(int fd, const void *bytes, size_t len)
{
    const char *from = bytes;
    while (len) {
        ssize_t put = write(fd, from, len);
        if (put < 0 && (errno == EINTR || (errno == EAGAIN && file_wait_writable(fd))))
            continue;
        if (put <= 0)
            return false;
        from += put;
        len -= (size_t)put;
    }
    return true;
}

Status file_keep_apart(const char *out, const char *in, Message *why)
{
    if (!file_is_same(out, in))
        return STATUS_OK;
    return status_fail(why, STATUS_INVALID,
                       "the output would overwrite the input %s; choose another name", in);
}

Status file_make_folders(const char *path, unsigned mode, Message *why)
{
    char part[PATH_MAX];
    size_t len = strlen(path);
    if (len == 0 || len >= sizeof part - NAME_ROOM)
        return status_fail(why, STATUS_INVALID, "'%.100s': the path is empty or too long", path);
    for (size_t i = 1; i <= len; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, mode) != 0 && errno != EEXIST)
            return status_fail(why, STATUS_IO, "%.200s: %s", part, strerror(errno));
    }
    return STATUS_OK;
}

Status file_check_place(const char *path, Message *why)
{
    struct stat there;
    char folder[PATH_MAX];
    bool is_there = stat(path, &there) == 0;
    if (is_there && S_ISDIR(there.st_mode))
        return io_failed(path, EISDIR, why);
    if (is_there && !S_ISREG(there.st_mode))
        return access(path, W_OK) == 0 ? STATUS_OK : io_failed(path, errno, why);
    int used = snprintf(folder, sizeof folder, "%s", path);
    if (used < 0 || (size_t)used >= sizeof folder)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", path);
    return access(dirname(folder), W_OK) == 0 ? STATUS_OK : io_failed(path, errno, why);
}

Status file_path(char *out, size_t size, Span path, Message *why)
{
    if (path.len >= size)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", path.at);
    snprintf(out, size, "%.*s", (int)path.len, path.at);
    return STATUS_OK;
}

/* Closes it too. Returns 0 or what went wrong; `rights` 0 and no sync for what is no file. */
static int write_and_close(int fd, bool is_file, mode_t rights, const void *bytes, size_t len)
{
    bool fine = file_write_all(fd, bytes, len) && (!rights || fchmod(fd, rights) == 0) &&
                (!is_file || fsync(fd) == 0);
    int error = fine ? 0 : errno ? errno : EIO;
    return close(fd) == 0 || error ? error : errno;
}

/* A device or a pipe is written into: a file in its place would be no device any more. */
static Status write_into(const char *path, const void *bytes, size_t len, Message *why)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int error = fd < 0 ? errno : write_and_close(fd, false, 0, bytes, len);
    return error ? io_failed(path, error, why) : STATUS_OK;
}

/* A new file beside `path`, with the rights that the user gives new files. */
static int open_beside(const char *path, char temp[PATH_MAX])
{
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; i++) {
        int used = snprintf(temp, PATH_MAX, "%s.%ld-%d.new", path, (long)getpid(), i);
        if (used < 0 || used >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* `rights`: of the file that is replaced; 0 when there is none. */
static Status replace(const char *path, mode_t rights, const void *bytes, size_t len, Message *why)
{
    char temp[PATH_MAX];
    int fd = open_beside(path, temp);
    if (fd < 0)
        return io_failed(path, errno, why);
    int error = write_and_close(fd, true, rights, bytes, len);
    if (!error && rename(temp, path) == 0)
        return STATUS_OK;
    error = error ? error : errno;
    unlink(temp);
    return io_failed(path, error, why);
}

Status file_write_atomic(const char *path, const void *bytes, size_t len, Message *why)
{
    struct stat there;
    char real[PATH_MAX]; /* behind links, which stay links */
    bool is_there = stat(path, &there) == 0;
    if (is_there && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
        return write_into(path, bytes, len, why);
    return replace(is_there && realpath(path, real) ? real : path,
                   is_there ? there.st_mode & 07777 : 0, bytes, len, why);
}

Status file_write_text(const char *path, Text *text, Message *why)
{
    Status s = text->failed
                   ? status_fail(why, STATUS_MEMORY, "%s: not enough memory to write it", path)
                   : file_write_atomic(path, text->at, text->len, why);
    text_free(text);
    return s;
}
