/* The cells of a canvas and its device: the Windows console (device_windows.c), or a terminal that
 * understands VT sequences (device_posix.c). */
#ifndef TERM_CANVAS_INT_H
#define TERM_CANVAS_INT_H

#include "base/text.h"
#include "term/canvas.h"

/* -- Cells -- */

typedef struct CanvasCell {
    /* one character of UTF-8, perhaps with a variation selector; "" behind one of two columns */
    char text[8];
    Paint paint;
} CanvasCell;

typedef struct CanvasGrid {
    int lines, columns;
    int cursor_y, cursor_x;
    CanvasCell *cells;
} CanvasGrid;

static inline bool paint_equal(const Paint *a, const Paint *b)
{
    return a->ink == b->ink && a->ground == b->ground && a->bold == b->bold &&
           a->reverse == b->reverse;
}

bool cell_equal(const CanvasCell *a, const CanvasCell *b);

/* -- VT sequences (vt.c) -- */

/* Appends what makes a terminal that shows `shown` show `now`; NULL: one that shows anything. */
void vt_draw(const CanvasGrid *now, const CanvasGrid *shown, int colors, Text *out);

/* The key that the bytes begin with, and how many they are; CANVAS_NO_KEY: the beginning of
 * one. `whole`: no more bytes will come soon. */
int vt_key(const char *bytes, size_t len, bool whole, size_t *used, CanvasMouse *mouse);

/* Sent first and last: the alternate screen, and the mouse where the terminal reports it so. */
extern const char vt_begin[], vt_end[];
extern const char vt_mouse_on[], vt_mouse_off[];

/* -- Devices -- */

typedef struct Device Device;

Status device_open(Device **out, FILE *in, FILE *tty, CanvasAbilities *can, Message *why);
void device_close(Device *d);
void device_size(const Device *d, int *lines, int *columns);
void device_draw(Device *d, const CanvasGrid *now, const CanvasGrid *shown);
int device_key(Device *d, CanvasMouse *mouse);
bool device_wait(Device *d, int ms);
void device_wake(Device *d);
void device_suspend(Device *d);

#endif
