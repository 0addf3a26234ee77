/* What a move does on the board: captures, safety, threats, the piece and its way, and how it
 * follows the last moves. */
#include "levels/human_features_int.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "chess/see.h"

#include <stdlib.h>

enum { OPENING_PLIES = 20, ENDGAME_PIECES = 6, LONG_WAY = 4, QUEEN_VALUE = 900, FAR = 7 };

/* -- The position -- */

static const int worth[PIECE_TYPE_COUNT + 1] = {100, 300, 310, 500, 900, 0, 0};

/* Attacked by something cheaper, or attacked and not defended. */
static bool hangs(const Position *p, Square s)
{
    Piece piece = p->board[s];
    Color us = piece_color(piece), them = color_other(us);
    Bitboard attackers = pos_attackers(p, s, pos_occupied(p));
    Bitboard enemies = attackers & p->by_color[them];
    if (!enemies)
        return false;
    if (!(attackers & p->by_color[us]))
        return true;
    for (PieceType t = PAWN; t < piece_type(piece); t++)
        if ((enemies & p->by_type[t]) && worth[t] + 50 < worth[piece_type(piece)])
            return true;
    return false;
}

static Bitboard hanging_pieces(const Position *p, Color us)
{
    Bitboard pieces = p->by_color[us] & ~p->by_type[PAWN] & ~p->by_type[KING], out = 0;
    while (pieces) {
        Square s = bb_pop(&pieces);
        if (hangs(p, s))
            out |= bb_of(s);
    }
    return out;
}

static int most_worth(const Position *p, Bitboard pieces)
{
    int most = 0;
    while (pieces) {
        int value = worth[piece_type(p->board[bb_pop(&pieces)])];
        most = value > most ? value : most;
    }
    return most;
}

static Bitboard attacks_from(const Position *p, Square s)
{
    Piece piece = p->board[s];
    if (piece_type(piece) == PAWN)
        return attacks_pawn(piece_color(piece), s);
    return attacks_of(piece_type(piece), s, pos_occupied(p));
}

static HumanPhase phase_of(const Position *p)
{
    Bitboard pieces = pos_occupied(p) & ~p->by_type[PAWN] & ~p->by_type[KING];
    if (bb_count(pieces) <= ENDGAME_PIECES)
        return PHASE_ENDGAME;
    return p->game_ply < OPENING_PLIES ? PHASE_OPENING : PHASE_MIDDLE;
}

static double lead_of(const Position *p, Color us)
{
    int sum = 0;
    for (PieceType t = PAWN; t < KING; t++)
        sum += worth[t] *
               (bb_count(pos_pieces(p, us, t)) - bb_count(pos_pieces(p, color_other(us), t)));
    return sum > QUEEN_VALUE ? 1 : sum < -QUEEN_VALUE ? -1 : (double)sum / QUEEN_VALUE;
}

/* What a capture wins at the least, in steps of a pawn or so. */
static int gain_of(const Position *p, Move m)
{
    static const int gains[] = {900, 500, 300, 200, 100, 1};
    for (size_t i = 0; i < sizeof gains / sizeof *gains; i++)
        if (see_at_least(p, m, gains[i]))
            return gains[i];
    return 0;
}

static int best_gain(const Position *p)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_NOISY, moves), best = 0;
    for (int i = 0; i < count; i++) {
        int gain = pos_is_capture(p, moves[i]) ? gain_of(p, moves[i]) : 0;
        best = gain > best ? gain : best;
    }
    return best;
}

void human_board(HumanBoard *b, const HumanMoment *moment)
{
    const Position *p = moment->p;
    b->moment = moment;
    b->p = *p;
    b->us = p->side;
    b->them = color_other(p->side);
    b->phase = phase_of(p);
    b->hanging = hanging_pieces(p, b->us);
    b->king_ring = bb_grow(bb_of(pos_king(p, b->them)));
    b->last_to = moment->their_last == MOVE_NONE ? SQ_NONE : move_to(moment->their_last);
    if (b->last_to != SQ_NONE &&
        p->board[b->last_to] == NO_PIECE) /* castling: the king took its rook */
        b->last_to = pos_king(p, b->them);
    b->last_attacked = b->last_to == SQ_NONE ? 0 : attacks_from(p, b->last_to);
    b->lead = lead_of(p, b->us);
    b->best_gain = best_gain(p);
}

bool human_repeats(const Position *p, Move m)
{
    Position after = *p;
    Undo undo;
    pos_make(&after, m, &undo);
    return draw_repetitions(&after) > 0;
}

/* -- Captures and special moves -- */

static void add_capture(const HumanBoard *b, Move m, HumanFeatures *f)
{
    const Position *p = &b->p;
    PieceType victim = pos_captured_type(p, m), piece = piece_type(p->board[move_from(m)]);
    bool free = see_at_least(p, m, see_value[victim]);
    human_add(f, FACT_TAKES_PAWN + (int)victim, 1);
    human_add(f, FACT_TAKES_FREE, free);
    human_add(f, FACT_TAKES_BAD, !see_at_least(p, m, 0));
    human_add(f, FACT_TAKES_WITH_PAWN, piece == PAWN);
    human_add(f, FACT_TAKES_WITH_QUEEN, piece == QUEEN);
    human_add(f, FACT_TAKES_BACKWARD,
              square_relative_rank(b->us, move_to(m)) < square_relative_rank(b->us, move_from(m)));
    human_add(f, FACT_EN_PASSANT, move_kind(m) == MOVE_EN_PASSANT);
    bool even = see_at_least(p, m, 0) && !see_at_least(p, m, 60);
    human_add(f, FACT_EVEN_TRADE, even && victim != PAWN);
    human_add(f, FACT_TRADE_LEAD, even && victim != PAWN ? b->lead : 0);
    human_add(f, FACT_BEST_CAPTURE, b->best_gain >= 100 && gain_of(p, m) == b->best_gain);
    if (move_to(m) != b->last_to)
        return;
    bool again = b->moment->was_capture;
    human_add(f, FACT_RECAPTURES, again);
    human_add(f, FACT_RECAPTURES_FREE, again && free);
    human_add(f, FACT_TAKES_LAST_MOVED, !again);
}

static void add_special(const HumanBoard *b, Move m, bool safe, HumanFeatures *f)
{
    const Position *p = &b->p;
    if (move_kind(m) == MOVE_CASTLING)
        human_add(f, castling_wing(m) == KING_SIDE ? FACT_CASTLES_SHORT : FACT_CASTLES_LONG, 1);
    if (move_is_promotion(m))
        human_add(f, move_promotion(m) == QUEEN ? FACT_NEW_QUEEN : FACT_UNDER_PROMOTION, 1);
    if (pos_gives_check(p, m))
        human_add(f, safe ? FACT_CHECK_SAFE : FACT_CHECK_UNSAFE, 1);
    if (pos_in_check(p)) {
        bool king = piece_type(p->board[move_from(m)]) == KING;
        human_add(f, FACT_EVADES_KING, king);
        human_add(f, FACT_EVADES_BLOCK, !king && !pos_is_capture(p, m));
    }
}

/* -- Safety and threats -- */

static bool is_major(PieceType t)
{
    return t == ROOK || t == QUEEN;
}

static void add_safety(const HumanBoard *b, Move m, bool safe, HumanFeatures *f)
{
    const Position *p = &b->p;
    PieceType t = piece_type(p->board[move_from(m)]);
    if (!safe && !pos_is_capture(p, m) && t != KING)
        human_add(f,
                  t == PAWN     ? FACT_UNSAFE_PAWN
                  : is_major(t) ? FACT_UNSAFE_MAJOR
                                : FACT_UNSAFE_MINOR,
                  1);
    if (safe && (b->hanging & bb_of(move_from(m))))
        human_add(f, is_major(t) ? FACT_FLEES_MAJOR : FACT_FLEES_MINOR, 1);
    if (t != PAWN && t != KING && (b->last_attacked & bb_of(move_from(m))))
        human_add(f, FACT_FLEES_LAST, 1);
}

/* Who defends and attacks the square that the piece goes to. */
static void add_contact(const HumanBoard *b, Move m, bool safe, HumanFeatures *f)
{
    const Position *p = &b->p;
    Square from = move_from(m), to = move_to(m);
    Bitboard near = pos_attackers(p, to, pos_occupied(p) & ~bb_of(from)) & ~bb_of(from);
    Bitboard guards = near & p->by_color[b->us], enemies = near & p->by_color[b->them];
    PieceType t = piece_type(p->board[from]);
    human_add(f, FACT_GUARDED, t != KING && guards != 0);
    human_add(f, FACT_PAWN_GUARDED, t != KING && (guards & p->by_type[PAWN]) != 0);
    if (pos_is_capture(p, m) || !safe)
        return;
    human_add(f, FACT_IN_CONTACT, enemies != 0);
    human_add(f, FACT_OFFERS_TRADE, t != PAWN && guards && (enemies & p->by_type[t]) != 0);
}

/* How the moved piece answers the last move, seen from the position after the move. */
static void add_answer(const HumanBoard *b, Square to, Bitboard attacks, HumanFeatures *f)
{
    if (b->last_to == SQ_NONE || b->last_to == to)
        return;
    Bitboard targets = b->last_attacked & b->p.by_color[b->us] & ~b->p.by_type[PAWN] & ~bb_of(to);
    human_add(f, FACT_ATTACKS_LAST, (attacks & bb_of(b->last_to)) != 0);
    human_add(f, FACT_DEFENDS_LAST, (attacks & targets) != 0);
    Bitboard now = attacks_from(&b->p, b->last_to);
    human_add(f, FACT_BLOCKS_LAST, (targets & ~now) != 0);
}

/* Seen from the position after the move. */
static void add_threats(const HumanBoard *b, Square to, Bitboard attacks, HumanFeatures *f)
{
    const Position *p = &b->p;
    PieceType t = piece_type(p->board[to]);
    Bitboard targets = attacks & p->by_color[b->them] & ~p->by_type[KING];
    int threatened = 0, most = 0;
    while (targets) {
        Square s = bb_pop(&targets);
        PieceType victim = piece_type(p->board[s]);
        bool defended = pos_attacked(p, s, b->them, pos_occupied(p));
        if ((victim == PAWN && defended) || (defended && worth[victim] <= worth[t] + 50))
            continue;
        threatened += victim != PAWN;
        most = worth[victim] > most ? worth[victim] : most;
        human_add(f, FACT_ATTACKS_QUEEN, victim == QUEEN);
    }
    human_add(f, FACT_THREATENS, (double)most / QUEEN_VALUE);
    human_add(f, FACT_FORKS, threatened > 1);
    human_add(f, FACT_PAWN_THREATENS, t == PAWN && threatened > 0);
}

static void add_hanging(const HumanBoard *b, Square to, HumanFeatures *f)
{
    Bitboard after = hanging_pieces(&b->p, b->us) & ~bb_of(to);
    int value = most_worth(&b->p, after);
    human_add(f, FACT_LEAVES_HANGING, (double)value / QUEEN_VALUE);
    human_add(f, FACT_UNCOVERS, (double)most_worth(&b->p, after & ~b->hanging) / QUEEN_VALUE);
}

/* -- The piece and its way -- */

static void add_pawn(const HumanBoard *b, Move m, HumanFeatures *f)
{
    const Position *p = &b->p;
    Square from = move_from(m), to = move_to(m);
    int file = square_file(to), rank = square_relative_rank(b->us, to);
    Bitboard ahead = bb_front_fill(b->us, bb_of(to));
    Bitboard guard = ahead | bb_east(ahead) | bb_west(ahead);
    human_add(f, FACT_PAWN_DOUBLE, abs(square_rank(to) - square_rank(from)) == 2);
    human_add(f, FACT_PAWN_CENTRE, file == 3 || file == 4);
    human_add(f, FACT_PAWN_EDGE, file == 0 || file == 7);
    if (!(guard & pos_pieces(p, b->them, PAWN)))
        human_add(f, FACT_PAWN_PASSED, rank / 6.0);
    human_add(f, FACT_PAWN_BEFORE_KING,
              b->phase != PHASE_ENDGAME && square_distance(from, pos_king(p, b->us)) <= 2);
    int own = abs(square_file(pos_king(p, b->us)) - file);
    int theirs = abs(square_file(pos_king(p, b->them)) - file);
    if (b->phase != PHASE_ENDGAME && theirs <= 1 && own >= 3)
        human_add(f, FACT_PAWN_STORM, rank / 6.0);
    if (!(guard & pos_pieces(p, b->them, PAWN)))
        human_add(f, FACT_PAWN_PASSED_LEAD, b->lead);
}

static void add_way(const HumanBoard *b, Move m, HumanFeatures *f)
{
    Square from = move_from(m), to = move_to(m);
    int up = square_relative_rank(b->us, to) - square_relative_rank(b->us, from);
    int files = abs(square_file(to) - square_file(from));
    int distance = square_distance(from, to);
    human_add(f, FACT_FORWARD, up > 0 ? up / (double)FAR : 0);
    human_add(f, FACT_BACKWARD, up < 0);
    human_add(f, FACT_SIDEWAYS, up == 0);
    human_add(f, FACT_DISTANCE, distance / (double)FAR);
    human_add(f, FACT_LONG_DIAGONAL, distance >= LONG_WAY && files == abs(up));
}

static double from_centre(Square s)
{
    double file = square_file(s) - 3.5, rank = square_rank(s) - 3.5;
    return (file < 0 ? -file : file) + (rank < 0 ? -rank : rank);
}

static void add_piece(const HumanBoard *b, Move m, PieceType t, HumanFeatures *f)
{
    const Position *p = &b->p;
    Square from = move_from(m), to = move_to(m), king = pos_king(p, b->them);
    human_add(f, FACT_OPENING_PAWN + PIECE_TYPE_COUNT * (int)b->phase + (int)t, 1);
    int place = SQUARE_COUNT * (int)t + square_relative(b->us, to);
    human_add(f, (b->phase == PHASE_OPENING ? HUMAN_TO_OPENING : HUMAN_TO) + place, 1);
    human_add(f, HUMAN_FROM + SQUARE_COUNT * (int)t + square_relative(b->us, from), 1);
    if (move_kind(m) == MOVE_CASTLING)
        return;
    if (t == PAWN)
        add_pawn(b, m, f);
    else
        add_way(b, m, f);
    human_add(f, FACT_DEVELOPS,
              (t == KNIGHT || t == BISHOP) && square_relative_rank(b->us, from) == 0 &&
                  b->phase != PHASE_ENDGAME);
    human_add(f, FACT_ROOK_OPEN,
              t == ROOK && !(bb_file(square_file(to)) & pos_pieces(p, b->us, PAWN)));
    human_add(f, FACT_ROOK_SEVENTH, t == ROOK && square_relative_rank(b->us, to) == 6);
    human_add(f, FACT_ROOKS_LINE,
              (t == ROOK || t == QUEEN) &&
                  (bb_file(square_file(to)) & pos_pieces(p, b->us, ROOK) & ~bb_of(from)) != 0);
    human_add(f, FACT_KING_STEPS,
              (square_distance(from, king) - square_distance(to, king)) / (double)FAR);
    if (t == KING && b->phase == PHASE_ENDGAME)
        human_add(f, FACT_KING_CENTRE, (from_centre(from) - from_centre(to)) / 2);
    human_add(f, FACT_LOSES_CASTLING,
              (p->st.castling & p->castling_lost[from] &
               (castling_right(b->us, KING_SIDE) | castling_right(b->us, QUEEN_SIDE))) != 0);
}

/* -- The last moves -- */

static double nearness(Square a, Square b)
{
    return 1 - square_distance(a, b) / (double)FAR;
}

static void add_last_moves(const HumanBoard *b, Move m, HumanFeatures *f)
{
    Move own = b->moment->own_last;
    if (own != MOVE_NONE && move_from(m) == move_to(own)) {
        human_add(f, FACT_SAME_PIECE, 1);
        human_add(f, FACT_SAME_PIECE_OPENING, b->phase == PHASE_OPENING);
        human_add(f, FACT_UNDOES, move_to(m) == move_from(own));
    }
    if (b->last_to == SQ_NONE)
        return;
    human_add(f, FACT_NEAR_LAST, nearness(move_to(m), b->last_to));
    human_add(f, FACT_FROM_NEAR_LAST, nearness(move_from(m), b->last_to));
}

static void add_after(HumanBoard *b, Move m, Square to, int reach, HumanFeatures *f)
{
    Undo undo;
    int hung = most_worth(&b->p, b->hanging);
    pos_make(&b->p, m, &undo);
    Bitboard attacks = attacks_from(&b->p, to);
    int left = most_worth(&b->p, hanging_pieces(&b->p, b->us));
    add_threats(b, to, attacks, f);
    add_answer(b, to, attacks, f);
    add_hanging(b, to, f);
    human_add(f, FACT_SAVES, hung > left ? (double)(hung - left) / QUEEN_VALUE : 0);
    human_add(f, FACT_KING_RING, bb_count(attacks & b->king_ring) / 3.0);
    human_add(f, FACT_MOBILITY, (bb_count(attacks & ~b->p.by_color[b->us]) - reach) / 10.0);
    human_add(f, FACT_REPEATS, draw_repetitions(&b->p) > 0);
    pos_unmake(&b->p, m, &undo);
}

void human_add_move(HumanBoard *b, Move m, HumanFeatures *f)
{
    const Position *p = &b->p;
    PieceType t = piece_type(p->board[move_from(m)]);
    bool castles = move_kind(m) == MOVE_CASTLING;
    bool safe = castles || see_at_least(p, m, 0);
    int reach = bb_count(attacks_from(p, move_from(m)) & ~p->by_color[b->us]);
    if (pos_is_capture(p, m))
        add_capture(b, m, f);
    add_special(b, m, safe, f);
    add_safety(b, m, safe, f);
    if (!castles)
        add_contact(b, m, safe, f);
    add_piece(b, m, t, f);
    add_last_moves(b, m, f);
    Square to = castles ? castling_king_to(b->us, castling_wing(m)) : move_to(m);
    add_after(b, m, to, reach, f);
}
