/* Reads one game at a time: tags, then a loop over the tokens of the moves. The current line is a
 * path of moves with their undo records; a variation takes the last move back, plays its moves,
 * takes them back and makes the first move again. There is no recursion, however deep the file
 * nests. */
#include "notation/pgn_reader.h"

#include "chess/fen.h"
#include "chess/san.h"
#include "notation/pgn_lexer_int.h"
#include "notation/pgn_value_int.h"

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

enum { LONGEST_FEN = 255, LONGEST_VARIANT = 63, USUAL_PLIES = 512 };

struct PgnReader {
    Window window;
    char *name;
    const PgnVisitor *visitor;
    Message *why;
    uint64_t line;
    Text text; /* buffer for tags and comments in UTF-8 */

    Position position, start; /* start: of standard chess, for copying */
    PgnPly *path;
    uint32_t plies, room, base;
    PgnVariationFrame *frames;
    int depth;

    /* From the tags. */
    char fen[LONGEST_FEN + 1], variant[LONGEST_VARIANT + 1];
    PgnVariant variant_kind;
    bool has_event, has_fen, ignores_fen;
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
    r->room = USUAL_PLIES;
    r->path = malloc(r->room * sizeof *r->path);
    r->frames = malloc(PGN_MAX_DEPTH * sizeof *r->frames);
    if (!r->name || !r->path || !r->frames)
        return status_fail(why, STATUS_MEMORY, "not enough memory to read %s", name);
    return STATUS_OK;
}

static Status reader_opened(PgnReader **r, Status s)
{
    if (s != STATUS_OK) {
        pgn_close(*r);
        *r = NULL;
    }
    return s;
}

Status pgn_open_stoppable(PgnReader **r, const char *path, const atomic_bool *stop, Message *why)
{
    Status s = reader_new(r, path, why);
    if (s == STATUS_OK)
        s = window_open(&(*r)->window, path, stop, why);
    return reader_opened(r, s);
}

Status pgn_open(PgnReader **r, const char *path, Message *why)
{
    return pgn_open_stoppable(r, path, NULL, why);
}

Status pgn_open_text(PgnReader **r, const char *name, Span text, Message *why)
{
    Status s = reader_new(r, name, why);
    if (s == STATUS_OK)
        s = window_open_text(&(*r)->window, text, why);
    return reader_opened(r, s);
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
        r->variant_kind = pgn_variant(value);
    } else if (span_is(name, "Result")) {
        result_read(value, &r->result);
    }
}

static Status read_tag(PgnReader *r, const PgnToken *t)
{
    note_tag(r, t->text, t->value);
    const PgnVisitor *v = r->visitor;
    if (!v->tag)
        return STATUS_OK;
    Span value = t->value;
    Status s = pgn_value_decode(&r->text, &value, r->why);
    if (s == STATUS_OK)
        v->tag(v->user, t->text, value);
    return s;
}

/* Sets up the start position after the tags. */
static Status set_start(PgnReader *r)
{
    if (r->variant_kind == PGN_VARIANT_UNKNOWN)
        return status_fail(r->why, STATUS_INVALID, "unknown variant '%s'", r->variant);
    bool chess960 = r->variant_kind == PGN_VARIANT_CHESS960;
    if (r->has_fen && !r->ignores_fen) {
        Status s = fen_parse(&r->position, span_of(r->fen), chess960, r->why);
        if (s != STATUS_OK) {
            message_prefix(r->why, "FEN tag: ");
            return s;
        }
    } else {
        r->position = r->start;
        r->position.chess960 = chess960;
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
    uint32_t room = r->room * 2 < PGN_MAX_PLIES ? r->room * 2 : PGN_MAX_PLIES;
    PgnPly *longer = realloc(r->path, room * sizeof *longer);
    if (!longer)
        return no_memory(r);
    r->path = longer;
    r->room = room;
    return STATUS_OK;
}

static Status read_move(PgnReader *r, Span text)
{
    Move m;
    Status s = san_read(&r->position, text, &m, r->why);
    if (s == STATUS_OK && r->plies == r->room)
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
    Status s = pgn_text_decode(&r->text, &text, r->why);
    if (s == STATUS_OK)
        r->visitor->comment(r->visitor->user, text);
    return s;
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
        *again = true;
        return end_game(r, r->result);
    case PGN_TOKEN_END:
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
    r->variant_kind = PGN_VARIANT_STANDARD;
    r->has_event = r->has_fen = r->ignores_fen = false;
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
