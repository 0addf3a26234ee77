/* Games are searched for puzzles one at a time: after each the job queues itself again, so that
 * reviews, which somebody waits for, get their turn. */
#include "service/study/study_int.h"

#include "levels/rating/glicko.h"
#include "service/pool_int.h"
#include "service/position_json_int.h"
#include "study/puzzle.h"

#include <stdlib.h>

enum { PUZZLE_NODES = 30000, MAX_OF_GAME = 16 };

typedef struct PuzzleJob {
    PoolJob job;
    int64_t player;
    int64_t games[PUZZLE_MAX_GAMES];
    int count, done;
    Puzzle found[MAX_OF_GAME];
    int found_count;
    Status status;
} PuzzleJob;

/* -- One game -- */

static void keep_puzzle(void *user, const Puzzle *p)
{
    PuzzleJob *j = user;
    if (j->found_count < MAX_OF_GAME)
        j->found[j->found_count++] = *p;
}

static Status search_line(PoolWorker *w, PuzzleJob *j, const MoveLine *line, Message *why)
{
    Reviewer *r;
    Status s = pool_reviewer_open(w, (ReviewOptions){.nodes = PUZZLE_NODES}, &r, why);
    if (s != STATUS_OK)
        return s;
    s = puzzles_of_game(r, &line->start, line->moves, line->count, keep_puzzle, j, why);
    pool_reviewer_close(w);
    return s;
}

static Status store_puzzle(Store *store, const PuzzleJob *j, int64_t game, const Puzzle *p,
                           const MoveLine *line, Message *why)
{
    Glicko rating = glicko_start(p->rating);
    StorePuzzle x = {.player = j->player,
                     .game = game,
                     .ply = p->ply,
                     .chess960 = p->start.chess960,
                     .themes = p->themes,
                     .rating = rating.rating,
                     .deviation = rating.deviation,
                     .volatility = rating.volatility};
    Position before = line->start;
    Undo undo;
    for (int i = 0; i + 2 < p->ply; i++)
        pos_make(&before, line->moves[i], &undo);
    uci_move_write(&before, p->last, x.last);
    fen_write(&p->start, FEN_X, x.fen);
    line_write(&p->start, p->line, p->length, x.line, sizeof x.line);
    return store_puzzle_add(store, &x, why);
}

static Status store_found(Store *store, const PuzzleJob *j, int64_t game, const MoveLine *line,
                          Message *why)
{
    Status s = STATUS_OK;
    store_begin(store);
    for (int i = 0; i < j->found_count && s == STATUS_OK; i++)
        s = store_puzzle(store, j, game, &j->found[i], line, why);
    if (s == STATUS_OK)
        s = store_puzzle_game_done(store, game, why);
    return store_end(store, s, why);
}

static void run_job(PoolWorker *w, PoolJob *job)
{
    PuzzleJob *j = (PuzzleJob *)job;
    MoveLine line;
    StoreGame g;
    Message why;
    Store *store = pool_store(w, &why);
    int64_t game = j->games[j->done];
    j->found_count = 0;
    j->status = store ? stored_line(store, game, &g, &line, &why) : STATUS_IO;
    bool own = j->status == STATUS_OK && (g.player == j->player || g.guest == j->player);
    if (j->status == STATUS_MISSING || (j->status == STATUS_OK && !own)) {
        j->status = STATUS_OK; /* deleted meanwhile, or somebody else's */
    } else if (j->status == STATUS_OK) {
        j->status = search_line(w, j, &line, &why);
        if (j->status == STATUS_OK)
            j->status = store_found(store, j, game, &line, &why);
    }
}

/* -- The queue -- */

static void send_state(Service *service, int64_t player)
{
    json_t *state;
    Message why;
    if (puzzle_state_json(service, player, &state, &why) != STATUS_OK)
        return;
    for (Client *c = service->clients; c; c = c->next)
        if (c->player == player)
            client_event(c, "puzzles", json_pack("{s:O}", "state", state));
    json_decref(state);
}

static void job_done(Service *service, PoolJob *job)
{
    PuzzleJob *j = (PuzzleJob *)job;
    int64_t player = j->player;
    j->done++;
    bool more = j->status == STATUS_OK && j->done < j->count && !service->closing;
    if (!more || !pool_add(service->background_pool, &j->job)) {
        service->puzzles = NULL;
        free(j);
    }
    send_state(service, player);
}

static bool is_queued(const PuzzleJob *j, int64_t game)
{
    for (int i = 0; i < j->count; i++)
        if (j->games[i] == game)
            return true;
    return false;
}

static void add_games(PuzzleJob *j, const int64_t *games, int count)
{
    for (int i = 0; i < count && j->count < PUZZLE_MAX_GAMES; i++)
        if (!is_queued(j, games[i]))
            j->games[j->count++] = games[i];
}

Status puzzle_job_add(Service *service, int64_t player, const int64_t *games, int count,
                      Message *why)
{
    PuzzleJob *j = service->puzzles;
    if (!count)
        return STATUS_OK;
    if (j && j->player != player)
        return status_fail(why, STATUS_REFUSED, "games of another player are being searched");
    if (j) {
        add_games(j, games, count);
        return STATUS_OK;
    }
    j = calloc(1, sizeof *j);
    if (!j)
        return status_fail(why, STATUS_MEMORY, "not enough memory for puzzles");
    j->job.run = run_job;
    j->job.done = job_done;
    j->player = player;
    add_games(j, games, count);
    if (!pool_add(service->background_pool, &j->job)) {
        free(j);
        return status_fail(why, STATUS_REFUSED, "too many jobs are waiting; try again later");
    }
    service->puzzles = j;
    return STATUS_OK;
}

json_t *puzzle_job_json(const Service *service, int64_t player)
{
    const PuzzleJob *j = service->puzzles;
    if (!j || j->player != player)
        return json_null();
    return json_pack("{s:i, s:i}", "done", j->done, "total", j->count);
}
