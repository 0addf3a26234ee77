#include "service/pgn_int.h"

#include "base/clock.h"
#include "notation/annotation.h"
#include "notation/game_read.h"
#include "notation/json_value.h"

#include <string.h>

enum {
    MAX_ERRORS = 20,
    MAX_IDS = 100,
    BATCH_MS = 30,
    BREAK_MS = 5,
    MAX_NAMES = 64, /* that are counted: the player's own is among the first */
    SHOWN_NAMES = 6,
    MAX_TAGS = 64,
    MAX_TAG_BYTES = 1000,
    MAX_PLIES = 2000
};

typedef struct ImportName {
    char name[STORE_NAME_SIZE];
    int64_t games;
} ImportName;

typedef struct Import {
    Store *store;
    const Openings *names;
    const PgnImport *what;
    StorePlayer player; /* whose name may be that of a side */
    int64_t imported, known, skipped;
    ImportName people[MAX_NAMES];
    int people_count;
    json_t *errors, *games;
    StoreMove moves[MAX_PLIES]; /* of the game that is read */
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
    text_copy_utf8(out, size, value && strcmp(value, "?") != 0 ? value : "");
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
        if (span_is_ignoring_case(span_of(g->side[c].name), in->player.name))
            g->you = c;
}

/* What was left on the clocks the moves say. */
static void describe_clock(const Game *game, StoreGame *g)
{
    const char *value = game_tag(game, "TimeControl");
    g->has_clock =
        value && annotation_time_control(span_of(value), &g->initial_ms, &g->increment_ms);
    g->clock_ms[WHITE] = g->clock_ms[BLACK] = g->initial_ms;
}

static void describe_game(const Import *in, const Game *game, StoreGame *g)
{
    OpeningName name;
    *g = (StoreGame){.player = in->player.id, .kind = STORE_IMPORT, .version = 1, .offer = -1};
    describe_side(game, WHITE, &g->side[WHITE]);
    describe_side(game, BLACK, &g->side[BLACK]);
    find_you(in, g);
    describe_clock(game, g);
    g->chess960 = game_start(game)->chess960;
    fen_write(game_start(game), FEN_X, g->start_fen);
    g->over = true;
    g->result = game_result(game);
    snprintf(g->reason, sizeof g->reason, "import");
    copy_tag(game, "Event", g->event, sizeof g->event);
    copy_tag(game, "Date", g->date, sizeof g->date);
    if (openings_find_game(in->names, game, &name)) {
        snprintf(g->eco, sizeof g->eco, "%s", name.eco);
        snprintf(g->opening, sizeof g->opening, "%s", name.name);
    }
    g->created = g->updated = clock_wall_ms();
}

/* The moves of the main line, and where it ends. */
static void read_line(Import *in, const Game *game, StoreGame *g)
{
    Position p = *game_start(game);
    Undo undo;
    for (const GameNode *n = game_root(game)->child;
         n && n->move != MOVE_NULL && g->plies < MAX_PLIES; n = n->child) {
        StoreMove *m = &in->moves[g->plies];
        *m = (StoreMove){.ply = g->plies++, .clock_ms = -1};
        uci_move_write(&p, n->move, m->uci);
        if (n->after && !annotation_time(span_of(n->after), "clk", &m->clock_ms))
            m->clock_ms = -1;
        memcpy(g->last, m->uci, sizeof g->last);
        pos_make(&p, n->move, &undo);
    }
    fen_write(&p, FEN_X, g->fen);
}

static Status store_game(const Import *in, StoreGame *g, Message *why)
{
    Status s = store_game_add(in->store, g, why);
    for (int i = 0; i < g->plies && s == STATUS_OK; i++)
        s = store_move_put(in->store, g->id, &in->moves[i], NULL, why);
    return s;
}

static void count_name(Import *in, const char *name)
{
    int i = 0;
    while (i < in->people_count && strcmp(in->people[i].name, name) != 0)
        i++;
    if (i == MAX_NAMES)
        return;
    if (i == in->people_count) {
        memcpy(in->people[i].name, name, strlen(name) + 1);
        in->people_count++;
    }
    in->people[i].games++;
}

static json_t *json_names(Import *in)
{
    json_t *names = json_array();
    for (int shown = 0; shown < SHOWN_NAMES; shown++) {
        ImportName *most = NULL;
        for (int i = 0; i < in->people_count; i++)
            if (in->people[i].games && (!most || in->people[i].games > most->games))
                most = &in->people[i];
        if (!most)
            break;
        json_array_append_new(names, json_pack("{s:o, s:I}", "name", value_text(most->name),
                                               "games", (json_int_t)most->games));
        most->games = 0;
    }
    return names;
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
        s = store_tag_put(in->store, id, &(StoreTag){t->name, t->value}, why);
        count++;
    }
    return s;
}

static Status import_game(Import *in, const Game *game, Message *why)
{
    StoreGame g;
    if (!game_root(game)->child && !game_tag(game, "White"))
        return STATUS_OK; /* an empty piece of text is no game */
    describe_game(in, game, &g);
    read_line(in, game, &g);
    if (in->what->skip_known && store_has_game(in->store, &g)) {
        in->known++;
        return STATUS_OK;
    }
    Status s = store_game(in, &g, why);
    if (s == STATUS_OK)
        s = store_all_tags(in, game, g.id, why);
    if (s != STATUS_OK)
        return s;
    if (json_array_size(in->games) < MAX_IDS)
        json_array_append_new(in->games, json_integer(g.id));
    for (int c = 0; c < COLOR_COUNT && g.you < 0; c++)
        count_name(in, g.side[c].name);
    in->imported++;
    return STATUS_OK;
}

static Status import_next(Import *in, PgnReader *reader, Game *game, bool *more, Message *why)
{
    Status read = game_read(game, reader, why);
    if (read == STATUS_OK)
        return import_game(in, game, why);
    if (read != STATUS_INVALID)
        *more = false;
    else if (in->skipped++ < MAX_ERRORS)
        json_array_append_new(in->errors, value_text(why->text));
    return read == STATUS_IO || read == STATUS_MEMORY ? read : STATUS_OK;
}

/* Boards that are being played write to the same file: a batch is short, and then it is their turn.
 * Its time begins when it has the file: who waits long for that would get nothing done. */
static Status import_batch(Import *in, PgnReader *reader, Game *game, bool *more, Message *why)
{
    Status s;
    store_begin(in->store);
    int64_t end = clock_now_ms() + BATCH_MS;
    do
        s = import_next(in, reader, game, more, why);
    while (s == STATUS_OK && *more && clock_now_ms() < end);
    return store_end(in->store, s, why);
}

static Status import_all(Import *in, PgnReader *reader, Message *why)
{
    Game *game = game_new();
    if (!game)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    Status s = STATUS_OK;
    for (bool more = true; more && s == STATUS_OK;) {
        s = import_batch(in, reader, game, &more, why);
        if (more)
            clock_sleep_ms(BREAK_MS);
    }
    game_free(game);
    return s;
}

Status pgn_import(Store *store, const Openings *openings, const PgnImport *what, json_t *report,
                  Message *why)
{
    PgnReader *reader;
    Import in = {.store = store, .names = openings, .what = what};
    Status s = store_player_load(store, what->player, &in.player, why);
    if (s == STATUS_OK)
        s = pgn_open_text(&reader, "import", what->pgn, why);
    if (s != STATUS_OK)
        return s;
    in.errors = json_array();
    in.games = json_array();
    s = import_all(&in, reader, why);
    pgn_close(reader);
    json_object_update_new(report, json_pack("{s:I, s:I, s:I, s:o, s:o, s:o}", "imported",
                                             (json_int_t)in.imported, "known", (json_int_t)in.known,
                                             "skipped", (json_int_t)in.skipped, "errors", in.errors,
                                             "games", in.games, "names", json_names(&in)));
    return s;
}
