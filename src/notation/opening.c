/* A hash table from position keys to opening names, at most half full, built once. */
#include "notation/opening.h"

#include "base/embed.h"
#include "chess/fen.h"
#include "chess/san.h"

#include <stdlib.h>
#include <string.h>

EMBED_FILE(opening_table, "data/openings.tsv");

typedef struct Slot {
    Key key;
    OpeningName name; /* eco NULL: empty */
} Slot;

struct Openings {
    Slot *slots;
    size_t mask;
    char text[]; /* the table, with zeros in place of tabs and line ends */
};

/* -- Lookup -- */

static Slot *find_slot(const Openings *o, Key key)
{
    size_t i = (size_t)key & o->mask;
    while (o->slots[i].name.eco && o->slots[i].key != key)
        i = (i + 1) & o->mask;
    return &o->slots[i];
}

bool openings_find(const Openings *o, const Position *p, OpeningName *out)
{
    const Slot *slot = find_slot(o, p->st.key);
    if (!slot->name.eco)
        return false;
    *out = slot->name;
    return true;
}

bool openings_find_game(const Openings *o, const Game *g, OpeningName *out)
{
    Position p = *game_start(g);
    bool found = openings_find(o, &p, out);
    for (const GameNode *n = game_root(g)->child; n && n->move != MOVE_NULL; n = n->child) {
        Undo undo;
        pos_make(&p, n->move, &undo);
        found |= openings_find(o, &p, out);
    }
    return found;
}

/* -- Building -- */

static Status play_line(Position *p, Span moves, Message *why)
{
    Span word;
    pos_set_start(p);
    while (span_next_word(&moves, &word)) {
        Move m;
        Undo undo;
        Status s = san_read(p, word, &m, why);
        if (s != STATUS_OK)
            return s;
        pos_make(p, m, &undo);
    }
    return STATUS_OK;
}

/* Ends the text at the next `end`; returns what follows, NULL at the end of the table. */
static char *cut_at(char *text, char end)
{
    char *at = strchr(text, end);
    if (at)
        *at++ = '\0';
    return at;
}

static Status add_line(Openings *o, char *line, Message *why)
{
    char *name = cut_at(line, '\t');
    char *moves = name ? cut_at(name, '\t') : NULL;
    if (!moves)
        return status_fail(why, STATUS_INVALID, "expected ECO, name and moves, separated by tabs");
    Position p;
    Status s = play_line(&p, span_of(moves), why);
    if (s != STATUS_OK)
        return s;
    Slot *slot = find_slot(o, p.st.key);
    if (!slot->name.eco)
        *slot = (Slot){p.st.key, {line, name}};
    return STATUS_OK;
}

static Status add_lines(Openings *o, Message *why)
{
    char *line = o->text;
    for (int number = 1; line; number++) {
        char *next = cut_at(line, '\n');
        if (*line && *line != '#') {
            Status s = add_line(o, line, why);
            if (s != STATUS_OK) {
                message_prefix(why, "opening names, line %d: ", number);
                return s;
            }
        }
        line = next;
    }
    return STATUS_OK;
}

static size_t slots_for(Span table)
{
    size_t lines = 1, slots = 64;
    for (size_t i = 0; i < table.len; i++)
        lines += table.at[i] == '\n';
    while (slots < 2 * lines)
        slots *= 2;
    return slots;
}

Status openings_open(Openings **out, Message *why)
{
    Span table = EMBED_SPAN(opening_table);
    Openings *o = calloc(1, sizeof *o + table.len + 1);
    *out = NULL;
    if (!o)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the opening names");
    size_t slots = slots_for(table);
    o->mask = slots - 1;
    o->slots = calloc(slots, sizeof *o->slots);
    memcpy(o->text, table.at, table.len);
    Status s = o->slots
                   ? add_lines(o, why)
                   : status_fail(why, STATUS_MEMORY, "not enough memory for the opening names");
    return GIVE_OR_CLOSE(s, out, o, openings_close);
}

void openings_close(Openings *o)
{
    if (!o)
        return;
    free(o->slots);
    free(o);
}
