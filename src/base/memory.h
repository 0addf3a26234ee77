/* Memory: arrays that grow, and what malloc does not give, whole pages and aligned blocks. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For arrays that grow: space for one more of `size` bytes behind `count`. `array` is the address
 * of the pointer to them. False: not enough memory, and everything is as before. */
bool memory_grow(void *array, size_t size, size_t count, size_t *capacity);

/* Zeroed pages, large ones where the system has them (fewer TLB misses); NULL when there is not
 * enough. They are placed when a thread first touches them. */
void *memory_pages(size_t bytes);
void memory_pages_free(void *at, size_t bytes);

/* Not zeroed; `bytes` is a multiple of `align`, a power of two. What is aligned to
 * MEMORY_LARGE_PAGE is put on large pages. */
enum { MEMORY_LARGE_PAGE = 2 << 20 };
void *memory_aligned(size_t align, size_t bytes);
void memory_aligned_free(void *at);

/* For programs that run for days: larger blocks go back to the system when they are freed, where
 * the C library would keep more and more of them; and everything that was freed goes back now. */
void memory_return_early(void);
void memory_return_free(void);

/* Of the machine; 0 when not known. */
int64_t memory_installed_mb(void);

#endif
