/* PGN in and out of the store. */
#ifndef SERVICE_PGN_INT_H
#define SERVICE_PGN_INT_H

#include "notation/opening.h"
#include "store/store.h"

#include <jansson.h>

Status pgn_export_game(Store *s, int64_t id, Text *out, Message *why);
Status pgn_export_games(Store *s, const StoreFilter *f, Text *out, Message *why);

/* Sets what was imported and what not: "imported", "skipped", "errors", "games". */
Status pgn_import(Store *s, const Openings *names, int64_t player, Span pgn, json_t *report,
                  Message *why);

/* "any", "won", "lost", "drawn" or "running". */
bool pgn_read_outcome(Span word, StoreOutcome *out);

#endif
