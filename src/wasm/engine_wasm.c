/* The engine as a WebAssembly module: UCI lines come in by module_send, and go out as lines of
 * standard output, which web/wasm/castellan.js turns into messages. */
#include "chess/attacks.h"
#include "proto/protocol.h"
#include "wasm/host.h"
#include "wasm/inbox.h"

#include <stdlib.h>
#include <unistd.h>

enum { STACK_BYTES = 1 << 20 };
enum { LINE, END }; /* kinds of letters */

struct EngineModule {
    Inbox inbox;
    Output out;
    void *session;
    Thread thread;
};

static void *engine_main(void *arg)
{
    EngineModule *m = arg;
    Message why;
    bool more = protocol_uci.open(&m->session, (Port){&m->out, NULL}, &why) == STATUS_OK;
    if (!more)
        output_line(&m->out, "info string %s", why.text);
    while (more) {
        Letter *line = inbox_take(&m->inbox);
        more = line->kind == LINE &&
               protocol_uci.line(m->session, (Span){line->text, line->len}, line->arrived_ms);
        free(line);
    }
    if (m->session)
        protocol_uci.close(m->session);
    host_ended();
    return NULL;
}

EngineModule *module_open(void)
{
    Message why;
    EngineModule *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    chess_init();
    inbox_init(&m->inbox);
    output_open(&m->out, STDOUT_FILENO);
    if (thread_start(&m->thread, engine_main, m, STACK_BYTES, &why) == STATUS_OK)
        return m;
    free(m);
    return NULL;
}

void module_send(EngineModule *m, const char *line, size_t len)
{
    inbox_put(&m->inbox, LINE, line, len);
}

void module_end(EngineModule *m)
{
    inbox_put(&m->inbox, END, "", 0);
}
