#include "engine/opponent_session.h"

#include "levels/level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLOCK_SHARE = 20, /* for show, at most this part of the clock is spent on a move */
    TITLE_SIZE = 32
};

struct OpponentSession {
    OpponentRow row; /* a level's is made here */
    LevelSetup level;
    char title[TITLE_SIZE];
    Opponent *opponent;
    bool moved; /* in this game */
};

bool opponent_session_is_castellan(SessionChoice c)
{
    return !c.row->ops && !c.elo;
}

static void prepare_row(OpponentSession *s, SessionChoice choice)
{
    s->row = *choice.row;
    if (!choice.elo)
        return;
    s->level.elo = choice.elo;
    snprintf(s->title, sizeof s->title, "%s %d", s->row.title, choice.elo);
    s->row.title = s->title;
    s->row.rating = choice.elo;
    s->row.ops = &level_ops;
    s->row.setup = &s->level;
}

Status opponent_session_open(OpponentSession **out, SessionChoice choice, uint64_t seed,
                             Message *why)
{
    OpponentSession *s = calloc(1, sizeof *s);
    if (!s)
        return status_fail(why, STATUS_MEMORY, "not enough memory for an opponent");
    prepare_row(s, choice);
    Span settings = span_of(choice.settings ? choice.settings : "");
    Status status = opponent_open(&s->opponent, &s->row, settings, choice.folder, seed, why);
    return GIVE_OR_CLOSE(status, out, s, free);
}

void opponent_session_close(OpponentSession *s)
{
    if (!s)
        return;
    opponent_close(s->opponent);
    free(s);
}

const OpponentRow *opponent_session_row(const OpponentSession *s)
{
    return &s->row;
}

bool opponent_session_is_level(const OpponentSession *s)
{
    return s->level.elo != 0;
}

bool opponent_session_start(const OpponentSession *s, Position *out)
{
    return opponent_start(s->opponent, out);
}

void opponent_session_new_game(OpponentSession *s, uint64_t seed)
{
    opponent_new_game(s->opponent, seed);
    s->moved = false;
}

void opponent_session_think(OpponentSession *s, const OpponentTask *task, OpponentAnswer *answer)
{
    char talk[OPPONENT_TALK_SIZE];
    opponent_think(s->opponent, task, answer);
    span_show(span_of(answer->talk), talk, sizeof talk); /* one line, whatever it says */
    memcpy(answer->talk, talk, sizeof talk);
    s->moved = true;
}

int64_t opponent_session_shown_ms(const OpponentAnswer *answer, const SearchLimits *limits,
                                  Color us)
{
    if (!limits->has_clock[us])
        return answer->think_ms;
    int64_t most = limits->clock_ms[us] / CLOCK_SHARE + limits->increment_ms[us] / 2;
    return answer->think_ms < most ? answer->think_ms : most;
}

bool opponent_session_accepts_draw(OpponentSession *s, const Position *p)
{
    return s->moved && opponent_accepts_draw(s->opponent, p);
}
