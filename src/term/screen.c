#include "term/screen.h"

#include "term/game_text.h"
#include "term/screen_int.h"

#include <stdarg.h>

enum { LEAST_LINES = 10, LEAST_COLUMNS = 20, LOOK_MS = 250, HURRY_MS = 20000, DEFAULT_ELO = 1200 };

void screen_say(Screen *s, bool alert, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->message, sizeof s->message, format, args);
    va_end(args);
    s->alert = alert;
}

Move screen_shown(const Screen *s, Position *out)
{
    int plies = s->game->play.count;
    return term_game_at(s->game, s->looking_at < 0 ? plies : s->looking_at, out);
}

static void draw(Screen *s)
{
    Position p;
    Canvas *c = s->canvas;
    canvas_clear(c);
    layout_find(&s->layout, &s->theme, canvas_lines(c), canvas_columns(c));
    if (!s->layout.fits) {
        canvas_text(c, 0, 0, canvas_columns(c), theme_tone(&s->theme, TONE_PLAIN),
                    "20x10 at least");
        canvas_show(c);
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
    canvas_show(c);
}

void screen_begin_game(Screen *s)
{
    bool black_only = s->game->spec[BLACK].human && !s->game->spec[WHITE].human;
    s->bottom = black_only ? BLACK : WHITE;
    s->cursor = square_relative(s->bottom, square_make(4, 1));
    s->chosen = SQ_NONE;
    s->idea = s->promotion = MOVE_NONE;
    s->looking_at = -1;
    s->typed[0] = '\0';
}

/* -- What happens in the game -- */

void screen_wake(void *user)
{
    Screen *s = user;
    canvas_wake(s->canvas);
}

static void on_moved(void *user, Color mover, const EngineResult *said)
{
    Screen *s = user;
    char title[TERM_PLAYER_NAME_SIZE];
    s->chosen = SQ_NONE;
    s->idea = MOVE_NONE;
    if (!said)
        return;
    term_player_title(&s->game->spec[mover], title);
    Text t = text_new();
    game_text_played(s->game, s->game->play.count, true, &t);
    screen_say(s, false, "%s plays %s", title, t.at);
    text_free(&t);
}

static void on_ended(void *user)
{
    Screen *s = user;
    Text t = text_new();
    game_text_result(s->game, &t);
    screen_say(s, false, "%s %s", t.at, result_text(s->game->play.state.result));
    text_free(&t);
}

static void on_remark(void *user, const char *text)
{
    screen_say(user, false, "%s", text);
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
    if (play_clock_runs(&s->game->play)) {
        int64_t left = term_game_clock(s->game, s->game->play.now.side);
        wait = earlier(wait, left % (left < HURRY_MS ? 100 : 1000) + 1);
    }
    return (int)wait;
}

static void loop(Screen *s)
{
    while (!s->quit) {
        int key;
        while (!s->quit && (key = canvas_key(s->canvas, &s->mouse)) != CANVAS_NO_KEY)
            keys_take(s, key);
        while (term_game_tick(s->game)) {
        }
        screen_watch(s);
        if (s->quit)
            break;
        draw(s);
        if (!canvas_wait(s->canvas, wait_ms(s)) || s->setup->interrupted())
            break;
    }
}

static Status open_game(Screen *s, Message *why)
{
    TermGameEvents events = {
        .user = s, .wake = screen_wake, .moved = on_moved, .ended = on_ended, .remark = on_remark};
    Status status = term_game_open(&s->game, &s->setup->game, &events, why);
    /* Without names of openings a game is still a game. */
    if (status == STATUS_OK && openings_open(&s->openings, NULL) != STATUS_OK)
        s->openings = NULL;
    return status;
}

Status screen_run(const ScreenSetup *setup, Text *farewell, Message *why)
{
    Screen s = {.setup = setup, .chooser_elo = DEFAULT_ELO};
    Status status = canvas_open(&s.canvas, setup->in, setup->out, setup->ascii, why);
    if (status != STATUS_OK)
        return status;
    theme_begin(&s.theme, setup, canvas_abilities(s.canvas));
    status = open_game(&s, why);
    if (status == STATUS_OK) {
        screen_begin_game(&s);
        loop(&s);
        game_text_farewell(s.game, farewell);
    }
    advisor_close(s.advisor);
    term_game_close(s.game);
    openings_close(s.openings);
    canvas_close(s.canvas); /* last: until now the game may wake it */
    return status;
}
