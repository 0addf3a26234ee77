/* The laboratory's table: computed once, on a thread of its own, when somebody first asks for it. */
#include "service/service_int.h"

#include "classics/kanji/kanji_eval.h"
#include "lab/lab_table.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { CALM = 10, MAX_SHEETS = 8, MOST_DEPTH = 5, MAX_NODES = 20000000 };

struct LabDesk {
    Service *service;
    Thread thread;
    atomic_bool stop;
    LabSheet sheets[MAX_SHEETS];
    int depths[MAX_SHEETS];
    int count; /* sheets that are done; under Service.lock */
    bool done;
};

/* -- Showing -- */

static void put_row(Text *out, const LabSheet *s, int i)
{
    const LabResult *r = &s->results[i];
    double saving;
    char san[SAN_SIZE];
    json_open(out, NULL, '{');
    json_put_str(out, "name", s->techniques[i].name);
    json_put_bool(out, "exact", lab_is_exact(s->techniques[i].switches));
    json_put_int(out, "nodes", (int64_t)r->nodes);
    json_put_tenths(out, "time", (double)r->time_ns / 1e6);
    json_put_bool(out, "finished", r->finished);
    json_put_int(out, "value", r->value);
    if (r->move != MOVE_NONE)
        san_write(&s->position, r->move, san);
    json_put_str(out, "move", r->move != MOVE_NONE ? san : NULL);
    if (lab_saving(s, i, &saving))
        json_put_tenths(out, "saving", saving);
    else
        json_put_null(out, "saving");
    json_close(out, '}');
}

static void put_desk(Text *out, const LabDesk *d)
{
    char fen[FEN_SIZE];
    json_put_str(out, "state", d->done ? "done" : "running");
    json_open(out, "positions", '[');
    for (int s = 0; s < d->count; s++) {
        const LabSheet *sheet = &d->sheets[s];
        json_open(out, NULL, '{');
        json_put_str(out, "name", sheet->name);
        fen_write(&sheet->position, FEN_X, fen);
        json_put_str(out, "fen", fen);
        json_put_int(out, "depth", d->depths[s]);
        json_open(out, "rows", '[');
        for (int i = 0; i < sheet->count; i++)
            put_row(out, sheet, i);
        json_close(out, ']');
        json_close(out, '}');
    }
    json_close(out, ']');
}

/* -- Computing -- */

static bool asked_to_stop(void *user)
{
    return atomic_load((atomic_bool *)user);
}

static bool fill_sheet(LabDesk *d, int number)
{
    LabSheet *s = &d->sheets[number];
    LabPosition from = lab_position(number);
    Message why;
    d->depths[number] = from.depth < MOST_DEPTH ? from.depth : MOST_DEPTH;
    snprintf(s->name, sizeof s->name, "%s", from.name);
    if (fen_parse(&s->position, span_of(from.fen), false, &why) != STATUS_OK)
        return false;
    for (int i = 0; i < lab_technique_count() && i < LAB_MAX_TECHNIQUES; i++) {
        s->techniques[i] = lab_technique(i);
        LabSetup setup = {.evaluate = kanji_eval,
                          .switches = s->techniques[i].switches,
                          .depth = d->depths[number],
                          .max_nodes = MAX_NODES,
                          .stop = asked_to_stop,
                          .user = &d->stop};
        if (lab_run(&s->position, &setup, &s->results[i], &why) != STATUS_OK ||
            atomic_load(&d->stop))
            return false;
        s->count++;
    }
    return true;
}

static void *desk_main(void *arg)
{
    LabDesk *d = arg;
    Service *service = d->service;
    setpriority(PRIO_PROCESS, 0, CALM);
    int sheets = lab_position_count() < MAX_SHEETS ? lab_position_count() : MAX_SHEETS;
    for (int i = 0; i < sheets && fill_sheet(d, i); i++) {
        mutex_lock(&service->lock);
        d->count = i + 1;
        mutex_unlock(&service->lock);
    }
    Text t;
    text_init(&t);
    mutex_lock(&service->lock);
    d->done = true;
    json_open(&t, NULL, '{');
    put_desk(&t, d);
    json_close(&t, '}');
    web_tell(service, "lab", 0, NULL, &t);
    mutex_unlock(&service->lock);
    text_free(&t);
    return NULL;
}

static Status open_desk(Service *service, Message *why)
{
    LabDesk *d = calloc(1, sizeof *d);
    if (!d)
        return status_fail(why, STATUS_MEMORY, "no memory for the laboratory");
    d->service = service;
    Status s = thread_start(&d->thread, desk_main, d, 0, why);
    if (s != STATUS_OK) {
        free(d);
        return s;
    }
    service->lab = d;
    return STATUS_OK;
}

void lab_desk_close(LabDesk *d)
{
    if (!d)
        return;
    atomic_store(&d->stop, true);
    thread_join(d->thread);
    free(d);
}

static Status lab(Service *service, Request *r, Text *data, Message *why)
{
    (void)r;
    Status s = service->lab ? STATUS_OK : open_desk(service, why);
    if (s == STATUS_OK)
        put_desk(data, service->lab);
    return s;
}

const HandlerRow handlers_of_lab[] = {{"lab", lab}, {NULL, NULL}};
