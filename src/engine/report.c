/* Converts search reports for front ends: scores in GUI units, PVs that end where the game ends. */
#include "engine/engine_int.h"

#include "chess/draw.h"
#include "search/wdl.h"

/* Fail-high and fail-low lines of a short search are not shown. */
enum { QUIET_BOUNDS_MS = 1000 };

EngineScore engine_score(Score s, const Position *p)
{
    Wdl wdl = wdl_of(s, p);
    EngineScore out = {.win = wdl.win, .draw = wdl.draw, .loss = wdl.loss};
    out.is_mate = score_is_mate(s);
    out.value = out.is_mate ? score_mate_moves(s) : score_to_cp(s, p);
    return out;
}

static bool game_is_drawn(const Position *p, int ply)
{
    return p->st.rule50 >= 100 || draw_by_repetition(p, ply) || draw_by_material(p);
}

/* The part of a PV that can be shown: legal, and not past the end of the game. */
static int readable_length(const Position *root, const Move *pv, int length)
{
    Position p = *root;
    Undo undo;
    for (int i = 0; i < length; i++) {
        if (!pos_is_legal(&p, pv[i]))
            return i;
        pos_make(&p, pv[i], &undo);
        if (game_is_drawn(&p, i + 1))
            return i + 1;
    }
    return length;
}

static void send_line(Engine *e, const SearchLine *line, const EngineScore *score)
{
    EngineRun *run = &e->run;
    EngineLine out = {
        .root = &run->root,
        .depth = line->depth,
        .seldepth = line->seldepth,
        .multipv = line->multipv,
        .score = *score,
        .bound = line->bound,
        .nodes = line->nodes,
        .nps = line->nodes * 1000 / (uint64_t)(line->time_ms > 0 ? line->time_ms : 1),
        .tb_hits = line->tb_hits,
        .time_ms = line->time_ms,
        .hashfull = line->hashfull,
        .pv = line->pv,
        .pv_length = readable_length(&run->root, line->pv, line->pv_length),
        .show_wdl = run->show_wdl,
    };
    run->told = true;
    run->hashfull = line->hashfull;
    if (line->multipv == 1 && out.pv_length) {
        run->last = line->pv[0];
        run->last_ponder = out.pv_length > 1 ? line->pv[1] : MOVE_NONE;
    }
    e->events.line(e->events.user, &out);
}

void report_line(void *user, const SearchLine *line)
{
    Engine *e = user;
    /* With several lines only the last block has bounds, and a block is complete. */
    bool quiet = line->bound != BOUND_EXACT && line->time_ms < QUIET_BOUNDS_MS &&
                 engine_number(e, OPTION_MULTI_PV) == 1;
    EngineScore score = engine_score(line->score, &e->run.root);
    if (e->events.line && !quiet)
        send_line(e, line, &score);
}

void report_current_move(void *user, int depth, Move m, int number)
{
    Engine *e = user;
    if (e->events.current_move)
        e->events.current_move(e->events.user, &e->run.root, depth, m, number);
}

static Move legal_ponder_move(const Position *root, const SearchResult *r)
{
    if (r->best == MOVE_NONE || r->ponder == MOVE_NONE)
        return MOVE_NONE;
    Position p = *root;
    Undo undo;
    pos_make(&p, r->best, &undo);
    return pos_is_legal(&p, r->ponder) ? r->ponder : MOVE_NONE;
}

EngineResult report_result(const Position *root, const SearchResult *r)
{
    return (EngineResult){
        .root = root,
        .best = r->best,
        .ponder = legal_ponder_move(root, r),
        .score = engine_score(r->score, root),
        .depth = r->depth,
        .nodes = r->nodes,
        .time_ms = r->time_ms,
    };
}

/* A move found in an aborted iteration was not reported yet; GUIs expect the last line to start
 * with the move that is played and the ponder move. `line` has no moves yet. */
static void send_last_line(Engine *e, const EngineResult *out, SearchLine *line)
{
    Move pv[2] = {out->best, out->ponder};
    bool known = out->best == e->run.last &&
                 (out->ponder == e->run.last_ponder || out->ponder == MOVE_NONE ||
                  engine_number(e, OPTION_MULTI_PV) > 1);
    if (!e->events.line || out->best == MOVE_NONE || known)
        return;
    line->multipv = 1;
    line->bound = BOUND_EXACT;
    line->hashfull = e->run.hashfull;
    line->pv = pv;
    line->pv_length = out->ponder == MOVE_NONE ? 1 : 2;
    send_line(e, line, &out->score);
}

static void send_done(Engine *e, EngineResult *out)
{
    out->told = e->run.told;
    if (atomic_load(&e->run.to_play))
        policy_note_score(&e->policy, &out->score);
    if (e->events.done)
        e->events.done(e->events.user, out);
}

void report_done(void *user, const SearchResult *r)
{
    Engine *e = user;
    EngineResult out = report_result(&e->run.root, r);
    SearchLine line = {.depth = r->depth,
                       .seldepth = r->seldepth,
                       .nodes = r->nodes,
                       .tb_hits = r->tb_hits,
                       .time_ms = r->time_ms};
    if (e->run.told) {
        send_last_line(e, &out, &line);
        out.ponder = e->run.last_ponder;
    }
    send_done(e, &out);
}

/* -- An opponent's words -- */

/* Its centipawns are shown as they are; the odds are those of a Castellan that would show as many.
 * */
static EngineScore opponent_score(Score s, const Position *p)
{
    enum { SCALE = 1000 };
    if (score_is_mate(s))
        return engine_score(s, p);
    int scaled = score_to_cp(SCALE, p);
    int64_t own = scaled > 0 ? (int64_t)s * SCALE / scaled : s;
    own = own > SCORE_EVAL_MAX ? SCORE_EVAL_MAX : own < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : own;
    EngineScore out = engine_score((Score)own, p);
    out.value = s;
    return out;
}

void report_thought(void *user, const OpponentThought *t)
{
    Engine *e = user;
    EngineScore score = opponent_score(t->score, &e->run.root);
    SearchLine line = {.depth = t->depth,
                       .seldepth = t->depth,
                       .multipv = 1,
                       .bound = BOUND_EXACT,
                       .nodes = t->nodes,
                       .time_ms = t->time_ms,
                       .pv = t->pv,
                       .pv_length = t->pv_length};
    if (e->events.line)
        send_line(e, &line, &score);
}

/* An opponent that reported nothing gets a line with its move. */
void report_answer(Engine *e, const OpponentAnswer *a, int64_t time_ms)
{
    EngineResult out = {
        .root = &e->run.root,
        .best = a->move,
        .ponder = MOVE_NONE,
        .score = opponent_score(a->score, &e->run.root),
        .depth = a->depth > 0 ? a->depth : 1,
        .nodes = a->nodes,
        .time_ms = time_ms,
        .resigns = a->resigns,
        .offers_draw = a->offers_draw,
    };
    memcpy(out.talk, a->talk, sizeof out.talk);
    SearchLine line = {
        .depth = out.depth, .seldepth = out.depth, .nodes = a->nodes, .time_ms = time_ms};
    send_last_line(e, &out, &line);
    send_done(e, &out);
}
