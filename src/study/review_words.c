/* Reviews in words. A sentence never says more than its reason holds, and ends with the line that
 * shows it. */
#include "chess/san.h"
#include "chess/uci_move.h"
#include "study/review_int.h"

#include <string.h>

enum { BETTER_PLIES = 7, MATE_PLIES = 7, LONGEST_SHOWN = 24 };

typedef struct LabelRow {
    const char *name, *glyph, *title;
    int nag;
} LabelRow;

static const LabelRow label_rows[REVIEW_LABEL_COUNT] = {
    [REVIEW_FINE] = {"", "", "", 0},
    [REVIEW_INACCURACY] = {"inaccuracy", "?!", "Inaccuracy", 6},
    [REVIEW_MISTAKE] = {"mistake", "?", "Mistake", 2},
    [REVIEW_BLUNDER] = {"blunder", "??", "Blunder", 4},
};

const char *review_label_name(ReviewLabel l)
{
    return label_rows[l].name;
}

const char *review_label_glyph(ReviewLabel l)
{
    return label_rows[l].glyph;
}

int review_label_nag(ReviewLabel l)
{
    return label_rows[l].nag;
}

const char *review_phase_name(ReviewPhase p)
{
    static const char *const names[REVIEW_PHASE_COUNT] = {"opening", "middlegame", "endgame"};
    return names[p];
}

/* -- Lines and scores -- */

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

void review_add_score(Text *out, const ReviewScore *s, Color side)
{
    int value = side == WHITE ? s->value : -s->value;
    if (s->is_mate && value == 0)
        text_add_str(out, "#");
    else if (s->is_mate)
        text_addf(out, "#%d", value);
    else
        text_addf(out, "%c%d.%02d", value < 0 ? '-' : '+', (value < 0 ? -value : value) / 100,
                  (value < 0 ? -value : value) % 100);
}

/* -- Reasons -- */

/* Texts have {piece} for "the knight on f3", {material} for what changes hands, {moves} to mate,
 * {square}, {file}, and for a threat {move}, which makes it, and {threat}, how it would go on. */
typedef struct ReasonRow {
    const char *text;
    bool missed;         /* the best line shows it */
    const char *special; /* of a trade that a tablebase proves lost, or of a threat of mate */
} ReasonRow;

static const ReasonRow reason_rows[REASON_KIND_COUNT] = {
    [REASON_NONE] = {"", false, NULL},
    [REASON_HANGS] = {"Hangs {piece}", false, NULL},
    [REASON_TRADES_INTO_LOSS] = {"Trades into a lost ending", false,
                                 "Trades into a lost ending (tablebase)"},
    [REASON_SPOILS_TB_WIN] = {"Gives away a won ending (tablebase)", false, NULL},
    [REASON_SPOILS_TB_DRAW] = {"Loses a drawn ending (tablebase)", false, NULL},
    [REASON_ALLOWS_MATE] = {"Allows mate in {moves}", false, NULL},
    [REASON_MISSES_MATE] = {"Missed mate in {moves}", true, NULL},
    [REASON_ALLOWS_BACK_RANK] = {"Allows mate on the back rank in {moves}", false, NULL},
    [REASON_MISSES_BACK_RANK] = {"Missed mate on the back rank in {moves}", true, NULL},
    [REASON_LOSES] = {"Loses {material}", false, NULL},
    [REASON_MISSES_MATERIAL] = {"Misses the win of {material}", true, NULL},
    [REASON_ALLOWS_FORK] = {"Allows a fork by {piece}", false, NULL},
    [REASON_MISSES_FORK] = {"Misses a fork by {piece}", true, NULL},
    [REASON_ALLOWS_PIN] = {"Allows the pin of {piece}", false, NULL},
    [REASON_MISSES_PIN] = {"Misses the pin of {piece}", true, NULL},
    [REASON_ALLOWS_SKEWER] = {"Allows the skewer of {piece}", false, NULL},
    [REASON_MISSES_SKEWER] = {"Misses the skewer of {piece}", true, NULL},
    [REASON_ALLOWS_DISCOVERY] = {"Allows a discovered attack by {piece}", false, NULL},
    [REASON_MISSES_DISCOVERY] = {"Misses a discovered attack by {piece}", true, NULL},
    [REASON_ALLOWS_TRAP] = {"Lets the opponent trap {piece}", false, NULL},
    [REASON_MISSES_TRAP] = {"Misses the chance to trap {piece}", true, NULL},
    [REASON_ALLOWS_OVERLOAD] = {"Allows a capture that overloads {piece}", false, NULL},
    [REASON_MISSES_OVERLOAD] = {"Misses a capture that overloads {piece}", true, NULL},
    [REASON_ALLOWS_REMOVAL] = {"Allows the capture of a defender, {piece}", false, NULL},
    [REASON_MISSES_REMOVAL] = {"Misses the capture of a defender, {piece}", true, NULL},
    [REASON_ALLOWS_PROMOTION] = {"Allows a pawn to promote on {square}", false, NULL},
    [REASON_MISSES_PROMOTION] = {"Misses the promotion of a pawn on {square}", true, NULL},
    [REASON_ALLOWS_RACE] = {"Loses the promotion race: the pawn promotes on {square}", false, NULL},
    [REASON_MISSES_RACE] = {"Misses the win of the promotion race: the pawn promotes on {square}",
                            true, NULL},
    [REASON_ALLOWS_RUN] = {"Leaves the king too far away to stop {piece}", false, NULL},
    [REASON_MISSES_RUN] = {"Misses that the king is too far away to stop {piece}", true, NULL},
    [REASON_ALLOWS_STALEMATE] = {"Allows stalemate", false, NULL},
    [REASON_MISSES_STALEMATE] = {"Misses a stalemate", true, NULL},
    [REASON_ALLOWS_REPETITION] = {"Allows a draw by repetition", false, NULL},
    [REASON_MISSES_REPETITION] = {"Misses a draw by repetition", true, NULL},
    [REASON_ALLOWS_THREAT] = {"Allows {move}, which threatens to win {material} ({threat})", false,
                              "Allows {move}, which threatens mate in {moves} ({threat})"},
    [REASON_MISSES_THREAT] = {"Misses {move}, which threatens to win {material} ({threat})", true,
                              "Misses {move}, which threatens mate in {moves} ({threat})"},
    [REASON_ALLOWS_CHECKS] = {"Exposes the king to checks", false, NULL},
    [REASON_MISSES_CHECKS] = {"Misses a series of checks", true, NULL},
    [REASON_ALLOWS_KING_MOVE] = {"Loses the right to castle", false, NULL},
    [REASON_MISSES_KING_MOVE] = {"Misses the chance to prevent castling", true, NULL},
    [REASON_ALLOWS_ADVANCE] = {"Lets a passed pawn advance to {square}", false, NULL},
    [REASON_MISSES_ADVANCE] = {"Misses the advance of a passed pawn to {square}", true, NULL},
    [REASON_ALLOWS_PASSED_PAWN] = {"Gives the opponent a passed pawn on {square}", false, NULL},
    [REASON_MISSES_PASSED_PAWN] = {"Misses the chance of a passed pawn on {square}", true, NULL},
    [REASON_ALLOWS_TEMPO] = {"Lets the opponent gain time by attacking {piece}", false, NULL},
    [REASON_MISSES_TEMPO] = {"Misses the gain of time by attacking {piece}", true, NULL},
    [REASON_ALLOWS_SEVENTH] = {"Lets a rook reach the seventh rank on {square}", false, NULL},
    [REASON_MISSES_SEVENTH] = {"Misses the seventh rank for a rook, on {square}", true, NULL},
    [REASON_ALLOWS_DOUBLED] = {"Leaves doubled pawns on the {file}-file", false, NULL},
    [REASON_MISSES_DOUBLED] = {"Misses the chance to double the pawns on the {file}-file", true,
                               NULL},
    [REASON_ALLOWS_ISOLATED] = {"Leaves an isolated pawn on {square}", false, NULL},
    [REASON_MISSES_ISOLATED] = {"Misses the chance to isolate the pawn on {square}", true, NULL},
    [REASON_ALLOWS_BISHOP_PAIR] = {"Loses the bishop pair", false, NULL},
    [REASON_MISSES_BISHOP_PAIR] = {"Misses the chance to break up the bishop pair", true, NULL},
    [REASON_ALLOWS_QUEENS] = {"Allows the exchange of queens", false, NULL},
    [REASON_MISSES_QUEENS] = {"Misses the exchange of queens", true, NULL},
};

const char *review_piece_word(PieceType t)
{
    static const char *const words[] = {"pawn", "knight", "bishop", "rook", "queen", "king", ""};
    return words[t];
}

static int pieces_in(const uint8_t *pieces)
{
    int count = 0;
    for (int t = PAWN; t <= QUEEN; t++)
        count += pieces[t];
    return count;
}

/* "a rook", "two pawns and a knight": the greatest first. */
static void add_pieces(Text *out, const uint8_t *pieces)
{
    static const char *const numbers[] = {"two", "three", "four"};
    int left = pieces_in(pieces);
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
    int gone = pieces_in(r->gone), got = pieces_in(r->got);
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
    const ReasonRow *row = &reason_rows[r->kind];
    bool special = r->kind == REASON_TRADES_INTO_LOSS ? r->certain : r->moves > 0;
    return row->special && special ? row->special : row->text;
}

static const Move *line_of(const ReviewMove *m, const ReviewReason *r, int *length)
{
    bool missed = reason_rows[r->kind].missed;
    *length = missed ? m->line_length : m->reply_length;
    return missed ? m->line : m->reply;
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
    if (!reason_rows[r->kind].missed)
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
        if (reason_rows[m->reasons[k].kind].missed)
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
        text_addf(out, "%s.", label_rows[m->label].title);
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
