/* Ranking of root moves.
 *
 * A won position must be won before the fifty-move counter ends. While a move leaves enough plies
 * for that, all winning moves rank equal and the search chooses; when few are left, or a position
 * has repeated, the rank is by DTZ, which falls with every move and so cannot repeat. The losing
 * side is the mirror image. */
#include "chess/draw.h"
#include "chess/movegen.h"
#include "tb/tb_int.h"

enum {
    RANK_WIN = 100000,    /* RANK_WIN - dtz when the DTZ decides */
    RANK_FAR_WIN = 50000, /* minus the plies needed: perhaps too many */
    PLIES_ALLOWED = 100
};

/* Shared by all moves of one position. */
typedef struct Root {
    Tablebases *tb;
    const Position *p;
    bool rule50;
    bool repeated; /* a position has repeated since the last zeroing move */
} Root;

/* The result of a move by the rules alone. */
typedef enum Outcome { OUTCOME_OPEN, OUTCOME_DRAW, OUTCOME_MATE } Outcome;

static Outcome outcome_after(const Root *r, const Position *child)
{
    if (pos_in_check(child) && !movegen_any(child))
        return OUTCOME_MATE; /* also on the hundredth ply */
    if (r->rule50 && child->st.rule50 >= PLIES_ALLOWED)
        return OUTCOME_DRAW;
    return draw_repetitions(child) >= 2 ? OUTCOME_DRAW : OUTCOME_OPEN;
}

/* -- By DTZ -- */

/* DTZ after a move. */
typedef struct DtzAfterMove {
    int dtz;
    bool exact;
    bool is_final; /* mate, or a zeroing move that keeps the result */
} DtzAfterMove;

static void rate_win(const Root *r, DtzAfterMove step, TbRootMove *m)
{
    int plies = step.dtz + r->p->st.rule50 + !step.exact;
    bool in_time = step.is_final || plies <= PLIES_ALLOWED;
    if (in_time)
        m->rank = RANK_WIN - (r->repeated ? step.dtz : 0);
    else
        m->rank = RANK_FAR_WIN - plies;
    m->wdl = in_time || !r->rule50 ? TB_WIN : TB_CURSED_WIN;
}

static void rate_loss(const Root *r, DtzAfterMove step, TbRootMove *m)
{
    int plies = -step.dtz + r->p->st.rule50;
    /* While the winner needs at most half of the plies that are left, the search chooses the
     * defence. */
    if (step.is_final || plies - step.dtz < PLIES_ALLOWED)
        m->rank = -RANK_WIN;
    else
        m->rank = -RANK_FAR_WIN + plies;
    bool in_time = step.is_final || plies <= PLIES_ALLOWED;
    m->wdl = in_time || !r->rule50 ? TB_LOSS : TB_BLESSED_LOSS;
}

/* False when a table is missing. */
static bool step_to(const Root *r, const Position *child, DtzAfterMove *step)
{
    switch (outcome_after(r, child)) {
    case OUTCOME_MATE:
        *step = (DtzAfterMove){1, true, true};
        return true;
    case OUTCOME_DRAW:
        *step = (DtzAfterMove){0, true, true};
        return true;
    default:
        break;
    }
    if (child->st.rule50 == 0) {
        TbWdl wdl;
        if (!tb_probe_wdl(r->tb, child, &wdl))
            return false;
        *step = (DtzAfterMove){-tb_dtz_of_zeroing(wdl), true, wdl == TB_WIN || wdl == TB_LOSS};
        return true;
    }
    TbDistance d;
    if (!tb_probe_distance(r->tb, child, &d))
        return false;
    int away = (d.dtz > 0) - (d.dtz < 0);
    *step = (DtzAfterMove){-d.dtz - away, d.exact, false};
    return true;
}

static bool rank_by_dtz(const Root *r, TbRootMove *m)
{
    Position child = *r->p;
    Undo undo;
    DtzAfterMove step;
    pos_make(&child, m->move, &undo);
    if (!step_to(r, &child, &step))
        return false;
    m->dtz = step.dtz;
    m->rank = 0;
    m->wdl = TB_DRAW;
    if (step.dtz > 0)
        rate_win(r, step, m);
    else if (step.dtz < 0)
        rate_loss(r, step, m);
    return true;
}

/* -- By WDL -- */

static bool rank_by_wdl(const Root *r, TbRootMove *m)
{
    static const int rank_of[] = {-RANK_WIN, -RANK_FAR_WIN, 0, RANK_FAR_WIN, RANK_WIN};
    Position child = *r->p;
    Undo undo;
    pos_make(&child, m->move, &undo);
    Outcome outcome = outcome_after(r, &child);
    TbWdl wdl = outcome == OUTCOME_MATE ? TB_LOSS : TB_DRAW;
    if (outcome == OUTCOME_OPEN && !tb_probe_wdl(r->tb, &child, &wdl))
        return false;
    int mine = -(int)wdl;
    if (!r->rule50)
        mine *= 2; /* without the fifty-move rule a cursed win is a win */
    mine = mine > TB_WIN ? TB_WIN : mine < TB_LOSS ? TB_LOSS : mine;
    m->wdl = (TbWdl)mine;
    m->rank = rank_of[mine - TB_LOSS];
    m->dtz = 0;
    return true;
}

/* -- All moves -- */

static bool rank_all(const Root *r, bool (*rank)(const Root *, TbRootMove *), TbRootMove *moves,
                     int count)
{
    for (int i = 0; i < count; i++)
        if (!rank(r, &moves[i]))
            return false;
    return true;
}

bool tb_rank_moves(Tablebases *tb, const Position *p, bool rule50, TbRootMove *moves, int *count)
{
    *count = 0;
    if (!tb_covers(tb, p))
        return false;
    Move legal[MAX_MOVES];
    int found = movegen(p, GEN_ALL, legal);
    for (int i = 0; i < found; i++)
        moves[i] = (TbRootMove){.move = legal[i]};
    Root r = {tb, p, rule50, draw_has_repeated(p)};
    if (found == 0 ||
        (!rank_all(&r, rank_by_dtz, moves, found) && !rank_all(&r, rank_by_wdl, moves, found)))
        return false;
    *count = found;
    return true;
}
