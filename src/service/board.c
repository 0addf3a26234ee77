/* A game in memory. What is in the store is the truth: a change is made on a copy of the game's row,
 * stored, and only then taken over. */
#include "service/service_int.h"

#include "base/clock.h"
#include "chess/draw.h"

#include <stdlib.h>
#include <string.h>

/* -- Looking -- */

bool board_over(const Board *b)
{
    return b->g.over;
}

bool board_clock_runs(const Board *b)
{
    return b->g.has_clock && b->g.turn_at != 0 && !board_over(b);
}

int64_t board_clock_ms(const Board *b, Color c, int64_t now_ms)
{
    int64_t left = b->g.clock_ms[c];
    if (c == b->now.side && board_clock_runs(b))
        left -= now_ms - b->turn_since;
    return left > 0 ? left : 0;
}

/* -- Moves in memory -- */

static bool room_for_move(Board *b)
{
    if (b->count < b->room)
        return true;
    int room = b->room ? 2 * b->room : 64;
    BoardMove *bigger = realloc(b->moves, (size_t)room * sizeof *bigger);
    if (!bigger)
        return false;
    b->moves = bigger;
    b->room = room;
    return true;
}

/* Behind the last move; there must be room. */
static void push_move(Board *b, Move m, int64_t clock_ms, int64_t spent_ms)
{
    BoardMove *at = &b->moves[b->count++];
    Undo undo;
    at->move = m;
    at->clock_ms = clock_ms;
    at->spent_ms = spent_ms;
    at->late_ms = 0;
    uci_move_write(&b->now, m, at->uci);
    san_write(&b->now, m, at->san);
    pos_make(&b->now, m, &undo);
    fen_write(&b->now, FEN_X, at->fen);
}

static void replay(Board *b, int count)
{
    Undo undo;
    b->now = b->start;
    b->count = count;
    for (int i = 0; i < count; i++)
        pos_make(&b->now, b->moves[i].move, &undo);
}

void board_describe(Service *service, const Board *b, StoreGame *g)
{
    OpeningName name;
    g->plies = b->count;
    fen_write(&b->now, FEN_X, g->fen);
    snprintf(g->last, sizeof g->last, "%s", b->count ? b->moves[b->count - 1].uci : "");
    if (b->count && openings_find(service->openings, &b->now, &name)) {
        snprintf(g->eco, sizeof g->eco, "%s", name.eco);
        snprintf(g->opening, sizeof g->opening, "%s", name.name);
    }
}

/* After a takeback the name is that of the last named position before. */
static void rename_opening(Service *service, const Board *b, StoreGame *g)
{
    Position p = b->start;
    Undo undo;
    OpeningName name;
    g->eco[0] = g->opening[0] = '\0';
    for (int i = 0; i < b->count; i++) {
        pos_make(&p, b->moves[i].move, &undo);
        if (openings_find(service->openings, &p, &name)) {
            snprintf(g->eco, sizeof g->eco, "%s", name.eco);
            snprintf(g->opening, sizeof g->opening, "%s", name.name);
        }
    }
}

/* -- Coming and going -- */

static void free_board(Board *b)
{
    for (BoardTalk *t = b->talk; t;) {
        BoardTalk *next = t->next;
        free(t);
        t = next;
    }
    opponent_close(b->mind[WHITE]);
    opponent_close(b->mind[BLACK]);
    free(b->moves);
    free(b);
}

void board_unload(Service *service, Board *b)
{
    for (Board **at = &service->boards; *at; at = &(*at)->next)
        if (*at == b) {
            *at = b->next;
            service->board_count--;
            break;
        }
    free_board(b);
}

void board_unload_all(Service *service)
{
    while (service->boards)
        board_unload(service, service->boards);
}

/* Somebody's board must go when there are too many: one that nobody looks at. A clock that runs there goes on in the
 * store, and is seen to have run out when the game is opened again. */
static Status make_room(Service *service, Message *why)
{
    if (service->board_count < WEB_MAX_BOARDS)
        return STATUS_OK;
    Board *oldest = NULL;
    for (Board *b = service->boards; b; b = b->next)
        if (!b->task && !web_is_watched(service, b->g.id))
            oldest = b;
    if (!oldest)
        return status_fail(why, STATUS_REFUSED, "%d games are played already", WEB_MAX_BOARDS);
    board_unload(service, oldest);
    return STATUS_OK;
}

static Status create(Service *service, const StoreGame *g, Board **out, Message *why)
{
    Status s = make_room(service, why);
    Board *b = s == STATUS_OK ? calloc(1, sizeof *b) : NULL;
    if (!b)
        return s != STATUS_OK ? s : status_fail(why, STATUS_MEMORY, "no memory for a game");
    b->g = *g;
    b->hint_ply = -1;
    b->turn_since = clock_now_ms();
    s = fen_parse(&b->start, span_of(g->start_fen), g->chess960, why);
    if (s != STATUS_OK) {
        free(b);
        return s;
    }
    b->now = b->start;
    *out = b;
    return STATUS_OK;
}

static void enlist(Service *service, Board *b)
{
    b->next = service->boards;
    service->boards = b;
    service->board_count++;
}

Status board_new(Service *service, const StoreGame *g, Board **out, Message *why)
{
    Board *b;
    Status s = create(service, g, &b, why);
    if (s != STATUS_OK)
        return s;
    board_describe(service, b, &b->g);
    s = store_game_add(service->store, &b->g, why);
    if (s != STATUS_OK) {
        free_board(b);
        return s;
    }
    enlist(service, b);
    *out = b;
    return STATUS_OK;
}

/* -- Loading -- */

static void load_move(void *user, const StoreMove *m)
{
    Board *b = user;
    Move move = uci_move_read(&b->now, span_of(m->uci));
    if (move != MOVE_NONE && room_for_move(b))
        push_move(b, move, m->clock_ms, m->spent_ms);
}

static void add_talk(Board *b, const StoreTalk *t)
{
    BoardTalk *talk = calloc(1, sizeof *talk);
    if (!talk)
        return;
    talk->ply = t->ply;
    talk->side = t->side;
    snprintf(talk->text, sizeof talk->text, "%s", t->text);
    BoardTalk **end = &b->talk;
    while (*end)
        end = &(*end)->next;
    *end = talk;
}

static void load_talk(void *user, const StoreTalk *t)
{
    add_talk(user, t);
}

/* The clock that ran when the program ended goes on from the last moment it surely lived. */
static Status resume_clock(Service *service, Board *b, Message *why)
{
    if (!board_clock_runs(b))
        return STATUS_OK;
    StoreGame g = b->g;
    bool from_before = g.turn_at < service->started_wall;
    int64_t until = from_before ? service->alive_before : clock_wall_ms();
    int64_t used = until > g.turn_at ? until - g.turn_at : 0;
    g.clock_ms[b->now.side] -= used;
    if (g.clock_ms[b->now.side] < 1)
        g.clock_ms[b->now.side] = 1;
    g.turn_at = clock_wall_ms();
    return board_save(service, b, &g, why);
}

static Status load(Service *service, int64_t id, Board **out, Message *why)
{
    StoreGame g;
    Board *b;
    Status s = store_game_load(service->store, id, &g, why);
    if (s == STATUS_OK)
        s = create(service, &g, &b, why);
    if (s != STATUS_OK)
        return s;
    s = store_moves(service->store, id, load_move, b, why);
    if (s == STATUS_OK && b->count != g.plies)
        s = status_fail(why, STATUS_IO, "game %lld is damaged: %d of %lld moves can be read",
                        (long long)id, b->count, (long long)g.plies);
    if (s == STATUS_OK)
        s = store_talk(service->store, id, load_talk, b, why);
    if (s == STATUS_OK)
        s = resume_clock(service, b, why);
    if (s != STATUS_OK) {
        free_board(b);
        return s;
    }
    enlist(service, b);
    *out = b;
    return STATUS_OK;
}

Status board_get(Service *service, int64_t id, Board **out, Message *why)
{
    for (Board *b = service->boards; b; b = b->next)
        if (b->g.id == id) {
            *out = b;
            return STATUS_OK;
        }
    return load(service, id, out, why);
}

/* -- Changing -- */

Status board_save(Service *service, Board *b, const StoreGame *changed, Message *why)
{
    StoreGame g = *changed;
    g.version = b->g.version + 1;
    g.updated = clock_wall_ms();
    Status s = store_game_save(service->store, &g, why);
    if (s == STATUS_OK)
        b->g = g;
    return s;
}

/* Sets the result and, in the same transaction, what it means for the player. */
static Status conclude(Service *service, StoreGame *g, Result result, const char *reason,
                       Message *why)
{
    g->over = true;
    g->result = result;
    snprintf(g->reason, sizeof g->reason, "%s", reason);
    g->offer = -1;
    g->turn_at = 0;
    return standing_update(service, g, why);
}

/* The clock after the move about to be made; false when there was not enough time for it. */
static bool stop_clock(const Board *b, StoreGame *g, int64_t now)
{
    Color us = b->now.side;
    if (!board_clock_runs(b))
        return true;
    int64_t left = board_clock_ms(b, us, now);
    if (left <= 0)
        return false;
    g->clock_ms[us] = left + g->increment_ms;
    return true;
}

static Status store_played(Service *service, const Board *b, StoreGame *g, Message *why)
{
    const BoardMove *last = &b->moves[b->count - 1];
    StoreMove m = {.clock_ms = last->clock_ms, .spent_ms = last->spent_ms};
    memcpy(m.uci, last->uci, sizeof m.uci);
    Result result;
    const char *reason;
    Status s = store_begin(service->store, why);
    if (s != STATUS_OK)
        return s;
    if (rules_end(&b->now, &result, &reason))
        s = conclude(service, g, result, reason, why);
    if (s == STATUS_OK)
        s = store_move_put(service->store, g->id, b->count - 1, &m, g, why);
    if (s == STATUS_OK)
        return store_commit(service->store, why);
    store_rollback(service->store);
    return s;
}

Status board_play(Service *service, Board *b, Move m, Message *why)
{
    int64_t now = clock_now_ms();
    StoreGame g = b->g;
    Color us = b->now.side;
    if (!stop_clock(b, &g, now))
        return status_fail(why, STATUS_REFUSED, "the time is up");
    if (b->count >= WEB_MAX_PLIES || !room_for_move(b))
        return status_fail(why, STATUS_MEMORY, "no room for another move");
    push_move(b, m, g.has_clock ? g.clock_ms[us] : -1, now - b->turn_since);
    board_describe(service, b, &g);
    g.version++;
    g.updated = clock_wall_ms();
    if (g.offer != (int)us)
        g.offer = -1; /* who moves instead of answering has declined */
    g.turn_at = g.has_clock && b->count >= 2 ? g.updated : 0;
    Status s = store_played(service, b, &g, why);
    if (s != STATUS_OK) {
        replay(b, b->count - 1);
        return s;
    }
    b->g = g;
    b->turn_since = now;
    b->hint_ply = -1;
    return STATUS_OK;
}

Status board_finish(Service *service, Board *b, Result result, const char *reason, Message *why)
{
    StoreGame g = b->g;
    Color us = b->now.side;
    int64_t left = board_clock_ms(b, us, clock_now_ms());
    Status s = store_begin(service->store, why);
    if (s != STATUS_OK)
        return s;
    g.clock_ms[us] = left;
    g.version++;
    g.updated = clock_wall_ms();
    s = conclude(service, &g, result, reason, why);
    if (s == STATUS_OK)
        s = store_game_save(service->store, &g, why);
    if (s == STATUS_OK)
        s = store_commit(service->store, why);
    else
        store_rollback(service->store);
    if (s != STATUS_OK)
        return s;
    b->g = g;
    turn_cancel(service, b);
    return STATUS_OK;
}

bool board_flag(Service *service, Board *b)
{
    Message why;
    Color us = b->now.side;
    if (!board_clock_runs(b) || board_clock_ms(b, us, clock_now_ms()) > 0)
        return false;
    bool drawn = draw_side_cannot_mate(&b->now, color_other(us));
    Result r = drawn ? RESULT_DRAW : result_win(color_other(us));
    return board_finish(service, b, r, drawn ? "time-material" : "time", &why) == STATUS_OK;
}

/* -- Takeback -- */

/* The clocks as they stood when that many moves were made. */
static void restore_clocks(const Board *b, StoreGame *g, int plies)
{
    g->clock_ms[WHITE] = g->clock_ms[BLACK] = g->initial_ms;
    for (int i = 0; i < plies; i++) {
        Color mover = (Color)(b->start.side ^ (i & 1));
        g->clock_ms[mover] = b->moves[i].clock_ms;
    }
}

static void forget_talk(Board *b, int plies)
{
    for (BoardTalk **at = &b->talk; *at;) {
        BoardTalk *t = *at;
        if (t->ply > plies) {
            *at = t->next;
            free(t);
        } else {
            at = &t->next;
        }
    }
}

Status board_take_back(Service *service, Board *b, Message *why)
{
    int plies = b->count - ((int)b->now.side == b->g.you ? 2 : 1);
    if (plies < 0 || (int)(b->start.side ^ (plies & 1)) != b->g.you)
        return status_fail(why, STATUS_REFUSED, "there is no move of yours to take back");
    if (board_over(b) && b->g.rated)
        return status_fail(why, STATUS_REFUSED, "a rated game is over when it is over");
    StoreGame g = b->g;
    restore_clocks(b, &g, plies);
    replay(b, plies);
    board_describe(service, b, &g);
    rename_opening(service, b, &g);
    g.version++;
    g.updated = clock_wall_ms();
    g.over = false;
    g.result = RESULT_NONE;
    g.reason[0] = '\0';
    g.rated = false;
    g.takebacks++;
    g.offer = -1;
    g.turn_at = g.has_clock && plies >= 2 ? g.updated : 0;
    Status s = store_moves_cut(service->store, &g, plies, why);
    if (s != STATUS_OK) {
        replay(b, (int)b->g.plies);
        return s;
    }
    b->g = g;
    b->turn_since = clock_now_ms();
    b->hint_ply = -1;
    forget_talk(b, plies);
    turn_cancel(service, b);
    return STATUS_OK;
}
