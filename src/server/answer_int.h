/* An HTTP answer and how it is written, piece by piece. */
#ifndef SERVER_ANSWER_INT_H
#define SERVER_ANSWER_INT_H

#include "server/assets_int.h"

#include <jansson.h>
#include <libwebsockets.h>

enum { ANSWER_SECONDS = 30, ANSWER_TRUSTED_SECONDS = 300 };

/* What an answer needs to know of the request. */
typedef struct AnswerContext {
    char host[256]; /* empty: none that is ours */
    char known[32]; /* If-None-Match */
    bool tls, gzip; /* the client accepts gzip */
} AnswerContext;

typedef struct Answer {
    int status;
    const char *type;
    char extra[320]; /* header lines, each with its CRLF */
    Span body;
    Text owned; /* where the body lies when it is the answer's own; at NULL: elsewhere */
    bool head_sent;
    size_t sent;
} Answer;

AnswerContext answer_context(struct lws *wsi, bool tls);

Answer answer_json(int status, json_t *root);        /* takes the reference */
Answer answer_refusal(int status, const char *text); /* a JSON object with the text */
Answer answer_owned(int status, const char *type, const char *file, Text *body);
Answer answer_asset(const Assets *assets, const char *path, const AnswerContext *context);
void answer_free(Answer *a);

/* Writes the next piece: 0: more is left, 1: all is written, -1: the connection failed. */
int answer_write(Answer *a, struct lws *wsi, const AnswerContext *context, bool head_only);

#endif
