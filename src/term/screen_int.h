/* What the files of the full-screen board share. */
#ifndef TERM_SCREEN_INT_H
#define TERM_SCREEN_INT_H

#include "notation/opening.h"
#include "term/advisor.h"
#include "term/canvas.h"
#include "term/screen.h"

/* -- How it looks (screen_theme.c) -- */

/* What a square lies on. */
typedef enum Ground {
    GROUND_NONE,
    GROUND_LIGHT,
    GROUND_DARK,
    GROUND_LIGHT_LAST, /* of the last move */
    GROUND_DARK_LAST,
    GROUND_CHECK,
    GROUND_CHOSEN,
    GROUND_COUNT
} Ground;

typedef enum Ink { INK_WHITE, INK_BLACK, INK_MARK, INK_COUNT } Ink;

typedef enum Tone { TONE_PLAIN, TONE_DIM, TONE_STRONG, TONE_ALERT, TONE_COUNT } Tone;

typedef struct Theme {
    ScreenTheme kind;
    bool figures; /* chess figures, not letters */
    bool utf8;    /* text beyond ASCII can be shown */
    bool halves;  /* half blocks with two colours in one cell */
} Theme;

void theme_begin(Theme *theme, const ScreenSetup *setup, const CanvasAbilities *can);
Paint theme_cell(const Theme *theme, Ground ground, Ink ink);
Paint theme_halves(const Theme *theme, Ground upper, Ground lower);
Paint theme_tone(const Theme *theme, Tone tone);
const char *theme_piece(const Theme *theme, Piece piece); /* one column wide */

/* -- Where things are (screen_layout.c) -- */

typedef enum BoardStyle {
    BOARD_FLAT, /* squares side by side */
    BOARD_GRID, /* lines between them */
    BOARD_HALF  /* two lines a rank, shared by half blocks: the pieces stand in the middle */
} BoardStyle;

typedef struct Layout {
    bool fits;
    BoardStyle style;
    int pitch_x, pitch_y; /* from square to square */
    int board_y, board_x, board_h, board_w;
    int panel_y, panel_x, panel_h, panel_w;     /* h 0: there is none */
    int status_y, status_x, status_h, status_w; /* one or two lines at the bottom */
} Layout;

void layout_find(Layout *l, const Theme *theme, int lines, int columns);

/* The inside of a square in row and column as shown, from the upper left. */
void layout_square(const Layout *l, int row, int column, int *y, int *x, int *h, int *w);

/* The row and column under a place of the screen; false beside the board. */
bool layout_find_square(const Layout *l, int y, int x, int *row, int *column);

/* -- The screen -- */

typedef enum Mode { MODE_PLAY, MODE_PROMOTION, MODE_RESIGN, MODE_MENU, MODE_CHOOSER } Mode;

enum { TYPED_SIZE = 128, MESSAGE_SIZE = 320, CHOOSER_STEP = 100, SCREEN_LINES = 3 };

typedef struct Screen {
    const ScreenSetup *setup;
    Canvas *canvas;
    CanvasMouse mouse; /* with the key CANVAS_MOUSE */
    TermGame *game;
    Advisor *advisor; /* made when first asked */
    Openings *openings;
    Theme theme;
    Layout layout;
    Mode mode;
    Color bottom;      /* whose side is nearer */
    Square cursor;     /* where the arrow keys are */
    bool shows_cursor; /* they were used last */
    Square chosen;     /* the man to move; SQ_NONE */
    Move promotion;    /* in MODE_PROMOTION: to a queen */
    Move idea;         /* the hint for this position; MOVE_NONE */
    int looking_at;    /* plies from the start, -1: the present */
    char typed[TYPED_SIZE];
    char message[MESSAGE_SIZE];
    bool alert;     /* the message is a refusal */
    bool analysing; /* the pane is open */
    Key analysed;   /* what the advisor looks at now */
    int menu_row;   /* in the menu or the chooser */
    int chooser_elo;
    Color chooser_side; /* the person's */
    Span rest;          /* what follows the command in hand, trimmed */
    bool quit;
} Screen;

void screen_say(Screen *s, bool alert, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The position that is shown, and the move that led to it. */
Move screen_shown(const Screen *s, Position *out);

/* Drawing: everything anew; the canvas sends what has changed. */
void board_draw(const Screen *s, const Position *p, Move last);
void panel_draw(const Screen *s, const Position *p);
void status_draw(const Screen *s);
void menu_draw(const Screen *s);
void chooser_draw(const Screen *s);

void screen_wake(void *user); /* the Screen; from any thread */

/* Input. */
enum { ESCAPE = 27, CTRL = 0x1f };

static inline bool is_enter(int key)
{
    return key == '\n' || key == '\r' || key == CANVAS_ENTER;
}

void keys_take(Screen *s, int key);
void menu_take(Screen *s, int key);
void chooser_open(Screen *s);
void chooser_take(Screen *s, int key);

/* Commands: by the word typed (false: there is none of that name), or by key. */
typedef struct ScreenCommand {
    const char *word, *help; /* help NULL: another word, not in the menu */
    int key;                 /* 0: none */
    const char *key_name;
    void (*run)(Screen *s);
} ScreenCommand;

extern const ScreenCommand screen_commands[]; /* those of the menu first */
int command_count(void);                      /* of the menu */
void command_run(Screen *s, const ScreenCommand *command, Span rest);
bool command_word(Screen *s, Span text);
void command_key(Screen *s, int key);

/* The program's seat changed, a game began: looks from the person's side, forgets choices. */
void screen_begin_game(Screen *s);
void screen_watch(Screen *s); /* the advisor looks at what is shown, while the pane is open */

#endif
