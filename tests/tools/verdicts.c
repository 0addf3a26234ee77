/* Prints the moves that an annotated PGN file judges: what the glyph says, the position before the
 * move, the move, and how the game came there (its first position and the moves up to this one,
 * which a judge needs to know of repetitions), with tabs between them.
 *
 *   verdicts FILE.pgn
 *
 * For comparing judgements with those of another program. */
#include "base/text.h"
#include "chess/fen.h"
#include "chess/uci_move.h"
#include "notation/pgn_reader.h"

#include <stdio.h>

typedef struct Last {
    Position start, before;
    Move move;
    int depth;
    Text moves; /* of the main line, before `move` */
} Last;

static void on_start(void *user, const Position *p)
{
    Last *last = user;
    last->start = *p;
    last->move = MOVE_NONE;
    text_clear(&last->moves);
}

static void add_move(Last *last)
{
    char move[UCI_MOVE_SIZE];
    uci_move_write(&last->before, last->move, move);
    text_addf(&last->moves, "%s%s", last->moves.len ? " " : "", move);
}

static void on_move(void *user, const Position *p, Move m, int depth)
{
    Last *last = user;
    last->depth = depth;
    if (depth != 0)
        return;
    if (last->move != MOVE_NONE)
        add_move(last);
    last->before = *p;
    last->move = m;
}

static const char *verdict_of(int nag)
{
    return nag == 6 ? "inaccuracy" : nag == 2 ? "mistake" : nag == 4 ? "blunder" : NULL;
}

static void on_nag(void *user, int nag)
{
    const Last *last = user;
    const char *verdict = verdict_of(nag);
    char fen[FEN_SIZE], start[FEN_SIZE], move[UCI_MOVE_SIZE];
    if (!verdict || last->depth != 0 || last->move == MOVE_NONE)
        return;
    fen_write(&last->before, FEN_X, fen);
    fen_write(&last->start, FEN_X, start);
    uci_move_write(&last->before, last->move, move);
    printf("%s\t%s\t%s\t%s\t%s\n", verdict, fen, move, start, last->moves.at);
}

int main(int argc, char **argv)
{
    Last last = {.move = MOVE_NONE};
    PgnVisitor visitor = {.user = &last, .start = on_start, .move = on_move, .nag = on_nag};
    PgnReader *r;
    Message why = {""};
    Status s;
    chess_init();
    text_init(&last.moves);
    if (argc != 2 || pgn_open(&r, argv[1], NULL, &why) != STATUS_OK) {
        fprintf(stderr, "verdicts: %s\n", argc == 2 ? why.text : "which file?");
        return 1;
    }
    while ((s = pgn_next(r, &visitor, &why)) == STATUS_OK || s == STATUS_INVALID)
        if (s == STATUS_INVALID)
            fprintf(stderr, "verdicts: %s\n", why.text);
    pgn_close(r);
    text_free(&last.moves);
    return s == STATUS_END ? 0 : 1;
}
