/* Standard algebraic notation. Reading starts from the target square: the attack tables give the
 * candidate pieces, the text narrows them down, and only candidates that a check or pin affects are
 * tested for legality. No move list is generated, because this is most of the work of reading
 * games. */
#include "chess/san.h"

#include "chess/movegen.h"
#include "chess/uci_move.h"

#include <string.h>

enum { SHOWN_SIZE = 40 };

static const char TYPE_LETTERS[] = "PNBRQK";

/* The parts of a move as the text gives them. */
typedef struct SanPattern {
    PieceType type;      /* NO_PIECE_TYPE: the piece on the only square of `from` */
    PieceType promotion; /* NO_PIECE_TYPE: none given */
    Square to;
    Bitboard from; /* possible origins */
} SanPattern;

/* -- From a parsed move to candidate pieces -- */

static Move shape_move(const Position *p, const SanPattern *s, Square from)
{
    if (s->promotion != NO_PIECE_TYPE)
        return move_make_promotion(from, s->to, s->promotion);
    bool takes_ep = s->type == PAWN && s->to == p->st.ep && square_file(from) != square_file(s->to);
    return move_make(from, s->to, takes_ep ? MOVE_EN_PASSANT : MOVE_NORMAL);
}

/* The squares from which a pawn of the side to move can reach the target. */
static Bitboard pawn_origins(const Position *p, Square to)
{
    Color them = color_other(p->side);
    if (p->by_color[them] & bb_of(to))
        return attacks_pawn(them, to);
    Bitboard once = bb_forward(them, bb_of(to));
    Bitboard origins = once;
    if (bb_relative_rank(p->side, 3) & bb_of(to))
        origins |= bb_forward(them, once & ~pos_occupied(p));
    if (to == p->st.ep)
        origins |= attacks_pawn(them, to);
    return origins;
}

/* The pieces that can legally make the move; not for castling or NO_PIECE_TYPE. */
static Bitboard legal_origins(const Position *p, const SanPattern *s)
{
    Bitboard origins = pos_pieces(p, p->side, s->type) & s->from;
    if (p->by_color[p->side] & bb_of(s->to))
        return 0;
    if (s->type == PAWN) {
        bool promotes = (bb_relative_rank(p->side, 7) & bb_of(s->to)) != 0;
        if (promotes != (s->promotion != NO_PIECE_TYPE))
            return 0;
        origins &= pawn_origins(p, s->to);
    } else {
        if (s->promotion != NO_PIECE_TYPE)
            return 0;
        origins &= attacks_of(s->type, s->to, pos_occupied(p));
    }
    bool in_doubt = p->st.checkers || s->type == KING || (origins & p->st.pinned[p->side]) ||
                    (s->type == PAWN && s->to == p->st.ep);
    if (!in_doubt)
        return origins;
    Bitboard legal = 0;
    while (origins) {
        Square from = bb_pop(&origins);
        if (pos_is_legal(p, shape_move(p, s, from)))
            legal |= bb_of(from);
    }
    return legal;
}

/* -- Writing -- */

/* The least disambiguation: file, rank or both. */
static char *write_origin(const Position *p, Move m, PieceType t, char *out)
{
    Square from = move_from(m);
    SanPattern others = {t, NO_PIECE_TYPE, move_to(m), ~bb_of(from)};
    Bitboard rivals = legal_origins(p, &others);
    if (!rivals)
        return out;
    bool same_file = (rivals & bb_file(square_file(from))) != 0;
    bool same_rank = (rivals & bb_rank(square_rank(from))) != 0;
    if (!same_file || same_rank)
        *out++ = (char)('a' + square_file(from));
    if (same_file)
        *out++ = (char)('1' + square_rank(from));
    return out;
}

static char *write_body(const Position *p, Move m, char *out)
{
    PieceType t = piece_type(p->board[move_from(m)]);
    bool captures = pos_is_capture(p, m);
    if (t == PAWN) {
        if (captures)
            *out++ = (char)('a' + square_file(move_from(m)));
    } else {
        *out++ = TYPE_LETTERS[t];
        out = write_origin(p, m, t, out);
    }
    if (captures)
        *out++ = 'x';
    square_name(move_to(m), out);
    out += 2;
    if (move_is_promotion(m)) {
        *out++ = '=';
        *out++ = TYPE_LETTERS[move_promotion(m)];
    }
    return out;
}

void san_write(const Position *p, Move m, char out[SAN_SIZE])
{
    static const char *const CASTLING[WING_COUNT] = {"O-O", "O-O-O"};
    char *end;
    if (move_is_none(m)) {
        memcpy(out, "--", 3);
        return;
    }
    if (move_kind(m) == MOVE_CASTLING) {
        const char *text = CASTLING[castling_wing(m)];
        memcpy(out, text, strlen(text));
        end = out + strlen(text);
    } else {
        end = write_body(p, m, out);
    }
    if (pos_gives_check(p, m))
        *end++ = movegen_mates(p, m) ? '#' : '+';
    *end = '\0';
}

/* -- From text to a parsed move -- */

static bool is_file(char c)
{
    return c >= 'a' && c <= 'h';
}

static bool is_rank(char c)
{
    return c >= '1' && c <= '8';
}

/* The piece a letter names, in either case; NO_PIECE_TYPE for any other character. */
static PieceType type_of_letter(char c)
{
    /* One more than the type, so that every other character is 0. */
    static const uint8_t TYPES[256] = {
        ['P'] = PAWN + 1,   ['p'] = PAWN + 1,   ['N'] = KNIGHT + 1, ['n'] = KNIGHT + 1,
        ['B'] = BISHOP + 1, ['b'] = BISHOP + 1, ['R'] = ROOK + 1,   ['r'] = ROOK + 1,
        ['Q'] = QUEEN + 1,  ['q'] = QUEEN + 1,  ['K'] = KING + 1,   ['k'] = KING + 1,
    };
    uint8_t type = TYPES[(unsigned char)c];
    return type ? (PieceType)(type - 1) : NO_PIECE_TYPE;
}

/* Removes "=Q", "Q", "(Q)" or "/Q" from the end. False when there is something else. */
static bool parse_promotion(Span *t, SanPattern *s)
{
    const char *last = t->at + t->len - 1;
    if (is_rank(*last))
        return true;
    bool bracketed = *last == ')';
    if (bracketed)
        last--;
    if (last - t->at < 2)
        return false;
    s->promotion = type_of_letter(*last);
    if (s->promotion < KNIGHT || s->promotion > QUEEN)
        return false;
    if (bracketed && last[-1] != '(')
        return false;
    if (bracketed || last[-1] == '=' || last[-1] == '/')
        last--;
    t->len = (size_t)(last - t->at);
    return t->len >= 2;
}

/* Without a piece letter: a pawn, or any piece when both squares are given. */
static bool settle_unnamed(SanPattern *s, bool has_file, bool has_rank, bool takes)
{
    s->type = has_file && has_rank ? NO_PIECE_TYPE : PAWN;
    if (s->type == PAWN && !has_file) {
        if (!takes)
            s->from &= bb_file(square_file(s->to));
        return !has_rank;
    }
    /* "bb4" cannot be a pawn move: it is the bishop. */
    return s->type != PAWN || !(s->from & bb_file(square_file(s->to)));
}

/* Reads [piece][file][rank][x or -]square[promotion], without check signs and annotations. A
 * leading 'b' is a file, or the bishop when the caller says so. */
static bool parse_shape(Span t, bool b_is_bishop, SanPattern *s)
{
    *s = (SanPattern){NO_PIECE_TYPE, NO_PIECE_TYPE, SQ_NONE, ~0ULL};
    if (t.len < 2 || !parse_promotion(&t, s))
        return false;
    const char *c = t.at, *end = t.at + t.len - 2;
    if (!is_file(end[0]) || !is_rank(end[1]))
        return false;
    s->to = square_make(end[0] - 'a', end[1] - '1');
    if (c < end && (*c != 'b' || b_is_bishop))
        s->type = type_of_letter(*c);
    bool named = s->type != NO_PIECE_TYPE;
    c += named;
    char join = c < end ? end[-1] : '\0';
    bool takes = join == 'x' || join == ':' || join == 'X';
    if (takes || (join == '-' && end - t.at > 1))
        end--;
    bool has_file = c < end && is_file(*c);
    if (has_file)
        s->from &= bb_file(*c++ - 'a');
    bool has_rank = c < end && is_rank(*c);
    if (has_rank)
        s->from &= bb_rank(*c++ - '1');
    if (c != end)
        return false;
    if (!named)
        return settle_unnamed(s, has_file, has_rank, takes);
    if (s->type == PAWN && !has_file && !takes)
        s->from &= bb_file(square_file(s->to));
    return true;
}

/* -- Reading -- */

static Status fail(Message *why, Span text, const char *what)
{
    char shown[SHOWN_SIZE];
    span_show(text, shown, sizeof shown);
    return status_fail(why, STATUS_INVALID, "\"%s\" %s", shown, what);
}

static Status fail_ambiguous(Message *why, Span text, Bitboard origins)
{
    char shown[SHOWN_SIZE], first[3], last[3];
    span_show(text, shown, sizeof shown);
    square_name(bb_first(origins), first);
    square_name(bb_last(origins), last);
    return status_fail(why, STATUS_INVALID,
                       "\"%s\" is ambiguous: the pieces on %s and %s can both move there", shown,
                       first, last);
}

/* The move between two squares, castling in either style included. */
static Move move_between(const Position *p, const SanPattern *s)
{
    char text[UCI_MOVE_SIZE];
    size_t len = 4;
    square_name(bb_first(s->from), text);
    square_name(s->to, text + 2);
    if (s->promotion != NO_PIECE_TYPE)
        text[len++] = TYPE_LETTERS[s->promotion];
    return uci_move_read(p, (Span){text, len});
}

/* The candidates, and the move when there is exactly one. Castling may be given as the king's move
 * from square to square. */
static Bitboard resolve(const Position *p, const SanPattern *s, Move *out)
{
    bool one_square = s->from && !bb_many(s->from);
    if (s->type == NO_PIECE_TYPE || (s->type == KING && one_square)) {
        if (s->type == KING && !(s->from & pos_pieces(p, p->side, KING)))
            return 0;
        *out = move_between(p, s);
        return *out == MOVE_NONE ? 0 : s->from;
    }
    Bitboard origins = legal_origins(p, s);
    if (origins && !bb_many(origins))
        *out = shape_move(p, s, bb_first(origins));
    return origins;
}

static bool is_null(Span t)
{
    return span_is(t, "--") || span_is(t, "Z0") || span_is(t, "@@@@") || span_is(t, "0000") ||
           span_is_ignoring_case(t, "null");
}

static bool ends_with(Span t, const char *end)
{
    size_t len = strlen(end);
    return t.len > len && memcmp(t.at + t.len - len, end, len) == 0;
}

/* Removes check signs, annotations, a trailing = and e.p. from the end, in any order. */
static Span strip_end(Span t)
{
    static const char *const EP[] = {"e.p.", "e.p", "ep"};
    bool found = true;
    while (found) {
        t = span_trim(t);
        found = t.len && memchr("+#!?=", t.at[t.len - 1], 5);
        if (found)
            t.len--;
        for (size_t i = 0; i < sizeof EP / sizeof *EP && !found; i++) {
            found = ends_with(t, EP[i]);
            if (found)
                t.len -= strlen(EP[i]);
        }
    }
    return t;
}

/* The number of O or 0 of castling, with or without hyphens: 2 or 3; 0 for any other text. */
static int castling_letters(Span t)
{
    int letters = 0;
    bool hyphens = t.len > 1 && t.at[1] == '-';
    for (size_t i = 0; i < t.len; i++) {
        bool want_hyphen = hyphens && i % 2 == 1;
        bool is_letter = t.at[i] == 'O' || t.at[i] == '0' || t.at[i] == 'o';
        if (want_hyphen ? t.at[i] != '-' : !is_letter)
            return 0;
        letters += is_letter;
        if (letters > 3)
            return 0;
    }
    return letters >= 2 && t.at[t.len - 1] != '-' ? letters : 0;
}

static Status read_castling(const Position *p, Span text, int letters, Move *out, Message *why)
{
    Wing wing = letters == 2 ? KING_SIDE : QUEEN_SIDE;
    Square rook = p->castling_rook[castling_index(p->side, wing)];
    Move m = MOVE_NONE;
    if (p->st.castling & castling_right(p->side, wing))
        m = move_make(pos_king(p, p->side), rook, MOVE_CASTLING);
    if (!pos_is_legal(p, m))
        return fail(why, text, "is not legal here");
    *out = m;
    return STATUS_OK;
}

static bool lacks_promotion(const Position *p, SanPattern s)
{
    Move ignored;
    if (s.promotion != NO_PIECE_TYPE)
        return false;
    s.promotion = QUEEN;
    return resolve(p, &s, &ignored) != 0;
}

static Status read_loosely(const Position *p, Span text, Move *out, Message *why)
{
    Span t = span_trim(text);
    if (is_null(t)) {
        if (pos_in_check(p))
            return fail(why, text, "is not legal here: the king is in check");
        *out = MOVE_NULL;
        return STATUS_OK;
    }
    t = strip_end(t);
    int letters = castling_letters(t);
    if (letters)
        return read_castling(p, text, letters, out, why);
    bool is_move = false, lacks = false;
    int readings = t.len && t.at[0] == 'b' ? 2 : 1; /* a file first, then the bishop */
    for (int reading = 0; reading < readings; reading++) {
        SanPattern s;
        if (!parse_shape(t, reading == 1, &s))
            continue;
        is_move = true;
        Bitboard origins = resolve(p, &s, out);
        if (bb_many(origins))
            return fail_ambiguous(why, text, origins);
        if (origins)
            return STATUS_OK;
        lacks = lacks || lacks_promotion(p, s);
    }
    if (lacks)
        return fail(why, text, "is ambiguous: the promotion piece is missing");
    return fail(why, text, is_move ? "is not legal here" : "is not a move");
}

Status san_read(const Position *p, Span text, Move *out, Message *why)
{
    Span t = text;
    if (t.len && (t.at[t.len - 1] == '+' || t.at[t.len - 1] == '#'))
        t.len--;
    SanPattern s;
    Move m;
    if (parse_shape(t, false, &s)) {
        Bitboard origins = resolve(p, &s, &m);
        if (origins && !bb_many(origins)) {
            *out = m;
            return STATUS_OK;
        }
    }
    return read_loosely(p, text, out, why);
}
