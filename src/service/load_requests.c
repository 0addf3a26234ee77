/* What the server is busy with. */
#include "service/message_int.h"
#include "service/pool_int.h"

static int client_count(const Service *service)
{
    int count = 0;
    for (const Client *c = service->clients; c; c = c->next)
        count++;
    return count;
}

/* Idle: this client is the only one, nothing is loaded or worked on, and what was freed has been
 * returned to the system. */
static Status status(Service *service, Request *r, json_t *data, Message *why)
{
    (void)r, (void)why;
    PoolCounts jobs = {0};
    pool_count(service->search_pool, &jobs);
    pool_count(service->request_pool, &jobs);
    pool_count(service->background_pool, &jobs);
    int clients = client_count(service);
    bool idle = clients == 1 && !service->board_count && !service->analyses && !jobs.waiting &&
                !jobs.running && !jobs.kept && !atomic_load(&service->freed);
    json_object_update_new(
        data, json_pack("{s:i, s:i, s:i, s:{s:i, s:i}, s:i, s:b}", "clients", clients, "boards",
                        service->board_count, "analyses", service->analyses, "jobs", "waiting",
                        jobs.waiting, "running", jobs.running, "kept", jobs.kept, "idle", idle));
    return STATUS_OK;
}

const HandlerRow load_handlers[] = {
    {.name = "status", .run = status},
    {0},
};
