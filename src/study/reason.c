/* Why a move was a mistake. A reason is looked for in two lines: the reply to the move shows what
 * it allows, the best line instead of it what it misses. What no line shows is not said, and a line
 * whose end another search does not confirm shows nothing. */
#include "chess/movegen.h"
#include "study/review_int.h"

#include <string.h>

enum {
    PIECE = 2, /* pawns: from here on material is what counts most */
    PAWN_ONLY = 1,
    MATE_TO_SEE = 5, /* moves; where a mate is farther off, what falls on the way says more */
    TRIES = 3,       /* for a line that was not confirmed */
    VIEWS = 2
};

ReviewReason reason_of(ReviewReasonKind kind, int plies)
{
    return (ReviewReason){.kind = kind, .piece = NO_PIECE_TYPE, .square = SQ_NONE, .plies = plies};
}

bool reason_claim(ReviewReason *out, ReviewReasonKind kind, PieceType piece, Square square,
                  int plies)
{
    if (!plies)
        return false;
    *out = reason_of(kind, plies);
    out->piece = piece;
    out->square = square;
    return true;
}

void line_play(Position *p, const Line *line, int plies)
{
    Undo undo;
    for (int i = 0; i < plies; i++)
        pos_make(p, line->at[i], &undo);
}

void line_append(Line *line, const Line *more)
{
    int space = REVIEW_LINE_MAX - line->length;
    int count = more->length < space ? more->length : space;
    memcpy(line->at + line->length, more->at, (size_t)count * sizeof *line->at);
    line->length += count;
}

bool line_mates(const Position *from, const Line *line, Position *end)
{
    *end = *from;
    line_play(end, line, line->length);
    return pos_in_check(end) && !movegen_any(end);
}

void mistake_join(const Mistake *m, Line *out)
{
    *out = (Line){.at = {m->move}, .length = 1};
    line_append(out, m->reply);
}

/* The line is confirmed as far as it is shown. True in `again` when it was not and goes on
 * differently now: there may be another reason in it. */
static Status confirm(const ReasonView *v, ReviewReason *out, bool *again, Message *why)
{
    Proof proof = {.reviewer = v->reviewer,
                   .from = v->from,
                   .line = v->line,
                   .chance = v->missed ? v->mistake->best_chance : -v->mistake->played_chance};
    ProofVerdict verdict;
    *again = false;
    if (out->kind == REASON_NONE || out->certain || out->plies > v->line->length)
        return STATUS_OK;
    Status s = proof_confirm(&proof, out->plies, &verdict, why);
    if (verdict != PROOF_HOLDS)
        *out = reason_of(REASON_NONE, 0);
    *again = verdict == PROOF_REPAIRED;
    return s;
}

/* -- One view -- */

static bool is_mate_for(Score s)
{
    return score_is_mate(s) && s > 0;
}

static Status find_mate(const ReasonView *v, ReviewReason *out, Message *why)
{
    const Mistake *m = v->mistake;
    *out = reason_of(REASON_NONE, 0);
    bool claimed = v->missed ? is_mate_for(m->best) && !is_mate_for(m->played)
                             : is_mate_for(-m->played) && !is_mate_for(-m->best);
    return claimed ? end_find_mate(v, out, why) : STATUS_OK;
}

/* Endings that a table or the rules decide. */
static ReviewReason find_end(const ReasonView *v)
{
    const Mistake *m = v->mistake;
    Tablebases *tb = reviewer_options(v->reviewer)->tb;
    ReviewReason out = reason_of(REASON_NONE, 0);
    if (!v->missed) {
        out = end_find_lost_trade(tb, m);
        if (out.kind == REASON_NONE || !out.certain) {
            ReviewReason table = end_find_in_tables(tb, m);
            out = table.kind != REASON_NONE ? table : out;
        }
    }
    return out.kind == REASON_NONE ? end_find_draw(v) : out;
}

static Status find_run(const ReasonView *v, ReviewReason *out, Message *why)
{
    bool again;
    *out = pawns_find_run(v);
    return confirm(v, out, &again, why);
}

static Status find_material(const ReasonView *v, int least, ReviewReason *out, Message *why)
{
    const Mistake *m = v->mistake;
    bool again = true;
    Status s = STATUS_OK;
    for (int i = 0; i < TRIES && again && s == STATUS_OK; i++) {
        ReviewReason plain =
            v->missed ? material_find_missed(m, least) : material_find_loss(m, least);
        *out = material_name_trick(v, plain);
        s = confirm(v, out, &again, why);
    }
    return s;
}

static Status find_plan_once(const ReasonView *v, ReviewReason *out, bool *again, Message *why)
{
    Line whole;
    mistake_join(v->mistake, &whole);
    Plan plan = {.before = v->mistake->before,
                 .from = v->from,
                 .line = v->line,
                 .instead = v->missed ? &whole : v->mistake->line};
    *again = false;
    Status s = plan_find_threat(v->reviewer, &plan, out, why);
    if (s != STATUS_OK)
        return s;
    if (out->kind == REASON_NONE && !plan_find(&plan, out))
        return STATUS_OK;
    if (!v->missed)
        out->kind = (ReviewReasonKind)(out->kind - 1);
    return confirm(v, out, again, why);
}

static Status find_plan(const ReasonView *v, ReviewReason *out, Message *why)
{
    bool again = true;
    Status s = STATUS_OK;
    for (int i = 0; i < TRIES && again && s == STATUS_OK; i++)
        s = find_plan_once(v, out, &again, why);
    return s;
}

/* How much a reason weighs against others. */
typedef enum Weight { WEIGHT_NONE, WEIGHT_PLAN, WEIGHT_PAWN, WEIGHT_FULL } Weight;

typedef struct Found {
    ReviewReason reason;
    Weight weight;
} Found;

static bool keep(Found *f, ReviewReason reason, Weight weight)
{
    if (reason.kind == REASON_NONE)
        return false;
    *f = (Found){reason, weight};
    return true;
}

static Status find_strong(const ReasonView *v, Found *out, Message *why)
{
    ReviewReason mate, other = find_end(v);
    Status s = find_mate(v, &mate, why);
    if (s == STATUS_OK && other.kind == REASON_NONE)
        s = find_run(v, &other, why);
    if (s == STATUS_OK && other.kind == REASON_NONE)
        s = find_material(v, PIECE, &other, why);
    if (s != STATUS_OK)
        return s;
    bool near = mate.kind != REASON_NONE && mate.moves <= MATE_TO_SEE;
    if (v->missed || near ? keep(out, mate, WEIGHT_FULL) : keep(out, other, WEIGHT_FULL))
        return STATUS_OK;
    if (!keep(out, other, WEIGHT_FULL))
        keep(out, mate, WEIGHT_FULL);
    return STATUS_OK;
}

static Status find_weak(const ReasonView *v, Found *out, Message *why)
{
    ReviewReason reason;
    Status s = find_material(v, PAWN_ONLY, &reason, why);
    if (s != STATUS_OK || keep(out, reason, WEIGHT_PAWN))
        return s;
    s = find_plan(v, &reason, why);
    keep(out, reason, WEIGHT_PLAN);
    return s;
}

/* -- Both views -- */

/* Who is lost now wants to know by what; who still stands well, what there was to win. */
static void order(const Mistake *m, Found found[VIEWS], ReviewReason *out, int *count)
{
    ReviewReasonKind missed = found[1].reason.kind;
    bool mate = missed == REASON_MISSES_MATE || missed == REASON_MISSES_BACK_RANK;
    int first = m->best_chance + m->played_chance > 0 || mate;
    if (found[!first].weight > found[first].weight)
        first = !first;
    Weight most = found[first].weight;
    for (int i = 0; i < VIEWS; i++) {
        const Found *f = &found[i == 0 ? first : !first];
        if (f->weight != WEIGHT_NONE && (f->weight == most || f->weight >= WEIGHT_FULL))
            out[(*count)++] = f->reason;
    }
}

Status reason_find(Reviewer *r, const Mistake *m, ReviewReason *out, int *count, Message *why)
{
    ReasonView views[VIEWS] = {{r, m, false, m->after, m->reply}, {r, m, true, m->before, m->line}};
    Found found[VIEWS] = {{.weight = WEIGHT_NONE}, {.weight = WEIGHT_NONE}};
    Status s = STATUS_OK;
    *count = 0;
    for (int i = 0; i < VIEWS && s == STATUS_OK; i++)
        s = proof_lengthen(r, views[i].from, views[i].line, why);
    for (int i = 0; i < VIEWS && s == STATUS_OK; i++)
        s = find_strong(&views[i], &found[i], why);
    bool strong = found[0].weight || found[1].weight;
    for (int i = 0; i < VIEWS && s == STATUS_OK && !strong; i++)
        s = find_weak(&views[i], &found[i], why);
    if (s == STATUS_OK)
        order(m, found, out, count);
    return s;
}
