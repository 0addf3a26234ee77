/* The frames of a WebSocket, read by ourselves. civetweb would take two gigabytes into memory before
 * anybody is asked, and wait for the rest of a frame for ever; here a frame is judged by its head. */
#include "service/service_int.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum {
    OPCODE_BITS = 0x0F,
    FINAL = 0x80,
    RESERVED = 0x70,
    MASKED = 0x80,
    CLOSE_NORMAL = 1000,
    CLOSE_PROTOCOL = 1002,
    CLOSE_UNSUPPORTED = 1003,
    CLOSE_TOO_LARGE = 1009,
    PIECE_BYTES = 4096,
    PING_MS = 7000,
    SILENCE_MS = 45000
};

/* -- Messages -- */

typedef struct Letter {
    Client *client;
    Span text;
    bool fine;
} Letter;

static void read_letter(void *arg)
{
    Letter *l = arg;
    Service *service = l->client->service;
    mutex_lock(&service->lock);
    l->fine = dispatch(l->client, l->text);
    mutex_unlock(&service->lock);
}

static bool take_message(Client *c)
{
    Letter letter = {.client = c, .text = {c->partial.at, c->partial.len}};
    bool read = !c->partial.failed && server_with_room(read_letter, &letter);
    text_clear(&c->partial);
    return read && letter.fine;
}

/* -- Frames -- */

static bool refuse(Client *c, int code)
{
    c->close_code = code;
    return false;
}

static size_t head_size(const Frame *f)
{
    int len = f->head[1] & ~MASKED;
    return f->head_len < 2 ? 2 : 2 + (len == 127 ? 8 : len == 126 ? 2 : 0) + sizeof f->mask;
}

static uint64_t announced(const Frame *f)
{
    uint64_t len = f->head[1] & ~MASKED;
    int bytes = len == 127 ? 8 : len == 126 ? 2 : 0;
    if (bytes)
        len = 0;
    for (int i = 0; i < bytes; i++)
        len = len << 8 | f->head[2 + i];
    return len;
}

/* The head is complete: is it one that may come now? */
static bool begin(Client *c)
{
    Frame *f = &c->frame;
    int opcode = f->head[0] & OPCODE_BITS;
    f->left = announced(f);
    f->done = 0;
    memcpy(f->mask, f->head + f->head_len - sizeof f->mask, sizeof f->mask);
    if ((f->head[0] & RESERVED) || !(f->head[1] & MASKED))
        return refuse(c, CLOSE_PROTOCOL);
    if (opcode >= OPCODE_CLOSE) {
        bool fine = (f->head[0] & FINAL) && f->left <= sizeof f->control && opcode <= OPCODE_PONG;
        return fine || refuse(c, CLOSE_PROTOCOL);
    }
    if (opcode == OPCODE_BINARY)
        return refuse(c, CLOSE_UNSUPPORTED);
    if (opcode > OPCODE_BINARY || (opcode == OPCODE_TEXT) == c->is_partial)
        return refuse(c, CLOSE_PROTOCOL);
    if (f->left > WEB_MAX_MESSAGE || c->partial.len + f->left > WEB_MAX_MESSAGE)
        return refuse(c, CLOSE_TOO_LARGE);
    c->is_partial = true;
    return true;
}

/* The whole of it is there. */
static bool finish(Client *c)
{
    Frame *f = &c->frame;
    int opcode = f->head[0] & OPCODE_BITS;
    f->head_len = 0;
    if (opcode == OPCODE_CLOSE)
        return refuse(c, CLOSE_NORMAL);
    if (opcode == OPCODE_PING)
        client_pong(c, f->control, f->done);
    if (opcode >= OPCODE_CLOSE || !(f->head[0] & FINAL))
        return true;
    c->is_partial = false;
    return take_message(c);
}

static void take_payload(Client *c, char *bytes, size_t len)
{
    Frame *f = &c->frame;
    for (size_t i = 0; i < len; i++)
        bytes[i] ^= (char)f->mask[(f->done + i) % sizeof f->mask];
    if ((f->head[0] & OPCODE_BITS) >= OPCODE_CLOSE)
        memcpy(f->control + f->done, bytes, len);
    else
        text_add(&c->partial, bytes, len);
    f->done += len;
    f->left -= len;
}

bool frame_take(Client *c, char *bytes, size_t len)
{
    Frame *f = &c->frame;
    for (;;) {
        while (len && f->head_len < head_size(f)) {
            f->head[f->head_len++] = (unsigned char)*bytes++;
            len--;
            if (f->head_len == head_size(f) && !begin(c))
                return false;
        }
        if (f->head_len < head_size(f))
            return true;
        size_t n = len < f->left ? len : (size_t)f->left;
        take_payload(c, bytes, n);
        bytes += n;
        len -= n;
        if (f->left)
            return true;
        if (!finish(c))
            return false;
    }
}

/* -- The connection -- */

void frame_serve(Client *c)
{
    char bytes[PIECE_BYTES];
    const WebOptions *o = c->service->options;
    int64_t heard = clock_now_ms(), most = o->silence_ms ? o->silence_ms : SILENCE_MS;
    struct pollfd p = {.fd = c->socket, .events = POLLIN};
    /* That the end was shut is not enough to see it: what comes faster than it is read hides it. */
    while (!client_given_up(c) && !c->service->closing) {
        int64_t left = heard + most - clock_now_ms();
        if (left <= 0) {
            client_give_up(c);
            return;
        }
        if (poll(&p, 1, (int)(left < PING_MS ? left : PING_MS)) == 0) {
            client_ping(c);
            continue;
        }
        ssize_t n = recv(c->socket, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (n <= 0 || !frame_take(c, bytes, (size_t)n))
            return;
        heard = clock_now_ms();
    }
}
