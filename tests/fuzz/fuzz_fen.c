/* Any bytes as a FEN: refused with a printable message, or a sound position that its own FEN, in
 * either style, describes again. */
#include "fuzzing.h"

#include "../consistent.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_round_trip(const Position *p, FenStyle style)
{
    char text[FEN_SIZE], again[FEN_SIZE];
    Position q;
    fen_write(p, style, text);
    must(fen_parse(&q, span_of(text), p->chess960, NULL) == STATUS_OK, "a written FEN is read");
    must(q.st.key == p->st.key && q.chess960 == p->chess960, "and is the same position");
    fen_write(&q, style, again);
    must(strcmp(text, again) == 0, "and is written the same way");
}

static void check_position(const Position *p)
{
    Setup s;
    Position q;
    must(is_consistent(p), "a position agrees with itself");
    check_round_trip(p, FEN_X);
    check_round_trip(p, FEN_SHREDDER);
    pos_describe(p, &s);
    must(pos_set(&q, &s, NULL) == STATUS_OK && q.st.key == p->st.key, "a setup gives it again");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    chess_init();
    Span text = {(const char *)bytes, len}, rest;
    Message why = {""};
    Position p;
    for (int chess960 = 0; chess960 <= 1; chess960++) {
        if (fen_parse(&p, text, chess960, &why) == STATUS_OK)
            check_position(&p);
        else
            must_be_printable(&why);
    }
    if (fen_parse_epd(&p, text, false, &rest, &why) == STATUS_OK)
        must(rest.len < len && is_consistent(&p), "EPD takes its fields off the line");
    return 0;
}
