#include "notation/epd.h"

#include "chess/fen.h"
#include "chess/san.h"
#include "chess/setup.h"

#include <inttypes.h>
#include <string.h>

/* The type of the operands of an operation. */
typedef enum Kind {
    KIND_ANY,
    KIND_MOVES, /* legal in the position, one or more */
    KIND_MOVE,  /* exactly one */
    KIND_LINE,  /* legal in sequence */
    KIND_NUMBER,
    KIND_TEXT, /* a string; unquoted words are joined */
    KIND_NONE
} Kind;

typedef struct KindRow {
    const char *opcodes;
    Kind kind;
    int64_t min, max; /* of a number */
} KindRow;

static const KindRow kinds[] = {
    {"bm am", KIND_MOVES, 0, 0},
    {"sm pm rm", KIND_MOVE, 0, 0},
    {"pv", KIND_LINE, 0, 0},
    {"acd", KIND_NUMBER, 0, INT32_MAX},
    {"acn acs", KIND_NUMBER, 0, INT64_MAX},
    {"ce", KIND_NUMBER, INT32_MIN, INT32_MAX},
    {"dm", KIND_NUMBER, 0, 10000},
    {"hmvc", KIND_NUMBER, 0, SETUP_HALFMOVES_MAX},
    {"fmvn", KIND_NUMBER, 1, SETUP_FULLMOVE_MAX},
    {"rc", KIND_NUMBER, 0, 1000000},
    {"id eco nic c0 c1 c2 c3 c4 c5 c6 c7 c8 c9", KIND_TEXT, 0, 0},
    {"v0 v1 v2 v3 v4 v5 v6 v7 v8 v9", KIND_TEXT, 0, 0},
    {"draw_accept draw_claim draw_offer draw_reject resign", KIND_NONE, 0, 0},
    {"", KIND_ANY, 0, 0}, /* noop, and what is not known */
};

static KindRow find_kind(const char *opcode)
{
    const KindRow *row = kinds;
    for (; row->kind != KIND_ANY; row++) {
        Span rest = span_of(row->opcodes), word;
        while (span_next_word(&rest, &word))
            if (span_is(word, opcode))
                return *row;
    }
    return *row;
}

/* -- Creating -- */

static void clear(Epd *e)
{
    pos_set_start(&e->position);
    e->operation_count = e->operand_count = 0;
    text_clear(&e->text);
}

void epd_init(Epd *e)
{
    text_init(&e->text);
    clear(e);
}

void epd_free(Epd *e)
{
    text_free(&e->text);
    clear(e);
}

/* -- Queries -- */

const EpdOperation *epd_find(const Epd *e, const char *opcode)
{
    for (int i = 0; i < e->operation_count; i++)
        if (strcmp(e->operations[i].opcode, opcode) == 0)
            return &e->operations[i];
    return NULL;
}

Span epd_operand(const Epd *e, const EpdOperation *o, int i)
{
    const EpdOperand *operand = &e->operands[o->first + i];
    return (Span){e->text.at + operand->at, operand->len};
}

bool epd_number(const Epd *e, const char *opcode, int64_t *out)
{
    const EpdOperation *o = epd_find(e, opcode);
    return o && o->count == 1 && span_to_int64(epd_operand(e, o, 0), INT64_MIN, INT64_MAX, out);
}

int epd_moves(const Epd *e, const char *opcode, Move *out, int max)
{
    const EpdOperation *o = epd_find(e, opcode);
    Kind kind = find_kind(opcode).kind;
    Position p = e->position;
    Undo undo;
    int count = 0;
    if (!o || (kind != KIND_MOVES && kind != KIND_MOVE && kind != KIND_LINE))
        return 0;
    while (count < o->count && count < max) {
        if (san_read(&p, epd_operand(e, o, count), &out[count], NULL) != STATUS_OK)
            return count;
        if (kind == KIND_LINE)
            pos_play(&p, out[count], &undo);
        count++;
    }
    return count;
}

/* -- Checking operands -- */

/* Lost memory makes operands shorter here, and is noticed at the end of the line. */
static EpdOperand add_text(Epd *e, Span text, bool quoted)
{
    EpdOperand added = {.at = e->text.len, .quoted = quoted};
    text_add(&e->text, text.at, text.len);
    added.len = e->text.len - added.at;
    return added;
}

/* Every operand must be a move; it is stored in exact SAN. */
static Status check_moves(Epd *e, const EpdOperation *o, bool is_line, Message *why)
{
    Position p = e->position;
    for (int i = 0; i < o->count; i++) {
        Move m;
        Undo undo;
        char san[SAN_SIZE];
        Status s = san_read(&p, epd_operand(e, o, i), &m, why);
        if (s != STATUS_OK)
            return s;
        san_write(&p, m, san);
        e->operands[o->first + i] = add_text(e, span_of(san), false);
        if (is_line)
            pos_play(&p, m, &undo);
    }
    return STATUS_OK;
}

static Status check_number(Epd *e, const EpdOperation *o, const KindRow *row, Message *why)
{
    Span text = epd_operand(e, o, 0);
    int64_t value;
    if (!span_to_int64(text, row->min, row->max, &value))
        return status_fail(why, STATUS_INVALID,
                           "expected a number from %" PRId64 " to %" PRId64 ", not '%.*s'",
                           row->min, row->max, text.len > 40 ? 40 : (int)text.len, text.at);
    if (strcmp(o->opcode, "hmvc") == 0)
        e->position.st.rule50 = (uint16_t)value;
    else if (strcmp(o->opcode, "fmvn") == 0)
        e->position.game_ply = 2 * ((uint32_t)value - 1) + (e->position.side == BLACK);
    return STATUS_OK;
}

static Status check_count(const EpdOperation *o, Kind kind, Message *why)
{
    bool one = kind == KIND_MOVE || kind == KIND_NUMBER;
    bool some = kind == KIND_MOVES || kind == KIND_LINE;
    if (one && o->count != 1)
        return status_fail(why, STATUS_INVALID, "expected one operand, not %d", o->count);
    if (some && o->count == 0)
        return status_fail(why, STATUS_INVALID, "expected a move");
    if (kind == KIND_TEXT && o->count == 0)
        return status_fail(why, STATUS_INVALID, "expected a string");
    if (kind == KIND_NONE && o->count)
        return status_fail(why, STATUS_INVALID, "expected no operand");
    return STATUS_OK;
}

/* Some programs omit the quotes: c0 Alpha - Beta, 2026; */
static Status join_words(Epd *e, EpdOperation *o, Message *why)
{
    EpdOperand joined = {e->text.len, 0, true};
    if (o->count == 1)
        return STATUS_OK;
    for (int i = 0; i < o->count; i++) {
        EpdOperand word = e->operands[o->first + i];
        if (word.quoted)
            return status_fail(why, STATUS_INVALID, "expected one string, not %d", o->count);
        if (i > 0)
            text_add_char(&e->text, ' ');
        for (size_t k = 0; k < word.len; k++)
            text_add_char(&e->text, e->text.at[word.at + k]);
    }
    joined.len = e->text.len - joined.at;
    e->operands[o->first] = joined;
    o->count = 1;
    e->operand_count = o->first + 1;
    return STATUS_OK;
}

static Status check_operation(Epd *e, EpdOperation *o, Message *why)
{
    KindRow row = find_kind(o->opcode);
    Status s = check_count(o, row.kind, why);
    if (s != STATUS_OK)
        return s;
    switch (row.kind) {
    case KIND_MOVES:
    case KIND_MOVE:
        return check_moves(e, o, false, why);
    case KIND_LINE:
        return check_moves(e, o, true, why);
    case KIND_NUMBER:
        return check_number(e, o, &row, why);
    case KIND_TEXT:
        return join_words(e, o, why);
    default:
        return STATUS_OK;
    }
}

/* -- Reading -- */

#define BLANKS " \t\r\n\v\f"

static bool is_one_of(char c, const char *set)
{
    return memchr(set, c, strlen(set)) != NULL;
}

static void skip(Span *rest, const char *set)
{
    while (rest->len && is_one_of(rest->at[0], set))
        rest->at++, rest->len--;
}

/* Cuts off what comes before one of the characters. */
static Span take_until(Span *rest, const char *set)
{
    Span taken = {rest->at, 0};
    while (rest->len && !is_one_of(rest->at[0], set))
        rest->at++, rest->len--, taken.len++;
    return taken;
}

static bool is_opcode(Span word)
{
    for (size_t i = 0; i < word.len; i++) {
        char c = word.at[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '_')))
            return false;
    }
    return word.len > 0 && word.len <= EPD_MAX_OPCODE;
}

static Status read_operand(Epd *e, EpdOperation *o, Span *rest, Message *why)
{
    bool quoted = rest->at[0] == '"';
    rest->at += quoted;
    rest->len -= quoted;
    Span text = take_until(rest, quoted ? "\"" : BLANKS ";\"");
    if (quoted && !rest->len)
        return status_fail(why, STATUS_INVALID, "unterminated string");
    rest->at += quoted;
    rest->len -= quoted;
    if (e->operand_count == EPD_MAX_OPERANDS)
        return status_fail(why, STATUS_INVALID, "more than %d operands on a line",
                           EPD_MAX_OPERANDS);
    e->operands[e->operand_count++] = add_text(e, text, quoted);
    o->count++;
    return STATUS_OK;
}

static Status read_operands(Epd *e, EpdOperation *o, Span *rest, Message *why)
{
    for (;;) {
        skip(rest, BLANKS);
        if (!rest->len || rest->at[0] == ';')
            return STATUS_OK;
        Status s = read_operand(e, o, rest, why);
        if (s != STATUS_OK)
            return s;
    }
}

/* Adds an operation with the operands up to its ';'. */
static Status add_operation(Epd *e, Span opcode, Span *rest, Message *why)
{
    EpdOperation o = {.first = e->operand_count};
    memcpy(o.opcode, opcode.at, opcode.len);
    if (epd_find(e, o.opcode))
        return status_fail(why, STATUS_INVALID, "operation %s: duplicate operation", o.opcode);
    if (e->operation_count == EPD_MAX_OPERATIONS)
        return status_fail(why, STATUS_INVALID, "more than %d operations", EPD_MAX_OPERATIONS);
    Status s = read_operands(e, &o, rest, why);
    if (s == STATUS_OK)
        s = check_operation(e, &o, why);
    if (s != STATUS_OK) {
        message_prefix(why, "operation %s: ", o.opcode);
        return s;
    }
    e->operations[e->operation_count++] = o;
    return STATUS_OK;
}

static Status read_operations(Epd *e, Span rest, Message *why)
{
    for (;;) {
        skip(&rest, BLANKS ";");
        if (!rest.len)
            return STATUS_OK;
        Span opcode = take_until(&rest, BLANKS ";");
        if (!is_opcode(opcode))
            return status_fail(why, STATUS_INVALID, "'%.*s' is not an operation",
                               opcode.len > 40 ? 40 : (int)opcode.len, opcode.at);
        Status s = add_operation(e, opcode, &rest, why);
        if (s != STATUS_OK)
            return s;
    }
}

/* The counters of a FEN become the operations hmvc and fmvn. */
static Status read_counters(Epd *e, Span *rest, Message *why)
{
    static const char *const opcodes[] = {"hmvc", "fmvn"};
    for (int i = 0; i < 2; i++) {
        skip(rest, BLANKS);
        if (!rest->len || rest->at[0] < '0' || rest->at[0] > '9')
            return STATUS_OK;
        Span word = take_until(rest, BLANKS ";");
        /* Move number 0 is wrong but common. */
        if (i == 1 && span_is(word, "0"))
            word = span_of("1");
        Status s = add_operation(e, span_of(opcodes[i]), &word, why);
        if (s != STATUS_OK)
            return s;
    }
    return STATUS_OK;
}

static Status read_line(Epd *e, Span line, bool chess960, Message *why)
{
    if (line.len > EPD_MAX_LINE)
        return status_fail(why, STATUS_INVALID, "line longer than %d bytes", EPD_MAX_LINE);
    Span rest;
    Status s = fen_parse_epd(&e->position, line, chess960, &rest, why);
    if (s == STATUS_OK)
        s = read_counters(e, &rest, why);
    if (s == STATUS_OK)
        s = read_operations(e, rest, why);
    if (s == STATUS_OK && e->text.failed)
        s = status_fail(why, STATUS_MEMORY, "not enough memory");
    return s;
}

Status epd_read(Epd *e, Span line, bool chess960, Message *why)
{
    clear(e);
    Status s = read_line(e, line, chess960, why);
    if (s != STATUS_OK)
        clear(e);
    return s;
}
