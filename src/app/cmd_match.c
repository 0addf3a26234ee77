/* castellan match: engines against each other. */
#include "app/args.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "match/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SPRT_GAMES = 100000, SHOW_MS = 200 };

typedef struct Job {
    MatchOptions options;
    MatchResult result;
    PlayerSpec players[MATCH_MAX_PLAYERS];
    char *state; /* fresh memory, when it follows from the PGN's name */
    atomic_bool stop, over;
    bool watched, verbose;
    int64_t shown_ms;
    Status status;
    Message why;
} Job;

/* -- Playing -- */

static void *play(void *arg)
{
    Job *job = arg;
    job->status = match_run(&job->options, &job->stop, &job->result, &job->why);
    atomic_store(&job->over, true);
    return NULL;
}

/* After every game: a line each when asked for, otherwise one that is overwritten. */
static void show_news(void *user, const MatchResult *so_far, const char *line)
{
    Job *job = user;
    Text text;
    if (job->verbose)
        fprintf(stderr, "%s\n", line);
    int64_t now = clock_now_ms();
    if (!job->watched || now - job->shown_ms < SHOW_MS)
        return;
    job->shown_ms = now;
    text_init(&text);
    match_report_line(so_far, &text);
    fprintf(stderr, "\r\033[K%3.0f %%, %s", 100.0 * (double)so_far->games / (double)so_far->wanted,
            text.at);
    fflush(stderr);
    text_free(&text);
}

static int run_match(Job *job)
{
    Thread thread;
    interrupt_hold();
    if (thread_start(&thread, play, job, 0, &job->why) != STATUS_OK)
        return command_failed("match", &job->why);
    while (!atomic_load(&job->over)) {
        clock_sleep_ms(10);
        if (interrupt_came())
            atomic_store(&job->stop, true);
    }
    thread_join(thread);
    if (job->shown_ms)
        fprintf(stderr, "\r\033[K");
    Text report;
    text_init(&report);
    match_report(&job->result, &report);
    fputs(report.at, stdout);
    text_free(&report);
    return job->status == STATUS_OK ? COMMAND_DONE : command_failed("match", &job->why);
}

/* -- Arguments -- */

/* Numbers with commas between: how many there are, or -1 when the text is something else. */
static int read_numbers(const char *text, double *out, int max)
{
    int count = 0;
    for (Span rest = span_of(text);; count++) {
        const char *comma = memchr(rest.at, ',', rest.len);
        Span one = comma ? (Span){rest.at, (size_t)(comma - rest.at)} : rest;
        if (count == max || !span_to_double(one, &out[count]))
            return -1;
        if (!comma)
            return count + 1;
        rest = (Span){comma + 1, rest.len - one.len - 1};
    }
}

static Status read_sprt(MatchOptions *o, const char *text, Message *why)
{
    double v[4] = {0, 0, 0.05, 0.05};
    if (!text)
        return STATUS_OK;
    int count = read_numbers(text, v, 4);
    bool fine = count >= 2 && v[0] < v[1] && v[2] > 0 && v[2] < 0.5 && v[3] > 0 && v[3] < 0.5;
    if (!fine)
        return status_fail(why, STATUS_INVALID, "--sprt wants ELO0,ELO1[,ALPHA,BETA], not '%s'",
                           text);
    o->has_sprt = true;
    o->sprt = (StatsSprt){v[0], v[1], v[2], v[3]};
    return STATUS_OK;
}

/* --draw FROM,MOVES,CP and --resign MOVES,CP[,both]. */
static Status read_adjudication(MatchRules *r, const char *draw, const char *resign, Message *why)
{
    double v[3] = {0};
    if (draw) {
        if (read_numbers(draw, v, 3) != 3 || v[0] < 0 || v[1] < 1 || v[1] > 1000 || v[2] < 0)
            return status_fail(why, STATUS_INVALID, "--draw wants FROM,MOVES,CP, not '%s'", draw);
        r->draw_from_move = (int)v[0];
        r->draw_moves = (int)v[1];
        r->draw_cp = (int)v[2];
    }
    if (!resign)
        return STATUS_OK;
    static const char BOTH[] = ",both";
    size_t len = strlen(resign), tail = sizeof BOTH - 1;
    char numbers[32];
    r->resign_both = len > tail && strcmp(resign + len - tail, BOTH) == 0;
    snprintf(numbers, sizeof numbers, "%.*s", (int)(r->resign_both ? len - tail : len), resign);
    if (read_numbers(numbers, v, 2) != 2 || v[0] < 1 || v[0] > 1000 || v[1] < 1)
        return status_fail(why, STATUS_INVALID, "--resign wants MOVES,CP[,both], not '%s'", resign);
    r->resign_moves = (int)v[0];
    r->resign_cp = (int)v[1];
    return STATUS_OK;
}

/* NAME=VALUE,NAME=VALUE for every player. */
static Status add_options(Job *job, const char *text, Message *why)
{
    for (Span rest = span_of(text); rest.len;) {
        const char *comma = memchr(rest.at, ',', rest.len);
        Span one = comma ? (Span){rest.at, (size_t)(comma - rest.at)} : rest;
        const char *equals = memchr(one.at, '=', one.len);
        if (!equals)
            return status_fail(why, STATUS_INVALID, "--option wants NAME=VALUE, not '%s'", text);
        size_t before = (size_t)(equals - one.at);
        for (int i = 0; i < job->options.player_count; i++) {
            Status s = player_spec_add_option(&job->players[i], (Span){one.at, before},
                                              (Span){equals + 1, one.len - before - 1}, why);
            if (s != STATUS_OK)
                return s;
        }
        rest = comma ? (Span){comma + 1, rest.len - one.len - 1} : (Span){"", 0};
    }
    return STATUS_OK;
}

/* Two players of one name could not be told apart. */
static void tell_apart(PlayerSpec *players, int count)
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

static Status read_players(Job *job, const ArgWords *words, const char *options, Message *why)
{
    MatchOptions *o = &job->options;
    if (words->count < 2 || words->count > MATCH_MAX_PLAYERS)
        return status_fail(why, STATUS_INVALID, "which engines (2 to %d)?", MATCH_MAX_PLAYERS);
    for (int i = 0; i < words->count; i++) {
        Status s = player_spec_read(&job->players[i], words->at[i], why);
        if (s != STATUS_OK)
            return s;
        o->player_count++;
    }
    tell_apart(job->players, o->player_count);
    o->players = job->players;
    return options ? add_options(job, options, why) : STATUS_OK;
}

/* The state lies beside the PGN unless it is told where. */
static Status name_state(Job *job, Message *why)
{
    MatchOptions *o = &job->options;
    if (o->resume && !o->state && !o->pgn)
        return status_fail(why, STATUS_INVALID, "--resume needs --pgn or --state");
    if (o->state || !o->pgn)
        return STATUS_OK;
    if (asprintf(&job->state, "%s.state", o->pgn) < 0) {
        job->state = NULL;
        return status_fail(why, STATUS_MEMORY, "no memory");
    }
    o->state = job->state;
    return STATUS_OK;
}

/* What the table of arguments fills before it is checked. */
typedef struct Given {
    const char *tc, *order, *sprt, *draw, *resign, *option;
    int64_t nodes, depth, movetime, games, concurrency, seed, margin, hang, hash, plies, max_moves;
    bool gauntlet, round_robin;
} Given;

static Status take_given(Job *job, const Given *g, const ArgWords *words, Message *why)
{
    MatchOptions *o = &job->options;
    o->limits.nodes = (uint64_t)g->nodes;
    o->limits.depth = (int)g->depth;
    o->limits.move_time_ms = g->movetime;
    o->games = g->games ? (uint64_t)g->games : g->sprt ? SPRT_GAMES : o->games;
    o->concurrency = (int)g->concurrency;
    o->seed = (uint64_t)g->seed;
    o->hash_mb = (int)g->hash;
    o->opening_plies = (int)g->plies;
    o->rules.margin_ms = g->margin;
    o->rules.hang_ms = g->hang * 1000;
    o->rules.max_moves = (int)g->max_moves;
    o->schedule = g->gauntlet ? MATCH_GAUNTLET : MATCH_ROUND_ROBIN;
    if (g->gauntlet && g->round_robin)
        return status_fail(why, STATUS_INVALID, "--gauntlet or --round-robin?");
    o->random_order = !g->order || strcmp(g->order, "random") == 0;
    if (!o->random_order && strcmp(g->order, "sequential") != 0)
        return status_fail(why, STATUS_INVALID, "--order wants random or sequential, not '%s'",
                           g->order);
    Status s = g->tc ? player_read_clock(&o->limits, span_of(g->tc), why) : STATUS_OK;
    if (s == STATUS_OK)
        s = read_sprt(o, g->sprt, why);
    if (s == STATUS_OK)
        s = read_adjudication(&o->rules, g->draw, g->resign, why);
    if (s == STATUS_OK)
        s = read_players(job, words, g->option, why);
    if (s == STATUS_OK)
        s = file_keep_apart(o->pgn, o->openings, why);
    if (s == STATUS_OK)
        s = match_check(o, why);
    return s == STATUS_OK ? name_state(job, why) : s;
}

static Status parse(Job *job, int argc, char **argv, Message *why)
{
    MatchOptions *o = &job->options;
    Given g = {.concurrency = 1, .seed = 1, .hang = 60, .hash = 16};
    const ArgRow rows[] = {
        {"--tc", ARG_TEXT, &g.tc, 0, 0},
        {"--nodes", ARG_INT, &g.nodes, 1, 1000000000000},
        {"--depth", ARG_INT, &g.depth, 1, 200},
        {"--movetime", ARG_INT, &g.movetime, 1, 86400000},
        {"--games", ARG_INT, &g.games, 1, 1000000000},
        {"--openings", ARG_TEXT, &o->openings, 0, 0},
        {"--order", ARG_TEXT, &g.order, 0, 0},
        {"--plies", ARG_INT, &g.plies, 1, 200},
        {"--seed", ARG_INT, &g.seed, 0, INT64_MAX},
        {"--sprt", ARG_TEXT, &g.sprt, 0, 0},
        {"--concurrency", ARG_INT, &g.concurrency, 1, 1024},
        {"--pgn", ARG_TEXT, &o->pgn, 0, 0},
        {"--state", ARG_TEXT, &o->state, 0, 0},
        {"--resume", ARG_FLAG, &o->resume, 0, 0},
        {"--event", ARG_TEXT, &o->event, 0, 0},
        {"--draw", ARG_TEXT, &g.draw, 0, 0},
        {"--resign", ARG_TEXT, &g.resign, 0, 0},
        {"--max-moves", ARG_INT, &g.max_moves, 1, 500},
        {"--timemargin", ARG_INT, &g.margin, 0, 3600000},
        {"--hang", ARG_INT, &g.hang, 1, 86400},
        {"--gauntlet", ARG_FLAG, &g.gauntlet, 0, 0},
        {"--round-robin", ARG_FLAG, &g.round_robin, 0, 0},
        {"--hash", ARG_INT, &g.hash, 1, 1 << 20},
        {"--option", ARG_TEXT, &g.option, 0, 0},
        {"--verbose", ARG_FLAG, &job->verbose, 0, 0},
        {0},
    };
    ArgWords words;
    Status s = args_parse(rows, argc, argv, &words, why);
    return s == STATUS_OK ? take_given(job, &g, &words, why) : s;
}

static int run(int argc, char **argv)
{
    Job *job = calloc(1, sizeof *job);
    Message why;
    if (!job) {
        status_fail(&why, STATUS_MEMORY, "no memory");
        return command_failed("match", &why);
    }
    job->options = match_defaults();
    job->options.news = show_news;
    job->options.user = job;
    job->watched = isatty(2) == 1;
    text_init(&job->result.incidents);
    int code =
        parse(job, argc, argv, &why) == STATUS_OK ? run_match(job) : command_misused("match", &why);
    match_result_free(&job->result);
    for (int i = 0; i < job->options.player_count; i++)
        player_spec_free(&job->players[i]);
    free(job->state);
    free(job);
    return code;
}

const Command command_match = {
    .name = "match",
    .summary = "play engines against each other",
    .help =
        "usage: castellan match A B [C ...] (--tc 2+0.02 | --nodes N | --depth D | --movetime MS)\n"
        "                       [--games N] [--openings FILE] [--sprt ELO0,ELO1] [--concurrency N]\n"
        "                       [--pgn OUT] [--resume] [...]\n"
        "\n"
        "Plays from the same openings with both colours and prints the score, Elo with its 95 %\n"
        "error, the pairs of games, and what each side did wrong. Who crashes, hangs, oversteps its\n"
        "time or plays an illegal move loses the game. Opponents and levels resign as they do, and\n"
        "agree to draws that are offered; other programs never agree to one. Interrupted, it keeps\n"
        "what was finished.\n"
        "\n"
        "An engine is a list of fields with commas between:\n"
        "  castellan           this program, played in this process\n"
        "  net=FILE            ... with that net; eval=classical: with the classical evaluation\n"
        "  opponent=NAME       someone of castellan opponents; elo=N: this program at that level\n"
        "                      (both know how much to think where no limit is given)\n"
        "  cmd=PATH            another program; arg=WORD (again for each), dir=PATH\n"
        "  proto=uci|xboard    what it speaks (default uci)\n"
        "  name=NAME           how to call it\n"
        "  option.NAME=VALUE   one of its options\n"
        "  tc=, nodes=, depth=, movetime=   limits of its own\n"
        "A comma inside a field is written \\,.\n"
        "\n"
        "  --tc [M/]B[+I]     a clock: B seconds (or minutes:seconds) and I more for each move; M/:\n"
        "                     B again after every M moves\n"
        "  --nodes, --depth, --movetime   a fixed effort for each move\n"
        "  --games N          games of each two engines (default 100; one more when N is odd, for every\n"
        "                     opening is played with both colours)\n"
        "  --openings FILE    .pgn: games; anything else: positions, one FEN or EPD a line;\n"
        "                     without it random openings that are about even\n"
        "  --order O          random (default) or sequential;  --seed S  for another order\n"
        "  --plies N          how much of each opening of a PGN to take (default all, up to 200)\n"
        "  --sprt E0,E1[,A,B] stop when the first engine is shown to be better by E1 (or not by E0)\n"
        "                     in normalised Elo, with error rates A and B (default 0.05)\n"
        "  --concurrency N    games at a time (default 1)\n"
        "  --gauntlet         the first engine against all others; default with more than two:\n"
        "  --round-robin      everyone against everyone\n"
        "  --pgn OUT          write the games, with score/depth and time of each move\n"
        "  --state FILE       what --resume goes on from (default OUT.state)\n"
        "  --resume           go on with the match of that state\n"
        "  --draw F,M,CP      drawn when both are within CP for M moves, from move F on\n"
        "  --resign M,CP[,both]  lost when its side says -CP for M moves [and the other agrees]\n"
        "  --max-moves N      drawn after N moves\n"
        "  --timemargin MS    a flag falls so much later (default 0)\n"
        "  --hang S           time for a move where there is no clock (default 60 s)\n"
        "  --hash MB          table of each engine (default 16)\n"
        "  --option N=V[,N=V] options of every engine\n"
        "  --event NAME       for the PGN;  --verbose  a line for every game\n",
    .run = run,
};
