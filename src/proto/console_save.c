#include "proto/console_int.h"

#include "base/clock.h"
#include "base/file.h"
#include "chess/draw.h"
#include "engine/about.h"
#include "notation/pgn_write.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NAMES = 1000 };

static PgnResult result_of(const Position *p)
{
    switch (draw_game_end(p)) {
    case GAME_GOES_ON:
        return PGN_UNKNOWN;
    case GAME_CHECKMATE:
        return p->side == WHITE ? PGN_BLACK_WINS : PGN_WHITE_WINS;
    default:
        return PGN_DRAW;
    }
}

static Status set_tags(Game *g, Color human, Message *why)
{
    static const char engine[] = ABOUT_NAME " " ABOUT_VERSION;
    char date[CLOCK_DATE_SIZE];
    clock_date(date);
    const char *const tags[][2] = {
        {"Event", "Console game"},
        {"Date", date},
        {"White", human == WHITE ? "Player" : engine},
        {"Black", human == WHITE ? engine : "Player"},
    };
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        Status s = game_set_tag(g, span_of(tags[i][0]), span_of(tags[i][1]), why);
        if (s != STATUS_OK)
            return s;
    }
    return STATUS_OK;
}

static Status fill_game(Game *g, const Engine *e, Color human, Message *why)
{
    Status s = game_set_start(g, engine_first_position(e), why);
    if (s == STATUS_OK)
        s = set_tags(g, human, why);
    GameNode *at = game_root(g);
    for (int i = 0; i < engine_move_count(e) && s == STATUS_OK; i++) {
        at = game_append(g, at, engine_move_at(e, i));
        if (!at)
            s = status_fail(why, STATUS_MEMORY, "no memory for the game");
    }
    game_set_result(g, result_of(engine_position(e)));
    return s;
}

/* "castellan-2026.11.15.pgn", or with -2, -3 ... before the dot: nothing is overwritten. */
static Status fresh_name(char named[CONSOLE_NAME_SIZE], Message *why)
{
    char date[CLOCK_DATE_SIZE], number[16] = "";
    clock_date(date);
    for (int i = 2; i <= MAX_NAMES; i++) {
        snprintf(named, CONSOLE_NAME_SIZE, "castellan-%s%s.pgn", date, number);
        if (access(named, F_OK) != 0)
            return STATUS_OK;
        snprintf(number, sizeof number, "-%d", i);
    }
    return status_fail(why, STATUS_REFUSED, "there are %d games of today here already", MAX_NAMES);
}

static Status choose_name(Span path, char named[CONSOLE_NAME_SIZE], Message *why)
{
    if (!path.len)
        return fresh_name(named, why);
    if (path.len >= CONSOLE_NAME_SIZE || memchr(path.at, '\0', path.len))
        return status_fail(why, STATUS_INVALID, "that is no file name");
    memcpy(named, path.at, path.len);
    named[path.len] = '\0';
    return STATUS_OK;
}

Status console_save(const Engine *e, Color human, Span path, char named[CONSOLE_NAME_SIZE],
                    Message *why)
{
    Status s = choose_name(path, named, why);
    if (s != STATUS_OK)
        return s;
    Text text;
    Game *g = game_new();
    if (!g)
        return status_fail(why, STATUS_MEMORY, "no memory for the game");
    text_init(&text);
    s = fill_game(g, e, human, why);
    if (s == STATUS_OK)
        s = pgn_write(g, &text, why);
    if (s == STATUS_OK)
        s = file_write_atomic(named, text.at, text.len, why);
    text_free(&text);
    game_free(g);
    return s;
}
