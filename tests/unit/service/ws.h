/* A small HTTP and WebSocket client for tests: it can also do what no browser would. */
#ifndef TESTS_SERVICE_WS_H
#define TESTS_SERVICE_WS_H

#include "base/text.h"

#include <jansson.h>
#include <stdint.h>

enum { WS_TEXT = 1, WS_BINARY = 2, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10, WS_FINAL = 0x80 };

typedef struct Ws {
    int fd, port;
    Text in; /* bytes that came and were not looked at yet */
    int64_t last_id;
    int pongs; /* answers to pings that came */
} Ws;

int ws_dial(int port); /* a plain connection; -1: refused */
bool ws_write_all(int fd, const void *bytes, size_t len);

/* Sends bytes as they are and reads until the other side closes or `ms` pass. */
bool ws_http(int port, const char *request, Text *answer, int ms);

/* POST /api/session: the cookie, or false. */
bool ws_cookie(int port, char *out, size_t size);

/* Header lines may be NULL for what a good page sends. Returns the HTTP status. */
int ws_open(Ws *w, int port, const char *host, const char *origin, const char *cookie);
int ws_open_well(Ws *w, int port);
void ws_close(Ws *w);

bool ws_send(Ws *w, const char *text);
bool ws_send_frame(Ws *w, int first_byte, const void *bytes, size_t len, uint64_t claimed);

/* The next text message; false after `ms`, or when the connection is closed: then *code is the
 * close frame's, 0 without one, -1 when it was only the time. */
bool ws_recv(Ws *w, Text *message, int ms, int *code);

/* Sends {"id":N,...rest}, where rest begins with a comma, and reads until the answer. False on
 * refusals and silence; the JSON is the caller's, NULL on silence. */
bool ws_ask(Ws *w, const char *rest, json_t **answer, int ms);
bool ws_event(Ws *w, const char *name, json_t **event, int ms);

/* "data.game.ply" of a message. */
json_t *ws_at(const json_t *j, const char *path);  /* NULL: there is none */
int64_t ws_int(const json_t *j, const char *path); /* INT64_MIN: there is none */
bool ws_is(const json_t *j, const char *path, const char *text);
const char *ws_text(const json_t *j, const char *path); /* NULL: there is none */

#endif
