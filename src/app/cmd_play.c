#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/play_lines.h"
#include "base/clock.h"
#include "base/random.h"
#include "chess/fen.h"
#include "levels/rating/players.h"
#include "term/screen.h"

#include <stdio.h>
#include <unistd.h>

enum { START_POSITIONS = 960 };

typedef struct PlayArgs {
    const char *white, *black, *opponent, *elo, *color, *time, *fen, *theme, *player;
    bool chess960, resume, plain, ascii, unicode, no_save;
    int64_t level, seed;
} PlayArgs;

/* -- Who plays -- */

static bool chance(const PlayArgs *a)
{
    Random r;
    random_seed(&r, a->seed ? (uint64_t)a->seed : (uint64_t)clock_now_ns());
    return random_below(&r, 2) == 1;
}

/* The person's side; --color decides where no seat is named. */
static Status read_color(const PlayArgs *a, Color *person, Message *why)
{
    Span word = span_of(a->color ? a->color : "white");
    if (span_is_ignoring_case(word, "white"))
        *person = WHITE;
    else if (span_is_ignoring_case(word, "black"))
        *person = BLACK;
    else if (span_is_ignoring_case(word, "random"))
        *person = chance(a) ? BLACK : WHITE;
    else
        return status_fail(why, STATUS_INVALID, "--color wants white, black or random, not '%s'",
                           a->color);
    return STATUS_OK;
}

static Status read_opponent(const PlayArgs *a, SeatSpec *out, Message *why)
{
    char words[2 * SEAT_NAME_SIZE];
    snprintf(words, sizeof words, "%.60s %.20s", a->opponent ? a->opponent : "castellan",
             a->elo ? a->elo : "");
    return seat_read(span_of(words), out, why);
}

static Status read_seats(const PlayArgs *a, TableSetup *t, Message *why)
{
    Color person = WHITE;
    SeatSpec opponent;
    Status s = read_color(a, &person, why);
    if (s == STATUS_OK)
        s = read_opponent(a, &opponent, why);
    if (s != STATUS_OK)
        return s;
    /* One named seat leaves the other to the person, or to the opponent when the named one is a person. */
    const char *named[COLOR_COUNT] = {a->white, a->black};
    for (Color c = WHITE; c <= BLACK && s == STATUS_OK; c++)
        if (named[c])
            s = seat_read(span_of(named[c]), &t->seat[c], why);
    for (Color c = WHITE; c <= BLACK && s == STATUS_OK; c++) {
        Color other = color_other(c);
        if (named[c])
            continue;
        if (named[other])
            t->seat[c] = t->seat[other].human ? opponent : seat_human();
        else
            t->seat[c] = c == person ? seat_human() : opponent;
    }
    for (Color c = WHITE; c <= BLACK; c++) {
        t->seat[c].level = (int)a->level;
        t->seat[c].seed = (int)a->seed;
    }
    return s;
}

/* -- What is played -- */

/* "5+3": minutes and seconds of increment; "5" alone has none. */
static Status read_time(const char *text, TableTime *out, Message *why)
{
    double minutes, increment = 0;
    const char *plus = strchr(text, '+');
    Span first = plus ? (Span){text, (size_t)(plus - text)} : span_of(text);
    if (!span_to_double(first, &minutes) ||
        (plus && !span_to_double(span_of(plus + 1), &increment)) ||
        !(minutes > 0 && minutes <= 10000 && increment >= 0 && increment <= 10000))
        return status_fail(why, STATUS_INVALID,
                           "--time wants minutes and seconds of increment, such as 5+3, not '%s'",
                           text);
    *out = (TableTime){(int64_t)(minutes * 60000), (int64_t)(increment * 1000)};
    return STATUS_OK;
}

static Status read_start(const PlayArgs *a, const ArgWords *words, Position *start, Message *why)
{
    if (a->fen) {
        Text fen;
        text_init(&fen);
        text_addf(&fen, "%s ", a->fen);
        args_join(words, 0, &fen); /* a FEN may come without quotes */
        Status s = fen_parse(start, span_trim((Span){fen.at, fen.len}), a->chess960, why);
        text_free(&fen);
        return s;
    }
    if (words->count)
        return status_fail(why, STATUS_INVALID, "'%s' is not expected here", words->at[0]);
    pos_set_start(start);
    if (a->chess960) {
        Random r;
        random_seed(&r, a->seed ? (uint64_t)a->seed : (uint64_t)clock_now_ns());
        int number = (int)random_below(&r, START_POSITIONS);
        pos_set_chess960(start, number, number);
    }
    return STATUS_OK;
}

static Status read_theme(const char *text, ScreenTheme *out, Message *why)
{
    static const char *const names[] = {"auto", "256", "16", "mono"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (span_is(span_of(text), names[i])) {
            *out = (ScreenTheme)i;
            return STATUS_OK;
        }
    return status_fail(why, STATUS_INVALID, "--theme wants auto, 256, 16 or mono, not '%s'", text);
}

/* -- Playing -- */

static int play_on_screen(const TableSetup *table, const PlayArgs *a, ScreenTheme theme)
{
    Message why;
    Text farewell;
    text_init(&farewell);
    interrupt_hold();
    ScreenSetup setup = {.table = *table,
                         .resume = a->resume,
                         .ascii = a->ascii,
                         .unicode = a->unicode,
                         .theme = theme,
                         .in = stdin,
                         .out = stdout,
                         .interrupted = interrupt_came};
    Status s = screen_run(&setup, &farewell, &why);
    if (s == STATUS_OK)
        printf("%s\n", farewell.at);
    text_free(&farewell);
    if (s == STATUS_REFUSED) {
        fprintf(stderr, "castellan: play: no full screen, in lines then: %s\n", why.text);
        interrupt_release();
        return -1;
    }
    return s == STATUS_OK ? COMMAND_DONE : command_failed("play", &why);
}

static bool says_who_plays(const PlayArgs *a)
{
    return a->white || a->black || a->opponent || a->elo || a->color;
}

static int play(const PlayArgs *a, const TableSetup *table, ScreenTheme theme)
{
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    bool full = terminal && !a->plain;
    int code = full ? play_on_screen(table, a, theme) : -1;
    if (code >= 0)
        return code;
    return play_lines((LineSetup){
        .table = *table, .resume = a->resume, .ask = !says_who_plays(a), .show_board = full});
}

static int run(int argc, char **argv)
{
    PlayArgs a = {.theme = "auto", .level = SEAT_LEVEL_DEFAULT};
    const ArgRow rows[] = {
        {"--opponent", ARG_TEXT, &a.opponent, 0, 0}, {"--player", ARG_TEXT, &a.player, 0, 0},
        {"--elo", ARG_TEXT, &a.elo, 0, 0},           {"--white", ARG_TEXT, &a.white, 0, 0},
        {"--black", ARG_TEXT, &a.black, 0, 0},       {"--color", ARG_TEXT, &a.color, 0, 0},
        {"--time", ARG_TEXT, &a.time, 0, 0},         {"--level", ARG_INT, &a.level, 1, SEAT_LEVELS},
        {"--fen", ARG_TEXT, &a.fen, 0, 0},           {"--chess960", ARG_FLAG, &a.chess960, 0, 0},
        {"--resume", ARG_FLAG, &a.resume, 0, 0},     {"--no-save", ARG_FLAG, &a.no_save, 0, 0},
        {"--plain", ARG_FLAG, &a.plain, 0, 0},       {"--ascii", ARG_FLAG, &a.ascii, 0, 0},
        {"--unicode", ARG_FLAG, &a.unicode, 0, 0},   {"--theme", ARG_TEXT, &a.theme, 0, 0},
        {"--seed", ARG_INT, &a.seed, 0, INT32_MAX},  {0},
    };
    ArgWords words;
    Message why;
    TableSetup table = {0};
    ScreenTheme theme = THEME_AUTO;
    Position start;
    char folder[TABLE_PATH_SIZE], players[TABLE_PATH_SIZE];
    Status s = args_parse(rows, argc, argv, &words, &why);
    if (s == STATUS_OK)
        s = read_seats(&a, &table, &why);
    if (s == STATUS_OK && a.time)
        s = read_time(a.time, &table.time, &why);
    if (s == STATUS_OK)
        s = read_start(&a, &words, &start, &why);
    if (s == STATUS_OK)
        s = read_theme(a.theme, &theme, &why);
    if (s == STATUS_OK && a.player)
        s = players_check_name(span_of(a.player), &why);
    if (s != STATUS_OK)
        return command_misused("play", &why);
    table.start = &start;
    table.person = a.player;
    if (table_players(players, &why) == STATUS_OK)
        table.players = players;
    if (!a.no_save && table_folder(folder, &why) == STATUS_OK)
        table.folder = folder;
    else if (a.resume)
        return command_failed("play", &why);
    return play(&a, &table, theme);
}

const Command command_play = {
    .name = "play",
    .summary = "play a game in the terminal",
    .help =
        "usage: castellan play [--opponent NAME] [--elo N|adapt] [--player NAME]\n"
        "                      [--color white|black|random] [--white PLAYER] [--black PLAYER]\n"
        "                      [--time 5+3] [--level 1-10]\n"
        "                      [--fen FEN] [--chess960] [--resume] [--no-save] [--seed N]\n"
        "                      [--plain] [--ascii|--unicode] [--theme auto|256|16|mono]\n"
        "\n"
        "A game on a board that fills the terminal: arrow keys and Enter, the mouse, or typed\n"
        "moves (e4, Nf3, O-O, g1f3); ? shows the keys. Every move is saved as PGN in\n"
        "$XDG_DATA_HOME/castellan/games (~/.local/share/castellan/games).\n"
        "\n"
        "  --opponent NAME   one of castellan opponents; Castellan itself when not given\n"
        "  --elo N           held back to about that rating; adapt: follows your results,\n"
        "                    adapt+100 a little above you, adapt-100 below\n"
        "  --player NAME     what you are called, and under which your strength is kept\n"
        "  --color C         your side; white when not given\n"
        "  --white PLAYER    who has White: human, a name, or a rating (1500)\n"
        "  --black PLAYER    the same for Black; two programs play each other\n"
        "  --time M+S        clocks: minutes, and seconds added with each move; they start\n"
        "                    after the first move of both\n"
        "  --level N         how long Castellan thinks without a clock: 1 (100 positions a\n"
        "                    move) to 10 (30 seconds), 7 (one second) when not given\n"
        "  --fen FEN         plays from this position\n"
        "  --chess960        one of the 960 start positions by chance, or how to read the FEN\n"
        "  --resume          goes on with the last unfinished game; with --player, of that player\n"
        "  --no-save         keeps no file of the game\n"
        "  --seed N          the same choices of the opponent every time\n"
        "  --plain           lines of words, for screen readers and blindfold play; without a\n"
        "                    terminal by itself. \"help\" lists the words\n"
        "  --ascii           letters for pieces; --unicode: figures also where in doubt\n"
        "  --theme T         256 or 16 colours, or none (mono); auto asks the terminal\n"
        "\n"
        "The last line tells the result and where the game was saved.\n",
    .run = run,
};
