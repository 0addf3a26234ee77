/* What the files of the UCI session share. */
#ifndef PROTO_UCI_INT_H
#define PROTO_UCI_INT_H

#include "engine/engine.h"
#include "proto/output.h"
#include "proto/uci_task.h"

/* What a `go` line asks for. */
typedef struct GoRequest {
    SearchLimits limits;
    int perft; /* -1: no perft */
} GoRequest;

/* Reads what follows "go". Anything not understood is skipped. */
void uci_parse_go(Span rest, const Position *p, int64_t arrived_ms, GoRequest *out);

/* The engine's events as lines; `user` is the Output. */
void uci_report_line(void *user, const EngineLine *line);
void uci_report_current_move(void *user, const Position *root, int depth, Move m, int number);
void uci_report_done(void *user, const EngineResult *result);

/* "option name ..." for every option, and "id ...". */
void uci_report_identity(Output *out);

#endif
