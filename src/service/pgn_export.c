#include "service/pgn_int.h"

#include "engine/about.h"
#include "notation/annotation.h"
#include "notation/game.h"
#include "notation/pgn_write.h"

#include <string.h>
#include <time.h>

typedef struct PgnExport {
    Store *store;
    Game *game;
    Status status;
    Message *why;
} PgnExport;

static void set_tag(PgnExport *x, const char *name, const char *value)
{
    if (x->status == STATUS_OK && value[0])
        x->status = game_set_tag(x->game, span_of(name), span_of(value), x->why);
}

static void set_number(PgnExport *x, const char *name, int64_t n)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)n);
    if (n)
        set_tag(x, name, text);
}

static void set_date(PgnExport *x, const StoreGame *g)
{
    char date[16];
    time_t seconds = (time_t)(g->created / 1000);
    struct tm utc;
    if (g->date[0])
        set_tag(x, "Date", g->date);
    else if (gmtime_r(&seconds, &utc) && strftime(date, sizeof date, "%Y.%m.%d", &utc))
        set_tag(x, "Date", date);
}

static void set_time_control(PgnExport *x, const StoreGame *g)
{
    char text[48];
    snprintf(text, sizeof text, "%lld+%lld", (long long)(g->initial_ms / 1000),
             (long long)(g->increment_ms / 1000));
    set_tag(x, "TimeControl", g->has_clock ? text : "-");
}

static void set_tags(PgnExport *x, const StoreGame *g)
{
    static const char *const terminations[][2] = {
        {"time", "time forfeit"}, {"time-material", "time forfeit"}, {"stopped", "unterminated"}};
    set_tag(x, "Event", g->event[0] ? g->event : g->rated ? "Rated game" : "Casual game");
    set_tag(x, "Site", g->kind == STORE_IMPORT ? "?" : ABOUT_NAME);
    set_date(x, g);
    set_tag(x, "Round", "-");
    set_tag(x, "White", g->side[WHITE].title);
    set_tag(x, "Black", g->side[BLACK].title);
    set_number(x, "WhiteElo", g->side[WHITE].rating);
    set_number(x, "BlackElo", g->side[BLACK].rating);
    set_tag(x, "ECO", g->eco);
    set_tag(x, "Opening", g->opening);
    if (g->kind != STORE_IMPORT)
        set_time_control(x, g);
    const char *termination = !g->over ? "unterminated" : "normal";
    for (size_t i = 0; i < sizeof terminations / sizeof *terminations; i++)
        if (strcmp(terminations[i][0], g->reason) == 0)
            termination = terminations[i][1];
    if (g->kind != STORE_IMPORT)
        set_tag(x, "Termination", termination);
}

static Status set_stored_tags(PgnExport *x, int64_t game)
{
    StoreTag tag;
    StoreRows rows = store_tags(x->store, game);
    while (store_next(&rows, &tag))
        set_tag(x, tag.name, tag.value);
    Status s = store_rows_end(&rows, x->why);
    return x->status == STATUS_OK ? s : x->status;
}

static Status add_move(PgnExport *x, Position *now, GameNode **at, const StoreMove *m)
{
    Undo undo;
    Move move = uci_move_read(now, span_of(m->uci));
    if (move == MOVE_NONE)
        return STATUS_OK;
    *at = game_add(x->game, *at, move);
    if (!*at)
        return status_fail(x->why, STATUS_MEMORY, "not enough memory for a game");
    pos_make(now, move, &undo);
    if (m->clock_ms < 0)
        return STATUS_OK;
    Text clock = text_new();
    annotation_add_clock(&clock, m->clock_ms);
    Status s = game_set_comment(x->game, *at, (Span){clock.at, clock.len}, x->why);
    text_free(&clock);
    return s;
}

static Status add_moves(PgnExport *x, int64_t game, Position now)
{
    StoreMove m;
    GameNode *at = game_root(x->game);
    Status s = STATUS_OK;
    StoreRows rows = store_moves(x->store, game);
    while (s == STATUS_OK && store_next(&rows, &m))
        s = add_move(x, &now, &at, &m);
    Status read = store_rows_end(&rows, x->why);
    return s == STATUS_OK ? read : s;
}

static Status export_game(Store *s, const StoreGame *g, Text *out, Message *why)
{
    Position start;
    PgnExport x = {.store = s, .game = game_new(), .why = why};
    if (!x.game)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    x.status = fen_parse(&start, span_of(g->start_fen), g->chess960, why);
    if (x.status == STATUS_OK && (g->chess960 || strcmp(g->start_fen, FEN_START) != 0))
        x.status = game_set_start(x.game, &start, why);
    set_tags(&x, g);
    if (x.status == STATUS_OK && g->kind == STORE_IMPORT)
        x.status = set_stored_tags(&x, g->id);
    game_set_result(x.game, g->result);
    if (x.status == STATUS_OK)
        x.status = add_moves(&x, g->id, start);
    if (x.status == STATUS_OK)
        x.status = pgn_write(x.game, out, why);
    game_free(x.game);
    return x.status;
}

Status pgn_export_game(Store *s, int64_t id, Text *out, Message *why)
{
    StoreGame g;
    Status status = store_game_load(s, id, &g, why);
    return status == STATUS_OK ? export_game(s, &g, out, why) : status;
}

Status pgn_export_games(Store *s, const StoreFilter *f, Text *out, Message *why)
{
    StoreGame g;
    Status status = STATUS_OK;
    StoreRows rows = store_games(s, f);
    while (status == STATUS_OK && store_next(&rows, &g))
        status = export_game(s, &g, out, why);
    Status read = store_rows_end(&rows, why);
    return status == STATUS_OK ? read : status;
}
