/* The sockets under civetweb's connections. It keeps them to itself, but what hostile clients do must
 * be seen before it gives them a buffer or a thread for long. */
#include "service/service_int.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum {
    LOOK_MS = 100,
    /* How long may pass when many threads are taken: */
    SILENT_MS = 100,     /* without a byte of a request */
    WORK_MS = 5000,      /* from its head to the last byte of the answer */
    TRUSTED_MS = 300000, /* the same, with the token: imports and exports are large */
    DRAIN_MS = 1000,
    DRAIN_BYTES = 4 << 20
};

/* -- Finding -- */

typedef int EndOf(int fd, struct sockaddr *at, socklen_t *len);

static int port_of(const struct sockaddr_storage *at)
{
    if (at->ss_family == AF_INET)
        return ntohs(((const struct sockaddr_in *)at)->sin_port);
    if (at->ss_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)at)->sin6_port);
    return -1;
}

static bool end_is(EndOf *end, int fd, const char *host, int port)
{
    struct sockaddr_storage at;
    socklen_t len = sizeof at;
    char name[64];
    if (end(fd, (struct sockaddr *)&at, &len) != 0 || port_of(&at) != port)
        return false;
    return !host || (getnameinfo((struct sockaddr *)&at, len, name, sizeof name, NULL, 0,
                                 NI_NUMERICHOST) == 0 &&
                     strcmp(name, host) == 0);
}

/* By the other end and our port, since civetweb does not tell our address: whoever connects from one port to
 * two addresses of this machine may get his own connections mixed up. */
static int find_socket(const Service *service, const struct mg_connection *c)
{
    const struct mg_request_info *info = mg_get_request_info(c);
    for (int fd = 0; fd < WEB_MOST_FILES; fd++)
        if (!atomic_load(&service->arrivals.known[fd]) &&
            end_is(getpeername, fd, info->remote_addr, info->remote_port) &&
            end_is(getsockname, fd, NULL, info->server_port))
            return fd;
    return -1;
}

/* -- Arriving -- */

/* What a connection carries for us: nothing, ARRIVING, or its socket's number and KNOWN. */
enum { ARRIVING = 1, KNOWN = 2 };

void wire_arrives(Service *service, void **mark)
{
    atomic_fetch_add(&service->arrivals.waiting, 1);
    *mark = (void *)(uintptr_t)ARRIVING;
}

void wire_asks(Service *service, struct mg_connection *c)
{
    if ((uintptr_t)mg_get_user_connection_data(c) != ARRIVING)
        return;
    int fd = find_socket(service, c);
    atomic_fetch_sub(&service->arrivals.waiting, 1);
    if (fd >= 0)
        atomic_store(&service->arrivals.known[fd], true);
    mg_set_user_connection_data(c, (void *)(uintptr_t)(fd >= 0 ? fd + KNOWN : 0));
}

int wire_socket(const struct mg_connection *c)
{
    uintptr_t mark = (uintptr_t)mg_get_user_connection_data(c);
    return mark >= KNOWN ? (int)(mark - KNOWN) : -1;
}

/* -- Answering -- */

void wire_works(Service *service, const struct mg_connection *c, bool trusted)
{
    Arrivals *a = &service->arrivals;
    int fd = wire_socket(c);
    int64_t due = clock_now_ms() + (trusted ? TRUSTED_MS : WORK_MS);
    if (fd >= 0 && !atomic_exchange(&a->due[fd], due))
        atomic_fetch_add(&a->at_work, 1);
}

void wire_rests(Service *service, const struct mg_connection *c)
{
    Arrivals *a = &service->arrivals;
    int fd = wire_socket(c);
    if (fd >= 0 && atomic_exchange(&a->due[fd], 0))
        atomic_fetch_sub(&a->at_work, 1);
}

void wire_leaves(Service *service, const struct mg_connection *c)
{
    int fd = wire_socket(c);
    wire_rests(service, c);
    if ((uintptr_t)mg_get_user_connection_data(c) == ARRIVING)
        atomic_fetch_sub(&service->arrivals.waiting, 1);
    else if (fd >= 0)
        atomic_store(&service->arrivals.known[fd], false);
}

/* -- Watching -- */

/* The other end's port when it is a connection to us whose request did not come yet; -1 otherwise. */
static int silent_port(const Service *service, int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    struct sockaddr_storage at;
    socklen_t len = sizeof at;
    if (atomic_load(&service->arrivals.known[fd]) ||
        !end_is(getsockname, fd, NULL, service->port) ||
        getpeername(fd, (struct sockaddr *)&at, &len) != 0)
        return -1;
    /* Bytes that nobody has read wait for a thread: that is not its fault. */
    return poll(&p, 1, 0) > 0 ? -1 : port_of(&at);
}

static bool is_silent(Service *service, int fd, int64_t now)
{
    Arrivals *a = &service->arrivals;
    int port = silent_port(service, fd);
    if (port >= 0 && port == a->port[fd])
        return now - a->since[fd] >= SILENT_MS;
    a->port[fd] = port;
    a->since[fd] = now;
    return false;
}

/* Its body drips in, or nobody reads the answer. */
static bool is_late(const Service *service, int fd, int64_t now)
{
    int64_t due = atomic_load(&service->arrivals.due[fd]);
    return due && now > due;
}

void wire_watch(Service *service)
{
    Arrivals *a = &service->arrivals;
    int64_t now = clock_now_ms();
    int taken = atomic_load(&a->waiting) + atomic_load(&a->at_work);
    if (2 * taken < WEB_REQUEST_THREADS || now - a->looked < LOOK_MS)
        return;
    a->looked = now;
    for (int fd = 0; fd < WEB_MOST_FILES; fd++)
        if (is_silent(service, fd, now) || is_late(service, fd, now))
            shutdown(fd, SHUT_RDWR);
}

/* -- Leaving -- */

void wire_end(int fd)
{
    char bytes[4096];
    size_t total = 0;
    int64_t until = clock_now_ms() + DRAIN_MS;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (fd < 0)
        return;
    shutdown(fd, SHUT_WR);
    while (total < DRAIN_BYTES && clock_now_ms() < until && poll(&p, 1, DRAIN_MS) > 0) {
        ssize_t n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n <= 0)
            break;
        total += (size_t)n;
    }
    shutdown(fd, SHUT_RDWR);
}
