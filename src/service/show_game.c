#include "service/service_int.h"

#include "base/clock.h"

static const char *side_kind(SideKind k)
{
    static const char *const names[] = {"human", "gallery", "level", "adaptive", "other"};
    return names[k];
}

static const char *game_kind(StoreKind k)
{
    static const char *const names[] = {"play", "watch", "import"};
    return names[k];
}

static void put_number_or_null(Text *out, const char *name, int64_t n, bool is_there)
{
    if (is_there)
        json_put_int(out, name, n);
    else
        json_put_null(out, name);
}

void show_side(Text *out, const char *name, const StoreSide *side)
{
    json_open(out, name, '{');
    json_put_str(out, "kind", side_kind(side->kind));
    json_put_str(out, "name", side->name);
    json_put_str(out, "title", side->title);
    put_number_or_null(out, "rating", side->rating, side->rating != 0);
    json_close(out, '}');
}

static void put_frame(Text *out, const StoreGame *g)
{
    json_put_int(out, "id", g->id);
    json_put_str(out, "kind", game_kind(g->kind));
    show_side(out, "white", &g->side[WHITE]);
    show_side(out, "black", &g->side[BLACK]);
    json_put_str(out, "you", g->you >= 0 ? color_name(g->you) : NULL);
    json_put_str(out, "variant", g->chess960 ? "chess960" : "standard");
    json_put_str(out, "fen", g->fen);
    json_put_int(out, "ply", g->plies);
    show_opening(out, g->eco, g->opening);
    show_result(out, "result", g->over, g->result, g->reason);
    json_put_bool(out, "rated", g->rated);
    json_put_int(out, "created", g->created);
    json_put_int(out, "updated", g->updated);
}

/* -- The snapshot -- */

static void put_moves(Text *out, const Board *b)
{
    json_open(out, "moves", '[');
    for (int i = 0; i < b->count; i++) {
        const BoardMove *m = &b->moves[i];
        json_open(out, NULL, '{');
        json_put_str(out, "uci", m->uci);
        json_put_str(out, "san", m->san);
        json_put_str(out, "fen", m->fen);
        put_number_or_null(out, "clock", m->clock_ms, m->clock_ms >= 0);
        json_put_int(out, "spent", m->spent_ms);
        if (m->late_ms)
            json_put_int(out, "late", m->late_ms);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void put_clock(Text *out, const Board *b)
{
    int64_t now = clock_now_ms();
    if (!b->g.has_clock) {
        json_put_null(out, "clock");
    } else {
        json_open(out, "clock", '{');
        json_put_int(out, "initial", b->g.initial_ms);
        json_put_int(out, "increment", b->g.increment_ms);
        json_put_int(out, "white", board_clock_ms(b, WHITE, now));
        json_put_int(out, "black", board_clock_ms(b, BLACK, now));
        json_put_str(out, "running", board_clock_runs(b) ? color_name(b->now.side) : NULL);
        json_close(out, '}');
    }
    json_put_int(out, "now", clock_wall_ms());
}

static void put_talk(Text *out, const Board *b)
{
    json_open(out, "talk", '[');
    for (const BoardTalk *t = b->talk; t; t = t->next) {
        json_open(out, NULL, '{');
        json_put_int(out, "ply", t->ply);
        json_put_str(out, "side", color_name(t->side));
        json_put_str(out, "text", t->text);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void put_last(Text *out, const Board *b)
{
    Position before = b->now;
    before.side = color_other(b->now.side); /* all that is asked is whose move it was */
    show_last(out, &before, b->count ? b->moves[b->count - 1].move : MOVE_NONE);
}

static void put_state(Text *out, const Board *b)
{
    bool mine = b->g.you == (int)b->now.side && !board_over(b);
    json_put_str(out, "turn", color_name(b->now.side));
    json_put_bool(out, "check", pos_in_check(&b->now));
    show_moves(out, &b->now, mine);
    put_last(out, b);
    show_material(out, &b->start, &b->now);
    json_put_bool(out, "thinking", b->task || b->has_reply);
    json_put_str(out, "offer", b->g.offer >= 0 ? color_name(b->g.offer) : NULL);
    json_put_str(out, "claim", board_over(b) ? NULL : rules_claim(&b->now));
    json_put_bool(out, "paused", b->paused);
}

static void put_account(Text *out, const StoreGame *g)
{
    json_put_int(out, "hints", g->hints);
    json_put_int(out, "takebacks", g->takebacks);
    if (g->rating_after) {
        json_open(out, "rating_change", '{');
        json_put_int(out, "before", g->rating_before);
        json_put_int(out, "after", g->rating_after);
        json_close(out, '}');
    } else {
        json_put_null(out, "rating_change");
    }
    put_number_or_null(out, "next", g->next, g->next != 0);
}

void show_game(Service *service, const Board *b, Text *out, const char *name)
{
    json_open(out, name, '{');
    put_frame(out, &b->g);
    json_put_int(out, "version", b->g.version);
    json_put_str(out, "start_fen", b->g.start_fen);
    put_moves(out, b);
    put_state(out, b);
    put_clock(out, b);
    put_talk(out, b);
    put_account(out, &b->g);
    json_put_str(out, "review", reviews_state(service, &b->g));
    json_close(out, '}');
}

void board_tell(Service *service, const Board *b, const Client *except)
{
    Text t;
    text_init(&t);
    show_game(service, b, &t, NULL);
    web_tell(service, "game", b->g.id, except, &t);
    text_free(&t);
}

/* -- The summary -- */

void show_summary(Text *out, const char *name, const StoreGame *g)
{
    json_open(out, name, '{');
    put_frame(out, g);
    show_last_told(out, g->last);
    if (g->has_clock) {
        json_open(out, "clock", '{');
        json_put_int(out, "initial", g->initial_ms);
        json_put_int(out, "increment", g->increment_ms);
        json_close(out, '}');
    } else {
        json_put_null(out, "clock");
    }
    json_put_str(out, "review", g->reviewed ? "done" : "none");
    if (g->reviewed) {
        json_open(out, "accuracy", '{');
        json_put_tenths(out, "white", g->accuracy[WHITE]);
        json_put_tenths(out, "black", g->accuracy[BLACK]);
        json_close(out, '}');
    } else {
        json_put_null(out, "accuracy");
    }
    if (g->event[0])
        json_put_str(out, "event", g->event);
    if (g->date[0])
        json_put_str(out, "date", g->date);
    json_close(out, '}');
}
