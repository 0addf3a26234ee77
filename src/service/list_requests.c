/* Lists of games, and PGN to look at. All of it may take long. */
#include "notation/game_read.h"
#include "notation/json_value.h"
#include "service/game_int.h"
#include "service/pgn_int.h"
#include "service/position_json_int.h"

enum { MAX_LIST = 100, MAX_READ_GAMES = 20, MAX_READ_ERRORS = 20, MAX_READ_DEPTH = 50 };

/* -- games.list -- */

static bool read_after(Request *r, StoreFilter *f)
{
    const json_t *after = request_member(r, "after");
    return !after ||
           (member_int(after, "created", 0, INT64_MAX, &f->after_created) &&
            member_int(after, "id", 1, INT64_MAX, &f->after_id)) ||
           request_wrong(r, "after");
}

static bool read_filter(Request *r, StoreFilter *f)
{
    bool reviewed = false;
    int outcome = STORE_ANY;
    *f = (StoreFilter){.player = r->player, .kind = -1, .color = -1, .reviewed = -1, .limit = 50};
    if (!request_maybe_int(r, "player", 1, INT64_MAX, &f->player) ||
        !request_maybe_text(r, "search", &f->search) ||
        !request_maybe_int(r, "since", 0, INT64_MAX, &f->since) ||
        !request_maybe_int(r, "until", 0, INT64_MAX, &f->until) ||
        !request_maybe_int(r, "offset", 0, INT32_MAX, &f->offset) ||
        !request_maybe_int(r, "limit", 1, MAX_LIST, &f->limit) ||
        !request_maybe_bool(r, "reviewed", &reviewed) || !read_after(r, f) ||
        !request_maybe_word(r, "kind", game_kinds, &f->kind) ||
        !request_maybe_word(r, "result", game_outcomes, &outcome) ||
        !request_maybe_word(r, "color", color_names, &f->color))
        return false;
    if (json_object_get(r->root, "reviewed"))
        f->reviewed = reviewed;
    f->outcome = (StoreOutcome)outcome;
    return true;
}

static bool games_list(Request *r)
{
    StoreFilter f;
    StoreGame g;
    int64_t total = 0;
    if (!read_filter(r, &f))
        return false;
    json_t *games = json_array(), *next = NULL;
    StoreRows rows = store_games(r->store, &f);
    while (store_next(&rows, &g))
        json_array_append_new(games, game_summary(&g));
    if ((int64_t)json_array_size(games) == f.limit)
        next = json_pack("{s:I, s:I}", "created", (json_int_t)g.created, "id", (json_int_t)g.id);
    json_object_update_new(r->data, json_pack("{s:o, s:o?}", "games", games, "next", next));
    if (!request_ok(r, store_rows_end(&rows, &r->why)))
        return false;
    if (f.after_id) /* later pages count nothing: it was told before */
        return true;
    return request_ok(r, store_count_games(r->store, &f, &total, &r->why)) &&
           request_answer(r, "total", json_integer(total));
}

/* -- PGN -- */

static bool pgn_get(Request *r)
{
    int64_t id;
    if (!request_id(r, "game", &id))
        return false;
    Text pgn = text_new();
    bool done = request_ok(r, pgn_export_game(r->store, id, &pgn, &r->why)) &&
                request_answer(r, "pgn", value_span((Span){pgn.at, pgn.len}));
    text_free(&pgn);
    return done;
}

static bool pgn_import_message(Request *r)
{
    PgnImport what = {.player = r->player};
    return request_text(r, "pgn", &what.pgn) &&
           request_maybe_bool(r, "skip_known", &what.skip_known) &&
           request_ok(r, pgn_import(r->store, r->service->openings, &what, r->data, &r->why)) &&
           request_ok(r, store_sync(r->store, &r->why));
}

static json_t *json_branch(Position p, const GameNode *n, int depth);

/* The other moves in the place of this one; how deep they nest is the sender's choice, so it has an
 * end. */
static void set_variations(json_t *out, const Position *before, const GameNode *n, int depth)
{
    if (!n->next || n->parent->child != n || depth == MAX_READ_DEPTH)
        return;
    json_t *variations = json_array();
    for (const GameNode *other = n->next; other; other = other->next)
        if (other->move != MOVE_NULL)
            json_array_append_new(variations, json_branch(*before, other, depth + 1));
    json_object_set_new(out, "variations", variations);
}

/* Both comments of a move as one, with their commands ("[%cal Ge2e4]"). */
static void set_comment(json_t *out, const GameNode *n)
{
    Text both = text_new();
    if (n->before)
        text_add_str(&both, n->before);
    if (n->before && n->after)
        text_add_char(&both, ' ');
    if (n->after)
        text_add_str(&both, n->after);
    if (both.len)
        json_object_set_new(out, "comment", value_span((Span){both.at, both.len}));
    text_free(&both);
}

static json_t *json_node(Position *p, const GameNode *n, int depth)
{
    Position before = *p;
    json_t *out = json_played(p, n->move);
    set_comment(out, n);
    if (n->nag_count) {
        json_t *nags = json_array();
        for (int i = 0; i < n->nag_count; i++)
            json_array_append_new(nags, json_integer(n->nags[i]));
        json_object_set_new(out, "nags", nags);
    }
    set_variations(out, &before, n, depth);
    return out;
}

static json_t *json_branch(Position p, const GameNode *n, int depth)
{
    json_t *moves = json_array();
    for (; n && n->move != MOVE_NULL; n = n->child)
        json_array_append_new(moves, json_node(&p, n, depth));
    return moves;
}

static json_t *json_read_game(const Game *g)
{
    char fen[FEN_SIZE];
    Position p = *game_start(g);
    json_t *tags = json_object();
    fen_write(&p, FEN_X, fen);
    for (const GameTag *t = game_tags(g); t; t = t->next)
        json_object_set_new(tags, t->name, value_text(t->value));
    json_t *out =
        json_pack("{s:o, s:s, s:s, s:o, s:s}", "tags", tags, "variant",
                  p.chess960 ? "chess960" : "standard", "start_fen", fen, "moves",
                  json_branch(p, game_root(g)->child, 0), "result", result_text(game_result(g)));
    set_comment(out, game_root(g));
    return out;
}

static Status read_games(PgnReader *reader, Game *g, json_t *games, json_t *errors, Message *why)
{
    Status s = STATUS_OK;
    while (json_array_size(games) < MAX_READ_GAMES && json_array_size(errors) < MAX_READ_ERRORS) {
        s = game_read(g, reader, why);
        if (s == STATUS_OK)
            json_array_append_new(games, json_read_game(g));
        else if (s == STATUS_INVALID)
            json_array_append_new(errors, value_text(why->text));
        else
            break;
    }
    return s == STATUS_IO || s == STATUS_MEMORY ? s : STATUS_OK;
}

static bool pgn_read(Request *r)
{
    Span pgn;
    PgnReader *reader;
    json_t *games = json_array(), *errors = json_array();
    json_object_update_new(r->data, json_pack("{s:o, s:o}", "games", games, "errors", errors));
    if (!request_text(r, "pgn", &pgn) ||
        !request_ok(r, pgn_open_text(&reader, "pgn", pgn, &r->why)))
        return false;
    Game *g = game_new();
    bool done = g ? request_ok(r, read_games(reader, g, games, errors, &r->why))
                  : request_refuse(r, "server", "not enough memory for a game");
    game_free(g);
    pgn_close(reader);
    return done;
}

const HandlerRow list_handlers[] = {
    {.name = "games.list", .run = games_list, .is_long = true},
    {.name = "pgn.get", .run = pgn_get, .is_long = true},
    {.name = "pgn.read", .run = pgn_read, .is_long = true},
    {.name = "pgn.import", .run = pgn_import_message, .is_long = true},
    {0},
};
