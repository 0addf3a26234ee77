#include "study/weigh.h"

#include "base/memory.h"
#include "base/thread.h"
#include "book/book.h"
#include "chess/fen.h"
#include "chess/san.h"
#include "search/search.h"
#include "study/review_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGH_HASH_MB = 1, MAX_WEIGHT = 65535 };

/* In winning chances: a move may cost this much against the best, and a side may
 * stand this badly. */
static const double TOLERANCE = 0.07, WORST = -0.35;

/* One move of the table in one position, however many lines lead there. */
typedef struct Edge {
    Key key;
    Position before;
    Move move;
    uint32_t lines;
    double chance; /* after the move, the mover's view */
    double best;   /* of the position before it; only in the first edge of a position */
    uint16_t weight;
} Edge;

typedef struct Weigher {
    Edge *edges;
    size_t count, room;
    const WeighOptions *options;
    const atomic_bool *stop;
    WeighCounts *counts;
    atomic_size_t next;
    atomic_bool failed;
} Weigher;

/* -- The table -- */

static Edge *find_edge(Weigher *w, Key key, Move m)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->edges[i].key == key && w->edges[i].move == m)
            return &w->edges[i];
    return NULL;
}

static Status note(Weigher *w, const Position *p, Move m, Message *why)
{
    Key key = pos_polyglot_key(p);
    Edge *known = find_edge(w, key, m);
    if (known) {
        known->lines++;
        return STATUS_OK;
    }
    if (!memory_grow(&w->edges, sizeof *w->edges, w->count, &w->room))
        return status_fail(why, STATUS_MEMORY, "not enough memory for a book");
    w->edges[w->count++] = (Edge){.key = key, .before = *p, .move = m, .lines = 1};
    return STATUS_OK;
}

static Status note_line(Weigher *w, Span moves, Message *why)
{
    Position p;
    Span word;
    Undo undo;
    pos_set_start(&p);
    while (span_next_word(&moves, &word)) {
        Move m;
        Status s = san_read(&p, word, &m, why);
        if (s == STATUS_OK)
            s = note(w, &p, m, why);
        if (s != STATUS_OK)
            return s;
        pos_make(&p, m, &undo);
    }
    return STATUS_OK;
}

static Status note_table(Weigher *w, Span table, Message *why)
{
    Span line;
    for (int number = 1; span_next_line(&table, &line); number++) {
        if (!line.len || line.at[0] == '#')
            continue;
        const char *tab = memrchr(line.at, '\t', line.len);
        if (!tab)
            return status_fail(why, STATUS_INVALID, "line %d: no tab before the moves", number);
        Status s = note_line(w, (Span){tab + 1, line.len - (size_t)(tab + 1 - line.at)}, why);
        if (s != STATUS_OK) {
            message_prefix(why, "line %d: ", number);
            return s;
        }
        w->counts->lines++;
    }
    return STATUS_OK;
}

static int compare_edges(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

/* -- Searching -- */

/* Tables are emptied before each search: the value depends on the position alone. */
static double chance_of(SearchPool *pool, const Position *p, uint64_t nodes)
{
    SearchLimits limits = {.nodes = nodes};
    SearchOptions options = {.multi_pv = 1};
    search_clear(pool);
    SearchResult r = search_run(pool, p, &limits, &options, NULL);
    return judge_chance(r.score, p);
}

static void weigh_edge(Weigher *w, SearchPool *pool, Edge *e)
{
    Position after = e->before;
    Undo undo;
    pos_make(&after, e->move, &undo);
    e->chance = -chance_of(pool, &after, w->options->nodes);
    if (e == w->edges || e[-1].key != e->key)
        e->best = chance_of(pool, &e->before, w->options->nodes);
    atomic_fetch_add(&w->counts->done, 1);
}

static void *weigh_some(void *arg)
{
    Weigher *w = arg;
    SearchPool *pool;
    if (search_create(&pool, w->options->evaluator, WEIGH_HASH_MB, NULL) != STATUS_OK) {
        atomic_store(&w->failed, true);
        return NULL;
    }
    for (;;) {
        size_t i = atomic_fetch_add(&w->next, 1);
        if (i >= w->count || atomic_load(w->stop))
            break;
        weigh_edge(w, pool, &w->edges[i]);
    }
    search_destroy(pool);
    return NULL;
}

static Status weigh_all(Weigher *w, Message *why)
{
    thread_run_each(weigh_some, w, 0, w->options->threads);
    if (atomic_load(&w->failed))
        return status_fail(why, STATUS_MEMORY, "not enough memory for a search");
    if (atomic_load(w->stop))
        return status_fail(why, STATUS_STOPPED, "interrupted; no book was written");
    return STATUS_OK;
}

/* -- Weights -- */

/* The best move of a position is the best the search or any line of the table knows. */
static double best_of(const Weigher *w, size_t first, size_t end)
{
    double best = w->edges[first].best;
    for (size_t i = first; i < end; i++)
        best = fmax(best, w->edges[i].chance);
    return best;
}

static void set_weights(Weigher *w, size_t first, size_t end)
{
    double best = best_of(w, first, end);
    for (size_t i = first; i < end; i++) {
        Edge *e = &w->edges[i];
        double spare = TOLERANCE - (best - e->chance);
        if (spare < 0 || e->chance < WORST)
            continue;
        double weight = 1 + 10.0 * e->lines * spare / TOLERANCE;
        e->weight = (uint16_t)(weight < MAX_WEIGHT ? weight : MAX_WEIGHT);
    }
}

static void put(Text *out, uint64_t v, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        text_add_char(out, (char)(v >> (8 * i)));
}

static void write_book(Weigher *w, Text *out)
{
    for (size_t i = 0, end; i < w->count; i = end) {
        for (end = i + 1; end < w->count && w->edges[end].key == w->edges[i].key;)
            end++;
        set_weights(w, i, end);
    }
    qsort(w->edges, w->count, sizeof *w->edges, compare_edges);
    for (size_t i = 0; i < w->count; i++) {
        const Edge *e = &w->edges[i];
        if (!e->weight)
            continue;
        put(out, e->key, 8);
        put(out, book_move_bits(e->move), 2);
        put(out, e->weight, 2);
        put(out, 0, 4);
        w->counts->kept++;
    }
}

Status weigh_openings(Span table, const WeighOptions *o, const atomic_bool *stop,
                      WeighCounts *counts, Text *out, Message *why)
{
    Weigher w = {.options = o, .stop = stop, .counts = counts};
    Status s = note_table(&w, table, why);
    atomic_store(&counts->total, (uint64_t)w.count);
    counts->moves = (int)w.count;
    if (s == STATUS_OK && !w.count)
        s = status_fail(why, STATUS_MISSING, "no opening lines");
    if (s == STATUS_OK) {
        qsort(w.edges, w.count, sizeof *w.edges, compare_edges);
        s = weigh_all(&w, why);
    }
    if (s == STATUS_OK) {
        write_book(&w, out);
        if (out->failed)
            s = status_fail(why, STATUS_MEMORY, "not enough memory for a book");
    }
    free(w.edges);
    return s;
}
