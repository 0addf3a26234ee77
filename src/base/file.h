/* Files: read whole or mapped, written so that a reader sees the old or the new one,
 * never a half. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A read-only mapping. */
typedef struct FileMap {
    const uint8_t *at;
    size_t len;
} FileMap;

Status file_map(FileMap *map, const char *path, Message *why);
bool file_map_descriptor(FileMap *map, int fd, size_t len); /* false: errno says why */
void file_map_random(const FileMap *map);                   /* it will be read at random places */
void file_unmap(FileMap *map);

/* A mapped file that somebody truncates loses pages. Reading one does not end the program (SIGBUS):
 * it reads as zeros from then on, and is counted here. Whoever reads a mapping compares the count
 * before it trusts the bytes. */
unsigned file_lost_pages(void);

/* The path as a string; one that does not fit is refused. */
Status file_path(char *out, size_t size, Span path, Message *why);

/* Reads a whole file of at most `limit` bytes into fresh memory, terminated with a zero byte. */
Status file_read(char **bytes, size_t *len, const char *path, size_t limit, Message *why);

/* Writes all of it to an open file; false, with errno set, when that cannot be done. */
bool file_write_all(int fd, const void *bytes, size_t len);

/* Writes to a temporary neighbour, syncs, and renames it over `path`, or over what a link there
 * leads to. A device or pipe is written into. */
Status file_write_atomic(const char *path, const void *bytes, size_t len, Message *why);

/* The same with a text, which is freed, also on failure. */
Status file_write_text(const char *path, Text *text, Message *why);

/* Makes a folder, and those it is in, where they are missing. */
Status file_make_folders(const char *path, unsigned mode, Message *why);

/* Whether there is a folder to write `path` to: for telling at once what would only be found after
 * hours of work. */
Status file_check_place(const char *path, Message *why);

/* True when both lead to the same regular file. NULL leads nowhere. */
bool file_is_same(const char *a, const char *b);
bool file_is_at(int fd, const char *path); /* the open file has that name still */

/* Takes an open file for this process alone, waiting at most `wait_ms`: one that was killed may
 * take a moment to be gone. The lock goes with the process. False: errno is EWOULDBLOCK when
 * another process has it. */
bool file_lock(int fd, int wait_ms);

/* True when there is something to read within `ms`; regular files are always ready. */
bool file_wait(int fd, int ms);
bool file_wait_writable(int fd); /* without limit */

/* STATUS_INVALID when writing `out` would replace `in`. */
Status file_keep_apart(const char *out, const char *in, Message *why);

#endif
