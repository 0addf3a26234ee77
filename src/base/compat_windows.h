/* Included before every source file on Windows: the POSIX functions that mingw-w64 lacks or has
 * with another meaning. What differs in more than a call is behind functions of base/ (os.h,
 * file.h, memory.h, stream.h, child.h, interrupt.h). */
#ifndef BASE_COMPAT_WINDOWS_H
#define BASE_COMPAT_WINDOWS_H

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <process.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/* As in base/banned.h, which does not precede the files that see windows.h. */
#define UNUSED __attribute__((unused))

/* Handles are not inherited: children are given theirs by name. */
#define O_CLOEXEC O_NOINHERIT
#define O_NONBLOCK 0

int compat_open(const char *path, int flags, ...);
#define open compat_open

/* Replaces a file that is there already. */
int compat_rename(const char *from, const char *to);
#define rename compat_rename

#define mkdir(path, mode) ((void)(mode), _mkdir(path))
#define lstat(path, info) stat(path, info)
#define fsync(fd) _commit(fd)
#define fdatasync(fd) _commit(fd)
int fchmod(int fd, int mode); /* does nothing: rights are inherited from the folder */

int link(const char *from, const char *to);
char *realpath(const char *path, char resolved[]);
ssize_t pread(int fd, void *into, size_t len, off_t at);
int mkostemp(char *name, int flags);
int mkstemps(char *name, int suffix);

void *memmem(const void *in, size_t in_len, const void *what, size_t len);
void *memrchr(const void *in, int byte, size_t len);
char *strndup(const char *text, size_t len);

#endif
