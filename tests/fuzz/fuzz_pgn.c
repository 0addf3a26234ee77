/* Any bytes as PGN: the reader ends, a game that was read can be written, and what was written
 * reads and writes as the same again. */
#include "fuzzing.h"

#include "chess/attacks.h"
#include "notation/game_read.h"
#include "notation/pgn_write.h"

#include <stdlib.h>
#include <string.h>

/* The first game of the text. */
static Status read_first(Game *g, Span pgn, Message *why)
{
    PgnReader *r;
    if (pgn_open_text(&r, "again", pgn, why) != STATUS_OK)
        abort();
    Status s = game_read(g, r, why);
    pgn_close(r);
    return s;
}

static void write_twice(const Game *g)
{
    Text first, second;
    Message why;
    Game *again = game_new();
    text_init(&first);
    text_init(&second);
    if (!again || pgn_write(g, &first, &why) != STATUS_OK)
        abort();
    if (read_first(again, (Span){first.at, first.len}, &why) != STATUS_OK)
        abort();
    if (pgn_write(again, &second, &why) != STATUS_OK || first.len != second.len ||
        memcmp(first.at, second.at, first.len) != 0)
        abort();
    game_free(again);
    text_free(&first);
    text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chess_init();
    PgnReader *r;
    Message why;
    Game *g = game_new();
    if (!g || pgn_open_text(&r, "fuzz", (Span){(const char *)data, size}, &why) != STATUS_OK)
        abort();
    Status s;
    while ((s = game_read(g, r, &why)) == STATUS_OK || s == STATUS_INVALID) {
        if (s == STATUS_OK)
            write_twice(g);
    }
    if (s != STATUS_END || pgn_offset(r) != size)
        abort();
    pgn_close(r);
    game_free(g);
    return 0;
}
