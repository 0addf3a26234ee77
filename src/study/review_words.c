/* Reviews in words. A sentence never says more than its reason holds, and ends with the line that
 * shows it. */
#include "chess/san.h"
#include "chess/uci_move.h"
#include "study/review_int.h"

enum { BETTER_PLIES = 7, LONGEST_SHOWN = 24 };

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

typedef enum Shape {
    PLAIN,     /* the words alone */
    IN_MOVES,  /* words, then "in N" */
    ON,        /* words, then "the knight on f3" */
    BY,        /* words, then "by the knight on f3" */
    MATERIAL,  /* words, then what went */
    AT,        /* words, then "on e8" */
    TO,        /* words, then "to e8" */
    FILE_OF,   /* words, then "on the e-file" */
    THREATENS, /* words, then the first move and what it threatens */
} Shape;

typedef struct ReasonRow {
    const char *words;
    Shape shape;
    bool missed; /* the best line shows it */
} ReasonRow;

static const ReasonRow reason_rows[REASON_KIND_COUNT] = {
    [REASON_NONE] = {"", PLAIN, false},
    [REASON_HANGS] = {"Hangs", ON, false},
    [REASON_TRADES_INTO_LOSS] = {"Trades into a lost ending", PLAIN, false},
    [REASON_SPOILS_TB_WIN] = {"Gives away a won ending", PLAIN, false},
    [REASON_SPOILS_TB_DRAW] = {"Loses a drawn ending", PLAIN, false},
    [REASON_ALLOWS_MATE] = {"Allows mate", IN_MOVES, false},
    [REASON_MISSES_MATE] = {"Missed mate", IN_MOVES, true},
    [REASON_ALLOWS_BACK_RANK] = {"Allows mate on the back rank", IN_MOVES, false},
    [REASON_MISSES_BACK_RANK] = {"Missed mate on the back rank", IN_MOVES, true},
    [REASON_LOSES] = {"Loses", MATERIAL, false},
    [REASON_MISSES_MATERIAL] = {"Misses the win of", MATERIAL, true},
    [REASON_ALLOWS_FORK] = {"Allows a fork", BY, false},
    [REASON_MISSES_FORK] = {"Misses a fork", BY, true},
    [REASON_ALLOWS_PIN] = {"Allows the pin of", ON, false},
    [REASON_MISSES_PIN] = {"Misses the pin of", ON, true},
    [REASON_ALLOWS_SKEWER] = {"Allows the skewer of", ON, false},
    [REASON_MISSES_SKEWER] = {"Misses the skewer of", ON, true},
    [REASON_ALLOWS_DISCOVERY] = {"Allows a discovered attack", BY, false},
    [REASON_MISSES_DISCOVERY] = {"Misses a discovered attack", BY, true},
    [REASON_ALLOWS_TRAP] = {"Lets the opponent trap", ON, false},
    [REASON_MISSES_TRAP] = {"Misses the chance to trap", ON, true},
    [REASON_ALLOWS_OVERLOAD] = {"Allows a capture that overloads", ON, false},
    [REASON_MISSES_OVERLOAD] = {"Misses a capture that overloads", ON, true},
    [REASON_ALLOWS_REMOVAL] = {"Allows the capture of a defender,", ON, false},
    [REASON_MISSES_REMOVAL] = {"Misses the capture of a defender,", ON, true},
    [REASON_ALLOWS_PROMOTION] = {"Allows a pawn to promote", AT, false},
    [REASON_MISSES_PROMOTION] = {"Misses the promotion of a pawn", AT, true},
    [REASON_ALLOWS_RACE] = {"Loses the promotion race: the pawn promotes", AT, false},
    [REASON_MISSES_RACE] = {"Misses the win of the promotion race: the pawn promotes", AT, true},
    [REASON_ALLOWS_RUN] = {"Leaves the king too far away to stop", ON, false},
    [REASON_MISSES_RUN] = {"Misses that the king is too far away to stop", ON, true},
    [REASON_ALLOWS_STALEMATE] = {"Allows stalemate", PLAIN, false},
    [REASON_MISSES_STALEMATE] = {"Misses a stalemate", PLAIN, true},
    [REASON_ALLOWS_REPETITION] = {"Allows a draw by repetition", PLAIN, false},
    [REASON_MISSES_REPETITION] = {"Misses a draw by repetition", PLAIN, true},
    [REASON_ALLOWS_THREAT] = {"Allows", THREATENS, false},
    [REASON_MISSES_THREAT] = {"Misses", THREATENS, true},
    [REASON_ALLOWS_CHECKS] = {"Exposes the king to checks", PLAIN, false},
    [REASON_MISSES_CHECKS] = {"Misses a series of checks", PLAIN, true},
    [REASON_ALLOWS_KING_MOVE] = {"Loses the right to castle", PLAIN, false},
    [REASON_MISSES_KING_MOVE] = {"Misses the chance to prevent castling", PLAIN, true},
    [REASON_ALLOWS_ADVANCE] = {"Lets a passed pawn advance", TO, false},
    [REASON_MISSES_ADVANCE] = {"Misses the advance of a passed pawn", TO, true},
    [REASON_ALLOWS_PASSED_PAWN] = {"Gives the opponent a passed pawn", AT, false},
    [REASON_MISSES_PASSED_PAWN] = {"Misses the chance of a passed pawn", AT, true},
    [REASON_ALLOWS_TEMPO] = {"Lets the opponent gain time by attacking", ON, false},
    [REASON_MISSES_TEMPO] = {"Misses the gain of time by attacking", ON, true},
    [REASON_ALLOWS_SEVENTH] = {"Lets a rook reach the seventh rank", AT, false},
    [REASON_MISSES_SEVENTH] = {"Misses the seventh rank for a rook,", AT, true},
    [REASON_ALLOWS_DOUBLED] = {"Leaves doubled pawns", FILE_OF, false},
    [REASON_MISSES_DOUBLED] = {"Misses the chance to double the pawns", FILE_OF, true},
    [REASON_ALLOWS_ISOLATED] = {"Leaves an isolated pawn", AT, false},
    [REASON_MISSES_ISOLATED] = {"Misses the chance to isolate the pawn", AT, true},
    [REASON_ALLOWS_BISHOP_PAIR] = {"Loses the bishop pair", PLAIN, false},
    [REASON_MISSES_BISHOP_PAIR] = {"Misses the chance to break up the bishop pair", PLAIN, true},
    [REASON_ALLOWS_QUEENS] = {"Allows the exchange of queens", PLAIN, false},
    [REASON_MISSES_QUEENS] = {"Misses the exchange of queens", PLAIN, true},
};

static const char *piece_word(PieceType t)
{
    static const char *const words[] = {"pawn", "knight", "bishop", "rook", "queen", "king", ""};
    return words[t];
}

static void add_piece_on(Text *out, const ReviewReason *r)
{
    char square[3];
    square_name(r->square, square);
    text_addf(out, " the %s on %s", piece_word(r->piece), square);
}

static void add_square(Text *out, const char *preposition, Square s)
{
    char square[3];
    square_name(s, square);
    text_addf(out, " %s %s", preposition, square);
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
    int left = pieces_in(pieces), said = 0;
    for (int t = QUEEN; t >= PAWN; t--) {
        int n = pieces[t];
        if (!n)
            continue;
        left -= n;
        text_add_str(out, !said ? " " : left ? ", " : " and ");
        text_addf(out, "%s %s%s", n == 1 ? "a" : numbers[n - 2], piece_word((PieceType)t),
                  n == 1 ? "" : "s");
        said = 1;
    }
}

/* A rook for a knight or bishop has a name of its own; what takes too many words
 * is just material. */
static void add_material(Text *out, const ReviewReason *r)
{
    enum { MOST_NAMED = 4 };
    int gone = pieces_in(r->gone), got = pieces_in(r->got);
    if (gone == 1 && r->gone[ROOK] && got == 1 && (r->got[KNIGHT] || r->got[BISHOP])) {
        text_add_str(out, " the exchange");
    } else if (!gone || gone + got > MOST_NAMED) {
        text_add_str(out, " material");
    } else {
        add_pieces(out, r->gone);
        text_add_str(out, got ? " for" : "");
        add_pieces(out, r->got);
    }
}

/* "14...Nd4, which threatens to win a knight (15...Nxf3+)". */
static void add_threat(Text *out, const Position *from, Move first, const ReviewReason *r)
{
    Position p = *from;
    Undo undo;
    text_add_char(out, ' ');
    add_line(out, &p, &first, 1);
    pos_make(&p, first, &undo);
    pos_make_null(&p, &undo);
    text_add_str(out, ", which threatens ");
    if (r->moves) {
        text_addf(out, "mate in %d", r->moves);
    } else {
        text_add_str(out, "to win");
        add_material(out, r);
    }
    text_add_str(out, " (");
    add_line(out, &p, r->threat, r->threat_length);
    text_add_char(out, ')');
}

static void add_claim(Text *out, const ReviewReason *r)
{
    const ReasonRow *row = &reason_rows[r->kind];
    text_add_str(out, row->words);
    switch (row->shape) {
    case PLAIN:
    case THREATENS:
        break;
    case IN_MOVES:
        text_addf(out, " in %d", r->moves);
        break;
    case BY:
        text_add_str(out, " by");
        add_piece_on(out, r);
        break;
    case ON:
        add_piece_on(out, r);
        break;
    case MATERIAL:
        add_material(out, r);
        break;
    case AT:
        add_square(out, "on", r->square);
        break;
    case TO:
        add_square(out, "to", r->square);
        break;
    case FILE_OF:
        text_addf(out, " on the %c-file", 'a' + square_file(r->square));
        break;
    }
    if (r->certain && row->shape == PLAIN)
        text_add_str(out, " (tablebase)");
}

static void add_line_of(Text *out, const Position *from, const Move *moves, int length, int plies)
{
    int shown = plies < length ? plies : length;
    if (shown <= 0)
        return;
    text_add_str(out, ": ");
    add_line(out, from, moves, shown < LONGEST_SHOWN ? shown : LONGEST_SHOWN);
    if (shown > LONGEST_SHOWN)
        text_add_str(out, " ...");
}

static void add_reason(const ReviewMove *m, const Position *before, const ReviewReason *r,
                       Text *out)
{
    const ReasonRow *row = &reason_rows[r->kind];
    Position from = *before;
    Undo undo;
    if (!row->missed)
        pos_make(&from, m->move, &undo);
    add_claim(out, r);
    if (row->shape == THREATENS)
        add_threat(out, &from, row->missed ? m->line[0] : m->reply[0], r);
    else if (row->missed)
        add_line_of(out, &from, m->line, m->line_length, r->plies);
    else
        add_line_of(out, &from, m->reply, m->reply_length, r->plies);
    text_add_char(out, '.');
}

void review_add_reason(const Review *review, int i, int reason, Text *out)
{
    Position before;
    review_position(review, i, &before);
    add_reason(&review->moves[i], &before, &review->moves[i].reasons[reason], out);
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
        add_reason(m, &before, &m->reasons[k], out);
    }
    if (m->label != REVIEW_FINE && !tells_best_line(m) && m->line_length) {
        text_addf(out, "%sBetter was ", blank);
        add_line(out, &before, m->line,
                 m->line_length < BETTER_PLIES ? m->line_length : BETTER_PLIES);
        text_add_char(out, '.');
    }
}
