/* Late move reductions (LMR), in 1024ths of a ply. */
#include "search/search_int.h"

/* 1024 * ln(i); larger i use the last entry. */
static const int log_1024[64] = {
    0,    0,    710,  1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773,
    2839, 2901, 2960, 3015, 3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516,
    3549, 3580, 3611, 3641, 3669, 3698, 3725, 3751, 3777, 3803, 3827, 3851, 3875, 3898, 3920, 3943,
    3964, 3985, 4006, 4026, 4046, 4066, 4085, 4104, 4122, 4140, 4158, 4175, 4193, 4210, 4226, 4243};

int lmr_base_reduction(const SearchWorker *w, int depth, int number, bool noisy)
{
    int logs = log_1024[min_int(depth, 63)] * log_1024[min_int(number, 63)] / 1024;
    if (noisy)
        return param(w, lmr_noisy_base) + param(w, lmr_noisy_scale) * logs / 1024;
    return param(w, lmr_base) + param(w, lmr_scale) * logs / 1024;
}

int lmr_reduction(SearchWorker *w, const SearchNode *n, const MoveContext *mc)
{
    int r = lmr_base_reduction(w, n->depth, mc->number, mc->noisy);
    if (n->cut_node)
        r += param(w, lmr_cut);
    if (n->tt_pv)
        r -= param(w, lmr_was_pv);
    if (n->pv_node)
        r -= param(w, lmr_pv);
    if (!n->improving)
        r += param(w, lmr_improving);
    if (pos_in_check(&w->pos)) /* the move has been made: it gives check */
        r -= param(w, lmr_check);
    if (n->tt_move_noisy && !mc->noisy)
        r += param(w, lmr_tt_noisy);
    if ((n->ss + 1)->cutoff_count > 3)
        r += param(w, lmr_cutoffs);
    if (mc->move == n->ss->killer)
        r -= param(w, lmr_killer);
    return r - mc->history * 1024 / param(w, lmr_history_div);
}
