/* What JavaScript offers to the modules (web/wasm/host.js), and the functions it calls, which no C
 * file does. Both kinds run on JavaScript's own thread. */
#ifndef WASM_HOST_H
#define WASM_HOST_H

#include <stddef.h>

/* JavaScript's functions; texts are copied before they return. */
void host_ended(void); /* the engine has nothing more to do */
void host_ready(
    const char *notice); /* the service answers; a notice that is not empty is a warning */
void host_failed(const char *why); /* the service answers no more */
void host_text(const char *text, size_t len);
void host_reply(int id, int status, const char *type, const char *file, const char *body,
                size_t len);

/* Of modules without threads of their own (fibers.c). */
void threads_run(int ms);  /* lets them work for about as long */
int threads_wait_ms(void); /* until they have work again; 0: now */

/* The engine's. */
typedef struct EngineModule EngineModule;
EngineModule *module_open(void); /* NULL: no memory or no thread */
void module_send(EngineModule *m, const char *line, size_t len);
void module_end(
    EngineModule *m); /* no more lines: what was asked for is still done, but a search ends */

/* The service's. Kinds: 0 a message of docs/dev/service.md; 1 an import, "ID PLAYER SKIP_KNOWN" and
 * the PGN behind a newline; 2 an export, "ID GAME PLAYER", then the filters SEARCH, COLOR, RESULT,
 * a line each. */
typedef struct ServiceModule ServiceModule;
ServiceModule *service_module_open(void); /* NULL: no memory or no thread */
void service_module_send(ServiceModule *m, int kind, const char *text, size_t len);

#endif
