/* Sessions: a random token each, bound to the client's address, that ends a day after its last use
 * or when the client logs out. Wrong passwords are counted for each address, so that nobody locks
 * out another. */
#ifndef SERVER_SESSIONS_INT_H
#define SERVER_SESSIONS_INT_H

#include "base/status.h"
#include "base/text.h"

#include <stdint.h>

enum { SESSION_TOKEN_SIZE = 33, SESSION_SECONDS = 24 * 3600 };

/* An IPv4 address, or the network (the first 64 bits) of an IPv6 address. */
typedef uint64_t SessionPeer;

typedef struct Sessions Sessions;

Status sessions_open(Sessions **s, const char *password, Message *why); /* NULL: none */
void sessions_close(Sessions *s);

/* True, and good for another day, when the token is one of this peer's. */
bool sessions_renew(Sessions *s, SessionPeer peer, Span token, int64_t now_ms);
void sessions_end(Sessions *s, Span token);

/* A new session. STATUS_INVALID: the password is wrong or missing, STATUS_REFUSED: too many wrong
 * ones from there. */
Status sessions_begin(Sessions *s, SessionPeer peer, Span password, int64_t now_ms,
                      char token[SESSION_TOKEN_SIZE], Message *why);

#endif
