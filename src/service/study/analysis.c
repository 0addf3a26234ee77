#include "service/study/study_int.h"

#include "chess/movegen.h"
#include "engine/engine.h"
#include "notation/json_value.h"
#include "service/message_int.h"
#include "service/position_json_int.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    LINE_MOVES = 24,
    DEFAULT_HASH_MB = 32,
    LEAST_HASH_MB = 16,
    ANALYSIS_MS = 5 * 60 * 1000,
    NICENESS = 5, /* boards come first */
    LEAST_ANALYSES = 2
};

typedef struct AnalysisLine {
    int depth;
    EngineScore score;
    Move moves[LINE_MOVES];
    int count;
} AnalysisLine;

struct Analysis {
    Engine *engine;
    int64_t threads, hash_mb;
    int64_t key;
    Position root;
    Mutex lock; /* of what follows */
    AnalysisLine lines[SERVICE_MAX_LINES];
    int count;
    EngineLine last; /* its figures; the position and the moves are gone */
    bool running, fresh;
};

/* -- What the search reports -- */

static void take_line(void *user, const EngineLine *line)
{
    Analysis *a = user;
    if (line->multipv < 1 || line->multipv > SERVICE_MAX_LINES || line->bound != BOUND_EXACT)
        return;
    mutex_lock(&a->lock);
    AnalysisLine *at = &a->lines[line->multipv - 1];
    at->depth = line->depth;
    at->score = line->score;
    at->count = line->pv_length < LINE_MOVES ? line->pv_length : LINE_MOVES;
    memcpy(at->moves, line->pv, (size_t)at->count * sizeof *at->moves);
    if (line->multipv > a->count)
        a->count = line->multipv;
    a->last = *line;
    a->fresh = true;
    mutex_unlock(&a->lock);
}

static void take_end(void *user, const EngineResult *result)
{
    Analysis *a = user;
    (void)result;
    mutex_lock(&a->lock);
    a->running = false;
    a->fresh = true;
    mutex_unlock(&a->lock);
}

/* -- Coming and going -- */

typedef struct EngineOpening {
    Analysis *analysis;
    const char *tables;
    Status status;
    Message *why;
} EngineOpening;

/* On a thread of its own that is nicer than the others; those it starts are as nice. */
static void *open_nice(void *arg)
{
    EngineOpening *o = arg;
    Engine **engine = &o->analysis->engine;
    char hash[16], threads[16];
    const char *const options[][2] = {{"Hash", hash},
                                      {"Threads", threads},
                                      {"UCI_AnalyseMode", "true"},
                                      {"SyzygyPath", o->tables},
                                      {NULL, NULL}};
    setpriority(PRIO_PROCESS, 0, NICENESS);
    EngineEvents events = {.user = o->analysis, .line = take_line, .done = take_end};
    o->status = engine_create(engine, &events, o->why);
    snprintf(hash, sizeof hash, "%d", (int)o->analysis->hash_mb);
    snprintf(threads, sizeof threads, "%d", (int)o->analysis->threads);
    for (int i = 0; options[i][1] && o->status == STATUS_OK; i++)
        o->status =
            engine_set_option(*engine, span_of(options[i][0]), span_of(options[i][1]), o->why);
    return NULL;
}

static Status open_engine(Service *service, Analysis *a, Message *why)
{
    Thread helper;
    EngineOpening o = {.analysis = a, .tables = service->options->tables, .why = why};
    Status s = thread_start(&helper, open_nice, &o, 0, why);
    if (s != STATUS_OK)
        return s;
    thread_join(helper);
    return o.status;
}

static void close_analysis(Analysis *a)
{
    engine_destroy(a->engine);
    mutex_free(&a->lock);
    free(a);
}

void analysis_end(Service *service, Client *c)
{
    if (!c->analysis)
        return;
    close_analysis(c->analysis);
    c->analysis = NULL;
    service->analyses--;
}

/* The client's engine; one with other settings is opened anew. */
static Status analysis_open(Service *service, Client *c, int64_t threads, int64_t hash_mb,
                            Message *why)
{
    int most = thread_cpu_count() > LEAST_ANALYSES ? thread_cpu_count() : LEAST_ANALYSES;
    int64_t key = c->analysis ? c->analysis->key : 0;
    if (c->analysis && c->analysis->threads == threads && c->analysis->hash_mb == hash_mb)
        return STATUS_OK;
    analysis_end(service, c);
    if (service->analyses >= most)
        return status_fail(why, STATUS_REFUSED, "%d analyses are already running",
                           service->analyses);
    Analysis *a = calloc(1, sizeof *a);
    if (!a)
        return status_fail(why, STATUS_MEMORY, "not enough memory for an analysis");
    a->threads = threads;
    a->hash_mb = hash_mb;
    a->key = key;
    mutex_init(&a->lock);
    Status s = open_engine(service, a, why);
    service->analyses += s == STATUS_OK;
    return GIVE_OR_CLOSE(s, &c->analysis, a, close_analysis);
}

/* -- As JSON -- */

static json_t *json_analysis_line(const Analysis *a, int i, int sign)
{
    const AnalysisLine *line = &a->lines[i];
    const EngineScore *s = &line->score;
    return json_pack("{s:i, s:i, s:{s:i}, s:[i, i, i], s:o}", "rank", i + 1, "depth", line->depth,
                     "score", s->is_mate ? "mate" : "cp", sign * s->value, "wdl",
                     sign > 0 ? s->win : s->loss, s->draw, sign > 0 ? s->loss : s->win, "moves",
                     json_line(&a->root, line->moves, line->count));
}

static json_t *json_analysis(const Analysis *a)
{
    int sign = a->root.side == WHITE ? 1 : -1;
    const EngineLine *last = &a->last;
    json_t *lines = json_array();
    for (int i = 0; i < a->count; i++)
        json_array_append_new(lines, json_analysis_line(a, i, sign));
    return json_pack("{s:I, s:i, s:i, s:I, s:I, s:I, s:b, s:o}", "key", (json_int_t)a->key, "depth",
                     last->depth, "seldepth", last->seldepth, "nodes", (json_int_t)last->nodes,
                     "nps", (json_int_t)last->nps, "time", (json_int_t)last->time_ms, "running",
                     a->running, "lines", lines);
}

void analysis_send(Service *service)
{
    for (Client *c = service->clients; c; c = c->next) {
        Analysis *a = c->analysis;
        json_t *data = NULL;
        if (!a)
            continue;
        mutex_lock(&a->lock);
        if (a->fresh)
            data = json_analysis(a);
        a->fresh = false;
        mutex_unlock(&a->lock);
        if (data)
            client_event(c, "analysis", data);
    }
}

/* -- The board -- */

static json_t *json_tablebase(const Service *service, const Position *p)
{
    static const char *const verdicts[] = {"loss", "blessed loss", "draw", "cursed win", "win"};
    TbWdl wdl;
    TbRootMove moves[MAX_MOVES];
    int dtz = 0, count = 0, best = 0;
    char uci[UCI_MOVE_SIZE];
    if (!service->tb || !tb_probe_wdl(service->tb, p, &wdl))
        return json_null();
    bool has_dtz = tb_probe_dtz(service->tb, p, &dtz);
    tb_rank_moves(service->tb, p, true, moves, &count);
    for (int i = 1; i < count; i++)
        if (moves[i].rank > moves[best].rank)
            best = i;
    if (count)
        uci_move_write(p, moves[best].move, uci);
    return json_pack("{s:s, s:o, s:s?}", "verdict", verdicts[wdl - TB_LOSS], "dtz",
                     value_number(dtz, has_dtz), "best", count ? uci : NULL);
}

static json_t *json_board(const Service *service, const MoveLine *line)
{
    char fen[FEN_SIZE], start[FEN_SIZE];
    const Position *p = &line->now;
    Result result = RESULT_NONE;
    const char *reason = "";
    Move last = line->count ? line->moves[line->count - 1] : MOVE_NONE;
    bool over = rules_end(p, &result, &reason);
    OpeningName name = line_opening(service->openings, line);
    fen_write(p, FEN_X, fen);
    fen_write(&line->start, FEN_X, start);
    json_t *out = json_pack(
        "{s:s, s:s, s:s, s:s, s:b, s:i, s:o, s:o, s:s?, s:o, s:o, s:o}", "fen", fen, "start_fen",
        start, "variant", p->chess960 ? "chess960" : "standard", "turn", color_name(p->side),
        "check", pos_in_check(p), "ply", line->count, "last",
        json_last_move(color_other(p->side), last), "end", json_result(over, result, reason),
        "claim", rules_claim(p), "tablebase", json_tablebase(service, p), "moves", line_json(line),
        "opening", json_opening(name.eco, name.name));
    json_set_moves(out, p, !over || strcmp(reason, "checkmate") != 0);
    json_set_material(out, &line->start, p);
    return out;
}

/* -- Requests -- */

static bool position(Request *r)
{
    MoveLine line;
    return request_line(r, &line) && request_answer(r, "board", json_board(r->service, &line));
}

static Status begin(Analysis *a, const MoveLine *line, int64_t lines, Message *why)
{
    char count[8];
    engine_end(a->engine);
    snprintf(count, sizeof count, "%d", (int)lines);
    Status s = engine_set_option(a->engine, span_of("MultiPV"), span_of(count), why);
    if (s != STATUS_OK)
        return s;
    bool can_move = movegen_any(&line->now);
    mutex_lock(&a->lock);
    a->key++;
    a->root = line->now;
    a->count = 0;
    a->last = (EngineLine){0};
    a->running = can_move;
    a->fresh = true;
    mutex_unlock(&a->lock);
    SearchLimits limits = {.move_time_ms = ANALYSIS_MS};
    if (can_move)
        engine_go(a->engine, &line->now, &limits);
    return STATUS_OK;
}

static bool analysis_start(Request *r)
{
    MoveLine line;
    int64_t lines = 1, threads = 1, hash_mb = DEFAULT_HASH_MB;
    if (!request_line(r, &line) || !request_maybe_int(r, "lines", 1, SERVICE_MAX_LINES, &lines) ||
        !request_maybe_int(r, "threads", 1, thread_cpu_count(), &threads) ||
        !request_maybe_int(r, "hash", LEAST_HASH_MB, SERVICE_MAX_HASH_MB, &hash_mb) ||
        !request_ok(r, analysis_open(r->service, r->client, threads, hash_mb, &r->why)) ||
        !request_ok(r, begin(r->client->analysis, &line, lines, &r->why)))
        return false;
    request_answer(r, "board", json_board(r->service, &line));
    return request_answer(r, "key", json_integer(r->client->analysis->key));
}

static bool analysis_stop(Request *r)
{
    analysis_end(r->service, r->client);
    return true;
}

const HandlerRow analysis_handlers[] = {
    {.name = "position", .run = position},
    {.name = "analysis.start", .run = analysis_start},
    {.name = "analysis.stop", .run = analysis_stop},
    {0},
};
