#include "train/selfplay/selfplay_label.h"

#include "train/sample.h"
#include "train/selfplay/selfplay_game.h"

#include <stdlib.h>

/* A position whose best move captures or promotes is as little use as one where such a move was
 * played. */
static Score label_of(SearchPool *pool, const LabelRules *rules, const Position *p,
                      const DataPly *ply)
{
    if ((int)p->game_ply < sample_filter_defaults().skip_plies ||
        abs(ply->score) > rules->max_score || !sample_is_quiet(p, ply->move))
        return SCORE_NONE;
    SearchResult found = selfplay_search(pool, p, rules->nodes, true);
    return sample_is_quiet(p, found.best) ? found.score : SCORE_NONE;
}

bool label_game(SearchPool *pool, const LabelRules *rules, Random *random, const atomic_bool *stop,
                GameRecord *game)
{
    Position p = game->start;
    Undo undo[DATA_MAX_PLIES];
    for (int i = 0; i < game->count; i++)
        pos_make(&p, game->plies[i].move, &undo[i]);
    for (int i = game->count - 1; i >= 0; i--) {
        DataPly *ply = &game->plies[i];
        bool chosen = random_below(random, rules->every) == 0;
        if (atomic_load(stop))
            return false;
        pos_unmake(&p, ply->move, &undo[i]);
        ply->score = (int16_t)(chosen ? label_of(pool, rules, &p, ply) : (Score)SCORE_NONE);
    }
    return true;
}
