#include "notation/game.h"

#include "chess/fen.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Nodes and texts lie in blocks, which are freed all at once. */
typedef struct GameBlock GameBlock;
struct GameBlock {
    GameBlock *next;
    size_t room;
    alignas(max_align_t) char bytes[];
};

enum { BLOCK_ROOM = 16 * 1024 };

struct Game {
    GameBlock *blocks; /* newest first */
    size_t used;       /* of the newest */
    size_t total;      /* bytes in all blocks, at most GAME_MAX_BYTES */
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
    pos_set_start(&g->start);
    g->root = &g->first;
    return g;
}

static void free_blocks(Game *g)
{
    while (g->blocks) {
        GameBlock *next = g->blocks->next;
        free(g->blocks);
        g->blocks = next;
    }
    g->used = g->total = 0;
}

void game_free(Game *g)
{
    if (!g)
        return;
    free_blocks(g);
    free(g);
}

void game_clear(Game *g)
{
    free_blocks(g);
    g->tags = NULL;
    g->tag_count = 0;
    g->first = (GameNode){0};
    g->result = RESULT_NONE;
    pos_set_start(&g->start);
}

/* -- Memory -- */

static bool add_block(Game *g, size_t bytes)
{
    size_t room = bytes > BLOCK_ROOM ? bytes : BLOCK_ROOM;
    if (room > GAME_MAX_BYTES - g->total)
        return false;
    GameBlock *b = malloc(sizeof *b + room);
    if (!b)
        return false;
    b->next = g->blocks;
    b->room = room;
    g->blocks = b;
    g->used = 0;
    g->total += room;
    return true;
}

/* Zeroed bytes, aligned for any type; NULL when memory or the limit is exhausted. */
static void *take(Game *g, size_t bytes)
{
    size_t align = alignof(max_align_t);
    if (bytes > GAME_MAX_BYTES)
        return NULL;
    bytes = (bytes + align - 1) / align * align;
    if ((!g->blocks || bytes > g->blocks->room - g->used) && !add_block(g, bytes))
        return NULL;
    void *at = g->blocks->bytes + g->used;
    g->used += bytes;
    return memset(at, 0, bytes);
}

/* A copy with a terminating zero. */
static char *copy_text(Game *g, Span text)
{
    char *copy = take(g, text.len + 1);
    if (copy && text.len)
        memcpy(copy, text.at, text.len);
    return copy;
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
    char *copy = copy_text(g, value);
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
    GameTag *tag = take(g, sizeof *tag);
    char *name_copy = copy_text(g, name);
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
    GameNode *n = take(g, sizeof *n);
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

void game_delete(GameNode *n)
{
    if (!n->parent) {
        n->child = n->last = NULL;
        return;
    }
    GameNode *before = NULL, **link = &n->parent->child;
    for (; *link != n; link = &before->next)
        before = *link;
    *link = n->next;
    if (n->parent->last == n)
        n->parent->last = before;
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

/* The text behind the old comment, if there is one. */
static Status set_comment(Game *g, const char **where, const char *old, Span text, Message *why)
{
    size_t kept = old ? strlen(old) + 1 : 0;
    char *both = take(g, kept + text.len + 1);
    if (!both)
        return no_memory(why);
    if (old) {
        memcpy(both, old, kept);
        both[kept - 1] = ' ';
    }
    if (text.len)
        memcpy(both + kept, text.at, text.len);
    *where = squeeze(both, kept + text.len) ? both : NULL;
    return STATUS_OK;
}

Status game_set_comment_before(Game *g, GameNode *n, Span text, Message *why)
{
    return set_comment(g, &n->before, NULL, text, why);
}

Status game_set_comment(Game *g, GameNode *n, Span text, Message *why)
{
    return set_comment(g, &n->after, NULL, text, why);
}

Status game_add_comment(Game *g, GameNode *n, Span text, Message *why)
{
    return set_comment(g, &n->after, n->after, text, why);
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
