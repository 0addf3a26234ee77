/* The opening book of Kanji's program (2014): 120 lines, asked in their order. */
#ifndef CLASSICS_KANJI_BOOK_H
#define CLASSICS_KANJI_BOOK_H

#include "base/random.h"
#include "chess/position.h"

/* At the start of a game, the first move of any line; later the move of the first line that comes
 * to the position. MOVE_NONE when there is none. */
Move kanji_book_move(const Position *p, Random *random);

/* The lines themselves, moves in SAN with blanks between. */
enum { KANJI_BOOK_LINES = 120 };
extern const char *const kanji_book_lines[KANJI_BOOK_LINES];

#endif
