#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
    void *at = len ? mmap(NULL, len, PROT_READ, MAP_SHARED, fd, 0) : NULL;
    int error = errno;
    close(fd);
    if (at == MAP_FAILED)
        return status_fail(why, STATUS_IO, "%s: cannot map: %s", path, strerror(error));
    *map = (FileMap){at, len};
    return STATUS_OK;
}

void file_unmap(FileMap *map)
{
    if (map->at)
        munmap((void *)(uintptr_t)map->at, map->len);
    *map = (FileMap){0};
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
        return status_fail(why, STATUS_MEMORY, "%s: no memory for %zu bytes", path, *len);
    }
    bool whole = read_fully(fd, *bytes, *len);
    close(fd);
    if (!whole) {
        free(*bytes);
        *bytes = NULL;
        return status_fail(why, STATUS_IO, "%s: cannot be read whole", path);
    }
    (*bytes)[*len] = '\0';
    return STATUS_OK;
}

bool file_write_all(int fd, const void *bytes, size_t len)
{
    const char *from = bytes;
    while (len) {
        ssize_t put = write(fd, from, len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        from += put;
        len -= (size_t)put;
    }
    return true;
}

Status file_write_atomic(const char *path, const void *bytes, size_t len, Message *why)
{
    char temp[PATH_MAX];
    int used = snprintf(temp, sizeof temp, "%s.XXXXXX", path);
    if (used < 0 || (size_t)used >= sizeof temp)
        return status_fail(why, STATUS_INVALID, "%.100s...: path too long", path);
    int fd = mkostemp(temp, O_CLOEXEC);
    if (fd < 0)
        return status_fail(why, STATUS_IO, "%s: %s", path, strerror(errno));
    bool fine = file_write_all(fd, bytes, len) && fchmod(fd, 0644) == 0 && fsync(fd) == 0;
    int error = errno;
    if (close(fd) != 0 && fine) {
        fine = false;
        error = errno;
    }
    if (fine && rename(temp, path) == 0)
        return STATUS_OK;
    if (fine)
        error = errno;
    unlink(temp);
    return status_fail(why, STATUS_IO, "%s: %s", path, strerror(error));
}
