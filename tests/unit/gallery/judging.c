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

void judging_term(const Judge *judge, const char *fen, const char *term, double white, double black)
{
    Position p = judging_position(fen);
    int weights[JUDGE_MAX_WEIGHTS];
    JudgeTerms t = {0};
    judge_default_weights(judge, weights);
    judge->terms(&p, weights, &t);
    for (int i = 0; i < t.count; i++) {
        const double *v = t.of[i].value;
        if (strcmp(t.of[i].name, term) != 0)
            continue;
        if (fabs(v[WHITE] - white) > 1e-6 || fabs(v[BLACK] - black) > 1e-6)
            fail_msg("%s, %s: %s is %g and %g, not %g and %g", judge->name, fen, term, v[WHITE],
                     v[BLACK], white, black);
        return;
    }
    fail_msg("%s has no term '%s'", judge->name, term);
}

void judging_check(const Judge *judge, const HandWorked *rows, int count)
{
    for (int i = 0; i < count; i++)
        judging_term(judge, rows[i].fen, rows[i].term, rows[i].white, rows[i].black);
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
