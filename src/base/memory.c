#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

bool memory_grow(void *array, size_t size, size_t count, size_t *capacity)
{
    if (count < *capacity)
        return true;
    void *at;
    size_t wanted = *capacity ? 2 * *capacity : FIRST_CAPACITY;
    memcpy(&at, array, sizeof at);
    void *longer = wanted <= SIZE_MAX / size ? realloc(at, wanted * size) : NULL;
    if (!longer)
        return false;
    at = longer;
    memcpy(array, &at, sizeof at);
    *capacity = wanted;
    return true;
}
