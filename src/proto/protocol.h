/* What UCI and CECP have in common: a session that is fed lines. */
#ifndef PROTO_PROTOCOL_H
#define PROTO_PROTOCOL_H

#include "base/status.h"
#include "base/text.h"
#include "engine/engine.h"
#include "proto/input.h"
#include "proto/output.h"

/* Where a session writes, and how its search threads wake the thread that feeds it. */
typedef struct Port {
    Output *out;
    Input *in; /* NULL when nobody waits: wake is then not needed */
} Port;

typedef struct Protocol {
    const char *too_long; /* answers a line that was dropped for its length */
    Status (*open)(void **session, Port port, Message *why);
    bool (*line)(void *session, Span line,
                 int64_t arrived_ms); /* false: the session wants to end */
    void (*wake)(void *session);      /* NULL if never needed */
    void (*close)(void *session);     /* what still runs is brought to its end */
} Protocol;

extern const Protocol protocol_uci, protocol_cecp;

/* Adds the moves of a line, each with a blank before it, in the notation of `write`. */
void protocol_add_pv(Text *t, const EngineLine *line,
                     void (*write)(const Position *p, Move m, char *out));

/* Runs a session until its end or the end of input. `first`, when not empty, is a line read
 * already. */
Status protocol_run(const Protocol *protocol, Port port, Span first, Message *why);

/* Waits for a first line that tells UCI from CECP, and runs that. Lines that belong to neither are
 * dropped without a word. */
Status protocol_detect_and_run(Port port, Message *why);

#endif
