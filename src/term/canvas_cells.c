/* A canvas without ncurses: the cells that are wanted and the cells that are seen. */
#include "term/canvas_int.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 500, MOST_COLUMNS = 1000 };

struct Canvas {
    Device *device;
    bool ascii;
    bool all; /* what is seen is not known */
    CanvasAbilities can;
    CanvasGrid now, shown;
};

bool cell_equal(const CanvasCell *a, const CanvasCell *b)
{
    return strcmp(a->text, b->text) == 0 && a->paint.ink == b->paint.ink &&
           a->paint.ground == b->paint.ground && a->paint.bold == b->paint.bold &&
           a->paint.reverse == b->paint.reverse;
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
    c->ascii = ascii;
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
    char ascii = shape_ascii(shape);
    if (c->can.utf8)
        put(c, y, x, paint, shapes[shape], strlen(shapes[shape]));
    else
        put(c, y, x, paint, &ascii, 1);
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

typedef enum Width { WIDTH_JOINS, WIDTH_ONE, WIDTH_OTHER } Width;

/* Columns of a character, as far as text here has any: Latin, Greek and Cyrillic letters, figures,
 * lines. Whatever may be wide is not shown. */
static Width width_of(uint32_t code)
{
    bool joins =
        (code >= 0x300 && code < 0x370) || code == 0x200d || (code >= 0xfe00 && code < 0xfe10);
    bool one = (code >= ' ' && code < 0x7f) || (code >= 0xa0 && code < 0x1100) ||
               (code >= 0x1e00 && code < 0x2e80);
    return joins ? WIDTH_JOINS : one ? WIDTH_ONE : WIDTH_OTHER;
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
        Width w = width_of(code);
        bool known = w == WIDTH_ONE && (c->can.utf8 || code < 128);
        if (w == WIDTH_JOINS && used) {
            if (c->can.utf8)
                join(c, y, x + used - 1, text, len);
        } else {
            if (used == width)
                break;
            put(c, y, x + used++, paint, known ? text : "?", known ? len : 1);
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
