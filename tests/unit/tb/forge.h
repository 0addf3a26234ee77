/* Table files made up for tests: right in form, with contents of our choice. */
#ifndef TESTS_UNIT_TB_FORGE_H
#define TESTS_UNIT_TB_FORGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORGE_SIZE = 4096 };

typedef struct Forged {
    uint8_t at[FORGE_SIZE];
    size_t len;
} Forged;

typedef struct ForgeOptions {
    bool packed;    /* compressed, the two values in turn; for 3 pieces only */
    int value[2];   /* as stored; the first alone when not packed */
    unsigned flags; /* of every part */
    uint8_t map[4]; /* with TB_FLAG_MAPPED: what 0 stands for in each map; 1 is 7 more */
} ForgeOptions;

/* Makes the file of this name, such as "KQvKR.rtbw". */
void forge(Forged *f, const char *file_name, const ForgeOptions *options);

#endif
