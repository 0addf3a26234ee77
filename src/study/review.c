/* The passes over a game. All positions are searched from the last to the first, and their values carried
 * back: a position is worth at least what the move played in it turned out to be worth. What looks like a
 * mistake is looked at again, with more effort, so that no verdict hangs on a shallow search; and a blunder
 * is one only when the better move stands such a look as well. */
#include "study/review.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "chess/see.h"
#include "study/review_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chances. A fall that far stands: of 448 that a second look had shown in games of beginners, a third
 * took back one. */
static const double BEYOND_DOUBT = 2 * JUDGE_BLUNDER, FARTHEST_FALL = INFINITY;

/* -- One game under review -- */

typedef struct Work {
    Reviewer *reviewer;
    Review *review;
    Seen *seen;       /* of each position: count + 1 */
    Score *value;     /* the same, when the values were carried back */
    Position *places; /* a position every PLACE_STEP plies, to get at any of them fast */
    const ReviewProgress *progress;
    int done, total;
} Work;

enum { PLACE_STEP = 64 };

/* How often every move is come by: looked at, twice again, proven, judged. */
enum { PASSES = 5 };

static void position_at(const Work *w, int i, Position *out)
{
    Undo undo;
    *out = w->places[i / PLACE_STEP];
    for (int k = i / PLACE_STEP * PLACE_STEP; k < i; k++)
        pos_make(out, w->review->moves[k].move, &undo);
}

static void note_places(Work *w)
{
    Position p = w->review->start;
    Undo undo;
    for (int i = 0; i <= w->review->count; i++) {
        if (i % PLACE_STEP == 0)
            w->places[i / PLACE_STEP] = p;
        if (i < w->review->count)
            pos_make(&p, w->review->moves[i].move, &undo);
    }
}

static void tell(Work *w)
{
    w->done++;
    if (w->progress && w->progress->tell)
        w->progress->tell(w->progress->user, w->done < w->total ? w->done : w->total, w->total);
}

/* What the next position says of this one: a mate is a ply farther away. */
static Score lift(Score next)
{
    Score s = -next;
    return score_is_win(s) ? s - 1 : score_is_loss(s) ? s + 1 : s;
}

static bool was_best(const Work *w, int i)
{
    const Seen *seen = &w->seen[i];
    return seen->line.length && seen->line.at[0] == w->review->moves[i].move;
}

/* The search that knows more speaks: the one after the move, when the move is the one it chose. */
static void carry_value(Work *w, int i)
{
    Score played = i < w->review->count ? lift(w->value[i + 1]) : SCORE_NONE;
    bool by_move = i < w->review->count && (was_best(w, i) || played > w->seen[i].score);
    w->value[i] = by_move ? played : w->seen[i].score;
}

/* The move was as good as any: the search's choice, or better than that. */
static bool nothing_better(const Work *w, int i)
{
    return was_best(w, i) || w->value[i] == lift(w->value[i + 1]);
}

/* The moves that are not among the tried ones. */
static int all_but(const Position *p, const Move *tried, int tried_count, Move *out)
{
    int count = movegen(p, GEN_ALL, out), kept = 0;
    for (int i = 0; i < count; i++) {
        bool known = false;
        for (int k = 0; k < tried_count; k++)
            known |= out[i] == tried[k];
        if (!known)
            out[kept++] = out[i];
    }
    return kept;
}

/* -- Looking -- */

/* The search chose the move that was played, and what came of it was worse than it had thought: perhaps
 * another one is better. By so little that nobody would look again, it does not count. */
static Status look_for_others(Work *w, int i, const Position *p, int percent, Message *why)
{
    Move others[MAX_MOVES];
    Score played = lift(w->value[i + 1]);
    int count = all_but(p, &w->review->moves[i].move, 1, others);
    Seen seen;
    if (!was_best(w, i) || !count || judge_fall(w->seen[i].thought, played, p) < JUDGE_INEXACT)
        return STATUS_OK;
    Status s = reviewer_look_among(w->reviewer, p, others, count, percent, &seen, why);
    if (s == STATUS_OK && judge_fall(seen.score, played, p) >= JUDGE_MISTAKE)
        w->seen[i] = seen;
    return s;
}

/* A search never calls the position drawn that it begins with; where the game ends there, it is. */
static Status look_or_end(Work *w, const Position *p, int percent, Seen *out, Message *why)
{
    if (draw_game_end(p) <= GAME_CHECKMATE)
        return reviewer_look(w->reviewer, p, percent, out, why);
    *out = (Seen){.score = SCORE_DRAW, .over = true};
    return STATUS_OK;
}

static Status look_at(Work *w, int i, int percent, Message *why)
{
    Position p;
    Seen seen;
    position_at(w, i, &p);
    bool last = i == w->review->count;
    Status s = last ? look_or_end(w, &p, percent, &seen, why)
                    : reviewer_look(w->reviewer, &p, percent, &seen, why);
    if (s != STATUS_OK)
        return s;
    w->seen[i] = seen;
    if (!last)
        s = look_for_others(w, i, &p, percent, why);
    carry_value(w, i);
    return s;
}

static Status look_at_all(Work *w, Message *why)
{
    Status s = STATUS_OK;
    for (int i = w->review->count; i >= 0 && s == STATUS_OK; i--) {
        s = look_at(w, i, LOOK_USUAL, why);
        tell(w);
    }
    return s;
}

static bool looks_wrong(const Work *w, int i, double least, double most)
{
    Position p;
    if (nothing_better(w, i))
        return false;
    position_at(w, i, &p);
    double fall = judge_fall(w->value[i], lift(w->value[i + 1]), &p);
    return fall >= least && fall < most;
}

/* Searches around what seems to let the chances fall so far again. Each position once, from the end as before. */
static Status look_again(Work *w, double least, double most, int percent, Message *why)
{
    int n = w->review->count, last = n + 1;
    Status s = STATUS_OK;
    for (int i = n - 1; i >= 0 && s == STATUS_OK; i--) {
        tell(w);
        carry_value(w, i);
        if (!looks_wrong(w, i, least, most))
            continue;
        if (i + 1 < last)
            s = look_at(w, i + 1, percent, why);
        if (s == STATUS_OK)
            s = look_at(w, i, percent, why);
        last = i;
    }
    return s;
}

/* -- The better move -- */

/* A move was searched on the board after it, with all the effort; the one that is said to be better, only as
 * one of many. So it is put to the same test. Its score becomes what stands it; `held`: that is about
 * what was claimed. */
static Status try_claim(Work *w, const Position *p, Seen *claim, bool *held, Message *why)
{
    Position after = *p;
    Undo undo;
    Seen reply;
    pos_make(&after, claim->line.at[0], &undo);
    Status s = look_or_end(w, &after, LOOK_BEYOND, &reply, why);
    if (s != STATUS_OK)
        return s;
    Score shown = lift(reply.score);
    *held = judge_fall(claim->score, shown, p) < JUDGE_INEXACT;
    if (shown < claim->score)
        claim->score = shown;
    if (reply.line.length >= claim->line.length && reply.line.length < REVIEW_LINE_MAX) {
        memcpy(claim->line.at + 1, reply.line.at, (size_t)reply.line.length * sizeof(Move));
        claim->line.length = reply.line.length + 1;
    }
    return STATUS_OK;
}

/* What stands the test instead of the move: the search's choice, or the next one after it. */
static Status prove_better(Work *w, int i, Message *why)
{
    enum { TRIES = 3 };
    Position p;
    Move tried[TRIES + 1] = {w->review->moves[i].move}, others[MAX_MOVES];
    Seen claim = w->seen[i], proven = {.score = lift(w->value[i + 1])};
    bool held = false;
    Status s = STATUS_OK;
    position_at(w, i, &p);
    for (int k = 1; k <= TRIES && !held && s == STATUS_OK && claim.score > proven.score; k++) {
        tried[k] = claim.line.at[0];
        s = try_claim(w, &p, &claim, &held, why);
        if (claim.score > proven.score)
            proven = claim;
        int count = all_but(&p, tried, k + 1, others);
        if (held || !count || k == TRIES || s != STATUS_OK)
            break;
        s = reviewer_look_among(w->reviewer, &p, others, count, LOOK_BEYOND, &claim, why);
    }
    if (proven.line.length)
        w->seen[i] = proven;
    else
        w->seen[i].score = proven.score;
    carry_value(w, i);
    return s;
}

/* The last word on what still looks like a blunder, though not beyond doubt. */
static Status prove_blunders(Work *w, Message *why)
{
    Status s = STATUS_OK;
    for (int i = w->review->count - 1; i >= 0 && s == STATUS_OK; i--) {
        tell(w);
        carry_value(w, i);
        if (looks_wrong(w, i, JUDGE_BLUNDER, BEYOND_DOUBT))
            s = prove_better(w, i, why);
    }
    return s;
}

/* -- The only move -- */

/* Who takes back or takes what is left hanging, or is in check and has next to no choice, has found nothing. */
static bool is_obvious(const Position *p, Move m, int others)
{
    enum { HANGING = 200, NO_CHOICE = 2 };
    return !others || (pos_in_check(p) && others <= NO_CHOICE) ||
           (pos_is_capture(p, m) && see_at_least(p, m, HANGING));
}

/* A glance first: in most positions it shows that other moves were as good. */
static Status ask_whether_only(Work *w, int i, const Position *p, Message *why)
{
    static const int efforts[] = {LOOK_GLANCE, LOOK_USUAL};
    Move others[MAX_MOVES];
    ReviewMove *m = &w->review->moves[i];
    int count = all_but(p, &m->move, 1, others);
    if (!was_best(w, i) || m->in_book || w->seen[i + 1].over || is_obvious(p, m->move, count))
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

static Status give_reasons(Work *w, int i, const Position *p, Message *why)
{
    ReviewMove *m = &w->review->moves[i];
    Position after = *p;
    Undo undo;
    pos_make(&after, m->move, &undo);
    Mistake mistake = {.before = p,
                       .after = &after,
                       .best = w->value[i],
                       .played = lift(w->value[i + 1]),
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

static bool gave_mate_away(const Work *w, int i)
{
    Score before = w->value[i], after = lift(w->value[i + 1]);
    return score_is_mate(before) && before > 0 && !(score_is_mate(after) && after > 0);
}

static void note_missed_mate(ReviewMove *m)
{
    for (int k = 0; k < m->reason_count; k++)
        if (m->reasons[k].kind == REASON_MISSES_MATE)
            m->missed_mate = m->reasons[k].moves;
}

/* Of a move that is no mistake only this is worth saying. */
static void keep_missed_mate_alone(ReviewMove *m)
{
    int kept = 0;
    for (int k = 0; k < m->reason_count; k++)
        if (m->reasons[k].kind == REASON_MISSES_MATE)
            m->reasons[kept++] = m->reasons[k];
    m->reason_count = kept;
}

static Status judge(Work *w, int i, Message *why)
{
    Position p, next;
    Undo undo;
    ReviewMove *m = &w->review->moves[i];
    position_at(w, i, &p);
    next = p;
    pos_make(&next, m->move, &undo);
    judge_move(m, w->value[i], lift(w->value[i + 1]), &p, nothing_better(w, i));
    m->before = judge_score(w->value[i], &p);
    m->after = judge_score_of_other(w->value[i + 1], &next);
    m->after.chance = judge_chance(lift(w->value[i + 1]), &p);
    m->depth = w->seen[i].depth;
    Status s = STATUS_OK;
    if (m->label != REVIEW_FINE || gave_mate_away(w, i))
        s = give_reasons(w, i, &p, why);
    else
        s = ask_whether_only(w, i, &p, why);
    if (m->label == REVIEW_FINE)
        keep_missed_mate_alone(m);
    note_missed_mate(m);
    keep_line(m->line, &m->line_length, &w->seen[i].line);
    keep_line(m->reply, &m->reply_length, &w->seen[i + 1].line);
    tell(w);
    return s;
}

static double chance_for_white(const Work *w, int i)
{
    Position p;
    position_at(w, i, &p);
    double chance = judge_chance(w->value[i], &p);
    return p.side == WHITE ? chance : -chance;
}

static Status judge_all(Work *w, Message *why)
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

static Status work_begin(Work *w, Message *why)
{
    size_t n = (size_t)w->review->count + 1;
    w->seen = calloc(n, sizeof *w->seen);
    w->value = calloc(n, sizeof *w->value);
    w->places = malloc((n / PLACE_STEP + 1) * sizeof *w->places);
    if (!w->seen || !w->value || !w->places)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a review of %d moves",
                           w->review->count);
    note_places(w);
    w->total = PASSES * w->review->count + 1;
    return STATUS_OK;
}

static void work_end(Work *w)
{
    free(w->seen);
    free(w->value);
    free(w->places);
}

static Status work_through(Work *w, Message *why)
{
    reviewer_forget(w->reviewer);
    Status s = look_at_all(w, why);
    if (s != STATUS_OK)
        return s;
    s = look_again(w, JUDGE_MISTAKE, FARTHEST_FALL, LOOK_AGAIN, why);
    if (s == STATUS_OK)
        s = look_again(w, JUDGE_BLUNDER, BEYOND_DOUBT, LOOK_BEYOND, why);
    if (s == STATUS_OK)
        s = prove_blunders(w, why);
    return s == STATUS_OK ? judge_all(w, why) : s;
}

static Review *review_new(const Position *start, const Move *moves, int count)
{
    Review *review = calloc(1, sizeof *review);
    ReviewMove *list = calloc((size_t)count + 1, sizeof *list);
    if (!review || !list) {
        free(review);
        free(list);
        return NULL;
    }
    review->start = *start;
    review->moves = list;
    review->count = count;
    for (int i = 0; i < count; i++)
        list[i].move = moves[i];
    return review;
}

Status review_moves(Reviewer *r, const Position *start, const Move *moves, int count,
                    const ReviewProgress *progress, Review **out, Message *why)
{
    *out = NULL;
    Work w = {.reviewer = r, .progress = progress, .review = review_new(start, moves, count)};
    if (!w.review)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a review");
    Status s = work_begin(&w, why);
    if (s == STATUS_OK)
        s = work_through(&w, why);
    work_end(&w);
    if (s != STATUS_OK) {
        review_free(w.review);
        return s;
    }
    *out = w.review;
    return STATUS_OK;
}

Status review_game(Reviewer *r, const Game *g, const ReviewProgress *progress, Review **out,
                   Message *why)
{
    *out = NULL;
    int count = game_ply(game_last(g)), kept = 0;
    Move *moves = malloc(((size_t)count + 1) * sizeof *moves);
    if (!moves)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a review");
    for (const GameNode *n = game_root(g)->child; n && n->move != MOVE_NULL; n = n->child)
        moves[kept++] = n->move;
    Status s = review_moves(r, game_start(g), moves, kept, progress, out, why);
    free(moves);
    return s;
}

void review_free(Review *review)
{
    if (!review)
        return;
    free(review->moves);
    free(review);
}

void review_position(const Review *review, int i, Position *out)
{
    Undo undo;
    *out = review->start;
    for (int k = 0; k < i; k++)
        pos_make(out, review->moves[k].move, &undo);
}
