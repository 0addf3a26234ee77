/* What UCI reports. Each function writes whole lines. */
#include "proto/uci_int.h"

#include "chess/uci_move.h"
#include "engine/about.h"
#include "proto/protocol.h"

#include <inttypes.h>

static void add_score(Text *t, const EngineScore *s, ScoreBound bound)
{
    text_addf(t, " score %s %d", s->is_mate ? "mate" : "cp", s->value);
    if (bound == BOUND_LOWER || bound == BOUND_UPPER)
        text_add_str(t, bound == BOUND_LOWER ? " lowerbound" : " upperbound");
}

void uci_report_line(void *user, const EngineLine *line)
{
    Output *out = user;
    Text t = text_new();
    text_addf(&t, "info depth %d seldepth %d multipv %d", line->depth, line->seldepth,
              line->multipv);
    add_score(&t, &line->score, line->bound);
    if (line->show_wdl)
        text_addf(&t, " wdl %d %d %d", line->score.win, line->score.draw, line->score.loss);
    text_addf(&t, " nodes %" PRIu64 " nps %" PRIu64 " hashfull %d tbhits %" PRIu64 " time %" PRId64,
              line->nodes, line->nps, line->hashfull, line->tb_hits, line->time_ms);
    if (line->pv_length)
        text_add_str(&t, " pv");
    protocol_add_pv(&t, line, uci_move_write);
    text_add_char(&t, '\n');
    output_text(out, &t);
    text_free(&t);
}

void uci_report_current_move(void *user, const Position *root, int depth, Move m, int number)
{
    char text[UCI_MOVE_SIZE];
    uci_move_write(root, m, text);
    output_line(user, "info depth %d currmove %s currmovenumber %d", depth, text, number);
}

/* The protocol has no words for these: whoever reads along may take the hint, and the
 * game goes on. */
static void report_decisions(Output *out, const EngineResult *r)
{
    if (r->talk[0])
        output_line(out, "info string %s", r->talk);
    if (r->offers_draw)
        output_line(out, "info string offers a draw");
    if (r->resigns)
        output_line(out, "info string resigns");
}

void uci_report_done(void *user, const EngineResult *r)
{
    char best[UCI_MOVE_SIZE], ponder[UCI_MOVE_SIZE];
    report_decisions(user, r);
    if (!r->told)
        output_line(user, "info depth 0 score %s %d", r->score.is_mate ? "mate" : "cp",
                    r->score.value);
    if (r->best == MOVE_NONE) {
        output_line(user, "bestmove (none)");
        return;
    }
    uci_move_write(r->root, r->best, best);
    if (r->ponder == MOVE_NONE) {
        output_line(user, "bestmove %s", best);
        return;
    }
    Position p = *r->root;
    Undo undo;
    pos_make(&p, r->best, &undo);
    uci_move_write(&p, r->ponder, ponder);
    output_line(user, "bestmove %s ponder %s", best, ponder);
}

static void add_option(Text *t, const OptionRow *row)
{
    static const char *const kinds[] = {"check", "spin", "combo", "button", "string"};
    text_addf(t, "option name %s type %s", row->name, kinds[row->kind]);
    switch (row->kind) {
    case OPTION_CHECK:
        text_addf(t, " default %s", row->initial ? "true" : "false");
        break;
    case OPTION_SPIN:
        text_addf(t, " default %" PRId64 " min %" PRId64 " max %" PRId64, row->initial, row->min,
                  row->max);
        break;
    case OPTION_COMBO:
        text_addf(t, " default %s", row->choice((int)row->initial));
        for (int i = 0; row->choice(i); i++)
            text_addf(t, " var %s", row->choice(i));
        break;
    case OPTION_STRING:
        text_addf(t, " default %s", row->initial_text[0] ? row->initial_text : "<empty>");
        break;
    case OPTION_BUTTON:
        break;
    }
    text_add_char(t, '\n');
}

void uci_report_identity(Output *out)
{
    Text t = text_new();
    text_add_str(&t, "id name " ABOUT_NAME " " ABOUT_VERSION "\nid author " ABOUT_AUTHORS "\n");
    for (int i = 0; i < OPTION_COUNT; i++)
        add_option(&t, &option_rows[i]);
    OptionRow param;
    for (int i = 0; option_of_param(i, &param); i++)
        add_option(&t, &param);
    text_add_str(&t, "uciok\n");
    output_text(out, &t);
    text_free(&t);
}
