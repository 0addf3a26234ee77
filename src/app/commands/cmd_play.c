/* castellan play: a game in the terminal. */
#include "app/command.h"
#include "app/front.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/os.h"
#include "base/random.h"
#include "chess/fen.h"
#include "classics/console.h"
#include "engine/opponents.h"
#include "levels/rating/players.h"
#include "term/screen.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { START_POSITIONS = 960 };

typedef struct PlayArgs {
    const char *white, *black, *opponent, *elo, *fen, *player, *console;
    int color, theme; /* indices of color_names, theme_names */
    TimeControl time;
    bool chess960, resume, plain, ascii, unicode, no_save;
    int64_t level, seed;
    /* What follows from them. */
    Position start;
    TermGameSetup game;
    char folder[TERM_GAME_PATH_SIZE], players[TERM_GAME_PATH_SIZE];
    Console *classic; /* with --console; NULL: that program speaks the protocol of xboard */
} PlayArgs;

/* -- Who plays -- */

static uint64_t seed_of(const PlayArgs *a)
{
    return a->seed ? (uint64_t)a->seed : (uint64_t)clock_now_ns();
}

static int random_index(const PlayArgs *a, uint32_t count)
{
    Random r;
    random_seed(&r, seed_of(a));
    return (int)random_below(&r, count);
}

static const char *const color_names[] = {"white", "black", "random", NULL};
enum { COLOR_RANDOM = 2 };

/* The human's colour; --color decides where neither --white nor --black is given. */
static Color human_color(const PlayArgs *a)
{
    return a->color == COLOR_RANDOM ? (Color)random_index(a, COLOR_COUNT) : (Color)a->color;
}

static Status read_opponent(const PlayArgs *a, TermPlayerSpec *out, Message *why)
{
    char words[2 * TERM_PLAYER_NAME_SIZE];
    snprintf(words, sizeof words, "%.400s %.20s", a->opponent ? a->opponent : "castellan",
             a->elo ? a->elo : "");
    return term_player_read(span_of(words), out, why);
}

/* One named player leaves the other to the person, or to the opponent when the named one is a
 * person. */
static Status read_players(const PlayArgs *a, TermGameSetup *t, Message *why)
{
    const char *named[COLOR_COUNT] = {a->white, a->black};
    Color person = human_color(a);
    TermPlayerSpec opponent;
    Status s = read_opponent(a, &opponent, why);
    for (Color c = WHITE; c <= BLACK && s == STATUS_OK; c++)
        if (named[c])
            s = term_player_read(span_of(named[c]), &t->player[c], why);
    for (Color c = WHITE; c <= BLACK && s == STATUS_OK; c++) {
        Color other = color_other(c);
        bool is_person = named[other] ? !t->player[other].human : c == person;
        if (!named[c])
            t->player[c] = is_person ? term_player_human() : opponent;
        t->player[c].level = (int)a->level;
        t->player[c].seed = (int)a->seed;
    }
    return s;
}

/* -- What is played -- */

/* "5+3": minutes and seconds of increment; "5" alone has none. */
static bool parse_time(const char *text, void *time)
{
    double minutes, increment = 0;
    Span rest = span_of(text), first;
    bool plus = span_cut(&rest, '+', &first);
    if (!span_to_double(first, &minutes) || (plus && !span_to_double(rest, &increment)) ||
        !(minutes > 0 && minutes <= 10000 && increment >= 0 && increment <= 10000))
        return false;
    *(TimeControl *)time =
        (TimeControl){(int64_t)(minutes * 60000), (int64_t)(increment * 1000), 0};
    return true;
}

static Status read_start(const PlayArgs *a, const ArgWords *words, Position *start, Message *why)
{
    if (a->fen) {
        Text fen = text_new();
        text_addf(&fen, "%s ", a->fen);
        args_join(words, 0, &fen); /* a FEN may come without quotes */
        Status s = fen_parse(start, span_trim((Span){fen.at, fen.len}), a->chess960, why);
        text_free(&fen);
        return s;
    }
    if (words->count)
        return status_fail(why, STATUS_INVALID, "unexpected argument '%s'", words->at[0]);
    /* A setting of the opponent may say where its games begin. */
    OpponentChoice choice = {0};
    if (a->opponent && opponents_read(span_of(a->opponent), &choice, why) == STATUS_OK &&
        choice.has_start) {
        *start = choice.start;
        return STATUS_OK;
    }
    pos_set_start(start);
    if (a->chess960) {
        int number = random_index(a, START_POSITIONS);
        pos_set_chess960(start, number, number);
    }
    return STATUS_OK;
}

/* In the order of ScreenTheme. */
static const char *const theme_names[] = {"auto", "256", "16", "mono", NULL};

/* -- The consoles of the classic programs -- */

static Status open_console(PlayArgs *a, Message *why)
{
    static const atomic_bool never = false;
    Span settings = span_of(a->console), name;
    span_cut(&settings, ',', &name);
    ConsoleSetup setup = {.settings = settings,
                          .seed = seed_of(a),
                          .start = a->fen ? &a->start : NULL,
                          .program = color_other(human_color(a)),
                          .stop = &never};
    /* Chess Mantis had no console of its own: it spoke the protocol of xboard. */
    return span_is_ignoring_case(name, "mantis") ? STATUS_OK
                                                 : console_open(&a->classic, name, &setup, why);
}

/* The program moves whenever it is to; otherwise a line is read. */
static void converse(Console *c, FrontEnds *ends)
{
    Text text = text_new();
    Span line;
    console_begin(c, &text);
    output_text(&ends->out, &text);
    while (!c->over) {
        text_clear(&text);
        if (c->busy) {
            c->ops->step(c, &text);
        } else {
            InputEvent event = input_next(&ends->in, &line);
            if (event == INPUT_END)
                break;
            if (event == INPUT_LINE)
                c->ops->feed(c, span_trim(line), &text);
        }
        output_text(&ends->out, &text);
    }
    text_free(&text);
}

static Status speak_xboard(FrontEnds *ends, const char *program, Message *why)
{
    Text first = text_new();
    text_addf(&first, "option Opponent=%s", program);
    Status s = first.failed ? status_fail(why, STATUS_MEMORY, "not enough memory")
                            : protocol_run(&protocol_cecp, (Port){&ends->out, &ends->in},
                                           (Span){first.at, first.len}, why);
    text_free(&first);
    return s;
}

static Status run_console(const PlayArgs *a, Message *why)
{
    FrontEnds ends;
    Status s = front_open(&ends, why);
    if (s != STATUS_OK)
        return s;
    if (a->classic)
        converse(a->classic, &ends);
    else
        s = speak_xboard(&ends, a->console, why);
    return front_close(&ends, s, why);
}

/* -- Playing -- */

/* STATUS_REFUSED: the terminal cannot do it. */
static Status play_on_screen(const PlayArgs *a, Message *why)
{
    Text farewell = text_new();
    interrupt_hold();
    ScreenSetup setup = {.game = a->game,
                         .ascii = a->ascii,
                         .unicode = a->unicode,
                         .theme = (ScreenTheme)a->theme,
                         .in = stdin,
                         .out = stdout,
                         .interrupted = interrupt_came};
    Status s = screen_run(&setup, &farewell, why);
    if (s == STATUS_OK)
        printf("%s\n", farewell.at);
    text_free(&farewell);
    if (s == STATUS_REFUSED) {
        fprintf(stderr, "castellan: play: full screen not available, using lines: %s\n", why->text);
        interrupt_release();
    }
    return s;
}

static bool says_who_plays(const PlayArgs *a)
{
    return a->white || a->black || a->opponent || a->elo || a->color;
}

static Status play(const PlayArgs *a, Message *why)
{
    bool full = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !a->plain;
    Status s = full ? play_on_screen(a, why) : STATUS_REFUSED;
    if (s != STATUS_REFUSED)
        return s;
    return front_play((LineSetup){.game = a->game, .ask = !says_who_plays(a), .show_board = full},
                      why);
}

static const ArgRow rows[] = {
    ARG_ROW_TEXT(PlayArgs, opponent, "--opponent", "NAME",
                 "one of castellan opponents (default: Castellan)"),
    ARG_ROW_TEXT(PlayArgs, elo, "--elo", "N",
                 "limit its strength to this rating; adapt: follow your results, "
                 "adapt+100: 100 above your rating, adapt-100: 100 below"),
    ARG_ROW_TEXT(PlayArgs, player, "--player", "NAME", "your name; your rating is stored under it"),
    ARG_ROW_CHOICE(PlayArgs, color, "--color", "COLOR", color_names,
                   "your colour: white, black or random"),
    ARG_ROW_TEXT(PlayArgs, white, "--white", "PLAYER",
                 "who plays White: human, a name, or a rating such as 1500"),
    ARG_ROW_TEXT(PlayArgs, black, "--black", "PLAYER",
                 "the same for Black; two programs play each other"),
    ARG_ROW_PARSED(PlayArgs, time, "--time", "M+S", parse_time,
                   "minutes and increment in seconds, such as 5+3",
                   "clock: minutes, and increment per move in seconds; it starts after the first "
                   "move of each side"),
    ARG_ROW_INT(PlayArgs, level, "--level", "N", 1, TERM_PLAYER_LEVELS,
                "thinking time of Castellan without a clock: 1 (100 nodes per move) to 10 (30 s)"),
    ARG_ROW_TEXT(
        PlayArgs, console, "--console", "NAME",
        "the console of a classic program as its document prints it: javachess, mantis (the "
        "xboard protocol), chessbin, adaptive or kanji; settings follow, separated by commas"),
    ARG_ROW_TEXT(PlayArgs, fen, "--fen", "FEN", "start from this position"),
    ARG_ROW_FLAG(PlayArgs, chess960, "--chess960",
                 "random Chess960 start position, or read FEN as Chess960"),
    ARG_ROW_FLAG(PlayArgs, resume, "--resume", "resume the last unfinished game (of --player)"),
    ARG_ROW_FLAG(PlayArgs, no_save, "--no-save", "do not save the game"),
    ARG_ROW_INT(PlayArgs, seed, "--seed", "N", 0, INT32_MAX, "random seed of the opponent"),
    ARG_ROW_FLAG(PlayArgs, plain, "--plain",
                 "text lines instead of full screen, for screen readers and blindfold play; "
                 "the default without a terminal"),
    ARG_ROW_FLAG(PlayArgs, ascii, "--ascii", "show pieces as letters"),
    ARG_ROW_FLAG(PlayArgs, unicode, "--unicode", "show pieces as chess symbols"),
    ARG_ROW_CHOICE(PlayArgs, theme, "--theme", "T", theme_names, "colours: auto, 256, 16 or mono"),
    {0},
};

static Status check(void *options, const ArgWords *words, Message *why)
{
    PlayArgs *a = options;
    if (a->resume && a->no_save)
        return status_fail(why, STATUS_INVALID, "--resume and --no-save exclude each other");
    Status s = read_players(a, &a->game, why);
    if (s == STATUS_OK)
        s = read_start(a, words, &a->start, why);
    if (s == STATUS_OK && a->player)
        s = players_check_name(span_of(a->player), why);
    if (s == STATUS_OK && a->console)
        s = open_console(a, why);
    return s;
}

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    PlayArgs *a = options;
    if (a->console)
        return run_console(a, why);
    a->game.time = a->time;
    a->game.start = &a->start;
    a->game.person = a->player;
    a->game.resume = a->resume;
    if (os_data_path(a->players, sizeof a->players, "castellan/players", NULL) == STATUS_OK)
        a->game.players = a->players;
    if (!a->no_save &&
        os_data_path(a->folder, sizeof a->folder, "castellan/games", why) == STATUS_OK)
        a->game.folder = a->folder;
    else if (a->resume)
        return STATUS_MISSING;
    return play(a, why);
}

static void release(void *options)
{
    console_close(((PlayArgs *)options)->classic);
}

const Command command_play = {
    .name = "play",
    .summary = "play a game in the terminal",
    .about =
        "Plays a game on a board that fills the terminal: arrow keys and Enter, the mouse, or typed\n"
        "moves (e4, Nf3, O-O, g1f3); ? shows the keys. Every move is saved as PGN in\n"
        "$XDG_DATA_HOME/castellan/games (~/.local/share/castellan/games). The last line is the\n"
        "result and where the game was saved.\n",
    .args = ARG_TABLE(PlayArgs, rows, "",
                      .initial = &(const PlayArgs){.level = TERM_PLAYER_LEVEL_DEFAULT}),
    .check = check,
    .run = run,
    .release = release,
};
