/* A wish of ChessBin's guide: a position that occurred before gets the answer that was given then,
 * without a search. Answers are kept for as long as the program runs, or in a text file, one on
 * each line: a FEN without its counters, the move, and the depth that it was searched to. Lines are
 * added whole, so several programs may use one file at once; what one of them adds the others read
 * when they start. */
#ifndef CLASSICS_CHESSBIN_MEMORY_H
#define CLASSICS_CHESSBIN_MEMORY_H

#include "base/status.h"
#include "base/text.h"
#include "chess/position.h"

/* All zeros: closed. */
typedef struct ChessBinMemory {
    struct ChessBinAnswer *answers;
    size_t room, count;
    char *path; /* "": without a file */
} ChessBinMemory;

/* path empty: without a file. A file that does not exist yet is fine; the message names a line that
 * is wrong, and the memory stays closed. */
Status chessbin_memory_open(ChessBinMemory *memory, Span path, Message *why);
void chessbin_memory_close(ChessBinMemory *memory);

/* The move for the position when it was searched at least so deep; otherwise MOVE_NONE. */
Move chessbin_memory_find(const ChessBinMemory *memory, const Position *p, int depth);

/* STATUS_IO: it is kept, but could not be written. */
Status chessbin_memory_keep(ChessBinMemory *memory, const Position *p, Move move, int depth,
                            Message *why);

#endif
