/* The sequences of VT terminals, as xterm, the Windows console and all that follow them have them.
 */
#include "term/canvas_int.h"

enum { ESCAPE = 27, MOST_PARAMETERS = 3, WHEEL = 64, RIGHT_BUTTONS = 3, MOTION = 32 };

/* Alternate screen, cursor keys as \033[A; then everything back, with the terminal's colours. One
 * without an alternate screen has the last line free for what follows. */
const char vt_begin[] = "\033[?1049h\033[?1l\033[0m\033[2J";
const char vt_end[] = "\033[0m\033[999H\033[2K\033[?1049l";
/* Press and release, in the form that has no limit of columns. */
const char vt_mouse_on[] = "\033[?1000h\033[?1006h";
const char vt_mouse_off[] = "\033[?1006l\033[?1000l";

/* -- Drawing -- */

typedef struct Pen {
    Text *out;
    int colors;
    int y, x; /* where the terminal writes next; -1: not known */
    bool painted;
    Paint paint;
} Pen;

static void add_color(Pen *p, short color, int base)
{
    if (color == ANSI_DEFAULT)
        text_addf(p->out, ";%d", base + 9);
    else if (color < 8)
        text_addf(p->out, ";%d", base + color);
    else
        text_addf(p->out, ";%d;5;%d", base + 8, color);
}

static void take_paint(Pen *p, const Paint *wanted)
{
    if (p->painted && paint_equal(&p->paint, wanted))
        return;
    text_addf(p->out, "\033[0%s%s", wanted->bold ? ";1" : "", wanted->reverse ? ";7" : "");
    if (p->colors) {
        add_color(p, wanted->ink, 30);
        add_color(p, wanted->ground, 40);
    }
    text_add_char(p->out, 'm');
    p->paint = *wanted;
    p->painted = true;
}

/* How far a terminal moves for a character that is not ASCII is known to the terminal alone: the
 * place of the next one is told anew. */
static void put_cell(Pen *p, int y, int x, const CanvasCell *cell)
{
    if (!cell->text[0] && x > 0) /* drawn with the wide character before it */
        cell--, x--;
    if (p->y != y || p->x != x)
        text_addf(p->out, "\033[%d;%dH", y + 1, x + 1);
    take_paint(p, &cell->paint);
    text_add_str(p->out, cell->text);
    p->y = cell->text[1] ? -1 : y;
    p->x = x + 1;
}

void vt_draw(const CanvasGrid *now, const CanvasGrid *shown, int colors, Text *out)
{
    Pen pen = {.out = out, .colors = colors, .y = -1};
    text_add_str(out, "\033[?25l");
    if (!shown)
        text_add_str(out, "\033[0m\033[2J");
    for (int y = 0; y < now->lines; y++)
        for (int x = 0; x < now->columns; x++) {
            int i = y * now->columns + x;
            if (!shown || !cell_equal(&now->cells[i], &shown->cells[i]))
                put_cell(&pen, y, x, &now->cells[i]);
        }
    text_addf(out, "\033[%d;%dH\033[?25h", now->cursor_y + 1, now->cursor_x + 1);
}

/* -- Keys -- */

static const int letter_keys[][2] = {
    {'A', CANVAS_UP},   {'B', CANVAS_DOWN},  {'C', CANVAS_RIGHT},
    {'D', CANVAS_LEFT}, {'H', CANVAS_HOME},  {'F', CANVAS_END},
    {'P', CANVAS_F1},   {'M', CANVAS_ENTER}, {0, CANVAS_OTHER_KEY},
};
static const int number_keys[][2] = {
    {1, CANVAS_HOME}, {7, CANVAS_HOME},    {4, CANVAS_END},       {8, CANVAS_END},
    {11, CANVAS_F1},  {5, CANVAS_PAGE_UP}, {6, CANVAS_PAGE_DOWN}, {0, CANVAS_OTHER_KEY},
};

static int key_of(const int (*row)[2], int sent)
{
    while ((*row)[0] && (*row)[0] != sent)
        row++;
    return (*row)[1];
}

/* Button, column, line: \033[<0;10;5M is a press, with m at the end a release. */
static int key_of_mouse(const int values[MOST_PARAMETERS], bool released, CanvasMouse *mouse)
{
    int button = values[0];
    *mouse = (CanvasMouse){.y = values[2] - 1, .x = values[1] - 1};
    if (button & WHEEL) {
        mouse->action = button & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
        return released || button & 2 ? CANVAS_OTHER_KEY : CANVAS_MOUSE;
    }
    mouse->action = released ? MOUSE_RELEASE : MOUSE_PRESS;
    return button & (RIGHT_BUTTONS | MOTION) ? CANVAS_OTHER_KEY : CANVAS_MOUSE;
}

/* \033[ numbers ; ... letter */
static int read_sequence(const char *bytes, size_t len, size_t *used, CanvasMouse *mouse)
{
    enum { LIMIT = 10000 };
    int values[MOST_PARAMETERS] = {0}, count = 0;
    size_t i = 2;
    bool is_mouse = i < len && bytes[i] == '<';
    for (i += is_mouse; i < len; i++) {
        char c = bytes[i];
        if (c >= '0' && c <= '9') {
            values[count] = values[count] < LIMIT ? values[count] * 10 + (c - '0') : LIMIT;
        } else if (c == ';') {
            count = count + 1 < MOST_PARAMETERS ? count + 1 : count;
        } else {
            *used = i + 1;
            if (is_mouse)
                return key_of_mouse(values, c == 'm', mouse);
            return c == '~' ? key_of(number_keys, values[0]) : key_of(letter_keys, c);
        }
    }
    return CANVAS_NO_KEY;
}

int vt_key(const char *bytes, size_t len, bool whole, size_t *used, CanvasMouse *mouse)
{
    *used = 1;
    if (bytes[0] != ESCAPE)
        return (unsigned char)bytes[0];
    int key = CANVAS_NO_KEY;
    if (len > 1 && bytes[1] == '[')
        key = read_sequence(bytes, len, used, mouse);
    else if (len > 2 && bytes[1] == 'O')
        *used = 3, key = key_of(letter_keys, bytes[2]);
    else if (len > 1 && bytes[1] != 'O')
        return ESCAPE;
    return key == CANVAS_NO_KEY && whole ? ESCAPE : key;
}
