#include "classics/classic_eval.h"

#include "classics/adaptive/adaptive_eval.h"
#include "classics/chessbin/chessbin_eval.h"
#include "classics/javachess/javachess_eval.h"
#include "classics/kanji/kanji_eval.h"
#include "classics/mantis/mantis_eval.h"

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

enum { EVALUATOR_COUNT = sizeof evaluators / sizeof *evaluators };

/* "unknown evaluator 'x': a, b, c". The message may be shorter than the list: it is cut
 * then. */
static Status unknown(Span name, Message *why)
{
    char shown[40];
    Text list = text_new();
    for (int i = 0; i < EVALUATOR_COUNT; i++)
        text_addf(&list, "%s%s", i ? ", " : "", evaluators[i]->name);
    span_show(name, shown, sizeof shown);
    Status s = status_fail(why, STATUS_MISSING, "unknown evaluator '%s': %s", shown, list.at);
    text_free(&list);
    return s;
}

Status classic_eval_find(const ClassicEval **evaluator, Span name, Message *why)
{
    for (int i = 0; i < EVALUATOR_COUNT; i++)
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

int classic_eval_sum(const ClassicEvalValues v, int count, Color side)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += v[i][side] - v[i][color_other(side)];
    return sum;
}

static int divisor_of(const ClassicEval *e)
{
    return e->divisor ? e->divisor : 1;
}

Score classic_eval_score(const ClassicEval *e, Position *p, const int *weights)
{
    ClassicEvalValues v = {{0}};
    e->evaluate(p, weights, e->level, v);
    return score_clip(classic_eval_sum(v, e->term_count, p->side) / divisor_of(e));
}

Bitboard classic_eval_home(Color c, PieceType t)
{
    static const Bitboard white[PIECE_TYPE_COUNT] = {0xff00, 0x42, 0x24, 0x81, 0x08, 0x10};
    return c == WHITE ? white[t] : __builtin_bswap64(white[t]);
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

void classic_eval_show(const ClassicEval *e, const int *weights, const Position *p, Text *out)
{
    Position copy = *p;
    ClassicEvalValues v = {{0}};
    double divisor = divisor_of(e);
    e->evaluate(&copy, weights, e->level, v);
    text_addf(out, "evaluation: %s\n\n%-22s %9s %9s %11s\n", e->title, "term", "White", "Black",
              "difference");
    for (int i = 0; i < e->term_count; i++) {
        double white = v[i][WHITE] / divisor, black = v[i][BLACK] / divisor;
        text_addf(out, "%-22s %9.2f %9.2f %+11.2f\n", e->term_names[i], white / 100, black / 100,
                  (white - black) / 100);
    }
    double total = score_clip(classic_eval_sum(v, e->term_count, WHITE) / divisor_of(e)) / 100.0;
    text_addf(out, "%-22s %9s %9s %+11.2f\n", "total", "", "", total);
    text_addf(out, "\nvalue %+.2f for White, in the evaluator's own pawn units\n", total);
}
