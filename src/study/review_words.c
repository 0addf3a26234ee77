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

void review_add_line(Text *out, const Position *from, const Move *moves, int count)
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
    PLAIN,    /* the words alone */
    IN_MOVES, /* words, then "in N" */
    ON,       /* words, then "the knight on f3" */
    BY,       /* words, then "by the knight on f3" */
    MATERIAL, /* words, then what went */
    BECOMES   /* words, then "to a queen on e8" */
} Shape;

typedef struct ReasonRow {
    const char *name, *words;
    Shape shape;
    bool missed; /* the best line shows it */
} ReasonRow;

static const ReasonRow reason_rows[REASON_KIND_COUNT] = {
    [REASON_NONE] = {"none", "", PLAIN, false},
    [REASON_ALLOWS_MATE] = {"allows-mate", "Allows mate", IN_MOVES, false},
    [REASON_MISSES_MATE] = {"misses-mate", "Missed mate", IN_MOVES, true},
    [REASON_HANGS] = {"hangs", "Hangs", ON, false},
    [REASON_LOSES] = {"loses", "Loses", MATERIAL, false},
    [REASON_MISSES_MATERIAL] = {"misses-material", "Misses the win of", MATERIAL, true},
    [REASON_ALLOWS_FORK] = {"allows-fork", "Allows a fork", BY, false},
    [REASON_MISSES_FORK] = {"misses-fork", "Misses a fork", BY, true},
    [REASON_ALLOWS_PIN] = {"allows-pin", "Allows the pin of", ON, false},
    [REASON_MISSES_PIN] = {"misses-pin", "Misses the pin of", ON, true},
    [REASON_ALLOWS_SKEWER] = {"allows-skewer", "Allows the skewer of", ON, false},
    [REASON_MISSES_SKEWER] = {"misses-skewer", "Misses the skewer of", ON, true},
    [REASON_ALLOWS_DISCOVERY] = {"allows-discovery", "Allows a discovered attack", BY, false},
    [REASON_MISSES_DISCOVERY] = {"misses-discovery", "Misses a discovered attack", BY, true},
    [REASON_ALLOWS_PROMOTION] = {"allows-promotion", "Allows a pawn to promote", BECOMES, false},
    [REASON_MISSES_PROMOTION] = {"misses-promotion", "Misses the promotion of a pawn", BECOMES,
                                 true},
    [REASON_ALLOWS_STALEMATE] = {"allows-stalemate", "Allows stalemate", PLAIN, false},
    [REASON_MISSES_STALEMATE] = {"misses-stalemate", "Misses a stalemate", PLAIN, true},
    [REASON_ALLOWS_REPETITION] = {"allows-repetition", "Allows a draw by repetition", PLAIN, false},
    [REASON_MISSES_REPETITION] = {"misses-repetition", "Misses a draw by repetition", PLAIN, true},
    [REASON_TRADES_INTO_LOSS] = {"trades-into-loss", "Trades into a lost ending", PLAIN, false},
    [REASON_SPOILS_TB_WIN] = {"spoils-tb-win", "The ending was won and is no longer", PLAIN, false},
    [REASON_SPOILS_TB_DRAW] = {"spoils-tb-draw", "The ending was drawn and is lost now", PLAIN,
                               false},
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

/* A rook for a knight or bishop has a name of its own. */
static void add_material(Text *out, const ReviewReason *r)
{
    static const char *const numbers[] = {"two", "three", "four"};
    bool minor = r->other == KNIGHT || r->other == BISHOP;
    if (r->piece != NO_PIECE_TYPE && r->pieces >= 2 && r->pieces <= 4)
        text_addf(out, " %s %ss", numbers[r->pieces - 2], piece_word(r->piece));
    else if (r->piece == NO_PIECE_TYPE || r->piece == PAWN || r->pieces > 4)
        text_add_str(out, " material");
    else if (r->piece == ROOK && minor)
        text_add_str(out, " the exchange");
    else if (r->other == NO_PIECE_TYPE)
        text_addf(out, " a %s", piece_word(r->piece));
    else
        text_addf(out, " a %s for a %s", piece_word(r->piece), piece_word(r->other));
}

static void add_claim(Text *out, const ReviewReason *r)
{
    const ReasonRow *row = &reason_rows[r->kind];
    text_add_str(out, row->words);
    switch (row->shape) {
    case PLAIN:
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
    case BECOMES: {
        char square[3];
        square_name(r->square, square);
        text_addf(out, " on %s", square);
        break;
    }
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
    review_add_line(out, from, moves, shown < LONGEST_SHOWN ? shown : LONGEST_SHOWN);
    if (shown > LONGEST_SHOWN)
        text_add_str(out, " ...");
}

static void add_reason(const ReviewMove *m, const Position *before, const ReviewReason *r,
                       Text *out)
{
    add_claim(out, r);
    if (reason_rows[r->kind].missed) {
        add_line_of(out, before, m->line, m->line_length, r->plies);
    } else {
        Position after = *before;
        Undo undo;
        pos_make(&after, m->move, &undo);
        add_line_of(out, &after, m->reply, m->reply_length, r->plies);
    }
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
        review_add_line(out, &before, m->line,
                        m->line_length < BETTER_PLIES ? m->line_length : BETTER_PLIES);
        text_add_char(out, '.');
    }
}
