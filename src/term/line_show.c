/* The commands of the line mode that show something and change nothing. */
#include "chess/movegen.h"
#include "chess/san.h"
#include "term/game_text.h"
#include "term/line_int.h"

enum { LOOK_LINES = 3, LOOK_MS = 1000, LOOK_MOVES = 8 };

/* -- Help from the engine -- */

static bool has_advisor(Line *l)
{
    Message why;
    if (!l->advisor && advisor_open(&l->advisor, l->ends.wake, l->ends.user, &why) != STATUS_OK)
        line_say(l, "%s", why.text);
    return l->advisor != NULL;
}

static void show_hint(Line *l)
{
    if (!has_advisor(l))
        return;
    const Position *p = &l->game->play.now;
    Move m = play_is_over(&l->game->play) ? MOVE_NONE : advisor_hint(l->advisor, p);
    if (m == MOVE_NONE) {
        line_say(l, "There is no legal move.");
        return;
    }
    char san[SAN_SIZE];
    san_write(p, m, san);
    Text t = text_new();
    text_addf(&t, "Consider %s, ", san);
    game_text_move(p, m, &t);
    text_add_char(&t, '.');
    line_say_text(l, &t);
}

static void show_lines(Line *l)
{
    AdvisorLine lines[ADVISOR_LINES];
    if (!has_advisor(l))
        return;
    if (play_is_over(&l->game->play)) {
        line_say_end(l);
        return;
    }
    const Position *p = &l->game->play.now;
    advisor_look(l->advisor, p, LOOK_LINES, LOOK_MS);
    int count = advisor_lines(l->advisor, lines);
    for (int i = 0; i < count; i++) {
        Text t = text_new();
        text_addf(&t, "%d: ", i + 1);
        advisor_write_score(&lines[i].score, p->side, &t);
        text_add_str(&t, "  ");
        advisor_write_pv(p, &lines[i], LOOK_MOVES, &t);
        line_say_text(l, &t);
    }
}

static void show_eval(Line *l)
{
    if (!has_advisor(l))
        return;
    Text t = text_new();
    advisor_eval(l->advisor, &l->game->play.now, &t);
    line_say_text(l, &t);
}

static void show_opening(Line *l)
{
    Message why;
    if (!l->openings && openings_open(&l->openings, &why) != STATUS_OK) {
        line_say(l, "%s", why.text);
        return;
    }
    Text t = text_new();
    game_text_opening(l->openings, l->game, &t);
    text_add_str(&t, t.len ? "." : "The opening has no name yet.");
    line_say_text(l, &t);
}

/* -- Looking -- */

static void show_board(Line *l)
{
    line_say_board(l);
}

static void show_pieces(Line *l)
{
    for (Color c = WHITE; c <= BLACK; c++) {
        if (l->rest.len && !span_is_ignoring_case(l->rest, game_text_color(c)))
            continue;
        Text t = text_new();
        game_text_pieces(&l->game->play.now, c, &t);
        line_say_text(l, &t);
    }
}

static void show_rank(Line *l)
{
    int64_t rank;
    if (!span_to_int64(l->rest, 1, 8, &rank)) {
        line_say(l, "Ranks go from 1 to 8: \"rank 4\".");
        return;
    }
    Text t = text_new();
    game_text_rank(&l->game->play.now, (int)rank - 1, &t);
    line_say_text(l, &t);
}

/* 0 ... 7 for a letter of either case, -1 otherwise. */
static int file_of(Span s)
{
    char c = s.len ? (char)(s.at[0] | 32) : 0;
    return c >= 'a' && c <= 'h' ? c - 'a' : -1;
}

static void show_file(Line *l)
{
    if (l->rest.len != 1 || file_of(l->rest) < 0) {
        line_say(l, "Files go from a to h: \"file e\".");
        return;
    }
    Text t = text_new();
    game_text_file(&l->game->play.now, file_of(l->rest), &t);
    line_say_text(l, &t);
}

static void show_square(Line *l)
{
    if (l->rest.len != 2 || file_of(l->rest) < 0 || l->rest.at[1] < '1' || l->rest.at[1] > '8') {
        line_say(l, "Squares have names such as e4: \"square e4\".");
        return;
    }
    Text t = text_new();
    game_text_square(&l->game->play.now, square_make(file_of(l->rest), l->rest.at[1] - '1'), &t);
    line_say_text(l, &t);
}

void line_show_last(Line *l)
{
    Text t = text_new();
    game_text_last(l->game, &t);
    text_add_char(&t, ' ');
    game_text_state(l->game, &t);
    line_say_text(l, &t);
}

static void show_clock(Line *l)
{
    Text t = text_new();
    game_text_clock(l->game, &t);
    line_say_text(l, &t);
}

static void show_moves(Line *l)
{
    const Position *p = &l->game->play.now;
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    Text t = text_new();
    text_addf(&t, "%d moves:", count);
    for (int i = 0; i < count; i++) {
        char san[SAN_SIZE];
        san_write(p, moves[i], san);
        text_addf(&t, "%s%s", i % 12 == 0 && i ? "\n  " : " ", san);
    }
    line_say_text(l, &t);
}

static void show_game(Line *l)
{
    Text t = text_new();
    for (int ply = 1; ply <= l->game->play.count; ply++) {
        text_add_str(&t, ply == 1 ? "" : ply % 12 == 1 ? "\n" : " ");
        game_text_played(l->game, ply, false, &t);
    }
    text_add_str(&t, t.len ? "" : "No moves yet.");
    line_say_text(l, &t);
}

const LineCommand line_show_commands[] = {
    {"hint", "", "a hint for your move", false, show_hint},
    {"lines", "", "the engine's three best lines, after one second", false, show_lines},
    {"moves", "", "every legal move", true, show_moves},
    {"board", "", "draw the board", true, show_board},
    {"pieces", "[white|black]", "the position in words", true, show_pieces},
    {"rank", "N", "the pieces on a rank: rank 4", true, show_rank},
    {"file", "X", "the pieces on a file: file e", true, show_file},
    {"square", "XN", "the piece on a square: square e4", true, show_square},
    {"last", "", "the last move in words, and whose turn it is", true, line_show_last},
    {"clock", "", "the time both have left", true, show_clock},
    {"game", "", "all moves so far", true, show_game},
    {"opening", "", "the name of the opening", true, show_opening},
    {"eval", "", "the static evaluation of the position", true, show_eval},
    {0},
};
