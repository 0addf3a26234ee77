/* PGN as tokens: what the reader of games sees of a file. White space, move numbers, "%" lines and
 * marks without meaning ("+", "e.p.", a draw offer) never come out. */
#ifndef NOTATION_PGN_LEXER_INT_H
#define NOTATION_PGN_LEXER_INT_H

#include "notation/window.h"

typedef enum PgnTokenKind {
    PGN_TOKEN_END,
    PGN_TOKEN_TAG,     /* text: the name; value: between the quotes, escapes still in it */
    PGN_TOKEN_MOVE,    /* text: looks like a move; or like nothing known */
    PGN_TOKEN_NAG,     /* number */
    PGN_TOKEN_COMMENT, /* text: as it stands between the braces, or behind ';' */
    PGN_TOKEN_OPEN,
    PGN_TOKEN_CLOSE,
    PGN_TOKEN_RESULT, /* number: a Result */
    PGN_TOKEN_BROKEN  /* the message says why; the window stays where the token begins */
} PgnTokenKind;

/* Spans point into the window: good until the next token. */
typedef struct PgnToken {
    PgnTokenKind kind;
    int number;
    Span text, value;
} PgnToken;

/* Reads the next token. The window is behind it afterwards; `back` bytes behind its beginning,
 * so that moving the window back by them makes it come again. */
size_t pgn_lexer_next(Window *w, PgnToken *t, Message *why);

/* Moves to the line where the next game begins, or to the end: a line with a tag after one with
 * something else, or with the tag Event. `in_tags`: the broken game ends behind its own tags. */
void pgn_lexer_skip_game(Window *w, bool in_tags);

#endif
