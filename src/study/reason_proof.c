/* The lines that show a reason. A line of a search is good at its beginning and careless at its
 * end, so every position of what is shown is searched by itself: where the chances change, one side
 * went wrong, and the line continues with a better move from there. */
#include "chess/draw.h"
#include "study/review_int.h"

#include <math.h>

enum {
    LINE_PLIES = 8, /* a line is made so long, and longer until it comes to rest */
    LINE_LOOKS = 3, /* with so many searches at most */
    LINE_LONGEST = 16,
    SHOWN_LONG = 5,   /* plies; from here on each of them is searched with more effort */
    SHOWN_LONGEST = 9 /* what takes longer to show is no reason a person could have seen */
};

/* Chances that a line may gain or lose on its way and still be believed; a won position may become
 * a more clearly won one. */
static const double CONFIRMED = 0.1, WON = 0.7;

Status proof_lengthen(Reviewer *r, const Position *from, Line *line, Message *why)
{
    for (int i = 0; i < LINE_LOOKS && line->length < LINE_LONGEST; i++) {
        Position end = *from;
        Seen seen;
        line_play(&end, line, line->length);
        bool ends = draw_repetitions(&end) > 0; /* the line shows a draw */
        if (ends || (line->length >= LINE_PLIES && trade_is_quiet(&end)))
            break;
        Status s = reviewer_look(r, &end, LOOK_USUAL, &seen, why);
        if (s != STATUS_OK || !seen.line.length)
            return s;
        line_append(line, &seen.line);
    }
    return STATUS_OK;
}

/* The line continues with another move after so many plies: that of a search there. */
static Status repair(const Proof *p, int plies, Message *why)
{
    Position at = *p->from;
    Seen seen;
    line_play(&at, p->line, plies);
    Status s = reviewer_look(p->reviewer, &at, LOOK_AGAIN, &seen, why);
    if (s != STATUS_OK)
        return s;
    p->line->length = plies;
    line_append(p->line, &seen.line);
    return proof_lengthen(p->reviewer, p->from, p->line, why);
}

static Status chance_after(const Proof *p, int plies, int effort, double *out, Message *why)
{
    Position at = *p->from;
    Seen seen;
    line_play(&at, p->line, plies);
    Status s = reviewer_look(p->reviewer, &at, effort, &seen, why);
    *out = judge_chance(at.side == p->from->side ? seen.score : -seen.score, p->from);
    return s;
}

static bool stays(double chance, double now)
{
    return fabs(now - chance) <= CONFIRMED || (chance >= WON && now >= WON) ||
           (chance <= -WON && now <= -WON);
}

Status proof_confirm(const Proof *p, int plies, ProofVerdict *verdict, Message *why)
{
    Status s = STATUS_OK;
    double chance = p->chance;
    int effort = plies < SHOWN_LONG ? LOOK_AGAIN : LOOK_BEYOND;
    *verdict = plies > SHOWN_LONGEST ? PROOF_FAILED : PROOF_HOLDS;
    for (int i = 1; i <= plies && *verdict == PROOF_HOLDS && s == STATUS_OK; i++) {
        double now = 0;
        s = chance_after(p, i, effort, &now, why);
        if (i % 2 == 1 && now > chance) /* no move gains by itself: this search sees more */
            chance = now;
        if (s != STATUS_OK || stays(chance, now))
            continue;
        *verdict = PROOF_FAILED;
        if (i > 1) { /* the first move is what the review calls best */
            s = repair(p, i - 1, why);
            *verdict = PROOF_REPAIRED;
        }
    }
    return s;
}
