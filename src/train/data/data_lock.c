#include "train/data/data_lock.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The process that holds a lock on the file, from the kernel's list of all locks; 0
 * when not known. */
static long lock_holder(int fd)
{
    struct stat info;
    FILE *locks = fopen("/proc/locks", "r");
    long holder = 0;
    char line[256];
    if (locks && fstat(fd, &info) == 0) {
        while (!holder && fgets(line, sizeof line, locks)) {
            long pid;
            unsigned long long inode;
            if (sscanf(line, "%*d: FLOCK ADVISORY WRITE %ld %*x:%*x:%llu", &pid, &inode) == 2 &&
                inode == (unsigned long long)info.st_ino)
                holder = pid;
        }
    }
    if (locks)
        fclose(locks);
    return holder;
}

static Status locked(int fd, const char *path, Message *why)
{
    long holder = lock_holder(fd);
    if (holder > 0)
        return status_fail(why, STATUS_REFUSED, "%s is locked by process %ld, which writes to it",
                           path, holder);
    return status_fail(why, STATUS_REFUSED, "%s is locked by another process", path);
}

Status data_lock(int fd, const char *path, Message *why)
{
    /* A process that was just killed may hold its locks for a moment. */
    enum { WAIT_MS = 1000 };
    if (file_lock(fd, WAIT_MS))
        return STATUS_OK;
    if (errno != EWOULDBLOCK && errno != EINTR)
        return status_fail(why, STATUS_IO, "%s: cannot lock: %s", path, strerror(errno));
    return locked(fd, path, why);
}
