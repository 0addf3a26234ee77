/* Solving puzzles. An attempt is stateless: the page sends the moves so far, and the server
 * compares them with the solution. */
#include "service/study/puzzle_int.h"

#include "base/clock.h"
#include "chess/movegen.h"
#include "levels/rating/glicko.h"
#include "service/position_json_int.h"
#include "study/puzzle.h"

#include <math.h>
#include <time.h>

enum { DAILY_GOAL = 10, STREAK_DAYS = 1000 };

static const int64_t DAY_MS = 24 * 3600 * 1000, AGAIN_MS = 10 * 60 * 1000;

/* A puzzle with its moves. */
typedef struct Task {
    StorePuzzle stored;
    Position start;
    Move line[PUZZLE_LINE_MAX];
    int length;
} Task;

/* -- How a player stands -- */

typedef struct Tally {
    int64_t today, offset; /* days since 1970, and ms to add to get local time */
    int total, unseen, solved_today;
    int days[STREAK_DAYS]; /* first attempts so many days ago */
    int themes[PUZZLE_THEME_COUNT], solved[PUZZLE_THEME_COUNT];
} Tally;

static void count_puzzle(Tally *t, const StorePuzzle *p)
{
    t->total++;
    t->unseen += p->result == STORE_PUZZLE_UNSEEN;
    for (int k = 0; k < PUZZLE_THEME_COUNT; k++)
        if (p->themes & (1u << k)) {
            t->themes[k]++;
            t->solved[k] += p->result == STORE_PUZZLE_SOLVED;
        }
    int64_t ago = p->at ? t->today - (p->at + t->offset) / DAY_MS : -1;
    if (ago >= 0 && ago < STREAK_DAYS)
        t->days[ago]++;
    t->solved_today += ago == 0 && p->result == STORE_PUZZLE_SOLVED;
}

static int streak_of(const Tally *t)
{
    int first = t->days[0] >= DAILY_GOAL ? 0 : 1, ago = first;
    while (ago < STREAK_DAYS && t->days[ago] >= DAILY_GOAL)
        ago++;
    return ago - first;
}

static void set_today(Tally *t, int64_t now)
{
    time_t seconds = (time_t)(now / 1000);
    struct tm local;
    t->offset = localtime_r(&seconds, &local) ? local.tm_gmtoff * 1000 : 0;
    t->today = (now + t->offset) / DAY_MS;
}

/* The first guess is the strength in games. */
static Status load_solver(Service *service, int64_t player, Glicko *out, Message *why)
{
    StoreSolver solver;
    StorePlayer p;
    Status s = store_solver_load(service->store, player, &solver, why);
    if (s == STATUS_OK)
        *out = (Glicko){solver.rating, solver.deviation, solver.volatility};
    if (s != STATUS_MISSING)
        return s;
    s = store_player_load(service->store, player, &p, why);
    if (s == STATUS_OK)
        *out = glicko_start(p.rating);
    return s;
}

static json_t *themes_json(const Tally *t)
{
    json_t *out = json_array();
    for (int k = 0; k < PUZZLE_THEME_COUNT; k++)
        if (t->themes[k])
            json_array_append_new(out, json_pack("{s:s, s:s, s:i, s:i}", "name",
                                                 puzzle_theme_name((PuzzleTheme)k), "title",
                                                 puzzle_theme_title((PuzzleTheme)k), "total",
                                                 t->themes[k], "solved", t->solved[k]));
    return out;
}

Status puzzle_state_json(Service *service, int64_t player, json_t **state, json_t **themes,
                         Message *why)
{
    Tally t = {0};
    Glicko solver;
    StorePuzzle p;
    set_today(&t, clock_wall_ms());
    StoreRows puzzles = store_puzzles(service->store, player);
    while (store_next(&puzzles, &p))
        count_puzzle(&t, &p);
    Status s = store_rows_end(&puzzles, why);
    if (s == STATUS_OK)
        s = load_solver(service, player, &solver, why);
    if (s != STATUS_OK)
        return s;
    *state = json_pack("{s:I, s:I, s:i, s:i, s:{s:i, s:i, s:i}, s:i, s:o}", "rating",
                       (json_int_t)llround(solver.rating), "deviation",
                       (json_int_t)llround(solver.deviation), "total", t.total, "unseen", t.unseen,
                       "today", "done", t.days[0], "solved", t.solved_today, "goal", DAILY_GOAL,
                       "streak", streak_of(&t), "job", puzzle_job_json(service, player));
    if (themes)
        *themes = themes_json(&t);
    return STATUS_OK;
}

static Status set_state(Service *service, const Request *r, json_t *data, Message *why)
{
    json_t *state;
    Status s = puzzle_state_json(service, r->player, &state, NULL, why);
    if (s == STATUS_OK)
        json_object_set_new(data, "state", state);
    return s;
}

/* -- Tasks -- */

static Status read_task(Task *t, Message *why)
{
    Span rest = span_of(t->stored.line), word;
    Undo undo;
    Status s = fen_parse(&t->start, span_of(t->stored.fen), t->stored.chess960, why);
    Position p = t->start;
    t->length = 0;
    while (s == STATUS_OK && t->length < PUZZLE_LINE_MAX && span_next_word(&rest, &word)) {
        Move m = uci_move_read(&p, word);
        if (m == MOVE_NONE)
            break;
        t->line[t->length++] = m;
        pos_make(&p, m, &undo);
    }
    if (s == STATUS_OK && t->length % 2 == 0)
        s = status_fail(why, STATUS_IO, "puzzle %lld has no solution", (long long)t->stored.id);
    return s;
}

static Status find_task(Service *service, const Request *r, Task *t, Message *why)
{
    int64_t id;
    Status s = request_int(r, "puzzle", 1, INT64_MAX, &id, why);
    if (s == STATUS_OK)
        s = store_puzzle_load(service->store, id, &t->stored, why);
    if (s == STATUS_OK && t->stored.player != r->player)
        s = status_fail(why, STATUS_MISSING, "puzzle %lld does not exist", (long long)id);
    return s == STATUS_OK ? read_task(t, why) : s;
}

static json_t *json_task(const Task *t)
{
    static const char *const results[] = {NULL, "solved", "failed"};
    const StorePuzzle *p = &t->stored;
    json_t *out = json_pack(
        "{s:I, s:I, s:I, s:s, s:s, s:s, s:o, s:i, s:I, s:I, s:I, s:s?}", "id", (json_int_t)p->id,
        "game", (json_int_t)p->game, "ply", (json_int_t)p->ply, "fen", p->fen, "color",
        color_name(t->start.side), "variant", p->chess960 ? "chess960" : "standard", "last",
        json_stored_last(p->last), "length", t->length / 2 + 1, "rating",
        (json_int_t)llround(p->rating), "deviation", (json_int_t)llround(p->deviation), "attempts",
        (json_int_t)p->attempts, "result", results[p->result]);
    json_set_moves(out, &t->start, true);
    return out;
}

/* -- Attempts -- */

static Status rate(Service *service, StorePuzzle *p, bool solved, Message *why)
{
    Glicko solver, task = {p->rating, p->deviation, p->volatility};
    Status s = load_solver(service, p->player, &solver, why);
    if (s != STATUS_OK)
        return s;
    GlickoGame of_solver = {task.rating, task.deviation, solved};
    GlickoGame of_task = {solver.rating, solver.deviation, !solved};
    solver = glicko_update(solver, &of_solver, 1);
    task = glicko_update(task, &of_task, 1);
    p->rating = task.rating;
    p->deviation = task.deviation;
    p->volatility = task.volatility;
    StoreSolver kept = {solver.rating, solver.deviation, solver.volatility};
    return store_solver_save(service->store, p->player, &kept, why);
}

/* The first attempt is rated. Later ones only say when it comes again: one that was failed is
 * solved when it is found another time. */
static Status record(Service *service, StorePuzzle *p, bool solved, Message *why)
{
    int64_t now = clock_wall_ms();
    bool first = p->result == STORE_PUZZLE_UNSEEN, again = now - p->at > AGAIN_MS;
    if (!first && !again)
        return STATUS_OK;
    store_begin(service->store);
    Status s = first ? rate(service, p, solved, why) : STATUS_OK;
    if (first || p->result == STORE_PUZZLE_FAILED)
        p->result = solved ? STORE_PUZZLE_SOLVED : STORE_PUZZLE_FAILED;
    p->attempts++;
    if (first || p->result == STORE_PUZZLE_FAILED)
        p->at = now;
    if (s == STATUS_OK)
        s = store_puzzle_save(service->store, p, why);
    return store_end(service->store, s, why);
}

/* Plays the moves of the request, all but the last `open` of which must be the solution's. */
static Status play_attempt(Request *r, const Task *t, int open, Position *p, int *count, Move *last,
                           Message *why)
{
    const json_t *moves = json_object_get(r->root, "moves");
    Undo undo;
    *p = t->start;
    *count = (int)json_array_size(moves);
    if (!json_is_array(moves) || *count > t->length || (*count + open) % 2 != 0 || *count < open)
        return request_wrong(r, "moves", why);
    for (int i = 0; i < *count; i++) {
        const json_t *at = json_array_get(moves, (size_t)i);
        *last = json_is_string(at) ? uci_move_read(p, span_of(json_string_value(at))) : MOVE_NONE;
        if (*last == MOVE_NONE) {
            r->code = "illegal";
            return status_fail(why, STATUS_INVALID, "moves: move %d is not legal", i + 1);
        }
        if (i + open < *count && *last != t->line[i])
            return request_wrong(r, "moves", why);
        if (i + open < *count)
            pos_make(p, *last, &undo);
    }
    return STATUS_OK;
}

static void set_solution(json_t *data, const Task *t)
{
    Position p = t->start;
    json_t *line = json_array(), *themes = json_array();
    for (int i = 0; i < t->length; i++)
        json_array_append_new(line, json_played(&p, t->line[i]));
    for (int k = 0; k < PUZZLE_THEME_COUNT; k++)
        if (t->stored.themes & (1u << k))
            json_array_append_new(themes,
                                  json_pack("{s:s, s:s}", "name", puzzle_theme_name((PuzzleTheme)k),
                                            "title", puzzle_theme_title((PuzzleTheme)k)));
    json_object_set_new(data, "line", line);
    json_object_set_new(data, "themes", themes);
}

static bool is_mate(const Position *p)
{
    return pos_in_check(p) && !movegen_any(p);
}

static Status puzzles_try(Service *service, Request *r, json_t *data, Message *why)
{
    Task t;
    Position p;
    int count;
    Move move;
    Status s = find_task(service, r, &t, why);
    if (s == STATUS_OK)
        s = play_attempt(r, &t, 1, &p, &count, &move, why);
    if (s != STATUS_OK)
        return s;
    bool right = move == t.line[count - 1];
    json_object_update_new(data, json_played(&p, move));
    bool solved = is_mate(&p) || (right && count == t.length);
    json_object_set_new(data, "verdict",
                        json_string(solved  ? "solved"
                                    : right ? "right"
                                            : "wrong"));
    if (right && !solved) {
        json_object_set_new(data, "reply", json_played(&p, t.line[count]));
        json_set_moves(data, &p, true);
    } else {
        s = record(service, &t.stored, solved, why);
    }
    if (solved) {
        json_t *solution = json_object();
        set_solution(solution, &t);
        json_object_set_new(data, "solution", solution);
    }
    return s == STATUS_OK ? set_state(service, r, data, why) : s;
}

static Status puzzles_hint(Service *service, Request *r, json_t *data, Message *why)
{
    Task t;
    Position p;
    int count;
    Move last;
    char square[3];
    Status s = find_task(service, r, &t, why);
    if (s == STATUS_OK)
        s = play_attempt(r, &t, 0, &p, &count, &last, why);
    if (s == STATUS_OK && count >= t.length)
        s = request_wrong(r, "moves", why);
    if (s == STATUS_OK)
        s = record(service, &t.stored, false, why);
    if (s != STATUS_OK)
        return s;
    square_name(move_from(t.line[count]), square);
    json_object_set_new(data, "from", json_string(square));
    return set_state(service, r, data, why);
}

static Status puzzles_show(Service *service, Request *r, json_t *data, Message *why)
{
    Task t;
    Status s = find_task(service, r, &t, why);
    if (s == STATUS_OK && t.stored.result != STORE_PUZZLE_SOLVED)
        s = record(service, &t.stored, false, why);
    if (s != STATUS_OK)
        return s;
    set_solution(data, &t);
    return set_state(service, r, data, why);
}

/* -- Lists -- */

static Status puzzles_state(Service *service, Request *r, json_t *data, Message *why)
{
    json_t *state, *themes;
    Status s = puzzle_state_json(service, r->player, &state, &themes, why);
    if (s == STATUS_OK) {
        json_object_set_new(data, "state", state);
        json_object_set_new(data, "themes", themes);
    }
    return s;
}

static Status read_theme(const Request *r, unsigned *out, Message *why)
{
    Span name = {0};
    Status s = request_maybe_text(r, "theme", &name, why);
    *out = 0;
    if (s != STATUS_OK || !name.at)
        return s;
    for (int k = 0; k < PUZZLE_THEME_COUNT; k++)
        if (span_is(name, puzzle_theme_name((PuzzleTheme)k)))
            *out = 1u << k;
    return *out ? STATUS_OK : request_wrong(r, "theme", why);
}

static Status puzzles_next(Service *service, Request *r, json_t *data, Message *why)
{
    Task t;
    Glicko solver;
    unsigned theme;
    int64_t not = 0;
    bool found = false;
    Status s = read_theme(r, &theme, why);
    if (s == STATUS_OK)
        s = request_maybe_int(r, "not", 0, INT64_MAX, &not, why);
    if (s == STATUS_OK)
        s = load_solver(service, r->player, &solver, why);
    if (s == STATUS_OK)
        s = store_puzzle_next(service->store, r->player, solver.rating, theme, not, &t.stored,
                              &found, why);
    if (s == STATUS_OK && found)
        s = read_task(&t, why);
    if (s != STATUS_OK)
        return s;
    json_object_set_new(data, "puzzle", found ? json_task(&t) : json_null());
    return set_state(service, r, data, why);
}

static Status puzzles_get(Service *service, Request *r, json_t *data, Message *why)
{
    Task t;
    Status s = find_task(service, r, &t, why);
    if (s == STATUS_OK)
        json_object_set_new(data, "puzzle", json_task(&t));
    return s;
}

static Status read_games(const Request *r, int64_t *ids, int *count, Message *why)
{
    const json_t *games = json_object_get(r->root, "games");
    *count = (int)json_array_size(games);
    if (!json_is_array(games) || *count > PUZZLE_MAX_GAMES)
        return request_wrong(r, "games", why);
    for (int i = 0; i < *count; i++) {
        const json_t *id = json_array_get(games, (size_t)i);
        if (!json_is_integer(id) || json_integer_value(id) < 1)
            return request_wrong(r, "games", why);
        ids[i] = json_integer_value(id);
    }
    return STATUS_OK;
}

static Status puzzles_make(Service *service, Request *r, json_t *data, Message *why)
{
    int64_t ids[PUZZLE_MAX_GAMES];
    int count;
    Status s =
        json_object_get(r->root, "games")
            ? read_games(r, ids, &count, why)
            : store_puzzle_games(service->store, r->player, ids, PUZZLE_MAX_GAMES, &count, why);
    if (s == STATUS_OK)
        s = puzzle_job_add(service, r->player, ids, count, why);
    return s == STATUS_OK ? set_state(service, r, data, why) : s;
}

static Status puzzles_drop(Service *service, Request *r, json_t *data, Message *why)
{
    (void)data;
    Task t;
    Status s = find_task(service, r, &t, why);
    return s == STATUS_OK ? store_puzzle_drop(service->store, t.stored.id, why) : s;
}

const HandlerRow puzzle_handlers[] = {
    {.name = "puzzles.state", .run = puzzles_state},
    {.name = "puzzles.next", .run = puzzles_next},
    {.name = "puzzles.get", .run = puzzles_get},
    {.name = "puzzles.try", .run = puzzles_try},
    {.name = "puzzles.hint", .run = puzzles_hint},
    {.name = "puzzles.show", .run = puzzles_show},
    {.name = "puzzles.make", .run = puzzles_make},
    {.name = "puzzles.drop", .run = puzzles_drop},
    {0},
};
