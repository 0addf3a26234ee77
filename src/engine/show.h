/* Positions and evaluations as plain text, for people. */
#ifndef ENGINE_SHOW_H
#define ENGINE_SHOW_H

#include "base/text.h"
#include "chess/position.h"
#include "eval/eval.h"

/* The board with coordinates, seen from that side. */
void show_board(const Position *p, Color seen_from, Text *out);

/* The board, the FEN, the key, and who gives check. */
void show_position(const Position *p, Text *out);

/* The value of the position, and a board that tells what each man is worth where it stands: how
 * much the value changes when it is taken away. Everything from White's point of view. */
void show_eval(const Evaluator *evaluator, const Position *p, Text *out);

#endif
