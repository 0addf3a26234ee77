#include "judging.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/setup.h"

#include <math.h>
#include <string.h>

Position judging_position(const char *fen)
{
    Position p;
    Message why;
    if (fen_parse(&p, span_of(fen), false, &why) != STATUS_OK)
        fail_msg("%s: %s", fen, why.text);
    return p;
}

static void check_row(const Judge *judge, const HandWorked *row)
{
    Position p = judging_position(row->fen);
    int weights[JUDGE_MAX_WEIGHTS];
    JudgeTerms t = {0};
    judge_default_weights(judge, weights);
    judge->terms(&p, weights, &t);
    for (int i = 0; i < t.count; i++) {
        if (strcmp(t.of[i].name, row->term) != 0)
            continue;
        const double *v = t.of[i].value;
        if (fabs(v[WHITE] - row->white) > 1e-6 || fabs(v[BLACK] - row->black) > 1e-6)
            fail_msg("%s, %s: %g and %g, not %g and %g", row->fen, row->term, v[WHITE], v[BLACK],
                     row->white, row->black);
        return;
    }
    fail_msg("%s has no term '%s'", judge->name, row->term);
}

void judging_check(const Judge *judge, const HandWorked *rows, int count)
{
    for (int i = 0; i < count; i++)
        check_row(judge, &rows[i]);
}

static Position mirrored(const Position *p)
{
    Setup from, to;
    Position m;
    Message why;
    pos_describe(p, &from);
    to = from;
    to.side = color_other(from.side);
    to.ep = from.ep == SQ_NONE ? SQ_NONE : from.ep ^ 56;
    for (Square s = 0; s < SQUARE_COUNT; s++)
        to.board[s ^ 56] = from.board[s] == NO_PIECE ? NO_PIECE : from.board[s] ^ 1;
    for (int i = 0; i < CASTLING_COUNT; i++) {
        Square rook = from.castling_rook[i];
        to.castling_rook[i ^ 2] = rook == SQ_NONE ? SQ_NONE : rook ^ 56;
    }
    if (pos_set(&m, &to, &why) != STATUS_OK)
        fail_msg("%s", why.text);
    return m;
}

void judging_check_mirror(const Judge *judge, const char *const *fens, int count)
{
    int weights[JUDGE_MAX_WEIGHTS];
    judge_default_weights(judge, weights);
    for (int i = 0; i < count; i++) {
        Position p = judging_position(fens[i]), m = mirrored(&p);
        Score here = judge->score(&p, weights), there = judge->score(&m, weights);
        if (here != there)
            fail_msg("%s, %s: %d, and %d with colours exchanged", judge->name, fens[i], here,
                     there);
    }
}
