#include "classics/mantis/mantis_eval.h"

#include "chess/movegen.h"

/* Every piece at the start of a game, by the document: eighty pawns. */
enum { WHOLE_BOARD = 8000, LATE = WHOLE_BOARD / 5 };

typedef enum Level { CAPUCHIN, SIFAKA, MACAQUE, MANTIS } Level;

/* Each level has the terms up to its last one. */
typedef enum Term {
    MATERIAL,
    PASSED,
    CROWDED,
    QUANTITY,
    CRIPPLED,
    NEIGHBOURS,
    KING_PAWNS,
    FREEDOM,
    CENTRE,
    KING_ATTACK,
    CASTLED,
    CENTRE_KING,
    TERM_COUNT
} Term;

static const char *const term_names[TERM_COUNT] = {
    "material",       "passed pawns", "crowded files", "pawn quantity",
    "crippled pawns", "neighbours",   "king pawns",    "freedom",
    "centre",         "king attack",  "castled",       "centre king"};

static const int level_terms[] = {PASSED, FREEDOM, CASTLED, TERM_COUNT};

typedef enum Weight {
    W_PAWN,
    W_KNIGHT,
    W_BISHOP,
    W_ROOK,
    W_QUEEN,
    W_PASSED,
    W_TWO_ON_FILE,
    W_MORE_ON_FILE,
    W_EIGHT_PAWNS,
    W_SEVEN_PAWNS,
    W_CRIPPLED,
    W_NEIGHBOURS,
    W_KING_PAWN,
    W_FREEDOM,
    W_INNER_CENTRE,
    W_OUTER_CENTRE,
    W_NEAR_KING,
    W_FAR_FROM_KING,
    W_CASTLED,
    W_CENTRE_KING,
    WEIGHT_COUNT
} Weight;

static const ClassicEvalWeight weight_rows[WEIGHT_COUNT] = {
    [W_PAWN] = {"pawn", 100, 50, 200},
    [W_KNIGHT] = {"knight", 300, 100, 900},
    [W_BISHOP] = {"bishop", 325, 100, 900},
    [W_ROOK] = {"rook", 500, 200, 1500},
    [W_QUEEN] = {"queen", 900, 400, 2000},
    [W_PASSED] = {"passed", 100, -50, 300},
    [W_TWO_ON_FILE] = {"two-on-file", -100, -300, 50},
    [W_MORE_ON_FILE] = {"more-on-file", -175, -500, 50},
    [W_EIGHT_PAWNS] = {"eight-pawns", -100, -300, 100},
    [W_SEVEN_PAWNS] = {"seven-pawns", -50, -300, 100},
    [W_CRIPPLED] = {"crippled", -50, -150, 50},
    [W_NEIGHBOURS] = {"neighbours", 10, -10, 50},
    [W_KING_PAWN] = {"king-pawn", 10, -20, 60},
    [W_FREEDOM] = {"freedom", 2, 0, 20},
    [W_INNER_CENTRE] = {"inner-centre", 4, 0, 30},
    [W_OUTER_CENTRE] = {"outer-centre", 2, 0, 30},
    [W_NEAR_KING] = {"near-king", 2, 0, 40},
    [W_FAR_FROM_KING] = {"far-from-king", 1, 0, 30},
    [W_CASTLED] = {"castled", 10, -20, 100},
    [W_CENTRE_KING] = {"centre-king", 100, 0, 300},
};

/* Which weights a level has: those before this one. */
enum { CAPUCHIN_WEIGHTS = W_PASSED, SIFAKA_WEIGHTS = W_FREEDOM, MACAQUE_WEIGHTS = W_CASTLED };

#define INNER_CENTRE 0x0000001818000000ULL /* d4 e4 d5 e5 */
#define WIDE_CENTRE 0x00003c3c3c3c0000ULL  /* c3 to f6 */
#define OUTER_CENTRE (WIDE_CENTRE & ~INNER_CENTRE)

/* One side's part of an evaluation. */
typedef struct Side {
    const Position *p;
    const int *w;
    Color color;
    int *terms; /* of this side */
} Side;

static void add(const Side *s, Term term, int value)
{
    s->terms[term] += value;
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
    Bitboard occupied = pos_occupied(p);
    switch (piece_type(pos_piece_on(p, from))) {
    case PAWN:
        return attack_tables.pawn[piece_color(pos_piece_on(p, from))][from];
    case KNIGHT:
        return attack_tables.knight[from];
    case BISHOP:
        return attacks_bishop(from, occupied);
    case ROOK:
        return attacks_rook(from, occupied);
    case QUEEN:
        return attacks_queen(from, occupied);
    default:
        return attack_tables.king[from];
    }
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
    int inner = 2 * bb_count(own & INNER_CENTRE), outer = 2 * bb_count(own & OUTER_CENTRE);
    for (int i = 0; i < count; i++) {
        Bitboard to = bb_of(move_to(moves[i]));
        inner += (to & INNER_CENTRE) != 0;
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
    if (pos_pieces(s->p, s->color, KING) & WIDE_CENTRE)
        add(s, CENTRE_KING, s->w[W_CENTRE_KING] * (LATE - on_board) / WHOLE_BOARD);
}

/* -- The four -- */

static void evaluate_side(const Side *s, Level level, int on_board)
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

static void evaluate(Position *p, const int *w, Level level, int terms[COLOR_COUNT][TERM_COUNT])
{
    int on_board = material(p, WHITE, w) + material(p, BLACK, w);
    Side own = {p, w, p->side, terms[p->side]};
    Side other = {p, w, color_other(p->side), terms[color_other(p->side)]};
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

static Score score(Position *p, const int *w, Level level)
{
    int terms[COLOR_COUNT][TERM_COUNT] = {0}, sum = 0;
    evaluate(p, w, level, terms);
    for (int i = 0; i < TERM_COUNT; i++)
        sum += terms[p->side][i] - terms[color_other(p->side)][i];
    return score_clip(sum);
}

static void fill_terms(Position *p, const int *w, Level level, ClassicEvalTerms *out)
{
    int terms[COLOR_COUNT][TERM_COUNT] = {0}, sum = 0;
    evaluate(p, w, level, terms);
    for (int i = 0; i < level_terms[level]; i++) {
        classic_eval_add_term(out, term_names[i], terms[WHITE][i], terms[BLACK][i]);
        sum += terms[WHITE][i] - terms[BLACK][i];
    }
    out->total = score_clip(sum);
}

/* -- As evaluators -- */

static Score capuchin_score(Position *p, const int *w)
{
    return score(p, w, CAPUCHIN);
}

static void capuchin_terms(Position *p, const int *w, ClassicEvalTerms *out)
{
    fill_terms(p, w, CAPUCHIN, out);
}

static Score sifaka_score(Position *p, const int *w)
{
    return score(p, w, SIFAKA);
}

static void sifaka_terms(Position *p, const int *w, ClassicEvalTerms *out)
{
    fill_terms(p, w, SIFAKA, out);
}

static Score macaque_score(Position *p, const int *w)
{
    return score(p, w, MACAQUE);
}

static void macaque_terms(Position *p, const int *w, ClassicEvalTerms *out)
{
    fill_terms(p, w, MACAQUE, out);
}

static Score mantis_score(Position *p, const int *w)
{
    return score(p, w, MANTIS);
}

static void mantis_terms(Position *p, const int *w, ClassicEvalTerms *out)
{
    fill_terms(p, w, MANTIS, out);
}

const ClassicEval capuchin_evaluator = {"capuchin",     "Chess Mantis, 2008: Capuchin",
                                        weight_rows,    CAPUCHIN_WEIGHTS,
                                        capuchin_score, capuchin_terms};
const ClassicEval sifaka_evaluator = {"sifaka",     "Chess Mantis, 2008: Sifaka",
                                      weight_rows,  SIFAKA_WEIGHTS,
                                      sifaka_score, sifaka_terms};
const ClassicEval macaque_evaluator = {"macaque",     "Chess Mantis, 2008: Macaque",
                                       weight_rows,   MACAQUE_WEIGHTS,
                                       macaque_score, macaque_terms};
const ClassicEval mantis_evaluator = {
    "mantis", "Chess Mantis, 2008: Mantis", weight_rows, WEIGHT_COUNT, mantis_score, mantis_terms};
