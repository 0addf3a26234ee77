/* Late-move reductions: how much less deeply a move is looked at first, in 1024ths of a ply. */
#include "search/search_int.h"

/* 1024 * ln(i); i up to 63 is all the formula needs. */
static const int log_1024[64] = {
    0,    0,    710,  1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773,
    2839, 2901, 2960, 3015, 3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516,
    3549, 3580, 3611, 3641, 3669, 3698, 3725, 3751, 3777, 3803, 3827, 3851, 3875, 3898, 3920, 3943,
    3964, 3985, 4006, 4026, 4046, 4066, 4085, 4104, 4122, 4140, 4158, 4175, 4193, 4210, 4226, 4243};

int reduction_base(const Worker *w, int depth, int number, bool noisy)
{
    int logs = log_1024[min_int(depth, 63)] * log_1024[min_int(number, 63)] / 1024;
    if (noisy)
        return param(w, lmr_noisy_base) + param(w, lmr_noisy_scale) * logs / 1024;
    return param(w, lmr_base) + param(w, lmr_scale) * logs / 1024;
}

int step_reduction(Worker *w, const Node *n, const Step *s)
{
    int r = reduction_base(w, n->depth, s->number, s->noisy);
    if (n->cut)
        r += param(w, lmr_cut);
    if (n->was_pv)
        r -= param(w, lmr_was_pv);
    if (n->pv)
        r -= param(w, lmr_pv);
    if (!n->improving)
        r += param(w, lmr_improving);
    if (pos_in_check(&w->pos)) /* after the move: it gave check */
        r -= param(w, lmr_check);
    if (n->tt_noisy && !s->noisy)
        r += param(w, lmr_tt_noisy);
    if ((n->at + 1)->cutoffs > 3)
        r += param(w, lmr_cutoffs);
    if (s->move == n->at->killer)
        r -= param(w, lmr_killer);
    return r - s->history * 1024 / param(w, lmr_history_div);
}
