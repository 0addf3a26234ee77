/* From games to choices with features. */
#include "levels/human_fit.h"

#include <stdlib.h>
#include <string.h>

enum { ASK_EVERY = 256 };

void human_data_free(HumanData *d)
{
    free(d->choices);
    free(d->features);
    free(d->starts);
    *d = (HumanData){0};
}

static bool keep_features(HumanData *d, const HumanFeatures *moves, int count)
{
    for (int i = 0; i < count; i++) {
        if (d->feature_count + HUMAN_MOST_ACTIVE > d->feature_room) {
            size_t room = d->feature_room ? d->feature_room * 3 / 2 : 1 << 20;
            HumanFeature *more = realloc(d->features, room * sizeof *more);
            if (!more)
                return false;
            d->features = more;
            d->feature_room = room;
        }
        memcpy(d->features + d->feature_count, moves[i].at,
               (size_t)moves[i].count * sizeof *moves[i].at);
        d->feature_count += (size_t)moves[i].count;
        d->starts[++d->start_count] = d->feature_count;
    }
    return true;
}

typedef struct DataBuilder {
    HumanData *data;
    const HumanGames *games;
    HumanBook books[HUMAN_FOLDS];
    HumanWalk walk;
    HumanProgress *progress;
    void *user;
} DataBuilder;

static bool add_choice(DataBuilder *b, const HumanSample *s)
{
    const HumanGame *game = &b->games->games[s->game];
    HumanFeatures moves[MAX_MOVES];
    human_walk_to(&b->walk, b->games, s->game, s->ply);
    HumanMoment moment = {.p = &b->walk.p,
                          .own_last = s->ply >= 2 ? game->moves[s->ply - 2] : MOVE_NONE,
                          .their_last = s->ply >= 1 ? game->moves[s->ply - 1] : MOVE_NONE,
                          .was_capture = b->walk.p.st.captured != NO_PIECE};
    HumanChoice *c = &b->data->choices[b->data->count];
    *c = (HumanChoice){.sample = s,
                       .first = b->data->start_count,
                       .count = s->count,
                       .fold = human_fold(s->game),
                       .elo = game->elo[s->ply % 2]};
    c->blend = human_blend(c->elo, game->seconds);
    while (c->chosen < s->count && s->values[c->chosen].move != game->moves[s->ply])
        c->chosen++;
    if (c->chosen == s->count)
        return true; /* not reached: the games' moves are legal */
    human_model_features(&moment, &b->books[c->fold], s->values, s->count, moves);
    b->data->count++;
    return keep_features(b->data, moves, s->count);
}

static Status build_all(DataBuilder *b, Message *why)
{
    const HumanGames *g = b->games;
    size_t moves = 1;
    for (size_t i = 0; i < g->sample_count; i++)
        moves += g->samples[i].count;
    b->data->choices = calloc(g->sample_count + 1, sizeof *b->data->choices);
    b->data->starts = calloc(moves, sizeof *b->data->starts);
    bool fits = b->data->choices && b->data->starts;
    for (size_t i = 0; i < g->sample_count && fits; i++) {
        if (i % ASK_EVERY == 0 && b->progress && !b->progress(b->user, i, g->sample_count))
            return status_fail(why, STATUS_STOPPED, "interrupted");
        fits = add_choice(b, &g->samples[i]);
    }
    return fits ? STATUS_OK : status_fail(why, STATUS_MEMORY, "not enough memory for the features");
}

Status human_data_build(HumanData *d, const HumanGames *g, HumanProgress *progress, void *user,
                        Message *why)
{
    DataBuilder b = {.data = d, .games = g, .progress = progress, .user = user};
    Status s = STATUS_OK;
    for (int i = 0; i < HUMAN_FOLDS && s == STATUS_OK; i++)
        s = human_book_build(&b.books[i], g, i, why);
    if (s == STATUS_OK)
        s = build_all(&b, why);
    for (int i = 0; i < HUMAN_FOLDS; i++)
        human_book_free(&b.books[i]);
    return s;
}
