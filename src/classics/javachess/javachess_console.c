/* The console of JavaChess: squares by number ("52 36"; a8 is 0, h1 is 63), RESIG, a question for
 * promotions, the board in frames, and the statistics of every iteration.
 *
 * The original asks for ever when it is the person's turn in a lost or drawn position; here the
 * game is over then. A line that is no pair of numbers ended the original with an error; here the
 * question comes again. */
#include "classics/console.h"

#include "chess/movegen.h"
#include "classics/javachess/javachess.h"

#include <string.h>

typedef enum Question { WHO_IS_WHITE, WHO_IS_BLACK, WHICH_MOVE, WHICH_PIECE } Question;

typedef struct JavaChessConsole {
    Question question;
    bool human[COLOR_COUNT];
    int from, to; /* of a promotion that waits for its piece */
} JavaChessConsole;

static const char *const names[COLOR_COUNT] = {"WHITE", "BLACK"};
static const char letters[PIECE_TYPE_COUNT] = {'P', 'N', 'B', 'R', 'Q', 'K'};

/* -- Texts -- */

/* Types of moves. */
enum {
    TYPE_CAPTURE = 1,
    TYPE_EN_PASSANT = 2,
    TYPE_KING_SIDE = 4,
    TYPE_QUEEN_SIDE = 8,
    TYPE_PROMOTION = 32 /* to a knight; twice as much for each dearer piece */
};

static int type_of(const Position *before, Move m)
{
    if (move_kind(m) == MOVE_CASTLING)
        return castling_wing(m) == KING_SIDE ? TYPE_KING_SIDE : TYPE_QUEEN_SIDE;
    if (move_kind(m) == MOVE_EN_PASSANT)
        return TYPE_EN_PASSANT;
    int type = pos_is_capture(before, m) ? TYPE_CAPTURE : 0;
    if (move_is_promotion(m))
        type += TYPE_PROMOTION << (move_promotion(m) - KNIGHT);
    return type;
}

/* "Move: WP [ 52, 36 ] TYPE: 0": the piece, its squares (of a castling king the one it lands on),
 * and the type. */
static void add_move(const Position *before, Move m, Text *out)
{
    Piece piece = pos_piece_on(before, move_from(m));
    Square to = move_kind(m) == MOVE_CASTLING ? castling_king_to(before->side, castling_wing(m))
                                              : move_to(m);
    text_addf(out, "Move: %c%c [ %d, %d ] TYPE: %d\n", names[piece_color(piece)][0],
              letters[piece_type(piece)], move_from(m) ^ 56, to ^ 56, type_of(before, m));
}

/* The listing's strings, whose runs of blanks the document's text has lost: a square
 * is four wide. */
static void add_board(const Position *p, Text *out)
{
    for (int line = 0; line < 8; line++) {
        text_add_str(out, "-----------------------------------------\n");
        text_add_str(out, "|    |    |    |    |    |    |    |    |\n");
        for (int column = 0; column < 8; column++) {
            Piece piece = pos_piece_on(p, (Square)((line * 8 + column) ^ 56));
            if (piece == NO_PIECE)
                text_add_str(out, "|    ");
            else
                text_addf(out, "| %c%c ", names[piece_color(piece)][0], letters[piece_type(piece)]);
        }
        text_add_str(out, "|\n|    |    |    |    |    |    |    |    |\n");
    }
    text_addf(out, "-----------------------------------------\nNEXT MOVE: %s\n",
              p->side == BLACK ? "BLACK " : "WHITE");
}

/* -- The game -- */

static void end(Console *c, Text *out)
{
    text_add_str(out, "Game Over. Thanks for playing!\n");
    c->over = true;
}

/* The board, then a question or the program's turn. */
static void next_turn(Console *c, Text *out)
{
    JavaChessConsole *j = c->self;
    Color side = c->position.side;
    add_board(&c->position, out);
    GameEnd how = draw_game_end(&c->position);
    if (how == GAME_STALEMATE)
        text_addf(out,
                  "%s selects move: Move: STALEMATE!!!\n%cK [ -1, -1 ] TYPE: 17\n"
                  "Stalemate - Game is a draw.\n",
                  names[side], names[side][0]);
    if (how != GAME_GOES_ON) {
        end(c, out);
    } else if (j->human[side]) {
        j->question = WHICH_MOVE;
        text_addf(out, "Your move, %s?\n", names[side]);
    }
    c->busy = !c->over && !j->human[side];
}

static void begin(Console *c, Text *out)
{
    (void)c;
    text_add_str(out, "Welcome to Java Chess. Who plays white: [H]uman or [C]omputer? \n");
}

/* The first letter that is an answer counts, as the original read them one by one. */
static bool read_player(Span line, bool *human)
{
    for (size_t i = 0; i < line.len; i++) {
        char letter = line.at[i] & ~0x20;
        if (letter == 'H' || letter == 'C') {
            *human = letter == 'H';
            return true;
        }
    }
    return false;
}

/* -- Moves -- */

static void make(Console *c, Move m, Text *out)
{
    text_addf(out, "%s selects move: ", names[c->position.side]);
    add_move(&c->position, m, out);
    console_make(c, m);
    next_turn(c, out);
}

static void resign(Console *c, Text *out)
{
    text_addf(out, "%s selects move: Move: RESIGNATION:\n", names[c->position.side]);
    end(c, out);
}

static void list_moves(const Position *p, Text *out)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    for (int i = 0; i < count; i++)
        add_move(p, moves[i], out);
}

/* Whether a piece could go there if its king did not matter. */
static bool is_pseudo_legal(const Position *p, Square from, Square to)
{
    PieceType t = piece_type(pos_piece_on(p, from));
    Bitboard target = bb_of(to);
    if (t != PAWN)
        return (attacks_of(t, from, pos_occupied(p)) & target) != 0;
    Bitboard empty = ~pos_occupied(p), once = bb_forward(p->side, bb_of(from)) & empty;
    Bitboard twice = bb_forward(p->side, once & bb_relative_rank(p->side, 2)) & empty;
    Bitboard takes = attacks_pawn(p->side, from) & p->by_color[color_other(p->side)];
    return ((once | twice | takes) & target) != 0;
}

static void refuse(const Console *c, Square from, Square to, Text *out)
{
    const Position *p = &c->position;
    Move m = move_make(from, to, MOVE_NORMAL);
    bool checked = is_pseudo_legal(p, from, to);
    text_add_str(out, checked ? "Sorry, this move leaves your king in check: "
                              : "Sorry, this move is not in the pseudo-legal list: ");
    add_move(p, m, out);
    if (!checked)
        list_moves(p, out);
}

/* True when the squares are worth a try; otherwise the complaint is written. */
static bool check_squares(const Console *c, int64_t from, int64_t to, Text *out)
{
    const Position *p = &c->position;
    if (from < 0 || from > 63 || to < 0 || to > 63) {
        bool source = from < 0 || from > 63;
        text_addf(out, "Sorry, illegal %s square %d\n", source ? "source" : "destination",
                  (int)(source ? from : to));
        return false;
    }
    Bitboard own = p->by_color[p->side];
    if (!(own & bb_of((Square)(from ^ 56)))) {
        text_addf(out,
                  p->side == WHITE ? "Sorry, You don't have a piece at square %d\n"
                                   : "Sorry, you don't have a piece in square %d\n",
                  (int)from);
        return false;
    }
    if (!(own & bb_of((Square)(to ^ 56))))
        return true;
    if (p->side == WHITE)
        text_add_str(out, "Sorry, can't capture your own piece!\n");
    else
        text_addf(out, "Sorry, you can't capture your own piece in square %d\n", (int)to);
    return false;
}

/* The trainer: false when the books have other moves, which are then shown. Out of the books any
 * move is right. */
static bool is_taught(const Console *c, Move m, Text *out)
{
    Move moves[JAVACHESS_MAX_BOOKS];
    int count = javachess_lesson(c->opponent, &c->position, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] == m) {
            text_add_str(out, "That is a move of the book.\n");
            return true;
        }
    for (int i = 0; i < count; i++) {
        text_add_str(out, i ? "or " : "The book plays ");
        add_move(&c->position, moves[i], out);
    }
    if (count == 0)
        text_add_str(out, "This position is not in the book.\n");
    return count <= 0;
}

static void try_move(Console *c, PieceType promotion, Text *out)
{
    JavaChessConsole *j = c->self;
    Square from = (Square)(j->from ^ 56), to = (Square)(j->to ^ 56);
    Move m = console_find(&c->position, from, to, promotion);
    j->question = WHICH_MOVE;
    if (m == MOVE_NONE) {
        refuse(c, from, to, out);
    } else if (is_taught(c, m, out)) {
        text_add_str(out, "Move is accepted...\n");
        make(c, m, out);
        return;
    }
    text_addf(out, "Your move, %s?\n", names[c->position.side]);
}

static void read_move(Console *c, Span line, Text *out)
{
    JavaChessConsole *j = c->self;
    Span first, second;
    int64_t from, to;
    if (span_is_ignoring_case(line, "RESIG")) {
        resign(c, out);
        return;
    }
    bool numbers = span_next_word(&line, &first) && span_next_word(&line, &second) &&
                   span_to_int64(first, -99, 999, &from) && span_to_int64(second, -99, 999, &to);
    if (!numbers || !check_squares(c, from, to, out)) {
        text_addf(out, "Your move, %s?\n", names[c->position.side]);
        return;
    }
    j->from = (int)from;
    j->to = (int)to;
    PieceType t = piece_type(pos_piece_on(&c->position, (Square)(from ^ 56)));
    if (t == PAWN && (to < 8 || to > 55)) {
        j->question = WHICH_PIECE;
        text_add_str(out, "Promote the pawn to [K]night, [R]ook, [B]ishop, [Q]ueen?\n");
    } else {
        try_move(c, QUEEN, out);
    }
}

static void read_piece(Console *c, Span line, Text *out)
{
    static const char pieces[] = "KBRQ"; /* K is a knight */
    for (size_t i = 0; i < line.len; i++)
        for (int k = 0; k < 4; k++)
            if ((line.at[i] & ~0x20) == pieces[k]) {
                try_move(c, (PieceType)(KNIGHT + k), out);
                return;
            }
}

static void feed(Console *c, Span line, Text *out)
{
    JavaChessConsole *j = c->self;
    switch (j->question) {
    case WHO_IS_WHITE:
        if (!read_player(line, &j->human[WHITE]))
            return;
        j->question = WHO_IS_BLACK;
        text_add_str(out, "And who plays black: [H]uman or [C]omputer? \n");
        return;
    case WHO_IS_BLACK:
        if (read_player(line, &j->human[BLACK]))
            next_turn(c, out);
        return;
    case WHICH_MOVE:
        read_move(c, line, out);
        return;
    case WHICH_PIECE:
        read_piece(c, line, out);
    }
}

/* -- The program's turn -- */

/* Alpha-beta has one iteration and prints no line for it. */
static void thought(void *console, const OpponentThought *t)
{
    Console *c = console;
    if (t->statistics && strstr(t->statistics, "cutoffs")) {
        text_addf(c->out, "Iteration of depth %d; best move = ", t->depth);
        add_move(&c->position, t->pv[0], c->out);
    }
    if (t->statistics)
        text_add_str(c->out, t->statistics);
}

static void step(Console *c, Text *out)
{
    OpponentAnswer a;
    c->out = out;
    console_think(c, thought, &a);
    if (a.resigns)
        resign(c, out);
    else
        make(c, a.move, out);
}

const ConsoleOps javachess_console = {
    .row = {.name = "javachess", .title = "JavaChess", .ops = &javachess_ops},
    .size = sizeof(JavaChessConsole),
    .begin = begin,
    .feed = feed,
    .step = step};
