/* A terminal that understands VT sequences. */
#include "base/file.h"
#include "base/stream.h"
#include "term/canvas_int.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { ESCAPE_MS = 100, KEY_BYTES = 256 };

struct Device {
    int in, out;
    Stream *stream; /* of `in` */
    CanvasAbilities can;
    struct termios before;
    char bytes[KEY_BYTES];
    size_t len;
};

static bool has(const char *text, const char *part)
{
    return text && strstr(text, part) != NULL;
}

static bool starts_with_one(const char *name, const char *const *parts)
{
    while (*parts && strncmp(name, *parts, strlen(*parts)) != 0)
        parts++;
    return *parts != NULL;
}

static void find_abilities(CanvasAbilities *can, const char *name)
{
    /* A bare console has a font of 256 or 512 characters, without chess figures. */
    static const char *const bare[] = {"linux", "vt", "ansi", "cons", "sun", NULL};
    static const char *const colorful[] = {"alacritty", "foot", "xterm-direct", "xterm-kitty",
                                           NULL};
    const char *more = getenv("COLORTERM");
    setlocale(LC_CTYPE, "");
    can->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    can->figures = can->utf8 && !starts_with_one(name, bare);
    bool many = has(name, "256") || starts_with_one(name, colorful) || has(more, "color") ||
                has(more, "24bit");
    can->colors = strncmp(name, "vt", 2) == 0 ? 0 : many ? 256 : 8;
}

static void send(const Device *d, const char *text)
{
    file_write_all(d->out, text, strlen(text));
}

static void begin(Device *d)
{
    struct termios raw = d->before;
    cfmakeraw(&raw);
    tcsetattr(d->in, TCSADRAIN, &raw);
    send(d, vt_begin);
    send(d, vt_mouse_on);
}

static void end(Device *d)
{
    send(d, vt_mouse_off);
    send(d, vt_end);
    tcsetattr(d->in, TCSAFLUSH, &d->before);
}

/* As terminfo has them: without addressing of the cursor. */
static bool cannot_move(const char *name)
{
    static const char *const names[] = {"", "dumb", "unknown", "emacs", "network", "dialup"};
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return !name;
}

Status device_open(Device **out, FILE *in, FILE *tty, CanvasAbilities *can, Message *why)
{
    const char *name = getenv("TERM");
    *out = NULL;
    if (cannot_move(name))
        return status_fail(why, STATUS_REFUSED, "the terminal \"%s\" cannot move its cursor",
                           name ? name : "");
    Device *d = calloc(1, sizeof *d);
    if (!d)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the screen");
    d->in = fileno(in);
    d->out = fileno(tty);
    Status s = tcgetattr(d->in, &d->before) == 0
                   ? stream_open(&d->stream, d->in, why)
                   : status_fail(why, STATUS_IO, "cannot set up the terminal: %s", strerror(errno));
    if (s != STATUS_OK) {
        free(d);
        return s;
    }
    find_abilities(&d->can, name);
    *can = d->can;
    begin(d);
    *out = d;
    return STATUS_OK;
}

void device_close(Device *d)
{
    if (!d)
        return;
    end(d);
    stream_close(d->stream);
    free(d);
}

void device_size(const Device *d, int *lines, int *columns)
{
    struct winsize size;
    bool known = ioctl(d->out, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col;
    *lines = known ? size.ws_row : 24;
    *columns = known ? size.ws_col : 80;
}

void device_draw(Device *d, const CanvasGrid *now, const CanvasGrid *shown)
{
    Text t = text_new();
    vt_draw(now, shown, d->can.colors, &t);
    if (!t.failed)
        send(d, t.at);
    text_free(&t);
}

/* -- Keys -- */

static void read_bytes(Device *d)
{
    ssize_t got = read(d->in, d->bytes + d->len, sizeof d->bytes - d->len);
    d->len += got > 0 ? (size_t)got : 0;
}

int device_key(Device *d, CanvasMouse *mouse)
{
    size_t used;
    if (!d->len && file_wait(d->in, 0))
        read_bytes(d);
    if (!d->len)
        return CANVAS_NO_KEY;
    int key = vt_key(d->bytes, d->len, d->len == sizeof d->bytes, &used, mouse);
    while (key == CANVAS_NO_KEY) {
        bool more = file_wait(d->in, ESCAPE_MS);
        size_t before = d->len;
        if (more)
            read_bytes(d);
        key = vt_key(d->bytes, d->len, d->len == before || d->len == sizeof d->bytes, &used, mouse);
    }
    memmove(d->bytes, d->bytes + used, d->len - used);
    d->len -= used;
    return key;
}

bool device_wait(Device *d, int ms)
{
    return d->len || stream_wait(d->stream, ms);
}

void device_wake(Device *d)
{
    stream_wake(d->stream);
}

void device_suspend(Device *d)
{
    end(d);
    kill(getpid(), SIGTSTP);
    begin(d);
}
