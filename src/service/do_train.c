#include "service/service_int.h"

#include "base/clock.h"
#include "chess/movegen.h"
#include "study/review.h"

#include <stdlib.h>
#include <string.h>

enum { TRY_NODES = 100000, MAX_QUEUE = 100, MAX_TRIES_WAITING = 16 };

static const int64_t DAY_MS = 24 * 3600 * 1000;

/* After so many days it comes back, when it was solved that often in a row. */
static const int intervals[] = {1, 3, 7, 14, 30, 60, 120, 240};
enum { LAST_BOX = sizeof intervals / sizeof *intervals };

/* -- Showing -- */

static void put_mistake(Text *out, const char *name, const StoreMistake *m)
{
    Position p;
    char san[SAN_SIZE] = "";
    if (fen_parse(&p, span_of(m->fen), m->chess960, NULL) != STATUS_OK)
        return;
    Move played = uci_move_read(&p, span_of(m->played));
    if (played != MOVE_NONE)
        san_write(&p, played, san);
    json_open(out, name, '{');
    json_put_int(out, "id", m->id);
    json_put_int(out, "game", m->game);
    json_put_int(out, "ply", m->ply);
    json_put_str(out, "color", color_name(p.side));
    json_put_str(out, "variant", m->chess960 ? "chess960" : "standard");
    json_put_str(out, "fen", m->fen);
    show_moves(out, &p, true);
    show_last_told(out, m->last);
    json_open(out, "played", '{');
    json_put_str(out, "uci", m->played);
    json_put_str(out, "san", san);
    json_close(out, '}');
    json_put_str(out, "label", m->label);
    json_put_str(out, "opponent", m->opponent);
    json_put_int(out, "at", m->at);
    json_put_int(out, "box", m->box);
    json_put_int(out, "due", m->due);
    json_put_int(out, "solved", m->solved);
    json_put_int(out, "failed", m->failed);
    json_close(out, '}');
}

static void add_mistake(void *user, const StoreMistake *m)
{
    put_mistake(user, NULL, m);
}

/* -- When it comes back -- */

/* The first try since it fell due decides; one that was failed then waits for its solution, and comes
 * back the next day. */
static void schedule(StoreMistake *m, bool solved, int64_t now)
{
    if (m->due > now)
        return; /* practice */
    if (!solved) {
        m->failed += !m->tried;
        m->tried = true;
        m->box = 0;
        return;
    }
    m->solved++;
    m->box = m->tried ? 1 : m->box < LAST_BOX ? m->box + 1 : LAST_BOX;
    m->due = now + DAY_MS * intervals[m->box - 1];
    m->tried = false;
}

static Status reschedule(Service *service, StoreMistake *m, bool solved, Message *why)
{
    schedule(m, solved, clock_wall_ms());
    return store_mistake_save(service->store, m, why);
}

/* -- Trying -- */

typedef struct TryTask {
    Task task;
    int64_t client, request, mistake;
    double chance;
    Position before, after;
    Move move;
    bool is_best;
    EngineResult result;
} TryTask;

static void judge(Worker *w, Task *task)
{
    TryTask *t = (TryTask *)task;
    SearchLimits limits = {.nodes = TRY_NODES};
    if (movegen_any(&t->after))
        t->result = worker_search(w, &t->after, &limits, &t->task.stop);
}

/* The mover's winning chances after the try. */
static double chance_after(const TryTask *t)
{
    if (!movegen_any(&t->after))
        return pos_in_check(&t->after) ? 1 : 0;
    const EngineScore *e = &t->result.score;
    ReviewScore s = {
        .is_mate = e->is_mate, .value = e->value, .win = e->win, .draw = e->draw, .loss = e->loss};
    return -review_chance(&s);
}

static void put_reply(Text *out, const TryTask *t)
{
    Move m = t->result.best;
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE], fen[FEN_SIZE];
    Position p = t->after;
    Undo undo;
    if (m == MOVE_NONE || !pos_is_legal(&p, m))
        return;
    uci_move_write(&p, m, uci);
    san_write(&p, m, san);
    pos_make(&p, m, &undo);
    fen_write(&p, FEN_X, fen);
    json_open(out, "reply", '{');
    json_put_str(out, "uci", uci);
    json_put_str(out, "san", san);
    json_put_str(out, "fen", fen);
    json_close(out, '}');
}

static void put_verdict(Text *out, const TryTask *t, bool good)
{
    char san[SAN_SIZE], fen[FEN_SIZE];
    double lost = 50 * (t->chance - chance_after(t));
    san_write(&t->before, t->move, san);
    fen_write(&t->after, FEN_X, fen);
    json_put_str(out, "verdict", t->is_best ? "best" : good ? "good" : "wrong");
    json_put_str(out, "san", san);
    json_put_str(out, "fen", fen);
    json_put_tenths(out, "loss", t->is_best || lost < 0 ? 0 : lost);
    if (!good)
        put_reply(out, t);
}

static void tell_verdict(Service *service, Task *task)
{
    TryTask *t = (TryTask *)task;
    Client *c = client_find(service, t->client);
    StoreMistake m;
    Message why;
    Text data;
    bool good = t->is_best || review_label(t->chance, chance_after(t)) == REVIEW_FINE;
    text_init(&data);
    Status s = store_mistake_load(service->store, t->mistake, &m, NULL, &why);
    if (s == STATUS_OK)
        s = reschedule(service, &m, good, &why);
    put_verdict(&data, t, good);
    if (s == STATUS_OK) /* its game may have been deleted meanwhile */
        put_mistake(&data, "mistake", &m);
    if (c && s == STATUS_OK)
        client_answer(c, t->request, &data);
    else if (c)
        client_refuse(c, t->request, s == STATUS_MISSING ? "missing" : "server", why.text);
    text_free(&data);
    free(t);
}

static Status begin_try(Service *service, Request *r, const StoreMistake *m, Span uci, Message *why)
{
    TryTask *t = crew_waiting(service->crew) < MAX_TRIES_WAITING ? calloc(1, sizeof *t) : NULL;
    Undo undo;
    if (!t)
        return status_fail(why, STATUS_REFUSED, "too much to think about; try again");
    Status s = fen_parse(&t->before, span_of(m->fen), m->chess960, why);
    t->move = s == STATUS_OK ? uci_move_read(&t->before, uci) : MOVE_NONE;
    if (s == STATUS_OK && t->move == MOVE_NONE) {
        r->code = "illegal";
        s = status_fail(why, STATUS_INVALID, "that is not a legal move");
    }
    if (s != STATUS_OK) {
        free(t);
        return s;
    }
    t->task.run = judge;
    t->task.done = tell_verdict;
    t->client = r->client->serial;
    t->request = r->id;
    t->mistake = m->id;
    t->chance = m->chance;
    t->is_best = t->move == uci_move_read(&t->before, span_of(m->best));
    t->after = t->before;
    pos_make(&t->after, t->move, &undo);
    crew_add(service->crew, &t->task);
    return STATUS_END;
}

/* -- Requests -- */

static Status find_mistake(Service *service, const Request *r, StoreMistake *m, Text *detail,
                           Message *why)
{
    int64_t id;
    Status s = request_int(r, "mistake", 1, INT64_MAX, &id, why);
    return s == STATUS_OK ? store_mistake_load(service->store, id, m, detail, why) : s;
}

static Status train_queue(Service *service, Request *r, Text *data, Message *why)
{
    int64_t limit = 20;
    StoreQueue q;
    Status s = request_maybe_int(r, "limit", 1, MAX_QUEUE, &limit, why);
    if (s != STATUS_OK)
        return s;
    json_open(data, "mistakes", '[');
    s = store_queue(service->store, r->client->player, clock_wall_ms(), limit, add_mistake, data,
                    &q, why);
    json_close(data, ']');
    if (s != STATUS_OK)
        return s;
    json_put_int(data, "due", q.due);
    json_put_int(data, "total", q.total);
    if (q.next)
        json_put_int(data, "next", q.next);
    else
        json_put_null(data, "next");
    return STATUS_OK;
}

static Status train_get(Service *service, Request *r, Text *data, Message *why)
{
    StoreMistake m;
    Status s = find_mistake(service, r, &m, NULL, why);
    if (s == STATUS_OK)
        put_mistake(data, "mistake", &m);
    return s;
}

static Status train_try(Service *service, Request *r, Text *data, Message *why)
{
    (void)data;
    StoreMistake m;
    Span uci;
    Status s = find_mistake(service, r, &m, NULL, why);
    if (s == STATUS_OK)
        s = request_text(r, "uci", &uci, why);
    return s == STATUS_OK ? begin_try(service, r, &m, uci, why) : s;
}

static Status train_hint(Service *service, Request *r, Text *data, Message *why)
{
    StoreMistake m;
    Status s = find_mistake(service, r, &m, NULL, why);
    if (s == STATUS_OK)
        s = reschedule(service, &m, false, why);
    if (s == STATUS_OK)
        json_put_span(data, "from", (Span){m.best, 2});
    return s;
}

static Status train_show(Service *service, Request *r, Text *data, Message *why)
{
    StoreMistake m;
    Status s = find_mistake(service, r, &m, data, why);
    return s == STATUS_OK ? reschedule(service, &m, false, why) : s;
}

static Status train_drop(Service *service, Request *r, Text *data, Message *why)
{
    (void)data;
    StoreMistake m;
    Status s = find_mistake(service, r, &m, NULL, why);
    return s == STATUS_OK ? store_mistake_drop(service->store, m.id, why) : s;
}

const HandlerRow handlers_of_training[] = {
    {"train.queue", train_queue},
    {"train.get", train_get},
    {"train.try", train_try},
    {"train.hint", train_hint},
    {"train.show", train_show},
    {"train.drop", train_drop},
    {NULL, NULL},
};
