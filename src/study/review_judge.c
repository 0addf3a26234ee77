/* From scores to verdicts. The curve of winning chances, the thresholds and the formula of accuracy
 * are those that lichess publishes, so that the figures mean what players expect of them. */
#include "study/review_int.h"

#include "search/wdl.h"

#include <math.h>

enum { LOSS_CAP = 1000, ENDGAME_PIECES = 6, MIDDLEGAME_PIECES = 10, BACK_RANK_SPARSE = 4 };

/* -- Scores -- */

static double chance_of_cp(int cp)
{
    return 2 / (1 + exp(-0.00368208 * cp)) - 1;
}

double review_chance(const ReviewScore *s)
{
    if (s->is_mate) /* mate on the board has no sign: the chance tells whose it is */
        return s->value > 0 || (s->value == 0 && s->chance > 0) ? 1 : -1;
    return chance_of_cp(s->value);
}

double judge_chance(Score s, const Position *p)
{
    if (score_is_decisive(s))
        return s > 0 ? 1 : -1;
    return chance_of_cp(score_to_cp(s, p));
}

ReviewScore judge_score(Score s, const Position *p)
{
    Wdl wdl = wdl_of(s, p);
    ReviewScore out = {.win = wdl.win, .draw = wdl.draw, .loss = wdl.loss};
    out.is_mate = score_is_mate(s);
    out.value = out.is_mate ? score_mate_moves(s) : score_to_cp(s, p);
    out.chance = judge_chance(s, p);
    return out;
}

ReviewScore judge_score_of_other(Score s, const Position *p)
{
    ReviewScore out = judge_score(s, p);
    int win = out.win;
    out.win = out.loss;
    out.loss = win;
    out.value = -out.value;
    out.chance = -out.chance;
    return out;
}

/* -- Moves -- */

static ReviewLabel label_of(double fall)
{
    return fall >= JUDGE_BLUNDER   ? REVIEW_BLUNDER
           : fall >= JUDGE_MISTAKE ? REVIEW_MISTAKE
           : fall >= JUDGE_INEXACT ? REVIEW_INACCURACY
                                   : REVIEW_FINE;
}

ReviewLabel review_label(double before, double after)
{
    return label_of(before - after);
}

/* What the program expects of a score, -1 .. +1, by its own games. */
static double expectation(Score s, const Position *p)
{
    Wdl wdl = wdl_of(s, p);
    return (wdl.win - wdl.loss) / 1000.0;
}

/* The curve of lichess is for people, and flat: it sees a fall where the game was lost already. The
 * program's own expectation must have fallen as far; except where the move walks into a mate, which
 * ends what a person could still have hoped for. */
double judge_fall(Score before, Score after, const Position *p)
{
    double people = judge_chance(before, p) - judge_chance(after, p);
    if (score_is_mate(after) && after < 0)
        return people;
    double own = expectation(before, p) - expectation(after, p);
    return people < own ? people : own;
}

/* `drop` in percent of the chance to win. */
static double accuracy_of(double drop)
{
    double a = 103.1668 * exp(-0.04354 * (drop > 0 ? drop : 0)) - 3.1669 + 1;
    return a < 0 ? 0 : a > 100 ? 100 : a;
}

static int capped(int cp)
{
    return cp > LOSS_CAP ? LOSS_CAP : cp < -LOSS_CAP ? -LOSS_CAP : cp;
}

void judge_move(ReviewMove *m, Score before, Score after, const Position *p, bool best)
{
    m->accuracy = 100;
    if (best)
        return;
    double was = judge_chance(before, p), is = judge_chance(after, p);
    int loss = capped(score_to_cp(before, p)) - capped(score_to_cp(after, p));
    m->label = label_of(judge_fall(before, after, p));
    m->loss = loss > 0 ? loss : 0;
    m->accuracy = accuracy_of(50 * (was - is));
}

/* -- Phases -- */

int judge_pieces(const Position *p)
{
    return bb_count(pos_occupied(p) & ~p->by_type[PAWN] & ~p->by_type[KING]);
}

/* The middlegame begins when pieces are gone or a side has left its back rank, and
 * theory is over. */
static ReviewPhase phase_of(const Position *p, bool in_book)
{
    int pieces = judge_pieces(p);
    if (pieces <= ENDGAME_PIECES)
        return REVIEW_ENDGAME;
    if (in_book)
        return REVIEW_OPENING;
    bool left = bb_count(p->by_color[WHITE] & bb_rank(0)) < BACK_RANK_SPARSE ||
                bb_count(p->by_color[BLACK] & bb_rank(7)) < BACK_RANK_SPARSE;
    return pieces <= MIDDLEGAME_PIECES || left ? REVIEW_MIDDLEGAME : REVIEW_OPENING;
}

/* A phase never comes back: a promotion does not make a middlegame of an ending. */
void judge_phases(Review *review)
{
    Position p = review->start;
    ReviewPhase phase = REVIEW_OPENING;
    Undo undo;
    for (int i = 0; i < review->count; i++) {
        ReviewPhase now = phase_of(&p, review->moves[i].in_book);
        phase = now > phase ? now : phase;
        review->moves[i].phase = phase;
        pos_make(&p, review->moves[i].move, &undo);
    }
}

/* -- Theory -- */

static bool book_knows(const Book *book, const Position *p, Move m)
{
    BookMove moves[MAX_MOVES];
    int count = book ? book_probe(book, p, moves) : 0;
    for (int i = 0; i < count; i++)
        if (moves[i].move == m)
            return true;
    return false;
}

static void name_opening(Review *review, const OpeningName *name, int plies)
{
    review->has_opening = true;
    review->opening_plies = plies;
    snprintf(review->eco, sizeof review->eco, "%s", name->eco);
    snprintf(review->opening, sizeof review->opening, "%s", name->name);
}

/* Theory ends with the last position that has a name, or with the book if that goes on: moves on
 * the way to a name are known even where the position between has none. */
void judge_opening(Review *review, const ReviewOptions *o)
{
    Position p = review->start;
    OpeningName name;
    Undo undo;
    bool in_book = o->book != NULL;
    for (int i = 0; i <= review->count; i++) {
        if (o->openings && openings_find(o->openings, &p, &name)) {
            name_opening(review, &name, i);
            review->book_plies = i;
        }
        if (i == review->count)
            break;
        in_book = in_book && book_knows(o->book, &p, review->moves[i].move);
        if (in_book)
            review->book_plies = i + 1;
        pos_make(&p, review->moves[i].move, &undo);
    }
    for (int i = 0; i < review->book_plies; i++)
        review->moves[i].in_book = true;
}

/* -- Sums -- */

/* How much the chances moved about around each move: what happens in a quiet stretch says little
 * about a player. */
static double volatility(const double *chances, int count, int i)
{
    int window = count / 10 < 2 ? 2 : count / 10 > 8 ? 8 : count / 10;
    int end = i + 2 > window ? i + 2 : window;
    if (end > count + 1)
        end = count + 1;
    int begin = end - window > 0 ? end - window : 0;
    double sum = 0, squares = 0;
    int n = end - begin;
    for (int k = begin; k < end; k++) {
        double percent = 50 * chances[k];
        sum += percent;
        squares += percent * percent;
    }
    double variance = squares / n - sum / n * (sum / n);
    double deviation = variance > 0 ? sqrt(variance) : 0;
    return deviation < 0.5 ? 0.5 : deviation > 12 ? 12 : deviation;
}

typedef struct Sums {
    double weights, weighted, inverse, loss;
    double accuracies; /* of all moves */
    int counted;       /* moves that say something about accuracy */
} Sums;

/* Theory was found by others, and who is lost already loses nothing more: neither makes a player
 * accurate. But the openings have names for mistakes, too, as far as Fool's Mate. */
static bool says_something(const ReviewMove *m)
{
    static const double LOST = -0.85;
    return (!m->in_book || m->label >= REVIEW_MISTAKE) && m->before.chance > LOST;
}

static void add_to(ReviewTotals *t, Sums *s, const ReviewMove *m, double weight)
{
    t->moves++;
    t->labels[m->label]++;
    s->loss += m->loss;
    s->accuracies += m->accuracy;
    if (!says_something(m))
        return;
    s->counted++;
    s->weights += weight;
    s->weighted += weight * m->accuracy;
    s->inverse += 1 / (m->accuracy > 1 ? m->accuracy : 1);
}

/* The mean of two means: the weighted one, and the harmonic one, which one bad move pulls down. If
 * no move says anything, all of them have to. */
static void conclude(ReviewTotals *t, const Sums *s)
{
    if (!t->moves)
        return;
    t->accuracy = s->counted ? (s->weighted / s->weights + s->counted / s->inverse) / 2
                             : s->accuracies / t->moves;
    t->average_loss = s->loss / t->moves;
}

void judge_totals(Review *review, const double *chances)
{
    Sums all[COLOR_COUNT] = {{0}}, by_phase[REVIEW_PHASE_COUNT][COLOR_COUNT] = {{{0}}};
    for (int i = 0; i < review->count; i++) {
        const ReviewMove *m = &review->moves[i];
        Color c = (i & 1) ? color_other(review->start.side) : review->start.side;
        double weight = volatility(chances, review->count, i);
        add_to(&review->totals[c], &all[c], m, weight);
        add_to(&review->by_phase[m->phase][c], &by_phase[m->phase][c], m, weight);
    }
    for (int c = 0; c < COLOR_COUNT; c++) {
        conclude(&review->totals[c], &all[c]);
        for (int k = 0; k < REVIEW_PHASE_COUNT; k++)
            conclude(&review->by_phase[k][c], &by_phase[k][c]);
    }
}
