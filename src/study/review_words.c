/* Reviews in words. A sentence never says more than its reason holds, and ends with the line that
 * shows it. */
#include "chess/san.h"
#include "chess/uci_move.h"
#include "study/review_int.h"

#include <string.h>

enum { BETTER_PLIES = 7, MATE_PLIES = 7, LONGEST_SHOWN = 24 };

const ReviewLabelRow review_labels[REVIEW_LABEL_COUNT] = {
    [REVIEW_FINE] = {"", "", "", 0},
    [REVIEW_INACCURACY] = {"inaccuracy", "?!", "Inaccuracy", 6},
    [REVIEW_MISTAKE] = {"mistake", "?", "Mistake", 2},
    [REVIEW_BLUNDER] = {"blunder", "??", "Blunder", 4},
};

const char *review_label_name(ReviewLabel l)
{
    return review_labels[l].name;
}

/* -- Lines -- */

static void add_line(Text *out, const Position *from, const Move *moves, int count)
{
    Position p = *from;
    Undo undo;
    for (int i = 0; i < count; i++) {
        char san[SAN_SIZE];
        san_write(&p, moves[i], san);
        if (i)
            text_add_char(out, ' ');
        if (p.side == WHITE || i == 0)
            text_addf(out, "%u%s", p.game_ply / 2 + 1, p.side == WHITE ? "." : "...");
        text_add_str(out, san);
        pos_make(&p, moves[i], &undo);
    }
}

/* -- Reasons -- */

/* Of each kind the text, and the special one where it has one. */
static const char *const reason_texts[][2] = {
    [REASON_NONE] = {""},
#define REASON(kind, ...) [REASON_##kind] = {__VA_ARGS__},
#include "study/reasons.def"
#undef REASON
};

/* The best line shows it. */
static bool is_missed(const ReviewReason *r)
{
    return r->kind > REASON_ALLOWS_MATE && (r->kind - REASON_ALLOWS_MATE) % 2 == 1;
}

const char *review_piece_word(PieceType t)
{
    static const char *const words[] = {"pawn", "knight", "bishop", "rook", "queen", "king", ""};
    return words[t];
}

/* "a rook", "two pawns and a knight": the greatest first. */
static void add_pieces(Text *out, const uint8_t *pieces)
{
    static const char *const numbers[] = {"two", "three", "four"};
    int left = material_count(pieces, PAWN);
    bool first = true;
    for (int t = QUEEN; t >= PAWN; t--) {
        int n = pieces[t];
        if (!n)
            continue;
        left -= n;
        text_add_str(out, first ? "" : left ? ", " : " and ");
        text_addf(out, "%s %s%s", n == 1 ? "a" : numbers[n - 2], review_piece_word((PieceType)t),
                  n == 1 ? "" : "s");
        first = false;
    }
}

/* A rook for a knight or bishop has a name of its own; what takes too many words
 * is just material. */
static void add_material(Text *out, const ReviewReason *r)
{
    enum { MOST_NAMED = 4 };
    int gone = material_count(r->gone, PAWN), got = material_count(r->got, PAWN);
    if (gone == 1 && r->gone[ROOK] && got == 1 && (r->got[KNIGHT] || r->got[BISHOP])) {
        text_add_str(out, "the exchange");
    } else if (!gone || gone + got > MOST_NAMED) {
        text_add_str(out, "material");
    } else {
        add_pieces(out, r->gone);
        text_add_str(out, got ? " for " : "");
        add_pieces(out, r->got);
    }
}

const char *review_reason_text(const ReviewReason *r)
{
    const char *const *texts = reason_texts[r->kind];
    bool special = r->kind == REASON_TRADES_INTO_LOSS ? r->certain : r->moves > 0;
    return texts[1] && special ? texts[1] : texts[0];
}

static const Move *line_of(const ReviewMove *m, const ReviewReason *r, int *length)
{
    *length = is_missed(r) ? m->line_length : m->reply_length;
    return is_missed(r) ? m->line : m->reply;
}

/* A distant mate is told by how it begins; other claims are not shown before their line is over. */
static void add_line_of(Text *out, const Position *from, const ReviewMove *m, const ReviewReason *r)
{
    int length, longest = r->moves ? MATE_PLIES : LONGEST_SHOWN;
    const Move *moves = line_of(m, r, &length);
    int shown = r->plies < length ? r->plies : length;
    add_line(out, from, moves, shown < longest ? shown : longest);
    if (shown > longest)
        text_add_str(out, " ...");
}

static bool is_threat(const ReviewReason *r)
{
    return r->kind == REASON_ALLOWS_THREAT || r->kind == REASON_MISSES_THREAT;
}

/* What would follow the first move of the line if the other side passed. */
static void add_threat(Text *out, const Position *from, Move first, const ReviewReason *r)
{
    Position p = *from;
    Undo undo;
    pos_make(&p, first, &undo);
    pos_make_null(&p, &undo);
    add_line(out, &p, r->threat, r->threat_length);
}

void review_add_reason_moves(const Review *review, int i, int reason, ReviewReasonPart part,
                             Text *out)
{
    const ReviewMove *m = &review->moves[i];
    const ReviewReason *r = &m->reasons[reason];
    Position from;
    Undo undo;
    int length;
    review_position(review, i, &from);
    if (!is_missed(r))
        pos_make(&from, m->move, &undo);
    if (part == REASON_PART_LINE && !is_threat(r))
        add_line_of(out, &from, m, r);
    else if (part == REASON_PART_MOVE && is_threat(r))
        add_line(out, &from, line_of(m, r, &length), 1);
    else if (part == REASON_PART_THREAT && is_threat(r))
        add_threat(out, &from, line_of(m, r, &length)[0], r);
}

static void add_value(const Review *review, int i, int reason, Span name, Text *out)
{
    const ReviewReason *r = &review->moves[i].reasons[reason];
    char square[3] = "";
    if (r->square != SQ_NONE)
        square_name(r->square, square);
    if (span_is(name, "piece"))
        text_addf(out, "the %s on %s", review_piece_word(r->piece), square);
    else if (span_is(name, "material"))
        add_material(out, r);
    else if (span_is(name, "moves"))
        text_addf(out, "%d", r->moves);
    else if (span_is(name, "square"))
        text_add_str(out, square);
    else if (span_is(name, "file"))
        text_add_char(out, square[0]);
    else if (span_is(name, "move"))
        review_add_reason_moves(review, i, reason, REASON_PART_MOVE, out);
    else
        review_add_reason_moves(review, i, reason, REASON_PART_THREAT, out);
}

void review_add_reason(const Review *review, int i, int reason, Text *out)
{
    const char *text = review_reason_text(&review->moves[i].reasons[reason]);
    for (const char *open; (open = strchr(text, '{'));) {
        const char *close = strchr(open, '}');
        text_add(out, text, (size_t)(open - text));
        add_value(review, i, reason, (Span){open + 1, (size_t)(close - open - 1)}, out);
        text = close + 1;
    }
    text_add_str(out, text);
    Text line = text_new();
    review_add_reason_moves(review, i, reason, REASON_PART_LINE, &line);
    if (line.len)
        text_addf(out, ": %s", line.at);
    text_free(&line);
    if (out->at[out->len - 1] != '.') /* an unfinished line has its dots */
        text_add_char(out, '.');
}

/* -- A move -- */

static bool tells_best_line(const ReviewMove *m)
{
    for (int k = 0; k < m->reason_count; k++)
        if (is_missed(&m->reasons[k]))
            return true;
    return false;
}

void review_add_words(const Review *review, int i, Text *out)
{
    const ReviewMove *m = &review->moves[i];
    Position before;
    if (m->only_move)
        text_add_str(out, "Only move.");
    if (m->label == REVIEW_FINE && !m->reason_count)
        return;
    review_position(review, i, &before);
    const char *blank = "";
    if (m->label != REVIEW_FINE) {
        text_addf(out, "%s.", review_labels[m->label].title);
        blank = " ";
    }
    for (int k = 0; k < m->reason_count; k++, blank = " ") {
        text_add_str(out, blank);
        review_add_reason(review, i, k, out);
    }
    if (m->label != REVIEW_FINE && !tells_best_line(m) && m->line_length) {
        text_addf(out, "%sBetter was ", blank);
        add_line(out, &before, m->line,
                 m->line_length < BETTER_PLIES ? m->line_length : BETTER_PLIES);
        text_add_char(out, '.');
    }
}
