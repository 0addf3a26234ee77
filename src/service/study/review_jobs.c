#include "service/study/review_jobs_int.h"

#include "base/clock.h"
#include "notation/json_value.h"
#include "service/board_int.h"
#include "service/message_int.h"
#include "service/pool_int.h"
#include "service/study/review_json_int.h"

#include <stdlib.h>

enum { MAX_JOBS = 20, QUICK_NODES = 20000, DEEP_NODES = 400000, PROGRESS_MS = 200 };

typedef struct ReviewJob {
    PoolJob job;
    struct ReviewJob *next;
    Service *service;
    uint64_t nodes;
    StoreGame g;
    Position start;
    Move *moves;
    int count;
    /* Under Service.lock. */
    bool running, failed, cancelled;
    int done, total;
    int64_t sent_at;
    Reviewer *reviewer; /* while it runs */
    Status status;
    Message why;
} ReviewJob;

/* -- As JSON -- */

/* Failed ones stay until asked again; a cancelled one is no more, even while it ends. */
static ReviewJob *find_job(const Service *service, int64_t game)
{
    for (ReviewJob *j = service->reviews; j; j = j->next)
        if (j->g.id == game && !j->cancelled)
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
    json_t *out = json_pack("{s:I, s:s, s:i, s:i}", "game", (json_int_t)j->g.id, "state",
                            job_state(j), "done", j->done, "total", j->total);
    if (j->failed)
        json_object_set_new(out, "message", value_text(j->why.text));
    return out;
}

/* A review that is in the store, or none. */
static Status json_stored(Service *service, int64_t game, json_t **out, Message *why)
{
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

/* What is there now: a review may have been asked for while a cancelled one ended. */
static void send_current(Service *service, int64_t game)
{
    const ReviewJob *j = find_job(service, game);
    json_t *data = NULL;
    Message why;
    if (j)
        data = json_job(j);
    else if (json_stored(service, game, &data, &why) != STATUS_OK)
        return;
    client_event_all(service, "review", game, NULL, data);
}

/* -- Storing it -- */

static Status store_one_mistake(Store *store, const ReviewJob *j, const Review *review, int i,
                                const Position *p, int64_t *id, Message *why)
{
    const ReviewMove *m = &review->moves[i];
    StoreMistake x = {.player = j->g.player,
                      .game = j->g.id,
                      .ply = i + 1,
                      .chess960 = p->chess960,
                      .chance = m->before.chance,
                      .at = j->g.created,
                      .due = clock_wall_ms()};
    fen_write(p, FEN_X, x.fen);
    uci_move_write(p, m->move, x.played);
    uci_move_write(p, m->line[0], x.best);
    snprintf(x.label, sizeof x.label, "%s", review_label_name(m->label));
    snprintf(x.opponent, sizeof x.opponent, "%s", j->g.side[!j->g.you].title);
    json_t *answer = review_answer_json(review, i, p);
    char *detail = value_dump(answer);
    json_decref(answer);
    Status s = detail ? store_mistake_add(store, &x, detail, why)
                      : status_fail(why, STATUS_MEMORY, "not enough memory for a review");
    free(detail);
    *id = x.id;
    return s;
}

static bool is_your_mistake(const ReviewJob *j, const ReviewMove *m, Color mover)
{
    return j->g.player && j->g.you == (int)mover && m->label >= REVIEW_MISTAKE && m->line_length &&
           m->line[0] != m->move;
}

static Status store_moves_of(Store *store, const ReviewJob *j, const Review *review, json_t *moves,
                             Message *why)
{
    Position p = review->start;
    Undo undo;
    Status s = STATUS_OK;
    for (int i = 0; i < review->count && s == STATUS_OK; i++) {
        int64_t mistake = 0;
        if (is_your_mistake(j, &review->moves[i], p.side))
            s = store_one_mistake(store, j, review, i, &p, &mistake, why);
        else /* an earlier review, which saw less, may have thought so */
            s = store_mistake_withdraw(store, j->g.id, i + 1, why);
        json_array_append_new(moves, review_move_json(review, i, &p, mistake));
        pos_make(&p, review->moves[i].move, &undo);
    }
    return s;
}

static Status store_review(Store *store, const ReviewJob *j, const Review *review, Message *why)
{
    const double accuracy[COLOR_COUNT] = {review->totals[WHITE].accuracy,
                                          review->totals[BLACK].accuracy};
    json_t *out = review_totals_json(review), *moves = json_array();
    json_object_set_new(out, "moves", moves);
    store_begin(store);
    Status s = store_moves_of(store, j, review, moves, why);
    char *text = value_dump(out);
    if (s == STATUS_OK)
        s = text ? store_review_put(store, j->g.id, text, accuracy, clock_wall_ms(), why)
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
    Service *service = j->service;
    mutex_lock(&service->lock);
    j->done = done;
    j->total = total;
    if (!j->cancelled && clock_now_ms() - j->sent_at >= PROGRESS_MS) {
        j->sent_at = clock_now_ms();
        client_event_all(service, "review", j->g.id, NULL, json_job(j));
    }
    mutex_unlock(&service->lock);
}

static bool is_cancelled(ReviewJob *j, Reviewer *r)
{
    mutex_lock(&j->service->lock);
    bool cancelled = j->cancelled || j->service->closing;
    j->running = true;
    j->reviewer = r;
    mutex_unlock(&j->service->lock);
    return cancelled;
}

static Status search_game(ReviewJob *j, Review **out, Message *why)
{
    Service *service = j->service;
    Reviewer *r;
    ReviewOptions options = {.nodes = j->nodes,
                             .evaluator = service->evaluator,
                             .tb = service->tb,
                             .openings = service->openings};
    Status s = reviewer_open(&r, &options, why);
    if (s != STATUS_OK)
        return s;
    ReviewProgress report = {j, progress};
    s = is_cancelled(j, r) ? STATUS_STOPPED
                           : review_moves(r, &j->start, j->moves, j->count, &report, out, why);
    mutex_lock(&service->lock);
    j->reviewer = NULL;
    if (j->cancelled)
        s = STATUS_STOPPED;
    mutex_unlock(&service->lock);
    reviewer_close(r);
    return s;
}

static void run_review(PoolWorker *w, PoolJob *job)
{
    ReviewJob *j = (ReviewJob *)job;
    Review *found = NULL;
    Store *store = pool_store(w, &j->why);
    j->status = store ? search_game(j, &found, &j->why) : STATUS_IO;
    if (j->status == STATUS_OK)
        j->status = store_review(store, j, found, &j->why);
    review_free(found);
}

static void free_job(ReviewJob *j)
{
    free(j->moves);
    free(j);
}

static void remove_job(Service *service, ReviewJob *job)
{
    for (ReviewJob **at = &service->reviews; *at; at = &(*at)->next)
        if (*at == job) {
            *at = job->next;
            break;
        }
    free_job(job);
}

static void mark_reviewed(Service *service, int64_t game)
{
    for (Board *b = service->boards; b; b = b->next)
        if (b->g.id == game)
            b->g.reviewed = true;
}

static void review_done(Service *service, PoolJob *job)
{
    ReviewJob *j = (ReviewJob *)job;
    int64_t game = j->g.id;
    if (j->status == STATUS_OK)
        mark_reviewed(service, game);
    j->failed = !j->cancelled && j->status != STATUS_OK && j->status != STATUS_STOPPED;
    if (!j->failed)
        remove_job(service, j);
    send_current(service, game);
}

void reviews_stop(Service *service)
{
    for (const ReviewJob *j = service->reviews; j; j = j->next)
        if (j->reviewer)
            reviewer_stop(j->reviewer);
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
    if (j->reviewer)
        reviewer_stop(j->reviewer);
    else
        send_current(service, game);
}

/* -- Requests -- */

static Status read_effort(const Request *r, uint64_t *nodes, Message *why)
{
    Span effort = span_of("normal");
    Status s = request_maybe_text(r, "effort", &effort, why);
    if (s != STATUS_OK)
        return s;
    *nodes = REVIEW_DEFAULT_NODES;
    if (span_is(effort, "quick"))
        *nodes = QUICK_NODES;
    else if (span_is(effort, "deep"))
        *nodes = DEEP_NODES;
    else if (!span_is(effort, "normal"))
        return request_wrong(r, "effort", why);
    return STATUS_OK;
}

static Status make_job(Service *service, const Board *b, uint64_t nodes, ReviewJob **out,
                       Message *why)
{
    ReviewJob *j = calloc(1, sizeof *j);
    if (j)
        j->moves = malloc(((size_t)b->play.count + 1) * sizeof *j->moves);
    if (!j || !j->moves) {
        free(j);
        return status_fail(why, STATUS_MEMORY, "not enough memory for a review");
    }
    j->job.run = run_review;
    j->job.done = review_done;
    j->service = service;
    j->g = b->g;
    j->nodes = nodes;
    j->start = b->play.start;
    j->count = b->play.count;
    j->total = b->play.count;
    for (int i = 0; i < b->play.count; i++)
        j->moves[i] = b->play.moves[i].move;
    *out = j;
    return STATUS_OK;
}

static Status enqueue(Service *service, ReviewJob *j, Message *why)
{
    int count = 0;
    ReviewJob **end = &service->reviews;
    for (; *end; end = &(*end)->next)
        count++;
    if (count >= MAX_JOBS || !pool_add(service->background_pool, &j->job)) {
        free_job(j);
        return status_fail(why, STATUS_REFUSED, "%d reviews are already waiting", count);
    }
    *end = j;
    return STATUS_OK;
}

static Status start_job(Service *service, const Board *b, uint64_t nodes, json_t *data,
                        Message *why)
{
    Status s = STATUS_OK;
    ReviewJob *j = find_job(service, b->g.id);
    if (j && j->failed) {
        remove_job(service, j);
        j = NULL;
    }
    if (!j) {
        s = make_job(service, b, nodes, &j, why);
        if (s == STATUS_OK)
            s = enqueue(service, j, why);
    }
    if (s == STATUS_OK)
        json_object_set_new(data, "review", json_job(j));
    return s;
}

static Status review_start(Service *service, Request *r, json_t *data, Message *why)
{
    int64_t id;
    uint64_t nodes;
    Board *b;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = read_effort(r, &nodes, why);
    if (s == STATUS_OK)
        s = board_get(service, id, &b, why);
    if (s == STATUS_OK && !board_over(b))
        s = status_fail(why, STATUS_REFUSED, "the game is not over");
    if (s == STATUS_OK && !b->play.count)
        s = status_fail(why, STATUS_REFUSED, "the game has no moves");
    if (s != STATUS_OK)
        return s;
    client_watch(r->client, id);
    return start_job(service, b, nodes, data, why);
}

static Status review_get(Service *service, Request *r, json_t *data, Message *why)
{
    int64_t id;
    StoreGame g;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = store_game_load(service->store, id, &g, why);
    if (s != STATUS_OK)
        return s;
    const ReviewJob *j = find_job(service, id);
    if (j) {
        client_watch(r->client, id);
        json_object_set_new(data, "review", json_job(j));
        return STATUS_OK;
    }
    json_t *review;
    s = json_stored(service, id, &review, why);
    if (s == STATUS_OK)
        json_object_set_new(data, "review", review);
    return s;
}

static Status review_cancel(Service *service, Request *r, json_t *data, Message *why)
{
    (void)data;
    int64_t id;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        reviews_cancel(service, id);
    return s;
}

const HandlerRow review_handlers[] = {
    {.name = "review.start", .run = review_start},
    {.name = "review.get", .run = review_get},
    {.name = "review.cancel", .run = review_cancel},
    {0},
};
