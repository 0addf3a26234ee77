#include "base/os.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#if defined(__EMSCRIPTEN__)
#include <emscripten/threading.h>
#endif

/* Who starts a program with a standard file closed would have the next one opened take its place.
 */
void os_start(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return;
}

Status os_data_path(char *out, size_t size, const char *what, Message *why)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    bool has_data = data && data[0] == '/';
    if (!has_data && !(home && home[0] == '/'))
        return status_fail(why, STATUS_MISSING, "neither XDG_DATA_HOME nor HOME is set");
    int len = snprintf(out, size, "%s%s/%s", has_data ? data : home,
                       has_data ? "" : "/.local/share", what);
    if (len < 0 || (size_t)len >= size)
        return status_fail(why, STATUS_INVALID, "the name of the data directory is too long");
    return STATUS_OK;
}

const char *os_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* -- Files -- */

bool file_lock(int fd, int wait_ms)
{
    enum { STEP_MS = 20 };
    for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; waited += STEP_MS) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || waited >= wait_ms)
            return false;
        clock_sleep_ms(STEP_MS);
    }
    return true;
}

bool file_is_at(int fd, const char *path)
{
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

bool file_is_same(const char *a, const char *b)
{
    struct stat one, two;
    return a && b && stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino && S_ISREG(one.st_mode);
}

bool file_wait(int fd, int ms)
{
    struct pollfd in = {.fd = fd, .events = POLLIN};
    return poll(&in, 1, ms) > 0;
}

bool file_wait_writable(int fd)
{
    struct pollfd out = {.fd = fd, .events = POLLOUT};
    return poll(&out, 1, -1) > 0;
}

/* Written by the handler of SIGBUS, which has no context to write to. */
static _Atomic unsigned lost_pages;

unsigned file_lost_pages(void)
{
    return atomic_load(&lost_pages);
}

/* The faulting instruction is repeated after it. A second fault at the same place ends the program.
 */
static void replace_lost_page(int number, siginfo_t *info, void *context UNUSED)
{
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)((uintptr_t)info->si_addr & ~(size - 1));
    if (info->si_code == BUS_ADRERR &&
        mmap(page, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page)
        atomic_fetch_add(&lost_pages, 1);
    else
        signal(number, SIG_DFL);
}

static void survive_lost_pages(void)
{
    struct sigaction action = {.sa_sigaction = replace_lost_page, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

bool file_map_descriptor(FileMap *map, int fd, size_t len)
{
    void *at = len ? mmap(NULL, len, PROT_READ, MAP_SHARED, fd, 0) : NULL;
    if (at == MAP_FAILED)
        return false;
    *map = (FileMap){at, len};
    survive_lost_pages();
    return true;
}

void file_map_random(const FileMap *map)
{
    if (map->at)
        (void)posix_madvise((void *)(uintptr_t)map->at, map->len, POSIX_MADV_RANDOM);
}

void file_unmap(FileMap *map)
{
    if (map->at)
        munmap((void *)(uintptr_t)map->at, map->len);
    *map = (FileMap){0};
}

/* -- Memory -- */

static void use_large_pages(void *at UNUSED, size_t bytes UNUSED)
{
#ifdef MADV_HUGEPAGE
    if (bytes >= MEMORY_LARGE_PAGE)
        madvise(at, bytes, MADV_HUGEPAGE);
#endif
}

void *memory_pages(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    use_large_pages(at, bytes);
    return at;
}

void memory_pages_free(void *at, size_t bytes)
{
    if (at)
        munmap(at, bytes);
}

void *memory_aligned(size_t align, size_t bytes)
{
    void *at = aligned_alloc(align, bytes);
    if (at && align >= MEMORY_LARGE_PAGE)
        use_large_pages(at, bytes);
    return at;
}

void memory_aligned_free(void *at)
{
    free(at);
}

/* The thresholds of glibc, which otherwise grow with the blocks that are freed, up to 64 MB for
 * each thread's heap. */
void memory_return_early(void)
{
#ifdef __GLIBC__
    enum { LARGE = 128 << 10 };
    mallopt(M_MMAP_THRESHOLD, LARGE);
    mallopt(M_TRIM_THRESHOLD, LARGE);
#endif
}

void memory_return_free(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

int64_t memory_installed_mb(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (int64_t)pages / (1024 * 1024 / page) : 0;
}

/* -- Threads, where they do not take turns -- */

#if !THREADS_TAKE_TURNS
#if defined(__EMSCRIPTEN__)
/* Every thread is a worker with the module's code compiled once more: work is shared among few. */
int thread_cpu_count(void)
{
    return emscripten_num_logical_cores() > 1 ? 2 : 1;
}
#else
int thread_cpu_count(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}
#endif

void condition_init(Condition *c)
{
    /* Monotonic, so that a change of the wall clock cannot stretch a wait. */
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(c, &attr);
    pthread_condattr_destroy(&attr);
}

void condition_wait_ms(Condition *c, Mutex *m, long ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(c, m, &until);
}
#endif
