#include "term/advisor.h"

#include "base/thread.h"
#include "chess/san.h"
#include "engine/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HINT_NODES = 200000, HINT_MS = 1000 };

struct Advisor {
    Engine *engine;
    void (*wake)(void *user);
    void *user;
    Mutex lock; /* of the lines */
    AdvisorLine lines[ADVISOR_LINES];
};

static void on_line(void *user, const EngineLine *line)
{
    Advisor *a = user;
    if (line->multipv < 1 || line->multipv > ADVISOR_LINES || line->bound != BOUND_EXACT)
        return;
    AdvisorLine l = {.depth = line->depth, .score = line->score};
    l.length = line->pv_length < ADVISOR_PLIES ? line->pv_length : ADVISOR_PLIES;
    memcpy(l.pv, line->pv, (size_t)l.length * sizeof *l.pv);
    mutex_lock(&a->lock);
    a->lines[line->multipv - 1] = l;
    mutex_unlock(&a->lock);
    a->wake(a->user);
}

Status advisor_open(Advisor **out, void (*wake)(void *user), void *user, Message *why)
{
    Advisor *a = calloc(1, sizeof *a);
    if (!a)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the analysis");
    *a = (Advisor){.wake = wake, .user = user};
    mutex_init(&a->lock);
    EngineEvents events = {.user = a, .line = on_line};
    Status s = engine_create(&a->engine, &events, why);
    return GIVE_OR_CLOSE(s, out, a, advisor_close);
}

void advisor_close(Advisor *a)
{
    if (!a)
        return;
    engine_destroy(a->engine);
    mutex_free(&a->lock);
    free(a);
}

Move advisor_hint(Advisor *a, const Position *p)
{
    SearchLimits limits = {.nodes = HINT_NODES, .move_time_ms = HINT_MS};
    return engine_think_quietly(a->engine, p, &limits).best;
}

void advisor_look(Advisor *a, const Position *p, int lines, int64_t ms)
{
    SearchLimits limits = {.infinite = ms == 0, .move_time_ms = ms};
    char number[16];
    Message why;
    engine_end(a->engine);
    snprintf(number, sizeof number, "%d", lines);
    engine_set_option(a->engine, span_of("MultiPV"), span_of(number), &why);
    mutex_lock(&a->lock);
    memset(a->lines, 0, sizeof a->lines);
    mutex_unlock(&a->lock);
    engine_go(a->engine, p, &limits);
    if (ms)
        engine_wait(a->engine);
}

void advisor_rest(Advisor *a)
{
    engine_end(a->engine);
}

int advisor_lines(Advisor *a, AdvisorLine out[ADVISOR_LINES])
{
    int count = 0;
    mutex_lock(&a->lock);
    while (count < ADVISOR_LINES && a->lines[count].length) {
        out[count] = a->lines[count];
        count++;
    }
    mutex_unlock(&a->lock);
    return count;
}

void advisor_write_score(const EngineScore *score, Color side, Text *out)
{
    int value = side == WHITE ? score->value : -score->value;
    if (score->is_mate)
        text_addf(out, "#%d", value);
    else
        text_addf(out, "%+.2f", value / 100.0);
}

void advisor_write_pv(const Position *p, const AdvisorLine *line, int most, Text *out)
{
    Position at = *p;
    Undo undo;
    char san[SAN_SIZE];
    for (int i = 0; i < line->length && i < most; i++) {
        if (i)
            text_add_char(out, ' ');
        if (at.side == WHITE || i == 0)
            text_addf(out, "%" PRIu32 "%s ", at.game_ply / 2 + 1, at.side == WHITE ? "." : "...");
        san_write(&at, line->pv[i], san);
        text_add_str(out, san);
        pos_make(&at, line->pv[i], &undo);
    }
}

void advisor_eval(Advisor *a, const Position *p, Text *out)
{
    show_eval(engine_evaluator(a->engine), p, out);
}
