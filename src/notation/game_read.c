/* The visitor that builds a tree. Comments are collected until something else follows, because
 * several in a row are one comment, and only then it is known whether they precede or follow a
 * move. */
#include "notation/game_read.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Builder {
    Game *game;
    GameNode *at; /* the last move made */
    bool fresh;   /* a variation was opened and has no move yet: comments precede the next move */
    Text pending; /* pending comments */
    GameNode **frames; /* moves replaced by the open variations */
    int depth;
    Status status;
    Message why;
} Builder;

static void keep(Builder *b, Status s)
{
    if (b->status == STATUS_OK)
        b->status = s;
}

static Status too_large(Builder *b)
{
    return status_fail(&b->why, STATUS_MEMORY, "not enough memory for the game");
}

/* Attaches the pending comments to the last move. */
static void flush(Builder *b)
{
    if (b->pending.len && !b->fresh) {
        keep(b, game_add_comment(b->game, b->at, (Span){b->pending.at, b->pending.len}, &b->why));
        text_clear(&b->pending);
    }
}

static void on_begin(void *user)
{
    Builder *b = user;
    game_clear(b->game);
    b->at = game_root(b->game);
    b->fresh = false;
    b->depth = 0;
    b->status = STATUS_OK;
    text_clear(&b->pending);
}

static void on_tag(void *user, Span name, Span value)
{
    Builder *b = user;
    if (b->status == STATUS_OK)
        keep(b, game_set_tag(b->game, name, value, &b->why));
}

static void on_start(void *user, const Position *p)
{
    Builder *b = user;
    if (b->status == STATUS_OK && (p->chess960 || p->st.key != game_start(b->game)->st.key))
        keep(b, game_set_start(b->game, p, &b->why));
}

static void on_move(void *user, const Position *p, Move m, int depth)
{
    Builder *b = user;
    (void)p, (void)depth;
    if (b->status != STATUS_OK)
        return;
    flush(b);
    GameNode *n = game_append(b->game, b->at, m);
    if (!n) {
        keep(b, too_large(b));
        return;
    }
    b->at = n;
    if (b->fresh && b->pending.len) {
        Span text = {b->pending.at, b->pending.len};
        keep(b, game_set_comment_before(b->game, n, text, &b->why));
        text_clear(&b->pending);
    }
    b->fresh = false;
}

static void on_nag(void *user, int nag)
{
    Builder *b = user;
    /* Excess glyphs, and glyphs before the first move, are dropped. */
    if (b->status == STATUS_OK && b->at != game_root(b->game) && !b->fresh)
        game_add_nag(b->at, nag);
}

static void on_comment(void *user, Span text)
{
    Builder *b = user;
    if (b->status != STATUS_OK)
        return;
    if (text.len > GAME_MAX_BYTES - b->pending.len)
        keep(b, too_large(b));
    if (b->pending.len)
        text_add_char(&b->pending, ' ');
    text_add(&b->pending, text.at, text.len);
}

static void on_open(void *user)
{
    Builder *b = user;
    if (b->status != STATUS_OK)
        return;
    flush(b);
    b->frames[b->depth++] = b->at;
    b->at = b->at->parent;
    b->fresh = true;
}

static void on_close(void *user)
{
    Builder *b = user;
    if (b->status != STATUS_OK)
        return;
    flush(b);
    b->fresh = false;
    /* A variation without moves: its comments belong to the preceding move. */
    b->at = b->frames[--b->depth];
    flush(b);
}

static void on_end(void *user, Result result)
{
    Builder *b = user;
    flush(b);
    game_set_result(b->game, result);
    if (b->pending.failed)
        keep(b, too_large(b));
}

Status game_read(Game *g, PgnReader *r, Message *why)
{
    Builder b = {.game = g, .frames = malloc(PGN_MAX_DEPTH * sizeof *b.frames)};
    if (!b.frames)
        return status_fail(why, STATUS_MEMORY, "not enough memory to read a game");
    text_init(&b.pending);
    PgnVisitor visitor = {
        .user = &b,
        .begin = on_begin,
        .tag = on_tag,
        .start = on_start,
        .move = on_move,
        .nag = on_nag,
        .comment = on_comment,
        .open = on_open,
        .close = on_close,
        .end = on_end,
    };
    Status s = pgn_next(r, &visitor, why);
    /* The tree was not built, but the next game may fit. */
    if (s == STATUS_OK && b.status != STATUS_OK)
        s = status_fail(why, STATUS_INVALID, "%s:%" PRIu64 ": %s", pgn_name(r), pgn_line(r),
                        b.why.text);
    if (s != STATUS_OK)
        game_clear(g);
    text_free(&b.pending);
    free(b.frames);
    return s;
}
