/* What differs between operating systems and has no header of its own. os_posix.c and os_windows.c
 * implement this, parts of file.h and memory.h, and thread_cpu_count; the Makefile chooses. */
#ifndef BASE_OS_H
#define BASE_OS_H

#include "base/status.h"

#include <stddef.h>

/* Between the directories of a list such as SyzygyPath. On Windows a colon is part of a path. */
#ifdef _WIN32
#define OS_PATH_SEPARATORS ";"
#else
#define OS_PATH_SEPARATORS ":;"
#endif

/* First of all in main: the standard files, on Windows also the console. */
void os_start(void);

/* The path of `what` in the directory where this user's programs keep their data. */
Status os_data_path(char *out, size_t size, const char *what, Message *why);

/* The part of a path behind its last separator. */
const char *os_file_name(const char *path);

#endif
