/* What CECP reports. */
#include "proto/cecp_int.h"

#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "engine/about.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Mate in N is reported as a score beyond all others. */
enum { MATE_SCORE = 100000 };

static const char *const features[] = {
    "done=0",
    "ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0",
    "reuse=1 analyze=1 colors=0 ics=0 name=1 pause=0 nps=1 debug=1 memory=1 smp=1",
    "egt=\"syzygy\" variants=\"normal,fischerandom\"",
    "myname=\"" ABOUT_NAME " " ABOUT_VERSION "\"",
};

/* Clients take the first word for the whole name, so it has no spaces; both
 * forms are understood. */
static void add_name(Text *t, const char *name)
{
    for (; *name; name++)
        if (*name != ' ')
            text_add_char(t, *name);
}

static void add_option(Text *t, const OptionRow *row)
{
    text_add_str(t, "feature option=\"");
    add_name(t, row->name);
    text_add_char(t, ' ');
    switch (row->kind) {
    case OPTION_CHECK:
        text_addf(t, "-check %" PRId64, row->initial);
        break;
    case OPTION_SPIN:
        text_addf(t, "-spin %" PRId64 " %" PRId64 " %" PRId64, row->initial, row->min, row->max);
        break;
    case OPTION_COMBO:
        text_add_str(t, "-combo");
        for (int i = 0; row->choice(i); i++)
            text_addf(t, "%s %s%s", i ? " ///" : "", i == row->initial ? "*" : "", row->choice(i));
        break;
    case OPTION_STRING:
        text_addf(t, "-string %s", row->initial_text);
        break;
    case OPTION_BUTTON:
        text_add_str(t, "-button");
        break;
    }
    text_add_str(t, "\"\n");
}

void cecp_report_features(Output *out)
{
    Text t = text_new();
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        text_addf(&t, "feature %s\n", features[i]);
    for (int i = 0; i < OPTION_COUNT; i++)
        add_option(&t, &option_rows[i]);
    text_add_str(&t, "feature done=1\n");
    output_text(out, &t);
    text_free(&t);
}

/* Castling is O-O in Chess960, because king-takes-rook and e1g1 can both mean something else. */
void cecp_write_move(const Position *p, Move m, char out[SAN_SIZE])
{
    if (p->chess960 && move_kind(m) == MOVE_CASTLING)
        snprintf(out, SAN_SIZE, "%s", castling_wing(m) == KING_SIDE ? "O-O" : "O-O-O");
    else
        uci_move_write(p, m, out);
}

static int score_value(const EngineScore *s)
{
    if (!s->is_mate)
        return s->value;
    return s->value > 0 ? MATE_SCORE + s->value : s->value - MATE_SCORE;
}

void cecp_report_line(void *user, const EngineLine *line)
{
    Cecp *c = user;
    Mailbox *box = &c->box;
    mutex_lock(&box->lock);
    box->depth = line->depth;
    box->nodes = line->nodes;
    box->time_ms = line->time_ms;
    text_clear(&box->line);
    text_addf(&box->line, "%d %d %" PRId64 " %" PRIu64, line->depth, score_value(&line->score),
              line->time_ms / 10, line->nodes);
    protocol_add_pv(&box->line, line, san_write);
    text_add_char(&box->line, '\n');
    if (box->show)
        output_text(c->port.out, &box->line);
    mutex_unlock(&box->lock);
}

void cecp_report_current_move(void *user, const Position *root, int depth, Move m, int number)
{
    Cecp *c = user;
    char san[SAN_SIZE];
    san_write(root, m, san);
    mutex_lock(&c->box.lock);
    c->box.depth = depth;
    c->box.number = number;
    memcpy(c->box.current, san, sizeof san);
    mutex_unlock(&c->box.lock);
}

void cecp_report_status(Cecp *c)
{
    Mailbox *box = &c->box;
    int total = movegen_count(&c->play.now);
    mutex_lock(&box->lock);
    int left = total > box->number ? total - box->number : 0;
    output_line(c->port.out, "stat01: %" PRId64 " %" PRIu64 " %d %d %d %s", box->time_ms / 10,
                box->nodes, box->depth, left, total, box->current);
    mutex_unlock(&box->lock);
}
