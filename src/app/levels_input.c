#include "app/levels_input.h"

#include "chess/fen.h"
#include "notation/pgn_reader.h"

#include <stdio.h>
#include <string.h>
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

/* "300+3", "600", "-" */
static int read_seconds(Span text)
{
    const char *plus = memchr(text.at, '+', text.len);
    Span first = plus ? (Span){text.at, (size_t)(plus - text.at)} : text;
    Span second = plus ? (Span){plus + 1, text.len - first.len - 1} : (Span){"0", 1};
    int64_t base, increment;
    if (!span_to_int64(first, 0, 100000, &base) || !span_to_int64(second, 0, 10000, &increment))
        return 0;
    return (int)(base + USUAL_MOVES * increment);
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

Status levels_read_games(HumanGames *g, const char *path, Message *why)
{
    Reading reading = {.games = g};
    const PgnVisitor visitor = {.user = &reading,
                                .begin = on_begin,
                                .tag = on_tag,
                                .start = on_start,
                                .move = on_move,
                                .end = on_end};
    PgnReader *reader;
    Status s = pgn_open(&reader, path, why);
    if (s != STATUS_OK)
        return s;
    do {
        s = pgn_next(reader, &visitor, why);
        if (s == STATUS_INVALID)
            fprintf(stderr, "castellan: levels: %s\n", why->text);
    } while ((s == STATUS_OK || s == STATUS_INVALID) && reading.status == STATUS_OK);
    pgn_close(reader);
    if (reading.status != STATUS_OK)
        *why = reading.why;
    else if (s == STATUS_END && g->count == 0)
        return status_fail(why, STATUS_INVALID, "%s: no game with WhiteElo and BlackElo", path);
    return reading.status != STATUS_OK ? reading.status : s == STATUS_END ? STATUS_OK : s;
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
