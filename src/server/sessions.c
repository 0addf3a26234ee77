#include "server/sessions_int.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    MAX_SESSIONS = 256, /* the one unused for longest goes */
    MAX_PEERS = 1024,   /* addresses whose wrong guesses are remembered */
    MAX_GUESSES = 5,
    GUESS_WINDOW_MS = 60000
};

typedef struct Session {
    char token[SESSION_TOKEN_SIZE]; /* empty: free */
    SessionPeer peer;
    int64_t used;
} Session;

typedef struct Guesses {
    SessionPeer peer;
    int count;
    int64_t since;
} Guesses;

struct Sessions {
    const char *password;
    Session sessions[MAX_SESSIONS];
    Guesses guesses[MAX_PEERS];
};

Status sessions_open(Sessions **out, const char *password, Message *why)
{
    Sessions *s = calloc(1, sizeof *s);
    if (!s)
        return status_fail(why, STATUS_MEMORY, "not enough memory for sessions");
    s->password = password;
    *out = s;
    return STATUS_OK;
}

void sessions_close(Sessions *s)
{
    free(s);
}

/* Takes as long for a wrong guess as for a right one. */
static bool same_secret(Span a, const char *b)
{
    size_t len = strlen(b);
    unsigned differs = a.len != len;
    for (size_t i = 0; i < a.len; i++)
        differs |= (unsigned char)(a.at[i] ^ b[len ? i % len : 0]);
    return !differs;
}

/* -- Tokens -- */

static Session *find(Sessions *s, Span token)
{
    Session *found = NULL;
    for (int i = 0; i < MAX_SESSIONS; i++)
        if (s->sessions[i].token[0] && same_secret(token, s->sessions[i].token))
            found = &s->sessions[i];
    return found;
}

bool sessions_renew(Sessions *s, SessionPeer peer, Span token, int64_t now_ms)
{
    Session *session = find(s, token);
    if (!session || session->peer != peer)
        return false;
    if (now_ms - session->used > SESSION_SECONDS * INT64_C(1000)) {
        session->token[0] = '\0';
        return false;
    }
    session->used = now_ms;
    return true;
}

void sessions_end(Sessions *s, Span token)
{
    Session *session = find(s, token);
    if (session)
        session->token[0] = '\0';
}

static Session *free_place(Sessions *s)
{
    Session *oldest = &s->sessions[0];
    for (int i = 0; i < MAX_SESSIONS; i++) {
        Session *at = &s->sessions[i];
        if (!at->token[0])
            return at;
        if (at->used < oldest->used)
            oldest = at;
    }
    return oldest;
}

static Status make_token(char token[SESSION_TOKEN_SIZE], Message *why)
{
    unsigned char bytes[(SESSION_TOKEN_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return status_fail(why, STATUS_IO, "cannot get random numbers from the system");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return STATUS_OK;
}

/* -- Passwords -- */

/* The entry of this address, or the oldest one for it. */
static Guesses *guesses_of(Sessions *s, SessionPeer peer, int64_t now_ms)
{
    Guesses *oldest = &s->guesses[0];
    for (int i = 0; i < MAX_PEERS; i++) {
        Guesses *g = &s->guesses[i];
        if (g->count && g->peer == peer) {
            if (now_ms - g->since > GUESS_WINDOW_MS)
                g->count = 0;
            return g;
        }
        if (!g->count || (oldest->count && g->since < oldest->since))
            oldest = g;
    }
    *oldest = (Guesses){.peer = peer, .since = now_ms};
    return oldest;
}

static Status check_password(Sessions *s, SessionPeer peer, Span password, int64_t now_ms,
                             Message *why)
{
    if (!s->password)
        return STATUS_OK;
    if (!password.len)
        return status_fail(why, STATUS_INVALID, "password required");
    Guesses *g = guesses_of(s, peer, now_ms);
    if (g->count >= MAX_GUESSES)
        return status_fail(why, STATUS_REFUSED, "too many wrong passwords; wait a minute");
    if (same_secret(password, s->password))
        return STATUS_OK;
    if (!g->count++)
        g->since = now_ms;
    return status_fail(why, STATUS_INVALID, "wrong password");
}

Status sessions_begin(Sessions *s, SessionPeer peer, Span password, int64_t now_ms,
                      char token[SESSION_TOKEN_SIZE], Message *why)
{
    Status status = check_password(s, peer, password, now_ms, why);
    if (status == STATUS_OK)
        status = make_token(token, why);
    if (status != STATUS_OK)
        return status;
    Session *place = free_place(s);
    *place = (Session){.peer = peer, .used = now_ms};
    memcpy(place->token, token, SESSION_TOKEN_SIZE);
    return STATUS_OK;
}
