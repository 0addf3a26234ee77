#include "classics/console.h"

#include "chess/fen.h"
#include "chess/movegen.h"

#include <stdlib.h>

static const ConsoleOps *const consoles[] = {&javachess_console, &chessbin_console,
                                             &adaptive_console, &kanji_console};

enum { CONSOLE_COUNT = sizeof consoles / sizeof *consoles };

static const ConsoleOps *find(Span name)
{
    for (int i = 0; i < CONSOLE_COUNT; i++)
        if (span_is_ignoring_case(name, consoles[i]->row.name))
            return consoles[i];
    return NULL;
}

Status console_open(Console **out, Span name, const ConsoleSetup *setup, Message *why)
{
    char shown[40];
    const ConsoleOps *ops = find(name);
    span_show(name, shown, sizeof shown);
    if (!ops)
        return status_fail(why, STATUS_INVALID,
                           "unknown console '%s': javachess, mantis, chessbin, adaptive, kanji",
                           shown);
    Console *c = calloc(1, sizeof *c + ops->size);
    if (!c)
        return status_fail(why, STATUS_MEMORY, "not enough memory for a console");
    *c = (Console){.ops = ops, .self = c + 1, .program = setup->program, .stop = setup->stop};
    c->passed = SQ_NONE;
    Status s = opponent_open(&c->opponent, &ops->row, setup->settings, NULL, setup->seed, why);
    if (s == STATUS_OK && setup->start)
        c->position = *setup->start;
    else if (s == STATUS_OK && !opponent_start(c->opponent, &c->position))
        pos_set_start(&c->position);
    return GIVE_OR_CLOSE(s, out, c, console_close);
}

void console_close(Console *c)
{
    if (!c)
        return;
    opponent_close(c->opponent);
    free(c);
}

void console_begin(Console *c, Text *out)
{
    if (c->ops->begin) {
        c->ops->begin(c, out);
        return;
    }
    console_write_fen(c, out);
    console_settle(c);
}

/* -- For the consoles -- */

void console_think(Console *c, void (*thought)(void *console, const OpponentThought *t),
                   OpponentAnswer *answer)
{
    SearchLimits none = {0};
    OpponentTask task = {.position = &c->position, .limits = &none, .stop = c->stop, .user = c};
    task.thought = thought;
    opponent_think(c->opponent, &task, answer);
}

void console_make(Console *c, Move m)
{
    Undo undo;
    c->passed = fen_passed_square(&c->position, m);
    pos_make(&c->position, m, &undo);
}

GameEnd console_settle(Console *c)
{
    GameEnd end = draw_game_end(&c->position);
    c->over = end != GAME_GOES_ON;
    c->busy = !c->over && c->position.side == c->program;
    return end;
}

void console_write_fen(const Console *c, Text *out)
{
    char fen[FEN_SIZE];
    fen_write_ep(&c->position, FEN_X, c->passed != SQ_NONE ? c->passed : c->position.st.ep, fen);
    text_addf(out, "%s\n", fen);
}

Move console_find(const Position *p, Square from, Square to, PieceType promotion)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    for (int i = 0; i < count; i++) {
        Move m = moves[i];
        Square landing = move_kind(m) == MOVE_CASTLING ? castling_king_to(p->side, castling_wing(m))
                                                       : move_to(m);
        bool promotes = !move_is_promotion(m) || move_promotion(m) == promotion;
        if (move_from(m) == from && landing == to && promotes)
            return m;
    }
    return MOVE_NONE;
}

static bool read_square(Span *text, Square *out)
{
    if (text->len < 2 || text->at[0] < 'a' || text->at[0] > 'h' || text->at[1] < '1' ||
        text->at[1] > '8')
        return false;
    *out = square_make(text->at[0] - 'a', text->at[1] - '1');
    *text = (Span){text->at + 2, text->len - 2};
    return true;
}

Move console_read_squares(const Console *c, Span text)
{
    static const char letters[] = "nbrq";
    Square from, to;
    PieceType promotion = QUEEN;
    if (!read_square(&text, &from))
        return MOVE_NONE;
    if (text.len && text.at[0] == '-')
        text = (Span){text.at + 1, text.len - 1};
    if (!read_square(&text, &to) || text.len > 1)
        return MOVE_NONE;
    for (int i = 0; text.len && i < 4; i++)
        if (text.at[0] == letters[i])
            promotion = (PieceType)(KNIGHT + i);
    return console_find(&c->position, from, to, promotion);
}
