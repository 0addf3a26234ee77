/* Memory that malloc does not give: whole pages, aligned blocks. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed pages, large ones where the system has them (fewer TLB misses); NULL when there is not
 * enough. They are placed when a thread first touches them. */
void *memory_pages(size_t bytes);
void memory_pages_free(void *at, size_t bytes);

/* Not zeroed; `bytes` is a multiple of `align`, a power of two. What is aligned to
 * MEMORY_LARGE_PAGE is put on large pages. */
enum { MEMORY_LARGE_PAGE = 2 << 20 };
void *memory_aligned(size_t align, size_t bytes);
void memory_aligned_free(void *at);

/* Of the machine; 0 when not known. */
int64_t memory_installed_mb(void);

#endif
