/* What can be done, by word, by key and in the menu: one row each. */
#include "term/game_text.h"
#include "term/screen_int.h"

#include <stdio.h>

static bool has_advisor(Screen *s)
{
    Message why;
    if (!s->advisor && advisor_open(&s->advisor, screen_wake, s, &why) != STATUS_OK)
        screen_say(s, true, "%s", why.text);
    return s->advisor != NULL;
}

void screen_watch(Screen *s)
{
    Position p;
    screen_shown(s, &p);
    bool over = s->looking_at < 0 && play_is_over(&s->game->play);
    if (!s->analysing || !s->advisor || s->analysed == p.st.key)
        return;
    s->analysed = p.st.key;
    if (over)
        advisor_rest(s->advisor);
    else
        advisor_look(s->advisor, &p, SCREEN_LINES, 0);
}

/* -- The commands -- */

static void do_menu(Screen *s)
{
    s->mode = MODE_MENU;
    s->menu_row = 0;
}

static void do_take_back(Screen *s)
{
    Message why;
    if (term_game_take_back(s->game, &why) != STATUS_OK)
        screen_say(s, true, "%s", why.text);
    else
        screen_say(s, false, "Taken back.");
    s->chosen = SQ_NONE;
    s->idea = MOVE_NONE;
    s->looking_at = -1;
}

static void do_hint(Screen *s)
{
    if (!term_game_human_to_move(s->game)) {
        screen_say(s, true, "It is not your turn.");
        return;
    }
    if (!has_advisor(s))
        return;
    const Position *p = &s->game->play.now;
    s->looking_at = -1;
    s->chosen = SQ_NONE;
    s->idea = advisor_hint(s->advisor, p);
    s->analysed = 0;
    if (s->idea == MOVE_NONE)
        return;
    Text t = text_new();
    game_text_move(p, s->idea, &t);
    screen_say(s, false, "Hint: %s.", t.at);
    text_free(&t);
}

static void do_analysis(Screen *s)
{
    s->analysing = !s->analysing && has_advisor(s);
    s->analysed = 0;
    if (!s->analysing && s->advisor)
        advisor_rest(s->advisor);
    if (s->analysing && !s->layout.panel_h)
        screen_say(s, false, "Lines need a larger window.");
}

static void do_flip(Screen *s)
{
    s->bottom = color_other(s->bottom);
}

static void do_new(Screen *s)
{
    Color c = span_is_ignoring_case(s->rest, "black") ? BLACK : WHITE;
    if (s->rest.len && !s->game->spec[c].human && s->game->spec[color_other(c)].human)
        term_game_swap_players(s->game);
    term_game_new_game(s->game, NULL);
    screen_begin_game(s);
    screen_say(s, false, "A new game.");
}

static void choose_player(Screen *s, Color c)
{
    Message said;
    Status status = term_game_choose_player(s->game, c, s->rest, &said);
    screen_say(s, status != STATUS_OK, "%s", said.text);
}

static void do_opponent(Screen *s)
{
    if (s->rest.len)
        choose_player(s, s->game->spec[WHITE].human ? BLACK : WHITE);
    else
        chooser_open(s);
}

static void do_white(Screen *s)
{
    choose_player(s, WHITE);
}

static void do_black(Screen *s)
{
    choose_player(s, BLACK);
}

static void do_level(Screen *s)
{
    int64_t level;
    if (!span_to_int64(s->rest, 1, TERM_PLAYER_LEVELS, &level)) {
        screen_say(s, true, "Levels go from 1 to %d: level 5.", TERM_PLAYER_LEVELS);
        return;
    }
    term_game_set_level(s->game, (int)level);
    screen_say(s, false, "Level %d: %s.", (int)level, term_player_level_words((int)level));
}

static void do_draw(Screen *s)
{
    Message why;
    if (term_game_offer_draw(s->game, &why) != STATUS_OK)
        screen_say(s, true, "%s", why.text);
}

static void do_resign(Screen *s)
{
    if (play_is_over(&s->game->play))
        screen_say(s, true, "The game is over.");
    else
        s->mode = MODE_RESIGN;
}

static void do_stop(Screen *s)
{
    term_game_hurry(s->game);
}

static void do_save(Screen *s)
{
    char named[TERM_GAME_PATH_SIZE];
    Message why;
    if (term_game_save_copy(s->game, s->rest, named, &why) == STATUS_OK)
        screen_say(s, false, "Saved in %.200s", named);
    else
        screen_say(s, true, "%s", why.text);
}

static void do_quit(Screen *s)
{
    s->quit = true;
}

const ScreenCommand screen_commands[] = {
    {"undo", "take your last move back", CTRL & 'T', "Ctrl-T", do_take_back},
    {"hint", "a hint for your move", CTRL & 'G', "Ctrl-G", do_hint},
    {"lines", "analysis on or off", CTRL & 'A', "Ctrl-A", do_analysis},
    {"flip", "flip the board", CTRL & 'F', "Ctrl-F", do_flip},
    {"new", "a new game (new black: your side)", CTRL & 'N', "Ctrl-N", do_new},
    {"opponent", "choose an opponent and a level", CTRL & 'O', "Ctrl-O", do_opponent},
    {"draw", "offer a draw, or agree to one", CTRL & 'D', "Ctrl-D", do_draw},
    {"resign", "resign", CTRL & 'R', "Ctrl-R", do_resign},
    {"stop", "make the program move now", CTRL & 'X', "Ctrl-X", do_stop},
    {"save", "save a copy (save FILE)", CTRL & 'W', "Ctrl-W", do_save},
    {"quit", "quit; the game stays saved", CTRL & 'C', "Ctrl-C", do_quit},
    {"help", NULL, '?', "?", do_menu},
    {"menu", NULL, CANVAS_F1, "F1", do_menu},
    {"takeback", NULL, 0, "", do_take_back},
    {"analyse", NULL, 0, "", do_analysis},
    {"white", NULL, 0, "", do_white},
    {"black", NULL, 0, "", do_black},
    {"level", NULL, 0, "", do_level},
    {"exit", NULL, CTRL & 'Q', "", do_quit},
};

enum { ALL_COUNT = sizeof screen_commands / sizeof *screen_commands };

int command_count(void)
{
    int count = 0;
    while (count < ALL_COUNT && screen_commands[count].help)
        count++;
    return count;
}

void command_run(Screen *s, const ScreenCommand *command, Span rest)
{
    s->rest = span_trim(rest);
    command->run(s);
}

bool command_word(Screen *s, Span text)
{
    Span word;
    if (!span_next_word(&text, &word))
        return false;
    for (int i = 0; i < ALL_COUNT; i++)
        if (span_is_ignoring_case(word, screen_commands[i].word)) {
            command_run(s, &screen_commands[i], text);
            return true;
        }
    return false;
}

void command_key(Screen *s, int key)
{
    for (int i = 0; i < ALL_COUNT; i++)
        if (screen_commands[i].key == key) {
            command_run(s, &screen_commands[i], (Span){"", 0});
            return;
        }
}
