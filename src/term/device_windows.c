/* The Windows console: by VT sequences where it understands them, otherwise cell by cell with its
 * own 16 colours, on a screen buffer of our own. */
#include "term/canvas_int.h"

#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

struct Device {
    HANDLE in, out;
    HANDLE
    before;       /* the screen buffer that was shown before; out, where sequences are understood */
    HANDLE woken; /* an event */
    DWORD in_mode, out_mode; /* as they were */
    bool sequences;
    bool pressed; /* the left button is down */
    CanvasAbilities can;
    int key; /* comes `again` times more */
    int again;
};

/* -- Opening and closing -- */

/* A console may accept the mode and print the sequences nevertheless (wine): this one is to leave
 * the cursor where it is. The buffer is not shown. */
static bool understands_sequences(HANDLE buffer)
{
    static const WCHAR home[] = L"\x1b[1;1H";
    CONSOLE_SCREEN_BUFFER_INFO info;
    DWORD mode, put;
    return GetConsoleMode(buffer, &mode) &&
           SetConsoleMode(buffer,
                          mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING) &&
           WriteConsoleW(buffer, home, (DWORD)wcslen(home), &put, NULL) &&
           GetConsoleScreenBufferInfo(buffer, &info) && info.dwCursorPosition.X == 0 &&
           info.dwCursorPosition.Y == 0;
}

static void write_out(const Device *d, const char *bytes, size_t len)
{
    int count = MultiByteToWideChar(CP_UTF8, 0, bytes, (int)len, NULL, 0);
    WCHAR *wide = malloc(((size_t)count + 1) * sizeof *wide);
    DWORD put;
    if (wide && MultiByteToWideChar(CP_UTF8, 0, bytes, (int)len, wide, count) == count)
        WriteConsoleW(d->out, wide, (DWORD)count, &put, NULL);
    free(wide);
}

static SMALL_RECT window_of(const Device *d)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(d->out, &info))
        return (SMALL_RECT){0, 0, 79, 23};
    return info.srWindow;
}

/* As large as the window: there is nothing to scroll to. */
static void fit_buffer(const Device *d)
{
    SMALL_RECT window = window_of(d);
    SetConsoleScreenBufferSize(d->out, (COORD){(SHORT)(window.Right - window.Left + 1),
                                               (SHORT)(window.Bottom - window.Top + 1)});
}

/* Ctrl-C is a key, marking text with the mouse is off, windows and the mouse are told. */
static void begin(Device *d)
{
    SetConsoleMode(d->in, ENABLE_EXTENDED_FLAGS | ENABLE_MOUSE_INPUT | ENABLE_WINDOW_INPUT);
    if (d->sequences) {
        SetConsoleMode(d->out, ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING |
                                   DISABLE_NEWLINE_AUTO_RETURN);
        write_out(d, vt_begin, strlen(vt_begin));
    } else {
        SetConsoleMode(d->out, 0); /* no scrolling at the end of the last line */
        SetConsoleActiveScreenBuffer(d->out);
        fit_buffer(d);
    }
}

static Status open_console(Device *d, FILE *in, FILE *out, Message *why)
{
    d->in = (HANDLE)_get_osfhandle(_fileno(in));
    d->before = d->out = (HANDLE)_get_osfhandle(_fileno(out));
    if (!GetConsoleMode(d->in, &d->in_mode) || !GetConsoleMode(d->out, &d->out_mode))
        return status_fail(why, STATUS_REFUSED, "input and output are not a console");
    HANDLE own =
        CreateConsoleScreenBuffer(GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                  NULL, CONSOLE_TEXTMODE_BUFFER, NULL);
    if (own == INVALID_HANDLE_VALUE)
        return status_fail(why, STATUS_REFUSED, "the console has no other screen (error %lu)",
                           GetLastError());
    d->sequences = understands_sequences(own);
    if (d->sequences)
        CloseHandle(own);
    else
        d->out = own;
    return STATUS_OK;
}

Status device_open(Device **out, FILE *in, FILE *tty, CanvasAbilities *can, Message *why)
{
    Device *d = calloc(1, sizeof *d);
    *out = NULL;
    if (!d)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the screen");
    Status s = open_console(d, in, tty, why);
    if (s != STATUS_OK) {
        free(d);
        return s;
    }
    d->woken = CreateEventA(NULL, FALSE, FALSE, NULL);
    /* Windows Terminal takes a figure from another font where its own has none; the console does
     * not. */
    const char *session = getenv("WT_SESSION");
    d->can = (CanvasAbilities){
        .colors = d->sequences ? 256 : 16, .utf8 = true, .figures = session && *session};
    *can = d->can;
    begin(d);
    *out = d;
    return STATUS_OK;
}

void device_close(Device *d)
{
    if (!d)
        return;
    if (d->sequences) {
        write_out(d, vt_end, strlen(vt_end));
    } else {
        SetConsoleActiveScreenBuffer(d->before);
        CloseHandle(d->out);
    }
    SetConsoleMode(d->before, d->out_mode);
    SetConsoleMode(d->in, d->in_mode);
    CloseHandle(d->woken);
    free(d);
}

void device_size(const Device *d, int *lines, int *columns)
{
    SMALL_RECT window = window_of(d);
    *lines = window.Bottom - window.Top + 1;
    *columns = window.Right - window.Left + 1;
}

/* -- Drawing with the console's own cells -- */

/* ANSI counts red, green, blue from the lowest bit, the console from the highest. */
static WORD console_color(short color, WORD own)
{
    if (color == ANSI_DEFAULT)
        return own;
    return (WORD)((color & 1 ? FOREGROUND_RED : 0) | (color & 2 ? FOREGROUND_GREEN : 0) |
                  (color & 4 ? FOREGROUND_BLUE : 0));
}

static WORD console_paint(Paint p)
{
    enum { GRAY = FOREGROUND_RED | FOREGROUND_GREEN | FOREGROUND_BLUE };
    WORD ink = (WORD)(console_color(p.ink, GRAY) | (p.bold ? FOREGROUND_INTENSITY : 0));
    WORD ground = console_color(p.ground, 0);
    return (WORD)(p.reverse ? ground | ink << 4 : ink | ground << 4);
}

static CHAR_INFO console_cell(const CanvasCell *cell)
{
    WCHAR wide[sizeof cell->text] = L"?";
    MultiByteToWideChar(CP_UTF8, 0, cell->text, -1, wide, (int)sizeof cell->text);
    return (CHAR_INFO){.Char.UnicodeChar = wide[0], .Attributes = console_paint(cell->paint)};
}

static void draw_line(const Device *d, const CanvasGrid *now, const CanvasGrid *shown, int y,
                      SMALL_RECT window)
{
    enum { MOST = 1000 };
    CHAR_INFO cells[MOST];
    const CanvasCell *line = now->cells + y * now->columns;
    const CanvasCell *old = shown ? shown->cells + y * now->columns : NULL;
    int first = 0, end = now->columns < MOST ? now->columns : MOST;
    while (old && first < end && cell_equal(&line[first], &old[first]))
        first++;
    while (old && end > first && cell_equal(&line[end - 1], &old[end - 1]))
        end--;
    if (first == end)
        return;
    for (int x = first; x < end; x++)
        cells[x - first] = console_cell(&line[x]);
    SMALL_RECT place = {(SHORT)(window.Left + first), (SHORT)(window.Top + y),
                        (SHORT)(window.Left + end - 1), (SHORT)(window.Top + y)};
    WriteConsoleOutputW(d->out, cells, (COORD){(SHORT)(end - first), 1}, (COORD){0, 0}, &place);
}

static void draw_cells(const Device *d, const CanvasGrid *now, const CanvasGrid *shown)
{
    SMALL_RECT window = window_of(d);
    for (int y = 0; y < now->lines; y++)
        draw_line(d, now, shown, y, window);
    SetConsoleCursorPosition(
        d->out, (COORD){(SHORT)(window.Left + now->cursor_x), (SHORT)(window.Top + now->cursor_y)});
}

void device_draw(Device *d, const CanvasGrid *now, const CanvasGrid *shown)
{
    if (!d->sequences) {
        draw_cells(d, now, shown);
        return;
    }
    Text t = text_new();
    vt_draw(now, shown, d->can.colors, &t);
    if (!t.failed)
        write_out(d, t.at, t.len);
    text_free(&t);
}

/* -- Keys and mouse -- */

static int key_of(const KEY_EVENT_RECORD *k)
{
    static const int keys[][2] = {
        {VK_UP, CANVAS_UP},         {VK_DOWN, CANVAS_DOWN},      {VK_LEFT, CANVAS_LEFT},
        {VK_RIGHT, CANVAS_RIGHT},   {VK_HOME, CANVAS_HOME},      {VK_END, CANVAS_END},
        {VK_PRIOR, CANVAS_PAGE_UP}, {VK_NEXT, CANVAS_PAGE_DOWN}, {VK_F1, CANVAS_F1},
    };
    WCHAR c = k->uChar.UnicodeChar;
    if (!k->bKeyDown)
        return CANVAS_NO_KEY;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] == k->wVirtualKeyCode && !c)
            return keys[i][1];
    return c && c < 256 ? c : CANVAS_NO_KEY;
}

static int key_of_mouse(Device *d, const MOUSE_EVENT_RECORD *m, CanvasMouse *mouse)
{
    SMALL_RECT window = window_of(d);
    bool pressed = m->dwButtonState & FROM_LEFT_1ST_BUTTON_PRESSED;
    *mouse = (CanvasMouse){.y = m->dwMousePosition.Y - window.Top,
                           .x = m->dwMousePosition.X - window.Left};
    if (m->dwEventFlags & MOUSE_WHEELED) {
        bool up = (SHORT)HIWORD(m->dwButtonState) > 0;
        mouse->action = up ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
        return CANVAS_MOUSE;
    }
    if (pressed == d->pressed)
        return CANVAS_NO_KEY;
    d->pressed = pressed;
    mouse->action = pressed ? MOUSE_PRESS : MOUSE_RELEASE;
    return CANVAS_MOUSE;
}

static int key_of_event(Device *d, const INPUT_RECORD *event, CanvasMouse *mouse)
{
    switch (event->EventType) {
    case KEY_EVENT:
        d->key = key_of(&event->Event.KeyEvent);
        d->again = d->key == CANVAS_NO_KEY ? 0 : event->Event.KeyEvent.wRepeatCount - 1;
        return d->key;
    case MOUSE_EVENT:
        return key_of_mouse(d, &event->Event.MouseEvent, mouse);
    default:
        return CANVAS_NO_KEY;
    }
}

int device_key(Device *d, CanvasMouse *mouse)
{
    INPUT_RECORD event;
    DWORD count;
    if (d->again > 0) {
        d->again--;
        return d->key;
    }
    while (GetNumberOfConsoleInputEvents(d->in, &count) && count > 0 &&
           ReadConsoleInputW(d->in, &event, 1, &count) && count == 1) {
        int key = key_of_event(d, &event, mouse);
        if (key != CANVAS_NO_KEY)
            return key;
    }
    return CANVAS_NO_KEY;
}

bool device_wait(Device *d, int ms)
{
    HANDLE either[2] = {d->in, d->woken};
    return WaitForMultipleObjects(2, either, FALSE, (DWORD)ms) != WAIT_FAILED;
}

void device_wake(Device *d)
{
    SetEvent(d->woken);
}

void device_suspend(Device *d)
{
    (void)d; /* Windows has nothing like it */
}
