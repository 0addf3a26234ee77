#include "classics/plain_search.h"

#include "chess/draw.h"
#include "chess/movegen.h"

#include <string.h>

enum { RULE50_PLIES = 100, RANDOM_REACH = 100 };

typedef struct Plain {
    const PlainSearchConfig *setup;
    Effort *effort;
    Position position;
    uint64_t nodes;
    Move line[PLAIN_MAX_DEPTH + 1][PLAIN_MAX_DEPTH + 1]; /* [ply]: the best moves from there on */
    int length[PLAIN_MAX_DEPTH + 1];
} Plain;

static bool is_drawn(const Plain *s, int ply)
{
    const Position *p = &s->position;
    if (draw_by_material(p) || draw_by_repetition(p, ply))
        return true;
    return p->st.rule50 >= RULE50_PLIES && movegen_any(p);
}

static Score evaluator(Plain *s)
{
    const PlainSearchConfig *setup = s->setup;
    Score score =
        setup->evaluator ? classic_eval_score(setup->evaluator, &s->position, setup->weights) : 0;
    if (setup->random)
        score += (Score)random_below(setup->random, 2 * RANDOM_REACH + 1) - RANDOM_REACH;
    return score_clip(score);
}

static Score leaf_score(Plain *s, int ply)
{
    if (!s->setup->blind && !movegen_any(&s->position))
        return pos_in_check(&s->position) ? score_mated_in(ply) : SCORE_DRAW;
    return evaluator(s);
}

static void keep_line(Plain *s, int ply, Move m)
{
    int rest = s->length[ply + 1];
    s->line[ply][0] = m;
    memcpy(&s->line[ply][1], s->line[ply + 1], (size_t)rest * sizeof(Move));
    s->length[ply] = rest + 1;
}

/* The moves in the opponent's order; at the root, those that the task allows. */
static int moves_of(const Plain *s, int ply, Move *out)
{
    int count = movegen(&s->position, GEN_ALL, out), kept = 0;
    if (s->setup->order)
        s->setup->order(&s->position, out, count);
    if (ply > 0)
        return count;
    for (int i = 0; i < count; i++)
        if (effort_may_play(s->effort->task->limits, out[i]))
            out[kept++] = out[i];
    return kept;
}

static Score search(Plain *s, int depth, int ply, Score alpha, Score beta)
{
    Move moves[MAX_MOVES];
    Score best = -SCORE_INFINITE;
    s->length[ply] = 0;
    s->nodes++;
    if (effort_over(s->effort, s->nodes) || (ply > 0 && is_drawn(s, ply)))
        return SCORE_DRAW;
    int count = depth > 0 ? moves_of(s, ply, moves) : 0;
    if (!count)
        return leaf_score(s, ply);
    for (int i = 0; i < count; i++) {
        Undo undo;
        pos_make(&s->position, moves[i], &undo);
        Score score = -search(s, depth - 1, ply + 1, -beta, -alpha);
        pos_unmake(&s->position, moves[i], &undo);
        if (s->effort->over)
            return 0;
        if (score > best) {
            best = score;
            keep_line(s, ply, moves[i]);
        }
        if (!s->setup->minimax && best > alpha)
            alpha = best;
        if (alpha >= beta)
            break;
    }
    return best;
}

void plain_search(const PlainSearchConfig *setup, const EffortHabits *habits,
                  const OpponentTask *task, OpponentAnswer *answer)
{
    Effort effort = effort_begin(task, habits);
    Plain s = {.setup = setup, .effort = &effort, .position = *task->position};
    Move moves[MAX_MOVES];
    int most = effort.depth < PLAIN_MAX_DEPTH ? effort.depth : PLAIN_MAX_DEPTH;
    moves_of(&s, 0, moves);
    *answer = (OpponentAnswer){.move = moves[0]};
    for (int depth = 1; depth <= most; depth++) {
        Score score = search(&s, depth, 0, -SCORE_INFINITE, SCORE_INFINITE);
        if (s.length[0] && (depth == 1 || !effort.over))
            answer->move = s.line[0][0];
        if (effort.over)
            break;
        answer->score = score;
        answer->depth = depth;
        effort_report(&effort, (OpponentThought){.depth = depth,
                                                 .score = score,
                                                 .nodes = s.nodes,
                                                 .pv = s.line[0],
                                                 .pv_length = s.length[0]});
        if (score_is_mate(score) || !effort_another(&effort, depth))
            break;
    }
    answer->nodes = s.nodes;
    effort_wait(&effort);
}
