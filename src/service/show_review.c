#include "service/show_review_int.h"

enum { DETAIL_MOVES = 12 };

static void put_score(Text *out, const ReviewScore *s, int sign)
{
    json_open(out, "score", '{');
    json_put_int(out, s->is_mate ? "mate" : "cp", sign * s->value);
    json_close(out, '}');
}

static double percent(double chance)
{
    return 50 + 50 * chance;
}

static void put_best(Text *out, const Position *p, const ReviewMove *m, int sign)
{
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE];
    if (!m->line_length || m->line[0] == m->move)
        return;
    uci_move_write(p, m->line[0], uci);
    san_write(p, m->line[0], san);
    json_open(out, "best", '{');
    json_put_str(out, "uci", uci);
    json_put_str(out, "san", san);
    put_score(out, &m->before, sign);
    show_line(out, "line", p, m->line,
              m->line_length < DETAIL_MOVES ? m->line_length : DETAIL_MOVES);
    json_close(out, '}');
}

static void put_reply(Text *out, const Position *p, const ReviewMove *m)
{
    Position after = *p;
    Undo undo;
    if (!m->reply_length || m->label == REVIEW_FINE)
        return;
    pos_make(&after, m->move, &undo);
    json_open(out, "reply", '{');
    show_line(out, "line", &after, m->reply,
              m->reply_length < DETAIL_MOVES ? m->reply_length : DETAIL_MOVES);
    json_close(out, '}');
}

static void put_reason(Text *out, const Review *review, int i)
{
    Text words;
    text_init(&words);
    for (int k = 0; k < review->moves[i].reason_count; k++) {
        if (k)
            text_add_char(&words, ' ');
        review_add_reason(review, i, k, &words);
    }
    if (words.len)
        json_put_span(out, "reason", (Span){words.at, words.len});
    text_free(&words);
}

void show_review_answer(Text *out, const Review *review, int i, const Position *p)
{
    const ReviewMove *m = &review->moves[i];
    put_best(out, p, m, p->side == WHITE ? 1 : -1);
    put_reply(out, p, m);
    put_reason(out, review, i);
}

static const char *label_word(const ReviewMove *m)
{
    if (m->label != REVIEW_FINE)
        return review_label_name(m->label);
    return m->in_book ? "book" : m->only_move ? "only" : NULL;
}

void show_review_move(Text *out, const Review *review, int i, const Position *p, int64_t mistake)
{
    const ReviewMove *m = &review->moves[i];
    int sign = p->side == WHITE ? 1 : -1;
    double lost = 50 * (m->before.chance - m->after.chance);
    json_open(out, NULL, '{');
    json_put_int(out, "ply", i + 1);
    put_score(out, &m->after, sign);
    json_put_tenths(out, "win", percent(sign * m->after.chance));
    json_put_str(out, "label", label_word(m));
    json_put_tenths(out, "loss", lost > 0 ? lost : 0);
    json_put_tenths(out, "accuracy", m->accuracy);
    show_review_answer(out, review, i, p);
    if (mistake)
        json_put_int(out, "mistake", mistake);
    json_close(out, '}');
}

void show_review_totals(Text *out, const Review *review)
{
    json_open(out, "accuracy", '{');
    for (int c = 0; c < COLOR_COUNT; c++)
        json_put_tenths(out, color_name(c), review->totals[c].accuracy);
    json_close(out, '}');
    json_open(out, "loss", '{');
    for (int c = 0; c < COLOR_COUNT; c++)
        json_put_tenths(out, color_name(c), review->totals[c].average_loss);
    json_close(out, '}');
    json_open(out, "counts", '{');
    for (int c = 0; c < COLOR_COUNT; c++) {
        json_open(out, color_name(c), '{');
        for (int l = REVIEW_INACCURACY; l < REVIEW_LABEL_COUNT; l++)
            json_put_int(out, review_label_name((ReviewLabel)l), review->totals[c].labels[l]);
        json_close(out, '}');
    }
    json_close(out, '}');
    if (review->has_opening) {
        json_open(out, "opening", '{');
        json_put_str(out, "eco", review->eco);
        json_put_str(out, "name", review->opening);
        json_put_int(out, "ply", review->opening_plies);
        json_close(out, '}');
    } else {
        json_put_null(out, "opening");
    }
    json_open(out, "start", '{');
    put_score(out, &review->first, 1);
    json_put_tenths(out, "win", percent(review->first.chance));
    json_close(out, '}');
}
