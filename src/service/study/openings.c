/* The opening explorer and the drill of opening lines: what theory plays, what the player's own
 * games did, and where they left theory. */
#include "service/game_int.h"

#include "base/clock.h"
#include "book/book.h"
#include "chess/movegen.h"
#include "notation/json_value.h"
#include "service/position_json_int.h"
#include "service/study/study_int.h"

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
    if (m->you >= 0 && m->result != RESULT_NONE) {
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

static Status read_tree(Request *r, const Position *p, int color, int kind, int64_t except,
                        Tree *out)
{
    StoreOpeningMove m;
    *out = (Tree){.key = p->st.key, .except = except};
    StoreRows rows = store_opening_moves(r->store, r->player, color, kind, EXPLORER_PLIES);
    while (store_next(&rows, &m))
        read_move(out, &m);
    return store_rows_end(&rows, &r->why);
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

static bool explorer(Request *r)
{
    MoveLine line;
    Tree tree;
    OpeningName name;
    int color = -1, kind = -1;
    if (!request_line(r, &line) || !request_maybe_word(r, "color", color_names, &color) ||
        !request_maybe_word(r, "kind", game_kinds, &kind) ||
        !request_ok(r, read_tree(r, &line.now, color, kind, 0, &tree)))
        return false;
    bool named = openings_find(r->service->openings, &line.now, &name);
    request_answer(r, "opening", named ? json_opening(name.eco, name.name) : json_null());
    request_answer(r, "book", json_theory(r->service, &line.now));
    set_tree(r->data, r->service, &line.now, &tree);
    return true;
}

/* Plies of known theory: up to the last position with a name, or as long as the book has the moves.
 */
static int known_plies(const Service *service, const MoveLine *line)
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

static bool explorer_left(Request *r)
{
    MoveLine line;
    Tree tree;
    StoreGame g;
    int64_t id;
    char san[SAN_SIZE];
    Undo undo;
    if (!request_id(r, "game", &id) ||
        !request_ok(r, stored_line(r->store, id, &g, &line, &r->why)))
        return false;
    int known = known_plies(r->service, &line);
    request_answer(r, "known", json_integer(known));
    request_answer(r, "ply", value_number(known + 1, known < line.count));
    if (known >= line.count)
        return true;
    Position p = line.start;
    for (int i = 0; i < known; i++)
        pos_make(&p, line.moves[i], &undo);
    san_write(&p, line.moves[known], san);
    request_answer(r, "color", json_string(color_name(p.side)));
    request_answer(r, "san", json_string(san));
    request_answer(r, "book", json_theory(r->service, &p));
    return request_ok(r, read_tree(r, &p, -1, -1, id, &tree)) &&
           request_answer(r, "before", json_integer(tree.games));
}

/* -- Requests: drill -- */

static json_t *json_drill(const StoreDrill *d)
{
    MoveLine line;
    Position start;
    pos_set_start(&start);
    line_read(&line, &start, d->moves);
    return json_pack("{s:I, s:o, s:s, s:o, s:I, s:I, s:I, s:I}", "id", (json_int_t)d->id, "name",
                     value_text(d->name), "color", color_name(d->color), "moves", line_json(&line),
                     "due", (json_int_t)d->due, "box", (json_int_t)d->box, "solved",
                     (json_int_t)d->solved, "failed", (json_int_t)d->failed);
}

static bool drill_list(Request *r)
{
    StoreDrill d;
    json_t *lines = json_array();
    int64_t now = clock_wall_ms();
    int due = 0;
    StoreRows rows = store_drills(r->store, r->player);
    while (store_next(&rows, &d)) {
        json_array_append_new(lines, json_drill(&d));
        due += d.due <= now;
    }
    json_object_update_new(r->data, json_pack("{s:o, s:i}", "lines", lines, "due", due));
    return request_ok(r, store_rows_end(&rows, &r->why));
}

static bool drill_add(Request *r)
{
    MoveLine line;
    StoreDrill d = {.player = r->player, .due = clock_wall_ms()};
    Span color;
    if (!request_text(r, "color", &color) || !request_line(r, &line))
        return false;
    d.color = color_read(color);
    if (d.color < 0)
        return request_wrong(r, "color");
    if (json_object_get(r->root, "fen") || line.count < MIN_DRILL || line.count > MAX_DRILL)
        return request_refuse(r, "bad", "moves: %d to %d from the start position", MIN_DRILL,
                              MAX_DRILL);
    const char *opening = line_opening(r->service->openings, &line).name;
    Span name = span_of(opening[0] ? opening : "Line");
    if (json_object_get(r->root, "name") && !request_name(r, &name))
        return false;
    snprintf(d.name, sizeof d.name, "%.*s", (int)name.len, name.at);
    line_write(&line.start, line.moves, line.count, d.moves, sizeof d.moves);
    return request_ok(r, store_drill_add(r->store, &d, &r->why)) &&
           request_ok(r, store_drill_load(r->store, d.id, &d, &r->why)) &&
           request_answer(r, "line", json_drill(&d));
}

static bool find_drill(Request *r, StoreDrill *d)
{
    int64_t id;
    if (!request_id(r, "line", &id) || !request_ok(r, store_drill_load(r->store, id, d, &r->why)))
        return false;
    return d->player == r->player ||
           request_refuse(r, "missing", "line %lld does not exist", (long long)id);
}

static bool drill_done(Request *r)
{
    StoreDrill d;
    int64_t errors;
    if (!find_drill(r, &d) || !request_int(r, "errors", 0, 1000, &errors))
        return false;
    d.box = errors ? 1 : training_next_box(d.box);
    d.due = training_due(d.box, clock_wall_ms());
    d.solved += errors == 0;
    d.failed += errors != 0;
    return request_ok(r, store_drill_save(r->store, &d, &r->why)) &&
           request_answer(r, "line", json_drill(&d));
}

static bool drill_remove(Request *r)
{
    StoreDrill d;
    return find_drill(r, &d) && request_ok(r, store_drill_remove(r->store, d.id, &r->why));
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
