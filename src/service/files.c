/* PGN as files: export and import for whoever has a connection of another kind. */
#include "notation/json_value.h"
#include "service/game_int.h"
#include "service/pgn_int.h"
#include "service/position_json_int.h"

#include <stdlib.h>

typedef struct FileJob {
    PoolJob job;
    bool is_import;
    ServiceExport what;
    PgnImport import;
    ServiceReply *reply;
    void *user;
    Status status;
    Message why;
    Text body;
} FileJob;

static Status write_pgn(Store *store, FileJob *f)
{
    const ServiceExport *e = &f->what;
    StoreFilter filter = {
        .player = e->player, .kind = -1, .color = -1, .reviewed = -1, .limit = -1};
    if (!e->game && !e->player)
        return status_fail(&f->why, STATUS_INVALID, "game or player is missing");
    filter.search = span_of(e->search);
    if (e->color[0] && (filter.color = color_read(span_of(e->color))) < 0)
        return status_fail(&f->why, STATUS_INVALID, "color: white or black");
    int outcome = e->result[0] ? word_index(span_of(e->result), game_outcomes) : STORE_ANY;
    if (outcome < 0)
        return status_fail(&f->why, STATUS_INVALID, "result: won, lost, drawn or running");
    filter.outcome = (StoreOutcome)outcome;
    return e->game ? pgn_export_game(store, e->game, &f->body, &f->why)
                   : pgn_export_games(store, &filter, &f->body, &f->why);
}

/* Takes the value. */
static void set_body(FileJob *f, json_t *value)
{
    char *text = value_dump(value);
    json_decref(value);
    text_clear(&f->body);
    if (text)
        text_add_str(&f->body, text);
    free(text);
}

static Status read_pgn(Store *store, const Openings *names, FileJob *f)
{
    json_t *report = json_pack("{s:b}", "ok", 1);
    Status s = pgn_import(store, names, &f->import, report, &f->why);
    set_body(f, report);
    return s;
}

static void run_file(PoolWorker *w, PoolJob *job)
{
    FileJob *f = (FileJob *)job;
    Store *store = pool_store(w, &f->why);
    if (!store)
        f->status = STATUS_IO;
    else if (atomic_load(&job->stop))
        f->status = status_fail(&f->why, STATUS_REFUSED, "the server is shutting down");
    else if (f->is_import)
        f->status = read_pgn(store, job->service->openings, f);
    else
        f->status = write_pgn(store, f);
    if (f->status == STATUS_OK) /* also a move that was read may be younger than the last sync */
        f->status = store_sync(store, &f->why);
}

static int http_status(Status s)
{
    return s == STATUS_OK        ? 200
           : s == STATUS_MISSING ? 404
           : s == STATUS_INVALID ? 400
           : s == STATUS_REFUSED ? 503
                                 : 500;
}

static void finish(FileJob *f)
{
    bool is_pgn = f->status == STATUS_OK && !f->is_import;
    if (f->status != STATUS_OK)
        set_body(f, json_pack("{s:b, s:o}", "ok", 0, "message", value_text(f->why.text)));
    f->reply(f->user, http_status(f->status),
             is_pgn ? "application/x-chess-pgn; charset=utf-8" : "application/json",
             is_pgn ? "castellan.pgn" : NULL, &f->body);
    text_free(&f->body);
}

static void file_done(Service *service, PoolJob *job)
{
    (void)service;
    finish((FileJob *)job);
    free(job);
}

static void start(Service *service, FileJob file)
{
    FileJob *f = malloc(sizeof *f);
    file.job.run = run_file;
    file.job.done = file_done;
    text_init(&file.body);
    if (f) {
        *f = file;
        if (pool_add(service->request_pool, &f->job))
            return;
        free(f);
    }
    file.status = status_fail(&file.why, STATUS_REFUSED, "too many requests are waiting");
    finish(&file);
}

void service_export(Service *service, const ServiceExport *what, ServiceReply *reply, void *user)
{
    start(service, (FileJob){.what = *what, .reply = reply, .user = user});
}

void service_import(Service *service, int64_t player, bool skip_known, Span pgn,
                    ServiceReply *reply, void *user)
{
    start(service, (FileJob){.is_import = true,
                             .import = {player, skip_known, pgn},
                             .reply = reply,
                             .user = user});
}
