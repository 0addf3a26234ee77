#include "term/screen.h"

#ifndef HAVE_NCURSES

Status screen_run(const ScreenSetup *setup, Text *farewell, Message *why)
{
    (void)setup;
    (void)farewell;
    return status_fail(why, STATUS_REFUSED, "this program was built without ncurses");
}

#else

#include "base/clock.h"
#include "term/game_text.h"
#include "term/screen_int.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum {
    LEAST_LINES = 10,
    LEAST_COLUMNS = 20,
    LOOK_MS = 250,
    HURRY_MS = 20000,
    DEFAULT_ELO = 1200,
    ESCAPE_MS = 100
};

void screen_say(Screen *s, bool alert, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->message, sizeof s->message, format, args);
    va_end(args);
    s->alert = alert;
}

int screen_put(const Screen *s, int y, int x, int width, attr_t attributes, const char *text)
{
    mbstate_t state = {0};
    size_t left = strlen(text);
    int used = 0;
    attrset(attributes);
    move(y, x);
    while (left) {
        wchar_t c;
        size_t len = mbrtowc(&c, text, left, &state);
        bool bad = len == (size_t)-1 || len == (size_t)-2 || len == 0;
        len = bad ? 1 : len;
        int columns = bad ? 1 : wcwidth(c);
        bool known = !bad && columns >= 0 && (s->theme.utf8 || c < 128);
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

Move screen_shown(const Screen *s, Position *out)
{
    int plies = term_game_plies(s->game);
    return term_game_at(s->game, s->looking_at < 0 ? plies : s->looking_at, out);
}

static void draw(Screen *s)
{
    Position p;
    erase();
    layout_find(&s->layout, &s->theme, LINES, COLS);
    if (!s->layout.fits) {
        mvaddnstr(0, 0, "20x10 at least", COLS);
        refresh();
        return;
    }
    Move last = screen_shown(s, &p);
    board_draw(s, &p, last);
    panel_draw(s, &p);
    status_draw(s);
    if (s->mode == MODE_MENU)
        menu_draw(s);
    else if (s->mode == MODE_CHOOSER)
        chooser_draw(s);
    refresh();
}

void screen_begin_game(Screen *s)
{
    bool black_only = term_game_is_human(s->game, BLACK) && !term_game_is_human(s->game, WHITE);
    s->bottom = black_only ? BLACK : WHITE;
    s->cursor = square_relative(s->bottom, square_make(4, 1));
    s->chosen = SQ_NONE;
    s->idea = s->promotion = MOVE_NONE;
    s->looking_at = -1;
    s->typed[0] = '\0';
}

/* -- What happens in the game -- */

static void on_wake(void *user)
{
    Screen *s = user;
    if (write(s->wake[1], "w", 1) < 0)
        return; /* a full pipe wakes as well */
}

static void on_moved(void *user, Color mover, const TermPlayerAnswer *said)
{
    Screen *s = user;
    Text t;
    char title[TERM_PLAYER_NAME_SIZE];
    s->chosen = SQ_NONE;
    s->idea = MOVE_NONE;
    if (!said)
        return;
    term_player_title(term_game_player(s->game, mover), title);
    text_init(&t);
    game_text_numbered(s->game, term_game_plies(s->game), &t);
    screen_say(s, false, "%s plays %s", title, t.at);
    text_free(&t);
}

static void on_ended(void *user)
{
    Screen *s = user;
    Text t;
    text_init(&t);
    game_text_result(s->game, &t);
    screen_say(s, false, "%s %s", t.at, result_text(term_game_result(s->game)));
    text_free(&t);
}

static void on_remark(void *user, const char *text)
{
    screen_say(user, false, "%s", text);
}

/* -- The terminal -- */

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

static Status open_terminal(Screen *s, SCREEN **terminal, Message *why)
{
    const char *name = getenv("TERM");
    setlocale(LC_CTYPE, "");
    *terminal = newterm(NULL, s->setup->out, s->setup->in);
    if (!*terminal)
        return status_fail(why, STATUS_REFUSED, "the terminal \"%s\" is not known",
                           name ? name : "");
    if (!tigetstr("cup") || tigetstr("cup") == (char *)-1) {
        endwin();
        delscreen(*terminal);
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
    theme_begin(&s->theme, s->setup);
    return STATUS_OK;
}

static void close_terminal(SCREEN *terminal)
{
    mousemask(0, NULL);
    endwin();
    delscreen(terminal);
}

/* -- The loop -- */

static int64_t earlier(int64_t a, int64_t b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Until the clock looks different, the table has something to do, or a signal may have come. */
static int wait_ms(const Screen *s)
{
    int64_t wait = earlier(term_game_due(s->game), LOOK_MS);
    if (term_game_clock_runs(s->game)) {
        int64_t left = term_game_clock(s->game, term_game_position(s->game)->side);
        wait = earlier(wait, left % (left < HURRY_MS ? 100 : 1000) + 1);
    }
    return (int)wait;
}

/* False when the terminal has gone. */
static bool await(Screen *s)
{
    char bytes[64];
    struct pollfd ready[2] = {{.fd = fileno(s->setup->in), .events = POLLIN},
                              {.fd = s->wake[0], .events = POLLIN}};
    if (poll(ready, 2, wait_ms(s)) < 0)
        return errno == EINTR; /* another size of the window */
    if (ready[0].revents & (POLLHUP | POLLERR | POLLNVAL))
        return false;
    while (read(s->wake[0], bytes, sizeof bytes) > 0) {
    }
    return true;
}

static void loop(Screen *s)
{
    while (!s->quit) {
        int key;
        while (!s->quit && (key = getch()) != ERR)
            keys_take(s, key);
        while (term_game_tick(s->game)) {
        }
        screen_watch(s);
        if (s->quit)
            break;
        draw(s);
        if (!await(s) || s->setup->interrupted())
            break;
    }
}

static Status open_game(Screen *s, Message *why)
{
    TermGameEvents events = {
        .user = s, .wake = on_wake, .moved = on_moved, .ended = on_ended, .remark = on_remark};
    const TermGameSetup *setup = &s->setup->game;
    Status status = s->setup->resume ? term_game_resume(&s->game, setup, &events, why)
                                     : term_game_open(&s->game, setup, &events, why);
    /* Without names of openings a game is still a game. */
    if (status == STATUS_OK && openings_open(&s->openings, NULL) != STATUS_OK)
        s->openings = NULL;
    return status;
}

static Status play(Screen *s, Text *farewell, Message *why)
{
    SCREEN *terminal;
    Status status = open_terminal(s, &terminal, why);
    if (status != STATUS_OK)
        return status;
    status = open_game(s, why);
    if (status == STATUS_OK) {
        screen_begin_game(s);
        loop(s);
        game_text_farewell(s->game, farewell);
    }
    close_terminal(terminal);
    advisor_close(s->advisor);
    term_game_close(s->game);
    openings_close(s->openings);
    return status;
}

Status screen_run(const ScreenSetup *setup, Text *farewell, Message *why)
{
    Screen s = {.setup = setup, .chooser_elo = DEFAULT_ELO};
    if (pipe2(s.wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return status_fail(why, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    Status status = play(&s, farewell, why);
    close(s.wake[0]);
    close(s.wake[1]);
    return status;
}

#endif
