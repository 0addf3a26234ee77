/* A hash table from position keys to opening names, at most half full, built once. */
#include "notation/opening.h"

#include "chess/fen.h"
#include "chess/san.h"
#include "notation/opening_data_int.h"

#include <stdlib.h>
#include <string.h>

typedef struct Slot {
    Key key;
    OpeningName name; /* eco NULL: empty */
} Slot;

struct Openings {
    Slot *slots;
    size_t mask;
    int lines, positions;
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

bool openings_find_game(const Openings *o, const Game *g, OpeningName *out, int *plies)
{
    Position p = *game_start(g);
    bool found = openings_find(o, &p, out);
    int ply = 0, last = 0;
    for (const GameNode *n = game_root(g)->child; n && n->move != MOVE_NULL; n = n->child) {
        Undo undo;
        pos_make(&p, n->move, &undo);
        ply++;
        if (openings_find(o, &p, out)) {
            found = true;
            last = ply;
        }
    }
    if (plies)
        *plies = last;
    return found;
}

int openings_lines(const Openings *o)
{
    return o->lines;
}

int openings_positions(const Openings *o)
{
    return o->positions;
}

/* -- Building -- */

/* Move numbers are skipped. */
static bool is_move_number(Span word)
{
    return word.len > 1 && word.at[0] >= '1' && word.at[0] <= '9' && word.at[word.len - 1] == '.';
}

static Status play_line(Position *p, Span moves, Message *why)
{
    Span word;
    pos_set_start(p);
    while (span_next_word(&moves, &word)) {
        Move m;
        Undo undo;
        if (is_move_number(word))
            continue;
        Status s = san_read(p, word, &m, why);
        if (s != STATUS_OK)
            return s;
        if (m == MOVE_NULL)
            return status_fail(why, STATUS_INVALID, "a null move");
        pos_make(p, m, &undo);
    }
    return STATUS_OK;
}

static bool is_eco(const char *text)
{
    return text[0] >= 'A' && text[0] <= 'E' && text[1] >= '0' && text[1] <= '9' && text[2] >= '0' &&
           text[2] <= '9' && !text[3];
}

/* Splits the text at the tab; NULL if there is none. */
static char *cut_at_tab(char *text)
{
    char *tab = strchr(text, '\t');
    if (tab)
        *tab++ = '\0';
    return tab;
}

static Status add_line(Openings *o, char *line, Message *why)
{
    char *name = cut_at_tab(line);
    char *moves = name ? cut_at_tab(name) : NULL;
    if (!moves || !*name || !is_eco(line))
        return status_fail(why, STATUS_INVALID, "expected ECO, name and moves, separated by tabs");
    Position p;
    Status s = play_line(&p, span_of(moves), why);
    if (s != STATUS_OK)
        return s;
    o->lines++;
    Slot *slot = find_slot(o, p.st.key);
    if (slot->name.eco)
        return STATUS_OK;
    *slot = (Slot){p.st.key, {line, name}};
    o->positions++;
    return STATUS_OK;
}

/* Splits the text into lines and adds them. */
static Status add_lines(Openings *o, Message *why)
{
    char *line = o->text;
    for (int number = 1; line; number++) {
        char *feed = strchr(line, '\n');
        if (feed)
            *feed = '\0';
        size_t len = strlen(line);
        if (len && line[len - 1] == '\r')
            line[len - 1] = '\0';
        if (*line && *line != '#') {
            Status s = add_line(o, line, why);
            if (s != STATUS_OK) {
                message_prefix(why, "opening names, line %d: ", number);
                return s;
            }
        }
        line = feed ? feed + 1 : NULL;
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

Status openings_open_text(Openings **out, Span table, Message *why)
{
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

Status openings_open(Openings **out, Message *why)
{
    return openings_open_text(out, opening_data(), why);
}

void openings_close(Openings *o)
{
    if (!o)
        return;
    free(o->slots);
    free(o);
}
