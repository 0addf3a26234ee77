/* PGN tokens. White space, move numbers, "%" lines and marks without meaning ("+", "e.p.", a draw
 * offer) are skipped. */
#ifndef NOTATION_PGN_LEXER_INT_H
#define NOTATION_PGN_LEXER_INT_H

#include "notation/window.h"

typedef enum PgnTokenKind {
    PGN_TOKEN_END,
    PGN_TOKEN_TAG,     /* text: the name; value: between the quotes, with escapes */
    PGN_TOKEN_MOVE,    /* text: a move, or anything unknown */
    PGN_TOKEN_NAG,     /* number */
    PGN_TOKEN_COMMENT, /* text: between the braces, or after ';' */
    PGN_TOKEN_OPEN,
    PGN_TOKEN_CLOSE,
    PGN_TOKEN_RESULT, /* number: a Result */
    PGN_TOKEN_BROKEN  /* the message says why; the window stays at the start of the token */
} PgnTokenKind;

/* Spans point into the window: valid until the next token. */
typedef struct PgnToken {
    PgnTokenKind kind;
    int number;
    Span text, value;
} PgnToken;

/* Reads the next token and moves the window after it. Returns its length in bytes, so that moving
 * the window back by it makes it come again. */
size_t pgn_lexer_next(Window *w, PgnToken *t, Message *why);

/* Moves to the line where the next game starts, or to the end: a line with a tag after one with
 * something else, or with the tag Event. `in_tags`: the broken game ends after its own tags. */
void pgn_lexer_skip_game(Window *w, bool in_tags);

#endif
