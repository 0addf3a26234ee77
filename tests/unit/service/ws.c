#include "ws.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* -- Bytes -- */

int ws_dial(int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

bool ws_write_all(int fd, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len) {
        ssize_t n = send(fd, at, len, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

/* 1: something came, 0: time is up, -1: closed. */
static int read_some(int fd, Text *in, int64_t until)
{
    char piece[16 << 10];
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int64_t left = until - clock_now_ms();
    if (poll(&p, 1, left > 0 ? (int)left : 0) <= 0)
        return 0;
    ssize_t n = recv(fd, piece, sizeof piece, 0);
    if (n <= 0)
        return -1;
    text_add(in, piece, (size_t)n);
    return 1;
}

bool ws_http(int port, const char *request, Text *answer, int ms)
{
    int fd = ws_dial(port);
    int64_t until = clock_now_ms() + ms;
    if (fd < 0)
        return false;
    ws_write_all(fd, request, strlen(request));
    while (read_some(fd, answer, until) > 0)
        ;
    close(fd);
    return answer->len > 0;
}

bool ws_cookie(int port, char *out, size_t size)
{
    char request[256];
    Text answer;
    text_init(&answer);
    snprintf(request, sizeof request,
             "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 2\r\n"
             "Connection: close\r\n\r\n{}",
             port);
    bool fine = ws_http(port, request, &answer, 10000);
    const char *at = fine ? strstr(answer.at, "Set-Cookie: ") : NULL;
    if (at) {
        at += strlen("Set-Cookie: ");
        snprintf(out, size, "%.*s", (int)strcspn(at, ";"), at);
    }
    text_free(&answer);
    return at != NULL;
}

/* -- Opening -- */

static int read_head(Ws *w, int ms)
{
    int64_t until = clock_now_ms() + ms;
    char *end;
    while (!(end = strstr(w->in.at, "\r\n\r\n")))
        if (read_some(w->fd, &w->in, until) <= 0)
            return 0;
    int status = w->in.len > 12 ? (int)strtol(w->in.at + 9, NULL, 10) : 0;
    size_t used = (size_t)(end + 4 - w->in.at);
    memmove(w->in.at, w->in.at + used, w->in.len - used + 1);
    w->in.len -= used;
    return status;
}

int ws_open(Ws *w, int port, const char *host, const char *origin, const char *cookie)
{
    char request[1024];
    *w = (Ws){.fd = ws_dial(port), .port = port};
    text_init(&w->in);
    if (w->fd < 0)
        return 0;
    snprintf(request, sizeof request,
             "GET /ws HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
             "%s%s%s%s%s%s\r\n",
             host, origin ? "Origin: " : "", origin ? origin : "", origin ? "\r\n" : "",
             cookie ? "Cookie: " : "", cookie ? cookie : "", cookie ? "\r\n" : "");
    ws_write_all(w->fd, request, strlen(request));
    return read_head(w, 15000);
}

int ws_open_well(Ws *w, int port)
{
    char cookie[128], host[32], origin[48];
    if (!ws_cookie(port, cookie, sizeof cookie))
        return 0;
    snprintf(host, sizeof host, "127.0.0.1:%d", port);
    snprintf(origin, sizeof origin, "http://127.0.0.1:%d", port);
    return ws_open(w, port, host, origin, cookie);
}

void ws_close(Ws *w)
{
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    text_free(&w->in);
}

/* -- Frames -- */

bool ws_send_frame(Ws *w, int first_byte, const void *bytes, size_t len, uint64_t claimed)
{
    unsigned char head[14] = {(unsigned char)first_byte, 0x80 | 127};
    for (int i = 0; i < 8; i++)
        head[2 + i] = (unsigned char)(claimed >> (56 - 8 * i));
    /* The mask is zero: the text stays as it is. Sent at once, or the network waits for more. */
    Text frame;
    text_init(&frame);
    text_add(&frame, (const char *)head, sizeof head);
    text_add(&frame, bytes, len);
    bool sent = ws_write_all(w->fd, frame.at, frame.len);
    text_free(&frame);
    return sent;
}

bool ws_send(Ws *w, const char *text)
{
    return ws_send_frame(w, WS_FINAL | WS_TEXT, text, strlen(text), strlen(text));
}

/* The frame at the front of what came: its head's length, or 0 when it is not whole yet. */
static size_t whole_frame(const Text *in, uint64_t *len)
{
    const unsigned char *b = (const unsigned char *)in->at;
    if (in->len < 2)
        return 0;
    size_t head = 2;
    *len = b[1] & 127;
    if (*len == 126 && in->len >= 4) {
        *len = (uint64_t)b[2] << 8 | b[3];
        head = 4;
    } else if (*len == 127 && in->len >= 10) {
        *len = 0;
        for (int i = 0; i < 8; i++)
            *len = *len << 8 | b[2 + i];
        head = 10;
    } else if (*len >= 126) {
        return 0;
    }
    return in->len - head >= *len ? head : 0;
}

static int take_frame(Ws *w, Text *message)
{
    uint64_t len;
    size_t head = whole_frame(&w->in, &len);
    if (!head)
        return -1;
    int opcode = w->in.at[0] & 15;
    text_clear(message);
    text_add(message, w->in.at + head, len);
    memmove(w->in.at, w->in.at + head + len, w->in.len - head - len + 1);
    w->in.len -= head + len;
    return opcode;
}

bool ws_recv(Ws *w, Text *message, int ms, int *code)
{
    int64_t until = clock_now_ms() + ms;
    for (;;) {
        int opcode = take_frame(w, message);
        if (opcode == WS_TEXT)
            return true;
        if (opcode == WS_PING) {
            ws_send_frame(w, WS_FINAL | WS_PONG, message->at, message->len, message->len);
        } else if (opcode == WS_CLOSE) {
            *code = message->len < 2
                        ? 0
                        : (unsigned char)message->at[0] << 8 | (unsigned char)message->at[1];
            return false;
        }
        w->pongs += opcode == WS_PONG;
        if (opcode >= 0)
            continue;
        int came = read_some(w->fd, &w->in, until);
        if (came <= 0) {
            *code = came < 0 ? 0 : -1;
            return false;
        }
    }
}

/* -- Messages -- */

static bool next_message(Ws *w, Json *j, int64_t until)
{
    Text t;
    Message why;
    int code;
    text_init(&t);
    int64_t left = until - clock_now_ms();
    bool fine = ws_recv(w, &t, left > 0 ? (int)left : 0, &code) &&
                json_read(j, (Span){t.at, t.len}, &why) == STATUS_OK;
    text_free(&t);
    return fine;
}

bool ws_ask(Ws *w, const char *rest, Json *answer, int ms)
{
    Text t;
    int64_t until = clock_now_ms() + ms;
    text_init(&t);
    text_addf(&t, "{\"id\":%lld%s}", (long long)++w->last_id, rest);
    bool sent = ws_send(w, t.at);
    text_free(&t);
    while (sent && next_message(w, answer, until)) {
        bool ok = false;
        if (ws_int(answer, "id") == w->last_id) {
            json_bool(ws_at(answer, "ok"), &ok);
            return ok;
        }
        json_free(answer);
    }
    *answer = (Json){0};
    return false;
}

bool ws_event(Ws *w, const char *name, Json *event, int ms)
{
    int64_t until = clock_now_ms() + ms;
    while (next_message(w, event, until)) {
        if (ws_is(event, "event", name))
            return true;
        json_free(event);
    }
    *event = (Json){0};
    return false;
}

const JsonNode *ws_at(const Json *j, const char *path)
{
    const JsonNode *n = j->nodes;
    while (n && *path) {
        char name[64];
        size_t len = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)len, path);
        int64_t index;
        if (n->kind == JSON_ARRAY && span_to_int64(span_of(name), 0, 100000, &index)) {
            const JsonNode *item = json_first(j, n);
            while (item && index--)
                item = json_next(j, n, item);
            n = item;
        } else {
            n = json_get(j, n, name);
        }
        path += len + (path[len] == '.');
    }
    return n;
}

int64_t ws_int(const Json *j, const char *path)
{
    int64_t n;
    return json_int(ws_at(j, path), INT64_MIN + 1, INT64_MAX, &n) ? n : INT64_MIN;
}

bool ws_is(const Json *j, const char *path, const char *text)
{
    Span s;
    return json_string(ws_at(j, path), &s) && span_is(s, text);
}
