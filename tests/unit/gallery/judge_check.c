#include "judge_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/fen.h"

#include <math.h>
#include <string.h>

Position judge_check_position(const char *fen)
{
    Position p;
    Message why;
    if (fen_parse(&p, span_of(fen), false, &why) != STATUS_OK)
        fail_msg("%s: %s", fen, why.text);
    return p;
}

void judge_check_term(const Judge *judge, const char *fen, const char *term, double white,
                      double black)
{
    Position p = judge_check_position(fen);
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
    fail_msg("%s has no term %s", judge->name, term);
}

void judge_check_mirrored(const Judge *judge, const char *fen, const char *mirrored)
{
    Position a = judge_check_position(fen), b = judge_check_position(mirrored);
    int weights[JUDGE_MAX_WEIGHTS];
    judge_default_weights(judge, weights);
    assert_int_equal(judge->score(&a, weights), judge->score(&b, weights));
}
