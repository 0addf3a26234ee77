/* The commands of the line mode. */
#include "chess/fen.h"
#include "engine/opponents.h"
#include "term/game_text.h"
#include "term/line_int.h"

#include <stdio.h>

/* -- The game -- */

/* Where one person plays, that person gets this side. */
static void give_person(Line *l, Color c)
{
    if (!l->game->spec[c].human && l->game->spec[color_other(c)].human)
        term_game_swap_players(l->game);
    if (!l->game->spec[color_other(c)].human)
        l->seen_from = c;
}

static void do_new(Line *l)
{
    l->questions = 0;
    term_game_new_game(l->game, NULL);
    if (span_is_ignoring_case(l->rest, "black"))
        give_person(l, BLACK);
    else if (span_is_ignoring_case(l->rest, "white"))
        give_person(l, WHITE);
    char names[COLOR_COUNT][TERM_PLAYER_NAME_SIZE];
    for (Color c = WHITE; c <= BLACK; c++)
        term_player_title(&l->game->spec[c], names[c]);
    line_say(l, "A new game: %s has White, %s Black.", names[WHITE], names[BLACK]);
    if (l->show_board)
        line_say_board(l);
}

static void do_undo(Line *l)
{
    Message why;
    if (term_game_take_back(l->game, &why) != STATUS_OK)
        line_say(l, "%s", why.text);
    else if (l->show_board)
        line_say_board(l);
    else
        line_show_last(l);
}

/* A program moves for the side to move; the person plays the other. */
static void do_go(Line *l)
{
    Message why;
    Color side = l->game->play.now.side;
    l->questions = 0;
    if (play_is_over(&l->game->play)) {
        line_say_end(l);
        return;
    }
    if (!l->game->spec[side].human)
        return;
    if (l->game->spec[color_other(side)].human) {
        TermPlayerSpec spec = term_player_castellan();
        if (term_game_set_player(l->game, side, &spec, &why) != STATUS_OK)
            line_say(l, "%s", why.text);
    } else {
        give_person(l, color_other(side));
    }
}

static void do_stop(Line *l)
{
    if (term_game_is_thinking(l->game))
        term_game_hurry(l->game);
    else
        line_say(l, "No program is thinking.");
}

static void do_resign(Line *l)
{
    Message why;
    if (term_game_resign(l->game, &why) != STATUS_OK)
        line_say(l, "%s", why.text);
}

static void do_draw(Line *l)
{
    Message why;
    if (term_game_offer_draw(l->game, &why) != STATUS_OK)
        line_say(l, "%s.", why.text);
}

static void do_fen(Line *l)
{
    char fen[FEN_SIZE];
    Message why;
    Position p;
    if (!l->rest.len) {
        fen_write(&l->game->play.now, FEN_X, fen);
        line_say(l, "%s", fen);
        return;
    }
    if (fen_parse(&p, l->rest, false, &why) != STATUS_OK) {
        line_say(l, "%s", why.text);
        return;
    }
    l->questions = 0;
    term_game_new_game(l->game, &p);
    give_person(l, p.side);
    if (l->show_board)
        line_say_board(l);
}

/* -- Who plays -- */

static void choose_player(Line *l, Color c)
{
    Message said;
    char title[TERM_PLAYER_NAME_SIZE];
    if (!l->rest.len) {
        term_player_title(&l->game->spec[c], title);
        line_say(l, "%s: %s.", game_text_color(c), title);
        return;
    }
    l->questions = 0;
    term_game_choose_player(l->game, c, l->rest, &said);
    line_say(l, "%s", said.text);
}

static void do_white(Line *l)
{
    choose_player(l, WHITE);
}

static void do_black(Line *l)
{
    choose_player(l, BLACK);
}

static void do_opponent(Line *l)
{
    choose_player(l, l->game->spec[WHITE].human ? BLACK : WHITE);
}

static void do_opponents(Line *l)
{
    for (int i = 0; i < opponents_count(); i++) {
        const OpponentRow *row = opponents_at(i);
        if (row->rating == OPPONENT_UNRATED)
            line_say(l, "%s (%d): %s", row->name, row->year, row->style);
        else
            line_say(l, "%s (%d, rating %d): %s", row->name, row->year, row->rating, row->style);
    }
    line_say(l, "\"opponent NAME\" plays against one of them, \"opponent 1200\" against that "
                "strength.");
}

static void do_level(Line *l)
{
    int64_t level;
    if (l->rest.len && !span_to_int64(l->rest, 1, TERM_PLAYER_LEVELS, &level)) {
        line_say(l, "Levels go from 1 to %d.", TERM_PLAYER_LEVELS);
        return;
    }
    if (l->rest.len)
        term_game_set_level(l->game, (int)level);
    int now = l->game->spec[WHITE].level;
    line_say(l, "Level %d: %s.", now, term_player_level_words(now));
}

/* "set Hash 64": the value follows the longest option name, because names may have spaces. */
static void do_set(Line *l)
{
    Message why = {""};
    Span name = l->rest;
    while (name.len && option_find(span_trim(name)) == OPTION_COUNT)
        name.len--;
    Span value = {l->rest.at + name.len, l->rest.len - name.len};
    Status s =
        term_game_set_option(l->game, span_trim(name.len ? name : l->rest), span_trim(value), &why);
    line_say(l, "%s",
             why.text[0]      ? why.text
             : s == STATUS_OK ? "Done."
                              : "The option was not set.");
}

static void do_save(Line *l)
{
    char named[TERM_GAME_PATH_SIZE];
    Message why;
    if (term_game_save_copy(l->game, l->rest, named, &why) == STATUS_OK)
        line_say(l, "Saved in %s.", named);
    else
        line_say(l, "%s", why.text);
}

static void do_show(Line *l)
{
    l->show_board = !l->show_board;
    line_say(l, l->show_board ? "The board is drawn after every move."
                              : "The board is drawn when you type \"board\".");
}

static void do_quit(Line *l)
{
    l->quit = true;
}

static void do_help(Line *l);

static const LineCommand line_commands[] = {
    {"help", "", "this list", true, do_help},
    {"new", "[white|black]", "a new game; you have White, or Black", true, do_new},
    {"undo", "", "take back your last move and the answer", true, do_undo},
    {"takeback", "", NULL, true, do_undo},
    {"go", "", "make the program move for the side to move", false, do_go},
    {"stop", "", "while a program thinks: move now", true, do_stop},
    {"show", "", "draw the board after every move, or not", true, do_show},
    {"fen", "[FEN]", "show the position as FEN, or set one up", true, do_fen},
    {"resign", "", "resign the game", true, do_resign},
    {"resig", "", NULL, true, do_resign},
    {"draw", "", "offer a draw, or agree to one", true, do_draw},
    {"opponents", "", "list the opponents", true, do_opponents},
    {"opponent", "PLAYER", "play against a name of that list, or a rating: 1200", true,
     do_opponent},
    {"white", "PLAYER", "who plays White: human, computer, a name, a rating", true, do_white},
    {"black", "PLAYER", "the same for Black", true, do_black},
    {"level", "[1-10]", "show or set how long the engine thinks without a clock", true, do_level},
    {"set", "NAME VALUE", "set an engine option, such as: set Threads 2", true, do_set},
    {"save", "[FILE]", "save a copy of the game as PGN", true, do_save},
    {"quit", "", "quit; the game stays saved", true, do_quit},
    {"exit", "", NULL, true, do_quit},
    {0},
};

static void add_help(Text *t, const LineCommand *row)
{
    for (; row->name; row++)
        if (row->help)
            text_addf(t, "\n  %-9s %-13s %s", row->name, row->arguments, row->help);
}

static void do_help(Line *l)
{
    Text t = text_new();
    text_add_str(&t, "A move, such as e4, Nf3, O-O, g1f3 or 52 36, or:");
    add_help(&t, line_commands);
    text_add_str(&t, "\nTo look at the game:");
    add_help(&t, line_show_commands);
    line_say_text(l, &t);
}

const LineCommand *line_find_command(Span word)
{
    const LineCommand *const tables[] = {line_commands, line_show_commands};
    for (int i = 0; i < 2; i++)
        for (const LineCommand *row = tables[i]; row->name; row++)
            if (span_is_ignoring_case(word, row->name))
                return row;
    return NULL;
}
