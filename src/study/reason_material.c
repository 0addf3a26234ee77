/* Material: what the reply to a move wins, and what the best line instead of it would have won. */
#include "chess/movegen.h"
#include "search/wdl.h"
#include "study/review_int.h"

#include <string.h>

enum {
    PAWN_FELT = 40, /* centipawns by which the score must go along with each pawn that went ... */
    FELT_MOST = 100 /* ... but not more than this */
};

int material_count(const uint8_t *pieces, PieceType from)
{
    int count = 0;
    for (int t = from; t <= QUEEN; t++)
        count += pieces[t];
    return count;
}

static PieceType greatest(const uint8_t *pieces)
{
    for (int t = QUEEN; t >= PAWN; t--)
        if (pieces[t])
            return (PieceType)t;
    return NO_PIECE_TYPE;
}

void material_note(ReviewReason *out, const uint8_t *gone, const uint8_t *got)
{
    memcpy(out->gone, gone, sizeof out->gone);
    memcpy(out->got, got, sizeof out->got);
}

/* A line may give a piece for good reasons of its own: where the score does not go along, the
 * material is not what was wrong with the move. */
static bool is_felt(const Mistake *m, int pawns)
{
    if (score_is_mate(m->best) || score_is_mate(m->played))
        return true;
    int drop = score_to_cp(m->best, m->before) - score_to_cp(m->played, m->before);
    int least = pawns * PAWN_FELT;
    return drop >= (least < FELT_MOST ? least : FELT_MOST);
}

/* A legal move takes back what the capture put on its square. */
static bool can_retake(const Position *p, Move capture)
{
    Position after = *p;
    Move moves[MAX_MOVES];
    Undo undo;
    pos_make(&after, capture, &undo);
    int count = movegen(&after, GEN_NOISY, moves);
    for (int i = 0; i < count; i++)
        if (move_to(moves[i]) == move_to(capture))
            return true;
    return false;
}

/* The reply takes a piece, and nothing can take back. */
static bool is_hanging(const Mistake *m, const Trade *t)
{
    const Line *r = m->reply;
    PieceType taken = pos_captured_type(m->after, r->at[0]);
    if (taken == NO_PIECE_TYPE || taken == PAWN || material_count(t->won, PAWN) ||
        material_count(t->lost, KNIGHT) != 1 || !t->lost[taken])
        return false;
    return !can_retake(m->after, r->at[0]);
}

ReviewReason material_find_loss(const Mistake *m, int least)
{
    ReviewReason none = reason_of(REASON_NONE, 0);
    Trade t, best;
    Line whole;
    mistake_join(m, &whole);
    if (!m->reply->length || !trade_first(m->before, &whole, m->before->side, -least, &t) ||
        t.plies < 2 || t.last_capture < 2 || !is_felt(m, -t.net))
        return none;
    /* What is lost anyway is no fault of the move. */
    if (!trade_of_line(m->before, m->line, m->before->side, &best) || best.net - t.net < least)
        return none;
    ReviewReason out = reason_of(REASON_LOSES, t.last_capture - 1);
    material_note(&out, t.lost, t.won);
    if (is_hanging(m, &t)) {
        out.kind = REASON_HANGS;
        out.piece = pos_captured_type(m->after, m->reply->at[0]);
        out.square = move_to(m->reply->at[0]);
        out.plies = 1;
    }
    return out;
}

ReviewReason material_find_missed(const Mistake *m, int least)
{
    ReviewReason none = reason_of(REASON_NONE, 0);
    Trade t, played;
    Line whole;
    mistake_join(m, &whole);
    if (!trade_first(m->before, m->line, m->before->side, least, &t) || !is_felt(m, t.net))
        return none;
    /* The move may win as much by itself, if only to give it back later. */
    if (pos_captured_type(m->before, m->move) == greatest(t.won))
        return none;
    if (!trade_of_line(m->before, &whole, m->before->side, &played) || t.net - played.net < least)
        return none;
    ReviewReason out = reason_of(REASON_MISSES_MATERIAL, t.last_capture);
    material_note(&out, t.won, t.lost);
    return out;
}

ReviewReason material_name_trick(const ReasonView *v, ReviewReason plain)
{
    ReviewReason trick;
    if (plain.kind == REASON_NONE || plain.kind == REASON_HANGS ||
        !motif_find(v->from, v->line, &trick))
        return plain;
    if (!v->missed)
        trick.kind = (ReviewReasonKind)(trick.kind - 1);
    if (trick.plies < plain.plies)
        trick.plies = plain.plies;
    return trick;
}
