/* Reviews, one after the other on a thread of their own that is nicer than the boards'. */
#include "service/service_int.h"

#include "base/clock.h"
#include "service/show_review_int.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { CALM = 10, MAX_JOBS = 20, QUICK_NODES = 20000, DEEP_NODES = 400000, TELL_MS = 200 };

typedef struct Job {
    struct Job *next;
    int64_t game;
    uint64_t nodes;
    bool running, failed, cancelled;
    int done, total;
    int64_t told_at;
    Reviewer *reviewer; /* while it runs */
    Message why;
    StoreGame g;
    Position start;
    Move *moves;
    int count;
} Job;

struct Reviews {
    Service *service;
    Thread thread;
    Condition changed; /* with Service.lock */
    Job *jobs; /* the first that did not fail is at work; failed ones stay until asked again */
    bool quit;
};

/* -- Showing -- */

/* A cancelled one is no more, even while it winds down. */
static Job *find_job(const Service *service, int64_t game)
{
    for (Job *j = service->reviews ? service->reviews->jobs : NULL; j; j = j->next)
        if (j->game == game && !j->cancelled)
            return j;
    return NULL;
}

static const char *job_state(const Job *j)
{
    return j->failed ? "failed" : j->running ? "running" : "queued";
}

const char *reviews_state(const Service *service, const StoreGame *g)
{
    const Job *j = find_job(service, g->id);
    return j && !j->failed ? job_state(j) : g->reviewed ? "done" : "none";
}

static void put_job(Text *out, const char *name, const Job *j)
{
    json_open(out, name, '{');
    json_put_int(out, "game", j->game);
    json_put_str(out, "state", job_state(j));
    json_put_int(out, "done", j->done);
    json_put_int(out, "total", j->total);
    if (j->failed)
        json_put_str(out, "message", j->why.text);
    json_close(out, '}');
}

static void tell_job(Service *service, const Job *j)
{
    Text t;
    text_init(&t);
    put_job(&t, NULL, j);
    web_tell(service, "review", j->game, NULL, &t);
    text_free(&t);
}

/* A review that is in the store, or none. */
static Status put_stored(Service *service, int64_t game, Text *out, const char *name, Message *why)
{
    Text json;
    text_init(&json);
    Status s = store_review_get(service->store, game, &json, why);
    if (s == STATUS_OK || s == STATUS_MISSING) {
        json_open(out, name, '{');
        json_put_int(out, "game", game);
        json_put_str(out, "state", s == STATUS_OK ? "done" : "none");
        if (s == STATUS_OK)
            json_put_raw(out, "result", (Span){json.at, json.len});
        json_close(out, '}');
        s = STATUS_OK;
    }
    text_free(&json);
    return s;
}

static void tell_stored(Service *service, int64_t game)
{
    Text t;
    Message why;
    text_init(&t);
    if (put_stored(service, game, &t, NULL, &why) == STATUS_OK)
        web_tell(service, "review", game, NULL, &t);
    text_free(&t);
}

/* What is there now: a review may have been asked for while a cancelled one wound down. */
static void tell_current(Service *service, int64_t game)
{
    const Job *j = find_job(service, game);
    if (j)
        tell_job(service, j);
    else
        tell_stored(service, game);
}

/* -- Keeping it -- */

static Status keep_mistake(Service *service, const Job *j, const Review *review, int i,
                           const Position *p, int64_t *id, Message *why)
{
    const ReviewMove *m = &review->moves[i];
    StoreMistake x = {.player = j->g.player,
                      .game = j->game,
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
    Text detail;
    text_init(&detail);
    show_review_answer(&detail, review, i, p);
    Status s = store_mistake_add(service->store, &x, detail.at, why);
    text_free(&detail);
    *id = x.id;
    return s;
}

static bool is_your_mistake(const Job *j, const ReviewMove *m, Color mover)
{
    return j->g.player && j->g.you == (int)mover && m->label >= REVIEW_MISTAKE && m->line_length &&
           m->line[0] != m->move;
}

static Status put_and_keep(Service *service, const Job *j, const Review *review, Text *json,
                           Message *why)
{
    Position p = review->start;
    Undo undo;
    Status s = STATUS_OK;
    json_open(json, NULL, '{');
    show_review_totals(json, review);
    json_open(json, "moves", '[');
    for (int i = 0; i < review->count && s == STATUS_OK; i++) {
        int64_t mistake = 0;
        if (is_your_mistake(j, &review->moves[i], p.side))
            s = keep_mistake(service, j, review, i, &p, &mistake, why);
        else /* an earlier review, which saw less, may have thought so */
            s = store_mistake_withdraw(service->store, j->game, i + 1, why);
        show_review_move(json, review, i, &p, mistake);
        pos_make(&p, review->moves[i].move, &undo);
    }
    json_close(json, ']');
    json_close(json, '}');
    const double accuracy[COLOR_COUNT] = {review->totals[WHITE].accuracy,
                                          review->totals[BLACK].accuracy};
    return s == STATUS_OK
               ? store_review_put(service->store, j->game, json->at, accuracy, clock_wall_ms(), why)
               : s;
}

static Status keep(Service *service, const Job *j, const Review *review, Message *why)
{
    Text json;
    text_init(&json);
    Status s = store_begin(service->store, why);
    if (s == STATUS_OK) {
        s = put_and_keep(service, j, review, &json, why);
        if (s == STATUS_OK)
            s = store_commit(service->store, why);
        else
            store_rollback(service->store);
    }
    text_free(&json);
    return s;
}

/* -- The thread -- */

typedef struct Work {
    Reviews *reviews;
    Job *job;
} Work;

static void progress(void *user, int done, int total)
{
    Work *w = user;
    Service *service = w->reviews->service;
    mutex_lock(&service->lock);
    w->job->done = done;
    w->job->total = total;
    if (!w->job->cancelled && clock_now_ms() - w->job->told_at >= TELL_MS) {
        w->job->told_at = clock_now_ms();
        tell_job(service, w->job);
    }
    mutex_unlock(&service->lock);
}

/* Without Service.lock. */
static Status review(Work *w, Review **out, Message *why)
{
    Service *service = w->reviews->service;
    Job *j = w->job;
    Reviewer *r;
    ReviewOptions options = {.nodes = j->nodes,
                             .evaluator = service->evaluator,
                             .tb = service->tb,
                             .openings = service->openings};
    Status s = reviewer_open(&r, &options, why);
    if (s != STATUS_OK)
        return s;
    mutex_lock(&service->lock);
    j->reviewer = r;
    if (w->reviews->quit || j->cancelled)
        reviewer_stop(r);
    mutex_unlock(&service->lock);
    ReviewProgress tell = {w, progress};
    s = review_moves(r, &j->start, j->moves, j->count, &tell, out, why);
    mutex_lock(&service->lock);
    j->reviewer = NULL;
    mutex_unlock(&service->lock);
    reviewer_close(r);
    return s;
}

static void free_job(Job *j)
{
    free(j->moves);
    free(j);
}

static void remove_job(Reviews *r, Job *job)
{
    for (Job **at = &r->jobs; *at; at = &(*at)->next)
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

/* Under Service.lock, which is let go while the game is searched. */
static void work_on(Reviews *r, Job *j)
{
    Service *service = r->service;
    Work w = {r, j};
    Review *found = NULL;
    j->running = true;
    mutex_unlock(&service->lock);
    Status s = review(&w, &found, &j->why);
    mutex_lock(&service->lock);
    int64_t game = j->game;
    if (j->cancelled)
        s = STATUS_STOPPED;
    else if (s == STATUS_OK)
        s = keep(service, j, found, &j->why);
    review_free(found);
    if (s == STATUS_OK || s == STATUS_STOPPED) {
        remove_job(r, j);
        if (s == STATUS_OK)
            mark_reviewed(service, game);
        tell_current(service, game);
    } else {
        j->failed = true;
        tell_job(service, j);
    }
}

static Job *next_job(Reviews *r)
{
    for (Job *j = r->jobs; j; j = j->next)
        if (!j->failed)
            return j;
    return NULL;
}

static void *reviews_main(void *arg)
{
    Reviews *r = arg;
    setpriority(PRIO_PROCESS, 0, CALM);
    mutex_lock(&r->service->lock);
    while (!r->quit) {
        Job *j = next_job(r);
        if (j)
            work_on(r, j);
        else
            condition_wait(&r->changed, &r->service->lock);
    }
    mutex_unlock(&r->service->lock);
    return NULL;
}

Status reviews_open(Reviews **out, Service *service, Message *why)
{
    Reviews *r = calloc(1, sizeof *r);
    if (!r)
        return status_fail(why, STATUS_MEMORY, "no memory for reviews");
    r->service = service;
    condition_init(&r->changed);
    Status s = thread_start(&r->thread, reviews_main, r, 0, why);
    if (s != STATUS_OK) {
        condition_free(&r->changed);
        free(r);
        return s;
    }
    *out = r;
    return STATUS_OK;
}

void reviews_close(Reviews *r)
{
    if (!r)
        return;
    mutex_lock(&r->service->lock);
    r->quit = true;
    for (const Job *j = r->jobs; j; j = j->next)
        if (j->reviewer)
            reviewer_stop(j->reviewer);
    condition_signal_all(&r->changed);
    mutex_unlock(&r->service->lock);
    thread_join(r->thread);
    while (r->jobs)
        remove_job(r, r->jobs);
    condition_free(&r->changed);
    free(r);
}

/* The job at work stops soon and goes by itself; others go at once. */
static void cancel(Service *service, Job *j)
{
    int64_t game = j->game;
    if (j->running && !j->failed) {
        j->cancelled = true;
        if (j->reviewer)
            reviewer_stop(j->reviewer);
    } else {
        remove_job(service->reviews, j);
        tell_stored(service, game);
    }
}

void reviews_forget(Service *service, int64_t game)
{
    Job *j = find_job(service, game);
    if (j)
        cancel(service, j);
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

static Status make_job(const Board *b, uint64_t nodes, Job **out, Message *why)
{
    Job *j = calloc(1, sizeof *j);
    if (j)
        j->moves = malloc(((size_t)b->count + 1) * sizeof *j->moves);
    if (!j || !j->moves) {
        free(j);
        return status_fail(why, STATUS_MEMORY, "no memory for a review");
    }
    j->game = b->g.id;
    j->g = b->g;
    j->nodes = nodes;
    j->start = b->start;
    j->count = b->count;
    j->total = b->count;
    for (int i = 0; i < b->count; i++)
        j->moves[i] = b->moves[i].move;
    *out = j;
    return STATUS_OK;
}

static Status enqueue(Service *service, Job *j, Message *why)
{
    int count = 0;
    Job **end = &service->reviews->jobs;
    for (; *end; end = &(*end)->next)
        count++;
    if (count >= MAX_JOBS) {
        free_job(j);
        return status_fail(why, STATUS_REFUSED, "%d reviews wait already", count);
    }
    *end = j;
    condition_signal_all(&service->reviews->changed);
    return STATUS_OK;
}

static Status start_job(Service *service, const Board *b, uint64_t nodes, Text *data, Message *why)
{
    Job *j = find_job(service, b->g.id);
    if (j && !j->failed) {
        put_job(data, "review", j);
        return STATUS_OK;
    }
    if (j)
        remove_job(service->reviews, j);
    Status s = make_job(b, nodes, &j, why);
    if (s == STATUS_OK)
        s = enqueue(service, j, why);
    if (s == STATUS_OK)
        put_job(data, "review", j);
    return s;
}

static Status review_start(Service *service, Request *r, Text *data, Message *why)
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
    if (s == STATUS_OK && !b->count)
        s = status_fail(why, STATUS_REFUSED, "the game has no moves");
    if (s != STATUS_OK)
        return s;
    client_watch(r->client, id);
    return start_job(service, b, nodes, data, why);
}

static Status review_get(Service *service, Request *r, Text *data, Message *why)
{
    int64_t id;
    StoreGame g;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = store_game_load(service->store, id, &g, why);
    if (s != STATUS_OK)
        return s;
    const Job *j = find_job(service, id);
    if (j) {
        client_watch(r->client, id);
        put_job(data, "review", j);
        return STATUS_OK;
    }
    return put_stored(service, id, data, "review", why);
}

static Status review_cancel(Service *service, Request *r, Text *data, Message *why)
{
    (void)data;
    int64_t id;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        reviews_forget(service, id);
    return s;
}

const HandlerRow handlers_of_reviews[] = {
    {"review.start", review_start},
    {"review.get", review_get},
    {"review.cancel", review_cancel},
    {NULL, NULL},
};
