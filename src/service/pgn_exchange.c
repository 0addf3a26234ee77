#include "service/service_int.h"

#include "base/clock.h"
#include "engine/about.h"
#include "notation/annotation.h"
#include "notation/game_read.h"
#include "notation/pgn_write.h"

#include <string.h>
#include <time.h>

enum {
    MAX_ERRORS = 20,
    MAX_IDS = 100,
    BATCH_MS = 30,
    BREAK_MS = 5,
    MAX_TAGS = 64,
    MAX_TAG_BYTES = 1000
};

/* -- Out -- */

typedef struct Export {
    Store *store;
    Game *game;
    GameNode *at;
    Position now;
    Text *out;
    Status status;
    Message *why;
} Export;

static void set_tag(Export *x, const char *name, const char *value)
{
    if (x->status == STATUS_OK && value[0])
        x->status = game_set_tag(x->game, span_of(name), span_of(value), x->why);
}

static void set_number(Export *x, const char *name, int64_t n)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)n);
    if (n)
        set_tag(x, name, text);
}

static void set_date(Export *x, const StoreGame *g)
{
    char date[16];
    time_t seconds = (time_t)(g->created / 1000);
    struct tm utc;
    if (g->date[0])
        set_tag(x, "Date", g->date);
    else if (gmtime_r(&seconds, &utc) && strftime(date, sizeof date, "%Y.%m.%d", &utc))
        set_tag(x, "Date", date);
}

static void set_time_control(Export *x, const StoreGame *g)
{
    char text[48];
    snprintf(text, sizeof text, "%lld+%lld", (long long)(g->initial_ms / 1000),
             (long long)(g->increment_ms / 1000));
    set_tag(x, "TimeControl", g->has_clock ? text : "-");
}

static void set_tags(Export *x, const StoreGame *g)
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

static void set_stored_tag(void *user, const char *name, const char *value)
{
    set_tag(user, name, value);
}

static void add_move(void *user, const StoreMove *m)
{
    Export *x = user;
    Undo undo;
    Move move = x->status == STATUS_OK ? uci_move_read(&x->now, span_of(m->uci)) : MOVE_NONE;
    if (move == MOVE_NONE)
        return;
    x->at = game_add(x->game, x->at, move);
    if (!x->at) {
        x->status = status_fail(x->why, STATUS_MEMORY, "no memory for a game");
        return;
    }
    pos_make(&x->now, move, &undo);
    if (m->clock_ms < 0)
        return;
    Text clock;
    text_init(&clock);
    annotation_add_clock(&clock, m->clock_ms);
    x->status = game_set_comment(x->game, x->at, (Span){clock.at, clock.len}, x->why);
    text_free(&clock);
}

static Status export_game(Store *s, const StoreGame *g, Text *out, Message *why)
{
    Export x = {.store = s, .game = game_new(), .out = out, .why = why};
    if (!x.game)
        return status_fail(why, STATUS_MEMORY, "no memory for a game");
    x.status = fen_parse(&x.now, span_of(g->start_fen), g->chess960, why);
    if (x.status == STATUS_OK && (g->chess960 || strcmp(g->start_fen, FEN_START) != 0))
        x.status = game_set_start(x.game, &x.now, why);
    x.at = game_root(x.game);
    set_tags(&x, g);
    if (x.status == STATUS_OK && g->kind == STORE_IMPORT)
        x.status = store_tags(s, g->id, set_stored_tag, &x, why);
    game_set_result(x.game, g->result);
    if (x.status == STATUS_OK)
        x.status = store_moves(s, g->id, add_move, &x, why);
    if (x.status == STATUS_OK)
        x.status = pgn_write(x.game, out, why);
    game_free(x.game);
    return x.status;
}

Status pgn_of_game(Store *s, int64_t id, Text *out, Message *why)
{
    StoreGame g;
    Status status = store_game_load(s, id, &g, why);
    return status == STATUS_OK ? export_game(s, &g, out, why) : status;
}

static void export_listed(void *user, const StoreGame *g)
{
    Export *x = user;
    if (x->status == STATUS_OK)
        x->status = export_game(x->store, g, x->out, x->why);
}

Status pgn_of_games(Store *s, const StoreFilter *f, Text *out, Message *why)
{
    Export x = {.store = s, .out = out, .why = why};
    Status status = store_games(s, f, export_listed, &x, NULL, why);
    return status == STATUS_OK ? x.status : status;
}

/* -- In -- */

typedef struct Import {
    Store *store;
    const Openings *names;
    int64_t player;
    ImportReport *report;
    char you[STORE_NAME_SIZE]; /* the player's name; empty: nobody's */
} Import;

static int64_t rating_tag(const Game *g, const char *name)
{
    int64_t n;
    const char *value = game_tag(g, name);
    return value && span_to_int64(span_of(value), 0, 5000, &n) ? n : 0;
}

static void copy_tag(const Game *g, const char *name, char *out, size_t size)
{
    const char *value = game_tag(g, name);
    snprintf(out, size, "%s", value && strcmp(value, "?") != 0 ? value : "");
    /* A name that was cut may end inside a character. */
    size_t len = strlen(out);
    while (len == size - 1 && len && ((unsigned char)out[len - 1] & 0xC0) == 0x80)
        out[--len] = '\0';
    if (len == size - 2 && ((unsigned char)out[len - 1] & 0x80))
        out[len - 1] = '\0';
}

static void describe_side(const Game *g, Color c, StoreSide *side)
{
    side->kind = SIDE_OTHER;
    copy_tag(g, c == WHITE ? "White" : "Black", side->name, sizeof side->name);
    if (!side->name[0])
        snprintf(side->name, sizeof side->name, "%s", c == WHITE ? "White" : "Black");
    memcpy(side->title, side->name, sizeof side->title);
    side->rating = rating_tag(g, c == WHITE ? "WhiteElo" : "BlackElo");
}

/* If it was you who played, the name says so. */
static void find_you(const Import *in, StoreGame *g)
{
    g->you = -1;
    for (int c = 0; c < COLOR_COUNT; c++)
        if (in->you[0] && span_is_ignoring_case(span_of(g->side[c].name), in->you))
            g->you = c;
}

static void describe_game(const Import *in, const Game *game, StoreGame *g)
{
    OpeningName name;
    *g = (StoreGame){.player = in->player, .kind = STORE_IMPORT, .version = 1, .offer = -1};
    describe_side(game, WHITE, &g->side[WHITE]);
    describe_side(game, BLACK, &g->side[BLACK]);
    find_you(in, g);
    g->chess960 = game_start(game)->chess960;
    fen_write(game_start(game), FEN_X, g->start_fen);
    g->over = true;
    g->result = game_result(game);
    snprintf(g->reason, sizeof g->reason, "import");
    copy_tag(game, "Event", g->event, sizeof g->event);
    copy_tag(game, "Date", g->date, sizeof g->date);
    if (openings_find_game(in->names, game, &name, NULL)) {
        snprintf(g->eco, sizeof g->eco, "%s", name.eco);
        snprintf(g->opening, sizeof g->opening, "%s", name.name);
    }
    g->created = g->updated = clock_wall_ms();
}

static Status store_line(const Import *in, const Game *game, StoreGame *g, Message *why)
{
    Position p = *game_start(game);
    Undo undo;
    Status s = store_game_add(in->store, g, why);
    for (const GameNode *n = game_root(game)->child;
         n && s == STATUS_OK && n->move != MOVE_NULL && g->plies < WEB_MAX_PLIES; n = n->child) {
        StoreMove m = {.clock_ms = -1};
        uci_move_write(&p, n->move, m.uci);
        if (n->after && !annotation_time(span_of(n->after), "clk", &m.clock_ms))
            m.clock_ms = -1;
        pos_make(&p, n->move, &undo);
        memcpy(g->last, m.uci, sizeof g->last);
        s = store_move_put(in->store, g->id, g->plies++, &m, NULL, why);
    }
    fen_write(&p, FEN_X, g->fen);
    return s == STATUS_OK ? store_game_save(in->store, g, why) : s;
}

/* As they came, so that what is exported is what was imported. Where a game starts and how it ends
 * the game itself says. */
static Status store_all_tags(const Import *in, const Game *game, int64_t id, Message *why)
{
    static const char *const own[] = {"Result", "SetUp", "FEN", "Variant"};
    int count = 0;
    Status s = STATUS_OK;
    for (const GameTag *t = game_tags(game); t && s == STATUS_OK && count < MAX_TAGS; t = t->next) {
        bool kept = t->value[0] && strlen(t->value) <= MAX_TAG_BYTES;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            kept &= strcmp(own[i], t->name) != 0;
        if (!kept)
            continue;
        s = store_tag_put(in->store, id, t->name, t->value, why);
        count++;
    }
    return s;
}

static Status import_game(const Import *in, const Game *game, Message *why)
{
    StoreGame g;
    if (!game_root(game)->child && !game_tag(game, "White"))
        return STATUS_OK; /* an empty piece of text is no game */
    describe_game(in, game, &g);
    Status s = store_line(in, game, &g, why);
    if (s == STATUS_OK)
        s = store_all_tags(in, game, g.id, why);
    if (s != STATUS_OK)
        return s;
    if (in->report->id_count < MAX_IDS)
        in->report->ids[in->report->id_count++] = g.id;
    in->report->imported++;
    return STATUS_OK;
}

static void note_error(ImportReport *report, const Message *why)
{
    report->skipped++;
    if (report->error_count++ < MAX_ERRORS)
        json_put_str(&report->errors, NULL, why->text);
}

static Status import_next(const Import *in, PgnReader *reader, Game *game, bool *more, Message *why)
{
    Status read = game_read(game, reader, why);
    if (read == STATUS_OK)
        return import_game(in, game, why);
    if (read == STATUS_INVALID)
        note_error(in->report, why);
    else
        *more = false;
    return read == STATUS_IO || read == STATUS_MEMORY ? read : STATUS_OK;
}

/* Boards that are being played write to the same file: a batch is short, and then it is their turn. Its time
 * begins when it has the file: who waits long for that would get nothing done. */
static Status import_batch(const Import *in, PgnReader *reader, Game *game, bool *more,
                           Message *why)
{
    Status s = store_begin(in->store, why);
    int64_t end = clock_now_ms() + BATCH_MS;
    if (s != STATUS_OK)
        return s;
    do
        s = import_next(in, reader, game, more, why);
    while (s == STATUS_OK && *more && clock_now_ms() < end);
    if (s == STATUS_OK)
        return store_commit(in->store, why);
    store_rollback(in->store);
    return s;
}

Status pgn_take(Store *store, const Openings *names, int64_t player, Span pgn, ImportReport *report,
                Message *why)
{
    PgnReader *reader;
    Status s = pgn_open_text(&reader, "import", pgn, why);
    if (s != STATUS_OK)
        return s;
    Game *game = game_new();
    if (!game)
        s = status_fail(why, STATUS_MEMORY, "no memory for a game");
    Import in = {store, names, player, report, ""};
    StorePlayer p;
    if (store_player_load(store, player, &p, why) == STATUS_OK)
        memcpy(in.you, p.name, sizeof in.you);
    for (bool more = true; more && s == STATUS_OK;) {
        s = import_batch(&in, reader, game, &more, why);
        if (more)
            clock_sleep_ms(BREAK_MS);
    }
    game_free(game);
    pgn_close(reader);
    return s;
}

void pgn_report_json(const ImportReport *report, Text *out)
{
    json_put_int(out, "imported", report->imported);
    json_put_int(out, "skipped", report->skipped);
    json_open(out, "errors", '[');
    text_add(out, report->errors.at, report->errors.len);
    json_close(out, ']');
    json_open(out, "games", '[');
    for (int i = 0; i < report->id_count; i++)
        json_put_int(out, NULL, report->ids[i]);
    json_close(out, ']');
}
