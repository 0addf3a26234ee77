
#include "classics/kanji/kanji_eval.h"
#include "lab/lab_table.h"
#include "notation/json_value.h"
#include "service/message_int.h"
#include "service/position_json_int.h"

#include <stdlib.h>

enum { MOST_DEPTH = 5, MAX_NODES = 20000000 };

typedef struct LabJob {
    PoolJob job;
    LabSheet sheets[LAB_POSITIONS];
    int depths[LAB_POSITIONS];
    int count; /* sheets that are done; under Service.lock */
    bool done;
} LabJob;

/* -- As JSON -- */

static json_t *json_row(const LabSheet *s, int i)
{
    const LabResult *r = &s->results[i];
    double saving;
    char san[SAN_SIZE];
    bool has_move = r->move != MOVE_NONE;
    if (has_move)
        san_write(&s->position, r->move, san);
    return json_pack("{s:s, s:b, s:I, s:o, s:b, s:i, s:s?, s:o}", "name", s->techniques[i].name,
                     "exact", lab_is_exact(s->techniques[i].switches), "nodes",
                     (json_int_t)r->nodes, "time", value_tenths((double)r->time_ns / 1e6),
                     "finished", r->finished, "value", r->value, "move", has_move ? san : NULL,
                     "saving", lab_saving(s, i, &saving) ? value_tenths(saving) : json_null());
}

static json_t *json_lab(const LabJob *d)
{
    char fen[FEN_SIZE];
    json_t *positions = json_array();
    for (int s = 0; s < d->count; s++) {
        const LabSheet *sheet = &d->sheets[s];
        json_t *rows = json_array();
        for (int i = 0; i < sheet->count; i++)
            json_array_append_new(rows, json_row(sheet, i));
        fen_write(&sheet->position, FEN_X, fen);
        json_array_append_new(positions,
                              json_pack("{s:s, s:s, s:i, s:o}", "name", sheet->name, "fen", fen,
                                        "depth", d->depths[s], "rows", rows));
    }
    return json_pack("{s:s, s:o}", "state", d->done ? "done" : "running", "positions", positions);
}

/* -- Computing -- */

static bool asked_to_stop(void *user)
{
    return atomic_load((atomic_bool *)user);
}

static bool fill_sheet(LabJob *d, int number)
{
    LabSheet *s = &d->sheets[number];
    const LabPosition *from = &lab_positions[number];
    Message why;
    d->depths[number] = from->depth < MOST_DEPTH ? from->depth : MOST_DEPTH;
    snprintf(s->name, sizeof s->name, "%s", from->name);
    if (fen_parse(&s->position, span_of(from->fen), false, &why) != STATUS_OK)
        return false;
    for (int i = 0; i < LAB_TECHNIQUES; i++) {
        s->techniques[i] = lab_techniques[i];
        LabSetup setup = {.evaluate = kanji_eval,
                          .switches = s->techniques[i].switches,
                          .depth = d->depths[number],
                          .max_nodes = MAX_NODES,
                          .stop = asked_to_stop,
                          .user = &d->job.stop};
        if (lab_run(&s->position, &setup, &s->results[i], &why) != STATUS_OK ||
            atomic_load(&d->job.stop))
            return false;
        s->count++;
    }
    return true;
}

static void run_lab(PoolWorker *w, PoolJob *job)
{
    LabJob *d = (LabJob *)job;
    Service *service = job->service;
    (void)w;
    for (int i = 0; i < LAB_POSITIONS && fill_sheet(d, i); i++) {
        mutex_lock(&service->lock);
        d->count = i + 1;
        mutex_unlock(&service->lock);
    }
}

static void lab_done(Service *service, PoolJob *job)
{
    LabJob *d = (LabJob *)job;
    d->done = true;
    client_event_all(service, "lab", 0, json_lab(d));
}

static bool begin(Request *r)
{
    LabJob *d = calloc(1, sizeof *d);
    if (!d)
        return request_refuse(r, "server", "not enough memory for the laboratory");
    d->job = (PoolJob){.run = run_lab, .done = lab_done};
    if (!pool_add(r->service->background_pool, &d->job)) {
        free(d);
        return request_refuse(r, "refused", "too many jobs are waiting");
    }
    r->service->lab = d;
    return true;
}

static bool lab(Request *r)
{
    if (!r->service->lab && !begin(r))
        return false;
    json_object_update_new(r->data, json_lab(r->service->lab));
    return true;
}

const HandlerRow lab_handlers[] = {{.name = "lab", .run = lab}, {0}};
