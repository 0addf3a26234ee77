#include "service/board_int.h"

#include "base/clock.h"
#include "service/client_int.h"

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

bool board_push(Board *b, Move m, int64_t clock_ms, int64_t spent_ms)
{
    if (!room_for_move(b))
        return false;
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
    return true;
}

void board_cut(Board *b, int count)
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

/* -- Coming and going -- */

static void free_board(Board *b)
{
    for (BoardTalk *t = b->talk; t;) {
        BoardTalk *next = t->next;
        free(t);
        t = next;
    }
    opponent_close(b->opponent[WHITE]);
    opponent_close(b->opponent[BLACK]);
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

/* When there are too many, one that nobody looks at goes. A clock that runs there goes on in the
 * store, and is seen to have run out when the game is opened again. */
static Status make_room(Service *service, Message *why)
{
    if (service->board_count < SERVICE_MAX_BOARDS)
        return STATUS_OK;
    Board *oldest = NULL;
    for (Board *b = service->boards; b; b = b->next)
        if (!b->job && !client_any_watches(service, b->g.id))
            oldest = b;
    if (!oldest)
        return status_fail(why, STATUS_REFUSED, "%d games are played already", SERVICE_MAX_BOARDS);
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
    if (move != MOVE_NONE)
        board_push(b, move, m->clock_ms, m->spent_ms);
}

void board_add_talk(Board *b, int64_t ply, int side, const char *text)
{
    BoardTalk *talk = calloc(1, sizeof *talk);
    if (!talk)
        return; /* a word less is no harm */
    talk->ply = ply;
    talk->side = side;
    snprintf(talk->text, sizeof talk->text, "%s", text);
    BoardTalk **end = &b->talk;
    while (*end)
        end = &(*end)->next;
    *end = talk;
}

static void load_talk(void *user, const StoreTalk *t)
{
    board_add_talk(user, t->ply, t->side, t->text);
}

/* The clock that ran when the program ended goes on from the last moment it surely lived. */
static Status resume_clock(Service *service, Board *b, Message *why)
{
    if (!board_clock_runs(b) || service->read_only)
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
