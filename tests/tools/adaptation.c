/* Does the level follow the player? Simulated players of fixed strength start 600 points off and
 * play against adapt_level; what they score after their twelfth game is printed, and must lie
 * within 43 and 57 %.
 *
 *   adaptation PLAYERS [REAL_BELOW]     players of each strength; real games below that Elo
 * (default 1700)
 *
 * A simulated player is a level itself. Below REAL_BELOW every game is played on the board; above,
 * where games are dear, results are drawn from the scores that levels have against each other, and
 * the table says so. (A step of 200 is worth less than 200 Elo in the lower half of the ladder.) */
#include "base/job.h"
#include "base/random.h"
#include "base/text.h"
#include "base/thread.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "levels/level.h"
#include "levels/rating/adapt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SETTLING = 12, GAMES = 36, OFF = 600, LONGEST = 300 };

static const SearchLimits no_limits;

/* A level at the board. */
typedef struct Player {
    LevelSetup setup;
    OpponentRow row; /* of the opponent, which keeps a pointer to it */
    Opponent *self;
} Player;

static void open_level(Player *player, int elo)
{
    Message why;
    player->setup = (LevelSetup){.elo = elo};
    player->row = (OpponentRow){.name = "level", .ops = &level_ops, .setup = &player->setup};
    if (opponent_open(&player->self, &player->row, span_of(""), NULL, 1, &why) != STATUS_OK) {
        fprintf(stderr, "adaptation: %s\n", why.text);
        exit(1);
    }
}

static OpponentAnswer ask(Opponent *self, const Position *p)
{
    atomic_bool stop = false;
    OpponentTask task = {.position = p, .limits = &no_limits, .stop = &stop};
    OpponentAnswer a = {0};
    opponent_think(self, &task, &a);
    return a;
}

/* White's points. */
static double play_game(Opponent *const players[COLOR_COUNT])
{
    Position p;
    pos_set_start(&p);
    for (int ply = 0; ply < LONGEST; ply++) {
        GameEnd end = draw_game_end(&p);
        if (end == GAME_CHECKMATE)
            return p.side == WHITE ? 0 : 1;
        if (end != GAME_GOES_ON)
            return 0.5;
        OpponentAnswer a = ask(players[p.side], &p);
        if (a.resigns)
            return p.side == WHITE ? 0 : 1;
        Undo undo;
        pos_make(&p, a.move, &undo);
    }
    return 0.5;
}

static double real_score(Opponent *player, int level, int number, Random *random)
{
    Player opponent;
    open_level(&opponent, level);
    opponent_new_game(player, random_next(random));
    opponent_new_game(opponent.self, random_next(random));
    Opponent *const sides[2][COLOR_COUNT] = {{player, opponent.self}, {opponent.self, player}};
    double white = play_game(sides[number % 2]);
    opponent_close(opponent.self);
    return number % 2 ? 1 - white : white;
}

/* -- What levels score against each other -- */

/* The Elo of each step of 200, from level 400 up, as docs/RATINGS.md has it. */
static const double steps[] = {133, 125, 119, 127, 106, 115, 111, 285, 285, 291, 320, 312, 250};
enum { STEP = 200, STEPS = sizeof steps / sizeof *steps };

/* How far a level is above the lowest. */
static double measured(double level)
{
    double above = (level - LEVEL_MIN_ELO) / STEP, sum = 0;
    for (int i = 0; i < STEPS && above > 0; i++, above -= 1)
        sum += steps[i] * fmin(above, 1);
    return sum;
}

static double drawn_score(int player, int level, Random *random)
{
    return random_unit(random) < 1 / (1 + pow(10, (measured(level) - measured(player)) / 400));
}

/* -- Following a player -- */

typedef struct Outcome {
    double settled; /* points after the first games */
    double level;   /* the last level */
} Outcome;

/* Players of one strength who all begin at one level, each followed by himself. */
typedef struct Group {
    int strength, start, players;
    bool real; /* games are played */
    Outcome *outcomes;
} Group;

static Status follow(void *user, int index, Message *why)
{
    (void)why;
    const Group *group = user;
    Outcome *o = &group->outcomes[index];
    *o = (Outcome){0, 0};
    Random random;
    random_seed(&random, 1000 * (uint64_t)(group->strength + group->start) + (uint64_t)index);
    Player player = {.self = NULL};
    if (group->real)
        open_level(&player, group->strength);
    Glicko g = glicko_start(group->start);
    for (int k = 0; k < GAMES; k++) {
        int level = adapt_level(g, 0);
        double score = group->real ? real_score(player.self, level, k, &random)
                                   : drawn_score(group->strength, level, &random);
        o->settled += k >= SETTLING ? score : 0;
        adapt_result(&g, level, score);
    }
    o->level = adapt_level(g, 0);
    opponent_close(player.self);
    return STATUS_OK;
}

/* The average of the group: the share of points, and the level. */
static Outcome follow_group(Group *group)
{
    Message why;
    group->outcomes = calloc((size_t)group->players, sizeof *group->outcomes);
    if (!group->outcomes ||
        job_parts(follow, group, group->players, thread_cpu_count(), NULL, &why) != STATUS_OK) {
        fputs("adaptation: out of memory\n", stderr);
        exit(1);
    }
    Outcome mean = {0, 0};
    for (int i = 0; i < group->players; i++) {
        mean.settled += group->outcomes[i].settled / (GAMES - SETTLING) / group->players;
        mean.level += group->outcomes[i].level / group->players;
    }
    free(group->outcomes);
    return mean;
}

static int clamp_elo(int elo)
{
    return elo < LEVEL_MIN_ELO ? LEVEL_MIN_ELO : elo > LEVEL_MAX_ELO ? LEVEL_MAX_ELO : elo;
}

static bool print_following(int players, int real_below)
{
    bool good = true;
    printf("strength  start  games     score after %d games  last level\n", SETTLING);
    for (int strength = 600; strength <= 2400; strength += 300)
        for (int side = -1; side <= 1; side += 2) {
            bool real = strength < real_below;
            Group group = {.strength = strength,
                           .start = clamp_elo(strength + side * OFF),
                           .players = real ? players : 20 * players,
                           .real = real};
            Outcome o = follow_group(&group);
            bool holds = fabs(o.settled - 0.5) <= 0.07;
            good &= holds;
            printf("%8d  %5d  %-8s  %18.1f %%  %10.0f%s\n", strength, group.start,
                   real ? "played" : "by steps", 100 * o.settled, o.level,
                   holds ? "" : "  outside 43-57 %");
            fflush(stdout);
        }
    return good;
}

int main(int argc, char **argv)
{
    int64_t players = 0, real_below = 1700;
    if (argc < 2 || argc > 3 || !span_to_int64(span_of(argv[1]), 1, 100000, &players) ||
        (argc == 3 && !span_to_int64(span_of(argv[2]), 0, 4000, &real_below))) {
        fputs("usage: adaptation PLAYERS [REAL_BELOW]\n", stderr);
        return 2;
    }
    chess_init();
    bool good = print_following((int)players, (int)real_below);
    return good ? 0 : 1;
}
