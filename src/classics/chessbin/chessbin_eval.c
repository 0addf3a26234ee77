#include "classics/chessbin/chessbin_eval.h"

#include "classics/piece_tables.h"

typedef enum Term {
    MATERIAL,
    TABLES,
    DEFENDED,
    ATTACKED,
    HANGING,
    MOVES,
    EDGE_PAWNS,
    DOUBLED,
    ADVANCED,
    ISOLATED,
    PASSED,
    KNIGHTS,
    BISHOPS,
    ROOKS_MOVED,
    QUEEN_MOVED,
    KING_STUCK,
    KING_MOVED,
    CHECK,
    CASTLED,
    TEMPO,
    TERM_COUNT
} Term;

static const char *const term_names[TERM_COUNT] = {
    "material",     "piece tables", "defended",      "attacked",         "hanging",
    "moves",        "edge pawns",   "doubled pawns", "6th and 7th rank", "isolated files",
    "passed files", "knights",      "bishops",       "rooks moved",      "queen moved",
    "king stuck",   "king moved",   "check",         "castled",          "tempo"};

typedef enum Weight {
    W_PAWN,
    W_KNIGHT,
    W_BISHOP,
    W_ROOK,
    W_QUEEN,
    W_TABLES,
    W_DEFENDED,
    W_ATTACKED,
    W_HANGING,
    W_MOVES,
    W_EDGE_PAWN,
    W_DOUBLED,
    W_SEVENTH,
    W_SEVENTH_DEFENDED,
    W_SIXTH,
    W_SIXTH_DEFENDED,
    W_ISOLATED_A,
    W_ISOLATED_B,
    W_ISOLATED_C,
    W_ISOLATED_D,
    W_PASSED,
    W_KNIGHT_ENDGAME,
    W_SECOND_BISHOP,
    W_BISHOP_ENDGAME,
    W_ROOK_MOVED,
    W_QUEEN_MOVED,
    W_KING_STUCK,
    W_KING_MOVED,
    W_CHECK,
    W_CHECK_ENDGAME,
    W_CASTLED,
    W_TEMPO,
    WEIGHT_COUNT
} Weight;

static const ClassicEvalWeight weight_rows[WEIGHT_COUNT] = {
    [W_PAWN] = {"pawn", 100, 50, 200},
    [W_KNIGHT] = {"knight", 320, 150, 600},
    [W_BISHOP] = {"bishop", 325, 150, 600},
    [W_ROOK] = {"rook", 500, 250, 1000},
    [W_QUEEN] = {"queen", 975, 450, 1900},
    [W_TABLES] = {"tables-percent", 100, 0, 400},
    [W_DEFENDED] = {"defended-percent", 100, -200, 600},
    [W_ATTACKED] = {"attacked-percent", -100, -600, 200},
    [W_HANGING] = {"hanging", -10, -40, 10},
    [W_MOVES] = {"moves-percent", 100, -100, 1000},
    [W_EDGE_PAWN] = {"edge-pawn", -15, -60, 20},
    [W_DOUBLED] = {"doubled", -16, -80, 20},
    [W_SEVENTH] = {"seventh-rank", 200, 0, 600},
    [W_SEVENTH_DEFENDED] = {"seventh-rank-defended", 50, -50, 300},
    [W_SIXTH] = {"sixth-rank", 100, 0, 400},
    [W_SIXTH_DEFENDED] = {"sixth-rank-defended", 25, -50, 200},
    [W_ISOLATED_A] = {"isolated-a-h", -12, -60, 20},
    [W_ISOLATED_B] = {"isolated-b-g", -14, -60, 20},
    [W_ISOLATED_C] = {"isolated-c-f", -16, -60, 20},
    [W_ISOLATED_D] = {"isolated-d-e", -20, -60, 20},
    [W_PASSED] = {"passed", 10, -20, 100},
    [W_KNIGHT_ENDGAME] = {"knight-endgame", -10, -80, 40},
    [W_SECOND_BISHOP] = {"second-bishop", 10, -20, 100},
    [W_BISHOP_ENDGAME] = {"bishop-endgame", 10, -40, 80},
    [W_ROOK_MOVED] = {"rook-moved", -10, -60, 30},
    [W_QUEEN_MOVED] = {"queen-moved", -10, -60, 30},
    [W_KING_STUCK] = {"king-stuck", -5, -60, 20},
    [W_KING_MOVED] = {"king-moved", -30, -120, 20},
    [W_CHECK] = {"check", 75, -20, 200},
    [W_CHECK_ENDGAME] = {"check-endgame", 10, -40, 100},
    [W_CASTLED] = {"castled", 40, -20, 150},
    [W_TEMPO] = {"tempo", 10, -20, 60},
};

static const uint8_t action_values[PIECE_TYPE_COUNT] = {6, 3, 3, 2, 1, 1};

/* The squares that White's pieces start on. */
static const Bitboard start_squares[PIECE_TYPE_COUNT] = {0xff00, 0x42, 0x24, 0x81, 0x08, 0x10};

enum { ENDGAME_PIECES = 10, KING_VALUE = 32767 };

typedef int Values[TERM_COUNT][COLOR_COUNT];

/* What all terms look at. */
typedef struct Board {
    const Position *p;
    const int *w;
    bool endgame;
    bool castled[COLOR_COUNT];
    Bitboard reach[COLOR_COUNT]; /* squares that pieces other than the king attack */
    uint8_t pressure[COLOR_COUNT][SQUARE_COUNT]; /* a side's action values towards a piece */
    int king_moves[COLOR_COUNT];
    int (*v)[COLOR_COUNT];
} Board;

int chessbin_value(PieceType t)
{
    return t < KING ? weight_rows[W_PAWN + t].value : KING_VALUE;
}

int chessbin_action_value(PieceType t)
{
    return action_values[t];
}

bool chessbin_is_unmoved(const Position *p, Square s)
{
    Piece piece = pos_piece_on(p, s);
    Bitboard start = start_squares[piece_type(piece)];
    return ((piece_color(piece) == WHITE ? start : __builtin_bswap64(start)) & bb_of(s)) != 0;
}

static void add(Board *b, Term term, Color c, int value)
{
    b->v[term][c] += value;
}

/* -- Attacks -- */

static void press(Board *b, Color c, PieceType t, Bitboard attacks)
{
    for (Bitboard left = attacks & pos_occupied(b->p); left;)
        b->pressure[c][bb_pop(&left)] += action_values[t];
}

static int pawn_moves(const Position *p, Color c, Square s)
{
    Bitboard empty = ~pos_occupied(p), enemy = p->by_color[color_other(c)];
    Bitboard one = bb_forward(c, bb_of(s)) & empty;
    Bitboard two = bb_forward(c, one & bb_relative_rank(c, 2)) & empty;
    Bitboard takes = attacks_pawn(c, s) & (enemy & ~p->by_type[KING]);
    if (c == p->side && p->st.ep != SQ_NONE)
        takes |= attacks_pawn(c, s) & bb_of(p->st.ep);
    return bb_count(one | two | takes);
}

static void count_attacks(Board *b, Color c)
{
    const Position *p = b->p;
    Bitboard occupied = pos_occupied(p);
    int moves = 0;
    for (Bitboard left = p->by_color[c] & ~p->by_type[KING]; left;) {
        Square s = bb_pop(&left);
        PieceType t = piece_type(pos_piece_on(p, s));
        Bitboard attacks = t == PAWN ? attacks_pawn(c, s) : attacks_of(t, s, occupied);
        b->reach[c] |= attacks;
        press(b, c, t, attacks);
        moves += t == PAWN ? pawn_moves(p, c, s)
                           : bb_count(attacks & ~p->by_color[c] & ~p->by_type[KING]);
    }
    add(b, MOVES, c, moves * b->w[W_MOVES] / 100);
}

static void count_king_moves(Board *b, Color c)
{
    Color enemy = color_other(c);
    Bitboard taken = b->reach[enemy] | attacks_king(pos_king(b->p, enemy));
    Bitboard steps = attacks_king(pos_king(b->p, c)) & ~taken;
    press(b, c, KING, steps);
    b->king_moves[c] = bb_count(steps & ~b->p->by_color[c]);
    add(b, MOVES, c, b->king_moves[c] * b->w[W_MOVES] / 100);
}

/* -- Pieces -- */

static int table_value(const Board *b, Color c, PieceType t, Square s)
{
    return piece_table(t == KING && b->endgame ? PIECE_TABLE_KING_ENDGAME : (int)t, c, s);
}

static void eval_piece(Board *b, Color c, PieceType t, Square s)
{
    int defended = b->pressure[c][s], attacked = b->pressure[color_other(c)][s];
    if (t != KING)
        add(b, MATERIAL, c, b->w[W_PAWN + t]);
    add(b, TABLES, c, table_value(b, c, t, s) * b->w[W_TABLES] / 100);
    add(b, DEFENDED, c, defended * b->w[W_DEFENDED] / 100);
    add(b, ATTACKED, c, attacked * b->w[W_ATTACKED] / 100);
    if (attacked > defended)
        add(b, HANGING, c, (attacked - defended) * b->w[W_HANGING]);
}

/* A pawn on its 6th or 7th rank that nothing attacks. */
static int advanced_value(const Board *b, Color c, Square s)
{
    int rank = square_relative_rank(c, s);
    bool defended = b->pressure[c][s] > 0;
    if (b->pressure[color_other(c)][s] > 0)
        return 0;
    if (rank == 6)
        return b->w[W_SEVENTH] + (defended ? b->w[W_SEVENTH_DEFENDED] : 0);
    if (rank == 5)
        return b->w[W_SIXTH] + (defended ? b->w[W_SIXTH_DEFENDED] : 0);
    return 0;
}

/* The original keeps one counter a file, of 10 for each pawn and the bonuses of those far ahead,
 * and counts it only where the other side has no pawn on the file. */
static void add_passed_file(Board *b, Color c, Bitboard pawns)
{
    add(b, PASSED, c, bb_count(pawns) * b->w[W_PASSED]);
    while (pawns)
        add(b, ADVANCED, c, advanced_value(b, c, bb_pop(&pawns)));
}

static void eval_pawns(Board *b, Color c)
{
    Bitboard own = pos_pieces(b->p, c, PAWN), enemy = pos_pieces(b->p, color_other(c), PAWN);
    add(b, EDGE_PAWNS, c, bb_count(own & (FILE_A_BB | FILE_H_BB)) * b->w[W_EDGE_PAWN]);
    for (int file = 0; file < 8; file++) {
        int count = bb_count(own & bb_file(file));
        if (count == 0)
            continue;
        add(b, DOUBLED, c, (count - 1) * b->w[W_DOUBLED]);
        if (!(own & (bb_east(bb_file(file)) | bb_west(bb_file(file)))))
            add(b, ISOLATED, c, b->w[W_ISOLATED_A + (file < 4 ? file : 7 - file)]);
        if (!(enemy & bb_file(file)))
            add_passed_file(b, c, own & bb_file(file));
    }
}

static void eval_pieces(Board *b, Color c)
{
    const Position *p = b->p;
    Bitboard first = bb_relative_rank(c, 0), corners = first & (FILE_A_BB | FILE_H_BB);
    int bishops = bb_count(pos_pieces(p, c, BISHOP));
    if (b->endgame) {
        add(b, KNIGHTS, c, bb_count(pos_pieces(p, c, KNIGHT)) * b->w[W_KNIGHT_ENDGAME]);
        add(b, BISHOPS, c, bishops * b->w[W_BISHOP_ENDGAME]);
    } else {
        Bitboard away = pos_pieces(p, c, QUEEN) & ~(first & bb_file(3));
        add(b, QUEEN_MOVED, c, bb_count(away) * b->w[W_QUEEN_MOVED]);
    }
    if (bishops > 1)
        add(b, BISHOPS, c, (bishops - 1) * b->w[W_SECOND_BISHOP]);
    if (!b->castled[c])
        add(b, ROOKS_MOVED, c, bb_count(pos_pieces(p, c, ROOK) & ~corners) * b->w[W_ROOK_MOVED]);
    if (b->king_moves[c] < 2)
        add(b, KING_STUCK, c, b->w[W_KING_STUCK]);
    if (!b->endgame && !b->castled[c] && pos_king(p, c) != square_relative(c, SQ_E1))
        add(b, KING_MOVED, c, b->w[W_KING_MOVED]);
    if (b->castled[c])
        add(b, CASTLED, c, b->w[W_CASTLED]);
}

/* -- Together -- */

static Score eval_all(const Position *p, const int *w, Values v)
{
    Board b = {.p = p, .w = w, .v = v};
    int sum = 0;
    b.endgame = bb_count(pos_occupied(p)) < ENDGAME_PIECES;
    for (Color c = WHITE; c <= BLACK; c++) {
        b.castled[c] = classic_eval_has_castled(p, c);
        count_attacks(&b, c);
    }
    count_king_moves(&b, WHITE);
    count_king_moves(&b, BLACK);
    for (Bitboard left = pos_occupied(p); left;) {
        Square s = bb_pop(&left);
        Piece piece = pos_piece_on(p, s);
        eval_piece(&b, piece_color(piece), piece_type(piece), s);
    }
    for (Color c = WHITE; c <= BLACK; c++) {
        eval_pawns(&b, c);
        eval_pieces(&b, c);
    }
    /* The listing adds the endgame's part in two places. */
    if (pos_in_check(p))
        add(&b, CHECK, color_other(p->side), w[W_CHECK] + (b.endgame ? 2 * w[W_CHECK_ENDGAME] : 0));
    add(&b, TEMPO, p->side, w[W_TEMPO]);
    for (int i = 0; i < TERM_COUNT; i++)
        sum += v[i][p->side] - v[i][color_other(p->side)];
    return sum;
}

static Score score(Position *p, const int *weights)
{
    Values v = {{0}};
    return eval_all(p, weights, v);
}

static void terms(Position *p, const int *weights, ClassicEvalTerms *out)
{
    Values v = {{0}};
    Score whole = eval_all(p, weights, v);
    for (int i = 0; i < TERM_COUNT; i++)
        classic_eval_add_term(out, term_names[i], v[i][WHITE], v[i][BLACK]);
    out->total = p->side == WHITE ? whole : -whole;
}

const ClassicEval chessbin_evaluator = {
    .name = "chessbin",
    .title = "ChessBin, 2010",
    .weights = weight_rows,
    .weight_count = WEIGHT_COUNT,
    .score = score,
    .terms = terms,
};
