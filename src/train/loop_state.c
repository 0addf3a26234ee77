#include "train/loop_int.h"

#include "base/file.h"
#include "base/state_file.h"
#include "train/data/data.h"
#include "train/history.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATIONS_MAX = 10000, STEP_MAX_ELO = 800, TITLE_SIZE = 80, VERSION = 3 };

/* The first version of the file has no label nodes, and the second no random moves. */
#define LABEL_NODES_FIELD "label-nodes"
#define RANDOM_MOVES_FIELD "random-moves"

const StateField loop_fields[] = {
    {"threads", offsetof(LoopConfig, threads), 1, 1024},
    {"seed", offsetof(LoopConfig, seed), 0, INT64_MAX / 2},
    {"games-per-generation", offsetof(LoopConfig, games), 1, INT64_MAX / 2},
    {"nodes", offsetof(LoopConfig, nodes), 1, 1 << 30},
    {LABEL_NODES_FIELD, offsetof(LoopConfig, label_nodes), 0, 1 << 30},
    {"chess960", offsetof(LoopConfig, chess960), 0, 100},
    {RANDOM_MOVES_FIELD, offsetof(LoopConfig, random_moves), 0, 100},
    {"window", offsetof(LoopConfig, window), 1, 1000},
    {"hidden", offsetof(LoopConfig, hidden), 0, 4096},
    {"buckets", offsetof(LoopConfig, buckets), 0, 8},
    {"epochs", offsetof(LoopConfig, epochs), 0, 100000},
    {"batch", offsetof(LoopConfig, batch), 1, 1 << 24},
    {"gate-games", offsetof(LoopConfig, gate_games), 2, 1000000},
    {"gate-nodes", offsetof(LoopConfig, gate_nodes), 1, 1 << 30},
    {"hash", offsetof(LoopConfig, hash_mb), 1, 1 << 20},
    {0},
};

static const char *const phase_names[LOOP_PHASE_COUNT] = {"play", "train", "nodes", "timed"};

/* -- Writing -- */

static void write_text(const LoopState *s, Text *t)
{
    text_addf(t, "castellan-learn %d\nstart %s\n", VERSION, s->config.start);
    state_write_fields(loop_fields, &s->config, t);
    const PlayerLimits *clock = &s->config.gate_clock;
    text_addf(t, "gate-tc %" PRId64 " %" PRId64 " %d\n", clock->base_ms, clock->increment_ms,
              clock->moves);
    text_addf(t, "champion %d\nphase %s\n", s->champion, phase_names[s->phase]);
    for (int i = 0; i < s->count; i++) {
        const LoopGeneration *g = &s->generations[i];
        text_addf(t, "generation %d %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %.9g %.9g", g->number,
                  g->accepted, g->games, g->positions, g->trained_on, g->loss, g->held_out);
        stats_write(&g->nodes, t);
        stats_write(&g->timed, t);
        text_add_char(t, '\n');
    }
    text_add_str(t, "end\n");
}

Status loop_state_write(const LoopState *s, const char *dir, Message *why)
{
    char path[PATH_MAX];
    Status status = data_path(path, why, "%s/state", dir);
    if (status != STATUS_OK)
        return status;
    Text text = text_new();
    write_text(s, &text);
    return file_write_text(path, &text, why);
}

/* -- Reading -- */

static bool has_field(int64_t version, const char *name)
{
    int64_t since = strcmp(name, LABEL_NODES_FIELD) == 0    ? 2
                    : strcmp(name, RANDOM_MOVES_FIELD) == 0 ? 3
                                                            : 1;
    return version >= since;
}

static bool read_config(Span *text, int64_t version, LoopConfig *c)
{
    Span rest;
    if (!state_line(text, "start", &rest))
        return false;
    rest = span_trim(rest);
    if (!rest.len || rest.len >= sizeof c->start)
        return false;
    memcpy(c->start, rest.at, rest.len);
    c->start[rest.len] = '\0';
    for (const StateField *f = loop_fields; f->name; f++)
        if (has_field(version, f->name) && !state_read_field(f, c, text))
            return false;
    int64_t moves;
    if (!state_line(text, "gate-tc", &rest) ||
        !state_int(&rest, 1, INT64_MAX, &c->gate_clock.base_ms) ||
        !state_int(&rest, 0, INT64_MAX, &c->gate_clock.increment_ms) ||
        !state_int(&rest, 0, 1000, &moves))
        return false;
    c->gate_clock.moves = (int)moves;
    return true;
}

static bool read_generation(Span *rest, LoopGeneration *g)
{
    int64_t number, accepted;
    if (!state_int(rest, 1, GENERATIONS_MAX, &number) || !state_int(rest, 0, 1, &accepted))
        return false;
    g->number = (int)number;
    g->accepted = accepted;
    return state_count(rest, &g->games) && state_count(rest, &g->positions) &&
           state_count(rest, &g->trained_on) && state_real(rest, &g->loss) &&
           state_real(rest, &g->held_out) && stats_read(&g->nodes, rest) &&
           stats_read(&g->timed, rest);
}

static bool read_phase(Span *text, LoopPhase *phase)
{
    Span rest, word;
    if (!state_line(text, "phase", &rest) || !span_next_word(&rest, &word))
        return false;
    for (int i = 0; i < LOOP_PHASE_COUNT; i++)
        if (span_is(word, phase_names[i])) {
            *phase = (LoopPhase)i;
            return true;
        }
    return false;
}

static bool read_text(void *state, Span text)
{
    LoopState *s = state;
    Span line, word;
    int64_t version, champion;
    if (!state_line(&text, "castellan-learn", &line) || !state_int(&line, 1, VERSION, &version) ||
        !read_config(&text, version, &s->config) || !state_line(&text, "champion", &line) ||
        !state_int(&line, 0, GENERATIONS_MAX, &champion) || !read_phase(&text, &s->phase))
        return false;
    s->champion = (int)champion;
    while (span_next_line(&text, &line) && span_next_word(&line, &word)) {
        if (span_is(word, "end"))
            return s->count > 0 && s->champion < s->count;
        if (!span_is(word, "generation") || s->count >= GENERATIONS_MAX ||
            loop_state_add(s, NULL) != STATUS_OK ||
            !read_generation(&line, &s->generations[s->count - 1]) ||
            s->generations[s->count - 1].number != s->count)
            return false;
    }
    return false;
}

Status loop_state_read(LoopState *s, const char *dir, Message *why)
{
    char path[PATH_MAX];
    Status status = data_path(path, why, "%s/state", dir);
    if (status == STATUS_OK)
        status = state_read(path, "the state of a loop", read_text, s, why);
    if (status != STATUS_OK)
        loop_state_free(s);
    return status;
}

Status loop_state_add(LoopState *s, Message *why)
{
    LoopGeneration *more = realloc(s->generations, (size_t)(s->count + 1) * sizeof *s->generations);
    if (!more)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a generation");
    s->generations = more;
    s->generations[s->count] = (LoopGeneration){.number = s->count + 1};
    s->count++;
    return STATUS_OK;
}

void loop_state_free(LoopState *s)
{
    free(s->generations);
    *s = (LoopState){0};
}

/* -- What it has come to -- */

/* A match that was won to nothing has no Elo; it counts as a large step. */
static double step_elo(const LoopGeneration *g, double *error)
{
    const StatsTally *t = g->timed.wins + g->timed.draws + g->timed.losses ? &g->timed : &g->nodes;
    StatsSummary s = stats_summary(t);
    *error = isfinite(s.elo_error) ? s.elo_error : 0;
    return fmax(-STEP_MAX_ELO, fmin(STEP_MAX_ELO, s.elo));
}

double loop_elo(const LoopState *s, int index, double *error)
{
    double sum = 0, unused;
    for (int i = 0; i < index; i++)
        if (s->generations[i].accepted)
            sum += step_elo(&s->generations[i], &unused);
    return sum + step_elo(&s->generations[index], error);
}

/* Elo against what the loop began with: a full point for every net that was taken, an empty one for
 * those refused, bars for the 95 % error of each step. */
static void fill_points(const LoopState *s, ChartPoint *points, char (*titles)[TITLE_SIZE])
{
    points[0] = (ChartPoint){0};
    for (int i = 0; i < s->count - 1; i++) {
        bool taken = s->generations[i].accepted;
        double error, elo = loop_elo(s, i, &error);
        snprintf(titles[i], sizeof titles[i], "generation %d: %+.1f Elo, %s", i + 1, elo,
                 taken ? "taken" : "refused");
        points[i + 1] = (ChartPoint){
            .x = i + 1, .y = elo, .error = error, .hollow = !taken, .title = titles[i]};
    }
}

Status loop_draw(const LoopState *s, const char *dir, Message *why)
{
    char path[PATH_MAX];
    Status status = data_path(path, why, "%s/elo.svg", dir);
    if (status != STATUS_OK)
        return status;
    int count = s->count > 0 ? s->count : 1;
    ChartPoint *points = calloc((size_t)count, sizeof *points);
    char(*titles)[TITLE_SIZE] = calloc((size_t)count, sizeof *titles);
    Text out = text_new();
    if (points && titles) {
        fill_points(s, points, titles);
        history_draw_points(points, count, &out);
    } else {
        out.failed = true;
    }
    status = file_write_text(path, &out, why);
    free(titles);
    free(points);
    return status;
}
