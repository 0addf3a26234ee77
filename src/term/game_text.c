#include "term/game_text.h"

#include "chess/draw.h"
#include "chess/san.h"
#include "chess/uci_move.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const color_names[COLOR_COUNT] = {"White", "Black"};
static const char *const color_adjectives[COLOR_COUNT] = {"white", "black"};
static const char *const piece_names[PIECE_TYPE_COUNT] = {"pawn", "knight", "bishop",
                                                          "rook", "queen",  "king"};

const char *game_text_color(Color c)
{
    return color_names[c];
}

static void add_square(Text *out, Square s)
{
    char name[3];
    square_name(s, name);
    text_add_str(out, name);
}

/* -- Positions -- */

/* "rooks a1 and f1" */
static void add_kind(const Position *p, Color c, PieceType type, Text *out)
{
    Bitboard pieces = pos_pieces(p, c, type);
    int count = bb_count(pieces);
    text_addf(out, "%s%s ", piece_names[type], count > 1 ? "s" : "");
    for (int i = 0; pieces; i++) {
        if (i)
            text_add_str(out, i + 1 == count ? " and " : ", ");
        add_square(out, bb_pop(&pieces));
    }
}

void game_text_pieces(const Position *p, Color c, Text *out)
{
    text_addf(out, "%s: ", color_names[c]);
    bool first = true;
    for (int type = KING; type >= PAWN; type--) {
        if (!pos_pieces(p, c, (PieceType)type))
            continue;
        text_add_str(out, first ? "" : "; ");
        add_kind(p, c, (PieceType)type, out);
        first = false;
    }
    text_add_char(out, '.');
}

static void add_row(const Position *p, Square first, int step, Text *out)
{
    int count = 0;
    for (int i = 0; i < 8; i++) {
        Square s = (Square)(first + i * step);
        if (p->board[s] == NO_PIECE)
            continue;
        text_add_str(out, count++ ? ", " : "");
        text_addf(out, "%s %s ", color_adjectives[piece_color(p->board[s])],
                  piece_names[piece_type(p->board[s])]);
        add_square(out, s);
    }
    text_add_str(out, count ? "." : "empty.");
}

void game_text_rank(const Position *p, int rank, Text *out)
{
    text_addf(out, "Rank %d: ", rank + 1);
    add_row(p, square_make(0, rank), 1, out);
}

void game_text_file(const Position *p, int file, Text *out)
{
    text_addf(out, "File %c: ", 'a' + file);
    add_row(p, square_make(file, 0), 8, out);
}

void game_text_square(const Position *p, Square s, Text *out)
{
    add_square(out, s);
    if (p->board[s] == NO_PIECE)
        text_add_str(out, ": empty.");
    else
        text_addf(out, ": %s %s.", color_adjectives[piece_color(p->board[s])],
                  piece_names[piece_type(p->board[s])]);
}

/* -- Moves -- */

void game_text_move(const Position *p, Move m, Text *out)
{
    Position after = *p;
    Undo undo;
    if (move_kind(m) == MOVE_CASTLING) {
        text_addf(out, "castles %s side", castling_wing(m) == KING_SIDE ? "king" : "queen");
    } else {
        text_addf(out, "%s ", piece_names[piece_type(p->board[move_from(m)])]);
        add_square(out, move_from(m));
        PieceType taken = pos_captured_type(p, m);
        if (taken == NO_PIECE_TYPE)
            text_add_str(out, " to ");
        else
            text_addf(out, " takes %s ", piece_names[taken]);
        add_square(out, move_to(m));
    }
    if (move_kind(m) == MOVE_EN_PASSANT)
        text_add_str(out, " en passant");
    if (move_is_promotion(m))
        text_addf(out, " and promotes to a %s", piece_names[move_promotion(m)]);
    pos_make(&after, m, &undo);
    if (draw_game_end(&after) == GAME_CHECKMATE)
        text_add_str(out, ", checkmate");
    else if (pos_in_check(&after))
        text_add_str(out, ", check");
}

void game_text_played(const TermGame *t, int ply, bool always_numbered, Text *out)
{
    Position before, after;
    char san[SAN_SIZE];
    term_game_at(t, ply - 1, &before);
    Move m = term_game_at(t, ply, &after);
    san_write(&before, m, san);
    if (always_numbered || before.side == WHITE || ply == 1)
        text_addf(out, "%" PRIu32 "%s ", before.game_ply / 2 + 1,
                  before.side == WHITE ? "." : "...");
    text_add_str(out, san);
}

void game_text_last(const TermGame *t, Text *out)
{
    Position before, after;
    int ply = t->play.count;
    if (!ply) {
        text_add_str(out, "No moves yet.");
        return;
    }
    term_game_at(t, ply - 1, &before);
    Move m = term_game_at(t, ply, &after);
    text_add_str(out, "Last move: ");
    game_text_played(t, ply, true, out);
    text_add_str(out, ", ");
    game_text_move(&before, m, out);
    text_add_char(out, '.');
}

/* -- The game -- */

void game_text_result(const TermGame *t, Text *out)
{
    Result r = t->play.state.result;
    const char *reason = t->reason;
    if (r == RESULT_NONE) {
        text_add_str(out, "The game is not over.");
        return;
    }
    if (r == RESULT_DRAW)
        text_addf(out, "Draw: %s.", reason);
    else
        text_addf(out, "%c%s: %s wins.", reason[0] - (reason[0] >= 'a' ? 'a' - 'A' : 0), reason + 1,
                  r == RESULT_WHITE_WINS ? "White" : "Black");
}

void game_text_farewell(const TermGame *t, Text *out)
{
    const char *path = t->path;
    if (play_is_over(&t->play)) {
        game_text_result(t, out);
        text_addf(out, " %s. ", result_text(t->play.state.result));
        if (path[0])
            text_addf(out, "The game was saved in %s", path);
        else
            text_add_str(out, "The game was not saved.");
    } else if (!t->play.count) {
        text_add_str(out, "No moves were made; nothing was saved.");
    } else if (path[0]) {
        text_addf(out, "The game is saved in %s (resume with: castellan play --resume)", path);
    } else {
        text_add_str(out, "The unfinished game was not saved.");
    }
}

void game_text_state(const TermGame *t, Text *out)
{
    const Position *p = &t->play.now;
    if (play_is_over(&t->play))
        game_text_result(t, out);
    else
        text_addf(out, "%s to move%s.", color_names[p->side], pos_in_check(p) ? ", in check" : "");
}

static void add_time(Text *out, int64_t ms)
{
    int64_t s = ms / 1000;
    if (s >= 3600)
        text_addf(out, "%" PRId64 " hour%s ", s / 3600, s / 3600 == 1 ? "" : "s");
    if (s >= 60)
        text_addf(out, "%" PRId64 " minute%s ", s / 60 % 60, s / 60 % 60 == 1 ? "" : "s");
    text_addf(out, "%" PRId64 " second%s", s % 60, s % 60 == 1 ? "" : "s");
}

void game_text_clock(const TermGame *t, Text *out)
{
    if (!play_has_clock(&t->play, WHITE)) {
        text_add_str(out, "There are no clocks in this game.");
        return;
    }
    for (Color c = WHITE; c <= BLACK; c++) {
        text_addf(out, "%s has ", c == WHITE ? "White" : ", Black");
        add_time(out, term_game_clock(t, c));
    }
    text_add_char(out, '.');
}

void game_text_clock_face(int64_t ms, char out[WORDS_CLOCK_SIZE])
{
    int64_t s = ms / 1000;
    if (s >= 3600)
        snprintf(out, WORDS_CLOCK_SIZE, "%" PRId64 ":%02d:%02d", s / 3600, (int)(s / 60 % 60),
                 (int)(s % 60));
    else if (s >= 20)
        snprintf(out, WORDS_CLOCK_SIZE, "%d:%02d", (int)(s / 60), (int)(s % 60));
    else
        snprintf(out, WORDS_CLOCK_SIZE, "%d:%02d.%d", (int)(s / 60), (int)(s % 60),
                 (int)(ms / 100 % 10));
}

void game_text_opening(const Openings *o, const TermGame *t, Text *out)
{
    OpeningName name;
    if (o && openings_find_game(o, t->record, &name))
        text_addf(out, "%s %s", name.eco, name.name);
}
