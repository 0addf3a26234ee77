/* PGN in and out of the store. */
#ifndef SERVICE_PGN_INT_H
#define SERVICE_PGN_INT_H

#include "notation/opening.h"
#include "store/store.h"

#include <jansson.h>

Status pgn_export_game(Store *s, int64_t id, Text *out, Message *why);
Status pgn_export_games(Store *s, const StoreFilter *f, Text *out, Message *why);

typedef struct PgnImport {
    int64_t player;
    bool skip_known; /* games that are there already */
    Span pgn;
} PgnImport;

/* Sets what was imported and what not: "imported", "known", "skipped", "errors", "games", and the
 * "names" of people in games in which the player has no side. */
Status pgn_import(Store *s, const Openings *openings, const PgnImport *what, json_t *report,
                  Message *why);

#endif
