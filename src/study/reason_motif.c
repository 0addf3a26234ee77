/* Tricks that have a name. Each is a claim about the first move of a line, and each is made only
 * when the line goes on to take what the trick was aimed at. */
#include "study/review_int.h"

#include "chess/movegen.h"
#include "chess/see.h"

enum { SHOWN_WITHIN = 6, GAIN = 2, PROMOTION_WITHIN = 10, PROMOTION_GAIN = 3 };

/* The first move of a line and what stands on the board after it. */
typedef struct Scene {
    const Position *from;
    const Line *line;
    Position after;
    Color side;      /* who has the trick */
    Square at;       /* where the first move went */
    PieceType piece; /* what stands there */
} Scene;

static Bitboard attacks_from(const Position *p, Square s)
{
    Piece piece = p->board[s];
    if (piece == NO_PIECE)
        return 0;
    if (piece_type(piece) == PAWN)
        return attacks_pawn(piece_color(piece), s);
    return attacks_of(piece_type(piece), s, pos_occupied(p));
}

static Color victim(const Scene *s)
{
    return color_other(s->side);
}

static bool is_guarded(const Position *p, Square s, Color by)
{
    return pos_attacked(p, s, by, pos_occupied(p));
}

/* Worth attacking with a piece of that type: the king, more than it costs, or a
 * piece for nothing. */
static bool is_target(const Scene *s, Square sq, PieceType by)
{
    PieceType t = piece_type(s->after.board[sq]);
    if (t == KING || trade_worth(t) > trade_worth(by))
        return true;
    return t != PAWN && !is_guarded(&s->after, sq, victim(s));
}

/* The ply after which the piece on `taker` has taken what stood on `target` after the first move,
 * both still the same pieces; 0 when the line does not show that. */
static int ply_taken(const Scene *s, Square taker, Square target)
{
    for (int i = 1; i < s->line->length && i < SHOWN_WITHIN; i++) {
        Move m = s->line->at[i];
        bool mine = i % 2 == 0;
        if (mine && move_to(m) == target && move_kind(m) != MOVE_CASTLING)
            return taker == SQ_NONE || move_from(m) == taker ? i + 1 : 0;
        if (move_from(m) == target || move_from(m) == taker || move_to(m) == taker)
            return 0;
    }
    return 0;
}

/* -- Fork -- */

static bool find_fork(const Scene *s, ReviewReason *out)
{
    Bitboard hit = attacks_from(&s->after, s->at) & s->after.by_color[victim(s)], targets = 0;
    while (hit) {
        Square sq = bb_pop(&hit);
        if (is_target(s, sq, s->piece))
            targets |= bb_of(sq);
    }
    if (!bb_many(targets))
        return false;
    targets &= ~s->after.by_type[KING];
    while (targets)
        if (reason_claim(out, REASON_MISSES_FORK, s->piece, s->at,
                         ply_taken(s, s->at, bb_pop(&targets))))
            return true;
    return false;
}

/* -- Pin and skewer: two pieces on one line of a slider -- */

/* The next piece on the ray from `from` through `front`; SQ_NONE when there is none of the
 * victim's. */
static Square piece_behind(const Scene *s, Square front)
{
    Bitboard occupied = pos_occupied(&s->after) & ~bb_of(front);
    Bitboard seen = attacks_of(s->piece, s->at, occupied) & ~attacks_from(&s->after, s->at) &
                    bb_line(s->at, front) & s->after.by_color[victim(s)];
    return seen ? bb_first(seen) : SQ_NONE;
}

static bool pin_on(const Scene *s, Square front, Square back, ReviewReason *out)
{
    PieceType f = piece_type(s->after.board[front]), b = piece_type(s->after.board[back]);
    if (f == KING || f == PAWN || trade_worth(b) <= trade_worth(f))
        return false;
    return reason_claim(out, REASON_MISSES_PIN, f, front, ply_taken(s, SQ_NONE, front));
}

/* The one in front has to go, by the next move, and the one behind it is taken. */
static bool skewer_on(const Scene *s, Square front, Square back, ReviewReason *out)
{
    PieceType f = piece_type(s->after.board[front]), b = piece_type(s->after.board[back]);
    bool pays =
        f == KING || (trade_worth(f) > trade_worth(s->piece) && trade_worth(f) >= trade_worth(b));
    if (!pays || b == PAWN || s->line->length < 3)
        return false;
    if (move_from(s->line->at[1]) != front || move_from(s->line->at[2]) != s->at ||
        move_to(s->line->at[2]) != back || move_to(s->line->at[1]) == s->at)
        return false;
    return reason_claim(out, REASON_MISSES_SKEWER, f, front, 3);
}

static bool find_on_ray(const Scene *s, ReviewReason *out,
                        bool (*claim)(const Scene *, Square, Square, ReviewReason *))
{
    if (s->piece != BISHOP && s->piece != ROOK && s->piece != QUEEN)
        return false;
    Bitboard hit = attacks_from(&s->after, s->at) & s->after.by_color[victim(s)];
    while (hit) {
        Square front = bb_pop(&hit), back = piece_behind(s, front);
        if (back != SQ_NONE && claim(s, front, back, out))
            return true;
    }
    return false;
}

/* -- Discovered attack -- */

/* A discovered check wins what the moved piece takes, at once or by its next move. */
static int ply_of_check(const Scene *s)
{
    if (pos_is_capture(s->from, s->line->at[0]))
        return 1;
    if (s->line->length < 3 || move_from(s->line->at[2]) != s->at)
        return 0;
    return s->after.board[move_to(s->line->at[2])] != NO_PIECE ? 3 : 0;
}

static bool discovery_by(const Scene *s, Square slider, ReviewReason *out)
{
    PieceType t = piece_type(s->after.board[slider]);
    Bitboard fresh = attacks_from(&s->after, slider) & ~attacks_from(s->from, slider) &
                     s->after.by_color[victim(s)];
    while (fresh) {
        Square sq = bb_pop(&fresh);
        if (!(bb_between(slider, sq) & bb_of(move_from(s->line->at[0]))) || !is_target(s, sq, t))
            continue;
        bool check = piece_type(s->after.board[sq]) == KING;
        int plies = check ? ply_of_check(s) : ply_taken(s, slider, sq);
        if (reason_claim(out, REASON_MISSES_DISCOVERY, t, slider, plies))
            return true;
    }
    return false;
}

static bool find_discovery(const Scene *s, ReviewReason *out)
{
    Bitboard sliders =
        s->after.by_color[s->side] &
        (s->after.by_type[BISHOP] | s->after.by_type[ROOK] | s->after.by_type[QUEEN]) &
        ~bb_of(s->at);
    while (sliders)
        if (discovery_by(s, bb_pop(&sliders), out))
            return true;
    return false;
}

/* -- Trapped pieces -- */

/* Every move of the piece loses it or nearly as much. */
static bool has_no_safe_move(const Position *p, Square sq)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    for (int i = 0; i < count; i++)
        if (move_from(moves[i]) == sq && see_at_least(p, moves[i], -GAIN * 100 + 1))
            return false;
    return true;
}

static bool find_trap(const Scene *s, ReviewReason *out)
{
    Bitboard prey =
        s->after.by_color[victim(s)] & ~s->after.by_type[PAWN] & ~s->after.by_type[KING];
    if (pos_in_check(&s->after))
        return false;
    while (prey) {
        Square sq = bb_pop(&prey);
        int plies = ply_taken(s, SQ_NONE, sq);
        if (plies && is_guarded(&s->after, sq, s->side) && !is_guarded(s->from, sq, s->side) &&
            has_no_safe_move(&s->after, sq))
            return reason_claim(out, REASON_MISSES_TRAP, piece_type(s->after.board[sq]), sq, plies);
    }
    return false;
}

/* -- Defenders -- */

/* A capture, a recapture on the same square, and a second capture of something that the piece on
 * `defender` defended; nothing takes back there. */
static bool takes_what_it_defended(const Scene *s, Square defender)
{
    const Line *l = s->line;
    if (l->length < 3 || !pos_is_capture(s->from, l->at[0]) || move_to(l->at[1]) != s->at)
        return false;
    Square prize = move_to(l->at[2]);
    if (prize == s->at || !(attacks_from(s->from, defender) & bb_of(prize)) ||
        s->from->board[prize] == NO_PIECE || piece_type(s->from->board[prize]) == KING)
        return false;
    return l->length < 4 || move_to(l->at[3]) != prize;
}

static bool find_defender(const Scene *s, ReviewReason *out)
{
    Square recaptures = s->line->length > 1 ? move_from(s->line->at[1]) : SQ_NONE;
    bool overloaded = recaptures != SQ_NONE && takes_what_it_defended(s, recaptures);
    if (!overloaded && !takes_what_it_defended(s, s->at))
        return false;
    Square sq = overloaded ? recaptures : s->at;
    PieceType t = piece_type(s->from->board[sq]);
    return t != NO_PIECE_TYPE && t != KING &&
           reason_claim(out, overloaded ? REASON_MISSES_OVERLOAD : REASON_MISSES_REMOVAL, t, sq, 3);
}

/* -- Promotion -- */

/* The other side runs with a passed pawn of its own meanwhile. */
static bool is_race(const Scene *s, int plies)
{
    Position p = s->after;
    Undo undo;
    for (int i = 1; i < plies; i++) {
        Move m = s->line->at[i];
        if (p.side != s->side && (bb_of(move_from(m)) & pawns_passed(&p, p.side)))
            return true;
        pos_make(&p, m, &undo);
    }
    return false;
}

/* Some pawn of the side gets through and what it became is not taken at once. */
static bool find_promotion(const Scene *s, ReviewReason *out)
{
    Trade trade;
    if (!trade_first(s->from, s->line, s->side, PROMOTION_GAIN, &trade))
        return false;
    for (int i = 0; i < s->line->length && i < PROMOTION_WITHIN; i += 2) {
        Move m = s->line->at[i];
        if (!move_is_promotion(m))
            continue;
        if (i + 1 < s->line->length && move_to(s->line->at[i + 1]) == move_to(m))
            return false;
        return reason_claim(out, is_race(s, i + 1) ? REASON_MISSES_RACE : REASON_MISSES_PROMOTION,
                            move_promotion(m), move_to(m), i + 1);
    }
    return false;
}

static bool set_scene(Scene *s, const Position *from, const Line *line)
{
    Undo undo;
    if (!line->length)
        return false;
    *s = (Scene){.from = from, .line = line, .after = *from, .side = from->side};
    pos_make(&s->after, line->at[0], &undo);
    s->at = move_to(line->at[0]);
    s->piece = piece_type(s->after.board[s->at]);
    return true;
}

bool motif_find(const Position *from, const Line *line, ReviewReason *out)
{
    Scene s;
    Trade trade;
    if (!set_scene(&s, from, line))
        return false;
    if (find_promotion(&s, out))
        return true;
    if (move_kind(line->at[0]) == MOVE_CASTLING || !trade_first(from, line, s.side, GAIN, &trade))
        return false;
    return find_fork(&s, out) || find_on_ray(&s, out, skewer_on) || find_on_ray(&s, out, pin_on) ||
           find_discovery(&s, out) || find_defender(&s, out) || find_trap(&s, out);
}

/* The pinned piece is worth the pin: it may not move, or something greater stands behind it. */
static bool stands_pinned(const Scene *s, Square front, Square back, ReviewReason *out)
{
    PieceType f = piece_type(s->after.board[front]), b = piece_type(s->after.board[back]);
    if (f == KING || f == PAWN || (b != KING && (b != QUEEN || f == QUEEN)) || f == s->piece)
        return false;
    Move answer = s->line->length > 1 ? s->line->at[1] : MOVE_NONE;
    bool broken = answer == MOVE_NONE || move_from(answer) == front || move_from(answer) == back ||
                  move_to(answer) == s->at || (bb_between(s->at, front) & bb_of(move_to(answer))) ||
                  (bb_between(front, back) & bb_of(move_to(answer)));
    return !broken && reason_claim(out, REASON_MISSES_PIN, f, front, 1);
}

bool motif_find_pin(const Position *from, const Line *line, ReviewReason *out)
{
    Scene s;
    return set_scene(&s, from, line) && move_kind(line->at[0]) != MOVE_CASTLING &&
           !pos_is_capture(from, line->at[0]) && find_on_ray(&s, out, stands_pinned);
}
