#include "evaluating.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/fen.h"
#include "chess/setup.h"

#include <math.h>
#include <string.h>

Position evaluating_position(const char *fen)
{
    Position p;
    Message why;
    if (fen_parse(&p, span_of(fen), false, &why) != STATUS_OK)
        fail_msg("%s: %s", fen, why.text);
    return p;
}

void evaluating_term(const ClassicEval *evaluator, const char *fen, const char *term, double white,
                     double black)
{
    Position p = evaluating_position(fen);
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    ClassicEvalValues v = {{0}};
    double divisor = evaluator->divisor ? evaluator->divisor : 1;
    classic_eval_default_weights(evaluator, weights);
    evaluator->evaluate(&p, weights, evaluator->level, v);
    for (int i = 0; i < evaluator->term_count; i++) {
        double whites = v[i][WHITE] / divisor, blacks = v[i][BLACK] / divisor;
        if (strcmp(evaluator->term_names[i], term) != 0)
            continue;
        if (fabs(whites - white) > 1e-6 || fabs(blacks - black) > 1e-6)
            fail_msg("%s, %s: %s is %g and %g, not %g and %g", evaluator->name, fen, term, whites,
                     blacks, white, black);
        return;
    }
    fail_msg("%s has no term '%s'", evaluator->name, term);
}

void evaluating_check(const ClassicEval *evaluator, const HandWorked *rows, int count)
{
    for (int i = 0; i < count; i++)
        evaluating_term(evaluator, rows[i].fen, rows[i].term, rows[i].white, rows[i].black);
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

void evaluating_check_mirror(const ClassicEval *evaluator, const char *const *fens, int count)
{
    int weights[CLASSIC_EVAL_MAX_WEIGHTS];
    classic_eval_default_weights(evaluator, weights);
    for (int i = 0; i < count; i++) {
        Position p = evaluating_position(fens[i]), m = mirrored(&p);
        Score here = classic_eval_score(evaluator, &p, weights),
              there = classic_eval_score(evaluator, &m, weights);
        if (here != there)
            fail_msg("%s, %s: %d, and %d with colours exchanged", evaluator->name, fens[i], here,
                     there);
    }
}
