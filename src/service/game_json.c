#include "service/game_int.h"

#include "base/clock.h"
#include "notation/json_value.h"
#include "service/position_json_int.h"
#include "service/study/study_int.h"

static json_t *json_side(const StoreSide *side)
{
    static const char *const kinds[] = {"human", "program", "level", "adaptive", "other"};
    return json_pack("{s:s, s:o, s:o, s:o}", "kind", kinds[side->kind], "name",
                     value_text(side->name), "title", value_text(side->title), "rating",
                     value_number(side->rating, side->rating != 0));
}

const char *const game_kinds[] = {"play", "watch", "import", NULL};
const char *const game_outcomes[] = {"any", "won", "lost", "drawn", "running", NULL};

/* What snapshot and summary have in common. */
static json_t *json_frame(const StoreGame *g)
{
    json_t *out =
        json_pack("{s:I, s:s, s:o, s:o, s:s?, s:s, s:s, s:I, s:o, s:o, s:b, s:I, s:I}", "id",
                  (json_int_t)g->id, "kind", game_kinds[g->kind], "white",
                  json_side(&g->side[WHITE]), "black", json_side(&g->side[BLACK]), "you",
                  color_name(g->you), "variant", g->chess960 ? "chess960" : "standard", "fen",
                  g->fen, "ply", (json_int_t)g->plies, "opening", json_opening(g->eco, g->opening),
                  "result", json_result(g->over, g->result, g->reason), "rated", g->rated,
                  "created", (json_int_t)g->created, "updated", (json_int_t)g->updated);
    if (g->date[0])
        json_object_set_new(out, "date", value_text(g->date));
    return out;
}

/* -- The snapshot -- */

static json_t *json_moves(const Board *b)
{
    json_t *moves = json_array();
    for (int i = 0; i < b->play.count; i++) {
        const BoardMove *m = &b->moves[i];
        json_t *move = json_pack(
            "{s:s, s:s, s:s, s:o, s:I}", "uci", m->uci, "san", m->san, "fen", m->fen, "clock",
            value_number(b->play.moves[i].clock_ms, b->play.moves[i].clock_ms >= 0), "spent",
            (json_int_t)m->spent_ms);
        if (m->late_ms)
            json_object_set_new(move, "late", json_integer(m->late_ms));
        json_array_append_new(moves, move);
    }
    return moves;
}

static json_t *json_clock(const Board *b)
{
    int64_t now = clock_now_ms();
    if (!b->g.has_clock)
        return json_null();
    return json_pack("{s:I, s:I, s:I, s:I, s:s?}", "initial", (json_int_t)b->g.initial_ms,
                     "increment", (json_int_t)b->g.increment_ms, "white",
                     (json_int_t)play_clock_ms(&b->play, WHITE, now), "black",
                     (json_int_t)play_clock_ms(&b->play, BLACK, now), "running",
                     play_clock_runs(&b->play) ? color_name(b->play.now.side) : NULL);
}

static json_t *json_talk(const Service *service, int64_t game)
{
    StoreTalk t;
    json_t *talk = json_array();
    StoreRows rows = store_talk(service->store, game);
    while (store_next(&rows, &t))
        json_array_append_new(talk, json_pack("{s:I, s:s, s:o}", "ply", (json_int_t)t.ply, "side",
                                              color_name(t.side), "text", value_text(t.text)));
    store_rows_end(&rows, NULL); /* a word less is no harm */
    return talk;
}

/* Two people: who has which seat, and what they ask of each other. */
static void set_people(json_t *out, const Board *b, int64_t player)
{
    int you = board_on_one_screen(b) ? (player == b->g.player ? b->g.you : -1)
                                     : board_color_of(b, player);
    json_t *people =
        json_pack("{s:s?, s:s, s:s?, s:s?}", "you", color_name(you), "people",
                  board_on_one_screen(b) ? "here" : "invited", "seat",
                  b->g.guest ? NULL : color_name(!b->g.you), "takeback", color_name(b->takeback));
    json_object_update_new(out, people);
}

static void set_state(json_t *out, const Board *b, int64_t player)
{
    bool over = b->g.over;
    Move last = b->play.count ? b->play.moves[b->play.count - 1].move : MOVE_NONE;
    json_set_moves(out, &b->play.now, board_color_of(b, player) == (int)b->play.now.side && !over);
    json_set_material(out, &b->play.start, &b->play.now);
    json_t *state = json_pack(
        "{s:s, s:b, s:o, s:b, s:s?, s:s?, s:b}", "turn", color_name(b->play.now.side), "check",
        pos_in_check(&b->play.now), "last", json_last_move(color_other(b->play.now.side), last),
        "thinking", b->job || b->has_reply, "offer", color_name(b->g.offer), "claim",
        over ? NULL : rules_claim(&b->play.now), "paused", b->paused);
    json_object_update_new(out, state);
}

static json_t *json_rating_change(const StoreGame *g)
{
    return g->rating_after ? json_pack("{s:I, s:I}", "before", (json_int_t)g->rating_before,
                                       "after", (json_int_t)g->rating_after)
                           : json_null();
}

json_t *game_json(const Service *service, const Board *b, int64_t player)
{
    const StoreGame *g = &b->g;
    json_t *out = json_frame(g);
    set_state(out, b, player);
    if (board_two_people(b))
        set_people(out, b, player);
    json_t *more =
        json_pack("{s:I, s:s, s:o, s:o, s:I, s:o, s:I, s:I, s:o, s:o, s:s}", "version",
                  (json_int_t)g->version, "start_fen", g->start_fen, "moves", json_moves(b),
                  "clock", json_clock(b), "now", (json_int_t)clock_wall_ms(), "talk",
                  json_talk(service, g->id), "hints", (json_int_t)g->hints, "takebacks",
                  (json_int_t)g->takebacks, "rating_change", json_rating_change(g), "next",
                  value_number(g->next, g->next != 0), "review", reviews_state(service, g));
    json_object_update_new(out, more);
    return out;
}

void game_event(Service *service, const Board *b, const Client *except)
{
    for (Client *c = service->clients; c; c = c->next)
        if (c != except && client_watches(c, b->g.id))
            client_event(c, "game", game_json(service, b, c->player));
}

/* -- The summary -- */

json_t *game_summary(const StoreGame *g)
{
    json_t *out = json_frame(g), *clock = NULL, *accuracy = NULL;
    if (g->has_clock)
        clock = json_pack("{s:I, s:I}", "initial", (json_int_t)g->initial_ms, "increment",
                          (json_int_t)g->increment_ms);
    if (g->reviewed)
        accuracy = json_pack("{s:o, s:o}", "white", value_tenths(g->accuracy[WHITE]), "black",
                             value_tenths(g->accuracy[BLACK]));
    json_object_update_new(out, json_pack("{s:o, s:o?, s:s, s:o?}", "last",
                                          json_stored_last(g->last), "clock", clock, "review",
                                          g->reviewed ? "done" : "none", "accuracy", accuracy));
    if (g->event[0])
        json_object_set_new(out, "event", value_text(g->event));
    return out;
}
