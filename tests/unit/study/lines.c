#include "lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/san.h"

Move lines_move(const Position *p, Span san)
{
    Move m = MOVE_NONE;
    Message why = {""};
    if (san_read(p, san, &m, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return m;
}

Line lines_read(const Position *from, const char *sans)
{
    Line line = {.length = 0};
    Position p = *from;
    Span rest = span_of(sans), word;
    Undo undo;
    while (span_next_word(&rest, &word)) {
        line.at[line.length] = lines_move(&p, word);
        pos_make(&p, line.at[line.length++], &undo);
    }
    return line;
}

Reviewer *lines_reviewer(Tablebases *tb)
{
    Reviewer *r;
    Message why = {""};
    ReviewOptions options = {.nodes = 20000, .hash_mb = 4, .tb = tb};
    if (reviewer_open(&r, &options, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return r;
}
