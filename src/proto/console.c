/* The console: chess at a terminal, in words. */
#include "base/thread.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"
#include "engine/about.h"
#include "engine/show.h"
#include "proto/console_int.h"
#include "proto/protocol.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* How long the engine thinks: a few positions at first, half a minute at last. */
typedef struct Level {
    uint64_t nodes;
    int64_t move_time_ms;
    const char *words;
} Level;

static const Level levels[] = {
    {100, 0, "100 positions a move"},      {400, 0, "400 positions a move"},
    {2000, 0, "2000 positions a move"},    {10000, 0, "10,000 positions a move"},
    {50000, 0, "50,000 positions a move"}, {200000, 0, "200,000 positions a move"},
    {0, 1000, "1 second a move"},          {0, 3000, "3 seconds a move"},
    {0, 10000, "10 seconds a move"},       {0, 30000, "30 seconds a move"},
};

enum { LEVEL_COUNT = sizeof levels / sizeof *levels, LEVEL_DEFAULT = 7, HINT_NODES = 200000 };

typedef struct Console {
    Port port;
    Engine *engine;
    Mutex lock; /* of what the search thread hands over */
    bool has_result;
    EngineResult result;
    bool thinking;
    bool scripted; /* nobody is typing: lines run ahead and wait for the engine */
    Color human;
    int level; /* 1 ... */
    bool quit;
} Console;

/* -- Saying -- */

static void say(Console *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(Console *c, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    output_line(c->port.out, "%s", line);
}

static void prompt(Console *c)
{
    Text t;
    if (c->thinking || c->quit)
        return;
    text_init(&t);
    text_addf(&t, "%s> ", engine_position(c->engine)->side == WHITE ? "White" : "Black");
    output_text(c->port.out, &t);
    text_free(&t);
}

static void say_board(Console *c)
{
    Text t;
    text_init(&t);
    text_add_char(&t, '\n');
    show_board(engine_position(c->engine), c->human, &t);
    text_add_char(&t, '\n');
    output_text(c->port.out, &t);
    text_free(&t);
}

/* True, with a word about it, when the game is over; draws that can be claimed are. */
static bool say_end(Console *c)
{
    const Position *p = engine_position(c->engine);
    GameEnd end = draw_game_end(p);
    if (end == GAME_GOES_ON)
        return false;
    if (end == GAME_CHECKMATE)
        say(c, "Checkmate: %s wins.", p->side == WHITE ? "Black" : "White");
    else
        say(c, "A draw: %s.", draw_reason(end));
    say(c, "\"new\" begins another game, \"undo\" takes a move back, \"save\" keeps this one.");
    return true;
}

/* -- Thinking -- */

static void on_done(void *user, const EngineResult *result)
{
    Console *c = user;
    mutex_lock(&c->lock);
    c->has_result = true;
    c->result = *result;
    mutex_unlock(&c->lock);
    if (c->port.in)
        input_wake(c->port.in);
}

static bool take_result(Console *c, EngineResult *out)
{
    mutex_lock(&c->lock);
    bool has = c->has_result;
    *out = c->result;
    c->has_result = false;
    mutex_unlock(&c->lock);
    return has;
}

/* Ends a search; nothing comes of it. */
static void stop_thinking(Console *c)
{
    EngineResult nothing;
    engine_end(c->engine);
    take_result(c, &nothing);
    c->thinking = false;
}

static void think(Console *c)
{
    const Level *level = &levels[c->level - 1];
    SearchLimits limits = {.nodes = level->nodes, .move_time_ms = level->move_time_ms};
    c->thinking = true;
    engine_go(c->engine, NULL, &limits);
}

static void add_score(Text *t, const EngineScore *s)
{
    if (s->is_mate)
        text_addf(t, "mate in %d", s->value > 0 ? s->value : -s->value);
    else
        text_addf(t, "%+.2f", s->value / 100.0);
}

static void play_result(Console *c, const EngineResult *r)
{
    const Position *p = engine_position(c->engine);
    char san[SAN_SIZE];
    Text t;
    san_write(p, r->best, san);
    text_init(&t);
    text_addf(&t, ABOUT_NAME " plays %u%s %s   (", p->game_ply / 2 + 1,
              p->side == WHITE ? "." : "...", san);
    add_score(&t, &r->score);
    text_addf(&t, ", depth %d)\n", r->depth);
    output_text(c->port.out, &t);
    text_free(&t);
    engine_play(c->engine, r->best, NULL);
    say_board(c);
    say_end(c);
}

static void console_wake(void *session)
{
    Console *c = session;
    EngineResult result;
    if (!take_result(c, &result))
        return;
    engine_wait(c->engine);
    c->thinking = false;
    if (result.best != MOVE_NONE)
        play_result(c, &result);
    prompt(c);
}

/* -- Commands -- */

static void do_new(Console *c, Span rest)
{
    rest = span_trim(rest);
    c->human = span_is_ignoring_case(rest, "black") ? BLACK : WHITE;
    engine_set_start(c->engine);
    engine_new_game(c->engine);
    say(c, "A new game; you have %s.", c->human == WHITE ? "White" : "Black");
    say_board(c);
    if (c->human == BLACK)
        think(c);
}

static void do_undo(Console *c, Span rest)
{
    (void)rest;
    bool own_turn = engine_position(c->engine)->side == c->human;
    if (!engine_undo(c->engine, own_turn ? 2 : 1) && !engine_undo(c->engine, 1)) {
        say(c, "There is nothing to take back.");
        return;
    }
    c->human = engine_position(c->engine)->side;
    say_board(c);
}

static void do_go(Console *c, Span rest)
{
    (void)rest;
    if (say_end(c))
        return;
    c->human = color_other(engine_position(c->engine)->side);
    think(c);
}

static void do_hint(Console *c, Span rest)
{
    (void)rest;
    char san[SAN_SIZE];
    SearchLimits limits = {.nodes = HINT_NODES};
    EngineResult r = engine_think_quietly(c->engine, NULL, &limits);
    if (r.best == MOVE_NONE) {
        say(c, "There is no move.");
        return;
    }
    san_write(engine_position(c->engine), r.best, san);
    say(c, "Think about %s.", san);
}

static void do_fen(Console *c, Span rest)
{
    char fen[FEN_SIZE];
    Message why;
    rest = span_trim(rest);
    if (!rest.len) {
        fen_write(engine_position(c->engine), FEN_X, fen);
        say(c, "%s", fen);
        return;
    }
    if (engine_set_fen(c->engine, rest, &why) != STATUS_OK) {
        say(c, "%s", why.text);
        return;
    }
    c->human = engine_position(c->engine)->side;
    say_board(c);
    say_end(c);
}

static void do_board(Console *c, Span rest)
{
    (void)rest;
    say_board(c);
}

static void do_eval(Console *c, Span rest)
{
    (void)rest;
    Text t;
    text_init(&t);
    show_eval(engine_evaluator(c->engine), engine_position(c->engine), &t);
    output_text(c->port.out, &t);
    text_free(&t);
}

static void do_moves(Console *c, Span rest)
{
    (void)rest;
    const Position *p = engine_position(c->engine);
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    Text t;
    text_init(&t);
    text_addf(&t, "%d moves:", count);
    for (int i = 0; i < count; i++) {
        char san[SAN_SIZE];
        san_write(p, moves[i], san);
        text_addf(&t, "%s%s", i % 12 == 0 && i ? "\n  " : " ", san);
    }
    text_add_char(&t, '\n');
    output_text(c->port.out, &t);
    text_free(&t);
}

static void do_level(Console *c, Span rest)
{
    int64_t level;
    rest = span_trim(rest);
    if (rest.len && !span_to_int64(rest, 1, LEVEL_COUNT, &level)) {
        say(c, "Levels go from 1 to %d.", LEVEL_COUNT);
        return;
    }
    if (rest.len)
        c->level = (int)level;
    say(c, "Level %d: %s.", c->level, levels[c->level - 1].words);
}

/* "set Hash 64": the last word is the value, because names may hold blanks. */
static void do_set(Console *c, Span rest)
{
    Message why;
    rest = span_trim(rest);
    Span name = rest;
    while (name.len && option_find(span_trim(name)) == OPTION_COUNT)
        name.len--;
    Span value = {rest.at + name.len, rest.len - name.len};
    Status s =
        engine_set_option(c->engine, span_trim(name.len ? name : rest), span_trim(value), &why);
    say(c, "%s", why.text[0] ? why.text : s == STATUS_OK ? "Done." : "That did not work.");
}

static void do_save(Console *c, Span rest)
{
    char named[CONSOLE_NAME_SIZE];
    Message why;
    if (console_save(c->engine, c->human, span_trim(rest), named, &why) == STATUS_OK)
        say(c, "Saved in %s.", named);
    else
        say(c, "%s", why.text);
}

static void do_quit(Console *c, Span rest)
{
    (void)rest;
    c->quit = true;
}

static void do_help(Console *c, Span rest);

typedef struct ConsoleCommand {
    const char *name, *arguments, *help;
    void (*run)(Console *c, Span rest);
} ConsoleCommand;

static const ConsoleCommand console_commands[] = {
    {"help", "", "this list", do_help},
    {"new", "[black]", "a new game; you have White, or Black", do_new},
    {"undo", "", "take back your last move and the answer", do_undo},
    {"go", "", "let the engine move for the side to move", do_go},
    {"hint", "", "an idea for your move", do_hint},
    {"moves", "", "every legal move", do_moves},
    {"board", "", "show the board", do_board},
    {"fen", "[FEN]", "show the position as FEN, or set one up", do_fen},
    {"eval", "", "what the engine makes of the position without thinking", do_eval},
    {"level", "[1-10]", "show or set how long the engine thinks", do_level},
    {"set", "NAME VALUE", "set an engine option, such as: set Threads 2", do_set},
    {"save", "[FILE]", "save the game as PGN", do_save},
    {"quit", "", "leave", do_quit},
};

enum { COMMAND_COUNT = sizeof console_commands / sizeof *console_commands };

static void do_help(Console *c, Span rest)
{
    (void)rest;
    Text t;
    text_init(&t);
    text_add_str(&t, "A move, such as e4, Nf3, O-O or g1f3, or:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const ConsoleCommand *command = &console_commands[i];
        text_addf(&t, "  %-6s %-11s %s\n", command->name, command->arguments, command->help);
    }
    text_add_str(&t, "  stop               while the engine thinks: move now\n");
    output_text(c->port.out, &t);
    text_free(&t);
}

static const ConsoleCommand *find_command(Span word)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (span_is_ignoring_case(word, console_commands[i].name))
            return &console_commands[i];
    return NULL;
}

static void take_move(Console *c, Span text)
{
    Message why;
    Move m;
    if (say_end(c))
        return;
    if (san_read(engine_position(c->engine), text, &m, &why) != STATUS_OK ||
        engine_play(c->engine, m, &why) != STATUS_OK) {
        say(c, "%s (\"help\" lists what I understand, \"moves\" what can be played)", why.text);
        return;
    }
    c->human = color_other(engine_position(c->engine)->side);
    say_board(c);
    if (!say_end(c))
        think(c);
}

/* -- The session -- */

static bool console_knows(Span word)
{
    return find_command(word) != NULL;
}

static Status console_open(void **session, Port port, Message *why)
{
    Console *c = calloc(1, sizeof *c);
    if (!c)
        return status_fail(why, STATUS_MEMORY, "no memory for a session");
    c->port = port;
    c->scripted = port.in && !isatty(port.in->fd);
    c->human = WHITE;
    c->level = LEVEL_DEFAULT;
    mutex_init(&c->lock);
    EngineEvents events = {.user = c, .done = on_done};
    Status s = engine_create(&c->engine, &events, why);
    if (s != STATUS_OK) {
        mutex_free(&c->lock);
        free(c);
        return s;
    }
    say(c, ABOUT_NAME " " ABOUT_VERSION ". Type a move, or \"help\".");
    say_board(c);
    prompt(c);
    *session = c;
    return STATUS_OK;
}

static void await_move(Console *c)
{
    engine_wait(c->engine);
    console_wake(c);
}

/* While the engine thinks it can be hurried or left; everything else waits for its move. */
static void line_while_thinking(Console *c, Span word)
{
    if (span_is_ignoring_case(word, "quit"))
        c->quit = true;
    else if (span_is_ignoring_case(word, "stop"))
        engine_stop(c->engine);
    else
        say(c, "I am thinking; \"stop\" makes me move now.");
}

static bool console_line(void *session, Span line, int64_t arrived_ms)
{
    (void)arrived_ms;
    Console *c = session;
    Span rest = line, word;
    bool empty = !span_next_word(&rest, &word);
    if (c->thinking && c->scripted)
        await_move(c);
    if (c->thinking) {
        if (!empty)
            line_while_thinking(c, word);
        return !c->quit;
    }
    const ConsoleCommand *command = empty ? NULL : find_command(word);
    if (command)
        command->run(c, rest);
    else if (!empty)
        take_move(c, word);
    prompt(c);
    return !c->quit;
}

static void console_close(void *session)
{
    Console *c = session;
    if (!c->quit)
        say(c, "%s", ""); /* the end of input leaves the cursor behind the prompt */
    if (c->scripted)
        await_move(c);
    stop_thinking(c);
    engine_destroy(c->engine);
    mutex_free(&c->lock);
    free(c);
}

const Protocol protocol_console = {
    .name = "console",
    .knows = console_knows,
    .open = console_open,
    .line = console_line,
    .wake = console_wake,
    .close = console_close,
};
