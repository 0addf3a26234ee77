#include "base/file.h"
#include "train/data/data_int.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void take_games(const uint8_t *at, size_t len, Text *games)
{
    size_t from = TAIL_HEADER_SIZE;
    while (len - from >= TAIL_GAME_HEADER_SIZE) {
        size_t game = bytes_get32(at + from);
        const char *bytes = (const char *)at + from + TAIL_GAME_HEADER_SIZE;
        if (len - from - TAIL_GAME_HEADER_SIZE < game ||
            checksum64(bytes, game) != bytes_get64(at + from + 4))
            return;
        text_add(games, bytes, game);
        from += TAIL_GAME_HEADER_SIZE + game;
    }
}

void tail_read(const char *path, uint64_t end, Text *games)
{
    enum { TAIL_MAX = 64 << 20 };
    char name[PATH_MAX], *bytes;
    size_t len;
    if (snprintf(name, sizeof name, "%s.tail", path) >= (int)sizeof name ||
        file_read(&bytes, &len, name, TAIL_MAX, NULL) != STATUS_OK)
        return;
    if (len >= TAIL_HEADER_SIZE && bytes_get64((const uint8_t *)bytes) == end)
        take_games((const uint8_t *)bytes, len, games);
    free(bytes);
}
