/* A game as a tree: tags, a start position, and nodes with moves, glyphs, comments and variations.
 * For editing and annotating; notation/game_read.h reads one from PGN, notation/pgn_write.h writes
 * one.
 *
 * The first child of a node continues its line; the others are variations, in order. The root has
 * no move: it is the start position, and its comment precedes the first move. */
#ifndef NOTATION_GAME_H
#define NOTATION_GAME_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "notation/pgn_reader.h"

enum {
    GAME_MAX_NAGS = 8,         /* glyphs per move; more are dropped */
    GAME_MAX_TAGS = 1000,      /* more are an error */
    GAME_MAX_BYTES = 256 << 20 /* larger games are an error */
};

typedef struct GameNode GameNode;
struct GameNode {
    GameNode *parent;   /* NULL at the root */
    GameNode *child;    /* the continuation */
    GameNode *last;     /* the last variation; the child itself when there is none */
    GameNode *next;     /* the next variation */
    const char *before; /* comments: NULL, or UTF-8 with single blanks and no line ends */
    const char *after;
    Move move; /* MOVE_NONE at the root; MOVE_NULL is allowed */
    uint8_t nag_count;
    uint8_t nags[GAME_MAX_NAGS];
};

typedef struct GameTag {
    struct GameTag *next;
    const char *name, *value;
} GameTag;

typedef struct Game Game;

/* An empty game from the standard start position; NULL when memory ran out. */
Game *game_new(void);
void game_free(Game *g); /* NULL is allowed */
void game_clear(Game *g);

/* -- Tags -- */

/* In file order. */
const GameTag *game_tags(const Game *g);

/* The value, or NULL. */
const char *game_tag(const Game *g, const char *name);

/* Sets, replaces, or (value.at NULL) removes. Control characters become blanks. */
Status game_set_tag(Game *g, Span name, Span value, Message *why);

Result game_result(const Game *g);
void game_set_result(Game *g, Result r); /* the Result tag is written from it */

/* -- Positions -- */

const Position *game_start(const Game *g);

/* Starts from another position: removes all moves, sets the tags SetUp, FEN and
 * Variant as needed. */
Status game_set_start(Game *g, const Position *start, Message *why);

/* -- Moves -- */

GameNode *game_root(const Game *g);

/* The last node of the main line. */
GameNode *game_last(const Game *g);

/* Plies from the start to the node: 0 at the root. */
int game_ply(const GameNode *n);

/* The main line up to its first null move, for the caller to free; NULL: not enough memory. */
Move *game_moves(const Game *g, int *count);

/* The child of `at` with that legal move, appended if there is none; NULL when memory ran out. */
GameNode *game_add(Game *g, GameNode *at, Move m);

/* The same, but always a new child: PGN may repeat a move. */
GameNode *game_append(Game *g, GameNode *at, Move m);

/* Removes the node and its subtree. The root stays and loses its moves. */
void game_delete(GameNode *n);

/* -- Annotations -- */

/* Replace the comments; an empty text removes them. White space is collapsed. */
Status game_set_comment_before(Game *g, GameNode *n, Span text, Message *why);
Status game_set_comment(Game *g, GameNode *n, Span text, Message *why);

/* Appends a comment. */
Status game_add_comment(Game *g, GameNode *n, Span text, Message *why);

/* Adds a glyph once; false when there is no room or the number is not 0 to 255. */
bool game_add_nag(GameNode *n, int nag);

#endif
