/* Reads PGN of any size, game by game, in constant memory. Every move, variations included, is
 * checked and passed to a visitor; nothing of a game is kept. notation/game_read.h builds a tree on
 * top of this.
 *
 * Lenient: missing results, move numbers and tags, FEN without SetUp, Chess960, null moves, 0-0,
 * glyphs as $n or !?, both kinds of comment, "%" lines, any line ends, a byte-order mark, UTF-8 or
 * Latin-1. Anything that is not a game of chess is an error with the place and the reason. */
#ifndef NOTATION_PGN_READER_H
#define NOTATION_PGN_READER_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "chess/result.h"

#include <stdatomic.h>

typedef struct PgnReader PgnReader;

/* Limits against hostile files. Tokens are also limited to WINDOW_LONGEST. */
enum {
    PGN_MAX_DEPTH = 1000,     /* nested variations */
    PGN_MAX_PLIES = 20000,    /* the longest possible game has 17,697 */
    PGN_MAX_NAME = 255,       /* bytes of a tag name */
    PGN_MAX_VALUE = 16 * 1024 /* bytes of a tag value */
};

/* Called in the order of the file; a function may be NULL. Texts are UTF-8 and valid until the
 * function returns. `end` is called for complete games only. */
typedef struct PgnVisitor {
    void *user;
    void (*begin)(void *user);
    void (*tag)(void *user, Span name, Span value);
    void (*start)(void *user, const Position *p); /* after the tags: the start position */
    /* `p` is the position before the move; depth is 0 on the main line, 1 in its variations, and so
     * on. */
    void (*move)(void *user, const Position *p, Move m, int depth);
    void (*moved)(void *user, const Position *p, Move m, int depth); /* the same, after it */
    void (*nag)(void *user, int nag);
    void (*comment)(void *user, Span text); /* as written, line ends included */
    void (*open)(void *user);               /* a variation instead of the last move */
    void (*close)(void *user);
    void (*end)(void *user, Result result);
} PgnVisitor;

/* From a file ("-": standard input); reading and waiting for a pipe or terminal end with
 * STATUS_STOPPED when *stop is set (NULL: never). */
Status pgn_open(PgnReader **r, const char *path, const atomic_bool *stop, Message *why);

/* From text that outlives the reader; `name` is for messages. */
Status pgn_open_text(PgnReader **r, const char *name, Span text, Message *why);
void pgn_close(PgnReader *r); /* NULL is allowed */

/* Reads one game. STATUS_END: no games left. STATUS_INVALID: the game is broken ("name:line:
 * reason") and is skipped; the next call reads the next one. Any other status ends the reading. */
Status pgn_next(PgnReader *r, const PgnVisitor *v, Message *why);

/* Bytes read so far, for progress; the first line of the last game; the name of the file. */
uint64_t pgn_offset(const PgnReader *r);
uint64_t pgn_line(const PgnReader *r);
const char *pgn_name(const PgnReader *r);

#endif
