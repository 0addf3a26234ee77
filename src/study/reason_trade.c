/* What a line wins and loses. A line of a search ends anywhere, often in the middle of an exchange;
 * the balance is drawn only where it comes to rest. */
#include "study/review_int.h"

#include "chess/movegen.h"
#include "chess/see.h"

#include <string.h>

enum { FARTHEST = 14, WORTH_TAKING = 100 };

int trade_worth(PieceType t)
{
    static const int worth[PIECE_TYPE_COUNT + 1] = {1, 3, 3, 5, 9, 100, 0};
    return worth[t];
}

/* Everything taken and promoted on the way, seen from one side. */
typedef struct Ledger {
    int won[QUEEN + 1], lost[QUEEN + 1];
} Ledger;

static void book_move_into(Ledger *l, const Position *p, Move m, Color side)
{
    PieceType taken = pos_captured_type(p, m);
    int *mine = p->side == side ? l->won : l->lost, *yours = p->side == side ? l->lost : l->won;
    if (taken <= QUEEN)
        mine[taken]++;
    if (move_is_promotion(m)) {
        mine[move_promotion(m)]++;
        yours[PAWN]++;
    }
}

static int balance(const Ledger *l)
{
    int net = 0;
    for (int t = PAWN; t <= QUEEN; t++)
        net += trade_worth((PieceType)t) * (l->won[t] - l->lost[t]);
    return net;
}

/* Nothing hangs: the side to move has no capture that wins something. */
static bool nothing_to_take(const Position *p)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_NOISY, moves);
    for (int i = 0; i < count; i++)
        if (see_at_least(p, moves[i], WORTH_TAKING))
            return false;
    return true;
}

static bool is_noisy(const Position *p, Move m)
{
    return pos_is_capture(p, m) || move_is_promotion(m);
}

bool trade_is_quiet(const Position *p)
{
    return !pos_in_check(p) && nothing_to_take(p);
}

/* A mated side has nothing left to count; a line that goes on quietly, or ends with nothing to
 * take, has come to rest. */
static bool at_rest(const Position *p, const Line *line, int ply)
{
    return !(ply < line->length && is_noisy(p, line->at[ply])) && trade_is_quiet(p);
}

/* Like against like first, then bishop against knight, so that what is left can be named. */
static void cancel(Trade *t)
{
    for (int k = PAWN; k <= QUEEN; k++) {
        int both = t->won[k] < t->lost[k] ? t->won[k] : t->lost[k];
        t->won[k] -= both;
        t->lost[k] -= both;
    }
    while (t->won[KNIGHT] && t->lost[BISHOP])
        t->won[KNIGHT]--, t->lost[BISHOP]--;
    while (t->won[BISHOP] && t->lost[KNIGHT])
        t->won[BISHOP]--, t->lost[KNIGHT]--;
}

static Trade trade_now(const Ledger *l, int plies, int last_capture)
{
    Trade t = {.net = balance(l), .plies = plies, .last_capture = last_capture};
    memcpy(t.won, l->won, sizeof t.won);
    memcpy(t.lost, l->lost, sizeof t.lost);
    cancel(&t);
    return t;
}

/* Every place of rest in the line; how many there are. */
static int rests_of(const Position *from, const Line *line, Color side, Trade rests[FARTHEST + 1])
{
    Position p = *from;
    Ledger ledger = {0};
    Undo undo;
    int count = 0, last_capture = 0;
    for (int i = 0; i < line->length && i < FARTHEST; i++) {
        if (is_noisy(&p, line->at[i]))
            last_capture = i + 1;
        book_move_into(&ledger, &p, line->at[i], side);
        pos_make(&p, line->at[i], &undo);
        if (at_rest(&p, line, i + 1))
            rests[count++] = trade_now(&ledger, i + 1, last_capture);
    }
    return count;
}

bool trade_of_line(const Position *from, const Line *line, Color side, Trade *out)
{
    Trade rests[FARTHEST + 1];
    int count = rests_of(from, line, side, rests);
    if (count)
        *out = rests[count - 1];
    return count > 0;
}

static bool reaches(int net, int least)
{
    return least < 0 ? net <= least : net >= least;
}

bool trade_first(const Position *from, const Line *line, Color side, int least, Trade *out)
{
    Trade rests[FARTHEST + 1];
    int count = rests_of(from, line, side, rests), first = count;
    while (first > 0 && reaches(rests[first - 1].net, least))
        first--;
    if (first == count)
        return false;
    *out = rests[first];
    return true;
}
