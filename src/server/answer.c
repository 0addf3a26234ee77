#include "server/answer_int.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 16 << 10, HEAD_BYTES = 2048 };

static const char NO_PAGE[] =
    "<!doctype html><html lang=en><meta charset=utf-8><title>Castellan</title>"
    "<h1>Castellan</h1><p>The server runs, but its page was not built in: that needs nodejs. "
    "<code>make play</code> builds both.</p>";

/* -- The request -- */

/* "gzip", "gzip;q=0.5", "*", but not "gzip;q=0". */
static bool accepts_gzip(Span list)
{
    while (list.len) {
        const char *comma = memchr(list.at, ',', list.len);
        Span item = {list.at, comma ? (size_t)(comma - list.at) : list.len};
        list.at += item.len + (comma != NULL);
        list.len -= item.len + (comma != NULL);
        const char *semicolon = memchr(item.at, ';', item.len);
        Span name =
            span_trim((Span){item.at, semicolon ? (size_t)(semicolon - item.at) : item.len});
        Span rest = {item.at + item.len, 0};
        if (semicolon)
            rest = span_trim((Span){semicolon + 1, (size_t)(item.at + item.len - semicolon - 1)});
        double quality = 1;
        if (span_starts(rest, "q="))
            span_to_double((Span){rest.at + 2, rest.len - 2}, &quality);
        if (quality > 0 && (span_is_ignoring_case(name, "gzip") || span_is(name, "*")))
            return true;
    }
    return false;
}

static void copy_header(struct lws *wsi, enum lws_token_indexes which, char *out, size_t size)
{
    if (lws_hdr_copy(wsi, out, (int)size, which) < 0)
        out[0] = '\0';
}

AnswerContext answer_context(struct lws *wsi, bool tls)
{
    AnswerContext c = {.tls = tls};
    char encodings[256] = "";
    copy_header(wsi, WSI_TOKEN_HOST, c.host, sizeof c.host);
    copy_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, c.known, sizeof c.known);
    copy_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, encodings, sizeof encodings);
    c.gzip = accepts_gzip(span_of(encodings));
    return c;
}

/* -- Making answers -- */

Answer answer_owned(int status, const char *type, const char *file, Text *body)
{
    Answer a = {.status = body->failed ? 500 : status, .type = type, .owned = *body};
    a.body = (Span){a.owned.at, a.owned.len};
    if (file)
        snprintf(a.extra, sizeof a.extra, "Content-Disposition: attachment; filename=\"%s\"\r\n",
                 file);
    text_init(body);
    return a;
}

Answer answer_json(int status, json_t *root)
{
    Text body = text_new();
    char *dumped = json_dumps(root, JSON_COMPACT);
    if (dumped)
        text_add_str(&body, dumped);
    free(dumped);
    json_decref(root);
    return answer_owned(status, "application/json", NULL, &body);
}

Answer answer_refusal(int status, const char *text)
{
    return answer_json(status, json_pack("{s:b, s:s}", "ok", 0, "message", text));
}

static Answer found_asset(const Asset *asset, const AnswerContext *context)
{
    Answer a = {.status = 200, .type = asset->type};
    snprintf(a.extra, sizeof a.extra, "ETag: %.*s\r\nVary: Accept-Encoding\r\n%s",
             (int)asset->etag.len, asset->etag.at,
             context->gzip ? "Content-Encoding: gzip\r\n" : "");
    if (span_is(asset->etag, context->known)) {
        a.status = 304;
        return a;
    }
    a.body = asset->gzip;
    if (context->gzip)
        return a;
    text_init(&a.owned);
    if (!assets_inflate(asset, &a.owned))
        a.status = 500;
    a.body = (Span){a.owned.at, a.owned.len};
    return a;
}

/* A path without a dot is the page's own business. */
Answer answer_asset(const Assets *assets, const char *path, const AnswerContext *context)
{
    const Asset *asset = assets_find(assets, span_of(path));
    if (!asset && !strchr(path, '.'))
        asset = assets_find(assets, span_of("/index.html"));
    if (asset)
        return found_asset(asset, context);
    if (!assets->count && strcmp(path, "/") == 0)
        return (Answer){
            .status = 200, .type = "text/html; charset=utf-8", .body = span_of(NO_PAGE)};
    return answer_refusal(404, "no such page");
}

void answer_free(Answer *a)
{
    if (a->owned.at)
        text_free(&a->owned);
    *a = (Answer){0};
}

/* -- Writing -- */

static const char *status_words(int status)
{
    static const struct {
        int status;
        const char *words;
    } rows[] = {{200, "OK"},
                {304, "Not Modified"},
                {400, "Bad Request"},
                {401, "Unauthorized"},
                {403, "Forbidden"},
                {404, "Not Found"},
                {405, "Method Not Allowed"},
                {411, "Length Required"},
                {413, "Content Too Large"},
                {429, "Too Many Requests"},
                {503, "Service Unavailable"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].status == status)
            return rows[i].words;
    return "Internal Server Error";
}

static int write_head(const Answer *a, struct lws *wsi, const AnswerContext *context)
{
    unsigned char buffer[LWS_PRE + HEAD_BYTES];
    char *out = (char *)buffer + LWS_PRE;
    int len = snprintf(
        out, HEAD_BYTES,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s"
        "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n"
        "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"
        "Content-Security-Policy: default-src 'self'; img-src 'self' data:; "
        "style-src 'self' 'unsafe-inline'; connect-src 'self' %s://%s; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'\r\n\r\n",
        a->status, status_words(a->status), a->type, a->body.len, a->extra,
        context->tls ? "wss" : "ws",
        a->status < 400 && context->host[0] ? context->host : "127.0.0.1");
    if (len < 0 || len >= HEAD_BYTES)
        return -1;
    return lws_write(wsi, (unsigned char *)out, (size_t)len, LWS_WRITE_HTTP_HEADERS) < 0 ? -1 : 0;
}

int answer_write(Answer *a, struct lws *wsi, const AnswerContext *context, bool head_only)
{
    unsigned char buffer[LWS_PRE + PIECE_BYTES];
    if (!a->head_sent) {
        a->head_sent = true;
        if (write_head(a, wsi, context) < 0)
            return -1;
        return head_only || !a->body.len;
    }
    size_t left = a->body.len - a->sent, len = left < PIECE_BYTES ? left : PIECE_BYTES;
    memcpy(buffer + LWS_PRE, a->body.at + a->sent, len);
    a->sent += len;
    if (lws_write(wsi, buffer + LWS_PRE, len, len == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) <
        0)
        return -1;
    return len == left;
}
