/* A game in UCI moves: the first byte chooses the start, every word is a move. A word gives no
 * move, or a legal one whose text gives it again. The bytes of a word are tried as a packed move as
 * well: what the legality test says must be what the generator says. */
#include "fuzzing.h"

#include "../consistent.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_PLIES = 300 };

/* Odd bytes start from Chess960, with different ranks for the two sides. */
static void set_start(Position *p, uint8_t choice)
{
    static const char KIWIPETE[] =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    if (choice & 1)
        pos_set_chess960(p, choice * 3, 959 - choice);
    else if (choice & 2)
        must(fen_parse(p, span_of(KIWIPETE), false, NULL) == STATUS_OK, "Kiwipete is read");
    else
        pos_set_start(p);
}

static bool is_generated(const Position *p, Move m)
{
    Move moves[MAX_MOVES];
    int count = movegen(p, GEN_ALL, moves);
    for (int i = 0; i < count; i++)
        if (moves[i] == m)
            return true;
    return false;
}

static void play_word(Position *p, Span word)
{
    unsigned packed = (unsigned char)word.at[0] | (unsigned char)word.at[word.len - 1] << 8;
    must(pos_is_legal(p, (Move)packed) == is_generated(p, (Move)packed),
         "legality test and generator agree");
    Move m = uci_move_read(p, word);
    if (m == MOVE_NONE)
        return;
    must(is_generated(p, m), "a move that is read is legal");
    char text[UCI_MOVE_SIZE];
    uci_move_write(p, m, text);
    must(uci_move_read(p, span_of(text)) == m, "a move comes back from its text");
    Undo undo;
    Key before = p->st.key;
    pos_make(p, m, &undo);
    pos_unmake(p, m, &undo);
    must(p->st.key == before, "a move can be taken back");
    pos_make(p, m, &undo);
    must(is_consistent(p), "a position agrees with itself");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    chess_init();
    if (len == 0)
        return 0;
    Position p;
    Span rest = {(const char *)bytes + 1, len - 1}, word;
    set_start(&p, bytes[0]);
    for (int ply = 0; ply < MAX_PLIES && span_next_word(&rest, &word); ply++)
        play_word(&p, word);
    return 0;
}
