#include "classics/chessbin/chessbin_eval.h"

#define TERMS(X)                    \
    X(MATERIAL, "material")         \
    X(TABLES, "piece tables")       \
    X(DEFENDED, "defended")         \
    X(ATTACKED, "attacked")         \
    X(HANGING, "hanging")           \
    X(MOVES, "moves")               \
    X(EDGE_PAWNS, "edge pawns")     \
    X(DOUBLED, "doubled pawns")     \
    X(ADVANCED, "6th and 7th rank") \
    X(ISOLATED, "isolated files")   \
    X(PASSED, "passed files")       \
    X(KNIGHTS, "knights")           \
    X(BISHOPS, "bishops")           \
    X(ROOKS_MOVED, "rooks moved")   \
    X(QUEEN_MOVED, "queen moved")   \
    X(KING_STUCK, "king stuck")     \
    X(KING_MOVED, "king moved")     \
    X(CHECK, "check")               \
    X(CASTLED, "castled")           \
    X(TEMPO, "tempo")

#define WEIGHTS(X)                                               \
    CLASSIC_EVAL_PIECES(X, 100, 320, 325, 500, 975)              \
    X(W_TABLES, "tables-percent", 100, 0, 400)                   \
    X(W_DEFENDED, "defended-percent", 100, -200, 600)            \
    X(W_ATTACKED, "attacked-percent", -100, -600, 200)           \
    X(W_HANGING, "hanging", -10, -40, 10)                        \
    X(W_MOVES, "moves-percent", 100, -100, 1000)                 \
    X(W_EDGE_PAWN, "edge-pawn", -15, -60, 20)                    \
    X(W_DOUBLED, "doubled", -16, -80, 20)                        \
    X(W_SEVENTH, "seventh-rank", 200, 0, 600)                    \
    X(W_SEVENTH_DEFENDED, "seventh-rank-defended", 50, -50, 300) \
    X(W_SIXTH, "sixth-rank", 100, 0, 400)                        \
    X(W_SIXTH_DEFENDED, "sixth-rank-defended", 25, -50, 200)     \
    X(W_ISOLATED_A, "isolated-a-h", -12, -60, 20)                \
    X(W_ISOLATED_B, "isolated-b-g", -14, -60, 20)                \
    X(W_ISOLATED_C, "isolated-c-f", -16, -60, 20)                \
    X(W_ISOLATED_D, "isolated-d-e", -20, -60, 20)                \
    X(W_PASSED, "passed", 10, -20, 100)                          \
    X(W_KNIGHT_ENDGAME, "knight-endgame", -10, -80, 40)          \
    X(W_SECOND_BISHOP, "second-bishop", 10, -20, 100)            \
    X(W_BISHOP_ENDGAME, "bishop-endgame", 10, -40, 80)           \
    X(W_ROOK_MOVED, "rook-moved", -10, -60, 30)                  \
    X(W_QUEEN_MOVED, "queen-moved", -10, -60, 30)                \
    X(W_KING_STUCK, "king-stuck", -5, -60, 20)                   \
    X(W_KING_MOVED, "king-moved", -30, -120, 20)                 \
    X(W_CHECK, "check", 75, -20, 200)                            \
    X(W_CHECK_ENDGAME, "check-endgame", 10, -40, 100)            \
    X(W_CASTLED, "castled", 40, -20, 150)                        \
    X(W_TEMPO, "tempo", 10, -20, 60)

CLASSIC_EVAL_TABLES(TERMS, WEIGHTS)

/* As White sees the board, the eighth rank first, files a to d; e to h mirror them. */
static const int8_t piece_tables[CHESSBIN_TABLES][8][4] = {
    [PAWN] = {{0, 0, 0, 0},
              {50, 50, 50, 50},
              {10, 10, 20, 30},
              {5, 5, 10, 27},
              {0, 0, 0, 25},
              {5, -5, -10, 0},
              {5, 10, 10, -25},
              {0, 0, 0, 0}},
    [KNIGHT] = {{-50, -40, -30, -30},
                {-40, -20, 0, 0},
                {-30, 0, 10, 15},
                {-30, 5, 15, 20},
                {-30, 0, 15, 20},
                {-30, 5, 10, 15},
                {-40, -20, 0, 5},
                {-50, -40, -20, -30}},
    [BISHOP] = {{-20, -10, -10, -10},
                {-10, 0, 0, 0},
                {-10, 0, 5, 10},
                {-10, 5, 5, 10},
                {-10, 0, 10, 10},
                {-10, 10, 10, 10},
                {-10, 5, 0, 0},
                {-20, -10, -40, -10}},
    [KING] = {{-30, -40, -40, -50},
              {-30, -40, -40, -50},
              {-30, -40, -40, -50},
              {-30, -40, -40, -50},
              {-20, -30, -30, -40},
              {-10, -20, -20, -20},
              {20, 20, 0, 0},
              {20, 30, 10, 0}},
    [CHESSBIN_KING_ENDGAME] = {{-50, -40, -30, -20},
                               {-30, -20, -10, 0},
                               {-30, -10, 20, 30},
                               {-30, -10, 30, 40},
                               {-30, -10, 30, 40},
                               {-30, -10, 20, 30},
                               {-30, -30, 0, 0},
                               {-50, -30, -30, -30}},
};

static const uint8_t action_values[PIECE_TYPE_COUNT] = {6, 3, 3, 2, 1, 1};

enum { ENDGAME_PIECES = 10, KING_VALUE = 32767 };

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

int chessbin_square_value(int table, Color c, Square s)
{
    int file = square_file(s);
    return piece_tables[table][7 - square_relative_rank(c, s)][file < 4 ? file : 7 - file];
}

bool chessbin_is_unmoved(const Position *p, Square s)
{
    Piece piece = pos_piece_on(p, s);
    return (classic_eval_home(piece_color(piece), piece_type(piece)) & bb_of(s)) != 0;
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

static void eval_piece(Board *b, Color c, PieceType t, Square s)
{
    int defended = b->pressure[c][s], attacked = b->pressure[color_other(c)][s];
    int table = t == KING && b->endgame ? CHESSBIN_KING_ENDGAME : (int)t;
    if (t != KING)
        add(b, MATERIAL, c, b->w[W_PAWN + t]);
    add(b, TABLES, c, chessbin_square_value(table, c, s) * b->w[W_TABLES] / 100);
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

static void evaluate(Position *p, const int *w, int level, ClassicEvalValues v)
{
    (void)level;
    Board b = {.p = p, .w = w, .v = v};
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
}

const ClassicEval chessbin_evaluator =
    CLASSIC_EVAL("chessbin", "ChessBin, 2010", WEIGHT_COUNT, TERM_COUNT);
