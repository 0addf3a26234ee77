/* Aspiration windows: each iteration starts with a narrow window around the expected score and
 * widens it when the search fails low or high. */
#include "search/search_int.h"

#include <stdlib.h>

typedef struct AspirationWindow {
    Score alpha, beta;
    int delta;
} AspirationWindow;

static AspirationWindow window_around(const SearchWorker *w, int depth)
{
    Score centre = w->root[w->pv_index].average;
    if (depth < 4 || centre == -SCORE_INFINITE || score_is_decisive(centre))
        return (AspirationWindow){-SCORE_INFINITE, SCORE_INFINITE, SCORE_INFINITE};
    int delta = param(w, aspiration_delta) + abs(centre) * abs(centre) / 16000;
    return (AspirationWindow){max_int(centre - delta, -SCORE_INFINITE),
                              min_int(centre + delta, SCORE_INFINITE), delta};
}

/* After a fail low beta comes down as well: the true score is likely just below alpha. */
static void window_widen(const SearchWorker *w, AspirationWindow *win, Score score)
{
    bool low = score <= win->alpha;
    if (low) {
        win->beta = (win->alpha + win->beta) / 2;
        win->alpha = max_int(score - win->delta, -SCORE_INFINITE);
    } else {
        win->beta = min_int(score + win->delta, SCORE_INFINITE);
    }
    win->delta += win->delta * param(w, aspiration_widen) / 100;
    if (win->delta > 600 || score_is_decisive(score)) { /* mate scores jump: open that side */
        if (low)
            win->alpha = -SCORE_INFINITE;
        else
            win->beta = SCORE_INFINITE;
    }
}

/* Searches one PV of one iteration until its score is inside the window. Each fail high in a row
 * lowers the depth: the move is good already, and a full re-search costs much. */
void aspiration_search(SearchWorker *w, int depth)
{
    AspirationWindow win = window_around(w, depth);
    int fail_highs = 0;
    for (;;) {
        w->seldepth = 0;
        SearchNode n = {.depth = max_int(depth - (w->mate_search ? 0 : fail_highs), 1),
                        .alpha = win.alpha,
                        .beta = win.beta,
                        .pv_node = true};
        Score score = search_node(w, &n);
        root_moves_sort(w, w->pv_index, w->root_count);
        if (w->stopped || (score > win.alpha && score < win.beta))
            return;
        if (w->id == 0 && w->pool->options.multi_pv == 1 && root_report_is_due(w))
            root_report(w, depth);
        if (score <= win.alpha || score_is_decisive(score))
            fail_highs = 0;
        else
            fail_highs = min_int(fail_highs + 1, 3);
        window_widen(w, &win, score);
    }
}
