#include "base/compat_windows.h"

#include "base/clock.h"
#include "base/random.h"

#include <stdarg.h>
#include <stdint.h>
#include <windows.h>

#undef open
#undef rename

/* -- Files -- */

static int failed(DWORD error)
{
    errno = error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? ENOENT
            : error == ERROR_ALREADY_EXISTS || error == ERROR_FILE_EXISTS  ? EEXIST
            : error == ERROR_DISK_FULL                                     ? ENOSPC
                                                                           : EACCES;
    return -1;
}

/* As on POSIX, an open file can be renamed and removed; the C library's open forbids both. */
int compat_open(const char *path, int flags, ...)
{
    DWORD access = flags & O_RDWR     ? GENERIC_READ | GENERIC_WRITE
                   : flags & O_WRONLY ? GENERIC_WRITE
                                      : GENERIC_READ;
    DWORD how = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL) ? CREATE_NEW
                : flags & O_CREAT && flags & O_TRUNC               ? CREATE_ALWAYS
                : flags & O_CREAT                                  ? OPEN_ALWAYS
                : flags & O_TRUNC                                  ? TRUNCATE_EXISTING
                                                                   : OPEN_EXISTING;
    HANDLE handle =
        CreateFileA(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, how,
                    FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        return failed(GetLastError());
    int fd = _open_osfhandle((intptr_t)handle, (flags & O_APPEND) | O_NOINHERIT | O_BINARY);
    if (fd < 0)
        CloseHandle(handle);
    return fd;
}

/* Virus scanners hold new files open for a moment. */
int compat_rename(const char *from, const char *to)
{
    enum { TRIES = 20, WAIT_MS = 20 };
    for (int i = 0;; i++) {
        if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            return 0;
        DWORD error = GetLastError();
        if ((error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION) || i == TRIES)
            return failed(error);
        Sleep(WAIT_MS);
    }
}

int fchmod(int fd UNUSED, int mode UNUSED)
{
    return 0;
}

int link(const char *from, const char *to)
{
    return CreateHardLinkA(to, from, NULL) ? 0 : failed(GetLastError());
}

char *realpath(const char *path, char resolved[])
{
    struct _stat64 there;
    if (_stat64(path, &there) != 0)
        return NULL;
    return _fullpath(resolved, path, PATH_MAX);
}

ssize_t pread(int fd, void *into, size_t len, off_t at)
{
    int64_t before = _lseeki64(fd, 0, SEEK_CUR);
    if (before < 0 || _lseeki64(fd, at, SEEK_SET) < 0)
        return -1;
    int got = _read(fd, into, len > INT_MAX ? INT_MAX : (unsigned)len);
    return _lseeki64(fd, before, SEEK_SET) < 0 ? -1 : got;
}

/* The six X before the suffix become letters that no file has yet. */
int mkstemps(char *name, int suffix)
{
    enum { TRIES = 100, LETTERS = 6 };
    char *x = name + strlen(name) - suffix - LETTERS;
    Random random;
    random_seed(&random, (uint64_t)clock_now_ns() ^ (uint64_t)_getpid() << 32);
    for (int i = 0; i < TRIES; i++) {
        for (int k = 0; k < LETTERS; k++)
            x[k] = (char)('a' + random_below(&random, 26));
        int fd = compat_open(name, O_RDWR | O_CREAT | O_EXCL);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

int mkostemp(char *name, int flags UNUSED)
{
    return mkstemps(name, 0);
}

/* -- Text -- */

void *memmem(const void *in, size_t in_len, const void *what, size_t len)
{
    const char *at = in;
    for (size_t i = 0; len <= in_len && i <= in_len - len; i++)
        if (memcmp(at + i, what, len) == 0)
            return (void *)(uintptr_t)(at + i);
    return NULL;
}

void *memrchr(const void *in, int byte, size_t len)
{
    const unsigned char *at = in;
    while (len-- > 0)
        if (at[len] == (unsigned char)byte)
            return (void *)(uintptr_t)(at + len);
    return NULL;
}

char *strndup(const char *text, size_t len)
{
    size_t used = strnlen(text, len);
    char *copy = malloc(used + 1);
    if (copy) {
        memcpy(copy, text, used);
        copy[used] = '\0';
    }
    return copy;
}
