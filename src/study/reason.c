/* Why a move was a mistake. A reason is looked for in two lines: the reply to the move shows what it
 * allows, the best line instead of it what it misses. What no line shows is not said. */
#include "chess/draw.h"
#include "chess/movegen.h"
#include "search/wdl.h"
#include "study/review_int.h"

#include <string.h>

enum {
    PIECE_LOST = 2,  /* pawns, from where it is worth telling that material went */
    PAWN_FELT = 40,  /* centipawns by which the score must go along with each pawn that went ... */
    FELT_MOST = 100, /* ... but not more than this */
    MATE_TRIES = 6,  /* searches to show a mate to its end */
    SHOW_EFFORT = 100,
    ENDING_PIECES = 4, /* queens, rooks and the like on the board, when one speaks of an ending */
    NEAR = 6,          /* plies within which a game ends, for tricks that end it */
    DRAWISH = 4,       /* the search blurs draws by a little */
    MATE_TO_SEE = 5    /* moves; where a mate is farther off, what falls on the way says more */
};

static const double HOPELESS = -0.7, HOLDING = -0.5;

static ReviewReason reason_of(ReviewReasonKind kind, int plies)
{
    return (ReviewReason){.kind = kind,
                          .piece = NO_PIECE_TYPE,
                          .other = NO_PIECE_TYPE,
                          .square = SQ_NONE,
                          .plies = plies};
}

static void play_line(Position *p, const Line *line, int plies)
{
    Undo undo;
    for (int i = 0; i < plies; i++)
        pos_make(p, line->at[i], &undo);
}

/* The mistake itself and the reply to it, as one line from before. */
static void join(const Mistake *m, Line *out)
{
    out->at[0] = m->move;
    int kept = m->reply->length < REVIEW_LINE_MAX - 1 ? m->reply->length : REVIEW_LINE_MAX - 1;
    memcpy(out->at + 1, m->reply->at, (size_t)kept * sizeof *out->at);
    out->length = kept + 1;
}

/* -- Mates -- */

static bool ends_in_mate(const Position *from, const Line *line)
{
    Position p = *from;
    play_line(&p, line, line->length);
    return pos_in_check(&p) && !movegen_any(&p);
}

/* The table may have cut the line off before the mate: it is searched for from there. True when the
 * line ends in mate by the side to move at `from`. */
static Status show_mate(Reviewer *r, const Position *from, Line *line, bool *shown, Message *why)
{
    *shown = false;
    for (int tries = 0; tries < MATE_TRIES; tries++) {
        if (ends_in_mate(from, line)) {
            *shown = line->length % 2 == 1;
            return STATUS_OK;
        }
        Position p = *from;
        Seen seen;
        play_line(&p, line, line->length);
        Status s = reviewer_look(r, &p, SHOW_EFFORT, &seen, why);
        if (s != STATUS_OK)
            return s;
        bool still = score_is_mate(seen.score) && (seen.score > 0) == (p.side == from->side);
        if (!still || line->length + seen.line.length > REVIEW_LINE_MAX || !seen.line.length)
            return STATUS_OK;
        memcpy(line->at + line->length, seen.line.at, (size_t)seen.line.length * sizeof *line->at);
        line->length += seen.line.length;
    }
    return STATUS_OK;
}

static Status find_mate(Reviewer *r, const Position *from, Line *line, ReviewReasonKind kind,
                        ReviewReason *out, Message *why)
{
    bool shown;
    Status s = show_mate(r, from, line, &shown, why);
    if (s == STATUS_OK && shown) {
        *out = reason_of(kind, line->length);
        out->moves = (line->length + 1) / 2;
        out->certain = true;
    }
    return s;
}

static bool is_mate_for(Score s)
{
    return score_is_mate(s) && s > 0;
}

/* -- Tablebases -- */

static bool men_fit(const Tablebases *tb, const Position *p)
{
    return bb_count(pos_occupied(p)) <= tb_max_pieces(tb) && !p->st.castling;
}

/* For the side whose move it was before. */
static bool table_says(Tablebases *tb, const Position *p, Color side, TbWdl *out)
{
    if (!tb || !men_fit(tb, p) || !tb_probe_wdl(tb, p, out))
        return false;
    if (p->side != side)
        *out = (TbWdl) - *out;
    return true;
}

static ReviewReason find_in_tables(Tablebases *tb, const Mistake *m)
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

static int officers(const Position *p)
{
    return bb_count(pos_occupied(p) & ~p->by_type[PAWN] & ~p->by_type[KING]);
}

/* Where the exchange that the move belongs to is over: the reply takes back, or nothing does. 0: it is
 * no exchange. The plies are counted from the reply on. */
static int trade_over(const Mistake *m)
{
    PieceType given = pos_captured_type(m->before, m->move);
    Move back = m->reply->length ? m->reply->at[0] : MOVE_NONE;
    if (given == NO_PIECE_TYPE || given == PAWN || back == MOVE_NONE)
        return 0;
    return pos_is_capture(m->after, back) && move_to(back) == move_to(m->move) ? 1 : 0;
}

static ReviewReason find_trade_into_loss(Tablebases *tb, const Mistake *m)
{
    ReviewReason none = reason_of(REASON_NONE, 0);
    int plies = trade_over(m);
    Trade trade;
    Line whole;
    if (!plies || m->played_chance > HOPELESS || m->best_chance < HOLDING)
        return none;
    Position p = *m->after;
    play_line(&p, m->reply, plies);
    if (officers(&p) > ENDING_PIECES)
        return none;
    TbWdl wdl;
    ReviewReason out = reason_of(REASON_TRADES_INTO_LOSS, plies);
    out.certain = table_says(tb, &p, m->before->side, &wdl) && wdl == TB_LOSS;
    join(m, &whole);
    whole.length = plies + 1;
    bool even =
        trade_of_line(m->before, &whole, m->before->side, &trade) && trade.net > -PIECE_LOST;
    return out.certain || even ? out : none;
}

/* -- Draws by stalemate and repetition -- */

static bool is_drawn(Score s)
{
    return s >= -DRAWISH && s <= DRAWISH;
}

static ReviewReasonKind how_it_ends(const Position *from, const Line *line, bool missed)
{
    Position p = *from;
    if (!line->length || line->length > NEAR)
        return REASON_NONE;
    play_line(&p, line, line->length);
    if (!movegen_any(&p) && !pos_in_check(&p))
        return missed ? REASON_MISSES_STALEMATE : REASON_ALLOWS_STALEMATE;
    if (draw_repetitions(&p) > 0)
        return missed ? REASON_MISSES_REPETITION : REASON_ALLOWS_REPETITION;
    return REASON_NONE;
}

/* The move itself may be the one that stalemates. */
static ReviewReason find_draw_allowed(const Mistake *m)
{
    if (!is_drawn(m->played))
        return reason_of(REASON_NONE, 0);
    if (!movegen_any(m->after) && !pos_in_check(m->after))
        return reason_of(REASON_ALLOWS_STALEMATE, 0);
    return reason_of(how_it_ends(m->after, m->reply, false), m->reply->length);
}

static ReviewReason find_draw_missed(const Mistake *m)
{
    if (!is_drawn(m->best))
        return reason_of(REASON_NONE, 0);
    return reason_of(how_it_ends(m->before, m->line, true), m->line->length);
}

/* -- Material -- */

static int kinds_left(const int *pieces, PieceType from)
{
    int count = 0;
    for (int t = from; t <= QUEEN; t++)
        count += pieces[t];
    return count;
}

static PieceType greatest(const int *pieces)
{
    for (int t = QUEEN; t >= PAWN; t--)
        if (pieces[t])
            return (PieceType)t;
    return NO_PIECE_TYPE;
}

/* Names what went if that is one piece for one, or some of a kind for nothing; otherwise it is
 * "material". */
static void name_trade(ReviewReason *out, const int *gone, const int *got)
{
    PieceType most = greatest(gone);
    if (most != NO_PIECE_TYPE && gone[most] == kinds_left(gone, PAWN) && !kinds_left(got, PAWN)) {
        out->piece = most;
        out->pieces = gone[most];
        return;
    }
    if (kinds_left(gone, KNIGHT) > 1 || kinds_left(got, PAWN) > 1)
        return;
    out->piece = most;
    out->pieces = 1;
    out->other = greatest(got);
}

/* A line may give a piece for good reasons of its own: where the score does not go along, the material
 * is not what was wrong with the move. */
static bool is_felt(const Mistake *m, int pawns)
{
    if (score_is_mate(m->best) || score_is_mate(m->played))
        return true;
    int drop = score_to_cp(m->best, m->before) - score_to_cp(m->played, m->before);
    int least = pawns * PAWN_FELT;
    return drop >= (least < FELT_MOST ? least : FELT_MOST);
}

/* The reply takes a piece that nothing takes back. */
static bool is_hanging(const Mistake *m, const Trade *t)
{
    const Line *r = m->reply;
    PieceType taken = pos_captured_type(m->after, r->at[0]);
    if (taken == NO_PIECE_TYPE || taken == PAWN || kinds_left(t->won, PAWN) ||
        kinds_left(t->lost, KNIGHT) != 1 || !t->lost[taken])
        return false;
    return r->length < 2 || move_to(r->at[1]) != move_to(r->at[0]);
}

static ReviewReason find_loss(const Mistake *m)
{
    ReviewReason none = reason_of(REASON_NONE, 0);
    Trade t, best;
    Line whole;
    join(m, &whole);
    if (!m->reply->length || !trade_first(m->before, &whole, m->before->side, -PIECE_LOST, &t) ||
        t.plies < 2 || !is_felt(m, -t.net))
        return none;
    /* What is lost anyway is no fault of the move. */
    if (!trade_of_line(m->before, m->line, m->before->side, &best) || best.net - t.net < PIECE_LOST)
        return none;
    ReviewReason out = reason_of(REASON_LOSES, t.plies - 1);
    name_trade(&out, t.lost, t.won);
    if (is_hanging(m, &t)) {
        out.kind = REASON_HANGS;
        out.piece = pos_captured_type(m->after, m->reply->at[0]);
        out.square = move_to(m->reply->at[0]);
        out.plies = 1;
    }
    return out;
}

static ReviewReason find_win_missed(const Mistake *m)
{
    ReviewReason none = reason_of(REASON_NONE, 0);
    Trade t, played;
    Line whole;
    join(m, &whole);
    if (!trade_first(m->before, m->line, m->before->side, PIECE_LOST, &t) || !is_felt(m, t.net))
        return none;
    /* The move may win as much by itself, if only to give it back later. */
    if (pos_captured_type(m->before, m->move) == greatest(t.won))
        return none;
    if (!trade_of_line(m->before, &whole, m->before->side, &played) ||
        t.net - played.net < PIECE_LOST)
        return none;
    ReviewReason out = reason_of(REASON_MISSES_MATERIAL, t.plies);
    name_trade(&out, t.won, t.lost);
    return out;
}

/* -- Both sides of a mistake -- */

static ReviewReasonKind allowed_instead(ReviewReasonKind missed)
{
    switch (missed) {
    case REASON_MISSES_FORK:
        return REASON_ALLOWS_FORK;
    case REASON_MISSES_PIN:
        return REASON_ALLOWS_PIN;
    case REASON_MISSES_SKEWER:
        return REASON_ALLOWS_SKEWER;
    case REASON_MISSES_DISCOVERY:
        return REASON_ALLOWS_DISCOVERY;
    case REASON_MISSES_PROMOTION:
        return REASON_ALLOWS_PROMOTION;
    default:
        return REASON_NONE;
    }
}

/* A trick in the reply, where it costs what it is said to. */
static ReviewReason find_trick_allowed(const Mistake *m)
{
    ReviewReason loss = find_loss(m), trick;
    if (loss.kind == REASON_NONE || loss.kind == REASON_HANGS ||
        !motif_find(m->after, m->reply, &trick))
        return loss;
    trick.kind = allowed_instead(trick.kind);
    if (trick.plies < loss.plies)
        trick.plies = loss.plies;
    return trick;
}

static ReviewReason find_trick_missed(const Mistake *m)
{
    ReviewReason win = find_win_missed(m), trick;
    if (win.kind == REASON_NONE || !motif_find(m->before, m->line, &trick))
        return win;
    return trick;
}

/* What the move allows, as far as it does not end the game at once. */
static ReviewReason find_allowed_but_mate(Tablebases *tb, const Mistake *m)
{
    ReviewReason out = find_trade_into_loss(tb, m);
    if (out.kind == REASON_NONE || !out.certain) {
        ReviewReason table = find_in_tables(tb, m);
        out = table.kind != REASON_NONE ? table : out;
    }
    if (out.kind == REASON_NONE)
        out = find_draw_allowed(m);
    return out.kind == REASON_NONE ? find_trick_allowed(m) : out;
}

static ReviewReason weightier(ReviewReason mate, ReviewReason other)
{
    bool far = mate.kind == REASON_NONE || mate.moves > MATE_TO_SEE;
    return far && other.kind != REASON_NONE ? other : mate;
}

static Status find_allowed(Reviewer *r, const Mistake *m, ReviewReason *out, Message *why)
{
    ReviewReason mate = reason_of(REASON_NONE, 0);
    ReviewReason other = find_allowed_but_mate(reviewer_options(r)->tb, m);
    Status s = STATUS_OK;
    if (is_mate_for(-m->played) && !is_mate_for(-m->best))
        s = find_mate(r, m->after, m->reply, REASON_ALLOWS_MATE, &mate, why);
    *out = weightier(mate, other);
    return s;
}

static Status find_missed(Reviewer *r, const Mistake *m, ReviewReason *out, Message *why)
{
    *out = reason_of(REASON_NONE, 0);
    if (is_mate_for(m->best) && !is_mate_for(m->played)) {
        Status s = find_mate(r, m->before, m->line, REASON_MISSES_MATE, out, why);
        if (s != STATUS_OK || out->kind != REASON_NONE)
            return s;
    }
    *out = find_draw_missed(m);
    if (out->kind == REASON_NONE)
        *out = find_trick_missed(m);
    return STATUS_OK;
}

Status reason_find(Reviewer *r, const Mistake *m, ReviewReason *out, int *count, Message *why)
{
    ReviewReason allowed, missed;
    *count = 0;
    Status s = find_allowed(r, m, &allowed, why);
    if (s == STATUS_OK)
        s = find_missed(r, m, &missed, why);
    if (s != STATUS_OK)
        return s;
    /* Who is lost now wants to know by what; who still stands well, what there was to win. */
    bool first_missed = m->best_chance + m->played_chance > 0 || missed.kind == REASON_MISSES_MATE;
    const ReviewReason *order[2] = {first_missed ? &missed : &allowed,
                                    first_missed ? &allowed : &missed};
    for (int i = 0; i < 2; i++)
        if (order[i]->kind != REASON_NONE)
            out[(*count)++] = *order[i];
    return STATUS_OK;
}
