#include "engine/options.h"

#include "base/memory.h"
#include "engine/opponents.h"

#include "chess/fen.h"
#include "engine/engine_int.h"
#include "levels/level.h"
#include "search/params.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FULL_SKILL = 20, DEFAULT_ELO = 1500 };

/* -- Options with immediate effect -- */

/* The system may overcommit memory and end the process later: never ask for more than exists. */
static bool memory_suffices(int64_t megabytes, int64_t *there)
{
    *there = memory_installed_mb();
    return *there == 0 || megabytes <= *there;
}

static Status apply_hash(Engine *e, Message *why)
{
    int64_t megabytes = engine_number(e, OPTION_HASH), there;
    if (!memory_suffices(megabytes, &there))
        return status_fail(
            why, STATUS_MEMORY,
            "not enough memory for a hash table of %lld MB (machine: %lld MB); keeping the old one",
            (long long)megabytes, (long long)there);
    return search_set_hash(e->pool, (size_t)megabytes, why);
}

static Status apply_threads(Engine *e, Message *why)
{
    return search_set_threads(e->pool, (int)engine_number(e, OPTION_THREADS), why);
}

static Status apply_clear_hash(Engine *e, Message *why)
{
    (void)why;
    search_clear(e->pool);
    return STATUS_OK;
}

/* Castling moves are written, in the present position too, as the option says. */
static Status apply_chess960(Engine *e, Message *why)
{
    char fen[FEN_SIZE];
    Position p;
    Span rest;
    (void)why;
    fen_write(&e->now, FEN_SHREDDER, fen);
    bool chess960 = engine_number(e, OPTION_CHESS960) != 0;
    if (fen_parse_epd(&p, span_of(fen), chess960, &rest, NULL) == STATUS_OK)
        e->now.chess960 = p.chess960;
    return STATUS_OK;
}

/* Puts the summary before what tb_open said of missing directories. */
static void describe_tables(Tablebases *tb, Message *why)
{
    Text summary = text_new();
    tb_describe(tb, &summary);
    if (why->text[0])
        message_prefix(why, "%s; ", summary.at);
    else
        status_fail(why, STATUS_OK, "%s", summary.at);
    text_free(&summary);
}

static Status apply_syzygy_path(Engine *e, Message *why)
{
    const char *path = engine_string(e, OPTION_SYZYGY_PATH);
    Tablebases *tb = NULL;
    if (path[0]) {
        Status s = tb_open(&tb, path, why);
        if (s != STATUS_OK)
            return s;
        describe_tables(tb, why);
    }
    tb_close(e->tb);
    e->tb = tb;
    return STATUS_OK;
}

/* Empty: the default evaluation. On failure the old one stays. */
static Status apply_eval_file(Engine *e, Message *why)
{
    const char *path = engine_string(e, OPTION_EVAL_FILE);
    const Evaluator *evaluator;
    Status s = evaluator_find(&evaluator, path[0] ? path : "default", why);
    if (s != STATUS_OK)
        return s;
    s = search_set_evaluator(e->pool, evaluator, why);
    if (s != STATUS_OK) {
        evaluator_close(evaluator);
        return s;
    }
    search_clear(e->pool); /* its TT holds values of the old evaluation */
    evaluator_close(e->evaluator);
    e->evaluator = evaluator;
    status_fail(why, STATUS_OK, "evaluation: %s", evaluator_name(evaluator));
    return STATUS_OK;
}

/* Empty: the embedded book. On failure the old one stays. */
static Status apply_book_file(Engine *e, Message *why)
{
    Book *book;
    Status s = book_open_named(&book, engine_string(e, OPTION_BOOK_FILE), why);
    if (s != STATUS_OK)
        return s;
    status_fail(why, STATUS_OK, "%zu entries", book_size(book));
    book_close(e->book);
    e->book = book;
    return STATUS_OK;
}

/* -- Who plays -- */

static const char *opponent_name(int index)
{
    const OpponentRow *row = opponents_at(index);
    return row ? row->name : NULL;
}

/* Skill levels are steps on the scale of UCI_Elo; the last one is full strength. */
static int elo_of_skill(int skill)
{
    return LEVEL_MIN_ELO + (LEVEL_MAX_ELO - LEVEL_MIN_ELO) * skill / FULL_SKILL;
}

/* Other opponents play at their own strength. Castellan plays at UCI_Elo when its strength is
 * limited, otherwise at its skill level. */
static Status choose_opponent(Engine *e, Message *why)
{
    const OptionValue *v = e->values;
    OpponentSpec spec = {.row = opponents_at((int)v[OPTION_OPPONENT].number),
                         .settings = v[OPTION_OPPONENT_SETTINGS].text};
    if (!spec.row->ops && v[OPTION_LIMIT_STRENGTH].number)
        spec.elo = (int)v[OPTION_ELO].number;
    else if (!spec.row->ops && v[OPTION_SKILL_LEVEL].number < FULL_SKILL)
        spec.elo = elo_of_skill((int)v[OPTION_SKILL_LEVEL].number);
    return engine_choose_opponent(e, spec, why);
}

/* Settings belong to the opponent that was chosen before them. */
static Status apply_opponent(Engine *e, Message *why)
{
    char *settings = e->values[OPTION_OPPONENT_SETTINGS].text, first = settings[0];
    settings[0] = '\0';
    Status s = choose_opponent(e, why);
    if (s != STATUS_OK)
        settings[0] = first;
    return s;
}

/* A setting may say where games begin. */
static Status apply_opponent_settings(Engine *e, Message *why)
{
    const OpponentRow *row = opponents_at((int)engine_number(e, OPTION_OPPONENT));
    Position start;
    char fen[FEN_SIZE];
    if (engine_string(e, OPTION_OPPONENT_SETTINGS)[0] && !row->ops)
        return status_fail(why, STATUS_INVALID, "%s has no opponent settings", row->name);
    Status s = choose_opponent(e, why);
    if (s != STATUS_OK || !e->opponent || !opponent_start(e->opponent->opponent, &start))
        return s;
    fen_write(&start, FEN_X, fen);
    return engine_set_fen(e, span_of(fen), why);
}

/* The next game begins with it. */
static Status apply_seed(Engine *e, Message *why)
{
    (void)why;
    if (e->opponent)
        opponent_thread_new_game(e->opponent);
    return STATUS_OK;
}

/* -- The table -- */

#define CHECK(default_) .kind = OPTION_CHECK, .initial = (default_), .max = 1
#define SPIN(default_, min_, max_) \
    .kind = OPTION_SPIN, .initial = (default_), .min = (min_), .max = (max_)
#define STRING(default_) .kind = OPTION_STRING, .initial_text = (default_)
#define COMBO(choice_, unknown_) .kind = OPTION_COMBO, .choice = (choice_), .unknown = (unknown_)
#define BUTTON .kind = OPTION_BUTTON
#define AT_REST(apply_) .needs_rest = true, .apply = (apply_)

/* clang-format off */
const OptionRow option_rows[OPTION_COUNT] = {
    [OPTION_THREADS]            = {"Threads", SPIN(1, 1, SEARCH_MAX_THREADS), AT_REST(apply_threads)},
    [OPTION_HASH]               = {"Hash", SPIN(16, 1, 33554432), AT_REST(apply_hash)},
    [OPTION_CLEAR_HASH]         = {"Clear Hash", BUTTON, AT_REST(apply_clear_hash)},
    [OPTION_PONDER]             = {"Ponder", CHECK(false)},
    [OPTION_MULTI_PV]           = {"MultiPV", SPIN(1, 1, SEARCH_MAX_MULTIPV)},
    [OPTION_MOVE_OVERHEAD]      = {"Move Overhead", SPIN(10, 0, 5000)},
    [OPTION_CHESS960]           = {"UCI_Chess960", CHECK(false), .apply = apply_chess960},
    [OPTION_SHOW_WDL]           = {"UCI_ShowWDL", CHECK(false)},
    [OPTION_ANALYSE_MODE]       = {"UCI_AnalyseMode", CHECK(false)},
    [OPTION_OPPONENT_NAME]      = {"UCI_Opponent", STRING("")},
    [OPTION_SYZYGY_PATH]        = {"SyzygyPath", STRING(""), AT_REST(apply_syzygy_path)},
    [OPTION_SYZYGY_PROBE_DEPTH] = {"SyzygyProbeDepth", SPIN(1, 1, 100)},
    [OPTION_SYZYGY_PROBE_LIMIT] = {"SyzygyProbeLimit", SPIN(7, 0, 7)},
    [OPTION_SYZYGY_RULE50]      = {"Syzygy50MoveRule", CHECK(true)},
    [OPTION_EVAL_FILE]          = {"EvalFile", STRING(""), AT_REST(apply_eval_file)},
    [OPTION_OWN_BOOK]           = {"OwnBook", CHECK(false)},
    [OPTION_BOOK_FILE]          = {"BookFile", STRING(""), .apply = apply_book_file},
    [OPTION_OPPONENT]           = {"Opponent", COMBO(opponent_name, opponents_unknown), AT_REST(apply_opponent)},
    [OPTION_OPPONENT_SETTINGS]  = {"Opponent Settings", STRING(""), AT_REST(apply_opponent_settings)},
    [OPTION_OPPONENT_SEED]      = {"Opponent Seed", SPIN(0, 0, INT32_MAX), AT_REST(apply_seed)},
    [OPTION_LIMIT_STRENGTH]     = {"UCI_LimitStrength", CHECK(false), AT_REST(choose_opponent)},
    [OPTION_ELO]                = {"UCI_Elo", SPIN(DEFAULT_ELO, LEVEL_MIN_ELO, LEVEL_MAX_ELO), AT_REST(choose_opponent)},
    [OPTION_SKILL_LEVEL]        = {"Skill Level", SPIN(FULL_SKILL, 0, FULL_SKILL), AT_REST(choose_opponent)},
    [OPTION_THINK_TIME]         = {"Think Time", CHECK(true)},
};
/* clang-format on */

/* Ignores case and spaces: names in the xboard protocol have none. */
static bool is_name(Span typed, const char *name)
{
    size_t i = 0;
    for (; *name; name++) {
        if (*name == ' ')
            continue;
        while (i < typed.len && typed.at[i] == ' ')
            i++;
        if (i == typed.len ||
            tolower((unsigned char)typed.at[i++]) != tolower((unsigned char)*name))
            return false;
    }
    return i == typed.len;
}

OptionId option_find(Span name)
{
    int id = 0;
    while (id < OPTION_COUNT && !is_name(name, option_rows[id].name))
        id++;
    return (OptionId)id;
}

/* -- Values from text -- */

static bool read_check(Span text, int64_t *out)
{
    static const char *const yes[] = {"true", "on", "1", "yes"};
    static const char *const no[] = {"false", "off", "0", "no"};
    for (int i = 0; i < 4; i++) {
        if (span_is_ignoring_case(text, yes[i]))
            return *out = 1, true;
        if (span_is_ignoring_case(text, no[i]))
            return *out = 0, true;
    }
    return false;
}

/* A number of any length, clamped; numbers beyond 64 bits are larger than every range. */
static bool read_spin(Span text, int64_t min, int64_t max, int64_t *out)
{
    bool negative = text.len && text.at[0] == '-';
    size_t begin = text.len && (text.at[0] == '-' || text.at[0] == '+');
    if (begin == text.len)
        return false;
    int64_t value = 0;
    for (size_t i = begin; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
        if (value < INT64_MAX / 16)
            value = value * 10 + (text.at[i] - '0');
    }
    value = negative ? -value : value;
    *out = value < min ? min : value > max ? max : value;
    return true;
}

static bool read_combo(Span text, const char *(*choice)(int), int64_t *out)
{
    for (int i = 0; choice(i); i++)
        if (span_is_ignoring_case(text, choice(i)))
            return *out = i, true;
    return false;
}

static Status copy_text(Span text, OptionValue *out, Message *why)
{
    if (span_is(text, "<empty>"))
        text.len = 0;
    out->text = malloc(text.len + 1);
    if (!out->text)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a string of %zu bytes",
                           text.len);
    memcpy(out->text, text.at, text.len);
    out->text[text.len] = '\0';
    return STATUS_OK;
}

Status option_read(OptionId id, Span text, OptionValue *out, Message *why)
{
    const OptionRow *row = &option_rows[id];
    *out = (OptionValue){0};
    bool good = true;
    switch (row->kind) {
    case OPTION_CHECK:
        good = read_check(text, &out->number);
        break;
    case OPTION_SPIN:
        good = read_spin(text, row->min, row->max, &out->number);
        break;
    case OPTION_COMBO:
        good = read_combo(text, row->choice, &out->number);
        break;
    case OPTION_STRING:
        return copy_text(text, out, why);
    case OPTION_BUTTON:
        break;
    }
    if (good)
        return STATUS_OK;
    if (row->unknown) {
        row->unknown(text, why);
        return STATUS_INVALID;
    }
    int shown = text.len < 64 ? (int)text.len : 64;
    return status_fail(why, STATUS_INVALID, "invalid value '%.*s'", shown, text.at);
}

Status option_initial(OptionId id, OptionValue *out, Message *why)
{
    const OptionRow *row = &option_rows[id];
    *out = (OptionValue){.number = row->initial};
    if (row->kind != OPTION_STRING)
        return STATUS_OK;
    return copy_text(span_of(row->initial_text), out, why);
}

bool option_of_param(int i, OptionRow *row)
{
    int count;
    SearchParams probe;
    const ParamRow *rows = params_rows(&count);
    if (i >= count || !params_set(&probe, i, rows[i].value))
        return false;
    *row = (OptionRow){.name = rows[i].name,
                       .kind = OPTION_SPIN,
                       .initial = rows[i].value,
                       .min = rows[i].min,
                       .max = rows[i].max};
    return true;
}
