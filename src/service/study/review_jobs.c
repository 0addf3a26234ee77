#include "service/study/study_int.h"

#include "base/clock.h"
#include "notation/json_value.h"
#include "service/game_int.h"
#include "service/position_json_int.h"
#include "service/study/review_json_int.h"

#include <stdlib.h>

enum { MAX_JOBS = 20, QUICK_NODES = 20000, DEEP_NODES = 400000, PROGRESS_MS = 200 };

typedef struct ReviewJob {
    PoolJob job;
    struct ReviewJob *next;
    uint64_t nodes;
    int64_t game;
    /* Under Service.lock. */
    bool running, failed, cancelled;
    int done, total;
    int64_t sent_at;
    Status status;
    Message why;
} ReviewJob;

/* -- As JSON -- */

/* Failed ones stay until asked again; a cancelled one is no more, even while it ends. */
static ReviewJob *find_job(const Service *service, int64_t game)
{
    for (ReviewJob *j = service->reviews; j; j = j->next)
        if (j->game == game && !j->cancelled)
            return j;
    return NULL;
}

static const char *job_state(const ReviewJob *j)
{
    return j->failed ? "failed" : j->running ? "running" : "queued";
}

const char *reviews_state(const Service *service, const StoreGame *g)
{
    const ReviewJob *j = find_job(service, g->id);
    return j && !j->failed ? job_state(j) : g->reviewed ? "done" : "none";
}

static json_t *json_job(const ReviewJob *j)
{
    json_t *out = json_pack("{s:I, s:s, s:i, s:i}", "game", (json_int_t)j->game, "state",
                            job_state(j), "done", j->done, "total", j->total);
    if (j->failed)
        json_object_set_new(out, "message", value_text(j->why.text));
    return out;
}

/* What there is now: a job, a review that is in the store, or none. */
static Status json_review(Service *service, int64_t game, json_t **out, Message *why)
{
    const ReviewJob *j = find_job(service, game);
    if (j) {
        *out = json_job(j);
        return STATUS_OK;
    }
    Text text = text_new();
    Status s = store_review_get(service->store, game, &text, why);
    if (s == STATUS_OK || s == STATUS_MISSING) {
        *out = json_pack("{s:I, s:s}", "game", (json_int_t)game, "state",
                         s == STATUS_OK ? "done" : "none");
        if (s == STATUS_OK)
            json_object_set_new(*out, "result", json_loadb(text.at, text.len, 0, NULL));
        s = STATUS_OK;
    }
    text_free(&text);
    return s;
}

/* A review may have been asked for while a cancelled one ended. */
static void send_current(Service *service, int64_t game)
{
    json_t *data;
    Message why;
    if (json_review(service, game, &data, &why) == STATUS_OK)
        client_event_all(service, "review", game, data);
}

/* -- Storing it -- */

static Status store_one_mistake(Store *store, const StoreGame *g, const Review *review, int i,
                                const Position *p, int64_t *id, Message *why)
{
    const ReviewMove *m = &review->moves[i];
    StoreMistake x = {.player = g->player,
                      .game = g->id,
                      .ply = i + 1,
                      .chess960 = p->chess960,
                      .chance = m->before.chance,
                      .at = g->created,
                      .due = clock_wall_ms()};
    fen_write(p, FEN_X, x.fen);
    uci_move_write(p, m->move, x.played);
    uci_move_write(p, m->line[0], x.best);
    snprintf(x.label, sizeof x.label, "%s", review_label_name(m->label));
    snprintf(x.opponent, sizeof x.opponent, "%s", g->side[!g->you].title);
    json_t *answer = review_answer_json(review, i, p);
    char *detail = value_dump(answer);
    json_decref(answer);
    Status s = detail ? store_mistake_add(store, &x, detail, why)
                      : status_fail(why, STATUS_MEMORY, "not enough memory for a review");
    free(detail);
    *id = x.id;
    return s;
}

static bool is_your_mistake(const StoreGame *g, const ReviewMove *m, Color mover)
{
    return g->player && g->you == (int)mover && m->label >= REVIEW_MISTAKE && m->line_length &&
           m->line[0] != m->move;
}

static Status store_moves_of(Store *store, const StoreGame *g, const Review *review, json_t *moves,
                             Message *why)
{
    Position p = review->start;
    Undo undo;
    Status s = STATUS_OK;
    for (int i = 0; i < review->count && s == STATUS_OK; i++) {
        int64_t mistake = 0;
        if (is_your_mistake(g, &review->moves[i], p.side))
            s = store_one_mistake(store, g, review, i, &p, &mistake, why);
        else /* an earlier review, which saw less, may have thought so */
            s = store_mistake_withdraw(store, g->id, i + 1, why);
        json_array_append_new(moves, review_move_json(review, i, &p, mistake));
        pos_make(&p, review->moves[i].move, &undo);
    }
    return s;
}

static Status store_review(Store *store, const StoreGame *g, const Review *review, Message *why)
{
    const double accuracy[COLOR_COUNT] = {review->totals[WHITE].accuracy,
                                          review->totals[BLACK].accuracy};
    json_t *out = review_totals_json(review), *moves = json_array();
    json_object_set_new(out, "moves", moves);
    store_begin(store);
    Status s = store_moves_of(store, g, review, moves, why);
    char *text = value_dump(out);
    if (s == STATUS_OK)
        s = text ? store_review_put(store, g->id, text, accuracy, clock_wall_ms(), why)
                 : status_fail(why, STATUS_MEMORY, "not enough memory for a review");
    s = store_end(store, s, why);
    free(text);
    json_decref(out);
    return s == STATUS_OK ? store_sync(store, why) : s;
}

/* -- The work -- */

static void progress(void *user, int done, int total)
{
    ReviewJob *j = user;
    Service *service = j->job.service;
    mutex_lock(&service->lock);
    j->done = done;
    j->total = total;
    if (!j->cancelled && clock_now_ms() - j->sent_at >= PROGRESS_MS) {
        j->sent_at = clock_now_ms();
        client_event_all(service, "review", j->game, json_job(j));
    }
    mutex_unlock(&service->lock);
}

static Status search_game(PoolWorker *w, ReviewJob *j, const MoveLine *line, Review **out,
                          Message *why)
{
    Service *service = j->job.service;
    Reviewer *r;
    ReviewProgress report = {j, progress};
    mutex_lock(&service->lock);
    j->running = true;
    mutex_unlock(&service->lock);
    Status s = pool_reviewer_open(
        w, (ReviewOptions){.nodes = j->nodes, .openings = service->openings}, &r, why);
    if (s != STATUS_OK)
        return s;
    s = review_moves(r, &line->start, line->moves, line->count, &report, out, why);
    pool_reviewer_close(w);
    return atomic_load(&j->job.stop) ? STATUS_STOPPED : s;
}

static void run_review(PoolWorker *w, PoolJob *job)
{
    ReviewJob *j = (ReviewJob *)job;
    Review *found = NULL;
    StoreGame g;
    MoveLine line;
    Store *store = pool_store(w, &j->why);
    j->status = store ? stored_line(store, j->game, &g, &line, &j->why) : STATUS_IO;
    if (j->status == STATUS_OK && !g.over) /* a move was taken back meanwhile: it goes on */
        j->status = STATUS_STOPPED;
    if (j->status == STATUS_OK)
        j->status = search_game(w, j, &line, &found, &j->why);
    if (j->status == STATUS_OK)
        j->status = store_review(store, &g, found, &j->why);
    review_free(found);
}

static void remove_job(Service *service, ReviewJob *job)
{
    for (ReviewJob **at = &service->reviews; *at; at = &(*at)->next)
        if (*at == job) {
            *at = job->next;
            break;
        }
    free(job);
}

static void review_done(Service *service, PoolJob *job)
{
    ReviewJob *j = (ReviewJob *)job;
    int64_t game = j->game;
    Board *b = board_loaded(service, game);
    if (b && j->status == STATUS_OK)
        b->g.reviewed = true;
    j->failed = !j->cancelled && j->status != STATUS_OK && j->status != STATUS_STOPPED;
    if (!j->failed)
        remove_job(service, j);
    send_current(service, game);
}

void reviews_free(Service *service)
{
    while (service->reviews)
        remove_job(service, service->reviews);
}

/* One that waits or runs goes by itself. */
void reviews_cancel(Service *service, int64_t game)
{
    ReviewJob *j = find_job(service, game);
    if (!j)
        return;
    if (j->failed) {
        remove_job(service, j);
        send_current(service, game);
        return;
    }
    j->cancelled = true;
    pool_cancel(service->background_pool, &j->job);
    if (!j->running)
        send_current(service, game);
}

/* -- Requests -- */

/* NULL: refused. */
static ReviewJob *add_job(Request *r, const Board *b, uint64_t nodes)
{
    Service *service = r->service;
    int count = 0;
    ReviewJob **end = &service->reviews, *j = calloc(1, sizeof *j);
    for (; *end; end = &(*end)->next)
        count++;
    if (!j) {
        request_refuse(r, "server", "not enough memory for a review");
        return NULL;
    }
    *j = (ReviewJob){.job = {.run = run_review, .done = review_done},
                     .nodes = nodes,
                     .game = b->g.id,
                     .total = b->play.count};
    if (count < MAX_JOBS && pool_add(service->background_pool, &j->job))
        return *end = j;
    free(j);
    request_refuse(r, "refused", "%d reviews are already waiting", count);
    return NULL;
}

static bool review_start(Request *r)
{
    static const char *const efforts[] = {"quick", "normal", "deep", NULL};
    static const uint64_t nodes[] = {QUICK_NODES, REVIEW_DEFAULT_NODES, DEEP_NODES};
    int effort = 1;
    Board *b;
    if (!request_maybe_word(r, "effort", efforts, &effort) || !game_find(r, &b))
        return false;
    if (!b->g.over)
        return request_refuse(r, "refused", "the game is not over");
    if (!b->play.count)
        return request_refuse(r, "refused", "the game has no moves");
    client_watch(r->client, b->g.id);
    ReviewJob *j = find_job(r->service, b->g.id);
    if (j && j->failed) {
        remove_job(r->service, j);
        j = NULL;
    }
    if (!j)
        j = add_job(r, b, nodes[effort]);
    return j && request_answer(r, "review", json_job(j));
}

static bool review_get(Request *r)
{
    int64_t id;
    StoreGame g;
    json_t *review;
    if (!request_id(r, "game", &id) || !request_ok(r, store_game_load(r->store, id, &g, &r->why)) ||
        !request_ok(r, json_review(r->service, id, &review, &r->why)))
        return false;
    if (find_job(r->service, id))
        client_watch(r->client, id);
    return request_answer(r, "review", review);
}

static bool review_cancel(Request *r)
{
    int64_t id;
    if (!request_id(r, "game", &id))
        return false;
    reviews_cancel(r->service, id);
    return true;
}

const HandlerRow review_handlers[] = {
    {.name = "review.start", .run = review_start},
    {.name = "review.get", .run = review_get},
    {.name = "review.cancel", .run = review_cancel},
    {0},
};
