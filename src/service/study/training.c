#include "service/message_int.h"

#include "base/clock.h"
#include "chess/movegen.h"
#include "notation/json_value.h"
#include "service/pool_int.h"
#include "service/position_json_int.h"
#include "service/study/training_int.h"
#include "study/review.h"

#include <stdlib.h>

enum { TRY_NODES = 100000, MAX_QUEUE = 100, MAX_TRIES_WAITING = 16 };

static const int64_t DAY_MS = 24 * 3600 * 1000;

/* After so many days it comes back, when it was solved that often in a row. */
static const int intervals[] = {1, 3, 7, 14, 30, 60, 120, 240};
enum { LAST_BOX = sizeof intervals / sizeof *intervals };

int64_t training_next_box(int64_t box)
{
    return box < LAST_BOX ? box + 1 : LAST_BOX;
}

int64_t training_due(int64_t box, int64_t now_ms)
{
    return now_ms + DAY_MS * intervals[box - 1];
}

/* -- As JSON -- */

static json_t *json_mistake(const StoreMistake *m)
{
    Position p;
    char san[SAN_SIZE] = "";
    if (fen_parse(&p, span_of(m->fen), m->chess960, NULL) != STATUS_OK)
        return json_null();
    Move played = uci_move_read(&p, span_of(m->played));
    if (played != MOVE_NONE)
        san_write(&p, played, san);
    json_t *out =
        json_pack("{s:I, s:I, s:I, s:s, s:s, s:s, s:o, s:{s:s, s:s}, s:s, s:o}", "id",
                  (json_int_t)m->id, "game", (json_int_t)m->game, "ply", (json_int_t)m->ply,
                  "color", color_name(p.side), "variant", m->chess960 ? "chess960" : "standard",
                  "fen", m->fen, "last", json_stored_last(m->last), "played", "uci", m->played,
                  "san", san, "label", m->label, "opponent", value_text(m->opponent));
    json_object_update_new(out,
                           json_pack("{s:I, s:I, s:I, s:I, s:I}", "at", (json_int_t)m->at, "box",
                                     (json_int_t)m->box, "due", (json_int_t)m->due, "solved",
                                     (json_int_t)m->solved, "failed", (json_int_t)m->failed));
    json_set_moves(out, &p, true);
    return out;
}

/* -- When it comes back -- */

/* The first try since it fell due decides; one that was failed then waits for its solution, and
 * comes back the next day. */
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
    m->box = m->tried ? 1 : training_next_box(m->box);
    m->due = training_due(m->box, now);
    m->tried = false;
}

static Status reschedule(Service *service, StoreMistake *m, bool solved, Message *why)
{
    schedule(m, solved, clock_wall_ms());
    return store_mistake_save(service->store, m, why);
}

/* -- Trying -- */

typedef struct TryJob {
    PoolJob job;
    int64_t client, request, mistake;
    double chance;
    Position before, after;
    Move move;
    bool is_best;
    EngineResult result;
} TryJob;

static void search_try(PoolWorker *w, PoolJob *job)
{
    TryJob *t = (TryJob *)job;
    SearchLimits limits = {.nodes = TRY_NODES};
    if (movegen_any(&t->after))
        t->result = pool_search(w, &t->after, &limits, &job->stop);
}

/* The mover's winning chances after the try. */
static double chance_after(const TryJob *t)
{
    if (!movegen_any(&t->after))
        return pos_in_check(&t->after) ? 1 : 0;
    const EngineScore *e = &t->result.score;
    ReviewScore s = {
        .is_mate = e->is_mate, .value = e->value, .win = e->win, .draw = e->draw, .loss = e->loss};
    return -review_chance(&s);
}

static json_t *json_verdict(const TryJob *t, bool good)
{
    char san[SAN_SIZE], fen[FEN_SIZE];
    double lost = 50 * (t->chance - chance_after(t));
    Position after = t->after;
    san_write(&t->before, t->move, san);
    fen_write(&t->after, FEN_X, fen);
    json_t *out =
        json_pack("{s:s, s:s, s:s, s:o}", "verdict",
                  t->is_best ? "best"
                  : good     ? "good"
                             : "wrong",
                  "san", san, "fen", fen, "loss", value_tenths(t->is_best || lost < 0 ? 0 : lost));
    Move reply = t->result.best;
    if (!good && reply != MOVE_NONE && pos_is_legal(&after, reply))
        json_object_set_new(out, "reply", json_played(&after, reply));
    return out;
}

static void try_done(Service *service, PoolJob *job)
{
    TryJob *t = (TryJob *)job;
    Client *c = client_find(service, t->client);
    StoreMistake m;
    Message why;
    bool good = t->is_best || review_label(t->chance, chance_after(t)) == REVIEW_FINE;
    Status s = store_mistake_load(service->store, t->mistake, &m, NULL, &why);
    if (s == STATUS_OK)
        s = reschedule(service, &m, good, &why);
    if (c && s == STATUS_OK) {
        json_t *data = json_verdict(t, good);
        json_object_set_new(data, "mistake", json_mistake(&m));
        client_answer(c, t->request, data);
    } else if (c) { /* its game may have been deleted meanwhile */
        client_refuse(c, t->request, message_code(s), why.text);
    }
    free(t);
}

static Status begin_try(Service *service, Request *r, const StoreMistake *m, Span uci, Message *why)
{
    TryJob *t = pool_job_new(service->search_pool, sizeof *t, MAX_TRIES_WAITING, why);
    Undo undo;
    if (!t)
        return STATUS_REFUSED;
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
    t->job.run = search_try;
    t->job.done = try_done;
    t->client = r->client->serial;
    t->request = r->id;
    t->mistake = m->id;
    t->chance = m->chance;
    t->is_best = t->move == uci_move_read(&t->before, span_of(m->best));
    t->after = t->before;
    pos_make(&t->after, t->move, &undo);
    return pool_job_start(service->search_pool, &t->job, why);
}

/* -- Requests -- */

static Status find_mistake(Service *service, const Request *r, StoreMistake *m, Text *detail,
                           Message *why)
{
    int64_t id;
    Status s = request_int(r, "mistake", 1, INT64_MAX, &id, why);
    return s == STATUS_OK ? store_mistake_load(service->store, id, m, detail, why) : s;
}

static Status train_queue(Service *service, Request *r, json_t *data, Message *why)
{
    int64_t limit = 20, now = clock_wall_ms();
    StoreQueue q;
    StoreMistake m;
    Status s = request_maybe_int(r, "limit", 1, MAX_QUEUE, &limit, why);
    if (s != STATUS_OK)
        return s;
    json_t *mistakes = json_array();
    json_object_set_new(data, "mistakes", mistakes);
    StoreRows rows = store_due_mistakes(service->store, r->player, now, limit);
    while (store_next(&rows, &m))
        json_array_append_new(mistakes, json_mistake(&m));
    s = store_rows_end(&rows, why);
    if (s == STATUS_OK)
        s = store_queue(service->store, r->player, now, &q, why);
    if (s != STATUS_OK)
        return s;
    json_object_set_new(data, "due", json_integer(q.due));
    json_object_set_new(data, "total", json_integer(q.total));
    json_object_set_new(data, "next", value_number(q.next, q.next != 0));
    return STATUS_OK;
}

static Status train_get(Service *service, Request *r, json_t *data, Message *why)
{
    StoreMistake m;
    Status s = find_mistake(service, r, &m, NULL, why);
    if (s == STATUS_OK)
        json_object_set_new(data, "mistake", json_mistake(&m));
    return s;
}

static Status train_try(Service *service, Request *r, json_t *data, Message *why)
{
    (void)data;
    StoreMistake m;
    Span uci;
    Status s = find_mistake(service, r, &m, NULL, why);
    if (s == STATUS_OK)
        s = request_text(r, "uci", &uci, why);
    return s == STATUS_OK ? begin_try(service, r, &m, uci, why) : s;
}

static Status train_hint(Service *service, Request *r, json_t *data, Message *why)
{
    StoreMistake m;
    Status s = find_mistake(service, r, &m, NULL, why);
    if (s == STATUS_OK)
        s = reschedule(service, &m, false, why);
    if (s == STATUS_OK)
        json_object_set_new(data, "from", json_stringn(m.best, 2));
    return s;
}

/* The details of older files are the members alone, without braces. */
static json_t *read_detail(const Text *detail)
{
    Text whole = text_new();
    bool bare = detail->len && detail->at[0] != '{';
    text_addf(&whole, bare ? "{%s}" : "%s", detail->at);
    json_t *value = json_loadb(whole.at, whole.len, 0, NULL);
    text_free(&whole);
    return value;
}

static Status train_show(Service *service, Request *r, json_t *data, Message *why)
{
    StoreMistake m;
    Text detail = text_new();
    Status s = find_mistake(service, r, &m, &detail, why);
    if (s == STATUS_OK)
        s = reschedule(service, &m, false, why);
    json_t *value = s == STATUS_OK ? read_detail(&detail) : NULL;
    json_object_update(data, value);
    json_decref(value);
    text_free(&detail);
    return s;
}

static Status train_drop(Service *service, Request *r, json_t *data, Message *why)
{
    (void)data;
    StoreMistake m;
    Status s = find_mistake(service, r, &m, NULL, why);
    return s == STATUS_OK ? store_mistake_drop(service->store, m.id, why) : s;
}

const HandlerRow training_handlers[] = {
    {.name = "train.queue", .run = train_queue},
    {.name = "train.get", .run = train_get},
    {.name = "train.try", .run = train_try},
    {.name = "train.hint", .run = train_hint},
    {.name = "train.show", .run = train_show},
    {.name = "train.drop", .run = train_drop},
    {0},
};
