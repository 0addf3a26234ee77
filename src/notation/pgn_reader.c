/* Reads one game at a time: tags, then a loop over the tokens of the moves. The current line is a
 * path of moves with their undo records; a variation takes the last move back, plays its moves,
 * takes them back and makes the first move again. There is no recursion, however deep the file
 * nests. */
#include "notation/pgn_reader.h"

#include "base/memory.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "notation/encoding.h"
#include "notation/pgn_lexer_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct PgnPly {
    Move move;
    Undo undo;
} PgnPly;

/* The line that a variation interrupts: it starts at `base`, and `instead` was its last move. */
typedef struct PgnVariationFrame {
    uint32_t base;
    Move instead;
} PgnVariationFrame;

enum { LONGEST_FEN = 255, LONGEST_VARIANT = 63 };

struct PgnReader {
    Window window;
    char *name;
    const PgnVisitor *visitor;
    Message *why;
    uint64_t line;
    Text text; /* buffer for tags and comments in UTF-8 */

    Position position, start; /* start: of standard chess, for copying */
    PgnPly *path;
    size_t room;
    uint32_t plies, base;
    PgnVariationFrame *frames;
    int depth;

    /* From the tags. */
    char fen[LONGEST_FEN + 1], variant[LONGEST_VARIANT + 1];
    bool has_event, has_fen, ignores_fen, unknown_variant, chess960;
    bool is_preamble; /* only comments so far: text between games belongs to none */
    Result result;
};

/* -- Opening and closing -- */

static Status reader_new(PgnReader **out, const char *name, Message *why)
{
    PgnReader *r = calloc(1, sizeof *r);
    *out = r;
    if (!r)
        return status_fail(why, STATUS_MEMORY, "not enough memory to read %s", name);
    r->window.fd = -1;
    text_init(&r->text);
    pos_set_start(&r->start);
    r->name = strdup(name);
    r->frames = malloc(PGN_MAX_DEPTH * sizeof *r->frames);
    if (!r->name || !r->frames)
        return status_fail(why, STATUS_MEMORY, "not enough memory to read %s", name);
    return STATUS_OK;
}

Status pgn_open(PgnReader **out, const char *path, const atomic_bool *stop, Message *why)
{
    PgnReader *r;
    *out = NULL;
    Status s = reader_new(&r, path, why);
    if (s == STATUS_OK)
        s = window_open(&r->window, path, stop, why);
    return GIVE_OR_CLOSE(s, out, r, pgn_close);
}

Status pgn_open_text(PgnReader **out, const char *name, Span text, Message *why)
{
    PgnReader *r;
    *out = NULL;
    Status s = reader_new(&r, name, why);
    if (s == STATUS_OK)
        s = window_open_text(&r->window, text, why);
    return GIVE_OR_CLOSE(s, out, r, pgn_close);
}

void pgn_close(PgnReader *r)
{
    if (!r)
        return;
    window_close(&r->window);
    text_free(&r->text);
    free(r->name);
    free(r->path);
    free(r->frames);
    free(r);
}

uint64_t pgn_offset(const PgnReader *r)
{
    return window_offset(&r->window);
}

uint64_t pgn_line(const PgnReader *r)
{
    return r->line;
}

const char *pgn_name(const PgnReader *r)
{
    return r->name;
}

static Status no_memory(PgnReader *r)
{
    return status_fail(r->why, STATUS_MEMORY, "not enough memory");
}

/* -- Tags -- */

/* Compares without case, blanks and punctuation. */
static bool variant_is(Span value, Span letters)
{
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.at[i];
        if (c >= 'A' && c <= 'Z')
            c = (unsigned char)(c - 'A' + 'a');
        if (c < 0x80 && (c < 'a' || c > 'z') && (c < '0' || c > '9'))
            continue;
        if (!letters.len || c != (unsigned char)*letters.at++)
            return false;
        letters.len--;
    }
    return !letters.len;
}

static bool variant_is_among(Span value, const char *names)
{
    Span rest = span_of(names), name;
    while (span_next_word(&rest, &name))
        if (variant_is(value, name))
            return true;
    return false;
}

/* Both kinds have several names. */
static void read_variant(PgnReader *r, Span value)
{
    r->chess960 = variant_is_among(
        value, "chess960 960 frc dfrc fischerandom fischerrandom fischerandomchess "
               "fischerrandomchess doublefischerandom");
    r->unknown_variant = !r->chess960 && !variant_is(value, span_of("")) &&
                         !variant_is_among(value, "standard normal chess fromposition");
}

/* Control characters become blanks: a zero would hide the rest. */
static void copy_text(char *into, size_t longest, Span s)
{
    size_t len = s.len < longest ? s.len : longest;
    for (size_t i = 0; i < len; i++)
        into[i] = (unsigned char)s.at[i] < ' ' ? ' ' : s.at[i];
    into[len] = '\0';
}

/* Stores the tags that the reader needs. */
static void note_tag(PgnReader *r, Span name, Span value)
{
    if (span_is(name, "Event")) {
        r->has_event = true;
    } else if (span_is(name, "FEN")) {
        copy_text(r->fen, LONGEST_FEN, value);
        r->has_fen = true;
    } else if (span_is(name, "SetUp")) {
        r->ignores_fen = span_is(value, "0");
    } else if (span_is(name, "Variant")) {
        copy_text(r->variant, LONGEST_VARIANT, value);
        read_variant(r, value);
    } else if (span_is(name, "Result")) {
        result_read(value, &r->result);
    }
}

/* As encoding_to_utf8, of a tag value, in which a backslash escapes a quote or a backslash. */
static bool decode_value(Text *buffer, Span *s)
{
    if (!memchr(s->at, '\\', s->len))
        return encoding_to_utf8(buffer, s);
    bool utf8 = encoding_is_utf8(*s);
    text_clear(buffer);
    for (size_t i = 0; i < s->len; i++) {
        if (s->at[i] == '\\' && i + 1 < s->len && (s->at[i + 1] == '"' || s->at[i + 1] == '\\'))
            i++;
        if (utf8)
            text_add_char(buffer, s->at[i]);
        else
            encoding_add_utf8(buffer, (Span){s->at + i, 1});
    }
    *s = (Span){buffer->at, buffer->len};
    return !buffer->failed;
}

static Status read_tag(PgnReader *r, const PgnToken *t)
{
    note_tag(r, t->text, t->value);
    const PgnVisitor *v = r->visitor;
    if (!v->tag)
        return STATUS_OK;
    Span value = t->value;
    if (!decode_value(&r->text, &value))
        return no_memory(r);
    v->tag(v->user, t->text, value);
    return STATUS_OK;
}

/* Sets up the start position after the tags. */
static Status set_start(PgnReader *r)
{
    if (r->unknown_variant)
        return status_fail(r->why, STATUS_INVALID, "unknown variant '%s'", r->variant);
    if (r->has_fen && !r->ignores_fen) {
        Status s = fen_parse(&r->position, span_of(r->fen), r->chess960, r->why);
        if (s != STATUS_OK) {
            message_prefix(r->why, "FEN tag: ");
            return s;
        }
    } else {
        r->position = r->start;
        r->position.chess960 = r->chess960;
    }
    if (r->visitor->start)
        r->visitor->start(r->visitor->user, &r->position);
    return STATUS_OK;
}

/* -- Moves -- */

/* Makes room for another move. */
static Status lengthen_path(PgnReader *r)
{
    if (r->plies == PGN_MAX_PLIES)
        return status_fail(r->why, STATUS_INVALID, "line of more than %d moves", PGN_MAX_PLIES);
    return memory_grow(&r->path, sizeof *r->path, r->plies, &r->room) ? STATUS_OK : no_memory(r);
}

static Status read_move(PgnReader *r, Span text)
{
    Move m;
    Status s = san_read(&r->position, text, &m, r->why);
    if (s == STATUS_OK)
        s = lengthen_path(r);
    if (s != STATUS_OK)
        return s;
    const PgnVisitor *v = r->visitor;
    if (v->move)
        v->move(v->user, &r->position, m, r->depth);
    PgnPly *step = &r->path[r->plies++];
    step->move = m;
    pos_play(&r->position, m, &step->undo);
    if (v->moved)
        v->moved(v->user, &r->position, m, r->depth);
    return STATUS_OK;
}

static Move take_back(PgnReader *r)
{
    const PgnPly *step = &r->path[--r->plies];
    pos_take_back(&r->position, step->move, &step->undo);
    return step->move;
}

static Status open_variation(PgnReader *r)
{
    if (r->plies == r->base)
        return status_fail(r->why, STATUS_INVALID, "variation without a preceding move");
    if (r->depth == PGN_MAX_DEPTH)
        return status_fail(r->why, STATUS_INVALID, "variations nested more than %d deep",
                           PGN_MAX_DEPTH);
    Move instead = take_back(r);
    r->frames[r->depth++] = (PgnVariationFrame){r->base, instead};
    r->base = r->plies;
    if (r->visitor->open)
        r->visitor->open(r->visitor->user);
    return STATUS_OK;
}

static Status close_variation(PgnReader *r)
{
    if (r->depth == 0)
        return status_fail(r->why, STATUS_INVALID, "')' without '('");
    while (r->plies > r->base)
        take_back(r);
    PgnVariationFrame frame = r->frames[--r->depth];
    r->base = frame.base;
    PgnPly *step = &r->path[r->plies++];
    step->move = frame.instead;
    pos_play(&r->position, step->move, &step->undo);
    if (r->visitor->close)
        r->visitor->close(r->visitor->user);
    return STATUS_OK;
}

static Status read_comment(PgnReader *r, Span text)
{
    if (!r->visitor->comment)
        return STATUS_OK;
    if (!encoding_to_utf8(&r->text, &text))
        return no_memory(r);
    r->visitor->comment(r->visitor->user, text);
    return STATUS_OK;
}

/* -- Games -- */

static Status end_game(PgnReader *r, Result result)
{
    if (r->window.error)
        return status_fail(r->why, STATUS_IO, "%s", strerror(r->window.error));
    if (r->is_preamble)
        return STATUS_END;
    if (r->depth > 0)
        return status_fail(r->why, STATUS_INVALID, "unterminated variation");
    if (r->visitor->end)
        r->visitor->end(r->visitor->user, result);
    return STATUS_END;
}

/* A token of the movetext. STATUS_END: the game is complete; *again: the token belongs to the next
 * game. */
static Status read_token(PgnReader *r, const PgnToken *t, bool *again)
{
    r->is_preamble = r->is_preamble && (t->kind == PGN_TOKEN_COMMENT || t->kind == PGN_TOKEN_TAG ||
                                        t->kind == PGN_TOKEN_END);
    switch (t->kind) {
    case PGN_TOKEN_MOVE:
        return read_move(r, t->text);
    case PGN_TOKEN_COMMENT:
        return read_comment(r, t->text);
    case PGN_TOKEN_OPEN:
        return open_variation(r);
    case PGN_TOKEN_CLOSE:
        return close_variation(r);
    case PGN_TOKEN_NAG:
        if (r->visitor->nag)
            r->visitor->nag(r->visitor->user, t->number);
        return STATUS_OK;
    case PGN_TOKEN_RESULT:
        /* Some programs end variations with a result as well. */
        return r->depth > 0 ? STATUS_OK : end_game(r, (Result)t->number);
    case PGN_TOKEN_TAG:
    case PGN_TOKEN_END:
        *again = t->kind == PGN_TOKEN_TAG;
        return end_game(r, r->result);
    case PGN_TOKEN_BROKEN:
        break;
    }
    return STATUS_INVALID;
}

/* Stores the first token after the tags in *t. */
static Status read_tags(PgnReader *r, PgnToken *t, size_t *back)
{
    while (t->kind == PGN_TOKEN_TAG && !(r->has_event && span_is(t->text, "Event"))) {
        Status s = read_tag(r, t);
        if (s != STATUS_OK)
            return s;
        *back = pgn_lexer_next(&r->window, t, r->why);
    }
    return t->kind == PGN_TOKEN_BROKEN ? STATUS_INVALID : set_start(r);
}

static Status read_game(PgnReader *r, PgnToken *t, size_t *back)
{
    r->is_preamble = t->kind == PGN_TOKEN_COMMENT;
    if (r->visitor->begin)
        r->visitor->begin(r->visitor->user);
    Status s = read_tags(r, t, back);
    bool again = false;
    while (s == STATUS_OK) {
        s = read_token(r, t, &again);
        if (s == STATUS_OK)
            *back = pgn_lexer_next(&r->window, t, r->why);
    }
    if (again && s == STATUS_END)
        r->window.at -= *back;
    return s == STATUS_END ? STATUS_OK : s;
}

static void reset(PgnReader *r)
{
    r->plies = r->base = 0;
    r->depth = 0;
    r->fen[0] = r->variant[0] = '\0';
    r->has_event = r->has_fen = r->ignores_fen = r->unknown_variant = r->chess960 = false;
    r->result = RESULT_NONE;
}

/* Adds the place of the error to the message, and skips to the next game. A tag that ended the game
 * too early belongs to the next one. */
static void leave_broken(PgnReader *r, const PgnToken *t, size_t back, Status s)
{
    Window *w = &r->window;
    if (t->kind != PGN_TOKEN_BROKEN)
        w->at -= back;
    message_prefix(r->why, "%s:%" PRIu64 ": ", r->name, window_line(w));
    if (s == STATUS_INVALID && t->kind != PGN_TOKEN_TAG)
        pgn_lexer_skip_game(w, t->kind == PGN_TOKEN_BROKEN && *w->at == '[' && r->plies == 0);
}

static uint64_t line_before(Window *w, size_t back)
{
    w->at -= back;
    uint64_t line = window_line(w);
    w->at += back;
    return line;
}

Status pgn_next(PgnReader *r, const PgnVisitor *v, Message *why)
{
    Message ignored = {""};
    PgnToken t;
    r->visitor = v;
    r->why = why ? why : &ignored;
    do {
        reset(r);
        size_t back = pgn_lexer_next(&r->window, &t, r->why);
        if (r->window.error)
            return window_status(&r->window, r->name, why);
        if (t.kind == PGN_TOKEN_END)
            return STATUS_END;
        r->line = line_before(&r->window, back);
        Status s = read_game(r, &t, &back);
        if (r->window.error == ECANCELED)
            return window_status(&r->window, r->name, why);
        if (s != STATUS_OK) {
            leave_broken(r, &t, back, s);
            return s;
        }
    } while (r->is_preamble);
    return STATUS_OK;
}
