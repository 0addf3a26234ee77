/* The classical evaluation: symmetry, independence of history, and hand-worked positions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../positions.h"
#include "base/random.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/setup.h"
#include "eval/classical/classical_int.h"
#include "eval/endgame.h"
#include "eval/eval.h"

/* White's view. */
static Score value(const char *fen)
{
    Position p = position_of(fen);
    Score s = classical_score(NULL, &p);
    return p.side == WHITE ? s : -s;
}

static int term_eg(const char *fen, ClassicalTerm term, Color c)
{
    Position p = position_of(fen);
    EvalTrace t;
    eval_trace(evaluator_classical(), &p, &t);
    return t.terms[term].eg[c];
}

static int term_mg(const char *fen, ClassicalTerm term, Color c)
{
    Position p = position_of(fen);
    EvalTrace t;
    eval_trace(evaluator_classical(), &p, &t);
    return t.terms[term].mg[c];
}

/* The same position with colours and ranks exchanged. */
static Position turned(const Position *p)
{
    Setup from, to;
    Position out;
    Message why;
    pos_describe(p, &from);
    to = from;
    for (int s = 0; s < SQUARE_COUNT; s++) {
        Piece piece = from.board[s ^ 56];
        to.board[s] = piece == NO_PIECE ? NO_PIECE : piece ^ 1;
    }
    to.side = color_other(from.side);
    to.ep = from.ep == SQ_NONE ? SQ_NONE : from.ep ^ 56;
    for (int i = 0; i < CASTLING_COUNT; i++) {
        Square rook = from.castling_rook[i ^ 2];
        to.castling_rook[i] = rook == SQ_NONE ? SQ_NONE : rook ^ 56;
    }
    if (pos_set(&out, &to, &why) != STATUS_OK)
        fail_msg("turned position refused: %s", why.text);
    return out;
}

typedef void Visit(const Position *p, void *user);

/* Random games from the start and from Chess960 starts; every position not in check is visited. */
static void playouts(int games, uint64_t seed, Visit *visit, void *user)
{
    Random r;
    random_seed(&r, seed);
    for (int g = 0; g < games; g++) {
        Position p;
        if (g % 2)
            pos_set_chess960(&p, (int)random_below(&r, 960), (int)random_below(&r, 960));
        else
            pos_set_start(&p);
        for (int ply = 0; ply < 200; ply++) {
            Move moves[MAX_MOVES];
            Undo undo;
            int count = movegen(&p, GEN_ALL, moves);
            if (count == 0)
                break;
            pos_make(&p, moves[random_below(&r, (uint32_t)count)], &undo);
            if (!pos_in_check(&p))
                visit(&p, user);
        }
    }
}

static void check_turned(const Position *p, void *user)
{
    Position other = turned(p);
    Score a = classical_score(NULL, p);
    Score b = classical_score(NULL, &other);
    if (a != b) {
        char fen[FEN_SIZE];
        fen_write(p, FEN_SHREDDER, fen);
        fail_msg("%s: %d, turned around %d", fen, a, b);
    }
    assert_in_range(a + SCORE_EVAL_MAX, 0, 2 * SCORE_EVAL_MAX);
    ++*(int *)user;
}

static void turning_the_board_turns_the_score(void **state)
{
    (void)state;
    int seen = 0;
    playouts(150, 11, check_turned, &seen);
    assert_true(seen > 10000);
}

static void check_cached(const Position *p, void *user)
{
    EvalContext *c = user;
    Score once = eval_score(c, p);
    assert_int_equal(once, classical_score(NULL, p));
    assert_int_equal(once, eval_score(c, p));
}

static void pawn_cache_changes_nothing(void **state)
{
    (void)state;
    EvalContext *c = eval_open(evaluator_classical());
    assert_non_null(c);
    playouts(150, 12, check_cached, c);
    playouts(150, 12, check_cached, c);
    eval_close(c);
}

static void check_trace(const Position *p, void *user)
{
    EvalTrace t;
    (void)user;
    eval_trace(evaluator_classical(), p, &t);
    int mg = 0, eg = 0;
    for (int i = 0; i < t.count; i++) {
        assert_non_null(t.terms[i].name);
        mg += t.terms[i].mg[WHITE] - t.terms[i].mg[BLACK];
        eg += t.terms[i].eg[WHITE] - t.terms[i].eg[BLACK];
    }
    if (pos_pieces(p, (eg != 0 ? eg : mg) > 0 ? WHITE : BLACK, PAWN) == 0)
        mg = mg * t.scale / SCALE_NORMAL;
    eg = eg * t.scale / SCALE_NORMAL;
    int tapered = mg * t.phase + eg * (PHASE_FULL - t.phase);
    assert_int_equal(tapered / PHASE_FULL + t.mop_up, t.total);
    Score s = classical_score(NULL, p);
    assert_int_equal(p->side == WHITE ? s : -s, t.total);
}

static void trace_adds_up(void **state)
{
    (void)state;
    playouts(40, 13, check_trace, NULL);
}

static void packed_halves_come_apart(void **state)
{
    (void)state;
    for (int mg = -3000; mg <= 3000; mg += 250) {
        for (int eg = -3000; eg <= 3000; eg += 250) {
            assert_int_equal(packed_mg(PACKED(mg, eg)), mg);
            assert_int_equal(packed_eg(PACKED(mg, eg)), eg);
            assert_int_equal(packed_mg(-3 * PACKED(mg, eg)), -3 * mg);
            assert_int_equal(packed_eg(-3 * PACKED(mg, eg)), -3 * eg);
        }
    }
}

static void start_is_the_tempo(void **state)
{
    (void)state;
    Position p;
    pos_set_start(&p);
    EvalContext *c = eval_open(evaluator_classical());
    assert_int_equal(eval_score(c, &p), packed_mg(classical_weights.tempo));
    eval_close(c);
    assert_string_equal(evaluator_name(evaluator_classical()), "classical");
}

static void material_counts(void **state)
{
    (void)state;
    assert_true(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 700);
    assert_true(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1") < -700);
    assert_true(value("r2qr1k1/2p2pp1/2np1n1p/p3p3/P3P3/2NP1N1P/1PP2PP1/R2QR1K1 b - - 0 1") > 40);
    /* Nine queens are an evaluation, not a decisive score. */
    assert_true(value("k7/8/8/8/8/1QQQ4/1QQQQQ1Q/7K w - - 0 1") <= SCORE_EVAL_MAX);
}

static void pawn_terms(void **state)
{
    (void)state;
    PawnEntry pawns;

    /* d4 is passed and isolated. */
    Position p = position_of("4k3/8/8/8/3P4/8/8/4K3 w - - 0 1");
    classical_pawns_fill(&p, &pawns);
    assert_int_equal(pawns.passed[WHITE], bb_of(27));
    assert_int_equal(pawns.score[WHITE], w->pawn_square[15] + w->passed_rank[3] + w->pawn_isolated +
                                             w->pawn_isolated_open);
    assert_int_equal(pawns.files[WHITE], 1 << 3);
    assert_int_equal(pawns.score[BLACK], 0);

    /* d4 and d3: the rear pawn is doubled and not passed; both are isolated. */
    p = position_of("4k3/8/8/8/3P4/3P4/8/4K3 w - - 0 1");
    classical_pawns_fill(&p, &pawns);
    assert_int_equal(pawns.passed[WHITE], bb_of(27));
    assert_int_equal(pawns.score[WHITE],
                     w->pawn_square[15] + w->pawn_square[11] + w->passed_rank[3] + w->pawn_doubled +
                         w->pawn_candidate[2] + 2 * (w->pawn_isolated + w->pawn_isolated_open));

    /* b3 has no support and a black pawn controls b4: backward. */
    p = position_of("4k3/8/8/2p5/P7/1P6/8/4K3 w - - 0 1");
    classical_pawns_fill(&p, &pawns);
    assert_int_equal(pawns.passed[WHITE], bb_of(24));
    assert_int_equal(pawns.score[WHITE], w->pawn_square[12] + w->passed_rank[3] +
                                             w->pawn_supported[3] + w->pawn_square[9] +
                                             w->pawn_backward + w->pawn_backward_open);

    /* e4 and d4 side by side. */
    p = position_of("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1");
    classical_pawns_fill(&p, &pawns);
    assert_int_equal(pawns.score[WHITE],
                     2 * (w->pawn_square[15] + w->passed_rank[3] + w->pawn_phalanx[3]));
    assert_int_equal(pawns.reach[WHITE] & bb_rank(4), 0x3cULL << 32);
}

static void piece_terms(void **state)
{
    (void)state;
    /* Rook on an open, a half-open and a closed file. */
    const char *open = "4k3/8/8/8/8/8/P7/3RK3 w - - 0 1";
    const char *half = "4k3/3p4/8/8/8/8/P7/3RK3 w - - 0 1";
    const char *closed = "4k3/8/8/8/8/8/3P4/R2R1K2 w - - 0 1";
    assert_int_equal(term_mg(open, TERM_ROOKS, WHITE), packed_mg(w->rook_open));
    assert_int_equal(term_mg(half, TERM_ROOKS, WHITE), packed_mg(w->rook_half_open));
    assert_int_equal(term_mg(closed, TERM_ROOKS, WHITE), packed_mg(w->rook_open));
    /* The rook on h1 is trapped; with castling rights it is not. */
    const char *shut = "4k3/8/8/8/8/8/5PPP/5K1R w - - 0 1";
    assert_int_equal(term_mg(shut, TERM_ROOKS, WHITE), packed_mg(w->rook_trapped));
    assert_int_equal(term_mg("4k3/8/8/8/8/5N2/4PPPP/4K2R w K - 0 1", TERM_ROOKS, WHITE), 0);

    /* Two bishops are a pair only on different colours. */
    int two = term_eg("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", TERM_MINORS, WHITE);
    int same = term_eg("4k3/8/8/8/8/8/8/2B1K1B1 w - - 0 1", TERM_MINORS, WHITE);
    assert_true(two - same > packed_eg(w->bishop_pair) / 2);

    /* A supported outpost, against a knight that a pawn can attack. */
    int firm = term_mg("4k3/p6p/8/4N3/3P4/8/8/4K3 w - - 0 1", TERM_MINORS, WHITE);
    int loose = term_mg("4k3/5p2/8/4N3/3P4/8/8/4K3 w - - 0 1", TERM_MINORS, WHITE);
    assert_int_equal(firm - loose, packed_mg(w->knight_outpost[1]));
}

static void kings_want_shelter(void **state)
{
    (void)state;
    const char *walled = "r4rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R2Q1RK1 w - - 0 1";
    const char *bare = "r4rk1/ppp2ppp/2n5/8/5PPP/2N5/PPP5/R2Q1RK1 w - - 0 1";
    assert_true(term_mg(walled, TERM_KING, WHITE) > term_mg(bare, TERM_KING, WHITE) + 20);
    /* Queen and rook near the king are more dangerous than a queen alone. */
    const char *two = "6k1/5p2/6p1/7Q/8/8/8/K6R b - - 0 1";
    const char *one = "6k1/5p2/6p1/7Q/8/8/8/K7 b - - 0 1";
    assert_true(term_mg(two, TERM_KING, BLACK) < term_mg(one, TERM_KING, BLACK));
}

static void threats_count(void **state)
{
    (void)state;
    const char *forked = "4k3/8/8/2n1n3/3P4/8/8/4K3 b - - 0 1";
    const char *safe = "4k3/8/2n1n3/8/3P4/8/8/4K3 b - - 0 1";
    assert_true(term_mg(forked, TERM_THREATS, WHITE) >
                term_mg(safe, TERM_THREATS, WHITE) +
                    packed_mg(classical_weights.threat_by_pawn[1]));
}

static void passed_pawns_run(void **state)
{
    (void)state;
    /* The black king is outside the square of h4, then inside. */
    int outside = term_eg("8/8/8/1k6/7P/8/8/K7 w - - 0 1", TERM_PASSED, WHITE);
    int inside = term_eg("8/8/8/5k2/7P/8/8/K7 w - - 0 1", TERM_PASSED, WHITE);
    assert_true(outside - inside >= packed_eg(classical_weights.passed_unstoppable));
    /* One step nearer: outside with White to move, inside with Black to move. */
    int white = term_eg("8/8/8/2k5/7P/8/8/K7 w - - 0 1", TERM_PASSED, WHITE);
    int black = term_eg("8/8/8/2k5/7P/8/8/K7 b - - 0 1", TERM_PASSED, WHITE);
    assert_true(white - black >= packed_eg(classical_weights.passed_unstoppable));
    int free_way = term_eg("4k3/8/8/3P4/8/8/8/3RK3 w - - 0 1", TERM_PASSED, WHITE);
    int stopped = term_eg("4k3/8/3n4/3P4/8/8/8/3RK3 w - - 0 1", TERM_PASSED, WHITE);
    assert_true(free_way > stopped);
}

static void drawn_endings_are_near_zero(void **state)
{
    (void)state;
    static const char *const drawn[] = {
        "8/8/4k3/8/8/4KN2/8/8 w - - 0 1",    /* a knight */
        "8/8/4k3/8/8/4KB2/8/8 w - - 0 1",    /* a bishop */
        "8/8/4k3/8/8/3NKN2/8/8 w - - 0 1",   /* two knights */
        "8/8/4k3/3b4/8/3RK3/8/8 w - - 0 1",  /* rook against bishop */
        "8/3r4/4k3/8/8/4KBR1/8/8 w - - 0 1", /* rook and bishop against rook */
        "k7/8/8/P7/8/3K4/1B6/8 w - - 0 1",   /* wrong rook pawn */
        "7k/8/8/8/7P/7P/3K4/5B2 w - - 0 1",  /* wrong rook pawn, two pawns */
        "8/8/8/8/3k4/8/3P4/3K4 w - - 0 1",   /* king in front of the pawn */
        "k7/8/8/8/8/P7/8/K7 w - - 0 1",      /* a rook pawn */
    };
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if (abs(value(drawn[i])) > 60)
            fail_msg("%s: %d", drawn[i], value(drawn[i]));
    /* With the right bishop it is won. */
    assert_true(value("k7/8/8/P7/8/3K4/2B5/8 w - - 0 1") > 200);
    /* A pawn ahead counts less with bishops of opposite colours. */
    Score same = value("4k3/5ppp/3b4/8/8/4B3/4PPPP/3K4 w - - 0 1");
    Score opposite = value("4k3/5ppp/4b3/8/8/4B3/4PPPP/3K4 w - - 0 1");
    assert_true(opposite < same);
}

static void bare_kings_are_driven(void **state)
{
    (void)state;
    Score centre = value("8/8/8/4k3/8/8/3K4/3R4 w - - 0 1");
    Score edge = value("4k3/8/4K3/8/8/8/8/3R4 w - - 0 1");
    Score corner = value("7k/8/5K2/8/8/8/8/3R4 w - - 0 1");
    assert_true(centre > 500);
    assert_true(edge > centre && corner > edge);
    /* Bishop and knight: the corner of the bishop's colour, not the other. */
    Score right = value("7k/8/5K2/8/8/8/3N4/2B5 w - - 0 1");
    Score wrong = value("k7/8/2K5/8/8/8/3N4/2B5 w - - 0 1");
    assert_true(right > wrong + 100);
    right = value("k7/8/2K5/8/8/8/3N4/3B4 w - - 0 1");
    wrong = value("7k/8/5K2/8/8/8/3N4/3B4 w - - 0 1");
    assert_true(right > wrong + 100);
    assert_true(value("8/8/8/4k3/8/8/3KNB2/8 w - - 0 1") > 500);
}

static void pushes_and_pops_are_counted(void **state)
{
    (void)state;
    Position p;
    Undo undo[2];
    pos_set_start(&p);
    EvalContext *c = eval_open(evaluator_classical());
    eval_reset(c, &p);
    Score start = eval_score(c, &p);

    Move e4 = move_make(12, 28, MOVE_NORMAL);
    eval_push(c, &p, e4);
    pos_make(&p, e4, &undo[0]);
    Score after = eval_score(c, &p);
    assert_int_equal(after, classical_score(NULL, &p));
    eval_push(c, &p, MOVE_NULL);
    pos_make_null(&p, &undo[1]);
    Score passed = eval_score(c, &p);
    assert_int_equal(passed + after, 2 * packed_mg(classical_weights.tempo));
    pos_unmake_null(&p, &undo[1]);
    eval_pop(c);
    assert_int_equal(eval_score(c, &p), after);
    pos_unmake(&p, e4, &undo[0]);
    eval_pop(c);
    assert_int_equal(eval_score(c, &p), start);
    eval_close(c);
    eval_close(NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_halves_come_apart),
        cmocka_unit_test(start_is_the_tempo),
        cmocka_unit_test(turning_the_board_turns_the_score),
        cmocka_unit_test(pawn_cache_changes_nothing),
        cmocka_unit_test(trace_adds_up),
        cmocka_unit_test(material_counts),
        cmocka_unit_test(pawn_terms),
        cmocka_unit_test(piece_terms),
        cmocka_unit_test(kings_want_shelter),
        cmocka_unit_test(threats_count),
        cmocka_unit_test(passed_pawns_run),
        cmocka_unit_test(drawn_endings_are_near_zero),
        cmocka_unit_test(bare_kings_are_driven),
        cmocka_unit_test(pushes_and_pops_are_counted),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
