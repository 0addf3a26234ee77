/* What a piece is worth more or less by its square: the tables that ChessBin's document of 2010
 * prints and Kanji's of 2014 took over. Rooks and queens are worth the same everywhere. */
#ifndef CLASSICS_PIECE_TABLES_H
#define CLASSICS_PIECE_TABLES_H

#include "chess/position.h"

/* A table for each type of piece, and one more for the king in the endgame, which ChessBin alone
 * uses. */
enum { PIECE_TABLE_KING_ENDGAME = PIECE_TYPE_COUNT, PIECE_TABLE_COUNT };

/* In centipawns, for a piece of colour c on s. */
int piece_table(int table, Color c, Square s);

#endif
