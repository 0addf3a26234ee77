/* Reasons that end the game or leave nothing to play for: mates, tablebases,
 * lost endings, draws. */
#include "chess/draw.h"
#include "chess/movegen.h"
#include "study/review_int.h"

enum {
    MATE_TRIES = 6, /* searches to show a mate to its end */
    SHOW_EFFORT = 100,
    LOST_PIECE = 2,    /* pawns */
    ENDING_PIECES = 4, /* queens, rooks and the like on the board, when one speaks of an ending */
    NEAR = 6,          /* plies within which a game ends, for tricks that end it */
    DRAWISH = 4        /* the search blurs draws by a little */
};

static const double HOPELESS = -0.7, HOLDING = -0.5;

/* -- Mates -- */

/* The table may have cut the line off before the mate: it is searched for from there. True when the
 * line ends in mate by the side to move at `from`. */
static Status show_mate(Reviewer *r, const Position *from, Line *line, bool *shown, Message *why)
{
    *shown = false;
    for (int tries = 0; tries < MATE_TRIES; tries++) {
        Position p;
        Seen seen;
        if (line_mates(from, line, &p)) {
            *shown = line->length % 2 == 1;
            return STATUS_OK;
        }
        Status s = reviewer_look(r, &p, SHOW_EFFORT, &seen, why);
        if (s != STATUS_OK)
            return s;
        bool still = score_is_mate(seen.score) && (seen.score > 0) == (p.side == from->side);
        if (!still || line->length + seen.line.length > REVIEW_LINE_MAX || !seen.line.length)
            return STATUS_OK;
        line_append(line, &seen.line);
    }
    return STATUS_OK;
}

bool end_is_back_rank(const Position *mated)
{
    Color side = mated->side;
    Square king = pos_king(mated, side);
    Bitboard first = bb_relative_rank(side, 0), front = bb_relative_rank(side, 1);
    Bitboard heavy = mated->by_type[ROOK] | mated->by_type[QUEEN];
    Bitboard shut = attacks_king(king) & front & mated->by_color[side];
    return (bb_of(king) & first) && (mated->st.checkers & first & heavy) && bb_many(shut);
}

Status end_find_mate(const ReasonView *v, ReviewReason *out, Message *why)
{
    bool shown;
    Status s = show_mate(v->reviewer, v->from, v->line, &shown, why);
    if (s != STATUS_OK || !shown)
        return s;
    Position mated;
    line_mates(v->from, v->line, &mated);
    ReviewReasonKind kind = end_is_back_rank(&mated) ? REASON_ALLOWS_BACK_RANK : REASON_ALLOWS_MATE;
    *out = reason_of((ReviewReasonKind)(kind + v->missed), v->line->length);
    out->moves = (v->line->length + 1) / 2;
    out->certain = true;
    return STATUS_OK;
}

/* -- Tablebases -- */

static bool pieces_fit(const Tablebases *tb, const Position *p)
{
    return bb_count(pos_occupied(p)) <= tb_max_pieces(tb) && !p->st.castling;
}

/* For the side whose move it was before. */
static bool table_says(Tablebases *tb, const Position *p, Color side, TbWdl *out)
{
    if (!tb || !pieces_fit(tb, p) || !tb_probe_wdl(tb, p, out))
        return false;
    if (p->side != side)
        *out = (TbWdl) - *out;
    return true;
}

ReviewReason end_find_in_tables(Tablebases *tb, const Mistake *m)
{
    TbWdl before, after;
    ReviewReason none = reason_of(REASON_NONE, 0);
    Color side = m->before->side;
    if (!table_says(tb, m->before, side, &before) || !table_says(tb, m->after, side, &after))
        return none;
    ReviewReasonKind kind = before == TB_WIN && after < TB_WIN     ? REASON_SPOILS_TB_WIN
                            : before > TB_LOSS && after == TB_LOSS ? REASON_SPOILS_TB_DRAW
                                                                   : REASON_NONE;
    ReviewReason out = reason_of(kind, m->reply->length < 1 ? 0 : 1);
    out.certain = true;
    return out;
}

/* -- Trades into a lost ending -- */

/* Where the exchange that the move belongs to is over: the reply takes back, or nothing does. 0: it
 * is no exchange. The plies are counted from the reply on. */
static int trade_over(const Mistake *m)
{
    PieceType given = pos_captured_type(m->before, m->move);
    Move back = m->reply->length ? m->reply->at[0] : MOVE_NONE;
    if (given == NO_PIECE_TYPE || given == PAWN || back == MOVE_NONE)
        return 0;
    return pos_is_capture(m->after, back) && move_to(back) == move_to(m->move) ? 1 : 0;
}

ReviewReason end_find_lost_trade(Tablebases *tb, const Mistake *m)
{
    ReviewReason none = reason_of(REASON_NONE, 0);
    int plies = trade_over(m);
    Trade trade;
    Line whole;
    if (!plies || m->played_chance > HOPELESS || m->best_chance < HOLDING)
        return none;
    Position p = *m->after;
    line_play(&p, m->reply, plies);
    if (judge_pieces(&p) > ENDING_PIECES)
        return none;
    TbWdl wdl;
    ReviewReason out = reason_of(REASON_TRADES_INTO_LOSS, plies);
    out.certain = table_says(tb, &p, m->before->side, &wdl) && wdl == TB_LOSS;
    mistake_join(m, &whole);
    whole.length = plies + 1;
    bool even =
        trade_of_line(m->before, &whole, m->before->side, &trade) && trade.net > -LOST_PIECE;
    return out.certain || even ? out : none;
}

/* -- Draws by stalemate and repetition -- */

static bool is_drawn(Score s)
{
    return s >= -DRAWISH && s <= DRAWISH;
}

/* The move itself may be the one that stalemates. */
ReviewReason end_find_draw(const ReasonView *v)
{
    const Mistake *m = v->mistake;
    const Line *line = v->line;
    Position end = *v->from;
    ReviewReasonKind kind = REASON_NONE;
    if (!is_drawn(v->missed ? m->best : m->played))
        return reason_of(REASON_NONE, 0);
    if (!v->missed && !movegen_any(m->after) && !pos_in_check(m->after))
        return reason_of(REASON_ALLOWS_STALEMATE, 0);
    if (!line->length || line->length > NEAR)
        return reason_of(REASON_NONE, line->length);
    line_play(&end, line, line->length);
    if (!movegen_any(&end) && !pos_in_check(&end))
        kind = REASON_ALLOWS_STALEMATE;
    else if (draw_repetitions(&end) > 0)
        kind = REASON_ALLOWS_REPETITION;
    return reason_of(kind ? (ReviewReasonKind)(kind + v->missed) : REASON_NONE, line->length);
}
