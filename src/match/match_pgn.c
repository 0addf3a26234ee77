#include "match/match_int.h"

#include "base/clock.h"
#include "notation/pgn_write.h"

#include <inttypes.h>
#include <stdlib.h>

/* "+0.35/12 0.045s", "-M3/20 1.2s", "book". */
static void ply_comment(const MatchPly *ply, bool opening, Text *out)
{
    text_clear(out);
    if (opening) {
        text_add_str(out, "book");
        return;
    }
    const PlayerScore *s = &ply->score;
    if (s->is_told && s->is_mate)
        text_addf(out, "%cM%d/%d ", s->value > 0 ? '+' : '-', abs(s->value), s->depth);
    else if (s->is_told)
        text_addf(out, "%+.2f/%d ", s->value / 100.0, s->depth);
    text_addf(out, "%.3fs", (double)ply->time_ns * 1e-9);
}

static Status add_moves(Game *g, const MatchGame *game, Text *text, Message *why)
{
    GameNode *at = game_root(g);
    Status s = STATUS_OK;
    for (int i = 0; i < game->count && s == STATUS_OK; i++) {
        at = game_append(g, at, game->plies[i].move);
        if (!at)
            return status_fail(why, STATUS_MEMORY, "not enough memory for a game");
        ply_comment(&game->plies[i], i < game->opening_plies, text);
        if (i == game->count - 1)
            text_addf(text, ", %s", game->reason);
        s = game_set_comment(g, at, (Span){text->at, text->len}, why);
    }
    if (s == STATUS_OK && !game->count)
        s = game_set_comment(g, at, span_of(game->reason), why);
    return s;
}

static Status set_tags(Game *g, const MatchGame *game, const MatchTags *tags, Text *text,
                       Message *why)
{
    char date[CLOCK_DATE_SIZE], round[40], plies[16];
    clock_date(date);
    snprintf(round, sizeof round, "%" PRIu64 ".%d", tags->round, tags->board);
    snprintf(plies, sizeof plies, "%d", game->count);
    text_clear(text);
    player_limits_text(tags->limits[WHITE], text);
    const struct {
        const char *name, *value;
    } rows[] = {
        {"Event", tags->event ? tags->event : "Castellan match"},
        {"Date", date},
        {"Round", round},
        {"White", tags->names[WHITE]},
        {"Black", tags->names[BLACK]},
        {"TimeControl", text->len && tags->limits[WHITE]->base_ms ? text->at : "-"},
        {"Termination", match_end_termination(game->end)},
        {"PlyCount", plies},
    };
    Status s = STATUS_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && s == STATUS_OK; i++)
        s = game_set_tag(g, span_of(rows[i].name), span_of(rows[i].value), why);
    return s;
}

Status match_write_pgn(const MatchGame *game, const MatchTags *tags, Text *out, Message *why)
{
    Text text = text_new();
    Game *g = game_new();
    Status s = g ? game_set_start(g, &game->start, why)
                 : status_fail(why, STATUS_MEMORY, "not enough memory for a game");
    if (s == STATUS_OK)
        s = set_tags(g, game, tags, &text, why);
    if (s == STATUS_OK)
        s = add_moves(g, game, &text, why);
    if (s == STATUS_OK) {
        game_set_result(g, game->result);
        s = pgn_write(g, out, why);
    }
    game_free(g);
    text_free(&text);
    return s;
}
