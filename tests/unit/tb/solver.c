#include "solver.h"

#include <stdlib.h>
#include <string.h>

int solver_index(SolverState s)
{
    return ((s.black_moves * 64 + s.white_king) * 64 + s.black_king) * 64 + s.extra;
}

static bool touching(int a, int b)
{
    return abs(a % 8 - b % 8) <= 1 && abs(a / 8 - b / 8) <= 1;
}

/* Whether White's extra piece attacks a square; the white king may stand in the way, the black king
 * never does: he would only be hiding behind himself. */
static bool attacks(SolverPiece piece, int from, int to, int white_king)
{
    int df = to % 8 - from % 8, dr = to / 8 - from / 8;
    if (piece == SOLVER_PAWN)
        return dr == 1 && abs(df) == 1;
    bool straight = df == 0 || dr == 0, diagonal = abs(df) == abs(dr);
    if (from == to || !(straight || (diagonal && piece == SOLVER_QUEEN)))
        return false;
    int step = (df > 0) - (df < 0) + 8 * ((dr > 0) - (dr < 0));
    for (int s = from + step; s != to; s += step)
        if (s == white_king)
            return false;
    return true;
}

bool solver_possible(SolverPiece piece, SolverState s)
{
    if (s.white_king == s.black_king || s.extra == s.white_king || s.extra == s.black_king ||
        touching(s.white_king, s.black_king))
        return false;
    if (piece == SOLVER_PAWN && (s.extra < 8 || s.extra >= 56))
        return false;
    return s.black_moves || !attacks(piece, s.extra, s.black_king, s.white_king);
}

/* One step of a king, 0 .. 7; -1 off the board. */
static int king_step(int from, int direction)
{
    static const int df[] = {-1, 0, 1, -1, 1, -1, 0, 1}, dr[] = {-1, -1, -1, 0, 0, 1, 1, 1};
    int file = from % 8 + df[direction], rank = from / 8 + dr[direction];
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
}

/* Black to move: every move, if there is one, meets a won position; no move is a loss only in
 * check. */
static bool black_lost(const Solution *known, SolverState s)
{
    bool moved = false;
    for (int d = 0; d < 8; d++) {
        int to = king_step(s.black_king, d);
        if (to < 0 || touching(to, s.white_king))
            continue;
        if (to == s.extra)
            return false; /* takes: a draw */
        if (attacks(known->piece, s.extra, to, s.white_king))
            continue;
        moved = true;
        SolverState next = {false, s.white_king, to, s.extra};
        if (known->won[solver_index(next)] < 0)
            return false;
    }
    return moved || attacks(known->piece, s.extra, s.black_king, s.white_king);
}

static bool reaches(const Solution *known, SolverState next)
{
    return solver_possible(known->piece, next) && known->won[solver_index(next)] >= 0;
}

static bool pawn_wins(const Solution *known, SolverState s, const Solution *rook,
                      const Solution *queen)
{
    int to = s.extra + 8;
    if (to == s.white_king || to == s.black_king)
        return false;
    SolverState next = {true, s.white_king, s.black_king, to};
    if (to >= 56)
        return reaches(rook, next) || reaches(queen, next);
    if (reaches(known, next))
        return true;
    next.extra = to + 8;
    return s.extra < 16 && next.extra != s.white_king && next.extra != s.black_king &&
           reaches(known, next);
}

/* The black king stands in no way here: Black is not in check, so he is on no open line. */
static bool piece_wins(const Solution *known, SolverState s)
{
    for (int to = 0; to < 64; to++) {
        if (to == s.black_king || to == s.white_king || to == s.extra ||
            !attacks(known->piece, s.extra, to, s.white_king))
            continue;
        SolverState next = {true, s.white_king, s.black_king, to};
        if (reaches(known, next))
            return true;
    }
    return false;
}

static bool white_wins(const Solution *known, SolverState s, const Solution *rook,
                       const Solution *queen)
{
    for (int d = 0; d < 8; d++) {
        int to = king_step(s.white_king, d);
        if (to < 0 || to == s.extra || touching(to, s.black_king))
            continue;
        SolverState next = {true, to, s.black_king, s.extra};
        if (reaches(known, next))
            return true;
    }
    return known->piece == SOLVER_PAWN ? pawn_wins(known, s, rook, queen) : piece_wins(known, s);
}

static SolverState state_of(int index)
{
    return (SolverState){index >> 18, index >> 12 & 63, index >> 6 & 63, index & 63};
}

void solver_solve(Solution *out, SolverPiece piece, const Solution *rook, const Solution *queen)
{
    out->piece = piece;
    memset(out->won, -1, sizeof out->won);
    /* Even rounds settle Black's losses, odd ones White's wins, each from what is known so far: the
     * round in which a position is settled is its distance from mate. */
    for (int round = 0, idle = 0; idle < 2; round++) {
        bool black = round % 2 == 0, changed = false;
        int begin = black ? SOLVER_SIZE / 2 : 0;
        for (int i = begin; i < begin + SOLVER_SIZE / 2; i++) {
            SolverState s = state_of(i);
            if (out->won[i] >= 0 || !solver_possible(piece, s))
                continue;
            if (black ? black_lost(out, s) : white_wins(out, s, rook, queen)) {
                out->won[i] = (int8_t)round;
                changed = true;
            }
        }
        idle = changed ? 0 : idle + 1;
    }
}
