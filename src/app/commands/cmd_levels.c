/* castellan levels: fits the model of human choice behind the levels, and tests it. */
#include "app/command.h"
#include "app/games_input.h"
#include "base/file.h"
#include "chess/fen.h"
#include "levels/human_games.h"
#include "levels/human_test.h"
#include "levels/level.h"
#include "notation/annotation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PER_LINE = 14, ITERATIONS = 200 };
enum { MOST_PLIES = 600, MOST_ELO = 4000, USUAL_MOVES = 40 };

typedef struct LevelsCommand {
    HumanGames games;
    HumanData data;
    const char *out, *cache;
    int share, judged, iterations;
    bool facts; /* print the weights of the facts */
    Progress progress;
    _Atomic uint64_t done, all; /* of what is going on now */
    HumanBand bands[HUMAN_BANDS];
    HumanLikes likes;
    float *weights;
} LevelsCommand;

static bool on_progress(void *user, size_t done, size_t all)
{
    LevelsCommand *c = user;
    atomic_store(&c->all, all);
    atomic_store(&c->done, done);
    return !atomic_load(&c->progress.job.stop);
}

/* -- Reading -- */

typedef struct Reading {
    HumanGames *games;
    HumanGame game;
    Move moves[MOST_PLIES];
    bool usual; /* starts where games usually start, and every move fits */
    GamesInput input;
} Reading;

static void on_begin(void *user)
{
    Reading *r = user;
    r->game = (HumanGame){.moves = r->moves};
    r->usual = true;
}

static int read_seconds(Span text)
{
    int64_t base, increment;
    if (!annotation_time_control(text, &base, &increment))
        return 0;
    return (int)((base + USUAL_MOVES * increment) / 1000);
}

static void on_tag(void *user, Span name, Span value)
{
    Reading *r = user;
    int64_t elo;
    if (span_is(name, "TimeControl"))
        r->game.seconds = read_seconds(value);
    if (!span_to_int64(value, 1, MOST_ELO, &elo))
        return;
    if (span_is(name, "WhiteElo"))
        r->game.elo[WHITE] = (int)elo;
    else if (span_is(name, "BlackElo"))
        r->game.elo[BLACK] = (int)elo;
}

static void on_start(void *user, const Position *p)
{
    Position start;
    pos_set_start(&start);
    ((Reading *)user)->usual = p->st.key == start.st.key;
}

static void on_move(void *user, const Position *p UNUSED, Move m, int depth)
{
    Reading *r = user;
    if (depth > 0)
        return;
    if (move_is_none(m) || r->game.count == MOST_PLIES)
        r->usual = false;
    else
        r->moves[r->game.count++] = m;
}

static void on_end(void *user, Result result UNUSED)
{
    Reading *r = user;
    if (r->usual && r->game.elo[WHITE] && r->game.elo[BLACK])
        r->input.status = human_games_add(r->games, &r->game, &r->input.why);
}

/* Every game from the usual starting position with two ratings; others are left out. */
static Status read_games(HumanGames *g, const char *path, const atomic_bool *stop, Message *why)
{
    Reading reading = {.games = g};
    reading.input = (GamesInput){.command = "levels",
                                 .visitor = {.user = &reading,
                                             .begin = on_begin,
                                             .tag = on_tag,
                                             .start = on_start,
                                             .move = on_move,
                                             .end = on_end}};
    Status s = games_input_read(&reading.input, path, stop, why);
    if (s == STATUS_OK && g->count == 0)
        return status_fail(why, STATUS_INVALID, "%s: no game with WhiteElo and BlackElo", path);
    return s;
}

/* The samples of the share: from the cache and by searches, which are added to it, also where an
 * interrupt ends them early. */
static Status read_samples(LevelsCommand *c, Message *why)
{
    HumanGames *g = &c->games;
    if (c->cache && access(c->cache, F_OK) == 0) {
        Status s = human_cache_read(g, c->cache, why);
        if (s != STATUS_OK)
            return s;
    }
    size_t before = g->sample_count;
    Status s = human_games_search(g, c->share, on_progress, c, why);
    if (c->cache && g->sample_count > before) {
        Message unwritten;
        Status written = human_cache_write(g, c->cache, &unwritten);
        if (s == STATUS_OK && written != STATUS_OK) {
            *why = unwritten;
            s = written;
        }
    }
    return s;
}

/* -- Fitting -- */

/* Fresh weights, of the whole model or of the one that knows the search's order alone. */
static Status fit_weights(LevelsCommand *c, int without_fold, bool order_only, float **out,
                          Message *why)
{
    *out = calloc(HUMAN_WEIGHTS, sizeof **out);
    if (!*out)
        return status_fail(why, STATUS_MEMORY, "not enough memory for the weights");
    HumanFitOptions options = {.without_fold = without_fold,
                               .iterations = c->iterations,
                               .order_only = order_only,
                               .progress = on_progress,
                               .user = c};
    return human_fit(&c->data, &options, *out, why);
}

static void put_weights(Text *t, const float *weights)
{
    text_add_str(t, "/* Written by `castellan levels fit`; not edited by hand. */\n"
                    "#include \"levels/human_model.h\"\n\n/* clang-format off */\n"
                    "const float human_weights[HUMAN_WEIGHTS] = {");
    for (int i = 0; i < HUMAN_WEIGHTS; i++)
        text_addf(t, "%s%.3ff,", i % PER_LINE ? " " : "\n    ", (double)weights[i]);
    text_add_str(t, "\n};\n");
}

static void put_book(Text *t, const HumanBook *book)
{
    text_add_str(t, "\nstatic const HumanBookMove book_moves[] = {");
    for (size_t i = 0; i < book->count; i++)
        text_addf(t, "%s{0x%016" PRIx64 "u, %d, %d},", i % 4 ? " " : "\n    ", book->moves[i].key,
                  book->moves[i].move, book->moves[i].count);
    text_addf(t, "\n};\n\nconst HumanBook human_book = {book_moves, %zu};\n", book->count);
    text_add_str(t, "/* clang-format on */\n");
}

static Status write_model(const LevelsCommand *c, Message *why)
{
    HumanBook book;
    Status s = human_book_build(&book, &c->games, -1, why);
    if (s != STATUS_OK)
        return s;
    Text t = text_new();
    put_weights(&t, c->weights);
    put_book(&t, &book);
    human_book_free(&book);
    return file_write_text(c->out, &t, why);
}

static void print_facts(const float *weights)
{
    printf("%-58s %5s %6s", "fact", "depth", "all");
    for (int i = 0; i < HUMAN_RATINGS; i++)
        printf(" %6d", human_ratings[i]);
    printf(" %6s\n", "fast");
    for (int f = 0; f < HUMAN_FACTS; f++) {
        HumanFactName name = human_fact_name(f);
        printf("%-58s %5d", name.text, name.depth);
        for (int b = 0; b < HUMAN_BLOCKS; b++)
            printf(" %6.2f", (double)weights[b * HUMAN_FACTS + f]);
        printf("\n");
    }
}

/* -- Testing -- */

static double percent(double part, double all)
{
    return all > 0 ? 100 * part / all : 0;
}

static double mean(double sum, double count)
{
    return count > 0 ? sum / count : 0;
}

static void print_predictions(const HumanBand *bands)
{
    printf("ratings      positions  likeliest move  level's move  full strength  log-likelihood  "
           "by order alone\n");
    for (int i = 0; i < HUMAN_BANDS; i++) {
        const HumanBand *b = &bands[i];
        printf("%4d - %4d  %10.0f  %12.1f %%  %10.1f %%  %11.1f %%  %14.3f  %14.3f\n", b->from,
               b->below - 1, b->positions, percent(b->likeliest, b->positions),
               percent(b->level_match, b->positions), percent(b->full_match, b->judged),
               mean(b->loglik, b->positions), mean(b->order_loglik, b->positions));
    }
}

static void print_losses(const HumanBand *bands)
{
    printf("\nLoss of winning chances per move (0 to 2), and blunders (0.3 or more)\n"
           "ratings      search           people   level  people     level  positions\n");
    for (int i = 0; i < HUMAN_BANDS; i++) {
        const HumanBand *b = &bands[i];
        printf("%4d - %4d  values used      %6.4f  %6.4f  %4.1f %%  %6.1f %%  %9.0f\n", b->from,
               b->below - 1, mean(b->people_loss, b->positions), mean(b->level_loss, b->positions),
               percent(b->people_blunders, b->positions), percent(b->level_blunders, b->positions),
               b->positions);
        printf("             %5d nodes each %6.4f  %6.4f  %4.1f %%  %6.1f %%  %9.0f\n",
               HUMAN_JUDGE_NODES, mean(b->judged_people_loss, b->judged),
               mean(b->judged_level_loss, b->judged), percent(b->judged_people_blunders, b->judged),
               percent(b->judged_level_blunders, b->judged), b->judged);
    }
    printf("\nPieces left en prise where people rarely leave one (model: below 10 %%)\n");
    for (int i = 0; i < HUMAN_BANDS; i++)
        printf("%4d - %4d  %.2f %% of %.0f moves\n", bands[i].from, bands[i].below - 1,
               percent(bands[i].hung, bands[i].unlikely), bands[i].unlikely);
}

static void print_likes(const HumanLikes *likes)
{
    printf(
        "\nLoss of each level in the same positions (%.0f), and the rating of people who lose as "
        "much\n",
        likes->positions);
    for (int i = 0; i < HUMAN_LIKE_LEVELS; i++) {
        int like = human_like(likes, i);
        printf("%4d  %6.4f  ", LEVEL_MIN_ELO + 200 * i, mean(likes->levels[i], likes->positions));
        if (like == 0 || like == HUMAN_LIKE_ABOVE)
            printf("%s\n", like ? "above 1700" : "below 500");
        else
            printf("%d\n", like);
    }
}

static Status test_fold(LevelsCommand *c, int fold, Message *why)
{
    float *weights = NULL, *order = NULL;
    Status s = fit_weights(c, fold, false, &weights, why);
    if (s == STATUS_OK)
        s = fit_weights(c, fold, true, &order, why);
    HumanTestOptions options = {.weights = weights,
                                .order_weights = order,
                                .fold = fold,
                                .judged = c->judged,
                                .seed = (uint64_t)fold + 1,
                                .progress = on_progress,
                                .user = c};
    if (s == STATUS_OK)
        s = human_test(&c->data, &c->games, &options, c->bands, &c->likes, why);
    free(weights);
    free(order);
    return s;
}

/* -- The command -- */

static Status begin(LevelsCommand *c, const char *pgn, Message *why)
{
    c->progress = (Progress){.unit = "steps", .total_now = &c->all, .done = &c->done};
    progress_begin(&c->progress);
    Status s = read_games(&c->games, pgn, &c->progress.job.stop, why);
    if (s == STATUS_OK)
        s = read_samples(c, why);
    return s == STATUS_OK ? human_data_build(&c->data, &c->games, on_progress, c, why) : s;
}

static const LevelsCommand defaults = {.share = 100, .judged = 5, .iterations = ITERATIONS};

#define COMMON_ROWS                                                           \
    ARG_ROW_PATH(LevelsCommand, cache, "--cache", "FILE",                     \
                 "file of search results, so that the next run is fast"),     \
        ARG_ROW_INT(LevelsCommand, share, "--share", "P", 1, 100,             \
                    "percent of the positions to use"),                       \
        ARG_ROW_INT(LevelsCommand, iterations, "--iterations", "N", 1, 10000, \
                    "maximum number of iterations")

static const ArgRow fit_rows[] = {
    ARG_ROW_NEEDED_PATH(LevelsCommand, out, "-o", "FILE", "the C file to write"),
    COMMON_ROWS,
    ARG_ROW_FLAG(LevelsCommand, facts, "--facts", "print the weight of every feature"),
    {0},
};
static const ArgRow test_rows[] = {
    COMMON_ROWS,
    ARG_ROW_INT(LevelsCommand, judged, "--judged", "P", 0, 100,
                "percent of the positions to check with searches of 5000 nodes"),
    {0},
};

static Status run_fit(void *options, const ArgWords *words, Message *why)
{
    LevelsCommand *c = options;
    Status s = file_check_place(c->out, why);
    if (s != STATUS_OK)
        return s;
    s = begin(c, words->at[0], why);
    if (s == STATUS_OK)
        s = fit_weights(c, -1, false, &c->weights, why);
    if (s == STATUS_OK)
        s = write_model(c, why);
    s = progress_end(&c->progress, s, why);
    if (s == STATUS_OK && c->facts)
        print_facts(c->weights);
    return s;
}

static Status run_test(void *options, const ArgWords *words, Message *why)
{
    LevelsCommand *c = options;
    Status s = begin(c, words->at[0], why);
    human_test_begin(c->bands);
    for (int fold = 0; fold < HUMAN_FOLDS && s == STATUS_OK; fold++)
        s = test_fold(c, fold, why);
    s = progress_end(&c->progress, s, why);
    if (s != STATUS_OK)
        return s;
    print_predictions(c->bands);
    print_losses(c->bands);
    print_likes(&c->likes);
    return STATUS_OK;
}

static void release(void *options)
{
    LevelsCommand *c = options;
    free(c->weights);
    human_data_free(&c->data);
    human_games_free(&c->games);
}

static const Command levels_fit = {
    .name = "fit",
    .about =
        "finds the model's weights by maximum likelihood from games with WhiteElo and BlackElo,\n"
        "and writes them as C source (src/levels/human_model_weights.c).\n",
    .args = ARG_TABLE(LevelsCommand, fit_rows, "GAMES.pgn", .initial = &defaults),
    .run = run_fit,
    .release = release};

static const Command levels_test = {
    .name = "test",
    .about =
        "fits to four fifths of the games, five times, and compares the model and the levels with\n"
        "the people of the other fifth.\n",
    .args = ARG_TABLE(LevelsCommand, test_rows, "GAMES.pgn", .initial = &defaults),
    .run = run_test,
    .release = release};

const Command command_levels = {
    .name = "levels",
    .summary = "fit the levels' model of human choice to games, and test it",
    .about =
        "The levels up to 1800 play from a model of how people choose moves. It is fitted to games of\n"
        "people; see docs/RATINGS.md.\n",
    .subcommands = (const Command *const[]){&levels_fit, &levels_test, NULL},
};
