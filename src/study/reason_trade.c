/* What a line wins and loses. A line of a search ends anywhere, often in the middle of an exchange;
 * the balance is drawn only where it comes to rest. */
#include "study/review_int.h"

#include "chess/movegen.h"
#include "chess/see.h"

enum { FARTHEST = 14, WORTH_TAKING = 100 };

int trade_worth(PieceType t)
{
    static const int worth[PIECE_TYPE_COUNT + 1] = {1, 3, 3, 5, 9, 100, 0};
    return worth[t];
}

/* Everything taken and promoted on the way is won or lost. */
static void count_move(Trade *t, const Position *p, Move m, Color side)
{
    PieceType taken = pos_captured_type(p, m);
    uint8_t *mine = p->side == side ? t->won : t->lost;
    uint8_t *yours = p->side == side ? t->lost : t->won;
    if (taken <= QUEEN)
        mine[taken]++;
    if (move_is_promotion(m)) {
        mine[move_promotion(m)]++;
        yours[PAWN]++;
    }
}

static bool is_noisy(const Position *p, Move m)
{
    return pos_is_capture(p, m) || move_is_promotion(m);
}

bool trade_is_quiet(const Position *p)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_NOISY, moves);
    for (int i = 0; i < count; i++)
        if (see_at_least(p, moves[i], WORTH_TAKING))
            return false;
    return !pos_in_check(p);
}

/* A mated side has nothing left to count; a line that goes on quietly, or ends with nothing to
 * take, has come to rest. */
static bool at_rest(const Position *p, const Line *line, int ply)
{
    return !(ply < line->length && is_noisy(p, line->at[ply])) && trade_is_quiet(p);
}

/* The balance of what was won and lost: like against like first, then bishop against knight, so
 * that what is left can be named. */
static Trade balance(Trade t)
{
    for (int k = PAWN; k <= QUEEN; k++) {
        uint8_t both = t.won[k] < t.lost[k] ? t.won[k] : t.lost[k];
        t.won[k] -= both;
        t.lost[k] -= both;
        t.net += trade_worth((PieceType)k) * (t.won[k] - t.lost[k]);
    }
    while (t.won[KNIGHT] && t.lost[BISHOP])
        t.won[KNIGHT]--, t.lost[BISHOP]--;
    while (t.won[BISHOP] && t.lost[KNIGHT])
        t.won[BISHOP]--, t.lost[KNIGHT]--;
    return t;
}

/* Every place of rest in the line; how many there are. */
static int rests_of(const Position *from, const Line *line, Color side, Trade rests[FARTHEST + 1])
{
    Position p = *from;
    Trade all = {0};
    Undo undo;
    int count = 0;
    for (int i = 0; i < line->length && i < FARTHEST; i++) {
        all.plies = i + 1;
        if (is_noisy(&p, line->at[i]))
            all.last_capture = i + 1;
        count_move(&all, &p, line->at[i], side);
        pos_make(&p, line->at[i], &undo);
        if (at_rest(&p, line, i + 1))
            rests[count++] = balance(all);
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
