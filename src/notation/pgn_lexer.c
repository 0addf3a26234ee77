/* Moves, numbers and glyphs are short: LOOKAHEAD bytes are available before each token, and only
 * comments and tags read more. */
#include "notation/pgn_lexer_int.h"

#include "notation/pgn_glyph_int.h"
#include "notation/pgn_reader.h"

#include <string.h>

enum { LOOKAHEAD = 512 };

typedef enum CharClass {
    CHAR_BLANK, /* this and the next are skipped between tokens */
    CHAR_DOT,
    CHAR_OTHER, /* not part of a token */
    CHAR_DIGIT,
    CHAR_LETTER, /* including bytes of UTF-8 and Latin-1 letters */
    CHAR_SIGN,   /* glyphs, and signs inside a move */
    CHAR_BRACE,
    CHAR_SEMICOLON,
    CHAR_DOLLAR,
    CHAR_OPEN,
    CHAR_CLOSE,
    CHAR_STAR,
    CHAR_BRACKET,
    CHAR_PERCENT,
    CHAR_ZERO
} CharClass;

/* clang-format off */
static const uint8_t class_of[256] = {
    [0] = CHAR_ZERO, [1 ... 8] = CHAR_OTHER, [14 ... 31] = CHAR_OTHER, [127] = CHAR_OTHER,
    ['"'] = CHAR_OTHER, ['&'] = CHAR_OTHER, ['\''] = CHAR_OTHER, [','] = CHAR_OTHER,
    [':'] = CHAR_OTHER, ['<'] = CHAR_OTHER, ['>'] = CHAR_OTHER, ['\\'] = CHAR_OTHER,
    [']'] = CHAR_OTHER, ['^'] = CHAR_OTHER, ['_'] = CHAR_OTHER, ['`'] = CHAR_OTHER,
    ['|'] = CHAR_OTHER, ['}'] = CHAR_OTHER,
    ['\t'] = CHAR_BLANK, ['\n'] = CHAR_BLANK, ['\v'] = CHAR_BLANK, ['\f'] = CHAR_BLANK,
    ['\r'] = CHAR_BLANK, [' '] = CHAR_BLANK,
    ['.'] = CHAR_DOT,
    ['0' ... '9'] = CHAR_DIGIT,
    ['A' ... 'Z'] = CHAR_LETTER, ['a' ... 'z'] = CHAR_LETTER, ['@'] = CHAR_LETTER,
    [0x80 ... 0xff] = CHAR_LETTER,
    ['!'] = CHAR_SIGN, ['?'] = CHAR_SIGN, ['+'] = CHAR_SIGN, ['-'] = CHAR_SIGN, ['='] = CHAR_SIGN,
    ['#'] = CHAR_SIGN, ['/'] = CHAR_SIGN, ['~'] = CHAR_SIGN,
    ['{'] = CHAR_BRACE, [';'] = CHAR_SEMICOLON, ['$'] = CHAR_DOLLAR,
    ['('] = CHAR_OPEN, [')'] = CHAR_CLOSE, ['*'] = CHAR_STAR, ['['] = CHAR_BRACKET,
    ['%'] = CHAR_PERCENT,
};

/* Characters after the first one of a move. */
static const uint8_t in_word[256] = {
    ['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['a' ... 'z'] = 1, [0x80 ... 0xff] = 1,
    ['@'] = 1, ['+'] = 1, ['-'] = 1, ['='] = 1, ['#'] = 1, ['/'] = 1, [':'] = 1, ['_'] = 1,
};
/* clang-format on */

static inline CharClass class_at(const char *c)
{
    return (CharClass)class_of[(unsigned char)*c];
}

static bool at_line_start(const Window *w)
{
    return w->at[-1] == '\n' || w->at[-1] == '\r';
}

static const char *skip_digits(const char *c)
{
    while (class_at(c) == CHAR_DIGIT)
        c++;
    return c;
}

static const char *skip_blanks(const char *c)
{
    while (class_at(c) == CHAR_BLANK)
        c++;
    return c;
}

static void broken(PgnToken *t, Message *why, const char *text)
{
    status_fail(why, STATUS_INVALID, "%s", text);
    t->kind = PGN_TOKEN_BROKEN;
}

/* -- Comments -- */

/* A missing closing brace must not swallow the next games. */
static bool has_event_line(const char *from, const char *to)
{
    while ((from = memchr(from, '\n', (size_t)(to - from)))) {
        if (to - ++from > 8 && memcmp(from, "[Event \"", 8) == 0)
            return true;
    }
    return false;
}

/* Finds `stop` after `at`, reading on as needed; NULL when there is none. */
static const char *find_ahead(Window *w, char stop)
{
    for (size_t seen = 0;;) {
        size_t there = (size_t)(w->end - w->at);
        const char *found = memchr(w->at + seen, stop, there - seen);
        if (found)
            return found;
        seen = there;
        if (!window_more(w))
            return NULL;
    }
}

static void lex_brace(Window *w, PgnToken *t, Message *why)
{
    const char *close = find_ahead(w, '}');
    if (has_event_line(w->at, close ? close : w->end) || (!close && w->ended)) {
        broken(t, why, "unterminated comment");
        return;
    }
    if (!close) {
        broken(t, why, "comment longer than 1 MiB");
        return;
    }
    t->kind = PGN_TOKEN_COMMENT;
    t->text = (Span){w->at + 1, (size_t)(close - w->at) - 1};
    w->at = close + 1;
}

static void lex_semicolon(Window *w, PgnToken *t, Message *why)
{
    const char *close = find_ahead(w, '\n');
    if (!close && !w->ended) {
        broken(t, why, "comment longer than 1 MiB");
        return;
    }
    if (!close)
        close = w->end;
    t->kind = PGN_TOKEN_COMMENT;
    t->text = (Span){w->at + 1, (size_t)(close - w->at) - 1};
    w->at = close;
}

/* An escape line; it may have any length. */
static void skip_line(Window *w)
{
    for (;;) {
        const char *feed = memchr(w->at, '\n', (size_t)(w->end - w->at));
        w->at = feed ? feed : w->end;
        if (feed || !window_more(w))
            return;
    }
}

/* -- Tags -- */

static bool in_tag_name(char c)
{
    return class_of[(unsigned char)c] == CHAR_LETTER || class_of[(unsigned char)c] == CHAR_DIGIT ||
           c == '_' || c == '-' || c == '+';
}

/* The value ends at the quote before the bracket: other quotes are often not escaped. */
static const char *find_value_end(const char *c, const char *end)
{
    for (; c < end && *c != '\n' && *c != '\r'; c++) {
        if (*c == '\\' && c + 1 < end && (c[1] == '"' || c[1] == '\\'))
            c++;
        else if (*c == '"' && *skip_blanks(c + 1) == ']')
            return c;
    }
    return NULL;
}

/* A tag pair at `at`; false: it is not complete (yet). */
static bool scan_tag(const Window *w, PgnToken *t, const char **behind)
{
    const char *name = skip_blanks(w->at + 1), *c = name;
    while (in_tag_name(*c))
        c++;
    t->text = (Span){name, (size_t)(c - name)};
    c = skip_blanks(c);
    if (!t->text.len || *c != '"')
        return false;
    const char *quote = find_value_end(c + 1, w->end);
    if (!quote)
        return false;
    t->value = (Span){c + 1, (size_t)(quote - c) - 1};
    *behind = skip_blanks(quote + 1) + 1;
    return true;
}

/* True when reading more may complete the tag: no line end yet, and not too long. */
static bool tag_could_grow(Window *w)
{
    size_t there = (size_t)(w->end - w->at);
    size_t most = PGN_MAX_NAME + PGN_MAX_VALUE + LOOKAHEAD;
    return there < most && !memchr(w->at, '\n', there) && window_more(w);
}

/* The error in a tag, NULL if none. */
static const char *tag_fault(const Window *w, const PgnToken *t, bool whole)
{
    if (!whole)
        return (size_t)(w->end - w->at) > PGN_MAX_VALUE
                   ? "unterminated tag, or tag longer than 16 KiB"
                   : "malformed tag, expected [Name \"value\"]";
    if (t->text.len > PGN_MAX_NAME)
        return "tag name longer than 255 bytes";
    return t->value.len > PGN_MAX_VALUE ? "tag value longer than 16 KiB" : NULL;
}

static void lex_tag(Window *w, PgnToken *t, Message *why)
{
    const char *behind = NULL;
    bool whole;
    while (!(whole = scan_tag(w, t, &behind)) && tag_could_grow(w)) {
    }
    const char *fault = tag_fault(w, t, whole);
    if (fault) {
        broken(t, why, fault);
        return;
    }
    t->kind = PGN_TOKEN_TAG;
    w->at = behind;
}

/* -- Words -- */

/* "e.p." is the only word that contains dots. */
static const char *word_end(const char *c)
{
    while (in_word[(unsigned char)*c])
        c++;
    if (*c == '.' && c[-1] == 'e' && c[1] == 'p')
        c += c[2] == '.' ? 3 : 2;
    return c;
}

/* Sets the token if the word is a glyph; ignored marks are skipped. */
static bool take_glyph(PgnToken *t, Span word, bool *passed)
{
    int nag;
    if (!pgn_glyph_find(word, &nag))
        return false;
    *passed = nag < 0;
    t->kind = PGN_TOKEN_NAG;
    t->number = nag;
    return true;
}

/* Cheap test: moves end with a digit, a capital or a sign. */
static bool may_be_mark(Span word)
{
    char last = word.at[word.len - 1];
    return word.len == 1 || last == '.' || (last >= 'a' && last <= 'z');
}

/* A word that starts with a letter: mostly a move. True: it is a token. */
static bool lex_word(Window *w, PgnToken *t)
{
    const char *end = pgn_glyph_start(w->at, word_end(w->at));
    Span word = {w->at, (size_t)(end - w->at)};
    bool passed = false;
    w->at = end;
    if (may_be_mark(word) && take_glyph(t, word, &passed))
        return !passed;
    t->kind = PGN_TOKEN_MOVE;
    t->text = word;
    Result result;
    if ((unsigned char)word.at[0] >= 0x80 && result_read(word, &result)) {
        t->kind = PGN_TOKEN_RESULT;
        t->number = result;
    }
    return true;
}

/* Digits start a move number, a result, or castling with zeros. True: it is a token. */
static bool lex_digit(Window *w, PgnToken *t)
{
    const char *end = skip_digits(w->at);
    if (*end != '-' && *end != '/') {
        w->at = end;
        return false;
    }
    end = word_end(w->at);
    t->kind = PGN_TOKEN_MOVE;
    t->text = (Span){w->at, (size_t)(end - w->at)};
    w->at = end;
    Result result;
    if (result_read(t->text, &result)) {
        t->kind = PGN_TOKEN_RESULT;
        t->number = result;
    }
    return true;
}

static bool lex_sign(Window *w, PgnToken *t)
{
    const char *end = w->at;
    while (class_at(end) == CHAR_SIGN)
        end++;
    Span word = {w->at, (size_t)(end - w->at)};
    bool passed = false;
    w->at = end;
    if (take_glyph(t, word, &passed))
        return !passed;
    t->kind = PGN_TOKEN_MOVE;
    t->text = word;
    return true;
}

static void lex_dollar(Window *w, PgnToken *t, Message *why)
{
    const char *end = skip_digits(w->at + 1);
    int64_t number;
    if (!span_to_int64((Span){w->at + 1, (size_t)(end - w->at) - 1}, 0, 255, &number)) {
        broken(t, why, "'$' without a number from 0 to 255");
        return;
    }
    t->kind = PGN_TOKEN_NAG;
    t->number = (int)number;
    w->at = end;
}

/* "(=)" after a move is a draw offer, not a variation. */
static bool lex_open(Window *w, PgnToken *t)
{
    bool offer = w->at[1] == '=' && w->at[2] == ')';
    w->at += offer ? 3 : 1;
    t->kind = PGN_TOKEN_OPEN;
    return !offer;
}

static void unexpected(Window *w, PgnToken *t, Message *why)
{
    unsigned char c = (unsigned char)*w->at;
    t->kind = PGN_TOKEN_BROKEN;
    if (c > ' ' && c < 127)
        status_fail(why, STATUS_INVALID, "unexpected '%c'", c);
    else
        status_fail(why, STATUS_INVALID, "unexpected byte %d", c);
}

/* One step at `at`. True: a token; false: something was skipped. */
static bool step(Window *w, PgnToken *t, Message *why)
{
    switch (class_at(w->at)) {
    case CHAR_BLANK:
    case CHAR_DOT:
        w->at++;
        return false;
    case CHAR_LETTER:
        return lex_word(w, t);
    case CHAR_DIGIT:
        return lex_digit(w, t);
    case CHAR_SIGN:
        return lex_sign(w, t);
    case CHAR_BRACE:
        lex_brace(w, t, why);
        return true;
    case CHAR_SEMICOLON:
        lex_semicolon(w, t, why);
        return true;
    case CHAR_DOLLAR:
        lex_dollar(w, t, why);
        return true;
    case CHAR_OPEN:
        return lex_open(w, t);
    case CHAR_CLOSE:
        t->kind = PGN_TOKEN_CLOSE;
        w->at++;
        return true;
    case CHAR_STAR:
        t->kind = PGN_TOKEN_RESULT;
        t->number = RESULT_NONE;
        w->at++;
        return true;
    case CHAR_BRACKET:
        lex_tag(w, t, why);
        return true;
    case CHAR_PERCENT:
        if (at_line_start(w)) {
            skip_line(w);
            return false;
        }
        break;
    case CHAR_ZERO:
        if (w->at == w->end) {
            t->kind = PGN_TOKEN_END;
            return true;
        }
        break;
    case CHAR_OTHER:
        break;
    }
    unexpected(w, t, why);
    return true;
}

size_t pgn_lexer_next(Window *w, PgnToken *t, Message *why)
{
    t->kind = PGN_TOKEN_END;
    for (;;) {
        window_need(w, LOOKAHEAD);
        while (class_at(w->at) <= CHAR_DOT)
            w->at++;
        if (w->end - w->at < LOOKAHEAD && !w->ended)
            continue;
        uint64_t begin = window_offset(w);
        if (step(w, t, why))
            return (size_t)(window_offset(w) - begin);
    }
}

/* -- Finding the next game -- */

/* Moves to the next line; false at the end of the file. */
static bool next_line(Window *w)
{
    skip_line(w);
    if (w->at == w->end)
        return false;
    w->at++;
    window_need(w, LOOKAHEAD);
    return true;
}

/* "[Name " and a quote; comment commands ("[%clk") do not count. */
static bool is_tag_line(const Window *w)
{
    const char *c = w->at;
    if (*c != '[')
        return false;
    for (c++; in_tag_name(*c) && c - w->at < LOOKAHEAD; c++) {
    }
    return c - w->at > 1 && *skip_blanks(c) == '"';
}

void pgn_lexer_skip_game(Window *w, bool in_tags)
{
    while (next_line(w)) {
        if (is_tag_line(w)) {
            if (!in_tags || strncmp(w->at, "[Event ", 7) == 0)
                return;
        } else if (*w->at != '[' && class_at(w->at) != CHAR_BLANK && w->at != w->end) {
            in_tags = false;
        }
    }
}
