/* Part of chess_init(). */
#ifndef CHESS_DRAW_INT_H
#define CHESS_DRAW_INT_H

/* Fills the table of reversible moves; needs attacks and keys. */
void draw_init(void);

#endif
