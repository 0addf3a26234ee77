#include "match/match_int.h"

#include "chess/draw.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MOVE_TIME_SLACK_MS = 100, /* a fixed time a move may be overstepped by so much */
    MATE_CP = 30000           /* what a mate score counts as against limits in centipawns */
};

static const char *const end_texts[MATCH_END_COUNT] = {
    [MATCH_END_RULES] = "rules",       [MATCH_END_ADJUDICATED] = "adjudicated",
    [MATCH_END_RESIGNED] = "resigned", [MATCH_END_AGREED] = "agreed",
    [MATCH_END_LATE] = "time",         [MATCH_END_ILLEGAL] = "illegal",
    [MATCH_END_HUNG] = "hung",         [MATCH_END_CRASHED] = "crashed",
    [MATCH_END_ABORTED] = "aborted",
};

const char *match_end_text(MatchEnd e)
{
    return end_texts[e];
}

bool match_end_read(Span text, MatchEnd *out)
{
    for (int i = 0; i < MATCH_END_COUNT; i++)
        if (span_is(text, end_texts[i])) {
            *out = (MatchEnd)i;
            return true;
        }
    return false;
}

bool match_end_is_fault(MatchEnd e)
{
    return e >= MATCH_END_LATE && e <= MATCH_END_CRASHED;
}

/* The game in progress. */
typedef struct Table {
    MatchGame *game;
    Position now;
    Player *const *players;
    const PlayerLimits *const *limits;
    const MatchRules *rules;
    int64_t clock_ns[COLOR_COUNT];
    int played[COLOR_COUNT];     /* moves since the opening */
    int quiet_plies;             /* with scores near zero */
    int despair[COLOR_COUNT];    /* moves in a row with a lost score */
    int confidence[COLOR_COUNT]; /* ... with a won one */
} Table;

static const char *color_text(Color c)
{
    return c == WHITE ? "White" : "Black";
}

void match_game_lose(MatchGame *game, Color c, MatchEnd end, const char *reason)
{
    game->result = result_win(color_other(c));
    game->end = end;
    game->loser = c;
    snprintf(game->reason, sizeof game->reason, "%s %s", color_text(c), reason);
}

static void draw(MatchGame *game, MatchEnd end, const char *reason)
{
    game->result = RESULT_DRAW;
    game->end = end;
    snprintf(game->reason, sizeof game->reason, "%s", reason);
}

/* -- Clocks -- */

static int64_t deadline_ns(const Table *t, Color us)
{
    const PlayerLimits *l = t->limits[us];
    int64_t margin = t->rules->margin_ms * 1000000;
    if (l->base_ms)
        return t->clock_ns[us] + margin;
    if (l->move_time_ms)
        return (l->move_time_ms + MOVE_TIME_SLACK_MS) * 1000000 + margin;
    return t->rules->hang_ms * 1000000;
}

static PlayerTurn turn_of(const Table *t, Color us)
{
    const PlayerLimits *l = t->limits[us];
    PlayerTurn turn = {.limits = l, .deadline_ns = deadline_ns(t, us)};
    for (int c = 0; c < COLOR_COUNT; c++) {
        /* A side without a clock of its own is shown to the other as having as much. */
        const PlayerLimits *theirs = t->limits[c]->base_ms ? t->limits[c] : l;
        int64_t ns = t->limits[c]->base_ms ? t->clock_ns[c] : t->clock_ns[us];
        turn.clock_ms[c] = ns >= 1000000 ? ns / 1000000 : 1;
        turn.increment_ms[c] = theirs->increment_ms;
    }
    if (l->moves)
        turn.moves_to_go = l->moves - t->played[us] % l->moves;
    return turn;
}

static void press_clock(Table *t, Color us, int64_t time_ns)
{
    const PlayerLimits *l = t->limits[us];
    t->played[us]++;
    if (!l->base_ms)
        return;
    t->clock_ns[us] -= time_ns;
    if (t->clock_ns[us] < 0)
        t->clock_ns[us] = 0; /* the margin forgave it */
    t->clock_ns[us] += l->increment_ms * 1000000;
    if (l->moves && t->played[us] % l->moves == 0)
        t->clock_ns[us] += l->base_ms * 1000000;
}

/* -- Adjudication -- */

static int plain_cp(const PlayerMove *m)
{
    if (!m->is_mate)
        return m->score;
    return m->score > 0 ? MATE_CP : -MATE_CP;
}

static void hear_score(Table *t, Color us, const PlayerMove *m)
{
    const MatchRules *r = t->rules;
    int cp = plain_cp(m), move_number = (int)t->now.game_ply / 2 + 1;
    bool quiet = m->has_score && abs(cp) <= r->draw_cp && move_number >= r->draw_from_move;
    t->quiet_plies = quiet ? t->quiet_plies + 1 : 0;
    t->despair[us] = m->has_score && cp <= -r->resign_cp ? t->despair[us] + 1 : 0;
    t->confidence[us] = m->has_score && cp >= r->resign_cp ? t->confidence[us] + 1 : 0;
}

static bool is_adjudicated(Table *t)
{
    const MatchRules *r = t->rules;
    MatchGame *g = t->game;
    if (r->draw_moves && t->quiet_plies >= 2 * r->draw_moves) {
        draw(g, MATCH_END_ADJUDICATED, "drawn by the scores");
        return true;
    }
    for (int c = 0; c < COLOR_COUNT && r->resign_moves; c++)
        if (t->despair[c] >= r->resign_moves &&
            (!r->resign_both || t->confidence[!c] >= r->resign_moves)) {
            match_game_lose(g, (Color)c, MATCH_END_ADJUDICATED, "is lost by the scores");
            return true;
        }
    int moves = (g->count - g->opening_plies + 1) / 2;
    if (g->count >= MATCH_MAX_PLIES || (r->max_moves && moves >= r->max_moves)) {
        draw(g, MATCH_END_ADJUDICATED, "drawn by the length of the game");
        return true;
    }
    return false;
}

static bool is_over_by_rules(Table *t)
{
    GameEnd end = draw_game_end(&t->now);
    if (end == GAME_GOES_ON)
        return false;
    if (end == GAME_CHECKMATE)
        match_game_lose(t->game, t->now.side, MATCH_END_RULES, "is checkmated");
    else
        draw(t->game, MATCH_END_RULES, draw_reason(end));
    return true;
}

/* An offer is answered at once, before the other side thinks: a refused one is void. */
static bool is_agreed(Table *t, Color us, const PlayerMove *m)
{
    const PlayerGame shown = {&t->game->start, &t->now, t->game->moves, t->game->count};
    if (!m->offers_draw || !player_accepts_draw(t->players[color_other(us)], &shown))
        return false;
    draw(t->game, MATCH_END_AGREED, "drawn by agreement");
    return true;
}

/* -- Moves -- */

static void push(Table *t, const MatchPly *ply)
{
    Undo undo;
    MatchGame *g = t->game;
    g->moves[g->count] = ply->move;
    g->plies[g->count++] = *ply;
    pos_make(&t->now, ply->move, &undo);
}

/* The player did not move. */
static void blame(Table *t, Color us, PlayerEnd end, const PlayerMove *m)
{
    static const struct {
        MatchEnd end;
        const char *text;
    } ends[] = {
        [PLAYER_RESIGNED] = {MATCH_END_RESIGNED, "resigns"},
        [PLAYER_ILLEGAL] = {MATCH_END_ILLEGAL, "made an illegal move"},
        [PLAYER_LATE] = {MATCH_END_LATE, "lost on time"},
        [PLAYER_HUNG] = {MATCH_END_HUNG, "hung"},
        [PLAYER_CRASHED] = {MATCH_END_CRASHED, "crashed"},
        [PLAYER_ABORTED] = {MATCH_END_ABORTED, "was stopped"},
    };
    char text[120];
    if (end == PLAYER_LATE)
        snprintf(text, sizeof text, "%s after %.3f s", ends[end].text, (double)m->time_ns * 1e-9);
    else if (m->why.text[0])
        snprintf(text, sizeof text, "%s: %.80s", ends[end].text, m->why.text);
    else
        snprintf(text, sizeof text, "%s", ends[end].text);
    match_game_lose(t->game, us, ends[end].end, text);
}

/* Asks for the next move; false when the game is over. */
static bool play_ply(Table *t)
{
    MatchGame *g = t->game;
    Color us = t->now.side;
    const PlayerGame shown = {&g->start, &t->now, g->moves, g->count};
    PlayerTurn turn = turn_of(t, us);
    PlayerMove m;
    PlayerEnd end = player_move(t->players[us], &shown, &turn, &m);
    if (end != PLAYER_MOVED) {
        blame(t, us, end, &m);
        return false;
    }
    if (!pos_is_legal(&t->now, m.move)) { /* our own side is not above the rules either */
        blame(t, us, PLAYER_ILLEGAL, &m);
        return false;
    }
    hear_score(t, us, &m);
    const MatchPly ply = {m.move, m.has_score, m.is_mate, m.score, m.depth, m.time_ns};
    push(t, &ply);
    press_clock(t, us, m.time_ns);
    return !is_over_by_rules(t) && !is_agreed(t, us, &m) && !is_adjudicated(t);
}

void match_play(MatchGame *game, const MatchOpening *opening, Player *const players[COLOR_COUNT],
                const PlayerLimits *const limits[COLOR_COUNT], const MatchRules *rules)
{
    Table t = {
        .game = game, .now = opening->start, .players = players, .limits = limits, .rules = rules};
    game->start = opening->start;
    game->count = 0;
    for (int i = 0; i < opening->count; i++)
        push(&t, &(MatchPly){.move = opening->moves[i]});
    game->opening_plies = game->count;
    for (int c = 0; c < COLOR_COUNT; c++) {
        Message why = {""};
        t.clock_ns[c] = limits[c]->base_ms * 1000000;
        Status s = player_new_game(players[c], &game->start, limits[c], &why);
        if (s != STATUS_OK) {
            match_game_lose(game, (Color)c,
                            s == STATUS_STOPPED ? MATCH_END_ABORTED : MATCH_END_CRASHED,
                            why.text[0] ? why.text : "was stopped");
            return;
        }
    }
    if (is_over_by_rules(&t))
        return;
    while (play_ply(&t))
        ;
}
