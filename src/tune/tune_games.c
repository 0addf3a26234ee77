#include "match/match_game.h"
#include "tune/tune.h"

#include <stdio.h>
#include <stdlib.h>

/* Quick ends, as in self-play: a tuner needs many games, not long ones. */
static const MatchRules rules = {.draw_from_move = 35,
                                 .draw_moves = 6,
                                 .draw_cp = 10,
                                 .resign_moves = 3,
                                 .resign_cp = 600,
                                 .resign_both = true,
                                 .max_moves = 200,
                                 .margin_ms = 50,
                                 .hang_ms = 600000};

/* The two sides of one thread. */
typedef struct Seat {
    Player *players[2]; /* plus, minus */
    MatchOpening opening;
    MatchGame game;
} Seat;

struct TuneGames {
    TuneGamesOptions options;
    const atomic_bool *stop;
    PlayerSpec spec;
    MatchBook *book;
    Seat *seats;
};

static bool params_can_be_set(void)
{
    SearchParams probe;
    params_defaults(&probe);
    int count;
    return params_set(&probe, 0, params_rows(&count)[0].value);
}

static Status open_seats(TuneGames *g, Message *why)
{
    g->seats = calloc((size_t)g->options.threads, sizeof *g->seats);
    if (!g->seats)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %d concurrent games",
                           g->options.threads);
    Status s = STATUS_OK;
    for (int i = 0; i < 2 * g->options.threads && s == STATUS_OK; i++)
        s = player_open(&g->seats[i / 2].players[i % 2], &g->spec, g->options.hash_mb, g->stop,
                        why);
    return s;
}

static Status open_book(TuneGames *g, Message *why)
{
    MatchOptions book = match_defaults();
    book.openings = g->options.openings;
    book.seed = g->options.seed;
    return match_book_open(&g->book, &book, g->options.pairs, g->stop, why);
}

Status tune_games_open(TuneGames **out, const TuneGamesOptions *options, const atomic_bool *stop,
                       Message *why)
{
    if (!params_can_be_set())
        return status_fail(why, STATUS_REFUSED,
                           "the parameters of this build are constants; build with make "
                           "TUNE=1");
    TuneGames *g = calloc(1, sizeof *g);
    if (!g)
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    g->options = *options;
    g->stop = stop;
    Status s = player_spec_read(&g->spec, "castellan", why);
    if (s == STATUS_OK && options->net)
        s = player_spec_add_option(&g->spec, span_of("EvalFile"), span_of(options->net), why);
    if (s == STATUS_OK)
        s = open_book(g, why);
    if (s == STATUS_OK)
        s = open_seats(g, why);
    return GIVE_OR_CLOSE(s, out, g, tune_games_close);
}

void tune_games_close(TuneGames *g)
{
    if (!g)
        return;
    for (int i = 0; g->seats && i < 2 * g->options.threads; i++)
        player_close(g->seats[i / 2].players[i % 2]);
    match_book_close(g->book);
    player_spec_free(&g->spec);
    free(g->seats);
    free(g);
}

static Status set_values(Player *p, const TuneResult *names, const int *values, Message *why)
{
    Status s = STATUS_OK;
    for (int i = 0; i < names->count && s == STATUS_OK; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", values[i]);
        s = player_set_option(p, span_of(names->params[i].row->name), span_of(text), why);
    }
    return s;
}

/* One game; the points of `plus` (won 1, lost -1) go to *points. */
static Status play_one(TuneGames *g, Seat *seat, Color plus, int *points, Message *why)
{
    Player *players[COLOR_COUNT];
    const PlayerLimits *limits[COLOR_COUNT] = {&g->options.limits, &g->options.limits};
    players[plus] = seat->players[0];
    players[!plus] = seat->players[1];
    match_play(&seat->game, &seat->opening, players, limits, &rules);
    if (seat->game.end == MATCH_END_ABORTED)
        return status_fail(why, STATUS_STOPPED, "stopped");
    *points += result_half_points(seat->game.result, plus) - 1;
    return STATUS_OK;
}

Status tune_games_play(void *user, int thread, uint64_t pair, const TuneResult *names,
                       const int *plus, const int *minus, int *result, Message *why)
{
    TuneGames *g = user;
    Seat *seat = &g->seats[thread];
    Status s = match_book_get(g->book, pair, &seat->opening, why);
    if (s == STATUS_OK)
        s = set_values(seat->players[0], names, plus, why);
    if (s == STATUS_OK)
        s = set_values(seat->players[1], names, minus, why);
    if (s == STATUS_OK)
        s = play_one(g, seat, WHITE, result, why);
    return s == STATUS_OK ? play_one(g, seat, BLACK, result, why) : s;
}
