#include "base/stream.h"
#include "term/canvas_int.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { ESCAPE_MS = 100, PAIRS = 128, MOUSE_QUEUE = 8 };

struct Canvas {
    SCREEN *terminal;
    FILE *in;
    Stream *stream; /* of `in`, which ncurses reads */
    bool ascii;
    CanvasAbilities can;
    int cursor_y, cursor_x;
    short pairs[PAIRS][2]; /* colours; pair i + 1 of ncurses */
    int pair_count;
    CanvasMouse mouse[MOUSE_QUEUE]; /* latest first */
    int mouse_count;
};

/* -- Opening and closing -- */

/* Terminals do not all send what their description says; a key that is not known would be typed. */
static void know_more_keys(void)
{
    static const struct {
        const char *sent;
        int key;
    } keys[] = {
        {"\033[A", KEY_UP},     {"\033OA", KEY_UP},    {"\033[B", KEY_DOWN},
        {"\033OB", KEY_DOWN},   {"\033[C", KEY_RIGHT}, {"\033OC", KEY_RIGHT},
        {"\033[D", KEY_LEFT},   {"\033OD", KEY_LEFT},  {"\033[H", KEY_HOME},
        {"\033OH", KEY_HOME},   {"\033[1~", KEY_HOME}, {"\033[F", KEY_END},
        {"\033OF", KEY_END},    {"\033[4~", KEY_END},  {"\033[5~", KEY_PPAGE},
        {"\033[6~", KEY_NPAGE},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (key_defined(keys[i].sent) == 0)
            define_key(keys[i].sent, keys[i].key);
}

static void find_abilities(Canvas *c)
{
    bool colors = has_colors();
    if (colors) {
        start_color();
        use_default_colors();
    }
    c->can.colors = !colors || COLORS < 8 ? 0 : COLORS < 256 || COLOR_PAIRS <= PAIRS ? 8 : 256;
    c->can.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && !c->ascii;
    c->can.figures = c->can.utf8 && terminal_has_figures(getenv("TERM"));
}

static Status open_terminal(Canvas *c, FILE *out, Message *why)
{
    const char *name = getenv("TERM");
    setlocale(LC_CTYPE, "");
    c->terminal = newterm(NULL, out, c->in);
    if (!c->terminal)
        return status_fail(why, STATUS_REFUSED, "the terminal \"%s\" is not known",
                           name ? name : "");
    if (!tigetstr("cup") || tigetstr("cup") == (char *)-1) {
        return status_fail(why, STATUS_REFUSED, "the terminal \"%s\" cannot move its cursor", name);
    }
    set_escdelay(ESCAPE_MS);
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    know_more_keys();
    nodelay(stdscr, TRUE);
    mouseinterval(0);
    mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED | BUTTON4_PRESSED |
                  BUTTON5_PRESSED,
              NULL);
    find_abilities(c);
    return STATUS_OK;
}

Status canvas_open(Canvas **out, FILE *in, FILE *tty, bool ascii, Message *why)
{
    Canvas *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the screen");
    c->in = in;
    c->ascii = ascii;
    Status s = stream_open(&c->stream, fileno(in), why);
    if (s == STATUS_OK)
        s = open_terminal(c, tty, why);
    return GIVE_OR_CLOSE(s, out, c, canvas_close);
}

void canvas_close(Canvas *c)
{
    if (!c)
        return;
    if (c->terminal) {
        mousemask(0, NULL);
        endwin();
        delscreen(c->terminal);
    }
    stream_close(c->stream);
    free(c);
}

const CanvasAbilities *canvas_abilities(const Canvas *c)
{
    return &c->can;
}

int canvas_lines(const Canvas *c)
{
    (void)c;
    return LINES;
}

int canvas_columns(const Canvas *c)
{
    (void)c;
    return COLS;
}

/* -- Drawing -- */

static attr_t attributes(Canvas *c, Paint p)
{
    attr_t a = (p.bold ? A_BOLD : A_NORMAL) | (p.reverse ? A_REVERSE : A_NORMAL);
    if (p.ink == ANSI_DEFAULT && p.ground == ANSI_DEFAULT)
        return a;
    int i = 0;
    while (i < c->pair_count && (c->pairs[i][0] != p.ink || c->pairs[i][1] != p.ground))
        i++;
    if (i == PAIRS || i + 1 >= COLOR_PAIRS)
        return a;
    if (i == c->pair_count) {
        c->pairs[i][0] = p.ink;
        c->pairs[i][1] = p.ground;
        init_pair((short)(i + 1), p.ink, p.ground);
        c->pair_count++;
    }
    return a | (attr_t)COLOR_PAIR(i + 1);
}

void canvas_clear(Canvas *c)
{
    (void)c;
    erase();
}

void canvas_show(Canvas *c)
{
    move(c->cursor_y, c->cursor_x);
    refresh();
}

void canvas_redraw(Canvas *c)
{
    (void)c;
    clearok(curscr, TRUE);
}

void canvas_cursor(Canvas *c, int y, int x)
{
    c->cursor_y = y;
    c->cursor_x = x;
}

void canvas_char(Canvas *c, int y, int x, Paint paint, char ascii)
{
    mvaddch(y, x, (chtype)ascii | attributes(c, paint));
}

void canvas_row(Canvas *c, int y, int x, int width, Paint paint, char ascii)
{
    mvhline(y, x, (chtype)ascii | attributes(c, paint), width);
}

void canvas_shape(Canvas *c, int y, int x, Paint paint, CanvasShape shape)
{
    const chtype shapes[SHAPE_COUNT] = {
        [SHAPE_HORIZONTAL] = ACS_HLINE,     [SHAPE_VERTICAL] = ACS_VLINE,
        [SHAPE_UPPER_LEFT] = ACS_ULCORNER,  [SHAPE_UPPER_TEE] = ACS_TTEE,
        [SHAPE_UPPER_RIGHT] = ACS_URCORNER, [SHAPE_LEFT_TEE] = ACS_LTEE,
        [SHAPE_CROSS] = ACS_PLUS,           [SHAPE_RIGHT_TEE] = ACS_RTEE,
        [SHAPE_LOWER_LEFT] = ACS_LLCORNER,  [SHAPE_LOWER_TEE] = ACS_BTEE,
        [SHAPE_LOWER_RIGHT] = ACS_LRCORNER,
    };
    chtype what = c->ascii ? (chtype)shape_ascii(shape) : shapes[shape];
    mvaddch(y, x, what | attributes(c, paint));
}

int canvas_text(Canvas *c, int y, int x, int width, Paint paint, const char *text)
{
    mbstate_t state = {0};
    size_t left = strlen(text);
    int used = 0;
    attrset(attributes(c, paint));
    move(y, x);
    while (left) {
        wchar_t wide;
        size_t len = mbrtowc(&wide, text, left, &state);
        bool bad = len == (size_t)-1 || len == (size_t)-2 || len == 0;
        len = bad ? 1 : len;
        int columns = bad ? 1 : wcwidth(wide);
        bool known = !bad && columns >= 0 && (c->can.utf8 || wide < 128);
        if (used + (known ? columns : 1) > width)
            break;
        if (known)
            addnstr(text, (int)len);
        else
            addch('?');
        used += known ? columns : 1;
        if (bad)
            memset(&state, 0, sizeof state);
        text += len;
        left -= len;
    }
    attrset(A_NORMAL);
    return used;
}

/* -- Keys and mouse -- */

static bool read_mouse(CanvasMouse *out)
{
    MEVENT event;
    if (getmouse(&event) != OK)
        return false;
    *out = (CanvasMouse){event.y, event.x, MOUSE_RELEASE};
    if (event.bstate & BUTTON4_PRESSED)
        out->action = MOUSE_WHEEL_UP;
    else if (event.bstate & BUTTON5_PRESSED)
        out->action = MOUSE_WHEEL_DOWN;
    else if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
        out->action = MOUSE_PRESS;
    return true;
}

static int take_mouse(Canvas *c, CanvasMouse *mouse)
{
    if (!c->mouse_count)
        return CANVAS_OTHER_KEY;
    *mouse = c->mouse[--c->mouse_count];
    return CANVAS_MOUSE;
}

int canvas_key(Canvas *c, CanvasMouse *mouse)
{
    static const int keys[][2] = {
        {KEY_UP, CANVAS_UP},
        {KEY_DOWN, CANVAS_DOWN},
        {KEY_LEFT, CANVAS_LEFT},
        {KEY_RIGHT, CANVAS_RIGHT},
        {KEY_HOME, CANVAS_HOME},
        {KEY_END, CANVAS_END},
        {KEY_PPAGE, CANVAS_PAGE_UP},
        {KEY_NPAGE, CANVAS_PAGE_DOWN},
        {KEY_ENTER, CANVAS_ENTER},
        {KEY_RESIZE, CANVAS_RESIZED},
        {KEY_F(1), CANVAS_F1},
        {ERR, CANVAS_NO_KEY},
        {KEY_BACKSPACE, CANVAS_BACKSPACE},
    };
    if (c->mouse_count)
        return take_mouse(c, mouse);
    int key = getch();
    /* One key may stand for several events, which ncurses hands out latest first. */
    if (key == KEY_MOUSE) {
        while (c->mouse_count < MOUSE_QUEUE && read_mouse(&c->mouse[c->mouse_count]))
            c->mouse_count++;
        return take_mouse(c, mouse);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] == key)
            return keys[i][1];
    return key < 256 ? key : CANVAS_OTHER_KEY;
}

bool canvas_wait(Canvas *c, int ms)
{
    return stream_wait(c->stream, ms);
}

void canvas_wake(Canvas *c)
{
    stream_wake(c->stream);
}

/* A stop from the keyboard: the terminal belongs to the shell until we are back. */
void canvas_suspend(Canvas *c)
{
    (void)c;
    def_prog_mode();
    endwin();
    kill(getpid(), SIGTSTP);
    reset_prog_mode();
    refresh();
}
