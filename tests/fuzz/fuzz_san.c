/* A game in SAN: the first byte chooses the start, every word is a move. A word is refused with a
 * message, or gives a legal move whose exact SAN gives it again; every legal move of the positions
 * on the way has a SAN of its own. */
#include "fuzzing.h"

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/san.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLIES = 300 };

static void set_start(Position *p, uint8_t choice)
{
    static const char *const STARTS[] = {
        FEN_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
        "7k/8/8/8/1N4q1/5qq1/1N3N2/K7 w - - 0 1",
        "rkrqnbbn/pppppppp/8/8/8/8/PPPPPPPP/QRNKBNRB w KQkq - 0 1",
        "4k3/8/8/4pP2/8/8/8/4K2b w - e6 0 1",
    };
    const char *fen = STARTS[choice % (sizeof STARTS / sizeof *STARTS)];
    must(fen_parse(p, span_of(fen), false, NULL) == STATUS_OK, "a start position is one");
}

static void check_round_trip(const Position *p, Move m)
{
    char text[SAN_SIZE];
    Move back = MOVE_NONE;
    san_write(p, m, text);
    must(san_read(p, span_of(text), &back, NULL) == STATUS_OK && back == m, "SAN comes back");
}

static void check_message(const Message *why)
{
    must(why->text[0] == '"', "a refusal begins with the text");
    must_be_printable(why);
}

/* False when the game cannot go on. */
static bool play_word(Position *p, Span word)
{
    Move m = MOVE_NONE, moves[MAX_MOVES];
    Message why = {""};
    Undo undo;
    if (san_read(p, word, &m, &why) != STATUS_OK) {
        check_message(&why);
        return true;
    }
    if (m == MOVE_NULL) {
        must(!pos_in_check(p), "no null move in check");
        pos_make_null(p, &undo);
    } else {
        must(pos_is_legal(p, m), "a move that is read is legal");
        check_round_trip(p, m);
        pos_make(p, m, &undo);
    }
    int count = movegen(p, GEN_ALL, moves);
    for (int i = 0; i < count; i++)
        check_round_trip(p, moves[i]);
    return count > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    chess_init();
    if (len == 0)
        return 0;
    Position p;
    Span rest = {(const char *)bytes + 1, len - 1}, word;
    Move m;
    Message why = {""};
    set_start(&p, bytes[0]);
    /* The whole text as one move too: blanks inside are allowed before e.p. */
    if (san_read(&p, rest, &m, &why) != STATUS_OK)
        check_message(&why);
    for (int ply = 0; ply < MAX_PLIES && span_next_word(&rest, &word); ply++)
        if (!play_word(&p, word))
            break;
    return 0;
}
