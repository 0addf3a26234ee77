/* Positions as JSON. */
#ifndef SERVICE_POSITION_JSON_INT_H
#define SERVICE_POSITION_JSON_INT_H

#include "chess/draw.h"
#include "chess/san.h"
#include "service/message_int.h"

extern const char *const color_names[]; /* "white", "black"; ends with NULL */
const char *color_name(int color);      /* -1: NULL */
int color_read(Span text);              /* -1: neither */

/* Sets "dests" and "promotions": the legal moves, or none. */
void json_set_moves(json_t *out, const Position *p, bool any);
/* Sets "captured" (since the start) and "balance". */
void json_set_material(json_t *out, const Position *start, const Position *p);

json_t *json_last_move(Color mover, Move m);                  /* MOVE_NONE: null */
json_t *json_stored_last(const char *uci);                    /* empty: null */
json_t *json_opening(const char *eco, const char *name);      /* an empty name: null */
json_t *json_result(bool over, Result r, const char *reason); /* not over: null */
json_t *json_move(const Position *before, Move m);            /* uci and san */
json_t *json_line(const Position *from, const Move *moves, int count);
/* A move with the position after it, which `p` becomes. */
json_t *json_played(Position *p, Move m);

/* What ended the game by the rules: the result and the reason's word; false when it goes on. */
bool rules_end(const Position *p, Result *result, const char **reason);
const char *rules_claim(const Position *p); /* NULL: nothing may be claimed */

/* A line of moves from a position. */
typedef struct MoveLine {
    Position start, now;
    Move moves[SERVICE_MAX_PLIES];
    int count;
} MoveLine;

/* UCI moves with blanks between them, as the store has them; reads up to one that is not legal. */
void line_read(MoveLine *line, const Position *start, const char *moves);
void line_write(const Position *start, const Move *moves, int count, char *out, size_t size);

/* The name of the last position on the way that has one; "". */
OpeningName line_opening(const Openings *openings, const MoveLine *line);
json_t *line_json(const MoveLine *line); /* as json_played */

/* fen, chess960 and moves of a request. */
bool request_line(Request *r, MoveLine *line);

/* The moves of a stored game. */
Status stored_line(Store *store, int64_t game, StoreGame *g, MoveLine *line, Message *why);

#endif
