/* Any bytes as EPD: a line that was read can be written, and reads and writes as the same again. */
#include "fuzzing.h"

#include "../unit/epd_text.h"
#include "chess/attacks.h"
#include "notation/epd.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chess_init();
    Epd e;
    Message why;
    Text first, second;
    bool chess960 = size > 0 && data[0] == ' ';
    epd_init(&e);
    text_init(&first);
    text_init(&second);
    if (epd_read(&e, (Span){(const char *)data, size}, chess960, &why) == STATUS_OK) {
        Move moves[EPD_MAX_OPERANDS];
        epd_moves(&e, "bm", moves, EPD_MAX_OPERANDS);
        epd_moves(&e, "pv", moves, EPD_MAX_OPERANDS);
        epd_text(&e, &first);
        if (epd_read(&e, (Span){first.at, first.len}, chess960, &why) != STATUS_OK)
            abort();
        epd_text(&e, &second);
        if (strcmp(first.at, second.at) != 0)
            abort();
    } else if (!why.text[0]) {
        abort();
    }
    text_free(&first);
    text_free(&second);
    epd_free(&e);
    return 0;
}
