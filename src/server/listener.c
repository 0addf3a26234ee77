/* The listening socket, and the connections that have sent nothing yet. The library gets a
 * connection with its first byte: it accepts everything that waits in one go and ends what is
 * overdue in one go, and nobody else would be served meanwhile. Here a step takes few, and silent
 * connections cost next to nothing. */
#include "server/server_int.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    STEP = 64, /* connections at once; then everybody else has a turn */
    BACKLOG = 4096,
    SILENT_MS = 2000,
    PAUSE_MS = 50 /* when no descriptor is left for another connection */
};

/* A connection without a byte; the oldest comes first. */
typedef struct Silent {
    struct Silent *next, *previous;
    int fd;
    int64_t due;
} Silent;

struct Listener {
    Server *server;
    int socket, events;
    Silent all;       /* the ring's end */
    int count, limit; /* how many may be silent */
    int files;        /* descriptors from here on are for other files */
    lws_sorted_usec_list_t timer, pause;
};

/* -- Silent connections -- */

static void forget(Listener *l, Silent *c)
{
    c->next->previous = c->previous;
    c->previous->next = c->next;
    l->count--;
    free(c);
}

static void end_silent(Listener *l, Silent *c)
{
    close(c->fd);
    forget(l, c);
}

static void end_overdue(lws_sorted_usec_list_t *timer)
{
    Listener *l = lws_container_of(timer, Listener, timer);
    int64_t now = clock_now_ms();
    for (int i = 0; i < STEP && l->count && l->all.next->due <= now; i++)
        end_silent(l, l->all.next);
    if (!l->count)
        return;
    int64_t wait = l->all.next->due - now;
    lws_sul_schedule(l->server->context, 0, timer, end_overdue, (wait > 1 ? wait : 1) * 1000);
}

static void add_silent(Listener *l, int fd)
{
    Silent *c = malloc(sizeof *c);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (!c || epoll_ctl(l->events, EPOLL_CTL_ADD, fd, &event) != 0) {
        free(c);
        close(fd);
        return;
    }
    *c = (Silent){&l->all, l->all.previous, fd, clock_now_ms() + SILENT_MS};
    c->previous->next = c->next->previous = c;
    if (!l->count++)
        lws_sul_schedule(l->server->context, 0, &l->timer, end_overdue, SILENT_MS * 1000);
}

/* A connection that cannot be accepted would wake the loop again and again. */
static void watch_socket(Listener *l, bool on)
{
    struct epoll_event event = {.events = on ? EPOLLIN : 0};
    epoll_ctl(l->events, EPOLL_CTL_MOD, l->socket, &event);
}

static void end_pause(lws_sorted_usec_list_t *timer)
{
    watch_socket(lws_container_of(timer, Listener, pause), true);
}

static void pause_accepting(Listener *l)
{
    watch_socket(l, false);
    lws_sul_schedule(l->server->context, 0, &l->pause, end_pause, PAUSE_MS * 1000);
}

/* Room for another connection when the system has none: the oldest silent one goes. */
static void free_descriptor(Listener *l)
{
    if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM)
        return;
    if (l->count)
        end_silent(l, l->all.next);
    else
        pause_accepting(l);
}

static void accept_some(Listener *l)
{
    const int on = 1;
    for (int i = 0; i < STEP; i++) {
        if (l->count >= l->limit)
            end_silent(l, l->all.next);
        int fd = accept4(l->socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= l->files) {
            close(fd);
            errno = EMFILE;
            fd = -1;
        }
        if (fd < 0) {
            free_descriptor(l);
            return;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        add_silent(l, fd);
    }
}

/* The first byte has come, or the end. */
static void hand_over(Listener *l, Silent *c)
{
    const Server *s = l->server;
    char byte;
    if (recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 1) {
        end_silent(l, c);
        return;
    }
    epoll_ctl(l->events, EPOLL_CTL_DEL, c->fd, NULL);
    lws_sock_file_fd_type fd = {.sockfd = c->fd};
    forget(l, c);
    int type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | (s->tls ? LWS_ADOPT_ALLOW_SSL : 0);
    lws_adopt_descriptor_vhost(s->vhost, (lws_adoption_type)type, fd, NULL, NULL);
}

void listener_event(Listener *l)
{
    struct epoll_event events[STEP];
    int count = epoll_wait(l->events, events, STEP, 0);
    bool waiting = false;
    for (int i = 0; i < count; i++)
        if (events[i].data.ptr)
            hand_over(l, events[i].data.ptr);
        else
            waiting = true;
    if (waiting) /* last: it may end connections that are in `events` */
        accept_some(l);
}

/* -- Opening -- */

typedef union Address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} Address;

static socklen_t make_address(const ServerOptions *o, Address *a)
{
    *a = (Address){0};
    if (inet_pton(AF_INET, o->host, &a->four.sin_addr) == 1) {
        a->four.sin_family = AF_INET;
        a->four.sin_port = htons((uint16_t)o->port);
        return sizeof a->four;
    }
    inet_pton(AF_INET6, o->host, &a->six.sin6_addr);
    a->six.sin6_family = AF_INET6;
    a->six.sin6_port = htons((uint16_t)o->port);
    return sizeof a->six;
}

static bool open_socket(Listener *l, const ServerOptions *o)
{
    const int on = 1;
    Address a;
    socklen_t len = make_address(o, &a);
    l->socket = socket(a.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (l->socket < 0 || setsockopt(l->socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(l->socket, &a.any, len) != 0 || listen(l->socket, BACKLOG) != 0 ||
        getsockname(l->socket, &a.any, &len) != 0)
        return false;
    l->server->port = ntohs(a.any.sa_family == AF_INET ? a.four.sin_port : a.six.sin6_port);
    return true;
}

Status listener_open(Server *s, int files, Message *why)
{
    const ServerOptions *o = s->options;
    struct epoll_event event = {.events = EPOLLIN};
    Listener *l = s->listener = malloc(sizeof *l);
    if (!l)
        return status_fail(why, STATUS_MEMORY, "not enough memory to listen");
    *l =
        (Listener){.server = s, .socket = -1, .events = -1, .limit = files / 4 * 3, .files = files};
    l->all.next = l->all.previous = &l->all;
    if (!open_socket(l, o))
        return status_fail(why, STATUS_REFUSED, "cannot listen on %s:%d: %s", o->host, o->port,
                           strerror(errno));
    l->events = epoll_create1(EPOLL_CLOEXEC);
    if (l->events < 0 || epoll_ctl(l->events, EPOLL_CTL_ADD, l->socket, &event) != 0)
        return status_fail(why, STATUS_IO, "cannot wait for connections: %s", strerror(errno));
    return STATUS_OK;
}

/* The library closes what it gets. */
Status listener_start(const Listener *l, Message *why)
{
    lws_sock_file_fd_type fd = {.filefd = fcntl(l->events, F_DUPFD_CLOEXEC, 0)};
    if (fd.filefd >= 0 &&
        lws_adopt_descriptor_vhost(l->server->vhost, LWS_ADOPT_RAW_FILE_DESC, fd, "http", NULL))
        return STATUS_OK;
    return status_fail(why, STATUS_MEMORY, "not enough memory to listen");
}

void listener_close(Listener *l)
{
    if (!l)
        return;
    while (l->count)
        end_silent(l, l->all.next);
    if (l->events >= 0)
        close(l->events);
    if (l->socket >= 0)
        close(l->socket);
    free(l);
}
