/* What the files of a review share. */
#ifndef STUDY_REVIEW_INT_H
#define STUDY_REVIEW_INT_H

#include "eval/score.h"
#include "search/search.h"
#include "study/review.h"

/* A line of moves with its length. */
typedef struct Line {
    Move at[REVIEW_LINE_MAX];
    int length;
} Line;

/* What a search said of one position, from the side to move. */
typedef struct Seen {
    Score score;
    Score
        thought; /* by the last iteration that was finished: the one after it may have seen the choice fall */
    int depth;
    Line line;
    bool over; /* the game ends here: nothing was searched */
} Seen;

/* Shares of the effort asked for, in percent. */
enum {
    LOOK_GLANCE = 12,  /* for a first idea whether a move was the only one */
    LOOK_USUAL = 100,  /* for every position */
    LOOK_AGAIN = 400,  /* for the second look at a mistake */
    LOOK_BEYOND = 1000 /* for the third, at what looks like a blunder but not beyond doubt */
};

void reviewer_forget(Reviewer *r); /* another game begins */

/* The search of a reviewer with that share of the usual effort. STATUS_STOPPED when the
 * reviewer was told to end. */
Status reviewer_look(Reviewer *r, const Position *p, int percent, Seen *out, Message *why);

/* The same without the moves that are not in the list. */
Status reviewer_look_among(Reviewer *r, const Position *p, const Move *moves, int count,
                           int percent, Seen *out, Message *why);

/* Where a queen does as well, the search takes a rook or bishop as gladly; people wonder why. A queen can do
 * all that those can, so it takes their place where the line goes on as before and nobody is stalemated;
 * that of a knight only where it is taken at once. */
void reviewer_prefer_queens(Line *line, const Position *root);

const ReviewOptions *reviewer_options(const Reviewer *r);

/* -- Judging (review_judge.c) -- */

/* As the side to move sees it, and as the other one does. */
ReviewScore judge_score(Score s, const Position *p);
ReviewScore judge_score_of_other(Score s, const Position *p);
double judge_chance(Score s, const Position *p);

/* How far a move let the chances fall, and from where on that has a name. */
#define JUDGE_INEXACT 0.1
#define JUDGE_MISTAKE 0.2
#define JUDGE_BLUNDER 0.3
double judge_fall(Score before, Score after, const Position *p);

/* Fills loss, accuracy and label of a move; `best`: it was the search's own choice. `before` and
 * `after` are the mover's, and measured with the same rule: the position before the move. */
void judge_move(ReviewMove *m, Score before, Score after, const Position *p, bool best);

/* Phases, names, theory and sums, when every move is judged. `chances` has those of each position,
 * White's view: count + 1 of them. */
void judge_phases(Review *review);
void judge_opening(Review *review, const ReviewOptions *o);
void judge_totals(Review *review, const double *chances);

/* -- Reasons (reason*.c) -- */

/* One mistake, as far as the search knows it. The lines may be made longer where a mate has to be
 * shown to its end. */
typedef struct Mistake {
    const Position *before, *after; /* the move */
    Score best, played;             /* worth of both, the mover's view */
    double best_chance, played_chance;
    Move move;
    Line *line;  /* instead of the move */
    Line *reply; /* after it */
} Mistake;

/* Writes at most REVIEW_MAX_REASONS. */
Status reason_find(Reviewer *r, const Mistake *m, ReviewReason *out, int *count, Message *why);

/* What one side wins and loses along a line. */
typedef struct Trade {
    int net;                             /* in pawns, for that side */
    int won[QUEEN + 1], lost[QUEEN + 1]; /* what is left when like was set against like */
    int plies;                           /* where it was counted */
} Trade;

/* The balance for `side` where the line comes to rest: no check, no capture next, nothing to be won by
 * taking. The last such place within reach; false when there is none. */
bool trade_of_line(const Position *from, const Line *line, Color side, Trade *out);

/* The first such place where the net is at least `least` (or, for a negative one, at most) and stays so
 * to the end of the line. */
bool trade_first(const Position *from, const Line *line, Color side, int least, Trade *out);

/* The trick at the beginning of a line that wins something for the side to move, when the line shows it:
 * kind is one of the MISSES ones. */
bool motif_find(const Position *from, const Line *line, ReviewReason *out);

#endif
