/* The opening explorer and the drill of opening lines: what theory plays, what the player's own
 * games did, and where they left theory. */
#include "service/message_int.h"

#include "base/clock.h"
#include "book/book.h"
#include "chess/movegen.h"
#include "notation/json_value.h"
#include "service/position_json_int.h"
#include "service/study/training_int.h"

#include <stdlib.h>

enum { EXPLORER_PLIES = 60, RECENT = 8, MIN_DRILL = 2, MAX_DRILL = 60 };

/* -- Theory -- */

static json_t *json_choice(const Position *p, Move m, double share)
{
    json_t *out = json_move(p, m);
    json_object_set_new(out, "share", value_tenths(share));
    return out;
}

/* Moves that lead to a position with a name: where the book has nothing, that is theory too. */
static json_t *json_named_moves(const Openings *o, const Position *p)
{
    Move moves[MAX_MOVES], named[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves), kept = 0;
    OpeningName name;
    Undo undo;
    for (int i = 0; i < count; i++) {
        Position after = *p;
        pos_make(&after, moves[i], &undo);
        if (openings_find(o, &after, &name))
            named[kept++] = moves[i];
    }
    json_t *out = json_array();
    for (int i = 0; i < kept; i++)
        json_array_append_new(out, json_choice(p, named[i], 100.0 / kept));
    return out;
}

static json_t *json_theory(const Service *service, const Position *p)
{
    BookMove moves[MAX_MOVES];
    int count = book_probe(service->book, p, moves), sum = 0;
    for (int i = 0; i < count; i++)
        sum += moves[i].weight;
    if (!sum)
        return json_named_moves(service->openings, p);
    json_t *out = json_array();
    for (int i = 0; i < count; i++)
        if (moves[i].weight)
            json_array_append_new(out,
                                  json_choice(p, moves[i].move, 100.0 * moves[i].weight / sum));
    return out;
}

static bool book_has(const Service *service, const Position *p, Move m)
{
    BookMove moves[MAX_MOVES];
    int count = book_probe(service->book, p, moves);
    for (int i = 0; i < count; i++)
        if (moves[i].move == m)
            return true;
    return false;
}

/* -- Own games -- */

typedef struct Branch {
    Move move;
    int games, white, draws, black;
    int own, half_points; /* games in which the player had a side, and its score */
    int64_t last;
} Branch;

/* The games that come to a position, by the move that follows. */
typedef struct Tree {
    Key key;
    Position now; /* of the game that is read */
    int64_t game, except;
    bool counted; /* it came to the position already */
    int games;
    Branch branches[MAX_MOVES];
    int count;
    int64_t recent[RECENT];
    int recent_count;
} Tree;

static Branch *branch_of(Tree *t, Move m)
{
    for (int i = 0; i < t->count; i++)
        if (t->branches[i].move == m)
            return &t->branches[i];
    t->branches[t->count] = (Branch){.move = m};
    return &t->branches[t->count++];
}

static void count_game(Tree *t, const StoreOpeningMove *m, Move move)
{
    Branch *b = branch_of(t, move);
    t->counted = true;
    t->games++;
    if (t->recent_count < RECENT)
        t->recent[t->recent_count++] = m->game;
    b->games++;
    b->white += m->result == result_win(WHITE);
    b->black += m->result == result_win(BLACK);
    b->draws += m->result == RESULT_DRAW;
    b->last = m->created > b->last ? m->created : b->last;
    bool ended = m->result == result_win(WHITE) || m->result == result_win(BLACK) ||
                 m->result == RESULT_DRAW;
    if (m->you >= 0 && ended) {
        b->own++;
        b->half_points += result_half_points(m->result, (Color)m->you);
    }
}

static void read_move(Tree *t, const StoreOpeningMove *m)
{
    Undo undo;
    if (m->game != t->game) {
        t->game = m->game;
        t->counted = m->game == t->except;
        pos_set_start(&t->now);
    }
    Move move = uci_move_read(&t->now, span_of(m->uci));
    if (t->counted || move == MOVE_NONE)
        return;
    if (t->now.st.key == t->key)
        count_game(t, m, move);
    pos_make(&t->now, move, &undo);
}

static Status read_tree(const Request *r, const Position *p, int color, int kind, int64_t except,
                        Tree *out, Message *why)
{
    StoreOpeningMove m;
    *out = (Tree){.key = p->st.key, .except = except};
    StoreRows rows = store_opening_moves(r->store, r->player, color, kind, EXPLORER_PLIES);
    while (store_next(&rows, &m))
        read_move(out, &m);
    return store_rows_end(&rows, why);
}

static int compare_branches(const void *a, const void *b)
{
    const Branch *x = a, *y = b;
    return x->games != y->games ? y->games - x->games : (x->move > y->move) - (x->move < y->move);
}

static json_t *json_branch(const Service *service, const Position *p, const Branch *b)
{
    OpeningName name;
    Position after = *p;
    Undo undo;
    pos_make(&after, b->move, &undo);
    json_t *out = json_move(p, b->move);
    bool named = openings_find(service->openings, &after, &name);
    json_object_update_new(
        out, json_pack("{s:i, s:i, s:i, s:i, s:o, s:I, s:s?}", "games", b->games, "white", b->white,
                       "draws", b->draws, "black", b->black, "score",
                       b->own ? value_tenths(50.0 * b->half_points / b->own) : json_null(), "last",
                       (json_int_t)b->last, "name", named ? name.name : NULL));
    return out;
}

static void set_tree(json_t *data, const Service *service, const Position *p, Tree *t)
{
    json_t *moves = json_array(), *recent = json_array();
    qsort(t->branches, (size_t)t->count, sizeof *t->branches, compare_branches);
    for (int i = 0; i < t->count; i++)
        json_array_append_new(moves, json_branch(service, p, &t->branches[i]));
    for (int i = 0; i < t->recent_count; i++)
        json_array_append_new(recent, json_integer(t->recent[i]));
    json_object_set_new(data, "games", json_integer(t->games));
    json_object_set_new(data, "moves", moves);
    json_object_set_new(data, "recent", recent);
}

/* -- Requests: explorer -- */

static Status read_filter(const Request *r, int *color, int *kind, Message *why)
{
    static const char *const kinds[] = {"play", "watch", "import", NULL};
    Span text = {0}, word = {0};
    Status s = request_maybe_text(r, "color", &text, why);
    if (s == STATUS_OK)
        s = request_maybe_text(r, "kind", &word, why);
    if (s != STATUS_OK)
        return s;
    *color = text.at ? color_read(text) : -1;
    *kind = word.at ? word_index(word, kinds) : -1;
    if (text.at && *color < 0)
        return request_wrong(r, "color", why);
    return word.at && *kind < 0 ? request_wrong(r, "kind", why) : STATUS_OK;
}

static Status explore(Service *service, Request *r, json_t *data, RequestLine *line, Tree *tree,
                      Message *why)
{
    OpeningName name;
    int color, kind;
    Status s = request_line(r, line, why);
    if (s == STATUS_OK)
        s = read_filter(r, &color, &kind, why);
    if (s == STATUS_OK)
        s = read_tree(r, &line->now, color, kind, 0, tree, why);
    if (s != STATUS_OK)
        return s;
    bool named = openings_find(service->openings, &line->now, &name);
    json_object_set_new(data, "opening", named ? json_opening(name.eco, name.name) : json_null());
    json_object_set_new(data, "book", json_theory(service, &line->now));
    set_tree(data, service, &line->now, tree);
    return STATUS_OK;
}

/* Plies of known theory: up to the last position with a name, or as long as the book has the moves.
 */
static int known_plies(const Service *service, const RequestLine *line)
{
    Position p = line->start;
    OpeningName name;
    Undo undo;
    int known = 0;
    bool in_book = true;
    for (int i = 0; i < line->count && i < EXPLORER_PLIES; i++) {
        in_book = in_book && book_has(service, &p, line->moves[i]);
        pos_make(&p, line->moves[i], &undo);
        if (in_book || openings_find(service->openings, &p, &name))
            known = i + 1;
    }
    return known;
}

static Status left_theory(Service *service, Request *r, json_t *data, RequestLine *line, Tree *tree,
                          Message *why)
{
    StoreGame g;
    int64_t id;
    char san[SAN_SIZE];
    Undo undo;
    Status s = request_int(r, "game", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = stored_line(r->store, id, &g, line, why);
    if (s != STATUS_OK)
        return s;
    int known = known_plies(service, line);
    json_object_set_new(data, "known", json_integer(known));
    json_object_set_new(data, "ply", value_number(known + 1, known < line->count));
    if (known >= line->count)
        return STATUS_OK;
    Position p = line->start;
    for (int i = 0; i < known; i++)
        pos_make(&p, line->moves[i], &undo);
    san_write(&p, line->moves[known], san);
    json_object_set_new(data, "color", json_string(color_name(p.side)));
    json_object_set_new(data, "san", json_string(san));
    json_object_set_new(data, "book", json_theory(service, &p));
    s = read_tree(r, &p, -1, -1, id, tree, why);
    json_object_set_new(data, "before", json_integer(tree->games));
    return s;
}

typedef Status Explorer(Service *service, Request *r, json_t *data, RequestLine *line, Tree *tree,
                        Message *why);

/* Lines and trees are too large for a thread's stack. */
static Status with_room(Explorer *run, Service *service, Request *r, json_t *data, Message *why)
{
    RequestLine *line = malloc(sizeof *line);
    Tree *tree = malloc(sizeof *tree);
    Status s = line && tree ? run(service, r, data, line, tree, why)
                            : status_fail(why, STATUS_MEMORY, "not enough memory for the explorer");
    free(line);
    free(tree);
    return s;
}

static Status explorer(Service *service, Request *r, json_t *data, Message *why)
{
    return with_room(explore, service, r, data, why);
}

static Status explorer_left(Service *service, Request *r, json_t *data, Message *why)
{
    return with_room(left_theory, service, r, data, why);
}

/* -- Requests: drill -- */

static json_t *json_drill(const StoreDrill *d)
{
    Position p;
    Span rest = span_of(d->moves), word;
    json_t *moves = json_array();
    pos_set_start(&p);
    while (span_next_word(&rest, &word)) {
        Move m = uci_move_read(&p, word);
        if (m == MOVE_NONE)
            break;
        json_array_append_new(moves, json_played(&p, m));
    }
    return json_pack("{s:I, s:o, s:s, s:o, s:I, s:I, s:I, s:I}", "id", (json_int_t)d->id, "name",
                     value_text(d->name), "color", color_name(d->color), "moves", moves, "due",
                     (json_int_t)d->due, "box", (json_int_t)d->box, "solved", (json_int_t)d->solved,
                     "failed", (json_int_t)d->failed);
}

static Status drill_list(Service *service, Request *r, json_t *data, Message *why)
{
    StoreDrill d;
    json_t *lines = json_array();
    int64_t now = clock_wall_ms();
    int due = 0;
    StoreRows rows = store_drills(service->store, r->player);
    while (store_next(&rows, &d)) {
        json_array_append_new(lines, json_drill(&d));
        due += d.due <= now;
    }
    json_object_update_new(data, json_pack("{s:o, s:i}", "lines", lines, "due", due));
    return store_rows_end(&rows, why);
}

/* The moves as text, and the name of the last position on the way that has one. */
static void write_drill(const Service *service, const RequestLine *line, StoreDrill *d)
{
    Position p = line->start;
    OpeningName name;
    Undo undo;
    size_t len = 0;
    for (int i = 0; i < line->count; i++) {
        char uci[UCI_MOVE_SIZE];
        uci_move_write(&p, line->moves[i], uci);
        len += (size_t)snprintf(d->moves + len, sizeof d->moves - len, "%s%s", i ? " " : "", uci);
        pos_make(&p, line->moves[i], &undo);
        if (openings_find(service->openings, &p, &name))
            snprintf(d->name, sizeof d->name, "%s", name.name);
    }
}

static Status add_line(Service *service, Request *r, json_t *data, RequestLine *line, Tree *tree,
                       Message *why)
{
    (void)tree;
    StoreDrill d = {.player = r->player, .due = clock_wall_ms(), .name = "Line"};
    Span text, name;
    Status s = request_text(r, "color", &text, why);
    if (s == STATUS_OK)
        s = request_line(r, line, why);
    if (s != STATUS_OK)
        return s;
    d.color = color_read(text);
    if (d.color < 0)
        return request_wrong(r, "color", why);
    if (json_object_get(r->root, "fen") || line->count < MIN_DRILL || line->count > MAX_DRILL)
        return status_fail(why, STATUS_INVALID, "moves: %d to %d from the start position",
                           MIN_DRILL, MAX_DRILL);
    write_drill(service, line, &d);
    if (json_object_get(r->root, "name")) {
        s = request_name(r, &name, why);
        if (s != STATUS_OK)
            return s;
        snprintf(d.name, sizeof d.name, "%.*s", (int)name.len, name.at);
    }
    s = store_drill_add(service->store, &d, why);
    if (s == STATUS_OK)
        s = store_drill_load(service->store, d.id, &d, why);
    if (s == STATUS_OK)
        json_object_set_new(data, "line", json_drill(&d));
    return s;
}

static Status drill_add(Service *service, Request *r, json_t *data, Message *why)
{
    return with_room(add_line, service, r, data, why);
}

static Status find_drill(Service *service, const Request *r, StoreDrill *d, Message *why)
{
    int64_t id;
    Status s = request_int(r, "line", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = store_drill_load(service->store, id, d, why);
    if (s == STATUS_OK && d->player != r->player)
        s = status_fail(why, STATUS_MISSING, "line %lld does not exist", (long long)id);
    return s;
}

static Status drill_done(Service *service, Request *r, json_t *data, Message *why)
{
    StoreDrill d;
    int64_t errors;
    Status s = find_drill(service, r, &d, why);
    if (s == STATUS_OK)
        s = request_int(r, "errors", 0, 1000, &errors, why);
    if (s != STATUS_OK)
        return s;
    d.box = errors ? 1 : training_next_box(d.box);
    d.due = training_due(d.box, clock_wall_ms());
    d.solved += errors == 0;
    d.failed += errors != 0;
    s = store_drill_save(service->store, &d, why);
    if (s == STATUS_OK)
        json_object_set_new(data, "line", json_drill(&d));
    return s;
}

static Status drill_remove(Service *service, Request *r, json_t *data, Message *why)
{
    (void)data;
    StoreDrill d;
    Status s = find_drill(service, r, &d, why);
    return s == STATUS_OK ? store_drill_remove(service->store, d.id, why) : s;
}

const HandlerRow opening_handlers[] = {
    {.name = "explorer", .run = explorer, .is_long = true},
    {.name = "explorer.left", .run = explorer_left, .is_long = true},
    {.name = "drill.list", .run = drill_list},
    {.name = "drill.add", .run = drill_add},
    {.name = "drill.done", .run = drill_done},
    {.name = "drill.remove", .run = drill_remove},
    {0},
};
