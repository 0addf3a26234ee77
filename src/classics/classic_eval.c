#include "classics/classic_eval.h"

#include "classics/adaptive/adaptive_eval.h"
#include "classics/chessbin/chessbin_eval.h"
#include "classics/javachess/javachess_eval.h"
#include "classics/kanji/kanji_eval.h"
#include "classics/mantis/mantis_eval.h"

#include <assert.h>
#include <string.h>

/* clang-format off */
static const ClassicEval *const evaluators[] = {
    &javachess_evaluator,
    &capuchin_evaluator, &sifaka_evaluator, &macaque_evaluator, &mantis_evaluator,
    &chessbin_evaluator,
    &adaptive_evaluator,
    &kanji_evaluator,
};
/* clang-format on */

int classic_eval_count(void)
{
    return sizeof evaluators / sizeof *evaluators;
}

const ClassicEval *classic_eval_at(int index)
{
    return evaluators[index];
}

/* "unknown evaluator 'x': a, b, c". The message may be shorter than the list: it is cut
 * then. */
static Status unknown(Span name, Message *why)
{
    char shown[40];
    Text list;
    text_init(&list);
    for (int i = 0; i < classic_eval_count(); i++)
        text_addf(&list, "%s%s", i ? ", " : "", evaluators[i]->name);
    span_show(name, shown, sizeof shown);
    Status s = status_fail(why, STATUS_MISSING, "unknown evaluator '%s': %s", shown, list.at);
    text_free(&list);
    return s;
}

Status classic_eval_find(const ClassicEval **evaluator, Span name, Message *why)
{
    for (int i = 0; i < classic_eval_count(); i++)
        if (span_is_ignoring_case(name, evaluators[i]->name)) {
            *evaluator = evaluators[i];
            return STATUS_OK;
        }
    return unknown(name, why);
}

void classic_eval_default_weights(const ClassicEval *evaluator,
                                  int weights[CLASSIC_EVAL_MAX_WEIGHTS])
{
    memset(weights, 0, CLASSIC_EVAL_MAX_WEIGHTS * sizeof *weights);
    for (int i = 0; i < evaluator->weight_count; i++)
        weights[i] = evaluator->weights[i].value;
}

void classic_eval_add_term(ClassicEvalTerms *t, const char *name, double white, double black)
{
    assert(t->count < CLASSIC_EVAL_MAX_TERMS);
    t->of[t->count++] = (ClassicEvalTerm){name, {white, black}};
}

bool classic_eval_has_castled(const Position *p, Color c)
{
    Square king = pos_king(p, c);
    int file = square_file(king);
    bool rights =
        (p->st.castling & (castling_right(c, KING_SIDE) | castling_right(c, QUEEN_SIDE))) != 0;
    if (rights || square_relative_rank(c, king) != 0 || (file > 2 && file < 6))
        return false;
    Bitboard corner = bb_relative_rank(c, 0) & (file > 2 ? ~0ULL << king : bb_of(king) - 1);
    return !(corner & pos_pieces(p, c, ROOK));
}

void classic_eval_show(const ClassicEval *evaluator, const int *weights, const Position *p,
                       Text *out)
{
    Position copy = *p;
    ClassicEvalTerms t = {0};
    evaluator->terms(&copy, weights, &t);
    text_addf(out, "evaluation: %s\n\n%-22s %9s %9s %11s\n", evaluator->title, "term", "White",
              "Black", "difference");
    for (int i = 0; i < t.count; i++) {
        const double *v = t.of[i].value;
        text_addf(out, "%-22s %9.2f %9.2f %+11.2f\n", t.of[i].name, v[WHITE] / 100, v[BLACK] / 100,
                  (v[WHITE] - v[BLACK]) / 100);
    }
    text_addf(out, "%-22s %9s %9s %+11.2f\n", "total", "", "", t.total / 100.0);
    text_addf(out, "\nvalue %+.2f for White, in the evaluator's own pawn units\n", t.total / 100.0);
}
