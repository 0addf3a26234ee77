/* The passes over a game. All positions are searched from the last to the first; then those around
 * what looks like a mistake once more, with more effort, so that no verdict hangs on a shallow search; then the
 * values are carried back from the end: a position is worth at least what the move played in it
 * turned out to be worth. */
#include "study/review.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "study/review_int.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    USUAL = 100,      /* percent of the effort asked for */
    AGAIN = 400,      /* for the second look at a mistake */
    BEYOND = 1000,    /* for the third, at what still looks like a blunder */
    GLANCE = 12,      /* for a first idea whether a move was the only one */
    LEAST_NODES = 100 /* a search with less has nothing to say */
};

struct Reviewer {
    ReviewOptions options;
    SearchPool *pool;
    Seen *hearing; /* where the line of the running search goes */
    const Position *root;
    atomic_bool stop;
};

/* -- Searching -- */

Status reviewer_open(Reviewer **out, const ReviewOptions *options, Message *why)
{
    *out = NULL;
    Reviewer *r = calloc(1, sizeof *r);
    if (!r)
        return status_fail(why, STATUS_MEMORY, "no memory for a reviewer");
    r->options = *options;
    if (!options->nodes && !options->depth && !options->movetime_ms)
        r->options.nodes = REVIEW_DEFAULT_NODES;
    if (!r->options.evaluator)
        r->options.evaluator = evaluator_handmade();
    Status s = search_create(&r->pool, r->options.evaluator,
                             options->hash_mb ? options->hash_mb : REVIEW_DEFAULT_HASH, why);
    if (s != STATUS_OK) {
        free(r);
        return s;
    }
    *out = r;
    return STATUS_OK;
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
        int more = percent >= BEYOND ? 3 : percent >= AGAIN ? 2 : 0;
        int depth = percent < USUAL ? (o->depth + 1) / 2 : o->depth + more;
        l.depth = depth < MAX_PLY ? depth : MAX_PLY - 1;
    } else {
        l.move_time_ms = o->movetime_ms * percent / 100;
        if (l.move_time_ms < 1)
            l.move_time_ms = 1;
    }
    return l;
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
    if (line->multipv == 1 && line->bound == BOUND_EXACT)
        take_line(&r->hearing->line, r->root, line->pv, line->pv_length);
    if (atomic_load(&r->stop))
        search_stop(r->pool);
}

/* The last iteration may have been cut short after it changed its mind. */
static void settle_line(Seen *out, const Position *p, const SearchResult *result)
{
    Move short_line[2] = {result->best, result->ponder};
    out->score = result->score;
    out->depth = result->depth;
    if (!out->line.length || out->line.at[0] != result->best)
        take_line(&out->line, p, short_line, result->ponder == MOVE_NONE ? 1 : 2);
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

/* -- One game under review -- */

typedef struct Work {
    Reviewer *reviewer;
    Review *review;
    Seen *seen;       /* of each position: count + 1 */
    Score *value;     /* the same, when the values were carried back */
    Position *places; /* a position every PLACE_STEP plies, to get at any of them fast */
    const ReviewProgress *progress;
    int done, total;
} Work;

enum { PLACE_STEP = 64 };

static void position_at(const Work *w, int i, Position *out)
{
    Undo undo;
    *out = w->places[i / PLACE_STEP];
    for (int k = i / PLACE_STEP * PLACE_STEP; k < i; k++)
        pos_make(out, w->review->moves[k].move, &undo);
}

static void note_places(Work *w)
{
    Position p = w->review->start;
    Undo undo;
    for (int i = 0; i <= w->review->count; i++) {
        if (i % PLACE_STEP == 0)
            w->places[i / PLACE_STEP] = p;
        if (i < w->review->count)
            pos_make(&p, w->review->moves[i].move, &undo);
    }
}

static void tell(Work *w)
{
    w->done++;
    if (w->progress && w->progress->tell)
        w->progress->tell(w->progress->user, w->done < w->total ? w->done : w->total, w->total);
}

static Status look_at(Work *w, int i, int percent, Message *why)
{
    Position p;
    Seen seen;
    position_at(w, i, &p);
    if (i == w->review->count && draw_game_end(&p) > GAME_CHECKMATE) {
        w->seen[i] = (Seen){.score = SCORE_DRAW, .over = true};
        return STATUS_OK;
    }
    Status s = reviewer_look(w->reviewer, &p, percent, &seen, why);
    if (s == STATUS_OK)
        w->seen[i] = seen;
    return s;
}

static Status look_at_all(Work *w, Message *why)
{
    Status s = STATUS_OK;
    for (int i = w->review->count; i >= 0 && s == STATUS_OK; i--) {
        s = look_at(w, i, USUAL, why);
        tell(w);
    }
    return s;
}

/* What the next position says of this one: a mate is a ply farther away. */
static Score lift(Score next)
{
    Score s = -next;
    return score_is_win(s) ? s - 1 : score_is_loss(s) ? s + 1 : s;
}

static bool was_best(const Work *w, int i)
{
    const Seen *seen = &w->seen[i];
    return seen->line.length && seen->line.at[0] == w->review->moves[i].move;
}

/* The search that knows more speaks: the one after the move, when the move is the one it chose. */
static void carry_values_back(Work *w)
{
    int n = w->review->count;
    w->value[n] = w->seen[n].score;
    for (int i = n - 1; i >= 0; i--) {
        Score played = lift(w->value[i + 1]);
        w->value[i] = was_best(w, i) || played > w->seen[i].score ? played : w->seen[i].score;
    }
}

/* The move was as good as any: the search's choice, or better than that. */
static bool nothing_better(const Work *w, int i)
{
    return was_best(w, i) || w->value[i] == lift(w->value[i + 1]);
}

static bool looks_wrong(const Work *w, int i, ReviewLabel least)
{
    Position p;
    position_at(w, i, &p);
    return !nothing_better(w, i) && judge_label(w->value[i], lift(w->value[i + 1]), &p) >= least;
}

/* Searches around what looks at least so bad again. Each position once, from the end as before. */
static Status look_again(Work *w, ReviewLabel least, int percent, Message *why)
{
    int n = w->review->count, last = n + 1;
    Status s = STATUS_OK;
    for (int i = n - 1; i >= 0 && s == STATUS_OK; i--) {
        if (!looks_wrong(w, i, least))
            continue;
        if (i + 1 < last)
            s = look_at(w, i + 1, percent, why);
        if (s == STATUS_OK)
            s = look_at(w, i, percent, why);
        last = i;
    }
    carry_values_back(w);
    return s;
}

/* -- The only move -- */

static bool takes_back(const Work *w, int i, const Position *p)
{
    return i > 0 && p->st.captured != NO_PIECE && pos_is_capture(p, w->review->moves[i].move) &&
           move_to(w->review->moves[i].move) == move_to(w->review->moves[i - 1].move);
}

static int all_but(const Position *p, Move m, Move *out)
{
    int count = movegen(p, GEN_ALL, out), kept = 0;
    for (int i = 0; i < count; i++)
        if (out[i] != m)
            out[kept++] = out[i];
    return kept;
}

/* A glance first: in most positions it shows that other moves were as good. Moves that merely take back
 * or that nobody could choose are no finds. */
static Status ask_whether_only(Work *w, int i, const Position *p, Message *why)
{
    static const int efforts[] = {GLANCE, USUAL};
    Move others[MAX_MOVES];
    ReviewMove *m = &w->review->moves[i];
    int count = all_but(p, m->move, others);
    if (!was_best(w, i) || !count || m->in_book || w->seen[i + 1].over || takes_back(w, i, p))
        return STATUS_OK;
    for (int k = 0; k < 2; k++) {
        Seen seen;
        Status s = reviewer_look_among(w->reviewer, p, others, count, efforts[k], &seen, why);
        if (s != STATUS_OK)
            return s;
        if (review_label(m->after.chance, judge_chance(seen.score, p)) != REVIEW_BLUNDER)
            return STATUS_OK;
    }
    m->only_move = true;
    return STATUS_OK;
}

/* -- Judging -- */

static Status give_reasons(Work *w, int i, const Position *p, Message *why)
{
    ReviewMove *m = &w->review->moves[i];
    Position after = *p;
    Undo undo;
    pos_make(&after, m->move, &undo);
    Mistake mistake = {.before = p,
                       .after = &after,
                       .best = w->value[i],
                       .played = lift(w->value[i + 1]),
                       .best_chance = m->before.chance,
                       .played_chance = m->after.chance,
                       .move = m->move,
                       .line = &w->seen[i].line,
                       .reply = &w->seen[i + 1].line};
    return reason_find(w->reviewer, &mistake, m->reasons, &m->reason_count, why);
}

static void keep_line(Move *out, int *length, const Line *line)
{
    memcpy(out, line->at, (size_t)line->length * sizeof *out);
    *length = line->length;
}

static bool gave_mate_away(const Work *w, int i)
{
    Score before = w->value[i], after = lift(w->value[i + 1]);
    return score_is_mate(before) && before > 0 && !(score_is_mate(after) && after > 0);
}

static void note_missed_mate(ReviewMove *m)
{
    for (int k = 0; k < m->reason_count; k++)
        if (m->reasons[k].kind == REASON_MISSES_MATE)
            m->missed_mate = m->reasons[k].moves;
}

/* Of a move that is no mistake only this is worth saying. */
static void keep_missed_mate_alone(ReviewMove *m)
{
    int kept = 0;
    for (int k = 0; k < m->reason_count; k++)
        if (m->reasons[k].kind == REASON_MISSES_MATE)
            m->reasons[kept++] = m->reasons[k];
    m->reason_count = kept;
}

static Status judge(Work *w, int i, Message *why)
{
    Position p, next;
    Undo undo;
    ReviewMove *m = &w->review->moves[i];
    position_at(w, i, &p);
    next = p;
    pos_make(&next, m->move, &undo);
    judge_move(m, w->value[i], lift(w->value[i + 1]), &p, nothing_better(w, i));
    m->before = judge_score(w->value[i], &p);
    m->after = judge_score_of_other(w->value[i + 1], &next);
    m->after.chance = judge_chance(lift(w->value[i + 1]), &p);
    m->depth = w->seen[i].depth;
    Status s = STATUS_OK;
    if (m->label != REVIEW_FINE || gave_mate_away(w, i))
        s = give_reasons(w, i, &p, why);
    else
        s = ask_whether_only(w, i, &p, why);
    if (m->label == REVIEW_FINE)
        keep_missed_mate_alone(m);
    note_missed_mate(m);
    keep_line(m->line, &m->line_length, &w->seen[i].line);
    keep_line(m->reply, &m->reply_length, &w->seen[i + 1].line);
    tell(w);
    return s;
}

static double chance_for_white(const Work *w, int i)
{
    Position p;
    position_at(w, i, &p);
    double chance = judge_chance(w->value[i], &p);
    return p.side == WHITE ? chance : -chance;
}

static Status judge_all(Work *w, Message *why)
{
    Review *review = w->review;
    double *chances = malloc(((size_t)review->count + 1) * sizeof *chances);
    if (!chances)
        return status_fail(why, STATUS_MEMORY, "no memory for a review");
    Status s = STATUS_OK;
    judge_opening(review, &w->reviewer->options);
    judge_phases(review);
    for (int i = 0; i < review->count && s == STATUS_OK; i++)
        s = judge(w, i, why);
    for (int i = 0; i <= review->count; i++)
        chances[i] = chance_for_white(w, i);
    review->first = review->start.side == WHITE ? judge_score(w->value[0], &review->start)
                                                : judge_score_of_other(w->value[0], &review->start);
    judge_totals(review, chances);
    free(chances);
    return s;
}

/* -- Putting it together -- */

static Status work_begin(Work *w, Message *why)
{
    size_t n = (size_t)w->review->count + 1;
    w->seen = calloc(n, sizeof *w->seen);
    w->value = calloc(n, sizeof *w->value);
    w->places = malloc((n / PLACE_STEP + 1) * sizeof *w->places);
    if (!w->seen || !w->value || !w->places)
        return status_fail(why, STATUS_MEMORY, "no memory for a review of %d moves",
                           w->review->count);
    note_places(w);
    w->total = 2 * w->review->count + 1;
    return STATUS_OK;
}

static void work_end(Work *w)
{
    free(w->seen);
    free(w->value);
    free(w->places);
}

static Status work_through(Work *w, Message *why)
{
    search_clear(w->reviewer->pool);
    Status s = look_at_all(w, why);
    if (s != STATUS_OK)
        return s;
    carry_values_back(w);
    s = look_again(w, REVIEW_MISTAKE, AGAIN, why);
    if (s == STATUS_OK)
        s = look_again(w, REVIEW_BLUNDER, BEYOND, why);
    return s == STATUS_OK ? judge_all(w, why) : s;
}

static Review *review_new(const Position *start, const Move *moves, int count)
{
    Review *review = calloc(1, sizeof *review);
    ReviewMove *list = calloc((size_t)count + 1, sizeof *list);
    if (!review || !list) {
        free(review);
        free(list);
        return NULL;
    }
    review->start = *start;
    review->moves = list;
    review->count = count;
    for (int i = 0; i < count; i++)
        list[i].move = moves[i];
    return review;
}

Status review_moves(Reviewer *r, const Position *start, const Move *moves, int count,
                    const ReviewProgress *progress, Review **out, Message *why)
{
    *out = NULL;
    Work w = {.reviewer = r, .progress = progress, .review = review_new(start, moves, count)};
    if (!w.review)
        return status_fail(why, STATUS_MEMORY, "no memory for a review");
    Status s = work_begin(&w, why);
    if (s == STATUS_OK)
        s = work_through(&w, why);
    work_end(&w);
    if (s != STATUS_OK) {
        review_free(w.review);
        return s;
    }
    *out = w.review;
    return STATUS_OK;
}

Status review_game(Reviewer *r, const Game *g, const ReviewProgress *progress, Review **out,
                   Message *why)
{
    *out = NULL;
    int count = game_ply(game_last(g)), kept = 0;
    Move *moves = malloc(((size_t)count + 1) * sizeof *moves);
    if (!moves)
        return status_fail(why, STATUS_MEMORY, "no memory for a review");
    for (const GameNode *n = game_root(g)->child; n && n->move != MOVE_NULL; n = n->child)
        moves[kept++] = n->move;
    Status s = review_moves(r, game_start(g), moves, kept, progress, out, why);
    free(moves);
    return s;
}

void review_free(Review *review)
{
    if (!review)
        return;
    free(review->moves);
    free(review);
}

void review_position(const Review *review, int i, Position *out)
{
    Undo undo;
    *out = review->start;
    for (int k = 0; k < i; k++)
        pos_make(out, review->moves[k].move, &undo);
}
