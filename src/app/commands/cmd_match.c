/* castellan match: engines against each other. */
#include "app/command.h"
#include "app/progress.h"
#include "base/file.h"
#include "match/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SPRT_GAMES = 100000 };

typedef struct MatchCommand {
    MatchOptions options;
    MatchResult result;
    PlayerSpec players[MATCH_MAX_PLAYERS];
    char *state; /* allocated when its name follows from the PGN's */
    const char *engine_options;
    int order; /* index of order_names */
    bool gauntlet, round_robin;
    int64_t hang_s;
    bool verbose;
    Progress progress;
} MatchCommand;

static const char *const order_names[] = {"random", "sequential", NULL};

/* -- Playing -- */

/* After every game: a line each with --verbose, otherwise one that is overwritten. */
static void on_game(void *user, const MatchResult *so_far, const char *line)
{
    MatchCommand *c = user;
    if (c->verbose)
        fprintf(stderr, "%s\n", line);
    Text text = text_new();
    match_report_line(so_far, &text);
    progress_line(&c->progress, "%3.0f %%, %s",
                  100.0 * (double)so_far->games / (double)so_far->wanted, text.at);
    text_free(&text);
}

static Status run(void *options, const ArgWords *words UNUSED, Message *why)
{
    MatchCommand *c = options;
    progress_begin(&c->progress);
    Status s = match_run(&c->options, &c->progress.job.stop, &c->result, why);
    s = progress_end(&c->progress, s, why);
    Text report = text_new();
    match_report(&c->result, &report);
    command_print(&report);
    return s;
}

static void release(void *options)
{
    MatchCommand *c = options;
    match_result_free(&c->result);
    for (int i = 0; i < c->options.player_count; i++)
        player_spec_free(&c->players[i]);
    free(c->state);
}

/* -- Arguments -- */

/* Numbers separated by commas: how many, or -1 when the text is something else. */
static int read_numbers(const char *text, double *out, int max)
{
    int count = 0;
    Span rest = span_of(text), one;
    for (bool more = true; more; count++) {
        more = span_cut(&rest, ',', &one);
        if (count == max || !span_to_double(one, &out[count]))
            return -1;
    }
    return count;
}

static bool parse_sprt(const char *value, void *into)
{
    double v[4] = {0, 0, 0.05, 0.05};
    int count = read_numbers(value, v, 4);
    *(StatsSprt *)into = (StatsSprt){v[0], v[1], v[2], v[3]};
    return count >= 2 && v[0] < v[1] && v[2] > 0 && v[2] < 0.5 && v[3] > 0 && v[3] < 0.5;
}

static bool parse_draw(const char *value, void *rules)
{
    double v[3] = {0};
    MatchRules *r = rules;
    if (read_numbers(value, v, 3) != 3 || v[0] < 0 || v[0] > 1000 || v[1] < 1 || v[1] > 1000 ||
        v[2] < 0 || v[2] > 100000)
        return false;
    r->draw_from_move = (int)v[0];
    r->draw_moves = (int)v[1];
    r->draw_cp = (int)v[2];
    return true;
}

static bool parse_resign(const char *value, void *rules)
{
    static const char BOTH[] = ",both";
    double v[2] = {0};
    MatchRules *r = rules;
    size_t len = strlen(value), tail = sizeof BOTH - 1;
    char numbers[32];
    r->resign_both = len > tail && strcmp(value + len - tail, BOTH) == 0;
    snprintf(numbers, sizeof numbers, "%.*s", (int)(r->resign_both ? len - tail : len), value);
    if (read_numbers(numbers, v, 2) != 2 || v[0] < 1 || v[0] > 1000 || v[1] < 1 || v[1] > 100000)
        return false;
    r->resign_moves = (int)v[0];
    r->resign_cp = (int)v[1];
    return true;
}

/* NAME=VALUE,NAME=VALUE for every player. */
static Status add_options(MatchCommand *c, const char *text, Message *why)
{
    Span rest = span_of(text), name, value;
    while (rest.len) {
        span_cut(&rest, ',', &value);
        if (!span_cut(&value, '=', &name))
            return status_fail(why, STATUS_INVALID,
                               "invalid value '%.60s' for --option: NAME=VALUE[,NAME=VALUE ...]",
                               text);
        for (int i = 0; i < c->options.player_count; i++) {
            Status s = player_spec_add_option(&c->players[i], name, value, why);
            if (s != STATUS_OK)
                return s;
        }
    }
    return STATUS_OK;
}

/* Players of the same name get a number. */
static void make_names_unique(PlayerSpec *players, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(players[i].name, players[k].name) == 0) {
                char number[8];
                int len = snprintf(number, sizeof number, "-%d", i + 1);
                size_t at = strlen(players[i].name);
                if (at + (size_t)len >= sizeof players[i].name)
                    at = sizeof players[i].name - (size_t)len - 1;
                memcpy(players[i].name + at, number, (size_t)len + 1);
                break;
            }
}

static Status read_players(MatchCommand *c, const ArgWords *words, Message *why)
{
    MatchOptions *o = &c->options;
    for (int i = 0; i < words->count; i++) {
        Status s = player_spec_read(&c->players[i], words->at[i], why);
        if (s != STATUS_OK)
            return s;
        o->player_count++;
    }
    make_names_unique(c->players, o->player_count);
    o->players = c->players;
    return c->engine_options ? add_options(c, c->engine_options, why) : STATUS_OK;
}

/* The state file is next to the PGN unless --state says otherwise. A device or a pipe has none. */
static Status name_state(MatchCommand *c, Message *why)
{
    MatchOptions *o = &c->options;
    if (o->resume && !o->state && !o->pgn)
        return status_fail(why, STATUS_INVALID, "missing --pgn OUT or --state FILE (for --resume)");
    struct stat there;
    bool device = o->pgn && stat(o->pgn, &there) == 0 && !S_ISREG(there.st_mode);
    if (o->state || !o->pgn || device)
        return STATUS_OK;
    if (asprintf(&c->state, "%s.state", o->pgn) < 0) {
        c->state = NULL;
        return status_fail(why, STATUS_MEMORY, "not enough memory");
    }
    o->state = c->state;
    return STATUS_OK;
}

static void set_defaults(void *into)
{
    MatchCommand *c = into;
    c->options = match_defaults();
    c->options.games = 0;
    c->options.hash_mb = 16;
    c->hang_s = c->options.rules.hang_ms / 1000;
}

static const ArgRow rows[] = {
    ARG_ROW_PARSED(MatchCommand, options.limits, "--tc", "TC", args_clock, ARGS_CLOCK_ACCEPTS,
                   "time control: [MOVES/]SECONDS[+INCREMENT], such as 2+0.02 or 40/1:30+1"),
    ARG_ROW_INT(MatchCommand, options.limits.nodes, "--nodes", "N", 1, 1000000000000,
                "nodes per move"),
    ARG_ROW_INT(MatchCommand, options.limits.depth, "--depth", "D", 1, 200,
                "depth per move, in plies"),
    ARG_ROW_INT(MatchCommand, options.limits.move_time_ms, "--movetime", "MS", 1, 86400000,
                "time per move, in ms"),
    ARG_ROW_INT(
        MatchCommand, options.games, "--games", "N", 1, 1000000000,
        "games of each pair of engines (default: 100, with --sprt 100000); an odd number is "
        "rounded up, since each opening is played with both colours"),
    ARG_ROW_PATH(MatchCommand, options.openings, "--openings", "FILE",
                 "games (.pgn), or positions: one FEN or EPD per line (default: random openings)"),
    ARG_ROW_CHOICE(MatchCommand, order, "--order", "O", order_names,
                   "order of the openings: random or sequential"),
    ARG_ROW_INT(MatchCommand, options.opening_plies, "--plies", "N", 1, 200,
                "plies of each PGN opening (default: all, up to 200)"),
    ARG_ROW_SEED(MatchCommand, options.seed, "random seed of the openings"),
    ARG_ROW_PARSED(
        MatchCommand, options.sprt, "--sprt", "ELO0,ELO1[,A,B]", parse_sprt,
        "ELO0,ELO1[,ALPHA,BETA] with ELO0 < ELO1",
        "stop when a sequential test decides between ELO0 and ELO1 (normalised Elo), with "
        "error rates A and B (default: 0.05)"),
    ARG_ROW_INT(MatchCommand, options.concurrency, "--concurrency", "N", 1, 1024,
                "concurrent games"),
    ARG_ROW_FLAG(MatchCommand, gauntlet, "--gauntlet", "the first engine plays all others"),
    ARG_ROW_FLAG(MatchCommand, round_robin, "--round-robin",
                 "all engines play each other (the default)"),
    ARG_ROW_PATH(MatchCommand, options.pgn, "--pgn", "OUT",
                 "write the games, with score, depth and time of each move"),
    ARG_ROW_PATH(MatchCommand, options.state, "--state", "FILE", "state file (default: OUT.state)"),
    ARG_ROW_FLAG(MatchCommand, options.resume, "--resume", "resume the match of the state file"),
    ARG_ROW_TEXT(MatchCommand, options.event, "--event", "NAME", "Event tag of the PGN"),
    ARG_ROW_PARSED(
        MatchCommand, options.rules, "--draw", "FROM,MOVES,CP", parse_draw, "FROM,MOVES,CP",
        "adjudicate a draw from move FROM on, after MOVES moves within +-CP of both sides"),
    ARG_ROW_PARSED(
        MatchCommand, options.rules, "--resign", "MOVES,CP[,both]", parse_resign, "MOVES,CP[,both]",
        "adjudicate a loss after MOVES moves at -CP or worse; both: the winner's score agrees"),
    ARG_ROW_INT(MatchCommand, options.rules.max_moves, "--max-moves", "N", 1, 500,
                "adjudicate a draw after N moves"),
    ARG_ROW_INT(MatchCommand, options.rules.margin_ms, "--timemargin", "MS", 0, 3600000,
                "overrun of the clock that is tolerated, in ms"),
    ARG_ROW_INT(MatchCommand, hang_s, "--hang", "S", 1, 86400,
                "time limit of a move without a clock, in seconds"),
    ARG_ROW_HASH(MatchCommand, options.hash_mb, " of each engine"),
    ARG_ROW_TEXT(MatchCommand, engine_options, "--option", "NAME=VALUE",
                 "option of every engine; several are separated by commas"),
    ARG_ROW_FLAG(MatchCommand, verbose, "--verbose", "print a line for every game"),
    {0},
};

static Status check(void *options, const ArgWords *words, Message *why)
{
    MatchCommand *c = options;
    MatchOptions *o = &c->options;
    text_init(&c->result.incidents);
    if (c->gauntlet && c->round_robin)
        return status_fail(why, STATUS_INVALID, "--gauntlet and --round-robin exclude each other");
    o->schedule = c->gauntlet ? MATCH_GAUNTLET : MATCH_ROUND_ROBIN;
    o->random_order = c->order == 0;
    o->has_sprt = o->sprt.elo1 > o->sprt.elo0;
    if (!o->games)
        o->games = o->has_sprt ? SPRT_GAMES : match_defaults().games;
    o->rules.hang_ms = c->hang_s * 1000;
    o->news = on_game;
    o->user = c;
    Status s = read_players(c, words, why);
    if (s == STATUS_OK)
        s = file_keep_apart(o->pgn, o->openings, why);
    if (s == STATUS_OK)
        s = match_check(o, why);
    return s == STATUS_OK ? name_state(c, why) : s;
}

const Command command_match = {
    .name = "match",
    .summary = "play engines against each other",
    .about =
        "Plays each opening with both colours and prints the score, Elo with its 95 % confidence\n"
        "interval, the pentanomial counts, and the faults of each engine. An engine that crashes,\n"
        "hangs, exceeds its time or makes an illegal move loses the game. Our own opponents and\n"
        "levels resign and agree to draws by their own policy; other programs never agree to a\n"
        "draw. Ctrl-C keeps the finished games.\n"
        "\n"
        "An engine is a list of fields separated by commas (\\, for a comma in a field):\n"
        "  castellan           this program, in this process\n"
        "  net=FILE            with that net; eval=classical: with the classical evaluation\n"
        "  opponent=NAME       one of castellan opponents; elo=N: this program at that level\n"
        "                      (both choose their own effort where no limit is given)\n"
        "  cmd=PATH            another program; arg=WORD (repeatable), dir=PATH\n"
        "  proto=uci|xboard    its protocol (default uci)\n"
        "  name=NAME           its name\n"
        "  option.NAME=VALUE   one of its options\n"
        "  tc=, nodes=, depth=, movetime=   its own limits\n",
    .args = ARG_TABLE(MatchCommand, rows, "A B [C ...]", .max_words = MATCH_MAX_PLAYERS,
                      .defaults = set_defaults),
    .check = check,
    .run = run,
    .release = release,
};
