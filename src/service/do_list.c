#include "service/service_int.h"

#include "notation/annotation.h"
#include "notation/game_read.h"

#include <string.h>

enum { MAX_LIST = 100, MAX_READ_GAMES = 20, MAX_READ_ERRORS = 20, MAX_READ_DEPTH = 50 };

/* -- games.list -- */

static int word_index(Span word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (span_is(word, words[i]))
            return i;
    return -1;
}

static Status read_words(const Request *r, StoreFilter *f, Message *why)
{
    static const char *const kinds[] = {"play", "watch", "import", NULL};
    static const char *const outcomes[] = {"any", "won", "lost", "drawn", "running", NULL};
    Span kind = {NULL, 0}, outcome = {NULL, 0}, color = {NULL, 0};
    Status s = request_maybe_text(r, "kind", &kind, why);
    if (s == STATUS_OK)
        s = request_maybe_text(r, "result", &outcome, why);
    if (s == STATUS_OK)
        s = request_maybe_text(r, "color", &color, why);
    if (s != STATUS_OK)
        return s;
    if (kind.at && (f->kind = word_index(kind, kinds)) < 0)
        return request_wrong(r, "kind", why);
    int found = outcome.at ? word_index(outcome, outcomes) : 0;
    if (found < 0)
        return request_wrong(r, "result", why);
    f->outcome = (StoreOutcome)found;
    if (color.at && (f->color = color_read(color)) < 0)
        return request_wrong(r, "color", why);
    return STATUS_OK;
}

static Status read_filter(const Request *r, StoreFilter *f, Message *why)
{
    bool reviewed = false;
    *f = (StoreFilter){
        .player = r->client->player, .kind = -1, .color = -1, .reviewed = -1, .limit = 50};
    Status s = request_maybe_int(r, "player", 1, INT64_MAX, &f->player, why);
    if (s == STATUS_OK)
        s = request_maybe_text(r, "search", &f->search, why);
    if (s == STATUS_OK)
        s = request_maybe_int(r, "since", 0, INT64_MAX, &f->since, why);
    if (s == STATUS_OK)
        s = request_maybe_int(r, "until", 0, INT64_MAX, &f->until, why);
    if (s == STATUS_OK)
        s = request_maybe_int(r, "offset", 0, INT32_MAX, &f->offset, why);
    if (s == STATUS_OK)
        s = request_maybe_int(r, "limit", 1, MAX_LIST, &f->limit, why);
    if (s == STATUS_OK)
        s = request_maybe_bool(r, "reviewed", &reviewed, why);
    if (s == STATUS_OK && json_get(r->json, r->root, "reviewed"))
        f->reviewed = reviewed;
    return s == STATUS_OK ? read_words(r, f, why) : s;
}

static void add_summary(void *user, const StoreGame *g)
{
    show_summary(user, NULL, g);
}

static Status games_list(Service *service, Request *r, Text *data, Message *why)
{
    StoreFilter f;
    int64_t total;
    Status s = read_filter(r, &f, why);
    if (s != STATUS_OK)
        return s;
    json_open(data, "games", '[');
    s = store_games(service->store, &f, add_summary, data, &total, why);
    json_close(data, ']');
    if (s == STATUS_OK)
        json_put_int(data, "total", total);
    return s;
}

/* -- PGN -- */

static Status pgn_get(Service *service, Request *r, Text *data, Message *why)
{
    int64_t id;
    Text pgn;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s != STATUS_OK)
        return s;
    text_init(&pgn);
    s = pgn_of_game(service->store, id, &pgn, why);
    if (s == STATUS_OK)
        json_put_span(data, "pgn", (Span){pgn.at, pgn.len});
    text_free(&pgn);
    return s;
}

static Status pgn_import(Service *service, Request *r, Text *data, Message *why)
{
    Span pgn;
    ImportReport report = {0};
    Status s = request_text(r, "pgn", &pgn, why);
    if (s != STATUS_OK)
        return s;
    text_init(&report.errors);
    s = pgn_take(service->store, service->openings, r->client->player, pgn, &report, why);
    if (s == STATUS_OK)
        pgn_report_json(&report, data);
    text_free(&report.errors);
    return s;
}

static void put_line(Text *out, const char *name, Position p, const GameNode *n, int depth);

/* The other moves in the place of this one; how deep they nest is the sender's choice, so it has an end. */
static void put_variations(Text *out, const Position *before, const GameNode *n, int depth)
{
    if (!n->next || n->parent->child != n || depth == MAX_READ_DEPTH)
        return;
    json_open(out, "variations", '[');
    for (const GameNode *other = n->next; other; other = other->next)
        if (other->move != MOVE_NULL)
            put_line(out, NULL, *before, other, depth + 1);
    json_close(out, ']');
}

static void put_node(Text *out, Position *p, const GameNode *n, int depth)
{
    char uci[UCI_MOVE_SIZE], san[SAN_SIZE], fen[FEN_SIZE];
    Position before = *p;
    Undo undo;
    uci_move_write(p, n->move, uci);
    san_write(p, n->move, san);
    pos_play(p, n->move, &undo);
    fen_write(p, FEN_X, fen);
    json_open(out, NULL, '{');
    json_put_str(out, "uci", uci);
    json_put_str(out, "san", san);
    json_put_str(out, "fen", fen);
    if (n->after) {
        Text plain;
        text_init(&plain);
        annotation_add_plain(&plain, span_of(n->after));
        if (plain.len)
            json_put_span(out, "comment", (Span){plain.at, plain.len});
        text_free(&plain);
    }
    if (n->nag_count) {
        json_open(out, "nags", '[');
        for (int i = 0; i < n->nag_count; i++)
            json_put_int(out, NULL, n->nags[i]);
        json_close(out, ']');
    }
    put_variations(out, &before, n, depth);
    json_close(out, '}');
}

static void put_line(Text *out, const char *name, Position p, const GameNode *n, int depth)
{
    json_open(out, name, '[');
    for (; n && n->move != MOVE_NULL; n = n->child)
        put_node(out, &p, n, depth);
    json_close(out, ']');
}

static void put_read_game(Text *out, const Game *g)
{
    char fen[FEN_SIZE];
    Position p = *game_start(g);
    fen_write(&p, FEN_X, fen);
    json_open(out, NULL, '{');
    json_open(out, "tags", '{');
    for (const GameTag *t = game_tags(g); t; t = t->next)
        json_put_str(out, t->name, t->value);
    json_close(out, '}');
    json_put_str(out, "variant", p.chess960 ? "chess960" : "standard");
    json_put_str(out, "start_fen", fen);
    put_line(out, "moves", p, game_root(g)->child, 0);
    json_put_str(out, "result", result_text(game_result(g)));
    json_close(out, '}');
}

static Status read_games(PgnReader *reader, Game *g, Text *games, Text *errors, Message *why)
{
    Status s = STATUS_OK;
    for (int n = 0, e = 0; n < MAX_READ_GAMES && e < MAX_READ_ERRORS;) {
        s = game_read(g, reader, why);
        if (s == STATUS_OK) {
            put_read_game(games, g);
            n++;
        } else if (s == STATUS_INVALID) {
            json_put_str(errors, NULL, why->text);
            e++;
        } else {
            break;
        }
    }
    return s == STATUS_IO || s == STATUS_MEMORY ? s : STATUS_OK;
}

static Status pgn_read(Service *service, Request *r, Text *data, Message *why)
{
    (void)service;
    Span pgn;
    PgnReader *reader;
    Status s = request_text(r, "pgn", &pgn, why);
    if (s == STATUS_OK)
        s = pgn_open_text(&reader, "pgn", pgn, why);
    if (s != STATUS_OK)
        return s;
    Game *g = game_new();
    Text games, errors;
    text_init(&games);
    text_init(&errors);
    s = g ? read_games(reader, g, &games, &errors, why)
          : status_fail(why, STATUS_MEMORY, "no memory for a game");
    json_open(data, "games", '[');
    text_add(data, games.at, games.len);
    json_close(data, ']');
    json_open(data, "errors", '[');
    text_add(data, errors.at, errors.len);
    json_close(data, ']');
    text_free(&games);
    text_free(&errors);
    game_free(g);
    pgn_close(reader);
    return s;
}

const HandlerRow handlers_of_lists[] = {
    {"games.list", games_list}, {"pgn.get", pgn_get}, {"pgn.read", pgn_read},
    {"pgn.import", pgn_import}, {NULL, NULL},
};
