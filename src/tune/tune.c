#include "tune/tune.h"

#include "base/checksum.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/job.h"
#include "base/random.h"
#include "base/state_file.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAVE_MS = 1000, STATE_LIMIT = 1 << 20 };

/* Spall's usual exponents; STABLE, a tenth of the run, keeps the first steps from leaping. */
static const double ALPHA = 0.602, GAMMA = 0.101, STABLE = 0.1;

typedef struct Tuning {
    const TuneOptions *options;
    const atomic_bool *stop;
    TuneResult *result;
    Mutex lock; /* guards the result and all below */
    uint64_t next;
    int csv_fd;
    uint64_t csv_bytes;
    Text rows; /* of the CSV, not written yet */
    int64_t saved_ms;
    uint64_t fingerprint;
    bool failed; /* a thread: the others end */
} Tuning;

TuneOptions tune_defaults(void)
{
    return (TuneOptions){.pairs = 10000, .threads = 1, .seed = 1, .rate = 0.002, .csv_every = 10};
}

/* -- What is tuned -- */

static bool is_named(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += len)
        if ((at == list || at[-1] == ',') && (at[len] == ',' || !at[len]))
            return true;
    return false;
}

static int count_names(const char *list)
{
    int count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

static Status choose_params(TuneResult *r, const TuneOptions *o, Message *why)
{
    *r = (TuneResult){0};
    for (int i = 0; i < o->row_count && r->count < TUNE_MAX_PARAMS; i++)
        if (!o->only || is_named(o->only, o->rows[i].name))
            r->params[r->count++] = (TuneParam){&o->rows[i], o->rows[i].value};
    if (!r->count || (o->only && r->count != count_names(o->only)))
        return status_fail(why, STATUS_INVALID, "'%.150s': unknown parameter",
                           o->only ? o->only : "");
    return STATUS_OK;
}

static uint64_t fingerprint(const TuneResult *r, const TuneOptions *o)
{
    Text t = text_new();
    for (int i = 0; i < r->count; i++) {
        const ParamRow *row = r->params[i].row;
        text_addf(&t, "%s %d %d %d %d\n", row->name, row->value, row->min, row->max, row->step);
    }
    text_addf(&t, "%" PRIu64 " %" PRIu64 " %.17g", o->pairs, o->seed, o->rate);
    uint64_t sum = checksum64(t.at, t.len);
    text_free(&t);
    return sum;
}

/* -- State -- */

static Status save(Tuning *t, Message *why)
{
    const TuneResult *r = t->result;
    if (t->csv_fd >= 0) {
        ssize_t put = write(t->csv_fd, t->rows.at, t->rows.len);
        if (put != (ssize_t)t->rows.len)
            return status_fail(why, STATUS_IO, "%s: %s", t->options->csv, strerror(errno));
        t->csv_bytes += t->rows.len;
        text_clear(&t->rows);
    }
    Text text = text_new();
    text_addf(&text, "castellan-tune 1 %016" PRIx64 "\n", t->fingerprint);
    text_addf(&text, "pairs %" PRIu64 "\nbalance %" PRId64 "\ncsv %" PRIu64 "\n", r->pairs,
              r->balance, t->csv_bytes);
    for (int i = 0; i < r->count; i++)
        text_addf(&text, "param %s %.17g\n", r->params[i].row->name, r->params[i].value);
    Status s = file_write_text(t->options->state, &text, why);
    t->saved_ms = clock_now_ms();
    return s;
}

static bool read_state(Tuning *t, Span text)
{
    char head[64];
    TuneResult *r = t->result;
    Span line, word;
    snprintf(head, sizeof head, "castellan-tune 1 %016" PRIx64, t->fingerprint);
    if (!span_next_line(&text, &line) || !span_is(line, head) ||
        !state_line_count(&text, "pairs", &r->pairs) || !state_line(&text, "balance", &line) ||
        !state_int(&line, INT64_MIN, INT64_MAX, &r->balance) ||
        !state_line_count(&text, "csv", &t->csv_bytes))
        return false;
    for (int i = 0; i < r->count; i++)
        if (!state_line(&text, "param", &line) || !span_next_word(&line, &word) ||
            !span_is(word, r->params[i].row->name) || !state_real(&line, &r->params[i].value))
            return false;
    return true;
}

static Status load(Tuning *t, Message *why)
{
    const TuneOptions *o = t->options;
    char *text;
    size_t len;
    Status s = file_read(&text, &len, o->state, STATE_LIMIT, why);
    if (s == STATUS_MISSING)
        return STATUS_OK;
    if (s != STATUS_OK)
        return s;
    if (!o->resume)
        s = status_fail(why, STATUS_REFUSED, "%s exists from an earlier run; --resume continues it",
                        o->state);
    else if (!read_state(t, (Span){text, len}))
        s = status_fail(why, STATUS_REFUSED,
                        "%s: not the state of this run (parameters, pairs, seed or rate differ)",
                        o->state);
    free(text);
    return s;
}

static void add_csv_row(Tuning *t)
{
    text_addf(&t->rows, "%" PRIu64, t->result->pairs);
    for (int i = 0; i < t->result->count; i++)
        text_addf(&t->rows, ",%.4f", t->result->params[i].value);
    text_add_char(&t->rows, '\n');
}

/* Rows that no state vouches for are cut off. */
static Status open_csv(Tuning *t, Message *why)
{
    const TuneOptions *o = t->options;
    if (!o->csv)
        return STATUS_OK;
    t->csv_fd = open(o->csv, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (t->csv_fd < 0 || ftruncate(t->csv_fd, (off_t)t->csv_bytes) != 0 ||
        lseek(t->csv_fd, 0, SEEK_END) < 0)
        return status_fail(why, STATUS_IO, "%s: %s", o->csv, strerror(errno));
    if (t->csv_bytes)
        return STATUS_OK;
    text_add_str(&t->rows, "pairs");
    for (int i = 0; i < t->result->count; i++)
        text_addf(&t->rows, ",%s", t->result->params[i].row->name);
    text_add_char(&t->rows, '\n');
    add_csv_row(t);
    return STATUS_OK;
}

/* -- SPSA -- */

/* How far values are nudged in pair k, as a part of their step: one step at the
 * end, more before. */
static double nudge(const TuneOptions *o, uint64_t k)
{
    return pow((double)o->pairs / (double)(k + 1), GAMMA);
}

/* How far one point moves a value in pair k, as a part of its step. */
static double gain(const TuneOptions *o, uint64_t k)
{
    double stable = STABLE * (double)o->pairs;
    double fall = pow((stable + (double)o->pairs) / (stable + (double)k + 1), ALPHA);
    return o->rate * fall / nudge(o, k);
}

static double clamped(double value, const ParamRow *row)
{
    return value < row->min ? row->min : value > row->max ? row->max : value;
}

/* Up or down by chance, so that a value between two numbers is played as both. */
static int rounded(double value, const ParamRow *row, Random *random)
{
    return (int)clamped(floor(clamped(value, row) + random_unit(random)), row);
}

typedef struct Pair {
    uint64_t number;
    int8_t sign[TUNE_MAX_PARAMS];
    int plus[TUNE_MAX_PARAMS], minus[TUNE_MAX_PARAMS];
} Pair;

/* The nudges depend on the seed and the pair alone. */
static void make_pair(const Tuning *t, Pair *p)
{
    const TuneResult *r = t->result;
    Random random;
    random_seed(&random, t->options->seed * 0x9e3779b97f4a7c15u + p->number);
    double size = nudge(t->options, p->number);
    for (int i = 0; i < r->count; i++) {
        const TuneParam *param = &r->params[i];
        p->sign[i] = random_below(&random, 2) ? 1 : -1;
        double shift = p->sign[i] * size * param->row->step;
        p->plus[i] = rounded(param->value + shift, param->row, &random);
        p->minus[i] = rounded(param->value - shift, param->row, &random);
    }
}

static void learn(Tuning *t, const Pair *p, int points)
{
    TuneResult *r = t->result;
    double size = gain(t->options, p->number);
    for (int i = 0; i < r->count; i++) {
        TuneParam *param = &r->params[i];
        double shift = p->sign[i] * size * points * param->row->step;
        param->value = clamped(param->value + shift, param->row);
    }
    r->pairs++;
    r->balance += points;
}

/* -- Threads -- */

static bool next_pair(Tuning *t, Pair *p)
{
    mutex_lock(&t->lock);
    bool more = t->next < t->options->pairs && !t->failed && !atomic_load(t->stop);
    if (more) {
        p->number = t->next++;
        make_pair(t, p);
    }
    mutex_unlock(&t->lock);
    return more;
}

static Status finish_pair(Tuning *t, const Pair *p, int points, Message *why)
{
    const TuneOptions *o = t->options;
    Status s = STATUS_OK;
    mutex_lock(&t->lock);
    learn(t, p, points);
    if (o->csv && t->result->pairs % o->csv_every == 0)
        add_csv_row(t);
    if (clock_now_ms() - t->saved_ms >= SAVE_MS && !t->failed)
        s = save(t, why);
    if (o->news)
        o->news(o->news_user, t->result);
    mutex_unlock(&t->lock);
    return s;
}

/* One thread's pairs. */
static Status play_pairs(void *user, int thread, Message *why)
{
    Tuning *t = user;
    const TuneOptions *o = t->options;
    Pair p;
    Status s = STATUS_OK;
    while (s == STATUS_OK && next_pair(t, &p)) {
        int points = 0;
        s = o->play(o->play_user, thread, p.number, t->result, p.plus, p.minus, &points, why);
        if (s == STATUS_OK)
            s = finish_pair(t, &p, points, why);
    }
    if (s == STATUS_OK || s == STATUS_STOPPED)
        return STATUS_OK;
    mutex_lock(&t->lock);
    t->failed = true;
    mutex_unlock(&t->lock);
    return s;
}

/* What was played is written, whatever else went wrong. */
static Status conclude(Tuning *t, Status s, Message *why)
{
    if (t->options->csv && t->result->pairs % t->options->csv_every)
        add_csv_row(t);
    Status saved = save(t, s == STATUS_OK ? why : NULL);
    if (s == STATUS_OK)
        s = saved;
    if (s == STATUS_OK && t->result->pairs < t->options->pairs)
        s = status_fail(why, STATUS_STOPPED, "stopped after %" PRIu64 " of %" PRIu64 " pairs",
                        t->result->pairs, t->options->pairs);
    return s;
}

Status tune_run(const TuneOptions *options, const atomic_bool *stop, TuneResult *result,
                Message *why)
{
    Status s = choose_params(result, options, why);
    if (s != STATUS_OK)
        return s;
    Tuning t = {.options = options, .stop = stop, .result = result, .csv_fd = -1};
    mutex_init(&t.lock);
    text_init(&t.rows);
    t.fingerprint = fingerprint(result, options);
    s = load(&t, why);
    if (s == STATUS_OK)
        s = open_csv(&t, why);
    if (s == STATUS_OK) {
        t.next = result->pairs;
        t.saved_ms = clock_now_ms();
        s = job_parts(play_pairs, &t, options->threads, options->threads, NULL, why);
        s = conclude(&t, s, why);
    }
    if (t.csv_fd >= 0)
        close(t.csv_fd);
    text_free(&t.rows);
    mutex_free(&t.lock);
    return s;
}

/* -- Report -- */

void tune_report(const TuneResult *r, Text *out)
{
    text_addf(out, "%-24s %8s %10s %8s\n", "parameter", "before", "after", "steps");
    for (int i = 0; i < r->count; i++) {
        const TuneParam *p = &r->params[i];
        text_addf(out, "%-24s %8d %10.2f %+8.2f\n", p->row->name, p->row->value, p->value,
                  (p->value - p->row->value) / p->row->step);
    }
    text_add_char(out, '\n');
    for (int i = 0; i < r->count; i++) {
        const ParamRow *row = r->params[i].row;
        text_addf(out, "PARAM(%s, %ld, %d, %d, %d)\n", row->name, lround(r->params[i].value),
                  row->min, row->max, row->step);
    }
}
