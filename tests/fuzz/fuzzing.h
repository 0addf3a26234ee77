/* What the fuzzers share: their door, and how they complain. */
#ifndef TESTS_FUZZING_H
#define TESTS_FUZZING_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static inline void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

static inline void must_be_printable(const Message *why)
{
    must(why->text[0] != '\0', "a refusal says why");
    for (const char *c = why->text; *c; c++)
        must(*c >= ' ' && *c <= '~', "a message is printable");
}

#endif
