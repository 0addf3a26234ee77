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

int inputs_of(const Position *p, int king_buckets, Color side, uint16_t out[FEATURE_MAX_ACTIVE])
{
    int count = 0;
    FeatureView view = feature_view(king_buckets, side, pos_king(p, side));
    for (Bitboard b = pos_occupied(p); b;) {
        Square s = bb_pop(&b);
        out[count++] = feature_index(view, p->board[s], s);
    }
    return count;
}
