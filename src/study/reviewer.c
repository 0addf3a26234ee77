/* The searches of a review: one thread, one table, as much effort as the options ask for or a share
 * of it. */
#include "study/review_int.h"

#include "chess/draw.h"
#include "chess/movegen.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_NODES = 100 /* a search with less has nothing to say */ };

struct Reviewer {
    ReviewOptions options;
    SearchPool *pool;
    Seen *hearing; /* where the line of the running search goes */
    const Position *root;
    atomic_bool stop;
};

Status reviewer_open(Reviewer **out, const ReviewOptions *options, Message *why)
{
    *out = NULL;
    Reviewer *r = calloc(1, sizeof *r);
    if (!r)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a reviewer");
    r->options = *options;
    if (!options->nodes && !options->depth && !options->movetime_ms)
        r->options.nodes = REVIEW_DEFAULT_NODES;
    if (!r->options.evaluator)
        r->options.evaluator = evaluator_classical();
    Status s = search_create(&r->pool, r->options.evaluator,
                             options->hash_mb ? options->hash_mb : REVIEW_DEFAULT_HASH, why);
    return GIVE_OR_CLOSE(s, out, r, free);
}

void reviewer_close(Reviewer *r)
{
    if (!r)
        return;
    search_destroy(r->pool);
    free(r);
}

void reviewer_stop(Reviewer *r)
{
    atomic_store(&r->stop, true);
    search_stop(r->pool);
}

void reviewer_forget(Reviewer *r)
{
    search_clear(r->pool);
}

const ReviewOptions *reviewer_options(const Reviewer *r)
{
    return &r->options;
}

static SearchLimits limits_for(const ReviewOptions *o, int percent)
{
    SearchLimits l = {0};
    if (o->nodes) {
        l.nodes = o->nodes * (uint64_t)percent / 100;
        if (l.nodes < LEAST_NODES)
            l.nodes = LEAST_NODES;
    } else if (o->depth) {
        int more = percent >= LOOK_BEYOND ? 3 : percent >= LOOK_AGAIN ? 2 : 0;
        int depth = percent < LOOK_USUAL ? (o->depth + 1) / 2 : o->depth + more;
        l.depth = depth < MAX_PLY ? depth : MAX_PLY - 1;
    } else {
        l.move_time_ms = o->movetime_ms * percent / 100;
        if (l.move_time_ms < 1)
            l.move_time_ms = 1;
    }
    return l;
}

static bool is_playable(const Position *root, const Line *line)
{
    Position p = *root;
    Undo undo;
    for (int i = 0; i < line->length; i++) {
        if (!pos_is_legal(&p, line->at[i]))
            return false;
        pos_make(&p, line->at[i], &undo);
    }
    return movegen_any(&p) || pos_in_check(&p);
}

void reviewer_prefer_queens(Line *line, const Position *root)
{
    for (int i = 0; i < line->length; i++) {
        Move m = line->at[i];
        if (!move_is_promotion(m) || move_promotion(m) == QUEEN)
            continue;
        bool taken = i + 1 < line->length && move_to(line->at[i + 1]) == move_to(m);
        if (move_promotion(m) == KNIGHT && !taken)
            continue;
        line->at[i] = move_make_promotion(move_from(m), move_to(m), QUEEN);
        if (!is_playable(root, line))
            line->at[i] = m;
    }
}

/* Copies the moves of a line up to the end of the game: a repeated position ends it, too. */
static void take_line(Line *out, const Position *root, const Move *pv, int length)
{
    Position p = *root;
    Undo undo;
    out->length = 0;
    for (int i = 0; i < length && i < REVIEW_LINE_MAX && pos_is_legal(&p, pv[i]); i++) {
        pos_make(&p, pv[i], &undo);
        out->at[out->length++] = pv[i];
        if (p.st.rule50 >= 100 || draw_by_repetition(&p, i + 1) || draw_by_material(&p))
            break;
    }
}

static void hear_line(void *user, const SearchLine *line)
{
    Reviewer *r = user;
    if (line->multipv == 1 && line->bound == BOUND_EXACT) {
        r->hearing->thought = line->score;
        take_line(&r->hearing->line, r->root, line->pv, line->pv_length);
    }
    if (atomic_load(&r->stop))
        search_stop(r->pool);
}

/* The last iteration may have been cut short after it preferred another move. */
static void settle_line(Seen *out, const Position *p, const SearchResult *result)
{
    Move short_line[2] = {result->best, result->ponder};
    out->score = result->score;
    out->depth = result->depth;
    if (!out->line.length || out->line.at[0] != result->best) {
        out->thought = result->score;
        take_line(&out->line, p, short_line, result->ponder == MOVE_NONE ? 1 : 2);
    }
    reviewer_prefer_queens(&out->line, p);
}

static Status search(Reviewer *r, const Position *p, const SearchLimits *limits, Seen *out,
                     Message *why)
{
    SearchOptions options = {.multi_pv = 1,
                             .tb = r->options.tb,
                             .tb_probe_depth = 1,
                             .tb_probe_limit = 7,
                             .tb_rule50 = true};
    SearchEvents events = {.user = r, .line = hear_line};
    *out = (Seen){0};
    r->hearing = out;
    r->root = p;
    if (atomic_load(&r->stop))
        return status_fail(why, STATUS_STOPPED, "stopped");
    SearchResult result = search_run(r->pool, p, limits, &options, &events);
    if (atomic_load(&r->stop))
        return status_fail(why, STATUS_STOPPED, "stopped");
    settle_line(out, p, &result);
    return STATUS_OK;
}

Status reviewer_look(Reviewer *r, const Position *p, int percent, Seen *out, Message *why)
{
    if (!movegen_any(p)) {
        *out = (Seen){.score = pos_in_check(p) ? score_mated_in(0) : SCORE_DRAW, .over = true};
        return STATUS_OK;
    }
    SearchLimits limits = limits_for(&r->options, percent);
    return search(r, p, &limits, out, why);
}

Status reviewer_look_among(Reviewer *r, const Position *p, const Move *moves, int count,
                           int percent, Seen *out, Message *why)
{
    SearchLimits limits = limits_for(&r->options, percent);
    memcpy(limits.only, moves, (size_t)count * sizeof *moves);
    limits.only_count = count;
    return search(r, p, &limits, out, why);
}
