/* Moves, numbers and glyphs are short: LOOKAHEAD bytes are available before each token, and only
 * comments and tags read more. */
#include "notation/pgn_lexer_int.h"

#include "notation/pgn_reader.h"

#include <string.h>

enum { LOOKAHEAD = 512 };

typedef enum CharClass {
    CHAR_OTHER, /* a token of its own, or not part of any */
    CHAR_BLANK, /* this and the next are skipped between tokens */
    CHAR_DOT,
    CHAR_DIGIT,
    CHAR_LETTER, /* including bytes of UTF-8 and Latin-1 letters */
    CHAR_SIGN    /* glyphs, and signs inside a move */
} CharClass;

/* clang-format off */
static const uint8_t class_of[256] = {
    ['\t'] = CHAR_BLANK, ['\n'] = CHAR_BLANK, ['\v'] = CHAR_BLANK, ['\f'] = CHAR_BLANK,
    ['\r'] = CHAR_BLANK, [' '] = CHAR_BLANK,
    ['.'] = CHAR_DOT,
    ['0' ... '9'] = CHAR_DIGIT,
    ['A' ... 'Z'] = CHAR_LETTER, ['a' ... 'z'] = CHAR_LETTER, ['@'] = CHAR_LETTER,
    [0x80 ... 0xff] = CHAR_LETTER,
    ['!'] = CHAR_SIGN, ['?'] = CHAR_SIGN, ['+'] = CHAR_SIGN, ['-'] = CHAR_SIGN, ['='] = CHAR_SIGN,
    ['#'] = CHAR_SIGN, ['/'] = CHAR_SIGN, ['~'] = CHAR_SIGN,
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

/* Makes a token that ends the game. */
static bool broken(PgnToken *t, Message *why, const char *text)
{
    status_fail(why, STATUS_INVALID, "%s", text);
    t->kind = PGN_TOKEN_BROKEN;
    return true;
}

/* Makes a token of everything up to `end`. */
static bool take(Window *w, PgnToken *t, PgnTokenKind kind, const char *end)
{
    t->kind = kind;
    t->text = (Span){w->at, (size_t)(end - w->at)};
    w->at = end;
    return true;
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

/* Makes a comment of what follows up to `close`. */
static bool take_comment(Window *w, PgnToken *t, const char *close)
{
    w->at++;
    return take(w, t, PGN_TOKEN_COMMENT, close);
}

static bool lex_brace(Window *w, PgnToken *t, Message *why)
{
    const char *close = find_ahead(w, '}');
    if (has_event_line(w->at, close ? close : w->end) || (!close && w->ended))
        return broken(t, why, "unterminated comment");
    if (!close)
        return broken(t, why, "comment longer than 1 MiB");
    take_comment(w, t, close);
    w->at++;
    return true;
}

static bool lex_semicolon(Window *w, PgnToken *t, Message *why)
{
    const char *close = find_ahead(w, '\n');
    if (!close && !w->ended)
        return broken(t, why, "comment longer than 1 MiB");
    return take_comment(w, t, close ? close : w->end);
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

static bool lex_tag(Window *w, PgnToken *t, Message *why)
{
    const char *behind = NULL;
    bool whole;
    while (!(whole = scan_tag(w, t, &behind)) && tag_could_grow(w)) {
    }
    const char *fault = tag_fault(w, t, whole);
    if (fault)
        return broken(t, why, fault);
    t->kind = PGN_TOKEN_TAG;
    w->at = behind;
    return true;
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

/* Annotation glyphs written as text; -1: ignored. */
static const struct {
    const char *text;
    int nag;
} glyphs[] = {
    {"!", 1},    {"?", 2},    {"!!", 3},  {"??", 4},    {"!?", 5},  {"?!", 6},
    {"=", 10},   {"~", 13},   {"+=", 14}, {"+/=", 14},  {"=+", 15}, {"=/+", 15},
    {"+/-", 16}, {"-/+", 17}, {"+-", 18}, {"-+", 19},   {"N", 146}, {"+", -1},
    {"++", -1},  {"#", -1},   {"ep", -1}, {"e.p.", -1}, {"ch", -1}, {"mate", -1},
};

/* Turns a move into a glyph if it is one. */
static bool take_glyph(PgnToken *t)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
        if (span_is(t->text, glyphs[i].text)) {
            t->kind = PGN_TOKEN_NAG;
            t->number = glyphs[i].nag;
            return true;
        }
    }
    return false;
}

/* The start of a glyph at the end of a move ("Nf3+-", "Nf3+/-"), or `end`. A check sign is not one.
 * */
static const char *glyph_start(const char *word, const char *end)
{
    char last = end[-1];
    if ((last != '-' && last != '+' && last != '=') || end - word < 4)
        return end;
    if (end[-2] == '/')
        return end - 3;
    return (last == '-' && end[-2] == '+') || (last == '+' && end[-2] == '-') ? end - 2 : end;
}

/* Cheap test: moves end with a digit, a capital or a sign. */
static bool may_be_mark(Span word)
{
    char last = word.at[word.len - 1];
    return word.len == 1 || last == '.' || (last >= 'a' && last <= 'z');
}

/* Turns a move into a result if it is one. */
static void take_result(PgnToken *t)
{
    Result result;
    if (result_read(t->text, &result)) {
        t->kind = PGN_TOKEN_RESULT;
        t->number = result;
    }
}

/* A word that starts with a letter: mostly a move. True: it is a token. */
static bool lex_word(Window *w, PgnToken *t)
{
    take(w, t, PGN_TOKEN_MOVE, glyph_start(w->at, word_end(w->at)));
    if (may_be_mark(t->text) && take_glyph(t))
        return t->number >= 0;
    if ((unsigned char)t->text.at[0] >= 0x80)
        take_result(t);
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
    take(w, t, PGN_TOKEN_MOVE, word_end(w->at));
    take_result(t);
    return true;
}

static bool lex_sign(Window *w, PgnToken *t)
{
    const char *end = w->at;
    while (class_at(end) == CHAR_SIGN)
        end++;
    take(w, t, PGN_TOKEN_MOVE, end);
    return !take_glyph(t) || t->number >= 0;
}

static bool lex_dollar(Window *w, PgnToken *t, Message *why)
{
    const char *end = skip_digits(w->at + 1);
    int64_t number;
    if (!span_to_int64((Span){w->at + 1, (size_t)(end - w->at) - 1}, 0, 255, &number))
        return broken(t, why, "'$' without a number from 0 to 255");
    t->number = (int)number;
    return take(w, t, PGN_TOKEN_NAG, end);
}

/* "(=)" after a move is a draw offer, not a variation. */
static bool lex_open(Window *w, PgnToken *t)
{
    bool offer = w->at[1] == '=' && w->at[2] == ')';
    w->at += offer ? 3 : 1;
    t->kind = PGN_TOKEN_OPEN;
    return !offer;
}

static bool unexpected(const Window *w, PgnToken *t, Message *why)
{
    unsigned char c = (unsigned char)*w->at;
    t->kind = PGN_TOKEN_BROKEN;
    if (c > ' ' && c < 127)
        status_fail(why, STATUS_INVALID, "unexpected '%c'", c);
    else
        status_fail(why, STATUS_INVALID, "unexpected byte %d", c);
    return true;
}

/* A character that is a token of its own, or none. */
static bool lex_other(Window *w, PgnToken *t, Message *why)
{
    switch (*w->at) {
    case '{':
        return lex_brace(w, t, why);
    case ';':
        return lex_semicolon(w, t, why);
    case '$':
        return lex_dollar(w, t, why);
    case '(':
        return lex_open(w, t);
    case ')':
        return take(w, t, PGN_TOKEN_CLOSE, w->at + 1);
    case '*':
        t->number = RESULT_NONE;
        return take(w, t, PGN_TOKEN_RESULT, w->at + 1);
    case '[':
        return lex_tag(w, t, why);
    case '%':
        if (!at_line_start(w))
            break;
        skip_line(w);
        return false;
    case '\0':
        if (w->at != w->end)
            break;
        return take(w, t, PGN_TOKEN_END, w->at);
    default:
        break;
    }
    return unexpected(w, t, why);
}

/* One step at `at`. True: a token; false: something was skipped. */
static bool step(Window *w, PgnToken *t, Message *why)
{
    switch (class_at(w->at)) {
    case CHAR_LETTER:
        return lex_word(w, t);
    case CHAR_DIGIT:
        return lex_digit(w, t);
    case CHAR_SIGN:
        return lex_sign(w, t);
    default:
        return lex_other(w, t, why);
    }
}

size_t pgn_lexer_next(Window *w, PgnToken *t, Message *why)
{
    t->kind = PGN_TOKEN_END;
    for (;;) {
        window_need(w, LOOKAHEAD);
        while (class_at(w->at) == CHAR_BLANK || class_at(w->at) == CHAR_DOT)
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
