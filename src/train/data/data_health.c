#include "train/data/data_health.h"

#include "base/checksum.h"
#include "chess/fen.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SAMPLE_ONE_OF = 64 };

static const int band_from[HEALTH_BANDS] = {50, 150, 300, 600};

/* A set of numbers, none of them 0; open addressing, at most half full. */
typedef struct NumberSet {
    uint64_t *at;
    size_t room, count;
} NumberSet;

struct HealthStudy {
    DataHealth health;
    NumberSet games, positions;
    GameRecord game;
    Key usual_start;
};

/* -- Sets -- */

static bool set_grow(NumberSet *s)
{
    size_t room = s->room ? s->room * 2 : 1 << 12;
    uint64_t *at = calloc(room, sizeof *at);
    if (!at)
        return false;
    for (size_t i = 0; i < s->room; i++) {
        if (!s->at[i])
            continue;
        size_t k = s->at[i] & (room - 1);
        while (at[k])
            k = (k + 1) & (room - 1);
        at[k] = s->at[i];
    }
    free(s->at);
    s->at = at;
    s->room = room;
    return true;
}

/* False when there is no memory; *is_new says whether the number was added. */
static bool set_add(NumberSet *s, uint64_t number, bool *is_new)
{
    number += !number;
    if (2 * s->count >= s->room && !set_grow(s))
        return false;
    size_t k = number & (s->room - 1);
    while (s->at[k] && s->at[k] != number)
        k = (k + 1) & (s->room - 1);
    *is_new = !s->at[k];
    s->count += *is_new;
    s->at[k] = number;
    return true;
}

/* -- Life -- */

HealthStudy *health_new(void)
{
    HealthStudy *h = calloc(1, sizeof *h);
    Position usual;
    pos_set_start(&usual);
    if (h)
        h->usual_start = usual.st.key;
    return h;
}

void health_free(HealthStudy *h)
{
    if (!h)
        return;
    free(h->games.at);
    free(h->positions.at);
    free(h);
}

const DataHealth *health_of(const HealthStudy *h)
{
    return &h->health;
}

/* -- Counting -- */

Status health_is_new(HealthStudy *h, const GameRecord *game, bool *is_new, Message *why)
{
    uint64_t sum = game->start.st.key + game->start.chess960;
    uint16_t moves[DATA_MAX_PLIES];
    for (int i = 0; i < game->count; i++)
        moves[i] = game->plies[i].move;
    sum = sum * 0x9e3779b97f4a7c15u + checksum64(moves, (size_t)game->count * sizeof *moves);
    if (!set_add(&h->games, sum, is_new))
        return status_fail(why, STATUS_MEMORY, "not enough memory to find duplicates");
    return STATUS_OK;
}

static int histogram_column(int score)
{
    int half = HEALTH_COLUMNS / 2;
    int column = (score + (score < 0 ? -HEALTH_STEP / 2 : HEALTH_STEP / 2)) / HEALTH_STEP;
    return half + (column < -half ? -half : column > half ? half : column);
}

/* `result` is the mover's: 0 lost, 1 drawn, 2 won. */
static void count_score(DataHealth *d, int score, int result, Color side)
{
    if (score == SCORE_NONE) {
        d->unscored++;
        return;
    }
    d->histogram[histogram_column(score)]++;
    if (score_is_decisive(score))
        d->decisive++;
    else
        d->white_score_sum += side == WHITE ? score : -score;
    int size = abs(score), ahead = score > 0 ? result : 2 - result;
    for (int band = HEALTH_BANDS - 1; band >= 0; band--)
        if (size >= band_from[band]) {
            d->bands[band][ahead]++;
            return;
        }
}

static Status count_positions(HealthStudy *h, const GameRecord *g, Message *why)
{
    DataHealth *d = &h->health;
    Position p = g->start;
    for (int i = 0; i < g->count; i++) {
        Undo undo;
        bool is_new = true;
        const DataPly *ply = &g->plies[i];
        int result = result_half_points(g->result, p.side);
        d->white_to_move += p.side == WHITE;
        count_score(d, ply->score, result, p.side);
        /* The lowest bits choose, so the set is asked about the others. */
        if (p.st.key % SAMPLE_ONE_OF == 0) {
            if (!set_add(&h->positions, p.st.key / SAMPLE_ONE_OF, &is_new))
                return status_fail(why, STATUS_MEMORY, "not enough memory to find duplicates");
            d->sampled++;
            d->sampled_again += !is_new;
        }
        pos_make(&p, ply->move, &undo);
    }
    return STATUS_OK;
}

static Status count_game(void *user, const GameRecord *g, Message *why)
{
    HealthStudy *h = user;
    DataHealth *d = &h->health;
    bool is_new;
    Status s = health_is_new(h, g, &is_new, why);
    if (s != STATUS_OK)
        return s;
    uint64_t count = (uint64_t)g->count;
    d->shortest = d->games && d->shortest < count ? d->shortest : count;
    d->longest = d->longest > count ? d->longest : count;
    d->games++;
    d->duplicates += !is_new;
    d->chess960 += g->start.chess960;
    d->other_starts += !g->start.chess960 && g->start.st.key != h->usual_start;
    d->results[g->result]++;
    d->positions += count;
    return count_positions(h, g, why);
}

Status health_add_file(HealthStudy *h, const char *path, const atomic_bool *stop,
                       _Atomic uint64_t *bytes_read, Message *why)
{
    DataFileCounts file = {0};
    Status s = data_read_file(path, &h->game, count_game, h, stop, &file, why);
    h->health.files += file.size > 0;
    h->health.bytes += file.size;
    h->health.damaged_blocks += file.damaged;
    h->health.cut += s == STATUS_OK ? file.cut : 0;
    if (bytes_read)
        atomic_fetch_add(bytes_read, file.size);
    return s;
}

/* -- Report -- */

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static double ratio(double a, uint64_t b)
{
    return b ? a / (double)b : 0;
}

static void report_games(const DataHealth *d, Text *out)
{
    text_addf(out,
              "%" PRIu64 " files, %" PRIu64 " games, %" PRIu64
              " positions, %.2f bytes per position\n",
              d->files, d->games, d->positions, ratio((double)d->bytes, d->positions));
    text_addf(out, "labels       %" PRIu64 ", %.2f bytes per label\n", d->positions - d->unscored,
              ratio((double)d->bytes, d->positions - d->unscored));
    text_addf(out, "length       %.1f plies, %" PRIu64 " to %" PRIu64 "\n",
              ratio((double)d->positions, d->games), d->shortest, d->longest);
    text_addf(out, "starts       %.1f %% Chess960, %.1f %% other positions\n",
              percent(d->chess960, d->games), percent(d->other_starts, d->games));
    text_addf(out, "results      white won %.1f %%, drawn %.1f %%, black won %.1f %%\n",
              percent(d->results[RESULT_WHITE_WINS], d->games),
              percent(d->results[RESULT_DRAW], d->games),
              percent(d->results[RESULT_BLACK_WINS], d->games));
    text_addf(out, "duplicates   %" PRIu64 " games, %.2f %% of positions\n", d->duplicates,
              percent(d->sampled_again, d->sampled));
}

static void report_scores(const DataHealth *d, Text *out)
{
    uint64_t scored = d->positions - d->unscored, most = 1;
    text_addf(out, "sides        white to move in %.1f %%, mean score for White %+.1f cp\n",
              percent(d->white_to_move, d->positions),
              ratio(d->white_score_sum, scored - d->decisive));
    text_addf(out, "scores       %.1f %% without one, %.1f %% decisive\n",
              percent(d->unscored, d->positions), percent(d->decisive, d->positions));
    for (int i = 0; i < HEALTH_BANDS; i++) {
        const uint64_t *b = d->bands[i];
        uint64_t all = b[0] + b[1] + b[2];
        text_addf(out, "%4d cp ahead won %.1f %%, drawn %.1f %%, lost %.1f %% (%" PRIu64 ")\n",
                  band_from[i], percent(b[2], all), percent(b[1], all), percent(b[0], all), all);
    }
    for (int i = 0; i < HEALTH_COLUMNS; i++)
        most = d->histogram[i] > most ? d->histogram[i] : most;
    for (int i = 0; i < HEALTH_COLUMNS; i++) {
        text_addf(out, "%+6d %6.2f %% ", (i - HEALTH_COLUMNS / 2) * HEALTH_STEP,
                  percent(d->histogram[i], scored));
        for (uint64_t k = 0; k < 50 * d->histogram[i] / most; k++)
            text_add_char(out, '#');
        text_add_char(out, '\n');
    }
}

static void warn(Text *out, bool when, const char *text)
{
    if (when)
        text_addf(out, "warning: %s\n", text);
}

/* Bounds that sound data of any size we make stay far away from. */
static void report_warnings(const DataHealth *d, Text *out)
{
    const uint64_t *top = d->bands[HEALTH_BANDS - 1];
    bool enough = d->games >= 100;
    double drawn = percent(d->results[RESULT_DRAW], d->games);
    double white = percent(d->white_to_move, d->positions);
    double tilt = percent(d->results[RESULT_WHITE_WINS], d->games) -
                  percent(d->results[RESULT_BLACK_WINS], d->games);
    if (d->damaged_blocks)
        text_addf(out, "warning: %" PRIu64 " damaged blocks, which were skipped\n",
                  d->damaged_blocks);
    warn(out, d->cut, "a file ends in an incomplete block, as a killed run leaves it");
    warn(out, enough && percent(d->duplicates, d->games) > 1, "many duplicate games");
    warn(out, enough && percent(d->sampled_again, d->sampled) > 20, "many duplicate positions");
    warn(out, enough && (drawn < 2 || drawn > 95), "almost no draws, or only draws");
    warn(out, enough && (tilt > 40 || tilt < -20), "one colour wins far too often");
    warn(out, enough && (white < 45 || white > 55),
         "White and Black are not to move equally often");
    warn(out, enough && percent(top[2], top[0] + top[1] + top[2]) < 80,
         "scores and results disagree; a sign may be wrong");
}

void health_report(const DataHealth *d, Text *out)
{
    report_games(d, out);
    if (d->positions)
        report_scores(d, out);
    report_warnings(d, out);
}
