/* The consoles of the classic programs: prompts, boards, input forms, messages and statistics as
 * their documents print them. A console is a state machine that is fed lines and gives text; it
 * does no input and output itself. When it is the program's turn, a step lets it move.
 *
 * A new console: a file with a `const ConsoleOps`, declared here, and a row in console.c. */
#ifndef CLASSICS_CONSOLE_H
#define CLASSICS_CONSOLE_H

#include "base/status.h"
#include "base/text.h"
#include "chess/draw.h"
#include "opponent/opponent.h"

typedef struct Console Console;

typedef struct ConsoleSetup {
    Span settings; /* of the program, as an opponent's */
    uint64_t seed;
    const Position *start;   /* NULL: the ordinary one, or the program's own setting */
    Color program;           /* its side, where the program does not ask */
    const atomic_bool *stop; /* ends the program's thinking */
} ConsoleSetup;

/* On failure the message names what is wrong and what is accepted. */
Status console_open(Console **c, Span name, const ConsoleSetup *setup, Message *why);
void console_close(Console *c); /* NULL is fine */

void console_begin(Console *c, Text *out); /* the greeting and the first question */

typedef struct ConsoleOps {
    OpponentRow row; /* the program as an opponent; consoles are called by its name */
    size_t size;     /* of the console's own state, which begins as zeros */
    void (*begin)(Console *c, Text *out);           /* NULL: prints the FEN */
    void (*feed)(Console *c, Span line, Text *out); /* a line that was typed, trimmed */
    void (*step)(Console *c, Text *out);            /* the program moves; only when it is to */
} ConsoleOps;

struct Console {
    const ConsoleOps *ops;
    Opponent *opponent;
    void *self;
    Position position;
    Square passed; /* by the last move, if it was a double step; else SQ_NONE */
    Color program;
    bool busy; /* the program is to move */
    bool over;
    const atomic_bool *stop;
    Text *out; /* while the program thinks */
};

/* -- For the consoles -- */

extern const ConsoleOps javachess_console, chessbin_console, adaptive_console, kanji_console;

/* Asks the program for its answer; `thought` may be NULL and gets the console. */
void console_think(Console *c, void (*thought)(void *console, const OpponentThought *t),
                   OpponentAnswer *answer);

void console_make(Console *c, Move m);

/* How the game stands: it may be over, or the program's turn. */
GameEnd console_settle(Console *c);

/* A line with the FEN, which has the en passant square after every double step. */
void console_write_fen(const Console *c, Text *out);

/* The legal move between two squares, castling by the king's step. A promotion to `promotion`.
 * MOVE_NONE if there is none. */
Move console_find(const Position *p, Square from, Square to, PieceType promotion);

/* "e2e4", "e2-e4" or "e7e8q"; MOVE_NONE when it is not a legal move. */
Move console_read_squares(const Console *c, Span text);

#endif
