#include "notation/game.h"

#include "chess/fen.h"
#include "notation/arena.h"

#include <stdlib.h>
#include <string.h>

struct Game {
    Arena arena;
    GameTag *tags;
    int tag_count;
    GameNode first; /* a pointer, so that a const Game has a mutable root */
    GameNode *root;
    Result result;
    Position start;
};

Game *game_new(void)
{
    Game *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    arena_init(&g->arena, GAME_MAX_BYTES);
    pos_set_start(&g->start);
    g->root = &g->first;
    return g;
}

void game_free(Game *g)
{
    if (!g)
        return;
    arena_free(&g->arena);
    free(g);
}

void game_clear(Game *g)
{
    arena_reset(&g->arena);
    g->tags = NULL;
    g->tag_count = 0;
    g->first = (GameNode){0};
    g->result = RESULT_NONE;
    pos_set_start(&g->start);
}

static Status no_memory(Message *why)
{
    return status_fail(why, STATUS_MEMORY, "not enough memory for the game");
}

/* -- Tags -- */

const GameTag *game_tags(const Game *g)
{
    return g->tags;
}

/* The link to the tag of that name, or the end of the list. */
static GameTag **tag_link(Game *g, Span name)
{
    GameTag **link = &g->tags;
    while (*link && !span_is(name, (*link)->name))
        link = &(*link)->next;
    return link;
}

const char *game_tag(const Game *g, const char *name)
{
    for (const GameTag *t = g->tags; t; t = t->next)
        if (strcmp(t->name, name) == 0)
            return t->value;
    return NULL;
}

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 127;
}

static const char *copy_value(Game *g, Span value)
{
    char *copy = arena_copy(&g->arena, value.at, value.len);
    for (size_t i = 0; copy && i < value.len; i++)
        if (is_control(copy[i]))
            copy[i] = ' ';
    return copy;
}

Status game_set_tag(Game *g, Span name, Span value, Message *why)
{
    GameTag **link = tag_link(g, name);
    if (!value.at) {
        if (*link) {
            *link = (*link)->next;
            g->tag_count--;
        }
        return STATUS_OK;
    }
    if (*link && span_is(value, (*link)->value))
        return STATUS_OK;
    const char *copy = copy_value(g, value);
    if (!copy)
        return no_memory(why);
    if (*link) {
        (*link)->value = copy;
        return STATUS_OK;
    }
    if (g->tag_count == GAME_MAX_TAGS)
        return status_fail(why, STATUS_REFUSED, "game with more than %d tags", GAME_MAX_TAGS);
    GameTag *tag = arena_take(&g->arena, sizeof *tag);
    char *name_copy = arena_copy(&g->arena, name.at, name.len);
    if (!tag || !name_copy)
        return no_memory(why);
    tag->name = name_copy;
    tag->value = copy;
    *link = tag;
    g->tag_count++;
    return STATUS_OK;
}

Result game_result(const Game *g)
{
    return g->result;
}

void game_set_result(Game *g, Result r)
{
    g->result = r;
}

/* -- Positions -- */

const Position *game_start(const Game *g)
{
    return &g->start;
}

static Status set_or_remove(Game *g, const char *name, const char *value, bool set, Message *why)
{
    return game_set_tag(g, span_of(name), set ? span_of(value) : (Span){NULL, 0}, why);
}

Status game_set_start(Game *g, const Position *start, Message *why)
{
    char fen[FEN_SIZE];
    fen_write(start, FEN_X, fen);
    bool set = start->chess960 || strcmp(fen, FEN_START) != 0;
    Status s = set_or_remove(g, "SetUp", "1", set, why);
    if (s == STATUS_OK)
        s = set_or_remove(g, "FEN", fen, set, why);
    if (s == STATUS_OK)
        s = set_or_remove(g, "Variant", "Chess960", start->chess960, why);
    if (s != STATUS_OK)
        return s;
    g->start = *start;
    game_delete(g->root);
    return STATUS_OK;
}

int game_ply(const GameNode *n)
{
    int ply = 0;
    for (; n->parent; n = n->parent)
        ply++;
    return ply;
}

Move *game_moves(const Game *g, int *count)
{
    Move *moves = malloc(((size_t)game_ply(game_last(g)) + 1) * sizeof *moves);
    *count = 0;
    for (const GameNode *n = game_root(g)->child; moves && n && n->move != MOVE_NULL; n = n->child)
        moves[(*count)++] = n->move;
    return moves;
}

/* The node `plies` above n. */
static const GameNode *above(const GameNode *n, int plies)
{
    while (plies-- > 0)
        n = n->parent;
    return n;
}

/* Long lines are collected in chunks, so that the position costs little more than its moves,
 * without allocating memory. */
void game_position(const Game *g, const GameNode *n, Position *out)
{
    enum { STRETCH = 256 };
    Move moves[STRETCH];
    Undo undo;
    *out = g->start;
    for (int left = game_ply(n); left > 0;) {
        int count = left < STRETCH ? left : STRETCH;
        const GameNode *at = above(n, left - count);
        for (int i = count - 1; i >= 0; i--, at = at->parent)
            moves[i] = at->move;
        for (int i = 0; i < count; i++)
            pos_play(out, moves[i], &undo);
        left -= count;
    }
}

/* -- Moves -- */

GameNode *game_root(const Game *g)
{
    return g->root;
}

GameNode *game_last(const Game *g)
{
    GameNode *n = g->root;
    while (n->child)
        n = n->child;
    return n;
}

GameNode *game_append(Game *g, GameNode *at, Move m)
{
    GameNode *n = arena_take(&g->arena, sizeof *n);
    if (!n)
        return NULL;
    n->parent = at;
    n->move = m;
    *(at->last ? &at->last->next : &at->child) = n;
    at->last = n;
    return n;
}

GameNode *game_add(Game *g, GameNode *at, Move m)
{
    for (GameNode *n = at->child; n; n = n->next)
        if (n->move == m)
            return n;
    return game_append(g, at, m);
}

/* The variation before n; NULL at the first. */
static GameNode *one_before(const GameNode *n)
{
    GameNode *before = n->parent->child;
    if (before == n)
        return NULL;
    while (before->next != n)
        before = before->next;
    return before;
}

static void unlink_node(GameNode *n)
{
    GameNode *before = one_before(n);
    *(before ? &before->next : &n->parent->child) = n->next;
    if (n->parent->last == n)
        n->parent->last = before;
}

void game_delete(GameNode *n)
{
    if (!n->parent) {
        n->child = n->last = NULL;
        return;
    }
    unlink_node(n);
    n->parent = n->next = NULL;
}

/* -- Annotations -- */

static bool is_space(char c)
{
    return c == ' ' || is_control(c);
}

/* Collapses white space to single blanks; none at the ends. */
static size_t squeeze(char *text, size_t len)
{
    size_t kept = 0;
    for (size_t i = 0; i < len; i++) {
        bool space = is_space(text[i]);
        if (space && (kept == 0 || text[kept - 1] == ' '))
            continue;
        text[kept++] = space ? ' ' : text[i];
    }
    if (kept && text[kept - 1] == ' ')
        kept--;
    text[kept] = '\0';
    return kept;
}

static Status set_comment(Game *g, const char **where, Span text, Message *why)
{
    char *copy = arena_copy(&g->arena, text.at, text.len);
    if (!copy)
        return no_memory(why);
    *where = squeeze(copy, text.len) ? copy : NULL;
    return STATUS_OK;
}

Status game_set_comment_before(Game *g, GameNode *n, Span text, Message *why)
{
    return set_comment(g, &n->before, text, why);
}

Status game_set_comment(Game *g, GameNode *n, Span text, Message *why)
{
    return set_comment(g, &n->after, text, why);
}

Status game_add_comment(Game *g, GameNode *n, Span text, Message *why)
{
    if (!n->after)
        return set_comment(g, &n->after, text, why);
    size_t old = strlen(n->after);
    char *both = arena_take(&g->arena, old + 1 + text.len + 1);
    if (!both)
        return no_memory(why);
    memcpy(both, n->after, old);
    both[old] = ' ';
    if (text.len)
        memcpy(both + old + 1, text.at, text.len);
    squeeze(both, old + 1 + text.len);
    n->after = both;
    return STATUS_OK;
}

bool game_add_nag(GameNode *n, int nag)
{
    if (nag < 0 || nag > 255)
        return false;
    for (int i = 0; i < n->nag_count; i++)
        if (n->nags[i] == nag)
            return true;
    if (n->nag_count == GAME_MAX_NAGS)
        return false;
    n->nags[n->nag_count++] = (uint8_t)nag;
    return true;
}
