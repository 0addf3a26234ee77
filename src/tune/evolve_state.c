#include "base/state_file.h"
#include "tune/evolve_int.h"

#include "base/file.h"

#include <stddef.h>

static const StateField fields[] = {
    {"population", offsetof(EvolveConfig, population), 2, EVOLVE_MAX_POPULATION},
    {"games", offsetof(EvolveConfig, games), 2, EVOLVE_MAX_GAMES},
    {"depth", offsetof(EvolveConfig, depth), 0, 64},
    {"nodes", offsetof(EvolveConfig, nodes), 0, INT64_MAX},
    {"generations", offsetof(EvolveConfig, generations), 0, EVOLVE_MAX_GENERATIONS},
    {"plain", offsetof(EvolveConfig, plain), 0, 1},
    {"seed", offsetof(EvolveConfig, seed), 0, INT64_MAX},
    {0},
};

/* -- Writing -- */

static void write_generation(const EvolveState *s, const EvolveGeneration *g, Text *t)
{
    int weights = s->config.evaluator->weight_count;
    text_add_str(t, "generation");
    stats_write(&g->results, t);
    text_add_str(t, "\nbounds");
    for (int i = 0; i < weights; i++)
        text_addf(t, " %.17g %.17g %.17g", g->low[i], g->high[i], g->width[i]);
    for (int k = 0; k < s->config.population; k++) {
        text_add_str(t, "\nperson");
        for (int i = 0; i < weights; i++)
            text_addf(t, " %d", g->people[k].weights[i]);
    }
    text_add_char(t, '\n');
}

Status evolve_state_write(const EvolveState *s, const char *path, Message *why)
{
    Text t = text_new();
    text_addf(&t, "castellan-evolve 3\nevaluator %s\n", s->config.evaluator->name);
    state_write_fields(fields, &s->config, &t);
    for (int i = 0; i < s->count; i++)
        write_generation(s, &s->generations[i], &t);
    text_add_str(&t, "end\n");
    return file_write_text(path, &t, why);
}

/* -- Reading -- */

static bool read_config(Span *text, EvolveConfig *c)
{
    Span rest;
    if (!state_line(text, "evaluator", &rest) ||
        classic_eval_find(&c->evaluator, span_trim(rest), NULL) != STATUS_OK)
        return false;
    for (const StateField *f = fields; f->name; f++)
        if (!state_read_field(f, c, text))
            return false;
    return c->games % 2 == 0 && (c->depth || c->nodes);
}

static bool read_person(const ClassicEval *j, Span *rest, EvolvePerson *p)
{
    for (int i = 0; i < j->weight_count; i++) {
        int64_t value;
        if (!state_int(rest, j->weights[i].min, j->weights[i].max, &value))
            return false;
        p->weights[i] = (int)value;
    }
    return true;
}

/* What stands behind the line with the results. */
static bool read_generation(const EvolveConfig *c, Span *text, EvolveGeneration *g)
{
    Span rest;
    const ClassicEval *j = c->evaluator;
    if (!state_line(text, "bounds", &rest))
        return false;
    for (int i = 0; i < j->weight_count; i++)
        if (!state_real(&rest, &g->low[i]) || !state_real(&rest, &g->high[i]) ||
            !state_real(&rest, &g->width[i]) || g->width[i] < 0 || g->low[i] > g->high[i] ||
            g->low[i] < j->weights[i].min - 0.5 || g->high[i] > j->weights[i].max + 0.5)
            return false;
    for (int k = 0; k < c->population; k++)
        if (!state_line(text, "person", &rest) || !read_person(j, &rest, &g->people[k]))
            return false;
    return true;
}

static bool read_text(void *state, Span text)
{
    EvolveState *s = state;
    Span line, word;
    if (!span_next_line(&text, &line) || !span_is(line, "castellan-evolve 3") ||
        !read_config(&text, &s->config))
        return false;
    while (span_next_line(&text, &line) && span_next_word(&line, &word)) {
        if (span_is(word, "end"))
            return s->count > 0;
        if (!span_is(word, "generation") || s->count > EVOLVE_MAX_GENERATIONS ||
            evolve_add(s, NULL) != STATUS_OK)
            return false;
        EvolveGeneration *g = &s->generations[s->count - 1];
        if (!stats_read(&g->results, &line) || !read_generation(&s->config, &text, g))
            return false;
    }
    return false;
}

Status evolve_state_read(EvolveState *s, const char *path, Message *why)
{
    Status status = state_read(path, "the state of an evolution", read_text, s, why);
    if (status != STATUS_OK)
        evolve_free(s);
    return status;
}
