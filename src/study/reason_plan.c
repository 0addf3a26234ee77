/* What a mistake costs when it is neither mate nor material: threats, checks, castling, pawns,
 * tempo. Each is a fact on the board in the first plies of a line, which the other choice does not
 * bring about. */
#include "chess/movegen.h"
#include "study/review_int.h"

#include <string.h>

enum {
    HORIZON = 7,       /* plies of the line that are looked at */
    FAR_ADVANCED = 4,  /* rank of a passed pawn from which its advance is worth telling, from 0 */
    MANY_CHECKS = 2,   /* ... within the horizon */
    ENDING_PIECES = 6, /* with fewer pieces a king that moves is no event */
    THREATENED = 2,    /* pawns */
    MATE_THREAT = 3    /* moves */
};

/* Both lines on the board. */
typedef struct View {
    const Plan *plan;
    Position at[HORIZON + 1], other[HORIZON + 1]; /* after so many plies */
    int count, other_count;
    Color side, victim;
} View;

static int unroll(const Position *from, const Line *line, Position *at)
{
    Undo undo;
    int n = line->length < HORIZON ? line->length : HORIZON;
    at[0] = *from;
    for (int i = 0; i < n; i++) {
        at[i + 1] = at[i];
        pos_make(&at[i + 1], line->at[i], &undo);
    }
    return n;
}

/* -- Features of a position -- */

static Bitboard files_beside(Bitboard pawns)
{
    Bitboard files = bb_fill_north(pawns) | bb_fill_south(pawns);
    return bb_east(files) | bb_west(files);
}

static Bitboard doubled_pawns(const Position *p, Color side)
{
    Bitboard mine = pos_pieces(p, side, PAWN);
    return mine & bb_front_fill(side, mine);
}

static Bitboard isolated_pawns(const Position *p, Color side)
{
    Bitboard mine = pos_pieces(p, side, PAWN);
    return mine & ~files_beside(mine);
}

static Bitboard rooks_on_seventh(const Position *p, Color side)
{
    return pos_pieces(p, side, ROOK) & bb_relative_rank(side, 6);
}

/* The king's square when a side has not both bishops. */
static Bitboard no_bishop_pair(const Position *p, Color side)
{
    return bb_many(pos_pieces(p, side, BISHOP)) ? 0 : pos_pieces(p, side, KING);
}

static Bitboard no_queens(const Position *p, Color side)
{
    return p->by_type[QUEEN] ? 0 : pos_pieces(p, side, KING);
}

typedef struct Feature {
    ReviewReasonKind kind;
    Bitboard (*find)(const Position *p, Color side);
    bool of_victim;
} Feature;

/* The more there are of these, the better for the one who plays the line. */
static const Feature features[] = {
    {REASON_MISSES_PASSED_PAWN, pawns_passed, false},
    {REASON_MISSES_SEVENTH, rooks_on_seventh, false},
    {REASON_MISSES_DOUBLED, doubled_pawns, true},
    {REASON_MISSES_ISOLATED, isolated_pawns, true},
    {REASON_MISSES_BISHOP_PAIR, no_bishop_pair, true},
    {REASON_MISSES_QUEENS, no_queens, false},
};

/* There is one more than before, from some ply on to the end, and not at the end of
 * the other line. */
static bool find_feature(const View *v, const Feature *f, ReviewReason *out)
{
    Color side = f->of_victim ? v->victim : v->side;
    Bitboard before = f->find(v->plan->before, side), last = f->find(&v->at[v->count], side);
    int had = bb_count(before), first = v->count;
    if (bb_count(last) <= had ||
        bb_count(f->find(&v->other[v->other_count], side)) >= bb_count(last))
        return false;
    while (first > 0 && bb_count(f->find(&v->at[first - 1], side)) > had)
        first--;
    if (!first || !trade_is_quiet(&v->at[v->count]))
        return false;
    Bitboard fresh = f->find(&v->at[first], side) & ~before;
    return fresh && reason_claim(out, f->kind, NO_PIECE_TYPE, bb_first(fresh), first);
}

/* -- Checks, and a king that has to move -- */

static int count_checks(const Position *at, int count, Color victim, int *last)
{
    int checks = 0;
    for (int i = 1; i <= count; i++)
        if (at[i].side == victim && pos_in_check(&at[i])) {
            checks++;
            *last = i;
        }
    return checks;
}

static bool find_checks(const View *v, ReviewReason *out)
{
    int last = 0, unused = 0;
    if (count_checks(v->at, v->count, v->victim, &last) < MANY_CHECKS ||
        count_checks(v->other, v->other_count, v->victim, &unused))
        return false;
    return reason_claim(out, REASON_MISSES_CHECKS, NO_PIECE_TYPE, SQ_NONE, last);
}

/* The ply at which the king of the side moves without castling; 0: it does not. */
static int ply_of_king_move(const Position *at, int count, const Line *line, Color side)
{
    for (int i = 0; i < count; i++) {
        Move m = line->at[i];
        if (at[i].side == side && move_kind(m) != MOVE_CASTLING &&
            piece_type(at[i].board[move_from(m)]) == KING)
            return i + 1;
        if (at[i].side == side && move_kind(m) == MOVE_CASTLING)
            return 0;
    }
    return 0;
}

static bool may_castle(const Position *p, Color side)
{
    int rights = castling_right(side, KING_SIDE) | castling_right(side, QUEEN_SIDE);
    return (p->st.castling & rights) != 0;
}

static bool find_king_move(const View *v, ReviewReason *out)
{
    if (!may_castle(&v->at[0], v->victim) || !may_castle(v->plan->before, v->victim) ||
        judge_pieces(&v->at[0]) <= ENDING_PIECES)
        return false;
    int ply = ply_of_king_move(v->at, v->count, v->plan->line, v->victim);
    return !ply_of_king_move(v->other, v->other_count, v->plan->instead, v->victim) &&
           reason_claim(out, REASON_MISSES_KING_MOVE, NO_PIECE_TYPE, SQ_NONE, ply);
}

/* -- Passed pawns -- */

static int farthest(const Position *p, Color side, Square *where)
{
    Bitboard pawns = pawns_passed(p, side);
    int most = 0;
    while (pawns) {
        Square s = bb_pop(&pawns);
        if (square_relative_rank(side, s) > most) {
            most = square_relative_rank(side, s);
            *where = s;
        }
    }
    return most;
}

static bool find_advance(const View *v, ReviewReason *out)
{
    Square where = SQ_NONE, unused;
    int rank = farthest(&v->at[v->count], v->side, &where), ply = 0;
    if (rank < FAR_ADVANCED || rank <= farthest(v->plan->before, v->side, &unused) ||
        rank <= farthest(&v->other[v->other_count], v->side, &unused) + 1)
        return false;
    for (int i = 0; i < v->count; i++)
        if (move_to(v->plan->line->at[i]) == where)
            ply = i + 1;
    return reason_claim(out, REASON_MISSES_ADVANCE, NO_PIECE_TYPE, where, ply);
}

/* -- A gain of time -- */

/* The first move attacks a piece that stood well before, and the answer has to move it. */
static bool find_tempo(const View *v, ReviewReason *out)
{
    const Line *line = v->plan->line;
    if (line->length < 2 || v->count < 2 || pos_in_check(&v->at[1]) ||
        pos_is_capture(&v->at[0], line->at[0]) || pos_is_capture(&v->at[1], line->at[1]))
        return false;
    const Position *p = &v->at[1];
    Square by = move_to(line->at[0]), target = move_from(line->at[1]);
    PieceType attacker = piece_type(p->board[by]), piece = piece_type(p->board[target]);
    Bitboard attackers = pos_attackers(p, target, pos_occupied(p)) & bb_of(by);
    bool loose = !pos_attacked(p, target, v->victim, pos_occupied(p) & ~bb_of(target));
    if (!attackers || piece == PAWN || piece == KING ||
        (trade_worth(piece) <= trade_worth(attacker) && !loose) ||
        pos_attacked(&v->at[0], target, v->side, pos_occupied(&v->at[0])))
        return false;
    return reason_claim(out, REASON_MISSES_TEMPO, piece, target, 2);
}

/* -- Threats -- */

static bool threat_is_mate(const Position *passed, const Seen *seen, ReviewReason *out)
{
    if (!score_is_mate(seen->score) || seen->score < 0 ||
        score_mate_moves(seen->score) > MATE_THREAT)
        return false;
    Position end;
    out->moves = score_mate_moves(seen->score);
    return line_mates(passed, &seen->line, &end);
}

static bool threat_wins(const Position *passed, const Seen *seen, ReviewReason *out)
{
    Trade t;
    if (!trade_first(passed, &seen->line, passed->side, THREATENED, &t))
        return false;
    material_note(out, t.won, t.lost);
    out->threat_length = t.last_capture < REASON_THREAT_MAX ? t.last_capture : REASON_THREAT_MAX;
    return t.last_capture <= REASON_THREAT_MAX;
}

Status plan_find_threat(Reviewer *r, const Plan *plan, ReviewReason *out, Message *why)
{
    Position p = *plan->from;
    Undo undo;
    Seen seen;
    *out = reason_of(REASON_NONE, 0);
    if (!plan->line->length)
        return STATUS_OK;
    line_play(&p, plan->line, 1);
    if (pos_in_check(&p) || !movegen_any(&p) || pos_is_capture(plan->from, plan->line->at[0]))
        return STATUS_OK;
    pos_make_null(&p, &undo);
    Status s = reviewer_look(r, &p, LOOK_USUAL, &seen, why);
    if (s != STATUS_OK || !seen.line.length)
        return s;
    ReviewReason found = reason_of(REASON_MISSES_THREAT, 1);
    found.threat_length = 1;
    ProofVerdict verdict = PROOF_HOLDS;
    if (!threat_is_mate(&p, &seen, &found)) {
        Proof proof = {r, &p, &seen.line, judge_chance(seen.score, &p)};
        if (!threat_wins(&p, &seen, &found))
            return STATUS_OK;
        s = proof_confirm(&proof, found.threat_length, &verdict, why);
    }
    if (verdict == PROOF_HOLDS) {
        memcpy(found.threat, seen.line.at, (size_t)found.threat_length * sizeof *found.threat);
        *out = found;
    }
    return s;
}

/* -- All of them -- */

bool plan_find(const Plan *plan, ReviewReason *out)
{
    View v = {.plan = plan, .side = plan->from->side, .victim = color_other(plan->from->side)};
    v.count = unroll(plan->from, plan->line, v.at);
    v.other_count = unroll(plan->before, plan->instead, v.other);
    if (!v.count)
        return false;
    if (find_checks(&v, out) || find_king_move(&v, out) || find_advance(&v, out) ||
        motif_find_pin(plan->from, plan->line, out) || find_tempo(&v, out))
        return true;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (find_feature(&v, &features[i], out))
            return true;
    return false;
}
