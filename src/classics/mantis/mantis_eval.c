#include "classics/mantis/mantis_eval.h"

#include "chess/movegen.h"

/* Every piece at the start of a game, by the document: eighty pawns. */
enum { WHOLE_BOARD = 8000, LATE = WHOLE_BOARD / 5 };

enum { CAPUCHIN, SIFAKA, MACAQUE, MANTIS };

#define TERMS(X)                  \
    X(MATERIAL, "material")       \
    X(PASSED, "passed pawns")     \
    X(CROWDED, "crowded files")   \
    X(QUANTITY, "pawn quantity")  \
    X(CRIPPLED, "crippled pawns") \
    X(NEIGHBOURS, "neighbours")   \
    X(KING_PAWNS, "king pawns")   \
    X(FREEDOM, "freedom")         \
    X(CENTRE, "centre")           \
    X(KING_ATTACK, "king attack") \
    X(CASTLED, "castled")         \
    X(CENTRE_KING, "centre king")

#define WEIGHTS(X)                                    \
    CLASSIC_EVAL_PIECES(X, 100, 300, 325, 500, 900)   \
    X(W_PASSED, "passed", 100, -50, 300)              \
    X(W_TWO_ON_FILE, "two-on-file", -100, -300, 50)   \
    X(W_MORE_ON_FILE, "more-on-file", -175, -500, 50) \
    X(W_EIGHT_PAWNS, "eight-pawns", -100, -300, 100)  \
    X(W_SEVEN_PAWNS, "seven-pawns", -50, -300, 100)   \
    X(W_CRIPPLED, "crippled", -50, -150, 50)          \
    X(W_NEIGHBOURS, "neighbours", 10, -10, 50)        \
    X(W_KING_PAWN, "king-pawn", 10, -20, 60)          \
    X(W_FREEDOM, "freedom", 2, 0, 20)                 \
    X(W_INNER_CENTRE, "inner-centre", 4, 0, 30)       \
    X(W_OUTER_CENTRE, "outer-centre", 2, 0, 30)       \
    X(W_NEAR_KING, "near-king", 2, 0, 40)             \
    X(W_FAR_FROM_KING, "far-from-king", 1, 0, 30)     \
    X(W_CASTLED, "castled", 10, -20, 100)             \
    X(W_CENTRE_KING, "centre-king", 100, 0, 300)

CLASSIC_EVAL_TABLES(TERMS, WEIGHTS)

#define OUTER_CENTRE (CLASSIC_WIDE_CENTRE & ~CLASSIC_INNER_CENTRE)

/* One side's part of an evaluation. */
typedef struct Side {
    const Position *p;
    const int *w;
    Color color;
    int (*v)[COLOR_COUNT];
} Side;

static void add(const Side *s, Term term, int value)
{
    s->v[term][s->color] += value;
}

static int material(const Position *p, Color c, const int *w)
{
    int sum = 0;
    for (PieceType t = PAWN; t <= QUEEN; t++)
        sum += w[W_PAWN + t] * bb_count(pos_pieces(p, c, t));
    return sum;
}

/* -- Sifaka -- */

static int count_passed(const Position *p, Color c)
{
    Bitboard ahead = bb_front_fill(color_other(c), pos_pieces(p, color_other(c), PAWN));
    return bb_count(pos_pieces(p, c, PAWN) & ~(ahead | bb_east(ahead) | bb_west(ahead)));
}

static void add_files(const Side *s, Bitboard pawns)
{
    int before = 0;
    for (int file = 0; file < 8; file++) {
        int count = bb_count(pawns & bb_file(file));
        if (count == 2)
            add(s, CROWDED, s->w[W_TWO_ON_FILE]);
        else if (count > 2)
            add(s, CROWDED, s->w[W_MORE_ON_FILE]);
        add(s, NEIGHBOURS, 2 * before * count * s->w[W_NEIGHBOURS]);
        before = count;
    }
}

static void add_pawns(const Side *s)
{
    Bitboard pawns = pos_pieces(s->p, s->color, PAWN);
    int count = bb_count(pawns);
    add_files(s, pawns);
    if (count >= 7)
        add(s, QUANTITY, s->w[count == 7 ? W_SEVEN_PAWNS : W_EIGHT_PAWNS]);
    add(s, CRIPPLED, bb_count(pawns & (FILE_A_BB | FILE_H_BB)) * s->w[W_CRIPPLED]);
    Bitboard before_king = bb_forward(s->color, bb_of(pos_king(s->p, s->color)));
    before_king |= bb_east(before_king) | bb_west(before_king);
    add(s, KING_PAWNS, bb_count(pawns & before_king) * s->w[W_KING_PAWN]);
}

/* -- Macaque -- */

static Bitboard reach(const Position *p, Square from)
{
    Piece piece = pos_piece_on(p, from);
    PieceType t = piece_type(piece);
    return t == PAWN ? attacks_pawn(piece_color(piece), from)
                     : attacks_of(t, from, pos_occupied(p));
}

static void add_king_attack(const Side *s)
{
    Bitboard king = pos_pieces(s->p, color_other(s->color), KING);
    Bitboard near = bb_grow(king) & ~king, far = bb_grow(bb_grow(king)) & ~near & ~king;
    for (Bitboard left = s->p->by_color[s->color]; left;) {
        Square from = bb_pop(&left);
        Bitboard squares = reach(s->p, from) & ~s->p->by_color[s->color];
        if (squares & near)
            add(s, KING_ATTACK, s->w[W_NEAR_KING]);
        else if (squares & far)
            add(s, KING_ATTACK, s->w[W_FAR_FROM_KING]);
    }
}

static void add_moves(const Side *s, const Move *moves, int count)
{
    Bitboard own = s->p->by_color[s->color];
    int inner = 2 * bb_count(own & CLASSIC_INNER_CENTRE), outer = 2 * bb_count(own & OUTER_CENTRE);
    for (int i = 0; i < count; i++) {
        Bitboard to = bb_of(move_to(moves[i]));
        inner += (to & CLASSIC_INNER_CENTRE) != 0;
        outer += (to & OUTER_CENTRE) != 0;
    }
    add(s, FREEDOM, count * s->w[W_FREEDOM]);
    add(s, CENTRE, inner * s->w[W_INNER_CENTRE] + outer * s->w[W_OUTER_CENTRE]);
}

/* -- Mantis -- */

static void add_late(const Side *s, int on_board)
{
    if (classic_eval_has_castled(s->p, s->color))
        add(s, CASTLED, s->w[W_CASTLED]);
    if (pos_pieces(s->p, s->color, KING) & CLASSIC_WIDE_CENTRE)
        add(s, CENTRE_KING, s->w[W_CENTRE_KING] * (LATE - on_board) / WHOLE_BOARD);
}

/* -- The four -- */

static void evaluate_side(const Side *s, int level, int on_board)
{
    add(s, MATERIAL, material(s->p, s->color, s->w));
    if (level < SIFAKA)
        return;
    int passed = s->w[W_PASSED] * count_passed(s->p, s->color);
    if (level == MANTIS)
        passed = passed * (2 * WHOLE_BOARD - on_board) / WHOLE_BOARD;
    add(s, PASSED, passed);
    add_pawns(s);
    if (level >= MACAQUE)
        add_king_attack(s);
    if (level == MANTIS)
        add_late(s, on_board);
}

static void evaluate(Position *p, const int *w, int level, ClassicEvalValues v)
{
    int on_board = material(p, WHITE, w) + material(p, BLACK, w);
    Side own = {p, w, p->side, v}, other = {p, w, color_other(p->side), v};
    evaluate_side(&own, level, on_board);
    evaluate_side(&other, level, on_board);
    if (level < MACAQUE)
        return;
    Move moves[MAX_MOVES];
    Undo undo;
    add_moves(&own, moves, movegen(p, GEN_ALL, moves));
    pos_make_null(p, &undo);
    add_moves(&other, moves, movegen(p, GEN_ALL, moves));
    pos_unmake_null(p, &undo);
}

/* Each level has the weights and terms before the next one's first. */
#define TITLE "Chess Mantis, 2008: "

const ClassicEval capuchin_evaluator =
    CLASSIC_EVAL("capuchin", TITLE "Capuchin", W_PASSED, PASSED, .level = CAPUCHIN);
const ClassicEval sifaka_evaluator =
    CLASSIC_EVAL("sifaka", TITLE "Sifaka", W_FREEDOM, FREEDOM, .level = SIFAKA);
const ClassicEval macaque_evaluator =
    CLASSIC_EVAL("macaque", TITLE "Macaque", W_CASTLED, CASTLED, .level = MACAQUE);
const ClassicEval mantis_evaluator =
    CLASSIC_EVAL("mantis", TITLE "Mantis", WEIGHT_COUNT, TERM_COUNT, .level = MANTIS);
