#include "positions.h"

#include "../consistent.h"
#include "chess/fen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int init_chess(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

Position position_of(const char *fen)
{
    Position p;
    Message why = {""};
    if (fen_parse(&p, span_of(fen), false, &why) != STATUS_OK)
        fail_msg("refused: %s: %s", fen, why.text);
    assert_true(is_consistent(&p));
    return p;
}
