/* A review from the first search to the sums: the game is looked at (review_look.c), every move
 * judged, and reasons given for the mistakes. */
#include "study/review.h"

#include "chess/see.h"
#include "search/wdl.h"
#include "study/review_int.h"

#include <stdlib.h>
#include <string.h>

/* -- The only move -- */

/* Who takes back or takes what is left hanging, or is in check and has next to no choice, has found
 * nothing. */
static bool is_obvious(const Position *p, Move m, int others)
{
    enum { HANGING = 200, NO_CHOICE = 2 };
    return !others || (pos_in_check(p) && others <= NO_CHOICE) ||
           (pos_is_capture(p, m) && see_at_least(p, m, HANGING));
}

/* A glance first: in most positions it shows that other moves were as good. */
static Status ask_whether_only(ReviewWork *w, int i, const Position *p, Message *why)
{
    static const int efforts[] = {LOOK_GLANCE, LOOK_USUAL};
    Move others[MAX_MOVES];
    ReviewMove *m = &w->review->moves[i];
    int count = work_other_moves(p, &m->move, 1, others);
    if (!work_was_best(w, i) || m->in_book || w->seen[i + 1].over || is_obvious(p, m->move, count))
        return STATUS_OK;
    for (int k = 0; k < 2; k++) {
        Seen seen;
        Status s = reviewer_look_among(w->reviewer, p, others, count, efforts[k], &seen, why);
        if (s != STATUS_OK)
            return s;
        if (review_label(m->after.chance, judge_chance(seen.score, p)) != REVIEW_BLUNDER)
            return STATUS_OK;
    }
    m->only_move = true;
    return STATUS_OK;
}

/* -- Judging -- */

static Status give_reasons(ReviewWork *w, int i, const Position *p, Message *why)
{
    ReviewMove *m = &w->review->moves[i];
    Position after = *p;
    Undo undo;
    pos_make(&after, m->move, &undo);
    Mistake mistake = {.before = p,
                       .after = &after,
                       .best = w->value[i],
                       .played = work_lift(w->value[i + 1]),
                       .best_chance = m->before.chance,
                       .played_chance = m->after.chance,
                       .move = m->move,
                       .line = &w->seen[i].line,
                       .reply = &w->seen[i + 1].line};
    return reason_find(w->reviewer, &mistake, m->reasons, &m->reason_count, why);
}

static void keep_line(Move *out, int *length, const Line *line)
{
    memcpy(out, line->at, (size_t)line->length * sizeof *out);
    *length = line->length;
}

static bool gave_mate_away(const ReviewWork *w, int i)
{
    Score before = w->value[i], after = work_lift(w->value[i + 1]);
    return score_is_mate(before) && before > 0 && !(score_is_mate(after) && after > 0);
}

static bool is_missed_mate(const ReviewReason *r)
{
    return r->kind == REASON_MISSES_MATE || r->kind == REASON_MISSES_BACK_RANK;
}

static void note_missed_mate(ReviewMove *m)
{
    for (int k = 0; k < m->reason_count; k++)
        if (is_missed_mate(&m->reasons[k]))
            m->missed_mate = m->reasons[k].moves;
}

/* Material enough to be told where it decides nothing any more. */
static bool is_dropped_piece(const ReviewReason *r)
{
    int pieces = material_count(r->gone, KNIGHT) - material_count(r->got, KNIGHT);
    return r->kind == REASON_HANGS || (r->kind == REASON_LOSES && pieces > 0);
}

/* Of a move that is no mistake only this is worth saying. */
static void keep_what_counts_anyway(ReviewMove *m)
{
    int kept = 0;
    for (int k = 0; k < m->reason_count; k++)
        if (is_missed_mate(&m->reasons[k]) || is_dropped_piece(&m->reasons[k]))
            m->reasons[kept++] = m->reasons[k];
    m->reason_count = kept;
}

/* The score falls by about a piece, though the game is as lost or won as before. */
static bool may_drop_piece(const ReviewWork *w, int i, const Position *p)
{
    enum { PIECE_CP = 150 }; /* less than three pawns: scores far from zero lie closer */
    Score before = w->value[i], after = work_lift(w->value[i + 1]);
    return !work_nothing_better(w, i) && !score_is_mate(before) &&
           score_to_cp(before, p) - score_to_cp(after, p) >= PIECE_CP;
}

static Status judge(ReviewWork *w, int i, Message *why)
{
    Position p, next;
    Undo undo;
    ReviewMove *m = &w->review->moves[i];
    work_position(w, i, &p);
    next = p;
    pos_make(&next, m->move, &undo);
    judge_move(m, w->value[i], work_lift(w->value[i + 1]), &p, work_nothing_better(w, i));
    m->before = judge_score(w->value[i], &p);
    m->after = judge_score_of_other(w->value[i + 1], &next);
    m->after.chance = judge_chance(work_lift(w->value[i + 1]), &p);
    m->depth = w->seen[i].depth;
    Status s = STATUS_OK;
    if (m->label != REVIEW_FINE || gave_mate_away(w, i) || may_drop_piece(w, i, &p))
        s = give_reasons(w, i, &p, why);
    else
        s = ask_whether_only(w, i, &p, why);
    if (m->label == REVIEW_FINE)
        keep_what_counts_anyway(m);
    note_missed_mate(m);
    keep_line(m->line, &m->line_length, &w->seen[i].line);
    keep_line(m->reply, &m->reply_length, &w->seen[i + 1].line);
    work_tell(w);
    return s;
}

static double chance_for_white(const ReviewWork *w, int i)
{
    Position p;
    work_position(w, i, &p);
    double chance = judge_chance(w->value[i], &p);
    return p.side == WHITE ? chance : -chance;
}

static Status judge_all(ReviewWork *w, Message *why)
{
    Review *review = w->review;
    double *chances = malloc(((size_t)review->count + 1) * sizeof *chances);
    if (!chances)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a review");
    Status s = STATUS_OK;
    judge_opening(review, reviewer_options(w->reviewer));
    judge_phases(review);
    for (int i = 0; i < review->count && s == STATUS_OK; i++)
        s = judge(w, i, why);
    for (int i = 0; i <= review->count; i++)
        chances[i] = chance_for_white(w, i);
    review->first = review->start.side == WHITE ? judge_score(w->value[0], &review->start)
                                                : judge_score_of_other(w->value[0], &review->start);
    judge_totals(review, chances);
    free(chances);
    return s;
}

/* -- Putting it together -- */

static void note_places(ReviewWork *w)
{
    Position p = w->review->start;
    Undo undo;
    for (int i = 0; i <= w->review->count; i++) {
        if (i % WORK_PLACE_STEP == 0)
            w->places[i / WORK_PLACE_STEP] = p;
        if (i < w->review->count)
            pos_make(&p, w->review->moves[i].move, &undo);
    }
}

static Status work_begin(ReviewWork *w, Message *why)
{
    size_t n = (size_t)w->review->count + 1;
    w->seen = calloc(n, sizeof *w->seen);
    w->value = calloc(n, sizeof *w->value);
    w->places = malloc((n / WORK_PLACE_STEP + 1) * sizeof *w->places);
    if (!w->seen || !w->value || !w->places)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a review of %d moves",
                           w->review->count);
    note_places(w);
    w->total = (WORK_LOOK_PASSES + 1) * w->review->count + 1;
    return STATUS_OK;
}

static void work_end(ReviewWork *w)
{
    free(w->seen);
    free(w->value);
    free(w->places);
}

static Review *review_new(const Position *start, const Move *moves, int count)
{
    Review *review = calloc(1, sizeof *review + (size_t)count * sizeof *review->moves);
    if (!review)
        return NULL;
    review->start = *start;
    review->count = count;
    for (int i = 0; i < count; i++)
        review->moves[i].move = moves[i];
    return review;
}

Status review_moves(Reviewer *r, const Position *start, const Move *moves, int count,
                    const ReviewProgress *progress, Review **out, Message *why)
{
    *out = NULL;
    ReviewWork w = {.reviewer = r, .progress = progress, .review = review_new(start, moves, count)};
    if (!w.review)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a review");
    reviewer_forget(r);
    Status s = work_begin(&w, why);
    if (s == STATUS_OK)
        s = work_look(&w, why);
    if (s == STATUS_OK)
        s = judge_all(&w, why);
    work_end(&w);
    return GIVE_OR_CLOSE(s, out, w.review, review_free);
}

Status review_game(Reviewer *r, const Game *g, const ReviewProgress *progress, Review **out,
                   Message *why)
{
    *out = NULL;
    int count;
    Move *moves = game_moves(g, &count);
    if (!moves)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a review");
    Status s = review_moves(r, game_start(g), moves, count, progress, out, why);
    free(moves);
    return s;
}

void review_free(Review *review)
{
    free(review);
}

void review_position(const Review *review, int i, Position *out)
{
    Undo undo;
    *out = review->start;
    for (int k = 0; k < i; k++)
        pos_make(out, review->moves[k].move, &undo);
}
