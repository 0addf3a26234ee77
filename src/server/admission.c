/* Who may come in: by the Host and the Origin that a browser sends, and by the session's cookie. */
#include "server/server_int.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A name with its port, as Host and Origin have it; `port` is 0 where none is given. */
typedef struct Authority {
    Span name; /* without the brackets of IPv6 */
    int64_t port;
} Authority;

static bool read_authority(Span text, Authority *a)
{
    *a = (Authority){.name = text};
    bool six = text.len && text.at[0] == '[';
    const char *end = six ? memchr(text.at, ']', text.len) : NULL;
    if (six && !end)
        return false;
    size_t from = six ? (size_t)(end - text.at) + 1 : 0;
    const char *colon = memchr(text.at + from, ':', text.len - from);
    if (colon) {
        size_t len = (size_t)(colon - text.at);
        if (!span_to_int64((Span){colon + 1, text.len - len - 1}, 1, 65535, &a->port))
            return false;
        a->name.len = len;
    }
    if (six && a->name.at + a->name.len != end + 1)
        return false;
    if (six)
        a->name = (Span){text.at + 1, from - 2};
    return a->name.len > 0;
}

static int64_t port_or_default(const Server *s, const Authority *a)
{
    return a->port ? a->port : s->tls ? 443 : 80;
}

static bool is_address(const char *name)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, name, bytes) == 1 || inet_pton(AF_INET6, name, bytes) == 1;
}

/* A page of another site can make its own name point here, but then that name is in Host. */
static bool name_is_ours(const Server *s, const char *name)
{
    char own[SERVER_HOST_SIZE];
    const char *host = s->options->host;
    if (!strcasecmp(name, "localhost") || !strcmp(name, "127.0.0.1") || !strcmp(name, "::1") ||
        !strcasecmp(name, host))
        return true;
    if (strcmp(host, "0.0.0.0") != 0 && strcmp(host, "::") != 0 && !s->tls)
        return false;
    /* With a certificate the browser has checked the name, whatever it is. */
    return s->tls || is_address(name) ||
           (gethostname(own, sizeof own) == 0 && strncasecmp(name, own, sizeof own) == 0);
}

static bool header(struct lws *wsi, enum lws_token_indexes which, char *out, size_t size)
{
    return lws_hdr_total_length(wsi, which) > 0 && lws_hdr_copy(wsi, out, (int)size, which) > 0;
}

static bool host_is_ours(const Server *s, const Authority *host)
{
    char name[SERVER_HOST_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)host->name.len, host->name.at);
    return port_or_default(s, host) == s->port && name_is_ours(s, name);
}

static bool origin_is(const Server *s, const char *origin, const Authority *host)
{
    const char *scheme = s->tls ? "https://" : "http://";
    size_t len = strlen(scheme);
    Authority from;
    return strncasecmp(origin, scheme, len) == 0 && read_authority(span_of(origin + len), &from) &&
           from.name.len == host->name.len &&
           strncasecmp(from.name.at, host->name.at, from.name.len) == 0 &&
           port_or_default(s, &from) == port_or_default(s, host);
}

const char *admission_refusal(const Server *s, struct lws *wsi, bool origin_needed)
{
    char host_text[SERVER_HOST_SIZE], origin[SERVER_HOST_SIZE + 16];
    Authority host;
    if (!header(wsi, WSI_TOKEN_HOST, host_text, sizeof host_text) ||
        !read_authority(span_of(host_text), &host) || !host_is_ours(s, &host))
        return "the Host header names another server";
    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) <= 0)
        return origin_needed ? "the Origin header is missing" : NULL;
    if (!header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) || !origin_is(s, origin, &host))
        return "the Origin header names another site";
    return NULL;
}

SessionPeer admission_peer(struct lws *wsi)
{
    struct sockaddr_storage at = {0};
    socklen_t len = sizeof at;
    SessionPeer peer = 0;
    if (getpeername(lws_get_socket_fd(wsi), (struct sockaddr *)&at, &len) != 0)
        return peer;
    if (at.ss_family == AF_INET)
        peer = ((const struct sockaddr_in *)&at)->sin_addr.s_addr;
    if (at.ss_family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)&at)->sin6_addr;
        bool is_four = IN6_IS_ADDR_V4MAPPED(six);
        memcpy(&peer, six->s6_addr + (is_four ? 12 : 0), is_four ? 4 : sizeof peer);
    }
    return peer;
}

bool admission_token(const Server *s, struct lws *wsi, char token[SESSION_TOKEN_SIZE])
{
    char name[32];
    size_t len = SESSION_TOKEN_SIZE;
    snprintf(name, sizeof name, "castellan_%d", s->port);
    return lws_http_cookie_get(wsi, name, token, &len) == 0 &&
           sessions_renew(s->sessions, admission_peer(wsi), span_of(token), clock_now_ms());
}
