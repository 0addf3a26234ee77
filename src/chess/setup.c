/* Checks of positions. A position is refused when no game can reach it for one of the reasons
 * below; nothing that would need a search is checked, so that studies and test positions pass. */
#include "chess/setup_int.h"

#include "chess/position_int.h"
#include "chess/uci_move.h"

#include <string.h>

enum { MAX_MEN = 16, MAX_PAWNS = 8, MAX_CHECKERS = 2 };

static const char *const FIELD_NAMES[SETUP_FIELD_COUNT] = {
    "piece placement", "side to move",   "castling",
    "en passant",      "halfmove clock", "fullmove number",
};

static const char *const COLOR_NAMES[COLOR_COUNT] = {"White", "Black"};

/* The name of a square as a value, so that a message can hold several. */
typedef struct SquareText {
    char text[3];
} SquareText;

static SquareText name_of(Square s)
{
    SquareText name = {""};
    square_name(s, name.text);
    return name;
}

void setup_clear(Setup *s)
{
    memset(s, 0, sizeof *s);
    memset(s->board, NO_PIECE, sizeof s->board);
    for (int i = 0; i < CASTLING_COUNT; i++)
        s->castling_rook[i] = SQ_NONE;
    s->ep = SQ_NONE;
    s->fullmove = 1;
}

const char *setup_field_name(SetupField field)
{
    return FIELD_NAMES[field];
}

static Bitboard attackers_of(const Position *m, Square s, Color by)
{
    return pos_attackers(m, s, pos_occupied(m)) & m->by_color[by];
}

/* -- Material -- */

/* Of the position, the bitboards alone. */
static Status collect_pieces(const Setup *s, Position *m, Message *why)
{
    memset(m->by_type, 0, sizeof m->by_type);
    memset(m->by_color, 0, sizeof m->by_color);
    for (int i = 0; i < SQUARE_COUNT; i++) {
        Piece p = s->board[i];
        if (p == NO_PIECE)
            continue;
        if (p > NO_PIECE)
            return status_fail(why, STATUS_INVALID, "unknown piece number %d on %s", p,
                               name_of((Square)i).text);
        m->by_type[piece_type(p)] |= bb_of((Square)i);
        m->by_color[piece_color(p)] |= bb_of((Square)i);
    }
    return STATUS_OK;
}

static Status check_king(const Position *m, Color c, Message *why)
{
    Bitboard kings = pos_pieces(m, c, KING);
    if (!kings)
        return status_fail(why, STATUS_INVALID, "%s has no king", COLOR_NAMES[c]);
    if (bb_many(kings))
        return status_fail(why, STATUS_INVALID, "%s has %d kings (%s, %s%s)", COLOR_NAMES[c],
                           bb_count(kings), name_of(bb_first(kings)).text,
                           name_of(bb_last(kings)).text, bb_count(kings) > 2 ? ", ..." : "");
    return STATUS_OK;
}

/* Each piece beyond the initial set must be a promoted pawn. */
static int promoted_pieces(const Position *m, Color c)
{
    static const int FIRST_SET[PIECE_TYPE_COUNT] = {8, 2, 2, 2, 1, 1};
    int promoted = 0;
    for (int t = KNIGHT; t <= QUEEN; t++) {
        int extra = bb_count(pos_pieces(m, c, (PieceType)t)) - FIRST_SET[t];
        promoted += extra > 0 ? extra : 0;
    }
    return promoted;
}

static Status check_piece_counts(const Position *m, Color c, Message *why)
{
    const char *who = COLOR_NAMES[c];
    int pawns = bb_count(pos_pieces(m, c, PAWN));
    if (pawns > MAX_PAWNS)
        return status_fail(why, STATUS_INVALID, "%s has %d pawns; the maximum is %d", who, pawns,
                           MAX_PAWNS);
    if (bb_count(m->by_color[c]) > MAX_MEN)
        return status_fail(why, STATUS_INVALID, "%s has %d pieces; the maximum is %d", who,
                           bb_count(m->by_color[c]), MAX_MEN);
    if (promoted_pieces(m, c) > MAX_PAWNS - pawns)
        return status_fail(why, STATUS_INVALID,
                           "%s has %d promoted pieces, but only %d pawns are missing", who,
                           promoted_pieces(m, c), MAX_PAWNS - pawns);
    return STATUS_OK;
}

static Status check_placement(const Setup *s, const Position *m, Message *why)
{
    (void)s;
    Bitboard stuck = m->by_type[PAWN] & (bb_rank(0) | bb_rank(7));
    if (stuck)
        return status_fail(why, STATUS_INVALID, "pawn on %s", name_of(bb_first(stuck)).text);
    for (int c = WHITE; c <= BLACK; c++) {
        Status status = check_king(m, (Color)c, why);
        if (status == STATUS_OK)
            status = check_piece_counts(m, (Color)c, why);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* -- Checks -- */

static Status check_waiting_king(const Setup *s, const Position *m, Message *why)
{
    if (s->side != WHITE && s->side != BLACK)
        return status_fail(why, STATUS_INVALID, "neither White nor Black");
    Color waiting = color_other(s->side);
    Bitboard attackers = attackers_of(m, pos_king(m, waiting), s->side);
    if (attackers)
        return status_fail(why, STATUS_INVALID,
                           "%s is to move, but %s already attacks the king on %s",
                           COLOR_NAMES[s->side], name_of(bb_first(attackers)).text,
                           name_of(pos_king(m, waiting)).text);
    return STATUS_OK;
}

static Status check_checkers(const Setup *s, const Position *m, Message *why)
{
    Square king = pos_king(m, s->side);
    Bitboard checkers = attackers_of(m, king, color_other(s->side));
    if (bb_count(checkers) > MAX_CHECKERS)
        return status_fail(why, STATUS_INVALID, "%d pieces check the king on %s; the maximum is %d",
                           bb_count(checkers), name_of(king).text, MAX_CHECKERS);
    /* In a double check one checker is on a line that the other, or an en-passant capture, opened.
     * Which pairs of sliders are possible is not checked: published test positions have others. */
    if (bb_many(checkers) &&
        !(checkers & (m->by_type[BISHOP] | m->by_type[ROOK] | m->by_type[QUEEN])))
        return status_fail(
            why, STATUS_INVALID, "no move can check the king on %s from %s and %s at once",
            name_of(king).text, name_of(bb_first(checkers)).text, name_of(bb_last(checkers)).text);
    return STATUS_OK;
}

/* -- Castling -- */

static bool has_man(const Setup *s, Square at, Color c, PieceType t)
{
    return s->board[at] == piece_make(c, t);
}

static Status check_right(const Setup *s, const Position *m, Color c, Wing w, Message *why)
{
    static const char *const WINGS[WING_COUNT] = {"king's", "queen's"};
    Square rook = s->castling_rook[castling_index(c, w)];
    if (rook == SQ_NONE)
        return STATUS_OK;
    Square king = pos_king(m, c);
    const char *who = COLOR_NAMES[c];
    if (square_relative_rank(c, king) != 0)
        return status_fail(why, STATUS_INVALID, "%s cannot castle with the king on %s", who,
                           name_of(king).text);
    if (rook > SQ_NONE || square_relative_rank(c, rook) != 0 || !has_man(s, rook, c, ROOK))
        return status_fail(why, STATUS_INVALID, "%s has no rook on %s to castle with", who,
                           name_of(rook).text);
    if ((rook > king) != (w == KING_SIDE))
        return status_fail(why, STATUS_INVALID, "%s's rook on %s is not on the %s side", who,
                           name_of(rook).text, WINGS[w]);
    return STATUS_OK;
}

bool setup_needs_chess960(const Setup *s)
{
    for (int c = WHITE; c <= BLACK; c++) {
        Square king_rook = s->castling_rook[castling_index((Color)c, KING_SIDE)];
        Square queen_rook = s->castling_rook[castling_index((Color)c, QUEEN_SIDE)];
        if (king_rook == SQ_NONE && queen_rook == SQ_NONE)
            continue;
        if (!has_man(s, square_relative((Color)c, SQ_E1), (Color)c, KING))
            return true;
        if (king_rook != SQ_NONE && king_rook != square_relative((Color)c, SQ_H1))
            return true;
        if (queen_rook != SQ_NONE && queen_rook != square_relative((Color)c, SQ_A1))
            return true;
    }
    return false;
}

static Status check_castling(const Setup *s, const Position *m, Message *why)
{
    for (int i = 0; i < CASTLING_COUNT; i++) {
        Status status = check_right(s, m, (Color)(i / 2), (Wing)(i % 2), why);
        if (status != STATUS_OK)
            return status;
    }
    if (!s->chess960 && setup_needs_chess960(s))
        return status_fail(why, STATUS_INVALID,
                           "in standard chess a king castles from file e "
                           "with a rook on file a or h");
    return STATUS_OK;
}

/* -- En passant -- */

/* Pieces that give check now and did before the double step: then the step was illegal. A line that
 * the step closed is accepted, because known test positions have it. */
static Bitboard stale_checkers(const Position *m, Color us, Square pawn, Square origin)
{
    Square king = pos_king(m, us);
    Bitboard before = pos_occupied(m) ^ bb_of(pawn) ^ bb_of(origin);
    return attackers_of(m, king, color_other(us)) & ~bb_of(pawn) & pos_attackers(m, king, before);
}

static Status check_en_passant(const Setup *s, const Position *m, Message *why)
{
    if (s->ep == SQ_NONE)
        return STATUS_OK;
    Color them = color_other(s->side);
    if (s->ep > SQ_NONE || square_relative_rank(them, s->ep) != 2)
        return status_fail(why, STATUS_INVALID, "not on rank %d, with %s to move",
                           s->side == WHITE ? 6 : 3, COLOR_NAMES[s->side]);
    int ahead = them == WHITE ? 8 : -8;
    Square pawn = (Square)(s->ep + ahead);
    Square origin = (Square)(s->ep - ahead);
    if (!has_man(s, pawn, them, PAWN))
        return status_fail(why, STATUS_INVALID, "no pawn of %s on %s", COLOR_NAMES[them],
                           name_of(pawn).text);
    if (s->board[s->ep] != NO_PIECE || s->board[origin] != NO_PIECE)
        return status_fail(why, STATUS_INVALID,
                           "the pawn on %s did not come from %s over %s: not both are empty",
                           name_of(pawn).text, name_of(origin).text, name_of(s->ep).text);
    Bitboard stale = stale_checkers(m, s->side, pawn, origin);
    if (stale)
        return status_fail(why, STATUS_INVALID,
                           "%s gave check before the double step from %s to %s",
                           name_of(bb_first(stale)).text, name_of(origin).text, name_of(pawn).text);
    return STATUS_OK;
}

/* -- Counters -- */

static Status check_count(int value, int min, int max, Message *why)
{
    if (value < min || value > max)
        return status_fail(why, STATUS_INVALID, "%d is out of range: %d to %d", value, min, max);
    return STATUS_OK;
}

static Status check_halfmoves(const Setup *s, const Position *m, Message *why)
{
    (void)m;
    return check_count(s->rule50, 0, SETUP_HALFMOVES_MAX, why);
}

static Status check_fullmove(const Setup *s, const Position *m, Message *why)
{
    (void)m;
    return check_count(s->fullmove, 1, SETUP_FULLMOVE_MAX, why);
}

Status setup_check(const Setup *s, SetupField *field, Message *why)
{
    static const struct {
        SetupField field;
        Status (*check)(const Setup *s, const Position *m, Message *why);
    } checks[] = {
        {SETUP_PLACEMENT, check_placement},   {SETUP_SIDE, check_waiting_king},
        {SETUP_PLACEMENT, check_checkers},    {SETUP_CASTLING, check_castling},
        {SETUP_EN_PASSANT, check_en_passant}, {SETUP_HALFMOVES, check_halfmoves},
        {SETUP_FULLMOVE, check_fullmove},
    };
    Position m;
    *field = SETUP_PLACEMENT;
    Status status = collect_pieces(s, &m, why);
    for (size_t i = 0; i < sizeof checks / sizeof *checks && status == STATUS_OK; i++) {
        *field = checks[i].field;
        status = checks[i].check(s, &m, why);
    }
    return status;
}

Status pos_set(Position *p, const Setup *s, Message *why)
{
    SetupField field;
    Status status = setup_check(s, &field, why);
    if (status == STATUS_OK)
        pos_build(p, s);
    else
        message_prefix(why, "%s: ", setup_field_name(field));
    return status;
}

void pos_describe(const Position *p, Setup *s)
{
    setup_clear(s);
    memcpy(s->board, p->board, sizeof s->board);
    s->side = p->side;
    for (int i = 0; i < CASTLING_COUNT; i++)
        if (p->st.castling >> i & 1)
            s->castling_rook[i] = p->castling_rook[i];
    s->ep = p->st.ep_beside; /* the Polyglot key needs it even where p->st.ep is dropped */
    s->rule50 = p->st.rule50;
    s->fullmove = (int)(p->game_ply / 2 + 1);
    s->chess960 = p->chess960;
}
