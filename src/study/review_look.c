/* The passes over a game. All positions are searched from the last to the first, and their values
 * carried back: a position is worth at least what the move played in it turned out to be worth.
 * What looks like a mistake is looked at again, with more effort, so that no verdict hangs on a
 * shallow search; and a blunder is one only when the better move stands such a look as well. */
#include "chess/draw.h"
#include "chess/movegen.h"
#include "study/review_int.h"

#include <math.h>

/* Chances. A fall that far stands: of 448 that a second look had shown in games of beginners, a
 * third took back one. */
static const double BEYOND_DOUBT = 2 * JUDGE_BLUNDER, FARTHEST_FALL = INFINITY;

void work_position(const ReviewWork *w, int i, Position *out)
{
    Undo undo;
    *out = w->places[i / WORK_PLACE_STEP];
    for (int k = i / WORK_PLACE_STEP * WORK_PLACE_STEP; k < i; k++)
        pos_make(out, w->review->moves[k].move, &undo);
}

void work_tell(ReviewWork *w)
{
    w->done++;
    if (w->progress && w->progress->tell)
        w->progress->tell(w->progress->user, w->done < w->total ? w->done : w->total, w->total);
}

Score work_lift(Score next)
{
    Score s = -next;
    return score_is_win(s) ? s - 1 : score_is_loss(s) ? s + 1 : s;
}

bool work_was_best(const ReviewWork *w, int i)
{
    const Seen *seen = &w->seen[i];
    return seen->line.length && seen->line.at[0] == w->review->moves[i].move;
}

/* The search that knows more speaks: the one after the move, when the move is the one it chose. */
static void carry_value(ReviewWork *w, int i)
{
    Score played = i < w->review->count ? work_lift(w->value[i + 1]) : SCORE_NONE;
    bool by_move = i < w->review->count && (work_was_best(w, i) || played > w->seen[i].score);
    w->value[i] = by_move ? played : w->seen[i].score;
}

bool work_nothing_better(const ReviewWork *w, int i)
{
    return work_was_best(w, i) || w->value[i] == work_lift(w->value[i + 1]);
}

int work_other_moves(const Position *p, const Move *tried, int tried_count, Move *out)
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

/* The search chose the move that was played, and what came of it was worse than it had thought:
 * perhaps another one is better. By so little that nobody would look again, it does not count. */
static Status look_for_others(ReviewWork *w, int i, const Position *p, int percent, Message *why)
{
    Move others[MAX_MOVES];
    Score played = work_lift(w->value[i + 1]);
    int count = work_other_moves(p, &w->review->moves[i].move, 1, others);
    Seen seen;
    if (!work_was_best(w, i) || !count || judge_fall(w->seen[i].thought, played, p) < JUDGE_INEXACT)
        return STATUS_OK;
    Status s = reviewer_look_among(w->reviewer, p, others, count, percent, &seen, why);
    if (s == STATUS_OK && judge_fall(seen.score, played, p) >= JUDGE_MISTAKE)
        w->seen[i] = seen;
    return s;
}

/* A search never calls the position drawn that it begins with; where the game ends there, it is. */
static Status look_or_end(ReviewWork *w, const Position *p, int percent, Seen *out, Message *why)
{
    if (draw_game_end(p) <= GAME_CHECKMATE)
        return reviewer_look(w->reviewer, p, percent, out, why);
    *out = (Seen){.score = SCORE_DRAW, .over = true};
    return STATUS_OK;
}

static Status look_at(ReviewWork *w, int i, int percent, Message *why)
{
    Position p;
    Seen seen;
    work_position(w, i, &p);
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

static Status look_at_all(ReviewWork *w, Message *why)
{
    Status s = STATUS_OK;
    for (int i = w->review->count; i >= 0 && s == STATUS_OK; i--) {
        s = look_at(w, i, LOOK_USUAL, why);
        work_tell(w);
    }
    return s;
}

static bool looks_wrong(const ReviewWork *w, int i, double least, double most)
{
    Position p;
    if (work_nothing_better(w, i))
        return false;
    work_position(w, i, &p);
    double fall = judge_fall(w->value[i], work_lift(w->value[i + 1]), &p);
    return fall >= least && fall < most;
}

/* Searches around what seems to let the chances fall so far again. Each position once, from the end
 * as before. */
static Status look_again(ReviewWork *w, double least, double most, int percent, Message *why)
{
    int n = w->review->count, last = n + 1;
    Status s = STATUS_OK;
    for (int i = n - 1; i >= 0 && s == STATUS_OK; i--) {
        work_tell(w);
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

/* A move was searched on the board after it, with all the effort; the one that is said to be
 * better, only as one of many. So it is put to the same test. Its score becomes what stands it;
 * `held`: that is about what was claimed. */
static Status try_claim(ReviewWork *w, const Position *p, Seen *claim, bool *held, Message *why)
{
    Position after = *p;
    Undo undo;
    Seen reply;
    pos_make(&after, claim->line.at[0], &undo);
    Status s = look_or_end(w, &after, LOOK_BEYOND, &reply, why);
    if (s != STATUS_OK)
        return s;
    Score shown = work_lift(reply.score);
    *held = judge_fall(claim->score, shown, p) < JUDGE_INEXACT;
    if (shown < claim->score)
        claim->score = shown;
    if (reply.line.length >= claim->line.length && reply.line.length < REVIEW_LINE_MAX) {
        claim->line.length = 1;
        line_append(&claim->line, &reply.line);
    }
    return STATUS_OK;
}

/* What stands the test instead of the move: the search's choice, or the next one after it. */
static Status prove_better(ReviewWork *w, int i, Message *why)
{
    enum { TRIES = 3 };
    Position p;
    Move tried[TRIES + 1] = {w->review->moves[i].move}, others[MAX_MOVES];
    Seen claim = w->seen[i], proven = {.score = work_lift(w->value[i + 1])};
    bool held = false;
    Status s = STATUS_OK;
    work_position(w, i, &p);
    for (int k = 1; k <= TRIES && !held && s == STATUS_OK && claim.score > proven.score; k++) {
        tried[k] = claim.line.at[0];
        s = try_claim(w, &p, &claim, &held, why);
        if (claim.score > proven.score)
            proven = claim;
        int count = work_other_moves(&p, tried, k + 1, others);
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
static Status prove_blunders(ReviewWork *w, Message *why)
{
    Status s = STATUS_OK;
    for (int i = w->review->count - 1; i >= 0 && s == STATUS_OK; i--) {
        work_tell(w);
        carry_value(w, i);
        if (looks_wrong(w, i, JUDGE_BLUNDER, BEYOND_DOUBT))
            s = prove_better(w, i, why);
    }
    return s;
}

Status work_look(ReviewWork *w, Message *why)
{
    Status s = look_at_all(w, why);
    if (s == STATUS_OK)
        s = look_again(w, JUDGE_MISTAKE, FARTHEST_FALL, LOOK_AGAIN, why);
    if (s == STATUS_OK)
        s = look_again(w, JUDGE_BLUNDER, BEYOND_DOUBT, LOOK_BEYOND, why);
    return s == STATUS_OK ? prove_blunders(w, why) : s;
}
