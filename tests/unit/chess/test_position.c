#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../consistent.h"
#include "../positions.h"
#include "base/random.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/perft.h"
#include "chess/position.h"
#include "chess/see.h"
#include "chess/uci_move.h"

#include <string.h>

static Move move_of(const Position *p, const char *uci)
{
    Move m = uci_move_read(p, span_of(uci));
    if (m == MOVE_NONE)
        fail_msg("%s is not legal", uci);
    return m;
}

static void play(Position *p, const char *moves)
{
    Span rest = span_of(moves), word;
    while (span_next_word(&rest, &word)) {
        Move m = uci_move_read(p, word);
        Undo undo;
        if (m == MOVE_NONE)
            fail_msg("%.*s is not legal", (int)word.len, word.at);
        pos_make(p, m, &undo);
    }
}

/* -- Sliders: whichever index is compiled in, the attacks are those of walking -- */

static Bitboard walk(Square s, Bitboard occupied, const int ways[4][2])
{
    Bitboard seen = 0;
    for (int i = 0; i < 4; i++) {
        int f = square_file(s) + ways[i][0], r = square_rank(s) + ways[i][1];
        for (; f >= 0 && f < 8 && r >= 0 && r < 8; f += ways[i][0], r += ways[i][1]) {
            seen |= bb_of(square_make(f, r));
            if (occupied & bb_of(square_make(f, r)))
                break;
        }
    }
    return seen;
}

static void test_sliders(void **state)
{
    (void)state;
    static const int straight[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    static const int diagonal[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    Random r;
    random_seed(&r, 7);
    for (int i = 0; i < 20000; i++) {
        Square s = (Square)random_below(&r, 64);
        Bitboard occupied = random_next(&r) & random_next(&r);
        assert_int_equal(attacks_rook(s, occupied), walk(s, occupied, straight));
        assert_int_equal(attacks_bishop(s, occupied), walk(s, occupied, diagonal));
    }
}

/* -- Everything incremental, along random games -- */

static bool in_list(const Move *moves, int count, Move m)
{
    for (int i = 0; i < count; i++)
        if (moves[i] == m)
            return true;
    return false;
}

/* The stages together are all moves, once each; legality of any 16 bits is membership in them. */
static void check_moves(const Position *p, Random *r)
{
    Move all[MAX_MOVES], noisy[MAX_MOVES], quiet[MAX_MOVES];
    int count = movegen(p, GEN_ALL, all);
    int loud = movegen(p, GEN_NOISY, noisy), calm = movegen(p, GEN_QUIET, quiet);
    assert_int_equal(count, loud + calm);
    assert_int_equal(count, movegen_count(p));
    for (int i = 0; i < loud; i++) {
        assert_true(in_list(all, count, noisy[i]));
        assert_true(pos_is_capture(p, noisy[i]) || move_is_promotion(noisy[i]));
    }
    for (int i = 0; i < calm; i++) {
        assert_true(in_list(all, count, quiet[i]));
        assert_false(pos_is_capture(p, quiet[i]) || move_is_promotion(quiet[i]));
    }
    for (int i = 0; i < 300; i++) {
        Move m = (Move)random_next(r);
        assert_int_equal(pos_is_legal(p, m), in_list(all, count, m));
    }
    for (int i = 0; i < count; i++)
        assert_true(pos_is_legal(p, all[i]));
}

static void check_make(Position *p, Move m)
{
    Position before = *p;
    bool check = pos_gives_check(p, m);
    Undo undo;
    pos_make(p, m, &undo);
    assert_true(is_consistent(p));
    assert_int_equal(check, pos_in_check(p));
    pos_unmake(p, m, &undo);
    assert_memory_equal(p->board, before.board, sizeof p->board);
    assert_memory_equal(&p->st, &before.st, sizeof p->st);
    assert_memory_equal(p->by_type, before.by_type, sizeof p->by_type);
}

static void random_game(Random *r, bool chess960)
{
    Position p;
    if (chess960)
        pos_set_chess960(&p, (int)random_below(r, 960), (int)random_below(r, 960));
    else
        pos_set_start(&p);
    for (int ply = 0; ply < 120; ply++) {
        Move moves[MAX_MOVES];
        int count = movegen(&p, GEN_ALL, moves);
        if (!count)
            break;
        check_moves(&p, r);
        for (int i = 0; i < count; i++)
            check_make(&p, moves[i]);
        if (!pos_in_check(&p)) {
            Undo undo;
            Key key = p.st.key;
            pos_make_null(&p, &undo);
            assert_true(is_consistent(&p));
            pos_unmake_null(&p, &undo);
            assert_int_equal(p.st.key, key);
        }
        Undo undo;
        pos_make(&p, moves[random_below(r, (uint32_t)count)], &undo);
    }
}

static void test_random_games(void **state)
{
    (void)state;
    Random r;
    random_seed(&r, 2001);
    for (int i = 0; i < 60; i++)
        random_game(&r, i % 2);
}

/* -- Perft: the well-known positions, shallow -- */

static void test_perft(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int depth;
        uint64_t nodes;
    } rows[] = {
        {FEN_START, 5, 4865609},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422333},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
        {"8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3", 4, 5380},   /* e.p. answers a check or not */
        {"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1134888}, /* the pin along the rank */
        {"1r2k2r/8/8/8/8/8/8/R3K2R b KQk - 0 1", 4, 328965},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Position p = position_of(rows[i].fen);
        uint64_t shared = 0;
        PerftOptions options = {.threads = 2, .hash_mb = 1};
        if (rows[i].nodes != perft(&p, rows[i].depth))
            fail_msg("perft %d of %s", rows[i].depth, rows[i].fen);
        assert_int_equal(perft_run(&p, rows[i].depth, options, NULL, NULL, &shared, NULL),
                         STATUS_OK);
        assert_int_equal(shared, rows[i].nodes);
    }
}

/* -- Exchanges -- */

static void assert_see(const char *fen, const char *uci, int value)
{
    Position p = position_of(fen);
    Move m = move_of(&p, uci);
    if (!see_at_least(&p, m, value) || see_at_least(&p, m, value + 1))
        fail_msg("%s in %s is not worth %d", uci, fen, value);
}

static void test_see(void **state)
{
    (void)state;
    int pawn = see_value[PAWN], knight = see_value[KNIGHT], rook = see_value[ROOK],
        queen = see_value[QUEEN];
    assert_see("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", pawn);
    assert_see("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", pawn - knight);
    assert_see("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", pawn);
    assert_see("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0);
    assert_see("4k3/8/2p5/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", pawn - rook);
    assert_see("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", queen - pawn);
    assert_see("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q", rook + queen - pawn);
    assert_see("8/8/1k6/8/2Pp4/8/1B6/4K3 b - c3 0 1", "d4c3",
               0); /* en passant, retaken by the bishop */
    assert_see("4k3/8/8/3q4/8/3R4/3R4/3K4 w - - 0 1", "d3d5", queen);
    /* The king may not retake what is protected. */
    assert_see("8/8/3k4/3p4/8/3R4/3R4/3K4 w - - 0 1", "d3d5", pawn);
    /* A pinned defender does not defend: the knight is held by the rook behind. */
    assert_see("4k3/8/4n3/8/3p4/8/1B2R3/4K3 w - - 0 1", "b2d4", pawn);
}

/* -- Draws -- */

static void test_repetition(void **state)
{
    (void)state;
    Position p;
    pos_set_start(&p);
    assert_int_equal(draw_repetitions(&p), 0);
    play(&p, "g1f3 g8f6 f3g1 f6g8");
    assert_int_equal(draw_repetitions(&p), 1);
    assert_false(draw_by_repetition(&p, 0)); /* once before the root is no draw yet */
    assert_true(draw_by_repetition(&p, 5));  /* inside the tree it is */
    assert_int_equal(draw_game_end(&p), GAME_GOES_ON);
    play(&p, "g1f3 g8f6 f3g1");
    assert_true(draw_upcoming(&p, 20));
    play(&p, "f6g8");
    assert_int_equal(draw_game_end(&p), GAME_THREEFOLD);
    play(&p, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_int_equal(draw_game_end(&p), GAME_FIVEFOLD);
}

/* A double step whose capture is impossible leaves the same position as any other. */
static void test_repetition_and_en_passant(void **state)
{
    (void)state;
    Position p = position_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), q = p;
    play(&p, "e2e4");
    Position same = position_of("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    assert_int_equal(p.st.key, same.st.key);
    q = position_of("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    play(&q, "e2e4");
    Position without = position_of("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
    assert_int_not_equal(q.st.key, without.st.key);
    /* Legal only if the king stays safe: here the pawn is pinned along the rank. */
    Position pinned = position_of("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1");
    play(&pinned, "e2e4");
    assert_int_equal(pinned.st.ep, SQ_NONE);
    assert_int_not_equal(pinned.st.ep_beside, SQ_NONE);
}

/* draw_upcoming tells just what trying every move tells, inside a random game's own history. */
static void test_upcoming_by_trying(void **state)
{
    (void)state;
    Random r;
    random_seed(&r, 5);
    int found = 0;
    for (int game = 0; game < 300; game++) {
        Position p = position_of("4k3/1q2n3/8/8/8/8/3N2R1/4K3 w - - 0 1");
        for (int ply = 0; ply < 30; ply++) {
            Move moves[MAX_MOVES];
            int count = movegen(&p, GEN_ALL, moves);
            if (!count)
                break;
            bool can = false;
            for (int i = 0; i < count; i++) {
                Undo undo;
                pos_make(&p, moves[i], &undo);
                can |= draw_by_repetition(&p, ply + 2);
                pos_unmake(&p, moves[i], &undo);
            }
            bool told = draw_upcoming(&p, ply + 1);
            if (can && !told)
                fail_msg("a repetition was not foreseen");
            found += can;
            Undo undo;
            pos_make(&p, moves[random_below(&r, (uint32_t)(count < 6 ? count : 6))], &undo);
        }
    }
    assert_true(found > 20);
}

static void test_material(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool drawn;
    } rows[] = {
        {"8/8/4k3/8/8/3K4/8/8 w - - 0 1", true},     {"8/8/4k3/8/8/3KN3/8/8 w - - 0 1", true},
        {"8/8/4k3/8/8/3KB3/8/8 w - - 0 1", true},    {"8/8/4k1b1/8/8/3KB3/8/8 w - - 0 1", false},
        {"8/5b2/4k3/8/8/3KB3/8/8 w - - 0 1", false}, {"8/4b3/4k3/8/8/3KB3/8/8 w - - 0 1", true},
        {"8/8/4k3/8/8/2NKN3/8/8 w - - 0 1", false},  {"8/8/4kn2/8/8/3KN3/8/8 w - - 0 1", false},
        {"8/8/4k3/8/8/3KP3/8/8 w - - 0 1", false},   {"8/8/4k3/8/8/2RK4/8/8 w - - 0 1", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Position p = position_of(rows[i].fen);
        if (draw_by_material(&p) != rows[i].drawn)
            fail_msg("%s", rows[i].fen);
    }
    Position knight = position_of("8/8/4k3/8/8/3KN3/8/8 w - - 0 1");
    assert_true(draw_side_cannot_mate(&knight, BLACK));
    assert_true(draw_side_cannot_mate(&knight, WHITE));
    Position against_pawn = position_of("8/4p3/4k3/8/8/3KN3/8/8 w - - 0 1");
    assert_false(draw_side_cannot_mate(&against_pawn, WHITE));
}

static void test_counters(void **state)
{
    (void)state;
    Position p = position_of("7k/8/8/8/8/8/R7/K7 w - - 99 80");
    play(&p, "a2b2");
    assert_int_equal(draw_game_end(&p), GAME_FIFTY);
    Position late = position_of("7k/8/8/8/8/8/R7/K7 w - - 149 120");
    play(&late, "a2b2");
    assert_int_equal(draw_game_end(&late), GAME_SEVENTYFIVE);
    Position mate =
        position_of("7k/8/6K1/8/8/8/R7/8 w - - 99 80"); /* mate on the last move is mate */
    play(&mate, "a2a8");
    assert_int_equal(draw_game_end(&mate), GAME_CHECKMATE);
    Position stale = position_of("7k/8/6K1/8/8/8/5Q2/8 b - - 0 1");
    assert_int_equal(draw_game_end(&stale), GAME_GOES_ON);
    stale = position_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_int_equal(draw_game_end(&stale), GAME_STALEMATE);
}

/* A null move never counts as part of a repetition. */
static void test_null_breaks_repetition(void **state)
{
    (void)state;
    Position p;
    pos_set_start(&p);
    Undo undo;
    pos_make_null(&p, &undo);
    play(&p, "g8f6");
    pos_make_null(&p, &undo);
    play(&p, "f6g8");
    assert_int_equal(draw_repetitions(&p), 0);
}

/* -- The nine keys that the Polyglot format publishes -- */

static void test_polyglot_keys(void **state)
{
    (void)state;
    static const struct {
        const char *moves;
        Key key;
    } rows[] = {
        {"", 0x463b96181691fc9cULL},
        {"e2e4", 0x823c9b50fd114196ULL},
        {"e2e4 d7d5", 0x0756b94461c50fb0ULL},
        {"e2e4 d7d5 e4e5", 0x662fafb965db29d4ULL},
        {"e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78ULL},
        {"e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1ULL},
        {"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9ULL},
        {"a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637ULL},
        {"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560ULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Position p;
        pos_set_start(&p);
        play(&p, rows[i].moves);
        assert_int_equal(pos_polyglot_key(&p), rows[i].key);
    }
}

/* The ring of keys turns over in a long game without losing what counts. */
static void test_long_game(void **state)
{
    (void)state;
    Position p;
    pos_set_start(&p);
    for (int i = 0; i < 700; i++)
        play(&p, "g1f3 g8f6 f3g1 f6g8");
    assert_true(draw_repetitions(&p) >= 100);
    assert_int_equal(draw_game_end(&p), GAME_FIVEFOLD);
    assert_int_equal(p.game_ply, 2800);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliders),
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_see),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_repetition_and_en_passant),
        cmocka_unit_test(test_upcoming_by_trying),
        cmocka_unit_test(test_material),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_null_breaks_repetition),
        cmocka_unit_test(test_polyglot_keys),
        cmocka_unit_test(test_long_game),
    };
    return cmocka_run_group_tests(tests, init_chess, NULL);
}
