#include "service/study/review_json_int.h"

#include "notation/json_value.h"
#include "service/position_json_int.h"

enum { DETAIL_MOVES = 12 };

static json_t *json_score(const ReviewScore *s, int sign)
{
    return json_pack("{s:i}", s->is_mate ? "mate" : "cp", sign * s->value);
}

static double percent(double chance)
{
    return 50 + 50 * chance;
}

static json_t *json_detail(const Position *p, const Move *moves, int count)
{
    return json_line(p, moves, count < DETAIL_MOVES ? count : DETAIL_MOVES);
}

static void set_best(json_t *out, const Position *p, const ReviewMove *m)
{
    if (!m->line_length || m->line[0] == m->move)
        return;
    json_t *best = json_move(p, m->line[0]);
    json_object_set_new(best, "score", json_score(&m->before, p->side == WHITE ? 1 : -1));
    json_object_set_new(best, "line", json_detail(p, m->line, m->line_length));
    json_object_set_new(out, "best", best);
}

static void set_reply(json_t *out, const Position *p, const ReviewMove *m)
{
    Position after = *p;
    Undo undo;
    if (!m->reply_length || m->label == REVIEW_FINE)
        return;
    pos_make(&after, m->move, &undo);
    json_object_set_new(out, "reply",
                        json_pack("{s:o}", "line", json_detail(&after, m->reply, m->reply_length)));
}

static json_t *json_pieces(const uint8_t *count)
{
    json_t *out = json_array();
    for (int t = QUEEN; t >= PAWN; t--)
        for (int i = 0; i < count[t]; i++)
            json_array_append_new(out, json_string(review_piece_word((PieceType)t)));
    return out;
}

static void set_moves(json_t *out, const char *key, const Review *review, int i, int k,
                      ReviewReasonPart part)
{
    Text moves = text_new();
    review_add_reason_moves(review, i, k, part, &moves);
    if (moves.len)
        json_object_set_new(out, key, value_span((Span){moves.at, moves.len}));
    text_free(&moves);
}

/* A reason in parts, so that the page can write it in its own language. */
static json_t *json_reason(const Review *review, int i, int k)
{
    const ReviewReason *r = &review->moves[i].reasons[k];
    char square[3] = "";
    if (r->square != SQ_NONE)
        square_name(r->square, square);
    json_t *out = json_pack("{s:s, s:s, s:s, s:i, s:o, s:o}", "text", review_reason_text(r),
                            "piece", review_piece_word(r->piece), "square", square, "moves",
                            r->moves, "gone", json_pieces(r->gone), "got", json_pieces(r->got));
    set_moves(out, "line", review, i, k, REASON_PART_LINE);
    set_moves(out, "move", review, i, k, REASON_PART_MOVE);
    set_moves(out, "threat", review, i, k, REASON_PART_THREAT);
    return out;
}

static void set_reason(json_t *out, const Review *review, int i)
{
    int count = review->moves[i].reason_count;
    if (!count)
        return;
    Text words = text_new();
    json_t *reasons = json_array();
    for (int k = 0; k < count; k++) {
        if (k)
            text_add_char(&words, ' ');
        review_add_reason(review, i, k, &words);
        json_array_append_new(reasons, json_reason(review, i, k));
    }
    json_object_set_new(out, "reason", value_span((Span){words.at, words.len}));
    json_object_set_new(out, "reasons", reasons);
    text_free(&words);
}

json_t *review_answer_json(const Review *review, int i, const Position *p)
{
    json_t *out = json_object();
    set_best(out, p, &review->moves[i]);
    set_reply(out, p, &review->moves[i]);
    set_reason(out, review, i);
    return out;
}

static const char *label_word(const ReviewMove *m)
{
    if (m->label != REVIEW_FINE)
        return review_label_name(m->label);
    return m->in_book ? "book" : m->only_move ? "only" : NULL;
}

json_t *review_move_json(const Review *review, int i, const Position *p, int64_t mistake)
{
    const ReviewMove *m = &review->moves[i];
    int sign = p->side == WHITE ? 1 : -1;
    double lost = 50 * (m->before.chance - m->after.chance);
    json_t *out = json_pack(
        "{s:i, s:o, s:o, s:s?, s:o, s:o}", "ply", i + 1, "score", json_score(&m->after, sign),
        "win", value_tenths(percent(sign * m->after.chance)), "label", label_word(m), "loss",
        value_tenths(lost > 0 ? lost : 0), "accuracy", value_tenths(m->accuracy));
    json_object_update_new(out, review_answer_json(review, i, p));
    if (mistake)
        json_object_set_new(out, "mistake", json_integer(mistake));
    return out;
}

static json_t *json_counts(const ReviewTotals *totals)
{
    json_t *out = json_object();
    for (int l = REVIEW_INACCURACY; l < REVIEW_LABEL_COUNT; l++)
        json_object_set_new(out, review_label_name((ReviewLabel)l),
                            json_integer(totals->labels[l]));
    return out;
}

json_t *review_totals_json(const Review *review)
{
    const ReviewTotals *white = &review->totals[WHITE], *black = &review->totals[BLACK];
    json_t *opening = NULL;
    if (review->has_opening)
        opening = json_pack("{s:s, s:o, s:i}", "eco", review->eco, "name",
                            value_text(review->opening), "ply", review->opening_plies);
    return json_pack(
        "{s:{s:o, s:o}, s:{s:o, s:o}, s:{s:o, s:o}, s:o?, s:{s:o, s:o}}", "accuracy", "white",
        value_tenths(white->accuracy), "black", value_tenths(black->accuracy), "loss", "white",
        value_tenths(white->average_loss), "black", value_tenths(black->average_loss), "counts",
        "white", json_counts(white), "black", json_counts(black), "opening", opening, "start",
        "score", json_score(&review->first, 1), "win", value_tenths(percent(review->first.chance)));
}
