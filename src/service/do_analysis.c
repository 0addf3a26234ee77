/* Analysis: a session of the engine for each client that wants one. The search tells its lines on its own
 * thread and takes no lock but the analysis's, so that ending it under Service.lock cannot wait for itself;
 * the thread that keeps the time passes them on. */
#include "service/service_int.h"

#include "base/clock.h"
#include "chess/movegen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    LINE_MOVES = 24,
    ANALYSIS_HASH_MB = 32,
    ANALYSIS_MS = 5 * 60 * 1000,
    CALM = 5, /* niceness: boards come first */
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
    int64_t key;
    Position root;
    Mutex lock; /* of what follows */
    AnalysisLine lines[WEB_MAX_LINES];
    int count, depth, seldepth;
    uint64_t nodes, nps;
    int64_t time_ms;
    bool running, fresh;
};

/* -- What the search tells -- */

static void take_line(void *user, const EngineLine *line)
{
    Analysis *a = user;
    if (line->multipv < 1 || line->multipv > WEB_MAX_LINES || line->bound != BOUND_EXACT)
        return;
    mutex_lock(&a->lock);
    AnalysisLine *at = &a->lines[line->multipv - 1];
    at->depth = line->depth;
    at->score = line->score;
    at->count = line->pv_length < LINE_MOVES ? line->pv_length : LINE_MOVES;
    memcpy(at->moves, line->pv, (size_t)at->count * sizeof *at->moves);
    if (line->multipv > a->count)
        a->count = line->multipv;
    a->depth = line->depth;
    a->seldepth = line->seldepth;
    a->nodes = line->nodes;
    a->nps = line->nps;
    a->time_ms = line->time_ms;
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

typedef struct Opening {
    Analysis *analysis;
    Service *service;
    Status status;
    Message *why;
} Opening;

static void set_option(Opening *o, const char *name, const char *value)
{
    if (o->status == STATUS_OK)
        o->status = engine_set_option(o->analysis->engine, span_of(name), span_of(value), o->why);
}

/* On a thread of its own that is nicer than the others; those it begets are as nice. */
static void *open_calmly(void *arg)
{
    Opening *o = arg;
    char hash[16];
    setpriority(PRIO_PROCESS, 0, CALM);
    EngineEvents events = {.user = o->analysis, .line = take_line, .done = take_end};
    o->status = engine_create(&o->analysis->engine, &events, o->why);
    snprintf(hash, sizeof hash, "%d", ANALYSIS_HASH_MB);
    set_option(o, "Hash", hash);
    set_option(o, "UCI_AnalyseMode", "true");
    if (o->service->options->tables)
        set_option(o, "SyzygyPath", o->service->options->tables);
    return NULL;
}

static Status open_engine(Service *service, Analysis *a, Message *why)
{
    Thread helper;
    Opening o = {.analysis = a, .service = service, .why = why};
    Status s = thread_start(&helper, open_calmly, &o, 0, why);
    if (s != STATUS_OK)
        return s;
    thread_join(helper);
    return o.status;
}

static Status analysis_open(Service *service, Client *c, Message *why)
{
    int most = thread_cpu_count() > LEAST_ANALYSES ? thread_cpu_count() : LEAST_ANALYSES;
    if (c->analysis)
        return STATUS_OK;
    if (service->analyses >= most)
        return status_fail(why, STATUS_REFUSED, "%d analyses run already", service->analyses);
    Analysis *a = calloc(1, sizeof *a);
    if (!a)
        return status_fail(why, STATUS_MEMORY, "no memory for an analysis");
    mutex_init(&a->lock);
    Status s = open_engine(service, a, why);
    if (s != STATUS_OK) {
        engine_destroy(a->engine);
        mutex_free(&a->lock);
        free(a);
        return s;
    }
    c->analysis = a;
    service->analyses++;
    return STATUS_OK;
}

void analysis_end(Service *service, Client *c)
{
    Analysis *a = c->analysis;
    if (!a)
        return;
    engine_destroy(a->engine);
    mutex_free(&a->lock);
    free(a);
    c->analysis = NULL;
    service->analyses--;
}

/* -- Telling -- */

static void put_score(Text *out, const EngineScore *s, int sign)
{
    json_open(out, "score", '{');
    json_put_int(out, s->is_mate ? "mate" : "cp", sign * s->value);
    json_close(out, '}');
    json_open(out, "wdl", '[');
    json_put_int(out, NULL, sign > 0 ? s->win : s->loss);
    json_put_int(out, NULL, s->draw);
    json_put_int(out, NULL, sign > 0 ? s->loss : s->win);
    json_close(out, ']');
}

static void put_lines(Text *out, const Analysis *a)
{
    int sign = a->root.side == WHITE ? 1 : -1;
    json_open(out, "lines", '[');
    for (int i = 0; i < a->count; i++) {
        json_open(out, NULL, '{');
        json_put_int(out, "rank", i + 1);
        json_put_int(out, "depth", a->lines[i].depth);
        put_score(out, &a->lines[i].score, sign);
        show_line(out, "moves", &a->root, a->lines[i].moves, a->lines[i].count);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void put_event(Text *out, const Analysis *a)
{
    json_open(out, NULL, '{');
    json_put_str(out, "event", "analysis");
    json_open(out, "data", '{');
    json_put_int(out, "key", a->key);
    json_put_int(out, "depth", a->depth);
    json_put_int(out, "seldepth", a->seldepth);
    json_put_int(out, "nodes", (int64_t)a->nodes);
    json_put_int(out, "nps", (int64_t)a->nps);
    json_put_int(out, "time", a->time_ms);
    json_put_bool(out, "running", a->running);
    put_lines(out, a);
    json_close(out, '}');
    json_close(out, '}');
}

void analysis_flush(Service *service)
{
    for (Client *c = service->clients; c; c = c->next) {
        Analysis *a = c->analysis;
        if (!a)
            continue;
        Text t;
        text_init(&t);
        mutex_lock(&a->lock);
        bool fresh = a->fresh;
        a->fresh = false;
        if (fresh)
            put_event(&t, a);
        mutex_unlock(&a->lock);
        if (fresh)
            client_send(c, &t);
        text_free(&t);
    }
}

/* -- The board -- */

static const char *verdict_name(TbWdl w)
{
    static const char *const names[] = {"loss", "blessed loss", "draw", "cursed win", "win"};
    return names[w - TB_LOSS];
}

static void put_tablebase(Service *service, Text *out, const Position *p)
{
    TbWdl wdl;
    TbRootMove moves[MAX_MOVES];
    int dtz, count = 0, best = 0;
    char uci[UCI_MOVE_SIZE];
    if (!service->tb || !tb_probe_wdl(service->tb, p, &wdl)) {
        json_put_null(out, "tablebase");
        return;
    }
    json_open(out, "tablebase", '{');
    json_put_str(out, "verdict", verdict_name(wdl));
    if (tb_probe_dtz(service->tb, p, &dtz))
        json_put_int(out, "dtz", dtz);
    else
        json_put_null(out, "dtz");
    tb_rank_moves(service->tb, p, true, moves, &count);
    for (int i = 1; i < count; i++)
        if (moves[i].rank > moves[best].rank)
            best = i;
    if (count)
        uci_move_write(p, moves[best].move, uci);
    json_put_str(out, "best", count ? uci : NULL);
    json_close(out, '}');
}

static void put_line_moves(Service *service, Text *out, const Line *line)
{
    Position p = line->start;
    Undo undo;
    OpeningName found, name = {"", ""};
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE], fen[FEN_SIZE];
    json_open(out, "moves", '[');
    for (int i = 0; i < line->count; i++) {
        uci_move_write(&p, line->moves[i], uci);
        san_write(&p, line->moves[i], san);
        pos_make(&p, line->moves[i], &undo);
        fen_write(&p, FEN_X, fen);
        if (openings_find(service->openings, &p, &found))
            name = found;
        json_open(out, NULL, '{');
        json_put_str(out, "uci", uci);
        json_put_str(out, "san", san);
        json_put_str(out, "fen", fen);
        json_close(out, '}');
    }
    json_close(out, ']');
    show_opening(out, name.eco, name.name);
}

static void put_board(Service *service, Text *out, const Line *line)
{
    char fen[FEN_SIZE];
    const Position *p = &line->now;
    Result result = RESULT_NONE;
    const char *reason = "";
    bool over = rules_end(p, &result, &reason);
    json_open(out, "board", '{');
    fen_write(p, FEN_X, fen);
    json_put_str(out, "fen", fen);
    fen_write(&line->start, FEN_X, fen);
    json_put_str(out, "start_fen", fen);
    json_put_str(out, "variant", p->chess960 ? "chess960" : "standard");
    json_put_str(out, "turn", color_name(p->side));
    json_put_bool(out, "check", pos_in_check(p));
    json_put_int(out, "ply", line->count);
    put_line_moves(service, out, line);
    show_moves(out, p, !over || strcmp(reason, "checkmate") != 0);
    show_last(out, &line->before, line->count ? line->moves[line->count - 1] : MOVE_NONE);
    show_material(out, &line->start, p);
    show_result(out, "end", over, result, reason);
    json_put_str(out, "claim", rules_claim(p));
    put_tablebase(service, out, p);
    json_close(out, '}');
}

/* -- Requests -- */

static Status position(Service *service, Request *r, Text *data, Message *why)
{
    Line line;
    Status s = request_line(r, &line, why);
    if (s == STATUS_OK)
        put_board(service, data, &line);
    return s;
}

static Status begin(Analysis *a, const Line *line, int64_t lines, Message *why)
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
    a->count = a->depth = a->seldepth = 0;
    a->nodes = a->nps = 0;
    a->time_ms = 0;
    a->running = can_move;
    a->fresh = true;
    mutex_unlock(&a->lock);
    SearchLimits limits = {.move_time_ms = ANALYSIS_MS};
    if (can_move)
        engine_go(a->engine, &line->now, &limits);
    return STATUS_OK;
}

static Status analysis_start(Service *service, Request *r, Text *data, Message *why)
{
    Line line;
    int64_t lines = 1;
    Status s = request_line(r, &line, why);
    if (s == STATUS_OK)
        s = request_maybe_int(r, "lines", 1, WEB_MAX_LINES, &lines, why);
    if (s == STATUS_OK)
        s = analysis_open(service, r->client, why);
    if (s == STATUS_OK)
        s = begin(r->client->analysis, &line, lines, why);
    if (s != STATUS_OK)
        return s;
    put_board(service, data, &line);
    json_put_int(data, "key", r->client->analysis->key);
    return STATUS_OK;
}

static Status analysis_stop(Service *service, Request *r, Text *data, Message *why)
{
    (void)data, (void)why;
    analysis_end(service, r->client);
    return STATUS_OK;
}

const HandlerRow handlers_of_analysis[] = {
    {"position", position},
    {"analysis.start", analysis_start},
    {"analysis.stop", analysis_stop},
    {NULL, NULL},
};
