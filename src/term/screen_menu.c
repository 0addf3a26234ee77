/* What lies over the board for a while: the menu with its keys, and the choice of an opponent. */
#include "engine/opponents.h"
#include "levels/level.h"
#include "term/screen_int.h"

#include <stdio.h>
#include <string.h>

enum {
    BOX_WIDTH = 62,
    BOX_EDGE = 2,
    CHOOSER_STYLE = 2,  /* lines for what is said of an opponent */
    CHOOSER_TITLE = 29, /* columns for a name */
    CHOOSER_WORDY = 36, /* inside a box that is narrower, words are saved */
    ROOM = 128
};

/* -- A box in the middle, with a list that scrolls -- */

typedef struct Box {
    int y, x, h, w;
} Box;

static Box box_open(const Screen *s, int rows, const char *title)
{
    int lines = canvas_lines(s->canvas), columns = canvas_columns(s->canvas);
    Box b;
    b.h = rows + 2 < lines ? rows + 2 : lines;
    b.w = BOX_WIDTH < columns ? BOX_WIDTH : columns;
    b.y = (lines - b.h) / 2;
    b.x = (columns - b.w) / 2;
    canvas_box(s->canvas, b.y, b.x, b.h, b.w, theme_tone(&s->theme, TONE_DIM));
    canvas_text(s->canvas, b.y, b.x + 2, b.w - 4, theme_tone(&s->theme, TONE_STRONG), title);
    return b;
}

/* Row i of a list in which `chosen` is marked; those that do not fit above `foot` lines scroll. */
static void box_row(const Screen *s, const Box *b, int foot, int i, const char *text)
{
    int room = b->h - 2 - foot;
    int first = s->menu_row >= room ? s->menu_row - room + 1 : 0;
    int row = i - first;
    bool chosen = i == s->menu_row;
    if (row < 0 || row >= room)
        return;
    char line[ROOM + 4];
    snprintf(line, sizeof line, "%c %s", chosen ? '>' : ' ', text);
    canvas_text(s->canvas, b->y + 1 + row, b->x + BOX_EDGE, b->w - 2 * BOX_EDGE,
                theme_tone(&s->theme, chosen ? TONE_STRONG : TONE_PLAIN), line);
    if (chosen)
        canvas_cursor(s->canvas, b->y + 1 + row, b->x + BOX_EDGE);
}

/* What fits into a line of that width, whole words if there are any; the blank behind them is
 * skipped. */
static Span next_line(Span *text, int width)
{
    size_t room = width > 1 ? (size_t)width : 1, len = text->len < room ? text->len : room;
    while (len < text->len && len > 0 && text->at[len] != ' ')
        len--;
    if (!len)
        len = text->len < room ? text->len : room;
    Span line = {text->at, len};
    while (len < text->len && text->at[len] == ' ')
        len++;
    *text = (Span){text->at + len, text->len - len};
    return line;
}

static int lines_of(const char *text, int width)
{
    Span rest = span_of(text);
    int count = 0;
    while (rest.len) {
        next_line(&rest, width);
        count++;
    }
    return count;
}

static int box_inside(const Screen *s)
{
    int columns = canvas_columns(s->canvas);
    return (BOX_WIDTH < columns ? BOX_WIDTH : columns) - 2 * BOX_EDGE;
}

/* A sentence from line i of the `foot` at the bottom on, over as many as it needs; returns the line
 * after it. */
static int box_foot(const Screen *s, const Box *b, int foot, int i, const char *text)
{
    Span rest = span_of(text);
    for (; rest.len && i < foot; i++) {
        Span words = next_line(&rest, b->w - 2 * BOX_EDGE);
        char line[ROOM];
        snprintf(line, sizeof line, "%.*s", (int)words.len, words.at);
        canvas_row(s->canvas, b->y + b->h - 1 - foot + i, b->x + 1, b->w - 2,
                   theme_tone(&s->theme, TONE_DIM), ' ');
        canvas_text(s->canvas, b->y + b->h - 1 - foot + i, b->x + BOX_EDGE, b->w - 2 * BOX_EDGE,
                    theme_tone(&s->theme, TONE_DIM), line);
    }
    return i;
}

static int step_row(int row, int count, int key)
{
    if (key == CANVAS_UP)
        return row > 0 ? row - 1 : count - 1;
    if (key == CANVAS_DOWN)
        return row + 1 < count ? row + 1 : 0;
    if (key == CANVAS_HOME || key == CANVAS_PAGE_UP)
        return 0;
    if (key == CANVAS_END || key == CANVAS_PAGE_DOWN)
        return count - 1;
    return row;
}

/* -- The menu -- */

static const char *const menu_words[] = {
    "Type a move (e4, Nf3, O-O, g1f3) and Enter.",
    "Or: arrow keys, Enter picks up and drops a piece.",
    "Or: click, or drag with the mouse.",
    "PgUp, PgDn: look back in the game. Esc: cancel.",
};

enum {
    MENU_WORDS = sizeof menu_words / sizeof *menu_words,
    MENU_WIDE = 54, /* inside a box from which on a row has room for what it explains */
    MENU_KEYS = 20  /* ... for the whole names of keys */
};

/* Lines at the bottom of the menu: for what the row explains that is chosen, where rows are too
 * narrow for it, and for how to move, where there is room. */
static void menu_foot(const Screen *s, int inside, int *help, int *words)
{
    *help = *words = 0;
    for (int i = 0; i < command_count() && inside < MENU_WIDE; i++) {
        int lines = lines_of(screen_commands[i].help, inside);
        *help = lines > *help ? lines : *help;
    }
    for (int i = 0; i < MENU_WORDS; i++)
        *words += lines_of(menu_words[i], inside);
    if (command_count() + *help + *words + 2 > canvas_lines(s->canvas))
        *words = 0;
}

static void menu_row_text(int i, int inside, char line[ROOM])
{
    const ScreenCommand *c = &screen_commands[i];
    if (inside >= MENU_WIDE)
        snprintf(line, ROOM, "%-7s %-9s %s", c->key_name, c->word, c->help);
    else if (inside >= MENU_KEYS)
        snprintf(line, ROOM, "%-7s %s", c->key_name, c->word);
    else
        snprintf(line, ROOM, "^%c %s", c->key_name[strlen(c->key_name) - 1], c->word);
}

void menu_draw(const Screen *s)
{
    int count = command_count(), inside = box_inside(s), help, words;
    menu_foot(s, inside, &help, &words);
    int foot = help + words;
    Box b = box_open(s, count + foot + 1, " Castellan ");
    for (int i = 0; i < count; i++) {
        char line[ROOM];
        menu_row_text(i, inside, line);
        box_row(s, &b, foot, i, line);
    }
    if (help)
        box_foot(s, &b, foot, 0, screen_commands[s->menu_row].help);
    for (int i = 0, at = help; i < MENU_WORDS && words; i++)
        at = box_foot(s, &b, foot, at, menu_words[i]);
}

void menu_take(Screen *s, int key)
{
    int row = s->menu_row;
    s->menu_row = step_row(row, command_count(), key);
    if (s->menu_row != row)
        return;
    if (is_enter(key) || key == ' ') {
        s->mode = MODE_PLAY;
        command_run(s, &screen_commands[row], (Span){"", 0});
    } else if (key == ESCAPE || key == '?' || key == 'q' || key == CANVAS_F1) {
        s->mode = MODE_PLAY;
    } else if (key < ' ' || key >= CANVAS_F1) {
        s->mode = MODE_PLAY;
        command_key(s, key);
    }
}

/* -- The choice of an opponent -- */

/* The opponents first, then these. */
enum { CHOOSE_STRENGTH, CHOOSE_ADAPTING, CHOOSE_PERSON, CHOOSE_COUNT };

static int chooser_rows(void)
{
    return opponents_count() + CHOOSE_COUNT;
}

void chooser_open(Screen *s)
{
    Color person = s->game->spec[BLACK].human && !s->game->spec[WHITE].human ? BLACK : WHITE;
    const TermPlayerSpec *now = &s->game->spec[color_other(person)];
    s->mode = MODE_CHOOSER;
    s->chooser_side = person;
    s->menu_row = opponents_count() + (now->human    ? CHOOSE_PERSON
                                       : now->adapts ? CHOOSE_ADAPTING
                                                     : CHOOSE_STRENGTH);
    for (int i = 0; i < opponents_count() && !now->human && !now->elo; i++)
        if (strcmp(opponents_at(i)->name, now->name) == 0)
            s->menu_row = i;
    if (now->elo && !now->adapts)
        s->chooser_elo = now->elo;
}

/* Title, year and rating in columns; where those do not fit, without the year, then the title
 * alone. */
static void opponent_row_text(const OpponentRow *row, int inside, char line[ROOM])
{
    char rating[16] = "";
    if (row->rating != OPPONENT_UNRATED)
        snprintf(rating, sizeof rating, "%d", row->rating);
    if (inside >= CHOOSER_TITLE + 14)
        snprintf(line, ROOM, "%-*s  %d  %4s", CHOOSER_TITLE, row->title, row->year, rating);
    else if (inside >= CHOOSER_TITLE + 7)
        snprintf(line, ROOM, "%-*s %4s", CHOOSER_TITLE, row->title, rating);
    else
        snprintf(line, ROOM, "%s", row->title);
}

static void chooser_foot(const Screen *s, const Box *b, int foot, int inside)
{
    static const char *const styles[CHOOSE_COUNT] = {
        "Makes human mistakes, not random ones.",
        "Stronger when you win, weaker when you lose.",
        "Two players at one keyboard.",
    };
    char line[ROOM];
    int count = opponents_count();
    bool narrow = inside < CHOOSER_WORDY;
    const char *side = s->chooser_side == WHITE ? "White" : "Black";
    box_foot(s, b, foot, 0,
             s->menu_row < count ? opponents_at(s->menu_row)->style : styles[s->menu_row - count]);
    snprintf(line, sizeof line, narrow ? "You: %s (Tab)" : "You play %s (Tab changes sides).",
             side);
    box_foot(s, b, foot, CHOOSER_STYLE, line);
    if (!narrow)
        box_foot(s, b, foot, CHOOSER_STYLE + 1, "Enter starts, Esc goes back.");
}

void chooser_draw(const Screen *s)
{
    int count = opponents_count(), inside = box_inside(s);
    int foot = inside < CHOOSER_WORDY ? CHOOSER_STYLE + 1 : CHOOSER_STYLE + 2;
    char line[ROOM], like[LEVEL_LIKE_SIZE];
    Box b = box_open(s, chooser_rows() + foot + 1, " A new game against ");
    for (int i = 0; i < count; i++) {
        opponent_row_text(opponents_at(i), inside, line);
        box_row(s, &b, foot, i, line);
    }
    level_plays_like(s->chooser_elo, like);
    snprintf(line, sizeof line, "Castellan at < %d >%s%s", s->chooser_elo,
             inside < CHOOSER_WORDY || !like[0] ? "" : ", ", inside < CHOOSER_WORDY ? "" : like);
    box_row(s, &b, foot, count + CHOOSE_STRENGTH, line);
    box_row(s, &b, foot, count + CHOOSE_ADAPTING, "Castellan, adapting to your results");
    box_row(s, &b, foot, count + CHOOSE_PERSON, "a person at this board");
    chooser_foot(s, &b, foot, inside);
}

static void begin_chosen(Screen *s)
{
    TermPlayerSpec spec = term_player_castellan(), person = term_player_human();
    Message why;
    int count = opponents_count();
    if (s->menu_row < count)
        snprintf(spec.name, sizeof spec.name, "%s", opponents_at(s->menu_row)->name);
    else if (s->menu_row == count + CHOOSE_STRENGTH)
        spec.elo = s->chooser_elo;
    else if (s->menu_row == count + CHOOSE_ADAPTING)
        spec.adapts = true;
    else
        spec = person;
    spec.level = s->game->spec[WHITE].level;
    spec.seed = s->game->spec[WHITE].seed;
    s->mode = MODE_PLAY;
    /* The game that is left keeps its players: the new one begins first. */
    term_game_new_game(s->game, NULL);
    if (term_game_set_player(s->game, s->chooser_side, &person, &why) != STATUS_OK ||
        term_game_set_player(s->game, color_other(s->chooser_side), &spec, &why) != STATUS_OK)
        screen_say(s, true, "%s", why.text);
    else
        screen_say(s, false, "A new game.");
    screen_begin_game(s);
}

void chooser_take(Screen *s, int key)
{
    s->menu_row = step_row(s->menu_row, chooser_rows(), key);
    if ((key == CANVAS_LEFT || key == CANVAS_RIGHT) && s->menu_row == opponents_count()) {
        int elo = s->chooser_elo + (key == CANVAS_RIGHT ? CHOOSER_STEP : -CHOOSER_STEP);
        s->chooser_elo = elo < TERM_PLAYER_ELO_MIN   ? TERM_PLAYER_ELO_MIN
                         : elo > TERM_PLAYER_ELO_MAX ? TERM_PLAYER_ELO_MAX
                                                     : elo;
    } else if (key == '\t' || key == 'c') {
        s->chooser_side = color_other(s->chooser_side);
    } else if (is_enter(key) || key == ' ') {
        begin_chosen(s);
    } else if (key == ESCAPE || key == 'q') {
        s->mode = MODE_PLAY;
    } else if (key == (CTRL & 'C')) {
        s->quit = true;
    }
}
