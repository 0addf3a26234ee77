#include "service/board_int.h"

#include "base/clock.h"
#include "base/memory.h"
#include "service/client_int.h"

#include <stdlib.h>
#include <string.h>

/* -- Looking -- */

bool board_two_people(const Board *b)
{
    return b->g.kind == STORE_PLAY && b->g.side[WHITE].kind == SIDE_HUMAN &&
           b->g.side[BLACK].kind == SIDE_HUMAN;
}

bool board_on_one_screen(const Board *b)
{
    return board_two_people(b) && b->g.guest == b->g.player;
}

/* An opponent's game is open to everyone who has a session: it has one human side. */
int board_color_of(const Board *b, int64_t player)
{
    if (!board_two_people(b))
        return b->g.you;
    if (board_on_one_screen(b))
        return player == b->g.player ? (int)b->play.now.side : -1;
    return player == b->g.player ? b->g.you : player == b->g.guest ? !b->g.you : -1;
}

/* -- Moves in memory -- */

bool board_describe_move(Board *b, const Position *before, int64_t spent_ms)
{
    int last = b->play.count - 1;
    if (!memory_grow(&b->moves, sizeof *b->moves, (size_t)last, &b->room))
        return false;
    BoardMove *at = &b->moves[last];
    at->spent_ms = spent_ms;
    at->late_ms = 0;
    uci_move_write(before, b->play.moves[last].move, at->uci);
    san_write(before, b->play.moves[last].move, at->san);
    fen_write(&b->play.now, FEN_X, at->fen);
    return true;
}

void board_describe(Service *service, const Board *b, StoreGame *g)
{
    OpeningName name;
    g->plies = b->play.count;
    fen_write(&b->play.now, FEN_X, g->fen);
    snprintf(g->last, sizeof g->last, "%s", b->play.count ? b->moves[b->play.count - 1].uci : "");
    if (b->play.count && openings_find(service->openings, &b->play.now, &name)) {
        snprintf(g->eco, sizeof g->eco, "%s", name.eco);
        snprintf(g->opening, sizeof g->opening, "%s", name.name);
    }
}

/* -- Coming and going -- */

static void free_board(Board *b)
{
    opponent_close(b->opponent[WHITE]);
    opponent_close(b->opponent[BLACK]);
    play_close(&b->play);
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
    atomic_store(&service->freed, true);
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
        return status_fail(why, STATUS_REFUSED, "%d games are already in progress",
                           SERVICE_MAX_BOARDS);
    board_unload(service, oldest);
    return STATUS_OK;
}

static Status create(Service *service, const StoreGame *g, Board **out, Message *why)
{
    Status s = make_room(service, why);
    Board *b = s == STATUS_OK ? calloc(1, sizeof *b) : NULL;
    if (!b)
        return s != STATUS_OK ? s : status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    b->g = *g;
    b->hint_ply = b->takeback = -1;
    Position start;
    TimeControl control = {g->has_clock ? g->initial_ms : 0, g->increment_ms, 0};
    PlaySetup setup = {
        .start = &start, .control = {control, control}, .claims = true, .free_plies = 2};
    s = fen_parse(&start, span_of(g->start_fen), g->chess960, why);
    if (s == STATUS_OK)
        s = play_open(&b->play, &setup, clock_now_ms(), why);
    return GIVE_OR_CLOSE(s, out, b, free);
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
    if (s == STATUS_OK)
        enlist(service, b);
    return GIVE_OR_CLOSE(s, out, b, free_board);
}

/* -- Loading -- */

static Status load_moves(Store *store, Board *b, Message *why)
{
    StoreMove m;
    StoreRows rows = store_moves(store, b->g.id);
    while (store_next(&rows, &m)) {
        Position before = b->play.now;
        Move move = uci_move_read(&before, span_of(m.uci));
        if (move != MOVE_NONE && play_replay(&b->play, move, m.clock_ms, NULL) == STATUS_OK &&
            !board_describe_move(b, &before, m.spent_ms))
            b->play.count--; /* no memory: the game is then found to be too short */
    }
    Status s = store_rows_end(&rows, why);
    if (s == STATUS_OK && b->play.count != b->g.plies)
        s = status_fail(why, STATUS_IO, "game %lld is damaged: %d of %lld moves can be read",
                        (long long)b->g.id, b->play.count, (long long)b->g.plies);
    return s;
}

/* The clock that ran when the program ended goes on from the last moment it surely lived. */
static Status resume_play(Service *service, Board *b, Message *why)
{
    PlayState *state = &b->play.state;
    memcpy(state->left_ms, b->g.clock_ms, sizeof state->left_ms);
    state->turn_ms = clock_now_ms();
    state->result = b->g.result;
    state->end = b->g.over ? PLAY_STOPPED : PLAY_GOES_ON; /* g.reason says more */
    if (!play_clock_runs(&b->play) || service->read_only)
        return STATUS_OK;
    StoreGame g = b->g;
    bool from_before = g.turn_at < service->started_wall;
    int64_t until = from_before ? service->alive_before : clock_wall_ms();
    int64_t used = until > g.turn_at ? until - g.turn_at : 0;
    g.clock_ms[b->play.now.side] -= used;
    if (g.clock_ms[b->play.now.side] < 1)
        g.clock_ms[b->play.now.side] = 1;
    g.turn_at = clock_wall_ms();
    memcpy(state->left_ms, g.clock_ms, sizeof state->left_ms);
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
    s = load_moves(service->store, b, why);
    if (s == STATUS_OK)
        s = resume_play(service, b, why);
    if (s == STATUS_OK)
        enlist(service, b);
    return GIVE_OR_CLOSE(s, out, b, free_board);
}

Board *board_loaded(const Service *service, int64_t id)
{
    Board *b = service->boards;
    while (b && b->g.id != id)
        b = b->next;
    return b;
}

Status board_get(Service *service, int64_t id, Board **out, Message *why)
{
    *out = board_loaded(service, id);
    return *out ? STATUS_OK : load(service, id, out, why);
}
