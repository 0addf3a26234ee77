#include "term/canvas_int.h"

#include <string.h>

/* A bare console has a font of 256 or 512 characters, and chess figures are not among them. */
bool terminal_has_figures(const char *name)
{
    static const char *const without[] = {"linux", "vt", "ansi", "cons", "sun", "dumb"};
    for (size_t i = 0; name && i < sizeof without / sizeof *without; i++)
        if (strncmp(name, without[i], strlen(without[i])) == 0)
            return false;
    return name != NULL;
}

char shape_ascii(CanvasShape shape)
{
    return shape == SHAPE_HORIZONTAL ? '-' : shape == SHAPE_VERTICAL ? '|' : '+';
}

void canvas_box(Canvas *c, int y, int x, int h, int w, Paint paint)
{
    for (int i = 0; i < h; i++)
        canvas_row(c, y + i, x, w, paint, ' ');
    for (int i = 1; i < w - 1; i++) {
        canvas_shape(c, y, x + i, paint, SHAPE_HORIZONTAL);
        canvas_shape(c, y + h - 1, x + i, paint, SHAPE_HORIZONTAL);
    }
    for (int i = 1; i < h - 1; i++) {
        canvas_shape(c, y + i, x, paint, SHAPE_VERTICAL);
        canvas_shape(c, y + i, x + w - 1, paint, SHAPE_VERTICAL);
    }
    canvas_shape(c, y, x, paint, SHAPE_UPPER_LEFT);
    canvas_shape(c, y, x + w - 1, paint, SHAPE_UPPER_RIGHT);
    canvas_shape(c, y + h - 1, x, paint, SHAPE_LOWER_LEFT);
    canvas_shape(c, y + h - 1, x + w - 1, paint, SHAPE_LOWER_RIGHT);
}
