/* Exact solutions of three endings, found by working back from the mates with rules of its own:
 * shares no code with the program, so that it can tell when the tables are read wrongly. White
 * has the extra piece. */
#ifndef TESTS_UNIT_TB_SOLVER_H
#define TESTS_UNIT_TB_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

enum { SOLVER_SIZE = 2 * 64 * 64 * 64 };

typedef enum SolverPiece { SOLVER_PAWN, SOLVER_ROOK, SOLVER_QUEEN } SolverPiece;

typedef struct Solution {
    SolverPiece piece;
    int8_t won[SOLVER_SIZE]; /* plies to mate (pawn: rounds of solving); -1: not won */
} Solution;

typedef struct SolverState {
    bool black_moves;
    int white_king, black_king, extra; /* squares, a1 = 0 */
} SolverState;

int solver_index(SolverState s);
bool solver_possible(SolverPiece piece, SolverState s);

/* Rook and queen need no help; the pawn becomes one of those two. */
void solver_solve(Solution *out, SolverPiece piece, const Solution *rook, const Solution *queen);

#endif
