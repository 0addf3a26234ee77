/* A game as a tree: tags, a start position, and nodes with moves, glyphs, comments and
 * variations. For editing and annotating; notation/game_read.h fills one from PGN,
 * notation/pgn_write.h writes one.
 *
 * The first child of a node is how its line goes on; the others are variations, in order. The
 * root has no move: it stands for the start, and its comment for what is said before the first
 * move. */
#ifndef NOTATION_GAME_H
#define NOTATION_GAME_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "notation/pgn_reader.h"

enum {
    GAME_MAX_NAGS = 8,         /* of one move; further ones are dropped */
    GAME_MAX_TAGS = 1000,      /* further ones are refused */
    GAME_MAX_BYTES = 256 << 20 /* a game that needs more is refused */
};

typedef struct GameNode GameNode;
struct GameNode {
    GameNode *parent;   /* NULL at the root */
    GameNode *child;    /* how the line goes on */
    GameNode *last;     /* the last variation to that; the child itself when there is none */
    GameNode *next;     /* the next variation to this move */
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

/* An empty game from the ordinary start position; NULL when there is no memory. */
Game *game_new(void);
void game_free(Game *g); /* NULL is fine */
void game_clear(Game *g);

/* -- Tags -- */

/* In the order they came. */
const GameTag *game_tags(const Game *g);

/* The value, or NULL. */
const char *game_tag(const Game *g, const char *name);

/* Sets, replaces, or (value.at NULL) removes. Control characters become blanks. */
Status game_set_tag(Game *g, Span name, Span value, Message *why);

Result game_result(const Game *g);
void game_set_result(Game *g, Result r); /* the tag Result follows when the game is written */

/* -- Positions -- */

const Position *game_start(const Game *g);

/* Begins from another position: removes all moves, sets the tags SetUp, FEN and Variant as
 * needed. */
Status game_set_start(Game *g, const Position *start, Message *why);

/* The position that stands after the node's move. */
void game_position(const Game *g, const GameNode *n, Position *out);

/* -- Moves -- */

GameNode *game_root(const Game *g);

/* The last node of the main line. */
GameNode *game_last(const Game *g);

/* Plies from the start to the node: 0 at the root. */
int game_ply(const GameNode *n);

/* The child of `at` with that legal move, added behind the others if there is none yet; NULL when
 * there is no memory. */
GameNode *game_add(Game *g, GameNode *at, Move m);

/* The same, but always a new child: PGN may give one move twice. */
GameNode *game_append(Game *g, GameNode *at, Move m);

/* True when the node lies on the main line. */
bool game_is_main(const GameNode *n);

/* Puts the variation one place further to the front; to become the main line, as often as it takes:
 * game_promote_to_main does that on the whole way from the root. Nothing happens at the front. */
void game_promote(GameNode *n);
void game_promote_to_main(GameNode *n);

/* Takes the node and all behind it out of the tree. The root stays and loses its moves. */
void game_delete(GameNode *n);

/* -- Annotations -- */

/* Replace the comments; a text without length removes. White space becomes single blanks. */
Status game_set_comment_before(Game *g, GameNode *n, Span text, Message *why);
Status game_set_comment(Game *g, GameNode *n, Span text, Message *why);

/* Puts another comment behind the one that is there. */
Status game_add_comment(Game *g, GameNode *n, Span text, Message *why);

/* Once each; false when there is no room or the number is not 0 .. 255. */
bool game_add_nag(GameNode *n, int nag);
void game_clear_nags(GameNode *n);

#endif
