#include "base/os.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

/* UTF-8 in the console, and sequences of a terminal (colours) understood by it. */
static void prepare_console(DWORD which, DWORD modes)
{
    DWORD now;
    HANDLE console = GetStdHandle(which);
    if (GetConsoleMode(console, &now))
        SetConsoleMode(console, now | modes);
}

/* Bytes pass unchanged through the standard files: ends of lines are ours to read and to write. The
 * clock ticks every millisecond while we run, so that short waits are short. */
void os_start(void)
{
    for (int fd = 0; fd <= 2; fd++)
        _setmode(fd, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    SetConsoleCP(CP_UTF8);
    prepare_console(STD_OUTPUT_HANDLE, ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    prepare_console(STD_ERROR_HANDLE, ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX);
    timeBeginPeriod(1);
}

Status os_data_path(char *out, size_t size, const char *what, Message *why)
{
    const char *data = getenv("XDG_DATA_HOME"), *local = getenv("LOCALAPPDATA");
    data = data && *data ? data : local;
    if (!data || !*data)
        return status_fail(why, STATUS_MISSING, "neither XDG_DATA_HOME nor LOCALAPPDATA is set");
    int len = snprintf(out, size, "%s/%s", data, what);
    if (len < 0 || (size_t)len >= size)
        return status_fail(why, STATUS_INVALID, "the name of the data directory is too long");
    for (char *at = out; *at; at++)
        *at = *at == '\\' ? '/' : *at;
    return STATUS_OK;
}

const char *os_file_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/' || *path == '\\' || *path == ':')
            name = path + 1;
    return name;
}

/* -- Files -- */

/* Locks bind readers, too, and so lie far behind the end of any file. */
bool file_lock(int fd, int wait_ms)
{
    enum { STEP_MS = 20 };
    for (int waited = 0;; waited += STEP_MS) {
        OVERLAPPED where = {.Offset = 0, .OffsetHigh = 0x40000000};
        if (LockFileEx((HANDLE)_get_osfhandle(fd),
                       LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &where))
            return true;
        bool taken = GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING;
        errno = taken ? EWOULDBLOCK : EIO;
        if (!taken || waited >= wait_ms)
            return false;
        clock_sleep_ms(STEP_MS);
    }
}

static bool look_at(const char *path, BY_HANDLE_FILE_INFORMATION *out)
{
    HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    bool fine = GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, out);
    CloseHandle(file);
    return fine;
}

static bool same(const BY_HANDLE_FILE_INFORMATION *a, const BY_HANDLE_FILE_INFORMATION *b)
{
    return a->dwVolumeSerialNumber == b->dwVolumeSerialNumber &&
           a->nFileIndexHigh == b->nFileIndexHigh && a->nFileIndexLow == b->nFileIndexLow;
}

bool file_is_at(int fd, const char *path)
{
    BY_HANDLE_FILE_INFORMATION ours, there;
    return GetFileInformationByHandle((HANDLE)_get_osfhandle(fd), &ours) && look_at(path, &there) &&
           same(&ours, &there);
}

bool file_is_same(const char *a, const char *b)
{
    BY_HANDLE_FILE_INFORMATION one, two;
    return a && b && look_at(a, &one) && look_at(b, &two) && same(&one, &two);
}

/* Only a pipe can be asked how much is there; a console waits in the read, which Ctrl-C ends. */
bool file_wait(int fd, int ms)
{
    enum { STEP_MS = 5 };
    HANDLE handle = (HANDLE)_get_osfhandle(fd);
    if (GetFileType(handle) != FILE_TYPE_PIPE)
        return true;
    for (int waited = 0;; waited += STEP_MS) {
        DWORD there;
        if (!PeekNamedPipe(handle, NULL, 0, NULL, &there, NULL) || there > 0)
            return true; /* the end is to be read as well */
        if (waited >= ms)
            return false;
        clock_sleep_ms(STEP_MS);
    }
}

bool file_wait_writable(int fd)
{
    (void)fd; /* a write waits itself */
    return false;
}

bool file_map_descriptor(FileMap *map, int fd, size_t len)
{
    void *at = NULL;
    HANDLE mapping =
        len ? CreateFileMappingA((HANDLE)_get_osfhandle(fd), NULL, PAGE_READONLY, 0, 0, NULL)
            : NULL;
    if (mapping) {
        at = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
        CloseHandle(mapping); /* the view holds it */
    }
    errno = EIO;
    *map = (FileMap){at, at ? len : 0};
    return at || !len;
}

void file_map_random(const FileMap *map UNUSED)
{
}

void file_unmap(FileMap *map)
{
    if (map->at)
        UnmapViewOfFile(map->at);
    *map = (FileMap){0};
}

unsigned file_lost_pages(void)
{
    return 0; /* a mapped file cannot be truncated here */
}

/* -- Memory -- */

void *memory_pages(size_t bytes)
{
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void memory_pages_free(void *at, size_t bytes UNUSED)
{
    if (at)
        VirtualFree(at, 0, MEM_RELEASE);
}

void *memory_aligned(size_t align, size_t bytes)
{
    return _aligned_malloc(bytes, align);
}

void memory_aligned_free(void *at)
{
    _aligned_free(at);
}

/* The C library returns it by itself. */
void memory_return_early(void)
{
}

void memory_return_free(void)
{
}

int64_t memory_installed_mb(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? (int64_t)(memory.ullTotalPhys >> 20) : 0;
}

/* -- Threads -- */

int thread_cpu_count(void)
{
    DWORD_PTR ours, all;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &ours, &all) || !ours)
        return 1;
    return __builtin_popcountll(ours);
}

void condition_init(Condition *c)
{
    pthread_cond_init(c, NULL);
}

void condition_wait_ms(Condition *c, Mutex *m, long ms)
{
    const struct timespec wait = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    pthread_cond_timedwait_relative_np(c, m, &wait);
}
