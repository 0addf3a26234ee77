/* The console of the adaptive program: moves as "N b1-c3", "0-0", "resign", "draw"; the board from
 * White's first rank down, every move with its value, what the evaluation counts, CHECK messages
 * and the number of plys (a move of each side).
 *
 * Not as the original: draws by the fifty-move rule count from the last capture or pawn's move,
 * where the original counted all moves of the game; repetitions end the game; en passant is
 * possible. */
#include "classics/console.h"

#include "chess/movegen.h"
#include "classics/adaptive/adaptive.h"

#include <stdio.h>
#include <stdlib.h>

enum { KING_MATERIAL = 1000 };

typedef struct AdaptiveConsole {
    bool has_side;
    int plys;
} AdaptiveConsole;

typedef struct SideValue {
    int counts[ADAPTIVE_WEIGHTS];
    double value;
} SideValue;

/* The listing's letters and numbers of pieces. */
static const char letters[PIECE_TYPE_COUNT] = {'P', 'N', 'B', 'R', 'Q', 'K'};
static const int numbers[PIECE_TYPE_COUNT] = {1, 3, 4, 2, 5, 6};
static const char *const names[PIECE_TYPE_COUNT] = {"Pawn", "Knight", "Bishop",
                                                    "Rook", "Queen",  "King"};

/* -- Values -- */

/* As Java prints a double: the fewest digits that give the same number, and always a point. */
static void add_double(Text *out, double v)
{
    char digits[40];
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, v);
        if (strtod(digits, NULL) == v)
            break;
    }
    bool point = false;
    for (const char *c = digits; *c; c++)
        point |= *c == '.' || *c == 'e';
    text_addf(out, "%s%s", digits, point ? "" : ".0");
}

/* The moves of a side, which is to move in p then. */
static int legal_moves(Position *p, Color c, Move *moves)
{
    Undo undo;
    if (p->side != c && pos_in_check(p))
        return 0; /* nobody can pass out of a check */
    if (p->side != c)
        pos_make_null(p, &undo);
    int count = movegen(p, GEN_ALL, moves);
    adaptive_order(p, moves, count);
    return count;
}

static int count_moves(const Position *p, Color c)
{
    Position copy = *p;
    Move moves[MAX_MOVES];
    return legal_moves(&copy, c, moves);
}

/* `moves` instead of the mobility when it is not negative: a board whose moves were made counts the
 * legal ones. */
static SideValue side_value(const Console *c, const Position *p, Color side, int moves)
{
    SideValue v;
    int w[ADAPTIVE_WEIGHTS];
    adaptive_weights(c->opponent, w);
    adaptive_count(p, side, v.counts);
    v.counts[0] += KING_MATERIAL;
    if (moves >= 0)
        v.counts[1] = moves;
    v.value = v.counts[0] * (double)w[0] / 40 + v.counts[1] * (double)w[1] / 50 +
              v.counts[2] * (double)w[2] / 16 + v.counts[3] * (double)w[3] / 20;
    return v;
}

/* For the program. */
static double board_value(const Console *c, const Position *p)
{
    return side_value(c, p, c->program, -1).value -
           side_value(c, p, color_other(c->program), -1).value;
}

static void print_info(const Console *c, bool first, Text *out)
{
    static const char *const terms[ADAPTIVE_WEIGHTS] = {"Material", "Mobility", "Development",
                                                        "Central value"};
    int white = count_moves(&c->position, WHITE), black = count_moves(&c->position, BLACK);
    SideValue w = side_value(c, &c->position, WHITE, white);
    SideValue b = side_value(c, &c->position, BLACK, black);
    for (int i = 0; i < ADAPTIVE_WEIGHTS; i++)
        text_addf(out, "%s of white: %d\n%s of black: %d\n", terms[i], w.counts[i], terms[i],
                  b.counts[i]);
    text_add_str(out, "Value of white: ");
    add_double(out, w.value);
    text_add_str(out, "\nValue of black: ");
    add_double(out, b.value);
    text_add_str(out, "\nVALUE: ");
    add_double(out, c->program == WHITE ? w.value - b.value : b.value - w.value);
    text_addf(out,
              "\nNumber of white children: %d\nNumber of white moves: %d\n"
              "Number of black children: %d\nNumber of black moves: %d\n",
              white, white, black, black);
    if (first)
        text_add_str(out, "Parent is NULL\n");
}

/* -- Board and moves -- */

static void print_board(const Position *p, Text *out)
{
    text_add_str(out, "    a  b  c  d  e  f  g  h\n");
    for (int rank = 0; rank < 8; rank++) {
        text_addf(out, "%d: ", rank + 1);
        for (int file = 0; file < 8; file++) {
            Piece piece = pos_piece_on(p, square_make(file, rank));
            if (piece == NO_PIECE)
                text_add_str(out, " * ");
            else
                text_addf(out, "%c%c ", piece_color(piece) == WHITE ? '+' : '-',
                          letters[piece_type(piece)]);
        }
        text_add_char(out, '\n');
    }
}

static void add_way(Text *out, Square from, Square to)
{
    text_addf(out, " from: %c%d(%d,%d) to: %c%d(%d,%d)", 'a' + square_file(from),
              square_rank(from) + 1, square_rank(from), square_file(from), 'a' + square_file(to),
              square_rank(to) + 1, square_rank(to), square_file(to));
}

static void print_move(const Position *before, Move m, Text *out)
{
    Piece piece = pos_piece_on(before, move_from(m));
    int sign = piece_color(piece) == WHITE ? 1 : -1;
    if (move_kind(m) == MOVE_CASTLING) {
        Square rook = square_relative(before->side, castling_wing(m) == KING_SIDE ? SQ_F1 : SQ_D1);
        text_addf(out, "King(%d)", 6 * sign);
        add_way(out, move_from(m), castling_king_to(before->side, castling_wing(m)));
        text_addf(out, " and Rook(%d)", 2 * sign);
        add_way(out, move_to(m), rook);
    } else if (move_kind(m) == MOVE_EN_PASSANT) {
        text_add_str(out, "En Passant move ");
        add_way(out, move_from(m), move_to(m));
    } else {
        text_addf(out, "%s(%d)", names[piece_type(piece)], sign * numbers[piece_type(piece)]);
        add_way(out, move_from(m), move_to(m));
    }
    text_add_char(out, '\n');
}

static void print_moves_of(const Console *c, Color side, Text *out)
{
    Move moves[MAX_MOVES];
    Position p = c->position;
    Undo undo;
    int count = legal_moves(&p, side, moves);
    text_addf(out, "Moves for %s:\n", side == WHITE ? "white(+)" : "black(-)");
    for (int i = 0; i < count; i++) {
        Position after = p;
        pos_make(&after, moves[i], &undo);
        text_addf(out, "Move %d:  with value :", i + 1);
        add_double(out, board_value(c, &after));
        text_add_char(out, ' ');
        print_move(&p, moves[i], out);
    }
}

static void print_moves(const Console *c, Text *out)
{
    print_moves_of(c, WHITE, out);
    print_moves_of(c, BLACK, out);
}

/* -- The game -- */

static void print_plys(const Console *c, Text *out)
{
    text_addf(out, "Number of plys: %d\n", ((const AdaptiveConsole *)c->self)->plys);
}

static void end(Console *c, const char *message, Text *out)
{
    text_add_str(out, message);
    print_plys(c, out);
    c->over = true;
}

/* After a move: check, mate, or a draw; true when the game is over. */
static bool announce(Console *c, Text *out)
{
    const Position *p = &c->position;
    bool program = p->side == c->program, check = pos_in_check(p);
    const char *loser = program ? "Computer" : "Player", *winner = program ? "PLAYER" : "COMPUTER";
    if (check)
        text_addf(out, "%s is in CHECK!!!\n", loser);
    if (check && !movegen_any(p)) {
        text_addf(out, "%s is in CHECK MATE!!!\n%s WINS!!!\n", loser, winner);
        end(c, "GAME OVER!!!\n", out);
    } else if (p->st.rule50 >= 100) {
        end(c, "50 move limit is reached. The game is over. It is a draw.\n", out);
    } else if (draw_game_end(p) != GAME_GOES_ON) {
        end(c, "It is a DRAW!!!\nGAME OVER!!! \n", out);
    }
    return c->over;
}

static int number_of(const Position *p, Move m)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves), i = 0;
    adaptive_order(p, moves, count);
    while (i < count && moves[i] != m)
        i++;
    return i + 1;
}

static void step(Console *c, Text *out)
{
    AdaptiveConsole *a = c->self;
    Position before = c->position;
    bool first = before.game_ply == 0;
    OpponentAnswer answer;
    if (!first)
        print_moves(c, out);
    console_think(c, NULL, &answer);
    int number = number_of(&before, answer.move);
    text_addf(out, "BEST MOVE IS FOUND AT CHILD NO: %d\n", number);
    console_make(c, answer.move);
    c->busy = false;
    if (!first) {
        text_addf(out, "BEST MOVE IS FOUND AT CHILD NO: %d\nComputer's move is: \n", number);
        print_move(&before, answer.move, out);
        if (announce(c, out))
            return;
        text_add_str(out, "Current board info after computer's move: \n");
        print_info(c, false, out);
        text_add_str(out, "Computer's last move is: \n");
        print_move(&before, answer.move, out);
        a->plys++;
    }
    text_add_str(out, "Current board after computer's move: \n");
    if (first)
        print_info(c, false, out);
    print_board(&c->position, out);
    if (!first)
        print_plys(c, out);
    text_add_str(out, "Enter your next move: \n");
}

/* -- Input -- */

static void ask_side(Text *out)
{
    text_add_str(out, "Please choose your side: \nEnter 'w' for white, 'b' for black: \n");
}

static void begin(Console *c, Text *out)
{
    c->program = BLACK; /* as the listing begins, for the values of the first list */
    for (Color side = WHITE; side <= BLACK; side++)
        text_addf(out, "Material of %s: %d\n", side == WHITE ? "White" : "Black",
                  side_value(c, &c->position, side, -1).counts[0]);
    for (Color side = WHITE; side <= BLACK; side++)
        text_addf(out, "Mobility of %s: %d\n", side == WHITE ? "White" : "Black",
                  count_moves(&c->position, side));
    print_moves(c, out);
    ask_side(out);
}

static void choose_side(Console *c, Span line, Text *out)
{
    bool white = span_is_ignoring_case(line, "w");
    if (!white && !span_is_ignoring_case(line, "b")) {
        ask_side(out);
        return;
    }
    ((AdaptiveConsole *)c->self)->has_side = true;
    c->program = white ? BLACK : WHITE;
    text_add_str(out, "Initial board: \n");
    print_info(c, true, out);
    print_board(&c->position, out);
    c->busy = c->position.side == c->program;
    if (!c->busy)
        text_add_str(out, "Enter your next move: \n");
}

static void offer_draw(Console *c, Text *out)
{
    text_add_str(out, "Player Proposed a DRAW!\n");
    if (board_value(c, &c->position) < 0)
        end(c, "Computer accepted this proposal: \nIt is a DRAW!!! GAME OVER!!!\n", out);
    else
        text_add_str(out, "Computer rejected this proposal: \nPlease continue the game:\n");
}

/* "N b1-c3", "0-0", "0-0-0", each also behind "P: ". False: not in that form. */
static bool read_move(const Console *c, Span text, Move *out)
{
    const Position *p = &c->position;
    Square home = square_relative(p->side, SQ_E1);
    if (span_starts(text, "P: "))
        text = (Span){text.at + 3, text.len - 3};
    if (span_is(text, "0-0") || span_is(text, "0-0-0")) {
        *out = console_find(p, home, (Square)(home + (text.len == 3 ? 2 : -2)), QUEEN);
        if (*out != MOVE_NONE && move_kind(*out) != MOVE_CASTLING)
            *out = MOVE_NONE;
        return true;
    }
    if (text.len != 7 || text.at[1] != ' ' || text.at[4] != '-')
        return false;
    PieceType t = PAWN;
    while (t <= KING && letters[t] != (text.at[0] & ~0x20))
        t++;
    for (int i = 2; i <= 5; i += 3)
        if (t > KING || text.at[i] < 'a' || text.at[i] > 'h' || text.at[i + 1] < '1' ||
            text.at[i + 1] > '8')
            return false;
    Square from = square_make(text.at[2] - 'a', text.at[3] - '1');
    bool own = piece_type(pos_piece_on(p, from)) == t;
    *out = own ? console_read_squares(c, (Span){text.at + 2, 5}) : MOVE_NONE;
    if (*out != MOVE_NONE && move_kind(*out) == MOVE_CASTLING)
        *out = MOVE_NONE;
    return true;
}

static void play_move(Console *c, Span line, Text *out)
{
    Move m = MOVE_NONE;
    if (!read_move(c, line, &m)) {
        text_add_str(out, "Invalid Input!\nEnter your next move: \n");
        return;
    }
    text_add_str(out, "Valid Input =)\n");
    if (m == MOVE_NONE) {
        text_add_str(out, "Invalid Move!\nEnter your next move: \n");
        return;
    }
    print_move(&c->position, m, out);
    text_add_str(out, "Valid Move =)\nCurrent board info after your move: \n");
    console_make(c, m);
    print_info(c, false, out);
    text_add_str(out, "Current board after your move: \n");
    print_board(&c->position, out);
    c->busy = !announce(c, out);
}

static void feed(Console *c, Span line, Text *out)
{
    AdaptiveConsole *a = c->self;
    if (!a->has_side)
        choose_side(c, line, out);
    else if (span_is_ignoring_case(line, "resign"))
        end(c, "Player is Resigned: \nCOMPUTER WINS!!! GAME OVER!!!\n", out);
    else if (span_is_ignoring_case(line, "draw"))
        offer_draw(c, out);
    else
        play_move(c, line, out);
}

const ConsoleOps adaptive_console = {
    .row = {.name = "adaptive", .title = "The adaptive program", .ops = &adaptive_ops},
    .size = sizeof(AdaptiveConsole),
    .begin = begin,
    .feed = feed,
    .step = step};
