#include "app/levels_input.h"

#include "app/games_input.h"
#include "chess/fen.h"
#include "notation/annotation.h"

#include <unistd.h>

enum { MOST_PLIES = 600, MOST_ELO = 4000, USUAL_MOVES = 40 };

/* -- Games -- */

typedef struct Reading {
    HumanGames *games;
    HumanGame game;
    Move moves[MOST_PLIES];
    bool usual; /* starts where games usually start, and every move fits */
    Status status;
    Message why;
} Reading;

static void on_begin(void *user)
{
    Reading *r = user;
    r->game = (HumanGame){.moves = r->moves};
    r->usual = true;
}

static int read_seconds(Span text)
{
    int64_t base, increment;
    if (!annotation_time_control(text, &base, &increment))
        return 0;
    return (int)((base + USUAL_MOVES * increment) / 1000);
}

static void on_tag(void *user, Span name, Span value)
{
    Reading *r = user;
    int64_t elo;
    if (span_is(name, "TimeControl"))
        r->game.seconds = read_seconds(value);
    if (!span_to_int64(value, 1, MOST_ELO, &elo))
        return;
    if (span_is(name, "WhiteElo"))
        r->game.elo[WHITE] = (int)elo;
    else if (span_is(name, "BlackElo"))
        r->game.elo[BLACK] = (int)elo;
}

static void on_start(void *user, const Position *p)
{
    Position start;
    pos_set_start(&start);
    ((Reading *)user)->usual = p->st.key == start.st.key;
}

static void on_move(void *user, const Position *p, Move m, int depth)
{
    (void)p;
    Reading *r = user;
    if (depth > 0)
        return;
    if (move_is_none(m) || r->game.count == MOST_PLIES)
        r->usual = false;
    else
        r->moves[r->game.count++] = m;
}

static void on_end(void *user, Result result)
{
    (void)result;
    Reading *r = user;
    if (r->usual && r->game.elo[WHITE] && r->game.elo[BLACK] && r->status == STATUS_OK)
        r->status = human_games_add(r->games, &r->game, &r->why);
}

static Status next_game(void *user, PgnReader *reader, Message *why)
{
    Reading *r = user;
    const PgnVisitor visitor = {.user = r,
                                .begin = on_begin,
                                .tag = on_tag,
                                .start = on_start,
                                .move = on_move,
                                .end = on_end};
    Status s = pgn_next(reader, &visitor, why);
    if (r->status != STATUS_OK)
        *why = r->why;
    return r->status != STATUS_OK ? r->status : s;
}

Status levels_read_games(HumanGames *g, const char *path, const atomic_bool *stop, Message *why)
{
    Reading reading = {.games = g};
    GamesInput input = {.command = "levels", .next = next_game, .user = &reading};
    Status s = games_input_read(&input, path, stop, why);
    if (s == STATUS_OK && g->count == 0)
        return status_fail(why, STATUS_INVALID, "%s: no game with WhiteElo and BlackElo", path);
    return s;
}

/* -- Samples -- */

Status levels_read_samples(HumanGames *g, const char *cache, int share, HumanProgress *progress,
                           void *user, Message *why)
{
    if (cache && access(cache, F_OK) == 0) {
        Status s = human_cache_read(g, cache, why);
        if (s != STATUS_OK)
            return s;
    }
    size_t before = g->sample_count;
    Status s = human_games_search(g, share, progress, user, why);
    if (cache && g->sample_count > before) {
        Message unwritten;
        Status written = human_cache_write(g, cache, &unwritten);
        if (s == STATUS_OK && written != STATUS_OK) {
            *why = unwritten;
            s = written;
        }
    }
    return s;
}
