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
    const char *at = fine ? strcasestr(answer.at, "Set-Cookie: ") : NULL;
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
    bool is_short = claimed < 126;
    char head[14] = {(char)first_byte, (char)(0x80 | (is_short ? (int)claimed : 127))};
    for (int i = 0; i < 8 && !is_short; i++)
        head[2 + i] = (char)(claimed >> (56 - 8 * i));
    /* The mask is zero: the text stays as it is. Sent at once, or the network waits for more. */
    Text frame;
    text_init(&frame);
    text_add(&frame, head, is_short ? 6 : sizeof head);
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

static json_t *next_message(Ws *w, int64_t until)
{
    Text t;
    int code;
    json_t *found = NULL;
    text_init(&t);
    int64_t left = until - clock_now_ms();
    if (ws_recv(w, &t, left > 0 ? (int)left : 0, &code))
        found = json_loadb(t.at, t.len, 0, NULL);
    text_free(&t);
    return found;
}

bool ws_ask(Ws *w, const char *rest, json_t **answer, int ms)
{
    Text t;
    int64_t until = clock_now_ms() + ms;
    text_init(&t);
    text_addf(&t, "{\"id\":%lld%s}", (long long)++w->last_id, rest);
    bool sent = ws_send(w, t.at);
    text_free(&t);
    *answer = NULL;
    while (sent && (*answer = next_message(w, until)) != NULL) {
        if (ws_int(*answer, "id") == w->last_id)
            return json_is_true(ws_at(*answer, "ok"));
        json_decref(*answer);
    }
    return false;
}

bool ws_event(Ws *w, const char *name, json_t **event, int ms)
{
    int64_t until = clock_now_ms() + ms;
    while ((*event = next_message(w, until)) != NULL) {
        if (ws_is(*event, "event", name))
            return true;
        json_decref(*event);
    }
    return false;
}

json_t *ws_at(const json_t *j, const char *path)
{
    json_t *n = (json_t *)(uintptr_t)j;
    while (n && *path) {
        char name[64];
        size_t len = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)len, path);
        int64_t index;
        if (json_is_array(n) && span_to_int64(span_of(name), 0, 100000, &index))
            n = json_array_get(n, (size_t)index);
        else
            n = json_object_get(n, name);
        path += len + (path[len] == '.');
    }
    return n;
}

int64_t ws_int(const json_t *j, const char *path)
{
    const json_t *n = ws_at(j, path);
    return json_is_integer(n) ? json_integer_value(n) : INT64_MIN;
}

const char *ws_text(const json_t *j, const char *path)
{
    return json_string_value(ws_at(j, path));
}

bool ws_is(const json_t *j, const char *path, const char *text)
{
    const char *found = ws_text(j, path);
    return found && strcmp(found, text) == 0;
}
