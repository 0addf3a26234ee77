/* A terminal as cells with characters and colours, and what is typed and clicked in it. */
#ifndef TERM_CANVAS_H
#define TERM_CANVAS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct Canvas Canvas;

/* Colours are those of xterm's table of 256, the first eight in ANSI's order. */
enum {
    ANSI_DEFAULT = -1, /* the terminal's own */
    ANSI_BLACK = 0,
    ANSI_RED,
    ANSI_GREEN,
    ANSI_YELLOW,
    ANSI_BLUE,
    ANSI_MAGENTA,
    ANSI_CYAN,
    ANSI_WHITE
};

typedef struct Paint {
    short ink, ground; /* colours */
    bool bold, reverse;
} Paint;

typedef enum CanvasShape {
    SHAPE_HORIZONTAL,
    SHAPE_VERTICAL,
    SHAPE_UPPER_LEFT,
    SHAPE_UPPER_TEE,
    SHAPE_UPPER_RIGHT,
    SHAPE_LEFT_TEE,
    SHAPE_CROSS,
    SHAPE_RIGHT_TEE,
    SHAPE_LOWER_LEFT,
    SHAPE_LOWER_TEE,
    SHAPE_LOWER_RIGHT,
    SHAPE_COUNT
} CanvasShape;

/* Keys below 256 are characters. The function keys, and what is like them, come last. */
enum {
    CANVAS_NO_KEY = -1,
    CANVAS_UP = 256,
    CANVAS_DOWN,
    CANVAS_LEFT,
    CANVAS_RIGHT,
    CANVAS_HOME,
    CANVAS_END,
    CANVAS_PAGE_UP,
    CANVAS_PAGE_DOWN,
    CANVAS_ENTER,
    CANVAS_F1,
    CANVAS_MOUSE,
    CANVAS_OTHER_KEY
};

typedef enum MouseAction {
    MOUSE_PRESS,
    MOUSE_RELEASE,
    MOUSE_WHEEL_UP,
    MOUSE_WHEEL_DOWN
} MouseAction;

typedef struct CanvasMouse {
    int y, x;
    MouseAction action; /* of the left button, or of the wheel */
} CanvasMouse;

typedef struct CanvasAbilities {
    int colors;   /* 0, 8, 16 or 256 */
    bool utf8;    /* text beyond ASCII can be shown */
    bool figures; /* the font is known to have chess figures */
} CanvasAbilities;

/* STATUS_REFUSED: this terminal cannot show it, and why. ASCII: nothing else is shown. */
Status canvas_open(Canvas **out, FILE *in, FILE *tty, bool ascii, Message *why);
void canvas_close(Canvas *c); /* the terminal is as it was before; NULL is allowed */

const CanvasAbilities *canvas_abilities(const Canvas *c);
int canvas_lines(const Canvas *c);
int canvas_columns(const Canvas *c);

/* Drawing. Nothing is seen before canvas_show, which sends what has changed; what lies outside is
 * left out. */
void canvas_clear(Canvas *c);
void canvas_show(Canvas *c);
void canvas_redraw(Canvas *c); /* the next canvas_show sends everything */
void canvas_cursor(Canvas *c, int y, int x);
void canvas_char(Canvas *c, int y, int x, Paint paint, char ascii);
void canvas_row(Canvas *c, int y, int x, int width, Paint paint, char ascii);
void canvas_shape(Canvas *c, int y, int x, Paint paint, CanvasShape shape);
void canvas_box(Canvas *c, int y, int x, int h, int w, Paint paint);

/* Text of at most `width` columns, what the terminal cannot show as '?'. Returns the columns
 * used. */
int canvas_text(Canvas *c, int y, int x, int width, Paint paint, const char *text);

/* The next key, CANVAS_NO_KEY when there is none yet. *mouse belongs to CANVAS_MOUSE. */
int canvas_key(Canvas *c, CanvasMouse *mouse);

/* Waits for a key, for canvas_wake or at most `ms`; false when the terminal has gone. */
bool canvas_wait(Canvas *c, int ms);
void canvas_wake(Canvas *c); /* from any thread */

void canvas_suspend(Canvas *c); /* Ctrl-Z: back when the shell continues us */

#endif
