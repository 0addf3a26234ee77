#include "train/data/data_tools_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void part_remove(const char *path)
{
    char name[PATH_MAX + 32];
    unlink(path);
    snprintf(name, sizeof name, "%s.tail", path);
    unlink(name);
}

Status part_open(Part *p, Message *why)
{
    struct stat info;
    enum { SUFFIX = sizeof ".part" - 1 };
    if (stat(p->path, &info) == 0)
        return status_fail(why, STATUS_REFUSED, "%s already exists", p->path);
    snprintf(p->temp, sizeof p->temp, "%s.XXXXXX.part", p->path);
    int fd = mkstemps(p->temp, SUFFIX);
    if (fd < 0)
        return status_fail(why, STATUS_IO, "%s: %s", p->path, strerror(errno));
    fchmod(fd, 0644); /* as other data files */
    close(fd);
    Status s = data_writer_open(&p->writer, p->temp, why);
    if (s != STATUS_OK)
        part_remove(p->temp);
    return s;
}

/* A link, unlike a new name, does not replace a file that came to be there meanwhile. */
static Status part_publish(const Part *p, Message *why)
{
    if (link(p->temp, p->path) == 0) {
        unlink(p->temp);
        return STATUS_OK;
    }
    if (errno == EEXIST)
        return status_fail(why, STATUS_REFUSED, "%s already exists", p->path);
    if (rename(p->temp, p->path) == 0) /* a file system without links */
        return STATUS_OK;
    return status_fail(why, STATUS_IO, "%s: %s", p->path, strerror(errno));
}

Status part_close(Part *p, Status status, Message *why)
{
    if (!p->writer)
        return status;
    Status closed = data_writer_close(p->writer, status == STATUS_OK ? why : NULL);
    p->writer = NULL;
    if (status == STATUS_OK)
        status = closed;
    if (status == STATUS_OK)
        status = part_publish(p, why);
    if (status != STATUS_OK)
        part_remove(p->temp);
    return status;
}
