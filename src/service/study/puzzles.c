/* Solving puzzles. An attempt is stateless: the page sends the moves so far, and the server
 * compares them with the solution. */
#include "service/study/study_int.h"

#include "base/clock.h"
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
    MoveLine line;
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
static Status load_solver(Store *store, int64_t player, Glicko *out, Message *why)
{
    StoreSolver solver;
    StorePlayer p;
    Status s = store_solver_load(store, player, &solver, why);
    if (s == STATUS_OK)
        *out = (Glicko){solver.rating, solver.deviation, solver.volatility};
    if (s != STATUS_MISSING)
        return s;
    s = store_player_load(store, player, &p, why);
    if (s == STATUS_OK)
        *out = glicko_start(p.rating);
    return s;
}

static json_t *json_theme(int k)
{
    return json_pack("{s:s, s:s}", "name", puzzle_theme_name((PuzzleTheme)k), "title",
                     puzzle_theme_title((PuzzleTheme)k));
}

static Status count_puzzles(Service *service, int64_t player, Tally *t, Message *why)
{
    StorePuzzle p;
    *t = (Tally){0};
    set_today(t, clock_wall_ms());
    StoreRows puzzles = store_puzzles(service->store, player);
    while (store_next(&puzzles, &p))
        count_puzzle(t, &p);
    return store_rows_end(&puzzles, why);
}

static json_t *json_state(const Service *service, int64_t player, const Tally *t, Glicko solver)
{
    return json_pack("{s:I, s:I, s:i, s:i, s:{s:i, s:i, s:i}, s:i, s:o}", "rating",
                     (json_int_t)llround(solver.rating), "deviation",
                     (json_int_t)llround(solver.deviation), "total", t->total, "unseen", t->unseen,
                     "today", "done", t->days[0], "solved", t->solved_today, "goal", DAILY_GOAL,
                     "streak", streak_of(t), "job", puzzle_job_json(service, player));
}

Status puzzle_state_json(Service *service, int64_t player, json_t **state, Message *why)
{
    Tally t;
    Glicko solver;
    Status s = count_puzzles(service, player, &t, why);
    if (s == STATUS_OK)
        s = load_solver(service->store, player, &solver, why);
    if (s == STATUS_OK)
        *state = json_state(service, player, &t, solver);
    return s;
}

static bool answer_state(Request *r)
{
    json_t *state;
    return request_ok(r, puzzle_state_json(r->service, r->player, &state, &r->why)) &&
           request_answer(r, "state", state);
}

/* -- Tasks -- */

static bool read_task(Request *r, Task *t)
{
    Position start;
    const StorePuzzle *p = &t->stored;
    if (!request_ok(r, fen_parse(&start, span_of(p->fen), p->chess960, &r->why)))
        return false;
    line_read(&t->line, &start, p->line);
    return t->line.count % 2 ||
           request_refuse(r, "server", "puzzle %lld has no solution", (long long)p->id);
}

static bool find_task(Request *r, Task *t)
{
    int64_t id;
    if (!request_id(r, "puzzle", &id) ||
        !request_ok(r, store_puzzle_load(r->store, id, &t->stored, &r->why)))
        return false;
    if (t->stored.player != r->player)
        return request_refuse(r, "missing", "puzzle %lld does not exist", (long long)id);
    return read_task(r, t);
}

static json_t *json_task(const Task *t)
{
    static const char *const results[] = {NULL, "solved", "failed"};
    const StorePuzzle *p = &t->stored;
    json_t *out = json_pack(
        "{s:I, s:I, s:I, s:s, s:s, s:s, s:o, s:i, s:I, s:I, s:I, s:s?}", "id", (json_int_t)p->id,
        "game", (json_int_t)p->game, "ply", (json_int_t)p->ply, "fen", p->fen, "color",
        color_name(t->line.start.side), "variant", p->chess960 ? "chess960" : "standard", "last",
        json_stored_last(p->last), "length", t->line.count / 2 + 1, "rating",
        (json_int_t)llround(p->rating), "deviation", (json_int_t)llround(p->deviation), "attempts",
        (json_int_t)p->attempts, "result", results[p->result]);
    json_set_moves(out, &t->line.start, true);
    return out;
}

/* -- Attempts -- */

static Status rate(Store *store, StorePuzzle *p, bool solved, Message *why)
{
    Glicko solver, task = {p->rating, p->deviation, p->volatility};
    Status s = load_solver(store, p->player, &solver, why);
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
    return store_solver_save(store, p->player, &kept, why);
}

/* The first attempt is rated. Later ones only say when it comes again: one that was failed is
 * solved when it is found another time. */
static Status record(Store *store, StorePuzzle *p, bool solved, Message *why)
{
    int64_t now = clock_wall_ms();
    bool first = p->result == STORE_PUZZLE_UNSEEN, again = now - p->at > AGAIN_MS;
    if (!first && !again)
        return STATUS_OK;
    store_begin(store);
    Status s = first ? rate(store, p, solved, why) : STATUS_OK;
    if (first || p->result == STORE_PUZZLE_FAILED)
        p->result = solved ? STORE_PUZZLE_SOLVED : STORE_PUZZLE_FAILED;
    p->attempts++;
    if (first || p->result == STORE_PUZZLE_FAILED)
        p->at = now;
    if (s == STATUS_OK)
        s = store_puzzle_save(store, p, why);
    return store_end(store, s, why);
}

/* Plays the moves of the request, all but the last `open` of which must be the solution's. */
static bool play_attempt(Request *r, const Task *t, int open, Position *p, int *count, Move *last)
{
    const json_t *moves = json_object_get(r->root, "moves");
    Undo undo;
    *p = t->line.start;
    *count = (int)json_array_size(moves);
    if (!json_is_array(moves) || *count > t->line.count || (*count + open) % 2 != 0 ||
        *count < open)
        return request_wrong(r, "moves");
    for (int i = 0; i < *count; i++) {
        const json_t *at = json_array_get(moves, (size_t)i);
        *last = json_is_string(at) ? uci_move_read(p, span_of(json_string_value(at))) : MOVE_NONE;
        if (*last == MOVE_NONE)
            return request_refuse(r, "illegal", "moves: move %d is not legal", i + 1);
        if (i + open >= *count)
            return true;
        if (*last != t->line.moves[i])
            return request_wrong(r, "moves");
        pos_make(p, *last, &undo);
    }
    return true;
}

static void set_solution(json_t *data, const Task *t)
{
    json_t *themes = json_array();
    for (int k = 0; k < PUZZLE_THEME_COUNT; k++)
        if (t->stored.themes & (1u << k))
            json_array_append_new(themes, json_theme(k));
    json_object_update_new(data,
                           json_pack("{s:o, s:o}", "line", line_json(&t->line), "themes", themes));
}

static bool puzzles_try(Request *r)
{
    Task t;
    Position p;
    int count;
    Move move;
    if (!find_task(r, &t) || !play_attempt(r, &t, 1, &p, &count, &move))
        return false;
    bool right = move == t.line.moves[count - 1];
    json_object_update_new(r->data, json_played(&p, move));
    bool solved = draw_game_end(&p) == GAME_CHECKMATE || (right && count == t.line.count);
    request_answer(r, "verdict", json_string(solved ? "solved" : right ? "right" : "wrong"));
    if (right && !solved) {
        request_answer(r, "reply", json_played(&p, t.line.moves[count]));
        json_set_moves(r->data, &p, true);
    } else if (!request_ok(r, record(r->store, &t.stored, solved, &r->why))) {
        return false;
    }
    if (solved) {
        json_t *solution = json_object();
        set_solution(solution, &t);
        request_answer(r, "solution", solution);
    }
    return answer_state(r);
}

static bool puzzles_hint(Request *r)
{
    Task t;
    Position p;
    int count;
    Move last;
    char square[3];
    if (!find_task(r, &t) || !play_attempt(r, &t, 0, &p, &count, &last))
        return false;
    if (count >= t.line.count)
        return request_wrong(r, "moves");
    if (!request_ok(r, record(r->store, &t.stored, false, &r->why)))
        return false;
    square_name(move_from(t.line.moves[count]), square);
    request_answer(r, "from", json_string(square));
    return answer_state(r);
}

static bool puzzles_show(Request *r)
{
    Task t;
    if (!find_task(r, &t) || (t.stored.result != STORE_PUZZLE_SOLVED &&
                              !request_ok(r, record(r->store, &t.stored, false, &r->why))))
        return false;
    set_solution(r->data, &t);
    return answer_state(r);
}

/* -- Lists -- */

static bool puzzles_state(Request *r)
{
    Tally t;
    Glicko solver;
    json_t *themes = json_array();
    request_answer(r, "themes", themes);
    if (!request_ok(r, count_puzzles(r->service, r->player, &t, &r->why)) ||
        !request_ok(r, load_solver(r->store, r->player, &solver, &r->why)))
        return false;
    for (int k = 0; k < PUZZLE_THEME_COUNT; k++)
        if (t.themes[k]) {
            json_t *theme = json_theme(k);
            json_object_update_new(
                theme, json_pack("{s:i, s:i}", "total", t.themes[k], "solved", t.solved[k]));
            json_array_append_new(themes, theme);
        }
    return request_answer(r, "state", json_state(r->service, r->player, &t, solver));
}

static bool read_theme(Request *r, unsigned *out)
{
    Span name = {0};
    *out = 0;
    if (!request_maybe_text(r, "theme", &name))
        return false;
    for (int k = 0; k < PUZZLE_THEME_COUNT && name.at; k++)
        if (span_is(name, puzzle_theme_name((PuzzleTheme)k)))
            *out = 1u << k;
    return !name.at || *out || request_wrong(r, "theme");
}

static bool puzzles_next(Request *r)
{
    Task t;
    Glicko solver;
    unsigned theme;
    int64_t not = 0;
    bool found = false;
    if (!read_theme(r, &theme) || !request_maybe_int(r, "not", 0, INT64_MAX, &not ) ||
        !request_ok(r, load_solver(r->store, r->player, &solver, &r->why)) ||
        !request_ok(r, store_puzzle_next(r->store, r->player, solver.rating, theme, not, &t.stored,
                                         &found, &r->why)) ||
        (found && !read_task(r, &t)))
        return false;
    request_answer(r, "puzzle", found ? json_task(&t) : json_null());
    return answer_state(r);
}

static bool puzzles_get(Request *r)
{
    Task t;
    return find_task(r, &t) && request_answer(r, "puzzle", json_task(&t));
}

static bool read_games(Request *r, int64_t *ids, int *count)
{
    const json_t *games = json_object_get(r->root, "games");
    *count = (int)json_array_size(games);
    if (!json_is_array(games) || *count > PUZZLE_MAX_GAMES)
        return request_wrong(r, "games");
    for (int i = 0; i < *count; i++) {
        const json_t *id = json_array_get(games, (size_t)i);
        if (!json_is_integer(id) || json_integer_value(id) < 1)
            return request_wrong(r, "games");
        ids[i] = json_integer_value(id);
    }
    return true;
}

static bool puzzles_make(Request *r)
{
    int64_t ids[PUZZLE_MAX_GAMES];
    int count;
    bool read = json_object_get(r->root, "games")
                    ? read_games(r, ids, &count)
                    : request_ok(r, store_puzzle_games(r->store, r->player, ids, PUZZLE_MAX_GAMES,
                                                       &count, &r->why));
    return read && request_ok(r, puzzle_job_add(r->service, r->player, ids, count, &r->why)) &&
           answer_state(r);
}

static bool puzzles_drop(Request *r)
{
    Task t;
    return find_task(r, &t) && request_ok(r, store_puzzle_drop(r->store, t.stored.id, &r->why));
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
