#include "classics/chessbin/chessbin_console.h"

#include "base/clock.h"
#include "chess/draw.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "classics/chessbin/chessbin.h"

#include <inttypes.h>

typedef struct ChessBinConsole {
    Position before; /* the last turn of the person */
    Square passed;
    bool can_undo;
} ChessBinConsole;

static void add_square(Text *out, Square s)
{
    text_addf(out, "%c%d", 'a' + square_file(s), square_rank(s) + 1);
}

/* A move as the guide writes it: knights and rooks with their square, no sign for check. */
static void add_move(const Position *before, Move m, Text *out)
{
    static const char letters[PIECE_TYPE_COUNT] = {0, 'N', 'B', 'R', 'Q', 'K'};
    PieceType t = piece_type(pos_piece_on(before, move_from(m)));
    if (move_kind(m) == MOVE_CASTLING) {
        text_add_str(out, castling_wing(m) == KING_SIDE ? "O-O" : "O-O-O");
        return;
    }
    if (letters[t])
        text_add_char(out, letters[t]);
    if (t == KNIGHT || t == ROOK)
        add_square(out, move_from(m));
    else if (t == PAWN && square_file(move_from(m)) != square_file(move_to(m)))
        text_add_char(out, (char)('a' + square_file(move_from(m))));
    if (pos_is_capture(before, m))
        text_add_char(out, 'x');
    add_square(out, move_to(m));
    if (move_is_promotion(m))
        text_addf(out, "=%c", letters[move_promotion(m)]);
}

static void make(Console *c, Move m, Text *out)
{
    char fen[FEN_SIZE];
    add_move(&c->position, m, out);
    console_make(c, m);
    fen_write_ep(&c->position, FEN_X, c->passed != SQ_NONE ? c->passed : c->position.st.ep, fen);
    text_addf(out, "\n%s\n", fen);
    c->over = draw_game_end(&c->position) != GAME_GOES_ON;
    if (c->over && pos_in_check(&c->position) && !movegen_any(&c->position))
        text_addf(out, "%s mates\n", c->position.side == WHITE ? "Black" : "White");
    else if (c->over)
        text_add_str(out, "draw\n");
    c->busy = !c->over && c->position.side == c->program;
}

static void step(Console *c, Text *out)
{
    OpponentAnswer a;
    int64_t start = clock_now_ms();
    console_think(c, NULL, &a);
    text_addf(out, "time: %.1f s, nodes searched: %" PRIu64 "\n",
              (double)(clock_now_ms() - start) / 1000, a.nodes);
    make(c, a.move, out);
}

static void undo(Console *c, Text *out)
{
    ChessBinConsole *b = c->self;
    char fen[FEN_SIZE];
    if (!b->can_undo) {
        text_add_str(out, "no move to take back\n");
        return;
    }
    c->position = b->before;
    c->passed = b->passed;
    b->can_undo = false;
    fen_write_ep(&c->position, FEN_X, c->passed != SQ_NONE ? c->passed : c->position.st.ep, fen);
    text_addf(out, "%s\n", fen);
}

static void feed(Console *c, Span line, Text *out)
{
    ChessBinConsole *b = c->self;
    char shown[40];
    if (span_is_ignoring_case(line, "undo")) {
        undo(c, out);
        return;
    }
    Move m = console_read_squares(c, line);
    if (m != MOVE_NONE) {
        *b = (ChessBinConsole){c->position, c->passed, true};
        make(c, m, out);
        return;
    }
    span_show(line, shown, sizeof shown);
    text_addf(out, "'%s' is not a legal move, such as e2e4\n", shown);
}

const ConsoleOps chessbin_console = {
    .row = {.name = "chessbin", .title = "ChessBin", .ops = &chessbin_ops},
    .size = sizeof(ChessBinConsole),
    .feed = feed,
    .step = step};
