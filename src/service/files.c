/* PGN as files: export and import for whoever has a connection of another kind. */
#include "notation/json_value.h"
#include "service/pgn_int.h"
#include "service/pool_int.h"
#include "service/position_json_int.h"

#include <stdlib.h>

typedef struct FileJob {
    PoolJob job;
    bool is_import;
    ServiceExport what;
    int64_t player;
    bool skip_known;
    Span pgn;
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
    if (e->result[0] && !pgn_read_outcome(span_of(e->result), &filter.outcome))
        return status_fail(&f->why, STATUS_INVALID, "result: won, lost, drawn or running");
    return e->game ? pgn_export_game(store, e->game, &f->body, &f->why)
                   : pgn_export_games(store, &filter, &f->body, &f->why);
}

static Status read_pgn(Store *store, const Openings *names, FileJob *f)
{
    json_t *report = json_pack("{s:b}", "ok", 1);
    PgnImport what = {.player = f->player, .skip_known = f->skip_known, .pgn = f->pgn};
    Status s = pgn_import(store, names, &what, report, &f->why);
    char *text = value_dump(report);
    if (text)
        text_add_str(&f->body, text);
    free(text);
    json_decref(report);
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
        f->status = read_pgn(store, pool_service(w)->openings, f);
    else
        f->status = write_pgn(store, f);
    if (f->status == STATUS_OK) /* also a move that was read may be younger than the last sync */
        f->status = store_sync(store, &f->why);
}

static void reply_failure(FileJob *f)
{
    int status = f->status == STATUS_MISSING   ? 404
                 : f->status == STATUS_INVALID ? 400
                 : f->status == STATUS_REFUSED ? 503
                                               : 500;
    json_t *out = json_pack("{s:b, s:o}", "ok", 0, "message", value_text(f->why.text));
    char *text = value_dump(out);
    json_decref(out);
    text_clear(&f->body);
    if (text)
        text_add_str(&f->body, text);
    free(text);
    f->reply(f->user, status, "application/json", NULL, &f->body);
}

static void finish(FileJob *f)
{
    if (f->status != STATUS_OK)
        reply_failure(f);
    else if (f->is_import)
        f->reply(f->user, 200, "application/json", NULL, &f->body);
    else
        f->reply(f->user, 200, "application/x-chess-pgn; charset=utf-8", "castellan.pgn", &f->body);
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
                             .player = player,
                             .skip_known = skip_known,
                             .pgn = pgn,
                             .reply = reply,
                             .user = user});
}
