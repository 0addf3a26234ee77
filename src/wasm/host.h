/* What JavaScript offers to the modules (web/wasm/host.js), and the functions it calls, which no C
 * file does. Both kinds run on JavaScript's own thread. */
#ifndef WASM_HOST_H
#define WASM_HOST_H

#include <stddef.h>

/* JavaScript's functions; the text is copied before they return. */
void host_ended(void); /* the module has nothing more to do */
void host_text(const char *text, size_t len);

/* The engine's. */
typedef struct EngineModule EngineModule;
EngineModule *module_open(void); /* NULL: no memory or no thread */
void module_send(EngineModule *m, const char *line, size_t len);
void module_end(
    EngineModule *m); /* no more lines: what was asked for is still done, but a search ends */

#endif
