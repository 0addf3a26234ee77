#include "app/play_lines.h"

#include "app/front.h"

#include <unistd.h>

static void say(void *user, const Text *text)
{
    FrontEnds *ends = user;
    output_text(&ends->out, text);
}

static void wake(void *user)
{
    FrontEnds *ends = user;
    input_wake(&ends->in);
}

static void converse(Line *l, FrontEnds *ends)
{
    for (;;) {
        Span line;
        switch (input_next_within(&ends->in, line_due(l), &line)) {
        case INPUT_LINE:
            if (!line_feed(l, line))
                return;
            break;
        case INPUT_TOO_LONG:
            output_line(&ends->out, "A line of more than 16 MB was ignored.");
            break;
        case INPUT_WAKE:
        case INPUT_TIME:
            line_wake(l);
            break;
        case INPUT_END:
            return;
        }
    }
}

Status play_lines(LineSetup setup, Message *why)
{
    FrontEnds ends;
    Line *l;
    Status s = front_open(&ends, why);
    if (s != STATUS_OK)
        return s;
    setup.scripted = !isatty(STDIN_FILENO);
    for (Color c = WHITE; c <= BLACK; c++)
        setup.game.player[c].at_once = setup.game.player[c].at_once || setup.scripted;
    LineEnds line_ends = {.user = &ends, .say = say, .wake = wake};
    s = line_open(&l, &setup, &line_ends, why);
    if (s == STATUS_OK) {
        converse(l, &ends);
        line_close(l);
    }
    return front_close(&ends, s, why);
}

Status play_console(Message *why)
{
    char folder[TERM_GAME_PATH_SIZE], players[TERM_GAME_PATH_SIZE];
    LineSetup setup = {.ask = true, .show_board = true};
    setup.game.player[WHITE] = term_player_human();
    setup.game.player[BLACK] = term_player_castellan();
    setup.game.folder = term_game_data(folder, "games", NULL) == STATUS_OK ? folder : NULL;
    setup.game.players = term_game_data(players, "players", NULL) == STATUS_OK ? players : NULL;
    return play_lines(setup, why);
}
