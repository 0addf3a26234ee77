#include "mind_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/san.h"
#include "judge_check.h"

#include <string.h>

OpponentAnswer mind_check_answer(const char *name, const char *fen, const SearchLimits *limits,
                                 uint64_t seed)
{
    Position p = judge_check_position(fen);
    const OpponentRow *row = opponent_find(span_of(name));
    Opponent *o;
    Message why;
    OpponentAnswer answer;
    atomic_bool stop = false;
    assert_non_null(row);
    if (opponent_open(&o, row, seed, &why) != STATUS_OK)
        fail_msg("%s: %s", name, why.text);
    OpponentTask task = {.position = &p, .limits = limits, .stop = &stop};
    opponent_think(o, &task, &answer);
    opponent_close(o);
    assert_true(pos_is_legal(&p, answer.move));
    return answer;
}

void mind_check_move(const char *name, const char *fen, int depth, const char *san)
{
    SearchLimits limits = {.depth = depth};
    OpponentAnswer answer = mind_check_answer(name, fen, &limits, 1);
    Position p = judge_check_position(fen);
    char played[SAN_SIZE];
    san_write(&p, answer.move, played);
    if (strcmp(played, san) != 0)
        fail_msg("%s, %s: %s, not %s", name, fen, played, san);
}
