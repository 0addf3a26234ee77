/* PGN of any size, read game by game in constant memory. The reader checks every move,
 * variations included, and tells a visitor what it meets; nothing of a game is kept. A tree of
 * the whole game is built on top of this by notation/game_read.h.
 *
 * Read leniently: missing results, move numbers and tags, FEN without SetUp, Chess960, null
 * moves, 0-0, glyphs as $n or !?, both kinds of comment, "%" lines, any line ends, a byte-order
 * mark, UTF-8 or Latin-1. What cannot be a game of chess is refused with the place and the
 * reason. */
#ifndef NOTATION_PGN_READER_H
#define NOTATION_PGN_READER_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"
#include "chess/result.h"

#include <stdatomic.h>

typedef struct PgnReader PgnReader;

/* What hostile files run into. A token (comment) has the limit WINDOW_LONGEST besides. */
enum {
    PGN_MAX_DEPTH = 1000,     /* variations inside each other */
    PGN_MAX_PLIES = 20000,    /* the rules end every game within 17,697 */
    PGN_MAX_NAME = 255,       /* bytes of a tag's name */
    PGN_MAX_VALUE = 16 * 1024 /* bytes of a tag's value */
};

/* What the reader tells, in the order of the file; a function may be NULL. Texts are UTF-8 and
 * last until the function returns. A game is begun and, when it was whole, ended; a broken one
 * is not. */
typedef struct PgnVisitor {
    void *user;
    void (*begin)(void *user);
    void (*tag)(void *user, Span name, Span value);
    void (*start)(void *user, const Position *p); /* after the tags: where the moves begin */
    /* `p` is the position before the move; depth is 0 on the main line, 1 in its
     * variations, and so on. */
    void (*move)(void *user, const Position *p, Move m, int depth);
    void (*moved)(void *user, const Position *p, Move m, int depth); /* the same, after it */
    void (*nag)(void *user, int nag);
    void (*comment)(void *user, Span text); /* as written, line ends included */
    void (*open)(void *user);               /* a variation instead of the last move */
    void (*close)(void *user);
    void (*end)(void *user, Result result);
} PgnVisitor;

/* From a file ("-": standard input), or from text that outlives the reader; `name` is for
 * messages. */
Status pgn_open(PgnReader **r, const char *path, Message *why);

/* The same, but reading and waiting for a pipe or terminal end with STATUS_STOPPED when *stop is set. */
Status pgn_open_stoppable(PgnReader **r, const char *path, const atomic_bool *stop, Message *why);

Status pgn_open_text(PgnReader **r, const char *name, Span text, Message *why);
void pgn_close(PgnReader *r); /* NULL is fine */

/* Reads one game. STATUS_END: there is none left. STATUS_INVALID: it was broken ("name:line: what")
 * and is skipped; the next call reads the next one. Anything else ends the reading. */
Status pgn_next(PgnReader *r, const PgnVisitor *v, Message *why);

/* Bytes read so far, for showing progress; the line the last game began on; the file's name. */
uint64_t pgn_offset(const PgnReader *r);
uint64_t pgn_line(const PgnReader *r);
const char *pgn_name(const PgnReader *r);

#endif
