/* The schedule and the threads. Game number n belongs to the pair n / 2 of an opening, colours
 * changed in the odd one; pairs go round the pairings, so that all tables of a tournament fill
 * evenly. */
#include "match/match.h"

#include "base/checksum.h"
#include "base/clock.h"
#include "match/match_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_PLAYED = -1, INCIDENTS_MAX = 64 << 10 };

typedef struct Match {
    const MatchOptions *options;
    const atomic_bool *stop;
    atomic_bool over;   /* what players look at: stopped, decided or failed */
    atomic_bool played; /* the threads have ended */
    MatchBook *openings;
    MatchResult *result;
    Mutex lock; /* guards the result and all below */
    MatchState state;
    int8_t *half_points; /* by game number, of the pairing's first player */
    uint64_t total, next;
    Status status;
    Message why;
} Match;

/* A thread with the players of its last game, who often play the next one too. */
typedef struct MatchThread {
    Match *match;
    Player *players[MATCH_MAX_PLAYERS]; /* by number; NULL: not here */
    MatchGame game;
    MatchOpening opening;
} MatchThread;

MatchOptions match_defaults(void)
{
    return (MatchOptions){
        .rules = {.hang_ms = 60000},
        .games = 100,
        .concurrency = 1,
        .random_order = true,
        .seed = 1,
        .sprt = {.alpha = 0.05, .beta = 0.05},
    };
}

/* -- Who plays whom -- */

static MatchPairing *pairing_of(const Match *m, uint64_t game)
{
    return &m->result->pairings[game / 2 % (uint64_t)m->result->pairing_count];
}

static uint64_t opening_of(const Match *m, uint64_t game)
{
    return game / 2 / (uint64_t)m->result->pairing_count;
}

/* The pairing's first player has White in the first game of each opening. */
static int player_of(const Match *m, uint64_t game, Color c)
{
    const MatchPairing *p = pairing_of(m, game);
    return ((int)c ^ (int)(game & 1)) == 0 ? p->a : p->b;
}

static const PlayerLimits *limits_of(const MatchOptions *o, int player)
{
    const PlayerLimits *own = &o->players[player].limits;
    return player_limits_any(own) ? own : &o->limits;
}

static Status make_pairings(MatchResult *r, const MatchOptions *o, Message *why)
{
    int n = o->player_count;
    r->pairings = calloc((size_t)(n * n), sizeof *r->pairings);
    if (!r->pairings)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the table");
    int runners = o->schedule == MATCH_GAUNTLET ? 1 : n;
    for (int a = 0; a < runners; a++)
        for (int b = a + 1; b < n; b++)
            r->pairings[r->pairing_count++] = (MatchPairing){.a = a, .b = b};
    return STATUS_OK;
}

/* -- Results -- */

static void add_incident(Match *m, const MatchRow *row)
{
    MatchResult *r = m->result;
    MatchFaults *f = &r->faults[row->player];
    uint64_t *counts[MATCH_END_COUNT] = {[MATCH_END_LATE] = &f->late,
                                         [MATCH_END_ILLEGAL] = &f->illegal,
                                         [MATCH_END_HUNG] = &f->hung,
                                         [MATCH_END_CRASHED] = &f->crashed};
    (*counts[row->end])++;
    if (r->incidents.len < INCIDENTS_MAX)
        text_addf(&r->incidents, "game %" PRIu64 ": %s: %s\n", row->game + 1,
                  m->options->players[row->player].name, row->reason);
}

static void count_row(void *user, const MatchRow *row)
{
    Match *m = user;
    if (row->game >= m->total || m->half_points[row->game] != NOT_PLAYED)
        return; /* an earlier run was longer */
    m->half_points[row->game] = (int8_t)row->half_points;
    StatsTally *t = &pairing_of(m, row->game)->tally;
    stats_add_game(t, row->half_points);
    if (m->half_points[row->game ^ 1] != NOT_PLAYED)
        stats_add_pair(t, row->half_points + m->half_points[row->game ^ 1]);
    m->result->games++;
    if (match_end_is_fault(row->end) && row->player >= 0 && row->player < m->options->player_count)
        add_incident(m, row);
}

static bool is_decided(const Match *m)
{
    const MatchOptions *o = m->options;
    return o->has_sprt && stats_verdict(&m->result->pairings[0].tally, &o->sprt) != STATS_UNDECIDED;
}

static void fail(Match *m, Status status, const Message *why)
{
    mutex_lock(&m->lock);
    if (m->status == STATUS_OK) {
        m->status = status;
        m->why = *why;
    }
    atomic_store(&m->over, true);
    mutex_unlock(&m->lock);
}

static MatchRow row_of(const Match *m, uint64_t game, const MatchGame *g)
{
    MatchRow row = {.game = game, .end = g->end, .player = -1};
    row.half_points = result_half_points(g->result, game & 1 ? BLACK : WHITE);
    if (match_end_is_fault(g->end))
        row.player = player_of(m, game, g->loser);
    span_show(span_of(g->reason), row.reason, sizeof row.reason);
    return row;
}

static void tell_news(const Match *m, const MatchRow *row)
{
    const MatchOptions *o = m->options;
    if (!o->news)
        return;
    Text line = text_new();
    text_addf(&line, "game %" PRIu64 " (%s - %s): %s", row->game + 1,
              o->players[player_of(m, row->game, WHITE)].name,
              o->players[player_of(m, row->game, BLACK)].name, row->reason);
    o->news(o->user, m->result, line.at);
    text_free(&line);
}

/* Writes the game down and counts it. */
static void record(MatchThread *t, uint64_t game)
{
    Match *m = t->match;
    const MatchOptions *o = m->options;
    MatchRow row = row_of(m, game, &t->game);
    MatchTags tags = {
        .event = o->event, .round = opening_of(m, game) + 1, .board = (int)(game & 1) + 1};
    for (int c = 0; c < COLOR_COUNT; c++) {
        tags.names[c] = o->players[player_of(m, game, (Color)c)].name;
        tags.limits[c] = limits_of(o, player_of(m, game, (Color)c));
    }
    Text pgn = text_new();
    Message why;
    Status s = o->pgn ? match_write_pgn(&t->game, &tags, &pgn, &why) : STATUS_OK;
    mutex_lock(&m->lock);
    if (s == STATUS_OK && !atomic_load(&m->over))
        s = match_state_add(&m->state, &row, &pgn, &why);
    if (s == STATUS_OK && !atomic_load(&m->over)) {
        count_row(m, &row);
        tell_news(m, &row);
        if (is_decided(m))
            atomic_store(&m->over, true);
    }
    mutex_unlock(&m->lock);
    text_free(&pgn);
    if (s != STATUS_OK)
        fail(m, s, &why);
}

/* -- Threads -- */

static void dismiss(MatchThread *t, int player)
{
    player_close(t->players[player]);
    t->players[player] = NULL;
}

/* All but two, which may be -1. */
static void dismiss_others(MatchThread *t, int a, int b)
{
    for (int i = 0; i < t->match->options->player_count; i++)
        if (i != a && i != b)
            dismiss(t, i);
}

static void play_game(MatchThread *t, uint64_t number)
{
    const MatchOptions *o = t->match->options;
    const int who[COLOR_COUNT] = {player_of(t->match, number, WHITE),
                                  player_of(t->match, number, BLACK)};
    Player *players[COLOR_COUNT];
    t->game.count = t->game.opening_plies = 0;
    t->game.start = t->opening.start;
    dismiss_others(t, who[WHITE], who[BLACK]);
    for (int c = 0; c < COLOR_COUNT; c++) {
        Message why;
        Player **p = &t->players[who[c]];
        Status s =
            *p ? STATUS_OK : player_open(p, &o->players[who[c]], o->hash_mb, &t->match->over, &why);
        if (s != STATUS_OK) {
            match_game_lose(&t->game, (Color)c,
                            s == STATUS_STOPPED ? MATCH_END_ABORTED : MATCH_END_CRASHED, why.text);
            return;
        }
        players[c] = *p;
    }
    const PlayerLimits *limits[COLOR_COUNT] = {limits_of(o, who[WHITE]), limits_of(o, who[BLACK])};
    match_play(&t->game, &t->opening, players, limits, &o->rules);
    MatchEnd end = t->game.end;
    if (end == MATCH_END_ILLEGAL || end == MATCH_END_HUNG || end == MATCH_END_CRASHED)
        dismiss(t, who[t->game.loser]); /* starts anew next time */
}

/* The next game that is not played yet; false when there is none. */
static bool next_game(Match *m, uint64_t *game)
{
    mutex_lock(&m->lock);
    while (m->next < m->total && m->half_points[m->next] != NOT_PLAYED)
        m->next++;
    *game = m->next;
    bool found = m->next < m->total && !atomic_load(&m->over);
    m->next += found;
    mutex_unlock(&m->lock);
    return found;
}

static void *thread_main(void *arg)
{
    MatchThread *t = arg;
    Match *m = t->match;
    uint64_t game;
    while (next_game(m, &game)) {
        Message why;
        Status s = match_book_get(m->openings, opening_of(m, game), &t->opening, &why);
        if (s != STATUS_OK) {
            fail(m, s, &why);
            break;
        }
        play_game(t, game);
        if (t->game.end != MATCH_END_ABORTED)
            record(t, game);
    }
    dismiss_others(t, -1, -1);
    return NULL;
}

/* Passes *stop on to the players until the threads have ended. */
static void *watch_stop(void *arg)
{
    Match *m = arg;
    while (!atomic_load(&m->played)) {
        if (atomic_load(m->stop))
            atomic_store(&m->over, true);
        clock_sleep_ms(10);
    }
    return NULL;
}

static Status play_all(Match *m, Message *why)
{
    int count = m->options->concurrency;
    MatchThread *threads = calloc((size_t)count, sizeof *threads);
    if (!threads)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %d concurrent games", count);
    Thread watcher;
    Status s = thread_start(&watcher, watch_stop, m, 0, why);
    for (int i = 0; i < count; i++)
        threads[i].match = m;
    if (s == STATUS_OK) {
        thread_run_each(thread_main, threads, sizeof *threads, count);
        atomic_store(&m->played, true);
        thread_join(watcher);
    }
    free(threads);
    if (s == STATUS_OK && m->status != STATUS_OK) {
        s = m->status;
        if (why)
            *why = m->why;
    }
    return s;
}

/* -- The whole match -- */

static uint64_t fingerprint(const Match *m)
{
    const MatchOptions *o = m->options;
    const MatchRules *r = &o->rules;
    Text t = text_new();
    for (int i = 0; i < o->player_count; i++) {
        player_spec_text(&o->players[i], &t);
        text_add_char(&t, '\n');
    }
    player_limits_text(&o->limits, &t);
    text_addf(&t, "\n%d %d %d %d %d %d %d", r->draw_from_move, r->draw_moves, r->draw_cp,
              r->resign_moves, r->resign_cp, r->resign_both, r->max_moves);
    text_addf(&t, " %d %d %d %016" PRIx64, (int)o->schedule, o->hash_mb, o->opening_plies,
              match_book_checksum(m->openings));
    uint64_t sum = checksum64(t.at, t.len);
    text_free(&t);
    return sum;
}

/* A player that cannot even start is a mistake of who asked for it, not a loss. */
static Status try_players(const Match *m, Message *why)
{
    const MatchOptions *o = m->options;
    Status s = STATUS_OK;
    for (int i = 0; i < o->player_count && s == STATUS_OK; i++) {
        Player *p = NULL;
        if (o->players[i].kind == PLAYER_XBOARD && limits_of(o, i)->nodes)
            return status_fail(why, STATUS_REFUSED, "%s: the xboard protocol has no node limit",
                               o->players[i].name);
        s = player_open(&p, &o->players[i], o->hash_mb, m->stop, why);
        player_close(p);
        if (s == STATUS_STOPPED)
            status_fail(why, s, "stopped before the first game");
    }
    return s;
}

Status match_check(const MatchOptions *o, Message *why)
{
    if (o->player_count < 2 || o->player_count > MATCH_MAX_PLAYERS)
        return status_fail(why, STATUS_INVALID, "a match has 2 to %d players", MATCH_MAX_PLAYERS);
    if (o->has_sprt && o->player_count != 2)
        return status_fail(why, STATUS_INVALID, "a sequential test needs exactly two players");
    for (int i = 0; i < o->player_count; i++)
        if (!player_limits_any(limits_of(o, i)) && !player_spec_has_effort(&o->players[i]))
            return status_fail(why, STATUS_INVALID, "%s has no limit: time, nodes or depth",
                               o->players[i].name);
    return STATUS_OK;
}

static Status prepare(Match *m, Message *why)
{
    const MatchOptions *o = m->options;
    Status s = make_pairings(m->result, o, why);
    if (s != STATUS_OK)
        return s;
    uint64_t pairs = (o->games + 1) / 2, pairings = (uint64_t)m->result->pairing_count;
    if (pairs > (uint64_t)1 << 32 || pairs * pairings > (uint64_t)1 << 32)
        return status_fail(why, STATUS_INVALID, "too many games");
    m->total = 2 * pairs * pairings;
    m->result->wanted = m->total;
    m->half_points = malloc(m->total + 1);
    if (!m->half_points)
        return status_fail(why, STATUS_MEMORY, "not enough memory for %" PRIu64 " games", m->total);
    memset(m->half_points, NOT_PLAYED, m->total);
    s = match_book_open(&m->openings, o, pairs, m->stop, why);
    if (s == STATUS_OK)
        s = try_players(m, why);
    if (s == STATUS_OK)
        s = match_state_open(&m->state, o, fingerprint(m), count_row, m, why);
    return s;
}

Status match_run(const MatchOptions *options, const atomic_bool *stop, MatchResult *result,
                 Message *why)
{
    *result = (MatchResult){.options = options, .incidents = text_new()};
    Status s = match_check(options, why);
    if (s != STATUS_OK)
        return s;
    Match m = {
        .options = options, .stop = stop, .result = result, .state = {.fd = -1, .pgn_fd = -1}};
    mutex_init(&m.lock);
    s = prepare(&m, why);
    if (s == STATUS_OK && !is_decided(&m))
        s = play_all(&m, why);
    if (s == STATUS_OK && atomic_load(stop) && result->games < result->wanted && !is_decided(&m))
        s = status_fail(why, STATUS_STOPPED, "stopped after %" PRIu64 " of %" PRIu64 " games",
                        result->games, result->wanted);
    match_state_close(&m.state);
    match_book_close(m.openings);
    free(m.half_points);
    mutex_free(&m.lock);
    return s;
}

void match_result_free(MatchResult *result)
{
    free(result->pairings);
    text_free(&result->incidents);
    *result = (MatchResult){.incidents = text_new()};
}
