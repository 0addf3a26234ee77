/* A review as the page wants it: the fields are those of "result" in docs/dev/service.md, and some more. */
#include "chess/san.h"
#include "chess/uci_move.h"
#include "study/quote.h"
#include "study/review_int.h"

static const char *const color_names[COLOR_COUNT] = {"white", "black"};

static void add_score(Text *out, const ReviewScore *s, Color side)
{
    int value = side == WHITE ? s->value : -s->value;
    text_addf(out, "{\"%s\": %d}", s->is_mate ? "mate" : "cp", value);
}

static double win_percent(const ReviewScore *s, Color side)
{
    double chance = review_chance(s);
    return 50 + 50 * (side == WHITE ? chance : -chance);
}

static void add_judged(Text *out, const ReviewScore *s, Color side)
{
    text_add_str(out, "\"score\": ");
    add_score(out, s, side);
    text_addf(out, ", \"win\": %.1f", win_percent(s, side));
}

static void add_moves(Text *out, const Position *from, const Move *moves, int count)
{
    Position p = *from;
    Undo undo;
    text_add_char(out, '[');
    for (int i = 0; i < count; i++) {
        char san[SAN_SIZE], uci[UCI_MOVE_SIZE];
        san_write(&p, moves[i], san);
        uci_move_write(&p, moves[i], uci);
        text_addf(out, "%s{\"uci\": \"%s\", \"san\": \"%s\"}", i ? ", " : "", uci, san);
        pos_make(&p, moves[i], &undo);
    }
    text_add_char(out, ']');
}

static const char *label_of(const ReviewMove *m)
{
    if (m->label != REVIEW_FINE)
        return review_label_name(m->label);
    return m->only_move ? "only" : m->in_book ? "book" : NULL;
}

static void add_best(Text *out, const ReviewMove *m, const Position *p)
{
    char san[SAN_SIZE], uci[UCI_MOVE_SIZE];
    san_write(p, m->line[0], san);
    uci_move_write(p, m->line[0], uci);
    text_addf(out, ", \"best\": {\"uci\": \"%s\", \"san\": \"%s\", \"score\": ", uci, san);
    add_score(out, &m->before, p->side);
    text_add_str(out, ", \"line\": ");
    add_moves(out, p, m->line, m->line_length);
    text_add_char(out, '}');
}

static void add_reply(Text *out, const ReviewMove *m, const Position *p)
{
    Position after = *p;
    Undo undo;
    pos_make(&after, m->move, &undo);
    text_add_str(out, ", \"reply\": {\"line\": ");
    add_moves(out, &after, m->reply, m->reply_length);
    text_add_char(out, '}');
}

static void add_reasons(Text *out, const Review *review, int i)
{
    const ReviewMove *m = &review->moves[i];
    Text words;
    text_init(&words);
    text_add_str(out, ", \"reasons\": [");
    for (int k = 0; k < m->reason_count; k++) {
        text_addf(out, "%s\"%s\"", k ? ", " : "", review_reason_name(m->reasons[k].kind));
        text_add_str(&words, k ? " " : "");
        review_add_reason(review, i, k, &words);
    }
    text_add_str(out, "], \"reason\": ");
    quote_json(out, (Span){words.at, words.len});
    out->failed |= words.failed;
    text_free(&words);
}

static void add_move(Text *out, const Review *review, int i, const Position *p)
{
    const ReviewMove *m = &review->moves[i];
    const char *label = label_of(m);
    double drop = 50 * (m->before.chance - m->after.chance);
    bool faulty = m->label != REVIEW_FINE || m->missed_mate;
    text_addf(out, "%s\n{\"ply\": %d, ", i ? "," : "", i + 1);
    add_judged(out, &m->after, p->side);
    text_addf(out, ", \"wdl\": [%d, %d, %d]", p->side == WHITE ? m->after.win : m->after.loss,
              m->after.draw, p->side == WHITE ? m->after.loss : m->after.win);
    text_addf(out, ", \"label\": %s%s%s", label ? "\"" : "", label ? label : "null",
              label ? "\"" : "");
    text_addf(out, ", \"loss\": %.1f, \"accuracy\": %.1f, \"phase\": \"%s\"",
              m->accuracy < 100 && drop > 0 ? drop : 0.0, m->accuracy, review_phase_name(m->phase));
    if (m->missed_mate)
        text_addf(out, ", \"missed_mate\": %d", m->missed_mate);
    if (m->line_length && m->line[0] != m->move)
        add_best(out, m, p);
    if (faulty && m->reply_length)
        add_reply(out, m, p);
    if (m->reason_count)
        add_reasons(out, review, i);
    text_add_char(out, '}');
}

typedef double (*Figure)(const ReviewTotals *);

static double accuracy(const ReviewTotals *t)
{
    return t->accuracy;
}

static double average_loss(const ReviewTotals *t)
{
    return t->average_loss;
}

static void add_both(Text *out, const char *name, const ReviewTotals totals[COLOR_COUNT], Figure f)
{
    text_addf(out, "\"%s\": {\"white\": %.1f, \"black\": %.1f}", name, f(&totals[WHITE]),
              f(&totals[BLACK]));
}

static void add_counts(Text *out, const ReviewTotals totals[COLOR_COUNT])
{
    text_add_str(out, "\"counts\": {");
    for (int c = 0; c < COLOR_COUNT; c++) {
        text_addf(out, "%s\"%s\": {\"moves\": %d", c ? ", " : "", color_names[c], totals[c].moves);
        for (int l = REVIEW_INACCURACY; l < REVIEW_LABEL_COUNT; l++)
            text_addf(out, ", \"%s\": %d", review_label_name((ReviewLabel)l), totals[c].labels[l]);
        text_add_char(out, '}');
    }
    text_add_char(out, '}');
}

static void add_totals(Text *out, const ReviewTotals totals[COLOR_COUNT])
{
    add_both(out, "accuracy", totals, accuracy);
    text_add_str(out, ", ");
    add_both(out, "loss", totals, average_loss);
    text_add_str(out, ", ");
    add_counts(out, totals);
}

static void add_opening(Text *out, const Review *review)
{
    text_add_str(out, ", \"opening\": ");
    if (!review->has_opening) {
        text_add_str(out, "null");
    } else {
        text_add_str(out, "{\"eco\": ");
        quote_json(out, span_of(review->eco));
        text_add_str(out, ", \"name\": ");
        quote_json(out, span_of(review->opening));
        text_addf(out, ", \"ply\": %d}", review->opening_plies);
    }
    text_addf(out, ", \"book_ply\": %d", review->book_plies);
}

void review_add_json(const Review *review, Text *out)
{
    Position p = review->start;
    Undo undo;
    text_add_char(out, '{');
    add_totals(out, review->totals);
    text_add_str(out, ",\n\"phases\": {");
    for (int k = 0; k < REVIEW_PHASE_COUNT; k++) {
        text_addf(out, "%s\"%s\": {", k ? ", " : "", review_phase_name((ReviewPhase)k));
        add_totals(out, review->by_phase[k]);
        text_add_char(out, '}');
    }
    text_add_char(out, '}');
    add_opening(out, review);
    text_add_str(out, ",\n\"start\": {");
    add_judged(out, &review->first, WHITE);
    text_add_str(out, "}, \"moves\": [");
    for (int i = 0; i < review->count; i++) {
        add_move(out, review, i, &p);
        pos_make(&p, review->moves[i].move, &undo);
    }
    text_add_str(out, "]}\n");
}
