#include "classics/javachess/javachess_search.h"

#include "chess/draw.h"
#include "chess/movegen.h"
#include "classics/javachess/javachess_eval.h"

/* Mates are worth more than this; no evaluation is. */
enum { SURE = JAVACHESS_MAX - MAX_PLY };

typedef struct Window {
    int alpha, beta;
} Window;

Score javachess_score(int value)
{
    if (value > SURE)
        return score_mate_in(JAVACHESS_MAX + 1 - value);
    if (value < -SURE)
        return score_mated_in(JAVACHESS_MAX + 1 + value);
    return value;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* -- Memory -- */

/* The table counts mates from the position, the search from the root: so many plies before. */
static int seen_after(int value, int plies)
{
    return value > SURE ? value + plies : value < -SURE ? value - plies : value;
}

/* The entry of the position, or NULL. */
static const JavaChessEntry *look_up(const JavaChessSearch *s, Key key)
{
    const JavaChessEntry *e = s->table ? &s->table->at[key % JAVACHESS_TABLE_SIZE] : NULL;
    return e && e->bound != BOUND_NONE && e->key == key ? e : NULL;
}

/* True when the table settles the node; its value is then in *value. */
static bool probe(const JavaChessSearch *s, int depth, int ply, Window w, int *value)
{
    const JavaChessEntry *e = look_up(s, s->position.st.key);
    if (!e || e->depth < depth)
        return false;
    *value = seen_after(e->value, -ply);
    if (e->bound == BOUND_LOWER)
        return *value >= w.beta;
    if (e->bound == BOUND_UPPER)
        return *value <= w.alpha;
    return true;
}

/* A deeper entry stays until it is older. */
static void keep(JavaChessSearch *s, int depth, int ply, Window w, int value, Move move)
{
    Key key = s->position.st.key;
    if (!s->table || s->effort->over)
        return;
    JavaChessEntry *e = &s->table->at[key % JAVACHESS_TABLE_SIZE];
    if (e->bound != BOUND_NONE && e->depth > depth && e->stamp >= s->stamp)
        return;
    *e = (JavaChessEntry){key, seen_after(value, ply), s->stamp, move, (uint8_t)depth, BOUND_EXACT};
    if (value >= w.beta || value <= w.alpha)
        e->bound = value >= w.beta ? BOUND_LOWER : BOUND_UPPER;
}

static uint32_t *history_of(JavaChessSearch *s, Move m)
{
    return &s->history[s->position.side][move_from(m)][move_to(m)];
}

/* All legal moves, those first that have cut off most often; equals stay as they were generated. */
static int ordered_moves(JavaChessSearch *s, Move *moves)
{
    int ranks[MAX_MOVES], count = movegen(&s->position, GEN_ALL, moves);
    for (int i = 0; i < count; i++)
        ranks[i] = (int)*history_of(s, moves[i]);
    movegen_sort(moves, ranks, count);
    return count;
}

/* -- Quiescence -- */

static int quiesce(JavaChessSearch *s, int ply, Window w)
{
    int value, best = javachess_quick(&s->position, s->weights);
    Move moves[MAX_MOVES], best_move = MOVE_NONE;
    s->counts.quiescence++;
    s->nodes++;
    if (effort_over(s->effort, s->nodes))
        return 0;
    if (probe(s, 0, ply, w, &value)) {
        s->counts.quiescence_hits++;
        return value;
    }
    if (s->lazy &&
        (best > w.beta + JAVACHESS_LAZY_MARGIN || best < w.alpha - JAVACHESS_LAZY_MARGIN))
        return best;
    best = classic_eval_score(&javachess_evaluator, &s->position, s->weights);
    if (best >= w.beta || ply >= MAX_PLY - 1)
        return best;
    int count = movegen(&s->position, GEN_NOISY, moves);
    for (int i = 0; i < count && best < w.beta; i++) {
        Undo undo;
        pos_make(&s->position, moves[i], &undo);
        value = -quiesce(s, ply + 1, (Window){-w.beta, -larger(w.alpha, best)});
        pos_unmake(&s->position, moves[i], &undo);
        if (s->effort->over)
            return 0;
        if (value > best) {
            best = value;
            best_move = moves[i];
        }
    }
    if (best >= w.beta) {
        s->counts.quiescence_cutoffs++;
        ++*history_of(s, best_move);
    }
    keep(s, 0, ply, w, best, best_move);
    return best;
}

/* -- Full width -- */

static bool is_draw(const Position *p, int ply)
{
    return draw_by_repetition(p, ply) || draw_by_material(p) ||
           (p->st.rule50 >= 100 && (!pos_in_check(p) || movegen_any(p)));
}

static int search(JavaChessSearch *s, int depth, int ply, Window w);

/* Tries the moves until one is too good; the value of the best and, in *best_move, that move. */
static int try_moves(JavaChessSearch *s, const Move *moves, int count, int depth, int ply, Window w,
                     Move *best_move)
{
    int best = -JAVACHESS_MAX - 1;
    for (int i = 0; i < count && best < w.beta; i++) {
        Undo undo;
        pos_make(&s->position, moves[i], &undo);
        int value = -search(s, depth - 1, ply + 1, (Window){-w.beta, -larger(w.alpha, best)});
        pos_unmake(&s->position, moves[i], &undo);
        if (s->effort->over)
            break;
        if (value > best) {
            best = value;
            *best_move = moves[i];
        }
    }
    if (!s->effort->over && best >= w.beta) {
        s->counts.regular_cutoffs++;
        ++*history_of(s, *best_move);
    }
    return best;
}

static int search(JavaChessSearch *s, int depth, int ply, Window w)
{
    int value;
    Move moves[MAX_MOVES], best_move = MOVE_NONE;
    s->counts.regular++;
    s->nodes++;
    if (effort_over(s->effort, s->nodes) || is_draw(&s->position, ply))
        return 0;
    if (probe(s, depth, ply, w, &value)) {
        s->counts.regular_hits++;
        return value;
    }
    if (depth <= 0 || ply >= MAX_PLY - 1)
        return quiesce(s, ply, w);
    int count = ordered_moves(s, moves);
    if (count == 0)
        return pos_in_check(&s->position) ? ply - 1 - JAVACHESS_MAX : 0;
    value = try_moves(s, moves, count, depth, ply, w, &best_move);
    if (s->effort->over)
        return 0;
    keep(s, depth, ply, w, value, best_move);
    return value;
}

/* -- The root -- */

/* The moves that may be played: the task can name some. */
static int root_moves(JavaChessSearch *s, Move *moves)
{
    int count = ordered_moves(s, moves), kept = 0;
    for (int i = 0; i < count; i++)
        if (effort_may_play(s->effort->task->limits, moves[i]))
            moves[kept++] = moves[i];
    return kept ? kept : count;
}

static int search_root(JavaChessSearch *s, int depth, Window w, Move *best)
{
    Move moves[MAX_MOVES];
    int count = root_moves(s, moves);
    *best = MOVE_NONE;
    int value = try_moves(s, moves, count, depth, 0, w, best);
    keep(s, depth, 0, w, value, *best);
    return value;
}

int javachess_alphabeta(JavaChessSearch *s, int depth, Move *best)
{
    return search_root(s, depth, (Window){-JAVACHESS_MAX, JAVACHESS_MAX}, best);
}

/* The move to play is the one that last proved to reach its bound: a search that failed low proves
 * nothing about the move it happened to like. */
int javachess_mtdf(JavaChessSearch *s, int guess, int depth, Move *best)
{
    int low = -JAVACHESS_MAX, high = JAVACHESS_MAX, value = guess;
    Move last = MOVE_NONE, proven = MOVE_NONE;
    while (low < high) {
        int beta = value == low ? value + 1 : value;
        value = search_root(s, depth, (Window){beta - 1, beta}, &last);
        if (s->effort->over)
            break;
        if (value < beta) {
            high = value;
        } else {
            low = value;
            proven = last;
        }
    }
    *best = proven != MOVE_NONE || s->effort->over ? proven : last;
    return value;
}

int javachess_line(JavaChessSearch *s, Move first, Move *line, int room)
{
    Position p = s->position;
    int length = 0;
    for (Move m = first; length < room && m != MOVE_NONE && pos_is_legal(&p, m);) {
        Undo undo;
        pos_make(&p, m, &undo);
        line[length++] = m;
        const JavaChessEntry *e = look_up(s, p.st.key);
        m = e && draw_repetitions(&p) == 0 ? e->move : MOVE_NONE;
    }
    return length;
}
