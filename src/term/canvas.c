/* The cells that are wanted and the cells that are seen. */
#include "term/canvas_int.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 500, MOST_COLUMNS = 1000 };

struct Canvas {
    Device *device;
    bool all; /* what is seen is not known */
    CanvasAbilities can;
    CanvasGrid now, shown;
};

bool cell_equal(const CanvasCell *a, const CanvasCell *b)
{
    return strcmp(a->text, b->text) == 0 && paint_equal(&a->paint, &b->paint);
}

static CanvasCell *cell_at(const Canvas *c, int y, int x)
{
    bool inside = y >= 0 && y < c->now.lines && x >= 0 && x < c->now.columns;
    return inside ? &c->now.cells[y * c->now.columns + x] : NULL;
}

/* -- Opening and closing -- */

static bool fit(Canvas *c)
{
    int lines, columns;
    device_size(c->device, &lines, &columns);
    lines = lines < 1 ? 1 : lines > MOST_LINES ? MOST_LINES : lines;
    columns = columns < 1 ? 1 : columns > MOST_COLUMNS ? MOST_COLUMNS : columns;
    if (lines == c->now.lines && columns == c->now.columns)
        return true;
    size_t count = (size_t)lines * (size_t)columns;
    CanvasCell *now = calloc(count, sizeof *now), *shown = calloc(count, sizeof *shown);
    if (!now || !shown) {
        free(now);
        free(shown);
        return false;
    }
    free(c->now.cells);
    free(c->shown.cells);
    c->now = (CanvasGrid){.lines = lines, .columns = columns, .cells = now};
    c->shown = (CanvasGrid){.lines = lines, .columns = columns, .cells = shown};
    c->all = true;
    return true;
}

Status canvas_open(Canvas **out, FILE *in, FILE *tty, bool ascii, Message *why)
{
    Canvas *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the screen");
    Status s = device_open(&c->device, in, tty, &c->can, why);
    if (s == STATUS_OK && !fit(c))
        s = status_fail(why, STATUS_MEMORY, "not enough memory for the screen");
    c->can.utf8 = c->can.utf8 && !ascii;
    c->can.figures = c->can.figures && !ascii;
    if (s == STATUS_OK)
        canvas_clear(c);
    return GIVE_OR_CLOSE(s, out, c, canvas_close);
}

void canvas_close(Canvas *c)
{
    if (!c)
        return;
    device_close(c->device);
    free(c->now.cells);
    free(c->shown.cells);
    free(c);
}

const CanvasAbilities *canvas_abilities(const Canvas *c)
{
    return &c->can;
}

int canvas_lines(const Canvas *c)
{
    return c->now.lines;
}

int canvas_columns(const Canvas *c)
{
    return c->now.columns;
}

/* -- Drawing -- */

/* The window may have another size by now; without memory for it the old one stays. */
void canvas_clear(Canvas *c)
{
    const CanvasCell blank = {.text = " ", .paint = {.ink = ANSI_DEFAULT, .ground = ANSI_DEFAULT}};
    fit(c);
    for (int i = 0; i < c->now.lines * c->now.columns; i++)
        c->now.cells[i] = blank;
}

void canvas_show(Canvas *c)
{
    device_draw(c->device, &c->now, c->all ? NULL : &c->shown);
    memcpy(c->shown.cells, c->now.cells,
           (size_t)c->now.lines * (size_t)c->now.columns * sizeof *c->now.cells);
    c->shown.cursor_y = c->now.cursor_y;
    c->shown.cursor_x = c->now.cursor_x;
    c->all = false;
}

void canvas_redraw(Canvas *c)
{
    c->all = true;
}

void canvas_cursor(Canvas *c, int y, int x)
{
    c->now.cursor_y = y < c->now.lines ? y : c->now.lines - 1;
    c->now.cursor_x = x < c->now.columns ? x : c->now.columns - 1;
}

static void put(Canvas *c, int y, int x, Paint paint, const char *text, size_t len)
{
    CanvasCell *cell = cell_at(c, y, x);
    if (!cell)
        return;
    *cell = (CanvasCell){.paint = paint};
    memcpy(cell->text, text, len);
}

void canvas_char(Canvas *c, int y, int x, Paint paint, char ascii)
{
    put(c, y, x, paint, &ascii, 1);
}

void canvas_row(Canvas *c, int y, int x, int width, Paint paint, char ascii)
{
    for (int i = 0; i < width; i++)
        put(c, y, x + i, paint, &ascii, 1);
}

void canvas_shape(Canvas *c, int y, int x, Paint paint, CanvasShape shape)
{
    static const char *const shapes[SHAPE_COUNT] = {"─", "│", "┌", "┬", "┐", "├",
                                                    "┼", "┤", "└", "┴", "┘"};
    const char *text = c->can.utf8                 ? shapes[shape]
                       : shape == SHAPE_HORIZONTAL ? "-"
                       : shape == SHAPE_VERTICAL   ? "|"
                                                   : "+";
    put(c, y, x, paint, text, strlen(text));
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

/* The character at the beginning of the text and its length; 0 for what is not UTF-8. */
static uint32_t decode(const char *text, size_t *len)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t more = at[0] < 0x80 ? 0 : at[0] >= 0xf0 ? 3 : at[0] >= 0xe0 ? 2 : at[0] >= 0xc2 ? 1 : 4;
    uint32_t code = more == 0 ? at[0] : at[0] & (0x3fu >> more);
    *len = 1;
    if (more > 3)
        return 0;
    for (size_t i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    *len = more + 1;
    return code;
}

/* Columns of a character: 0 for one that joins the one before, -1 for one that is not shown. */
static int width_of(uint32_t code)
{
    static const struct {
        uint32_t first, end;
        int columns;
    } ranges[] = {
        {' ', 0x7f, 1},      {0xa0, 0x300, 1},      {0x300, 0x370, 0},     {0x370, 0x1100, 1},
        {0x1100, 0x1160, 2}, {0x1e00, 0x200b, 1},   {0x200d, 0x200e, 0},   {0x2010, 0x2e80, 1},
        {0x2e80, 0xa4d0, 2}, {0xac00, 0xd7a4, 2},   {0xf900, 0xfb00, 2},   {0xfe00, 0xfe10, 0},
        {0xff00, 0xff61, 2}, {0x1f300, 0x1fb00, 2}, {0x20000, 0x3fffe, 2},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code < ranges[i].end)
            return ranges[i].columns;
    return -1;
}

static void join(Canvas *c, int y, int x, const char *text, size_t len)
{
    CanvasCell *cell = cell_at(c, y, x);
    size_t used = cell ? strlen(cell->text) : 0;
    if (cell && used + len < sizeof cell->text)
        memcpy(cell->text + used, text, len);
}

int canvas_text(Canvas *c, int y, int x, int width, Paint paint, const char *text)
{
    int used = 0;
    while (*text) {
        size_t len;
        uint32_t code = decode(text, &len);
        int columns = width_of(code);
        bool known = columns >= 0 && (c->can.utf8 || code < 128);
        if (columns == 0 && used) {
            if (known)
                join(c, y, x + used - 1, text, len);
        } else {
            columns = known && columns ? columns : 1;
            if (used + columns > width)
                break;
            put(c, y, x + used, paint, known ? text : "?", known ? len : 1);
            if (columns == 2)
                put(c, y, x + used + 1, paint, "", 0);
            used += columns;
        }
        text += len;
    }
    return used;
}

/* -- Keys -- */

int canvas_key(Canvas *c, CanvasMouse *mouse)
{
    return device_key(c->device, mouse);
}

bool canvas_wait(Canvas *c, int ms)
{
    return device_wait(c->device, ms);
}

void canvas_wake(Canvas *c)
{
    device_wake(c->device);
}

void canvas_suspend(Canvas *c)
{
    device_suspend(c->device);
    c->all = true;
}
