/* Words are buffered until it is known what follows without a blank, then put on this line or the
 * next. The tree is walked without recursion: games nest as deep as their files do. */
#include "notation/pgn_write.h"

#include "base/memory.h"
#include "chess/san.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79 };

typedef struct Writer {
    Text *out;
    size_t column;
    Text word;       /* not yet on the line */
    bool sticks;     /* the next word follows without a blank */
    bool number_due; /* Black's move needs its number as well */
    Position position;
    Undo *path; /* of the moves that led there */
    size_t plies, room;
} Writer;

/* -- Words and lines -- */

static void put_word(Writer *w)
{
    if (!w->word.len)
        return;
    if (w->column && w->column + 1 + w->word.len > COLUMNS) {
        text_add_char(w->out, '\n');
        w->column = 0;
    }
    if (w->column) {
        text_add_char(w->out, ' ');
        w->column++;
    }
    text_add(w->out, w->word.at, w->word.len);
    w->column += w->word.len;
    if (w->word.failed)
        w->out->failed = true;
    text_clear(&w->word);
}

static void next_word(Writer *w)
{
    if (!w->sticks)
        put_word(w);
    w->sticks = false;
}

static void add_word(Writer *w, const char *text)
{
    next_word(w);
    text_add_str(&w->word, text);
}

/* -- Comments -- */

/* At the start of a line these would be an escape or a tag. */
static bool must_not_begin_line(const char *word)
{
    return word[0] == '%' || (word[0] == '[' && word[1] != '%');
}

/* The end of what must stay on one line: a word, a whole command such as "[%clk 1:00:00]", and
 * words that must not start a line. */
static const char *piece_end(const char *piece)
{
    const char *end = piece + strcspn(piece, " ");
    bool in_command = strncmp(piece, "[%", 2) == 0;
    const char *bracket = in_command ? memchr(piece, ']', strnlen(piece, COLUMNS)) : NULL;
    if (bracket && bracket > end)
        end = bracket + strcspn(bracket, " ");
    while (*end && must_not_begin_line(end + 1))
        end += 1 + strcspn(end + 1, " ");
    return end;
}

/* A closing brace cannot be written inside a comment. */
static void add_piece(Writer *w, const char *piece, const char *end)
{
    next_word(w);
    for (; piece < end; piece++)
        text_add_char(&w->word, *piece == '}' ? ')' : *piece);
}

static void add_comment(Writer *w, const char *comment)
{
    if (!comment)
        return;
    add_word(w, "{");
    w->sticks = true;
    while (*comment) {
        const char *end = piece_end(comment);
        add_piece(w, comment, end);
        comment = *end ? end + 1 : end;
    }
    text_add_char(&w->word, '}');
    w->sticks = false;
    w->number_due = true;
}

/* -- Tags -- */

static void add_tag(Text *out, const char *name, const char *value)
{
    text_addf(out, "[%s \"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            text_add_char(out, '\\');
        text_add_char(out, *value);
    }
    text_add_str(out, "\"]\n");
}

typedef struct RosterRow {
    const char *name, *unknown;
} RosterRow;

enum { ROSTER = 7 };
static const RosterRow roster[ROSTER] = {
    {"Event", "?"}, {"Site", "?"},   {"Date", "????.\?\?.\?\?"}, {"Round", "?"}, {"White", "?"},
    {"Black", "?"}, {"Result", "*"},
};

static bool in_roster(const char *name)
{
    for (int i = 0; i < ROSTER; i++)
        if (strcmp(name, roster[i].name) == 0)
            return true;
    return false;
}

static int compare_tags(const void *a, const void *b)
{
    const GameTag *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static void add_tags(const Game *g, Text *out)
{
    for (int i = 0; i < ROSTER - 1; i++) {
        const char *value = game_tag(g, roster[i].name);
        add_tag(out, roster[i].name, value ? value : roster[i].unknown);
    }
    add_tag(out, "Result", result_text(game_result(g)));
    const GameTag *others[GAME_MAX_TAGS] = {NULL};
    size_t count = 0;
    for (const GameTag *t = game_tags(g); t && count < GAME_MAX_TAGS; t = t->next)
        if (!in_roster(t->name))
            others[count++] = t;
    qsort(others, count, sizeof *others, compare_tags);
    for (size_t i = 0; i < count; i++)
        add_tag(out, others[i]->name, others[i]->value);
    text_add_char(out, '\n');
}

/* -- Moves -- */

static void add_number(Writer *w)
{
    const Position *p = &w->position;
    if (p->side == BLACK && !w->number_due)
        return;
    next_word(w);
    text_addf(&w->word, "%u%s", p->game_ply / 2 + 1, p->side == WHITE ? "." : "...");
    w->number_due = false;
}

static void add_move(Writer *w, const GameNode *n)
{
    add_comment(w, n->before);
    add_number(w);
    char san[SAN_SIZE];
    san_write(&w->position, n->move, san);
    add_word(w, san);
    for (int i = 0; i < n->nag_count; i++) {
        next_word(w);
        text_addf(&w->word, "$%d", n->nags[i]);
    }
    add_comment(w, n->after);
}

static bool make(Writer *w, Move m)
{
    if (!memory_grow(&w->path, sizeof *w->path, w->plies, &w->room))
        return false;
    pos_play(&w->position, m, &w->path[w->plies++]);
    return true;
}

static void unmake(Writer *w, Move m)
{
    pos_take_back(&w->position, m, &w->path[--w->plies]);
}

/* -- Variations -- */

static bool is_variation(const GameNode *n)
{
    return n->parent && n->parent->child != n;
}

static const GameNode *open_variation(Writer *w, const GameNode *n)
{
    add_word(w, "(");
    w->sticks = true;
    w->number_due = true;
    return n;
}

/* At the end of a variation: takes it back to its first move, which it returns; NULL at the end of
 * the game. */
static const GameNode *close_variation(Writer *w, const GameNode *n)
{
    while (n && !is_variation(n)) {
        if (n->parent)
            unmake(w, n->move);
        n = n->parent;
    }
    if (!n)
        return NULL;
    unmake(w, n->move);
    text_add_char(&w->word, ')');
    w->number_due = true;
    return n;
}

/* Makes the move of *n, which was written with its variations, and goes to what is written next;
 * NULL at the end. Behind its last variation a move of the line goes on. */
static bool advance(Writer *w, const GameNode **n)
{
    while (make(w, (*n)->move)) {
        if ((*n)->child) {
            *n = (*n)->child;
            return true;
        }
        const GameNode *first = close_variation(w, *n);
        if (!first || first->next) {
            *n = first ? open_variation(w, first->next) : NULL;
            return true;
        }
        *n = first->parent->child;
    }
    return false;
}

static bool write_moves(Writer *w, const Game *g)
{
    add_comment(w, game_root(g)->after);
    w->number_due = true;
    const GameNode *n = game_root(g)->child;
    while (n) {
        add_move(w, n);
        if (n->next && !is_variation(n))
            n = open_variation(w, n->next);
        else if (!advance(w, &n))
            return false;
    }
    return true;
}

Status pgn_write(const Game *g, Text *out, Message *why)
{
    Writer w = {.out = out, .position = *game_start(g)};
    text_init(&w.word);
    add_tags(g, out);
    bool ok = write_moves(&w, g);
    add_word(&w, result_text(game_result(g)));
    put_word(&w);
    text_add_str(out, "\n\n");
    text_free(&w.word);
    free(w.path);
    if (!ok || out->failed)
        return status_fail(why, STATUS_MEMORY, "not enough memory to write the game");
    return STATUS_OK;
}
