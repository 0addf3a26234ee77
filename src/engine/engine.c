#include "engine/engine_int.h"
#include "engine/opponents.h"

#include "base/clock.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "levels/level.h"
#include "search/params.h"

#include <stdlib.h>
#include <string.h>

/* -- Creating -- */

static Status set_initial_options(Engine *e, Message *why)
{
    for (int id = 0; id < OPTION_COUNT; id++) {
        Status s = option_initial((OptionId)id, &e->values[id], why);
        if (s != STATUS_OK)
            return s;
    }
    return STATUS_OK;
}

Status engine_create(Engine **out, const EngineEvents *events, Message *why)
{
    Engine *e = calloc(1, sizeof *e);
    if (!e)
        return status_fail(why, STATUS_MEMORY, "not enough memory for an engine");
    e->events = *events;
    random_seed(&e->random, (uint64_t)clock_now_ns()); /* games must differ */
    pos_set_start(&e->now);
    Status s = set_initial_options(e, why);
    if (s == STATUS_OK)
        s = evaluator_default(&e->evaluator, why);
    if (s == STATUS_OK)
        s = book_open_own(&e->book, why);
    if (s == STATUS_OK)
        s = search_create(&e->pool, e->evaluator, (unsigned)option_rows[OPTION_HASH].initial, why);
    return GIVE_OR_CLOSE(s, out, e, engine_destroy);
}

void engine_destroy(Engine *e)
{
    if (!e)
        return;
    opponent_thread_close(e->opponent);
    if (e->pool)
        search_destroy(e->pool);
    evaluator_close(e->evaluator);
    tb_close(e->tb);
    book_close(e->book);
    for (int id = 0; id < OPTION_COUNT; id++)
        free(e->values[id].text);
    free(e);
}

/* -- Options -- */

/* The value's text is the engine's then, or freed. */
static Status apply_option(Engine *e, OptionId id, OptionValue value, Message *why)
{
    const OptionRow *row = &option_rows[id];
    OptionValue old = e->values[id];
    if (row->needs_rest)
        engine_end(e);
    e->values[id] = value;
    Status s = row->apply ? row->apply(e, why) : STATUS_OK;
    if (s != STATUS_OK)
        e->values[id] = old;
    free(s == STATUS_OK ? old.text : value.text);
    return s;
}

/* In tuning builds the search parameters are options. */
static bool set_param(Engine *e, Span name, Span text)
{
    int count;
    int64_t value;
    const ParamRow *rows = params_rows(&count);
    for (int i = 0; i < count; i++)
        if (span_is(name, rows[i].name) && span_to_int64(text, INT32_MIN, INT32_MAX, &value)) {
            engine_end(e);
            return search_set_param(e->pool, i, (int)value);
        }
    return false;
}

/* "Opponent" takes the settings too, behind the name. Both are checked before one of them changes.
 * */
static Status set_opponent(Engine *e, Span text, Message *why)
{
    OpponentChoice choice;
    Status s = opponents_read(text, &choice, why);
    if (s == STATUS_OK)
        s = engine_set_option(e, span_of("Opponent"), span_of(choice.row->name), why);
    if (s == STATUS_OK)
        s = engine_set_option(e, span_of("Opponent Settings"), choice.settings, why);
    return s;
}

Status engine_set_option(Engine *e, Span name, Span text, Message *why)
{
    why->text[0] = '\0';
    OptionId id = option_find(name);
    if (id == OPTION_OPPONENT && memchr(text.at, ',', text.len))
        return set_opponent(e, text, why);
    if (id == OPTION_COUNT && set_param(e, name, text))
        return STATUS_OK;
    if (id == OPTION_COUNT)
        return status_fail(why, STATUS_MISSING, "no option '%.*s'",
                           name.len < 64 ? (int)name.len : 64, name.at);
    OptionValue value;
    Status s = option_read(id, text, &value, why);
    if (s == STATUS_OK)
        s = apply_option(e, id, value, why);
    if (why->text[0])
        message_prefix(why, "%s: ", option_rows[id].name);
    return s;
}

int64_t engine_number(const Engine *e, OptionId id)
{
    return e->values[id].number;
}

const char *engine_string(const Engine *e, OptionId id)
{
    return e->values[id].text;
}

const Evaluator *engine_evaluator(const Engine *e)
{
    return e->evaluator;
}

Status engine_choose_opponent(Engine *e, OpponentSpec spec, Message *why)
{
    Opponent *opponent;
    OpponentThread *thread = NULL;
    Status s = opponents_open(&opponent, spec, 1, why);
    if (s == STATUS_OK && opponent)
        s = opponent_thread_open(&thread, e, opponent, why);
    if (s != STATUS_OK)
        return s;
    opponent_thread_close(e->opponent);
    e->opponent = thread;
    return STATUS_OK;
}

const OpponentRow *engine_opponent(const Engine *e)
{
    return e->opponent ? opponent_row(e->opponent->opponent) : opponents_at(0);
}

/* -- The game -- */

Status engine_set_fen(Engine *e, Span fen, Message *why)
{
    Status s = fen_parse(&e->now, fen, engine_number(e, OPTION_CHESS960) != 0, why);
    if (s == STATUS_OK)
        engine_forget_scores(e);
    return s;
}

const Position *engine_position(const Engine *e)
{
    return &e->now;
}

Status engine_play(Engine *e, Move m, Message *why)
{
    if (!pos_is_legal(&e->now, m))
        return status_fail(why, STATUS_INVALID, "not a legal move");
    Undo undo;
    pos_make(&e->now, m, &undo);
    return STATUS_OK;
}

void engine_new_game(Engine *e)
{
    engine_end(e);
    search_clear(e->pool);
    engine_forget_scores(e);
    if (e->opponent)
        opponent_thread_new_game(e->opponent);
}

/* -- Searching -- */

static SearchOptions search_options(const Engine *e)
{
    return (SearchOptions){
        .multi_pv = (int)engine_number(e, OPTION_MULTI_PV),
        .move_overhead_ms = engine_number(e, OPTION_MOVE_OVERHEAD),
        .ponder_allowed = engine_number(e, OPTION_PONDER) != 0,
        .tb = e->tb,
        .tb_probe_depth = (int)engine_number(e, OPTION_SYZYGY_PROBE_DEPTH),
        .tb_probe_limit = (int)engine_number(e, OPTION_SYZYGY_PROBE_LIMIT),
        .tb_rule50 = engine_number(e, OPTION_SYZYGY_RULE50) != 0,
    };
}

static bool is_analysis(const Engine *e, const SearchLimits *limits)
{
    return engine_number(e, OPTION_ANALYSE_MODE) || limits->infinite || limits->mate ||
           limits->only_count;
}

/* The book is used only when a move is to be played. Other opponents have their own books or none.
 * */
static Move book_move(Engine *e, const Position *p, const SearchLimits *limits)
{
    BookMove moves[MAX_MOVES];
    if (!e->book || !engine_number(e, OPTION_OWN_BOOK) || limits->ponder ||
        is_analysis(e, limits) || (e->opponent && engine_opponent(e)->ops != &level_ops))
        return MOVE_NONE;
    return book_random(moves, book_probe(e->book, p, moves), &e->random);
}

/* The search is restricted to the book move at depth 1: events come as from any other search. */
static void keep_to(SearchLimits *limits, Move m)
{
    limits->only[0] = m;
    limits->only_count = 1;
    limits->depth = 1;
}

static void prepare_run(Engine *e, const Position *from, const SearchLimits *limits)
{
    e->run.root = from ? *from : e->now;
    e->run.show_wdl = engine_number(e, OPTION_SHOW_WDL) != 0;
    e->run.told = false;
    e->run.last = e->run.last_ponder = MOVE_NONE;
    e->run.hashfull = 0;
    atomic_store(&e->run.to_play, !is_analysis(e, limits) && !limits->ponder);
}

void engine_go(Engine *e, const Position *from, const SearchLimits *limits)
{
    engine_end(e);
    prepare_run(e, from, limits);
    Move known = book_move(e, &e->run.root, limits);
    if (e->opponent && known == MOVE_NONE && !is_analysis(e, limits) && movegen_any(&e->run.root)) {
        opponent_thread_go(e->opponent, limits);
        return;
    }
    SearchOptions options = search_options(e);
    SearchEvents events = {e, report_line, report_current_move, report_done};
    SearchLimits now = *limits;
    if (known != MOVE_NONE)
        keep_to(&now, known);
    search_start(e->pool, &e->run.root, &now, &options, &events);
}

EngineResult engine_think_quietly(Engine *e, const Position *from, const SearchLimits *limits)
{
    engine_end(e);
    e->run.root = from ? *from : e->now;
    SearchOptions options = search_options(e);
    options.multi_pv = 1;
    SearchResult r = search_run(e->pool, &e->run.root, limits, &options, &(SearchEvents){0});
    return report_result(&e->run.root, &r);
}

void engine_stop(Engine *e)
{
    search_stop(e->pool);
    if (e->opponent)
        opponent_thread_stop(e->opponent);
}

void engine_ponderhit(Engine *e)
{
    if (!engine_thinking(e))
        return;
    /* Both are told, whoever thinks: the search may have ended since the question. */
    atomic_store(&e->run.to_play, true);
    search_ponderhit(e->pool);
    if (e->opponent)
        opponent_thread_ponderhit(e->opponent);
}

void engine_wait(Engine *e)
{
    search_wait(e->pool);
    if (e->opponent)
        opponent_thread_wait(e->opponent);
}

void engine_end(Engine *e)
{
    engine_stop(e);
    engine_wait(e);
}

bool engine_thinking(Engine *e)
{
    return search_running(e->pool) || (e->opponent && opponent_thread_thinking(e->opponent));
}
