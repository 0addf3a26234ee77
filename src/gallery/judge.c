#include "gallery/judge.h"

#include "gallery/adaptive_eval.h"
#include "gallery/chessbin_eval.h"
#include "gallery/javachess_eval.h"
#include "gallery/kanji_eval.h"
#include "gallery/mantis_eval.h"

#include <assert.h>
#include <string.h>

/* clang-format off */
static const Judge *const judges[] = {
    &judge_javachess,
    &judge_capuchin, &judge_sifaka, &judge_macaque, &judge_mantis,
    &judge_chessbin,
    &judge_adaptive,
    &judge_kanji,
};
/* clang-format on */

int judge_count(void)
{
    return sizeof judges / sizeof *judges;
}

const Judge *judge_at(int index)
{
    return judges[index];
}

/* "'x' is no evaluator; there are a, b and c". The message may be shorter than the list: it is cut then. */
static Status unknown(Span name, Message *why)
{
    char shown[40];
    Text list;
    text_init(&list);
    for (int i = 0; i < judge_count(); i++)
        text_addf(&list, "%s%s", i ? ", " : "", judges[i]->name);
    span_show(name, shown, sizeof shown);
    Status s = status_fail(why, STATUS_MISSING, "'%s' is no evaluator: %s", shown, list.at);
    text_free(&list);
    return s;
}

Status judge_find(const Judge **judge, Span name, Message *why)
{
    for (int i = 0; i < judge_count(); i++)
        if (span_is_ignoring_case(name, judges[i]->name)) {
            *judge = judges[i];
            return STATUS_OK;
        }
    return unknown(name, why);
}

void judge_default_weights(const Judge *judge, int weights[JUDGE_MAX_WEIGHTS])
{
    memset(weights, 0, JUDGE_MAX_WEIGHTS * sizeof *weights);
    for (int i = 0; i < judge->weight_count; i++)
        weights[i] = judge->weights[i].value;
}

void judge_add_term(JudgeTerms *t, const char *name, double white, double black)
{
    assert(t->count < JUDGE_MAX_TERMS);
    t->of[t->count++] = (JudgeTerm){name, {white, black}};
}

bool judge_has_castled(const Position *p, Color c)
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

void judge_show(const Judge *judge, const int *weights, const Position *p, Text *out)
{
    Position copy = *p;
    JudgeTerms t = {0};
    judge->terms(&copy, weights, &t);
    text_addf(out, "evaluation: %s\n\n%-22s %9s %9s %11s\n", judge->title, "term", "White", "Black",
              "difference");
    for (int i = 0; i < t.count; i++) {
        const double *v = t.of[i].value;
        text_addf(out, "%-22s %9.2f %9.2f %+11.2f\n", t.of[i].name, v[WHITE] / 100, v[BLACK] / 100,
                  (v[WHITE] - v[BLACK]) / 100);
    }
    text_addf(out, "%-22s %9s %9s %+11.2f\n", "total", "", "", t.total / 100.0);
    text_addf(out, "\nvalue %+.2f for White, in the judge's own pawns\n", t.total / 100.0);
}
