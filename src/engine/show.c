#include "engine/show.h"

#include "chess/fen.h"
#include "chess/setup.h"
#include "chess/uci_move.h"
#include "engine/engine.h"

#include <inttypes.h>

static char piece_letter(Piece piece)
{
    return piece == NO_PIECE ? '.' : "PpNnBbRrQqKk"[piece];
}

Square show_square(Color seen_from, int row, int column)
{
    return seen_from == WHITE ? square_make(column, 7 - row) : square_make(7 - column, row);
}

void show_board(const Position *p, Color seen_from, Text *out)
{
    for (int row = 0; row < 8; row++) {
        text_addf(out, " %d ", square_rank(show_square(seen_from, row, 0)) + 1);
        for (int column = 0; column < 8; column++)
            text_addf(out, " %c", piece_letter(p->board[show_square(seen_from, row, column)]));
        text_add_char(out, '\n');
    }
    text_add_str(out, seen_from == WHITE ? "\n    a b c d e f g h\n" : "\n    h g f e d c b a\n");
}

void show_position(const Position *p, Text *out)
{
    char fen[FEN_SIZE], name[3];
    show_board(p, WHITE, out);
    fen_write(p, p->chess960 ? FEN_SHREDDER : FEN_X, fen);
    text_addf(out, "\nFen: %s\nKey: %016" PRIX64 "\nCheckers:", fen, p->st.key);
    for (Bitboard b = p->st.checkers; b;) {
        square_name(bb_pop(&b), name);
        text_addf(out, " %s", name);
    }
    text_add_char(out, '\n');
}

/* -- Evaluation -- */

static Score white_value(EvalContext *c, const Position *p)
{
    eval_reset(c, p);
    Score s = eval_score(c, p);
    return p->side == WHITE ? s : -s;
}

/* The change when the piece on s is removed; false where that position is illegal (the side that
 * moved in check, a king missing). */
static bool worth_of_square(EvalContext *c, const Position *p, Square s, Score whole, Score *worth)
{
    Setup setup;
    Position without;
    if (p->board[s] == NO_PIECE || piece_type(p->board[s]) == KING)
        return false;
    pos_describe(p, &setup);
    setup.board[s] = NO_PIECE;
    setup.ep = SQ_NONE;
    for (int i = 0; i < CASTLING_COUNT; i++)
        if (setup.castling_rook[i] == s)
            setup.castling_rook[i] = SQ_NONE;
    if (pos_set(&without, &setup, NULL) != STATUS_OK || pos_in_check(&without))
        return false;
    *worth = whole - white_value(c, &without);
    return true;
}

static void add_worth_row(EvalContext *c, const Position *p, int rank, Score whole, Text *out)
{
    text_addf(out, " %d", rank + 1);
    for (int file = 0; file < 8; file++)
        text_addf(out, "      %c", piece_letter(p->board[square_make(file, rank)]));
    text_add_str(out, "\n");
    if (!(pos_occupied(p) & bb_rank(rank)))
        return;
    text_add_str(out, "  ");
    for (int file = 0; file < 8; file++) {
        Score worth;
        if (worth_of_square(c, p, square_make(file, rank), whole, &worth))
            text_addf(out, "  %+5.2f", worth / 100.0);
        else
            text_add_str(out, "       ");
    }
    text_add_char(out, '\n');
}

static void add_value_line(const Position *p, Score whole, Text *out)
{
    EngineScore score = engine_score(p->side == WHITE ? whole : -whole, p);
    int cp = p->side == WHITE ? score.value : -score.value;
    int win = p->side == WHITE ? score.win : score.loss;
    text_addf(out, "\nscore %+.2f for White (internal %+.2f), win %.1f%%, draw %.1f%%\n",
              cp / 100.0, whole / 100.0, win / 10.0, score.draw / 10.0);
}

/* The terms of the classical evaluation; a net has none. */
static void add_terms(const Evaluator *evaluator, const Position *p, Text *out)
{
    EvalTrace trace;
    eval_trace(evaluator, p, &trace);
    if (!trace.count)
        return;
    text_add_str(out, "\nterm                 White mg    eg   Black mg    eg\n");
    for (int i = 0; i < trace.count; i++) {
        const EvalTerm *t = &trace.terms[i];
        text_addf(out, "%-20s %8d %5d   %8d %5d\n", t->name, t->mg[WHITE], t->eg[WHITE],
                  t->mg[BLACK], t->eg[BLACK]);
    }
    text_addf(out, "phase %d of 24, endgame scale %d/64, mop-up %d\n", trace.phase, trace.scale,
              trace.mop_up);
}

void show_eval(const Evaluator *evaluator, const Position *p, Text *out)
{
    EvalContext *c = eval_open(evaluator);
    if (!c) {
        out->failed = true;
        return;
    }
    if (pos_in_check(p)) {
        text_add_str(out, "in check: no static evaluation\n");
    } else {
        Score whole = white_value(c, p);
        text_addf(out, "evaluation: %s; contribution of each piece, from White's view\n\n",
                  evaluator_name(evaluator));
        for (int rank = 7; rank >= 0; rank--)
            add_worth_row(c, p, rank, whole, out);
        text_add_str(out, "\n        a      b      c      d      e      f      g      h\n");
        add_terms(evaluator, p, out);
        add_value_line(p, whole, out);
    }
    eval_close(c);
}
