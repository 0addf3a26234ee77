#include "match/match_int.h"

#include "chess/draw.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MOVE_TIME_SLACK_MS = 100, /* a fixed time a move may be overstepped by so much */
    MATE_CP = 30000           /* what a mate score counts as against limits in centipawns */
};

static const struct {
    const char *text, *termination;
} ends[MATCH_END_COUNT] = {
    [MATCH_END_RULES] = {"rules", "normal"},
    [MATCH_END_ADJUDICATED] = {"adjudicated", "adjudication"},
    [MATCH_END_RESIGNED] = {"resigned", "normal"},
    [MATCH_END_AGREED] = {"agreed", "normal"},
    [MATCH_END_LATE] = {"time", "time forfeit"},
    [MATCH_END_ILLEGAL] = {"illegal", "rules infraction"},
    [MATCH_END_HUNG] = {"hung", "abandoned"},
    [MATCH_END_CRASHED] = {"crashed", "abandoned"},
    [MATCH_END_ABORTED] = {"aborted", "normal"},
};

const char *match_end_text(MatchEnd e)
{
    return ends[e].text;
}

const char *match_end_termination(MatchEnd e)
{
    return ends[e].termination;
}

bool match_end_read(Span text, MatchEnd *out)
{
    for (int i = 0; i < MATCH_END_COUNT; i++)
        if (span_is(text, ends[i].text)) {
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
typedef struct MatchPlay {
    MatchGame *game;
    Play play;
    int64_t now_ms; /* thinking time so far: the only time that passes */
    Player *const *players;
    const PlayerLimits *const *limits;
    const MatchRules *rules;
    int quiet_plies;                /* with scores near zero */
    int lost_moves[COLOR_COUNT];    /* in a row with a lost score */
    int winning_moves[COLOR_COUNT]; /* ... with a won one */
} MatchPlay;

void match_game_lose(MatchGame *game, Color c, MatchEnd end, const char *reason)
{
    game->result = result_win(color_other(c));
    game->end = end;
    game->loser = c;
    snprintf(game->reason, sizeof game->reason, "%s %s", c == WHITE ? "White" : "Black", reason);
}

static void draw(MatchGame *game, MatchEnd end, const char *reason)
{
    game->result = RESULT_DRAW;
    game->end = end;
    snprintf(game->reason, sizeof game->reason, "%s", reason);
}

static PlayerTurn turn_of(const MatchPlay *m, Color us)
{
    const PlayerLimits *l = m->limits[us];
    int64_t ms = m->rules->hang_ms;
    if (l->base_ms)
        ms = play_clock_ms(&m->play, us, m->now_ms) + m->rules->margin_ms;
    else if (l->move_time_ms)
        ms = l->move_time_ms + MOVE_TIME_SLACK_MS + m->rules->margin_ms;
    PlayerTurn turn = {.limits = l, .deadline_ns = ms * 1000000};
    turn.search =
        (SearchLimits){.move_time_ms = l->move_time_ms, .depth = l->depth, .nodes = l->nodes};
    play_limits(&m->play, us, m->now_ms, &turn.search);
    for (int c = 0; c < COLOR_COUNT; c++)
        if (turn.search.clock_ms[c] < 1)
            turn.search.clock_ms[c] = 1;
    return turn;
}

/* -- Adjudication -- */

static void count_score(MatchPlay *m, Color us, const PlayerScore *s)
{
    const MatchRules *r = m->rules;
    int cp = !s->is_mate ? s->value : s->value > 0 ? MATE_CP : -MATE_CP;
    int move_number = (int)m->play.now.game_ply / 2 + 1;
    bool quiet = s->is_told && abs(cp) <= r->draw_cp && move_number >= r->draw_from_move;
    m->quiet_plies = quiet ? m->quiet_plies + 1 : 0;
    m->lost_moves[us] = s->is_told && cp <= -r->resign_cp ? m->lost_moves[us] + 1 : 0;
    m->winning_moves[us] = s->is_told && cp >= r->resign_cp ? m->winning_moves[us] + 1 : 0;
}

static bool is_adjudicated(MatchPlay *m)
{
    const MatchRules *r = m->rules;
    MatchGame *g = m->game;
    if (r->draw_moves && m->quiet_plies >= 2 * r->draw_moves) {
        draw(g, MATCH_END_ADJUDICATED, "draw adjudicated by the scores");
        return true;
    }
    for (int c = 0; c < COLOR_COUNT && r->resign_moves; c++)
        if (m->lost_moves[c] >= r->resign_moves &&
            (!r->resign_both || m->winning_moves[!c] >= r->resign_moves)) {
            match_game_lose(g, (Color)c, MATCH_END_ADJUDICATED, "loses by adjudication");
            return true;
        }
    int moves = (g->count - g->opening_plies + 1) / 2;
    if (g->count >= MATCH_MAX_PLIES || (r->max_moves && moves >= r->max_moves)) {
        draw(g, MATCH_END_ADJUDICATED, "draw adjudicated by the length of the game");
        return true;
    }
    return false;
}

static bool is_over_by_rules(MatchPlay *m)
{
    const PlayState *s = &m->play.state;
    if (!play_is_over(&m->play))
        return false;
    if (s->rule == GAME_CHECKMATE)
        match_game_lose(m->game, s->loser, MATCH_END_RULES, "is checkmated");
    else
        draw(m->game, MATCH_END_RULES, draw_reason(s->rule));
    return true;
}

/* An offer is answered at once, before the other side thinks: a refused one is void. */
static bool is_agreed(MatchPlay *m, Color us, const PlayerMove *move)
{
    if (!move->offers_draw || !player_accepts_draw(m->players[color_other(us)], &m->play))
        return false;
    draw(m->game, MATCH_END_AGREED, "drawn by agreement");
    return true;
}

/* -- Moves -- */

/* The player did not move. */
static void end_by_player(MatchPlay *m, Color us, PlayerEnd end, const PlayerMove *move)
{
    static const struct {
        MatchEnd end;
        const char *text;
    } losses[] = {
        [PLAYER_RESIGNED] = {MATCH_END_RESIGNED, "resigns"},
        [PLAYER_ILLEGAL] = {MATCH_END_ILLEGAL, "made an illegal move"},
        [PLAYER_LATE] = {MATCH_END_LATE, "lost on time"},
        [PLAYER_HUNG] = {MATCH_END_HUNG, "hung"},
        [PLAYER_CRASHED] = {MATCH_END_CRASHED, "crashed"},
        [PLAYER_ABORTED] = {MATCH_END_ABORTED, "was stopped"},
    };
    char text[120];
    if (end == PLAYER_LATE)
        snprintf(text, sizeof text, "%s after %.3f s", losses[end].text,
                 (double)move->time_ns * 1e-9);
    else if (move->why.text[0])
        snprintf(text, sizeof text, "%s: %.80s", losses[end].text, move->why.text);
    else
        snprintf(text, sizeof text, "%s", losses[end].text);
    match_game_lose(m->game, us, losses[end].end, text);
    if (end == PLAYER_LATE) {
        play_time_out(&m->play, m->now_ms);
        m->game->result = m->play.state.result;
    }
}

/* Asks for the next move; false when the game is over. */
static bool play_ply(MatchPlay *m)
{
    MatchGame *g = m->game;
    Color us = m->play.now.side;
    PlayerTurn turn = turn_of(m, us);
    PlayerMove move;
    PlayerEnd end = player_move(m->players[us], &m->play, &turn, &move);
    if (end != PLAYER_MOVED) {
        end_by_player(m, us, end, &move);
        return false;
    }
    count_score(m, us, &move.score);
    m->now_ms += (move.time_ns + 500000) / 1000000;
    Status s = play_move(&m->play, move.move, m->now_ms, &move.why);
    if (s != STATUS_OK) { /* our own side is not above the rules either */
        end_by_player(m, us, s == STATUS_REFUSED ? PLAYER_LATE : PLAYER_ILLEGAL, &move);
        return false;
    }
    g->plies[g->count++] = (MatchPly){move.move, move.score, move.time_ns};
    return !is_over_by_rules(m) && !is_agreed(m, us, &move) && !is_adjudicated(m);
}

static Status begin(MatchPlay *m, const MatchOpening *opening, Message *why)
{
    MatchGame *game = m->game;
    PlaySetup setup = {.start = &opening->start, .margin_ms = m->rules->margin_ms};
    for (int c = 0; c < COLOR_COUNT; c++) {
        const PlayerLimits *l = m->limits[c];
        setup.control[c] = (TimeControl){l->base_ms, l->increment_ms, l->moves};
    }
    Status s = play_open(&m->play, &setup, 0, why);
    for (int i = 0; i < opening->count && s == STATUS_OK; i++) {
        s = play_replay(&m->play, opening->moves[i], -1, why);
        game->plies[game->count++] = (MatchPly){.move = opening->moves[i]};
    }
    game->opening_plies = game->count;
    play_mark_opening(&m->play);
    play_resume(&m->play, 0);
    return s;
}

static bool players_are_ready(MatchPlay *m)
{
    for (int c = 0; c < COLOR_COUNT; c++) {
        Message why = {""};
        Status s = player_new_game(m->players[c], &m->play.start, m->limits[c], &why);
        if (s != STATUS_OK) {
            match_game_lose(m->game, (Color)c,
                            s == STATUS_STOPPED ? MATCH_END_ABORTED : MATCH_END_CRASHED,
                            why.text[0] ? why.text : "was stopped");
            return false;
        }
    }
    return true;
}

void match_play(MatchGame *game, const MatchOpening *opening, Player *const players[COLOR_COUNT],
                const PlayerLimits *const limits[COLOR_COUNT], const MatchRules *rules)
{
    MatchPlay m = {.game = game, .players = players, .limits = limits, .rules = rules};
    Message why = {""};
    game->start = opening->start;
    game->count = 0;
    if (begin(&m, opening, &why) != STATUS_OK)
        match_game_lose(game, WHITE, MATCH_END_ABORTED, why.text);
    else if (players_are_ready(&m) && !is_over_by_rules(&m))
        while (play_ply(&m))
            ;
    play_close(&m.play);
}
