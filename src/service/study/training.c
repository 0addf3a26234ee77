#include "service/message_int.h"

#include "base/clock.h"
#include "chess/movegen.h"
#include "notation/json_value.h"
#include "service/position_json_int.h"
#include "service/study/study_int.h"
#include "study/review.h"

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
    json_t *out = json_pack(
        "{s:I, s:I, s:I, s:s, s:s, s:s, s:o, s:{s:s, s:s}, s:s, s:o, s:I, s:I, s:I, s:I, s:I}",
        "id", (json_int_t)m->id, "game", (json_int_t)m->game, "ply", (json_int_t)m->ply, "color",
        color_name(p.side), "variant", m->chess960 ? "chess960" : "standard", "fen", m->fen, "last",
        json_stored_last(m->last), "played", "uci", m->played, "san", san, "label", m->label,
        "opponent", value_text(m->opponent), "at", (json_int_t)m->at, "box", (json_int_t)m->box,
        "due", (json_int_t)m->due, "solved", (json_int_t)m->solved, "failed",
        (json_int_t)m->failed);
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

static Status reschedule(Store *store, StoreMistake *m, bool solved, Message *why)
{
    schedule(m, solved, clock_wall_ms());
    return store_mistake_save(store, m, why);
}

/* -- Trying -- */

typedef struct TryJob {
    RequestJob base;
    int64_t mistake;
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
        t->result = pool_search(w, &t->after, &limits);
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
    Request *r = &t->base.request;
    StoreMistake m;
    bool good = t->is_best || review_label(t->chance, chance_after(t)) == REVIEW_FINE;
    /* Its game may have been deleted meanwhile. */
    bool done = request_ok(r, store_mistake_load(r->store, t->mistake, &m, NULL, &r->why)) &&
                request_ok(r, reschedule(r->store, &m, good, &r->why));
    if (done) {
        json_object_update_new(r->data, json_verdict(t, good));
        request_answer(r, "mistake", json_mistake(&m));
    }
    request_job_end(service, &t->base, done);
}

static bool begin_try(Request *r, const StoreMistake *m, const Position *before, Move move)
{
    TryJob *t = request_job_new(r, sizeof *t, MAX_TRIES_WAITING);
    Undo undo;
    if (!t)
        return false;
    *t = (TryJob){.base.job = {.run = search_try, .done = try_done},
                  .mistake = m->id,
                  .chance = m->chance,
                  .before = *before,
                  .after = *before,
                  .move = move,
                  .is_best = move == uci_move_read(before, span_of(m->best))};
    pos_make(&t->after, move, &undo);
    return request_job_start(r, &t->base);
}

/* -- Requests -- */

static bool find_mistake(Request *r, StoreMistake *m, Text *detail)
{
    int64_t id;
    return request_id(r, "mistake", &id) &&
           request_ok(r, store_mistake_load(r->store, id, m, detail, &r->why));
}

static bool train_queue(Request *r)
{
    int64_t limit = 20, now = clock_wall_ms();
    StoreQueue q;
    StoreMistake m;
    if (!request_maybe_int(r, "limit", 1, MAX_QUEUE, &limit))
        return false;
    json_t *mistakes = json_array();
    StoreRows rows = store_due_mistakes(r->store, r->player, now, limit);
    while (store_next(&rows, &m))
        json_array_append_new(mistakes, json_mistake(&m));
    request_answer(r, "mistakes", mistakes);
    if (!request_ok(r, store_rows_end(&rows, &r->why)) ||
        !request_ok(r, store_queue(r->store, r->player, now, &q, &r->why)))
        return false;
    request_answer(r, "due", json_integer(q.due));
    request_answer(r, "total", json_integer(q.total));
    return request_answer(r, "next", value_number(q.next, q.next != 0));
}

static bool train_get(Request *r)
{
    StoreMistake m;
    return find_mistake(r, &m, NULL) && request_answer(r, "mistake", json_mistake(&m));
}

static bool train_try(Request *r)
{
    StoreMistake m;
    Position before;
    Span uci;
    if (!find_mistake(r, &m, NULL) || !request_text(r, "uci", &uci) ||
        !request_ok(r, fen_parse(&before, span_of(m.fen), m.chess960, &r->why)))
        return false;
    Move move = uci_move_read(&before, uci);
    return move == MOVE_NONE ? request_refuse(r, "illegal", "that is not a legal move")
                             : begin_try(r, &m, &before, move);
}

static bool train_hint(Request *r)
{
    StoreMistake m;
    return find_mistake(r, &m, NULL) && request_ok(r, reschedule(r->store, &m, false, &r->why)) &&
           request_answer(r, "from", json_stringn(m.best, 2));
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

static bool train_show(Request *r)
{
    StoreMistake m;
    Text detail = text_new();
    bool done =
        find_mistake(r, &m, &detail) && request_ok(r, reschedule(r->store, &m, false, &r->why));
    if (done)
        json_object_update_new(r->data, read_detail(&detail));
    text_free(&detail);
    return done;
}

static bool train_drop(Request *r)
{
    StoreMistake m;
    return find_mistake(r, &m, NULL) && request_ok(r, store_mistake_drop(r->store, m.id, &r->why));
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
